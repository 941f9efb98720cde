"""The sample: an invented house with a few events, published and paid at the venue, so that who has
just set up a server can play the guest and the box office. It is taken away as a whole.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from importlib import resources
from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.errors import PlanChanged
from bespeak.inventory.errors import ResourceCalledOff
from bespeak.inventory.resources import ResourceChange
from bespeak.merchants.merchants import read_merchant
from bespeak.postgres.queries import load
from bespeak.verticals.programme.house import House, HouseTerms, make_house

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.programme", "sample.sql")
_CURRENCY, _ZONE = "EUR", "Europe/Berlin"
_REASON = "The sample was taken away."
_TRIES = 5


class ProgrammeSample(msgspec.Struct, frozen=True, kw_only=True):
    """What a workspace has of the sample, by ids; nothing, and no time, where it has none."""

    venue: str | None = None
    halls: list[str] = []
    productions: list[str] = []
    performances: list[str] = []
    added_at: datetime | None = None


async def read_sample(connection: Connection, workspace: str) -> ProgrammeSample:
    row = await connection.fetchrow(_QUERIES["read"], workspace)
    if row is None:
        return ProgrammeSample()
    return ProgrammeSample(
        venue=row["venue_id"],
        halls=row["hall_ids"],
        productions=row["production_ids"],
        performances=[ids.show_resource(number) for number in row["performances"]],
        added_at=row["added_at"],
    )


async def add_sample(engine: Engine, connection: Connection, workspace: str) -> None:
    """Adds the sample in the transaction of the caller; where it is there, it stays as it is."""
    if await connection.fetchval(_QUERIES["begin"], workspace) is None:
        return
    text = resources.files(__package__ or "").joinpath("sample.json").read_bytes()
    house = msgspec.json.decode(text, type=House)
    profile = (await read_merchant(connection, workspace)).profile
    venue = msgspec.structs.replace(house.venue, time_zone=profile.time_zone or _ZONE)
    terms = HouseTerms(profile.currency or _CURRENCY, "at_venue", engine.clock.now().date())
    made = await make_house(
        engine, connection, workspace, msgspec.structs.replace(house, venue=venue), terms
    )
    await connection.execute(_QUERIES["keep"], workspace, *made)


async def remove_sample(engine: Engine, workspace: str) -> None:
    """Takes the sample away: what was booked of it is cancelled, its shows are closed and hidden,
    and its events, halls and venue go, but for halls in which something else is given. Each step
    may come twice. Raises PlanChanged."""
    for _ in range(_TRIES):
        async with engine.database.borrow() as connection:
            row = await connection.fetchrow(_QUERIES["read"], workspace)
            if row is None:
                return
            booked = await connection.fetch(_QUERIES["booked"], workspace, row["production_ids"])
        for one in booked:
            with suppress(ResourceCalledOff):
                await engine.call_off(ids.show_resource(one["resource_id"]), reason=_REASON)
        async with engine.database.borrow() as connection, connection.transaction():
            if await _take_away(engine, connection, workspace):
                return
    raise PlanChanged("guests book the sample all the time; repeat")


async def _take_away(engine: Engine, connection: Connection, workspace: str) -> bool:
    """Whether it is gone; not where somebody booked meanwhile."""
    row = await connection.fetchrow(_QUERIES["take"], workspace)
    if row is None:
        return True
    productions = row["production_ids"]
    for one in await connection.fetch(_QUERIES["performances"], workspace, productions):
        show = ids.show_resource(one["resource_id"])
        change = ResourceChange(published=False, state="closed")
        await engine.update_resource(show, change, connection=connection)
    if await connection.fetch(_QUERIES["booked"], workspace, productions):
        # They are closed from here on, whatever becomes of the rest: the next turn cancels.
        return False
    await connection.execute(_QUERIES["drop_performances"], workspace, productions)
    await connection.execute(_QUERIES["drop_productions"], workspace, productions)
    await connection.execute(_QUERIES["drop_halls"], workspace, row["hall_ids"])
    await connection.execute(_QUERIES["drop_venue"], workspace, row["venue_id"])
    await connection.execute(_QUERIES["forget"], workspace)
    return True
