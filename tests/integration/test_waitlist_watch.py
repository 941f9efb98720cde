"""What waitlists tell whoever counts: who waits, what was offered and how soon, how offers end; and
the alarm of a list whose offers nobody takes up.
"""

from __future__ import annotations

import pytest

import bespeak
from bespeak import PoolPlan, Resource, SeatsPlan
from bespeak.waitlists.matcher import WaitlistMatcher
from bespeak.waitlists.observer import OfferEnds, WaitlistCrowd, WaitlistObserver
from bespeak.waitlists.watch import CASES_MIN, WATCHED_SECONDS, WaitlistWatch
from tests.harness.clock import Clock
from tests.harness.shows import MakeShow
from tests.harness.waitlists import cancel, join, listed


class Ear(WaitlistObserver):
    """Hears all of it."""

    def __init__(self) -> None:
        self.waits: list[float | None] = []
        self.told: tuple[WaitlistCrowd, OfferEnds] | None = None
        self.lists = 0

    def offered(self, seconds: float | None) -> None:
        self.waits.append(seconds)

    def people(self, people: WaitlistCrowd, ends: OfferEnds) -> None:
        self.told = (people, ends)

    def alarms(self, lists: int) -> None:
        self.lists = lists


async def look(matcher: WaitlistMatcher) -> None:
    for _ in range(3):
        await matcher.look()


async def test_offers_and_how_soon_they_were_made_are_told(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    show = await make_show(plan=SeatsPlan(pools=(PoolPlan("floor", 2),)))
    ear = Ear()
    matcher = WaitlistMatcher(engine, ear)
    lines = [bespeak.Line(show.id, "floor", 1)]
    hold = await engine.place_hold(owner="first", lines=lines)
    booking = await engine.confirm_hold(hold.id, owner="first")
    waitlist = await listed(engine, show)
    asha = await join(engine, waitlist, "asha")
    await look(matcher)
    assert ear.waits == [None], "it was there before she joined"
    await join(engine, waitlist, "bela")
    await look(matcher)
    assert ear.waits == [None], "nothing is left"
    await cancel(engine, booking)
    await clock.advance(2)
    await look(matcher)
    assert ear.waits == [None, pytest.approx(2, abs=0.5)]
    # What is declined is there for whoever joins later: that is no time of the matcher's.
    await engine.waitlists.decline(asha.id)
    await look(matcher)
    await clock.advance(60)
    await join(engine, waitlist, "zoe")
    await look(matcher)
    assert ear.waits == [None, pytest.approx(2, abs=0.5), None]


async def test_people_ends_and_the_alarm_of_offers_that_lapse(
    engine: bespeak.Engine, show: Resource, clock: Clock
) -> None:
    ear = Ear()
    matcher, watch = WaitlistMatcher(engine), WaitlistWatch(engine.database.pool, ear)
    waitlist = await listed(engine, show)
    await watch.count()
    assert (ear.told, ear.lists) == ((WaitlistCrowd(0, 0), OfferEnds(0, 0, 0)), 0)
    for number in range(CASES_MIN - 1):
        await join(engine, waitlist, f"owner {number}")
    await look(matcher)
    await watch.count()
    assert ear.told == (WaitlistCrowd(0, CASES_MIN - 1), OfferEnds(0, 0, 0))
    await clock.advance(1801)
    await look(matcher)
    await watch.count()
    lapsed = CASES_MIN - 1
    assert (ear.told, ear.lists) == ((WaitlistCrowd(0, 0), OfferEnds(0, 0, lapsed)), 0)
    # One more is enough to say so, whichever way it ends.
    asha = await join(engine, waitlist, "asha")
    await look(matcher)
    await engine.waitlists.decline(asha.id)
    await watch.count()
    assert (ear.told, ear.lists) == ((WaitlistCrowd(0, 0), OfferEnds(0, 1, lapsed)), 1)
    await clock.advance(WATCHED_SECONDS)
    await watch.count()
    assert (ear.told, ear.lists) == ((WaitlistCrowd(0, 0), OfferEnds(0, 0, 0)), 0)
