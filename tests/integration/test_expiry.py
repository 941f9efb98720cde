"""Expiry needs nobody: takeover, reclaimed pools, owner limits; and the sweeper, which tidies."""

import asyncio
from datetime import timedelta

import pytest

import bespeak
from bespeak import BlockLine, HoldState, Resource, Settings
from bespeak.errors import ExtensionBeyondCap
from bespeak.reservations.sweeper import Sweeper
from bespeak.states import EventKind
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, feed_settled, problems, session, snapshot
from tests.harness.shows import MakeShow, pool, seats, take


async def test_a_lapsed_claim_is_taken_over_to_the_microsecond(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    first = await take(engine, seats(show, "A1", "A2"), "asha")
    await clock.set(first.expires_at - timedelta(microseconds=1))
    with pytest.raises(bespeak.UnitTaken):
        await take(engine, seats(show, "A1"), "bela")
    await clock.set(first.expires_at)
    second = await take(engine, seats(show, "A1"), "bela")
    for verb in (engine.confirm_hold, engine.release_hold):
        with pytest.raises(bespeak.HoldExpired):
            await verb(first.id)
    assert (await engine.get_hold(first.id)).state is HoldState.EXPIRED
    await engine.confirm_hold(second.id)
    assert await problems(connection) == []


async def test_a_session_may_have_its_own_clock(
    engine: bespeak.Engine, show: Resource, database_url: str
) -> None:
    """`set bespeak.now` is what a test of an integrator moves."""
    hold = await take(engine, seats(show, "A1"))
    later = (hold.expires_at + timedelta(seconds=1)).isoformat()
    async with session(database_url, later) as tomorrow, tomorrow.transaction():
        taken = await engine.place_hold(owner="b", lines=seats(show, "A1"), connection=tomorrow)
    assert taken.created_at.isoformat() == later


async def test_a_pool_takes_back_lapsed_draws_before_it_refuses(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    show = await make_show(owner_limit=5)
    await take(engine, [pool(show, "floor", 2)], "asha", hold_seconds=60)
    kept = await take(engine, [pool(show, "floor", 1)], "bela", hold_seconds=600)
    await take(engine, [pool(show, "floor", 2)], "cleo", hold_seconds=120)
    await clock.advance(60)
    await take(engine, [pool(show, "floor", 2)], "dora", hold_seconds=600)
    with pytest.raises(bespeak.SoldOut):
        await take(engine, [pool(show, "floor", 1)], "emil")
    await clock.advance(60)
    await take(engine, [pool(show, "floor", 2)], "emil")
    assert await problems(connection) == []
    await engine.confirm_hold(kept.id)
    assert await problems(connection) == []


async def test_extending_and_confirming_keep_a_draw_from_being_taken_back(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    extended = await take(engine, [pool(show, "floor", 2)], "asha", hold_seconds=60)
    confirmed = await take(engine, [pool(show, "floor", 2)], "bela", hold_seconds=60)
    await engine.extend_hold(extended.id, seconds=600)
    await engine.confirm_hold(confirmed.id)
    await clock.advance(60)
    with pytest.raises(bespeak.SoldOut):
        await take(engine, [pool(show, "floor", 2)], "cleo")
    await clock.advance(540)
    await take(engine, [pool(show, "floor", 3)], "cleo")
    assert await problems(connection) == []


async def test_a_block_takes_over_what_lapsed(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    await take(engine, [*seats(show, "A1"), pool(show, "floor", 5)])
    await clock.advance(600)
    await engine.block(show.id, [BlockLine("A1"), BlockLine("floor", 5)], reason="x")
    assert await problems(connection) == []


async def test_the_owner_limit_is_over_holds_and_bookings_together(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    show = await make_show(owner_limit=4)
    booked = await engine.confirm_hold((await take(engine, seats(show, "A1", "A2"))).id)
    held = await take(engine, seats(show, "A3"))
    before = await snapshot(connection)
    with pytest.raises(bespeak.OwnerLimitReached) as caught:
        await take(engine, [*seats(show, "A4"), pool(show, "floor", 1)])
    assert caught.value.data["limits"] == [{"resource_id": show.id, "owner_limit": 4, "left": 1}]
    assert await snapshot(connection) == before
    lapsing = await take(engine, [pool(show, "floor", 1)], hold_seconds=60)
    await take(engine, seats(show, "A4"), "bela")

    await engine.release_hold(held.id)
    await take(engine, seats(show, "A3"), hold_seconds=1800)
    await clock.set(lapsing.expires_at)
    await take(engine, seats(show, "A5"), hold_seconds=1800)
    await engine.cancel_booking(booked.id, reason="x", lines=seats(show, "A1"))
    await take(engine, [pool(show, "gallery", 1)], hold_seconds=1800)
    with pytest.raises(bespeak.OwnerLimitReached):
        await take(engine, seats(show, "A6"))
    await engine.cancel_booking(booked.id, reason="x")
    await take(engine, seats(show, "A6"))
    assert await problems(connection) == []


async def test_an_owner_limit_larger_than_asked_at_once(
    engine: bespeak.Engine, make_show: MakeShow
) -> None:
    show = await make_show(owner_limit=2)
    with pytest.raises(bespeak.OwnerLimitReached):
        await take(engine, seats(show, "A1", "A2", "A3"))
    shows = [show, await make_show(owner_limit=1)]
    await take(engine, [*seats(shows[0], "A1", "A2"), *seats(shows[1], "A1")])


async def test_extending_never_passes_the_cap_and_never_shortens(
    engine: bespeak.Engine, show: Resource, clock: Clock
) -> None:
    hold = await take(engine, seats(show, "A1"))
    assert (await engine.extend_hold(hold.id, seconds=60)).expires_at == hold.expires_at
    await clock.advance(300)
    cap = hold.extends_until
    with pytest.raises(ExtensionBeyondCap) as caught:
        await engine.extend_hold(hold.id, seconds=1501)
    assert caught.value.data == {"extends_until": cap, "seconds_max": 1500}
    assert (await engine.extend_hold(hold.id, seconds=1500)).expires_at == cap
    await clock.advance(900)
    assert (await engine.extend_hold(hold.id, seconds=600)).expires_at == cap
    await clock.set(cap)
    with pytest.raises(bespeak.HoldExpired):
        await engine.extend_hold(hold.id, seconds=1)


@pytest.mark.parametrize("seconds", [0, -1, 604_801])
async def test_extending_by_nonsense_is_refused(
    engine: bespeak.Engine, show: Resource, seconds: int
) -> None:
    hold = await take(engine, seats(show, "A1"))
    with pytest.raises(bespeak.InvalidRequest):
        await engine.extend_hold(hold.id, seconds=seconds)


async def test_the_sweep_lists_only_what_it_freed(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    show, other = await make_show(owner_limit=9), await make_show()
    hold = await take(
        engine, [*seats(show, "A1", "A2"), pool(show, "floor", 5), *seats(other, "A1")]
    )
    await clock.set(hold.expires_at)
    await take(engine, [*seats(show, "A2"), pool(show, "floor", 1)], "bela")
    assert (await Sweeper(engine.database.pool).sweep())[0] == 1
    await feed_settled(connection)
    expired = [event for event in (await engine.events()).items if event.kind is EventKind.EXPIRED]
    assert {event.resource_id: [line.unit for line in event.lines] for event in expired} == {
        show.id: ["A1"],
        other.id: ["A1"],
    }
    assert await problems(connection) == []
    assert await connection.fetchval("select count(*) from bespeak.claim") == 1


async def test_a_sweep_of_a_hold_that_lost_everything_still_tells_that_it_ended(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    hold = await take(engine, seats(show, "A1"))
    await clock.advance(600)
    await take(engine, seats(show, "A1"), "bela")
    await Sweeper(engine.database.pool).sweep()
    await feed_settled(connection)
    (event,) = [e for e in (await engine.events()).items if e.kind is EventKind.EXPIRED]
    assert (event.hold_id, event.lines) == (hold.id, [])


async def test_the_sweeper_sleeps_until_the_next_is_due(
    engine: bespeak.Engine, show: Resource, clock: Clock
) -> None:
    sweeper = Sweeper(engine.database.pool)
    assert await sweeper.sweep() == (0, 0.5)
    hold = await take(engine, seats(show, "A1"))
    await clock.set(hold.expires_at - timedelta(milliseconds=200))
    count, pause = await sweeper.sweep()
    assert count == 0
    assert pause == pytest.approx(0.2)
    await clock.set(hold.expires_at)
    assert await sweeper.sweep() == (1, 0.5)


async def test_several_sweepers_share_the_work(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    show = await make_show(owner_limit=9)
    for number in range(1, 21):
        await take(engine, seats(show, f"A{number}"), f"o{number}", hold_seconds=60)
    await clock.advance(60)
    sweepers = [Sweeper(engine.database.pool) for _ in range(4)]
    counts = await asyncio.gather(*(sweeper.sweep() for sweeper in sweepers))
    assert sum(count for count, _ in counts) == 20
    assert await problems(connection) == []
    assert await connection.fetchval("select count(*) from bespeak.draw") == 0


ENDED = "select ended_at from bespeak.hold order by created_at desc limit 1"


async def test_the_engine_sweeps_by_itself_within_a_second(
    database_url: str, show: Resource, connection: Connection
) -> None:
    """A busy machine may be late now and then: one of five holds is told in time."""
    lags: list[timedelta] = []
    async with bespeak.connect(database_url, settings=Settings(pool_max=2)) as engine:
        for unit in ("A1", "A2", "A3", "A4", "A5"):
            hold = await take(engine, seats(show, unit), hold_seconds=1)
            async with asyncio.timeout(20):
                while (ended := await connection.fetchval(ENDED)) is None:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
            lags.append(ended - hold.expires_at)
            if lags[-1] < timedelta(seconds=1):
                break
    assert timedelta() <= min(lags) < timedelta(seconds=1), lags


async def test_the_clock_of_the_tests_stands_still(clock: Clock, connection: Connection) -> None:
    for _ in range(2):
        assert await connection.fetchval("select bespeak.now()") == START
