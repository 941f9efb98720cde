"""The question of a search, checked and made into what the index understands: which nights, which
words. Where is said by `where`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import TypeVar

from bespeak.errors import InvalidRequest
from bespeak.inventory.shapes.nights.stay_limits import STAY_MAX
from bespeak.lines import ADULT_AGE
from bespeak.verticals.stays.catalogue import StaysReader
from bespeak.verticals.stays.errors import InvalidStay
from bespeak.verticals.stays.queries import StaysQuestion
from bespeak.verticals.stays.search.spoken import beginnings
from bespeak.verticals.stays.search.wanted import Wanted
from bespeak.verticals.stays.search.where import area_of
from bespeak.verticals.stays.words import AMENITIES, PROPERTY_KINDS

AHEAD_DAYS_MAX = 1100
"""How far ahead a stay may begin; no plan sells further."""
_Word = TypeVar("_Word", bound=str)


def wanted_of(asked: StaysQuestion, reader: StaysReader, now: datetime) -> Wanted:
    """What the question wants. Raises InvalidStay, InvalidRequest."""
    arrival, nights = _stay(asked, now)
    return Wanted(
        workspace=reader.workspace,
        published_only=reader.published_only,
        now=now,
        area=area_of(asked),
        arrival=arrival,
        nights=nights,
        flexible=asked.flexible,
        words=beginnings(asked.text),
        guests=asked.guests,
        ages=_ages(asked),
        rooms=asked.rooms,
        price_max=asked.price_max,
        currency=asked.currency,
        kinds=_chosen(asked.kinds, PROPERTY_KINDS, "kinds"),
        amenities=_chosen(asked.amenities, AMENITIES, "amenities"),
    )


def days_asked(now: datetime) -> range:
    """The days on which a stay that is asked for may begin, as ordinals."""
    # It is still yesterday somewhere; each listing knows its own day.
    today = now.date().toordinal()
    return range(today - 1, today + AHEAD_DAYS_MAX + 1)


def _stay(asked: StaysQuestion, now: datetime) -> tuple[int | None, int]:
    """The day of arrival and how many nights. Raises InvalidStay."""
    if asked.start is None and asked.end is None:
        if asked.flexible:
            raise InvalidStay("`flexible` is about a `start` and an `end`", field="flexible")
        return None, 0
    if asked.start is None or asked.end is None:
        field = "start" if asked.start is None else "end"
        raise InvalidStay("a stay has a `start` and an `end`", field=field)
    nights = (asked.end - asked.start).days
    if nights < 1:
        raise InvalidStay("`end` is the day of departure, after `start`", field="end")
    if nights > STAY_MAX:
        raise InvalidStay(f"a stay has at most {STAY_MAX} nights", field="end", bound=STAY_MAX)
    arrival, days = asked.start.toordinal(), days_asked(now)
    if arrival < days[0]:
        bound = date.fromordinal(days[0]).isoformat()
        raise InvalidStay("`start` is past", field="start", bound=bound)
    if arrival > days[-1]:
        bound = date.fromordinal(days[-1]).isoformat()
        raise InvalidStay(f"nothing is sold yet after {bound}", field="start", bound=bound)
    return arrival, nights


def _ages(asked: StaysQuestion) -> tuple[int, ...]:
    """The ages of the children, the oldest first. Raises InvalidRequest."""
    parts = [part.strip() for part in asked.ages.split(",") if part.strip()]
    if any(not part.isascii() or not part.isdigit() or int(part) >= ADULT_AGE for part in parts):
        raise InvalidRequest(f"ages are from 0 to {ADULT_AGE - 1}, with commas", field="ages")
    if len(parts) > asked.guests:
        raise InvalidRequest("there are more `ages` than `guests`", field="ages")
    return tuple(sorted(map(int, parts), reverse=True))


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
