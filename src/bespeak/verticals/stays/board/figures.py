"""What the nights of a property bring: rooms sold, occupancy, revenue, and the two rates by which
houses compare themselves. Each currency has rows of its own.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from bespeak.inventory.shapes.nights.night_rules import show_date
from bespeak.verticals.stays.board.house import (
    QUERIES,
    HouseRow,
    Nights,
    nights_from,
    rooms_in,
    rows_of,
    today_at,
)
from bespeak.verticals.stays.board.views import CurrencyFigures, NightFigures, StayFigures

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection
    from bespeak.verticals.stays.catalogue import StaysReader
    from bespeak.verticals.stays.queries import FiguresQuestion

_WHOLE = 10_000


class _Night(NamedTuple):
    """The numbers of a night, or the sums of several."""

    rooms: int
    sold: int
    blocked: int
    revenue: int


async def figures(
    connection: Connection, reader: StaysReader, property_id: str, asked: FiguresQuestion
) -> StayFigures:
    """The figures of these nights. Raises PropertyNotFound, InvalidId, InvalidRequest."""
    today = await today_at(connection, reader, property_id)
    nights = nights_from(asked.from_ or today, asked.days)
    rows = await rows_of(connection, reader, property_id)
    numbers, named = [row.number for row in rows], [row.id for row in rows]
    sold = await connection.fetch(QUERIES["sold"], numbers, named, *nights.texts)
    blocked = await connection.fetch(QUERIES["blocked"], numbers, *nights.texts)
    # In a thread: the plans of 500 listings for a year take a moment that others need not wait for.
    rooms = await asyncio.to_thread(_rooms, rows, nights)
    by_sold = {(row["currency"], row["night"]): (row["rooms"], row["revenue"]) for row in sold}
    by_block = {(row["currency"], row["night"]): row["rooms"] for row in blocked}
    currencies = sorted({row.currency for row in rows} | {row["currency"] for row in sold})
    return StayFigures(
        from_=nights.first,
        to=nights.last,
        items=[
            _set(
                currency,
                nights,
                [
                    _Night(
                        rooms[currency, day],
                        by_sold.get((currency, show_date(day)), (0, 0))[0],
                        by_block.get((currency, show_date(day)), 0),
                        by_sold.get((currency, show_date(day)), (0, 0))[1],
                    )
                    for day in nights.ordinals
                ],
            )
            for currency in currencies
        ],
    )


def _rooms(rows: Sequence[HouseRow], nights: Nights) -> Counter[tuple[str, int]]:
    """How many rooms there are, by currency and night."""
    found: Counter[tuple[str, int]] = Counter()
    for row in rows:
        for day in nights.ordinals:
            found[row.currency, day] += rooms_in(row, day)
    return found


def _set(currency: str, nights: Nights, found: Sequence[_Night]) -> CurrencyFigures:
    total = _Night(*map(sum, zip(*found, strict=True)))
    return CurrencyFigures(
        currency,
        _shown(None, total),
        [
            _shown(date.fromordinal(day), one)
            for day, one in zip(nights.ordinals, found, strict=True)
        ],
    )


def _shown(day: date | None, night: _Night) -> NightFigures:
    to_sell = max(0, night.rooms - night.blocked)
    return NightFigures(
        date=day,
        rooms=night.rooms,
        sold=night.sold,
        blocked=night.blocked,
        occupancy=_share(night.sold * _WHOLE, to_sell),
        revenue=night.revenue,
        adr=_share(night.revenue, night.sold),
        revpar=_share(night.revenue, to_sell),
    )


def _share(amount: int, by: int) -> int | None:
    """Half up to the minor unit; None where there is nothing to share by."""
    return None if by == 0 else (2 * amount + by) // (2 * by)
