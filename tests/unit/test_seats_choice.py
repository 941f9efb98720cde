"""Which seats are chosen, and offered, by example: strategies, wheelchairs, tables, splits."""

import numpy as np
import pytest

from bespeak import InvalidRequest, NotTogether, SoldOut
from bespeak.inventory.shapes.seats.best import STRATEGIES
from bespeak.inventory.shapes.seats.plan import (
    Category,
    Companion,
    Row,
    Seat,
    SeatsPlan,
    Section,
    Stage,
    Table,
)
from bespeak.inventory.shapes.seats.rules import CompiledSeats
from bespeak.lines import Best, Line, StrategyName
from tests.harness.seat_reference import HERE, SALE, choose, orphans_of, room
from tests.harness.seatmaps import picture_of

NAMES: tuple[StrategyName, ...] = ("best", "center", "front", "back")
SQUARE = room(*(Row(name, 5) for name in "ABCDE"))


@pytest.mark.parametrize(
    ("strategy", "size", "units"),
    [
        ("best", 1, "A3"),
        ("best", 3, "A2 A3 A4"),
        ("front", 1, "A3"),
        ("front", 5, "A1 A2 A3 A4 A5"),
        ("center", 1, "C3"),
        ("center", 3, "C2 C3 C4"),
        ("back", 1, "E3"),
        ("back", 3, "E2 E3 E4"),
    ],
)
def test_the_strategies(strategy: StrategyName, size: int, units: str) -> None:
    assert choose(SQUARE, Best(size, strategy=strategy), picture_of([])) == units.split()


def test_front_goes_on_with_the_next_row() -> None:
    taken = ["A2", "A3", "A4"]
    assert choose(SQUARE, Best(1, strategy="front"), picture_of(taken)) == ["A1"]
    assert choose(SQUARE, Best(2, strategy="front"), picture_of(taken)) == ["B2", "B3"]


def test_the_focus_and_the_stage_say_what_is_best() -> None:
    rows = tuple(Row(name, 5) for name in "ABCDEFG")
    at = {"focus": (1.0, 6.0)}
    assert choose(room(*rows, **at), Best(1), picture_of([])) == ["G4"]
    screen = room(*rows, stage=Stage("screen"))
    assert choose(screen, Best(1), picture_of([])) == ["E3"]
    aside = room(*rows, stage=Stage(x=-2.0, y=-3.0))
    assert choose(aside, Best(1), picture_of([])) == ["A3"]  # the rows stand before the stage
    around = CompiledSeats(
        SeatsPlan(
            (
                Section("North", rows, prefix="N", x=0.0, y=-8.0, rotation=180.0),
                Section("South", rows, prefix="S", x=0.0, y=6.0),
            ),
            stage=Stage(width=4.0, height=4.0),
        )
    )
    assert choose(around, Best(1, strategy="front"), picture_of([])) == ["SA3"]
    assert choose(around, Best(1, strategy="back"), picture_of([])) == ["NG3"]


def test_a_better_rank_comes_before_a_nearer_seat() -> None:
    compiled = room(
        Row("A", 5, category="side"),
        Row("B", 5, category="prime"),
        categories=(Category("side", rank=2), Category("prime", rank=1)),
    )
    assert choose(compiled, Best(2), picture_of([]))[0].startswith("B")
    assert choose(compiled, Best(2, category="side"), picture_of([]))[0].startswith("A")
    assert choose(compiled, Best(2, strategy="front"), picture_of([]))[0].startswith("A")


WHEELS = room(Row("A", 6, accessible=(1, 6), companions=(Companion(2, 1), Companion(5, 6))))


def test_accessible_seats_are_for_those_who_ask_for_them() -> None:
    assert choose(WHEELS, Best(2), picture_of([])) == ["A3", "A4"]
    assert choose(WHEELS, Best(2, accessible=True), picture_of([])) == ["A1", "A2"]
    assert choose(WHEELS, Best(1, accessible=True), picture_of(["A1"])) == ["A6"]
    with pytest.raises(SoldOut):
        choose(WHEELS, Best(1, accessible=True), picture_of(["A1", "A6"]))
    assert choose(WHEELS, Best(3), picture_of([])) == ["A2", "A3", "A4"]
    assert choose(WHEELS, Best(1), picture_of(["A3", "A4"])) == ["A2"]


