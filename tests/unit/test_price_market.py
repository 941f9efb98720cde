"""Suggested prices in markets whose demand is known: benchmarks/price_market.py. The travellers are
the same in each run, so what is told here depends on no chance."""

import pytest

from benchmarks.price_market import MARKETS, compare

_SEEDS = (1,)
_BY_NAME = {market.name: market for market in MARKETS}


@pytest.mark.parametrize(
    ("name", "least"),
    [
        # The fixed price is the best there is: what is lost to chance has a bound.
        ("flat", -0.01),
        # History misleads: half as many come from one day on, and pay as before.
        ("shock", -0.01),
        ("seasons", 0.04),
        ("worth", 0.04),
    ],
)
def test_suggested_prices_bring_more_or_hardly_less(name: str, least: float) -> None:
    over_fixed, _ = compare(_BY_NAME[name], _SEEDS)
    assert min(over_fixed) >= least
