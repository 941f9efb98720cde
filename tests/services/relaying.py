"""Relays as processes that can be killed, events that happen meanwhile, and what a topic must have
after all of it.
"""

import asyncio
import contextlib
import io
import os
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from bespeak import Event
from bespeak.feed import reader
from tests.docs.pages import DOCS, blocks
from tests.harness.database import Connection, feed_settled, session

_RESOURCES = 40
_PATIENCE_SECONDS = 60
_HAPPENS = """
    insert into bespeak.event (resource_id, horizon, kind, units, quantities, at)
    select 1 + (random() * $1)::bigint, bespeak.horizon(), 'changed', array['A1'], array[null::int],
        bespeak.now()
    from generate_series(1, $2)
"""

LARGE = """
    insert into bespeak.event (resource_id, horizon, kind, units, quantities, at)
    select $1, bespeak.horizon(), 'changed', array_agg(repeat(md5(n::text), 2)),
        array_agg(null::int), bespeak.now()
    from generate_series(1, 100) n
"""
"""An event of 10,000 bytes, which are hard to compress."""
END_SESSIONS = """
    select bool_or(pg_terminate_backend(l.pid)) from pg_locks l
    where l.locktype = 'advisory' and l.granted
        and l.database = (select oid from pg_database where datname = current_database())
"""
"""Ends the session of whoever sends."""


@asynccontextmanager
async def happening(url: str, dice: random.Random) -> AsyncIterator[None]:
    """Lets events happen within the block, from two sessions at once."""
    stopping = asyncio.Event()

    async def write() -> None:
        async with session(url) as connection:
            while not stopping.is_set():
                several = dice.randint(1, 25)
                await connection.execute(_HAPPENS, _RESOURCES, several)
                await asyncio.sleep(0.01)

    writers = [asyncio.create_task(write()) for _ in range(2)]
    try:
        yield
    finally:
        stopping.set()
        await asyncio.gather(*writers)


async def happen(connection: Connection, count: int, resource: int | None = None) -> None:
    """Lets so much happen, of a resource or of several."""
    if resource is None:
        await connection.execute(_HAPPENS, _RESOURCES, count)
    else:
        for _ in range(count):
            await connection.execute(_HAPPENS.replace("1 + (random() * $1)", "$1"), resource, 1)
    await feed_settled(connection)


class RelayProcess:
    """`bespeak relay` in a process of its own."""

    def __init__(self, folder: Path, url: str, *arguments: str) -> None:
        self._command = [sys.executable, "-m", "bespeak", "relay", *arguments]
        self._environment = {**os.environ, "BESPEAK_DATABASE_URL": url}
        self._errors = folder / "relay.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._errors.open("ab") as errors:
            self.process = subprocess.Popen(
                self._command, env=self._environment, stdout=errors, stderr=errors
            )

    def kill(self) -> None:
        """kill -9."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """SIGTERM; its exit status."""
        return self._end(signal.SIGTERM)

    async def ended(self) -> int:
        """Waits until it ends by itself."""
        assert self.process is not None
        async with asyncio.timeout(_PATIENCE_SECONDS):
            return await asyncio.to_thread(self.process.wait)

    def log(self) -> str:
        return self._errors.read_text()

    def _end(self, number: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(number)
        status = self.process.wait(_PATIENCE_SECONDS)
        self.process = None
        return status


@asynccontextmanager
async def relaying(folder: Path, url: str, *arguments: str) -> AsyncIterator[RelayProcess]:
    """A relay that is started, and gone after the block."""
    made = RelayProcess(folder, url, *arguments)
    made.start()
    try:
        yield made
    finally:
        if made.process is not None:
            made.kill()


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while not await asyncio.to_thread(is_so):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def sent(connection: Connection, name: str = "relay") -> int:
    """How many events a relay has written down as sent."""
    found: int | None = await connection.fetchval(
        "select bespeak.relayed_until(f.horizon, f.position)"
        " from bespeak.follower f where f.name = 'relay:' || $1",
        name,
    )
    return found or 0


async def until_sent(connection: Connection, count: int, name: str = "relay") -> None:
    """Waits until a relay has sent so many events."""
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while await sent(connection, name) < count:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def caught_up(connection: Connection, name: str = "relay") -> None:
    """Waits until a relay has sent all that happened."""
    await feed_settled(connection)
    await until_sent(connection, await connection.fetchval("select bespeak.feed_end()"), name)


async def whole_feed(connection: Connection) -> list[Event]:
    """The feed, as `GET /v1/events` has it."""
    found: list[Event] = []
    after: str | None = None
    while (page := await reader.read(connection, after, 1000)).items:
        found += page.items
        after = page.next
    return found


@dataclass(frozen=True)
class Received:
    """What a consumer gets: a message's headers, key and body."""

    headers: dict[str, str]
    key: str
    body: bytes

    @property
    def cursor(self) -> str:
        return self.headers["bespeak-cursor"]

    @property
    def place(self) -> tuple[int, int]:
        """By this a consumer knows what it has handled: what is not above the last is a repeat."""
        return int(self.headers["bespeak-epoch"]), int(self.headers["bespeak-position"])


def assert_relayed(partitions: Sequence[Sequence[Received]], feed: Sequence[Event]) -> int:
    """All events of the feed are there, in order within each partition for whoever passes over
    repeats, and repeats are the same. Answers how many came more than once."""
    events = {event.cursor: event for event in feed}
    handled: list[str] = []
    homes: dict[str, int] = {}
    for number, received in enumerate(partitions):
        last = (0, 0)
        for one in received:
            assert one.body == msgspec.json.encode(events[one.cursor])
            assert one.key == events[one.cursor].resource_id
            assert homes.setdefault(one.key, number) == number
            assert one.headers["bespeak-kind"] == events[one.cursor].kind
            if one.place > last:
                handled.append(one.cursor)
                last = one.place
    assert sorted(handled) == sorted(events)
    return sum(map(len, partitions)) - len(feed)


def of_the_guide(name: str) -> Callable[..., Awaitable[None]]:
    """A function that docs/guides/relay.md shows. What it prints before is not of interest."""
    names: dict[str, Callable[..., Awaitable[None]]] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for block in blocks(DOCS / "guides" / "relay.md"):
            if block.language == "python":
                exec(block.text, names)  # noqa: S102 - our own page
    return names[name]


def handled(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The cursors of the events that the guide's consumer has handled."""
    lines = capsys.readouterr().out.splitlines()
    return [line.removeprefix("handle ") for line in lines if line.startswith("handle ")]