def test_no_more_accessible_seats_are_taken_than_need_be() -> None:
    compiled = room(Row("A", 9, accessible=(1, 2, 9)))
    assert choose(compiled, Best(2, accessible=True), picture_of([])) == ["A2", "A3"]
    assert choose(compiled, Best(2, accessible=True), picture_of(["A3"])) == ["A8", "A9"]
    taken = ["A3", "A8"]
    assert choose(compiled, Best(2, accessible=True), picture_of(taken)) == ["A1", "A2"]


def test_a_wheelchair_has_its_own_companion_beside_it() -> None:
    pairs = (Companion(1, 2), Companion(3, 4), Companion(26, 25), Companion(28, 27))
    level = Row("M", 28, aisles=(14,), accessible=(2, 4, 25, 27), companions=pairs)
    compiled = room(level, Row("N", 28), orphans="strict")
    best = Best(2, accessible=True)
    assert choose(compiled, best, picture_of([])) == ["M3", "M4"]
    assert choose(compiled, best, picture_of(["M3", "M4"])) == ["M25", "M26"]
    ends = picture_of(["M3", "M4", "M25", "M26"])
    assert choose(compiled, best, ends) == ["M1", "M2"]
    assert choose(compiled, best, picture_of(["M1", "M3", "M26", "M28"])) == ["M4", "M5"]
    assert choose(compiled, Best(3, accessible=True), picture_of([])) == ["M3", "M4", "M5"]
    offers = compiled.chooser.offers_for(["M3", "M4"], picture_of(["M3"]), SALE, 3)
    assert offers[0] == ["M1", "M2"]
    assert offers[1:] == [["M27", "M28"], ["M25", "M26"]][::-1]


def test_a_companion_of_another_is_left_to_the_other() -> None:
    pairs = (Companion(2, 1), Companion(5, 6))
    compiled = room(Row("A", 7, accessible=(1, 6), companions=pairs))
    assert choose(compiled, Best(2, accessible=True), picture_of(["A1", "A5"])) == ["A6", "A7"]
    listed = Row(
        "B",
        listed=(
            Seat("w", accessible=True),
            Seat("x"),
            Seat("v", accessible=True),
            Seat("c", companion_of="v"),
        ),
    )
    tables = CompiledSeats(SeatsPlan((Section("S", (listed,), tables=(Table("T", 3),)),)))
    assert choose(tables, Best(2, accessible=True), picture_of([])) == ["Bv", "Bc"]
    before = CompiledSeats(
        SeatsPlan((Section("T", tables=(Table("T", 3),)), Section("S", (listed,))))
    )
    assert choose(before, Best(2, accessible=True), picture_of([])) == ["Bv", "Bc"]
    assert choose(before, Best(2, accessible=True), picture_of(["Bc"])) == ["Bx", "Bv"]


def test_a_lenient_room_has_nothing_better_than_a_place_for_a_wheelchair() -> None:
    row = Row("A", 3, accessible=(1,), companions=(Companion(2, 1),))
    compiled = room(row, Row("B", 2), orphans="lenient")
    units = choose(compiled, Best(2, accessible=True), picture_of([]))
    assert units == ["A1", "A2"]
    assert compiled.lenient_allows(units, picture_of([]), SALE.now.timestamp())


def test_a_wheelchair_in_a_group_that_cannot_sit_together() -> None:
    compiled = room(Row("A", 2, accessible=(1,)), Row("B", 2), Row("C", 2))
    best = Best(3, accessible=True, split=True)
    assert choose(compiled, best, picture_of(["A2"])) == ["A1", "B1", "B2"]
    with pytest.raises(NotTogether):
        choose(compiled, Best(3, accessible=True), picture_of(["A2"]))


def test_a_block_goes_round_a_table() -> None:
    compiled = CompiledSeats(SeatsPlan((Section("S", tables=(Table("T", 6), Table("U", 4))),)))
    assert set(choose(compiled, Best(3), picture_of(["T-2", "T-3", "T-4", "U-1", "U-3"]))) == {
        "T-5",
        "T-6",
        "T-1",
    }
    assert len(choose(compiled, Best(6), picture_of([]))) == 6
    with pytest.raises(NotTogether):
        choose(compiled, Best(7), picture_of([]))


