"""The dates of a stay, as questions have them: which make sense at all, whatever is free."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from bespeak.inventory.shapes.nights.stay_limits import STAY_MAX
from bespeak.verticals.stays.errors import InvalidStay
from bespeak.verticals.stays.queries import WINDOW_DAYS_MAX

AHEAD_DAYS_MAX = 1100
"""How far ahead a stay may begin; no plan sells further."""


def nights_between(start: date, end: date, now: datetime) -> int:
    """How many nights there are between an arrival and a departure. Raises InvalidStay."""
    nights = (end - start).days
    if nights < 1:
        raise InvalidStay("`end` is the day of departure, after `start`", field="end")
    if nights > STAY_MAX:
        raise InvalidStay(f"a stay has at most {STAY_MAX} nights", field="end", bound=STAY_MAX)
    arrival, days = start.toordinal(), days_asked(now)
    if arrival < days[0]:
        bound = date.fromordinal(days[0]).isoformat()
        raise InvalidStay("`start` is past", field="start", bound=bound)
    if arrival > days[-1]:
        bound = date.fromordinal(days[-1]).isoformat()
        raise InvalidStay(f"nothing is sold yet after {bound}", field="start", bound=bound)
    return nights


def window_between(start: date, end: date, nights: int, now: datetime) -> range:
    """The days on which a stay of so many nights may begin that lies between two days. What of them
    is past is left out. Raises InvalidStay."""
    asked = days_asked(now)
    if start.toordinal() > asked[-1]:
        bound = date.fromordinal(asked[-1]).isoformat()
        raise InvalidStay(f"nothing is sold yet after {bound}", field="from", bound=bound)
    days = (end - start).days
    if days > WINDOW_DAYS_MAX:
        told = f"between `from` and `to` are at most {WINDOW_DAYS_MAX} days"
        raise InvalidStay(told, field="to", bound=WINDOW_DAYS_MAX)
    if days < nights:
        told = "`to` is the last day of departure: so many nights after `from`, or more"
        raise InvalidStay(told, field="to", bound=(start + timedelta(nights)).isoformat())
    last = end.toordinal() - nights
    if last < asked[0]:
        bound = date.fromordinal(asked[0] + nights).isoformat()
        raise InvalidStay("all of that time is past", field="to", bound=bound)
    return range(max(start.toordinal(), asked[0]), min(last, asked[-1]) + 1)


def days_asked(now: datetime) -> range:
    """The days on which a stay that is asked for may begin, as ordinals."""
    # It is still yesterday somewhere; each listing knows its own day.
    today = now.date().toordinal()
    return range(today - 1, today + AHEAD_DAYS_MAX + 1)
