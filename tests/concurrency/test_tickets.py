"""Numbers under a rush: in the order of the commits, none twice, whoever asks at the same time."""

import asyncio
import random

import pytest

import bespeak
from bespeak import Hold
from tests.concurrency.waiting import deadlocks, meet, until_blocked
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems, session
from tests.harness.placing import (
    hold_id,
    numbers,
    outcomes,
    place,
    request,
    seat,
    tickets,
    unplanned,
    upcoming,
)
from tests.harness.shows import within_transaction


async def one_number(connection: Connection, home: int, **fields: str) -> list[str]:
    (row,) = await place(connection, request(*upcoming(home), **fields))  # type: ignore[arg-type]
    return numbers(row)


@pytest.mark.parametrize("commit", [True, False])
@pytest.mark.parametrize("refill", ["never", "freed"])
@pytest.mark.parametrize("is_first", [True, False])
async def test_two_takers_of_the_next_number(
    connection: Connection,
    one: Connection,
    two: Connection,
    commit: bool,
    refill: str,
    is_first: bool,
) -> None:
    """Also for the very first number, for which the counter has no row to lock yet. Who rolls back
    leaves no gap."""
    home = await tickets(connection, 9, refill=refill, first=1 if is_first else 0)
    if not is_first:
        await one_number(connection, home)
    answer = await meet(
        connection, one, one_number(one, home), two, one_number(two, home), commit=commit
    )
    assert answer == ["2" if commit else "1"]
    assert await problems(connection) == []


NAIVE = "select coalesce(max(unit::integer), 0) + 1 from bespeak.claim where resource_id = $1"


async def test_control_looking_for_the_highest_gives_a_number_twice(
    connection: Connection, one: Connection, two: Connection
) -> None:
    """The ordinary mistake, without the counter: both see the same highest number."""
    home = await tickets(connection, 9)
    async with one.transaction(), two.transaction():
        mine, theirs = await one.fetchval(NAIVE, home), await two.fetchval(NAIVE, home)
        assert await outcomes(one, request(seat(home, str(mine)))) == ["held"]
    assert mine == theirs
    assert await outcomes(two, request(seat(home, str(theirs)))) == ["taken"]


async def test_control_without_the_lock_both_are_given_the_same(
    connection: Connection, one: Connection, two: Connection
) -> None:
    """The engine's own function, but reading the counter without locking it: one of the two loses
    though there are numbers left."""
    home = await tickets(connection, 9)
    await one_number(connection, home)
    source: str = await connection.fetchval(
        "select pg_get_functiondef('bespeak.lock_counters'::regproc)"
    )
    assert source.count("order by n.resource_id for update;") == 1
    await connection.execute(source.replace("order by n.resource_id for update;", ";"))
    first = one.transaction()
    await first.start()
    assert await one_number(one, home) == ["2"]
    waiting = asyncio.create_task(outcomes(two, request(*upcoming(home))))
    await until_blocked(connection, two, one)  # for the claim, no longer for the counter
    await first.commit()
    assert await waiting == ["taken"]


@pytest.mark.parametrize("refill", ["never", "freed"])
async def test_a_twin_in_flight_gets_the_number_of_its_sibling(
    connection: Connection, one: Connection, two: Connection, refill: str
) -> None:
    home = await tickets(connection, 9, refill=refill)
    await one_number(connection, home)
    answer = await meet(
        connection, one, one_number(one, home, key="k"), two, one_number(two, home, key="k")
    )
    assert answer == ["2"]
    assert await connection.fetchval("select last from bespeak.counter") == 2
    assert await connection.fetchval("select count(*) from bespeak.hold") == 2
    assert await one_number(connection, home) == ["3"]


