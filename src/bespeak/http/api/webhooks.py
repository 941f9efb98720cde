"""The calls about webhooks: where messages are sent and which, what became of them, and sending
some again. The operator decides; servers may look.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidCursor, InvalidId, InvalidRequest
from bespeak.http.server.call import Answer, Call
from bespeak.http.server.endpoint import OPERATORS, SERVERS, Endpoint, told
from bespeak.notifications.errors import (
    WebhookDeliveryNotFound,
    WebhookEndpointDisabled,
    WebhookEndpointNotFound,
    WebhookEndpointsFull,
)
from bespeak.notifications.webhooks import deliveries, endpoints
from bespeak.notifications.webhooks.deliveries import DeliveryPage, DeliveryState, WebhookDelivery
from bespeak.notifications.webhooks.endpoints import (
    OVERLAP_SECONDS_MAX,
    NewWebhookEndpoint,
    WebhookEndpoint,
    WebhookEndpointChange,
)

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_CREATED = 201
_ACCEPTED = 202
_OVERLAP_SECONDS = 86_400
_DELIVERY_PATTERN = "^msg_[0-9a-hjkmnp-tv-z]{16}[0-7][0-9a-hjkmnp-tv-z]{12}$"


class DeliveryQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the deliveries, and in which state."""

    after: Annotated[str, told(_DELIVERY_PATTERN)] | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100
    state: DeliveryState | None = None


class RotateSecret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a new secret: for how long the old one signs beside it."""

    overlap_seconds: Annotated[int, Meta(ge=0, le=OVERLAP_SECONDS_MAX)] = _OVERLAP_SECONDS


class Replay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for messages again: one delivery, or all of what happened since a time, or of that those
    that failed."""

    delivery_id: Annotated[str, told(_DELIVERY_PATTERN)] | None = None
    since: Annotated[datetime, Meta(tz=True)] | None = None
    failed_only: bool = False


class MadeWebhookEndpoint(msgspec.Struct, frozen=True):
    """An endpoint with its secret, which is shown this once."""

    secret: str
    endpoint: WebhookEndpoint


class WebhookEndpointList(msgspec.Struct, frozen=True):
    """All endpoints, newest first."""

    items: list[WebhookEndpoint]


class Replayed(msgspec.Struct, frozen=True):
    """How many messages are due because of a replay."""

    queued: int


@asynccontextmanager
async def _connection(call: Call) -> AsyncIterator[Connection]:
    engine = call.service.engine
    async with engine.database.borrow() as connection:
        yield connection


async def create_endpoint(call: Call, body: NewWebhookEndpoint) -> Answer:
    """Creates an endpoint. Its secret is in this answer and nowhere else."""
    private = call.service.engine.settings.webhook_private
    async with _connection(call) as connection:
        made, secret = await endpoints.create(connection, body, allow_private=private)
    place = (b"location", f"/v1/webhook-endpoints/{made.id}".encode())
    return Answer(_CREATED, MadeWebhookEndpoint(secret, made), headers=(place,))


async def list_endpoints(call: Call, _: None) -> Answer:
    """Lists the endpoints."""
    async with _connection(call) as connection:
        return Answer(200, WebhookEndpointList(await endpoints.list_all(connection)))


async def get_endpoint(call: Call, _: None) -> Answer:
    """Reads an endpoint."""
    async with _connection(call) as connection:
        return Answer(200, await endpoints.get(connection, call.path["endpoint_id"]))


async def change_endpoint(call: Call, body: WebhookEndpointChange) -> Answer:
    """Changes fields of an endpoint; enabled again, it gets what is still due."""
    private = call.service.engine.settings.webhook_private
    async with _connection(call) as connection:
        changed = await endpoints.change(
            connection, call.path["endpoint_id"], body, allow_private=private
        )
    return Answer(200, changed)


async def delete_endpoint(call: Call, _: None) -> Answer:
    """Deletes an endpoint; nothing more is sent there."""
    async with _connection(call) as connection:
        return Answer(200, await endpoints.delete(connection, call.path["endpoint_id"]))


async def rotate_secret(call: Call, body: RotateSecret | None) -> Answer:
    """Makes a new secret; the old one signs beside it for a while."""
    overlap = (body or RotateSecret()).overlap_seconds
    async with _connection(call) as connection:
        changed, secret = await endpoints.rotate_secret(
            connection, call.path["endpoint_id"], overlap
        )
    return Answer(200, MadeWebhookEndpoint(secret, changed))


