"""Reading iCalendar files: what they keep busy, whoever wrote them, and nothing beyond it."""

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st
from icalendar.prop import vRecur

from bespeak import InvalidRequest
from bespeak.inventory.calendars.entries import (
    ENTRIES_MAX,
    Entry,
    read_calendar,
    window_of,
)
from bespeak.inventory.calendars.events import FILE_BYTES_MAX
from bespeak.inventory.calendars.recurrences import Effort, repetitions
from tests.harness.icalendar_files import calendar, days, event

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 10, 20, 12, tzinfo=UTC)
WINDOW = window_of(NOW, BERLIN)


def read(*events: str, zones: str = "", zone: ZoneInfo = BERLIN) -> list[Entry]:
    return read_calendar(calendar(*events, zones=zones), zone, WINDOW)


def spans(entries: list[Entry]) -> list[tuple[str, str]]:
    """The ends of the entries, times without the offset of UTC."""
    return [
        (one.start.isoformat().removesuffix("+00:00"), one.end.isoformat().removesuffix("+00:00"))
        for one in entries
    ]


def test_the_window_begins_with_yesterday_by_the_clocks_of_the_zone() -> None:
    late = datetime(2026, 10, 20, 23, 30, tzinfo=UTC)  # which is the 21st in Berlin
    assert window_of(late, BERLIN).start == datetime(2026, 10, 19, 22, tzinfo=UTC)
    assert window_of(late, ZoneInfo("UTC")).start == datetime(2026, 10, 19, tzinfo=UTC)
    assert window_of(late, BERLIN).end == datetime(2027, 11, 23, 23, tzinfo=UTC)  # winter


SINGLE = [
    ("all day", days("a", "2026-11-01", "2026-11-04"), ("2026-11-01", "2026-11-04")),
    ("one date", event("a", ";VALUE=DATE:20261101"), ("2026-11-01", "2026-11-02")),
    ("date of no length", days("a", "2026-11-01", "2026-11-01"), ("2026-11-01", "2026-11-02")),
    (
        "days long",
        event("a", ";VALUE=DATE:20261101", None, "DURATION:P3D"),
        ("2026-11-01", "2026-11-04"),
    ),
    (
        "a zone for dates",
        event("a", ";VALUE=DATE;TZID=Asia/Tokyo:20261101", ";VALUE=DATE:20261102"),
        ("2026-11-01", "2026-11-02"),
    ),
    (
        "UTC",
        event("a", ":20261101T100000Z", ":20261101T113000Z"),
        ("2026-11-01T10:00:00", "2026-11-01T11:30:00"),
    ),
    (
        "floating is of the resource",
        event("a", ":20261101T100000", ":20261101T113000"),
        ("2026-11-01T09:00:00", "2026-11-01T10:30:00"),
    ),
    (
        "a zone by name",
        event("a", ";TZID=Asia/Kolkata:20261101T100000", ";TZID=Asia/Kolkata:20261101T110000"),
        ("2026-11-01T04:30:00", "2026-11-01T05:30:00"),
    ),
    (
        "a zone by the name that Windows has for it",
        event("a", ";TZID=W. Europe Standard Time:20261101T100000", ":20261101T110000Z"),
        ("2026-11-01T09:00:00", "2026-11-01T11:00:00"),
    ),
    (
        "a length",
        event("a", ":20261101T100000Z", None, "DURATION:PT1H30M"),
        ("2026-11-01T10:00:00", "2026-11-01T11:30:00"),
    ),
    (
        "a day by the clock on the wall, 25 hours long",
        event("a", ";TZID=Europe/Berlin:20261024T120000", None, "DURATION:P1D"),
        ("2026-10-24T10:00:00", "2026-10-25T11:00:00"),
    ),
    (
        "a moment",
        event("a", ":20261101T100000Z"),
        ("2026-11-01T10:00:00", "2026-11-01T10:00:00"),
    ),
    (
        "lower case, folded",
        "uid:a\ndtstart;value=da\n te:20261101",
        ("2026-11-01", "2026-11-02"),
    ),
    (
        "a broken description, which nobody needs",
        days("a", "2026-11-01", "2026-11-02", "DESCRIPTION:one", "two, without a colon", "X-A=1"),
        ("2026-11-01", "2026-11-02"),
    ),
]


