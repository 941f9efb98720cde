"""`connection=` on connections of other programs: what their codecs make of JSON is theirs to say,
and no answer, no refusal and no stored row depends on it.
"""

from collections.abc import AsyncIterator

import pytest

import bespeak
from bespeak import (
    AvailabilityQuery,
    Best,
    Cancellation,
    Fee,
    Line,
    NewResource,
    NightsPlan,
    Price,
    Pricing,
    Resource,
    ResourceChange,
)
from bespeak.inventory.shapes.nights.availability import NightsAvailability
from tests.harness.database import Connection, problems
from tests.harness.foreign import FOREIGN
from tests.harness.shows import PLAN, MakeShow, pool, seats, take

PRICING = Pricing(
    fees=(Fee("service", "order", 150),),
    cancellation=Cancellation(refundable=False),
)


@pytest.fixture(params=FOREIGN)
async def foreign(
    request: pytest.FixtureRequest, database_url: str, engine: bespeak.Engine
) -> AsyncIterator[Connection]:
    async with FOREIGN[request.param](database_url) as made:
        yield made


@pytest.fixture
async def priced(make_show: MakeShow) -> Resource:
    return await make_show(pricing=PRICING, price=Price(1000, "EUR"), owner_limit=6)


async def test_holds_and_bookings(
    engine: bespeak.Engine, priced: Resource, foreign: Connection
) -> None:
    lines = [*seats(priced, "A1"), pool(priced, "floor", 2)]
    best = Line(priced.id, best=Best(2))
    async with foreign.transaction():
        assert (await engine.quote([best], connection=foreign)).total.amount == 2150
        hold = await take(engine, lines, connection=foreign, idempotency_key="k")
        again = await take(engine, lines, connection=foreign, idempotency_key="k")
        chosen = await take(engine, [best], connection=foreign, idempotency_key="best")
        repeated = await take(engine, [best], connection=foreign, idempotency_key="best")
        held = await engine.extend_hold(hold.id, seconds=700, connection=foreign)
        booking = await engine.confirm_hold(hold.id, connection=foreign, idempotency_key="k")
        part = await engine.cancel_booking(
            booking.id, reason="x", lines=[pool(priced, "floor", 1)], connection=foreign
        )
        await engine.release_hold(chosen.id, connection=foreign)
    assert again.replayed
    assert again.quote == hold.quote == held.quote == booking.quote
    assert hold.quote is not None
    assert (repeated.lines, repeated.quote) == (chosen.lines, chosen.quote)
    assert [line.cancelled_quantity for line in part.lines] == [0, 1]
    # As a connection without any codec reads it.
    assert await engine.get_booking(booking.id) == part
    assert await engine.get_hold(hold.id) == await engine.get_hold(hold.id, connection=foreign)


async def test_refusals(
    engine: bespeak.Engine, priced: Resource, foreign: Connection, connection: Connection
) -> None:
    await take(engine, [*seats(priced, "A1"), pool(priced, "floor", 5)], "bela")
    async with foreign.transaction():
        with pytest.raises(bespeak.UnitTaken) as taken:
            await take(engine, seats(priced, "A1", "A2"), connection=foreign)
        with pytest.raises(bespeak.SoldOut):
            await take(engine, [pool(priced, "floor", 1)], connection=foreign)
        with pytest.raises(bespeak.OwnerLimitReached):
            await take(engine, [pool(priced, "gallery", 1)], "bela", connection=foreign)
        hold = await take(engine, seats(priced, "A3"), connection=foreign)
        booking = await engine.confirm_hold(hold.id, connection=foreign)
        with pytest.raises(bespeak.errors.NotInBooking):
            await engine.cancel_booking(
                booking.id, reason="x", lines=seats(priced, "A9"), refund="none", connection=foreign
            )
    assert [one.unit for one in taken.value.data["conflicts"]] == ["A1"]  # type: ignore[attr-defined]
    assert taken.value.data["alternatives"]
    assert await problems(connection) == []


async def test_resources(engine: bespeak.Engine, foreign: Connection) -> None:
    new = NewResource(name="Show", plan=PLAN, pricing=PRICING, attributes={"a": 1.5, "b": "c"})
    async with foreign.transaction():
        made = await engine.create_resource(new, connection=foreign, idempotency_key="k")
        again = await engine.create_resource(new, connection=foreign, idempotency_key="k")
        (other,) = await engine.create_resources([new], connection=foreign)
        changed = await engine.update_resource(
            made.id,
            ResourceChange(plan=NightsPlan(count=2), pricing=None, attributes={"d": None}),
            connection=foreign,
        )
    assert again.replayed
    assert (made.plan, made.pricing, made.attributes) == (PLAN, PRICING, {"a": 1.5, "b": "c"})
    assert await engine.get_resource(made.id) == changed
    assert changed == await engine.get_resource(made.id, connection=foreign)
    assert await engine.get_resource(other.id) == other
    nights = await engine.availability(made.id, AvailabilityQuery())
    assert isinstance(nights, NightsAvailability)
