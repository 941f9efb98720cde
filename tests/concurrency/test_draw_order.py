"""Draws are locked in the order of their keys: by who confirms a hold in its last moment, without
the pools, and by who takes back what has lapsed by then, with them.
"""

import asyncio
from collections.abc import Sequence

import pytest

from tests.concurrency.waiting import deadlocks, until_blocked, until_waiting
from tests.harness.database import Connection, problems, session
from tests.harness.placing import Request, outcomes, place, request, some, unplanned

POOLS = ("a", "b", "c")
CONFIRM = "select outcome from bespeak.confirm_holds($1, array[bespeak.new_change($2)])"


def of(home: int, pools: Sequence[str], owner: str) -> Request:
    """All of each of these pools."""
    return request(*(some(home, unit, 1, 1) for unit in pools), owner=owner, seconds=60)


@pytest.mark.parametrize("pools", ["abc", "cba", "bac", "cab"])
@pytest.mark.parametrize("wanted", ["ac", "ca"])
async def test_who_confirms_at_the_last_moment_and_who_takes_back_what_lapsed(
    database_url: str,
    connection: Connection,
    one: Connection,
    two: Connection,
    pools: str,
    wanted: str,
) -> None:
    """The first is at it before the hold lapses, and waits in the middle of its draws; the second
    comes when it has lapsed."""
    home = await unplanned(connection)
    held = of(home, pools, "asha")
    await place(connection, held)
    before = await deadlocks(connection)
    await two.execute(
        "select set_config('bespeak.now', (bespeak.now() + interval '2min')::text, false)"
    )
    async with session(database_url) as third:
        transaction = third.transaction()
        await transaction.start()
        await third.execute("select from bespeak.draw where unit = $1 for update", pools[1])
        confirming = asyncio.create_task(one.fetchval(CONFIRM, home, held[0]))
        await until_blocked(connection, one, third)
        taking = asyncio.create_task(outcomes(two, of(home, wanted, "bela")))
        await until_waiting(connection, two)
        await transaction.commit()
    confirmed, taken = await asyncio.gather(confirming, taking)
    assert (confirmed, taken) == ("confirmed", ["taken"])
    assert await deadlocks(connection) == before
    assert await problems(connection) == []
