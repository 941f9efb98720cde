"""What comes back by itself, or is new: it is offered as what was cancelled is."""

from __future__ import annotations

import bespeak
from bespeak import Line, ResourceChange, Row, SeatsPlan, Section
from bespeak.reservations.sweeper import Sweeper
from tests.harness.clock import Clock
from tests.harness.shows import MakeShow, seats, take
from tests.harness.waitlists import entry_of, join, listed, match, units

ROOM = SeatsPlan(sections=(Section("Stalls", (Row("A", 2),)),))
BIGGER = SeatsPlan(sections=(Section("Stalls", (Row("A", 2), Row("B", 3))),))


async def test_what_somebody_held_and_let_lapse_is_offered(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    show = await make_show(plan=ROOM)
    await take(engine, seats(show, "A1", "A2"), "mallory")
    waitlist = await listed(engine, show)
    asha = await join(engine, waitlist, "asha", 2)
    await match(engine)
    assert (await entry_of(engine, asha)).state == "waiting"
    await clock.advance(show.hold_seconds + 1)
    await Sweeper(engine.database.pool).sweep()
    await match(engine)
    assert await units(engine, asha) == ["A1", "A2"]


async def test_seats_that_are_new_in_a_plan_are_offered(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    show = await make_show(plan=ROOM)
    await take(engine, [Line(show.id, "A1"), Line(show.id, "A2")], "mallory")
    waitlist = await listed(engine, show)
    asha, bela = await join(engine, waitlist, "asha", 2), await join(engine, waitlist, "bela", 2)
    await match(engine)
    assert (await engine.get_resource(show.id)).kept_for_waitlist
    await engine.update_resource(show.id, ResourceChange(plan=BIGGER))
    await match(engine)
    assert await units(engine, asha) == ["B1", "B2"]
    # One seat is left, of which a pair has no use: it is anyone's.
    assert (await entry_of(engine, bela)).state == "waiting"
    await take(engine.for_guests(), [Line(show.id, "B3")], "chen")
