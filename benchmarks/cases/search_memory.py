"""The index of a great many listings in two workers that map the same snapshot, as dense whatever
their number: how long it takes to be there, what both share and what each has besides, how many
searches one answers, and what bookings add to its memory.
"""

import asyncio
import datetime as dt
import gc
import multiprocessing
import random
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import NamedTuple

from benchmarks.large_index import large_index, towns_of
from benchmarks.results import Bench, Figure, Sample, alone
from bespeak.verticals.stays.search.array_file import MappedArrays
from bespeak.verticals.stays.search.cells import EarthCircle, EarthPoint
from bespeak.verticals.stays.search.index import PageAsked, StaysIndex
from bespeak.verticals.stays.search.snapshot import SnapshotFile
from bespeak.verticals.stays.search.wanted import Wanted

_WORKERS = 2
_BOOKINGS, _NIGHTS = 10_000, 3
_FILE = "bench"
_barrier: Barrier | None = None


class _Asked(NamedTuple):
    """Which searches: within how many metres, so many days earlier or later."""

    name: str
    radius: int
    flexible: int = 0


_QUESTIONS = (_Asked("3km", 3_000), _Asked("25km", 25_000), _Asked("25km-flexible", 25_000, 3))


async def run(bench: Bench) -> list[Figure]:
    """With 100,000 and with a million."""
    return [figure for count in (100_000, 1_000_000) for figure in await _with(bench, count)]


async def large(bench: Bench) -> list[Figure]:
    """With ten million."""
    return await _with(bench, 10_000_000)


async def _with(bench: Bench, count: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written = await asyncio.to_thread(_written, folder, count)
        context = multiprocessing.get_context("spawn")
        barrier = context.Barrier(_WORKERS)
        with ProcessPoolExecutor(_WORKERS, context, _begin, (barrier,)) as workers:
            asked = [
                workers.submit(_worker, folder, count, bench.seconds, seed)
                for seed in range(_WORKERS)
            ]
            told = [await asyncio.wrap_future(one) for one in asked]
    figures = written | {
        name: Sample(*(sum(values) / _WORKERS for values in zip(*samples, strict=True)))
        for name in told[0]
        for samples in [[(one[name].value, one[name].p50_ms, one[name].p99_ms) for one in told]]
    }
    return [
        alone(f"search-memory-{name}-{count}", _unit(name), sample)
        for name, sample in figures.items()
    ]


def _unit(name: str) -> str:
    return "MB" if name.startswith("mb") else "searches/s" if "km" in name else "s"


def _written(folder: Path, count: int) -> dict[str, Sample]:
    """A snapshot of the index; how long it took to write, and how large it is: what searches look
    through, with room for a sixteenth more, and the records of the listings."""
    index, file = large_index(count), SnapshotFile(folder, _FILE)
    started = time.perf_counter()
    asyncio.run(file.write(index, "cursor", dt.datetime.now(dt.UTC)))
    written = time.perf_counter() - started
    with file.path.open("rb") as opened:
        sizes = MappedArrays(opened.fileno()).sizes()
    records = sizes.pop("records")
    return {
        "written": Sample(written),
        "mb-columns": Sample(sum(sizes.values()) / 1e6),
        "mb-records": Sample(records / 1e6),
    }


def _begin(barrier: Barrier) -> None:
    global _barrier  # noqa: PLW0603 (as a process of a pool is given what it cannot be sent)
    _barrier = barrier


def _worker(folder: Path, count: int, seconds: float, seed: int) -> dict[str, Sample]:
    """What one worker measures, at the same time as the others."""
    bare = _own_mb()
    started = time.perf_counter()
    restored = asyncio.run(SnapshotFile(folder, _FILE).read(dt.date.max.toordinal()))
    if restored is None:
        raise AssertionError("the snapshot is not read")
    told = {"read": Sample(time.perf_counter() - started)}
    index = restored.index
    gc.freeze()
    for asked in _QUESTIONS:
        told[asked.name] = _searched(index, towns_of(count), asked, seconds, seed)
    told["mb-own"] = Sample(_own_mb() - bare)
    _wait()
    told["mb-share"] = Sample(_memory_mb("Pss:"))
    _wait()
    _book(index, count, seed)
    told[f"mb-own-{_BOOKINGS}-bookings"] = Sample(_own_mb() - bare)
    return told


def _wait() -> None:
    if _barrier is not None:
        _barrier.wait()


def _searched(
    index: StaysIndex, towns: list[EarthPoint], asked: _Asked, seconds: float, seed: int
) -> Sample:
    """Searches a second of processor time, one after the other."""
    chance, now = random.Random(seed), dt.datetime.now(dt.UTC)
    taken: list[float] = []
    end = time.process_time() + seconds
    while (started := time.process_time()) < end:
        town = chance.choice(towns)
        place = EarthPoint(town.lat + chance.gauss(0, 0.02), town.lon + chance.gauss(0, 0.02))
        wanted = Wanted(
            workspace="default", published_only=True, now=now, flexible=asked.flexible,
            area=EarthCircle(place, asked.radius), nights=4, guests=2, price_max=15_000,
            arrival=now.date().toordinal() + chance.randrange(2, 110), currency="EUR",
        )  # fmt: skip
        found = index.find(wanted)
        index.page(found, wanted, PageAsked(None, 21, "distance"))
        index.counted(found)
        taken.append((time.process_time() - started) * 1000)
    taken.sort()
    return Sample(len(taken) / seconds, taken[len(taken) // 2], taken[len(taken) * 99 // 100])


def _book(index: StaysIndex, count: int, seed: int) -> None:
    """Bookings of any listings, most of them for the next weeks."""
    chance, today = random.Random(seed), dt.datetime.now(dt.UTC).date().toordinal()
    for _ in range(_BOOKINGS):
        number, start = chance.randint(1, count), today + int(chance.expovariate(1 / 40))
        for day in range(start, start + _NIGHTS):
            unit = f"house@{dt.date.fromordinal(day)}"
            index.mark(number, unit, is_taken=True, drawn=0)


def _own_mb() -> float:
    return _memory_mb("Private_Dirty:")


def _memory_mb(name: str) -> float:
    """Of this process, as the system tells it."""
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(name))
