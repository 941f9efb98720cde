"""Waitlists of what is sold from when to when: times, exact ranges, seats of a run over its legs,
nights. What comes back in part is offered to nobody whom it does not serve; and of what has
several kinds of places, whoever takes any is offered any.
"""

import pytest

import bespeak
from bespeak import BlockLine, Line, NightsPlan, PoolPlan, PoolsPlan, Row, SeatsPlan, Section
from bespeak.inventory.shapes.legs.plan import LegsPlan, Quota
from bespeak.inventory.shapes.moments.plan import MomentsPlan
from bespeak.inventory.shapes.times.plan import TimesPlan
from bespeak.inventory.timeline.hours import WeeklyHours
from bespeak.waitlists.entry import WaitlistEntry
from bespeak.waitlists.wish import WantedPlace
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, problems
from tests.harness.shows import MakeShow, book
from tests.harness.waitlists import (
    EVENINGS,
    STOPS,
    TRAIN,
    at,
    cancel,
    entry_of,
    join,
    listed,
    match,
    units,
)


@pytest.fixture(autouse=True)
async def nothing_is_sold_twice(clock: Clock, connection: Connection) -> object:
    """After each test the inventory is right; the clock stands at noon of New Year's Day."""
    assert clock.now == START
    yield
    assert await problems(connection) == []


async def waits(engine: bespeak.Engine, *entries: WaitlistEntry) -> bool:
    """Whether nobody of them is offered anything."""
    return all([(await entry_of(engine, one)).state == "waiting" for one in entries])


