"""Pick-up curves: how the rooms of a night are booked as it draws near, and what the nights that
are comparable with one lead to expect of it. Pure arithmetic; who asks brings the history.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

LEAD_MAX = 366
"""How many days before a night a curve begins."""
SEASON_DAYS = 28
"""How far from a night's day of the year a comparable night may be."""
COMPARABLE_MIN = 6
HALF_LIFE_DAYS = 365
_WEEKEND = (4, 5)
_YEAR_DAYS = 365
# How firmly the level of comparable nights is believed, in rooms: by how much nights really differ
# from each other it lies between these.
_FIRM_MIN, _FIRM_MAX = 2.0, 50.0
_SHARE_MIN = 0.5


class NightCurve(NamedTuple):
    """What is known of a night of a listing: the ordinal of its date, how many rooms were to be
    sold, and how many were booked at the end of the day so many days before it (`booked[20]`: 20
    days). `demand` is the same in rooms at the usual price: a room at a fifth more counts 1.2. The
    last room went `sold_out` days before; None where rooms were left. The listing was there from
    the day `since` on."""

    day: int
    rooms: int
    booked: Sequence[float]
    demand: Sequence[float]
    sold_out: int | None
    since: int = 0


class Expectation(NamedTuple):
    """What comparable nights lead to expect of a night: how many of them there were; how many rooms
    they had booked so many days before, and in the end, unconstrained and at the usual price; how
    firmly that is known, in rooms; and how many rooms they really had booked by then."""

    nights: int
    by_now: float
    in_the_end: float
    firmness: float
    booked: float


class When(NamedTuple):
    """From where a night is looked at: so many days before it, when this share of today is gone."""

    today: int
    lead: int
    day_share: float


class Change(NamedTuple):
    """A change of what is booked of a night: so many rooms more or less, so many days before it,
    and the same in rooms at the usual price."""

    lead: int
    rooms: int
    demand: float


def night_of(day: int, rooms: int, changes: Sequence[Change], since: int = 0) -> NightCurve:
    """A night by what was booked and cancelled of it. What came earlier than a curve begins counts
    at its beginning; what was changed after the night, on its day."""
    booked, demand = [0.0] * (LEAD_MAX + 1), [0.0] * (LEAD_MAX + 1)
    for change in changes:
        lead = min(max(change.lead, 0), LEAD_MAX)
        booked[lead] += change.rooms
        demand[lead] += change.demand
    curve = _from_afar(booked)
    full = rooms > 0 and curve[0] >= rooms
    sold_out = max(lead for lead, at in enumerate(curve) if at >= rooms) if full else None
    return NightCurve(day, rooms, curve, _from_afar(demand), sold_out, since)


def _from_afar(changes: list[float]) -> Sequence[float]:
    return list(accumulate(reversed(changes)))[::-1]


def is_weekend(day: int) -> bool:
    """Whether it is the night of a Friday or Saturday."""
    return (day - 1) % 7 in _WEEKEND


def comparable(day: int, past: Sequence[NightCurve], lead: int = 0) -> list[NightCurve]:
    """The nights of the past with rooms that are like this date: of the same kind of day of the
    week, and of its season, in whichever year, and that could be booked so many days before."""
    like = _like(_kind(day))
    return [
        night
        for night in past
        if _kind(night.day) in like and night.rooms > 0 and night.day - lead >= night.since
    ]


@lru_cache(maxsize=4096)
def _kind(day: int) -> tuple[bool, int]:
    """By what dates are compared: whether it is a weekend's, and the day of the year."""
    return is_weekend(day), date.fromordinal(day).timetuple().tm_yday


@lru_cache(maxsize=1024)
def _like(kind: tuple[bool, int]) -> frozenset[tuple[bool, int]]:
    """The kinds of dates that are comparable with this one."""
    weekend, at = kind
    days = range(1, _YEAR_DAYS + 2)
    return frozenset((weekend, one) for one in days if _apart(one, at) <= SEASON_DAYS)


