"""How many a waiting room lets in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak.admission.pace import (
    Chances,
    Inside,
    Lately,
    PaceBounds,
    Stock,
    is_sold_out,
    persons_wanted,
    places_called,
)

NOBODY = Inside(0, 0, 0)
SURE = Chances(comes=1.0, holds=1.0, units=1.5, buys=0.8)
WIDE = PaceBounds(inside_max=1000, now_max=500.0)


def test_when_12_seats_come_back_8_parties_are_let_in() -> None:
    wanted = persons_wanted(NOBODY, Stock(12, 0, 0), SURE, WIDE)
    assert places_called(wanted, SURE) == 8


def test_with_nothing_left_nobody_is_let_in() -> None:
    assert persons_wanted(NOBODY, Stock(0, 0, 0), SURE, WIDE) == 0
    assert is_sold_out(Stock(0, 0, 0))
    assert not is_sold_out(Stock(0, 2, 0)), "what is held may come back"


def test_holds_that_end_soon_count_by_the_chance_that_they_are_not_bought() -> None:
    # Of 75 held units a fifth comes back: 15, for ten parties.
    assert persons_wanted(NOBODY, Stock(0, 75, 75), SURE, WIDE) == pytest.approx(10)


def test_those_inside_and_those_called_are_counted_first() -> None:
    inside = Inside(with_pass=6, without_hold=4, called=4)
    assert persons_wanted(inside, Stock(12, 0, 0), SURE, WIDE) == 0


def test_for_the_last_seat_somebody_comes_alone() -> None:
    wanted = persons_wanted(NOBODY, Stock(1, 0, 0), SURE._replace(units=4.0), WIDE)
    assert places_called(wanted, SURE) == 1
    on_the_way = Inside(with_pass=1, without_hold=1, called=0)
    assert persons_wanted(on_the_way, Stock(1, 0, 0), SURE, WIDE) == 0


def test_without_a_stock_the_bounds_alone_decide() -> None:
    assert persons_wanted(Inside(90, 90, 5), None, SURE, PaceBounds(100, 50.0)) == 5
    assert persons_wanted(NOBODY, None, SURE, PaceBounds(100, 2.5)) == 2.5


def test_of_those_who_left_the_front_passes_more_places() -> None:
    half = SURE._replace(comes=0.5)
    assert places_called(10.0, half) == 20


def test_what_was_seen_takes_the_place_of_the_guess() -> None:
    chances = Chances.of(
        Lately(called=10_000, came=5_000, holds=1000, units=4000, holds_bought=900)
    )
    assert chances.comes == pytest.approx(0.5, abs=0.01)
    assert chances.units == pytest.approx(4, abs=0.1)
    assert chances.buys == pytest.approx(0.9, abs=0.01)


@given(
    st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**4), st.integers(0, 10**4),
    st.integers(0, 10**5), st.integers(0, 10**5),
)  # fmt: skip
def test_never_more_than_there_is_room_and_stock_for(
    free: int, soon: int, with_pass: int, called: int, called_ever: int, came: int
) -> None:
    chances = Chances.of(Lately(called=max(called_ever, came), came=came))
    inside = Inside(with_pass, with_pass, called)
    wanted = persons_wanted(inside, Stock(free, soon, soon), chances, WIDE)
    assert wanted >= 0
    if wanted and (with_pass or called or free == 0):
        assert with_pass + called * chances.comes + wanted <= WIDE.inside_max + 1e-6
        each = chances.units * chances.holds
        assert (wanted + with_pass) * each <= free + soon + 1e-6
