"""Schedules in CSV: what was written reads as the same plan, and errors say where they are."""

import csv
import io
from datetime import date, timedelta
from itertools import pairwise

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bespeak import InvalidRequest
from bespeak.inventory.fields import Weekday
from bespeak.inventory.shapes.registry import compile_plan, parse_plan
from bespeak.inventory.shapes.times.plan import Provider, TimesPlan
from bespeak.inventory.shapes.times.schedules import read_schedule_csv, write_schedule_csv
from bespeak.inventory.timeline.hours import Hours, SpecialDays, WeeklyHours
from tests.docs.pages import DOCS, blocks

WEEK: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WORK = WEEK[:5]

PRACTICE = """provider;days;from;to;date;until;closed;capacity;slot_minutes;price
;mon-fri;9:00;12:30;;;;;15;2500
;mon-fri;14:00:00;17:00;;;;;;
;;;;2026-12-25;;holiday;;;
;;;;2026-12-24;2027-01-02;Yes;;;2500
dr-rao;Mon, Wed;09:00;13:00;;;;;;

dr-rao;;10:00;12:00;2026-12-28;;;;;
dr-rao;;15:00;16:00;2026-12-28;;;;15;
dr-sen;;;;;;;3;;
dr-no;;;;;;yes;;;
"""


def test_a_schedule_as_people_write_it() -> None:
    plan = read_schedule_csv("\ufeff" + PRACTICE.replace("\n", "\r\n"))
    assert plan == TimesPlan(
        slot_minutes=15,
        price=2500,
        weekly=(WeeklyHours("09:00", "12:30", WORK), WeeklyHours("14:00", "17:00", WORK)),
        holidays=(date(2026, 12, 25),),
        exceptions=(SpecialDays(from_=date(2026, 12, 24), to=date(2027, 1, 2), closed=True),),
        providers=(
            Provider(
                "dr-rao",
                weekly=(WeeklyHours("09:00", "13:00", ("mon", "wed")),),
                exceptions=(
                    SpecialDays(
                        date=date(2026, 12, 28),
                        hours=(Hours("10:00", "12:00"), Hours("15:00", "16:00")),
                    ),
                ),
            ),
            Provider("dr-sen", capacity=3),
            Provider("dr-no", weekly=()),
        ),
    )
    assert read_schedule_csv(write_schedule_csv(plan)) == plan


def test_the_example_of_the_reference_is_a_schedule() -> None:
    (example,) = (
        block.text
        for block in blocks(DOCS / "reference" / "cli.md")
        if block.text.startswith("provider,")
    )
    plan = read_schedule_csv(example)
    assert (len(plan.weekly), len(plan.holidays), len(plan.providers)) == (1, 1, 1)


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("", WEEK),
        ("mon", ("mon",)),
        ("MON wed;fri", ("mon", "wed", "fri")),
        ("mon,tue", ("mon", "tue")),
        ("fri-mon", ("fri", "sat", "sun", "mon")),
        ("mon-tue sat", ("mon", "tue", "sat")),
        ("sun-sun", ("sun",)),
    ],
)
def test_days_of_the_week(said: str, days: tuple[Weekday, ...]) -> None:
    plan = read_schedule_csv(f'slot_minutes,days,from,to\n15,"{said}",09:00,10:00\n')
    assert plan.weekly == (WeeklyHours("09:00", "10:00", days),)


def clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


@st.composite
def windows(draw: st.DrawFn) -> tuple[Hours, ...]:
    """One to three hours of a day, apart from each other."""
    count = draw(st.integers(1, 3))
    edges = sorted(draw(st.sets(st.integers(0, 96), min_size=2 * count, max_size=2 * count)))
    return tuple(
        Hours(clock(edges[n] * 15), clock(edges[n + 1] * 15)) for n in range(0, 2 * count, 2)
    )


