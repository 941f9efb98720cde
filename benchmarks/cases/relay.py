"""The relay to Kafka: how fast it sends what waits, and the same over ten kills, after which each
event must be in its topic, in its order. One broker on this machine, on which all else runs too.
"""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from benchmarks.bespeak_server import migrated
from benchmarks.database import connected, settle
from benchmarks.results import Bench, Figure, Sample, alone, median
from tests.services.kafka_server import KafkaServer
from tests.services.relaying import (
    RelayProcess,
    assert_relayed,
    happen,
    sent,
    until_sent,
    whole_feed,
)

EVENTS = 100_000
KILLS = 10
PARTITIONS = 12
_TOPIC = "bench"


@dataclass
class Stage:
    """A database with its feed, a Kafka, and a relay that does not run yet."""

    url: str
    connection: "asyncpg.Connection[asyncpg.Record]"
    kafka: KafkaServer
    relay: RelayProcess


async def run(bench: Bench) -> list[Figure]:
    """Each so often, and the medians."""
    async with staged(bench) as stage:
        drained = [await drain(stage) for _ in range(bench.rounds)]
        killed = [await drain(stage, KILLS) for _ in range(bench.rounds)]
        feed = await whole_feed(stage.connection)
        assert_relayed(stage.kafka.received(_TOPIC), feed)
    return [
        alone("relay to Kafka", "1/s", median(drained)),
        alone("relay to Kafka over ten kills", "1/s", median(killed)),
    ]


@asynccontextmanager
async def staged(bench: Bench) -> AsyncIterator[Stage]:
    url = await migrated(bench.database, "bespeak_relay")
    with tempfile.TemporaryDirectory() as folder:
        kafka = KafkaServer(Path(folder))
        try:
            await asyncio.to_thread(kafka.start)
            kafka.make_topic(_TOPIC, PARTITIONS)
            async with connected(url) as connection:
                to = f"kafka://{kafka.address}/{_TOPIC}"
                yield Stage(url, connection, kafka, RelayProcess(Path(folder), url, "--to", to))
        finally:
            kafka.kill()


async def drain(stage: Stage, kills: int = 0) -> Sample:
    """Lets 100,000 events wait and sees how fast they go, from the first on that is sent; with
    kills, each after a tenth of them, it also starts anew in that time."""
    for _ in range(EVENTS // 1000):
        await happen(stage.connection, 1000)
    await settle(stage.url)
    begun = await sent(stage.connection)
    stage.relay.start()
    await until_sent(stage.connection, begun + 1)
    first, started = await sent(stage.connection), time.perf_counter()
    for number in range(1, kills + 1):
        await until_sent(stage.connection, begun + number * EVENTS // (kills + 1))
        stage.relay.kill()
        stage.relay.start()
    await until_sent(stage.connection, begun + EVENTS)
    elapsed = time.perf_counter() - started
    stage.relay.stop()
    return Sample((begun + EVENTS - first) / elapsed)
