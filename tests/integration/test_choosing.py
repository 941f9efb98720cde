"""Choices are made by pictures that a process keeps for a blink, and they are never the worse for
it: what was let go is chosen at once, what was just taken is not, and the last thing is found.
"""

import asyncio

import pytest

import bespeak
from bespeak import Best, Hold, Line
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems
from tests.harness.shapes import (
    CLINIC,
    COURTS,
    HERE,
    RAFFLE,
    ROOMS,
    THEATRE,
    TOKENS,
    TRAIN,
    MakeShape,
    Shape,
    blocks,
    hold,
    of,
    on,
)

# Of each shape that chooses, a line of which there is room for so many and no more.
CHOICES: list[tuple[Shape, Line, int]] = [
    (THEATRE, Line(HERE, best=Best(2, "gold")), 6),
    (ROOMS, of(None, 1, "2030-01-10", "2030-01-13"), 3),
    (CLINIC, of(None, None, "2030-01-02T09:00:00+05:30"), 2),
    (TOKENS, Line(HERE, next=1), 5),
    (
        TRAIN,
        Line(HERE, best=Best(1, "second"), from_="B", to="D"),
        3,
    ),  # the quota's, not the seats'
    (TRAIN, of(None, 1, "B", "D"), 5),
    (COURTS, of(None, None, "2030-01-02T17:00:00+01:00", "2030-01-02T18:00:00+01:00"), 2),
]
KINDS = pytest.mark.parametrize(("shape", "line", "room"), CHOICES, ids=lambda one: str(one)[:12])


def units_of(holds: list[Hold]) -> list[str | None]:
    return [line.unit for one in holds for line in one.lines]


@KINDS
async def test_all_there_is_one_after_the_other(
    engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    make_shape: MakeShape,
    shape: Shape,
    line: Line,
    room: int,
) -> None:
    resource = await make_shape(shape)
    held = [await hold(engine, on(resource, line), f"o{number}") for number in range(room)]
    assert len(set(units_of(held))) == len(units_of(held))
    with pytest.raises((bespeak.SoldOut, bespeak.NotTogether)):
        await hold(engine, on(resource, line), "late")
    assert await problems(connection) == []


# A block draws from no quota, so there lifting it makes no room for more.
ENDS = [
    (*choice, way)
    for choice in CHOICES
    for way in ("release", "cancel", "lapse", "unblock")
    if way != "unblock" or choice[0] is not TRAIN
]


@pytest.mark.parametrize(
    ("shape", "line", "room", "way"), ENDS, ids=[f"{one[0]}-{one[3]}" for one in ENDS]
)
async def test_what_was_let_go_is_chosen_at_once(
    engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    make_shape: MakeShape,
    shape: Shape,
    line: Line,
    room: int,
    way: str,
) -> None:
    resource = await make_shape(shape)
    seconds = 60 if way == "lapse" else 600
    first = await hold(engine, on(resource, line), "first", hold_seconds=seconds)
    block = None
    if way == "unblock":
        await engine.release_hold(first.id)
        block = await engine.block(resource.id, blocks(*first.lines), reason="x")
    booking = await engine.confirm_hold(first.id) if way == "cancel" else None
    for number in range(room - 1):
        await hold(engine, on(resource, line), f"o{number}")
    with pytest.raises((bespeak.SoldOut, bespeak.NotTogether)):
        await hold(engine, on(resource, line), "late")
    match way:
        case "release":
            await engine.release_hold(first.id)
        case "cancel":
            assert booking is not None
            await engine.cancel_booking(booking.id, reason="x")
        case "lapse":
            await clock.advance(60)
        case "unblock":
            assert block is not None
            await engine.unblock(block.id)
    late = await hold(engine, on(resource, line), "late")
    assert units_of([late]) == units_of([first])
    assert await problems(connection) == []


@KINDS
async def test_what_another_process_took_is_passed_over(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    make_shape: MakeShape,
    shape: Shape,
    line: Line,
    room: int,
) -> None:
    """The pictures of two processes know nothing of each other."""
    clock.shared_with(second_engine)
    resource = await make_shape(shape)
    engines = (engine, second_engine)
    held = [await hold(engines[n % 2], on(resource, line), f"o{n}") for n in range(room)]
    assert len(set(units_of(held))) == len(units_of(held))
    for one in engines:
        with pytest.raises((bespeak.SoldOut, bespeak.NotTogether)):
            await hold(one, on(resource, line), "late")
    assert await problems(connection) == []