@st.composite
def weeks(draw: st.DrawFn) -> tuple[WeeklyHours, ...]:
    shuffled = draw(st.permutations(WEEK))
    cut = draw(st.integers(1, 7))
    groups = [group for group in (shuffled[:cut], shuffled[cut:]) if group]
    return tuple(
        WeeklyHours(hours.from_, hours.to, tuple(group))
        for group in groups
        for hours in draw(windows())
    )


@st.composite
def exceptions(draw: st.DrawFn) -> tuple[SpecialDays, ...]:
    found = []
    for _ in range(draw(st.integers(0, 4))):
        first = date(2026, 12, 1) + timedelta(days=draw(st.integers(0, 40)))
        past = first + timedelta(days=draw(st.integers(1, 9)))
        dates = draw(st.sampled_from([SpecialDays(date=first), SpecialDays(from_=first, to=past)]))
        is_closed = draw(st.booleans())
        found.append(
            msgspec.structs.replace(dates, closed=True)
            if is_closed
            else msgspec.structs.replace(dates, hours=draw(windows()))
        )
    return tuple(found)


names = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x2FF), min_size=1, max_size=9
).filter(lambda name: name == name.strip() and not name.startswith(("owner:", "code:", "next:")))


@st.composite
def plans(draw: st.DrawFn) -> TimesPlan:
    def maybe(values: st.SearchStrategy[int]) -> int | None:
        return draw(st.none() | values)

    providers = tuple(
        Provider(
            name,
            draw(st.none() | weeks() | st.just(())),
            draw(exceptions()) or None,
            maybe(st.integers(1, 5)),
        )
        for name in draw(st.lists(names, max_size=3, unique=True))
    )
    return TimesPlan(
        slot_minutes=draw(st.sampled_from([15, 30, 60])),
        weekly=draw(weeks()),
        exceptions=draw(exceptions()),
        holidays=tuple(draw(st.lists(st.dates(date(2026, 1, 1), date(2027, 1, 1)), max_size=3))),
        providers=providers,
        step_minutes=maybe(st.just(15)),
        buffer_before_minutes=draw(st.sampled_from([0, 15])),
        buffer_after_minutes=draw(st.sampled_from([0, 30])),
        notice_minutes=draw(st.integers(0, 600)),
        horizon_days=draw(st.integers(0, 400)),
        capacity=draw(st.integers(1, 9)),
        consecutive_max=draw(st.integers(1, 4)),
        price=maybe(st.integers(0, 10**9)),
    )


@given(plans())
def test_what_was_written_is_read_as_the_same_plan(plan: TimesPlan) -> None:
    try:
        compile_plan(plan)
    except InvalidRequest:
        assume(False)
    try:
        text = write_schedule_csv(plan)
    except InvalidRequest as refused:
        # Two exceptions of the same dates after each other: their hours would run together.
        assert _has_twins(plan), refused
    else:
        assert read_schedule_csv(text) == plan
    assert parse_plan(msgspec.json.encode(plan)) == plan


def _has_twins(plan: TimesPlan) -> bool:
    lists = [plan.exceptions, *(one.exceptions or () for one in plan.providers)]
    return any(
        (one.date, one.from_, one.to) == (other.date, other.from_, other.to)
        for listed in lists
        for one, other in pairwise(listed)
    )


def test_what_csv_cannot_say_is_refused_rather_than_left_out() -> None:
    weekly = (WeeklyHours("09:00", "10:00"),)
    without = TimesPlan(
        slot_minutes=15,
        weekly=weekly,
        exceptions=(SpecialDays(date=date(2026, 12, 24), closed=True),),
        providers=(Provider("dr-rao", exceptions=()),),
    )
    spaced = TimesPlan(slot_minutes=15, weekly=weekly, providers=(Provider(" dr-rao"),))
    for plan in (without, spaced):
        with pytest.raises(InvalidRequest, match="JSON"):
            write_schedule_csv(plan)


def table(*rows: str) -> str:
    return "provider,days,from,to,date,until,closed,capacity,slot_minutes\n" + "\n".join(rows)