async def list_deliveries(call: Call, _: None) -> Answer:
    """What became of the messages to an endpoint, the newest event first."""
    query = call.query
    if not isinstance(query, DeliveryQuery):
        raise TypeError("the endpoint has this query")
    async with _connection(call) as connection:
        page = await deliveries.read(
            connection, call.path["endpoint_id"], query.after, query.limit, query.state
        )
    return Answer(200, page)


async def replay(call: Call, body: Replay) -> Answer:
    """Sends messages again, each with the id that it had."""
    if (body.delivery_id is None) == (body.since is None):
        raise InvalidRequest("a replay has either a delivery_id or a since", field="since")
    endpoint_id = call.path["endpoint_id"]
    async with _connection(call) as connection:
        if body.delivery_id is not None:
            await deliveries.send_again(connection, endpoint_id, body.delivery_id)
            return Answer(_ACCEPTED, Replayed(1))
        if body.since is None:
            raise TypeError("one of the two is there")
        queued = await deliveries.replay(
            connection, endpoint_id, body.since, failed_only=body.failed_only
        )
    return Answer(_ACCEPTED, Replayed(queued))


async def test_endpoint(call: Call, _: None) -> Answer:
    """Sends an endpoint a message of the type `webhook.test`."""
    async with _connection(call) as connection:
        return Answer(_ACCEPTED, await deliveries.test(connection, call.path["endpoint_id"]))


_OF_ENDPOINT = (InvalidId, WebhookEndpointNotFound)
_PATH = "/v1/webhook-endpoints"

ENDPOINTS = [
    Endpoint(
        "GET",
        _PATH,
        list_endpoints,
        "List webhook endpoints",
        WebhookEndpointList,
        kinds=SERVERS,
    ),
    Endpoint(
        "POST",
        _PATH,
        create_endpoint,
        "Create a webhook endpoint",
        MadeWebhookEndpoint,
        _CREATED,
        kinds=OPERATORS,
        body=NewWebhookEndpoint,
        errors=(InvalidId, WebhookEndpointsFull),
    ),
    Endpoint(
        "GET",
        _PATH + "/{endpoint_id}",
        get_endpoint,
        "Read a webhook endpoint",
        WebhookEndpoint,
        kinds=SERVERS,
        errors=_OF_ENDPOINT,
    ),
    Endpoint(
        "PATCH",
        _PATH + "/{endpoint_id}",
        change_endpoint,
        "Change a webhook endpoint",
        WebhookEndpoint,
        kinds=OPERATORS,
        body=WebhookEndpointChange,
        errors=_OF_ENDPOINT,
    ),
    Endpoint(
        "DELETE",
        _PATH + "/{endpoint_id}",
        delete_endpoint,
        "Delete a webhook endpoint",
        WebhookEndpoint,
        kinds=OPERATORS,
        errors=_OF_ENDPOINT,
    ),
    Endpoint(
        "POST",
        _PATH + "/{endpoint_id}/rotate",
        rotate_secret,
        "Rotate the secret of a webhook endpoint",
        MadeWebhookEndpoint,
        kinds=OPERATORS,
        body=RotateSecret,
        body_required=False,
        errors=_OF_ENDPOINT,
    ),
    Endpoint(
        "GET",
        _PATH + "/{endpoint_id}/deliveries",
        list_deliveries,
        "Read the deliveries to a webhook endpoint",
        DeliveryPage,
        kinds=SERVERS,
        query=DeliveryQuery,
        errors=(*_OF_ENDPOINT, InvalidCursor),
    ),
    Endpoint(
        "POST",
        _PATH + "/{endpoint_id}/replay",
        replay,
        "Send messages again",
        Replayed,
        _ACCEPTED,
        kinds=OPERATORS,
        body=Replay,
        errors=(*_OF_ENDPOINT, WebhookEndpointDisabled, WebhookDeliveryNotFound),
    ),
    Endpoint(
        "POST",
        _PATH + "/{endpoint_id}/test",
        test_endpoint,
        "Test a webhook endpoint",
        WebhookDelivery,
        _ACCEPTED,
        kinds=OPERATORS,
        errors=(*_OF_ENDPOINT, WebhookEndpointDisabled),
    ),
]
