"""One cart of everything: two seats, a night, a place in the car park and a number, in one hold.
All of it or nothing, one booking, and each line can be given back alone.
"""

import itertools

import msgspec
import pytest

import bespeak
from bespeak import Line, Money, Price, Resource
from bespeak.errors import CurrenciesDiffer
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
    SHAPES,
    THEATRE,
    TOKENS,
    TRAIN,
    MakeShape,
    Shape,
    hold,
    of,
    on,
    plan_of,
)

PARKING = Shape(
    "parking",
    plan_of({"type": "pools", "pools": [{"unit": "car park", "capacity": 2}]}),
    one=of("car park", 2),
    rival=of("car park", 1),
    other=of("car park", 1),
    code="sold_out",
    amount=1400,
    weight=2,
    block=(of("car park", 1),),
)
CART = {
    THEATRE: [of("A1"), of("A2")],
    ROOMS: [of("102", None, "2030-01-10", "2030-01-11")],
    PARKING: [of("car park", 1)],
    TOKENS: [Line(HERE, next=1)],
}


@pytest.fixture
async def cart(make_shape: MakeShape) -> dict[str, Resource]:
    """The resources of the cart, by their names."""
    return {shape.name: await make_shape(shape, owner_limit=2) for shape in CART}


def lines_of(cart: dict[str, Resource]) -> list[Line]:
    """What is wanted of them."""
    return [line for shape, lines in CART.items() for line in on(cart[shape.name], *lines)]


async def test_a_cart_is_one_hold_and_one_booking(
    engine: bespeak.Engine, clock: Clock, connection: Connection, cart: dict[str, Resource]
) -> None:
    held = await hold(engine, lines_of(cart), idempotency_key="k")
    assert [line.unit for line in held.lines] == ["A1", "A2", "102", "car park", "T1"]
    assert held.amount == Money(3000 + 3000 + 9000 + 700 + 150, "EUR")
    again = await hold(engine, lines_of(cart), idempotency_key="k")
    assert (again.id, again.lines, again.replayed) == (held.id, held.lines, True)
    assert await engine.get_hold(held.id) == held
    booking = await engine.confirm_hold(held.id)
    assert [line.unit for line in booking.lines] == [line.unit for line in held.lines]
    assert booking.amount == held.amount
    assert await engine.get_booking(booking.id) == booking
    assert await problems(connection) == []


@pytest.mark.parametrize("place", range(5))
async def test_each_line_is_given_back_alone(
    engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    cart: dict[str, Resource],
    place: int,
) -> None:
    held = await hold(engine, lines_of(cart))
    booking = await engine.confirm_hold(held.id)
    some = await engine.cancel_booking(booking.id, reason="x", lines=[held.lines[place]])
    assert [line.cancelled_quantity for line in some.lines] == [
        int(number == place) for number in range(5)
    ]
    assert await problems(connection) == []
    # What was given back is free, and counts against its limit no more; the rest is not.
    for number, line in enumerate(held.lines):
        taking = hold(engine, [line], "bela")
        if number == place or line.unit == "car park":
            await taking
        else:
            with pytest.raises(bespeak.UnitTaken):
                await taking
    await engine.cancel_booking(booking.id, reason="x")
    for line in held.lines[:3]:
        if line != held.lines[place]:
            await hold(engine, [line], "cleo")
    assert await problems(connection) == []


async def test_what_is_released_is_all_free(
    engine: bespeak.Engine, clock: Clock, connection: Connection, cart: dict[str, Resource]
) -> None:
    held = await hold(engine, lines_of(cart))
    await engine.release_hold(held.id)
    again = await hold(engine, lines_of(cart), "bela", hold_seconds=60)
    assert [line.unit for line in again.lines] == [line.unit for line in held.lines]
    await clock.advance(60)
    over = await hold(engine, lines_of(cart), "cleo")
    assert [line.unit for line in over.lines] == [line.unit for line in held.lines]
    assert await problems(connection) == []


