"""The advice on hold times, and the steps in which a time is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak.overview.advice import advise
from bespeak.overview.figures import step_of


@pytest.mark.parametrize(
    ("hold_seconds", "p95_seconds", "advised"),
    [
        (420, 200.0, 420),  # there is room enough, and not too much
        (420, 400.0, 600),  # whoever took longer was cut off: who knows how long they would take
        (420, 337.0, 540),
        (600, 60.0, 120),  # ten minutes for what takes one
        (600, 190.0, 300),
        (600, 210.0, 600),
        (180, 59.0, 120),
        (120, 10.0, 120),  # two minutes are the least that is advised
        (60, 30.0, 60),
        (30, 29.0, 120),
    ],
)
def test_it_suits_the_buyers(hold_seconds: int, p95_seconds: float, advised: int) -> None:
    assert advise(hold_seconds, p95_seconds) == advised


@given(st.integers(1, 86_400), st.floats(0, 86_400))
def test_it_never_cuts_off_whom_it_counts(hold_seconds: int, p95_seconds: float) -> None:
    advised = advise(hold_seconds, p95_seconds)
    assert advised >= p95_seconds or advised == hold_seconds >= p95_seconds
    if p95_seconds > hold_seconds * 0.8:
        assert advised > hold_seconds


@given(st.integers(60, 92 * 86_400))
def test_a_time_is_told_in_so_many_steps_that_one_can_see_them(seconds: int) -> None:
    assert 0 < seconds / step_of(seconds) <= 150
