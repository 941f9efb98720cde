"""Loads what the demo sells, in a process of its own beside the server, which serves meanwhile and
need not keep what only the loading needs. It writes JSON lines: how far it is, and at last a
`DemoContents`. It ends with its standard input.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from bespeak.inventory.resources import Resource

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.settings import Settings

_STOP_SECONDS = 2.0
_DATABASE_WAIT_SECONDS = 60.0


class LoadProgress(msgspec.Struct, frozen=True, tag=True):
    """So many things of so many are loaded."""

    done: int
    total: int


class LoadedSample(msgspec.Struct, frozen=True):
    """A sample: its shape, the page about it, and its resource."""

    shape: str
    guide: str
    resource: Resource


class LoadedPremiere(msgspec.Struct, frozen=True):
    """The show to queue for, its waiting room, and when its sale opens. `is_another`: the one that
    was there before is over."""

    resource_id: str
    waiting_room_id: str
    name: str
    opens_at: datetime
    is_another: bool


class DemoContents(msgspec.Struct, frozen=True, tag=True):
    """What the demo has: the resources to try first, two free seats of the first, one or two
    resources of each shape, how much there is of all, in words, and the premiere."""

    resources: list[Resource]
    suggestion: list[str]
    samples: list[LoadedSample]
    told: list[str]
    premiere: LoadedPremiere | None = None


_LINE: msgspec.json.Decoder[LoadProgress | DemoContents] = msgspec.json.Decoder(
    LoadProgress | DemoContents
)


class DemoLoader:
    """The process, as the one that serves sees it."""

    def __init__(self, database_url: str, settings: Settings) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bespeak.cli.demo_load"],
            # By the environment, since everyone may read arguments.
            env={
                **os.environ,
                "BESPEAK_DATABASE_URL": database_url,
                "BESPEAK_PAYMENT_PROVIDERS": settings.payment_providers,
                "BESPEAK_DEMO": "true",
                "BESPEAK_DEMO_LISTINGS": str(settings.demo_listings),
                "BESPEAK_DEMO_PREMIERE_SECONDS": str(settings.demo_premiere_seconds),
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C in the terminal is for the server, which passes it on
        )

    def wait(self, tell: Callable[[LoadProgress], None]) -> DemoContents | None:
        """What the demo has, once all is loaded; None if it ended before, which it explained on
        standard error unless it was told to stop."""
        for line in self._process.stdout or ():
            news = _LINE.decode(line)
            if isinstance(news, DemoContents):
                self._process.communicate()
                return news
            tell(news)
        return None

    def stop(self) -> None:
        """Ends it, whatever it has done; what is missing is loaded at the next start."""
        self._process.terminate()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


async def load(engine: Engine, tell: Callable[[int, int], None]) -> DemoContents:
    from bespeak.demo.samples.load import load_samples
    from bespeak.verticals.installed import installed

    resources: list[Resource] = []
    told = []
    for vertical in installed():
        loaded = await vertical.load_demo(engine, None, tell) if vertical.load_demo else None
        if loaded is not None:
            resources += loaded.featured
            told.append(loaded.told or vertical.title)
    samples = [
        LoadedSample(sample.shape, sample.guide, resource)
        for sample, resource in await load_samples(engine)
    ]
    suggestion = await _free_pair(engine, resources[0]) if resources else []
    # Last, for it opens so many seconds after all the rest is there.
    return DemoContents(resources, suggestion, samples, told, await _premiere(engine))


async def _premiere(engine: Engine) -> LoadedPremiere | None:
    """The premiere, where a vertical has any."""
    from bespeak.demo.premiere_start import prepare_premiere

    opens_in = timedelta(seconds=engine.settings.demo_premiere_seconds)
    prepared = await prepare_premiere(engine, opens_in)
    if prepared is None:
        return None
    shown, is_another = prepared
    return LoadedPremiere(
        shown.resource_id, shown.waiting_room_id, shown.name, shown.opens_at, is_another
    )


async def _free_pair(engine: Engine, show: Resource) -> list[str]:
    """Two free seats side by side, about the middle of the room; none when it is full."""
    from bespeak.inventory.shapes.seats.availability import SeatsAvailability
    from bespeak.inventory.shapes.seats.plan import SeatsPlan

    seen = await engine.availability(show.id)
    if not isinstance(show.plan, SeatsPlan) or not isinstance(seen, SeatsAvailability):
        return []
    taken = seen.taken
    rows = [row for section in show.plan.sections for row in section.rows]
    for row in rows[len(rows) // 2 :] + rows[: len(rows) // 2]:
        numbers = [n for n in range(row.first, row.first + row.seats) if n not in row.without]
        middle = len(numbers) // 2
        for left, right in zip(numbers[middle:], numbers[middle + 1 :], strict=False):
            pair = [f"{row.name}{left}", f"{row.name}{right}"]
            if right == left + 1 and not taken.keys() & set(pair):
                return pair
    return []


async def _main() -> None:
    import bespeak

    def write(news: LoadProgress | DemoContents) -> None:
        print(msgspec.json.encode(news).decode(), flush=True)

    url = os.environ["BESPEAK_DATABASE_URL"]
    # Nobody waits for an answer here, so a machine that is busy only makes it take longer.
    settings = msgspec.structs.replace(
        bespeak.Settings.read(), database_wait_seconds=_DATABASE_WAIT_SECONDS
    )
    async with bespeak.connect(url, settings=settings, sweep=False) as engine:
        loading = asyncio.create_task(
            load(engine, lambda done, total: write(LoadProgress(done, total)))
        )
        # Whoever started it holds the other end, which closes by whatever end.
        orphaned = asyncio.get_running_loop().connect_read_pipe(
            lambda: _EndOfInput(loading), sys.stdin
        )
        await orphaned
        with suppress(asyncio.CancelledError):
            write(await loading)


class _EndOfInput(asyncio.Protocol):
    """Gives the loading up when the standard input ends."""

    def __init__(self, loading: asyncio.Task[DemoContents]) -> None:
        self._loading = loading

    def connection_lost(self, exc: Exception | None) -> None:
        self._loading.cancel()


if __name__ == "__main__":
    asyncio.run(_main())