def test_a_block_does_not_go_from_one_table_to_the_next() -> None:
    compiled = CompiledSeats(SeatsPlan((Section("S", tables=(Table("T", 4), Table("U", 4))),)))
    with pytest.raises(NotTogether):
        choose(compiled, Best(4), picture_of(["T-4", "U-4"]))


def test_a_split_stays_in_a_section_if_one_has_enough() -> None:
    compiled = CompiledSeats(
        SeatsPlan(
            (Section("S", (Row("A", 1), Row("B", 1), Row("C", 2))), Section("T", (Row("D", 2),)))
        )
    )
    best = Best(4, split=True)
    assert choose(compiled, best, picture_of([])) == ["A1", "B1", "C1", "C2"]
    assert choose(compiled, best, picture_of(["A1"])) == ["C1", "C2", "D1", "D2"]


def test_a_split_is_in_few_pieces_rather_than_close() -> None:
    compiled = room(Row("A", 5), Row("B", 5), Row("C", 5))
    free = {"A2", "A4", "B2", "B3", "C4", "C5"}
    taken = [unit for unit in compiled.categories if unit not in free]
    best = Best(4, split=True)
    assert choose(compiled, best, picture_of(taken)) == ["B2", "B3", "C4", "C5"]


def test_a_split_leaves_no_single_seat_of_another_category() -> None:
    row = Row("A", listed=tuple(Seat(f"{n}", category=c) for n, c in enumerate("ggsgg", 1)))
    best = Best(4, category="g", split=True)
    assert choose(room(row), best, picture_of([])) == ["A1", "A2", "A4", "A5"]
    with pytest.raises(NotTogether):
        choose(room(row, orphans="strict"), best, picture_of([]))
    lenient = room(row, orphans="lenient")
    assert choose(lenient, best, picture_of([])) == ["A1", "A2", "A4", "A5"]


def test_a_split_is_near_to_itself() -> None:
    compiled = room(Row("A", 9), Row("B", 9), Row("C", 9))
    taken = [f"A{n}" for n in (3, 4, 5, 6, 7)] + [f"B{n}" for n in (1, 2, 3, 4, 5)]
    taken += [f"C{n}" for n in range(1, 10)]
    best = Best(6, split=True)
    assert choose(compiled, best, picture_of(taken)) == ["A8", "A9", "B6", "B7", "B8", "B9"]
    with pytest.raises(NotTogether):
        choose(compiled, Best(6), picture_of(taken))


def test_a_large_group_in_a_broken_room_is_split() -> None:
    compiled = room(*(Row(f"{n}-", 20) for n in range(60)), orphans="strict")
    taken = [unit for unit in compiled.categories if unit.endswith(("3", "7"))]
    units = choose(compiled, Best(600, split=True), picture_of(taken))
    assert len(set(units)) == 600
    assert not set(units) & set(taken)
    free = set(compiled.categories) - set(taken)
    assert not orphans_of(compiled, free, set(units))


def test_offers_for_a_group_are_together_and_near() -> None:
    offers = SQUARE.chooser.offers_for(["A1", "A2"], picture_of(["A2"]), SALE, 3)
    assert offers[0] == ["B1", "B2"]
    assert len(offers) == 3
    half = SQUARE.chooser.offers_for(["A2", "A3"], picture_of(["A2"]), SALE, 3)
    assert half == [["A3", "A4"], ["B2", "B3"], ["C2", "C3"]]
    lines = [Line(HERE, "A1"), Line(HERE, "A2")]
    assert all(SQUARE.is_grouped(line) for line in lines)
    grouped = SQUARE.group_offers(lines, picture_of(["A2"]), SALE, 3)
    assert [[line.unit for line in offer] for offer in grouped] == offers
    assert SQUARE.chooser.offers_for(["Z1"], picture_of([]), SALE, 3) == []
    assert SQUARE.chooser.offers_for(["A1"], picture_of(list(SQUARE.categories)), SALE, 3) == []


