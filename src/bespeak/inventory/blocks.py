"""Blocks: units that the operator takes out of sale (maintenance, house seats) and puts back. A
block is a claim that never expires; it takes only what is free, and all of it or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak import ids
from bespeak.actors import acting
from bespeak.errors import (
    DuplicateLine,
    IdempotencyKeyReused,
    InvalidCursor,
    InvalidRequest,
    PlanChanged,
    SoldOut,
    UnitTaken,
)
from bespeak.inventory.conflicts import raw_conflicts, told
from bespeak.inventory.errors import BlockNotFound, NotBlocked
from bespeak.inventory.fingerprints import differing_fields, fingerprint
from bespeak.inventory.lines import lines_text
from bespeak.inventory.plans import CLAIMS_MAX, Need, SaleContext
from bespeak.inventory.ranges import joined
from bespeak.inventory.resources import ReadyResource
from bespeak.lines import End, Line
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load
from bespeak.refusals import SHORT

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.inventory", "blocks.sql")
_LINES_MAX = 10_000
_QUANTITY_MAX = 1_000_000_000


class BlockLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit to block, or so many of a pool; or a range of a unit, or of all of them."""

    unit: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    quantity: Annotated[int, Meta(ge=1, le=_QUANTITY_MAX)] | None = None
    from_: End | UnsetType = msgspec.field(default=UNSET, name="from")
    to: End | UnsetType = UNSET


class ResourceBlock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What of a resource is blocked, together with others."""

    resource_id: str
    lines: Annotated[tuple[BlockLine, ...], Meta(min_length=1, max_length=_LINES_MAX)]


class Block(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Units out of sale. `lines` are those that it still has; `source` is the entry of an imported
    calendar that it stands for; `replayed` says that this answers a repeated request."""

    id: str
    resource_id: str
    reason: str
    lines: list[BlockLine]
    source: str | None = None
    created_at: datetime
    lifted_at: datetime | None
    replayed: bool = False


class BlockPage(msgspec.Struct, frozen=True):
    """A page of blocks; `next` is the cursor of the one after, null at the end."""

    items: list[Block]
    next: str | None


async def block(
    connection: Connection,
    ready: ReadyResource,
    sale: SaleContext,
    lines: Sequence[BlockLine],
    reason: str,
    key: str | None = None,
    *,
    source: str | None = None,
    beside: Sequence[str] = (),
) -> Block:
    """Takes units out of sale. A `source` has one standing block at most: a second is a repeat.
    `beside` are the resources that are blocked together, which a key is remembered with, too.

    Raises UnknownUnit, DuplicateLine, UnitTaken or SoldOut (with what is in the way),
    IdempotencyKeyReused, and PlanChanged where the resource is not any more as `ready` has it.
    """
    _check_lines(lines)
    needs = _needs(ready, sale, lines)
    new_id = ids.IdMaker().new(ready.number, is_block=True)
    together = (",".join(beside),) if beside else ()
    content = fingerprint((_lines_text(ready.number, lines), reason, *together))
    row = await connection.fetchrow(
        _QUERIES["block"],
        ready.number,
        new_id,
        reason,
        [need.unit for need in needs],
        [need.quantity for need in needs],
        [need.capacity for need in needs],
        key,
        content,
        source,
        ready.resource.version,
        acting(),
    )
    if row is not None and row["outcome"] == "key_reused":
        stored = await connection.fetchval(
            _QUERIES["stored_fingerprint"], ready.number, "block", key
        )
        names = ("lines", "reason", "resources") if beside else ("lines", "reason")
        raise IdempotencyKeyReused(fields=differing_fields(names, content, stored))
    return _answer(row, ready)


async def keep_plans(connection: Connection, numbers: Sequence[int]) -> None:
    """Keeps the plans of these resources as they are until the transaction ends. Those of several
    are taken before anything else, in the order of the resources, as holds take them."""
    await connection.execute(_QUERIES["keep_plans"], numbers)


async def unblock(
    connection: Connection,
    ready: ReadyResource | None,
    block_id: str,
    lines: Sequence[BlockLine] | None = None,
    key: str | None = None,
) -> tuple[Block, list[str]]:
    """Puts a block's units back on sale, or some of them; answers the block and what was freed.

    Raises BlockNotFound, NotBlocked, IdempotencyKeyReused.
    """
    number = ids.parse(ids.BLOCK, block_id)
    home = ids.home_of(number)
    needs = None
    if lines is not None:
        _check_lines(lines)
        if ready is None:
            raise BlockNotFound(block_id=block_id)
        needs = _freed(ready, lines)
    content = fingerprint((str(number), _lines_text(home, lines or ())))
    row = await connection.fetchrow(
        _QUERIES["unblock"],
        home,
        number,
        [need.unit for need in needs] if needs is not None else None,
        [need.quantity for need in needs] if needs is not None else None,
        key,
        content,
        acting(),
    )
    if row is not None and row["outcome"] == "key_reused":
        stored = await connection.fetchval(_QUERIES["stored_fingerprint"], home, "unblock", key)
        raise IdempotencyKeyReused(fields=differing_fields(("block_id", "lines"), content, stored))
    lifted = _answer(row, ready)
    if row is None or row["details"] is None:
        return lifted, []
    return lifted, msgspec.json.decode(json_text(row["details"]), type=list[str])


