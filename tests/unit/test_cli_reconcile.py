"""The time that `bespeak reconcile` compares, as its options name it."""

from datetime import UTC, datetime

import pytest

from bespeak.cli.reconcile import window
from bespeak.errors import InvalidRequest

NOW = datetime(2026, 11, 21, 8, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        (None, None, ("2026-11-20T00:00Z", "2026-11-21T00:00Z")),
        ("2026-11-01", None, ("2026-11-01T00:00Z", "2026-11-02T00:00Z")),
        (None, "2026-11-01", ("2026-10-31T00:00Z", "2026-11-01T00:00Z")),
        ("2026-11-01", "2026-12-01", ("2026-11-01T00:00Z", "2026-12-01T00:00Z")),
        ("2026-11-01T10:00+02:00", "2026-11-01T10:00Z", ("2026-11-01T08:00Z", "2026-11-01T10:00Z")),
        ("2026-11-02", "2026-11-01", None),
        ("2026-11-01", "2026-11-01", None),
        ("2020-01-01", "2026-11-01", None),
        ("yesterday", None, None),
        ("2026-13-01", None, None),
        ("9999-12-31", None, None),
        ("0001-01-01T00:00+14:00", None, None),
        (None, "0001-01-01", None),
        ("", None, None),
    ],
)
def test_the_time_that_the_options_name(
    since: str | None, until: str | None, expected: tuple[str, str] | None
) -> None:
    if expected is None:
        with pytest.raises(InvalidRequest):
            window(since, until, NOW)
        return
    assert tuple(f"{one:%Y-%m-%dT%H:%MZ}" for one in window(since, until, NOW)) == expected


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        (None, None, ("2026-11-20T08:30Z", "2026-11-21T08:30Z")),
        ("2026-11-01", None, ("2026-11-01T00:00Z", "2026-11-21T08:30Z")),
        (None, "2026-11-01", ("2026-10-31T00:00Z", "2026-11-01T00:00Z")),
    ],
)
def test_the_time_of_lost_payments_ends_now(
    since: str | None, until: str | None, expected: tuple[str, str]
) -> None:
    found = window(since, until, NOW, until_now=True)
    assert tuple(f"{one:%Y-%m-%dT%H:%MZ}" for one in found) == expected
