"""Writing venues and their halls. A hall keeps a seat map without prices, whose categories are all
listed; what they cost is said by performance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import asyncpg
import msgspec

from bespeak.errors import InvalidRequest
from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.resource_checks import check_time_zone
from bespeak.inventory.shapes.registry import compile_seats
from bespeak.inventory.shapes.seats.plan import Category, SeatsPlan
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load
from bespeak.translations import check_translations
from bespeak.verticals.changes import with_changes
from bespeak.verticals.once import made_before, remember
from bespeak.verticals.programme.errors import HallNotFound, VenueNotFound
from bespeak.verticals.programme.forms import HallChange, NewHall, NewVenue, VenueChange
from bespeak.verticals.programme.names import HALL, VENUE, check_id, new_id
from bespeak.verticals.stored_texts import stored_translations, translations_of

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.programme", "changes.sql")


async def create_venue(
    connection: Connection, workspace: str, new: NewVenue, key: str | None
) -> tuple[str, bool]:
    """A new venue, and whether it was there by this key. Raises InvalidRequest,
    IdempotencyKeyReused."""
    check_time_zone(new.time_zone)
    before = await made_before(connection, _QUERIES, workspace, key, "venue", new)
    if before is not None:
        return before, True
    venue_id = new_id(VENUE)
    await connection.execute(_QUERIES["insert_venue"], workspace, venue_id, *_venue_columns(new))
    await remember(connection, _QUERIES, workspace, key, venue_id)
    return venue_id, False


async def change_venue(
    connection: Connection, workspace: str, venue_id: str, change: VenueChange
) -> None:
    """Changes a venue. Raises VenueNotFound, InvalidRequest, InvalidId."""
    check_id(VENUE, venue_id)
    row = await connection.fetchrow(_QUERIES["venue"], workspace, venue_id)
    if row is None:
        raise VenueNotFound(venue_id=venue_id)
    said = NewVenue(
        **{field: row[field] for field in NewVenue.__struct_fields__ if field != "translations"},
        translations=translations_of(row["translations"]),
    )
    after = with_changes(said, change)
    check_time_zone(after.time_zone)
    if after.time_zone != said.time_zone and await connection.fetchval(
        _QUERIES["has_performances"], venue_id
    ):
        raise InvalidRequest(
            "the time_zone of a venue does not change once it has performances", field="time_zone"
        )
    archived = row["archived"] if change.archived is msgspec.UNSET else change.archived
    await connection.execute(
        _QUERIES["update_venue"], workspace, venue_id, *_venue_columns(after), archived
    )


async def create_hall(
    connection: Connection, workspace: str, new: NewHall, key: str | None
) -> tuple[str, bool]:
    """A new hall of a venue, and whether it was there by this key. Raises VenueNotFound,
    InvalidRequest, IdempotencyKeyReused."""
    check_id(VENUE, new.venue)
    plan, capacity = settled_plan(new.plan)
    before = await made_before(connection, _QUERIES, workspace, key, "hall", new)
    if before is not None:
        return before, True
    hall_id = new_id(HALL)
    columns = (
        new.name,
        msgspec.json.encode(plan).decode(),
        capacity,
        stored_translations(new.translations),
    )
    try:
        async with connection.transaction():
            await connection.execute(
                _QUERIES["insert_hall"], workspace, hall_id, new.venue, *columns
            )
    except asyncpg.ForeignKeyViolationError as error:
        raise VenueNotFound(venue_id=new.venue, field="venue") from error
    await remember(connection, _QUERIES, workspace, key, hall_id)
    return hall_id, False


async def change_hall(
    connection: Connection, workspace: str, hall_id: str, change: HallChange
) -> None:
    """Changes a hall. Raises HallNotFound, InvalidRequest, InvalidId."""
    check_id(HALL, hall_id)
    # Compiled before anything is locked, which may take long.
    changed = None if change.plan is msgspec.UNSET else settled_plan(change.plan)
    row = await connection.fetchrow(_QUERIES["hall"], workspace, hall_id)
    if row is None:
        raise HallNotFound(hall_id=hall_id)
    plan, capacity = row["plan"], row["capacity"]
    if changed is not None:
        plan, capacity = msgspec.json.encode(changed[0]).decode(), changed[1]
    await connection.execute(
        _QUERIES["update_hall"],
        workspace,
        hall_id,
        row["name"] if change.name is msgspec.UNSET else change.name,
        plan,
        capacity,
        stored_translations(
            translations_of(row["translations"])
            if change.translations is msgspec.UNSET
            else change.translations
        ),
        row["archived"] if change.archived is msgspec.UNSET else change.archived,
    )


def hall_plan(stored: str) -> SeatsPlan:
    """The plan of a hall as the database has it."""
    return msgspec.json.decode(json_text(stored), type=SeatsPlan)


def settled_plan(plan: object) -> tuple[SeatsPlan, int]:
    """A plan as a hall keeps it: all its categories listed, a standing area that has none with one
    of its own name, and no prices; and how many places it has. Raises InvalidRequest."""
    if not isinstance(plan, SeatsPlan):
        raise InvalidRequest("plan: a hall has seats and standing areas", field="plan")
    check_translations(plan.translations, "plan")
    pools = tuple(_with_category(pool) for pool in plan.pools)
    listed = [msgspec.structs.replace(one, price=None) for one in plan.categories]
    known = {one.name for one in listed}
    used = _used(msgspec.structs.replace(plan, pools=pools))
    listed += [Category(name) for name in used if name not in known]
    kept = msgspec.structs.replace(plan, pools=pools, categories=tuple(listed))
    return kept, compile_seats(kept).units_total()


def _with_category(pool: PoolPlan) -> PoolPlan:
    return pool if pool.category else msgspec.structs.replace(pool, category=pool.unit)


def _used(plan: SeatsPlan) -> list[str]:
    """The categories that seats and areas of the plan have, as they are met."""
    compiled = compile_seats(msgspec.structs.replace(plan, categories=()))
    found = dict.fromkeys(compiled.categories.values())
    found.update(dict.fromkeys(pool.category for pool in plan.pools if pool.category))
    return list(found)


def _venue_columns(said: NewVenue) -> tuple[object, ...]:
    return (
        said.name,
        said.time_zone,
        said.address,
        said.city,
        said.country,
        said.website,
        said.accessibility,
        stored_translations(said.translations),
    )