@pytest.mark.parametrize(("written", "expected"), [one[1:] for one in SINGLE],
                         ids=[one[0] for one in SINGLE])  # fmt: skip
def test_an_event(written: str, expected: tuple[str, str]) -> None:
    assert spans(read(written)) == [expected]


FREE = ["STATUS:CANCELLED", "TRANSP:TRANSPARENT", "STATUS:cancelled"]
BUSY = ["STATUS:TENTATIVE", "STATUS:CONFIRMED", "TRANSP:OPAQUE"]


@pytest.mark.parametrize("line", FREE)
def test_what_is_cancelled_or_transparent_keeps_nothing_busy(line: str) -> None:
    assert read(days("a", "2026-11-01", "2026-11-02", line)) == []


@pytest.mark.parametrize("line", BUSY)
def test_all_else_does(line: str) -> None:
    assert len(read(days("a", "2026-11-01", "2026-11-02", line))) == 1


def test_only_what_touches_the_window_counts_and_it_counts_whole() -> None:
    first, past = WINDOW.start.astimezone(BERLIN).date(), WINDOW.end.astimezone(BERLIN).date()
    week = timedelta(days=7)
    around = [
        days("before", f"{first - week}", f"{first}"),
        days("into", f"{first - week}", f"{first + timedelta(days=1)}"),
        days("out of", f"{past - timedelta(days=1)}", f"{past + week}"),
        days("after", f"{past}", f"{past + week}"),
        days("over", f"{first - week}", f"{past + week}"),
    ]
    found = {one.uid: one for one in read(*around)}
    assert set(found) == {"into", "out of", "over"}
    assert (found["over"].start, found["over"].end) == (first - week, past + week)


def test_entries_come_in_order_with_their_titles_on_one_line() -> None:
    entries = read(
        days("b", "2026-11-03", "2026-11-04", "SUMMARY:Smith\\, family\\nof 4\x07"),
        days("a", "2026-11-01", "2026-11-02", f"SUMMARY:{'x' * 900}"),
    )
    assert [one.uid for one in entries] == ["a", "b"]
    assert entries[1].summary == "Smith, family of 4"
    assert len(entries[0].summary) == 200


def test_long_uids_are_shortened_and_stay_apart() -> None:
    one, other = (f"{'u' * 300}{n}" for n in (1, 2))
    found = read(days(one, "2026-11-01", "2026-11-02"), days(other, "2026-11-01", "2026-11-02"))
    assert len({entry.uid for entry in found}) == 2
    assert max(len(entry.uid) for entry in found) <= 200


# Repetitions


def test_a_rule_repeats_by_the_clock_on_the_wall() -> None:
    weekly = event(
        "a",
        ";TZID=Europe/Berlin:20261018T100000",
        ";TZID=Europe/Berlin:20261018T110000",
        "RRULE:FREQ=WEEKLY;COUNT=3",
    )
    found = read(weekly)
    # The clocks are put back on 25 October. What is over by yesterday is left out.
    assert spans(found) == [
        ("2026-10-25T09:00:00", "2026-10-25T10:00:00"),
        ("2026-11-01T09:00:00", "2026-11-01T10:00:00"),
    ]
    assert [one.recurrence for one in found] == ["20261025T090000Z", "20261101T090000Z"]


