"""CSV in and out: the same units, neighbours, prices and places; and errors that say where."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import InvalidRequest
from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.shapes.seats.csv_file import read_seat_csv, write_seat_csv
from bespeak.inventory.shapes.seats.csv_lines import REASONS
from bespeak.inventory.shapes.seats.plan import (
    Category,
    Companion,
    Row,
    Seat,
    SeatsPlan,
    Section,
    Table,
)
from bespeak.inventory.shapes.seats.room_maker import make_room
from bespeak.inventory.shapes.seats.rows import seat_rows
from bespeak.inventory.shapes.seats.rules import CompiledSeats
from tests.harness.seat_reference import blocks, neighbours
from tests.harness.seatmaps import random_plan

chance = st.randoms(use_true_random=False)
ROOT = Path(__file__).parents[2]


@given(chance)
def test_what_was_written_is_read_with_the_same_meaning(dice: random.Random) -> None:
    plan = random_plan(dice)
    text = write_seat_csv(plan)
    again = read_seat_csv(text)
    before, after = CompiledSeats(plan), CompiledSeats(again)
    assert before.categories == after.categories
    assert before.pools == after.pools
    assert before.tables == after.tables
    assert neighbours(plan) == neighbours(again)
    assert access(plan) == access(again)
    priced = [prices(plan), prices(again)]
    assert priced[0] == priced[1]
    for size in (2, 3):
        assert sets(blocks(before, size)) == sets(blocks(after, size))
    assert write_seat_csv(read_seat_csv(write_seat_csv(again))) == write_seat_csv(again)


def sets(found: list[set[str]]) -> set[frozenset[str]]:
    return {frozenset(block) for block in found}


def access(plan: SeatsPlan) -> dict[str, int]:
    return {spot.unit: spot.access for row in seat_rows(plan) for spot in row.spots}


def prices(plan: SeatsPlan) -> dict[str, int | None]:
    """The price of each unit, as the plan gives it."""
    known = {category.name: category.price for category in plan.categories}
    found = {unit: known.get(name) for unit, name in CompiledSeats(plan).categories.items()}
    return found | {pool.unit: known.get(pool.category or "") for pool in plan.pools}


@pytest.mark.parametrize("kind", ["arena", "screen", "theatre", "classroom", "banquet"])
def test_made_rooms_go_out_and_in(kind: str) -> None:
    plan = make_room(kind, 400)  # type: ignore[arg-type]
    again = read_seat_csv(write_seat_csv(plan))
    before, after = CompiledSeats(plan), CompiledSeats(again)
    assert before.categories == after.categories
    assert before.seating.room.tolist() == after.seating.room.tolist()
    if kind in ("arena", "theatre"):  # whose sections say where they stand
        assert np.allclose(before.seating.places, after.seating.places, atol=0.01)
    if kind == "classroom":
        assert again.sections[0].rows == plan.sections[0].rows


def test_a_spreadsheet_is_read() -> None:
    text = """\ufeffSection;Row;Seat;Category;Accessible;Companion_of;Price;Gap
Stalls;A;1;gold;yes;;2500;
Stalls;A;2;gold;;1;2500;
Stalls;A;3;gold;no;;2500;yes

Stalls;B;1;silver;;;1800;
Stalls;B;1a;silver;;;;
"""
    assert read_seat_csv(text) == SeatsPlan(
        (
            Section(
                "Stalls",
                (
                    Row("A", 3, aisles=(2,), accessible=(1,), companions=(Companion(2, 1),)),
                    Row("B", listed=(Seat("1", category="silver"), Seat("1a", category="silver"))),
                ),
                "gold",
            ),
        ),
        categories=(Category("gold", 2500), Category("silver", 1800)),
    )


def test_tables_and_pools_are_read() -> None:
    text = """section,row,seat,table,capacity,category,price,x,y
