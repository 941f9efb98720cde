"""The orphan rule: what is guarded, and when the lenient rule gives way, against the definition."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak.inventory.plans import Guard
from bespeak.inventory.shapes.seats.plan import (
    Companion,
    Orphans,
    Row,
    Seat,
    SeatsPlan,
    Section,
    Table,
)
from bespeak.inventory.shapes.seats.rows import seat_rows
from bespeak.inventory.shapes.seats.rules import CompiledSeats
from tests.harness.seat_reference import blocks, neighbours, orphans_of
from tests.harness.seatmaps import NOW, picture_of, random_picture, random_plan

chance = st.randoms(use_true_random=False)


def room(*rows: Row, orphans: Orphans = "strict", tables: tuple[Table, ...] = ()) -> CompiledSeats:
    return CompiledSeats(SeatsPlan((Section("S", rows, tables=tables),), orphans=orphans))


def broken(guards: list[Guard], free: set[str], chosen: set[str]) -> set[str]:
    """What the database refuses."""
    return {
        guard.unit
        for guard in guards
        if guard.unit in free and (guard.beyond is None or guard.beyond not in free - chosen)
    }


@given(chance)
def test_guards_refuse_what_the_definition_calls_an_orphan(dice: random.Random) -> None:
    compiled = CompiledSeats(random_plan(dice, "strict"))
    picture = random_picture(dice, compiled)
    free = {unit for unit in compiled.seating.units if not picture.taken(unit, NOW)}
    chosen = set(dice.sample(sorted(free), dice.randint(0, min(4, len(free)))))
    guards = compiled.guards([*chosen, *compiled.pools, *compiled.tables])
    assert broken(guards, free, chosen) == orphans_of(compiled, free, chosen)
    view = compiled.chooser.search.view(picture, NOW)
    places = [compiled.seating.index[unit] for unit in chosen]
    assert {compiled.seating.units[n] for n in view.orphans(places)} == orphans_of(
        compiled, free, chosen
    )
    rows = {guard.row for guard in guards}
    assert rows <= set(compiled.seating.units)
    for guard in guards:
        assert guard.unit not in chosen
        assert chosen & neighbours(compiled.plan)[guard.unit]


A5 = room(Row("A", 5))
CASES = [
    ("A1", [Guard("A1", "A2", "A3")]),
    ("A2", [Guard("A1", "A1", None), Guard("A1", "A3", "A4")]),
    ("A3", [Guard("A1", "A2", "A1"), Guard("A1", "A4", "A5")]),
    ("A2 A4", [Guard("A1", "A1", None), Guard("A1", "A3", "A2"), Guard("A1", "A5", None)]),
    ("A4 A5", [Guard("A1", "A3", "A2")]),
    ("A1 A2 A3 A4 A5", []),
    ("Z9", []),
]


@pytest.mark.parametrize(("units", "guards"), CASES)
def test_the_guards_of_a_row(units: str, guards: list[Guard]) -> None:
    assert sorted(A5.guards(units.split())) == guards


def test_the_rule_may_be_off() -> None:
    compiled = room(Row("A", 5), orphans="off")
    assert not compiled.guards_seats
    assert compiled.guards(["A2"]) == []
    assert compiled.lenient_allows(["A2"], picture_of([]), NOW)


def test_an_aisle_a_gap_and_a_missing_seat_part() -> None:
    compiled = room(Row("A", 4, aisles=(2,)), Row("B", 4, without=(3,)), Row("C", listed=LISTED))
    assert compiled.guards(["A2"]) == [Guard("A1", "A1", None)]
    assert compiled.guards(["A3"]) == [Guard("A3", "A4", None)]
    assert compiled.guards(["B2"]) == [Guard("B1", "B1", None)]
    assert compiled.guards(["B4"]) == []
    assert compiled.guards(["C1"]) == [Guard("C1", "C2", None)]


LISTED = (Seat("1"), Seat("2"), Seat("3", gap=True))


def test_places_for_wheelchairs_and_seats_at_tables_are_no_orphans() -> None:
    compiled = room(
        Row("A", 4, accessible=(1,), companions=(Companion(2, 1),)), tables=(Table("T", 4),)
    )
    assert compiled.guards(["A2"]) == [Guard("A1", "A3", "A4")]
    assert compiled.guards(["A3"]) == [Guard("A1", "A4", None)]
    assert compiled.guards(["T-1", "T-2", "T-3"]) == []


@given(chance)
def test_lenient_gives_way_when_nothing_better_is_left(dice: random.Random) -> None:
    compiled = CompiledSeats(random_plan(dice, "lenient"))
    picture = random_picture(dice, compiled)
    seating = compiled.seating
    free = {unit for unit in seating.units if not picture.taken(unit, NOW)}
    if not free:
        return
    chosen = set(dice.sample(sorted(free), dice.randint(1, min(4, len(free)))))
    categories = {compiled.categories[unit] for unit in chosen}
    spots = {s.unit: s for row in seat_rows(compiled.plan) for s in row.spots}
    is_ordinary = all(spots[unit].access == 0 for unit in chosen)
    has_wheels = any(spots[unit].access == 1 for unit in chosen)
    better = [
        block
        for block in blocks(compiled, len(chosen))
        if block <= free
        and {compiled.categories[unit] for unit in block} <= categories
        and (not is_ordinary or all(spots[unit].access == 0 for unit in block))
        and (not has_wheels or any(spots[unit].access == 1 for unit in block))
        and not orphans_of(compiled, free, block)
    ]
    assert compiled.lenient_allows(sorted(chosen), picture, NOW) == (not better)
    # Seats that the request itself has marked as taken are still its own.
    picture.mark(chosen, next(iter(picture_of(["x"]).units.values())))
    assert compiled.lenient_allows(sorted(chosen), picture, NOW) == (not better)


def test_strict_never_gives_way() -> None:
    compiled = room(Row("A", 2))
    assert not compiled.lenient_allows(["A1"], picture_of([]), NOW)


def test_lenient_looks_at_the_whole_room() -> None:
    compiled = room(Row("A", 3), Row("B", 4), orphans="lenient")
    assert not compiled.lenient_allows(["A1", "A2"], picture_of([]), NOW)
    assert compiled.lenient_allows(["A1", "A2"], picture_of(["B1", "B2", "B3"]), NOW)


def test_places_for_wheelchairs_are_nothing_better_for_others() -> None:
    compiled = room(Row("A", 2), Row("B", 2, without=(2,), accessible=(1,)), orphans="lenient")
    assert compiled.lenient_allows(["A1"], picture_of([]), NOW)
    compiled = room(Row("A", 2), Row("B", 1), orphans="lenient")
    assert not compiled.lenient_allows(["A1"], picture_of([]), NOW)
