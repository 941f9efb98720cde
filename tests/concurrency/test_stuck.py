"""A session that stands idle in a transaction keeps what it locked, and stops nobody else."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

import bespeak
from bespeak import Hold, Resource, Settings
from bespeak.errors import DatabaseUnavailable
from bespeak.postgres.pool import connect
from bespeak.reservations.apart import Apart
from bespeak.reservations.committer import BatchEntry, Committer
from bespeak.reservations.request import HoldRequestRow
from bespeak.reservations.sweeper import Sweeper
from tests.concurrency.waiting import until_somebody_waits
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems, session
from tests.harness.shows import MakeShow, pool, seats, take

LOCKED = 50
OTHERS = 400
_LONG_SECONDS = 60.0
_SHORT_SECONDS = 0.5


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[bespeak.Engine]:
    """One that gives up on nobody: whoever waits in it still waits when the test looks."""
    settings = Settings(
        known_taken_seconds=0, pool_max=4, database_wait_seconds=_LONG_SECONDS, lanes=1
    )
    async with bespeak.connect(database_url, settings=settings, sweep=False) as made:
        yield made


@asynccontextmanager
async def stuck(url: str, *shows: Resource) -> AsyncIterator[Connection]:
    """A session that has placed a hold on A1 of each show, and does nothing more."""
    async with session(url) as idle:
        transaction = idle.transaction()
        await transaction.start()
        for show in shows:
            await idle.execute("select bespeak.place_hold('idle', array[$1], array['A1'])", show.id)
        yield idle
        await transaction.rollback()


async def test_others_are_sold_while_one_waits(
    engine: bespeak.Engine, make_show: MakeShow, database_url: str
) -> None:
    first, second = await make_show(), await make_show()
    async with stuck(database_url, first):
        wanting = asyncio.create_task(take(engine, seats(first, "A1"), "asha"))
        await asyncio.sleep(0)
        await take(engine, seats(second, "A1"), "bela")
        await take(engine, seats(first, "A2"), "bela")
        assert not wanting.done()
    assert isinstance(await wanting, Hold)


async def test_who_wants_what_stays_locked_is_told_so(
    engine: bespeak.Engine, show: Resource, database_url: str
) -> None:
    held = await take(engine, [pool(show, "floor", 1)], "asha")
    engine.committer._apart._wait_seconds = _SHORT_SECONDS
    async with stuck(database_url, show) as idle:
        await idle.execute("select from bespeak.pool for update")
        await idle.execute("select from bespeak.hold for update")
        answers = await asyncio.gather(
            take(engine, seats(show, "A1"), "asha"),
            engine.confirm_hold(held.id),
            take(engine, [pool(show, "floor", 1)], "bela"),
            return_exceptions=True,
        )
    assert [type(one) for one in answers] == [DatabaseUnavailable] * 3
    await take(engine, seats(show, "A1"), "cleo")


async def test_who_waits_for_it_gets_it_when_the_other_lets_go(
    engine: bespeak.Engine, show: Resource, database_url: str, connection: Connection
) -> None:
    async with stuck(database_url, show) as idle:
        wanting = asyncio.create_task(take(engine, seats(show, "A1"), "asha"))
        twin = asyncio.create_task(take(engine, seats(show, "A1"), "bela"))
        await until_somebody_waits(connection, idle)
        assert not wanting.done()
    held, refused = await asyncio.gather(wanting, twin, return_exceptions=True)
    assert isinstance(held, Hold)
    assert isinstance(refused, Exception)
    assert await problems(connection) == []


async def test_a_locked_pool_or_hold_stops_nobody_else(
    engine: bespeak.Engine, make_show: MakeShow, database_url: str
) -> None:
    first, second = await make_show(), await make_show()
    held = await take(engine, [pool(first, "floor", 1)], "asha")
    async with session(database_url) as idle, idle.transaction():
        await idle.execute("select from bespeak.pool for update")
        await idle.execute("select from bespeak.hold for update")
        confirming = asyncio.create_task(engine.confirm_hold(held.id))
        drawing = asyncio.create_task(take(engine, [pool(first, "floor", 1)], "bela"))
        await take(engine, seats(second, "A1"), "cleo")
        assert not confirming.done()
        assert not drawing.done()
    await asyncio.gather(confirming, drawing)


async def test_a_locked_seat_in_each_of_many_shows_is_met_by_few_others(
    engine: bespeak.Engine,
    make_show: MakeShow,
    database_url: str,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    met: list[str] = []
    set_apart = Apart.locked

    def note(
        apart: Apart[BatchEntry[HoldRequestRow]], batch: Sequence[BatchEntry[HoldRequestRow]]
    ) -> None:
        met.extend(entry.request.owner for entry in batch)
        set_apart(apart, batch)

    monkeypatch.setattr(Apart, "locked", note)
    shows = [await make_show() for _ in range(LOCKED)]
    async with stuck(database_url, *shows):
        wanting = [
            asyncio.create_task(take(engine, seats(show, "A1"), f"want-{number}"))
            for number, show in enumerate(shows)
        ]
        await asyncio.sleep(0)
        for number in range(OTHERS):
            unit = f"A{2 + number // LOCKED}"
            await take(engine, seats(shows[number % LOCKED], unit), f"other-{number}")
        assert not any(one.done() for one in wanting)
    assert all(isinstance(one, Hold) for one in await asyncio.gather(*wanting))
    # Those at most that shared the first batch of one who wants a locked seat.
    assert sum(owner.startswith("other") for owner in met) <= LOCKED
    assert await problems(connection) == []


async def test_the_sweeper_passes_over_what_is_locked(
    engine: bespeak.Engine,
    show: Resource,
    database_url: str,
    connection: Connection,
    clock: Clock,
) -> None:
    await take(engine, [*seats(show, "A1"), pool(show, "floor", 1)], "asha")
    await take(engine, [*seats(show, "B3"), pool(show, "gallery", 1)], "bela")
    lapsing = await take(engine, seats(show, "B4"), "cleo")
    await clock.set(lapsing.expires_at)
    sweeper = Sweeper(engine.database.pool)
    async with stuck(database_url, show), session(database_url) as other, other.transaction():
        await other.execute("select from bespeak.pool where unit = 'gallery' for update")
        async with asyncio.timeout(20):
            assert (await sweeper.sweep())[0] == 1
    assert (await sweeper.sweep())[0] == 2
    assert await problems(connection) == []


async def test_control_a_patient_lane_stops_everybody(
    make_show: MakeShow,
    database_url: str,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    defaults = Committer.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "connector", connect)
    first, second = await make_show(), await make_show()
    settings = Settings(known_taken_seconds=0, pool_max=4, lanes=1)
    async with (
        bespeak.connect(database_url, settings=settings, sweep=False) as engine,
        stuck(database_url, first) as idle,
    ):
        wanting = asyncio.create_task(take(engine, seats(first, "A1"), "asha"))
        await until_somebody_waits(connection, idle)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1):
                await take(engine, seats(second, "A1"), "bela")
        wanting.cancel()