def _apart(one: int, other: int) -> int:
    apart = abs(one - other)
    return min(apart, _YEAR_DAYS - apart)


def expect(rooms: int, when: When, nights: Sequence[NightCurve]) -> Expectation | None:
    """What comparable nights lead to expect of one with so many rooms. None where they are too few,
    or sold nothing."""
    if len(nights) < COMPARABLE_MIN:
        return None
    weights = [_weight(when.today - night.day) for night in nights]
    shares = _Shares(nights, weights)
    if not shares.total:
        return None
    ends, nows = [], []
    for night in nights:
        scale = rooms / night.rooms
        ends.append(_unconstrained(night, 0, shares) * scale)
        before = _unconstrained(night, when.lead + 1, shares)
        after = _unconstrained(night, when.lead, shares)
        nows.append((before + (after - before) * when.day_share) * scale)
    mean = _mean(ends, weights)
    by_now = min(mean, _mean(nows, weights))
    firmness = _firmness(ends, weights, mean)
    return Expectation(len(nights), by_now, mean, firmness, mean_booked(rooms, when, nights))


def mean_booked(rooms: int, when: When, nights: Sequence[NightCurve]) -> float:
    """How many of so many rooms comparable nights really had booked by then: what stands beside the
    number of a night in its reason, and in a chart."""
    found = []
    for night in nights:
        before, after = _at(night.booked, when.lead + 1), _at(night.booked, when.lead)
        found.append((before + (after - before) * when.day_share) * rooms / night.rooms)
    return _mean(found, [_weight(when.today - night.day) for night in nights])


@lru_cache(maxsize=4096)
def _weight(age_days: int) -> float:
    return float(0.5 ** (max(0, age_days) / HALF_LIFE_DAYS))


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    return sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)


def _at(curve: Sequence[float], lead: int) -> float:
    return curve[min(lead, LEAD_MAX)]


class _Shares:
    """Which share of all that is booked in the end is booked by each lead: by the nights that did
    not sell out, where there are enough, because those show how late people come."""

    def __init__(self, nights: Sequence[NightCurve], weights: Sequence[float]) -> None:
        both = list(zip(nights, weights, strict=True))
        left = [(night, weight) for night, weight in both if night.sold_out is None]
        sold = sum(night.demand[0] > 0 for night, _ in left)
        self._shown = left if sold >= COMPARABLE_MIN // 2 else both
        self.total = max(0.0, sum(night.demand[0] * weight for night, weight in self._shown))
        self._known: dict[int, float] = {}

    def by(self, lead: int) -> float:
        found = self._known.get(lead)
        if found is None:
            booked = sum(_at(night.demand, lead) * weight for night, weight in self._shown)
            found = self._known[lead] = min(1.0, max(0.0, booked / self.total))
        return found


def _unconstrained(night: NightCurve, lead: int, shares: _Shares) -> float:
    """What a night would have had by a lead with rooms without end: one that sold out had at least
    the demand that was seen, and as much more as others see after that lead. At most twice as much
    is assumed: the earlier it sold out, the less is known."""
    seen = _at(night.demand, lead)
    if night.sold_out is None or lead >= night.sold_out:
        return seen
    at = max(_SHARE_MIN, shares.by(night.sold_out))
    return max(seen, _at(night.demand, night.sold_out) * max(at, shares.by(lead)) / at)


def _firmness(ends: Sequence[float], weights: Sequence[float], mean: float) -> float:
    """How firmly a level is known, in rooms: demand that only chance makes uneven is known firmly;
    where nights differ by more than chance, what is booked of a night says more than others do."""
    if mean <= 0:
        return _FIRM_MIN
    spread = _mean([(end - mean) ** 2 for end in ends], weights) * len(ends) / max(1, len(ends) - 1)
    beyond_chance = (spread - mean) / mean**2
    return _FIRM_MAX if beyond_chance <= 0 else min(_FIRM_MAX, max(_FIRM_MIN, 1 / beyond_chance))
