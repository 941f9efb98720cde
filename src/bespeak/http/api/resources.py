"""The calls about resources: the operator's side (create, change, block, audit), and what anyone
with a key may see of them (list, read, availability).
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak import ids
from bespeak.errors import (
    BlockNotFound,
    DuplicateLine,
    InvalidCursor,
    InvalidId,
    NotBlocked,
    PlanChanged,
    ResourceInUse,
    ResourceNotFound,
    SoldOut,
    UnitTaken,
    UnknownUnit,
    VersionMismatch,
)
from bespeak.http.server.call import REPLAYED, Answer, Call, Headers
from bespeak.http.server.endpoint import (
    OPERATORS,
    RESOURCE_PATTERN,
    SERVERS,
    Endpoint,
    long_id_pattern,
    told,
)
from bespeak.http.server.keys import KeyKind
from bespeak.inventory.audit import Audit
from bespeak.inventory.blocks import Block, BlockLine, BlockPage
from bespeak.inventory.plans import AvailabilityQuery
from bespeak.inventory.resources import Kind, NewResource, Resource, ResourceChange, ResourcePage
from bespeak.inventory.shapes.registry import AnyAvailability

_CREATED = 201
_NOT_MODIFIED = 304

PageLimit = Annotated[int, Meta(ge=1, le=1000)]
BlockLines = Annotated[list[BlockLine], Meta(min_length=1, max_length=10_000)]


class ResourceQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the resources, of which kind."""

    after: Annotated[str, told(RESOURCE_PATTERN)] | None = None
    limit: PageLimit = 100
    kind: Kind | None = None


class BlockQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the blocks."""

    after: Annotated[str, told(long_id_pattern(ids.BLOCK))] | None = None
    limit: PageLimit = 100


class SeenQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which part of the availability: a range of dates, times or stops, for how many, of which
    unit. Seats, pools and tickets have no range."""

    from_: Annotated[str, Meta(min_length=1, max_length=60)] | None = msgspec.field(
        default=None, name="from"
    )
    to: Annotated[str, Meta(min_length=1, max_length=60)] | None = None
    quantity: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    unit: Annotated[str, Meta(min_length=1, max_length=200)] | None = None


class PlaceBlock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Take units out of sale, with the reason for the record."""

    lines: BlockLines
    reason: Annotated[str, Meta(min_length=1, max_length=500)]


class LiftBlock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Put units back on sale: those of the lines, or all of the block."""

    lines: BlockLines | None = None


async def create_resource(call: Call, body: NewResource) -> Answer:
    """Creates a resource with its plan."""
    made = await call.service.engine.create_resource(body, idempotency_key=call.idempotency_key)
    place = (b"location", f"/v1/resources/{made.id}".encode())
    return _once(_CREATED, made, place)


async def list_resources(call: Call, _: None) -> Answer:
    """A page of resources."""
    query = call.query
    if not isinstance(query, ResourceQuery):
        raise TypeError("the endpoint has this query")
    page = await call.service.engine.list_resources(
        after=query.after, limit=query.limit, kind=query.kind
    )
    items = [_seen_by(call, resource) for resource in page.items]
    return Answer(200, ResourcePage(items, page.next))


async def get_resource(call: Call, _: None) -> Answer:
    """Reads a resource."""
    found = await call.service.engine.get_resource(call.path["resource_id"])
    return Answer(200, _seen_by(call, found))


def _seen_by(call: Call, resource: Resource) -> Resource:
    """The resource as this caller may see it: codes are not for browsers."""
    if call.caller.kind is not KeyKind.PUBLISHABLE:
        return resource
    pricing = resource.pricing
    return msgspec.structs.replace(
        resource,
        plan=resource.plan.without_secrets(),
        pricing=None if pricing is None else pricing.without_secrets(),
    )


async def update_resource(call: Call, body: ResourceChange) -> Answer:
    """Changes fields of a resource."""
    return Answer(200, await call.service.engine.update_resource(call.path["resource_id"], body))


async def availability(call: Call, _: None) -> Answer:
    """What is taken; what is absent is free. Repeat it with If-None-Match."""
    query = call.query
    if not isinstance(query, SeenQuery):
        raise TypeError("the endpoint has this query")
    asked_of = AvailabilityQuery(query.from_, query.to, query.quantity, query.unit)
    seen = await call.service.availability.get(call.path["resource_id"], asked_of)
    headers: Headers = (
        (b"etag", f"W/{seen.etag}".encode()),
        (b"cache-control", b"no-cache"),
        (b"vary", b"accept-encoding"),
    )
    asked = call.headers.get(b"if-none-match", "")
    if asked == "*" or seen.etag in asked:
        return Answer(_NOT_MODIFIED, body=b"", headers=headers)
    if seen.packed is not None and "gzip" in call.headers.get(b"accept-encoding", ""):
        return Answer(200, body=seen.packed, headers=(*headers, (b"content-encoding", b"gzip")))
    return Answer(200, body=seen.body, headers=headers)


