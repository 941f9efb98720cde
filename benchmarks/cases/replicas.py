"""What a standby costs whoever holds: none, an asynchronous one, and a synchronous one that
confirms that it has written (`on`) or that it shows (`remote_apply`) each commit. Both servers are
Debian's, on this machine and its disk: they share the processor, and are nearer than in life.
"""

import contextlib
import tempfile
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import msgspec

import bespeak
from benchmarks.bespeak_server import HOLD_SECONDS, OWNER_LIMIT
from benchmarks.database import configuration, settle
from benchmarks.engine_load import HALL, Work, crowd, fresh, placing
from benchmarks.results import Bench, Figure, Sample, alone, alternate
from bespeak.demo import DEMO
from bespeak.inventory.shapes.registry import parse_plan
from bespeak.postgres.migrate import migrate
from bespeak.postgres.pool import connect
from bespeak.verticals.installed import migration_sources
from tests.harness.replication import DATABASE, Node, Pair, folder_for_nodes

TASKS = 512
_MODES = ("none", "async", "on", "remote_apply")


async def run(bench: Bench) -> list[Figure]:
    """All in turn: many at once, and one alone, whose latency is that of a commit."""
    with contextlib.ExitStack() as stack:
        parent = stack.enter_context(tempfile.TemporaryDirectory(prefix="bespeak-bench-"))
        pair = _started(stack.enter_context(folder_for_nodes(Path(parent))))
        await _prepare(pair.primary)
        seats = fresh(await _shows(pair.primary))

        async def hold(mode: str, tasks: int) -> Sample:
            _set(pair, mode)
            async with _engine(pair) as engine:
                return await _measured(placing(engine, seats), tasks, bench, pair)

        async def written(tasks: int) -> Sample:
            """As the API answers where a replica reads: with how far the log has gone."""
            _set(pair, "async")
            async with _engine(pair, read_url=pair.standby.url) as engine:
                work = _telling(engine, placing(engine, seats))
                return await _measured(work, tasks, bench, pair)

        many = [partial(hold, mode, TASKS) for mode in _MODES]
        one = [partial(hold, mode, 1) for mode in _MODES]
        samples = await alternate(
            [*many, *one, partial(written, TASKS), partial(written, 1)], bench.rounds
        )
    names = [f"replicas-{mode}" for mode in _MODES]
    names += [f"replicas-{mode}-alone" for mode in _MODES]
    names += ["replicas-async-told", "replicas-async-told-alone"]
    return [alone(name, "holds/s", one) for name, one in zip(names, samples, strict=True)]


def _started(folder: Path) -> Pair:
    primary = Node(folder / "primary", options=("synchronous_commit=on",))
    primary.initialize()
    # What the embedded server has, with fsync.
    with (primary.folder / "postgresql.conf").open("a") as file:
        file.write(_for_any_version(configuration()))
    primary.start()
    primary.sql(f"create database {DATABASE}", database="postgres")
    standby = primary.standby(folder / "standby")
    standby.start()
    return Pair(primary, standby)


def _for_any_version(text: str) -> str:
    """Our own settings without those that say where it listens, or that an older server lacks."""
    known = ("shared_buffers", "max_wal_size", "fsync", "full_page_writes", "wal_compression")
    return "".join(f"{one}\n" for one in text.splitlines() if one.split(" ")[0] in known)


async def _prepare(primary: Node) -> None:
    connection = await connect(primary.url)
    try:
        await migrate(connection, [*migration_sources(), DEMO])
    finally:
        await connection.close()


async def _shows(primary: Node) -> list[str]:
    new = bespeak.NewResource(
        name="Show",
        plan=parse_plan(msgspec.json.encode(HALL.plan()).decode()),
        hold_seconds=HOLD_SECONDS,
        owner_limit=OWNER_LIMIT,
    )
    async with bespeak.connect(primary.url, sweep=False) as engine:
        return [made.id for made in await engine.create_resources([new] * HALL.shows)]


@contextlib.asynccontextmanager
async def _engine(pair: Pair, read_url: str | None = None) -> AsyncIterator[bespeak.Engine]:
    async with bespeak.connect(pair.primary.url, read_url=read_url) as engine:
        yield engine


def _set(pair: Pair, mode: str) -> None:
    """The standby is there or not, and commits wait for it or not."""
    primary, standby = pair
    if mode == "none":
        _let_commits_go(primary)
        if standby.is_running:
            standby.stop("fast")
        return
    if not standby.is_running:
        standby.start()
    _let_commits_go(primary)
    primary.wait_for_standby()
    if mode != "async":
        primary.wait_for_commits_of(level=mode)


def _let_commits_go(primary: Node) -> None:
    primary.sql("alter system reset synchronous_standby_names")
    primary.sql("select pg_reload_conf()")


async def _measured(work: Work, tasks: int, bench: Bench, pair: Pair) -> Sample:
    await settle(pair.primary.url)
    return await crowd(tasks, work, bench.seconds, bench.warm_up_seconds)


def _telling(engine: bespeak.Engine, place: Work) -> Work:
    async def work(task: int) -> bool:
        go_on = await place(task)
        await engine.written()
        return go_on

    return work