async def list_page(
    connection: Connection, ready: ReadyResource, after: str | None = None, limit: int = 100
) -> BlockPage:
    """A page of the blocks of a resource that still stand. Raises InvalidCursor."""
    try:
        start = ids.parse(ids.BLOCK, "blk_" + "0" * 26 if after is None else after)
    except InvalidRequest as error:
        raise InvalidCursor(after=(after or "")[:60]) from error
    rows = await connection.fetch(_QUERIES["list"], ready.number, start, limit + 1)
    items = [_block_of(row, ready) for row in rows[:limit]]
    return BlockPage(items, items[-1].id if len(rows) > limit else None)


def _check_lines(lines: Sequence[BlockLine]) -> None:
    if not 1 <= len(lines) <= _LINES_MAX:
        raise InvalidRequest(f"a block has 1 to {_LINES_MAX} lines", field="lines")
    if len({(line.unit, line.from_, line.to) for line in lines}) < len(lines):
        raise DuplicateLine
    quantities = [line.quantity for line in lines if line.quantity is not None]
    if not all(1 <= quantity <= _QUANTITY_MAX for quantity in quantities):
        raise InvalidRequest(f"a quantity is 1 to {_QUANTITY_MAX}", field="lines")
    if any("\x00" in (line.unit or "") for line in lines):
        raise InvalidRequest("a unit's name has no control characters", field="lines")


def _needs(ready: ReadyResource, sale: SaleContext, lines: Sequence[BlockLine]) -> list[Need]:
    """The claims of all the lines. Raises UnknownUnit, DuplicateLine, InvalidRequest."""
    needs = [need for line in lines for need in ready.plan.block_needs(_line(ready, line), sale)]
    if len(needs) > CLAIMS_MAX:
        raise InvalidRequest(f"the lines mean more than {CLAIMS_MAX} claims", field="lines")
    if len({need.unit for need in needs}) < len(needs):
        raise DuplicateLine
    return needs


def _freed(ready: ReadyResource, lines: Sequence[BlockLine]) -> list[Need]:
    """What lines of a block stand for: units as they are named, or ranges by the plan."""
    needs: list[Need] = []
    for line in lines:
        if line.from_ is UNSET and line.to is UNSET and line.unit is not None:
            needs.append(Need(line.unit, line.quantity))
        else:
            sale = SaleContext(datetime.now(UTC), ready.zone, ready.resource.id)
            needs += ready.plan.block_needs(_line(ready, line), sale)
    return needs


def _line(ready: ReadyResource, line: BlockLine) -> Line:
    return Line(ready.resource.id, line.unit, line.quantity, from_=line.from_, to=line.to)


def _lines_text(home: int, lines: Sequence[BlockLine]) -> str:
    """Lines as one text; for plain lines `bespeak.lines_text` in SQL makes the same."""
    resource_id = ids.show_resource(home)
    return lines_text(
        [
            Line(resource_id, line.unit, line.quantity, from_=line.from_, to=line.to)
            for line in lines
        ]
    )


def _answer(row: Record | None, ready: ReadyResource | None) -> Block:
    if row is None:
        raise RuntimeError("the block verbs answer one row")
    match row["outcome"]:
        case "not_found":
            raise BlockNotFound
        case "not_blocked":
            raise NotBlocked
        case "plan_changed":
            raise PlanChanged
        case "taken":
            conflicts = [conflict.shown() for conflict in raw_conflicts(row["details"])]
            is_short = bool(conflicts) and all(one.state == SHORT for one in conflicts)
            shown = conflicts if ready is None else told(conflicts, ready)
            raise SoldOut(conflicts=shown) if is_short else UnitTaken(conflicts=shown)
    return _block_of(row["block"], ready, replayed=row["outcome"] == "replayed")


def _block_of(row: Record, ready: ReadyResource | None, *, replayed: bool = False) -> Block:
    return Block(
        id=ids.show(ids.BLOCK, row["block_id"]),
        resource_id=ids.show_resource(row["resource_id"]),
        reason=row["reason"],
        lines=_shown_lines(row["units"], row["quantities"], ready),
        source=row["source"],
        created_at=row["created_at"],
        lifted_at=row["lifted_at"],
        replayed=replayed,
    )


def _shown_lines(
    units: Sequence[str], quantities: Sequence[int | None], ready: ReadyResource | None
) -> list[BlockLine]:
    """What a block has, in terms of the plan: nights or cells that follow each other as ranges."""
    if ready is None:
        return [BlockLine(unit, number) for unit, number in zip(units, quantities, strict=True)]
    claims = [
        (ready.plan.shown_claim(unit, ready.zone), number)
        for unit, number in zip(units, quantities, strict=True)
    ]
    if any(claim.from_ is not None for claim, _ in claims):
        claims = joined(claims)
    return [
        BlockLine(
            claim.unit,
            number,
            from_=UNSET if claim.from_ is None else claim.from_,
            to=UNSET if claim.to is None else claim.to,
        )
        for claim, number in claims
    ]
