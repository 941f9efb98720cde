"""Seat maps: which units they have, which make no sense, and that no plan has a unit twice."""

import json
import random

import jsonschema_rs
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import InvalidRequest, PoolPlan, Row, SeatsPlan, Section, UnknownUnit
from bespeak.inventory.plans import AvailabilityQuery, Need
from bespeak.inventory.shapes.registry import parse_plan
from bespeak.inventory.shapes.seats.plan import (
    Category,
    Companion,
    Seat,
    Stage,
    Table,
    TextShape,
    seatmap_schema,
)
from bespeak.inventory.shapes.seats.rules import CompiledSeats
from bespeak.inventory.snapshot import TakenClaims
from bespeak.lines import Line
from bespeak.states import UnitState
from tests.docs.pages import DOCS, blocks
from tests.harness.seat_reference import SALE
from tests.harness.seatmaps import NOW, picture_of, random_picture, random_plan

chance = st.randoms(use_true_random=False)


def section(*rows: Row, **fields: object) -> SeatsPlan:
    """A plan of one section."""
    return SeatsPlan((msgspec.structs.replace(Section("S", rows), **fields),))


@given(chance)
def test_a_plan_has_each_unit_once_and_answers_alike_to_every_question(
    dice: random.Random,
) -> None:
    plan = random_plan(dice)
    compiled = CompiledSeats(plan)
    units = [*compiled.categories, *compiled.pools]
    assert len(units) == len(set(units))
    assert [*compiled.seating.units, *compiled.tables] == list(compiled.categories)
    prices = {category.name: category.price for category in plan.categories}
    pools = {pool.unit: pool.category for pool in plan.pools}
    for unit in units:
        assert compiled.has(unit)
        of_pool = unit in compiled.pools
        meant = compiled.line_claims(Line("res_00000001", unit, 3 if of_pool else None), SALE)
        category = pools[unit] if of_pool else compiled.categories[unit]
        price = prices.get(category) if category else None
        price = SALE.price if price is None else price
        if of_pool:
            assert meant.needs == (Need(unit, 3, compiled.pools[unit]),)
            assert (meant.amount, meant.weight) == (3 * price, 3)
        else:
            assert meant.needs == (Need(unit),)
            assert (meant.amount, meant.weight) == (price, 1)
        assert compiled.block_needs(meant.line, SALE) == list(meant.needs)
    assert not compiled.has("no such unit")


@given(chance)
def test_what_is_shown_is_what_the_plan_has_and_the_picture_says(dice: random.Random) -> None:
    compiled = CompiledSeats(random_plan(dice))
    picture = random_picture(dice, compiled)
    picture.mark(["of another plan"], TakenClaims(UnitState.BOOKED, None))
    seen = compiled.reader.answer(AvailabilityQuery(), picture, SALE)
    for unit in compiled.categories:
        assert (unit in seen.taken) == (picture.taken(unit, NOW) is not None)
        query = AvailabilityQuery(unit=unit)
        assert compiled.availability_units(query, SALE) == [unit]
        one = compiled.reader.answer(query, picture, SALE)
        assert one.units_total == 1
        assert one.units_free == int(unit not in seen.taken)
        assert not one.pools
    assert set(seen.taken) <= set(compiled.categories)
    assert seen.units_free == len(compiled.categories) - len(seen.taken)
    assert set(seen.pools) == set(compiled.pools)


@given(chance)
def test_a_plan_is_read_as_it_was_written(dice: random.Random) -> None:
    plan = random_plan(dice)
    text = msgspec.json.encode(plan)
    assert parse_plan(text) == plan
    jsonschema_rs.validate(seatmap_schema(), json.loads(text))


UNITS = [
    (section(Row("A", 4, without=(2,))), ["A1", "A3", "A4"]),
    (section(Row("A", 3, first=7)), ["A7", "A8", "A9"]),
    (section(Row("A", 3, first=2, step=2)), ["A2", "A4", "A6"]),
    (section(Row("A", 3, first=5, step=-2)), ["A5", "A3", "A1"]),
    (section(Row("A", listed=(Seat("1"), Seat("1b")))), ["A1", "A1b"]),
    (section(Row("A", 1), prefix="L-"), ["L-A1"]),
    (section(tables=(Table("T1", 3),)), ["T1-1", "T1-2", "T1-3"]),
    (section(tables=(Table("T1", 8, whole=True),), prefix="x"), ["xT1"]),
    (section(Row("A", 2), tables=(Table("T", 1),)), ["A1", "A2", "T-1"]),
]


