"""Nobody joins a waitlist for a range that never comes: it is judged as a hold of it would be."""

from datetime import date, timedelta

import msgspec
import pytest

import bespeak
from bespeak import Line, NightsPlan, ResourceChange
from bespeak.inventory.plans import Plan
from bespeak.inventory.shapes.moments.plan import MomentsPlan
from bespeak.inventory.shapes.nights.plan import NightRule
from bespeak.waitlists.entry import NewWaitlistEntry, WaitlistEntry
from bespeak.waitlists.wish import WaitlistWish, WantedPlace
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, problems
from tests.harness.shows import MakeShow
from tests.harness.waitlists import EVENINGS, TRAIN, at, entry_of, join, listed, match, units

NIGHTS = NightsPlan(
    rooms=("101", "102"),
    min_nights=2,
    window_days=60,
    rules=(NightRule(from_=date(2030, 2, 10), to=date(2030, 2, 12), closed=True),),
)
CARS = MomentsPlan(things=("Van", "Mini"), raster_minutes=15, min_minutes=30, horizon_days=90)


@pytest.fixture(autouse=True)
async def nothing_is_sold_twice(clock: Clock, connection: Connection) -> object:
    """After each test the inventory is right; the clock stands at noon of New Year's Day."""
    assert clock.now == START
    yield
    assert await problems(connection) == []


@pytest.mark.parametrize(
    ("plan", "start", "end", "code", "field"),
    [
        (EVENINGS, "2030-01-02T18:20:00Z", "2030-01-02T19:20:00Z", "not_on_sale", "from"),
        (EVENINGS, "2030-01-02T18:00:00Z", "2030-01-02T18:30:00Z", "invalid_request", "to"),
        (EVENINGS, "2030-01-02T09:00:00Z", "2030-01-02T10:00:00Z", "not_on_sale", "from"),
        (EVENINGS, "2029-12-31T18:00:00Z", "2029-12-31T19:00:00Z", "not_on_sale", "from"),
        (EVENINGS, "2031-01-02T18:00:00Z", "2031-01-02T19:00:00Z", "not_on_sale", "from"),
        (EVENINGS, "tomorrow", "2031-01-02T19:00:00Z", "invalid_request", "from"),
        (CARS, "2030-01-02T18:20:00Z", "2030-01-02T19:00:00Z", "invalid_request", "from"),
        (CARS, "2030-01-02T18:00:00Z", "2030-01-02T19:10:00Z", "invalid_request", "to"),
        (CARS, "2030-01-02T18:00:00Z", "2030-01-02T18:15:00Z", "not_on_sale", "from"),
        (NIGHTS, "2030-02-01", "2030-02-02", "not_on_sale", "from"),
        (NIGHTS, "2030-02-03", "2030-02-01", "invalid_request", "to"),
        (NIGHTS, "2029-12-01", "2029-12-03", "not_on_sale", "from"),
        (NIGHTS, "2030-04-01", "2030-04-03", "not_on_sale", "from"),
        (TRAIN, "A", "Z", "invalid_request", "to"),
        (TRAIN, "Z", "B", "invalid_request", "from"),
        (TRAIN, "C", "B", "invalid_request", "to"),
    ],
)
async def test_nobody_joins_for_a_range_that_never_comes(
    engine: bespeak.Engine,
    make_show: MakeShow,
    plan: Plan,
    start: str,
    end: str,
    code: str,
    field: str,
) -> None:
    """The one who joins is told which place, and by the rule that a hold of it is refused with."""
    show = await make_show(plan=plan)
    waitlist = await listed(engine, show)
    good = {"times": (at(18), at(19)), "moments": (at(18), at(19)), "legs": ("A", "C")}
    first = good.get(str(plan.__struct_config__.tag), ("2030-02-01", "2030-02-03"))
    places = (WantedPlace(show.id, *first), WantedPlace(show.id, start, end))
    with pytest.raises(bespeak.BespeakError) as refused:
        await join(engine, waitlist, "asha", places=places)
    assert (refused.value.code, refused.value.data["field"]) == (code, f"wish.places[1].{field}")
    assert (await engine.waitlists.get(waitlist.id)).waiting == 0
    with pytest.raises(bespeak.BespeakError) as of_hold:
        await engine.place_hold(owner="asha", lines=[Line(show.id, from_=start, to=end)])
    if plan is not TRAIN:  # a seat of it is asked for by `best`
        assert of_hold.value.code == code
    await join(engine, waitlist, "asha", places=places[:1])


async def test_nights_that_are_closed_may_be_waited_for(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    """A house that has sold a night elsewhere closes it, and opens it when that is cancelled."""
    hotel = await make_show(plan=NIGHTS, kind="room")
    waitlist = await listed(engine, hotel)
    stay = (WantedPlace(hotel.id, from_="2030-02-10", to="2030-02-12"),)
    asha = await join(engine, waitlist, "asha", places=stay)
    await match(engine)
    assert (await entry_of(engine, asha)).state == "waiting"
    opened = msgspec.structs.replace(NIGHTS, rules=())
    await engine.update_resource(hotel.id, ResourceChange(plan=opened))
    await match(engine)
    assert len(await units(engine, asha)) == 1


async def test_one_who_has_joined_is_answered_again_when_the_time_has_passed(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    tables = await make_show(plan=EVENINGS)
    waitlist = await listed(engine, tables)
    wish = WaitlistWish(party=1, places=(WantedPlace(tables.id, from_=at(18), to=at(20)),))

    async def ask(key: str) -> WaitlistEntry:
        new = NewWaitlistEntry(wish=wish)
        return await engine.waitlists.join(waitlist.id, new, owner="asha", idempotency_key=key)

    first = await ask("one")
    await clock.set(START + timedelta(days=2))
    again = await ask("one")
    assert again.replayed
    assert again.id == first.id
    await engine.waitlists.withdraw(first.id)
    with pytest.raises(bespeak.NotOnSale):
        await ask("two")
    assert (await engine.waitlists.get(waitlist.id)).waiting == 0