BAD = [
    ("provider,wat\n", 1, "wat"),
    ("provider,provider\n", 1, "provider"),
    ("days,from,to\nmon,09:00,10:00\n", 1, "slot_minutes"),
    ("", 1, "slot_minutes"),
    (table(",mon,09:00,10:00,,,,,15", ",monday,09:00,10:00,,,,,"), 3, "days"),
    (table(",mon-,09:00,10:00,,,,,15"), 2, "days"),
    (table(",mon,09:00,,,,,,15"), 2, "to"),
    (table(",mon,,10:00,,,,,15"), 2, "from"),
    (table(",mon,,,,,,,15"), 2, "from"),
    (table(",mon,9am,10:00,,,,,15"), 2, "from"),
    (table(",mon,09:00,25:00,,,,,15"), 2, "to"),
    (table(",mon,09:00,10:00,2026-12-24,,,,15"), 2, "days"),
    (table(",,,,2026-12-24,,,,15"), 2, "from"),
    (table(",,,,24.12.2026,,yes,,15"), 2, "date"),
    (table(",,,,,2026-12-24,yes,,15"), 2, "date"),
    (table(",,,,,,yes,,15"), 2, "date"),
    (table(",,,,,,holiday,,15"), 2, "date"),
    (table(",,,,2026-12-24,2026-12-26,holiday,,15"), 2, "date"),
    (table("dr-rao,,,,2026-12-24,,holiday,,15"), 2, "provider"),
    (table(",,,,2026-12-24,,perhaps,,15"), 2, "closed"),
    (table(",,09:00,10:00,2026-12-24,,yes,,15"), 2, "closed"),
    (table(",mon,09:00,10:00,,,,,15", ",tue,09:00,10:00,,,,,30"), 3, "slot_minutes"),
    (table(",mon,09:00,10:00,,,,2,15", ",tue,09:00,10:00,,,,3,"), 3, "capacity"),
    (table(",mon,09:00,10:00,,,,x,15"), 2, "capacity"),
    (table(",mon,09:00,10:00,,,,-1,15"), 2, "capacity"),
    (table(",mon,09:00,10:00,,,,,15,extra"), 2, "slot_minutes"),
    (table(',mon,09:00,"10:00'), 2, "provider"),
]


@pytest.mark.parametrize(("text", "line", "column"), BAD, ids=range(len(BAD)))
def test_errors_name_their_line_and_column(text: str, line: int, column: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        read_schedule_csv(text)
    assert refused.value.data == {"field": "plan", "line": line, "column": column}


@pytest.mark.parametrize(
    "text",
    [
        table(",,,,,,,,15"),  # no hours at all
        table(",mon,09:00,10:00,,,,,0"),
        table(",mon,09:00,10:00,,,,,99999"),
        table(",mon,09:00,12:00,,,,,15", ",mon,11:00,13:00,,,,,"),
        table(",mon,09:00,10:00,,,,0,15"),
        table(",mon,09:00,10:00,,,,,15", ",,,,2026-12-26,2026-12-24,yes,,"),
        table(",mon,09:00,10:00,,,,,15", "a,,,,,,yes,,", "a,mon,09:00,10:00,,,,,"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        read_schedule_csv(text)
    assert refused.value.data["field"] == "plan"


COLUMNS = ["provider", "days", "from", "to", "date", "until", "closed", "capacity", "slot_minutes"]
CELLS = st.sampled_from(
    ["", "", "mon", "mon-fri", "09:00", "10:00", "2026-12-24", "yes", "holiday", "15", "a", "\x00"]
)


@given(
    st.lists(st.sampled_from(COLUMNS) | st.text(max_size=5), max_size=9),
    st.lists(st.lists(CELLS | st.text(max_size=5), max_size=10), max_size=6),
)
def test_whatever_comes_is_read_or_refused(columns: list[str], rows: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out).writerows([columns, *rows])
    for text in (out.getvalue(), "\n".join(",".join(row) for row in (columns, *rows))):
        try:
            plan = read_schedule_csv(text)
        except InvalidRequest as error:
            assert error.data["field"] == "plan"
        else:
            assert plan.slot_minutes
