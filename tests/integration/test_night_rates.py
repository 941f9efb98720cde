"""Stays at a rate, with guests: what is asked for is held at the price that was quoted, is kept
with the booking, and gives back by the terms of its rate.
"""

from datetime import timedelta

import msgspec
import pytest

import bespeak
from bespeak import InvalidRequest, Line, NotOnSale
from bespeak.errors import NotInBooking
from bespeak.inventory.resources import NewResource, Price, Resource, ResourceChange
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.inventory.shapes.registry import AnyPlan
from bespeak.pricing.rules import Pricing
from tests.harness.clock import START, Clock

pytestmark = pytest.mark.usefixtures("clock")
PLAN = {
    "type": "nights",
    "count": 4,
    "price": 10_000,
    "window_days": 365,
    "guests_max": 3,
    "guests_included": 2,
    "guest_price": 2000,
    "children": [{"under": 6, "basis_points": 0}],
    "rules": [{"days": ["fri", "sat"], "price": 15_000}],
    "rates": [
        {"name": "Saver", "basis_points": -1000},
        {"name": "Breakfast", "meals": "breakfast", "guest_amount": 1500},
        {"name": "Early", "amount": -2500, "min_days_ahead": 30},
    ],
    "discounts": [{"name": "A week", "min_nights": 7, "basis_points": 1000}],
}
PRICING = {
    "taxes": [
        {"name": "VAT", "basis_points": 700, "included": True},
        {"name": "City tax", "guest_night": 300, "age_from": 18},
    ],
    "cancellation": {
        "free_until_seconds": 86_400,
        "overrides": [{"rates": ["Saver"], "refundable": False}],
    },
}
ARRIVAL, DEPARTURE = "2030-01-10", "2030-01-14"  # a Thursday, and the Monday after it


async def hotel(engine: bespeak.Engine, plan: object = PLAN, pricing: object = PRICING) -> Resource:
    return await engine.create_resource(
        NewResource(
            name="Double room",
            plan=msgspec.convert(plan, AnyPlan),
            price=Price(0, "EUR"),
            pricing=None if pricing is None else msgspec.convert(pricing, Pricing),
            payment="at_venue",
            published=True,
        )
    )


def asked(resource: Resource, **more: object) -> Line:
    line = Line(resource.id, from_=ARRIVAL, to=DEPARTURE, guests=2)
    return msgspec.structs.replace(line, **more)


async def test_a_hold_has_the_price_that_was_quoted(engine: bespeak.Engine) -> None:
    resource = await hotel(engine)
    line = asked(resource, rate="Breakfast", guests=3, ages=(5,))
    quote = await engine.quote([line])
    hold = await engine.place_hold(lines=[line], owner="asha")
    assert hold.quote == quote
    assert hold.amount == quote.total
    [held] = hold.lines
    assert (held.rate, held.guests, held.ages) == ("Breakfast", 3, (5,))
    rooms, breakfasts, tax = 2 * 10_000 + 2 * 15_000, 4 * 2 * 1500, 4 * 2 * 300
    assert quote.total.amount == rooms + breakfasts + tax
    unit = quote.lines[0]
    assert [(run.from_, run.nights, run.amount) for run in unit.nights] == [
        ("2030-01-10", 1, 13_000),
        ("2030-01-11", 2, 18_000),
        ("2030-01-13", 1, 13_000),
    ]
    city = quote.lines[-1]
    assert (city.label, city.quantity, city.amount) == ("City tax", 8, 2400)


async def test_the_discount_is_a_part_of_the_quote(engine: bespeak.Engine) -> None:
    resource = await hotel(engine)
    quote = await engine.quote([asked(resource, to="2030-01-17", rate="Saver")])
    told = [(part.kind, part.label, part.amount) for part in quote.lines]
    assert told[:2] == [("unit", "Double room", 72_000), ("discount", "A week", -7200)]


@pytest.mark.parametrize(("rate", "given_back"), [("Saver", 0), ("Breakfast", 62_000)])
async def test_a_rate_has_its_own_terms(engine: bespeak.Engine, rate: str, given_back: int) -> None:
    resource = await hotel(engine, pricing={"cancellation": PRICING["cancellation"]})
    hold = await engine.place_hold(lines=[asked(resource, rate=rate)], owner="asha")
    assert hold.quote is not None
    [terms] = hold.quote.cancellation
    assert bool(terms.tiers) == bool(given_back)
    assert hold.amount.amount == (45_000 if rate == "Saver" else 62_000)


async def test_the_same_room_at_two_rates_is_two_lines(engine: bespeak.Engine) -> None:
    resource = await hotel(engine)
    lines = [asked(resource, rate="Saver"), asked(resource, rate="Breakfast", quantity=2)]
    hold = await engine.place_hold(lines=lines, owner="asha")
    booking = await engine.confirm_hold(hold.id, owner="asha")
    assert [(line.rate, line.guests) for line in booking.lines] == [("Saver", 2), ("Breakfast", 2)]
    part = Line(resource.id, None, 1, from_=ARRIVAL, to=DEPARTURE, rate="Breakfast")
    booking = await engine.cancel_booking(booking.id, reason="less", lines=[part])
    assert [line.cancelled_quantity for line in booking.lines] == [0, 1]
    with pytest.raises(NotInBooking):
        await engine.cancel_booking(
            booking.id, reason="less", lines=[msgspec.structs.replace(part, rate="Early")]
        )


