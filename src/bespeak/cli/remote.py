"""A server as the commands ask it that work from afar, with an address and a key: the note of one
that runs on this machine stands in for both.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal, TypeVar
from uuid import uuid4

import msgspec

from bespeak.cli import servers
from bespeak.demo.crowd.client import CrowdClient, ServerReply
from bespeak.errors import InvalidRequest, Refused

_URL = "http://127.0.0.1:8000"
_Answer = TypeVar("_Answer")


class RequestRefused(Refused):
    """The server that a command asked refused the request; `reason` is the code of its error,
    `cursor` where to go on, if the error says so."""

    code = "request_refused"
    title = "The server refused the request"


class _Problem(msgspec.Struct):
    code: str = "unknown"
    detail: str = ""
    cursor: str | None = None


def address(url: str | None, key: str | None, kind: Literal["sk", "ak"]) -> tuple[str, str]:
    """Where the server is, and with which key to ask it. Raises InvalidRequest."""
    known = servers.find(url)
    at = url or (known.url if known else _URL)
    secret = key or (known.keys.get(kind) if known else None)
    if secret is None:
        raise InvalidRequest(
            f"no key for {at}: give one of kind {kind}_ with --key or BESPEAK_KEY "
            "(the demo and `serve --json` leave theirs where this command finds them)"
        )
    return at, secret


class Remote:
    """A server, asked with one key."""

    def __init__(self, client: CrowdClient) -> None:
        self._client = client

    async def get(self, path: str, kind: type[_Answer]) -> _Answer:
        """Raises RequestRefused, ServerAway."""
        return _read(await self._client.get(path), path, kind)

    async def post(
        self, path: str, body: object, kind: type[_Answer], key: str | None = None
    ) -> _Answer:
        """Does something once, under a key of its own unless one is given. Raises RequestRefused,
        ServerAway."""
        reply = await self._client.post(path, msgspec.json.encode(body), key or uuid4().hex)
        return _read(reply, path, kind)

    async def delete(self, path: str) -> None:
        """Raises RequestRefused, ServerAway."""
        _read(await self._client.delete(path, uuid4().hex), path, object)


@asynccontextmanager
async def asked(url: str, key: str) -> AsyncIterator[Remote]:
    client = CrowdClient(url, key)
    try:
        yield Remote(client)
    finally:
        client.close()


def _read(reply: ServerReply, path: str, kind: type[_Answer]) -> _Answer:
    if reply.status < 300:
        return msgspec.json.decode(reply.body, type=kind)
    try:
        problem = msgspec.json.decode(reply.body, type=_Problem)
    except msgspec.MsgspecError:  # a proxy answered, or something else that listens there
        problem = _Problem()
    raise RequestRefused(
        f"{path}: {reply.status} {problem.code} {problem.detail}".rstrip(),
        reason=problem.code,
        cursor=problem.cursor,
    )