def test_what_would_leave_a_single_seat_is_offered_with_it_instead() -> None:
    hall = room(Row("B", 8, aisles=(4,)), Row("C", 8, aisles=(4,)), orphans="strict")
    offers = hall.chooser.offers_for(["B2", "B3"], picture_of([]), SALE, 2)
    assert offers == [["B1", "B2"], ["B3", "B4"]]
    assert hall.chooser.offers_for(["B3", "B2"], picture_of([]), SALE, 2) == offers
    lone = room(Row("B", 4), orphans="off")
    assert lone.chooser.offers_for(["B1", "B2"], picture_of(["B3"]), SALE, 3) == []
    assert lone.chooser.offers_for(["B1"], picture_of(["B2", "B4"]), SALE, 3) == [["B3"]]


def test_a_whole_table_that_was_refused_is_not_offered_from_another_chair() -> None:
    compiled = CompiledSeats(SeatsPlan((Section("S", tables=(Table("T", 3), Table("U", 3))),)))
    asked = ["T-2", "T-3", "T-1"]
    offers = compiled.chooser.offers_for(asked, picture_of([]), SALE, 3)
    assert [sorted(offer) for offer in offers] == [["U-1", "U-2", "U-3"]]
    around = compiled.chooser.offers_for(["T-3", "T-1"], picture_of([]), SALE, 1)
    assert sorted(around[0]) != ["T-1", "T-3"]


def test_offers_begin_with_the_same_category() -> None:
    compiled = room(Row("A", 3), Row("B", 3, category="other"), Row("C", 3), categories=())
    offers = compiled.chooser.offers_for(["A1"], picture_of(["A1", "A2", "A3"]), SALE, 9)
    assert [offer[0][0] for offer in offers] == list("CCCBBB")
    wheel = WHEELS.chooser.offers_for(["A1", "A2"], picture_of([]), SALE, 9)
    assert wheel == [["A5", "A6"]]


def test_a_refused_choice_is_offered_the_other_categories_or_a_split() -> None:
    compiled = room(Row("A", 3, category="gold"), Row("B", 3, category="iron"))
    line = Line(HERE, best=Best(2, category="gold"))
    offers = compiled.offers(line, picture_of(["A2"]), SALE, 2)
    assert [[one.unit for one in offer] for offer in offers] == [["B1", "B2"]]
    split = compiled.offers(line, picture_of(["A2", "B2"]), SALE, 2)
    assert [[one.unit for one in offer] for offer in split] == [["A1", "A3"]]


BAD = [
    Line(HERE, "A1", best=Best(1)),
    Line(HERE, quantity=2, best=Best(1)),
    Line(HERE, best=Best(1), next=1),
    Line(HERE, best=Best(1), code="x"),
    Line(HERE, best=Best(1), from_="x", to="y"),
    Line(HERE, best=Best(1, category="velvet")),
]


@pytest.mark.parametrize("line", BAD, ids=range(len(BAD)))
def test_choices_that_make_no_sense(line: Line) -> None:
    with pytest.raises(InvalidRequest):
        SQUARE.choose(line, picture_of([]), SALE, partial=False)


def test_a_room_without_single_seats_has_no_best() -> None:
    tables = CompiledSeats(
        SeatsPlan((Section("S", tables=(Table("T", 4, whole=True), Table("U", 6, whole=True))),))
    )
    with pytest.raises(InvalidRequest):
        tables.choose(Line(HERE, best=Best(4)), picture_of([]), SALE, partial=False)
    offers = tables.offers(Line(HERE, "T"), picture_of(["T"]), SALE, 3)
    assert [[line.unit for line in offer] for offer in offers] == [["U"]]
    assert tables.offers(Line(HERE, "U"), picture_of(["U"]), SALE, 3) == []
    assert tables.guards(["T"]) == []


def test_a_line_that_leaves_no_choice_is_itself() -> None:
    line = Line(HERE, "A1")
    assert not SQUARE.is_open(line)
    assert SQUARE.choose(line, picture_of([]), SALE, partial=False) == [line]
    assert SQUARE.is_open(Line(HERE, best=Best(1)))
    assert SQUARE.watched(Line(HERE, best=Best(1)), SALE) is None


def test_the_strategies_of_requests_are_those_that_are_known() -> None:
    assert set(STRATEGIES) == set(NAMES)
    for name in NAMES:
        costs = SQUARE.chooser.search._ranking.strategy(name).costs
        assert costs.dtype == np.int64
        assert costs.min() >= 0
