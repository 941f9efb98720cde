"""Seats that must not be left single, when two buyers come at the same time from both sides."""

import asyncio
import random

import pytest

from tests.concurrency.waiting import deadlocks, meet
from tests.harness.database import Connection, problems, session
from tests.harness.placing import Guard, Request, details, outcomes, place, request, seat, unplanned

SEATS = 5


def from_the_left(home: int) -> Request:
    """A1 and A2 of a row of five: A3 keeps a neighbour as long as A4 is free."""
    return request(seat(home, "A1"), seat(home, "A2"), guards=[(home, "A", "A3", "A4")])


def from_the_right(home: int) -> Request:
    """A4 and A5: A3 keeps a neighbour as long as A2 is free."""
    return request(
        seat(home, "A4"), seat(home, "A5"), owner="bela", guards=[(home, "A", "A3", "A2")]
    )


async def taken(connection: Connection, home: int) -> set[str]:
    rows = await connection.fetch("select unit from bespeak.claim where resource_id = $1", home)
    return {row["unit"] for row in rows}


@pytest.mark.parametrize("commit", [True, False])
async def test_two_ends_of_a_row_are_not_both_taken(
    connection: Connection, one: Connection, two: Connection, commit: bool
) -> None:
    home = await unplanned(connection)
    answer = await meet(
        connection,
        one,
        place(one, from_the_left(home)),
        two,
        place(two, from_the_right(home)),
        commit=commit,
    )
    assert isinstance(answer, list)
    (row,) = answer
    assert row["outcome"] == ("orphan" if commit else "held")
    if commit:
        assert details(row) == [{"unit": "A3", "resource_id": home}]
    assert await taken(connection, home) == ({"A1", "A2"} if commit else {"A4", "A5"})
    assert await problems(connection) == []


async def test_control_without_the_lock_of_the_row_a_seat_is_left_single(
    connection: Connection, one: Connection, two: Connection
) -> None:
    """Both look before either has committed, and each sees the other's end of the row free."""
    home = await unplanned(connection)
    await connection.execute(
        "create or replace function bespeak.lock_seat_rows(requests bespeak.hold_request[],"
        " alive boolean[]) returns void language plpgsql as 'begin end'"
    )
    async with one.transaction(), two.transaction():
        assert await outcomes(one, from_the_left(home)) == ["held"]
        assert await outcomes(two, from_the_right(home)) == ["held"]
    assert await taken(connection, home) == {"A1", "A2", "A4", "A5"}


async def test_another_row_or_room_waits_for_nobody(
    connection: Connection, one: Connection, two: Connection
) -> None:
    home, other = [await unplanned(connection) for _ in range(2)]
    async with one.transaction(), asyncio.timeout(20):
        assert await outcomes(one, from_the_left(home)) == ["held"]
        assert await outcomes(two, from_the_right(other)) == ["held"]
        beside = request(seat(home, "B1"), guards=[(home, "B", "B2", "B3")])
        assert await outcomes(two, beside) == ["held"]
        unguarded = request(seat(home, "A5"), owner="operator")
        assert await outcomes(two, unguarded) == ["held"]


def guards_of(home: int, row: str, chosen: list[int]) -> list[Guard]:
    """Both neighbours of a block of seats in a row, each with its other neighbour."""
    low, high = chosen[0], chosen[-1]
    found: list[Guard] = []
    if low > 1:
        found.append((home, row, f"{row}{low - 1}", f"{row}{low - 2}" if low > 2 else None))
    if high < SEATS:
        beyond = f"{row}{high + 2}" if high + 1 < SEATS else None
        found.append((home, row, f"{row}{high + 1}", beyond))
    return found


async def test_a_crowd_leaves_no_seat_single_and_never_deadlocks(
    connection: Connection, database_url: str, dice: random.Random
) -> None:
    """Each hold takes a block in each of two rows, in any order, over two rooms."""
    homes = [await unplanned(connection) for _ in range(2)]
    rows = [(home, row) for home in homes for row in "ABCDEFGHIJ"]

    async def buyer(number: int) -> list[str]:
        answers: list[str] = []
        async with session(database_url) as mine:
            await mine.execute("set deadlock_timeout = '50ms'")
            for _ in range(30):
                asked, guards = [], []
                for home, row in dice.sample(rows, 2):
                    first = dice.randint(1, SEATS - 1)
                    chosen = list(range(first, min(SEATS, first + dice.randint(0, 2)) + 1))
                    asked += [seat(home, f"{row}{n}") for n in chosen]
                    guards += guards_of(home, row, chosen)
                answers += await outcomes(
                    mine, request(*asked, owner=f"o{number}", guards=guards or None)
                )
        return answers

    answers = [answer for mine in await asyncio.gather(*map(buyer, range(8))) for answer in mine]
    assert {"held", "orphan", "taken"} >= set(answers)
    assert "held" in answers
    for home in homes:
        names = await taken(connection, home)
        for row in "ABCDEFGHIJ":
            free = [f"{row}{n}" not in names for n in range(1, SEATS + 1)]
            shape = "".join("." if one else "x" for one in free)
            assert "." not in [run for run in shape.split("x") if len(run) == 1], shape
    assert await deadlocks(connection) == 0
    assert await problems(connection) == []
