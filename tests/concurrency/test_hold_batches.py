"""Batches of holds that meet each other, and a process that is killed in the middle of one: each
hold is placed once, whole, or not at all.
"""

import asyncio
import itertools
import multiprocessing
import os
import signal
from collections.abc import Sequence
from typing import Any

import pytest

import bespeak
from bespeak import Hold, PoolPlan, Resource, SeatsPlan, UnitTaken, WantedHold
from bespeak.reservations.hold_batches import HoldOutcome
from tests.conftest import SETTINGS
from tests.harness.database import Connection, problems
from tests.harness.shows import MakeShow, pool, seats

COUNT = 500
ANSWERS = 20
HALL = SeatsPlan(pools=(PoolPlan("gallery", 5000),))
# One process has all imported, and every victim is its fork.
_victims = multiprocessing.get_context("forkserver")
_victims.set_forkserver_preload([__name__])


def calls(shows: Sequence[Resource], *, keyed: bool = True, owner: str = "") -> list[WantedHold]:
    """A seat of each show, then the next of each, 500 in all."""
    return [
        WantedHold(
            owner=owner or f"o{number}",
            lines=seats(shows[number % len(shows)], f"A{1 + number // len(shows)}"),
            idempotency_key=f"order {number}" if keyed else None,
        )
        for number in range(COUNT)
    ]


@pytest.fixture
async def shows(make_show: MakeShow) -> list[Resource]:
    return [await make_show() for _ in range(COUNT // 20)]


def place_and_die(url: str, wanted: Sequence[WantedHold]) -> None:
    """What the process does that is killed: it dies by its own hand with the twentieth answer, so
    that it is always in the middle."""

    async def place() -> None:
        async with bespeak.connect(url, settings=SETTINGS, sweep=False) as engine:
            place_hold, answers = engine.place_hold, itertools.count(1)

            async def counted(**fields: Any) -> Hold:  # any: as place_hold takes them
                hold = await place_hold(**fields)
                if next(answers) == ANSWERS:
                    os.kill(os.getpid(), signal.SIGKILL)
                return hold

            engine.place_hold = counted  # type: ignore[method-assign]
            await engine.place_holds(wanted)

    asyncio.run(place())


async def held(connection: Connection) -> dict[str, str]:
    rows = await connection.fetch("select hold_id::text, owner from bespeak.hold")
    return {row["owner"]: row["hold_id"] for row in rows}


async def killed_in_the_middle(
    url: str, connection: Connection, wanted: Sequence[WantedHold]
) -> dict[str, str]:
    """What a process had held when it was killed, by its owners: some, and not all."""
    process = _victims.Process(target=place_and_die, args=(url, wanted))
    process.start()
    await asyncio.to_thread(process.join)
    assert process.exitcode == -signal.SIGKILL
    async with asyncio.timeout(60):  # what its last statement did, is done by now or never
        while await connection.fetchval(_OTHERS):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    found = await held(connection)
    assert ANSWERS <= len(found) < COUNT, "it was not killed in the middle"
    return found


_OTHERS = """select count(*) from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'"""


async def test_a_process_killed_in_the_middle_loses_and_doubles_nothing(
    database_url: str, connection: Connection, shows: list[Resource]
) -> None:
    wanted = calls(shows)
    before = await killed_in_the_middle(database_url, connection, wanted)
    assert await problems(connection) == [], "what is there is whole"
    async with bespeak.connect(database_url, settings=SETTINGS, sweep=False) as engine:
        outcomes = await engine.place_holds(wanted)
    holds = [one for one in outcomes if isinstance(one, Hold)]
    assert len(holds) == COUNT
    assert {hold.owner for hold in holds if hold.replayed} == set(before)
    after = await held(connection)
    assert len(after) == COUNT
    assert before.items() <= after.items(), "the very same holds"
    assert await problems(connection) == []


async def test_control_without_keys_a_repeat_is_in_its_own_way(
    database_url: str, connection: Connection, shows: list[Resource]
) -> None:
    wanted = calls(shows, keyed=False)
    before = await killed_in_the_middle(database_url, connection, wanted)
    async with bespeak.connect(database_url, settings=SETTINGS, sweep=False) as engine:
        outcomes = await engine.place_holds(wanted)
    assert sum(isinstance(one, UnitTaken) for one in outcomes) == len(before)
    assert await problems(connection) == []


async def at_once(url: str, *batches: Sequence[WantedHold]) -> list[list[HoldOutcome]]:
    """Batches of as many processes, each with its own committer, at once."""

    async def place(wanted: Sequence[WantedHold]) -> list[HoldOutcome]:
        async with bespeak.connect(url, settings=SETTINGS, sweep=False) as engine:
            for one in wanted[:30]:
                await engine.get_resource(one.lines[0].resource_id)
            await ready.wait()
            return await engine.place_holds(wanted)

    ready = asyncio.Barrier(len(batches))
    return list(await asyncio.gather(*map(place, batches)))


async def test_each_seat_is_given_to_one_of_two_batches(
    database_url: str, connection: Connection, shows: list[Resource]
) -> None:
    """In opposite orders, as two locks are taken where a deadlock is."""
    one = calls(shows, owner="one")
    other = list(reversed(calls(shows, owner="other")))
    first, second = await at_once(database_url, one, other)
    for mine, theirs in zip(first, reversed(second), strict=True):
        assert sorted([type(mine), type(theirs)], key=str) == sorted([Hold, UnitTaken], key=str)
    assert await problems(connection) == []


async def test_the_same_call_at_two_processes_holds_once(
    database_url: str, connection: Connection, make_show: MakeShow
) -> None:
    wanted = tickets(await make_show(plan=HALL))
    first, second = await at_once(database_url, wanted, wanted)
    assert ids_of(first) == ids_of(second)
    assert await connection.fetchval("select count(*) from bespeak.hold") == len(wanted)


async def test_control_without_the_primary_key_of_keys_it_holds_twice(
    database_url: str, connection: Connection, make_show: MakeShow
) -> None:
    await connection.execute("alter table bespeak.hold_key drop constraint hold_key_pkey")
    wanted = tickets(await make_show(plan=HALL))
    await at_once(database_url, wanted, wanted)
    assert await connection.fetchval("select count(*) from bespeak.hold") > len(wanted)


def tickets(show: Resource) -> list[WantedHold]:
    """Of a pool, where nothing but the key tells a repeat."""
    return [
        WantedHold(owner="asha", lines=[pool(show, "gallery", 1)], idempotency_key=f"k{number}")
        for number in range(COUNT)
    ]


def ids_of(outcomes: Sequence[HoldOutcome]) -> list[str]:
    return [one.id for one in outcomes if isinstance(one, Hold)]
