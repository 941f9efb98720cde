"""What the entries of a calendar would block, and how a calendar is written."""

from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta
from itertools import chain
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import BlockLine, InvalidRequest, Money, PoolPlan, Resource, SeatsPlan, UnknownUnit
from bespeak.inventory.calendars.blocks import (
    BlockTarget,
    claims_of,
    entry_blocks,
    lines_without,
    read_entry_blocks,
)
from bespeak.inventory.calendars.entries import Entry, read_calendar, window_of
from bespeak.inventory.calendars.feed import Busy, place_of, write_calendar
from bespeak.inventory.plans import Plan, SaleContext
from bespeak.inventory.resources import ReadyResource, ready_resource
from bespeak.inventory.shapes.legs.plan import LegsPlan, Stop
from bespeak.inventory.shapes.moments.plan import MomentsPlan
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.inventory.shapes.times.plan import Provider, TimesPlan
from bespeak.inventory.timeline.hours import WeeklyHours
from tests.harness.icalendar_files import calendar, days

NOW = datetime(2026, 10, 20, 12, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
WINDOW = window_of(NOW, BERLIN)

ROOM = NightsPlan(rooms=("101",))
ROOMS = NightsPlan(rooms=("101", "102"))
TYPE = NightsPlan(count=4)
HOURS = (WeeklyHours("09:00", "17:00"),)
DOCTORS = TimesPlan(slot_minutes=30, weekly=HOURS, providers=(Provider("rao"), Provider("sen")))
COURT = MomentsPlan(raster_minutes=15)
PLACES = TimesPlan(slot_minutes=60, weekly=HOURS, capacity=8)


def stock(plan: Plan, **fields: object) -> ReadyResource:
    values: dict[str, object] = {
        "id": "res_00000001",
        "name": "It",
        "kind": "show",
        "state": "open",
        "published": True,
        "plan": plan,
        "time_zone": "Europe/Berlin",
        "opens_at": None,
        "closes_at": None,
        "starts_at": None,
        "ends_at": None,
        "hold_seconds": 600,
        "hold_seconds_max": 600,
        "owner_limit": None,
        "payment": "none",
        "payment_seconds": 900,
        "late_payment": "same_units",
        "pricing": None,
        "price": Money(0, "EUR"),
        "attributes": {},
        "version": 1,
        "created_at": NOW,
        "updated_at": NOW,
        **fields,
    }
    return ready_resource(Resource(**values))  # type: ignore[arg-type]


def target(plan: Plan, unit: str | None = None, quantity: int | None = None) -> BlockTarget:
    made = stock(plan)
    return BlockTarget(made, SaleContext(NOW, made.zone, made.resource.id), unit, quantity)


def at(day: int, hour: int = 0, minute: int = 0) -> datetime:
    """A time of November 2026, in winter time of Berlin, as UTC."""
    return datetime(2026, 11, day, hour, minute, tzinfo=BERLIN).astimezone(UTC)


def entry(start: date, end: date, uid: str = "a") -> Entry:
    return Entry(uid, "", start, end, "")


def lines(of: BlockTarget, *entries: Entry) -> list[BlockLine | None]:
    return [one.line for one in entry_blocks(of, entries, WINDOW)]


def nights(start: str, end: str, unit: str | None = None) -> BlockLine:
    return BlockLine(unit, from_=start, to=end)


@pytest.mark.parametrize(
    ("start", "end", "line"),
    [
        (date(2026, 11, 3), date(2026, 11, 5), nights("2026-11-03", "2026-11-05")),
        (at(3, 15), at(5, 11), nights("2026-11-03", "2026-11-05")),  # check-in and check-out
        (at(3, 15), at(3, 17), nights("2026-11-03", "2026-11-04")),
        (at(3, 15), at(3, 15), nights("2026-11-03", "2026-11-04")),
        (at(3, 22), at(4, 2), nights("2026-11-03", "2026-11-04")),
        (at(3, 22), at(4, 0), nights("2026-11-03", "2026-11-04")),
        (at(3, 0), at(4, 0), nights("2026-11-03", "2026-11-04")),  # a day by its hours
    ],
)
def test_nights_are_those_of_the_dates_that_an_entry_touches(
    start: date, end: date, line: BlockLine
) -> None:
    assert lines(target(ROOM), entry(start, end)) == [line]


def test_dates_are_those_of_the_resource_not_of_utc() -> None:
    late = datetime(2026, 11, 3, 23, 30, tzinfo=UTC)  # half past midnight of the 4th in Berlin
    assert lines(target(ROOM), entry(late, late + timedelta(hours=2))) == [
        nights("2026-11-04", "2026-11-05")
    ]


def test_times_are_shown_with_the_offset_of_the_resource() -> None:
    (line,) = lines(target(COURT), entry(at(3, 10), at(3, 11)))
    assert line == BlockLine(from_="2026-11-03T10:00:00+01:00", to="2026-11-03T11:00:00+01:00")
    (whole,) = lines(target(COURT), entry(date(2026, 10, 25), date(2026, 10, 26)))
    assert whole == BlockLine(from_="2026-10-25T00:00:00+02:00", to="2026-10-26T00:00:00+01:00")
    assert len(_units(target(COURT), whole)) == 25 * 4


def test_a_moment_keeps_nothing_busy_where_there_are_times() -> None:
    assert lines(target(COURT), entry(at(3, 10), at(3, 10))) == []


def test_what_is_longer_than_the_window_is_blocked_within_it() -> None:
    (line,) = lines(target(ROOM), entry(date(2020, 1, 1), date(2090, 1, 1)))
    assert line == nights("2026-10-19", "2027-11-23")


def test_of_entries_that_overlap_each_has_what_the_earlier_ones_leave() -> None:
    found = lines(
        target(ROOM),
        entry(date(2026, 11, 1), date(2026, 11, 5), "a"),
        entry(date(2026, 11, 2), date(2026, 11, 4), "within"),
        entry(date(2026, 11, 4), date(2026, 11, 8), "over the end"),
        entry(date(2026, 11, 8), date(2026, 11, 9), "beside"),
    )
    assert found == [
        nights("2026-11-01", "2026-11-05"),
        None,
        nights("2026-11-05", "2026-11-08"),
        nights("2026-11-08", "2026-11-09"),
    ]


def test_entries_that_share_a_cell_of_the_raster_do_not_collide() -> None:
    found = lines(
        target(COURT), entry(at(3, 9), at(3, 9, 50), "a"), entry(at(3, 9, 50), at(3, 10, 30), "b")
    )
    assert found[1] == BlockLine(from_="2026-11-03T10:00:00+01:00", to="2026-11-03T10:30:00+01:00")


def test_counted_entries_take_as_many_each() -> None:
    stay = date(2026, 11, 1), date(2026, 11, 3)
    both = lines(target(TYPE, quantity=1), entry(*stay, "a"), entry(*stay, "b"))
    assert both == [BlockLine(None, 1, from_="2026-11-01", to="2026-11-03")] * 2
    # All rooms of the type can be blocked only once.
    assert lines(target(TYPE), entry(*stay, "a"), entry(*stay, "b"))[1] is None
    assert lines(target(PLACES, quantity=3), entry(at(3, 9), at(3, 10)))[0] == BlockLine(
        None, 3, from_="2026-11-03T09:00:00+01:00", to="2026-11-03T10:00:00+01:00"
    )


TARGETS = [target(ROOM), target(ROOMS), target(ROOMS, "102"), target(DOCTORS, "rao"),
           target(COURT), target(TYPE)]  # fmt: skip


@st.composite
def entries(draw: st.DrawFn) -> list[Entry]:
    found = []
    for number in range(draw(st.integers(1, 6))):
        if draw(st.booleans()):
            first = date(2026, 11, draw(st.integers(1, 9)))
            found.append(entry(first, first + timedelta(days=draw(st.integers(1, 4))), f"{number}"))
        else:
            start = at(1) + timedelta(minutes=5 * draw(st.integers(0, 1000)))
            length = timedelta(minutes=5 * draw(st.integers(1, 200)))
            found.append(entry(start, start + length, f"{number}"))
    window = sorted(found, key=lambda one: (_instant(one.start), one.uid))
    return window


def _instant(when: date) -> datetime:
    if isinstance(when, datetime):
        return when
    return datetime(when.year, when.month, when.day, tzinfo=BERLIN)


@given(st.sampled_from(TARGETS), entries())
def test_together_the_lines_are_all_that_is_busy_and_each_part_once(
    of: BlockTarget, found: list[Entry]
) -> None:
    alone = [unit for one in found for unit in _units(of, entry_blocks(of, [one], WINDOW)[0].line)]
    together = entry_blocks(of, found, WINDOW)
    assert sorted(unit for one in together for unit in _units(of, one.line)) == sorted(set(alone))
    for one in together:
        assert one.claims == (frozenset() if one.line is None else claims_of(of, [one.line]))


def _units(of: BlockTarget, line: BlockLine | None) -> list[str]:
    return [] if line is None else [unit for unit, _ in claims_of(of, [line])]


@given(st.sampled_from(TARGETS[:-1]), entries(), st.randoms(use_true_random=False))
def test_what_is_left_of_a_line_is_all_but_what_is_taken(
    of: BlockTarget, found: list[Entry], dice: object
) -> None:
    line = entry_blocks(of, found[:1], WINDOW)[0].line
    assert line is not None
    units = _units(of, line)
    taken = {unit for unit in units if dice.random() < 0.3}  # type: ignore[attr-defined]
    left = lines_without(of, line, taken)
    assert sorted(_all(of, left)) == sorted(set(units) - taken)


def _all(of: BlockTarget, left: Collection[BlockLine]) -> list[str]:
    return list(chain.from_iterable(_units(of, line) for line in left))


def test_of_something_counted_no_part_is_blocked() -> None:
    line = BlockLine(None, 2, from_="2026-11-01", to="2026-11-03")
    assert lines_without(target(TYPE), line, {"2026-11-01"}) == []


def test_a_unit_that_is_none_is_refused() -> None:
    with pytest.raises(UnknownUnit):
        lines(target(ROOMS, "103"), entry(date(2026, 11, 1), date(2026, 11, 2)))


def test_what_no_entry_can_be_is_the_fault_of_the_request() -> None:
    with pytest.raises(InvalidRequest):
        lines(target(ROOMS, quantity=2), entry(date(2026, 11, 1), date(2026, 11, 2)))


def test_one_entry_that_is_too_much_leaves_the_others() -> None:
    many = target(MomentsPlan(raster_seconds=15))
    found = entry_blocks(
        many,
        [entry(at(1), at(9), "long"), entry(at(10, 9), at(10, 10), "short")],
        WINDOW,
    )
    assert found[0].line is None
    assert isinstance(found[0].problem, InvalidRequest)
    assert found[1].line is not None


def test_a_calendar_is_for_nights_and_times_only() -> None:
    with pytest.raises(InvalidRequest) as refused:
        read_entry_blocks(target(SeatsPlan(pools=(PoolPlan("floor", 5),))), calendar())
    assert refused.value.data["field"] == "plan"


# Writing


def busy(start: date, end: date | None, number: int = 1, details: str = "") -> Busy:
    return Busy("bkg_1", number, start, end, NOW, "Booked", details, False)


def test_what_is_written_is_read_again() -> None:
    made = [
        busy(date(2026, 11, 1), date(2026, 11, 4), 1),
        busy(at(5, 10), at(5, 11), 2, "semi; comma, line\nand \\ é \N{SNOWMAN}"),
        busy(at(6, 10), None, 3),
    ]
    content = write_calendar(stock(COURT, name="Court; 1, \\ north"), made)
    found = read_calendar(content, BERLIN, WINDOW)
    assert [(one.uid, one.start) for one in found] == [
        (f"bkg_1-{number}@bespeak", one.start) for number, one in enumerate(made, start=1)
    ]
    assert [one.end for one in found] == [date(2026, 11, 4), at(5, 11), at(6, 10)]
    assert content == write_calendar(stock(COURT, name="Court; 1, \\ north"), made)
    assert max(len(line) for line in content.split(b"\r\n")) <= 75


STOPS = LegsPlan(
    stops=(
        Stop("A", departs=at(3, 9)),
        Stop("B", arrives=at(3, 10), departs=at(3, 10, 5)),
        Stop("C", arrives=at(3, 11)),
        Stop("D"),
    ),
    pools=(PoolPlan("second", 9),),
)
SHOW = {"starts_at": "2026-11-03T20:00:00+01:00", "ends_at": "2026-11-03T22:00:00+01:00"}
HALL = SeatsPlan(pools=(PoolPlan("floor", 5),))


@pytest.mark.parametrize(
    ("made", "ends", "place"),
    [
        (stock(ROOM), ("2026-11-01", "2026-11-03"), (date(2026, 11, 1), date(2026, 11, 3))),
        (stock(COURT), ("2026-11-03T09:00Z", "2026-11-03T11:00+01:00"), (at(3, 10), at(3, 11))),
        (stock(STOPS), ("A", "C"), (at(3, 9), at(3, 11))),
        (stock(STOPS), ("B", "D"), (at(3, 10, 5), None)),
        (stock(STOPS), ("D", "A"), None),
        (stock(STOPS), ("X", "C"), None),
        (stock(HALL, attributes=SHOW), None, (at(3, 20), at(3, 22))),
        (stock(HALL, attributes={"starts_at": SHOW["starts_at"]}), None, (at(3, 20), None)),
        (stock(HALL, attributes={"starts_at": "20:00", "ends_at": 7}), None, None),
        (stock(HALL), None, None),
        (stock(ROOM), ("2026-11-01T10:00Z", "2026-11-03"), None),
    ],
)  # fmt: skip
def test_where_a_line_is_in_time(
    made: ReadyResource, ends: tuple[str, str] | None, place: tuple[date, date | None] | None
) -> None:
    line = BlockLine("x") if ends is None else BlockLine("x", from_=ends[0], to=ends[1])
    assert place_of(made, line.from_, line.to) == place


def test_days_are_written_as_they_are_read() -> None:
    (found,) = read_calendar(calendar(days("a", "2026-11-01", "2026-11-04")), BERLIN, WINDOW)
    (again,) = read_calendar(
        write_calendar(stock(ROOM), [busy(found.start, found.end)]), BERLIN, WINDOW
    )
    assert (again.start, again.end) == (found.start, found.end)
