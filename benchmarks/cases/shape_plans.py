"""The plans that the cases of shapes hold from, and endless fresh lines of each."""

import datetime as dt
from collections.abc import Iterator
from itertools import count, islice

from bespeak import Best, Line

BUYERS = count()
STOPS = "ABCDEFGHIJKLM"

THEATRE: dict[str, object] = {
    "type": "seats",
    "sections": [
        {"name": "Stalls", "rows": [{"name": chr(65 + row), "seats": 20} for row in range(15)]}
    ],
}
ROOMS: dict[str, object] = {"type": "nights", "rooms": [f"{100 + room}" for room in range(100)]}
ROOM_TYPE: dict[str, object] = {"type": "nights", "count": 400}
LARGE_TYPE: dict[str, object] = {"type": "nights", "count": 50}
LARGE_HOTEL: dict[str, object] = {"type": "nights", "rooms": [f"{room:03}" for room in range(50)]}
_DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
CLINIC: dict[str, object] = {
    "type": "times",
    "slot_minutes": 15,
    "weekly": [{"days": _DAYS, "from": "08:00", "to": "18:00"}],
    "providers": [{"name": f"doctor-{number}"} for number in range(10)],
}
TOKENS: dict[str, object] = {"type": "tickets", "count": 100_000, "refill": "never"}
FESTIVAL: dict[str, object] = {
    "type": "pools",
    "pools": [
        {"unit": "area", "capacity": 1_000_000},
        {"unit": "day", "capacity": 1_000_000},
        {"unit": "early", "capacity": 1_000_000},
    ],
    "products": [
        {"name": "adult", "draws": [{"pool": "area"}, {"pool": "day"}, {"pool": "early"}]}
    ],
}
TRAIN: dict[str, object] = {
    "type": "legs",
    "stops": [{"code": stop, "name": f"Stop {stop}"} for stop in STOPS],
    "sections": [
        {
            "name": "Second",
            "category": "second",
            "rows": [{"name": f"{car}-", "seats": 80} for car in range(1, 6)],
        }
    ],
}
DRIVERS: dict[str, object] = {
    "type": "moments",
    "raster_minutes": 5,
    "things": [f"driver-{number}" for number in range(100)],
}


def first(lines: Iterator[list[Line]], number: int) -> list[list[Line]]:
    """The first so many."""
    return list(islice(lines, number))


def _day(days: int) -> str:
    return (dt.datetime.now(dt.UTC).date() + dt.timedelta(days=days)).isoformat()


def best_pairs(resources: list[str]) -> Iterator[list[Line]]:
    """The best two seats, of each show in turn: 120 times each of 150."""
    for _ in range(120):
        for resource in resources:
            yield [Line(resource, best=Best(2))]


def stays(resources: list[str]) -> Iterator[list[Line]]:
    """Seven nights in an exact room."""
    for week in range(50):
        for room in range(100):
            for resource in resources:
                begins, ends = _day(2 + 7 * week), _day(9 + 7 * week)
                yield [Line(resource, f"{100 + room}", from_=begins, to=ends)]


def typed_stays(resources: list[str]) -> Iterator[list[Line]]:
    """Seven nights in some room of a type, many beginning on one day."""
    for _ in range(400):
        for week in range(50):
            for resource in resources:
                yield [Line(resource, from_=_day(2 + 7 * week), to=_day(9 + 7 * week))]


def groups(resources: list[str]) -> Iterator[list[Line]]:
    """Fifty rooms for five nights."""
    for week in range(70):
        for resource in resources:
            yield [Line(resource, quantity=50, from_=_day(2 + 5 * week), to=_day(7 + 5 * week))]


def slots(resources: list[str]) -> Iterator[list[Line]]:
    """Fifteen minutes of one doctor."""
    for days in range(1, 85):
        for slot in range(40):
            begins = f"{_day(days)}T{8 + slot // 4:02}:{slot % 4 * 15:02}:00Z"
            for doctor in range(10):
                for resource in resources:
                    yield [Line(resource, f"doctor-{doctor}", from_=begins)]


def numbers(resources: list[str]) -> Iterator[list[Line]]:
    """The next number."""
    while True:
        for resource in resources:
            yield [Line(resource, next=1)]


def products(resources: list[str]) -> Iterator[list[Line]]:
    """Two tickets that count against three pools each."""
    while True:
        for resource in resources:
            yield [Line(resource, "adult", 2)]


def journeys(resources: list[str]) -> Iterator[list[Line]]:
    """An exact seat over six legs, the first half of the run and then the second."""
    for ends in (("A", "G"), ("G", "M")):
        for car in range(1, 6):
            for seat in range(1, 81):
                for resource in resources:
                    yield [Line(resource, f"{car}-{seat}", from_=ends[0], to=ends[1])]


def rides(resources: list[str]) -> Iterator[list[Line]]:
    """75 minutes of one driver."""
    for days in range(1, 60):
        for ride in range(18):
            begins = dt.datetime.fromisoformat(_day(days)).replace(tzinfo=dt.UTC)
            begins += dt.timedelta(minutes=75 * ride)
            ends = (begins + dt.timedelta(minutes=75)).isoformat()
            for driver in range(100):
                for resource in resources:
                    yield [Line(resource, f"driver-{driver}", from_=begins.isoformat(), to=ends)]


def nights_of(line: Line) -> tuple[str, int, int]:
    """A stay as numbers: its room, and its days since the first of all days."""
    begins = dt.date.fromisoformat(str(line.from_)).toordinal()
    return str(line.unit), begins, dt.date.fromisoformat(str(line.to)).toordinal()


def legs_of(line: Line) -> tuple[str, int, int]:
    """A journey as numbers: its seat, and the stops from the first."""
    return str(line.unit), STOPS.index(str(line.from_)), STOPS.index(str(line.to))