@pytest.mark.parametrize(
    ("more", "dates"),
    [
        (["RRULE:FREQ=DAILY;UNTIL=20261103"], [1, 2, 3]),
        (["RRULE:FREQ=DAILY;UNTIL=20261103T000000Z"], [1, 2, 3]),
        (["RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3"], [1, 3, 5]),
        (["RRULE:FREQ=DAILY;COUNT=3", "EXDATE;VALUE=DATE:20261102"], [1, 3]),
        (["RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20261102T000000Z"], [1, 3]),
        (["RRULE:FREQ=DAILY;COUNT=9", "EXRULE:FREQ=DAILY;INTERVAL=2"], [2, 4, 6, 8]),
        (["RDATE;VALUE=DATE:20261105,20261107"], [1, 5, 7]),
        (["RRULE:FREQ=WEEKLY;BYDAY=SA;COUNT=2"], [1, 7, 14]),  # DTSTART counts, as said
        (["RRULE:FREQ=MONTHLY;BYMONTHDAY=9;UNTIL=20261110"], [1, 9]),
    ],
)
def test_rules_dates_and_exceptions(more: list[str], dates: list[int]) -> None:
    found = read(days("a", "2026-11-01", "2026-11-02", *more))
    assert [one.start for one in found] == [date(2026, 11, day) for day in dates]
    assert all(one.end == one.start + timedelta(days=1) for one in found)


def test_a_period_has_its_own_length() -> None:
    found = read(
        event("a", ":20261101T100000Z", ":20261101T110000Z",
              "RDATE;VALUE=PERIOD:20261102T100000Z/PT3H,20261103T100000Z/20261103T103000Z")
    )  # fmt: skip
    assert spans(found)[1:] == [
        ("2026-11-02T10:00:00", "2026-11-02T13:00:00"),
        ("2026-11-03T10:00:00", "2026-11-03T10:30:00"),
    ]


def test_single_repetitions_are_moved_cancelled_and_added() -> None:
    found = read(
        event("a", ":20261101T100000Z", ":20261101T110000Z", "RRULE:FREQ=DAILY;COUNT=4"),
        event("a", ":20261102T180000Z", ":20261102T190000Z", "RECURRENCE-ID:20261102T100000Z"),
        event("a", ":20261103T100000Z", None, "RECURRENCE-ID:20261103T100000Z",
              "STATUS:CANCELLED"),
        event("a", ":20261110T100000Z", ":20261110T110000Z", "RECURRENCE-ID;VALUE=DATE:20261104"),
        event("b", ":20261105T100000Z", ":20261105T110000Z", "RECURRENCE-ID:20261105T090000Z"),
    )  # fmt: skip
    assert [(one.uid, one.recurrence, one.start.day) for one in found if _timed(one)] == [
        ("a", "20261101T100000Z", 1),
        ("a", "20261102T100000Z", 2),
        ("b", "20261105T090000Z", 5),
        ("a", "20261104", 10),
    ]


def _timed(entry: Entry) -> bool:
    assert isinstance(entry.start, datetime)
    return True


def test_of_several_versions_the_latest_counts() -> None:
    old = days("a", "2026-11-01", "2026-11-02", "SEQUENCE:1")
    new = days("a", "2026-11-05", "2026-11-06", "SEQUENCE:2")
    assert spans(read(old, new)) == spans(read(new, old)) == [("2026-11-05", "2026-11-06")]
    assert len(read(old, old)) == 1
    with pytest.raises(InvalidRequest) as refused:
        read(old, days("a", "2026-11-05", "2026-11-06", "SEQUENCE:1"))
    assert refused.value.data == {"field": "calendar", "line": 10, "uid": "a"}


DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


@st.composite
def rules(draw: st.DrawFn) -> str:
    frequency = draw(st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]))
    parts = [f"FREQ={frequency}"]
    if draw(st.booleans()):
        parts.append(f"INTERVAL={draw(st.integers(1, 5))}")
    if draw(st.booleans()):
        chosen = draw(st.lists(st.sampled_from(DAYS), min_size=1, max_size=3, unique=True))
        nth = draw(st.sampled_from(["", "1", "-1"])) if frequency == "MONTHLY" else ""
        parts.append("BYDAY=" + ",".join(nth + day for day in chosen))
    elif frequency in ("MONTHLY", "YEARLY") and draw(st.booleans()):
        parts.append(f"BYMONTHDAY={draw(st.integers(-28, 28).filter(bool))}")
    if draw(st.booleans()):
        months = draw(st.lists(st.integers(1, 12), min_size=1, max_size=4, unique=True))
        parts.append("BYMONTH=" + ",".join(map(str, months)))
    if frequency == "MONTHLY" and draw(st.booleans()):
        parts.append(f"BYSETPOS={draw(st.sampled_from([1, -1]))}")
    if draw(st.booleans()):
        parts.append(f"WKST={draw(st.sampled_from(DAYS))}")
    if draw(st.booleans()):
        parts.append(f"COUNT={draw(st.integers(1, 60))}")
    return ";".join(parts)


