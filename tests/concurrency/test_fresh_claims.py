"""A batch claims what nobody has by a quick way, which gives up when another was quicker, and
leaves it to the slow one: whatever comes between its look and its claims, what it answers and
leaves is right.
"""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from tests.concurrency.waiting import until_somebody_waits
from tests.harness.clock import START
from tests.harness.database import Connection, problems, session
from tests.harness.placing import Request, outcomes, place, request, seat, some, unplanned

LATER = (START + timedelta(days=1)).isoformat()


@pytest.fixture
async def ours(database_url: str) -> AsyncIterator[Connection]:
    """A session whose clock stands still."""
    async with session(database_url, START.isoformat()) as made:
        yield made


@pytest.fixture
async def theirs(database_url: str) -> AsyncIterator[Connection]:
    async with session(database_url, START.isoformat()) as made:
        yield made


def nights(home: int, first: int, owner: str) -> Request:
    """Three units side by side, with a place of a pool and the owner's limit."""
    return request(
        *(seat(home, f"101@{night:02}") for night in range(first, first + 3)),
        some(home, "floor", 1, 9),
        owner=owner,
        key=f"key-{owner}",
        limits=[some(home, f"owner:{owner}", 1, 3)],
    )


async def claims(connection: Connection) -> dict[str, str]:
    """Whose each unit is."""
    rows = await connection.fetch("""
        select c.unit, h.owner from bespeak.claim c
        join bespeak.hold h using (resource_id, hold_id) order by c.unit
    """)
    return {row["unit"]: row["owner"] for row in rows}


@pytest.mark.parametrize("ends", ["commit", "rollback"])
async def test_who_was_quicker_and_commits_has_it(
    ours: Connection, theirs: Connection, ends: str
) -> None:
    home = await unplanned(ours)
    first = theirs.transaction()
    await first.start()
    assert await outcomes(theirs, nights(home, 4, "bela")) == ["held"]
    # Its look sees none of that, and its claims stop at the one they share.
    batch = asyncio.create_task(
        outcomes(ours, nights(home, 1, "asha"), nights(home, 6, "cleo"), nights(home, 9, "dana"))
    )
    await until_somebody_waits(theirs, theirs)
    await getattr(first, ends)()
    assert await batch == ["held", "taken" if ends == "commit" else "held", "held"]
    has = await claims(ours)
    assert [has.get(f"101@{night:02}") for night in (3, 6, 8, 11)] == [
        "asha",
        "bela" if ends == "commit" else "cleo",
        None if ends == "commit" else "cleo",
        "dana",
    ]
    assert await ours.fetchval("select taken from bespeak.pool where unit = 'floor'") == 3
    assert await problems(ours) == []


async def test_what_lapsed_is_taken_over_beside_what_is_fresh(
    ours: Connection, database_url: str
) -> None:
    home = await unplanned(ours)
    lapsed = nights(home, 3, "bela")
    assert await outcomes(ours, lapsed) == ["held"]
    async with session(database_url, LATER) as late:
        assert (
            await outcomes(late, nights(home, 1, "asha"), nights(home, 4, "cleo")) == ["held"] * 2
        )
        assert set((await claims(late)).values()) == {"asha", "cleo"}
    rows = await ours.fetch(
        "select unit from bespeak.claim where taken_from = $1 order by 1", lapsed[0]
    )
    assert [row["unit"] for row in rows] == ["101@03", "101@04", "101@05"]


@pytest.mark.parametrize("found", ["nothing", "lapsed", "taken"])
async def test_the_slow_way_is_for_what_the_look_has_found(
    ours: Connection, database_url: str, found: str
) -> None:
    home = await unplanned(ours)
    if found == "lapsed":
        await place(ours, nights(home, 4, "bela"))
    async with session(database_url, LATER) as late:
        asked, expected = [nights(home, 1, "asha"), nights(home, 4, "cleo")], ["held", "held"]
        if found == "taken":
            await place(late, nights(home, 7, "dana"))
            asked, expected = [*asked, nights(home, 9, "emil")], [*expected, "taken"]
        async with late.transaction():
            await late.execute("set local track_functions = 'all'")
            assert await outcomes(late, *asked) == expected
            rows = await late.fetch("select funcname from pg_stat_xact_user_functions")
    called = {row["funcname"] for row in rows} & {"claim_units", "claim_fresh_units"}
    assert called == {"claim_fresh_units" if found == "nothing" else "claim_units"}


async def test_units_are_left_out_where_a_batch_has_none(ours: Connection) -> None:
    home = await unplanned(ours)
    asked = [request(some(home, "floor", 1, 9), owner=owner) for owner in ("asha", "bela")]
    async with ours.transaction():
        await ours.execute("set local track_functions = 'all'")
        assert await outcomes(ours, *asked) == ["held", "held"]
        rows = await ours.fetch("select funcname from pg_stat_xact_user_functions")
    assert not {row["funcname"] for row in rows} & {"claim_units", "claim_fresh_units"}


async def test_in_a_transaction_of_the_caller_nothing_else_is_undone(
    ours: Connection, theirs: Connection
) -> None:
    home = await unplanned(ours)
    first = theirs.transaction()
    await first.start()
    await place(theirs, nights(home, 4, "bela"))
    async with ours.transaction():
        await ours.execute("create temporary table of_the_caller (n integer)")
        await ours.execute("insert into of_the_caller values (7)")
        batch = asyncio.create_task(
            outcomes(ours, nights(home, 2, "asha"), nights(home, 7, "cleo"))
        )
        await until_somebody_waits(theirs, theirs)
        await first.commit()
        assert await batch == ["taken", "held"]
    assert await ours.fetchval("select n from of_the_caller") == 7
    assert set((await claims(ours)).values()) == {"bela", "cleo"}
    assert await problems(ours) == []


async def test_a_batch_that_names_a_unit_twice_is_refused_as_it_was(ours: Connection) -> None:
    """Its caller promises not to; the database holds it to that."""
    home = await unplanned(ours)
    with pytest.raises(Exception, match="second time"):
        await place(ours, nights(home, 1, "asha"), nights(home, 3, "bela"))
    assert await ours.fetchval("select count(*) from bespeak.claim") == 0
