"""Times where clocks change: every clock of the tz database, around each change of its clocks. What
a clock on the wall shows is asked minute by minute and held against the rule.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bespeak import InvalidRequest, Line
from bespeak.inventory.plans import AvailabilityQuery, SaleContext
from bespeak.inventory.shapes.times.plan import TimesPlan
from bespeak.inventory.shapes.times.rules import CompiledTimes
from bespeak.inventory.snapshot import Snapshot
from bespeak.inventory.timeline.hours import Schedule, WeeklyHours
from bespeak.inventory.timeline.instants import instant_of, local_day, shown, within
from tests.harness.seeds import examples
from tests.unit.ledger import RESOURCE
from tests.unit.time_walls import DAY, ZONES, instant, runs, transitions, wall, zones_that_differ

HOURS = [
    ("00:00", "24:00"),
    ("00:30", "01:30"),
    ("01:30", "02:30"),
    ("02:15", "05:00"),
    ("22:00", "03:00"),
    ("23:30", "00:30"),
]


def _minutes(text: str) -> int:
    return int(text[:2]) * 60 + int(text[3:])


def _check_hours(key: str, change: int, step: int) -> None:
    """The hours of the dates around a change of the clocks, against a look at every instant."""
    zone = ZoneInfo(key)
    today = local_day(change, zone)
    instants = range(change - 5 * DAY // 2, change + 5 * DAY // 2, step)
    walls = {at: wall(at, zone) for at in instants}
    for begin, end in HOURS:
        schedule = Schedule((WeeklyHours(begin, end),), (), ())
        first = _minutes(begin) * 60
        length = (_minutes(end) - _minutes(begin)) % 1440 * 60 or DAY
        for day in (today - 1, today, today + 1):
            since = day * DAY + first
            inside = {at for at in instants if 0 <= walls[at] - since < length}
            expected = list(runs(instants, inside))
            assert list(schedule.pieces(zone, day)) == expected, (key, begin, end, day)


def test_hours_are_those_that_the_clocks_show() -> None:
    for key in zones_that_differ(2026):
        for change in (*transitions(key, 2026), instant(2026, 11, 22)):
            _check_hours(key, change, 300)


@settings(deadline=None, max_examples=examples(40))
@given(st.sampled_from(ZONES), st.integers(1973, 2060))
def test_hours_are_those_that_the_clocks_show_in_other_years(key: str, year: int) -> None:
    for change in transitions(key, year):
        _check_hours(key, change, 60)


@pytest.mark.parametrize("key", ["America/Goose_Bay", "Pacific/Apia", "Africa/Cairo"])
def test_hours_where_clocks_have_changed_at_odd_times(key: str) -> None:
    for change in transitions(key, 2011):
        _check_hours(key, change, 60)


def _times(slot: int, step: int, hours: Sequence[tuple[str, str]]) -> CompiledTimes:
    weekly = tuple(WeeklyHours(begin, end) for begin, end in hours)
    return CompiledTimes(
        TimesPlan(slot_minutes=slot, step_minutes=step, weekly=weekly, horizon_days=1000)
    )


PLANS = [
    _times(30, 30, [("00:00", "24:00")]),
    _times(45, 45, [("01:15", "03:30"), ("22:30", "01:00")]),
    _times(60, 15, [("00:30", "04:00")]),
]


def _check_slots(plan: CompiledTimes, key: str, change: int) -> None:
    """Slots at real instants: none overlaps another more than the step lets it, each lies in the
    hours from its beginning to its end, and can be held by the name that it is shown by."""
    zone = ZoneInfo(key)
    sale = SaleContext(datetime.fromtimestamp(change - 3 * DAY, UTC), zone, RESOURCE)
    query = AvailabilityQuery(shown(change - DAY, zone), shown(change + DAY, zone))
    slots = plan.reader.answer(query, Snapshot(), sale).slots
    assert slots
    rule = plan.rule
    windows = [window for hours in rule.plan.weekly for window in [_of_day(hours)]]
    starts, claims = [], []
    for slot in slots:
        start, end = instant_of(slot.from_, zone, ""), instant_of(slot.to, zone, "")
        assert end - start == rule.slot
        first = wall(start, zone)
        for at in range(start, end, 300):
            shows = wall(at, zone)
            assert any(
                0 <= (shows - begin) % DAY < length and abs(shows - first) < DAY
                for begin, length in windows
            ), (key, slot)
        meant = plan.line_claims(Line(RESOURCE, from_=slot.from_), sale)
        assert (meant.line.from_, meant.line.to) == (slot.from_, slot.to)
        starts.append(start)
        claims.append({need.unit for need in meant.needs})
    assert len({slot.from_ for slot in slots}) == len(slots)
    for (one, other), (its, others) in zip(pairwise(starts), pairwise(claims), strict=True):
        assert other - one >= rule.step
        assert bool(its & others) == (other < one + rule.slot)


def _of_day(hours: WeeklyHours) -> tuple[int, int]:
    begin = _minutes(hours.from_)
    return begin * 60, (_minutes(hours.to) - begin) % 1440 * 60 or DAY


def test_slots_lie_within_the_hours_and_never_overlap() -> None:
    for key in zones_that_differ(2026):
        for change in transitions(key, 2026)[:1] or (instant(2026, 6, 1),):
            for plan in PLANS:
                _check_slots(plan, key, change)
        for change in transitions(key, 2026)[1:]:
            _check_slots(PLANS[1], key, change)


def _starts(plan: CompiledTimes, key: str, date: str, following: str) -> list[str]:
    zone = ZoneInfo(key)
    sale = SaleContext(datetime(2026, 1, 1, tzinfo=UTC), zone, RESOURCE)
    query = AvailabilityQuery(date, following)
    return [slot.from_ for slot in plan.reader.answer(query, Snapshot(), sale).slots]


def test_the_hour_that_does_not_exist_is_not_there() -> None:
    plan = _times(60, 60, [("01:00", "05:00")])
    assert _starts(plan, "Europe/Berlin", "2026-03-29", "2026-03-30") == [
        "2026-03-29T01:00:00+01:00",
        "2026-03-29T03:00:00+02:00",
        "2026-03-29T04:00:00+02:00",
    ]
    within_gap = _times(30, 30, [("02:30", "04:00")])
    assert _starts(within_gap, "Europe/Berlin", "2026-03-29", "2026-03-30") == [
        "2026-03-29T03:00:00+02:00",
        "2026-03-29T03:30:00+02:00",
    ]


def test_the_hour_that_comes_twice_is_there_twice() -> None:
    plan = _times(60, 60, [("01:00", "04:00")])
    assert _starts(plan, "Europe/Berlin", "2026-10-25", "2026-10-26") == [
        "2026-10-25T01:00:00+02:00",
        "2026-10-25T02:00:00+02:00",
        "2026-10-25T02:00:00+01:00",
        "2026-10-25T03:00:00+01:00",
    ]
    half = _times(30, 30, [("02:30", "03:00")])
    assert _starts(half, "Europe/Berlin", "2026-10-25", "2026-10-26") == [
        "2026-10-25T02:30:00+02:00",
        "2026-10-25T02:30:00+01:00",
    ]


def test_clocks_that_change_by_half_an_hour() -> None:
    plan = _times(30, 30, [("01:00", "03:00")])
    assert _starts(plan, "Australia/Lord_Howe", "2026-04-05", "2026-04-06") == [
        "2026-04-05T01:00:00+11:00",
        "2026-04-05T01:30:00+11:00",
        "2026-04-05T01:30:00+10:30",
        "2026-04-05T02:00:00+10:30",
        "2026-04-05T02:30:00+10:30",
    ]


def test_a_date_that_a_zone_skipped_has_no_hours() -> None:
    zone = ZoneInfo("Pacific/Apia")
    skipped = instant(2011, 12, 30) // DAY
    assert within(zone, skipped * DAY, (skipped + 1) * DAY) == []
    assert Schedule((WeeklyHours("00:00", "24:00"),), (), ()).pieces(zone, skipped) == ()


@settings(deadline=None)
@given(st.sampled_from(ZONES), st.integers(instant(1973, 1, 1) // 60, instant(2200, 1, 1) // 60))
def test_a_time_is_read_as_it_is_shown(key: str, minute: int) -> None:
    zone = ZoneInfo(key)
    text = shown(minute * 60, zone)
    assert instant_of(text, zone, "from") == minute * 60
    assert wall(minute * 60, zone) == instant_of(text[:19] + "Z", zone, "from")


def test_a_local_time_is_read_only_where_it_is_one_instant() -> None:
    for key in zones_that_differ(2026):
        zone = ZoneInfo(key)
        for change in transitions(key, 2026):
            shows = [wall(change + minutes * 60, zone) for minutes in range(-180, 180, 15)]
            around = range(change - DAY // 2, change + DAY // 2, 900)
            for local in range(min(shows), max(shows), 900):
                instants = [at for at in around if wall(at, zone) == local]
                text = shown(local, ZoneInfo("UTC"))[:19]
                if len(instants) == 1:
                    assert instant_of(text, zone, "lines.from") == instants[0], key
                    continue
                with pytest.raises(InvalidRequest) as refused:
                    instant_of(text, zone, "lines.from")
                word = "comes twice" if instants else "does not exist"
                assert word in refused.value.detail, key
                assert refused.value.data["field"] == "lines.from"