async def audit(call: Call, _: None) -> Answer:
    """Recounts a resource from its holds and bookings: double_sold must be 0."""
    return Answer(200, await call.service.engine.audit(call.path["resource_id"]))


async def place_block(call: Call, body: PlaceBlock) -> Answer:
    """Takes free units out of sale, all of them or none."""
    made = await call.service.engine.block(
        call.path["resource_id"],
        body.lines,
        reason=body.reason,
        idempotency_key=call.idempotency_key,
    )
    return _once(_CREATED, made)


async def list_blocks(call: Call, _: None) -> Answer:
    """A page of the blocks that still stand."""
    query = call.query
    if not isinstance(query, BlockQuery):
        raise TypeError("the endpoint has this query")
    page = await call.service.engine.list_blocks(
        call.path["resource_id"], after=query.after, limit=query.limit
    )
    return Answer(200, page)


async def lift_block(call: Call, body: LiftBlock | None) -> Answer:
    """Puts a block's units back on sale."""
    home = ids.parse_resource(call.path["resource_id"])
    if ids.home_of(ids.parse(ids.BLOCK, call.path["block_id"])) != home:
        raise BlockNotFound("the block is of another resource")
    lifted = await call.service.engine.unblock(
        call.path["block_id"],
        lines=body.lines if body is not None else None,
        idempotency_key=call.idempotency_key,
    )
    return _once(200, lifted)


def _once(status: int, made: Resource | Block, *headers: tuple[bytes, bytes]) -> Answer:
    """The answer to a call that may be repeated: a repeat differs by a header alone."""
    if not made.replayed:
        return Answer(status, made, headers=headers)
    told = msgspec.structs.replace(made, replayed=False)
    return Answer(status, told, headers=(*headers, *REPLAYED))


_OF_RESOURCE = (InvalidId, ResourceNotFound)

ENDPOINTS = [
    Endpoint(
        "GET",
        "/v1/resources/{resource_id}/availability",
        availability,
        "What of a resource is taken",
        AnyAvailability,
        query=SeenQuery,
        errors=(*_OF_RESOURCE, UnknownUnit),
        other_statuses=((_NOT_MODIFIED, "Nothing changed since the version of If-None-Match"),),
    ),
    Endpoint(
        "GET",
        "/v1/resources",
        list_resources,
        "List resources",
        ResourcePage,
        query=ResourceQuery,
        errors=(InvalidCursor,),
    ),
    Endpoint(
        "POST",
        "/v1/resources",
        create_resource,
        "Create a resource",
        Resource,
        _CREATED,
        kinds=OPERATORS,
        body=NewResource,
        takes_document=True,
        repeatable=True,
    ),
    Endpoint(
        "GET",
        "/v1/resources/{resource_id}",
        get_resource,
        "Read a resource",
        Resource,
        errors=_OF_RESOURCE,
    ),
    Endpoint(
        "PATCH",
        "/v1/resources/{resource_id}",
        update_resource,
        "Change a resource",
        Resource,
        kinds=OPERATORS,
        body=ResourceChange,
        takes_document=True,
        errors=(*_OF_RESOURCE, VersionMismatch, ResourceInUse, PlanChanged),
    ),
    Endpoint(
        "GET",
        "/v1/resources/{resource_id}/audit",
        audit,
        "Recount a resource",
        Audit,
        kinds=SERVERS,
        errors=_OF_RESOURCE,
    ),
    Endpoint(
        "GET",
        "/v1/resources/{resource_id}/blocks",
        list_blocks,
        "List blocks",
        BlockPage,
        kinds=SERVERS,
        query=BlockQuery,
        errors=(*_OF_RESOURCE, InvalidCursor),
    ),
    Endpoint(
        "POST",
        "/v1/resources/{resource_id}/blocks",
        place_block,
        "Block units",
        Block,
        _CREATED,
        kinds=OPERATORS,
        body=PlaceBlock,
        repeatable=True,
        errors=(*_OF_RESOURCE, UnitTaken, SoldOut, UnknownUnit, DuplicateLine),
    ),
    Endpoint(
        "DELETE",
        "/v1/resources/{resource_id}/blocks/{block_id}",
        lift_block,
        "Lift a block",
        Block,
        kinds=OPERATORS,
        body=LiftBlock,
        body_required=False,
        repeatable=True,
        errors=(InvalidId, BlockNotFound, NotBlocked, DuplicateLine),
    ),
]
