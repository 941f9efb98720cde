"""A call of the API: what a handler sees of a request, who makes it, and what it answers. One pass
over the headers, one read of the body, one decode into the endpoint's struct.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import msgspec

from bespeak.errors import BespeakError, InvalidRequest, NotOwner
from bespeak.http.server.errors import BodyTooLarge, InvalidJson, UnsupportedMediaType
from bespeak.http.server.keys import KeyKind

if TYPE_CHECKING:
    from bespeak.http.server.service import Service

_DISCARDED_BYTES_MAX = 33_554_432
_DISCARD_SECONDS_MAX = 5

Receive: TypeAlias = Callable[[], Awaitable[Mapping[str, object]]]
Send: TypeAlias = Callable[[dict[str, object]], Awaitable[None]]
Headers: TypeAlias = Sequence[tuple[bytes, bytes]]

KNOWN_HEADERS = frozenset(
    (
        b"accept",
        b"accept-encoding",
        b"authorization",
        b"bespeak-csrf",
        b"bespeak-shopper",
        b"bespeak-owner",
        b"content-type",
        b"content-length",
        b"cookie",
        b"host",
        b"idempotency-key",
        b"if-none-match",
        b"last-event-id",
        b"origin",
        b"sec-fetch-site",
        b"x-request-id",
    )
)


class Caller(NamedTuple):
    """Who makes the call: the kind of key, and for a browser the owner that it speaks for; whether
    by the cookie of the console instead of a key."""

    kind: KeyKind | None
    shopper: str | None
    by_cookie: bool = False


ANONYMOUS = Caller(None, None)


class Call:
    """One call on its way through."""

    __slots__ = (
        "body",
        "caller",
        "headers",
        "path",
        "query",
        "raw",
        "raw_headers",
        "scope",
        "service",
    )

    def __init__(
        self,
        service: Service,
        headers: Mapping[bytes, str],
        path: Mapping[str, str],
        query: msgspec.Struct | None,
        caller: Caller,
        raw: bytes = b"",
        raw_headers: Mapping[str, str] | None = None,
        scope: Mapping[str, object] | None = None,
    ) -> None:
        self.service = service
        self.headers = headers
        self.path = path
        self.query = query
        self.caller = caller
        self.raw = raw
        self.raw_headers = raw_headers or {}
        self.scope = scope or {}

    @property
    def idempotency_key(self) -> str | None:
        """The key under which this call may be repeated."""
        return self.headers.get(b"idempotency-key")

    def acting_owner(self) -> str | None:
        """Whose hold or booking this call may touch: the shopper's own; for a server the owner it
        names in Bespeak-Owner, or anyone's (None)."""
        if self.caller.shopper is not None:
            return self.caller.shopper
        named = self.headers.get(b"bespeak-owner")
        return None if named is None else _utf8(named)

    def placing_owner(self, named: str | None) -> str:
        """For whom a hold is placed. Raises NotOwner, InvalidRequest."""
        if self.caller.shopper is not None:
            if named is not None and named != self.caller.shopper:
                raise NotOwner("a shopper token holds for its own subject only")
            return self.caller.shopper
        if named is None:
            raise InvalidRequest("a server says for whom it holds: owner", field="owner")
        return named


def _utf8(value: str) -> str:
    """The text of a header that was sent in UTF-8 but, as all headers, decoded as Latin-1."""
    try:
        return value.encode("latin-1").decode()
    except UnicodeDecodeError:
        return value


class Answer:
    """What a handler answers: a struct to encode, or a body that is encoded already."""

    __slots__ = ("body", "content_type", "headers", "status")

    def __init__(
        self,
        status: int,
        content: object = None,
        *,
        body: bytes | None = None,
        headers: Headers = (),
        content_type: bytes = b"application/json",
    ) -> None:
        self.status = status
        self.body = msgspec.json.encode(content) if body is None else body
        self.headers = headers
        self.content_type = content_type


class Streaming(Protocol):
    """A body that goes on."""

    async def run(self, start: dict[str, object], receive: Receive, send: Send) -> None:
        """Sends the head of the answer, and then the body until it is over."""

    def close(self) -> None:
        """Gives up what it keeps, where it is not run."""


class StreamAnswer(Answer):
    """An answer whose body goes on for as long as the client listens."""

    __slots__ = ("streaming",)

    def __init__(self, streaming: Streaming, headers: Headers) -> None:
        super().__init__(200, body=b"", headers=headers, content_type=b"text/event-stream")
        self.streaming = streaming


REPLAYED: Headers = ((b"idempotent-replayed", b"true"),)


def known_headers(raw: Sequence[tuple[bytes, bytes]]) -> dict[bytes, str]:
    """The headers that matter here, decoded. Cookies may come in several."""
    found: dict[bytes, str] = {}
    for name, value in raw:
        if name in KNOWN_HEADERS:
            text = value.decode("latin-1")
            found[name] = f"{found[name]}; {text}" if name in found and name == b"cookie" else text
    return found


def all_headers(raw: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
    """All headers, decoded, by their names in lower case."""
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in raw}


async def read_body(receive: Receive, headers: Mapping[bytes, str], limit_bytes: int) -> bytes:
    """The whole body. Raises BodyTooLarge, before reading it where its length is declared."""
    declared = headers.get(b"content-length")
    if declared is not None and declared.isdecimal() and int(declared) > limit_bytes:
        await _discard(receive)
        raise BodyTooLarge(limit_bytes=limit_bytes)
    message = await receive()
    first = message.get("body", b"")
    body = first if isinstance(first, bytes) else b""
    while message.get("more_body"):
        message = await receive()
        more = message.get("body", b"")
        body += more if isinstance(more, bytes) else b""
        if len(body) > limit_bytes:
            if message.get("more_body"):
                await _discard(receive)
            raise BodyTooLarge(limit_bytes=limit_bytes)
    if message["type"] == "http.disconnect":
        # Half a request must not pass for a whole one: no body at all may mean "all of it".
        raise InvalidJson("the body broke off")
    if len(body) > limit_bytes:
        raise BodyTooLarge(limit_bytes=limit_bytes)
    return body


async def _discard(receive: Receive) -> None:
    """Takes the rest of a body that is too large, within bounds: a client that is still sending
    when the connection closes would never read why."""
    left = _DISCARDED_BYTES_MAX
    with suppress(TimeoutError):
        async with asyncio.timeout(_DISCARD_SECONDS_MAX):
            while left > 0:
                message = await receive()
                part = message.get("body", b"")
                left -= len(part) if isinstance(part, bytes) else 0
                if not message.get("more_body"):
                    return


def check_media_type(headers: Mapping[bytes, str]) -> None:
    """Raises UnsupportedMediaType for a body that is declared to be something else than JSON."""
    declared = headers.get(b"content-type")
    if declared is None or declared == "application/json":
        return
    media_type = declared.partition(";")[0].strip().lower()
    if media_type not in ("application/json", ""):
        raise UnsupportedMediaType(content_type=declared[:100])


def decode_error(
    error: msgspec.DecodeError | msgspec.ValidationError | UnicodeDecodeError,
) -> BespeakError:
    """The problem of a body that does not decode, pointing at the field."""
    if isinstance(error, msgspec.ValidationError):
        message = str(error)
        _, _, place = message.partition(" - at `$")
        field = place.rstrip("`").lstrip(".") or None
        return InvalidRequest(message, **({"field": field} if field else {}))
    return InvalidJson(str(error))
