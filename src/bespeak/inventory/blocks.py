"""Blocks: units that the operator takes out of sale (maintenance, house seats) and puts back. A
block is a claim that never expires; it takes only what is free, and all of it or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from bespeak import ids
from bespeak.errors import (
    BlockNotFound,
    DuplicateLine,
    IdempotencyKeyReused,
    InvalidCursor,
    InvalidRequest,
    NotBlocked,
    UnitTaken,
    UnknownUnit,
)
from bespeak.inventory.fingerprints import differing_fields, fingerprint
from bespeak.inventory.resources import Stock
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.inventory", "blocks.sql")
_LINES_MAX = 10_000
_QUANTITY_MAX = 1_000_000_000


class BlockLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit to block, or so many of a pool."""

    unit: Annotated[str, Meta(min_length=1, max_length=200)]
    quantity: Annotated[int, Meta(ge=1, le=_QUANTITY_MAX)] | None = None


class Block(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Units out of sale. `lines` are those that it still has; `replayed` says that this answers a
    repeated request."""

    id: str
    resource_id: str
    reason: str
    lines: list[BlockLine]
    created_at: datetime
    lifted_at: datetime | None
    replayed: bool = False


class BlockPage(msgspec.Struct, frozen=True):
    """A page of blocks; `next` is the cursor of the one after, null at the end."""

    items: list[Block]
    next: str | None


class BlockConflict(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line that stands in the way of a block, told as those of holds are."""

    resource_id: str
    unit: str
    state: str
    until: datetime | None = None
    capacity: int | None = None
    available: int | None = None


class _RawConflict(msgspec.Struct):
    resource_id: int
    unit: str
    state: str
    until: float | None = None
    capacity: int | None = None
    available: int | None = None

    def shown(self) -> BlockConflict:
        until = None if self.until is None else datetime.fromtimestamp(self.until, UTC)
        return BlockConflict(
            ids.show_resource(self.resource_id),
            self.unit,
            self.state,
            until,
            self.capacity if self.state == "short" else None,
            None if self.available is None else max(0, self.available),
        )


async def block(
    connection: Connection,
    stock: Stock,
    lines: Sequence[BlockLine],
    reason: str,
    key: str | None = None,
) -> Block:
    """Takes units out of sale.

    Raises UnknownUnit, DuplicateLine, UnitTaken (with the units in the way), IdempotencyKeyReused.
    """
    _check_lines(lines)
    capacities = [_capacity(stock, line) for line in lines]
    new_id = ids.IdMaker().new(stock.number, is_block=True)
    content = fingerprint((_lines_text(stock.number, lines), reason))
    row = await connection.fetchrow(
        _QUERIES["block"],
        stock.number,
        new_id,
        reason,
        [line.unit for line in lines],
        [line.quantity for line in lines],
        capacities,
        key,
        content,
    )
    if row is not None and row["outcome"] == "key_reused":
        stored = await connection.fetchval(
            _QUERIES["stored_fingerprint"], stock.number, "block", key
        )
        raise IdempotencyKeyReused(fields=differing_fields(("lines", "reason"), content, stored))
    return _answer(row)


async def unblock(
    connection: Connection,
    block_id: str,
    lines: Sequence[BlockLine] | None = None,
    key: str | None = None,
) -> Block:
    """Puts a block's units back on sale, or some of them.

    Raises BlockNotFound, NotBlocked, IdempotencyKeyReused.
    """
    number = ids.parse(ids.BLOCK, block_id)
    if lines is not None:
        _check_lines(lines)
    home = ids.home_of(number)
    content = fingerprint((str(number), _lines_text(home, lines or ())))
    row = await connection.fetchrow(
        _QUERIES["unblock"],
        home,
        number,
        [line.unit for line in lines] if lines is not None else None,
        [line.quantity for line in lines] if lines is not None else None,
        key,
        content,
    )
    if row is not None and row["outcome"] == "key_reused":
        stored = await connection.fetchval(_QUERIES["stored_fingerprint"], home, "unblock", key)
        raise IdempotencyKeyReused(fields=differing_fields(("block_id", "lines"), content, stored))
    return _answer(row)


async def list_page(
    connection: Connection, stock: Stock, after: str | None = None, limit: int = 100
) -> BlockPage:
    """A page of the blocks of a resource that still stand. Raises InvalidCursor."""
    try:
        start = ids.parse(ids.BLOCK, "blk_" + "0" * 26 if after is None else after)
    except InvalidRequest as error:
        raise InvalidCursor(after=(after or "")[:60]) from error
    rows = await connection.fetch(_QUERIES["list"], stock.number, start, limit + 1)
    items = [_block_of(row) for row in rows[:limit]]
    return BlockPage(items, items[-1].id if len(rows) > limit else None)


def _check_lines(lines: Sequence[BlockLine]) -> None:
    if not 1 <= len(lines) <= _LINES_MAX:
        raise InvalidRequest(f"a block has 1 to {_LINES_MAX} lines", field="lines")
    if len({line.unit for line in lines}) < len(lines):
        raise DuplicateLine
    quantities = [line.quantity for line in lines if line.quantity is not None]
    if not all(1 <= quantity <= _QUANTITY_MAX for quantity in quantities):
        raise InvalidRequest(f"a quantity is 1 to {_QUANTITY_MAX}", field="lines")
    if any("\x00" in line.unit for line in lines):
        raise InvalidRequest("a unit's name has no control characters", field="lines")


def _capacity(stock: Stock, line: BlockLine) -> int | None:
    pool = stock.plan.pools.get(line.unit)
    if (line.quantity is None and line.unit in stock.plan.categories) or (
        line.quantity is not None and pool is not None
    ):
        return pool
    raise UnknownUnit(resource_id=stock.resource.id, unit=line.unit)


def _lines_text(home: int, lines: Sequence[BlockLine]) -> str:
    """Lines as one text; `bespeak.lines_text` in SQL makes the same."""
    resource_id = ids.show_resource(home)
    return "\n".join(f"{resource_id} {line.unit} {line.quantity or ''}" for line in lines)


def _answer(row: Record | None) -> Block:
    if row is None:
        raise RuntimeError("the block verbs answer one row")
    match row["outcome"]:
        case "not_found":
            raise BlockNotFound
        case "not_blocked":
            raise NotBlocked
        case "taken":
            conflicts = msgspec.json.decode(row["details"], type=list[_RawConflict])
            raise UnitTaken(conflicts=[conflict.shown() for conflict in conflicts])
    return _block_of(row["block"], replayed=row["outcome"] == "replayed")


def _block_of(row: Record, *, replayed: bool = False) -> Block:
    return Block(
        id=ids.show(ids.BLOCK, row["block_id"]),
        resource_id=ids.show_resource(row["resource_id"]),
        reason=row["reason"],
        lines=[
            BlockLine(unit, quantity)
            for unit, quantity in zip(row["units"], row["quantities"], strict=True)
        ],
        created_at=row["created_at"],
        lifted_at=row["lifted_at"],
        replayed=replayed,
    )
