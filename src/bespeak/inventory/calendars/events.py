"""The events of an iCalendar file (RFC 5545) as it has them: when they are, how they repeat, and
whether they keep anything busy. What cannot be read is refused with its line, because half a
calendar would look as if the other half had been cancelled.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import NamedTuple, NoReturn, TypeAlias, TypeVar
from zoneinfo import ZoneInfo

from bespeak.errors import InvalidRequest
from bespeak.inventory.calendars.library import icalendar

FILE_BYTES_MAX = 5_000_000
FIELD = "calendar"
_EVENTS_MAX = 20_000
_DEPTH_MAX = 10
_YEAR_MIN = 1900
_YEAR_MAX = 9900
_LASTING_MAX = timedelta(days=36_600)
_TEXT_LENGTH_MAX = 200

_LINE_END = re.compile(r"\r\n|\n|\r")
_NAME = re.compile(r"[A-Za-z0-9-]+")
# All else in an event, its description above all, may be as broken as it likes.
_TIMES = ("DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID")
_READ = frozenset((*_TIMES, "UID", "STATUS", "TRANSP", "SEQUENCE", "SUMMARY"))
_FREE = (("STATUS", "CANCELLED"), ("TRANSP", "TRANSPARENT"))

# A date of an event that lasts all day, or a time with its offset from UTC.
When: TypeAlias = date | datetime
_Kind = TypeVar("_Kind")


class CalendarEvent(NamedTuple):
    """An event. It ends `lasting` after its start: for one of all day in days, for others exactly,
    or by the clock on the wall where `is_nominal`. `rules`, `dates` and `without` say how it
    repeats; with `recurrence` it stands for that one repetition of the other event of its UID.
    One that `is_free` keeps nothing busy: it is cancelled, or transparent."""

    uid: str
    line: int
    start: When
    lasting: timedelta
    is_nominal: bool
    recurrence: When | None
    rules: list[icalendar.vRecur]
    dates: list[tuple[When, timedelta | None]]
    without: list[When]
    without_rules: list[icalendar.vRecur]
    is_free: bool
    sequence: int
    summary: str


class _Part(NamedTuple):
    """A component of the file, unfolded: the line that it begins at, and those that matter."""

    line: int
    lines: list[str]


def between(start: When, end: When) -> timedelta:
    """How long it is from one to the other, which is of the same kind: days, or what really passes
    while clocks are changed."""
    if isinstance(start, datetime) and isinstance(end, datetime):
        return end.astimezone(UTC) - start.astimezone(UTC)
    return timedelta(days=end.toordinal() - start.toordinal())


def is_all_day(when: When) -> bool:
    return not isinstance(when, datetime)


def refuse(detail: str, line: int, uid: str | None = None) -> NoReturn:
    """Raises InvalidRequest for what a line of the file, or an event with this UID, says."""
    named = {} if uid is None else {"uid": uid}
    told = f"line {line}" if uid is None else f"line {line}, event {uid!r}"
    raise InvalidRequest(f"calendar: {told}: {detail}", field=FIELD, line=line, **named)


def read_events(content: bytes, zone: ZoneInfo) -> list[CalendarEvent]:
    """The events of a file in its order. Times that float are of this zone.

    Raises InvalidRequest with the line, and the UID where there is one.
    """
    if len(content) > FILE_BYTES_MAX:
        raise InvalidRequest(f"calendar: more than {FILE_BYTES_MAX:,} bytes", field=FIELD)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidRequest(f"calendar: not in UTF-8: {error}", field=FIELD) from error
    events, zones = _components(text)
    if len(events) > _EVENTS_MAX:
        raise InvalidRequest(f"calendar: more than {_EVENTS_MAX:,} events", field=FIELD)
    known = _Zones(zone, zones)
    return [_Reader(part, known).event() for part in events]


def _components(text: str) -> tuple[list[_Part], list[_Part]]:
    """The events and the time zones. Raises InvalidRequest for what is no whole calendar: one that
    broke off would look as if the rest had been cancelled."""
    found: dict[str, list[_Part]] = {"VEVENT": [], "VTIMEZONE": []}
    stack: list[str] = []
    number, is_calendar = 1, False
    for number, line in _unfolded(text):
        word, _, rest = line.partition(":")
        name = rest.strip().upper()
        match word.strip().upper():
            case "BEGIN":
                if (name == "VCALENDAR") != (not stack):
                    refuse(f"{name[:40]!r} cannot begin here", number)
                stack.append(name)
                is_calendar = True
                if len(stack) > _DEPTH_MAX:
                    refuse("components within components without end", number)
                if len(stack) == 2 and name in found:
                    found[name].append(_Part(number, []))
            case "END":
                if not stack or stack.pop() != name:
                    refuse(f"{name[:40]!r} ends and did not begin", number)
            case _:
                if not stack:
                    refuse("no iCalendar file: it begins with BEGIN:VCALENDAR", number)
        if len(stack) >= 2 and stack[1] in found:
            _keep(found[stack[1]][-1], line, is_event=stack[1] == "VEVENT", depth=len(stack))
    if stack:
        refuse(f"the file breaks off within {stack[-1][:40]}", number)
    if not is_calendar:
        refuse("no iCalendar file: it begins with BEGIN:VCALENDAR", number)
    return found["VEVENT"], found["VTIMEZONE"]


def _keep(part: _Part, line: str, *, is_event: bool, depth: int) -> None:
    if not is_event:
        part.lines.append(line)
    elif depth == 2:
        name = _NAME.match(line)
        if name is not None and name.group().upper() in _READ:
            part.lines.append(line)


def _unfolded(text: str) -> Iterator[tuple[int, str]]:
    """The lines with the number of each, long ones put together again; empty ones are left out."""
    first, parts = 1, [""]
    for number, line in enumerate(_LINE_END.split(text), start=1):
        if line[:1] in (" ", "\t"):
            parts.append(line[1:])
            continue
        whole = "".join(parts)
        if whole.strip():
            yield first, whole
        first, parts = number, [line]
    whole = "".join(parts)
    if whole.strip():
        yield first, whole


class _Zones:
    """The time zones of a file: the known ones by their name, others as the file defines them."""

    def __init__(self, floating: ZoneInfo, parts: Iterable[_Part]) -> None:
        self.floating = floating
        self._parts = list(parts)
        self._made: dict[str, tzinfo] | None = None

    def find(self, name: str) -> tzinfo | None:
        """A time zone that the file defines itself. Raises InvalidRequest for a broken one."""
        if self._made is None:
            # Each with a registry of its own: the library's would keep a zone for other files.
            self._made = dict(_zone_of(part) for part in self._parts)
        return self._made.get(name)


def _zone_of(part: _Part) -> tuple[str, tzinfo]:
    # Under another name the library reads it without making a zone of it at once.
    lines = ["BEGIN:X-ZONE", *part.lines[1:], "END:X-ZONE"]
    try:
        read = icalendar.Event.from_ical("\r\n".join(lines))
        zone = icalendar.Timezone()
        zone.add("TZID", read["TZID"])
        for rules in read.subcomponents:
            for rule in _listed(rules.get("RRULE"), icalendar.vRecur):
                if rule.get("FREQ") != ["YEARLY"]:
                    refuse("clocks that change more than yearly", part.line)
            zone.add_component(rules)
        return str(read["TZID"]), zone.to_tz(icalendar.timezone.TZP(), lookup_tzid=False)
    except InvalidRequest:
        raise
    except Exception as error:  # whatever the library makes of a broken definition
        refuse(f"the time zone makes no sense: {error}"[:300], part.line)


class _Reader:
    """Reads one event."""

    def __init__(self, part: _Part, zones: _Zones) -> None:
        self._line = part.line
        self._zones = zones
        self._uid: str | None = None
        try:
            self._event = icalendar.Event.from_ical(
                "\r\n".join(["BEGIN:VEVENT", *part.lines, "END:VEVENT"])
            )
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            self._refuse(str(error)[:300])

    def event(self) -> CalendarEvent:
        """Raises InvalidRequest."""
        self._uid = _uid_of(str(self._one("UID") or ""))
        if self._event.errors:
            self._refuse("; ".join(str(error) for _, error in self._event.errors)[:300])
        if self._uid is None:
            self._refuse("it has no UID")
        start = self._when("DTSTART")
        if start is None:
            self._refuse("it has no DTSTART")
        lasting, is_nominal = self._lasting(start)
        return CalendarEvent(
            uid=self._uid,
            line=self._line,
            start=start,
            lasting=lasting,
            is_nominal=is_nominal,
            recurrence=self._recurrence(),
            rules=self._all("RRULE", icalendar.vRecur),
            dates=list(self._dates("RDATE")),
            without=[when for when, _ in self._dates("EXDATE")],
            without_rules=self._all("EXRULE", icalendar.vRecur),
            is_free=any(str(self._one(name) or "").upper() == word for name, word in _FREE),
            sequence=self._sequence(),
            summary=printable(str(self._one("SUMMARY") or "")),
        )

    def _lasting(self, start: When) -> tuple[timedelta, bool]:
        end, length = self._when("DTEND"), self._one("DURATION")
        lasting: object = timedelta(0)
        if end is not None:
            if is_all_day(end) != is_all_day(start):
                self._refuse("DTSTART and DTEND are not of one kind, dates or times")
            lasting = between(start, end)
        elif length is not None:
            lasting = length.dt if isinstance(length, icalendar.vDDDTypes) else None
        if not isinstance(lasting, timedelta):
            self._refuse("its DURATION is none")
        if not timedelta(0) <= lasting <= _LASTING_MAX:
            self._refuse("it ends before it begins" if lasting.days < 0 else "it lasts too long")
        if is_all_day(start):
            if lasting.seconds:
                self._refuse("an event of dates lasts whole days")
            # Without an end it is of one date, and some say so with an end on the same one.
            return max(lasting, timedelta(days=1)), True
        return lasting, end is None

    def _recurrence(self) -> When | None:
        found = self._one("RECURRENCE-ID")
        if isinstance(found, icalendar.vDDDTypes) and "RANGE" in found.params:
            self._refuse("RECURRENCE-ID with RANGE is not supported: list what changes one by one")
        return self._when("RECURRENCE-ID")

    def _sequence(self) -> int:
        found = self._one("SEQUENCE")
        return found if isinstance(found, int) else 0

    def _one(self, name: str) -> object:
        """The only property of this name, or None. Raises InvalidRequest if there are several."""
        found: object = self._event.get(name)
        if isinstance(found, list):
            self._refuse(f"{name} comes twice")
        return found

    def _all(self, name: str, kind: type[_Kind]) -> list[_Kind]:
        """All properties of this name. Raises InvalidRequest if one is of another kind."""
        found = self._event.get(name)
        listed = _listed(found, kind)
        if len(listed) < len(_listed(found, object)):
            self._refuse(f"{name} is not of the kind that it should be")
        return listed

    def _when(self, name: str) -> When | None:
        found = self._one(name)
        if found is None:
            return None
        if not isinstance(found, icalendar.vDDDTypes):
            self._refuse(f"{name} is neither a date nor a time of one")
        return self._placed(found.dt, found.params, name)

    def _dates(self, name: str) -> Iterator[tuple[When, timedelta | None]]:
        """The dates of a list, each with its length where it is a period."""
        for dates in self._all(name, icalendar.vDDDLists):
            for one in dates.dts:
                if not isinstance(one.dt, tuple):
                    yield self._placed(one.dt, dates.params, name), None
                    continue
                start, end = one.dt
                begin = self._placed(start, dates.params, name)
                if isinstance(end, timedelta):
                    lasting = end
                else:
                    lasting = between(begin, self._placed(end, dates.params, name))
                if not timedelta(0) <= lasting <= _LASTING_MAX:
                    self._refuse(f"{name} has a period that ends before it begins, or too late")
                yield begin, lasting

    def _placed(self, found: object, params: Mapping[str, object], name: str) -> When:
        """A date, or a time with its zone. Raises InvalidRequest."""
        if not isinstance(found, date):
            self._refuse(f"{name} is neither a date nor a time of one")
        if not _YEAR_MIN <= found.year <= _YEAR_MAX:
            self._refuse(f"{name} is not in {_YEAR_MIN} to {_YEAR_MAX}")
        if not isinstance(found, datetime):
            return found
        if str(params.get("VALUE", "")).upper() == "DATE":
            return found.date()  # some say a time zone of dates as well
        if found.tzinfo is not None:
            return found
        zone: tzinfo | None = self._zones.floating
        if "TZID" in params:
            zone = self._zones.find(str(params["TZID"]))
            if zone is None:
                self._refuse(f"{name}: no time zone {str(params['TZID'])[:60]!r}")
        return found.replace(tzinfo=zone)

    def _refuse(self, detail: str) -> NoReturn:
        refuse(detail, self._line, self._uid)


def printable(text: str) -> str:
    """A text of the file on one line without control characters, and not too long."""
    return _on_one_line(text)[:_TEXT_LENGTH_MAX]


def _on_one_line(text: str) -> str:
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


def _uid_of(text: str) -> str | None:
    """The UID as it can be kept; of one that is too long the beginning, and what tells it apart."""
    uid = _on_one_line(text)
    if len(uid) > _TEXT_LENGTH_MAX:
        uid = f"{uid[:100]}~{hashlib.sha256(uid.encode()).hexdigest()[:32]}"
    return uid or None


def _listed(found: object, kind: type[_Kind]) -> list[_Kind]:
    """The properties of one name, none, one or several: those that are of this kind."""
    listed: list[object] = found if isinstance(found, list) else [found]
    return [one for one in listed if one is not None and isinstance(one, kind)]
