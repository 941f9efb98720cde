"""Loads the cinemas of the demo into a database, city by city and the nearest days first, so that
there is something to buy while the rest comes in. Called again, also after it was killed, it loads
what is missing of the week and nothing twice. Only when the week is over does a new week follow.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from itertools import groupby
from typing import TYPE_CHECKING

import asyncpg
import msgspec

from bespeak import ids
from bespeak.inventory.resources import ResourceChange, get_many
from bespeak.postgres.queries import load
from bespeak.verticals.cinema import shows
from bespeak.verticals.cinema.catalogue_import import import_catalogue
from bespeak.verticals.cinema.demo.places import catalogue, cities, films, poster, screen_ref
from bespeak.verticals.cinema.demo.programme import FEATURED, SEED, Slot, programme
from bespeak.verticals.cinema.demo.sales import groups, sale_share, sell
from bespeak.verticals.cinema.names import FILM, SCREEN, id_of
from bespeak.verticals.cinema.show_plan import PlannedShow, schedule
from bespeak.verticals.vertical import DemoLoad, Progress

if TYPE_CHECKING:
    from bespeak.engine import Engine

_QUERIES = load("bespeak.verticals.cinema.demo", "load.sql")
_FEATURED_MAX = 40


@dataclass(frozen=True)
class DemoShow:
    """A show of the demo as it is to be, and the groups of seats that are sold of it beforehand."""

    planned: PlannedShow
    slot: Slot
    sold: Sequence[list[str]]


async def load_demo(
    engine: Engine, now: datetime | None = None, tell: Progress = lambda _done, _all: None
) -> DemoLoad:
    """The shows of the demo that are still to come, loaded if need be. A show in a room of 300
    seats comes first, the others by time. `now` is the database's clock unless given."""
    now = now or engine.clock.now()
    featured, zone = _featured_screen()
    async with engine.database.borrow() as connection:
        first_day = await connection.fetchval(_QUERIES["running_week"], featured, now)
    if first_day is None:
        first_day = now.date()
        report = await import_catalogue(engine, catalogue(first_day))
        if not report.applied:
            raise RuntimeError(f"the demo is no catalogue: {report.problems[:3]}")
        posters = {id_of(FILM, film.ref): poster(film) for film in films()}
        async with engine.database.borrow() as connection:
            await connection.execute(_QUERIES["set_posters"], [*posters], [*posters.values()])
    await _load_week(engine, first_day, now, tell)
    async with engine.database.borrow() as connection:
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


async def _load_week(engine: Engine, first_day: date, now: datetime, tell: Progress) -> None:
    """Adds the shows of the week that are not there yet, and sells some of their seats."""
    week = await _week(engine, first_day, now)
    async with engine.database.borrow() as connection:
        kept = await shows.kept_shows(connection, list(week))
        rows = await connection.fetch(_QUERIES["unpaid"])
    unpaid = {ids.show_resource(row["resource_id"]): week.get(row["ref"]) for row in rows}
    await _sell_and_ask_for_payment(engine, unpaid, now)  # what a load that was killed left
    done = len(kept)
    missing = [show for ref, show in week.items() if ref not in kept]
    for _, group in groupby(missing, lambda one: (one.slot.starts_at.date(), one.slot.city.name)):
        tell(done, len(week))
        piece = list(group)
        added = [_at_counter(one.planned) if one.sold else one.planned for one in piece]
        async with engine.database.borrow() as connection, connection.transaction():
            made = await shows.create_shows(engine, connection, added)
        sold = {show.id: one for show, one in zip(made, piece, strict=True) if one.sold}
        await _sell_and_ask_for_payment(engine, sold, now)
        done += len(added)
    tell(done, len(week))
    if missing:
        async with engine.database.borrow() as connection:
            with suppress(asyncpg.InsufficientPrivilegeError):
                await connection.execute(_QUERIES["settle"])


async def _week(engine: Engine, first_day: date, now: datetime) -> dict[str, DemoShow]:
    """The shows that are to come of the week, by reference, in the order in which they are loaded.
    It is the same whenever it is asked for, but for those that have begun."""
    begins = datetime.combine(first_day, time(), UTC)
    slots = [slot for slot in programme(begins) if slot.starts_at > now]
    places = {city.name: place for place, city in enumerate(cities())}
    slots.sort(key=lambda slot: (slot.starts_at.date(), places[slot.city.name], slot.starts_at))
    news = [slot.new_show() for slot in slots]
    async with engine.database.borrow() as connection:
        rooms = await shows.rooms(connection, {id_of(SCREEN, new.screen) for new in news})
        titles = await shows.titles(connection, {id_of(FILM, new.film) for new in news})
    week = {}
    for slot, new in zip(slots, news, strict=True):
        planned = schedule(new, shows.named_room(rooms, new), shows.named_title(titles, new))
        week[planned.ref] = DemoShow(planned, slot, _sales(planned.ref, slot, first_day))
    return week


def _sales(ref: str, slot: Slot, first_day: date) -> list[list[str]]:
    """The same for a show whenever it is asked for."""
    dice = random.Random(f"{SEED} {ref}")
    days_ahead = max(0, (slot.starts_at.date() - first_day).days)
    share = sale_share(slot, days_ahead, dice)
    return list(groups(slot.room, share, dice)) if share else []


def _at_counter(one: PlannedShow) -> PlannedShow:
    """The show while its first seats are sold: nothing is to be paid on line yet."""
    return replace(one, resource=msgspec.structs.replace(one.resource, payment="none"))


async def _sell_and_ask_for_payment(
    engine: Engine, at_counter: Mapping[str, DemoShow | None], now: datetime
) -> None:
    """Sells what is to be sold of these shows, by their ids; what is bought from then on is paid
    for on line. One that has begun is only that: nothing is sold of it, and it is not left free."""
    sold = {show: one.sold for show, one in at_counter.items() if one is not None}
    await sell(engine, sold, now)
    async with engine.database.borrow() as connection, connection.transaction():
        for show in at_counter:
            change = ResourceChange(payment="required")
            await engine.update_resource(show, change, connection=connection)
