"""What the clocks of time zones do, found by asking `zoneinfo` instant by instant: the reference
that the tests of times hold the rules against.
"""

from collections.abc import Container, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

DAY = 86_400
ZONES = sorted(available_timezones())
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def instant(year: int, month: int, day: int, hour: int = 0, minute: int = 0) -> int:
    """A time in UTC as seconds since 1970."""
    return int(datetime(year, month, day, hour, minute, tzinfo=UTC).timestamp())


def wall(at: int, zone: ZoneInfo) -> int:
    """What a clock shows at an instant, as the seconds that it would be in UTC."""
    local = datetime.fromtimestamp(at, zone).replace(tzinfo=UTC)
    return (local - _EPOCH) // timedelta(seconds=1)


@cache
def transitions(key: str, year: int) -> tuple[int, ...]:
    """When the clocks of a zone change in a year: the first instants of the new time."""
    zone = ZoneInfo(key)

    def offset(at: int) -> int:
        return wall(at, zone) - at

    found = []
    step = DAY // 4
    for at in range(instant(year, 1, 1), instant(year + 1, 1, 1), step):
        if offset(at) != offset(at + step):
            low, high = at, at + step
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset(middle) == offset(at) else (low, middle)
            found.append(high)
    return tuple(found)


@cache
def zones_that_differ(year: int) -> tuple[str, ...]:
    """One zone of all whose clocks show the same in a year and a week around it: most of the names
    are other names for the same clocks."""
    found: dict[tuple[int, ...], str] = {}
    for key in ZONES:
        zone = ZoneInfo(key)
        border = (instant(year, 1, 1) - 7 * DAY, instant(year + 1, 1, 1) + 7 * DAY)
        changes = transitions(key, year)
        shows = (wall(at, zone) for at in (*border, *changes))
        found.setdefault((*changes, *shows), key)
    return tuple(found.values())


def runs(instants: range, inside: Container[int]) -> Iterator[tuple[int, int]]:
    """The longest ranges of instants, of so many as are looked at, that are all inside."""
    since = None
    for at in instants:
        if at in inside:
            since = at if since is None else since
        elif since is not None:
            yield since, at
            since = None
    if since is not None:
        yield since, instants.stop
