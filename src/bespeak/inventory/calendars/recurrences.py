"""The rules by which an event of a calendar repeats, worked out by dateutil. A rule comes from a
stranger's file and may look for a 30 February until the end of time, so every period that is looked
through is counted and paid for.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from bespeak.errors import InvalidRequest
from bespeak.inventory.calendars.library import icalendar, rrule

_INTERVAL_MAX = 10_000
_VALUES_MAX = 400
_TIMES_MAX = 100
# Days that are looked through for a whole file: some seconds at the very worst.
_EFFORT_DAYS = 1_000_000
_FAULTS = (ValueError, TypeError, IndexError, KeyError, AttributeError, ArithmeticError)


class _Period(NamedTuple):
    """How long a period is at least, and how many days are looked through in one."""

    days: int
    looked: int


_PERIODS = {
    "DAILY": _Period(1, 1),
    "WEEKLY": _Period(7, 7),
    "MONTHLY": _Period(28, 31),
    "YEARLY": _Period(365, 366),
}


class Effort:
    """What the rules of one file may cost."""

    def __init__(self, days: int = _EFFORT_DAYS) -> None:
        self._left = days

    def spend(self, days: int) -> None:
        """Raises InvalidRequest when the file has used up its part."""
        self._left -= days
        if self._left < 0:
            raise InvalidRequest(
                "calendar: its rules of repetition reach too far to look through", field="calendar"
            )


class _PastWindow(Exception):
    """All periods that could matter were looked through."""


class _Step(int):
    """The interval of a rule. The rule adds it once for each period, whether or not it found
    anything there, which is where a search without an end is stopped."""

    effort: Effort
    looked: int
    left: int

    def __radd__(self, other: int) -> int:
        self._count()
        return other + int(self)

    def __mul__(self, other: int) -> int:  # weeks are counted in days
        self._count()
        return int(self) * other

    def _count(self) -> None:
        self.effort.spend(self.looked)
        self.left -= 1
        if self.left < 0:
            raise _PastWindow


def repetitions(
    rule: icalendar.vRecur, start: datetime, since: datetime, until: datetime, effort: Effort
) -> Iterator[datetime]:
    """The local times, in order, at which a rule repeats an event: those from `since` to `until`.
    All are naive, as the clock on the wall shows them, and so is the rule's own UNTIL.

    Raises ValueError for a rule that makes no sense, InvalidRequest for one that costs too much.
    """
    try:
        yield from _found(rule, start, since, until, effort)
    except _FAULTS as error:
        raise ValueError(f"the rule of repetition makes no sense: {error}"[:300]) from error


def _found(
    rule: icalendar.vRecur, start: datetime, since: datetime, until: datetime, effort: Effort
) -> Iterator[datetime]:
    period = _period(rule)
    if until < max(start, since):
        return
    count, interval = _number(rule, "COUNT"), _number(rule, "INTERVAL")
    interval = 1 if interval is None else interval
    if not 1 <= interval <= _INTERVAL_MAX:
        raise ValueError(f"INTERVAL is 1 to {_INTERVAL_MAX}")
    if count is None and start < since:
        start = _passed_over(start, since, period, interval)
    step = _Step(interval)
    step.effort, step.looked = effort, period.looked
    step.left = (until - start).days // (period.days * interval) + 2
    others = {name: rule[name] for name in rule if name not in ("INTERVAL", "COUNT", "UNTIL")}
    text = icalendar.vRecur(others).to_ical().decode()  # type: ignore[no-untyped-call]
    made = rrule.rrulestr(text, dtstart=start).replace(interval=step, count=count)
    try:
        for found in made:
            effort.spend(1)
            if found > until:
                return
            if found >= since:
                yield found
    except _PastWindow:
        return


def _passed_over(start: datetime, since: datetime, period: _Period, interval: int) -> datetime:
    """A later start from which a rule without a count does the same from `since` on: whole periods
    are passed over unseen, where the date exists there too."""
    if period.days <= 7:
        length = timedelta(days=period.days * interval)
        return start + (since - start) // length * length
    months = (since.year - start.year) * 12 + since.month - start.month - 1
    length_months = interval if period.days == 28 else interval * 12
    months -= months % length_months
    if months <= 0 or start.day > 28:
        return start
    years, month = divmod(start.month - 1 + months, 12)
    return start.replace(year=start.year + years, month=month + 1)


def _period(rule: icalendar.vRecur) -> _Period:
    frequency = str((rule.get("FREQ") or ["none"])[0]).upper()
    period = _PERIODS.get(frequency)
    if period is None:
        raise ValueError(f"FREQ is one of {', '.join(_PERIODS)}, not {frequency[:20]}")
    times = 1
    for name in rule:
        values = len(rule[name])
        if values > _VALUES_MAX:
            raise ValueError(f"{name} has more than {_VALUES_MAX} values")
        if name in ("BYHOUR", "BYMINUTE", "BYSECOND"):
            times *= values
    if times > _TIMES_MAX:
        raise ValueError(f"it repeats more than {_TIMES_MAX} times a day")
    return period


def _number(rule: icalendar.vRecur, name: str) -> int | None:
    values = rule.get(name)
    return int(values[0]) if values else None
