"""The premiere of the demo: a show in a small hall behind a waiting room, whose sale begins some
minutes after the demo was started. One that nobody has come for yet is only put off by the next
start; after any other there is a new show, because what is sold is sold.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from bespeak import ids
from bespeak.admission.forms import (
    TAKEN_BACK_MAX,
    ChangeWaitingRoom,
    NewWaitingRoom,
    WaitingRoom,
)
from bespeak.admission.rooms import change_room, make_room, read_room
from bespeak.demo.premieres import DemoPremiere, read_premiere
from bespeak.inventory.resources import get_many
from bespeak.postgres.queries import load
from bespeak.verticals.installed import installed
from bespeak.waitlists.errors import ResourceHasWaitlist
from bespeak.waitlists.waitlist import NewWaitlist

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.inventory.resources import Resource
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.demo", "premieres.sql")
_DECIDE_SECONDS = 300
_LEAST = timedelta(hours=1)


class PreparedPremiere(NamedTuple):
    """The premiere of this start. `is_another`: the one before it is over."""

    shown: DemoPremiere
    is_another: bool


async def prepare_premiere(engine: Engine, opens_in: timedelta) -> PreparedPremiere | None:
    """Puts the premiere off until its sale begins in so much time, or makes another one. None where
    no vertical has premieres."""
    make = next((one.make_premiere for one in installed() if one.make_premiere), None)
    if make is None:
        return None
    now = engine.clock.now()
    async with engine.database.borrow() as connection, connection.transaction():
        before = await _before(connection)
        is_fresh = before is not None and await _put_off(connection, before, now + opens_in)
        if not is_fresh:
            show = await make(engine, connection, now)
            room = await make_room(connection, _room(show, now + opens_in), None)
            number = ids.parse_resource(show.id)
            await connection.execute(_QUERIES["keep"], number, room.id)
        shown = await read_premiere(connection)
    if shown is None:
        raise RuntimeError("the premiere that was made is there")
    await _make_waitlist(engine, shown.resource_id)
    return PreparedPremiere(shown, is_another=before is not None and not is_fresh)


class _Before(NamedTuple):
    show: Resource
    room: WaitingRoom


async def _before(connection: Connection) -> _Before | None:
    """The premiere of an earlier start."""
    row = await connection.fetchrow(_QUERIES["lock"])
    if row is None:
        return None
    (show,) = await get_many(connection, [row["resource_id"]])
    return _Before(show, await read_room(connection, row["room_id"], None))


async def _put_off(connection: Connection, before: _Before, opens_at: datetime) -> bool:
    """Whether nobody has come for it, so that it opens at this time; else its queue is over. An
    opening cannot be taken back for ever."""
    show, room = before
    begins = show.starts_at
    is_in_time = begins is not None and begins > opens_at + _LEAST and show.state == "open"
    is_untouched = room.joined == 0 and room.let_in == 0 and not room.sold_out
    may_go_back = room.state == "scheduled" or len(room.taken_back) < TAKEN_BACK_MAX
    if is_in_time and is_untouched and may_go_back and room.state != "ended":
        change = ChangeWaitingRoom(
            state="scheduled", opens_at=opens_at, early_opens_at=opens_at - timedelta(days=1)
        )
        await change_room(connection, room.id, change, None)
        return True
    if room.state != "ended":
        await change_room(connection, room.id, ChangeWaitingRoom(state="ended"), None)
    return False


def _room(show: Resource, opens_at: datetime) -> NewWaitingRoom:
    """A waiting room that is as strict as a small hall wants it, and has first who came first: so a
    visitor who comes before the crowd buys, and sees all of it. A real one shuffles."""
    return NewWaitingRoom(
        name=f"Premiere: {show.name.partition(',')[0]}",
        resources=(show.id,),
        opens_at=opens_at,
        early_order="first_come",
        a_minute=180,
        inside_max=20,
        pass_seconds=180,
        grace_seconds=30,
        units_max=2,
    )


async def _make_waitlist(engine: Engine, resource_id: str) -> None:
    """What comes back of it goes to who waits, who decide within minutes."""
    try:
        await engine.waitlists.create(
            NewWaitlist(
                resource_ids=(resource_id,), decide_seconds=_DECIDE_SECONDS, exchange="free"
            )
        )
    except ResourceHasWaitlist:
        return  # it was only put off
