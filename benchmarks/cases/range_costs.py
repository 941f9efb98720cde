"""What a hold of a range costs by its length: one night of an exact room, seven, fourteen; a seat
over one leg and over six; and the ordinary way of ranges, an exclusion constraint, for the same.
By processor time, of this process and of the database's sessions, all in turn.
"""

import asyncio
import datetime as dt
import json
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import count
from uuid import uuid4

import bespeak
from benchmarks.bespeak_server import HOLD_SECONDS, OWNER_LIMIT, migrated
from benchmarks.cases import shape_plans as plans
from benchmarks.cases.shapes import EXCLUSION, many
from benchmarks.contestants import COMPARATORS
from benchmarks.database import connected, settle
from benchmarks.feature_costs import Spent, quartiles, whole
from benchmarks.processor_time import Meter, metered
from benchmarks.results import Bench, Figure
from benchmarks.services import ROOT
from bespeak import Line
from bespeak.inventory.shapes.registry import parse_plan

TURNS = 5
"""How often all sides take turns in a round of the run."""
TASKS, HOLDS = 128, 512
RESOURCES = 20
_BUYERS = count()

Place = Callable[[int, Line], Awaitable[object]]
"""Holds a line; the number is that of the task."""


@dataclass
class Side:
    """One way to hold, its next lines, and what it spent in each turn."""

    name: str
    lines: Iterator[Line]
    place: Place
    tasks: int = TASKS
    turns: list[Spent] = field(default_factory=list)

    async def turn(self, meter: Meter) -> None:
        await self._hold(self.tasks)  # what a change of sides costs
        since = await meter.read()
        await self._hold(HOLDS)
        self.turns.append(await meter.spent(since, HOLDS))

    async def _hold(self, holds: int) -> None:
        left = iter(range(holds))

        async def one(task: int) -> None:
            for _ in left:
                await self.place(task, next(self.lines))

        await asyncio.gather(*(one(task) for task in range(self.tasks)))


def stays(resources: Sequence[str], nights: int) -> Iterator[Line]:
    """So many nights in an exact room, one stay after the other."""
    first = dt.datetime.now(dt.UTC).date() + dt.timedelta(days=2)
    for stay in range(360 // nights):
        ends = [str(first + dt.timedelta(days=nights * n)) for n in (stay, stay + 1)]
        for room in range(100):
            for resource in resources:
                yield Line(resource, f"{100 + room}", from_=ends[0], to=ends[1])


def journeys(resources: Sequence[str], legs: int) -> Iterator[Line]:
    """An exact seat over so many legs, one part of the run after the other."""
    stops = plans.STOPS
    for start in range(0, 13 - legs, legs):
        for car in range(1, 6):
            for seat in range(1, 81):
                for resource in resources:
                    yield Line(
                        resource, f"{car}-{seat}", from_=stops[start], to=stops[start + legs]
                    )


def by_engine(engine: bespeak.Engine) -> Place:
    async def place(_: int, line: Line) -> object:
        number = next(_BUYERS)
        return await engine.place_hold(
            owner=f"buyer-{number}", lines=[line], idempotency_key=f"k-{number}"
        )

    return place


async def by_exclusion(
    stack: AsyncExitStack, url: str, ranges: Callable[[Line], tuple[str, int, int]]
) -> Place:
    """One function call a transaction, on as many connections as an ordinary server has."""
    async with connected(url) as connection:
        await connection.execute((COMPARATORS / "exclusion.sql").read_text())
    connections = await stack.enter_async_context(many(url))
    statements = [await connection.prepare(EXCLUSION) for connection in connections]

    async def place(task: int, line: Line) -> object:
        number = next(_BUYERS)
        unit, begins, ends = ranges(line)
        ids = (uuid4(), line.resource_id, unit, f"buyer-{number}", f"k-{number}")
        return await statements[task].fetch(*ids, begins, ends, HOLD_SECONDS, OWNER_LIMIT)

    return place


async def run(bench: Bench) -> list[Figure]:
    """Prints the table; a figure for each range, against the exclusion constraint."""
    url = await migrated(bench.database, "bespeak_range_costs")
    async with AsyncExitStack() as stack:
        engine = await stack.enter_async_context(bespeak.connect(database_url=url, sweep=False))
        place = by_engine(engine)
        sides = []
        for nights in (1, 7, 14):
            rooms = await _resources(engine, plans.ROOMS)
            name = f"{nights} night{'s' * (nights > 1)}"
            sides.append(Side(name, stays(rooms, nights), place))
        trains = {legs: await _resources(engine, plans.TRAIN) for legs in (1, 6)}
        for legs, runs in trains.items():
            name = f"{legs} leg{'s' * (legs > 1)}"
            sides.append(Side(name, journeys(runs, legs), place))
        rivals = []
        for name, lines, ranges in (
            ("7 nights", stays(rooms, 7), plans.nights_of),
            ("6 legs", journeys(trains[6], 6), plans.legs_of),
        ):
            rival_url = await bench.database.create(f"ordinary_{name.replace(' ', '_')}")
            way = await by_exclusion(stack, rival_url, ranges)
            meter = await stack.enter_async_context(metered(rival_url))
            rivals.append((Side(name, lines, way, tasks=32), meter))
            await settle(rival_url)
        await settle(url)
        own = await stack.enter_async_context(metered(url))
        for _ in range(bench.rounds * TURNS):
            for side in sides:
                await side.turn(own)
            for side, meter in rivals:
                await side.turn(meter)
    return _told(sides, [side for side, _ in rivals])


async def _resources(engine: bespeak.Engine, plan: dict[str, object]) -> list[str]:
    new = bespeak.NewResource(
        name="Range",
        plan=parse_plan(json.dumps(plan)),
        hold_seconds=HOLD_SECONDS,
        owner_limit=OWNER_LIMIT,
    )
    return [made.id for made in await engine.create_resources([new] * RESOURCES)]


def _told(sides: Sequence[Side], rivals: Sequence[Side]) -> list[Figure]:
    asked = ["git", "rev-parse", "--short=8", "HEAD"]
    commit = subprocess.check_output(asked, cwd=ROOT, text=True).strip()
    print(f"{dt.datetime.now(dt.UTC).date()}, at commit {commit}\n")
    print(
        "| range | Python, µs | PostgreSQL, µs | both, µs | quartiles | log, bytes | index rows |"
    )
    print("|---|---|---|---|---|---|---|")
    costs = {}
    for side in (*sides, *rivals):
        cost = whole(side.name, side.turns)
        name = side.name + (" by exclusion" if side in rivals else "")
        costs[name] = cost
        low, _, high = quartiles([spent.total_us for spent in side.turns])
        print(
            f"| {name} | {cost.python_us:.0f} | {cost.postgres_us:.0f} | {cost.total_us:.0f}"
            f" | {low:.0f} to {high:.0f} | {cost.log_bytes:,.0f} | {cost.index_inserts:.1f} |",
            flush=True,
        )
    figures = []
    for rival in rivals:
        ours, theirs = costs[rival.name].total_us, costs[f"{rival.name} by exclusion"].total_us
        figures.append(
            Figure(
                f"hold of {rival.name}",
                round(ours, 1),
                "us of processors",
                "exclusion constraint",
                round(theirs, 1),
                round(theirs / ours, 3),
            )
        )
    return figures
