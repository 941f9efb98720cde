"""Judging hold requests: the fast path of plain lines gives the same as looking at each line, or
leaves it to that.
"""

import random
from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import ids
from bespeak.errors import BespeakError
from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.resources import ReadyResource, Resource, ready_resource
from bespeak.inventory.shapes.seats.plan import Category, Row, SeatsPlan, Section
from bespeak.inventory.shapes.seats.rules import CompiledSeats
from bespeak.lines import Best, Line
from bespeak.money import Money
from bespeak.pricing.rules import Fee, Pricing
from bespeak.reservations.judgement import (
    JudgedLines,
    JudgedRequest,
    judge_lines,
    judge_plain_lines,
    judged_request,
)
from bespeak.reservations.request import HoldRequest
from tests.harness.seatmaps import random_plan
from tests.harness.shapes import SHAPES, Shape, on

NOW = datetime(2026, 11, 21, tzinfo=UTC)
HOLD_ID = ids.IdMaker().new(1)
PLAN = SeatsPlan(
    sections=(
        Section("Stalls", (Row("A", 4), Row("B", 3)), "stalls"),
        Section("Gallery", (Row("G", 3),), "gallery"),
        Section("Rest", (Row("R", 2),)),
    ),
    pools=(PoolPlan("floor", 5, category="standing"), PoolPlan("bar", 3)),
    categories=(
        Category("stalls", 2500),
        Category("gallery"),
        Category("standing", 900),
        Category("standard"),
    ),
)
UNITS = ["A1", "A2", "A4", "B1", "G1", "G3", "R1", "floor", "bar", "A9", "owner:asha", "", "é"]
RESOURCE = Resource(
    id="res_00000001", name="Show", kind="show", state="open", plan=PLAN, time_zone="UTC",
    opens_at=None, closes_at=None, starts_at=None, ends_at=None, hold_seconds=60,
    hold_seconds_max=90, owner_limit=4, payment="none", payment_seconds=900,
    published=True,
        late_payment="same_units", price=Money(700, "EUR"), pricing=None, attributes={}, version=3,
    created_at=NOW, updated_at=NOW,
)  # fmt: skip


def resource(**fields: object) -> ReadyResource:
    return ready_resource(msgspec.structs.replace(RESOURCE, **fields))


RESOURCES = [
    resource(),
    resource(owner_limit=None),
    resource(price=Money(0, "EUR"), plan=msgspec.structs.replace(PLAN, categories=())),
    resource(price=Money(10**12, "EUR")),
    resource(plan=msgspec.structs.replace(PLAN, orphans="strict")),
    resource(pricing=Pricing(fees=(Fee("Booking fee", amount=100),))),
]


@st.composite
def lines(draw: st.DrawFn) -> Line:
    unit = draw(st.sampled_from(UNITS))
    quantity = draw(st.sampled_from([None, None, None, 1, 2, 1_000_000]))
    more: dict[str, object] = draw(
        st.sampled_from([{}] * 12 + [{"from_": "a", "to": "b"}, {"code": "X"}, {"next": 1}])
    )
    if draw(st.integers(0, 30)) == 0:
        return Line(RESOURCE.id, best=Best(2))
    return Line(RESOURCE.id, unit or None, quantity, **more)  # type: ignore[arg-type]


def by_line(asked: HoldRequest, found: ReadyResource) -> JudgedLines | BespeakError:
    try:
        return judge_lines(asked, asked.lines, {found.number: found}, NOW)
    except BespeakError as error:
        return error


def compare(asked: HoldRequest, found: ReadyResource, *, guarded: bool = True) -> bool:
    """Whether the lines go the fast path, which must then give the same as the other."""
    fast = judge_plain_lines(asked, asked.lines, found)
    if fast is None:
        return False
    slow = by_line(asked, found)
    assert fast == slow
    assert isinstance(slow, JudgedLines)
    assert request_of(asked, fast, guarded=guarded) == request_of(asked, slow, guarded=guarded)
    return True


def request_of(asked: HoldRequest, judged: JudgedLines, *, guarded: bool) -> JudgedRequest:
    return judged_request(asked, judged, HOLD_ID, guarded=guarded)


@given(
    asked_lines=st.lists(lines(), min_size=1, max_size=5),
    found=st.sampled_from(RESOURCES),
    seconds=st.sampled_from([None, None, None, 1, 60, 90, 91, 0, -5]),
    key=st.sampled_from([None, "k-1"]),
    guarded=st.booleans(),
)
def test_it_gives_the_same_or_nothing(
    asked_lines: list[Line],
    found: ReadyResource,
    seconds: int | None,
    key: str | None,
    guarded: bool,
) -> None:
    compare(HoldRequest("asha", asked_lines, seconds, key), found, guarded=guarded)


@given(seed=st.integers(0, 10_000))
def test_so_it_does_of_any_room(seed: int) -> None:
    dice = random.Random(seed)
    found = resource(plan=random_plan(dice), owner_limit=dice.choice([None, 3]))
    room = found.plan
    assert isinstance(room, CompiledSeats)
    wanted = [Line(RESOURCE.id, unit) for unit in dice.sample([*room.categories, "?"], 1)]
    wanted += [Line(RESOURCE.id, unit, dice.randint(1, 3)) for unit in room.pools]
    asked = HoldRequest("asha", wanted, None, "k")
    assert compare(asked, found) == isinstance(by_line(asked, found), JudgedLines)


@pytest.mark.parametrize("found", RESOURCES[:5], ids=range(5))
def test_what_is_plain_goes_the_fast_path(found: ReadyResource) -> None:
    dice = random.Random(1)
    for _ in range(50):
        units = dice.sample(["A1", "A2", "A4", "B1", "G1", "R1"], dice.randint(1, 4))
        wanted = [Line(RESOURCE.id, unit) for unit in units]
        wanted += [Line(RESOURCE.id, "floor", 2)] * dice.randint(0, 1)
        assert compare(HoldRequest("asha", wanted, None, "k"), found)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_other_shapes_are_looked_at_line_by_line_or_come_to_the_same(shape: Shape) -> None:
    found = resource(plan=shape.plan, time_zone=shape.zone)
    wanted = on(found.resource, shape.one, shape.other)
    compare(HoldRequest("asha", wanted, None, None), found)
