"""What is shown of a run and what can be held of it never disagree."""

from datetime import timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import InvalidRequest, PoolPlan, Row, Section
from bespeak.inventory.plans import AvailabilityQuery, TakenUnit
from bespeak.inventory.shapes.legs.availability import MATRIX_STOPS_MAX, LegsAvailability
from bespeak.inventory.shapes.legs.plan import LegsPlan, Quota, Stop
from bespeak.inventory.shapes.legs.rules import CompiledLegs
from bespeak.inventory.snapshot import Snapshot
from tests.unit.ledger import BOOKED, NOW, SALE, Ledger
from tests.unit.legs_plans import TAKEN, is_holdable, is_on_sale, pairs, places, seat, sold

Sold = tuple[CompiledLegs, Ledger]


def shown(found: Sold, query: AvailabilityQuery) -> LegsAvailability:
    run, ledger = found
    return run.reader.answer(query, ledger.picture, SALE)


@given(sold())
def test_every_seat_of_every_journey_is_as_it_is_shown(found: Sold) -> None:
    run, ledger = found
    for start, stop in pairs(run.plan):
        board = shown(found, AvailabilityQuery(start, stop))
        for name, level in board.classes.items():
            units = [unit for unit, category in run.categories.items() if category == name]
            free = [unit for unit in units if unit not in board.taken]
            assert (level.seats, level.free) == (len(units), len(free))
            for unit in units:
                is_shown = unit in free and level.available > 0
                assert is_holdable(ledger, [seat(unit, start, stop)]) == is_shown
            lines = [seat(unit, start, stop) for unit in free]
            assert is_holdable(ledger, lines[: level.available])
            if level.reason != "cutoff" and level.price is not None and free:
                assert is_holdable(ledger, lines[: level.available + 1]) == (
                    level.available == len(free)
                )
            assert (level.reason is None) == (level.available > 0)
            if level.reason in {"cutoff", "not_offered"}:
                assert not is_on_sale(ledger, seat(units[0], start, stop))
            elif level.price is not None:
                assert run.line_claims(seat(units[0], start, stop), SALE).amount == level.price


@given(sold())
def test_every_pool_of_every_journey_is_as_it_is_shown(found: Sold) -> None:
    run, ledger = found
    for start, stop in pairs(run.plan):
        for unit, level in shown(found, AvailabilityQuery(start, stop)).pools.items():
            if level.available:
                assert is_holdable(ledger, [places(unit, level.available, start, stop)])
            more = places(unit, level.available + 1, start, stop)
            assert not is_holdable(ledger, [more])
            assert (level.reason is None) == (level.available > 0)
            assert (level.reason in {"cutoff", "not_offered"}) == (not is_on_sale(ledger, more))


@given(sold())
def test_the_table_of_the_whole_run_says_the_same_of_every_pair(found: Sold) -> None:
    run, _ = found
    matrix = shown(found, AvailabilityQuery()).matrix
    assert matrix is not None
    codes = [stop.code for stop in run.plan.stops]
    for start, stop in pairs(run.plan):
        board = shown(found, AvailabilityQuery(start, stop))
        first, last = codes.index(start), codes.index(stop)
        for name, level in board.classes.items():
            assert matrix[name][first][last - first - 1] == level.available
        assert (board.matrix is None) == ((start, stop) != (codes[0], codes[-1]))


@given(sold(), st.data())
def test_part_of_the_units_is_all_that_a_query_needs(found: Sold, data: st.DataObject) -> None:
    run, ledger = found
    start, stop = data.draw(st.sampled_from(pairs(run.plan)))
    names = [*run.categories, *run.run.pools, *set(run.categories.values())]
    unit = data.draw(st.none() | st.sampled_from(names))
    query = AvailabilityQuery(start, stop, data.draw(st.integers(1, 3)), unit)
    units = run.availability_units(query, SALE)
    assert units is not None
    assert len(set(units)) == len(units)
    assert all(run.has(name) or name.startswith("quota:") for name in units)
    some = Snapshot(
        {name: taken for name, taken in ledger.picture.units.items() if name in units},
        {name: drawn for name, drawn in ledger.picture.pools.items() if name in units},
        now=ledger.picture.now,
    )
    whole = run.reader.answer(query, ledger.picture, SALE)
    assert run.reader.answer(query, some, SALE) == whole
    if unit is None:
        assert (list(whole.pools), len(whole.classes)) == (
            list(run.run.pools),
            len(set(run.categories.values())),
        )
    else:
        everything = run.reader.answer(
            AvailabilityQuery(start, stop, query.quantity), ledger.picture, SALE
        )
        assert whole.taken.items() <= everything.taken.items()
        assert whole.pools.items() <= everything.pools.items()
        if unit in run.categories:
            (level,) = whole.classes.values()
            assert (level.seats, level.free) == (1, int(unit not in everything.taken))
        else:
            assert whole.classes.items() <= everything.classes.items()