def wall(year: int) -> datetime:
    """What a clock on the wall shows when a year begins."""
    return datetime(year, 1, 1, tzinfo=UTC).replace(tzinfo=None)


walls = st.datetimes(wall(2001), wall(2030)).map(lambda found: found.replace(microsecond=0))


@settings(deadline=None)
@given(rule=rules(), start=walls, since=walls, days=st.integers(0, 500))
def test_what_is_passed_over_changes_nothing(
    rule: str, start: datetime, since: datetime, days: int
) -> None:
    """The reference is dateutil itself, from the very beginning."""
    until = since + timedelta(days=days)
    expected = []
    for found in rrulestr(rule, dtstart=start):
        if found > until:
            break
        if found >= since:
            expected.append(found)
    found = repetitions(vRecur.from_ical(rule), start, since, until, Effort())
    assert list(found) == expected


NEVER = [
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=WEEKLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1",
]


@pytest.mark.parametrize("rule", NEVER)
def test_a_rule_that_never_matches_ends_with_the_window(rule: str) -> None:
    # Left to itself it would be looked through until the year 9999: 2.9 million days.
    found = repetitions(vRecur.from_ical(rule), wall(2026), wall(2027), wall(2028), Effort(3000))
    assert list(found) == []


def test_rules_may_not_cost_more_than_so_much() -> None:
    rule = vRecur.from_ical("FREQ=DAILY;COUNT=100000")  # which has to be counted from its start
    effort = Effort(1000)
    assert len(list(repetitions(rule, wall(2027), wall(2027), wall(2028), effort))) == 366
    with pytest.raises(InvalidRequest, match="too far"):
        list(repetitions(rule, wall(2020), wall(2027), wall(2028), effort))


def test_a_rule_that_has_ended_costs_nothing() -> None:
    rule = vRecur.from_ical("FREQ=DAILY;COUNT=100000")
    assert list(repetitions(rule, wall(1950), wall(2027), wall(2026), Effort(0))) == []


# Time zones that the file defines itself


def zone(name: str, offset: str, rule: str = "") -> str:
    return (
        f"BEGIN:VTIMEZONE\nTZID:{name}\nBEGIN:STANDARD\nDTSTART:19700101T000000\n{rule}"
        f"TZOFFSETFROM:{offset}\nTZOFFSETTO:{offset}\nEND:STANDARD\nEND:VTIMEZONE\n"
    )


def test_a_zone_is_that_of_its_own_file() -> None:
    timed = event("a", ";TZID=Customized:20261101T100000")
    for offset, hour in (("+0330", "06:30"), ("-0500", "15:00")):
        found = read(timed, zones=zone("Customized", offset))
        assert spans(found)[0][0] == f"2026-11-01T{hour}:00"
    with pytest.raises(InvalidRequest, match="no time zone 'Customized'"):
        read(timed)


def test_a_zone_that_is_known_is_known_better() -> None:
    found = read(event("a", ";TZID=Europe/Berlin:20261101T100000"),
                 zones=zone("Europe/Berlin", "+0900"))  # fmt: skip
    assert spans(found)[0][0] == "2026-11-01T09:00:00"


# What makes no sense

