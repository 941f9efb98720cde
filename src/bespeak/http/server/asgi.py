"""What is read of an ASGI request: headers, body, query, the client's address. One pass over the
headers and one read of the body.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias, TypedDict, TypeVar
from urllib.parse import parse_qsl

import msgspec

from bespeak.decoding import explain
from bespeak.errors import BespeakError, InvalidRequest
from bespeak.http.server.errors import BodyTooLarge, InvalidJson, UnsupportedMediaType

_DISCARDED_BYTES_MAX = 33_554_432
_DISCARD_SECONDS_MAX = 5
_NAME_MAX = 60
_Query = TypeVar("_Query", bound=msgspec.Struct)

Headers: TypeAlias = Sequence[tuple[bytes, bytes]]
Receive: TypeAlias = Callable[[], Awaitable[Mapping[str, object]]]
Send: TypeAlias = Callable[[dict[str, object]], Awaitable[None]]


class AsgiScope(TypedDict, total=False):
    """What is read of an ASGI scope; parameters and the request's id are our own."""

    type: str
    method: str
    scheme: str
    path: str
    path_params: Mapping[str, str]
    query_string: bytes
    headers: list[tuple[bytes, bytes]]
    client: tuple[str, int] | None
    request_id: str


KNOWN_HEADERS = frozenset(
    (
        b"accept",
        b"accept-encoding",
        b"accept-language",
        b"authorization",
        b"bespeak-booking-link",
        b"bespeak-challenge",
        b"bespeak-pass",
        b"bespeak-csrf",
        b"bespeak-shopper",
        b"bespeak-shopper-address",
        b"bespeak-owner",
        b"bespeak-waitlist-link",
        b"bespeak-written",
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


def known_headers(raw: Headers) -> dict[bytes, str]:
    """The headers that matter here, decoded. Cookies may come in several."""
    found: dict[bytes, str] = {}
    for name, value in raw:
        if name in KNOWN_HEADERS:
            text = value.decode("latin-1")
            found[name] = f"{found[name]}; {text}" if name in found and name == b"cookie" else text
    return found


def all_headers(raw: Headers) -> dict[str, str]:
    """All headers, decoded, by their names in lower case."""
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in raw}


def address_of(scope: AsgiScope) -> str:
    client = scope.get("client")
    return client[0] if client else "unknown"


def query_value(scope: AsgiScope, name: str) -> str | None:
    """One parameter of the query, before the query is decoded and checked."""
    query = scope["query_string"].decode("latin-1")
    return dict(parse_qsl(query, keep_blank_values=True)).get(name)


def decode_query(struct: type[_Query], raw: bytes) -> _Query:
    """The query as a struct. Raises InvalidRequest, with the parameter as its field."""
    try:
        pairs = parse_qsl(raw.decode("ascii"), keep_blank_values=True)
        values = dict(pairs)
        if len(values) < len(pairs):
            # Which of them counts, a proxy that judged it before may have seen otherwise.
            (name, _), *_ = Counter(name for name, _ in pairs).most_common(1)
            told = "query: a parameter stands there twice"
            raise InvalidRequest(told, field=name[:_NAME_MAX] or "query")
        return msgspec.convert(values, struct, strict=False)
    except msgspec.ValidationError as error:
        detail, field = explain(error, struct)
        raise InvalidRequest(f"query: {detail}", field=field or "query") from error
    except ValueError as error:  # of Unicode, or more parameters than one reads
        raise InvalidRequest(f"query: {error}", field="query") from error


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
    """Reads the rest of a body that is too large, within bounds: a client that is still sending
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


def decode_error(error: ValueError, expected: object) -> BespeakError:
    """The problem of a body that is not of the expected type, with the field where it is known."""
    if isinstance(error, msgspec.ValidationError):
        detail, field = explain(error, expected)
        return InvalidRequest(detail, **({"field": field} if field else {}))
    return InvalidJson(str(error))
