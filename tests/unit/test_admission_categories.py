"""For how many of those who wait a category lasts, and what of a plan is left by category."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak.admission.category_chances import (
    CategoryOnBoard,
    StockOnBoard,
    chance_of,
    gone_after,
    is_measured,
    kept_stock,
    places_of_queue,
    places_until_gone,
    stock_of,
)
from bespeak.admission.shares import shared_out
from bespeak.inventory.category_stock import CategoryStock, SoldCategory
from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.shapes.pools.plan import PoolsPlan, Product, ProductDraw
from bespeak.inventory.shapes.pools.rules import CompiledPools
from bespeak.inventory.shapes.seats.plan import Category, Row, SeatsPlan, Section
from bespeak.inventory.shapes.seats.rules import CompiledSeats
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.states import UnitState


def house(**categories: tuple[int, int, int]) -> CategoryStock:
    """Seats by category: how many there are, are left, and were chosen."""
    return CategoryStock(
        tuple(
            SoldCategory(name, units, left, chosen, {name: 1})
            for name, (units, left, chosen) in categories.items()
        ),
        {name: left for name, (_, left, _) in categories.items()},
    )


def test_who_finds_a_category_gone_takes_another() -> None:
    # They choose nearly all stalls: these are gone first, and then the balcony goes to all.
    ((stalls, balcony),) = gone_after([house(stalls=(2000, 100, 1900), balcony=(2000, 500, 0))])
    assert stalls == pytest.approx(100 * 1920 / 1910)
    assert balcony == pytest.approx(600), "nobody goes home while anything is left"


def test_a_category_that_is_gone_lasts_for_nobody() -> None:
    ((stalls, balcony),) = gone_after([house(stalls=(50, 0, 50), balcony=(50, 10, 40))])
    assert stalls == 0
    assert balcony == pytest.approx(10)


def test_products_that_share_a_pool_end_with_it() -> None:
    both = CategoryStock(
        (
            SoldCategory("full", 100, 40, 50, {"hall": 1}),
            SoldCategory("reduced", 20, 5, 15, {"hall": 1, "reduced": 1}),
        ),
        {"hall": 40, "reduced": 5},
    )
    ((full, reduced),) = gone_after([both])
    assert reduced < full == pytest.approx(40)


def test_those_inside_take_theirs_first() -> None:
    stock = [house(stalls=(200, 100, 100))]
    assert places_until_gone(stock, 0, 2) == [[pytest.approx(50)]]
    assert places_until_gone(stock, 60, 2) == [[pytest.approx(20)]]
    assert places_until_gone(stock, 200, 2) == [[0.0]]


def test_where_too_few_have_chosen_it_is_not_known() -> None:
    few = [house(stalls=(1000, 990, 10), balcony=(10, 0, 0))]
    assert places_until_gone(few, 0, 2) == [[None, 0.0]], "what is gone is known"
    assert is_measured(house(stalls=(1000, 980, 20)).categories)
    assert is_measured(house(stalls=(40, 36, 4)).categories), "of a small house a tenth"
    assert not is_measured(house(stalls=(5, 5, 0)).categories)


COUNTS = st.tuples(st.integers(0, 300), st.integers(0, 300))


@given(st.lists(COUNTS, min_size=1, max_size=8), st.floats(0, 100), st.floats(0.1, 6))
def test_no_category_lasts_longer_than_all_that_is_left(
    counts: list[tuple[int, int]], spoken_for: float, units_a_place: float
) -> None:
    stock = house(
        **{f"c{n}": (left + chosen, left, chosen) for n, (left, chosen) in enumerate(counts)}
    )
    left = sum(one.left for one in stock.categories)
    (after,) = gone_after([stock])
    for one, gone in zip(stock.categories, after, strict=True):
        assert (gone == 0) == (one.left == 0)
        assert gone >= one.left * (1 - 1e-6), "nobody takes more of it than they take in all"
    assert max(after) == pytest.approx(left)
    (more,) = places_until_gone([stock], spoken_for, units_a_place)
    (less,) = places_until_gone([stock], spoken_for + 5, units_a_place)
    for before, behind in zip(more, less, strict=True):
        assert before is None or behind is None or 0 <= behind <= before


QUEUES = st.lists(st.tuples(st.integers(1, 9), st.integers(0, 50)), min_size=1, max_size=4)


@given(QUEUES, st.integers(0, 120), st.data())
def test_the_places_of_a_queue_are_as_they_are_shared_out(
    queues: list[tuple[int, int]], places: int, data: st.DataObject
) -> None:
    queue = data.draw(st.integers(0, len(queues) - 1))
    # Somebody of this queue must wait, or its places would go to the others.
    queues[queue] = (queues[queue][0], 10_000)
    mine = places_of_queue(places, queue, queues)
    assert abs(mine - shared_out(places, queues)[queue]) <= len(queues)
    assert places_of_queue(places + 1, queue, queues) >= mine
    assert places_of_queue(places, 0, [(1, 7)]) == places


def test_seats_are_counted_by_their_category_and_pools_with_them() -> None:
    plan = SeatsPlan(
        sections=(Section("Stalls", (Row("A", 4, category="best"), Row("B", 6)), category="rest"),),
        pools=(PoolPlan("standing", 10), PoolPlan("boxes", 3, category="best")),
        categories=(Category("rest", 500), Category("best", 900), Category("none", 1)),
    )
    taken = {
        "A1": TakenClaims(UnitState.HELD, 100.0),
        "A2": TakenClaims(UnitState.BLOCKED, None),
        "A3": TakenClaims(UnitState.HELD, 5.0),
        "B1": TakenClaims(UnitState.BOOKED, None),
        "Z9": TakenClaims(UnitState.BOOKED, None),
    }
    snapshot = Snapshot(taken, {"standing": 4, "boxes": 3}, now=50.0)
    stock = CompiledSeats(plan).category_stock(snapshot)
    told = [(one.name, one.units, one.left, one.chosen) for one in stock.categories]
    assert told == [("rest", 6, 5, 1), ("best", 7, 2, 4), ("standing", 10, 6, 4)]
    assert stock.left == {"rest": 5, "best": 2, "standing": 6}


def test_of_pools_what_is_sold_without_a_code_is_counted() -> None:
    plan = PoolsPlan(
        pools=(PoolPlan("hall", 10), PoolPlan("lunch", 4)),
        products=(
            Product("plain", (ProductDraw("hall"),)),
            Product("with lunch", (ProductDraw("hall"), ProductDraw("lunch", 2))),
            Product("friends", (ProductDraw("hall"),), needs_code=True),
        ),
    )
    stock = CompiledPools(plan).category_stock(Snapshot(drawn={"hall": 5, "lunch": 2}))
    told = [(one.name, one.units, one.left, one.chosen) for one in stock.categories]
    assert told == [("plain", 10, 5, 5), ("with lunch", 2, 1, 1)]
    assert stock.left == {"hall": 5, "lunch": 2}


def test_a_chance_is_told_in_words_by_the_place_and_for_how_many_it_is_enough() -> None:
    told = {ahead: chance_of(40, 30, ahead) for ahead in (0, 19, 20, 29, 30, 44, 45)}
    assert told == {
        0: "very_likely",
        19: "very_likely",
        20: "likely",
        29: "likely",
        30: "uncertain",
        44: "uncertain",
        45: "unlikely",
    }
    assert chance_of(2, 0, 0) == "unlikely", "what is left for nobody"


def test_what_is_gone_is_gone_and_what_is_not_known_is_not_said() -> None:
    assert chance_of(0, 0, 0) == chance_of(0, None, None) == "gone"
    assert chance_of(2, None, 5) == chance_of(2, 30, None) == "unknown"


@given(st.integers(0, 200), st.integers(0, 400), st.integers(0, 400))
def test_whoever_stands_further_behind_never_has_the_better_chance(
    enough: int, ahead: int, more: int
) -> None:
    order = ["very_likely", "likely", "uncertain", "unlikely"]
    assert order.index(chance_of(9, enough, ahead)) <= order.index(
        chance_of(9, enough, ahead + more)
    )


def test_what_is_left_is_kept_in_all_and_by_category() -> None:
    stock = StockOnBoard((CategoryOnBoard(7, "best", 40, 28, 12.5),), 30.25)
    assert stock_of(kept_stock(88, stock)) == stock
    assert stock_of(kept_stock(0, StockOnBoard((), 0.0))) == StockOnBoard((), 0.0)
    assert stock_of(None) == StockOnBoard((), None)
    before = '[{"resource":7,"name":"best","units":40,"left":28,"places":null}]'
    kept = StockOnBoard((CategoryOnBoard(7, "best", 40, 28, None),), None)
    assert stock_of(before) == kept, "of an older process"
