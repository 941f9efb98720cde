"""The rules of nights: what a plan says of each date, and which stays it sells. Rules are data; for
a date the later of two rules wins, field by field. Which lengths of stay may begin at a date is one
integer, a bit a length, so that a stay is judged by a look and a calendar by arithmetic.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from bespeak.errors import InvalidRequest, NotOnSale
from bespeak.inventory.fields import WEEKDAYS
from bespeak.inventory.line_checks import refuse_choice_in_stay
from bespeak.inventory.lines import span
from bespeak.inventory.plans import Reason, SaleContext
from bespeak.inventory.shapes.nights.plan import (
    NightRule,
    NightsPlan,
    check_plan,
    said_by,
)
from bespeak.inventory.shapes.nights.stay_limits import STAY_MAX
from bespeak.lines import Line

_CACHED_DATES_MAX = 4096
_CACHED_ZONES_MAX = 1024
# Far enough from the last day that a date can say, so that adding a stay never passes it.
_YEAR_MIN = 1900
_YEAR_MAX = 9996


class Night(NamedTuple):
    """What the plan says of one date. `price` is None where the resource's counts; `capacity` is
    how many rooms are sold of a type (overbooking included), or how many exact rooms there are."""

    closed: bool
    closed_to_arrival: bool
    closed_to_departure: bool
    min_nights: int
    max_nights: int
    min_through: int
    max_through: int
    price: int | None
    capacity: int


class SaleDay(NamedTuple):
    """What the clock makes of the plan, as ordinals of dates: today in the resource's zone, the
    first date at which one may still arrive, and the first night that is not on sale yet."""

    today: int
    first: int
    end: int


@lru_cache(maxsize=_CACHED_DATES_MAX)
def show_date(day: int) -> str:
    """The date with this ordinal, as it is written."""
    return date.fromordinal(day).isoformat()


@lru_cache(maxsize=_CACHED_DATES_MAX)
def date_of(text: str) -> int | None:
    """The ordinal of a date in the one form in which it is written, or None: it is no such date."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    if found.isoformat() != text or not _YEAR_MIN <= found.year <= _YEAR_MAX:
        return None
    return found.toordinal()


def parse_date(text: str, field: str) -> int:
    """The ordinal of a date. Raises InvalidRequest that points at the field."""
    day = date_of(text)
    if day is None:
        hint = ": leave the time out" if date_of(text[:10]) is not None else ""
        raise InvalidRequest(f"{text[:60]!r} is not a date as 2026-12-24{hint}", field=field)
    return day


def range_of(line: Line) -> tuple[int, int]:
    """The ordinals of a line's dates. Raises InvalidRequest."""
    refuse_choice_in_stay(line)
    start, stop = span(line)
    arrival, departure = parse_date(start, "lines.from"), parse_date(stop, "lines.to")
    if arrival >= departure:
        raise InvalidRequest("`to` is not after `from`", field="lines.to")
    return arrival, departure


