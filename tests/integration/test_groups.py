"""Groups: fifty rooms in one hold, twelve seats together, and less where less will do. All of it is
one hold and one booking, or nothing.
"""

import pytest

import bespeak
from bespeak import Best, Line, Money, Resource
from bespeak.errors import NotInBooking
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems, snapshot
from tests.harness.shapes import (
    CLINIC,
    COURTS,
    FESTIVAL,
    HERE,
    RAFFLE,
    ROOM_TYPE,
    ROOMS,
    THEATRE,
    TOKENS,
    TRAIN,
    MakeShape,
    Shape,
    blocks,
    hold,
    of,
    on,
    plan_of,
)

HOTEL = [str(100 + number) for number in range(60)]
WEDDING = Line(HERE, quantity=50, from_="2030-03-04", to="2030-03-09")


async def hotel(make_shape: MakeShape, **fields: object) -> Resource:
    plan = plan_of({"type": "nights", "rooms": HOTEL, "price": 100})
    return await make_shape(ROOMS, plan=plan, **fields)


async def test_fifty_rooms_for_five_nights_are_one_booking(
    engine: bespeak.Engine, clock: Clock, connection: Connection, make_shape: MakeShape
) -> None:
    resource = await hotel(make_shape, owner_limit=50)
    held = await hold(engine, on(resource, WEDDING))
    assert len({line.unit for line in held.lines}) == 50
    assert {(line.from_, line.to) for line in held.lines} == {("2030-03-04", "2030-03-09")}
    assert held.amount == Money(50 * 5 * 100, "EUR")
    assert await connection.fetchval("select count(*) from bespeak.claim") == 250
    with pytest.raises(bespeak.SoldOut) as caught:
        await hold(engine, on(resource, WEDDING), "bela")
    assert caught.value.data["available"] == 10
    booking = await engine.confirm_hold(held.id)
    assert (len(booking.lines), booking.amount) == (50, held.amount)
    # Three guests stay at home; two others need a room.
    some = await engine.cancel_booking(booking.id, reason="ill", lines=held.lines[:3])
    assert sum(line.cancelled_quantity for line in some.lines) == 3
    await hold(engine, on(resource, of(None, 2, "2030-03-06", "2030-03-08")), "asha")
    with pytest.raises(bespeak.OwnerLimitReached):
        await hold(engine, on(resource, of(None, 2, "2030-03-10", "2030-03-11")), "asha")
    assert (await engine.cancel_booking(booking.id, reason="x")).state == "cancelled"
    assert await connection.fetchval("select count(*) from bespeak.claim") == 4
    assert await problems(connection) == []


async def test_fifty_rooms_of_a_type_are_drawn_together(
    engine: bespeak.Engine, clock: Clock, connection: Connection, make_shape: MakeShape
) -> None:
    resource = await make_shape(ROOM_TYPE, plan=plan_of({"type": "nights", "count": 60}))
    held = await hold(engine, on(resource, WEDDING))
    assert [line.quantity for line in held.lines] == [50]
    with pytest.raises(bespeak.SoldOut):
        await hold(engine, on(resource, WEDDING), "bela")
    less = await hold(engine, on(resource, WEDDING), "bela", partial=True)
    assert [line.quantity for line in less.lines] == [10]
    assert [line.quantity for line in less.missing] == [40]
    assert await problems(connection) == []


async def test_a_group_takes_less_if_less_will_do(
    engine: bespeak.Engine, clock: Clock, connection: Connection, make_shape: MakeShape
) -> None:
    resource = await hotel(make_shape, owner_limit=60)
    closed = on(resource, *(of(room, None, "2030-03-08", "2030-03-20") for room in HOTEL[:12]))
    await engine.block(resource.id, blocks(*closed), reason="painting")
    before = await snapshot(connection)
    with pytest.raises(bespeak.SoldOut):
        await hold(engine, on(resource, WEDDING))
    assert await snapshot(connection) == before
    held = await hold(engine, on(resource, WEDDING), partial=True, idempotency_key="k")
    assert {line.unit for line in held.lines} == set(HOTEL[12:])
    assert held.missing == on(resource, of(None, 2, "2030-03-04", "2030-03-09"))
    again = await hold(engine, on(resource, WEDDING), partial=True, idempotency_key="k")
    assert (again.lines, again.missing, again.replayed) == (held.lines, held.missing, True)
    assert (await engine.get_hold(held.id)).missing == held.missing
    with pytest.raises(bespeak.IdempotencyKeyReused):
        await hold(engine, on(resource, WEDDING), idempotency_key="k")
    booking = await engine.confirm_hold(held.id)
    assert (len(booking.lines), booking.amount) == (48, Money(48 * 500, "EUR"))
    with pytest.raises(bespeak.SoldOut):
        await hold(engine, on(resource, WEDDING), "bela", partial=True)
    assert await problems(connection) == []


async def test_twelve_seats_together_or_over_rows_if_that_is_allowed(
    engine: bespeak.Engine, clock: Clock, connection: Connection, make_shape: MakeShape
) -> None:
    resource = await make_shape(THEATRE)

    def best(quantity: int, **more: bool) -> list[Line]:
        return [Line(resource.id, best=Best(quantity, "gold", **more))]  # type: ignore[arg-type]

    with pytest.raises(bespeak.NotTogether):
        await hold(engine, best(12))
    with pytest.raises(bespeak.SoldOut):
        await hold(engine, best(13, split=True))
    six = await hold(engine, best(12), partial=True)
    assert len({str(line.unit)[0] for line in six.lines}) == 1
    assert six.missing == best(6)
    await engine.release_hold(six.id)
    twelve = await hold(engine, best(12, split=True))
    assert {line.unit for line in twelve.lines} == {
        f"{row}{number}" for row in "AB" for number in range(1, 7)
    }
    assert await problems(connection) == []


