"""Loading the demo's cinemas: once, whatever ends it, and again only when the week is over."""

import asyncio
from datetime import datetime, timedelta

import bespeak
from bespeak import Line, NewResource, PoolPlan, SeatsPlan
from bespeak.inventory.shapes.registry import compile_seats
from bespeak.verticals.cinema.demo.load import load_demo
from bespeak.verticals.vertical import DemoLoad
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems


def seats(show: bespeak.Resource) -> int:
    assert isinstance(show.plan, SeatsPlan)
    return len(compile_seats(show.plan).categories)


# How much is sold beforehand depends on how much is left of the day: these tests begin at noon.


async def test_the_demo_is_loaded_once_whatever_ends_it_and_looks_alive(
    engine: bespeak.Engine, connection: Connection, clock: Clock
) -> None:
    other = NewResource(name="Another show", plan=SeatsPlan(pools=(PoolPlan("floor", 5),)))
    await engine.create_resource(other)
    now = clock.now
    await clock.go()
    first = await _load_in_pieces(engine, connection, now)
    show = first.featured[0]
    assert seats(show) == 300
    assert show.payment == "required"
    assert not await connection.fetchval("select count(*) from cinema.film where poster is null")
    assert show.pricing is not None
    assert show.pricing.cancellation is not None
    assert (show.hold_seconds, show.hold_seconds_max) == (420, 840)
    seen = await engine.availability(show.id)
    assert not getattr(seen, "taken", None)
    assert set(show.attributes) == {
        "city", "cinema", "screen", "film", "film_id", "language", "format", "starts_at",
        "location",
    }  # fmt: skip
    assert len(first.featured) > 20
    _begin_soon_and_in_order(first, now)
    counts = "select (select count(*) from bespeak.booking), (select count(*) from cinema.show), "
    counts += "(select count(*) from bespeak.resource where payment = 'none' and kind = 'show')"
    bookings, shows, unpaid = tuple(await connection.fetchrow(counts) or ())
    assert 1000 < bookings < 4000
    assert shows > 3000
    assert unpaid == 1  # the other
    assert await load_demo(engine, now) == first
    assert tuple(await connection.fetchrow(counts) or ()) == (bookings, shows, 1)
    await _looks_like_life(connection, now)
    await _forgets_payment(connection)
    await load_demo(engine, now)
    assert tuple(await connection.fetchrow(counts) or ()) == (bookings, shows, 1)
    await _passes_over_what_is_sold(engine, show, now)
    # Two days later it is the same week, and when that is over another one follows.
    later = await load_demo(engine, now + timedelta(days=2))
    assert later.featured[0].starts_at is not None
    assert later.featured[0].starts_at > now + timedelta(days=2)
    assert await connection.fetchval("select count(*) from cinema.show") == shows
    over = await load_demo(engine, now + timedelta(days=9))
    assert seats(over.featured[0]) == 300
    assert over.featured[0].starts_at is not None
    assert over.featured[0].starts_at > now + timedelta(days=9)
    assert await connection.fetchval("select count(*) from cinema.show") > shows


async def _looks_like_life(connection: Connection, now: datetime) -> None:
    """What was sold was sold over days, by people who took their time; a few changed their mind."""
    await _agrees(connection)
    row = await connection.fetchrow(
        "select min(b.confirmed_at) as first, max(b.confirmed_at) as last,"
        " count(distinct date_trunc('day', b.confirmed_at)) as days,"
        " count(distinct b.contact ->> 'name') as names, count(b.contact) as contacts,"
        " count(*) filter (where b.state = 'cancelled') as cancelled, count(*) as bookings,"
        " count(distinct b.confirmed_at - h.created_at) as paces,"
        " max(b.confirmed_at - h.created_at) as slowest"
        " from bespeak.booking b"
        " join bespeak.hold h on h.resource_id = b.resource_id and h.hold_id = b.booking_id"
    )
    assert row is not None
    assert now - timedelta(days=14, hours=1) < row["first"] < now - timedelta(days=10)
    assert now - timedelta(days=1) < row["last"] < now
    assert row["days"] > 10
    assert 20 < row["names"] <= row["contacts"] < row["bookings"] / 4
    assert 0 < row["cancelled"] < row["bookings"] / 10
    assert row["paces"] > row["bookings"] / 2
    assert row["slowest"] < timedelta(seconds=420)


async def _passes_over_what_is_sold(
    engine: bespeak.Engine, show: bespeak.Resource, now: datetime
) -> None:
    """What a crowd has bought most of is not what the next visitor is told to try."""
    tens = [[f"{row}{first + n}" for n in range(10)] for row in "DEFGHIJKL" for first in (1, 11)]
    holds = []
    for sold, ten in enumerate(tens[:16], start=1):
        crowd = [Line(show.id, unit) for unit in ten]
        holds.append(await engine.place_hold(owner=f"crowd-{sold}", lines=crowd))
        if sold == 15:
            assert (await load_demo(engine, now)).featured[0].id == show.id, "half of it is left"
    after = await load_demo(engine, now)
    assert after.featured[0].id != show.id
    assert seats(after.featured[0]) == 300
    for hold in holds:
        await engine.release_hold(hold.id)


def _begin_soon_and_in_order(loaded: DemoLoad, now: datetime) -> None:
    starts = [each.starts_at for each in loaded.featured[1:] if each.starts_at is not None]
    assert starts == sorted(starts)
    assert starts[0] < now + timedelta(hours=2)


async def _load_in_pieces(
    engine: bespeak.Engine, connection: Connection, now: datetime
) -> DemoLoad:
    """Loads the demo, broken off twice: it goes on where it was."""
    steps: list[tuple[int, int]] = []
    for pieces in (1, 2):
        steps.clear()
        far = asyncio.Event()

        def tell(done: int, total: int, far: asyncio.Event = far) -> None:
            steps.append((done, total))
            if done > steps[0][0]:
                far.set()

        loading = asyncio.create_task(load_demo(engine, now, tell))
        is_far = asyncio.create_task(far.wait())
        await asyncio.wait({loading, is_far}, return_when=asyncio.FIRST_COMPLETED)
        assert is_far.done()
        # In the middle of a piece, be it of the shows or of what is sold of them.
        for _ in range(20 * pieces):
            await asyncio.sleep(0)
        loading.cancel()
        await asyncio.gather(loading, return_exceptions=True)
        assert 0 < await connection.fetchval("select count(*) from cinema.show") < steps[-1][1]
    steps.clear()
    loaded = await load_demo(engine, now, lambda done, total: steps.append((done, total)))
    shows = await connection.fetchval("select count(*) from cinema.show")
    assert steps[0][0] > 0, "what was there is not loaded again"
    assert steps[-1] == (shows, shows)
    return loaded


async def _forgets_payment(connection: Connection) -> None:
    """As if the process had died before it asked for payment of what it had sold beforehand."""
    await connection.execute(
        "update bespeak.resource set payment = 'none' where resource_id in"
        " (select resource_id from bespeak.booking limit 5)"
    )


async def _agrees(connection: Connection) -> None:
    """Inventory, money and screens are as the demo found them: in order."""
    assert await problems(connection) == []
    assert await connection.fetch("select * from bespeak.money_problems()") == []
    overlaps = await connection.fetchval(
        "select count(*) from cinema.show a join cinema.show b on a.occupied && b.occupied"
        " and a.resource_id < b.resource_id"
    )
    assert overlaps == 0
