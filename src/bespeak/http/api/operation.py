"""The calls that run the installation: the feed, shopper tokens, keys, health and metrics."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.errors import DatabaseUnavailable, InvalidCursor, InvalidId
from bespeak.feed.reader import EVENTS_MAX, EventPage
from bespeak.http.server import keys, metrics
from bespeak.http.server.call import Answer, Call
from bespeak.http.server.endpoint import (
    ANYONE,
    OPERATORS,
    RESOURCE_PATTERN,
    SERVERS,
    Endpoint,
    told,
)
from bespeak.http.server.errors import KeyNotFound
from bespeak.http.server.keys import ApiKey
from bespeak.reservations.judge import OWNER_LENGTH_MAX, check_text

_CREATED = 201
_TOKEN_SECONDS = 3600
_TOKEN_SECONDS_MAX = 86_400


class EventQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From where to read the feed, how much, and of which resource."""

    after: Annotated[str, told("^[0-9a-f]{1,16}-[0-9a-f]{1,15}$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=EVENTS_MAX)] = 100
    resource_id: Annotated[str, told(RESOURCE_PATTERN)] | None = None


class MintToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a shopper token: for whom, and for how long."""

    owner: Annotated[str, Meta(min_length=1, max_length=200)]
    expires_in_seconds: Annotated[int, Meta(ge=1, le=_TOKEN_SECONDS_MAX)] = _TOKEN_SECONDS


class ShopperToken(msgspec.Struct, frozen=True):
    """A token for the header Bespeak-Shopper, beside a pk_ key."""

    token: str
    owner: str
    expires_at: datetime


class NewKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a key of a kind, with a name to know it by."""

    kind: Literal["publishable", "secret", "admin"]
    name: Annotated[str, Meta(min_length=1, max_length=100)]


class MadeKey(msgspec.Struct, frozen=True):
    """A new key. Its text is shown this once."""

    key: str
    details: ApiKey


class KeyList(msgspec.Struct, frozen=True):
    """All keys, newest first."""

    items: list[ApiKey]


class Health(msgspec.Struct, frozen=True):
    """That this process is there (healthz), or that it can work (readyz)."""

    status: str


async def events(call: Call, _: None) -> Answer:
    """The feed from a cursor on: every change, each once, causes before effects."""
    query = call.query
    if not isinstance(query, EventQuery):
        raise TypeError("the endpoint has this query")
    page = await call.service.engine.events(
        after=query.after, limit=query.limit, resource_id=query.resource_id
    )
    return Answer(200, page)


async def mint_token(call: Call, body: MintToken) -> Answer:
    """Mints a token that lets a browser hold for this owner."""
    check_text(body.owner, "owner", OWNER_LENGTH_MAX)
    token, ends = call.service.tokens.mint(body.owner, body.expires_in_seconds)
    return Answer(_CREATED, ShopperToken(token, body.owner, datetime.fromtimestamp(ends, UTC)))


async def create_key(call: Call, body: NewKey) -> Answer:
    """Makes an API key; its text is in this answer and nowhere else."""
    engine = call.service.engine
    async with engine.database.borrow() as connection:
        text, details = await keys.create_key(connection, body.kind, body.name)
    return Answer(_CREATED, MadeKey(text, details))


async def list_keys(call: Call, _: None) -> Answer:
    """Lists the API keys."""
    engine = call.service.engine
    async with engine.database.borrow() as connection:
        return Answer(200, KeyList(await keys.list_keys(connection)))


async def revoke_key(call: Call, _: None) -> Answer:
    """Revokes an API key; within seconds it is refused everywhere."""
    engine = call.service.engine
    async with engine.database.borrow() as connection:
        return Answer(200, await keys.revoke_key(connection, call.path["key_id"]))


async def healthz(_call: Call, _: None) -> Answer:
    """Whether this process is there."""
    return Answer(200, Health("ok"))


async def readyz(call: Call, _: None) -> Answer:
    """Whether this process can work: the database answers, and there is room in the queue."""
    await call.service.check_ready()
    return Answer(200, Health("ready"))


async def show_metrics(_call: Call, _: None) -> Answer:
    """The metrics of all workers, in Prometheus form."""
    return Answer(
        200, body=metrics.render(), content_type=b"text/plain; version=0.0.4; charset=utf-8"
    )


ENDPOINTS = [
    Endpoint(
        "GET",
        "/v1/events",
        events,
        "Read the feed",
        EventPage,
        kinds=SERVERS,
        query=EventQuery,
        errors=(InvalidCursor, InvalidId),
    ),
    Endpoint(
        "POST",
        "/v1/shopper-tokens",
        mint_token,
        "Mint a shopper token",
        ShopperToken,
        _CREATED,
        kinds=SERVERS,
        body=MintToken,
    ),
    Endpoint("GET", "/v1/keys", list_keys, "List keys", KeyList, kinds=OPERATORS),
    Endpoint(
        "POST",
        "/v1/keys",
        create_key,
        "Create a key",
        MadeKey,
        _CREATED,
        kinds=OPERATORS,
        body=NewKey,
    ),
    Endpoint(
        "DELETE",
        "/v1/keys/{key_id}",
        revoke_key,
        "Revoke a key",
        ApiKey,
        kinds=OPERATORS,
        errors=(KeyNotFound,),
    ),
    Endpoint("GET", "/healthz", healthz, "Is it there", Health, kinds=ANYONE),
    Endpoint(
        "GET",
        "/readyz",
        readyz,
        "Can it work",
        Health,
        kinds=ANYONE,
        errors=(DatabaseUnavailable,),
    ),
    Endpoint("GET", "/metrics", show_metrics, "Metrics for Prometheus", None, kinds=ANYONE),
]
