"""Blocks: units of a resource that the operator takes out of sale, until they are lifted."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak import ids
from bespeak.errors import DuplicateLine, InvalidCursor, InvalidId, SoldOut, UnitTaken, UnknownUnit
from bespeak.http.server import tags
from bespeak.http.server.answers import REPLAYED, JsonAnswer, once
from bespeak.http.server.bindings import Subject
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import (
    OF_RESOURCE,
    OPERATORS,
    SERVERS,
    documented,
    endpoint_table,
    long_id_pattern,
)
from bespeak.http.server.scopes import MANAGE, READ
from bespeak.http.server.workspaces import Reach
from bespeak.inventory.blocks import Block, BlockLine, BlockPage, ResourceBlock
from bespeak.inventory.errors import BlockNotFound, NotBlocked
from bespeak.reservations.inventory_verbs import TOGETHER_MAX

BlockLines = Annotated[list[BlockLine], Meta(min_length=1, max_length=10_000)]

ENDPOINTS, endpoint = endpoint_table(tags.RESOURCES)


class BlockQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the blocks."""

    after: Annotated[str, documented(long_id_pattern(ids.BLOCK))] | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100


class PlaceBlock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Take units out of sale, with the reason for the record."""

    lines: BlockLines
    reason: Annotated[str, Meta(min_length=1, max_length=500)]


class PlaceBlocks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Take units of several resources out of sale, with the reason for the record."""

    resources: Annotated[list[ResourceBlock], Meta(min_length=1, max_length=TOGETHER_MAX)]
    reason: Annotated[str, Meta(min_length=1, max_length=500)]


class LiftBlock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Put units back on sale: those of the lines, or all of the block."""

    lines: BlockLines | None = None


@endpoint(
    "POST",
    "/v1/resources/{resource_id}/blocks",
    "Block units",
    status=201,
    kinds=OPERATORS,
    repeatable=True,
    errors=(*OF_RESOURCE, UnitTaken, SoldOut, UnknownUnit, DuplicateLine),
    scopes=MANAGE,
    audited=True,
)
async def place_block(call: Call[None, PlaceBlock]) -> JsonAnswer[Block]:
    """Takes free units out of sale, all of them or none."""
    made = await call.engine.block(
        call.path["resource_id"],
        call.body.lines,
        reason=call.body.reason,
        idempotency_key=call.idempotency_key,
    )
    return once(201, made)


def _resources_of(call: Call[None, PlaceBlocks]) -> Subject:
    return Subject(sorted({one.resource_id for one in call.body.resources}))


@endpoint(
    "POST",
    "/v1/blocks",
    "Block units of several resources",
    status=201,
    kinds=OPERATORS,
    repeatable=True,
    errors=(*OF_RESOURCE, UnitTaken, SoldOut, UnknownUnit, DuplicateLine),
    scopes=MANAGE,
    audited=True,
    reach=Reach.IDS,
    body_about=_resources_of,
)
async def place_blocks(call: Call[None, PlaceBlocks]) -> JsonAnswer[BlockPage]:
    """Takes free units of up to 500 resources out of sale, all of them or none: a block of each."""
    made = await call.engine.block_together(
        call.body.resources, reason=call.body.reason, idempotency_key=call.idempotency_key
    )
    told = [msgspec.structs.replace(one, replayed=False) for one in made]
    headers = REPLAYED if made[0].replayed else ()
    return JsonAnswer(201, BlockPage(told, None), headers=headers)


@endpoint(
    "GET",
    "/v1/resources/{resource_id}/blocks",
    "List blocks",
    kinds=SERVERS,
    errors=(*OF_RESOURCE, InvalidCursor),
    scopes=READ | MANAGE,
)
async def list_blocks(call: Call[BlockQuery, None]) -> BlockPage:
    """A page of the blocks that still stand."""
    return await call.engine.list_blocks(
        call.path["resource_id"], after=call.query.after, limit=call.query.limit
    )


@endpoint(
    "DELETE",
    "/v1/resources/{resource_id}/blocks/{block_id}",
    "Lift a block",
    kinds=OPERATORS,
    repeatable=True,
    errors=(InvalidId, BlockNotFound, NotBlocked, DuplicateLine),
    scopes=MANAGE,
    audited=True,
)
async def lift_block(call: Call[None, LiftBlock | None]) -> JsonAnswer[Block]:
    """Puts a block's units back on sale."""
    home = ids.parse_resource(call.path["resource_id"])
    if ids.home_of(ids.parse(ids.BLOCK, call.path["block_id"])) != home:
        raise BlockNotFound("the block is of another resource")
    lifted = await call.engine.unblock(
        call.path["block_id"],
        lines=call.body.lines if call.body is not None else None,
        idempotency_key=call.idempotency_key,
    )
    return once(200, lifted)