@pytest.mark.parametrize(("plan", "units"), UNITS, ids=range(len(UNITS)))
def test_the_units_are_named_by_the_rule(plan: SeatsPlan, units: list[str]) -> None:
    assert list(CompiledSeats(plan).categories) == units


A = Row("A", 3)
LISTED = (Seat("1"), Seat("2", accessible=True))
GOLD = (Category("gold"),)
NONSENSE = {
    "no unit": SeatsPlan(),
    "an empty section": section(),
    "a row twice": section(A, A),
    "two rows with one name for a seat": section(Row("A1", 1), Row("A", 20)),
    "a seat with the name of a table": section(
        Row("T", listed=(Seat("-1"),)), tables=(Table("T", 2),)
    ),
    "a row without seats": section(Row("A")),
    "a row whose seats are all missing": section(Row("A", 1, without=(1,))),
    "counted and listed": section(Row("A", 2, listed=LISTED)),
    "listed with a step": section(Row("A", step=2, listed=LISTED)),
    "listed with an aisle": section(Row("A", aisles=(1,), listed=LISTED)),
    "a step of nothing": section(Row("A", 2, step=0)),
    "below zero": section(Row("A", 4, first=2, step=-1)),
    "an aisle after no seat": section(Row("A", 3, aisles=(4,))),
    "an aisle between the numbers": section(Row("A", 3, step=2, aisles=(2,))),
    "accessible but missing": section(Row("A", 3, without=(2,), accessible=(2,))),
    "accessible beyond the row": section(Row("A", 3, accessible=(4,))),
    "a companion of an ordinary seat": section(Row("A", 3, companions=(Companion(1, 2),))),
    "its own companion": section(Row("A", 3, accessible=(1,), companions=(Companion(1, 1),))),
    "a companion twice": section(
        Row("A", 3, accessible=(1,), companions=(Companion(2, 1), Companion(2, 1)))
    ),
    "a companion beyond": section(Row("A", 3, accessible=(1,), companions=(Companion(4, 1),))),
    "a listed companion of nobody": section(Row("A", listed=(Seat("1", companion_of="2"),))),
    "a listed companion of an ordinary seat": section(
        Row("A", listed=(Seat("1", companion_of="2"), Seat("2")))
    ),
    "a label twice": section(Row("A", listed=(Seat("1"), Seat("1")))),
    "a seat with half a place": section(Row("A", listed=(Seat("1", x=1.0),))),
    "some seats with a place": section(Row("A", listed=(Seat("1", x=1.0, y=1.0), Seat("2")))),
    "a section with half a place": section(A, x=1.0),
    "a table with half a place": section(tables=(Table("T", 2, y=1.0),)),
    "a table without such a seat": section(tables=(Table("T", 2, accessible=(3,)),)),
    "a whole table with a seat": section(tables=(Table("T", 2, whole=True, accessible=(1,)),)),
    "an unlisted category": SeatsPlan((Section("S", (A,), "silver"),), categories=GOLD),
    "an unlisted category of a row": SeatsPlan(
        (Section("S", (A, Row("B", 1, category="x")), "gold"),), categories=GOLD
    ),
    "an unlisted category of a seat": SeatsPlan(
        (Section("S", (Row("B", listed=(Seat("1", category="x"),)),), "gold"),), categories=GOLD
    ),
    "an unlisted category of a whole table": SeatsPlan(
        (Section("S", (A,), "gold", tables=(Table("T", 2, "x", whole=True),)),), categories=GOLD
    ),
    "an unlisted category of a pool": SeatsPlan(pools=(PoolPlan("p", 1, "x"),), categories=GOLD),
    "a category twice": SeatsPlan((Section("S", (A,), "gold"),), categories=GOLD * 2),
    "a pool twice": SeatsPlan(pools=(PoolPlan("p", 1), PoolPlan("p", 2))),
    "a seat and a pool": SeatsPlan((Section("S", (A,)),), pools=(PoolPlan("A1", 1),)),
    "a whole table and a pool": SeatsPlan(
        (Section("S", tables=(Table("T", 2, whole=True),)),), pools=(PoolPlan("T", 1),)
    ),
    "a reserved word": SeatsPlan(pools=(PoolPlan("owner:asha", 1),)),
    "a reserved row": section(Row("owner:", 1)),
    "too many": section(*(Row(f"{n}-", 10_000) for n in range(21))),
    "out of bounds": section(Row("A", 10_001)),
    "a place that is no number": section(Row("A", 3, x=float("nan"))),
    "a place beyond all": section(A, x=1e300, y=0.0),
    "a number for a name": section(Row(7, 1)),  # type: ignore[arg-type]
    "half a character": section(Row("\ud800", 1)),
    "a control character": section(Row("A\n", 1)),
    "a colour of no kind": SeatsPlan(
        (Section("S", (A,), "gold"),), categories=(Category("gold", color="red"),)
    ),
    "a negative price": SeatsPlan(
        (Section("S", (A,), "gold"),), categories=(Category("gold", -1),)
    ),
    "no such rule": msgspec.structs.replace(section(A), orphans="soft"),
}


