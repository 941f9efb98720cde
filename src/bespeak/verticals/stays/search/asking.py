"""The question of a search, checked and made into what the index understands: which nights, which
words. Where is said by `where`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from bespeak.errors import InvalidRequest
from bespeak.verticals.stays.ages import read_ages
from bespeak.verticals.stays.catalogue import StaysReader
from bespeak.verticals.stays.errors import InvalidStay
from bespeak.verticals.stays.queries import StaysQuestion
from bespeak.verticals.stays.search.spoken import beginnings
from bespeak.verticals.stays.search.wanted import Wanted
from bespeak.verticals.stays.search.where import area_of
from bespeak.verticals.stays.stay_dates import nights_between
from bespeak.verticals.stays.words import AMENITIES, PROPERTY_KINDS

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
        ages=read_ages(asked.ages, asked.guests),
        rooms=asked.rooms,
        price_max=asked.price_max,
        currency=asked.currency,
        kinds=_chosen(asked.kinds, PROPERTY_KINDS, "kinds"),
        amenities=_chosen(asked.amenities, AMENITIES, "amenities"),
    )


def _stay(asked: StaysQuestion, now: datetime) -> tuple[int | None, int]:
    """The day of arrival and how many nights. Raises InvalidStay."""
    if asked.start is None and asked.end is None:
        if asked.flexible:
            raise InvalidStay("`flexible` is about a `start` and an `end`", field="flexible")
        return None, 0
    if asked.start is None or asked.end is None:
        field = "start" if asked.start is None else "end"
        raise InvalidStay("a stay has a `start` and an `end`", field=field)
    return asked.start.toordinal(), nights_between(asked.start, asked.end, now)


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
