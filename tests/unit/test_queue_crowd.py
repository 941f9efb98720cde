"""Who is let in finds something: a simulated rush, by the arithmetic of the engine itself."""

from __future__ import annotations

import pytest

from benchmarks import queue_crowd


@pytest.mark.parametrize("seed", [1, 7, 20300101])
def test_of_those_inside_less_than_five_in_a_hundred_get_nothing(seed: int) -> None:
    out = queue_crowd.run("stock", seed)
    assert out.sold == queue_crowd.SEATS, "and all is sold"
    assert out.inside > queue_crowd.SEATS // 4
    assert out.got_nothing / out.inside < 0.05


def test_who_lets_in_without_a_look_at_what_is_left_lets_most_in_for_nothing() -> None:
    """The control: it is the look at the stock that does it."""
    out = queue_crowd.run("blind", 1)
    assert out.got_nothing / out.inside > 0.5
