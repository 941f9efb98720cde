"""Suggested prices in a plan of nights: rules of their own, marked, which stand behind the person's
rules that were there first. These stay as they are, and count again once a price is taken back;
rules that a person adds behind them win. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from itertools import groupby

import msgspec

from bespeak.inventory.fields import WEEKDAYS
from bespeak.inventory.shapes.nights.night_rules import NightRules
from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan

_Prices = Mapping[int, int]


class PricedNights:
    """The prices of a plan, by the ordinals of dates; `base` is that of a night of which the plan
    says none."""

    def __init__(self, plan: NightsPlan, base: int) -> None:
        self._plan, self._base = plan, base
        own = tuple(rule for rule in plan.rules if not rule.suggested)
        self._place = next(
            (at for at, rule in enumerate(plan.rules) if rule.suggested), len(plan.rules)
        )
        self._later = [
            rule
            for rule in plan.rules[self._place :]
            if not rule.suggested and rule.price is not None
        ]
        self._usual = NightRules(msgspec.structs.replace(plan, rules=own))
        self.rules = NightRules(plan)

    def usual(self, day: int) -> int:
        """What a night costs by the person's rules."""
        price = self._usual.night(day).price
        return self._base if price is None else price

    def now(self, day: int) -> int:
        """What a night costs."""
        price = self.rules.night(day).price
        return self._base if price is None else price

    def is_by_hand(self, day: int) -> bool:
        """Whether a person gave the night a price after prices had been suggested."""
        return any(_covers(rule, day) for rule in self._later)

    def suggested(self) -> dict[int, int]:
        """The suggested prices in the plan."""
        return {
            day: rule.price
            for rule in self._plan.rules
            if rule.suggested and rule.price is not None and rule.from_ and rule.to
            for day in range(rule.from_.toordinal(), rule.to.toordinal())
        }

    def with_suggested(self, prices: _Prices) -> NightsPlan:
        """The plan with these suggested prices in place of those in it: a rule for each run of
        nights with the same price, and none where that is the usual one."""
        before = self._plan.rules[: self._place]
        after = [rule for rule in self._plan.rules[self._place :] if not rule.suggested]
        differ = {day: price for day, price in prices.items() if price != self.usual(day)}
        made = list(_runs(differ))
        if not made:
            # Who takes back all prices has the order of the rules as a person knows it.
            return msgspec.structs.replace(self._plan, rules=(*before, *after))
        return msgspec.structs.replace(self._plan, rules=(*before, *made, *after))


def _runs(prices: _Prices) -> Iterator[NightRule]:
    days = enumerate(sorted(prices))
    for (_, price), run in groupby(days, key=lambda one: (one[1] - one[0], prices[one[1]])):
        same = [day for _, day in run]
        yield NightRule(
            from_=date.fromordinal(same[0]),
            to=date.fromordinal(same[-1] + 1),
            price=price,
            suggested=True,
        )


def _covers(rule: NightRule, day: int) -> bool:
    return (
        (rule.from_ is None or rule.from_.toordinal() <= day)
        and (rule.to is None or day < rule.to.toordinal())
        and (rule.days is None or WEEKDAYS[(day - 1) % 7] in rule.days)
    )
