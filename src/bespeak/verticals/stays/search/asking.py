"""The question of a search, checked and made into what the index understands: where, which nights,
which words.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, datetime
from typing import TypeVar

from bespeak.errors import InvalidRequest
from bespeak.inventory.shapes.nights.plan import STAY_MAX
from bespeak.verticals.stays.catalogue import StaysReader
from bespeak.verticals.stays.errors import InvalidStay
from bespeak.verticals.stays.queries import BOX_DEGREES_MAX, RADIUS_METRES, SearchQuestion
from bespeak.verticals.stays.search.cells import EarthBox, EarthCircle, EarthPoint
from bespeak.verticals.stays.search.spoken import beginnings
from bespeak.verticals.stays.search.wanted import Wanted
from bespeak.verticals.stays.words import AMENITIES, PROPERTY_KINDS

AHEAD_DAYS_MAX = 1100
"""How far ahead a stay may begin; no plan sells further."""
_Word = TypeVar("_Word", bound=str)


def wanted_of(asked: SearchQuestion, reader: StaysReader, now: datetime) -> Wanted:
    """What the question wants. Raises InvalidStay, InvalidRequest."""
    arrival, nights = _stay(asked, now)
    return Wanted(
        workspace=reader.workspace,
        published_only=reader.published_only,
        now=now,
        area=_area(asked),
        arrival=arrival,
        nights=nights,
        flexible=asked.flexible,
        words=beginnings(asked.text),
        guests=asked.guests,
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


def _area(asked: SearchQuestion) -> EarthCircle | EarthBox:
    """Where to look. Raises InvalidRequest."""
    if asked.box is None:
        if asked.lat is None or asked.lon is None:
            field = "lat" if asked.lat is None else "lon"
            told = f"{field}: a search says where, with `lat` and `lon`, or with a `box`"
            raise InvalidRequest(told, field=field)
        radius = RADIUS_METRES if asked.radius is None else asked.radius
        return EarthCircle(EarthPoint(asked.lat, asked.lon), radius)
    if asked.lat is not None or asked.lon is not None or asked.radius is not None:
        told = "box: a search has a `box`, or `lat`, `lon` and `radius`, not both"
        raise InvalidRequest(told, field="box")
    return _box(asked.box)


def _box(text: str) -> EarthBox:
    """A box as `west,south,east,north`. Raises InvalidRequest."""
    try:
        box = EarthBox(*(float(part) for part in text.split(",")))
    except (TypeError, ValueError):
        raise InvalidRequest("box: four numbers, west,south,east,north", field="box") from None
    if not all(math.isfinite(side) for side in box):
        raise InvalidRequest("box: four numbers, west,south,east,north", field="box")
    if max(abs(box.west), abs(box.east)) > 180:
        raise InvalidRequest("box: west and east are from -180 to 180", field="box")
    if max(abs(box.south), abs(box.north)) > 90:
        raise InvalidRequest("box: south and north are from -90 to 90", field="box")
    if box.south >= box.north or box.west == box.east:
        raise InvalidRequest("box: nothing lies in it; south is below north", field="box")
    # Without the remainder: all around the earth is not nothing.
    width = box.east - box.west + (360 if box.west > box.east else 0)
    if max(width, box.north - box.south) > BOX_DEGREES_MAX:
        told = f"box: at most {BOX_DEGREES_MAX} degrees wide and {BOX_DEGREES_MAX} high"
        raise InvalidRequest(told, field="box")
    return box


def _stay(asked: SearchQuestion, now: datetime) -> tuple[int | None, int]:
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