Hall,T1,1,shared,,,,2,3
Hall,T1,2,shared,,,,2,3
Hall,T2,8,whole,,feast,80000,,
,,floor,,500,,,,
"""
    assert read_seat_csv(text) == SeatsPlan(
        (
            Section(
                "Hall",
                tables=(Table("T1", 2, x=2.0, y=3.0), Table("T2", 8, "feast", whole=True)),
            ),
        ),
        (PoolPlan("floor", 500),),
        (Category("standard"), Category("feast", 80000)),
    )


def test_sections_that_name_the_same_seats_get_prefixes() -> None:
    head = "section,row,seat\n"
    plan = read_seat_csv(head + "Left,A,1\nRight,A,1\n")
    assert list(CompiledSeats(plan).categories) == ["Left-A1", "Right-A1"]
    plan = read_seat_csv(head + "Left,A,1\nRight,B,1\n")
    assert list(CompiledSeats(plan).categories) == ["A1", "B1"]
    plan = read_seat_csv("section,row,seat,prefix\nLeft,A,1,L\nRight,A,1,\n")
    assert list(CompiledSeats(plan).categories) == ["LA1", "A1"]


HEAD = "section,row,seat,category,x,y,accessible,companion_of,price"
WRONG = [
    ("", 1, "section"),
    ("section,row\n", 1, "seat"),
    ("section,row,seat,colour\n", 1, "colour"),
    ("section,row,seat,row\n", 1, "row"),
    (f"{HEAD}\nS,A,\n", 2, "seat"),
    (f"{HEAD}\nS,,1\n", 2, "row"),
    (f"{HEAD}\nS,A,1\nS,A,1\n", 3, "seat"),
    (f"{HEAD}\n\nS,A,1,,1\n", 3, "y"),
    (f"{HEAD}\nS,A,1,,,2\n", 2, "x"),
    (f"{HEAD}\nS,A,1,,1,here\n", 2, "y"),
    (f"{HEAD}\nS,A,1,,nan,1\n", 2, "x"),
    (f"{HEAD}\nS,A,1,,1e9,1\n", 2, "x"),
    (f"{HEAD}\nS,A,1,,1,1\nS,A,2\n", 3, "x"),
    (f"{HEAD}\nS,A,1,,,,maybe\n", 2, "accessible"),
    (f"{HEAD}\nS,A,1,,,,,2\n", 2, "companion_of"),
    (f"{HEAD}\nS,A,1,,,,yes,\nS,A,2,,,,yes,1\n", 3, "companion_of"),
    (f"{HEAD}\nS,A,1,,,,,,12.50\n", 2, "price"),
    (f"{HEAD}\nS,A,1,,,,,,-1\n", 2, "price"),
    (f"{HEAD}\nS,A,1,,,,,,5\nS,A,2,,,,,,6\n", 3, "price"),
    (f"{HEAD}\nS,A,1,,,,,,,more\n", 2, "price"),
    (f"{HEAD}\nS,A,{'1' * 41}\n", 2, "seat"),
    (f"{HEAD}\nS,A,{'1' * 200}\n", 2, "seat"),
    (f"{HEAD}\n{'S' * 200},A,1\n", 2, "section"),
    (f'{HEAD}\n"S"x,A,1\n', 2, "seat"),
    (f'{HEAD}\nS,A,"1\n', 2, "seat"),
    (f"{HEAD}\nS,A\x01,1\n", 2, "row"),
    ("section,row,seat,table\nS,T,2,shared\n", 2, "seat"),
    ("section,row,seat,table\nS,T,x,shared\n", 2, "seat"),
    ("section,row,seat,table\nS,T,²,whole\n", 2, "seat"),
    ("section,row,seat,table\nS,T,0,whole\n", 2, "seat"),
    ("section,row,seat,table\nS,T,101,whole\n", 2, "seat"),
    ("section,row,seat,table\nS,T,4,oval\n", 2, "table"),
    ("section,row,seat,table,accessible\nS,T,4,whole,yes\n", 2, "accessible"),
    ("section,row,seat,table,gap\nS,T,1,shared,yes\n", 2, "table"),
    ("section,row,seat,table,category\nS,T,1,shared,a\nS,T,2,shared,b\n", 3, "category"),
    ("section,row,seat,table,x,y\nS,T,1,shared,1,1\nS,T,2,shared,1,2\n", 3, "x"),
    ("section,row,seat\nA,A,1,9\n", 2, "seat"),
    ("section,row,seat,capacity\n,,floor,-1\n", 2, "capacity"),
    ("section,row,seat,capacity\n,A,floor,1\n", 2, "row"),
    ("section,row,seat,capacity,price\n,,floor,1,5\n", 2, "category"),
]


@pytest.mark.parametrize(("text", "line", "column"), WRONG, ids=range(len(WRONG)))
def test_an_error_says_where_it_is(text: str, line: int, column: str) -> None:
    with pytest.raises(InvalidRequest, match="line") as caught:
        read_seat_csv(text)
    data = dict(caught.value.data)
    assert data.pop("reason") in REASONS
    assert isinstance(data.pop("value"), str)
    assert data == {"field": "plan", "line": line, "column": column}


@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_every_reason_has_words(language: str) -> None:
    """In the reference, and in each language of the editor."""
    reference = (ROOT / "docs/reference/seat-map.md").read_text()
    words = json.loads((ROOT / f"web/src/i18n/locales/{language}/editor.json").read_text())
    assert set(words["csv"]) == set(REASONS)
    assert all(f"| `{reason}` |" in reference for reason in REASONS)


def test_a_plan_without_units_is_refused() -> None:
    with pytest.raises(InvalidRequest):
        read_seat_csv(f"{HEAD}\n")
    with pytest.raises(InvalidRequest):
        write_seat_csv(SeatsPlan())


def test_names_that_csv_would_change_are_refused() -> None:
    with pytest.raises(InvalidRequest, match="space"):
        write_seat_csv(SeatsPlan((Section("S", (Row(" A", 1),)),)))


def test_one_row_in_two_parts_keeps_them_apart() -> None:
    plan = SeatsPlan(
        (Section("S", (Row("A", 3, step=2), Row("A", 3, first=2, step=2, category="side"))),)
    )
    again = read_seat_csv(write_seat_csv(plan))
    assert CompiledSeats(again).categories == CompiledSeats(plan).categories
    assert neighbours(again) == neighbours(plan)


@given(st.text(alphabet='section,row\n";\t0123 Aé\x00', max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, f"section,row,seat\n{text}"):
        try:
            assert CompiledSeats(read_seat_csv(whole)).categories
        except InvalidRequest as error:
            assert error.data["field"] == "plan"
