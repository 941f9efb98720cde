"""A sale that opens by time: no event tells of it, and who waits for it comes before the others."""

from __future__ import annotations

from datetime import timedelta

import pytest

import bespeak
from bespeak import Best, Line, Row, SeatsPlan, Section
from bespeak.reservations.errors import KeptForWaitlist
from bespeak.waitlists.matcher import WaitlistMatcher
from tests.harness.clock import Clock
from tests.harness.shows import MakeShow, take
from tests.harness.waitlists import entry_of, join, listed, units

ROOM = SeatsPlan(sections=(Section("Stalls", (Row("A", 4), Row("B", 4))),))


async def test_a_sale_that_opens_by_time_is_looked_at_when_it_does(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    show = await make_show(plan=ROOM, opens_at=clock.now + timedelta(hours=1))
    waitlist = await listed(engine, show)
    asha, bela = await join(engine, waitlist, "asha", 2), await join(engine, waitlist, "bela")
    matcher, guests = WaitlistMatcher(engine), engine.for_guests()
    for _ in range(3):
        await matcher.look()
    assert (await engine.get_resource(show.id)).kept_for_waitlist, "until it was looked at then"
    with pytest.raises(bespeak.ResourceNotOpen):
        await take(guests, [Line(show.id, "A1")], "mallory")
    await clock.advance(3600)
    with pytest.raises(KeptForWaitlist):
        await take(guests, [Line(show.id, "A1")], "mallory")
    await matcher.look()
    assert (len(await units(engine, asha)), len(await units(engine, bela))) == (2, 1)
    # What is left then is anyone's.
    assert not (await engine.get_resource(show.id)).kept_for_waitlist
    await take(guests, [Line(show.id, best=Best(2))], "mallory")


async def test_a_sale_that_opens_is_kept_for_nobody_where_nobody_waits(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    opens_at = clock.now + timedelta(hours=1)
    one, other = [await make_show(plan=ROOM, opens_at=opens_at) for _ in range(2)]
    waitlist = await listed(engine, one)
    anyones = await listed(engine, other, freed_goes_to="anyone")
    asha, bela = await join(engine, waitlist, "asha"), await join(engine, anyones, "bela")
    matcher, guests = WaitlistMatcher(engine), engine.for_guests()
    await matcher.look()
    await engine.waitlists.withdraw(asha.id)
    await matcher.look()
    await clock.advance(3600)
    for show in (one, other):
        await take(guests, [Line(show.id, "A1")], "mallory")
    await matcher.look()
    assert len(await units(engine, bela)) == 1, "and the list is looked at all the same"


async def test_a_clock_that_is_behind_the_database_misses_no_opening(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked at again until the sale has begun for whoever looks, too."""
    show = await make_show(plan=ROOM, opens_at=clock.now + timedelta(hours=1))
    asha = await join(engine, await listed(engine, show), "asha")
    matcher = WaitlistMatcher(engine)
    await matcher.look()
    await clock.advance(3600)
    behind = engine.clock.now() - timedelta(seconds=5)
    with monkeypatch.context() as patched:
        patched.setattr(engine.clock, "now", lambda: behind)
        await matcher.look()
        assert (await entry_of(engine, asha)).state == "waiting"
        assert (await engine.get_resource(show.id)).kept_for_waitlist
    await matcher.look()
    assert len(await units(engine, asha)) == 1


async def test_whoever_looks_next_finds_an_opening_that_nobody_has_looked_at(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one who was at it died, or somebody else had the list."""
    show = await make_show(plan=ROOM, opens_at=clock.now + timedelta(hours=1))
    asha = await join(engine, await listed(engine, show), "asha")
    matcher = WaitlistMatcher(engine)
    for _ in range(3):  # until no event is left that it would be looked at for
        await matcher.look()
    await clock.advance(3600)

    async def lent(_: object) -> bool:
        return False

    with monkeypatch.context() as patched:
        patched.setattr(matcher, "match", lent)
        await matcher.look()
    await WaitlistMatcher(engine).look()
    assert len(await units(engine, asha)) == 1
