"""A lean HTTP/1.1 client over keep-alive connections. It waits as long as the server asks (429 and
503 with Retry-After), and repeats a request whose answer was lost, under the same idempotency key,
as every client of Bespeak may.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit

from bespeak.errors import InvalidRequest, Unavailable

_PATIENCE_SECONDS = 60.0
_ANSWER_SECONDS_MAX = 15.0
_PAUSE_SECONDS = 0.25
_LATER = frozenset({429, 503})

Headers: TypeAlias = Mapping[str, str] | None
"""Headers of a request beside those that all of them have."""


class ServerReply(NamedTuple):
    """What the server said in the end; `seconds` is what that one exchange took."""

    status: int
    body: bytes
    seconds: float
    etag: str | None = None


class ServerAway(Unavailable):
    """The server did not answer for as long as this client is patient."""

    code = "server_away"
    title = "The server does not answer"


class CrowdClient:
    """Asks one server with one key. At most as many requests are in flight as there are callers,
    or `in_flight_max`."""

    def __init__(self, url: str, key: str, in_flight_max: int | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise InvalidRequest(f"not an http URL: {url}", field="url")
        self._host = parts.hostname
        self._tls = parts.scheme == "https"
        self._port = parts.port or (443 if self._tls else 80)
        self._path = parts.path.rstrip("/")
        self._head = (
            f"Host: {parts.netloc}\r\nAuthorization: Bearer {key}\r\n"
            "Accept: application/json\r\nContent-Type: application/json\r\n"
        )
        self._idle: list[_Wire] = []
        self._turns: AbstractAsyncContextManager[None] = (
            nullcontext() if in_flight_max is None else asyncio.Semaphore(in_flight_max)
        )
        self.waited = 0
        """How often the server asked for patience."""
        self.repeated = 0
        """How often an answer was lost, and the request was sent again."""

    async def get(self, path: str, headers: Headers = None) -> ServerReply:
        """Reads. Raises ServerAway."""
        return await self._ask("GET", path, b"", headers or {})

    async def post(
        self, path: str, body: bytes, idempotency_key: str, headers: Headers = None
    ) -> ServerReply:
        """Does something, once. Raises ServerAway."""
        keyed = {"Idempotency-Key": idempotency_key, **(headers or {})}
        return await self._ask("POST", path, body, keyed)

    async def delete(self, path: str, idempotency_key: str, headers: Headers = None) -> ServerReply:
        """Undoes something, once. Raises ServerAway."""
        keyed = {"Idempotency-Key": idempotency_key, **(headers or {})}
        return await self._ask("DELETE", path, b"", keyed)

    def close(self) -> None:
        for wire in self._idle:
            wire.close()
        self._idle.clear()

    async def _ask(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str]
    ) -> ServerReply:
        own = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        head = f"{method} {self._path}{path} HTTP/1.1\r\n{self._head}{own}"
        request = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
        give_up_at = time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                async with self._turns:
                    answer, retry_after = await self._exchange(request)
            except (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError) as error:
                if time.monotonic() > give_up_at:
                    raise ServerAway(str(error) or None) from error
                self.repeated += 1
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            if answer.status not in _LATER or time.monotonic() > give_up_at:
                return answer
            self.waited += 1
            # A little apart from the others who were told the same.
            await asyncio.sleep(retry_after + random.random() * _PAUSE_SECONDS)

    async def _exchange(self, request: bytes) -> tuple[ServerReply, float]:
        wire = self._idle.pop() if self._idle else await self._connect()
        started = time.perf_counter()
        try:
            async with asyncio.timeout(_ANSWER_SECONDS_MAX):
                status, headers, body = await wire.exchange(request)
        except BaseException:
            wire.close()
            raise
        seconds = time.perf_counter() - started
        if headers.get("connection", "").lower() == "close":
            wire.close()
        else:
            self._idle.append(wire)
        reply = ServerReply(status, body, seconds, headers.get("etag"))
        return reply, _seconds(headers.get("retry-after"))

    async def _connect(self) -> _Wire:
        async with asyncio.timeout(_ANSWER_SECONDS_MAX):
            reader, writer = await asyncio.open_connection(
                self._host, self._port, ssl=self._tls or None
            )
        return _Wire(reader, writer)


class _Wire:
    """One connection: writes a request, reads the answer."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def exchange(self, request: bytes) -> tuple[int, dict[str, str], bytes]:
        self._writer.write(request)
        lines = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        if "chunked" in headers.get("transfer-encoding", "").lower():
            body = await self._chunks()
        else:
            body = await self._reader.readexactly(int(headers.get("content-length", 0)))
        return int(lines[0][9:12]), headers, body

    async def _chunks(self) -> bytes:
        parts = []
        while size := int((await self._reader.readuntil(b"\r\n")).split(b";")[0], 16):
            parts.append(await self._reader.readexactly(size))
            await self._reader.readexactly(2)
        await self._reader.readuntil(b"\r\n")
        return b"".join(parts)

    def close(self) -> None:
        self._writer.close()


def _seconds(retry_after: str | None) -> float:
    try:
        return max(0.05, float(retry_after)) if retry_after else 1.0
    except ValueError:
        return 1.0  # the form with a date
