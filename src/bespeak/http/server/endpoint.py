"""The contract as a table: each endpoint with its method, path, who may call it, what it takes and
answers, and which errors it has. Routes and OpenAPI both come from it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec
from msgspec import Meta

from bespeak.errors import (
    BespeakError,
    DatabaseUnavailable,
    IdempotencyKeyReused,
    InternalError,
    InvalidRequest,
    Overloaded,
    ShuttingDown,
)
from bespeak.http.server.call import Answer, Call
from bespeak.http.server.errors import (
    BodyTooLarge,
    ConsoleSessionInvalid,
    CsrfTokenInvalid,
    InvalidJson,
    KeyKindWrong,
    KeyMissing,
    KeyUnknown,
    OriginNotAllowed,
    RateLimited,
    ShopperTokenInvalid,
    UnsupportedMediaType,
)
from bespeak.http.server.keys import KeyKind

Errors: TypeAlias = tuple[type[BespeakError], ...]
Handler: TypeAlias = Callable[[Call, msgspec.Struct | None], Awaitable[Answer]]

ANYONE: frozenset[KeyKind] = frozenset()
BROWSERS = frozenset(KeyKind)
SERVERS = frozenset((KeyKind.SECRET, KeyKind.ADMIN))
OPERATORS = frozenset((KeyKind.ADMIN,))

_DIGITS = "[0-9a-hjkmnp-tv-z]"
RESOURCE_PATTERN = f"^res_{_DIGITS}{{8}}$"


def long_id_pattern(prefix: str) -> str:
    """The pattern of a hold's, booking's or block's id, for the document."""
    return f"^{prefix}_[0-7]{_DIGITS}{{25}}$"


def told(pattern: str) -> Meta:
    """Tells a pattern in the document; the code judges by itself, with an error of its own."""
    return Meta(extra_json_schema={"pattern": pattern})


_KEYED: Errors = (
    ConsoleSessionInvalid,
    DatabaseUnavailable,
    KeyMissing,
    KeyUnknown,
    OriginNotAllowed,
    RateLimited,
)
_BODY: Errors = (InvalidRequest, InvalidJson, UnsupportedMediaType, BodyTooLarge)
_ALWAYS: Errors = (Overloaded, ShuttingDown, InternalError)


@dataclass(frozen=True)
class Endpoint:
    """One row of the contract. `needs_shopper` says that a pk_ key must bring a shopper token;
    `takes_document` that the body may be as large as a seat map or a calendar; `link_opens` that
    a request without a key may have the `token` of a calendar link in its query; `key_in_query`
    that a browser key may be there, as `key`; `takes_raw` that the handler gets the body as it
    came (`Call.raw`), because its signature is over these very bytes, and `raw_type` which media
    type that is; `accepted` is what a 202 answers, where the work is not done yet;
    `own_pages_only` that other sites' pages are refused; `also` which other media type it may
    answer if asked to; `tag` groups the endpoints of a vertical, whose names in paths have these
    `patterns`."""

    method: str
    path: str
    handler: Callable[..., Awaitable[Answer]]
    summary: str
    answer: object
    status: int = 200
    kinds: frozenset[KeyKind] = BROWSERS
    needs_shopper: bool = False
    body: type[msgspec.Struct] | None = None
    body_required: bool = True
    takes_document: bool = False
    link_opens: bool = False
    key_in_query: bool = False
    own_pages_only: bool = False
    takes_raw: bool = False
    raw_type: str = "application/json"
    accepted: type[msgspec.Struct] | None = None
    also: str | None = None
    query: type[msgspec.Struct] | None = None
    errors: Errors = ()
    other_statuses: tuple[tuple[int, str], ...] = ()
    repeatable: bool = field(default=False)
    tag: str | None = None
    patterns: Mapping[str, str] = field(default_factory=dict)

    def all_errors(self) -> list[type[BespeakError]]:
        """Its own errors and those that every call of its sort has, by status and code."""
        found = set(self.errors) | set(_ALWAYS)
        if self.kinds:
            found |= set(_KEYED)
            if self.method != "GET":
                found.add(CsrfTokenInvalid)
        if self.kinds and self.kinds != BROWSERS:
            found.add(KeyKindWrong)
        if KeyKind.PUBLISHABLE in self.kinds:
            found.add(ShopperTokenInvalid)
        if self.body is not None:
            found |= set(_BODY)
        if self.takes_raw:
            found |= {BodyTooLarge, InvalidJson}  # the latter of a body that breaks off
        if self.query is not None:
            found.add(InvalidRequest)
        if self.repeatable:
            found.add(IdempotencyKeyReused)
        return sorted(found, key=lambda error: (error.status, error.code))
