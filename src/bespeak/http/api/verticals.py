"""The calls of the verticals as endpoints below `/v1/{name}`: authenticated, limited, decoded and
documented as all others are.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence

import msgspec

from bespeak.http.server.call import Answer, Call
from bespeak.http.server.endpoint import ANYONE, BROWSERS, OPERATORS, SERVERS, Endpoint
from bespeak.http.server.keys import KeyKind
from bespeak.verticals.installed import installed
from bespeak.verticals.vertical import VerticalRequest, Document, Vertical, VerticalCall, Who

_KINDS: Mapping[Who, frozenset[KeyKind]] = {
    "anyone": ANYONE,
    "browsers": BROWSERS,
    "servers": SERVERS,
    "operators": OPERATORS,
}
_NOT_MODIFIED = 304
_ANY_NAME = "^[^/]{1,200}$"
# What a vertical hands out may be drawn from names that people gave: whatever it is, it runs
# nothing and loads nothing, even when it is opened by itself.
_INERT = (
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'; sandbox"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)


def endpoints(verticals: Sequence[Vertical]) -> list[Endpoint]:
    """The endpoints of these verticals."""
    return [
        _endpoint(vertical, call, f"/v1/{vertical.name}{call.path}")
        for vertical in verticals
        for call in vertical.calls
    ]


def _endpoint(vertical: Vertical, call: VerticalCall, path: str) -> Endpoint:
    other = ((_NOT_MODIFIED, "Nothing changed since the version of If-None-Match"),)
    return Endpoint(
        call.method,
        path,
        _answering(call),
        call.summary,
        call.answer,
        call.status,
        kinds=_KINDS[call.who],
        query=call.query,
        body=call.body,
        takes_document=call.takes_document,
        errors=call.errors,
        other_statuses=other if isinstance(call.answer, str) else (),
        tag=vertical.title,
        patterns={
            name: call.patterns.get(name, _ANY_NAME) for name in re.findall(r"{(\w+)}", path)
        },
    )


def _answering(asked_of: VerticalCall) -> Callable[..., Awaitable[Answer]]:
    """The handler of a vertical as the table of endpoints wants it, under its own name."""

    async def answer(call: Call, body: msgspec.Struct | None) -> Answer:
        asked = VerticalRequest(call.service.engine, call.path, call.query, body)
        content = await asked_of.handler(asked)
        if isinstance(content, Document):
            return _document(call, content)
        return Answer(asked_of.status, content)

    answer.__name__ = asked_of.handler.__name__
    answer.__doc__ = asked_of.handler.__doc__
    return answer


def _document(call: Call, document: Document) -> Answer:
    age = f", max-age={document.max_age}" if document.max_age else ""
    headers = (
        (b"etag", f'"{document.etag}"'.encode()),
        (b"cache-control", f"public{age or ', no-cache'}".encode()),
        *_INERT,
    )
    asked = call.headers.get(b"if-none-match", "")
    if asked == "*" or f'"{document.etag}"' in asked:
        return Answer(_NOT_MODIFIED, body=b"", headers=headers)
    return Answer(
        200, body=document.body, headers=headers, content_type=document.media_type.encode()
    )


ENDPOINTS = endpoints(installed())
