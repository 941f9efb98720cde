"""The same scenarios through the library, SQL and HTTP: the same answers, the same refusals, and
the same rows afterwards. A key that was used at one door is known at the others."""

import asyncio
from collections.abc import AsyncIterator

import pytest

import bespeak
from bespeak import Line, Resource
from tests.conformance.doors import Done, Door, Refusal, door_of
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems, snapshot
from tests.harness.shows import MakeShow, pool, seats

DOORS = ["library", "sql", "http"]


@pytest.fixture(params=DOORS)
async def door(
    request: pytest.FixtureRequest,
    engine: bespeak.Engine,
    connection: Connection,
    database_url: str,
) -> AsyncIterator[Door]:
    async with door_of(request.param, engine, connection, database_url) as made:
        yield made
        assert await problems(connection) == []


async def refused(connection: Connection, code: str, asked: object) -> None:
    before = await snapshot(connection)
    with pytest.raises(Refusal) as caught:
        await asked  # type: ignore[misc]
    assert caught.value.code == code
    assert await snapshot(connection) == before


async def test_a_life_of_a_booking(door: Door, make_show: MakeShow, connection: Connection) -> None:
    show = await make_show(owner_limit=4)
    hold = await door.place("asha", [*seats(show, "A1"), pool(show, "floor", 2)])
    assert hold.state == "held"
    assert await door.extend(hold.id, 900, "asha") == Done(hold.id, "held")
    booking = await door.confirm(hold.id, "asha")
    assert booking == Done("bkg_" + hold.id[5:], "confirmed")
    assert await door.cancel(booking.id, [pool(show, "floor", 1)]) == booking
    assert (await door.cancel(booking.id)).state == "cancelled"
    again = await door.place("asha", [*seats(show, "A1", "A2"), pool(show, "floor", 2)])
    assert await door.release(again.id, "asha") == Done(again.id, "released")


async def test_what_is_taken(door: Door, show: Resource, connection: Connection) -> None:
    other = await door.place("bela", [*seats(show, "A1"), pool(show, "floor", 4)])
    asked = seats(show, "A1", "A2")
    await refused(connection, "unit_taken", door.place("asha", asked))
    await refused(connection, "sold_out", door.place("asha", [pool(show, "floor", 2)]))
    await door.confirm(other.id)
    await refused(connection, "unit_taken", door.place("asha", asked))
    block = await door.block(show.id, [*seats(show, "A2"), pool(show, "floor", 1)])
    await refused(connection, "unit_taken", door.place("asha", seats(show, "A2")))
    await refused(connection, "unit_taken", door.block(show.id, seats(show, "A1")))
    await refused(connection, "not_blocked", door.unblock(block.id, seats(show, "A9")))
    assert (await door.unblock(block.id, seats(show, "A2"))).state == "blocked"
    await door.place("asha", seats(show, "A2"))
    assert (await door.unblock(block.id)).state == "lifted"


async def test_limits_hold_time_and_owner(
    door: Door, make_show: MakeShow, connection: Connection
) -> None:
    show = await make_show(owner_limit=2)
    await refused(
        connection, "owner_limit_reached", door.place("asha", seats(show, "A1", "A2", "A3"))
    )
    await refused(connection, "hold_time_beyond_cap", door.place("asha", seats(show, "A1"), 1801))
    hold = await door.place("asha", seats(show, "A1"), 60)
    for asked in (
        door.confirm(hold.id, "bela"),
        door.release(hold.id, "bela"),
        door.extend(hold.id, 900, "bela"),
    ):
        await refused(connection, "not_owner", asked)
    await refused(connection, "extension_beyond_cap", door.extend(hold.id, 1900))


@pytest.mark.parametrize(
    ("code", "unit", "quantity"),
    [
        ("unknown_unit", "Z1", None),
        ("unknown_unit", "floor", None),
        ("unknown_unit", "A1", 1),
        ("invalid_request", "floor", 0),
        ("invalid_request", "floor", -1),
        ("sold_out", "floor", 6),
    ],
)
async def test_lines_that_cannot_be(
    door: Door, show: Resource, connection: Connection, code: str, unit: str, quantity: int | None
) -> None:
    await refused(connection, code, door.place("asha", [Line(show.id, unit, quantity)]))