PLAN = LegsPlan(
    stops=tuple(Stop(code) for code in "ABCD"),
    sections=(Section("S", (Row("S", 2),), "second"), Section("F", (Row("F", 1),), "first")),
    pools=(PoolPlan("floor", 5),),
    quotas=(Quota(name="q", capacity=1, categories=("second",), to="B"),),
)


def test_what_lasts_longest_is_told_of_a_seat() -> None:
    run = CompiledLegs(PLAN)
    ledger = Ledger(run)
    booked, blocked, held, lapsed = TAKEN
    assert ledger.take(run.block_needs(seat("S1", "A", "B"), SALE), held)
    assert ledger.take(run.block_needs(seat("S1", "B", "C"), SALE), blocked)
    assert ledger.take(run.block_needs(seat("S1", "C", "D"), SALE), lapsed)
    assert ledger.take(run.block_needs(seat("F1", "B", "C"), SALE), booked)
    board = run.reader.answer(AvailabilityQuery(), ledger.picture, SALE)
    assert board.taken == {"S1": TakenUnit("blocked"), "F1": TakenUnit("booked")}
    start = run.reader.answer(AvailabilityQuery("A", "B"), ledger.picture, SALE)
    assert start.taken == {"S1": TakenUnit("held", NOW + timedelta(seconds=60))}
    assert run.reader.answer(AvailabilityQuery("C", "D"), ledger.picture, SALE).taken == {}


def test_a_quota_is_shown_where_it_counts() -> None:
    run = CompiledLegs(PLAN)
    ledger = Ledger(run)
    assert ledger.hold([seat("S2", "A", "C")], BOOKED)
    whole = run.reader.answer(AvailabilityQuery(), ledger.picture, SALE)
    assert (whole.quotas["q"].capacity, whole.quotas["q"].available) == (1, 0)
    assert (whole.classes["second"].free, whole.classes["second"].available) == (1, 0)
    assert whole.classes["second"].reason == "sold_out"
    later = run.reader.answer(AvailabilityQuery("B", "D"), ledger.picture, SALE)
    assert (later.quotas, later.classes["second"].available) == ({}, 1)
    first = run.reader.answer(AvailabilityQuery(unit="first"), ledger.picture, SALE)
    assert (first.quotas, list(first.classes), first.pools) == ({}, ["first"], {})


def test_fewer_than_were_asked_for_is_sold_out() -> None:
    run = CompiledLegs(PLAN)
    board = run.reader.answer(AvailabilityQuery(quantity=2), Ledger(run).picture, SALE)
    assert [level.reason for level in board.classes.values()] == ["sold_out", "sold_out"]
    assert (board.classes["first"].available, board.pools["floor"].reason) == (1, None)


def test_a_long_run_has_no_table_and_a_large_one_is_read_whole() -> None:
    for stops in (MATRIX_STOPS_MAX, MATRIX_STOPS_MAX + 1):
        plan = LegsPlan(
            stops=tuple(Stop(f"s{n}") for n in range(stops)),
            sections=(Section("S", (Row("S", 60),)),),
        )
        run = CompiledLegs(plan)
        board = run.reader.answer(AvailabilityQuery(), Ledger(run).picture, SALE)
        assert (board.matrix is None) == (stops > MATRIX_STOPS_MAX)
        assert run.availability_units(AvailabilityQuery(), SALE) is None
        assert run.availability_units(AvailabilityQuery(to="s2", unit="S7"), SALE) == [
            "S7@s0",
            "S7@s1",
        ]


def test_a_board_is_written_with_from_and_to() -> None:
    run = CompiledLegs(PLAN)
    board = run.reader.answer(AvailabilityQuery("B", "C"), Ledger(run).picture, SALE)
    written = msgspec.json.decode(msgspec.json.encode(board))
    assert (written["type"], written["from"], written["to"]) == ("legs", "B", "C")
    assert written["classes"]["first"] == {"seats": 1, "free": 1, "available": 1, "price": 100}
    assert written["pools"]["floor"] == {"capacity": 5, "available": 5, "price": 100}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        (AvailabilityQuery("X"), "from"),
        (AvailabilityQuery(to="X"), "to"),
        (AvailabilityQuery("C", "B"), "to"),
        (AvailabilityQuery("D"), "to"),
        (AvailabilityQuery(quantity=0), "quantity"),
        (AvailabilityQuery(quantity=10**9), "quantity"),
        (AvailabilityQuery(unit="third"), None),
        (AvailabilityQuery(unit="S1@A"), None),
    ],
)
def test_a_query_that_makes_no_sense(query: AvailabilityQuery, field: str | None) -> None:
    run = CompiledLegs(PLAN)
    with pytest.raises(InvalidRequest) as caught:
        run.availability_units(query, SALE)
    assert caught.value.data.get("field") == field
    with pytest.raises(InvalidRequest):
        run.reader.answer(query, Ledger(run).picture, SALE)