@KINDS
async def test_a_crowd_takes_all_there_is_and_nobody_fails_before(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    make_shape: MakeShape,
    shape: Shape,
    line: Line,
    room: int,
) -> None:
    clock.shared_with(second_engine)
    resource = await make_shape(shape)
    answers = await asyncio.gather(
        *(
            hold((engine, second_engine)[n % 2], on(resource, line), f"o{n}")
            for n in range(2 * room)
        ),
        return_exceptions=True,
    )
    held = [one for one in answers if isinstance(one, Hold)]
    refused = [one for one in answers if not isinstance(one, Hold)]
    assert len(set(units_of(held))) == len(units_of(held))
    assert len(held) == room
    assert all(isinstance(one, bespeak.SoldOut | bespeak.NotTogether) for one in refused), refused
    assert await problems(connection) == []


async def test_a_number_that_is_gone_does_not_come_back(
    engine: bespeak.Engine, clock: Clock, make_shape: MakeShape
) -> None:
    resource = await make_shape(RAFFLE)
    first = await hold(engine, on(resource, Line(HERE, next=2)))
    await engine.release_hold(first.id)
    second = await hold(engine, on(resource, Line(HERE, next=2)))
    assert units_of([second]) == ["102", "103"]
    with pytest.raises(bespeak.SoldOut) as caught:
        await hold(engine, on(resource, Line(HERE, next=2)))
    conflicts = caught.value.data["conflicts"]
    assert isinstance(conflicts, list)
    assert [(one.unit, one.capacity, one.available) for one in conflicts] == [("next", 5, 1)]


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize(
    ("shape", "asked", "units"),
    [
        (
            ROOMS,
            [of(None, 2, "2030-01-10", "2030-01-12"), of("101", None, "2030-01-11", "2030-01-13")],
            {"101", "102", "103"},
        ),
        (THEATRE, [Line(HERE, best=Best(5, "gold")), of("A3")], None),
        (THEATRE, [of("B3"), Line(HERE, best=Best(2, "gold")), of("B4")], None),
        (
            COURTS,
            [
                of(None, None, "2030-01-02T17:00:00+01:00", "2030-01-02T18:00:00+01:00"),
                of("court-1", None, "2030-01-02T17:30:00+01:00", "2030-01-02T18:30:00+01:00"),
            ],
            {"court-1", "court-2"},
        ),
        # The quota has three, of which the named seats take two: the fourth goes in first class.
        (
            TRAIN,
            [
                of(None, 2, "B", "D"),
                of("S1", None, "B", "D"),
                of("S2", None, "A", "C"),
                of(None, None, "B", "D"),
            ],
            None,
        ),
        (TOKENS, [Line(HERE, next=2), of("T1"), Line(HERE, next=1)], {"T1", "T2", "T3", "T4"}),
    ],
    ids=["rooms", "seats", "seats beside each other", "courts", "quota", "numbers"],
)
async def test_what_a_request_names_is_not_chosen_for_it_as_well(
    engine: bespeak.Engine,
    clock: Clock,
    connection: Connection,
    make_shape: MakeShape,
    shape: Shape,
    asked: list[Line],
    units: set[str] | None,
    partial: bool,
) -> None:
    resource = await make_shape(shape)
    for _ in range(2):
        held = await hold(engine, on(resource, *asked), partial=partial)
        assert held.missing == []
        found = units_of([held])
        assert len(found) == len(set(found))
        assert units is None or set(found) == units
        named = [line.unit for line in asked if line.unit is not None]
        assert set(named) <= set(found)
        await engine.release_hold(held.id)
    assert await problems(connection) == []


async def test_less_is_given_only_by_a_fresh_look(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    clock: Clock,
    make_shape: MakeShape,
) -> None:
    """What another process let go is not missing."""
    clock.shared_with(second_engine)
    resource = await make_shape(ROOMS)
    three = on(resource, of(None, 3, "2030-01-10", "2030-01-12"))
    theirs = await hold(second_engine, on(resource, of("101", None, "2030-01-10", "2030-01-12")))
    mine = await hold(engine, three, partial=True)
    assert len(mine.lines) == 2
    await engine.release_hold(mine.id)
    await second_engine.release_hold(theirs.id)
    again = await hold(engine, three, partial=True)
    assert (len(again.lines), again.missing) == (3, [])
