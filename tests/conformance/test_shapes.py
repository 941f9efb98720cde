"""Every shape of inventory through the library and HTTP: the same life, the same refusals with the
same data. Through SQL only seats are placed; what was placed elsewhere, all verbs know.
"""

from collections.abc import AsyncIterator

import msgspec
import pytest
from msgspec import UNSET

import bespeak
from bespeak import Line, Resource, ids
from bespeak.inventory.shapes.tickets.plan import TicketsPlan
from tests.conformance.doors import Done, Door, LibraryDoor, Refusal, SqlDoor, door_of
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems, snapshot
from tests.harness.shapes import SHAPES, THEATRE, MakeShape, Shape, of, on

BEYOND_SEATS = [shape for shape in SHAPES if shape is not THEATRE]

# More lines for a block, which are not in the way of `one`.
BESIDE = {
    "seats": (of("C6"), of("floor", 2)),
    "rooms": (of("102", None, "2030-01-05", "2030-01-11"),),
    "cottage": (of("lake", None, "2030-02-11", "2030-02-12"),),
    "room type": (of(None, 1, "2030-03-01", "2030-03-03"),),
    "times": (of("dr-sen", None, "2030-01-02T09:00:00+05:30", "2030-01-03T09:00:00+05:30"),),
    "times at rates": (
        of("dr-sen", None, "2030-01-02T09:00:00+01:00", "2030-01-02T10:00:00+01:00"),
    ),
    "places in times": (of(None, 4, "2030-01-04T00:00:00-05:00", "2030-01-05T00:00:00-05:00"),),
    "tickets": (of("T1"),),
    "pools": (of("area", 2),),
    "legs": (of("F1"), of("unreserved", 3, "B", "D")),
    "moments": (of("court-2", None, "2030-01-02T16:00:00+01:00", "2030-01-02T17:15:00+01:00"),),
}


@pytest.fixture(params=["library", "http"])
async def door(
    request: pytest.FixtureRequest,
    engine: bespeak.Engine,
    connection: Connection,
    database_url: str,
    clock: Clock,
) -> AsyncIterator[Door]:
    async with door_of(request.param, engine, connection, database_url, clock) as made:
        yield made
        assert await problems(connection) == []


@pytest.fixture
async def library(engine: bespeak.Engine, clock: Clock) -> LibraryDoor:
    return LibraryDoor(engine)


@pytest.fixture
async def sql(connection: Connection) -> AsyncIterator[SqlDoor]:
    yield SqlDoor(connection)
    assert await problems(connection) == []


async def refused(connection: Connection, code: str, asked: object) -> Refusal:
    before = await snapshot(connection)
    with pytest.raises(Refusal) as caught:
        await asked  # type: ignore[misc]
    assert caught.value.code == code, caught.value.data
    assert await snapshot(connection) == before
    return caught.value


@pytest.fixture(params=SHAPES, ids=str)
def shape(request: pytest.FixtureRequest) -> Shape:
    found = request.param
    assert isinstance(found, Shape)
    return found


@pytest.fixture
async def resource(shape: Shape, make_shape: MakeShape, engine: bespeak.Engine) -> Resource:
    made = await make_shape(shape, payment="at_venue")  # so that a shopper confirms it
    if isinstance(made.plan, TicketsPlan):
        # The first who asks for a number opens the counter, even if there is none to be had.
        await engine.set_serving(made.id, 0)
    return made


async def test_a_life_of_a_booking(
    door: Door, shape: Shape, resource: Resource, connection: Connection
) -> None:
    one, rival, other = (on(resource, line) for line in (shape.one, shape.rival, shape.other))
    hold = await door.place("asha", one)
    assert hold.state == "held"
    await refused(connection, shape.code, door.place("bela", rival))
    beside = await door.place("bela", other)
    assert await door.extend(hold.id, 900, "asha") == Done(hold.id, "held")
    await refused(connection, "not_owner", door.confirm(hold.id, "bela"))
    booking = await door.confirm(hold.id, "asha")
    assert booking == Done("bkg_" + hold.id[5:], "confirmed")
    assert [line.pop("cancelled_quantity") for line in booking.lines] == [0] * len(hold.lines)
    assert booking.lines == hold.lines
    await refused(connection, shape.code, door.place("cleo", rival))
    assert await door.release(beside.id, "bela") == Done(beside.id, "released")
    assert (await door.cancel(booking.id)).state == "cancelled"
    if shape.comes_back:
        again = await door.place("cleo", rival)
        await door.release(again.id)
        await door.place("asha", one)


async def test_an_expired_hold_is_taken_over(
    door: Door, shape: Shape, resource: Resource, clock: Clock, connection: Connection
) -> None:
    hold = await door.place("asha", on(resource, shape.one), 60)
    await clock.advance(60)
    for asked in (door.confirm(hold.id), door.release(hold.id), door.extend(hold.id, 60)):
        await refused(connection, "hold_expired", asked)
    wanted = shape.rival if shape.comes_back else shape.other
    taken = await door.place("bela", on(resource, wanted))
    await door.confirm(taken.id)
    await refused(connection, "hold_expired", door.confirm(hold.id))


