"""The question of a search, checked and made into what the index understands: which nights, which
words. Where is said by `where`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar

from bespeak.errors import InvalidRequest
from bespeak.inventory.fields import WEEKDAYS
from bespeak.verticals.stays.ages import read_ages
from bespeak.verticals.stays.catalogue import StaysReader
from bespeak.verticals.stays.errors import InvalidStay
from bespeak.verticals.stays.queries import StaysQuestion
from bespeak.verticals.stays.search.spoken import beginnings
from bespeak.verticals.stays.search.wanted import StayWindow, Wanted
from bespeak.verticals.stays.search.where import area_of
from bespeak.verticals.stays.stay_dates import nights_between, window_between
from bespeak.verticals.stays.words import AMENITIES, PROPERTY_KINDS

# What of a product of floats is no difference: 10 * 8.7 is more than 87.
_LEAST = 1e-6
_Word = TypeVar("_Word", bound=str)


def wanted_of(asked: StaysQuestion, reader: StaysReader, now: datetime) -> Wanted:
    """What the question wants. Raises InvalidStay, InvalidRequest."""
    stay = _window(asked, now) or _stay(asked, now)
    return Wanted(
        workspace=reader.workspace,
        published_only=reader.published_only,
        now=now,
        area=area_of(asked),
        arrival=stay.arrival,
        nights=stay.nights,
        flexible=asked.flexible,
        window=stay.window,
        words=beginnings(asked.text),
        guests=asked.guests,
        ages=read_ages(asked.ages, asked.guests),
        rooms=asked.rooms,
        price_max=asked.price_max,
        currency=asked.currency,
        kinds=_chosen(asked.kinds, PROPERTY_KINDS, "kinds"),
        amenities=_chosen(asked.amenities, AMENITIES, "amenities"),
        rating_min=None if asked.rating_min is None else tenths_of(asked.rating_min),
        amenities_any=_chosen(asked.amenities_any, AMENITIES, "amenities_any"),
    )


def tenths_of(rating: float) -> int:
    """The least tenths that are as good as a rating: 8.05 asks for 8.1."""
    return math.ceil(rating * 10 - _LEAST)


class _Dates(NamedTuple):
    """Which stays are asked for: the first day of arrival, how many nights, and the window between
    whose days it may be."""

    arrival: int | None = None
    nights: int = 0
    window: StayWindow | None = None


def _window(asked: StaysQuestion, now: datetime) -> _Dates | None:
    """Any stay of so many nights between two days, where that is asked for. Raises InvalidStay,
    InvalidRequest."""
    start, end, nights = asked.from_, asked.to, asked.nights
    if start is None and end is None and nights is None and not asked.arrive:
        return None
    if asked.start is not None or asked.end is not None or asked.flexible:
        field = "flexible" if asked.flexible else "start" if asked.start is not None else "end"
        raise InvalidStay(f"`{field}` is not asked together with `from` and `to`", field=field)
    if start is None or end is None or nights is None:
        field = "from" if start is None else "to" if end is None else "nights"
        told = "any stay of some time is asked for by `from`, `to` and how many `nights`"
        raise InvalidStay(told, field=field)
    days = window_between(start, end, nights, now)
    weekdays = _chosen(asked.arrive, WEEKDAYS, "arrive") or WEEKDAYS
    chosen = frozenset(WEEKDAYS.index(day) for day in weekdays)
    window = StayWindow(days[0], days[-1] + nights, chosen)
    arrivals = window.arrivals(nights)
    if not arrivals:
        told = "none of these weekdays is a day of arrival between `from` and `to`"
        raise InvalidStay(told, field="arrive")
    return _Dates(arrivals[0], nights, window)


def _stay(asked: StaysQuestion, now: datetime) -> _Dates:
    """The day of arrival and how many nights. Raises InvalidStay."""
    if asked.start is None and asked.end is None:
        if asked.flexible:
            raise InvalidStay("`flexible` is about a `start` and an `end`", field="flexible")
        return _Dates()
    if asked.start is None or asked.end is None:
        field = "start" if asked.start is None else "end"
        raise InvalidStay("a stay has a `start` and an `end`", field=field)
    nights = nights_between(asked.start, asked.end, now)
    return _Dates(asked.start.toordinal(), nights)


def _chosen(text: str, known: Sequence[_Word], field: str) -> frozenset[_Word]:
    """The words of a list with commas. Raises InvalidRequest."""
    if not text:
        return frozenset()
    by_name = {str(word): word for word in known}
    names = {part.strip() for part in text.split(",")} - {""}
    unknown = sorted(names - by_name.keys())
    if unknown:
        told = f"{field}: {unknown[0][:40]!r} is none of {', '.join(known)}"
        raise InvalidRequest(told, field=field)
    return frozenset(by_name[name] for name in names)
