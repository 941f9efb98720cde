"""What was sold before the visitor came: groups of people in the middle of the rooms, the more the
film draws and the sooner it is. It is really sold, through the engine, at the counter, so to speak,
over the days before.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from bespeak.errors import ResourceClosed, UnitTaken
from bespeak.lines import Line
from bespeak.postgres.queries import load
from bespeak.verticals.cinema.demo.buyers import DemoBuyer, buyer
from bespeak.verticals.cinema.demo.rooms import WHEELCHAIR_ROW, DemoRoom

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection
    from bespeak.verticals.cinema.demo.programme import Slot

_QUERIES = load("bespeak.verticals.cinema.demo", "load.sql")
_TOGETHER = 100
_KEY = "demo"
_GROUPS = (1, 2, 2, 2, 3, 4)
_ROOM_MAX = 0.9


class Sale(NamedTuple):
    """Seats of a show that are next to each other, and who bought them."""

    show_id: str
    units: list[str]
    buyer: DemoBuyer


def groups(room: DemoRoom, share: float, dice: random.Random) -> Iterator[list[str]]:
    """Groups of seats that are next to each other, the best rows first, until this share of the
    room is sold."""
    rows = [row for section in room.plan.sections for row in section.rows]
    rows = [row for row in rows if row.name != WHEELCHAIR_ROW]
    left = int(room.seats * min(share, _ROOM_MAX))
    taken: set[str] = set()
    tries = 0
    while left > 0 and tries < 4 * room.seats:
        tries += 1
        row = rows[min(len(rows) - 1, int(dice.triangular(0, len(rows), 0.7 * len(rows))))]
        size = dice.choice(_GROUPS)
        place = int(dice.triangular(0, max(1, row.seats - size + 1), row.seats / 2))
        numbers = range(row.first + place, row.first + place + size)
        units = [f"{row.name}{number}" for number in numbers]
        exists = numbers.stop <= row.first + row.seats and not set(numbers) & set(row.without)
        if exists and not any(unit in taken for unit in units):
            taken.update(units)
            left -= size
            yield units


def sale_share(slot: Slot, days_ahead: int, dice: random.Random) -> float:
    """How much of a show is sold already."""
    if slot.is_featured or days_ahead > 3:
        return 0.0
    if dice.random() > (0.17, 0.08, 0.03, 0.015)[days_ahead]:
        return 0.0
    return slot.appeal * dice.uniform(0.15, 0.75) / (1 + days_ahead)


async def sell(engine: Engine, sales: Mapping[str, Sequence[list[str]]], now: datetime) -> None:
    """Books these groups of seats, by the id of their show, each for an owner of its own, at times
    before `now`. What an earlier call sold
    is not sold again; what has begun is left alone."""
    wanted = [
        Sale(show_id, units, buyer(owner, now, random.Random(owner)))
        for show_id, of_show in sales.items()
        for number, units in enumerate(of_show, start=1)
        for owner in (f"guest-{show_id.removeprefix('res_')}-{number}",)
    ]
    wanted.sort(key=lambda one: one.buyer.booked_at)
    async with engine.database.borrow() as connection:
        for start in range(0, len(wanted), _TOGETHER):
            async with connection.transaction():
                for sale in wanted[start : start + _TOGETHER]:
                    await _book(engine, connection, sale)


async def _book(engine: Engine, connection: Connection, sale: Sale) -> None:
    """Sells as the engine would have at that time, which is the clock of this transaction alone."""
    by = sale.buyer
    await connection.execute(_QUERIES["set_clock"], by.held_at)
    lines = [Line(sale.show_id, unit) for unit in sale.units]
    try:
        hold = await engine.place_hold(
            owner=by.owner,
            lines=lines,
            alternatives=0,
            idempotency_key=_KEY,
            connection=connection,
        )
    except (ResourceClosed, UnitTaken):
        return
    if hold.replayed:  # an earlier call sold it, and it may have been given back since
        return
    await connection.execute(_QUERIES["set_clock"], by.booked_at)
    booking = await engine.confirm_hold(
        hold.id, owner=by.owner, contact=by.contact, connection=connection
    )
    if by.cancelled_at is not None:
        await connection.execute(_QUERIES["set_clock"], by.cancelled_at)
        await engine.cancel_booking(booking.id, reason="cancelled", connection=connection)
