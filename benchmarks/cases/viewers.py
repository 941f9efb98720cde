"""A show of 400 seats with 5,000 viewers on one worker, while seats are held and let go: how long
from the answer to a change until the viewers have it, and what a viewer costs. The ordinary way, in
the same run: every viewer asks for the availability once a second.
"""

import array
import asyncio
import contextlib
import json
import random
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import httpx
import numpy as np
import psutil

from benchmarks import services
from benchmarks.bespeak_server import Bespeak, bespeak
from benchmarks.cases.overload import allow_connections
from benchmarks.contestants import Hall
from benchmarks.results import Bench, Figure, Sample, alone, compared

HALL = Hall(shows=1, rows=20, seats=20)
VIEWERS = 5_000
CHANGES_PER_SECOND = 20
HELD_SECONDS = 2.0
SECONDS = 10.0
SETTINGS = {"BESPEAK_STREAMS_PER_ADDRESS_MAX": "0"}
_DATA = re.compile(r"^data: (.*)$", re.MULTILINE)


@dataclass
class Changes:
    """What was changed: each unit and state with the moment at which its change was answered."""

    moments: dict[tuple[str, str], list[float]] = field(default_factory=dict)

    def note(self, unit: str, state: str) -> None:
        self.moments.setdefault((unit, state), []).append(time.perf_counter())

    def latest(self, unit: str, state: str, before: float) -> float | None:
        """When a change was answered that a message of this moment tells."""
        found = [one for one in self.moments.get((unit, state), []) if one < before + 0.25]
        return found[-1] if found else None


@dataclass(frozen=True)
class Seen:
    """What a crowd of viewers had of the changes: how late, how many messages a second; and what
    the worker computed for it, of a core."""

    late: Sample
    messages: float
    cpu: float


async def run(bench: Bench) -> list[Figure]:
    """Those that listen and those that ask, in turn."""
    allow_connections()
    seconds = max(SECONDS, bench.seconds)
    async with bespeak(bench.database, HALL, workers=1, variables=SETTINGS) as server:
        # The first viewers find everything cold; that is not what a viewer costs.
        for how in ("stream", "ask"):
            async with crowd(server, how, 200):
                await changing(server, 1.0)
        live, weight = await seen_and_weighed(server, "stream", seconds)
        asked, _ = await seen_and_weighed(server, "ask", seconds)
    print(
        f"{VIEWERS} viewers: live {live.messages:.0f} messages/s, {live.cpu:.0%} of a core; "
        f"asking {asked.messages:.0f} pictures/s, {asked.cpu:.0%} of a core"
    )
    late = Sample(live.late.p99_ms, live.late.p50_ms, live.late.p99_ms)
    other = "asking once a second"
    return [
        compared("viewers", "ms late at p99", late, other, Sample(asked.late.p99_ms), less=True),
        compared(
            "viewers-median", "ms late at p50", Sample(live.late.p50_ms), other,
            Sample(asked.late.p50_ms), less=True,
        ),
        compared(
            "viewers-cpu", "% of a core", Sample(100 * live.cpu), other, Sample(100 * asked.cpu),
            less=True,
        ),
        alone("viewers-messages", "messages/s", Sample(live.messages)),
        alone("viewers-weight", "kB a viewer", Sample(weight)),
    ]  # fmt: skip


async def seen_and_weighed(server: Bespeak, how: str, seconds: float) -> tuple[Seen, float]:
    """One crowd, while seats are held and let go; and the kB that the worker needs for a viewer."""
    worker = worker_of(server)
    await asyncio.sleep(1)
    before = worker.memory_info().rss
    async with crowd(server, how, VIEWERS) as viewers:
        await changing(server, 1.0)
        found = await seen(server, viewers, seconds)
        return found, (worker.memory_info().rss - before) / VIEWERS / 1000


async def seen(server: Bespeak, viewers: "Viewers", seconds: float) -> Seen:
    """What these viewers see, while seats are held and let go."""
    worker = worker_of(server)
    await viewers.say("go")
    cpu = cpu_seconds(worker)
    changes = await changing(server, seconds)
    cpu = cpu_seconds(worker) - cpu
    await asyncio.sleep(2)
    late, messages = lateness(await viewers.ask("stop"), changes, viewers.count)
    return Seen(late, messages / seconds, cpu / seconds)


def worker_of(server: Bespeak) -> psutil.Process:
    """The worker that serves: the one beside the server's own process that listens."""
    for process in services.tree(server.pid):
        with contextlib.suppress(psutil.Error):
            if process.pid != server.pid and server.port in ports_of(process):
                return process
    raise services.ServiceError("no worker listens")


def ports_of(process: psutil.Process) -> set[int]:
    """The ports that a process listens at."""
    found = process.net_connections("tcp")
    return {one.laddr.port for one in found if one.status == psutil.CONN_LISTEN}


def cpu_seconds(process: psutil.Process) -> float:
    """How much a process has computed."""
    times = process.cpu_times()
    return float(times.user + times.system)


