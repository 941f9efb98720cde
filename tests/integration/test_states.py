"""Every state with every verb; and the enum, the CHECK and the diagram, which must agree."""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import asyncpg
import pytest

import bespeak
from bespeak import BookingState, HoldState, Line, Resource, ids
from bespeak.errors import (
    BespeakError,
    BookingCancelled,
    BookingNotFound,
    HoldConfirmed,
    HoldExpired,
    HoldNotFound,
    HoldReleased,
    NotInBooking,
)
from bespeak.reservations.sweeper import Sweeper
from bespeak.states import (
    BOOKING_TRANSITIONS,
    HOLD_TRANSITIONS,
    PAYMENT_TRANSITIONS,
    EventKind,
    PaymentState,
)
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems, snapshot
from tests.harness.shows import MakeShow, look, pool, seats, take

STATES_PAGE = Path(__file__).resolve().parents[2] / "docs/reference/states.md"

# `lapsed` is a hold in state held whose time is over and that nobody has tidied up yet.
HOLDS = ["held", "lapsed", "expired", "released", "confirmed", "missing"]
ENDED: dict[str, type[BespeakError]] = {
    "lapsed": HoldExpired,
    "expired": HoldExpired,
    "released": HoldReleased,
    "confirmed": HoldConfirmed,
    "missing": HoldNotFound,
}
Verb = Callable[[bespeak.Engine, str], Awaitable[object]]
HOLD_VERBS: dict[str, Verb] = {
    "confirm": lambda engine, hold_id: engine.confirm_hold(hold_id),
    "extend": lambda engine, hold_id: engine.extend_hold(hold_id, seconds=900),
    "release": lambda engine, hold_id: engine.release_hold(hold_id),
    "expire": lambda engine, hold_id: Sweeper(engine.database.pool).sweep(),
}


async def hold_in(state: str, engine: bespeak.Engine, show: Resource, clock: Clock) -> str:
    if state == "missing":
        return ids.show(ids.HOLD, ids.IdMaker().new(ids.parse_resource(show.id)))
    hold = await take(engine, [*seats(show, "A1", "A2"), pool(show, "floor", 2)])
    if state in ("lapsed", "expired"):
        await clock.advance(600)
    if state == "expired":
        await Sweeper(engine.database.pool).sweep()
    if state == "released":
        await engine.release_hold(hold.id)
    if state == "confirmed":
        await engine.confirm_hold(hold.id)
    return hold.id


@pytest.mark.parametrize("verb", HOLD_VERBS)
@pytest.mark.parametrize("state", HOLDS)
async def test_every_verb_on_every_hold(
    engine: bespeak.Engine,
    make_show: MakeShow,
    clock: Clock,
    connection: Connection,
    state: str,
    verb: str,
) -> None:
    show = await make_show(owner_limit=6)
    hold_id = await hold_in(state, engine, show, clock)
    before = await snapshot(connection)
    if verb == "expire":
        await HOLD_VERBS[verb](engine, hold_id)
        if state == "lapsed":
            assert (await engine.get_hold(hold_id)).state is HoldState.EXPIRED
        else:
            assert await snapshot(connection) == before
    elif state == "held":
        await HOLD_VERBS[verb](engine, hold_id)
        seen = await engine.get_hold(hold_id)
        assert seen.state is HOLD_TRANSITIONS[HoldState.HELD, verb]
        assert (seen.ended_at is None) == (seen.state is HoldState.HELD)
    else:
        with pytest.raises(ENDED[state]):
            await HOLD_VERBS[verb](engine, hold_id)
        assert await snapshot(connection) == before
    assert await problems(connection) == []


async def test_what_ends_frees_and_what_is_confirmed_stays(
    engine: bespeak.Engine, show: Resource, clock: Clock
) -> None:
    for state in HOLDS[:-1]:
        other = f"owner of {state}"
        hold_id = await hold_in(state, engine, show, clock)
        seen = await look(engine, show)
        lines = [*seats(show, "A1", "A2"), pool(show, "floor", 5)]
        if state in ("held", "confirmed"):
            assert (seen.taken["A1"].state, seen.pools["floor"].available) == (
                "held" if state == "held" else "booked",
                3,
            )
            with pytest.raises(bespeak.Refused):
                await take(engine, lines, other)
        else:
            assert (seen.taken, seen.pools["floor"].available) == ({}, 5)
            taken = await take(engine, lines, other)
            await engine.release_hold(taken.id)
        if state == "held":
            await engine.release_hold(hold_id)


BOOKINGS = ["confirmed", "partly", "cancelled", "missing"]


async def booking_in(state: str, engine: bespeak.Engine, show: Resource) -> str:
    if state == "missing":
        return ids.show(ids.BOOKING, ids.IdMaker().new(ids.parse_resource(show.id)))
    hold = await take(engine, [*seats(show, "A1", "A2"), pool(show, "floor", 2)])
    booking = await engine.confirm_hold(hold.id)
    if state == "partly":
        await engine.cancel_booking(booking.id, reason="ill", lines=seats(show, "A1"))
    if state == "cancelled":
        await engine.cancel_booking(booking.id, reason="ill")
    return booking.id