# What is in the way of the cart, where that is more than the cart has.
ALL_OF_IT = {"parking": [of("car park", 2)], "tickets": [Line(HERE, next=5)]}


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::5])
@pytest.mark.parametrize("place", range(4))
async def test_one_that_is_taken_refuses_all(
    engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    cart: dict[str, Resource],
    place: int,
    order: tuple[int, ...],
) -> None:
    shape = list(CART)[place]
    resource = cart[shape.name]
    await engine.update_resource(resource.id, bespeak.ResourceChange(owner_limit=None))
    taken = ALL_OF_IT.get(shape.name, CART[shape])
    await hold(engine, on(resource, *taken), "bela")
    asked = [line for number in order for line in on_cart(cart, number)]
    before = await snapshot(connection)
    with pytest.raises((bespeak.UnitTaken, bespeak.SoldOut)) as caught:
        await hold(engine, asked)
    conflicts = caught.value.data["conflicts"]
    assert isinstance(conflicts, list)
    assert {conflict.resource_id for conflict in conflicts} == {resource.id}
    assert await snapshot(connection) == before


def on_cart(cart: dict[str, Resource], number: int) -> list[Line]:
    shape = list(CART)[number]
    return on(cart[shape.name], *CART[shape])


async def test_a_cart_takes_less_if_less_will_do(
    engine: bespeak.Engine, clock: Clock, connection: Connection, cart: dict[str, Resource]
) -> None:
    asked = lines_of(cart)
    await hold(engine, [asked[1], asked[2]], "bela")
    held = await hold(engine, asked, partial=True)
    assert [line.unit for line in held.lines] == ["A1", "car park", "T1"]
    assert held.missing == [asked[1], asked[2]]
    assert held.amount == Money(3000 + 700 + 150, "EUR")
    booking = await engine.confirm_hold(held.id)
    await engine.cancel_booking(booking.id, reason="x", lines=[held.lines[2]])
    assert await problems(connection) == []


async def test_every_shape_in_one_hold(
    engine: bespeak.Engine, clock: Clock, connection: Connection, make_shape: MakeShape
) -> None:
    resources = [await make_shape(shape, owner_limit=20) for shape in SHAPES]
    asked = [
        line
        for shape, resource in zip(SHAPES, resources, strict=True)
        for line in on(resource, shape.one, shape.other)
    ]
    held = await hold(engine, asked)
    assert held.amount.amount >= sum(shape.amount for shape in SHAPES)
    booking = await engine.confirm_hold(held.id)
    for line in held.lines[1::2]:
        booking = await engine.cancel_booking(booking.id, reason="x", lines=[line])
    assert [bool(line.cancelled_quantity) for line in booking.lines] == [
        number % 2 == 1 for number in range(len(held.lines))
    ]
    assert await problems(connection) == []
    await engine.cancel_booking(booking.id, reason="x")
    assert await problems(connection) == []
    assert await connection.fetchval("select count(*) from bespeak.claim") == 0
    assert await connection.fetchval("select sum(taken) from bespeak.pool") == 0


async def test_a_cart_has_one_currency(
    engine: bespeak.Engine, clock: Clock, make_shape: MakeShape
) -> None:
    rooms, parking = await make_shape(ROOMS), await make_shape(PARKING, price=Price(1, "USD"))
    with pytest.raises(CurrenciesDiffer):
        await hold(engine, [*on(rooms, ROOMS.one), *on(parking, PARKING.other)])


@pytest.mark.parametrize("shape", [ROOM_TYPE, FESTIVAL, TRAIN, CLINIC, COURTS, RAFFLE], ids=str)
async def test_two_lines_of_one_kind_are_two_lines(
    engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    make_shape: MakeShape,
    shape: Shape,
) -> None:
    """Lines that draw from the same pool stand each for itself, and so they are given back."""
    resource = await make_shape(shape, owner_limit=20)
    some = shape.some if shape.some is not None else shape.other
    one = on(resource, some if some.quantity is None else msgspec.structs.replace(some, quantity=1))
    other = on(resource, shape.one)
    held = await hold(engine, [*one, *other])
    booking = await engine.confirm_hold(held.id)
    await engine.cancel_booking(booking.id, reason="x", lines=held.lines[:1])
    assert await problems(connection) == []
    await engine.cancel_booking(booking.id, reason="x", lines=held.lines[1:])
    assert (await engine.get_booking(booking.id)).state == "cancelled"
    assert await problems(connection) == []