NONSENSE = [
    ("DTSTART:nonsense", "line 4"),
    ("DTSTART;VALUE=DATE20261101", "line 4"),
    ("DTSTART;TZID=Mars/Olympus:20261101T100000", "Mars"),
    ("DTSTART:20261101T100000Z\nDTEND:20261101T090000Z", "before it begins"),
    ("DTSTART:20261101T100000Z\nDTEND;VALUE=DATE:20261103", "one kind"),
    ("DTSTART:20261101T100000Z\nDURATION:-PT1H", "before it begins"),
    ("DTSTART:20261101T100000Z\nDURATION:20261101T100000Z", "DURATION"),
    ("DTSTART;VALUE=DATE:20261101\nDURATION:PT5H", "whole days"),
    ("DTSTART:20261101T100000Z\nDTSTART:20261102T100000Z", "twice"),
    ("DTSTART:00010101T100000Z", "1900"),
    ("DTSTART:99991231T100000Z", "9900"),
    ("DTSTART:120000", "neither"),
    ("DTSTART;VALUE=TEXT:20261101", "neither"),
    ("DTEND:20261101T100000Z", "no DTSTART"),
    ("DTSTART:20261101T100000Z\nRRULE:FREQ=SECONDLY", "FREQ"),
    ("DTSTART:20261101T100000Z\nRRULE:FREQ=HOURLY", "FREQ"),
    ("DTSTART:20261101T100000Z\nRRULE:COUNT=3", "FREQ"),
    ("DTSTART:20261101T100000Z\nRRULE:FREQ=DAILY;INTERVAL=0", "INTERVAL"),
    ("DTSTART:20261101T100000Z\nRRULE:FREQ=DAILY;INTERVAL=-1", "INTERVAL"),
    ("DTSTART:20261101T100000Z\nRRULE:FREQ=DAILY;BYDAY=XX", "weekday"),
    ("DTSTART:20261101T100000Z\nRRULE;VALUE=TEXT:FREQ=DAILY", "RRULE"),
    ("DTSTART:20261101T100000Z\nRRULE:FREQ=DAILY;BYHOUR=99", "rule"),
    ("DTSTART:20261101T100000Z\nRRULE:RSCALE=CHINESE;FREQ=YEARLY", "rule"),
    ("DTSTART:20261101T100000Z\nEXDATE:nonsense", "line 4"),
    ("DTSTART:20261101T100000Z\nRDATE;VALUE=PERIOD:20261101T100000Z/-PT1H", "period"),
    ("DTSTART:20261101T100000Z\nRECURRENCE-ID;RANGE=THISANDFUTURE:20261101T100000Z", "RANGE"),
    ("DTSTART:19000101T100000Z\nDTEND:20600101T100000Z", "too long"),
    ("DTSTART:20000101T100000Z\nDTEND:20260101T100000Z\nRRULE:FREQ=DAILY", "so long"),
    (
        "DTSTART:20261101T100000Z\nRRULE:FREQ=DAILY;"
        + ";".join(f"{by}={','.join(map(str, range(24)))}" for by in ("BYHOUR", "BYMINUTE")),
        "times a day",
    ),
]


@pytest.mark.parametrize(("lines", "said"), NONSENSE, ids=[lines for lines, _ in NONSENSE])
def test_nonsense_is_refused_with_its_line_and_uid(lines: str, said: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        read(f"UID:abc\n{lines}")
    assert refused.value.data == {"field": "calendar", "line": 4, "uid": "abc"}
    assert re.search(said, refused.value.detail), refused.value.detail


def test_an_event_without_a_uid_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="line 4: it has no UID"):
        read("DTSTART;VALUE=DATE:20261101")


NO_CALENDARS = [
    b"",
    b"  \r\n",
    b"garbage",
    b"<html><body>Not found</body></html>",
    b"BEGIN:VEVENT\r\nEND:VEVENT\r\n",
    b"BEGIN:VCALENDAR\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
    b"BEGIN:VCALENDAR\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR\r\nEND:VCALENDAR\r\n",
    b"END:VCALENDAR\r\n",
    b"\xff\xfe\x00B",
    b"BEGIN:VCALENDAR\r\n" * 40,
    b"BEGIN:VCALENDAR\r\n" + b"BEGIN:VTODO\r\n" * 40,
]


