"""Availability and holds never disagree, for every shape and after any history: what is shown free
can be held at that instant, and what is not is refused for the reason that is shown.
"""

import contextlib

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, Phase, given, settings

import bespeak
from bespeak import Line, Resource
from tests.harness.asking import asks
from tests.harness.clock import START, Clock
from tests.harness.database import Connection
from tests.harness.seeds import examples
from tests.harness.shapes import SHAPES, MakeShape, Shape, blocks, on
from tests.harness.showing import Told, query_of, told

HISTORIES = settings(
    max_examples=examples(8),
    deadline=None,
    database=None,
    phases=[Phase.generate],  # histories are short, and making them shorter takes minutes
    suppress_health_check=list(HealthCheck),
)
PROBES = 24


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@HISTORIES
@given(data=st.data())
async def test_what_is_shown_is_so(
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
    dice = data.draw(st.randoms(use_true_random=False))
    for _ in range(2):
        query = query_of(shape, dice)
        seen = await engine.availability(resource.id, query)
        lines = list(told(seen, query, dice))
        dice.shuffle(lines)
        for one in lines[: PROBES // 2]:
            await holds_true(engine, probe, resource, one)
    # Of this resource alone: the clock went back, and what had lapsed of others has not now.
    report = await engine.audit(resource.id)
    assert (report.double_sold, report.violations) == (0, [])


async def history(
    data: st.DataObject, shape: Shape, engine: bespeak.Engine, clock: Clock, resource: Resource
) -> None:
    """Holds, bookings, blocks and what became of them."""
    holds: list[str] = []
    for _ in range(data.draw(st.integers(0, 10), "steps")):
        step = data.draw(st.sampled_from(["hold", "hold", "hold", "end", "block", "wait"]))
        with contextlib.suppress(bespeak.BespeakError):
            match step:
                case "hold":
                    lines = on(resource, *data.draw(st.lists(asks(shape), min_size=1, max_size=2)))
                    seconds = data.draw(st.sampled_from([60, 300]))
                    made = await engine.place_hold(
                        owner="asha", lines=lines, hold_seconds=seconds, partial=len(lines) > 1
                    )
                    holds.append(made.id)
                case "end" if holds:
                    hold_id = holds.pop(data.draw(st.integers(0, len(holds) - 1)))
                    if data.draw(st.booleans()):
                        await engine.confirm_hold(hold_id)
                    else:
                        await engine.release_hold(hold_id)
                case "block":
                    line = data.draw(asks(shape))
                    await engine.block(resource.id, blocks(line), reason="x")
                case "wait":
                    await clock.advance(data.draw(st.sampled_from([30, 59, 60, 61])))


async def holds_true(
    engine: bespeak.Engine, probe: Connection, resource: Resource, one: Told
) -> None:
    """Holds each of the lines, and undoes it."""
    reasons: set[str] = set()
    for line in one.lines:
        refused = await refusal(engine, probe, on(resource, line))
        if one.is_free:
            assert refused is None, f"{line}: shown free, refused for {refused}"
        else:
            assert refused is not None, f"{line}: not shown free, and held"
            reasons |= refused
    if one.reasons:
        assert reasons & one.reasons, f"{one.lines}: {one.reasons}, refused for {reasons}"


async def refusal(engine: bespeak.Engine, probe: Connection, lines: list[Line]) -> set[str] | None:
    """Why these lines cannot be held, or None: they can."""
    transaction = probe.transaction()
    await transaction.start()
    try:
        await engine.place_hold(owner="probe", lines=lines, alternatives=0, connection=probe)
    except bespeak.NotOnSale as error:
        reasons = error.data["reasons"]
        assert isinstance(reasons, list)
        return {str(reason["reason"]) for reason in reasons}
    except bespeak.UnitTaken as error:
        conflicts = error.data["conflicts"]
        assert isinstance(conflicts, list)
        return {conflict.state for conflict in conflicts}
    except bespeak.SoldOut:
        # Nothing that is left to choose: one word for whatever became of it.
        return {"sold_out", "held", "booked", "blocked"}
    except bespeak.NotTogether:
        return {"not_together"}
    finally:
        await transaction.rollback()
    return None
