"""A code under a rush: it is good for as many as it says, whoever asks at the same time."""

import asyncio
import random

import pytest

import bespeak
from bespeak import Line, SoldOut
from bespeak.pricing.rules import PriceCode, Pricing
from tests.concurrency.waiting import meet
from tests.harness.database import Connection, problems
from tests.harness.placing import outcomes, request, seat, some, unplanned
from tests.harness.shapes import ROOMS, THEATRE, TOKENS, MakeShape


def coded(line: Line) -> Line:
    return Line(
        line.resource_id, line.unit, line.quantity, from_=line.from_, to=line.to,
        best=line.best, next=line.next, code="FIVE",
    )  # fmt: skip


def units_of(refusal: bespeak.BespeakError) -> list[str]:
    """What stood in the way."""
    conflicts = refusal.data["conflicts"]
    assert isinstance(conflicts, list)
    return [conflict.unit for conflict in conflicts]


async def test_many_use_a_code_at_once_on_different_seats(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    connection: Connection,
    make_shape: MakeShape,
    dice: random.Random,
) -> None:
    """No seat is asked for twice, so that only the code decides; each who lost holds nothing."""
    codes = Pricing(codes=(PriceCode(code="FIVE", capacity=5, amount=500),))
    show = await make_shape(THEATRE, pricing=codes)
    units = [f"{row}{seat}" for row in "ABC" for seat in range(1, 7)]
    dice.shuffle(units)

    async def ask(place: int, unit: str) -> bool:
        one = (engine, second_engine)[place % 2]
        try:
            made = await one.place_hold(
                owner=f"o{place}", lines=[coded(Line(show.id, unit))], alternatives=0
            )
        except SoldOut as refusal:
            assert units_of(refusal) == ["code:FIVE"]
            return False
        assert made.quote is not None
        assert made.quote.lines[1].amount == -500
        return True

    won = await asyncio.gather(*(ask(place, unit) for place, unit in enumerate(units)))
    assert sum(won) == 5
    assert await connection.fetchval("select count(*) from bespeak.claim") == 5
    assert await connection.fetchval("select taken from bespeak.pool where unit = 'code:FIVE'") == 5
    assert await problems(connection) == []


@pytest.mark.usefixtures("clock")
async def test_numbers_and_rooms_with_a_code_at_once(
    engine: bespeak.Engine, connection: Connection, make_shape: MakeShape
) -> None:
    codes = Pricing(codes=(PriceCode(code="FIVE", capacity=2, basis_points=1000),))
    for shape, line in ((TOKENS, Line("", next=1)), (ROOMS, ROOMS.one)):
        resource_id = (await make_shape(shape, pricing=codes)).id
        lines = [Line(resource_id, None, from_=line.from_, to=line.to, next=line.next)] * 3
        answers = await asyncio.gather(
            *(
                engine.place_hold(owner=f"o{place}", lines=[coded(one)], alternatives=0)
                for place, one in enumerate(lines)
            ),
            return_exceptions=True,
        )
        (refused,) = (one for one in answers if isinstance(one, bespeak.Refused))
        # A room that was chosen and lost may stand beside it.
        assert "code:FIVE" in units_of(refused)
        assert len([one for one in answers if isinstance(one, bespeak.Hold)]) == 2
    assert await problems(connection) == []


async def test_the_last_use_waits_for_who_has_it(
    connection: Connection, one: Connection, two: Connection
) -> None:
    home = await unplanned(connection)
    mine = request(seat(home, "A1"), some(home, "code:FIVE", 1, 1))
    theirs = request(seat(home, "A2"), some(home, "code:FIVE", 1, 1), owner="ben")
    answer = await meet(connection, one, outcomes(one, mine), two, outcomes(two, theirs))
    assert answer == ["taken"]
    assert await problems(connection) == []


async def test_the_last_use_is_free_again_when_they_roll_back(
    connection: Connection, one: Connection, two: Connection
) -> None:
    home = await unplanned(connection)
    mine = request(seat(home, "A1"), some(home, "code:FIVE", 1, 1))
    theirs = request(seat(home, "A2"), some(home, "code:FIVE", 1, 1), owner="ben")
    answer = await meet(
        connection, one, outcomes(one, mine), two, outcomes(two, theirs), commit=False
    )
    assert answer == ["held"]


async def test_control_counting_uses_before_holding_lets_too_many_in(
    connection: Connection, one: Connection, two: Connection
) -> None:
    """The ordinary mistake: both count, both see one use left, both hold without drawing it."""
    home = await unplanned(connection)
    used = "select count(*) from bespeak.draw where resource_id = $1 and unit = 'code:FIVE'"
    async with one.transaction(), two.transaction():
        assert [await each.fetchval(used, home) for each in (one, two)] == [0, 0]
        assert await outcomes(one, request(seat(home, "A1"))) == ["held"]
        assert await outcomes(two, request(seat(home, "A2"), owner="ben")) == ["held"]
    assert await connection.fetchval("select count(*) from bespeak.hold") == 2