class NightRules:
    """The rules of a plan made ready. What they say of a date does not depend on the clock, so it
    is worked out once."""

    def __init__(self, plan: NightsPlan) -> None:
        check_plan(plan)
        self.plan = plan
        self.check_in = time.fromisoformat(plan.check_in_time)
        self._cutoff = timedelta(hours=plan.cutoff_hours)
        self._plain = Night(
            False, False, False, plan.min_nights, plan.max_nights, 1, STAY_MAX, plan.price, 0
        )
        self._rules = [
            (_ordinal(rule.from_, 0), _ordinal(rule.to, 1 << 40), _days_of(rule), said_by(rule))
            for rule in plan.rules
        ]
        # Most plans say nothing of the nights within a stay: then its arrival alone decides.
        within = {"closed", "closed_to_departure", "min_through", "max_through"}
        self._by_arrival = not any(within & says.keys() for *_, says in self._rules)
        self._nights: dict[int, Night] = {}
        self._lengths: dict[int, int] = {}
        self._sale_days: dict[ZoneInfo, tuple[int, SaleDay]] = {}

    def night(self, day: int) -> Night:
        """What the plan says of a date."""
        night = self._nights.get(day)
        if night is None:
            if len(self._nights) >= _CACHED_DATES_MAX:
                self._nights.clear()
            night = self._nights[day] = self._made(day)
        return night

    def lengths(self, day: int, sale_day: SaleDay) -> int:
        """The lengths of the stays that are sold with this arrival: bit n for n nights."""
        if not sale_day.first <= day < sale_day.end:
            return 0
        lengths = self._lengths.get(day)
        if lengths is None:
            if len(self._lengths) >= _CACHED_DATES_MAX:
                self._lengths.clear()
            lengths = self._lengths[day] = self._lengths_from(day)
        return lengths & ((2 << (sale_day.end - day)) - 1)

    def sells(self, arrival: int, nights: int, sale_day: SaleDay) -> bool:
        """Whether the rules sell a stay of 1 to 366 nights."""
        return bool(self.lengths(arrival, sale_day) >> nights & 1)

    def sale_day(self, sale: SaleContext) -> SaleDay:
        """What the clock makes of the plan. It changes with a minute at the earliest."""
        minute = int(sale.now.timestamp()) // 60
        kept = self._sale_days.get(sale.zone)
        if kept is not None and kept[0] == minute:
            return kept[1]
        if len(self._sale_days) >= _CACHED_ZONES_MAX:
            self._sale_days.clear()
        found = self._sale_day(sale.now, sale.zone)
        self._sale_days[sale.zone] = (minute, found)
        return found

    def broken(self, arrival: int, nights: int, sale_day: SaleDay) -> list[dict[str, object]]:
        """Every rule that a stay breaks, with the date that it speaks of, and for lengths how many
        nights it asks for: the clock, then closed dates in order, arrival, departure, lengths."""
        found: list[dict[str, object]] = []
        departure = arrival + nights
        if arrival < sale_day.first:
            _note(found, Reason.CUTOFF, arrival)
        if departure > sale_day.end:
            _note(found, Reason.BEYOND_WINDOW, max(arrival, sale_day.end))
        stay = {day: self.night(day) for day in range(arrival, departure)}
        for day, night in stay.items():
            if night.closed:
                _note(found, Reason.CLOSED, day)
        if stay[arrival].closed_to_arrival:
            _note(found, Reason.CLOSED_TO_ARRIVAL, arrival)
        if self.night(departure).closed_to_departure:
            _note(found, Reason.CLOSED_TO_DEPARTURE, departure)
        if nights < stay[arrival].min_nights:
            _note(found, Reason.MIN_STAY, arrival, stay[arrival].min_nights)
        longest = max(stay, key=lambda day: stay[day].min_through)
        if nights < stay[longest].min_through:
            _note(found, Reason.MIN_STAY, longest, stay[longest].min_through)
        if nights > stay[arrival].max_nights:
            _note(found, Reason.MAX_STAY, arrival, stay[arrival].max_nights)
        shortest = min(stay, key=lambda day: stay[day].max_through)
        if nights > stay[shortest].max_through:
            _note(found, Reason.MAX_STAY, shortest, stay[shortest].max_through)
        return found

    def check_sale(self, line: Line, arrival: int, departure: int, sale_day: SaleDay) -> None:
        """Raises NotOnSale for a stay that is not sold, with every rule that it breaks."""
        nights = departure - arrival
        if not self.sells(arrival, nights, sale_day):
            reasons = self.broken(arrival, nights, sale_day)
            raise NotOnSale(reasons=reasons, resource_id=line.resource_id)

    def prices(self, arrival: int, departure: int, base: int) -> list[int]:
        """What each night of a stay costs in one room, in minor units; `base` is what the resource
        does."""
        nights = map(self.night, range(arrival, departure))
        return [base if night.price is None else night.price for night in nights]

    def _made(self, day: int) -> Night:
        """The rules of a date laid over each other."""
        weekday = 1 << (day - 1) % 7
        night: dict[str, int | bool | None] = {}
        for start, stop, days, says in self._rules:
            if start <= day < stop and days & weekday:
                night.update(says)
        count = night.pop("count", self.plan.count)
        if self.plan.rooms is not None:
            capacity = len(self.plan.rooms)
        else:
            # A night of which there is no room has nothing to overbook either.
            capacity = int(count) + self.plan.overbooking if count else 0
        made: Night = self._plain._replace(capacity=capacity, **night)  # type: ignore[arg-type]
        return made

    def _lengths_from(self, arrival: int) -> int:
        """The lengths that the rules allow from a date, whatever the clock says."""
        night = self.night(arrival)
        if night.closed or night.closed_to_arrival:
            return 0
        shortest, longest = night.min_nights, night.max_nights
        allowed = _bits(shortest, longest)
        if self._by_arrival:
            return allowed
        for before in range(STAY_MAX):
            # The night that comes after so many: a stay of more nights than that has it.
            night = self.night(arrival + before)
            if before > 0 and night.closed_to_departure:
                allowed &= ~(1 << before)
            if night.closed:
                return allowed & _bits(1, before)
            allowed &= ~_bits(before + 1, night.min_through - 1)
            longest = min(longest, max(before, night.max_through))
            if before >= longest:
                return allowed & _bits(1, longest)
        if self.night(arrival + STAY_MAX).closed_to_departure:
            allowed &= ~(1 << STAY_MAX)
        return allowed & _bits(1, longest)

    def _sale_day(self, now: datetime, zone: ZoneInfo) -> SaleDay:
        """The dates that `now` decides."""
        today = now.astimezone(zone).date().toordinal()
        first = (now + self._cutoff).astimezone(zone).date().toordinal() - 1
        while self._arrival_ends(first, zone) <= now:
            first += 1
        return SaleDay(today, first, today + self.plan.window_days)

    def _arrival_ends(self, day: int, zone: ZoneInfo) -> datetime:
        """The instant from which on nobody can arrive at this date any more. A check-in time that
        the clocks skip is the instant at which they skip it; of one that comes twice, the first."""
        check_in = datetime.combine(date.fromordinal(day), self.check_in, tzinfo=zone)
        offset = check_in.utcoffset() or timedelta(0)
        utc = check_in.replace(tzinfo=None) - offset
        return utc.replace(tzinfo=_UTC) - self._cutoff


_UTC = ZoneInfo("UTC")


def ranges_of(lengths: int) -> tuple[tuple[int, int], ...]:
    """The lengths of a set of bits as ranges, both ends included, in order."""
    found = []
    while lengths:
        lowest = lengths & -lengths
        carried = lengths + lowest
        beyond = carried & ~lengths
        beyond &= -beyond
        found.append((lowest.bit_length() - 1, beyond.bit_length() - 2))
        lengths &= ~(beyond - 1)
    return tuple(found)


def _bits(low: int, high: int) -> int:
    """Bits from `low` to `high`, both included; none if there is no number between."""
    return (2 << high) - (1 << low) if low <= high else 0


def _note(
    found: list[dict[str, object]], reason: Reason, day: int, nights: int | None = None
) -> None:
    note: dict[str, object] = {"reason": reason, "date": show_date(day)}
    if nights is not None:
        note["nights"] = nights
    found.append(note)


def _ordinal(day: date | None, otherwise: int) -> int:
    return otherwise if day is None else day.toordinal()


def _days_of(rule: NightRule) -> int:
    """The days of the week that a rule speaks of, as bits; the date with ordinal 1 is a Monday."""
    return sum(1 << WEEKDAYS.index(day) for day in rule.days or WEEKDAYS)