async def test_what_can_be_had_has_its_guests(engine: bespeak.Engine) -> None:
    resource = await hotel(engine)
    await engine.place_hold(lines=[asked(resource, quantity=2)], owner="asha")
    wanted = asked(resource, quantity=3, guests=7, ages=(4, 5))
    hold = await engine.place_hold(lines=[wanted], owner="carla", partial=True)
    [line], [missing] = hold.lines, hold.missing
    assert (line.quantity, line.guests, line.ages) == (2, 5, (4,))
    assert (missing.quantity, missing.guests, missing.ages) == (1, 2, (5,))


async def test_guests_of_exact_rooms_are_dealt_out(engine: bespeak.Engine) -> None:
    plan = {key: value for key, value in PLAN.items() if key != "count"}
    resource = await hotel(engine, {**plan, "rooms": ["101", "102", "103"]})
    line = asked(resource, quantity=2, guests=5, ages=(5, 9))
    hold = await engine.place_hold(lines=[line], owner="asha")
    assert [(one.unit, one.guests, one.ages) for one in hold.lines] == [
        ("101", 3, (5,)),
        ("102", 2, (9,)),
    ]


async def test_what_is_free_for_a_stay_is_offered_with_its_guests(engine: bespeak.Engine) -> None:
    resource = await hotel(engine)
    await engine.place_hold(lines=[asked(resource, quantity=4, guests=4)], owner="asha")
    with pytest.raises(bespeak.SoldOut) as refused:
        await engine.place_hold(lines=[asked(resource, rate="Saver", guests=2)], owner="carla")
    assert refused.value.alternatives
    [instead] = refused.value.alternatives
    for offer in instead.offers:
        assert [(line.rate, line.guests) for line in offer] == [("Saver", 2)]


async def test_a_repeat_with_other_guests_is_another_request(engine: bespeak.Engine) -> None:
    resource = await hotel(engine)
    line = asked(resource, rate="Saver")
    first = await engine.place_hold(lines=[line], owner="asha", idempotency_key="k")
    again = await engine.place_hold(lines=[line], owner="asha", idempotency_key="k")
    assert (again.id, again.replayed) == (first.id, True)
    for other in ({"guests": 3}, {"rate": "Breakfast"}, {"ages": (3,)}):
        with pytest.raises(bespeak.IdempotencyKeyReused):
            await engine.place_hold(
                lines=[msgspec.structs.replace(line, **other)], owner="asha", idempotency_key="k"
            )


async def test_a_rate_for_early_birds_ends(engine: bespeak.Engine, clock: Clock) -> None:
    resource = await hotel(engine)
    line = asked(resource, rate="Early")
    with pytest.raises(NotOnSale) as refused:
        await engine.place_hold(lines=[line], owner="asha")
    assert refused.value.data["reasons"] == [
        {"reason": "cutoff", "date": ARRIVAL, "days": 30, "rate": "Early"}
    ]
    later = asked(resource, rate="Early", from_="2030-02-04", to="2030-02-05")
    assert (await engine.quote([later])).total.amount == 7500 + 600
    await clock.set(START + timedelta(days=10))
    with pytest.raises(NotOnSale):
        await engine.quote([later])


async def test_a_tax_for_guests_asks_how_many_there_are(engine: bespeak.Engine) -> None:
    plan = {"type": "nights", "count": 1, "price": 100}
    resource = await hotel(engine, plan, {"taxes": PRICING["taxes"]})
    line = Line(resource.id, from_=ARRIVAL, to=DEPARTURE)
    with pytest.raises(InvalidRequest) as refused:
        await engine.place_hold(lines=[line], owner="asha")
    assert refused.value.data["field"] == "lines[0].guests"


@pytest.mark.parametrize(
    "pricing",
    [
        {"cancellation": {"refundable": False, "overrides": [{"rates": ["Nobody"]}]}},
        {"taxes": [{"name": "City", "guest_night": 1, "basis_points": 1}]},
        {"taxes": [{"name": "City", "basis_points": 1, "age_from": 3}]},
    ],
)
async def test_prices_that_make_no_sense_with_the_plan(
    engine: bespeak.Engine, pricing: object
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        await hotel(engine, pricing=pricing)
    assert refused.value.data["field"] == "pricing"


async def test_a_rate_with_terms_does_not_go_away(engine: bespeak.Engine) -> None:
    resource = await hotel(engine)
    plan = msgspec.convert({**PLAN, "rates": PLAN["rates"][1:]}, NightsPlan)  # type: ignore[index]
    with pytest.raises(InvalidRequest):
        await engine.update_resource(resource.id, ResourceChange(plan=plan))


@pytest.mark.parametrize("more", [{"guests": 2}, {"rate": "Saver"}, {"ages": (3,)}])
async def test_seats_have_no_guests(engine: bespeak.Engine, more: dict[str, object]) -> None:
    plan = {"type": "seats", "sections": [{"name": "S", "rows": [{"name": "A", "seats": 2}]}]}
    resource = await engine.create_resource(
        NewResource(name="Show", plan=msgspec.convert(plan, AnyPlan))
    )
    with pytest.raises(InvalidRequest) as refused:
        await engine.place_hold(lines=[Line(resource.id, "A1", **more)], owner="asha")  # type: ignore[arg-type]
    assert str(refused.value.data["field"]).startswith("lines[0].")
