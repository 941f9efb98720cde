"""How places are shared out to queues."""

from hypothesis import given
from hypothesis import strategies as st

from bespeak.admission.shares import shared_out

QUEUES = st.lists(st.tuples(st.integers(1, 100), st.integers(0, 1000)), min_size=1, max_size=8)


def test_by_their_shares() -> None:
    assert shared_out(40, [(3, 1000), (1, 1000)]) == [30, 10]


def test_what_one_does_not_need_goes_to_the_others() -> None:
    assert shared_out(40, [(3, 5), (1, 1000)]) == [5, 35]
    assert shared_out(40, [(1, 0), (1, 0)]) == [0, 0]


def test_a_single_place_goes_to_the_larger_share() -> None:
    assert shared_out(1, [(1, 9), (3, 9)]) == [0, 1]


@given(st.integers(0, 5000), QUEUES)
def test_all_that_is_wanted_and_no_more(places: int, queues: list[tuple[int, int]]) -> None:
    given_out = shared_out(places, queues)
    assert sum(given_out) == min(places, sum(waiting for _, waiting in queues))
    for count, (_, waiting) in zip(given_out, queues, strict=True):
        assert 0 <= count <= waiting
