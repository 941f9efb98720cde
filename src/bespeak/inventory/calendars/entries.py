"""What an iCalendar file keeps busy, as entries: each event once, and each repetition of an event
by itself, with the changes and cancellations that the file has for single repetitions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo

from bespeak.errors import InvalidRequest
from bespeak.inventory.calendars.events import (
    FIELD,
    CalendarEvent,
    When,
    is_all_day,
    read_events,
    refuse,
)
from bespeak.inventory.calendars.library import icalendar
from bespeak.inventory.calendars.recurrences import Effort, repetitions

ENTRIES_MAX = 5000
WINDOW_DAYS = 400
_REPEATED_LASTING_MAX = timedelta(days=3660)
_LAST_YEAR = 9900
_DAY = timedelta(days=1)
_SECOND = timedelta(seconds=1)


class Window(NamedTuple):
    """The part of time that is looked at: from an instant until before another."""

    start: datetime
    end: datetime


class Entry(NamedTuple):
    """A range that is busy, half-open: dates of an event of all day, else times in UTC.
    `recurrence` tells a repetition from the others of its UID, by when it was meant to begin; it is
    empty for an event that does not repeat."""

    uid: str
    recurrence: str
    start: When
    end: When
    summary: str


class _Placed(NamedTuple):
    """An event, or a repetition of it, at its place in time."""

    start: When
    end: When
    summary: str


def window_of(now: datetime, zone: ZoneInfo) -> Window:
    """From the beginning of yesterday, so that who is here since then is seen, for 400 days."""
    yesterday = now.astimezone(zone).date() - _DAY
    return Window(instant(yesterday, zone), instant(yesterday + WINDOW_DAYS * _DAY, zone))


def instant(when: When, zone: ZoneInfo) -> datetime:
    """The instant, in UTC, at which a time is, or a date begins in this zone."""
    if isinstance(when, datetime):
        return when.astimezone(UTC)
    return datetime.combine(when, time(), zone).astimezone(UTC)


def read_calendar(content: bytes, zone: ZoneInfo, window: Window) -> list[Entry]:
    """The entries of a file that touch the window, whole, in order of their start. Dates, and times
    that float, are of this zone. Events that are cancelled or transparent keep nothing busy.

    Raises InvalidRequest, with `line` and `uid` where one event is at fault.
    """
    found: list[Entry] = []
    effort = Effort()
    for uid, versions in _by_uid(read_events(content, zone)).items():
        for key, (start, end, summary) in _entries(versions, window, effort).items():
            first, past = instant(start, zone), instant(end, zone)
            # What has no length is where it begins.
            if first >= window.end or max(past, first + _SECOND) <= window.start:
                continue
            if is_all_day(start):
                found.append(Entry(uid, key, start, end, summary))
            else:
                found.append(Entry(uid, key, first, past, summary))
        if len(found) > ENTRIES_MAX:
            raise InvalidRequest(
                f"calendar: more than {ENTRIES_MAX:,} entries within {WINDOW_DAYS} days",
                field=FIELD,
            )
    found.sort(key=lambda entry: (instant(entry.start, zone), entry.uid, entry.recurrence))
    return found


def _by_uid(events: Sequence[CalendarEvent]) -> dict[str, dict[str, CalendarEvent]]:
    """The events of each UID, by the repetition that each stands for. Of several versions the one
    with the highest SEQUENCE counts. Raises InvalidRequest where that leaves two."""
    found: dict[str, dict[str, CalendarEvent]] = {}
    for event in events:
        versions = found.setdefault(event.uid, {})
        key = "" if event.recurrence is None else _key(event.recurrence)
        other = versions.get(key)
        if other is None or other.sequence < event.sequence:
            versions[key] = event
        elif other.sequence == event.sequence and other._replace(line=event.line) != event:
            refuse(f"the event of line {other.line} has the same UID", event.line, event.uid)
    return found


def _entries(
    versions: dict[str, CalendarEvent], window: Window, effort: Effort
) -> dict[str, _Placed]:
    """The entries of one UID by key: the event with its repetitions, less those for which there is
    a version of their own, and these."""
    whole = versions.get("")
    found = {} if whole is None or whole.is_free else _repeated(whole, window, effort)
    if len(versions) > 1 and "" in found:
        found = {_key(place.start): place for place in found.values()}
    for key, event in versions.items():
        if event.recurrence is not None:
            _remove(found, event.recurrence, effort)
            if not event.is_free:
                found[key] = _placed(event, event.start)
    return found


def _repeated(event: CalendarEvent, window: Window, effort: Effort) -> dict[str, _Placed]:
    """An event and its repetitions around the window, by key."""
    if not event.rules and not event.dates:
        return {"": _placed(event, event.start)}
    if event.lasting > _REPEATED_LASTING_MAX:
        refuse("what lasts so long cannot repeat", event.line, event.uid)
    found = {_key(event.start): _placed(event, event.start)}
    for start in _by_rules(event, event.rules, window, effort):
        found[_key(start)] = _placed(event, start)
    for start, lasting in event.dates:
        found[_key(start)] = _placed(event, start, lasting)
    for start in (*event.without, *_by_rules(event, event.without_rules, window, effort)):
        _remove(found, start, effort)
    return found


def _remove(found: dict[str, _Placed], start: When, effort: Effort) -> None:
    """Takes out the repetition of this start. Where one is told by its date and they have times, or
    the other way round, those of the date."""
    if found.pop(_key(start), None) is None:
        effort.spend(len(found))
        for key, (other, _, _) in list(found.items()):
            is_other_kind = is_all_day(other) != is_all_day(start)
            if is_other_kind and other.toordinal() == start.toordinal():
                del found[key]


def _by_rules(
    event: CalendarEvent, rules: Sequence[icalendar.vRecur], window: Window, effort: Effort
) -> Iterator[When]:
    """The starts of the repetitions that could touch the window."""
    start = event.start
    zone = start.tzinfo if isinstance(start, datetime) else UTC
    # The clocks of the event's zone may be a day off those of the window's.
    since = _wall(window.start, zone) - event.lasting - 2 * _DAY
    until = _wall(window.end, zone) + 2 * _DAY
    for rule in rules:
        try:
            last = min(_last(rule, zone, until), until)
            for wall in repetitions(rule, _wall(start, zone), since, last, effort):
                yield wall.replace(tzinfo=zone) if isinstance(start, datetime) else wall.date()
        except ValueError as error:
            refuse(str(error), event.line, event.uid)


def _last(rule: icalendar.vRecur, zone: tzinfo | None, default: datetime) -> datetime:
    """The local time that a rule ends with, or the default. Raises ValueError."""
    for until in rule.get("UNTIL") or ():
        if not isinstance(until, date):
            raise ValueError("UNTIL is neither a date nor a time of one")
        if until.year > _LAST_YEAR:
            break
        if not isinstance(until, datetime):
            return datetime.combine(until, time(23, 59, 59))
        return _wall(until, zone) if until.tzinfo is not None else until
    return default


def _placed(event: CalendarEvent, start: When, lasting: timedelta | None = None) -> _Placed:
    """The event at a start of its own, for as long as it lasts, or for so long."""
    length = event.lasting if lasting is None else lasting
    if not isinstance(start, datetime):
        return _Placed(start, start + max(length, _DAY), event.summary)
    end = start
    if lasting is None and event.is_nominal:
        # By the clocks on the wall, whatever happens to them on the way.
        end, length = start + timedelta(days=length.days), timedelta(seconds=length.seconds)
    return _Placed(start, end.astimezone(UTC) + length, event.summary)


def _key(start: When) -> str:
    if isinstance(start, datetime):
        return f"{start.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    return f"{start:%Y%m%d}"


def _wall(when: When, zone: tzinfo | None) -> datetime:
    """What the clocks of a zone show, without the zone."""
    if isinstance(when, datetime):
        return when.astimezone(zone).replace(tzinfo=None)
    return datetime.combine(when, time())