async def test_a_table_that_comes_back_for_half_of_the_time_is_offered_when_all_of_it_does(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    tables = await make_show(plan=EVENINGS)

    def hour(table: str, start: int) -> list[Line]:
        return [Line(tables.id, table, from_=at(start), to=at(start + 1))]

    sold = {
        (table, start): await book(engine, hour(table, start))
        for table in ("Window", "Corner")
        for start in (18, 19, 20)
    }
    waitlist = await listed(engine, tables)
    evening = (WantedPlace(tables.id, from_=at(18), to=at(20)),)
    asha = await join(engine, waitlist, "asha", places=evening)
    corner = await join(engine, waitlist, "bela", places=evening, categories=("Corner",))
    late = await join(
        engine, waitlist, "chen", places=(WantedPlace(tables.id, from_=at(20), to=at(21)),)
    )
    # An hour of one table and the next hour of another are no evening.
    await cancel(engine, sold["Window", 18], sold["Corner", 19])
    await match(engine)
    assert await waits(engine, asha, corner, late)
    await cancel(engine, sold["Window", 19])
    await match(engine)
    assert await units(engine, asha) == ["Window"]
    hold = await engine.waitlists.accept(asha.id)
    assert (hold.lines[0].from_, hold.lines[0].to) == (at(18), at(20))
    assert await waits(engine, corner, late)
    await cancel(engine, sold["Corner", 18], sold["Corner", 20])
    await match(engine)
    assert await units(engine, corner) == ["Corner"]
    assert await units(engine, late) == ["Corner"]
    # Other evenings are free: it is never kept from who does not wait.
    assert not (await engine.get_resource(tables.id)).kept_for_waitlist


async def test_a_party_at_two_tables_waits_for_both(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    tables = await make_show(plan=EVENINGS)
    sold = [
        await book(engine, [Line(tables.id, table, from_=at(18), to=at(20))])
        for table in ("Window", "Corner")
    ]
    waitlist = await listed(engine, tables)
    evening = (WantedPlace(tables.id, from_=at(18), to=at(20)),)
    asha = await join(engine, waitlist, "asha", 2, places=evening)
    await cancel(engine, sold[0])
    await match(engine)
    assert await waits(engine, asha)
    await cancel(engine, sold[1])
    await match(engine)
    assert await units(engine, asha) == ["Corner", "Window"]


async def test_places_of_a_time(engine: bespeak.Engine, make_show: MakeShow) -> None:
    """A class of six: three places come back one after the other, for a party of three."""
    lessons = await make_show(
        plan=TimesPlan(slot_minutes=60, weekly=(WeeklyHours("18:00", "22:00"),), capacity=6)
    )
    one = [Line(lessons.id, quantity=1, from_=at(18), to=at(19))]
    sold = [await book(engine, one) for _ in range(6)]
    waitlist = await listed(engine, lessons)
    asha = await join(
        engine, waitlist, "asha", 3, places=(WantedPlace(lessons.id, from_=at(18), to=at(19)),)
    )
    for booking in sold[:3]:
        await match(engine)
        assert await waits(engine, asha)
        await cancel(engine, booking)
    await match(engine)
    assert (await entry_of(engine, asha)).state == "offered"


async def test_exact_ranges_of_several_things(engine: bespeak.Engine, make_show: MakeShow) -> None:
    cars = await make_show(plan=MomentsPlan(things=("Van", "Mini"), raster_minutes=15))
    van = await book(engine, [Line(cars.id, "Van", from_=at(9), to=at(11))])
    mini = [
        await book(engine, [Line(cars.id, "Mini", from_=at(start), to=at(start + 1))])
        for start in (9, 10)
    ]
    waitlist = await listed(engine, cars)
    morning = (WantedPlace(cars.id, from_=at(9), to=at(11)),)
    asha = await join(engine, waitlist, "asha", places=morning, categories=("Mini",))
    bela = await join(engine, waitlist, "bela", places=morning)
    await cancel(engine, mini[0])
    await match(engine)
    assert await waits(engine, asha, bela)
    await cancel(engine, van)
    await match(engine)
    assert await units(engine, bela) == ["Van"]
    assert await waits(engine, asha)
    await cancel(engine, mini[1])
    await match(engine)
    assert await units(engine, asha) == ["Mini"]
    with pytest.raises(bespeak.InvalidRequest) as refused:
        await join(engine, waitlist, "chen", places=morning, categories=("Tractor",))
    assert refused.value.data["field"] == "wish.categories[0]"


async def test_a_seat_of_a_run_is_offered_when_it_is_free_on_all_legs(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    run = await make_show(plan=TRAIN)

    def leg(seat: str, start: str, end: str) -> list[Line]:
        return [Line(run.id, seat, from_=start, to=end)]

    sold = {
        (seat, start): await book(engine, leg(seat, start, end))
        for seat in ("11", "12")
        for start, end in ("AB", "BC", "CD")
    }
    waitlist = await listed(engine, run)
    asha = await join(engine, waitlist, "asha", places=(WantedPlace(run.id, from_="A", to="C"),))
    bela = await join(engine, waitlist, "bela", places=(WantedPlace(run.id, from_="B", to="C"),))
    # A seat as far as B and another one from there would be a change on the way.
    await cancel(engine, sold["11", "A"], sold["12", "C"])
    await match(engine)
    assert await waits(engine, asha, bela)
    await cancel(engine, sold["12", "B"])
    await match(engine)
    assert await units(engine, bela) == ["12"]
    await cancel(engine, sold["11", "B"])
    await match(engine)
    assert await units(engine, asha) == ["11"]
    hold = await engine.waitlists.accept(asha.id)
    assert [(line.from_, line.to) for line in hold.lines] == [("A", "C")]


async def test_a_quota_that_comes_back_serves_who_waits_for_its_legs(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    """Seats are free, and none may be sold from B to C, until a place of the quota comes back."""
    quota = Quota(name="bridge", capacity=1, from_="B", to="C")
    run = await make_show(plan=LegsPlan(stops=STOPS, sections=TRAIN.sections, quotas=(quota,)))
    sold = await book(engine, [Line(run.id, "11", from_="B", to="C")])
    waitlist = await listed(engine, run)
    whole = (WantedPlace(run.id, from_="A", to="D"),)
    asha = await join(engine, waitlist, "asha", places=whole)
    await match(engine)
    assert await waits(engine, asha)
    await cancel(engine, sold)
    await match(engine)
    assert len(await units(engine, asha)) == 1


async def test_places_of_a_run_without_a_number(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    """A run that has no seats, and one that has both: whoever takes any is offered any."""
    bus = await make_show(plan=LegsPlan(stops=STOPS, pools=(PoolPlan("Bus", 2),)))
    both = await make_show(
        plan=LegsPlan(
            stops=STOPS,
            sections=TRAIN.sections,
            pools=(PoolPlan("Standing", 1, category="Cheap"),),
        )
    )
    sold = [await book(engine, [Line(bus.id, "Bus", 2, from_="A", to="D")])]
    sold += [
        await book(engine, [Line(both.id, unit, from_="A", to="D")])
        for unit in ("11", "12", "Standing")
    ]
    waitlist = await listed(engine, bus, both)
    on_bus = await join(
        engine, waitlist, "asha", 2, places=(WantedPlace(bus.id, from_="A", to="B"),)
    )
    anywhere = (WantedPlace(both.id, from_="B", to="C"),)
    seated = await join(engine, waitlist, "bela", places=anywhere, categories=("Second",))
    any_place = await join(engine, waitlist, "chen", places=anywhere)
    cheap = await join(engine, waitlist, "dora", places=anywhere, categories=("Cheap",))
    await cancel(engine, sold[0], sold[3])
    await match(engine)
    assert await units(engine, on_bus) == ["Bus"]
    assert await units(engine, any_place) == ["Standing"]
    assert await waits(engine, seated, cheap)
    await engine.waitlists.decline(any_place.id)
    await match(engine)
    assert await units(engine, cheap) == ["Standing"]
    assert await waits(engine, seated)


async def test_of_a_hall_with_seats_and_places_any_will_do(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    hall = await make_show(
        plan=SeatsPlan(
            sections=(Section("Stalls", (Row("A", 2),)),),
            pools=(PoolPlan("floor", 2, category="Standing"),),
        )
    )
    sold = [await book(engine, [Line(hall.id, unit)]) for unit in ("A1", "A2")]
    sold.append(await book(engine, [Line(hall.id, "floor", 2)]))
    waitlist = await listed(engine, hall)
    asha = await join(engine, waitlist, "asha", 2, categories=("Standing",))
    bela = await join(engine, waitlist, "bela", 2)
    await cancel(engine, *sold[:2])
    await match(engine)
    assert await units(engine, bela) == ["A1", "A2"]
    assert await waits(engine, asha)
    await engine.waitlists.decline(bela.id)
    chen = await join(engine, waitlist, "chen", 2, categories=("floor",))
    await cancel(engine, sold[2])
    await match(engine)
    assert await units(engine, asha) == ["floor"]
    assert await waits(engine, chen)


async def test_nights_of_a_stay_that_come_back_one_after_the_other(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    hotel = await make_show(plan=NightsPlan(rooms=("101", "102")), kind="room")
    sold = {
        (room, day): await book(
            engine, [Line(hotel.id, room, from_=f"2030-02-0{day}", to=f"2030-02-0{day + 1}")]
        )
        for room in ("101", "102")
        for day in (1, 2)
    }
    waitlist = await listed(engine, hotel)
    stay = (WantedPlace(hotel.id, from_="2030-02-01", to="2030-02-03"),)
    asha = await join(engine, waitlist, "asha", places=stay)
    both = await join(engine, waitlist, "bela", 2, places=stay)
    await cancel(engine, sold["101", 1], sold["102", 2])
    await match(engine)
    assert await waits(engine, asha, both)
    await cancel(engine, sold["101", 2])
    await match(engine)
    assert await units(engine, asha) == ["101"]
    await cancel(engine, sold["102", 1])
    await match(engine)
    assert await waits(engine, both)
    await engine.waitlists.decline(asha.id)
    await match(engine)
    assert await units(engine, both) == ["101", "102"]


async def test_what_is_unblocked_is_offered_as_what_was_cancelled_is(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    floor = await make_show(plan=PoolsPlan((PoolPlan("floor", 2),)))
    tables = await make_show(plan=EVENINGS)
    blocks = [
        await engine.block(floor.id, [BlockLine("floor", 2)], reason="stage"),
        await engine.block(tables.id, [BlockLine(from_=at(18), to=at(20))], reason="party"),
    ]
    waitlist = await listed(engine, floor, tables)
    asha = await join(engine, waitlist, "asha", 2, places=(WantedPlace(floor.id),))
    evening = (WantedPlace(tables.id, from_=at(18), to=at(20)),)
    bela = await join(engine, waitlist, "bela", places=evening)
    await match(engine)
    assert await waits(engine, asha, bela)
    for block in blocks:
        await engine.unblock(block.id)
    await match(engine)
    assert await units(engine, asha) == ["floor"]
    assert (await entry_of(engine, bela)).state == "offered"
