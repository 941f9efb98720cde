"""Choosing seats of a run: the best gaps, against every other choice; offers that can be held."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import InvalidRequest, Line, NotOnSale, PoolPlan, Row, Section, SoldOut
from bespeak.inventory.shapes.legs.plan import Fare, LegsPlan, Quota, Stop
from bespeak.inventory.shapes.legs.rules import CompiledLegs
from bespeak.inventory.shapes.legs.seats import best_fit, parts_of
from bespeak.lines import Best
from tests.unit.ledger import BOOKED, NOW, RESOURCE, SALE, Ledger
from tests.unit.legs_plans import (
    CODES,
    any_seat,
    is_holdable,
    is_on_sale,
    pairs,
    places,
    seat,
    sold,
)

Sold = tuple[CompiledLegs, Ledger]


def gap(ledger: Ledger, run: CompiledLegs, unit: str, start: int, stop: int) -> int | None:
    """How many legs beside the journey are free with it in one piece; None: the seat is taken."""

    def is_free(leg: int) -> bool:
        claim = f"{unit}@{CODES[leg]}"
        return ledger.picture.taken(claim, NOW.timestamp()) is None

    if not all(is_free(leg) for leg in range(start, stop)):
        return None
    low, high = start, stop
    while low > 0 and is_free(low - 1):
        low -= 1
    while high < run.run.legs and is_free(high):
        high += 1
    return (high - low) - (stop - start)


@given(sold(plain=True), st.data())
def test_one_seat_is_the_first_that_leaves_the_best_gap(found: Sold, data: st.DataObject) -> None:
    run, ledger = found
    start, stop = data.draw(st.sampled_from(pairs(run.plan)))
    gaps = {
        unit: kept
        for unit in run.categories
        if (kept := gap(ledger, run, unit, CODES.index(start), CODES.index(stop))) is not None
    }
    asked = any_seat(start, stop)
    if not gaps:
        with pytest.raises(SoldOut) as caught:
            run.choose(asked, ledger.picture, SALE, partial=True)
        assert caught.value.data["available"] == 0
    else:
        chosen = run.choose(asked, ledger.picture, SALE, partial=False)
        assert chosen == [seat(min(gaps, key=gaps.__getitem__), start, stop)]


@given(st.data())
def test_a_group_sits_together_and_leaves_the_best_gaps(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 9))
    eligible = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    kept = data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    free = [place for place, flag in enumerate(eligible) if flag]
    if not free:
        return
    quantity = data.draw(st.integers(1, len(free)))
    chosen = best_fit(np.array(eligible), np.array(kept), quantity)
    assert chosen == sorted(set(chosen)) and len(chosen) == quantity
    assert set(chosen) <= set(free)
    everyone = [list(others) for others in combinations(free, quantity)]
    fewest = min(parts_of(others) for others in everyone)
    assert parts_of(chosen) == fewest
    if fewest == 1:
        together = [others for others in everyone if parts_of(others) == 1]
        assert chosen == min(together, key=lambda others: sum(kept[place] for place in others))


@given(sold(), st.data())
def test_what_is_chosen_can_be_held_and_costs_the_least(found: Sold, data: st.DataObject) -> None:
    run, ledger = found
    start, stop = data.draw(st.sampled_from(pairs(run.plan)))
    category = data.draw(st.none() | st.sampled_from(sorted(set(run.categories.values()))))
    quantity = data.draw(st.integers(1, 4))
    partial = data.draw(st.booleans())
    journey = run.run.journey(start, stop)
    allowed = [
        unit
        for unit, name in run.categories.items()
        if category in {None, name} and is_holdable(ledger, [seat(unit, start, stop)])
    ]
    try:
        chosen = run.choose(
            any_seat(start, stop, quantity, category), ledger.picture, SALE, partial=partial
        )
    except (SoldOut, NotOnSale) as refusal:
        is_sold = any(
            is_on_sale(ledger, seat(unit, start, stop))
            for unit, name in run.categories.items()
            if category in {None, name}
        )
        assert isinstance(refusal, SoldOut) == is_sold
        assert not _can_hold(ledger, allowed, 1 if partial else quantity, start, stop)
        return
    assert 1 <= len(chosen) <= quantity
    if len(chosen) < quantity:
        assert partial and not _can_hold(ledger, allowed, len(chosen) + 1, start, stop)
    assert {line.unit for line in chosen} <= set(allowed)
    assert ledger.fits(chosen)
    if quantity == 1:
        prices = {unit: run.run.price(run.categories[unit], journey, SALE) for unit in allowed}
        assert prices[chosen[0].unit or ""] == min(prices.values(), key=lambda price: price or 0)


def _can_hold(ledger: Ledger, units: list[str], quantity: int, start: str, stop: str) -> bool:
    """Whether any so many of these seats could be held together."""
    return any(
        ledger.fits([seat(unit, start, stop) for unit in some])
        for some in combinations(units, quantity)
    )


@given(sold(), st.data())
def test_every_offer_can_be_held_and_leaves_the_line_alone(
    found: Sold, data: st.DataObject
) -> None:
    run, ledger = found
    start, stop = data.draw(st.sampled_from(pairs(run.plan)))
    units = [*run.categories, *run.run.pools]
    unit = data.draw(st.none() | st.sampled_from(units))
    quantity = data.draw(st.integers(1, 3))
    if unit is None:
        category = data.draw(st.none() | st.sampled_from(sorted(set(run.categories.values()))))
        line = any_seat(start, stop, quantity, category)
    elif unit in run.categories:
        line, quantity = seat(unit, start, stop), 1
    else:
        line = places(unit, quantity, start, stop)
    offers = run.offers(line, ledger.picture, SALE, 5)
    assert len(offers) <= 5
    for offer in offers:
        assert is_holdable(ledger, offer)
        assert line not in offer
        if unit in run.categories:
            assert all(one.unit != unit for one in offer)
        assert _is_whole(offer, quantity, start, stop) or [one.unit for one in offer] == [unit]


def _is_whole(offer: list[Line], quantity: int, start: str, stop: str) -> bool:
    """Whether so many people get from the start to the stop with these lines."""
    riders = []
    for leg in range(CODES.index(start), CODES.index(stop)):
        code = CODES[leg]
        riders.append(
            sum(
                one.quantity or 1
                for one in offer
                if isinstance(one.from_, str)
                and isinstance(one.to, str)
                and one.from_ <= code < one.to
            )
        )
    return set(riders) == {quantity}


@given(sold(), st.data())
def test_a_group_of_seats_is_replaced_together(found: Sold, data: st.DataObject) -> None:
    run, ledger = found
    units = data.draw(
        st.lists(st.sampled_from(list(run.categories)), min_size=2, max_size=3, unique=True)
        if len(run.categories) > 1
        else st.just(list(run.categories))
    )
    one = data.draw(st.booleans())
    journeys = [data.draw(st.sampled_from(pairs(run.plan))) for _ in units]
    lines = [
        seat(unit, *(journeys[0] if one else journey))
        for unit, journey in zip(units, journeys, strict=True)
    ]
    assert all(run.is_grouped(line) for line in lines)
    for offer in run.group_offers(lines, ledger.picture, SALE, 4):
        assert is_holdable(ledger, offer)
        assert {line.unit for line in offer}.isdisjoint(units)
        if one:
            assert _is_whole(offer, len(units), *journeys[0])


STOPS = tuple(Stop(code) for code in "ABCDE")


def run_of(*rows: int, **rest: object) -> CompiledLegs:
    sections = tuple(
        Section(f"Coach {n}", (Row(f"{n}-", seats),), name)
        for n, (seats, name) in enumerate(zip(rows, ("second", "first"), strict=False), 1)
    )
    return CompiledLegs(LegsPlan(stops=STOPS, sections=sections, **rest))  # type: ignore[arg-type]


def units_of(lines: list[Line]) -> list[str]:
    return [line.unit or "" for line in lines]


def test_the_smallest_gap_is_filled_first() -> None:
    run = run_of(3)
    ledger = Ledger(run)
    assert ledger.hold([seat("1-2", "A", "B"), seat("1-3", "A", "B"), seat("1-3", "D", "E")])
    chosen = run.choose(any_seat("B", "D"), ledger.picture, SALE, partial=False)
    assert chosen == [seat("1-3", "B", "D")]
    assert ledger.hold(chosen)
    assert units_of(run.choose(any_seat("B", "D"), ledger.picture, SALE, partial=False)) == ["1-2"]


def test_the_cheapest_class_is_chosen_where_none_is_named() -> None:
    run = run_of(
        2, 4, fares=(Fare(category="first", price=900), Fare(category="second", price=300))
    )
    picture = Ledger(run).picture
    assert units_of(run.choose(any_seat("A", "C"), picture, SALE, partial=False)) == ["1-1"]
    first = any_seat("A", "C", 1, "first")
    assert units_of(run.choose(first, picture, SALE, partial=False)) == ["2-1"]
    # Three are not of one price: together in first class is better than apart.
    three = run.choose(any_seat("A", "C", 3), picture, SALE, partial=False)
    assert units_of(three) == ["2-1", "2-2", "2-3"]
    six = run.choose(any_seat("A", "C", 6), picture, SALE, partial=False)
    assert units_of(six) == ["1-1", "1-2", "2-1", "2-2", "2-3", "2-4"]
    with pytest.raises(SoldOut) as caught:
        run.choose(any_seat("A", "C", 7), picture, SALE, partial=False)
    assert caught.value.data == {"resource_id": RESOURCE, "available": 6}
    assert len(run.choose(any_seat("A", "C", 7), picture, SALE, partial=True)) == 6


def test_a_group_that_must_part_has_as_few_parts_as_it_can() -> None:
    eligible = np.array([True, False, True, True, False, True, True, True])
    assert best_fit(eligible, np.zeros(8, np.int64), 5) == [2, 3, 5, 6, 7]
    assert best_fit(eligible, np.zeros(8, np.int64), 4) == [0, 5, 6, 7]


def test_seats_of_several_prices_are_filled_up_from_the_lowest() -> None:
    sections = (
        Section("Coach 1", (Row("1-", 2),), "first"),
        Section("Coach 2", (Row("2-", 2),), "second"),
    )
    fares = (Fare(category="first", price=900), Fare(category="second", price=300))
    run = CompiledLegs(LegsPlan(stops=STOPS, sections=sections, fares=fares))
    three = run.choose(any_seat("A", "C", 3), Ledger(run).picture, SALE, partial=False)
    assert units_of(three) == ["1-1", "2-1", "2-2"]


def test_quotas_that_overlap_are_used_sparingly() -> None:
    names = ("both", "left", "right")
    sections = tuple(Section(name, (Row(f"{name}-", 1),), name) for name in names)
    quotas = (
        Quota(name="l", capacity=1, categories=("both", "left")),
        Quota(name="r", capacity=1, categories=("both", "right")),
    )
    run = CompiledLegs(LegsPlan(stops=STOPS, sections=sections, quotas=quotas))
    two = run.choose(any_seat("A", "C", 2), Ledger(run).picture, SALE, partial=False)
    assert units_of(two) == ["left-1", "right-1"]


def test_a_quota_bounds_the_choice() -> None:
    run = run_of(4, 2, quotas=(Quota(name="q", capacity=2, categories=("second",), from_="B"),))
    picture = Ledger(run).picture
    three = any_seat("A", "C", 3, "second")
    with pytest.raises(SoldOut):
        run.choose(three, picture, SALE, partial=False)
    assert len(run.choose(three, picture, SALE, partial=True)) == 2
    assert len(run.choose(any_seat("A", "B", 4, "second"), picture, SALE, partial=False)) == 4
    assert units_of(run.choose(any_seat("A", "C", 4), picture, SALE, partial=False)) == [
        "1-1",
        "1-2",
        "2-1",
        "2-2",
    ]


def test_a_change_of_seats_is_offered_as_late_as_possible() -> None:
    run = run_of(3)
    ledger = Ledger(run)
    assert ledger.hold([seat("1-1", "D", "E"), seat("1-2", "A", "C"), seat("1-3", "A", "E")])
    asked = any_seat("A", "E")
    with pytest.raises(SoldOut):
        run.choose(asked, ledger.picture, SALE, partial=False)
    assert run.offers(asked, ledger.picture, SALE, 3) == [
        [seat("1-1", "A", "D"), seat("1-2", "D", "E")]
    ]


def test_of_a_group_only_those_change_who_must() -> None:
    run = run_of(4)
    ledger = Ledger(run)
    assert ledger.hold([seat("1-1", "D", "E"), seat("1-2", "A", "D"), seat("1-4", "B", "C")])
    assert run.offers(any_seat("A", "E", 2), ledger.picture, SALE, 1) == [
        [seat("1-3", "A", "E"), seat("1-1", "A", "D"), seat("1-2", "D", "E")]
    ]


def test_the_nearest_seats_are_offered_first_then_other_classes_then_places() -> None:
    run = run_of(
        4,
        1,
        pools=(PoolPlan("floor", 5),),
        fares=(Fare(category="first", price=900), Fare(price=300)),
    )
    ledger = Ledger(run)
    assert ledger.hold([seat("1-2", "A", "B"), seat("1-4", "A", "E")])
    assert run.offers(seat("1-2", "A", "C"), ledger.picture, SALE, 9) == [
        [seat("1-1", "A", "C")],
        [seat("1-3", "A", "C")],
        [seat("2-1", "A", "C")],
        [places("floor", 1, "A", "C")],
    ]
    assert len(run.offers(seat("1-2", "A", "C"), ledger.picture, SALE, 2)) == 2


def test_seats_are_offered_instead_of_places() -> None:
    run = run_of(2, pools=(PoolPlan("floor", 5), PoolPlan("bikes", 1)))
    ledger = Ledger(run)
    assert ledger.hold([places("floor", 4, "B", "C")])
    assert run.offers(places("floor", 2, "A", "C"), ledger.picture, SALE, 9) == [
        [seat("1-1", "A", "C"), seat("1-2", "A", "C")],
        [places("floor", 1, "A", "C")],
    ]


def test_offers_for_seats_of_several_journeys_keep_to_the_quotas() -> None:
    run = run_of(6, quotas=(Quota(name="q", capacity=3),))
    ledger = Ledger(run)
    lines = [seat("1-1", "A", "C"), seat("1-2", "B", "D")]
    assert run.group_offers(lines, ledger.picture, SALE, 3) == [
        [seat("1-3", "A", "C"), seat("1-4", "B", "D")]
    ]
    assert ledger.hold([seat("1-6", "B", "C"), seat("1-5", "B", "C")])
    assert run.group_offers(lines, ledger.picture, SALE, 3) == []


def test_a_line_names_a_unit_or_leaves_it_open() -> None:
    run = run_of(2)
    assert run.is_open(any_seat("A", "B"))
    assert run.is_open(any_seat("A", "B", 2, "second"))
    assert not run.is_open(seat("1-1", "A", "B"))
    assert not run.is_grouped(any_seat("A", "B"))


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (any_seat("B", "A"), "lines.to"),
        (any_seat("A", "X"), "lines.to"),
        (Line(RESOURCE, quantity=1), "lines"),
        (any_seat("A", "B", 1, "third"), "lines.best.category"),
        (any_seat("A", "B", 1001), "lines.quantity"),
        (Line(RESOURCE, None, 2, from_="A", to="B", best=Best(2)), "lines.quantity"),
        (Line(RESOURCE, from_="A", to="B", best=Best(1, strategy="front")), "lines.best"),
        (Line(RESOURCE, from_="A", to="B", best=Best(1, accessible=True)), "lines.best"),
        (Line(RESOURCE, from_="A", to="B", next=2), "lines.next"),
        (Line(RESOURCE, from_="A", to="B", code="x"), "lines.code"),
    ],
)
def test_a_choice_that_makes_no_sense(line: Line, field: str) -> None:
    run = run_of(2)
    for ask in (run.choose, run.offers):
        with pytest.raises(InvalidRequest) as caught:
            if ask == run.choose:
                run.choose(line, Ledger(run).picture, SALE, partial=False)
            else:
                run.offers(line, Ledger(run).picture, SALE, 3)
        assert caught.value.data["field"] == field


def test_a_choice_sees_what_was_marked_since() -> None:
    run = run_of(2)
    ledger = Ledger(run)
    for unit in ("1-1", "1-2"):
        chosen = run.choose(any_seat("A", "E"), ledger.picture, SALE, partial=False)
        assert chosen == [seat(unit, "A", "E")]
        ledger.picture.mark([f"{unit}@C"], BOOKED)
    ledger.picture.unmark(["1-1@C"])
    assert run.choose(any_seat("A", "E"), ledger.picture, SALE, partial=False)
