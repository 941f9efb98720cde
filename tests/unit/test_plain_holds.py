"""The short way of judging holds makes the same request as the long one, or leaves it to it."""

import random
from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import ids
from bespeak.errors import BespeakError
from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.lines import Best, Line
from bespeak.inventory.resources import ReadyResource, Resource, ready_resource
from bespeak.inventory.shapes.seats.plan import Category, Row, SeatsPlan, Section
from bespeak.inventory.shapes.seats.rules import CompiledSeats
from bespeak.money import Money
from bespeak.pricing.rules import Fee, Pricing
from bespeak.reservations.judge import HoldRequest, JudgedRequest, judge
from bespeak.reservations.plain_holds import judge_plain
from tests.harness.seatmaps import random_plan
from tests.harness.shapes import SHAPES, Shape, on

NOW = datetime(2026, 11, 21, tzinfo=UTC)
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
    late_payment="same_units", price=Money(700, "EUR"), pricing=None, attributes={}, version=3,
    created_at=NOW, updated_at=NOW,
)  # fmt: skip


def stock(**fields: object) -> ReadyResource:
    return ready_resource(msgspec.structs.replace(RESOURCE, **fields))


STOCKS = [
    stock(),
    stock(owner_limit=None),
    stock(price=Money(0, "EUR"), plan=msgspec.structs.replace(PLAN, categories=())),
    stock(price=Money(10**12, "EUR")),
    stock(plan=msgspec.structs.replace(PLAN, orphans="strict")),
    stock(pricing=Pricing(fees=(Fee("Booking fee", amount=100),))),
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


def the_long_way(
    asked: HoldRequest, found: ReadyResource, hold_id: object, *, guarded: bool
) -> JudgedRequest | BespeakError:
    try:
        return judge(asked, asked.lines, {found.number: found}, hold_id, NOW, guarded=guarded)
    except BespeakError as error:
        return error


@given(
    asked_lines=st.lists(lines(), min_size=1, max_size=5),
    found=st.sampled_from(STOCKS),
    seconds=st.sampled_from([None, None, None, 1, 60, 90, 91, 0, -5]),
    key=st.sampled_from([None, "k-1"]),
    guarded=st.booleans(),
)
def test_it_makes_the_same_request_or_none(
    asked_lines: list[Line],
    found: ReadyResource,
    seconds: int | None,
    key: str | None,
    guarded: bool,
) -> None:
    asked = HoldRequest("asha", asked_lines, seconds, key)
    plain = judge_plain(asked, asked.lines, found, ids.IdMaker(), guarded=guarded)
    if plain is not None:
        assert plain == the_long_way(asked, found, plain.request[0], guarded=guarded)


@given(seed=st.integers(0, 10_000))
def test_so_it_does_of_any_room(seed: int) -> None:
    dice = random.Random(seed)
    found = stock(plan=random_plan(dice), owner_limit=dice.choice([None, 3]))
    room = found.plan
    assert isinstance(room, CompiledSeats)
    wanted = [Line(RESOURCE.id, unit) for unit in dice.sample([*room.categories, "?"], 1)]
    wanted += [Line(RESOURCE.id, unit, dice.randint(1, 3)) for unit in room.pools]
    asked = HoldRequest("asha", wanted, None, "k")
    plain = judge_plain(asked, wanted, found, ids.IdMaker(), guarded=True)
    hold_id = ids.IdMaker().new(1) if plain is None else plain.request[0]
    long = the_long_way(asked, found, hold_id, guarded=True)
    assert plain == long if isinstance(long, JudgedRequest) else plain is None


@pytest.mark.parametrize("found", STOCKS[:4], ids=range(4))
def test_what_is_plain_goes_the_short_way(found: ReadyResource) -> None:
    dice = random.Random(1)
    for _ in range(50):
        units = dice.sample(["A1", "A2", "A4", "B1", "G1", "R1"], dice.randint(1, 4))
        wanted = [Line(RESOURCE.id, unit) for unit in units]
        wanted += [Line(RESOURCE.id, "floor", 2)] * dice.randint(0, 1)
        asked = HoldRequest("asha", wanted, None, "k")
        plain = judge_plain(asked, wanted, found, ids.IdMaker(), guarded=True)
        assert plain is not None
        assert plain == the_long_way(asked, found, plain.request[0], guarded=True)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_other_shapes_go_the_long_way_or_come_to_the_same(shape: Shape) -> None:
    found = stock(plan=shape.plan, time_zone=shape.zone)
    wanted = on(found.resource, shape.one, shape.other)
    asked = HoldRequest("asha", wanted, None, None)
    plain = judge_plain(asked, wanted, found, ids.IdMaker(), guarded=True)
    if plain is not None:
        assert plain == the_long_way(asked, found, plain.request[0], guarded=True)
