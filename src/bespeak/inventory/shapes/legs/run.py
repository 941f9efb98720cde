"""A run made ready: which journeys there are between its stops, what a place costs over a journey,
until when it is sold, and which counted claims it draws from. Everything that only depends on the
plan is worked out once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from msgspec import UNSET

from bespeak.errors import InvalidRequest, NotOnSale
from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.line_checks import refuse_fields, unknown_name
from bespeak.inventory.lines import span
from bespeak.inventory.plans import Need, PoolLevel, Reason, SaleContext
from bespeak.inventory.shapes.legs.plan import QUOTA_PREFIX, Fare, LegsPlan, Stop
from bespeak.inventory.snapshot import Snapshot
from bespeak.lines import QUANTITY_MAX, Line


class Journey(NamedTuple):
    """From a stop to a later one, by their indexes in the plan; its legs are the numbers
    from `start` until before `stop`."""

    start: int
    stop: int


class Tariff:
    """What one place costs over a journey."""

    def __init__(self, fare: Fare | None, price: int | None) -> None:
        legs = fare.legs if fare is not None else None
        self._flat = price if fare is None else fare.price
        self._totals = None if legs is None else [0, *accumulate(leg or 0 for leg in legs)]
        self._gaps = None if legs is None else [0, *accumulate(leg is None for leg in legs)]

    def price(self, journey: Journey, base: int) -> int | None:
        """The price in minor units, `base` where the plan gives none; None: it is not sold."""
        if self._totals is None or self._gaps is None:
            return base if self._flat is None else self._flat
        if self._gaps[journey.stop] > self._gaps[journey.start]:
            return None
        return self._totals[journey.stop] - self._totals[journey.start]


class QuotaLegs(NamedTuple):
    """A quota on the legs that it is for."""

    name: str
    capacity: int
    categories: frozenset[str]
    legs: Journey


class Run:
    """The stops of a plan, with fares, quotas and closing times."""

    def __init__(self, plan: LegsPlan, classes: Sequence[str]) -> None:
        self.codes = [stop.code for stop in plan.stops]
        self.legs = len(self.codes) - 1
        self.suffixes = [f"@{code}" for code in self.codes[:-1]]
        self.pools = {pool.unit: pool.capacity for pool in plan.pools}
        self.whole = Journey(0, self.legs)
        self._stops = {code: index for index, code in enumerate(self.codes)}
        self._closes = [_closing(stop, plan.closes_minutes) for stop in plan.stops]
        self.quotas = [
            QuotaLegs(
                quota.name,
                quota.capacity,
                frozenset(quota.categories or classes),
                Journey(
                    0 if quota.from_ is None else self._stops[quota.from_],
                    self.legs if quota.to is None else self._stops[quota.to],
                ),
            )
            for quota in plan.quotas
        ]
        self._quota_needs = {name: self._quota_needs_of(name) for name in classes}
        fares = {fare.category: fare for fare in plan.fares}
        self._tariffs = {
            name: Tariff(fares.get(name) or fares.get(None), plan.price) for name in classes
        }
        self._pool_tariffs = {
            pool.unit: Tariff(_pool_fare(pool, fares), plan.price) for pool in plan.pools
        }

    def leg_of(self, code: str) -> int | None:
        """The leg that begins at this stop, or None: there is none."""
        index = self._stops.get(code)
        return None if index is None or index == self.legs else index

    def journey(self, start: str, stop: str, prefix: str = "lines.") -> Journey:
        """The journey between two stops. Raises InvalidRequest that points at the field."""
        ends = []
        for code, field in ((start, "from"), (stop, "to")):
            index = self._stops.get(code)
            if index is None:
                raise InvalidRequest(f"there is no stop {code[:60]!r}", field=prefix + field)
            ends.append(index)
        if ends[0] >= ends[1]:
            raise InvalidRequest(
                f"the run comes to {stop!r} before it leaves {start!r}"
                if ends[0] > ends[1]
                else "a journey ends at another stop than it begins",
                field=prefix + "to",
            )
        return Journey(*ends)

    def journey_of(self, line: Line) -> Journey:
        """The journey of a line that must have one. Raises InvalidRequest."""
        return self.journey(*span(line))

    def journey_within(self, line: Line) -> Journey:
        """The journey of a line; from the first stop or to the last where it says nothing.
        Raises InvalidRequest."""
        return self.journey(
            self.codes[0] if line.from_ is UNSET else line.from_,
            self.codes[-1] if line.to is UNSET else line.to,
        )

    def line(self, resource_id: str, unit: str, journey: Journey, quantity: int | None) -> Line:
        return Line(
            resource_id,
            unit,
            quantity,
            from_=self.codes[journey.start],
            to=self.codes[journey.stop],
        )

    def is_closed(self, journey: Journey, sale: SaleContext) -> bool:
        return self._closes[journey.start] <= sale.now.timestamp()

    def broken(
        self, unit: str | None, journey: Journey, price: int | None, sale: SaleContext
    ) -> list[dict[str, object]]:
        """Why the rules do not sell this, with the stop that each speaks of."""
        found: list[dict[str, object]] = []
        if self.is_closed(journey, sale):
            found.append({"reason": Reason.CUTOFF, "stop": self.codes[journey.start]})
        if price is None:
            found.append({"reason": Reason.NOT_OFFERED, "stop": self.codes[journey.start]})
        if unit is not None:
            for reason in found:
                reason["unit"] = unit
        return found

    def check_sale(self, line: Line, price: int | None, journey: Journey, sale: SaleContext) -> int:
        """The price of what is on sale. Raises NotOnSale."""
        if price is None or self.is_closed(journey, sale):
            reasons = self.broken(line.unit, journey, price, sale)
            raise NotOnSale(reasons=reasons, resource_id=line.resource_id)
        return price

    def check_pool(self, line: Line, classes: Sequence[str]) -> None:
        """Raises UnknownUnit, InvalidRequest for a line whose unit is no pool."""
        if line.unit not in self.pools:
            is_class = line.unit in classes
            raise unknown_name(line, "it is a class: ask for it by `best`" if is_class else None)

    def price(self, category: str, journey: Journey, sale: SaleContext) -> int | None:
        """The price of a seat of this class; None: it is not sold."""
        return self._tariffs[category].price(journey, sale.price)

    def pool_price(self, unit: str, journey: Journey, sale: SaleContext) -> int | None:
        """The price of a place of this pool; None: it is not sold."""
        return self._pool_tariffs[unit].price(journey, sale.price)

    def seat_needs(self, unit: str, category: str, journey: Journey) -> list[Need]:
        """The claims of a seat: of each leg, and of the quotas there."""
        needs = self.leg_needs(unit, journey)
        if self._quota_needs[category] is not None:
            needs += self.quota_needs(category, journey)
        return needs

    def leg_needs(self, unit: str, journey: Journey) -> list[Need]:
        return [Need(unit + suffix) for suffix in self.suffixes[journey.start : journey.stop]]

    def quota_needs(self, category: str, journey: Journey) -> list[Need]:
        """What a seat of this class draws of its quotas."""
        by_leg = self._quota_needs[category]
        if by_leg is None:
            return []
        return [need for needs in by_leg[journey.start : journey.stop] for need in needs]

    def pool_needs(self, unit: str, quantity: int, journey: Journey) -> list[Need]:
        """The claims of so many places of a pool: on each leg."""
        capacity = self.pools[unit]
        suffixes = self.suffixes[journey.start : journey.stop]
        return [Need(unit + suffix, quantity, capacity) for suffix in suffixes]

    def pool_level(self, unit: str, journey: Journey, snapshot: Snapshot) -> PoolLevel:
        """How many places of a pool are left for all of a journey."""
        suffixes = self.suffixes[journey.start : journey.stop]
        capacity = self.pools[unit]
        drawn = max(snapshot.drawn(unit + suffix) for suffix in suffixes)
        return PoolLevel(capacity, max(0, capacity - drawn))

    def quotas_of(self, category: str, journey: Journey) -> tuple[QuotaLegs, ...]:
        """The quotas that a seat of this class draws from on this journey."""
        return tuple(quota for quota in self.quotas_on(journey) if category in quota.categories)

    def quotas_on(self, journey: Journey) -> Iterator[QuotaLegs]:
        """The quotas that are for a leg of this journey."""
        for quota in self.quotas:
            if quota.legs.start < journey.stop and journey.start < quota.legs.stop:
                yield quota

    def quota_level(self, quota: QuotaLegs, journey: Journey, snapshot: Snapshot) -> PoolLevel:
        """How much a quota has left on the legs of a journey that it is for."""
        return PoolLevel(quota.capacity, min(self.quota_left(quota, journey, snapshot)))

    def quota_left(self, quota: QuotaLegs, journey: Journey, snapshot: Snapshot) -> list[int]:
        """How much a quota has left on each leg of a journey that it is for."""
        start = max(journey.start, quota.legs.start)
        stop = min(journey.stop, quota.legs.stop)
        return [
            max(0, quota.capacity - snapshot.drawn(quota_unit(quota.name, suffix)))
            for suffix in self.suffixes[start:stop]
        ]

    def left_of(self, category: str, journey: Journey, snapshot: Snapshot) -> int:
        """How many seats of a class its quotas still allow on this journey."""
        return min(
            (
                self.quota_level(quota, journey, snapshot).available
                for quota in self.quotas_of(category, journey)
            ),
            default=QUANTITY_MAX,
        )

    def _quota_needs_of(self, category: str) -> list[list[Need]] | None:
        """For each leg the quotas that a seat of this class draws from; None: nowhere any."""
        if not any(category in quota.categories for quota in self.quotas):
            return None
        return [
            [
                Need(quota_unit(quota.name, suffix), 1, quota.capacity)
                for quota in self.quotas_of(category, Journey(leg, leg + 1))
            ]
            for leg, suffix in enumerate(self.suffixes)
        ]


def quota_unit(name: str, suffix: str) -> str:
    return f"{QUOTA_PREFIX}{name}{suffix}"


def _pool_fare(pool: PoolPlan, fares: dict[str | None, Fare]) -> Fare | None:
    """The fare of a pool: its own, that of its category, that for all."""
    return fares.get(pool.unit) or fares.get(pool.category) or fares.get(None)


def _closing(stop: Stop, minutes: int) -> float:
    """When boarding at a stop ends, in seconds since 1970; infinity: it is not known."""
    time = stop.departs or stop.arrives
    return math.inf if time is None else time.timestamp() - minutes * 60


def refuse_choice_of_seat(line: Line) -> None:
    """Raises InvalidRequest for a named unit with a choice, and for a number or a code."""
    if line.best is not UNSET and line.unit is not None:
        raise InvalidRequest("`best` goes with no `unit`", field="lines.best")
    refuse_fields(line, ("next", "code"))
