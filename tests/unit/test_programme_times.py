"""When copies of a performance are, by the clocks of its venue."""

from datetime import UTC, date, datetime

import pytest

from bespeak.errors import InvalidRequest
from bespeak.verticals.programme.copies import copy_times
from bespeak.verticals.programme.forms import NewCopies, Weekly

BERLIN = "Europe/Berlin"
# A Friday of winter time, 20:00 in Berlin.
FIRST = datetime(2026, 10, 16, 18, 0, tzinfo=UTC)


def times(asked: NewCopies, first: datetime = FIRST, zone: str = BERLIN) -> list[str]:
    return [f"{one:%m-%d %H:%M}" for one in copy_times(asked, first, zone)]


def test_each_week_keeps_the_time_of_day_when_summer_time_ends() -> None:
    weekly = Weekly(days=("fri",), until=date(2026, 11, 6))
    assert times(NewCopies(weekly=weekly)) == ["10-23 18:00", "10-30 19:00", "11-06 19:00"]


def test_several_days_a_week_at_another_time() -> None:
    weekly = Weekly(days=("sun", "sat"), until=date(2026, 10, 25), time="15:30")
    assert times(NewCopies(weekly=weekly)) == [
        "10-17 13:30",
        "10-18 13:30",
        "10-24 13:30",
        "10-25 14:30",
    ]


def test_listed_times_are_by_the_clocks_of_the_venue_unless_they_say_otherwise() -> None:
    asked = NewCopies(starts_at=("2026-11-01T20:00", "2026-10-20T20:00", "2026-10-20T18:00:00Z"))
    assert times(asked) == ["10-20 18:00", "11-01 19:00"]


def test_a_time_that_comes_twice_is_the_first_of_the_two() -> None:
    night = datetime(2026, 10, 18, 0, 30, tzinfo=UTC)  # 02:30 of a Sunday
    weekly = Weekly(days=("sun",), until=date(2026, 10, 25))
    assert times(NewCopies(weekly=weekly), night) == ["10-25 00:30"]


def test_a_time_that_clocks_skip_is_refused() -> None:
    night = datetime(2026, 3, 22, 1, 30, tzinfo=UTC)  # 02:30 of a Sunday
    weekly = Weekly(days=("sun",), until=date(2026, 3, 29))
    with pytest.raises(InvalidRequest, match="the clocks of Europe/Berlin skip"):
        copy_times(NewCopies(weekly=weekly), night, BERLIN)


def test_a_day_of_the_venue_is_not_a_day_of_utc() -> None:
    late = datetime(2026, 10, 17, 2, 0, tzinfo=UTC)  # Friday, 22:00 in New York
    weekly = Weekly(days=("fri",), until=date(2026, 10, 23))
    assert times(NewCopies(weekly=weekly), late, "America/New_York") == ["10-24 02:00"]
