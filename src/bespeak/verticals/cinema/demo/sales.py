"""What was sold before the visitor came: groups of people in the middle of the rooms, the more the
film draws and the sooner it is. It is really sold, through the engine, at the counter, so to speak.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from bespeak.errors import ResourceClosed, UnitTaken
from bespeak.lines import Line
from bespeak.verticals.cinema.demo.rooms import WHEELCHAIR_ROW, DemoRoom

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.verticals.cinema.demo.programme import Slot

_AT_ONCE = 64
_GROUPS = (1, 2, 2, 2, 3, 4)
_ROOM_MAX = 0.9


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


async def sell(engine: Engine, sales: Mapping[str, Sequence[list[str]]]) -> None:
    """Books these groups of seats, by the id of their show, each for an owner of its own. What is
    taken was sold by an earlier call; what has begun is left alone."""
    wanted = [
        (f"guest-{show_id.removeprefix('res_')}-{number}", show_id, units)
        for show_id, of_show in sales.items()
        for number, units in enumerate(of_show, start=1)
    ]
    for start in range(0, len(wanted), _AT_ONCE):
        await asyncio.gather(*(_book(engine, *one) for one in wanted[start : start + _AT_ONCE]))


async def _book(engine: Engine, owner: str, show_id: str, units: list[str]) -> None:
    with suppress(ResourceClosed, UnitTaken):
        hold = await engine.place_hold(
            owner=owner, lines=[Line(show_id, unit) for unit in units], alternatives=0
        )
        await engine.confirm_hold(hold.id, owner=owner)
