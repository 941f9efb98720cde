"""Resources: created, changed, listed, read and audited."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidCursor, PlanChanged, ResourceInUse, VersionMismatch
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer, once
from bespeak.http.server.call import Call, Caller
from bespeak.http.server.endpoint import (
    OF_RESOURCE,
    OPERATORS,
    RESOURCE_PATTERN,
    SERVERS,
    documented,
    endpoint_table,
)
from bespeak.http.server.scopes import ANY_SCOPE, MANAGE, READ, KeyScope
from bespeak.inventory.audit import Audit
from bespeak.inventory.errors import ResourceCalledOff
from bespeak.inventory.resources import Kind, NewResource, Resource, ResourceChange, ResourcePage

ENDPOINTS, endpoint = endpoint_table(tags.RESOURCES)


class ResourceQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the resources, of which kind."""

    after: Annotated[str, documented(RESOURCE_PATTERN)] | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100
    kind: Kind | None = None


@endpoint(
    "POST",
    "/v1/resources",
    "Create a resource",
    status=201,
    kinds=OPERATORS,
    takes_document=True,
    repeatable=True,
    scopes=MANAGE,
    audited=True,
)
async def create_resource(call: Call[None, NewResource]) -> JsonAnswer[Resource]:
    """Creates a resource with its plan."""
    made = await call.engine.create_resource(call.body, idempotency_key=call.idempotency_key)
    location = (b"location", f"/v1/resources/{made.id}".encode())
    return once(201, made, headers=(location,))


@endpoint(
    "GET",
    "/v1/resources",
    "List resources",
    errors=(InvalidCursor,),
    scopes=ANY_SCOPE,
)
async def list_resources(call: Call[ResourceQuery, None]) -> ResourcePage:
    """A page of resources."""
    query = call.query
    page = await call.engine.list_resources(after=query.after, limit=query.limit, kind=query.kind)
    items = [_shown_to(call.caller, resource) for resource in page.items]
    return ResourcePage(items, page.next)


@endpoint(
    "GET",
    "/v1/resources/{resource_id}",
    "Read a resource",
    errors=OF_RESOURCE,
    scopes=ANY_SCOPE,
)
async def get_resource(call: Call[None, None]) -> Resource:
    """Reads a resource."""
    return _shown_to(call.caller, await call.engine.get_resource(call.path["resource_id"]))


def _shown_to(caller: Caller, resource: Resource) -> Resource:
    """Codes are for those who sell by them and who make them."""
    if KeyScope.SELL in caller.scopes or KeyScope.MANAGE in caller.scopes:
        return resource
    pricing = resource.pricing
    return msgspec.structs.replace(
        resource,
        plan=resource.plan.without_secrets(),
        pricing=None if pricing is None else pricing.without_secrets(),
    )


@endpoint(
    "PATCH",
    "/v1/resources/{resource_id}",
    "Change a resource",
    kinds=OPERATORS,
    takes_document=True,
    errors=(*OF_RESOURCE, VersionMismatch, ResourceInUse, ResourceCalledOff, PlanChanged),
    scopes=MANAGE,
    audited=True,
)
async def update_resource(call: Call[None, ResourceChange]) -> Resource:
    """Changes fields of a resource."""
    return await call.engine.update_resource(call.path["resource_id"], call.body)


@endpoint(
    "GET",
    "/v1/resources/{resource_id}/audit",
    "Recount a resource",
    kinds=SERVERS,
    errors=OF_RESOURCE,
    scopes=READ | MANAGE,
)
async def audit_resource(call: Call[None, None]) -> Audit:
    """Recounts a resource from its holds and bookings: double_sold must be 0."""
    return await call.engine.audit(call.path["resource_id"])
