"""Appointments at rates: what is held has the length, the price and the terms of its rate; a
provider is never booked twice at a time; and a patient moves an appointment to another time.
"""

from collections.abc import AsyncIterator

import msgspec
import pytest

import bespeak
from bespeak import Booking, Line, Move, NotOnSale, Resource, Row, SeatsPlan, Section, UnitTaken
from bespeak.errors import InvalidRequest, ResourceInUse
from bespeak.inventory.resources import ResourceChange
from bespeak.inventory.shapes.times.availability import TimesAvailability
from bespeak.inventory.shapes.times.plan import Provider, TimesPlan, TimesRate
from bespeak.inventory.timeline.hours import WeeklyHours
from bespeak.pricing.rules import Cancellation, CancellationOverride, Pricing
from bespeak.waitlists.wish import WantedPlace
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, problems
from tests.harness.shows import MakeShow, book, take
from tests.harness.waitlists import cancel, entry_of, join, listed, match

RATES = (
    TimesRate(name="First", minutes=60, price=4000),
    TimesRate(name="Short", minutes=20, step_minutes=10),
    TimesRate(name="Surgery", minutes=90, providers=("bea",)),
)
PLAN = TimesPlan(
    slot_minutes=30,
    weekly=(WeeklyHours("09:00", "13:00"),),
    providers=(Provider("ann"), Provider("bea")),
    price=700,
    raster_minutes=5,
    rates=RATES,
)
ALONE = msgspec.structs.replace(PLAN, providers=(Provider("ann"),), rates=RATES[:2])
WITHOUT = msgspec.structs.replace(ALONE, rates=(), step_minutes=15)


@pytest.fixture(autouse=True)
async def nothing_is_sold_twice(clock: Clock, connection: Connection) -> AsyncIterator[None]:
    assert clock.now == START
    yield
    assert await problems(connection) == []


def at(practice: Resource, time: str, rate: str | None, unit: str | None = None) -> list[Line]:
    line = Line(practice.id, unit, from_=f"2030-01-03T{time}Z")
    return [line if rate is None else msgspec.structs.replace(line, rate=rate)]


async def refuses(engine: bespeak.Engine, lines: list[Line]) -> bespeak.Refused:
    with pytest.raises(bespeak.Refused) as refused:
        await take(engine, lines, "mallory")
    return refused.value