async def test_a_block_is_in_the_way_until_it_is_lifted(
    door: Door, shape: Shape, resource: Resource, connection: Connection
) -> None:
    lines = on(resource, *shape.block)
    block = await door.block(resource.id, lines, "k")
    assert block.state == "blocked"
    assert await door.block(resource.id, lines, "k") == block
    # A block names no rate.
    other_block = lines[1:] or on(resource, msgspec.structs.replace(shape.other, rate=UNSET))
    await refused(
        connection,
        "idempotency_key_reused",
        door.block(resource.id, other_block, "k"),
    )
    refusal = await refused(connection, shape.code, door.place("asha", on(resource, shape.one)))
    if shape.code == "unit_taken":
        assert {one["state"] for one in conflicts_of(refusal)} == {"blocked"}
    beside = await door.place("asha", on(resource, shape.other))
    await door.release(beside.id)
    assert (await door.unblock(block.id)).state == "lifted"
    hold = await door.place("asha", on(resource, shape.one if shape.comes_back else shape.other))
    await refused(connection, shape.in_the_way, door.block(resource.id, lines))
    await door.release(hold.id)


def conflicts_of(refusal: Refusal) -> list[dict[str, object]]:
    conflicts = refusal.data["conflicts"]
    assert isinstance(conflicts, list)
    return conflicts


async def test_a_block_is_lifted_in_part(
    door: Door, shape: Shape, resource: Resource, connection: Connection
) -> None:
    """By the lines that it was made with."""
    more = (*shape.block, *BESIDE.get(shape.name, ()))
    lines = on(resource, *more)
    block = await door.block(resource.id, lines)
    half = await door.unblock(block.id, lines[: len(shape.block)])
    assert half.state == ("blocked" if len(more) > len(shape.block) else "lifted")
    await refused(connection, "not_blocked", door.unblock(block.id, lines[: len(shape.block)]))
    await door.place("asha", on(resource, shape.one))


async def test_a_repeat_is_answered_with_the_same_choice(
    door: Door, shape: Shape, resource: Resource, connection: Connection
) -> None:
    asked = on(resource, shape.open or shape.some or shape.one)
    hold = await door.place("asha", asked, key="k")
    if shape.open is not None:
        assert len(hold.lines) == shape.chosen
    other = await door.place("bela", on(resource, shape.open)) if can_have_two(shape) else None
    again = await door.place("asha", asked, key="k")
    assert (again, again.lines) == (hold, hold.lines)
    assert other is None or not {str(line) for line in other.lines} & {
        str(line) for line in hold.lines
    }
    await door.release(hold.id)
    again = await door.place("asha", asked, key="k")
    assert (again.id, again.state, again.lines) == (hold.id, "released", hold.lines)
    for changed in (on(resource, shape.other), [*asked, *on(resource, shape.other)]):
        await refused(connection, "idempotency_key_reused", door.place("asha", changed, key="k"))


def can_have_two(shape: Shape) -> bool:
    return shape.open is not None and shape.name in ("seats", "tickets", "tickets in order", "legs")


async def test_a_limit_counts_what_is_shown(
    door: Door, shape: Shape, make_shape: MakeShape, connection: Connection
) -> None:
    """Whatever a line means in claims, it counts as so many rooms, seats, places."""
    resource = await make_shape(shape, owner_limit=shape.weight)
    one, other = on(resource, shape.one), on(resource, shape.other)
    hold = await door.place("asha", one)
    await refused(connection, "owner_limit_reached", door.place("asha", other))
    beside = await door.place("bela", other)
    await door.release(beside.id)
    await door.release(hold.id)
    if shape.comes_back:
        booking = await door.confirm((await door.place("asha", one)).id)
        await refused(connection, "owner_limit_reached", door.place("asha", other))
        await door.cancel(booking.id)
        await door.place("asha", one)


async def test_part_of_a_line_is_given_back(
    door: Door, shape: Shape, make_shape: MakeShape, connection: Connection
) -> None:
    if shape.some is None:
        return
    whole = shape.some.quantity or 0
    resource = await make_shape(shape, owner_limit=whole)
    hold = await door.place("asha", on(resource, shape.some))
    line = msgspec.convert(hold.lines[0], Line)
    booking = await door.confirm(hold.id)
    await refused(connection, "owner_limit_reached", door.place("asha", less([line], 1)))
    for wrong in (less([line], whole + 1), on(resource, shape.one)):
        await refused(connection, "not_in_booking", door.cancel(booking.id, wrong))
    part = await door.cancel(booking.id, less([line], shape.part), "k")
    assert part.state == "confirmed"
    assert [one["cancelled_quantity"] for one in part.lines] == [shape.part]
    again = await door.cancel(booking.id, less([line], shape.part), "k")
    assert (again, again.lines) == (part, part.lines)
    rest = whole - shape.part
    await refused(connection, "not_in_booking", door.cancel(booking.id, less([line], rest + 1)))
    await door.release((await door.place("asha", less([line], shape.part))).id)
    await refused(
        connection, "owner_limit_reached", door.place("asha", less([line], shape.part + 1))
    )
    ended = await door.cancel(booking.id, less([line], rest))
    assert ended.state == "cancelled"
    await refused(connection, "booking_cancelled", door.cancel(booking.id))
    await door.place("asha", [line])


