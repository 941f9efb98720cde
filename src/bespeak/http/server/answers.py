"""What a handler answers beside a plain struct: JSON with headers, bytes of another media type, a
stream.
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

import msgspec

from bespeak.http.server.asgi import Headers, Receive, Send

_Content_co = TypeVar("_Content_co", covariant=True)
_Item = TypeVar("_Item")

REPLAYED: Headers = ((b"idempotent-replayed", b"true"),)


class Answer:
    """A status, headers and a body."""

    __slots__ = ("body", "content_type", "headers", "status")

    def __init__(
        self,
        status: int,
        body: bytes = b"",
        *,
        headers: Headers = (),
        content_type: bytes = b"application/json",
    ) -> None:
        self.status = status
        self.body = body
        self.headers = headers
        self.content_type = content_type


class PackableAnswer(Answer):
    """One that is packed on its way where it is long, for who takes that: once nothing looks into
    it any more. It has VARY among its headers, and a weak entity tag, if any, since that is the
    same for both. `ready` is the body as gzip, where somebody keeps it."""

    __slots__ = ("ready",)

    def __init__(
        self,
        status: int,
        body: bytes,
        *,
        headers: Headers = (),
        content_type: bytes = b"application/json",
        ready: bytes | None = None,
    ) -> None:
        super().__init__(status, body, headers=headers, content_type=content_type)
        self.ready = ready


class JsonAnswer(Answer, Generic[_Content_co]):
    """A struct, with a status or headers of its own. The type tells the document which struct."""

    __slots__ = ()

    def __init__(
        self,
        status: int,
        content: _Content_co,
        *,
        headers: Headers = (),
        content_type: bytes = b"application/json",
    ) -> None:
        super().__init__(
            status, msgspec.json.encode(content), headers=headers, content_type=content_type
        )


class WholeList(msgspec.Struct, Generic[_Item], frozen=True):
    """A list that is answered in one page: it has the shape of all lists, and no next page."""

    items: list[_Item]
    next: str | None = None


class Streaming(Protocol):
    """A body that goes on."""

    async def run(self, start: dict[str, object], receive: Receive, send: Send) -> None:
        """Sends the head of the answer, and then the body until it is over."""

    def close(self) -> None:
        """Frees what it keeps, where it is not run."""


class StreamAnswer(Answer):
    """Server-sent events, for as long as the client listens."""

    __slots__ = ("streaming",)

    def __init__(self, streaming: Streaming, headers: Headers) -> None:
        super().__init__(200, headers=headers, content_type=b"text/event-stream")
        self.streaming = streaming


class _Repeatable(Protocol):
    @property
    def replayed(self) -> bool: ...


_Made = TypeVar("_Made", bound=_Repeatable)


def once(status: int, made: _Made, *, headers: Headers = ()) -> JsonAnswer[_Made]:
    """The answer to a call that may be repeated: a repeat differs by the header Idempotent-Replayed
    alone. `made` is a struct."""
    if not made.replayed:
        return JsonAnswer(status, made, headers=headers)
    told = msgspec.structs.replace(made, replayed=False)  # type: ignore[type-var]
    return JsonAnswer(status, told, headers=(*headers, *REPLAYED))