@pytest.mark.parametrize("content", NO_CALENDARS)
def test_what_is_no_calendar_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidRequest) as refused:
        read_calendar(content, BERLIN, WINDOW)
    assert refused.value.data["field"] == "calendar"


def test_a_calendar_may_be_empty_marked_or_several() -> None:
    one, other = days("a", "2026-11-01", "2026-11-02"), days("b", "2026-11-03", "2026-11-04")
    assert read() == []
    assert len(read_calendar(b"\xef\xbb\xbf" + calendar(one), BERLIN, WINDOW)) == 1
    assert len(read_calendar(calendar(one) + calendar(other), BERLIN, WINDOW)) == 2
    assert len(read_calendar(calendar(one).replace(b"\r\n", b"\n"), BERLIN, WINDOW)) == 1


def test_a_file_that_breaks_off_anywhere_is_refused() -> None:
    """Else the rest would look as if it had been cancelled, and be sold again."""
    whole = calendar(days("a", "2026-11-01", "2026-11-02"), days("b", "2026-11-03", "2026-11-04"))
    lines = whole.splitlines(keepends=True)
    for kept in range(len(lines)):
        with pytest.raises(InvalidRequest):
            read_calendar(b"".join(lines[:kept]), BERLIN, WINDOW)


def test_too_much_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="bytes"):
        read_calendar(b" " * (FILE_BYTES_MAX + 1), BERLIN, WINDOW)
    daily = [
        days(f"{n}", "2026-10-20", "2026-10-21", "RRULE:FREQ=DAILY")
        for n in range(ENTRIES_MAX // 399 + 1)
    ]
    with pytest.raises(InvalidRequest, match="entries"):
        read(*daily)
    assert len(read(*daily[:-1])) > 4000


PIECES = st.sampled_from(
    [
        "BEGIN:VEVENT", "END:VEVENT", "BEGIN:VCALENDAR", "END:VCALENDAR", "BEGIN:VTIMEZONE",
        "END:VTIMEZONE", "BEGIN:STANDARD", "END:STANDARD", "TZID:X", "TZOFFSETTO:+0100",
        "TZOFFSETFROM:+9900", "UID:a", "UID:", "DTSTART:20261101T100000", "DTSTART;TZID=X:2026",
        "DTSTART;VALUE=DATE:20261101", "DTEND:20261101T110000Z", "DURATION:P1D", "DURATION:P",
        "RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=YEARLY;BYWEEKNO=54", "RRULE:FREQ=MONTHLY;BYDAY=9",
        "RRULE:=", "RRULE:FREQ=DAILY;UNTIL=1", "EXDATE:20261101T100000,", "RDATE:",
        "RDATE;VALUE=DATE:1", "RECURRENCE-ID:20261101T100000Z",
        "SEQUENCE:x", "SEQUENCE:2", "STATUS:", "SUMMARY;X:\\n\\",
        ' ";:', "\t", "é\u2028x:1", "SUMMARY", ":", ";=",
    ]
)  # fmt: skip


@given(st.lists(PIECES | st.text(max_size=20), max_size=25), st.booleans())
def test_whatever_comes_is_read_or_refused(pieces: list[str], framed: bool) -> None:
    text = "\r\n".join(pieces)
    if framed:
        text = f"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n{text}\r\nEND:VEVENT\r\nEND:VCALENDAR"
    try:
        found = read_calendar(text.encode("utf-8", "surrogatepass"), BERLIN, WINDOW)
    except InvalidRequest as error:
        assert error.data["field"] == "calendar"
    else:
        assert all(one.uid and one.start <= one.end for one in found)


@given(st.binary(max_size=200))
def test_whatever_bytes_come(content: bytes) -> None:
    with pytest.raises(InvalidRequest):
        read_calendar(content, BERLIN, WINDOW)