def less(lines: list[Line], quantity: int) -> list[Line]:
    return [msgspec.structs.replace(line, quantity=quantity) for line in lines]


async def test_a_line_of_several_is_given_back(
    door: Door, shape: Shape, make_shape: MakeShape, connection: Connection
) -> None:
    """The lines as the hold shows them; the rest of the booking stays."""
    resource = await make_shape(shape, owner_limit=20)
    asked = on(resource, shape.one, shape.other)
    hold = await door.place("asha", asked)
    shown = [msgspec.convert(line, Line) for line in hold.lines]
    booking = await door.confirm(hold.id)
    first = shown[:1]
    part = await door.cancel(booking.id, first)
    assert part.state == "confirmed"
    assert [bool(one["cancelled_quantity"]) for one in part.lines] == [
        True, *[False] * (len(shown) - 1)
    ]  # fmt: skip
    await refused(connection, "not_in_booking", door.cancel(booking.id, first))
    if shape.comes_back:
        await door.place("bela", first)
        await refused(connection, shape.code, door.place("cleo", on(resource, shape.rival)))
    ended = await door.cancel(booking.id, shown[1:])
    assert ended.state == "cancelled"


async def test_a_refusal_says_the_same_at_both_doors(
    engine: bespeak.Engine,
    connection: Connection,
    database_url: str,
    clock: Clock,
    shape: Shape,
    resource: Resource,
) -> None:
    told: list[dict[str, object]] = []
    for name in ("library", "http"):
        async with door_of(name, engine, connection, database_url, clock) as door:
            if not told:
                await door.confirm((await door.place("asha", on(resource, shape.one))).id)
            for lines in (on(resource, shape.rival), on(resource, shape.one)):
                refusal = await refused(connection, shape.code, door.place("bela", lines))
                conflicts = conflicts_of(refusal)
                assert conflicts
                assert {conflict["resource_id"] for conflict in conflicts} == {resource.id}
                told.append(refusal.data)
    assert told[:2] == told[2:]


@pytest.mark.parametrize("shape", BEYOND_SEATS, ids=str)
async def test_sql_does_not_place_by_rules_that_it_does_not_know(
    sql: SqlDoor, shape: Shape, make_shape: MakeShape, connection: Connection, clock: Clock
) -> None:
    resource = await make_shape(shape)
    for unit in ("101", "2030-01-10", "early", "T1", "A1"):
        for asked in (
            sql.place("asha", [Line(resource.id, unit)]),
            sql.place("asha", [Line(resource.id, unit, 1)]),
            sql.block(resource.id, [Line(resource.id, unit)]),
        ):
            await refused(connection, "plan_not_in_sql", asked)


@pytest.mark.parametrize("shape", BEYOND_SEATS, ids=str)
async def test_sql_changes_what_was_placed_elsewhere(
    sql: SqlDoor,
    library: LibraryDoor,
    shape: Shape,
    make_shape: MakeShape,
    connection: Connection,
) -> None:
    resource = await make_shape(shape, owner_limit=20)
    one = on(resource, shape.one)
    hold = await library.place("asha", one)
    assert await sql.extend(hold.id, 900, "asha") == hold
    assert await sql.release(hold.id, "asha") == Done(hold.id, "released")
    hold = await library.place("asha", on(resource, shape.one if shape.comes_back else shape.other))
    booking = await sql.confirm(hold.id, "asha")
    lines = await claims_shown_otherwise(connection, hold.id)
    if lines:
        await refused(connection, "plan_not_in_sql", sql.cancel(booking.id, lines))
    assert (await sql.cancel(booking.id)).state == "cancelled"
    block = await library.block(resource.id, on(resource, *shape.block))
    assert (await sql.unblock(block.id)).state == "lifted"
    if shape.comes_back:
        await library.place("asha", one)


async def claims_shown_otherwise(connection: Connection, hold_id: str) -> list[Line]:
    """What a hold claims, where its lines are not simply that; without its owner's limits."""
    row = await connection.fetchrow(
        "select resources, units, quantities, limit_lines from bespeak.hold"
        " where hold_id = $1 and shown is not null",
        ids.parse(ids.HOLD, hold_id),
    )
    if row is None:
        return []
    claims = zip(row["resources"], row["units"], row["quantities"], strict=True)
    found = [Line(ids.show_resource(home), unit, quantity) for home, unit, quantity in claims]
    return found[: len(found) - row["limit_lines"]]