@pytest.mark.parametrize("plan", NONSENSE.values(), ids=NONSENSE)
def test_a_plan_that_makes_no_sense(plan: SeatsPlan) -> None:
    with pytest.raises(InvalidRequest, match="plan: ") as caught:
        CompiledSeats(plan)
    assert caught.value.data == {"field": "plan"}


def document(**fields: object) -> str:
    return json.dumps({"type": "seats", **fields})


def of_row(**fields: object) -> str:
    return document(sections=[{"name": "S", "rows": [{"name": "A", **fields}]}])


BAD_DOCUMENTS = [
    "[]",
    '{"type":"seat"}',
    document(rows=[]),
    document(pools=[{"unit": "p"}]),
    document(pools=[{"unit": "p", "capacity": -1}]),
    document(pools=[{"unit": "p", "capacity": 1.5}]),
    document(pools=[{"unit": "p\x00", "capacity": 1}]),
    document(pools=[{"unit": "", "capacity": 1}]),
    document(sections={"name": "S"}),
    document(sections=[{"rows": []}]),
    document(sections=[{"name": "S", "curve": 181}]),
    document(sections=[{"name": "S", "tables": [{"name": "T", "seats": 0}]}]),
    document(sections=[{"name": "S", "tables": [{"name": "T", "seats": 4, "shape": "oval"}]}]),
    document(categories=[{"name": "gold", "price": -1}]),
    document(categories=[{"name": "gold", "color": "#12345"}]),
    document(categories=[{"name": "gold", "rank": 0}]),
    document(orphans="soft"),
    document(focus=[1]),
    document(focus=[1, 2, 3]),
    document(stage={"kind": "pit"}),
    document(shapes=[{"kind": "circle"}]),
    document(shapes=[{"kind": "line"}]),
    document(shapes=[{"kind": "text", "text": "Bar", "x": 1}]),
    document(shapes=[{"kind": "polygon", "points": [[0, 0], [1]]}]),
    of_row(seats=0),
    of_row(seats="3"),
    of_row(seats=10_001),
    of_row(seats=3, step=101),
    of_row(seats=3, aisles=["1"]),
    of_row(seats=3, aisles=[-1]),
    of_row(seats=3, companions=[{"seat": 1}]),
    of_row(list=[{"label": "1", "x": "left"}]),
    of_row(list=[{"label": "1", "accessible": 1}]),
    of_row(list=[{"label": "1", "price": 3}]),
    of_row(list=[{"label": "1" * 41}]),
    of_row(listed=[{"label": "1"}]),
]
GOOD_DOCUMENTS = [
    document(),
    document(sections=[]),
    document(sections=[{"name": "S"}], orphans="lenient", focus=[0, 2.5]),
    document(pools=[{"unit": "Größe", "capacity": 0, "outline": [[0, 0], [1, 1], [0, 1]]}]),
    document(categories=[{"name": "gold", "price": None, "color": "#A0b1C2", "rank": 3}]),
    document(stage={"kind": "screen", "label": "1"}),
    document(shapes=[{"kind": "text", "text": "Bar", "x": 1, "y": -2}]),
    document(shapes=[{"kind": "polygon", "points": []}, {"kind": "line", "points": [[0, 0]]}]),
    of_row(seats=3, step=-2, first=9, aisles=[7], without=[5]),
    of_row(list=[{"label": "1", "accessible": True}, {"label": "2", "companion_of": "1"}]),
]


