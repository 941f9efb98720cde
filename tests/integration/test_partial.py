"""Less where less will do, by chance: what is held and what is missing are together what was asked,
nothing of what is missing could still be had, and who is refused could not have had any of it.
"""

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import given
from msgspec import UNSET

import bespeak
from bespeak import Line
from bespeak.errors import DuplicateLine, UnknownUnit
from tests.harness.asking import asks
from tests.harness.clock import START, Clock
from tests.harness.database import Connection
from tests.harness.shapes import ROOM_TYPE, SHAPES, MakeShape, Shape, hold, of, on
from tests.integration.test_availability_shapes import HISTORIES, history

# What cannot be asked for at all is refused, however little would do.
_NO_SENSE = (bespeak.InvalidRequest, DuplicateLine, UnknownUnit, bespeak.NotOnSale)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@HISTORIES
@given(data=st.data())
async def test_as_much_as_there_is(
    data: st.DataObject,
    shape: Shape,
    engine: bespeak.Engine,
    clock: Clock,
    probe: Connection,
    make_shape: MakeShape,
) -> None:
    await clock.set(START)
    resource = await make_shape(shape)
    await history(data, shape, engine, clock, resource)
    for _ in range(8):
        asked = on(resource, *data.draw(st.lists(asks(shape), min_size=1, max_size=3)))
        transaction = probe.transaction()
        await transaction.start()
        try:
            await takes_what_there_is(engine, probe, asked)
        finally:
            await transaction.rollback()


async def test_what_has_lapsed_is_not_in_the_way(
    engine: bespeak.Engine, clock: Clock, make_shape: MakeShape
) -> None:
    """Nobody swept, and the nights that were held are told as free in the refusal too."""
    resource = await make_shape(ROOM_TYPE)
    await hold(engine, on(resource, of(None, 2, "2030-01-20", "2030-01-22")), hold_seconds=60)
    await clock.advance(60)
    await hold(engine, on(resource, of(None, 1, "2030-01-22", "2030-01-23")))
    asked = on(
        resource, of(None, 2, "2030-01-20", "2030-01-22"), of(None, 3, "2030-01-22", "2030-01-23")
    )
    with pytest.raises(bespeak.SoldOut) as caught:
        await hold(engine, asked)
    conflicts = caught.value.data["conflicts"]
    assert isinstance(conflicts, list)
    assert [(one.from_, one.available) for one in conflicts] == [("2030-01-22", 2)]
    held = await hold(engine, asked, partial=True)
    assert held.lines == [asked[0], msgspec.structs.replace(asked[1], quantity=2)]


async def takes_what_there_is(engine: bespeak.Engine, probe: Connection, asked: list[Line]) -> None:
    try:
        held = await hold(engine, asked, partial=True, alternatives=0, connection=probe)
    except _NO_SENSE:
        return
    except bespeak.Refused as error:
        for line in asked:
            assert not await can_have(engine, probe, one_of(line)), (line, error)
        return
    assert held.lines
    assert count(held.lines) + count(held.missing) == count(asked)
    for line in held.missing:
        if line.best is UNSET:  # of the best seats as many as are together
            assert not await can_have(engine, probe, one_of(line)), (line, held.lines)


def count(lines: list[Line]) -> int:
    return sum(
        line.best.quantity
        if line.best is not UNSET
        else line.next
        if line.next is not UNSET
        else line.quantity or 1
        for line in lines
    )


def one_of(line: Line) -> Line:
    """The least of a line."""
    if line.best is not UNSET:
        return msgspec.structs.replace(line, best=msgspec.structs.replace(line.best, quantity=1))
    if line.next is not UNSET:
        return msgspec.structs.replace(line, next=1)
    return msgspec.structs.replace(line, quantity=None if line.quantity is None else 1)


async def can_have(engine: bespeak.Engine, probe: Connection, line: Line) -> bool:
    """Whether this can be held beside what is."""
    transaction = probe.transaction()
    await transaction.start()
    try:
        await hold(engine, [line], "probe", alternatives=0, connection=probe)
    except bespeak.BespeakError:
        return False
    finally:
        await transaction.rollback()
    return True