class Viewers:
    """The process with so many viewers."""

    def __init__(self, process: asyncio.subprocess.Process, count: int) -> None:
        self._process = process
        self.count = count

    async def say(self, word: str) -> None:
        """Tells it something."""
        assert self._process.stdin is not None
        self._process.stdin.write(word.encode() + b"\n")
        await self._process.stdin.drain()

    async def hear(self) -> str:
        """What it says."""
        assert self._process.stdout is not None
        return (await self._process.stdout.readline()).decode()

    async def ask(self, word: str) -> dict[str, object]:
        """Tells it something, and hears what it says to that."""
        await self.say(word)
        found: dict[str, object] = json.loads(await self.hear())
        return found


@contextlib.asynccontextmanager
async def crowd(server: Bespeak, how: str, viewers: int) -> AsyncIterator[Viewers]:
    """So many viewers of the show, which listen to its `stream` or `ask`."""
    part = "stream" if how == "stream" else "availability"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.viewing", how, str(server.port),
        f"/v1/resources/{server.resources[0]}/{part}", server.secret_key, str(viewers),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=1 << 30, cwd=services.ROOT,
    )  # fmt: skip
    made = Viewers(process, viewers)
    try:
        if await made.hear() != "ready\n":
            raise services.ServiceError("the viewers did not come")
        yield made
    finally:
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()


async def changing(server: Bespeak, seconds: float) -> Changes:
    """Holds seats at a steady rate, and lets each go some seconds later."""
    changes = Changes()
    dice = random.Random(7)
    free = [f"{chr(65 + row)}{seat + 1}" for row in range(HALL.rows) for seat in range(HALL.seats)]
    dice.shuffle(free)
    begins = time.perf_counter()
    under_way: set[asyncio.Task[None]] = set()
    pause = 2 / CHANGES_PER_SECOND
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{server.port}",
        headers={"Authorization": f"Bearer {server.secret_key}"},
        timeout=30,
    ) as client:
        for number in range(int(seconds / pause)):
            unit = free[number % len(free)]
            await asyncio.sleep(max(0.0, begins + number * pause - time.perf_counter()))
            task = asyncio.create_task(hold_and_let_go(server, client, unit, changes))
            under_way.add(task)
        await asyncio.gather(*under_way)
    return changes


async def hold_and_let_go(
    server: Bespeak, client: httpx.AsyncClient, unit: str, changes: Changes
) -> None:
    """One seat, taken and given back."""
    body = {
        "owner": f"owner-{unit}",
        "lines": [{"resource_id": server.resources[0], "unit": unit}],
    }
    made = (await client.post("/v1/holds", json=body)).raise_for_status().json()
    changes.note(unit, "held")
    await asyncio.sleep(HELD_SECONDS)
    (await client.delete(f"/v1/holds/{made['id']}")).raise_for_status()
    changes.note(unit, "free")


def lateness(told: dict[str, object], changes: Changes, count: int) -> tuple[Sample, int]:
    """How long after its answer a change was with each of so many viewers, over all of both; and
    how many messages there were. Raises RuntimeError where viewers were lost, or changes."""
    texts, viewers = told["texts"], told["told"]
    assert isinstance(texts, list)
    assert isinstance(viewers, list)
    if told["lost"]:
        raise RuntimeError(f"{told['lost']} viewers were hung up on")
    steps: dict[tuple[int, int], dict[str, str]] = {}
    pictures = [picture_of(text) for text in texts]
    late = array.array("d")
    messages = 0
    for moments in viewers:
        before = int(moments[1]) if moments else -1
        for at in range(2, len(moments), 2):
            moment, now = moments[at], int(moments[at + 1])
            messages += 1
            step = steps.get((before, now))
            if step is None:
                step = steps[before, now] = difference(pictures[before], pictures[now])
            for unit, state in step.items():
                answered = changes.latest(unit, state, moment)
                if answered is not None:
                    late.append(max(0.0, moment - answered))
            before = now
    every = np.array(late) * 1e3
    expected = len_of(changes) * count
    if len(every) < 0.98 * expected:
        raise RuntimeError(f"{len(every)} of {expected} changes were seen")
    return Sample(0.0, float(np.percentile(every, 50)), float(np.percentile(every, 99))), messages


@dataclass(frozen=True)
class Shown:
    """What a text shows: all that is taken, or only what changed."""

    taken: dict[str, str] | None
    changed: dict[str, str]


def picture_of(text: str) -> Shown:
    """What a text shows, be it a message of a stream or an availability."""
    found = _DATA.search(text)
    data = json.loads(found[1] if found else text)
    if "units" in data:
        return Shown(None, data["units"])
    taken = data["taken"]
    states = {unit: one if isinstance(one, str) else one["state"] for unit, one in taken.items()}
    return Shown(states, {})


def difference(before: Shown, now: Shown) -> dict[str, str]:
    """What a viewer learned when it had one text after the other."""
    if now.taken is None or before.taken is None:
        return now.changed
    freed = dict.fromkeys(before.taken.keys() - now.taken.keys(), "free")
    return freed | {u: s for u, s in now.taken.items() if before.taken.get(u) != s}


def len_of(changes: Changes) -> int:
    """How many changes there were."""
    return sum(len(moments) for moments in changes.moments.values())
