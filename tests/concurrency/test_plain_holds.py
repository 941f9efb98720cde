"""One hold alone is written before it is sure of its seats. Who loses the race then leaves nothing,
and what it had taken over is the lapsed hold's again.
"""

from datetime import timedelta
from uuid import UUID

import asyncpg
import pytest

from tests.concurrency.waiting import meet
from tests.harness.clock import START
from tests.harness.database import Connection, problems, session, snapshot
from tests.harness.placing import Asked, Request, place_alone, request, seat, some, unplanned

LATER = (START + timedelta(days=1)).isoformat()


def asked_for(home: int) -> tuple[Request, Request]:
    """Two who share one seat of two; the second has a key and a limit."""
    return (
        request(seat(home, "A2"), seat(home, "A3")),
        request(
            *(seat(home, "A1"), seat(home, "A2")),
            owner="bela",
            key="k1",
            limits=[some(home, "owner:bela", 2, 4)],
        ),
    )


@pytest.mark.parametrize("long_way", [False, True])
@pytest.mark.parametrize("commit", [True, False])
async def test_two_for_one_seat(
    connection: Connection, one: Connection, two: Connection, long_way: bool, commit: bool
) -> None:
    home = await unplanned(connection)
    first, second = asked_for(home)
    answer = await meet(
        connection,
        one,
        place_alone(one, first),
        two,
        place_alone(two, second, long_way=long_way),
        commit=commit,
    )
    assert isinstance(answer, asyncpg.Record)
    assert answer["outcome"] == ("taken" if commit else "held")
    assert await _holders(connection) == (
        {"A2": first[0], "A3": first[0]} if commit else {"A1": second[0], "A2": second[0]}
    )
    for table in ("hold_key", "draw"):
        count = await connection.fetchval(f"select count(*) from bespeak.{table}")
        assert count == (0 if commit else 1)
    assert await connection.fetchval("select count(*) from bespeak.hold") == 1
    assert await connection.fetchval("select count(*) from bespeak.event") == 1
    assert await problems(connection) == []


async def test_the_control_without_undoing_a_loser_keeps_a_seat(
    connection: Connection, one: Connection, two: Connection
) -> None:
    home = await unplanned(connection)
    first, second = asked_for(home)
    await connection.execute("""
        create or replace function bespeak.undo_holds(
            requests bespeak.hold_request[], written boolean[], alive boolean[]) returns void
        language sql as ''
    """)
    answer = await meet(connection, one, place_alone(one, first), two, place_alone(two, second))
    assert isinstance(answer, asyncpg.Record)
    assert await problems(connection) != []


@pytest.mark.parametrize("long_way", [False, True])
async def test_what_a_loser_had_taken_over_is_the_lapsed_holds_again(
    connection: Connection, database_url: str, long_way: bool
) -> None:
    home = await unplanned(connection)
    async with session(database_url, START.isoformat()) as before:
        lapsed = request(seat(home, "A1"), owner="dana")
        await place_alone(before, lapsed)
    first, second = asked_for(home)
    async with session(database_url, LATER) as one, session(database_url, LATER) as two:
        answer = await meet(
            connection,
            one,
            place_alone(one, first),
            two,
            place_alone(two, second, long_way=long_way),
        )
    assert isinstance(answer, asyncpg.Record)
    assert answer["outcome"] == "taken"
    assert (await _holders(connection))["A1"] == lapsed[0]
    assert await connection.fetchval(
        "select taken_from is null and expires_at = '-infinity'"
        " from bespeak.claim where unit = 'A1'"
    )


@pytest.mark.parametrize("long_way", [False, True])
@pytest.mark.parametrize("commit", [True, False])
async def test_two_for_the_rest_of_a_limit(
    connection: Connection, one: Connection, two: Connection, long_way: bool, commit: bool
) -> None:
    home = await unplanned(connection)

    def limit(count: int) -> list[Asked]:
        return [some(home, "owner:asha", count, 4)]

    await place_alone(connection, request(seat(home, "C1"), limits=limit(1)))
    before = await snapshot(connection)
    answer = await meet(
        connection,
        one,
        place_alone(one, request(seat(home, "A1"), seat(home, "A2"), limits=limit(2))),
        two,
        place_alone(
            two,
            request(seat(home, "B1"), seat(home, "B2"), key="k1", limits=limit(2)),
            long_way=long_way,
        ),
        commit=commit,
    )
    assert isinstance(answer, asyncpg.Record)
    assert answer["outcome"] == ("taken" if commit else "held")
    units = set(await _holders(connection))
    assert units == ({"C1", "A1", "A2"} if commit else {"C1", "B1", "B2"})
    assert await connection.fetchval("select taken from bespeak.pool") == 3
    assert (await snapshot(connection))["hold_key"] == before["hold_key"] or not commit
    assert await problems(connection) == []


@pytest.mark.parametrize("commit", [True, False])
async def test_twins_with_one_key(
    connection: Connection, one: Connection, two: Connection, commit: bool
) -> None:
    """The same request from two processes: the second waits for the first, and has its hold."""
    home = await unplanned(connection)
    twins = [request(seat(home, "A1"), key="k1") for _ in range(2)]
    answer = await meet(
        connection, one, place_alone(one, twins[0]), two, place_alone(two, twins[1]), commit=commit
    )
    assert isinstance(answer, asyncpg.Record)
    assert answer["outcome"] == ("replayed" if commit else "held")
    assert await _holders(connection) == {"A1": twins[0 if commit else 1][0]}


async def _holders(connection: Connection) -> dict[str, UUID]:
    rows = await connection.fetch("select unit, hold_id from bespeak.claim")
    return {row["unit"]: row["hold_id"] for row in rows}
