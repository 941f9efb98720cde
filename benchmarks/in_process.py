"""An engine in this process on a database of its own, for the cases that do without HTTP."""

import contextlib
import gc
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import asyncpg

import bespeak
from benchmarks.bespeak_server import HOLD_SECONDS, OWNER_LIMIT, migrated
from benchmarks.database import Database, settle
from bespeak.inventory.shapes.registry import parse_plan


@dataclass(frozen=True)
class Opened:
    """An engine with its shows."""

    engine: bespeak.Engine
    database_url: str
    resources: list[str]


@contextlib.asynccontextmanager
async def opened(
    database: Database,
    name: str,
    shows: int,
    plan: dict[str, object],
    *,
    limit: int = OWNER_LIMIT,
    sweep: bool = True,
) -> AsyncIterator[Opened]:
    """Connect an engine to a new database and create so many shows of one plan. The garbage
    collector rests as the guide of the library advises, also for whom the engine is compared with.
    """
    gc.set_threshold(50_000, 20, 50)
    url = await migrated(database, name)
    new = bespeak.NewResource(
        name="Show",
        plan=parse_plan(json.dumps(plan)),
        hold_seconds=HOLD_SECONDS,
        owner_limit=limit,
    )
    async with bespeak.connect(database_url=url, sweep=sweep) as engine:
        resources = [made.id for made in await engine.create_resources([new] * shows)]
        await settle(url)
        yield Opened(engine, url, resources)


@contextlib.asynccontextmanager
async def idle_holds(database_url: str, shows: Sequence[str]) -> AsyncIterator[None]:
    """A session with a hold on A1 of each show that is never committed."""
    connection = await asyncpg.connect(database_url)
    transaction = connection.transaction()
    await transaction.start()
    for show in shows:
        await connection.execute("select bespeak.place_hold('idle', array[$1], array['A1'])", show)
    try:
        yield
    finally:
        await transaction.rollback()
        await connection.close()