async def test_requests_that_cannot_be(
    door: Door, make_show: MakeShow, connection: Connection
) -> None:
    show, closed = await make_show(), await make_show(state="closed")
    for code, lines in (
        ("invalid_request", []),
        ("duplicate_line", seats(show, "A1", "A1")),
        ("resource_not_found", [Line("res_00000001", "A1")]),
        ("resource_closed", seats(closed, "A1")),
    ):
        await refused(connection, code, door.place("asha", lines))
    hold = await door.place("asha", seats(show, "A1"))
    missing = hold.id[:-1] + ("0" if hold.id[-1] != "0" else "1")
    await refused(connection, "hold_not_found", door.confirm(missing))
    await refused(connection, "invalid_id", door.confirm("hold_x"))
    await refused(connection, "booking_not_found", door.cancel("bkg_" + hold.id[5:]))
    booking = await door.confirm(hold.id)
    await refused(connection, "not_in_booking", door.cancel(booking.id, seats(show, "A2")))
    await door.cancel(booking.id)
    await refused(connection, "booking_cancelled", door.cancel(booking.id))


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("lapsed", "hold_expired"),
        ("released", "hold_released"),
        ("confirmed", "hold_confirmed"),
    ],
)
async def test_a_hold_ends_once(
    door: Door, show: Resource, clock: Clock, connection: Connection, state: str, code: str
) -> None:
    hold = await door.place("asha", seats(show, "A1"))
    if state == "lapsed":
        await clock.advance(600)
    else:
        await (door.release(hold.id) if state == "released" else door.confirm(hold.id))
    for asked in (door.confirm(hold.id), door.release(hold.id), door.extend(hold.id, 60)):
        await refused(connection, code, asked)


async def test_repeats(door: Door, show: Resource, connection: Connection) -> None:
    lines = [*seats(show, "A1"), pool(show, "floor", 1)]
    hold = await door.place("asha", lines, key="k")
    assert await door.place("asha", lines, key="k") == hold
    await refused(
        connection, "idempotency_key_reused", door.place("asha", seats(show, "A2"), key="k")
    )
    assert await door.extend(hold.id, 900, key="k") == await door.extend(hold.id, 900, key="k")
    await refused(connection, "idempotency_key_reused", door.extend(hold.id, 901, key="k"))
    booking = await door.confirm(hold.id, key="k")
    assert await door.confirm(hold.id, key="k") == booking
    assert await door.cancel(booking.id, key="k") == await door.cancel(booking.id, key="k")
    block = await door.block(show.id, lines, key="k")
    assert await door.block(show.id, lines, key="k") == block
    await refused(
        connection, "idempotency_key_reused", door.block(show.id, seats(show, "A9"), key="k")
    )


async def test_twenty_for_one_seat(door: Door, show: Resource, connection: Connection) -> None:
    asked = [door.place(f"o{n}", seats(show, "A1")) for n in range(20)]
    if type(door).__name__ == "SqlDoor":  # one session does one thing at a time
        answers = [(await asyncio.gather(one, return_exceptions=True))[0] for one in asked]
    else:
        answers = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(answer, Done) for answer in answers) == 1
    assert {answer.code for answer in answers if isinstance(answer, Refusal)} == {"unit_taken"}


@pytest.mark.parametrize("first", DOORS)
@pytest.mark.parametrize("second", DOORS)
async def test_a_key_of_one_door_is_known_at_the_others(
    engine: bespeak.Engine,
    connection: Connection,
    database_url: str,
    show: Resource,
    first: str,
    second: str,
) -> None:
    lines = [*seats(show, "A1"), pool(show, "floor", 1)]

    async def life(door: Door) -> list[str]:
        hold = await door.place("asha", lines, 60, "k")
        extended = await door.extend(hold.id, 90, key="k")
        booking = await door.confirm(hold.id, key="k")
        cancelled = await door.cancel(booking.id, seats(show, "A1"), key="k")
        block = await door.block(show.id, [*seats(show, "A9"), pool(show, "floor", 1)], "k")
        return [done.id for done in (hold, extended, booking, cancelled, block)]

    async with door_of(first, engine, connection, database_url) as one:
        made = await life(one)
    before = await snapshot(connection)
    async with door_of(second, engine, connection, database_url) as two:
        assert await life(two) == made
    after = await snapshot(connection)
    for ours in (before, after):
        ours.pop("api_key")
        ours.pop("secret")
    assert after == before
