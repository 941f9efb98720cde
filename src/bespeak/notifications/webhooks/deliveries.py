"""The log of an endpoint's deliveries, and letting some of them be made again. There is one
delivery for each event and endpoint: made again, it is the same one, with the same id.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal

import msgspec

from bespeak.errors import InvalidCursor, InvalidId, InvalidRequest
from bespeak.notifications.errors import WebhookDeliveryNotFound, WebhookEndpointDisabled
from bespeak.notifications.webhooks import endpoints
from bespeak.notifications.webhooks.message import MessageType, parse_id, show_id, type_of
from bespeak.postgres.pool import COLLIDED
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.notifications.webhooks", "webhooks.sql")
_LAST = (1 << 63) - 1
_YEAR_MIN = 1970
_YEAR_MAX = 9998
REPLAY_MAX = 100_000

DeliveryState = Literal["pending", "delivered", "failed"]


class WebhookDelivery(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one message. `id` is the header webhook-id; `status`, `answer` (its first
    bytes) and `failure` are of the last try; `next_try_at` is null once it is at an end."""

    id: str
    type: MessageType
    state: DeliveryState
    tries: int
    created_at: datetime
    tried_at: datetime | None
    next_try_at: datetime | None
    status: int | None
    answer: str | None
    failure: str | None


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """The messages that a replay sends, by what became of them before: those that waited for their
    next try, those that failed, those without a delivery (the endpoint was not there, or disabled),
    and where asked for those that were delivered. After a dry run none of them is sent."""

    queued: int
    waiting: int = 0
    failed: int = 0
    missed: int = 0
    delivered: int = 0
    dry_run: bool = False


class DeliveryPage(msgspec.Struct, frozen=True):
    """A page of deliveries, the newest event first; `next` is the cursor of the one after, null at
    the end."""

    items: list[WebhookDelivery]
    next: str | None


async def read(
    connection: Connection,
    endpoint_id: str,
    after: str | None,
    limit: int,
    state: DeliveryState | None = None,
    workspace: str | None = None,
) -> DeliveryPage:
    """A page of the log of an endpoint, which here and below is of a workspace or of any. Raises
    InvalidId, InvalidCursor, WebhookEndpointNotFound."""
    endpoint = await endpoints.get(connection, endpoint_id, workspace)
    position = _LAST
    if after is not None:
        try:
            found = parse_id(after)
        except InvalidId as error:
            raise InvalidCursor(after=after[:60]) from error
        if found.endpoint_id != endpoint.id:
            raise InvalidCursor(after=after)
        position = found.position
    rows = await connection.fetch(_QUERIES["deliveries"], endpoint.id, position, state, limit + 1)
    items = [_delivery(row) for row in rows[:limit]]
    return DeliveryPage(items, items[-1].id if len(rows) > limit else None)


async def send_again(
    connection: Connection,
    endpoint_id: str,
    delivery_id: str,
    *,
    dry_run: bool = False,
    workspace: str | None = None,
) -> Replayed:
    """Lets one delivery be made again, whatever became of it. Raises InvalidId,
    WebhookEndpointNotFound, WebhookEndpointDisabled, WebhookDeliveryNotFound."""
    endpoint = await _enabled(connection, endpoint_id, workspace)
    found = parse_id(delivery_id)
    row = None
    if found.endpoint_id == endpoint.id:
        query = "delivery_state" if dry_run else "send_again"
        row = await connection.fetchrow(_QUERIES[query], endpoint.id, found.position)
    if row is None:
        raise WebhookDeliveryNotFound
    was = "waiting" if row["state"] == "pending" else row["state"]
    return Replayed(queued=1, dry_run=dry_run, **{was: 1})


async def replay(
    connection: Connection,
    endpoint_id: str,
    since: datetime | None = None,
    *,
    include_delivered: bool = False,
    dry_run: bool = False,
    workspace: str | None = None,
) -> Replayed:
    """Lets an endpoint have what happened since a time (None: since it was made, so that a new one
    is not sent the past) and did not reach it, and with `include_delivered` what did. With
    `dry_run` nothing is sent: the answer says what would be. Raises InvalidRequest, InvalidId,
    WebhookEndpointNotFound, WebhookEndpointDisabled."""
    if since is not None and (since.tzinfo is None or not _YEAR_MIN <= since.year <= _YEAR_MAX):
        raise InvalidRequest("since is a time with an offset", field="since")
    endpoint = await _enabled(connection, endpoint_id, workspace)
    for again in (True, True, False):
        try:
            async with connection.transaction():
                first = since or endpoint.created_at
                return await _replay(connection, endpoint.id, first, include_delivered, dry_run)
        except COLLIDED:  # with the record of tries that just ended
            if not again:
                raise
    raise RuntimeError("the last try answers or raises")


async def _replay(
    connection: Connection,
    endpoint_id: str,
    since: datetime,
    include_delivered: bool,
    dry_run: bool,
) -> Replayed:
    row = await connection.fetchrow(
        _QUERIES["replay"], endpoint_id, since, include_delivered, dry_run, REPLAY_MAX
    )
    if row is None:
        raise InvalidRequest(
            f"since then there are more than {REPLAY_MAX} messages; name a later time",
            field="since",
        )
    counts: dict[str, int] = dict(row)
    return Replayed(queued=sum(counts.values()), dry_run=dry_run, **counts)


async def test(
    connection: Connection, endpoint_id: str, workspace: str | None = None
) -> WebhookDelivery:
    """Sends an endpoint a message that is of no event. Raises InvalidId, WebhookEndpointNotFound,
    WebhookEndpointDisabled."""
    endpoint = await _enabled(connection, endpoint_id, workspace)
    (row,) = await connection.fetch(_QUERIES["test"], endpoint.id)
    return _delivery(row)


async def _enabled(
    connection: Connection, endpoint_id: str, workspace: str | None
) -> endpoints.WebhookEndpoint:
    endpoint = await endpoints.get(connection, endpoint_id, workspace)
    if not endpoint.enabled:
        raise WebhookEndpointDisabled(disabled_because=endpoint.disabled_because)
    return endpoint


def _delivery(row: Record) -> WebhookDelivery:
    shown = {
        "id": show_id(row["endpoint_id"], row["position"]),
        "type": type_of(row["kind"]),
        "next_try_at": row["due_at"],
    }
    return msgspec.convert({**row, **shown}, WebhookDelivery)
