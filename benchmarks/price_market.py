"""A market for the rooms of one listing whose demand is known, so that prices can be judged: who
comes when, for which night, and what it is worth to them. The same travellers meet each way of
setting prices. `python -m benchmarks.price_market` prints its table for
docs/explanation/performance.md.
"""

import math
import random
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from bespeak.verticals.stays.suggestions.method import Bounds, NightStanding, suggest
from bespeak.verticals.stays.suggestions.pickup import (
    Change,
    NightCurve,
    When,
    comparable,
    expect,
    is_weekend,
    night_of,
)

ROOMS = 20
FIXED = 10_000
FIRST = date(2030, 1, 1).toordinal()
YEAR = 365
HORIZON = 180
BOUNDS = Bounds(least=6_000, most=20_000, step=1_500, multiple=100)
# A night is priced anew at these leads: every day of the last two weeks, then less often.
LEADS = (*range(15), 18, 21, 25, 30, 37, 45, 60, 75, 90, 120, 150, 180)
_LEAD_DAYS = 25.0


@dataclass(frozen=True)
class Traveller:
    """Somebody who asks for one room of one night: how many days before it, and pays up to this."""

    lead: int
    worth: float


@dataclass(frozen=True)
class Market:
    """How many ask for a night, by its date, and what the night is worth to the middle of them."""

    name: str
    asking: Callable[[int], float]
    worth: Callable[[int], float] = field(default=lambda day: float(FIXED))


def _season(day: int) -> float:
    return math.cos((date.fromordinal(day).timetuple().tm_yday - 200) / YEAR * 2 * math.pi)


def _weekly(day: int) -> float:
    return 1.3 if is_weekend(day) else 0.85


def _shocked(day: int) -> float:
    return 0.5 if day >= FIRST + YEAR + 120 else 1.0


# What rooms are worth is spread evenly from nothing to twice the middle; at the fixed price half
# of those who ask come. So 28 who ask are 14 rooms, and the fixed price is the best one there is.
MARKETS = (
    Market("flat", lambda day: 28.0),
    Market("full", lambda day: 44.0),
    Market("weekends", lambda day: 36.0 * _weekly(day)),
    Market("seasons", lambda day: 38.0 * (1 + 0.6 * _season(day)) * _weekly(day)),
    Market(
        "worth",
        lambda day: 34.0 * (1 + 0.4 * _season(day)) * _weekly(day),
        lambda day: FIXED * (1 + 0.25 * _season(day)),
    ),
    Market("shock", lambda day: 38.0 * (1 + 0.6 * _season(day)) * _weekly(day) * _shocked(day)),
    Market("growth", lambda day: 26.0 + 26.0 * max(0, day - FIRST - YEAR) / YEAR),
)


def travellers(market: Market, seed: int) -> Mapping[int, Sequence[Traveller]]:
    """Who asks for the nights of two years, each night's in the order in which they come."""
    chance = random.Random(f"{market.name} {seed}")
    found = {}
    for day in range(FIRST, FIRST + 2 * YEAR):
        who = [
            Traveller(
                min(HORIZON, int(chance.expovariate(1 / _LEAD_DAYS))),
                chance.uniform(0, 2 * market.worth(day)),
            )
            for _ in range(_poisson(chance, market.asking(day)))
        ]
        found[day] = sorted(who, key=lambda one: -one.lead)
    return found


def _poisson(chance: random.Random, mean: float) -> int:
    count, left = 0, mean
    while (left := left - chance.expovariate(1)) > 0:
        count += 1
    return count


def fixed(asking: Mapping[int, Sequence[Traveller]], price: int) -> int:
    """What the second year brings at one price."""
    return sum(
        price * min(ROOMS, sum(one.worth >= price for one in asking[day]))
        for day in range(FIRST + YEAR, FIRST + 2 * YEAR)
    )


def best_fixed(asking: Mapping[int, Sequence[Traveller]]) -> tuple[int, int]:
    """The single price that would have brought the most in the second year, as one knows
    afterwards, and what it would have brought."""
    return max((fixed(asking, price), price) for price in range(6_000, 20_001, 250))


class _Selling:
    """A night while it is sold."""

    def __init__(self, day: int, who: Sequence[Traveller]) -> None:
        self.day, self._who, self._next = day, who, 0
        self.price, self.revenue = FIXED, 0
        self.changes: list[Change] = []

    def sell_until(self, lead: int) -> None:
        """Everybody who comes on this day of the lead, or before it."""
        while self._next < len(self._who) and self._who[self._next].lead >= lead:
            one = self._who[self._next]
            self._next += 1
            if one.worth >= self.price and len(self.changes) < ROOMS:
                self.changes.append(Change(one.lead, 1, self.price / FIXED))
                self.revenue += self.price


def suggested(asking: Mapping[int, Sequence[Traveller]]) -> int:
    """What the second year brings at suggested prices, applied each morning. In the first year the
    fixed price makes the history."""
    past: list[NightCurve] = []
    brought = 0
    nights = {day: _Selling(day, who) for day, who in asking.items()}
    for today in range(FIRST, FIRST + 2 * YEAR):
        for lead in range(HORIZON + 1):
            night = nights.get(today + lead)
            if night is None:
                break
            if lead in LEADS and night.day >= FIRST + YEAR:
                _price(night, When(today, lead, 0.0), past)
            night.sell_until(lead)
        sold = nights.pop(today)
        past.append(night_of(today, ROOMS, sold.changes))
        brought += sold.revenue if today >= FIRST + YEAR else 0
    return brought


def _price(night: _Selling, when: When, past: Sequence[NightCurve]) -> None:
    taken = len(night.changes)
    demand = sum(change.demand for change in night.changes)
    standing = NightStanding(when.lead, ROOMS, taken, demand, FIXED, night.price)
    expected = expect(ROOMS, when, comparable(night.day, past))
    found = suggest(standing, expected, BOUNDS)
    if found.price is not None:
        night.price = found.price


def compare(market: Market, seeds: Sequence[int]) -> tuple[list[float], list[float]]:
    """By how much suggested prices brought more than the fixed price, and than the best one in
    hindsight, as shares, for each seed."""
    over_fixed, over_best = [], []
    for seed in seeds:
        asking = travellers(market, seed)
        brought = suggested(asking)
        over_fixed.append(brought / fixed(asking, FIXED) - 1)
        over_best.append(brought / best_fixed(asking)[0] - 1)
    return over_fixed, over_best


def main() -> int:
    """Prints the table."""
    seeds = range(1, 1 + (int(sys.argv[1]) if len(sys.argv) > 1 else 10))
    for market in MARKETS:
        told = [
            f"{statistics.mean(one):+.1%} ({min(one):+.1%} to {max(one):+.1%})"
            for one in compare(market, seeds)
        ]
        print(f"| {market.name} | {' | '.join(told)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
