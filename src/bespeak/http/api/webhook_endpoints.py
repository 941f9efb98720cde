"""Webhook endpoints: where messages are sent and which, what became of them, and sending some
again. The operator decides; servers may look.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidCursor, InvalidId, InvalidRequest
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer, WholeList
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, SERVERS, documented, endpoint_table
from bespeak.http.server.scopes import ADMIN, READ
from bespeak.http.server.workspaces import Reach
from bespeak.notifications.errors import (
    WebhookDeliveryNotFound,
    WebhookEndpointDisabled,
    WebhookEndpointNotFound,
    WebhookEndpointsFull,
)
from bespeak.notifications.webhooks import deliveries, endpoints
from bespeak.notifications.webhooks.deliveries import (
    DeliveryPage,
    DeliveryState,
    Replayed,
    WebhookDelivery,
)
from bespeak.notifications.webhooks.endpoints import (
    OVERLAP_SECONDS_MAX,
    NewWebhookEndpoint,
    WebhookEndpoint,
    WebhookEndpointChange,
)

_OVERLAP_SECONDS = 86_400
_DELIVERY_PATTERN = "^msg_[0-9a-hjkmnp-tv-z]{16}[0-7][0-9a-hjkmnp-tv-z]{12}$"


_OF_ENDPOINT = (InvalidId, WebhookEndpointNotFound)
_PATH = "/v1/webhook-endpoints"
ENDPOINTS, endpoint = endpoint_table(tags.WEBHOOKS)


class DeliveryQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the deliveries, and in which state."""

    after: Annotated[str, documented(_DELIVERY_PATTERN)] | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100
    state: DeliveryState | None = None


class RotateSecret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a new secret: for how long the old one signs beside it."""

    overlap_seconds: Annotated[int, Meta(ge=0, le=OVERLAP_SECONDS_MAX)] = _OVERLAP_SECONDS


class Replay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for messages again: one delivery, whatever became of it, or what happened since a time
    (without one, since the endpoint was made) and did not reach the endpoint; with
    `include_delivered` what did too. A `dry_run` sends nothing and answers what would be sent."""

    delivery_id: Annotated[str, documented(_DELIVERY_PATTERN)] | None = None
    since: Annotated[datetime, Meta(tz=True)] | None = None
    include_delivered: bool = False
    dry_run: bool = False


class MadeWebhookEndpoint(msgspec.Struct, frozen=True):
    """An endpoint with its secret, which is shown this once."""

    secret: str
    endpoint: WebhookEndpoint


class WebhookEndpointList(WholeList[WebhookEndpoint], frozen=True):
    """The endpoints of the caller's workspace, newest first."""


