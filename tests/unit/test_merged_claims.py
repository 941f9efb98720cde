"""What the lines of a request come to: the short way of one range says what the long way would."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak.errors import DuplicateLine
from bespeak.inventory.plans import LineClaims, Need
from bespeak.lines import Line
from bespeak.reservations.claims import merged_claims

LINE = Line("res_00000001", "101", from_="2026-12-01", to="2026-12-08")
NEEDS = st.lists(
    st.sampled_from([f"101@{night}" for night in range(9)]).map(Need)
    | st.builds(Need, st.sampled_from(["floor", "code:FAN"]), st.integers(1, 3), st.just(9)),
    min_size=2,
    max_size=9,
)


@given(NEEDS)
def test_a_line_comes_to_its_units_once_and_its_pools_summed(needs: list[Need]) -> None:
    expected: dict[str, Need] = {}
    mine: list[tuple[int, int]] = []
    has_twice = False
    for need in needs:
        known = expected.get(need.unit)
        has_twice |= known is not None and need.quantity is None
        drawn = (known.quantity or 0) + (need.quantity or 0) if known is not None else need.quantity
        expected[need.unit] = need._replace(quantity=drawn)
        mine.append((list(expected).index(need.unit), need.quantity or 1))
    if has_twice:
        with pytest.raises(DuplicateLine):
            merged_claims([5], [LineClaims(LINE, needs, 0)])
        return
    merged = merged_claims([5], [LineClaims(LINE, needs, 0)])
    assert merged.units == [(5, unit) for unit in expected]
    assert merged.quantities == [need.quantity for need in expected.values()]
    assert merged.capacities == [need.capacity for need in expected.values()]
    assert merged.of_lines == [mine]


@pytest.mark.parametrize("count", [2, 366, 367, 1000])
def test_a_range_of_any_length(count: int) -> None:
    needs = [Need(f"court@{cell}") for cell in range(count)]
    merged = merged_claims([5], [LineClaims(LINE, needs, 0)])
    assert merged.units == [(5, need.unit) for need in needs]
    assert merged.quantities == merged.capacities == [None] * count
    assert merged.of_lines == [[(index, 1) for index in range(count)]]


def test_what_one_request_is_given_is_its_own() -> None:
    """Whoever adds to a list of one adds to no other."""
    needs = [Need("101@1"), Need("101@2")]
    one, other = (merged_claims([5], [LineClaims(LINE, needs, 0)]) for _ in range(2))
    one.quantities.append(7)
    one.of_lines[0].append((9, 9))
    assert (len(one.capacities), len(other.quantities), len(other.of_lines[0])) == (2, 2, 2)
