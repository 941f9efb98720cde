"""Instants: seconds since 1970 as people write them, as they are shown, and as the clocks on the
walls of a time zone show them. Every question about summer time ends here, in one function: at
which instants does a clock show this? An hour may have no answer, or two.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from bespeak.errors import InvalidRequest

DAY = 86_400
FIRST_DATE = date(1970, 1, 1).toordinal()
# Far enough from the first and the last moment that a datetime can say to add months and offsets.
_YEAR_MIN = 1900
_YEAR_MAX = 9900
_DURATION_MAX = 100 * DAY

_SECOND = timedelta(seconds=1)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
# The plus of an offset may come as a space, which is what a URL makes of a bare plus.
_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.0+)?)?(?:([Zz])|([-+ ])(\d\d):(\d\d))?",
    re.ASCII,
)
_DURATION = re.compile(r"PT(?=\d)(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?", re.ASCII)


def is_date(text: str) -> bool:
    """Whether it is written as a date, without a time."""
    return _DATE.fullmatch(text) is not None


def date_of(text: str, field: str) -> int:
    """A date as days since 1970. Raises InvalidRequest."""
    try:
        found = date.fromisoformat(text) if is_date(text) else None
    except ValueError:
        found = None
    if found is None:
        raise InvalidRequest(f"{text[:60]!r} is no date like 2026-11-22", field=field)
    if not _YEAR_MIN <= found.year <= _YEAR_MAX:
        raise InvalidRequest(f"{text} is not in {_YEAR_MIN} to {_YEAR_MAX}", field=field)
    return found.toordinal() - FIRST_DATE


def instant_of(text: str, zone: ZoneInfo, field: str) -> int:
    """A time with its offset, or what the clocks of the zone show at one instant, as seconds.

    Raises InvalidRequest for a text that is no time, and for a local time that does not exist or
    comes twice.
    """
    found = _TIME.fullmatch(text)
    if found is None:
        raise InvalidRequest(
            f"{text[:60]!r} is no time like 2026-11-22T09:15:00+05:30", field=field
        )
    day, hours, minutes, seconds, zulu, sign, offset_hours, offset_minutes = found.groups()
    if hours > "23" or minutes > "59" or (seconds or "00") > "59":
        raise InvalidRequest(f"{text!r}: there is no such time of day", field=field)
    wall = date_of(day, field) * DAY + int(hours) * 3600 + int(minutes) * 60 + int(seconds or 0)
    if zulu is not None:
        return wall
    if sign is None:
        return _local(wall, text, zone, field)
    if offset_hours > "23" or offset_minutes > "59":
        raise InvalidRequest(f"{text!r}: there is no such offset", field=field)
    offset = int(offset_hours) * 3600 + int(offset_minutes) * 60
    return wall + offset if sign == "-" else wall - offset


def end_of(text: str, start: int, zone: ZoneInfo, field: str) -> int:
    """The end of a range: a time, or a length from its start on like PT1H15M.
    Raises InvalidRequest."""
    found = _DURATION.fullmatch(text)
    if found is None:
        return instant_of(text, zone, field)
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    length = hours * 3600 + minutes * 60 + seconds
    if length > _DURATION_MAX:
        raise InvalidRequest(f"{text} is longer than {_DURATION_MAX // DAY} days", field=field)
    return start + length


def edge_of(text: str, zone: ZoneInfo, field: str) -> int:
    """An end of a range for which a date is as good as a time: the first instant of the date.
    Raises InvalidRequest."""
    if is_date(text):
        return day_start(zone, date_of(text, field))
    return instant_of(text, zone, field)


@lru_cache(maxsize=32_768)
def shown(instant: int, zone: ZoneInfo) -> str:
    """An instant as RFC 3339 with the offset of the zone."""
    local = datetime.fromtimestamp(instant, zone)
    if _offset(local) % 60:
        # Offsets of before 1972 may have seconds, which RFC 3339 cannot say.
        local = local.astimezone(UTC)
    return local.isoformat()


def local_day(instant: float, zone: ZoneInfo) -> int:
    """The date that the zone has at an instant, as days since 1970."""
    return datetime.fromtimestamp(instant, zone).toordinal() - FIRST_DATE


def shown_day(day: int) -> str:
    """A date, from days since 1970."""
    return date.fromordinal(day + FIRST_DATE).isoformat()


@lru_cache(maxsize=4096)
def day_start(zone: ZoneInfo, day: int) -> int:
    """The first instant of a date; of a date that the zone skipped, of the next."""
    while True:
        found = within(zone, day * DAY, (day + 1) * DAY)
        if found:
            return found[0][0]
        day += 1


def within(zone: ZoneInfo, begin: int, end: int) -> list[tuple[int, int]]:
    """The ranges of instants, half-open and in order, at which the clocks of the zone show from
    `begin` until before `end`. These are local times, as the seconds that they would be in UTC.

    A range that would be empty is left out: over clocks that are put forward there may be none.
    Over clocks that are put back there may be two.
    """
    found: list[tuple[int, int]] = []
    # No offset is as long as a day.
    for day in range(begin // DAY - 1, (end - 1) // DAY + 2):
        for since, until, offset in _spans(zone, day):
            first, last = max(since, begin - offset), min(until, end - offset)
            if first < last:
                if found and found[-1][1] == first:
                    found[-1] = (found[-1][0], last)
                else:
                    found.append((first, last))
    return found


@lru_cache(maxsize=16_384)
def _spans(zone: ZoneInfo, day: int) -> tuple[tuple[int, int, int], ...]:
    """A day of UTC in spans of one offset from UTC, each from, until before, and the offset."""
    found = []
    start, end = day * DAY, (day + 1) * DAY
    last = _offset_at(end - 1, zone)
    while (offset := _offset_at(start, zone)) != last:
        # The clocks change within the day, and no zone has ever changed them there and back.
        low, high = start, end - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if _offset_at(middle, zone) == offset else (low, middle)
        found.append((start, high, offset))
        start = high
    found.append((start, end, last))
    return tuple(found)


def _offset_at(instant: int, zone: ZoneInfo) -> int:
    return _offset(datetime.fromtimestamp(instant, zone))


def _offset(local: datetime) -> int:
    found = local.utcoffset()
    return 0 if found is None else found // _SECOND


def _local(wall: int, text: str, zone: ZoneInfo, field: str) -> int:
    found = within(zone, wall, wall + 1)
    if len(found) == 1:
        return found[0][0]
    if not found:
        raise InvalidRequest(
            f"{text} does not exist in {zone}: the clocks are put forward over it", field=field
        )
    twice = " or ".join(shown(first, zone) for first, _ in found)
    raise InvalidRequest(f"{text} comes twice in {zone}: say {twice}", field=field)