@endpoint(
    "POST",
    _PATH,
    "Create a webhook endpoint",
    status=201,
    kinds=OPERATORS,
    errors=(InvalidId, WebhookEndpointsFull),
    scopes=ADMIN,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def create_webhook_endpoint(
    call: Call[None, NewWebhookEndpoint],
) -> JsonAnswer[MadeWebhookEndpoint]:
    """Creates an endpoint. Its secret is in this answer and nowhere else."""
    private = call.engine.settings.webhook_private
    async with call.engine.database.borrow() as connection:
        made, secret = await endpoints.create(
            connection, call.body, allow_private=private, workspace=call.workspace
        )
    location = (b"location", f"/v1/webhook-endpoints/{made.id}".encode())
    return JsonAnswer(201, MadeWebhookEndpoint(secret, made), headers=(location,))


@endpoint(
    "GET",
    _PATH,
    "List webhook endpoints",
    kinds=SERVERS,
    scopes=READ,
    reach=Reach.WORKSPACE,
)
async def list_webhook_endpoints(call: Call[None, None]) -> WebhookEndpointList:
    """Lists the endpoints."""
    async with call.engine.database.borrow() as connection:
        return WebhookEndpointList(await endpoints.list_all(connection, call.workspace))


@endpoint(
    "GET",
    _PATH + "/{endpoint_id}",
    "Read a webhook endpoint",
    kinds=SERVERS,
    errors=_OF_ENDPOINT,
    scopes=READ,
    reach=Reach.WORKSPACE,
)
async def get_webhook_endpoint(call: Call[None, None]) -> WebhookEndpoint:
    """Reads an endpoint."""
    async with call.engine.database.borrow() as connection:
        return await endpoints.get(connection, call.path["endpoint_id"], call.workspace)


@endpoint(
    "PATCH",
    _PATH + "/{endpoint_id}",
    "Change a webhook endpoint",
    kinds=OPERATORS,
    errors=_OF_ENDPOINT,
    scopes=ADMIN,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def update_webhook_endpoint(call: Call[None, WebhookEndpointChange]) -> WebhookEndpoint:
    """Changes fields of an endpoint; enabled again, it gets what is still due."""
    private = call.engine.settings.webhook_private
    async with call.engine.database.borrow() as connection:
        return await endpoints.change(
            connection,
            call.path["endpoint_id"],
            call.body,
            allow_private=private,
            workspace=call.workspace,
        )


@endpoint(
    "DELETE",
    _PATH + "/{endpoint_id}",
    "Delete a webhook endpoint",
    kinds=OPERATORS,
    errors=_OF_ENDPOINT,
    scopes=ADMIN,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def delete_webhook_endpoint(call: Call[None, None]) -> WebhookEndpoint:
    """Deletes an endpoint; nothing more is sent there."""
    async with call.engine.database.borrow() as connection:
        return await endpoints.delete(connection, call.path["endpoint_id"], call.workspace)


@endpoint(
    "POST",
    _PATH + "/{endpoint_id}/rotate",
    "Rotate the secret of a webhook endpoint",
    kinds=OPERATORS,
    errors=_OF_ENDPOINT,
    scopes=ADMIN,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def rotate_webhook_secret(call: Call[None, RotateSecret | None]) -> MadeWebhookEndpoint:
    """Makes a new secret; the old one signs beside it for a while."""
    overlap = (call.body or RotateSecret()).overlap_seconds
    async with call.engine.database.borrow() as connection:
        changed, secret = await endpoints.rotate_secret(
            connection, call.path["endpoint_id"], overlap, call.workspace
        )
    return MadeWebhookEndpoint(secret, changed)


@endpoint(
    "GET",
    _PATH + "/{endpoint_id}/deliveries",
    "Read the deliveries to a webhook endpoint",
    kinds=SERVERS,
    errors=(*_OF_ENDPOINT, InvalidCursor),
    scopes=READ,
    reach=Reach.WORKSPACE,
)
async def list_webhook_deliveries(call: Call[DeliveryQuery, None]) -> DeliveryPage:
    """What became of the messages to an endpoint, the newest event first."""
    query = call.query
    async with call.engine.database.borrow() as connection:
        return await deliveries.read(
            connection,
            call.path["endpoint_id"],
            query.after,
            query.limit,
            query.state,
            call.workspace,
        )


@endpoint(
    "POST",
    _PATH + "/{endpoint_id}/replay",
    "Send messages again",
    status=202,
    kinds=OPERATORS,
    errors=(*_OF_ENDPOINT, WebhookEndpointDisabled, WebhookDeliveryNotFound),
    scopes=ADMIN,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def replay_webhooks(call: Call[None, Replay]) -> Replayed:
    """Sends messages again, each with the id that it had; or says what it would send."""
    body, endpoint_id = call.body, call.path["endpoint_id"]
    if body.delivery_id is not None and body.since is not None:
        raise InvalidRequest("a replay has a delivery_id or a since, not both", field="since")
    async with call.engine.database.borrow() as connection:
        if body.delivery_id is None:
            return await deliveries.replay(
                connection,
                endpoint_id,
                body.since,
                include_delivered=body.include_delivered,
                dry_run=body.dry_run,
                workspace=call.workspace,
            )
        return await deliveries.send_again(
            connection,
            endpoint_id,
            body.delivery_id,
            dry_run=body.dry_run,
            workspace=call.workspace,
        )


@endpoint(
    "POST",
    _PATH + "/{endpoint_id}/test",
    "Test a webhook endpoint",
    status=202,
    kinds=OPERATORS,
    errors=(*_OF_ENDPOINT, WebhookEndpointDisabled),
    scopes=ADMIN,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def test_webhook_endpoint(call: Call[None, None]) -> WebhookDelivery:
    """Sends an endpoint a message of the type `webhook.test`."""
    async with call.engine.database.borrow() as connection:
        return await deliveries.test(connection, call.path["endpoint_id"], call.workspace)
