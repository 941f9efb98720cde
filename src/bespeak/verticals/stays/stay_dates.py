"""The dates of a stay, as questions have them: which make sense at all, whatever is free."""

from __future__ import annotations

from datetime import date, datetime

from bespeak.inventory.shapes.nights.stay_limits import STAY_MAX
from bespeak.verticals.stays.errors import InvalidStay

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


def days_asked(now: datetime) -> range:
    """The days on which a stay that is asked for may begin, as ordinals."""
    # It is still yesterday somewhere; each listing knows its own day.
    today = now.date().toordinal()
    return range(today - 1, today + AHEAD_DAYS_MAX + 1)