async def test_a_crowd_gets_every_number_once_and_in_the_order_of_the_feed(
    connection: Connection, database_url: str, dice: random.Random
) -> None:
    home = await tickets(connection, 300, refill="never")

    async def clerk() -> list[list[str]]:
        async with session(database_url) as mine:
            got = []
            while True:
                batch = [
                    request(*upcoming(home, dice.randint(1, 3))) for _ in range(dice.randint(1, 4))
                ]
                rows = await place(mine, *batch)
                got += [numbers(row) for row in rows if row["outcome"] == "held"]
                if any(row["outcome"] == "taken" for row in rows):
                    return got

    given = [names for mine in await asyncio.gather(*(clerk() for _ in range(8))) for names in mine]
    given += [await one_number(connection, home) for _ in range(300 - sum(map(len, given)))]
    assert sorted(int(name) for names in given for name in names) == list(range(1, 301))
    told = await connection.fetch(
        "select units from bespeak.event where kind = 'held' order by horizon, position"
    )
    assert [name for row in told for name in row["units"]] == [str(n) for n in range(1, 301)]
    assert await problems(connection) == []


@pytest.mark.parametrize("refill", ["never", "freed"])
async def test_a_crowd_that_comes_and_goes(
    engine: bespeak.Engine,
    connection: Connection,
    database_url: str,
    clock: Clock,
    dice: random.Random,
    refill: str,
) -> None:
    """Releases, lapses and bookings go on while numbers are given; no live number has two holders,
    and with `never` no number had two holders at any time."""
    home = await tickets(connection, 400, refill=refill)
    seen: list[str] = []
    winding = asyncio.Lock()  # the clock has one session

    async def patient() -> None:
        async with session(database_url) as mine:
            for _ in range(12):
                asked = request(*upcoming(home), seconds=dice.choice([1, 600]))
                (row,) = await place(mine, asked)
                assert row["outcome"] == "held"
                seen.extend(numbers(row))
                step = dice.choice(["stay", "release", "confirm", "wait"])
                if step == "wait":
                    async with winding:
                        await clock.advance(1)
                elif step != "stay":
                    verb = engine.release_hold if step == "release" else engine.confirm_hold
                    try:
                        ended = await within_transaction(
                            mine, verb(hold_id(asked), connection=mine)
                        )
                    except bespeak.HoldExpired:
                        continue  # somebody moved the clock meanwhile
                    assert isinstance(ended, Hold | bespeak.Booking)

    await asyncio.gather(*(patient() for _ in range(8)))
    assert await problems(connection) == []
    if refill == "never":
        assert sorted(map(int, seen)) == list(range(1, 8 * 12 + 1))
    else:
        assert max(map(int, seen)) <= 8 * 12


async def test_a_number_that_is_confirmed_as_it_lapses_is_not_given_again(
    engine: bespeak.Engine, connection: Connection, database_url: str, clock: Clock
) -> None:
    """By the next taker's clock it has lapsed, by the confirmer's it has not: whoever has the row
    keeps it, and the taker is given the next number instead of a refusal."""
    home = await tickets(connection, 10, refill="freed")
    first = request(*upcoming(home), seconds=1)
    assert [row["outcome"] for row in await place(connection, first)] == ["held"]
    async with session(database_url) as slow:
        async with slow.transaction():
            booking = await engine.confirm_hold(hold_id(first), connection=slow)
            await clock.advance(1)
            async with asyncio.timeout(20):
                (row,) = await place(connection, request(*upcoming(home)))
        assert row["outcome"] == "held"
        assert numbers(row) == ["2"]
    assert booking.lines[0].unit == "1"
    assert await problems(connection) == []


async def test_sessions_in_opposite_orders_never_deadlock(
    connection: Connection, database_url: str, dice: random.Random
) -> None:
    """Counters come first and in key order, also beside seats, and also when they are new."""
    homes = [await tickets(connection, 1000) for _ in range(3)]
    room = await unplanned(connection)

    async def buyer(number: int) -> int:
        held = 0
        async with session(database_url) as mine:
            await mine.execute("set deadlock_timeout = '50ms'")
            for _ in range(15):
                asked = [
                    *upcoming(homes[0], dice.randint(0, 1)),
                    *upcoming(homes[1]),
                    *upcoming(homes[2], dice.randint(0, 2)),
                    seat(room, f"A{dice.randint(1, 60)}"),
                ]
                dice.shuffle(asked)
                answers = await outcomes(mine, request(*asked, owner=f"o{number}"))
                held += answers == ["held"]
        return held

    granted = await asyncio.gather(*(buyer(number) for number in range(8)))
    assert sum(granted) > 0
    assert await deadlocks(connection) == 0
    assert await problems(connection) == []
