"""Loads the cinemas of the demo into a database, once: a second call finds them and adds nothing.
Only when the week is over does a new week follow.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import asyncpg
import msgspec

from bespeak import ids
from bespeak.inventory.resources import Resource, ResourceChange, get_many
from bespeak.postgres.queries import load
from bespeak.verticals.cinema import shows
from bespeak.verticals.cinema.catalogue_import import import_catalogue
from bespeak.verticals.cinema.demo.places import catalogue, cities, screen_ref
from bespeak.verticals.cinema.demo.programme import FEATURED, SEED, Slot, programme
from bespeak.verticals.cinema.demo.sales import groups, sale_share, sell
from bespeak.verticals.cinema.names import FILM, SCREEN, id_of
from bespeak.verticals.cinema.show_plan import PlannedShow, schedule
from bespeak.verticals.vertical import DemoLoad

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.cinema.demo", "load.sql")
_FEATURED_MAX = 40
_PIECE = 500
_BOOKINGS_MAX = 3000


async def load_demo(engine: Engine, now: datetime | None = None) -> DemoLoad:
    """The shows of the demo that are still to come, loaded if need be. A show in a room of 300
    seats comes first, the others by time. `now` is the database's clock unless given."""
    now = now or engine.clock.now()
    featured, zone = _featured_screen()
    async with engine.database.borrow() as connection:
        has_demo = await connection.fetchval(_QUERIES["has_demo"])
        is_running = await connection.fetchval(_QUERIES["is_running"], featured, now)
    if not has_demo:
        report = await import_catalogue(engine, catalogue(now.date()))
        if not report.applied:
            raise RuntimeError(f"the demo is no catalogue: {report.problems[:3]}")
    if not is_running:
        await _load_week(engine, now)
    await _ask_for_payment(engine)
    async with engine.database.borrow() as connection:
        if not is_running:
            with suppress(asyncpg.InsufficientPrivilegeError):
                await connection.execute(_QUERIES["settle"])
        rows = await connection.fetch(_QUERIES["featured"], featured, now, zone, _FEATURED_MAX)
        found = await get_many(connection, [row["resource_id"] for row in rows])
        counted = await connection.fetchrow(_QUERIES["count"], now)
    by_id = {show.id: show for show in found}
    ordered = [by_id[ids.show_resource(row["resource_id"])] for row in rows]
    if counted is None:
        raise RuntimeError("the statement answers one row")
    told = (
        f"{counted['shows']:,} shows in {counted['screens']} screens of "
        f"{counted['cinemas']} cinemas in {counted['cities']} cities"
    )
    return DemoLoad(ordered, told)


def _featured_screen() -> tuple[str, str]:
    """The id of the screen that visitors try first, and its time zone."""
    name, number = FEATURED
    for city in cities():
        for cinema in city.cinemas:
            if cinema.name == name:
                return id_of(SCREEN, screen_ref(city, cinema, number)), city.time_zone
    raise RuntimeError("the featured cinema is in the list")


async def _load_week(engine: Engine, now: datetime) -> None:
    """Adds the shows of the week that are not there yet, and sells some of their seats."""
    slots = programme(now)
    async with engine.database.borrow() as connection:
        planned = await _planned(connection, slots)
        kept = await shows.kept_shows(connection, [one.ref for one, _ in planned])
    missing = [(one, slot) for one, slot in planned if one.ref not in kept]
    dice = random.Random(f"{SEED} {now.date().isoformat()}")
    sales = [_sales(slot, now, dice) for _, slot in missing]
    made: list[Resource] = []
    async with (
        engine.database.borrow() as connection,
        connection.transaction(),  # the week is there or not: a part of one would pass for it
    ):
        for start in range(0, len(missing), _PIECE):
            piece = slice(start, start + _PIECE)
            planned_now = [
                _at_counter(one) if wanted else one
                for (one, _), wanted in zip(missing[piece], sales[piece], strict=True)
            ]
            made += await shows.create_shows(engine, connection, planned_now)
    await sell(engine, _within(_BOOKINGS_MAX, made, sales))


async def _planned(connection: Connection, slots: Sequence[Slot]) -> list[tuple[PlannedShow, Slot]]:
    """Each show as it is to be."""
    news = [slot.new_show() for slot in slots]
    rooms = await shows.rooms(connection, {id_of(SCREEN, new.screen) for new in news})
    titles = await shows.titles(connection, {id_of(FILM, new.film) for new in news})
    return [
        (schedule(new, shows.named_room(rooms, new), shows.named_title(titles, new)), slot)
        for new, slot in zip(news, slots, strict=True)
    ]


def _sales(slot: Slot, now: datetime, dice: random.Random) -> list[list[str]]:
    days_ahead = (slot.starts_at.date() - now.astimezone(slot.starts_at.tzinfo).date()).days
    share = sale_share(slot, days_ahead, dice)
    return list(groups(slot.room, share, dice)) if share else []


def _at_counter(one: PlannedShow) -> PlannedShow:
    """The show while its first seats are sold: nothing is to be paid on line yet."""
    return replace(one, resource=msgspec.structs.replace(one.resource, payment="none"))


def _within(
    limit: int, made: Sequence[Resource], sales: Sequence[list[list[str]]]
) -> Iterator[tuple[Resource, list[list[str]]]]:
    """The sales until there are so many bookings."""
    count = 0
    for show, wanted in zip(made, sales, strict=True):
        if wanted and count < limit:
            count += len(wanted)
            yield show, wanted


async def _ask_for_payment(engine: Engine) -> None:
    """From here on what is bought is paid for on line. Whatever ended an earlier load, no show is
    left without."""
    async with engine.database.borrow() as connection:
        rows = await connection.fetch(_QUERIES["unpaid"])
        for row in rows:
            change = ResourceChange(payment="required")
            show_id = ids.show_resource(row["resource_id"])
            await engine.update_resource(show_id, change, connection=connection)