@pytest.mark.parametrize(
    ("shape", "taken", "asked", "given", "missing"),
    [
        (
            THEATRE,
            [of("A2"), of("floor", 4)],
            [of("A1"), of("A2"), of("floor", 3), of("A3")],
            [of("A1"), of("floor", 1), of("A3")],
            [of("A2"), of("floor", 2)],
        ),
        (
            THEATRE,
            [of("A2"), of("floor", 5)],
            [of("A2"), of("floor", 3), of("C6")],
            [of("C6")],
            [of("A2"), of("floor", 3)],
        ),
        (
            ROOM_TYPE,
            [of(None, 1, "2030-01-11", "2030-01-12")],
            [of(None, 3, "2030-01-10", "2030-01-13"), of(None, 2, "2030-01-13", "2030-01-14")],
            [of(None, 2, "2030-01-10", "2030-01-13"), of(None, 2, "2030-01-13", "2030-01-14")],
            [of(None, 1, "2030-01-10", "2030-01-13")],
        ),
        (
            FESTIVAL,
            [of("standing", 5)],
            [of("table", 2), of("early-bird", 3)],
            [of("table", 1), of("early-bird", 1)],
            [of("table", 1), of("early-bird", 2)],
        ),
        (
            TRAIN,
            [of("unreserved", 4, "B", "C"), of("S1", None, "A", "B")],
            [of("unreserved", 3, "A", "C"), of("S1", None, "A", "C"), of("S2", None, "A", "C")],
            [of("unreserved", 2, "A", "C"), of("S2", None, "A", "C")],
            [of("unreserved", 1, "A", "C"), of("S1", None, "A", "C")],
        ),
        (TOKENS, [of("T2")], [of("T1"), of("T2")], [of("T1")], [of("T2")]),
        (RAFFLE, [Line(HERE, next=3)], [Line(HERE, next=4)], [of("103"), of("104")], None),
        (
            CLINIC,
            [of("dr-rao", None, "2030-01-02T09:00:00+05:30", "2030-01-02T09:30:00+05:30")],
            [of(None, 2, "2030-01-02T09:00:00+05:30", "2030-01-02T09:30:00+05:30")],
            [of("dr-sen", None, "2030-01-02T09:00:00+05:30", "2030-01-02T09:30:00+05:30")],
            [of(None, 1, "2030-01-02T09:00:00+05:30", "2030-01-02T09:30:00+05:30")],
        ),
        (
            COURTS,
            [of("court-1", None, "2030-01-02T17:00:00+01:00", "2030-01-02T18:00:00+01:00")],
            [of(None, 2, "2030-01-02T17:00:00+01:00", "2030-01-02T18:00:00+01:00")],
            [of("court-2", None, "2030-01-02T17:00:00+01:00", "2030-01-02T18:00:00+01:00")],
            [of(None, 1, "2030-01-02T17:00:00+01:00", "2030-01-02T18:00:00+01:00")],
        ),
    ],
    ids=str,
)
async def test_what_there_is_is_held_and_the_rest_is_named(
    engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    make_shape: MakeShape,
    shape: Shape,
    taken: list[Line],
    asked: list[Line],
    given: list[Line],
    missing: list[Line] | None,
) -> None:
    resource = await make_shape(shape)
    await engine.confirm_hold((await hold(engine, on(resource, *taken), "bela")).id)
    before = await snapshot(connection)
    with pytest.raises(bespeak.Refused):
        await hold(engine, on(resource, *asked))
    assert await snapshot(connection) == before
    held = await hold(engine, on(resource, *asked), partial=True)
    assert held.lines == on(resource, *given)
    if missing is not None:
        assert held.missing == on(resource, *missing)
    assert (await engine.get_hold(held.id)).lines == held.lines
    booking = await engine.confirm_hold(held.id)
    assert [(line.unit, line.quantity) for line in booking.lines] == [
        (line.unit, line.quantity) for line in given
    ]
    with pytest.raises(NotInBooking):
        await engine.cancel_booking(booking.id, reason="x", lines=on(resource, *taken))
    first = on(resource, given[0])
    some = await engine.cancel_booking(booking.id, reason="x", lines=first)
    assert some.lines[0].cancelled_quantity == (given[0].quantity or 1)
    await hold(engine, first, "cleo") if shape.comes_back else None
    assert await problems(connection) == []


@pytest.mark.parametrize("shape", [THEATRE, ROOMS, ROOM_TYPE, FESTIVAL, TRAIN, COURTS], ids=str)
async def test_less_of_nothing_is_refused(
    engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    make_shape: MakeShape,
    shape: Shape,
) -> None:
    resource = await make_shape(shape)
    await hold(engine, on(resource, shape.one))
    before = await snapshot(connection)
    with pytest.raises((bespeak.UnitTaken, bespeak.SoldOut)):
        await hold(engine, on(resource, shape.rival), "bela", partial=True)
    assert await snapshot(connection) == before
