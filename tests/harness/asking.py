"""Lines by chance for every sample of tests/harness/shapes.py: sensible ones, and some that the
rules do not sell, so that random histories meet each other.
"""

from datetime import UTC, datetime, timedelta

import hypothesis.strategies as st
from hypothesis.strategies import SearchStrategy

from bespeak import Best, Line
from tests.harness.shapes import HERE, Shape, of

_FIRST_DATE = datetime(2029, 12, 31, tzinfo=UTC)


def asks(shape: Shape) -> SearchStrategy[Line]:
    """Lines for a sample."""
    return _ASKS[shape.name]


def date(days: int) -> str:
    """So many days after the last day of 2029."""
    return (_FIRST_DATE + timedelta(days=days)).date().isoformat()


def time(days: int, minutes: int, offset: str) -> str:
    """So many minutes after the midnight before a date, in a zone without changes."""
    moment = _FIRST_DATE + timedelta(days=days, minutes=minutes)
    return moment.replace(tzinfo=None).isoformat() + offset


def _stay(unit: str | None, quantity: int | None, start: int, nights: int) -> Line:
    return of(unit, quantity, date(start), date(start + nights))


def _slot(unit: str | None, quantity: int | None, days: int, minutes: int, zone: str) -> Line:
    return of(unit, quantity, time(days, minutes, zone))


def _range(unit: str | None, quantity: int | None, days: int, quarter: int, length: int) -> Line:
    start = 15 * quarter
    return of(unit, quantity, time(days, start, "+01:00"), time(days, start + length, "+01:00"))


def _journey(unit: str | None, quantity: int | None, start: int, legs: int) -> Line:
    return of(unit, quantity, "ABCDE"[start], "ABCDE"[min(4, start + legs)])


_few = st.integers(1, 3)
_maybe = st.none() | _few
_nights = st.integers(1, 5)
_seats = st.sampled_from([f"{row}{number}" for row in "ABC" for number in range(1, 7)])
_ASKS: dict[str, SearchStrategy[Line]] = {
    "seats": st.one_of(
        st.builds(of, _seats),
        st.builds(of, st.just("floor"), _few),
        st.builds(
            lambda count, category, split: Line(HERE, best=Best(count, category, split=split)),
            st.integers(1, 4),
            st.sampled_from([None, "gold", "silver"]),
            st.booleans(),
        ),
    ),
    "rooms": st.one_of(
        st.builds(
            _stay, st.sampled_from(["101", "102", "103"]), st.none(), st.integers(0, 40), _nights
        ),
        st.builds(_stay, st.none(), _maybe, st.integers(0, 40), _nights),
    ),
    "cottage": st.builds(
        _stay, st.sampled_from([None, "lake"]), st.none(), st.integers(0, 20), _nights
    ),
    "room type": st.builds(_stay, st.none(), _maybe, st.integers(8, 25), _nights),
    "times": st.one_of(
        st.builds(
            _slot,
            st.sampled_from(["dr-rao", "dr-sen"]),
            st.none(),
            st.integers(2, 4),
            st.integers(35, 44).map(lambda quarter: quarter * 15),
            st.just("+05:30"),
        ),
        st.builds(
            _slot,
            st.none(),
            st.none() | st.integers(1, 2),
            st.integers(2, 4),
            st.integers(36, 42).map(lambda quarter: quarter * 15),
            st.just("+05:30"),
        ),
    ),
    "times at rates": st.builds(
        lambda unit, days, minutes, rate: of(unit, None, time(days, minutes, "+01:00"), rate=rate),
        st.sampled_from([None, "dr-rao", "dr-sen"]),
        st.integers(2, 3),
        st.integers(54, 72).map(lambda part: part * 10),
        st.sampled_from(["First", "Short", "Short", "No such"]),
    ),
    "places in times": st.builds(
        _slot,
        st.none(),
        _maybe,
        st.integers(2, 4),
        st.sampled_from([0, 60, 1320, 1380, 1400]),
        st.just("-05:00"),
    ),
    "tickets": st.one_of(
        st.builds(lambda number: of(f"T{number}"), st.integers(0, 6)),
        st.builds(lambda count: Line(HERE, next=count), _few),
    ),
    "tickets in order": st.builds(lambda count: Line(HERE, next=count), st.integers(1, 2)),
    "pools": st.builds(
        of, st.sampled_from(["standing", "early-bird", "table", "presale", "area"]), _maybe
    ),
    "legs": st.one_of(
        st.builds(
            _journey,
            st.sampled_from(["S1", "S2", "S3", "S4", "F1", "F2"]),
            st.none(),
            st.integers(0, 3),
            st.integers(1, 4),
        ),
        st.builds(_journey, st.none(), _maybe, st.integers(0, 3), st.integers(1, 4)),
        st.builds(_journey, st.just("unreserved"), _few, st.integers(0, 3), st.integers(1, 4)),
    ),
    "moments": st.one_of(
        st.builds(
            _range,
            st.sampled_from(["court-1", "court-2"]),
            st.none(),
            st.integers(2, 3),
            st.integers(31, 44),
            st.sampled_from([15, 30, 45, 60, 120, 195]),
        ),
        st.builds(
            _range,
            st.none(),
            st.none() | st.integers(1, 2),
            st.integers(2, 3),
            st.integers(31, 44),
            st.sampled_from([30, 45, 60, 120]),
        ),
    ),
}
