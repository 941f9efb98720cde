"""Webhook endpoints: where messages go and which, as the operator keeps them. A secret is shown
when it is made and never again; it is kept in the database, because each message is signed with it.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak import ids
from bespeak.errors import InvalidRequest
from bespeak.inventory.workspaces import DEFAULT
from bespeak.lines import ResourceId
from bespeak.notifications.errors import WebhookEndpointNotFound, WebhookEndpointsFull
from bespeak.notifications.webhooks.addresses import URL_LENGTH_MAX, check_url
from bespeak.notifications.webhooks.message import KINDS, TYPES, check_endpoint_id
from bespeak.postgres.queries import load
from bespeak.states import EventKind

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.notifications.webhooks", "webhooks.sql")
_SECRET_BYTES = 32
_SECRET_PREFIX = "whsec_"  # noqa: S105 (how every secret begins)
ENDPOINTS_MAX = 100
OVERLAP_SECONDS_MAX = 604_800
_FILTER_MAX = 100

Url = Annotated[str, Meta(min_length=1, max_length=URL_LENGTH_MAX)]
TypeName = Annotated[str, Meta(max_length=60, extra_json_schema={"enum": sorted(KINDS)})]
TypeNames = Annotated[list[TypeName], Meta(min_length=1, max_length=_FILTER_MAX)]
ResourceIds = Annotated[list[ResourceId], Meta(min_length=1, max_length=_FILTER_MAX)]
Description = Annotated[str, Meta(max_length=500)]


class NewWebhookEndpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What it takes to create an endpoint: where to, and which types of messages, of which
    resources (absent: all)."""

    url: Url
    types: TypeNames | None = None
    resource_ids: ResourceIds | None = None
    description: Description = ""
    enabled: bool = True


class WebhookEndpointChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of a webhook endpoint that are to change; null for `types` or `resource_ids` is
    all of them."""

    url: Url | UnsetType = UNSET
    types: TypeNames | UnsetType | None = UNSET
    resource_ids: ResourceIds | UnsetType | None = UNSET
    description: Description | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET


class WebhookEndpoint(msgspec.Struct, frozen=True, kw_only=True):
    """An endpoint as it is. `failing_since` is when the last of only failures began."""

    id: str
    url: str
    types: list[str] | None
    resource_ids: list[str] | None
    description: str
    enabled: bool
    disabled_because: Literal["operator", "gone", "failing"] | None
    disabled_at: datetime | None
    failing_since: datetime | None
    old_secret_until: datetime | None
    created_at: datetime
    updated_at: datetime


async def create(
    connection: Connection,
    new: NewWebhookEndpoint,
    *,
    allow_private: bool,
    workspace: str | None = None,
) -> tuple[WebhookEndpoint, str]:
    """Creates an endpoint of a workspace (None: the default one); answers it and its secret, which
    is not shown again. Raises InvalidRequest, InvalidId, WebhookEndpointsFull."""
    url = check_url(new.url, allow_private=allow_private)
    kinds, resources = _kinds(new.types), _resources(new.resource_ids)
    _check_description(new.description)
    secret = new_secret()
    endpoint_id = "whe_" + ids.random_digits(16)
    within = workspace or DEFAULT
    async with connection.transaction():
        await connection.execute(_QUERIES["lock_endpoints"])
        if await connection.fetchval(_QUERIES["count"], within) >= ENDPOINTS_MAX:
            raise WebhookEndpointsFull(endpoints_max=ENDPOINTS_MAX)
        row = await connection.fetchrow(
            _QUERIES["create"],
            *(endpoint_id, url, kinds, resources, new.description, new.enabled, secret, within),
        )
    return _found(row), secret


async def get(
    connection: Connection, endpoint_id: str, workspace: str | None = None
) -> WebhookEndpoint:
    """One endpoint, of a workspace or of any. Raises InvalidId, WebhookEndpointNotFound."""
    checked = check_endpoint_id(endpoint_id)
    return _found(await connection.fetchrow(_QUERIES["get"], checked, workspace))


async def list_all(connection: Connection, workspace: str | None = None) -> list[WebhookEndpoint]:
    """The endpoints of a workspace or all, newest first."""
    return [_found(row) for row in await connection.fetch(_QUERIES["list"], workspace)]


async def change(
    connection: Connection,
    endpoint_id: str,
    wanted: WebhookEndpointChange,
    *,
    allow_private: bool,
    workspace: str | None = None,
) -> WebhookEndpoint:
    """Changes fields. Raises InvalidRequest, InvalidId, WebhookEndpointNotFound."""
    check_endpoint_id(endpoint_id)
    async with connection.transaction():
        row = await connection.fetchrow(_QUERIES["lock"], endpoint_id, workspace)
        before = _found(row)
        if wanted.url is not UNSET:
            check_url(wanted.url, allow_private=allow_private)
        named = (field for field in wanted.__struct_fields__ if getattr(wanted, field) is not UNSET)
        after = msgspec.structs.replace(
            before, **{field: getattr(wanted, field) for field in named}
        )
        _check_description(after.description)
        kinds, resources = _kinds(after.types), _resources(after.resource_ids)
        columns = (endpoint_id, after.url, kinds, resources, after.description, after.enabled)
        return _found(await connection.fetchrow(_QUERIES["change"], *columns))


async def rotate_secret(
    connection: Connection, endpoint_id: str, overlap_seconds: int, workspace: str | None = None
) -> tuple[WebhookEndpoint, str]:
    """Makes a new secret; the old one signs beside it for a while, so that the receiver can change
    at leisure. Raises InvalidId, WebhookEndpointNotFound."""
    secret = new_secret()
    row = await connection.fetchrow(
        _QUERIES["rotate"], check_endpoint_id(endpoint_id), secret, overlap_seconds, workspace
    )
    return _found(row), secret


async def delete(
    connection: Connection, endpoint_id: str, workspace: str | None = None
) -> WebhookEndpoint:
    """Ends an endpoint; nothing more is sent there. Raises InvalidId, WebhookEndpointNotFound."""
    checked = check_endpoint_id(endpoint_id)
    return _found(await connection.fetchrow(_QUERIES["delete"], checked, workspace))


def new_secret() -> str:
    return _SECRET_PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def _kinds(types: Sequence[str] | None) -> list[str] | None:
    """The kinds of the feed that types stand for, as they are stored. Raises InvalidRequest."""
    if types is None:
        return None
    unknown = [name for name in types if name not in KINDS]
    if unknown:
        raise InvalidRequest(
            f"there is no type {unknown[0][:60]!r}", field="types", known=sorted(KINDS)
        )
    return sorted({KINDS[name].value for name in types})


def _resources(resource_ids: Sequence[str] | None) -> list[int] | None:
    if resource_ids is None:
        return None
    return sorted({ids.parse_resource(one) for one in resource_ids})


def _check_description(text: str) -> None:
    if not text.isprintable():
        raise InvalidRequest("description has printable characters only", field="description")


def _found(row: Record | None) -> WebhookEndpoint:
    if row is None:
        raise WebhookEndpointNotFound
    kinds, resources = row["kinds"], row["resources"]
    shown = {
        "id": row["endpoint_id"],
        "types": None if kinds is None else sorted(TYPES[EventKind(kind)] for kind in kinds),
        "resource_ids": resources and [ids.show_resource(one) for one in resources],
    }
    return msgspec.convert({**row, **shown}, WebhookEndpoint)