async def test_a_booking_has_the_length_the_price_and_the_terms_of_its_rate(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    strict = CancellationOverride(rates=("First",), refundable=False)
    pricing = Pricing(cancellation=Cancellation(free_until_seconds=3600, overrides=(strict,)))
    practice = await make_show(plan=PLAN, pricing=pricing)
    first = await engine.place_hold(
        owner="asha", lines=at(practice, "09:00", "First"), idempotency_key="first"
    )
    (line,) = first.lines
    assert (line.rate, line.from_, line.to) == (
        "First", "2030-01-03T09:00:00+00:00", "2030-01-03T10:00:00+00:00",
    )  # fmt: skip
    assert first.amount.amount == 4000
    assert first.quote is not None
    assert [part.label for part in first.quote.lines] == ["First"]
    short = await engine.quote(at(practice, "09:00", "Short"))
    terms = [quote.terms_of()[0] for quote in (first.quote, short)]
    assert [own is not None and bool(own.tiers) for own in terms] == [False, True]
    booked = await engine.confirm_hold(first.id)
    assert booked.lines[0].rate == "First"
    with pytest.raises(InvalidRequest, match="no rate 'None such'"):
        unknown = CancellationOverride(rates=("None such",), refundable=False)
        terms_of = Cancellation(free_until_seconds=0, overrides=(unknown,))
        await make_show(plan=PLAN, pricing=Pricing(cancellation=terms_of))


async def test_rates_that_overlap_collide_and_what_is_offered_keeps_the_rate(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    practice = await make_show(plan=PLAN)
    await book(engine, at(practice, "10:00", "Surgery"))
    for time, rate in (("09:30", "First"), ("11:20", "Short"), ("09:50", "Short")):
        with pytest.raises(UnitTaken) as refused:
            await take(engine, at(practice, time, rate, "bea"), "bela")
        found = refused.value.data["alternatives"]
        assert isinstance(found, list)
        offers = [offer for one in found for offer in one.offers]
        assert {line.rate for offer in offers for line in offer} == {rate}
    await book(engine, at(practice, "11:30", "Short", "bea"))
    free = await engine.availability(
        practice.id, bespeak.AvailabilityQuery("2030-01-03", "2030-01-04", unit="bea", rate="First")
    )
    assert isinstance(free, TimesAvailability)
    assert [slot.from_[11:16] for slot in free.slots if slot.reason is None] == ["09:00", "12:00"]
    with pytest.raises(InvalidRequest) as without:
        await take(engine, at(practice, "09:00", None))
    assert without.value.data["field"] == "lines[0].rate"
    seats = await make_show(plan=SeatsPlan(sections=(Section("A", (Row("A", 4),)),)))
    with pytest.raises(InvalidRequest, match="of times only"):
        await engine.availability(seats.id, bespeak.AvailabilityQuery(rate="First"))


async def test_a_plan_may_have_other_rates_while_its_raster_stays(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    practice = await make_show(plan=PLAN)
    old = await book(engine, at(practice, "09:00", "First", "ann"))
    longer = TimesRate(name="Long", minutes=75)
    others = msgspec.structs.replace(PLAN, rates=(longer, *RATES[1:]))
    await engine.update_resource(practice.id, ResourceChange(plan=others))
    await refuses(engine, at(practice, "09:30", "Long", "ann"))
    # What was booked at a rate that is gone stays, is moved and is given back.
    moved = await engine.move_booking(old.id, [Move("ann", "bea")])
    assert (moved.lines[0].unit, moved.lines[0].rate) == ("bea", "First")
    await book(engine, at(practice, "09:00", "Long", "ann"))
    await refuses(engine, at(practice, "09:00", "Surgery", "bea"))
    odd = msgspec.structs.replace(
        PLAN, raster_minutes=None, rates=(TimesRate(name="Odd", minutes=32),)
    )
    with pytest.raises(ResourceInUse):
        await engine.update_resource(practice.id, ResourceChange(plan=odd))
    await engine.cancel_booking(old.id, reason="wish")
    await book(engine, at(practice, "09:00", "Surgery", "bea"))


async def test_an_appointment_is_moved_to_another_provider_who_may_not_give_its_rate(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    practice = await make_show(plan=PLAN)
    old = await book(engine, at(practice, "09:00", "Surgery"))
    moved = await engine.move_booking(old.id, [Move("bea", "ann")])
    assert moved.lines[0].unit == "ann"
    await refuses(engine, at(practice, "10:00", "First", "ann"))
    # The patient chooses another time: whoever gives the surgery then.
    held = await engine.change_stay(
        old.id, owner="asha", lines=at(practice, "10:00", "Surgery"), alternatives=0
    )
    assert held.lines[0].unit == "bea"
    await confirmed(engine, held, old)


async def test_a_place_in_a_class_is_moved_into_the_time_that_it_has(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    """All others are full; with whom it is, its own place is left."""
    plan = msgspec.structs.replace(PLAN, capacity=2)
    practice = await make_show(plan=plan)
    old = await book(engine, at(practice, "10:00", "First", "ann"))
    await book(engine, at(practice, "10:00", "First", "ann"))
    (line,) = at(practice, "10:30", "First", "bea")
    await book(engine, [msgspec.structs.replace(line, quantity=2)])
    await refuses(engine, at(practice, "10:30", "First"))
    for quantity in (None, 1):
        (wanted,) = at(practice, "10:30", "First")
        lines = [msgspec.structs.replace(wanted, quantity=quantity)]
        held = await engine.change_stay(old.id, owner="asha", lines=lines, alternatives=0)
        assert (held.lines[0].unit, held.lines[0].quantity) == ("ann", 1)
        await engine.release_hold(held.id, owner="asha")
    with pytest.raises(bespeak.SoldOut):
        lines = [msgspec.structs.replace(wanted, quantity=2)]
        await engine.change_stay(old.id, owner="asha", lines=lines, alternatives=0)


async def confirmed(engine: bespeak.Engine, held: bespeak.Hold, old: Booking) -> Booking:
    new = await engine.confirm_hold(held.id)
    gone = await engine.get_booking(old.id)
    assert (gone.state, gone.reason) == ("cancelled", "exchanged")
    return new


# From when to when a patient moves an appointment: earlier, later, by less than its length.
MOVES = (("10:00", "10:30"), ("10:00", "09:30"), ("10:00", "10:00"), ("10:00", "12:00"))


@pytest.mark.parametrize("rate", ["First", None], ids=["at a rate", "without rates"])
async def test_a_patient_moves_an_appointment_that_overlaps_the_old_one(
    engine: bespeak.Engine, make_show: MakeShow, rate: str | None
) -> None:
    practice = await make_show(plan=WITHOUT if rate is None else ALONE)
    for before, after in MOVES:
        old = await book(engine, at(practice, before, rate))
        held = await engine.change_stay(old.id, owner="asha", lines=at(practice, after, rate))
        # Nobody else gets what either has.
        for mine in {before, after}:
            await refuses(engine, at(practice, mine, rate))
        await engine.release_hold(held.id, owner="asha")
        await refuses(engine, at(practice, before, rate))
        again = await engine.change_stay(old.id, owner="asha", lines=at(practice, after, rate))
        new = await confirmed(engine, again, old)
        assert new.lines[0].from_ == f"2030-01-03T{after}:00+00:00"
        await refuses(engine, at(practice, after, rate))
        await cancel(engine, new)
    await book(engine, at(practice, "10:00", rate))


async def test_a_patient_changes_to_another_rate(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    practice = await make_show(plan=PLAN)
    old = await book(engine, at(practice, "10:00", "First", "ann"))
    held = await engine.change_stay(old.id, owner="asha", lines=at(practice, "10:10", "Short"))
    # With the one of before where that may be; bea alone gives the surgery.
    assert held.lines[0].unit == "ann"
    new = await confirmed(engine, held, old)
    await book(engine, at(practice, "10:30", "Short", "ann"), "bela")
    held = await engine.change_stay(new.id, owner="asha", lines=at(practice, "10:00", "Surgery"))
    assert held.lines[0].unit == "bea"
    await confirmed(engine, held, new)


async def test_who_waits_for_an_appointment_waits_for_one_at_a_rate(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    practice = await make_show(plan=ALONE)
    sold = await book(engine, at(practice, "09:00", "First"))
    waitlist = await listed(engine, practice)
    ends = {"from_": "2030-01-03T09:00Z", "to": "2030-01-03T10:00Z"}
    for rate, field in ((None, "rate"), ("None such", "rate"), ("Short", "to")):
        place = WantedPlace(practice.id, **ends)
        if rate is not None:
            place = msgspec.structs.replace(place, rate=rate)
        with pytest.raises(InvalidRequest) as refused:
            await join(engine, waitlist, "bela", places=(place,))
        assert refused.value.data["field"] == f"wish.places[0].{field}"
    places = (WantedPlace(practice.id, **ends, rate="First"),)
    bela = await join(engine, waitlist, "bela", places=places)
    await cancel(engine, sold)
    await match(engine)
    entry = await entry_of(engine, bela)
    assert entry.state == "offered"
    assert entry.offer is not None
    assert (await engine.get_hold(entry.offer.hold_id)).lines[0].rate == "First"


async def test_a_block_takes_the_time_of_every_rate(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    practice = await make_show(plan=PLAN)
    lunch = bespeak.BlockLine("ann", from_="2030-01-03T09:50Z", to="2030-01-03T10:05Z")
    await engine.block(practice.id, [lunch], reason="lunch")
    for time, rate in (("09:00", "First"), ("09:40", "Short"), ("10:00", "Short")):
        await refuses(engine, at(practice, time, rate, "ann"))
    await book(engine, at(practice, "10:10", "Short", "ann"))
    with pytest.raises(NotOnSale):
        await take(engine, at(practice, "12:30", "First", "ann"))
