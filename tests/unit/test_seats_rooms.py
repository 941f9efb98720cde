"""Rooms that are made: of every kind and size, with places that do not overlap; and where seats are
laid out when the plan does not say."""

import math

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import InvalidRequest
from bespeak.inventory.shapes.registry import parse_plan
from bespeak.inventory.shapes.seats.plan import Row, Seat, SeatsPlan, Section, Stage, Table
from bespeak.inventory.shapes.seats.room_maker import RoomKind, make_room, row_names
from bespeak.inventory.shapes.seats.rules import CompiledSeats

KINDS: tuple[RoomKind, ...] = ("arena", "banquet", "screen", "classroom", "theatre")


@given(st.sampled_from(KINDS), st.integers(1, 1500))
def test_a_room_has_as_many_seats_as_were_asked_for(kind: RoomKind, seats: int) -> None:
    plan = make_room(kind, seats, orphans="lenient")
    compiled = CompiledSeats(plan)
    assert len(compiled.categories) == seats
    assert set(compiled.categories.values()) <= {category.name for category in plan.categories}
    assert parse_plan(msgspec.json.encode(plan)) == plan
    assert plan.orphans == "lenient"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seats", [40, 300, 20_000])
def test_no_two_seats_stand_on_one_place(kind: RoomKind, seats: int) -> None:
    places = CompiledSeats(make_room(kind, seats)).seating.places
    assert places.shape == (seats, 2)
    assert nearest(places) > 0.7


def nearest(places: np.ndarray) -> float:
    """The smallest distance of two seats: each is compared with those that are near by x."""
    ordered = places[np.argsort(places[:, 0], kind="stable")]
    found = math.inf
    for apart in range(1, len(ordered)):
        near = ordered[apart:, 0] - ordered[:-apart, 0] < 1.0
        if not near.any():
            break
        away = np.hypot(*(ordered[apart:] - ordered[:-apart])[near].T)
        found = min(found, float(away.min()))
    return found


def test_prices_are_of_the_categories() -> None:
    plan = make_room("screen", 100, prices={"premium": 1800})
    assert {category.name: category.price for category in plan.categories} == {
        "front": None,
        "standard": None,
        "premium": 1800,
    }


def test_rooms_have_places_for_wheelchairs() -> None:
    for kind, places in (("screen", 4), ("theatre", 2), ("arena", 16), ("banquet", 0)):
        seating = CompiledSeats(make_room(kind, 300)).seating  # type: ignore[arg-type]
        assert int(seating.accessible.sum()) == places
        assert int((~seating.ordinary).sum()) == 2 * places


@pytest.mark.parametrize(
    ("kind", "seats", "prices"),
    [
        ("castle", 10, None),
        ("screen", 0, None),
        ("screen", -1, None),
        ("screen", 200_001, None),
        ("screen", True, None),
        ("screen", 1.5, None),
        ("screen", 10, {"velvet": 1}),
    ],
)
def test_rooms_that_cannot_be_made(kind: str, seats: int, prices: dict[str, int] | None) -> None:
    with pytest.raises(InvalidRequest):
        make_room(kind, seats, prices=prices)  # type: ignore[arg-type]


def test_rows_go_on_after_z() -> None:
    names = row_names()
    assert [next(names) for _ in range(703)][::26][:3] == ["A", "AA", "BA"]
    assert next(names) == "AAB"


def places(*sections: Section, **fields: object) -> list[tuple[float, float]]:
    plan = SeatsPlan(sections, **fields)  # type: ignore[arg-type]
    return [(x, y) for x, y in CompiledSeats(plan).seating.places.round(3).tolist()]


def test_rows_are_laid_out_one_behind_the_other() -> None:
    assert places(Section("S", (Row("A", 3), Row("B", 2)))) == [
        (-1, 0),
        (0, 0),
        (1, 0),
        (-0.5, 1),
        (0.5, 1),
    ]
    behind = places(Section("S", (Row("A", 1),)), Section("T", (Row("B", 1),)))
    assert behind == [(0, 0), (0, 2)]
    staged = places(Section("S", (Row("A", 1),)), stage=Stage(x=5.0, height=2.0))
    assert staged == [(5, 3)]


def test_missing_seats_and_aisles_take_room() -> None:
    assert places(Section("S", (Row("A", 3, without=(2,)),))) == [(-1, 0), (1, 0)]
    assert places(Section("S", (Row("A", 2, aisles=(1,)),))) == [(-1, 0), (1, 0)]
    listed = Row("A", listed=(Seat("1"), Seat("2", gap=True)))
    assert places(Section("S", (listed,))) == [(-1, 0), (1, 0)]
    moved = Row("A", 1, x=4.0, y=7.0)
    assert places(Section("S", (moved, Row("B", 1)))) == [(4, 7), (0, 8)]


def test_a_section_is_turned_about_the_middle_of_its_first_row() -> None:
    turned = Section("S", (Row("A", 3), Row("B", 1)), x=10.0, y=20.0, rotation=90.0)
    assert places(turned) == [(10, 19), (10, 20), (10, 21), (9, 20)]


def test_a_bent_row_keeps_its_middle_and_comes_forward_at_its_ends() -> None:
    bent = places(Section("S", (Row("A", 5),), curve=90.0))
    middle = bent[2][1]
    assert bent[2][0] == 0
    assert 0 == bent[0][1] == bent[4][1] < bent[1][1] == bent[3][1] < middle
    two = places(Section("S", (Row("A", 5), Row("B", 3)), curve=90.0))
    assert [math.dist(a, b) for a, b in zip(two[1:4], two[5:], strict=True)][1] == 1
    assert math.dist(two[1], two[2]) < math.dist(two[5], two[6])
    long = places(Section("S", (Row("A", 1), Row("B", 50)), curve=180.0))
    assert max(y for _, y in long[1:]) - min(y for _, y in long[1:]) < 17


def test_places_of_seats_and_tables_are_kept() -> None:
    row = Row("A", listed=(Seat("1", x=3.0, y=4.0), Seat("2", x=5.0, y=6.0)))
    assert places(Section("S", (row,)), stage=Stage()) == [(3, 4), (5, 6)]
    assert places(Section("S", (row,), x=1.0, y=1.0)) == [(4, 5), (6, 7)]
    around = places(Section("S", tables=(Table("T", 4, x=10.0, y=10.0),)))
    assert around == [(10, 9), (11, 10), (10, 11), (9, 10)]
    long = places(Section("S", tables=(Table("T", 4, x=0.0, y=0.0, shape="rectangle"),)))
    assert long == [(-0.5, -1), (0.5, -1), (0.5, 1), (-0.5, 1)]
    quarter = places(Section("S", tables=(Table("T", 1, x=0.0, y=0.0, rotation=90.0),)))
    assert quarter == [(1, 0)]
