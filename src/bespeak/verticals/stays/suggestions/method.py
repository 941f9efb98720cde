"""The suggestion for a night: from what is booked of it, and what comparable nights lead to expect,
a price between bounds of the operator, with its reason in data. Pure, so that it can be explained,
tested and simulated; docs/explanation/suggested-prices.md has it in words.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from bespeak.pricing.rounding import ALL
from bespeak.verticals.stays.suggestions.pickup import Expectation

LAST_DAYS = 3
"""How many days before a night rooms that are left are called a matter of the last minute."""
_IDLE = 0.03
"""A price that would move by less than this share stays the usual one."""
_PACE_SHARE = 0.5
"""By which share of what a night is behind its price falls."""
_AHEAD = 1.1
_MOST_TIMES = 2.0


class PriceReason(StrEnum):
    """Why a price is suggested, or none is. The first group has a suggestion."""

    AHEAD_OF_PACE = "ahead_of_pace"
    NEARLY_FULL = "nearly_full"
    BEHIND_PACE = "behind_pace"
    LAST_MINUTE = "last_minute"
    ON_PACE = "on_pace"
    TOO_LITTLE_HISTORY = "too_little_history"
    SET_BY_HAND = "set_by_hand"
    SOLD_OUT = "sold_out"
    CLOSED = "closed"


class Bound(StrEnum):
    """What kept a suggestion from going further."""

    LEAST = "least"
    MOST = "most"
    STEP = "step"


class Bounds(NamedTuple):
    """How far prices may go, in minor units; by how much of the price now one step may change it,
    in basis points; and of what prices are multiples, where the bounds allow it."""

    least: int
    most: int
    step: int
    multiple: int = 1


class NightStanding(NamedTuple):
    """How a night stands: days until then, rooms to sell, what is taken of them, and that in rooms
    at the usual price; the usual price and the price now."""

    lead: int
    rooms: int
    taken: int
    demand: float
    usual: int
    now: int


class Suggestion(NamedTuple):
    """A price for a night and why. `forecast` is how many rooms are expected to be asked for in
    all, at the usual price; None, as is the price, where there is too little to go by."""

    price: int | None
    reason: PriceReason
    bounds: tuple[Bound, ...] = ()
    forecast: float | None = None


def suggest(night: NightStanding, expected: Expectation | None, bounds: Bounds) -> Suggestion:
    """The price that is suggested for a night.

    What comparable nights still sold from here on is what this one may expect, more or less of it
    as the night is ahead of them or behind. If that is more than the rooms that are left, the price
    rises to where it would be as many; if the night is behind, it falls by half of what it is
    behind. It is always said from the usual price, so that asking twice moves nothing twice.
    """
    left = night.rooms - night.taken
    if left <= 0:
        return Suggestion(None, PriceReason.SOLD_OUT)
    if expected is None or night.usual <= 0:
        return Suggestion(None, PriceReason.TOO_LITTLE_HISTORY)
    pace = (expected.firmness + night.demand) / (expected.firmness + expected.by_now)
    to_come = max(0.0, expected.in_the_end - expected.by_now) * pace
    times, reason = _times(pace, to_come, left, night.lead)
    if abs(times - 1) < _IDLE:
        times, reason = 1.0, PriceReason.ON_PACE
    price, hit = bounded(night.usual * times, night.now, bounds)
    return Suggestion(price, reason, hit, night.demand + to_come)


def _times(pace: float, to_come: float, left: int, lead: int) -> tuple[float, PriceReason]:
    """How many times the usual price, and why. Demand is taken to fall in a line, by as much of
    itself as the price rises: at 1 + x times the price 1 - x of those who would come do."""
    if to_come > left:
        times = min(_MOST_TIMES, 2.0 - left / to_come)
        return times, PriceReason.AHEAD_OF_PACE if pace >= _AHEAD else PriceReason.NEARLY_FULL
    if pace < 1:
        reason = PriceReason.LAST_MINUTE if lead <= LAST_DAYS else PriceReason.BEHIND_PACE
        return 1 - _PACE_SHARE * (1 - pace), reason
    return 1.0, PriceReason.ON_PACE


def bounded(wanted: float, now: int, bounds: Bounds) -> tuple[int, tuple[Bound, ...]]:
    """A wanted price as the bounds allow it, and which of them it hit. The least and the most count
    more than the step: a price that is outside of them goes back at once."""
    hit = []
    price = round(wanted / bounds.multiple) * bounds.multiple
    step = now * bounds.step // ALL
    if abs(price - now) > step:
        hit.append(Bound.STEP)
        price = _inwards(now + step if price > now else now - step, now, bounds.multiple)
    if price < bounds.least:
        hit, price = [Bound.LEAST], bounds.least
    if price > bounds.most:
        hit, price = [Bound.MOST], bounds.most
    return price, tuple(hit)


def _inwards(price: int, now: int, multiple: int) -> int:
    """The multiple between a price and the price now that is next to the first; the price itself
    where there is none."""
    down = price // multiple * multiple
    found = down if price > now or down == price else down + multiple
    return found if min(price, now) <= found <= max(price, now) and found != now else price
