"""What the feed is told of waiting rooms, and how often."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest

import bespeak
from bespeak.lines import Line
from tests.harness.clock import Clock
from tests.harness.database import Connection, feed_settled
from tests.harness.shows import MakeShow
from tests.harness.waiting import Hall

TWO_SEATS = bespeak.SeatsPlan(sections=(bespeak.Section("Stalls", (bespeak.Row("A", 2),)),))
NEWS = """
    select kind, data from bespeak.event where kind like 'waiting_room%' order by horizon, position
"""


@pytest.fixture
def hall(engine: bespeak.Engine, connection: Connection, clock: Clock) -> Hall:
    return Hall(engine, connection, clock)


async def told(connection: Connection) -> list[str]:
    """The kinds of what the feed was told, with the reason where there is one."""
    found = []
    for row in await connection.fetch(NEWS):
        data = msgspec.json.decode(row["data"])
        assert data["waiting_room_id"].startswith("wrm_")
        kind = row["kind"].removeprefix("waiting_room_")
        found.append(f"{kind} {data['reason']}" if "reason" in data else kind)
    return found


async def test_an_opening_is_told_once_and_again_when_it_was_taken_back(
    hall: Hall, show: bespeak.Resource, connection: Connection, clock: Clock
) -> None:
    worker = await hall.open(show.id)
    worker.join("ada")
    await worker.look()
    await hall.go_on(30, times=2)
    await hall.go_on(2, times=3)
    assert await told(connection) == ["opened"]
    await hall.change(state="scheduled", opens_at=clock.now + timedelta(hours=1))
    await hall.change(state="open")
    assert await told(connection) == ["opened", "opened"]


async def test_sold_out_is_told_once_until_something_comes_back(
    engine: bespeak.Engine, hall: Hall, make_show: MakeShow, connection: Connection
) -> None:
    show = await make_show(plan=TWO_SEATS)
    worker = await hall.open(show.id, pace="stock")
    worker.join("ada")
    await worker.look()
    lines = [Line(show.id, "A1"), Line(show.id, "A2")]
    booking = await engine.confirm_hold((await engine.place_hold(owner="fast", lines=lines)).id)
    await hall.go_on(2, times=3)
    assert await told(connection) == [], "it is no news before the sale"
    await hall.go_on(60)
    await hall.go_on(2, times=5)
    assert await told(connection) == ["opened", "sold_out"]
    await engine.cancel_booking(booking.id, reason="ill")
    await hall.go_on(2, times=2)
    await engine.confirm_hold((await engine.place_hold(owner="next", lines=lines)).id)
    await hall.go_on(2, times=5)
    assert await told(connection) == ["opened", "sold_out", "sold_out"]


async def test_that_nobody_waits_is_told_after_a_minute_of_it_and_once(
    hall: Hall, show: bespeak.Resource, connection: Connection
) -> None:
    worker = await hall.open(show.id)
    worker.join("ada")
    await worker.look()
    await hall.go_on(60)
    await hall.go_on(2, times=20)
    assert await told(connection) == ["opened"]
    await hall.go_on(2, times=20)
    assert await told(connection) == ["opened", "drained empty"]
    worker.join("ben")
    await worker.look()
    await hall.go_on(2, times=60)
    await hall.change(state="ended")
    assert await told(connection) == ["opened", "drained empty"]


async def test_while_one_is_inside_and_another_waits_nobody_is_told_that_none_does(
    hall: Hall, show: bespeak.Resource, connection: Connection
) -> None:
    worker = await hall.open(show.id, inside_max=1, early_order="first_come")
    first, _ = [worker.join(f"guest {n}") for n in range(2)]
    await worker.look()
    await hall.go_on(60)
    await hall.go_on(2, times=5)
    await worker.come_in(first, "guest 0")
    await hall.go_on(2, times=60)
    assert await told(connection) == ["opened"]


@pytest.mark.parametrize("opens_first", [True, False])
async def test_an_end_is_told_if_nobody_was_told_before(
    hall: Hall, show: bespeak.Resource, connection: Connection, opens_first: bool
) -> None:
    await hall.open(show.id)
    if opens_first:
        await hall.change(state="open")
    await hall.change(state="ended")
    assert await told(connection) == ["opened"] * opens_first + ["drained ended"]


async def test_it_is_told_of_the_first_resource_with_who_did_it(
    engine: bespeak.Engine, hall: Hall, make_show: MakeShow, connection: Connection
) -> None:
    shows = [await make_show() for _ in range(3)]
    await hall.open(*(show.id for show in reversed(shows)))
    with engine.acting_as("till-3"):
        await hall.change(state="open")
    await feed_settled(connection)
    (event,) = [
        one for one in (await engine.events(limit=1000)).items if one.kind == "waiting_room_opened"
    ]
    assert (event.resource_id, event.actor) == (min(show.id for show in shows), "till-3")
    assert event.data == {"waiting_room_id": hall.room.id}


async def test_a_line_that_is_drained_is_told_when_it_is_empty_also_if_it_was_empty_before(
    hall: Hall, show: bespeak.Resource, connection: Connection
) -> None:
    worker = await hall.open(show.id)
    await hall.go_on(60)
    await hall.go_on(2, times=35)
    assert await told(connection) == ["opened", "drained empty"]
    worker.join("ada")
    await worker.look()
    await hall.change(draining=True)
    await hall.go_on(2, times=35)
    assert await told(connection) == ["opened", "drained empty", "drained empty"]
    await hall.change(draining=True)
    await hall.go_on(2, times=35)
    assert len(await told(connection)) == 3, "once for each time that it is drained"
    await hall.change(state="ended")
    assert len(await told(connection)) == 3