@pytest.mark.parametrize("verb", ["cancel", "cancel_some", "cancel_gone"])
@pytest.mark.parametrize("state", BOOKINGS)
async def test_every_verb_on_every_booking(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, state: str, verb: str
) -> None:
    show = await make_show(owner_limit=6)
    booking_id = await booking_in(state, engine, show)
    lines: list[Line] | None = None
    if verb == "cancel_some":
        lines = [*seats(show, "A2"), pool(show, "floor", 1)]
    if verb == "cancel_gone":
        lines = seats(show, "A1")
    before = await snapshot(connection)
    errors: dict[tuple[str, str], type[BespeakError]] = {("partly", "cancel_gone"): NotInBooking}
    errors |= {("cancelled", any_verb): BookingCancelled for any_verb in (verb,)}
    errors |= {("missing", any_verb): BookingNotFound for any_verb in (verb,)}
    error = errors.get((state, verb))
    if error is not None:
        with pytest.raises(error):
            await engine.cancel_booking(booking_id, reason="ill", lines=lines)
        assert await snapshot(connection) == before
    else:
        booking = await engine.cancel_booking(booking_id, reason="ill", lines=lines)
        name = "cancel" if verb == "cancel" else "cancel_some"
        assert booking.state is BOOKING_TRANSITIONS[BookingState.CONFIRMED, name]
        assert await engine.get_booking(booking_id) == booking
    assert await problems(connection) == []


async def test_the_checks_of_the_database_are_the_enums(connection: Connection) -> None:
    found = {
        (row["name"], column): set(re.findall(r"'([a-z_]+)'::text", row["rule"]))
        for row in await connection.fetch(
            """
            select t.relname as name, pg_get_constraintdef(c.oid) as rule
            from pg_constraint c join pg_class t on t.oid = c.conrelid
            where c.contype = 'c' and c.connamespace = 'bespeak'::regnamespace
                and t.relname in ('hold', 'booking', 'payment')
            """
        )
        for column in re.findall(r"^CHECK \(\((\w+) = ANY", row["rule"])
        if column in ("state", "kind")
    }
    assert found == {
        ("hold", "state"): {str(state) for state in HoldState},
        ("booking", "state"): {str(state) for state in BookingState},
        ("payment", "state"): {str(state) for state in PaymentState},
    }


async def test_the_check_of_events_is_their_enum(connection: Connection) -> None:
    body = await connection.fetchval(
        "select prosrc from pg_proc where oid = 'bespeak.is_event_kind'::regproc"
    )
    assert set(re.findall(r"'([a-z_]+)'", body)) == {str(kind) for kind in EventKind}
    insert = """
        insert into bespeak.event (resource_id, horizon, kind, at)
        values (1, bespeak.horizon(), $1, bespeak.now())
    """
    await connection.execute(insert, str(EventKind.HELD))
    for kind in ("helt", "", "HELD"):
        with pytest.raises(asyncpg.CheckViolationError, match="event_kind_check"):
            await connection.execute(insert, kind)


def arrows(title: str) -> set[tuple[str, str, str]]:
    section = STATES_PAGE.read_text().split(f"## {title}\n")[1].split("\n## ")[0]
    (diagram,) = re.findall(r"```mermaid\nstateDiagram-v2\n(.*?)```", section, re.DOTALL)
    found = re.findall(r"^\s*(\[\*\]|\w+) --> (\[\*\]|\w+)(?:: (\w+))?$", diagram, re.MULTILINE)
    assert len(found) == len([line for line in diagram.splitlines() if line.strip()])
    return set(found)


@pytest.mark.parametrize(
    ("title", "start", "transitions"),
    [
        ("Hold", ("[*]", "held", "place"), HOLD_TRANSITIONS),
        ("Booking", ("[*]", "confirmed", "confirm"), BOOKING_TRANSITIONS),
        ("Payment", ("[*]", "pending", "begin"), PAYMENT_TRANSITIONS),
    ],
)
def test_the_diagram_is_the_enum(
    title: str, start: tuple[str, str, str], transitions: dict[tuple[str, str], str]
) -> None:
    drawn = {arrow for arrow in arrows(title) if arrow[1] != "[*]"}
    assert drawn == {start} | {
        (str(before), str(after), verb) for (before, verb), after in transitions.items()
    }
    ends = {arrow[0] for arrow in arrows(title) if arrow[1] == "[*]"}
    assert ends == {str(after) for after in transitions.values()} - {b for b, _ in transitions}


def test_the_page_tells_every_unit_state() -> None:
    table = STATES_PAGE.read_text().split("## Unit\n")[1]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [
        str(state) for state in bespeak.UnitState
    ]
