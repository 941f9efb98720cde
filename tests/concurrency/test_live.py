"""Live channels of two processes under writers whose transactions overlap, with viewers that leave
and come back anywhere: each ends with what the availability says. The control reads by position
alone, as one would, and a viewer of it does miss something."""

import asyncio
import random

import pytest

import bespeak
from bespeak import Resource
from bespeak.feed import live_channel
from bespeak.feed.live_channel import Channel, ChannelEvent, ChannelState
from tests.concurrency.test_feed import writer
from tests.harness.database import Connection, feed_settled, problems
from tests.harness.shows import seats, take
from tests.harness.watching import PATIENCE_SECONDS, Known, same, truth

WRITERS = 6
VIEWERS = 6


async def view(
    engines: list[bespeak.Engine], show: Resource, known: Known, done: asyncio.Event, seed: int
) -> None:
    """Listens now to one process, now to the other, for a few messages each time, from the cursor
    of the last one on; sometimes it does not listen for a while, with its ear to the door."""
    dice = random.Random(seed)
    while not done.is_set():
        news = dice.choice(engines).watch(show.id, after=known.cursor)
        left = dice.randint(1, 6)
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                async for message in news:
                    known.hear(message)
                    for _ in range(dice.choice([0, 0, 50])):
                        await asyncio.sleep(0)
                    left -= 1
                    if left == 0 or done.is_set():
                        break
        finally:
            await news.aclose()  # type: ignore[attr-defined]


async def test_whoever_leaves_and_comes_back_misses_nothing(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    database_url: str,
    dice: random.Random,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Who is slow is told the whole again; this is about who was away, however slow the machine is.
    monkeypatch.setattr(live_channel, "BEHIND_MAX", live_channel.ROUNDS_MAX)
    engines = [engine, second_engine]
    viewers = [Known() for _ in range(VIEWERS)]
    done = asyncio.Event()
    views = [
        asyncio.create_task(view(engines, show, known, done, dice.getrandbits(32)))
        for known in viewers
    ]
    await asyncio.gather(
        *(writer(number, engine, show, database_url, dice) for number in range(WRITERS))
    )
    await feed_settled(connection)
    done.set()
    await take(engine, seats(show, "A9"))  # whoever still waits for a message gets one
    await asyncio.gather(*views)
    want = await truth(engine, show)
    for known in viewers:
        assert known.snapshots <= 1, "it was told what it had missed, never the whole again"
        news = dice.choice(engines).watch(show.id, after=known.cursor)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not same(known, want):
                known.hear(await anext(news))
        await news.aclose()  # type: ignore[attr-defined]
    assert await problems(connection) == []


async def test_control_a_channel_by_position_alone_misses_a_change(
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    by_position = """
        select position, kind, units, quantities from bespeak.event
        where resource_id = $1 and position > $2 order by position
    """
    number = int(await connection.fetchval("select resource_id from bespeak.resource"))
    last = int(await connection.fetchval("select max(position) from bespeak.event"))
    (row,) = await connection.fetch("select bespeak.now() as at")
    scene = ChannelState(1, True, 1, last, row["at"], frozenset(("A1", "A2")), {}, {}, {})
    naive = Channel(number, show.id, scene)

    async def look() -> None:
        for found in await connection.fetch(by_position, number, naive.horizon):
            happening = ChannelEvent(found["kind"], found["units"], found["quantities"], 0)
            naive.apply([happening], found["position"])

    news = engine.watch(show.id)
    known = Known()
    known.hear(await anext(news))
    slow = one.transaction()
    await slow.start()
    await take(engine, seats(show, "A1"), connection=one)
    await take(engine, seats(show, "A2"), connection=two)
    await look()
    await slow.commit()
    await look()
    snapshot = naive.news(None)
    assert snapshot is not None
    missed = Known()
    missed.hear(snapshot.messages[0])
    assert missed.taken == {"A2": "held"}, "A1 came later, with an earlier position"
    want = await truth(engine, show)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not same(known, want):
            known.hear(await anext(news))
    assert known.taken == {"A1": "held", "A2": "held"}