@pytest.mark.parametrize("text", ["", *BAD_DOCUMENTS])
def test_text_that_is_no_plan(text: str) -> None:
    with pytest.raises(InvalidRequest, match="plan"):
        parse_plan(text)


@pytest.mark.parametrize("text", BAD_DOCUMENTS)
def test_the_schema_refuses_what_the_decoder_refuses(text: str) -> None:
    assert not jsonschema_rs.is_valid(seatmap_schema(), json.loads(text))


@pytest.mark.parametrize("text", GOOD_DOCUMENTS)
def test_the_schema_takes_what_the_decoder_takes(text: str) -> None:
    assert isinstance(parse_plan(text), SeatsPlan)
    assert jsonschema_rs.is_valid(seatmap_schema(), json.loads(text))


WRITE_SCHEMA = (
    "python -c 'import json; from bespeak.inventory.shapes.seats.plan import seatmap_schema;"
    " print(json.dumps(seatmap_schema(), indent=2))' > docs/reference/seatmap.schema.json"
)


def test_the_schema_that_is_published_is_current() -> None:
    published = json.loads((DOCS / "reference" / "seatmap.schema.json").read_text())
    assert published == json.loads(msgspec.json.encode(seatmap_schema())), WRITE_SCHEMA
    jsonschema_rs.meta.validate(published)


def test_the_page_about_the_format_shows_maps_that_are_valid() -> None:
    shown = [
        block for block in blocks(DOCS / "reference" / "seat-map.md") if block.language == "json"
    ]
    assert len(shown) >= 8
    for block in shown:
        assert CompiledSeats(_seats(block.text)).exclusive_total is not None
        assert jsonschema_rs.is_valid(seatmap_schema(), json.loads(block.text))
    told = json.dumps([json.loads(block.text) for block in shown])
    for struct in (SeatsPlan, Section, Row, Seat, Table, PoolPlan, Category, Stage):
        for field in msgspec.structs.fields(struct):
            assert f'"{field.encode_name}"' in told, f"no example of {field.encode_name}"


def _seats(text: str) -> SeatsPlan:
    plan = parse_plan(text)
    assert isinstance(plan, SeatsPlan)
    return plan


LINES = [
    Line("res_00000001"),
    Line("res_00000001", "A1", 1),
    Line("res_00000001", "floor"),
    Line("res_00000001", "B1"),
    Line("res_00000001", "A1\n"),
    Line("res_00000001", "A1", from_="2026-01-01"),
    Line("res_00000001", "A1", code="x"),
    Line("res_00000001", next=1),
]


@pytest.mark.parametrize("line", LINES, ids=range(len(LINES)))
def test_lines_that_make_no_sense(line: Line) -> None:
    compiled = CompiledSeats(SeatsPlan((Section("S", (A,)),), (PoolPlan("floor", 3),)))
    with pytest.raises(InvalidRequest):
        compiled.line_claims(line, SALE)
    with pytest.raises(InvalidRequest):
        compiled.block_needs(line, SALE)
    with pytest.raises(InvalidRequest):
        compiled.offers(line, picture_of([]), SALE, 3)


def test_an_availability_of_what_is_not_there() -> None:
    compiled = CompiledSeats(section(A))
    with pytest.raises(UnknownUnit):
        compiled.availability_units(AvailabilityQuery(unit="Z1"), SALE)
    with pytest.raises(InvalidRequest):
        compiled.availability_units(AvailabilityQuery(from_="2026-01-01"), SALE)


def test_prices_are_shown_where_categories_are_listed() -> None:
    plan = SeatsPlan(
        (Section("S", (A, Row("B", 1, category="side")), "gold"),),
        categories=(Category("gold", 2500), Category("side")),
    )
    seen = CompiledSeats(plan).reader.answer(
        AvailabilityQuery(), random_picture(random.Random(1), CompiledSeats(plan)), SALE
    )
    assert seen.prices == {"gold": 2500, "side": 700}
    plain = CompiledSeats(section(A))
    seen = plain.reader.answer(AvailabilityQuery(), random_picture(random.Random(1), plain), SALE)
    assert seen.prices is msgspec.UNSET


def test_what_is_for_drawing_changes_no_unit() -> None:
    plain = section(A)
    drawn = msgspec.structs.replace(
        plain, stage=Stage(), shapes=(TextShape("Bar", 1.0, 2.0),), focus=(1.0, 1.0)
    )
    assert CompiledSeats(plain).categories == CompiledSeats(drawn).categories
