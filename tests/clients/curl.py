"""`curl` as a door: each request goes by the real program, which repeats it as its manual says,
with the key that makes a repeat harmless. The client of Python says what is sent.
"""

from __future__ import annotations

import asyncio
import shutil
from typing import TypeVar
from urllib.parse import urlencode

from bespeak.client import Client, ServerUnreachable
from bespeak.client.answers import decoded, error_of
from bespeak.client.requests import ApiRequest

Answer = TypeVar("Answer")
_FOUND = shutil.which("curl")
_RETRY = ("--retry", "5", "--retry-delay", "1", "--retry-all-errors", "--retry-max-time", "30")


class CurlDoor(Client):
    """The verbs, each by a process of curl."""

    def __init__(self, url: str, key: str) -> None:
        super().__init__(url, key)
        self._url = url
        self._key = key

    async def _send(
        self,
        request: ApiRequest[Answer],
        timeout: float | None,
    ) -> Answer:
        assert _FOUND is not None, "curl is missing"
        may_repeat = timeout is None and (request.safe or request.key is not None)
        made = await asyncio.create_subprocess_exec(
            _FOUND, "--silent", "--show-error", "--include", "--request", request.method,
            *(_RETRY if may_repeat else ()), *self._headers(request), *_body(request),
            "--max-time", "30", f"{self._url}{request.path}?{urlencode(request.query)}",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        found, wrong = await made.communicate(request.body)
        if made.returncode != 0:
            raise ServerUnreachable(wrong.decode())
        status, headers, body = _last_answer(found)
        if status >= 300:
            raise error_of(status, body, headers)
        return decoded(request, body, headers)

    def _headers(self, request: ApiRequest[Answer]) -> list[str]:
        told = [f"Authorization: Bearer {self._key}"]
        told += [f"{name.decode()}: {value.decode()}" for name, value in request.headers.items()]
        if request.key is not None:
            told.append(f"Idempotency-Key: {request.key}")
        if request.body is not None:
            told.append("Content-Type: application/json")
        return [part for header in told for part in ("--header", header)]


def _body(request: ApiRequest[Answer]) -> list[str]:
    return [] if request.body is None else ["--data-binary", "@-"]


def _last_answer(found: bytes) -> tuple[int, dict[str, str], bytes]:
    """The status, the headers and the body of what came."""
    head, _, body = found.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    pairs = [line.partition(": ") for line in lines]
    return int(first.split()[1]), {name.lower(): value for name, _, value in pairs}, body
