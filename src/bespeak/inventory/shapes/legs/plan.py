"""The plan of a run as data: its stops, its seats by class, its places without a number, quotas and
fares. What makes no sense is refused here, with the reason and the place.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.inventory.bounds import check_bounds, check_names, nonsense
from bespeak.inventory.fields import Name, PlanPart, PoolPlan, PriceAmount
from bespeak.inventory.plans import RESERVED_PREFIXES, Plan
from bespeak.inventory.shapes.seats.plan import SeatsPlan, Section
from bespeak.inventory.shapes.seats.units import RoomUnits

STOPS_MAX = 250
QUOTA_PREFIX = "quota:"
_CLAIMABLE_MAX = 200_000

StopCode = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=r"^[^\x00-\x1f\x7f@]*\Z",
        extra_json_schema={"pattern": r"^[^\x00-\x1f\x7f@]*$"},
        description="text in one line, without @ and control characters",
        examples=["OPO"],
    ),
]
StopTime = Annotated[datetime, Meta(tz=True)]


class Stop(PlanPart, frozen=True):
    """A place where the run stops: a code that lines name it by, the name that people read, and the
    times of arrival and departure, where known. A run that comes to a place twice has two codes."""

    code: StopCode
    name: Name | None = None
    arrives: StopTime | None = None
    departs: StopTime | None = None


class Quota(PlanPart, frozen=True, kw_only=True):
    """At most `capacity` seats of these classes (empty: of all) are sold on each leg from the stop
    `from` until the stop `to`; without them, of the whole run."""

    name: Name
    capacity: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    categories: Annotated[tuple[Name, ...], Meta(max_length=1000)] = ()
    from_: StopCode | None = msgspec.field(default=None, name="from")
    to: StopCode | None = None


class Fare(PlanPart, frozen=True, kw_only=True):
    """The price of one place in minor units: of each leg in `legs`, where null means that the leg
    is not sold; or one `price` however far. It is for the seats of a category, for a pool by its
    unit or its category, or without a category for all that have no fare of their own."""

    category: Name | None = None
    legs: Annotated[tuple[PriceAmount | None, ...], Meta(max_length=STOPS_MAX)] | None = None
    price: PriceAmount | None = None


class LegsPlan(Plan, frozen=True, kw_only=True, cache_hash=True, tag="legs"):
    """A run with stops. What is claimed is a seat on a leg, which is named by the stop where it
    begins: seat 12A from B is 12A@B. The category of a seat is its class.

    `pools` are places without a number, so many on each leg. Boarding at a stop is sold until
    `closes_minutes` before the departure there (below zero: after it), where that is known.
    Without a fare, a place costs `price`, or what the resource does, however far.
    """

    stops: Annotated[tuple[Stop, ...], Meta(min_length=2, max_length=STOPS_MAX)]
    sections: Annotated[tuple[Section, ...], Meta(max_length=1000)] = ()
    pools: Annotated[tuple[PoolPlan, ...], Meta(max_length=100)] = ()
    quotas: Annotated[tuple[Quota, ...], Meta(max_length=100)] = ()
    fares: Annotated[tuple[Fare, ...], Meta(max_length=1000)] = ()
    closes_minutes: Annotated[int, Meta(ge=-1440, le=527_040)] = 0
    price: PriceAmount | None = None

    def has_price(self) -> bool:
        return bool(self.price) or any(fare.price or any(fare.legs or ()) for fare in self.fares)


def seats_of(plan: LegsPlan) -> dict[str, str]:
    """The class of each seat, in the plan's order. Raises InvalidRequest."""
    if not plan.sections:
        return {}
    return dict(RoomUnits(SeatsPlan(sections=plan.sections)).categories)


def check_plan(plan: LegsPlan) -> dict[str, str]:
    """The class of each seat of a plan that makes sense. Raises InvalidRequest."""
    check_bounds(plan)
    reserved = (*RESERVED_PREFIXES, QUOTA_PREFIX)
    codes = [stop.code for stop in plan.stops]
    check_names(codes, "stop", reserved=())
    _check_times(plan)
    seats = seats_of(plan)
    check_names(list(seats), "seat", reserved)
    check_names([pool.unit for pool in plan.pools], "pool", reserved)
    for pool in plan.pools:
        if pool.unit in seats:
            raise nonsense(f"{pool.unit!r} is a seat and a pool")
    if not seats and not plan.pools:
        raise nonsense("it has no unit")
    if (len(seats) + len(plan.pools)) * (len(codes) - 1) > _CLAIMABLE_MAX:
        raise nonsense(f"its seats on all legs are more than {_CLAIMABLE_MAX}")
    _check_quotas(plan, {code: index for index, code in enumerate(codes)}, set(seats.values()))
    _check_fares(plan, set(seats.values()))
    return seats


def _check_times(plan: LegsPlan) -> None:
    latest: datetime | None = None
    for code, time in _times(plan):
        if latest is not None and time < latest:
            raise nonsense(f"the times at the stop {code!r} are before those of an earlier one")
        latest = time


def _times(plan: LegsPlan) -> Iterator[tuple[str, datetime]]:
    for stop in plan.stops:
        for time in (stop.arrives, stop.departs):
            if time is not None:
                yield stop.code, time


def _check_quotas(plan: LegsPlan, stops: dict[str, int], classes: set[str]) -> None:
    check_names([quota.name for quota in plan.quotas], "quota", reserved=())
    for quota in plan.quotas:
        for code in (quota.from_, quota.to):
            if code is not None and code not in stops:
                raise nonsense(f"the quota {quota.name!r} names no stop {code!r}")
        start = 0 if quota.from_ is None else stops[quota.from_]
        stop = len(stops) - 1 if quota.to is None else stops[quota.to]
        if start >= stop:
            raise nonsense(f"the quota {quota.name!r} has no leg: `to` is not after `from`")
        for category in quota.categories:
            if category not in classes:
                raise nonsense(f"the quota {quota.name!r} is for no class {category!r}")


def _check_fares(plan: LegsPlan, classes: set[str]) -> None:
    known: set[str | None] = {None, *classes}
    for pool in plan.pools:
        known |= {pool.unit, pool.category}
    seen: set[str | None] = set()
    for index, fare in enumerate(plan.fares):
        if fare.category not in known:
            raise nonsense(f"fares[{index}] is for no class or pool {fare.category!r}")
        if fare.category in seen:
            raise nonsense(f"fares[{index}]: {fare.category or 'the fare for all'!r} comes twice")
        seen.add(fare.category)
        if (fare.legs is None) == (fare.price is None):
            raise nonsense(f"fares[{index}] has either `legs` or a `price`")
        if fare.legs is not None and len(fare.legs) != len(plan.stops) - 1:
            raise nonsense(
                f"fares[{index}] has {len(fare.legs)} prices for {len(plan.stops) - 1} legs"
            )
