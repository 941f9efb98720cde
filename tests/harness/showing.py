"""What an availability says of single lines: each that it shows free, and each that it does not and
why. Whoever holds one at that instant must find it so.
"""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from bespeak import Availability, AvailabilityQuery, Best, Line
from bespeak.inventory.shapes.legs.availability import LegsAvailability
from bespeak.inventory.shapes.moments.availability import MomentRange, MomentsAvailability
from bespeak.inventory.shapes.nights.availability import CalendarNight, NightsAvailability
from bespeak.inventory.shapes.pools.availability import PoolsAvailability
from bespeak.inventory.shapes.seats.availability import SeatsAvailability
from bespeak.inventory.shapes.tickets.availability import TicketsAvailability
from bespeak.inventory.shapes.times.availability import TimesAvailability
from tests.harness.shapes import HERE, Shape, of

_LENGTH_MAX = 7


class Told(NamedTuple):
    """Lines of which each can be held, or none can, and why: by one of these words (none: that was
    not told)."""

    lines: list[Line]
    is_free: bool
    reasons: frozenset[str] = frozenset()


def free(*lines: Line) -> Told:
    """Each can be held."""
    return Told(list(lines), is_free=True)


def taken(lines: list[Line], *reasons: str | None) -> Told:
    """None can be held."""
    return Told(lines, is_free=False, reasons=frozenset(one for one in reasons if one))


def query_of(shape: Shape, dice: random.Random) -> AvailabilityQuery:
    """A part of the availability of a sample."""
    match shape.name:
        case "rooms":
            unit = dice.choice([None, "101", "102"])
            quantity = dice.randint(1, 3) if unit is None else 1
            return AvailabilityQuery("2029-12-31", "2030-02-10", quantity, unit)
        case "cottage" | "room type":
            quantity = dice.randint(1, 3) if shape.name == "room type" else 1
            return AvailabilityQuery("2029-12-31", "2030-01-31", quantity)
        case "times":
            unit = dice.choice([None, "dr-rao", "dr-sen"])
            quantity = dice.randint(1, 2) if unit is None else 1
            return AvailabilityQuery("2030-01-01", "2030-01-05", quantity, unit)
        case "times at rates":
            unit = dice.choice([None, "dr-rao"])
            rate = dice.choice(["First", "Short"])
            return AvailabilityQuery("2030-01-01", "2030-01-04", unit=unit, rate=rate)
        case "places in times":
            return AvailabilityQuery("2030-01-01", "2030-01-04", dice.randint(1, 4))
        case "legs":
            start = dice.randint(0, 3)
            stop = dice.randint(start + 1, 4)
            return AvailabilityQuery("ABCDE"[start], "ABCDE"[stop])
        case "moments":
            return AvailabilityQuery("2030-01-01", "2030-01-04", dice.randint(1, 2))
    return AvailabilityQuery(quantity=dice.randint(1, 3))


def told(seen: Availability, query: AvailabilityQuery, dice: random.Random) -> Iterator[Told]:
    """All that an availability says, some of it by samples."""
    match seen:
        case SeatsAvailability():
            return _seats(seen)
        case NightsAvailability():
            return _nights(seen)
        case TimesAvailability():
            return _times(seen, query.unit)
        case MomentsAvailability():
            return _moments(seen, dice)
        case TicketsAvailability():
            return _tickets(seen)
        case PoolsAvailability():
            return _pools(seen)
        case LegsAvailability():
            return _legs(seen)
    raise TypeError("an availability of a shape that is not known here")


def _seats(seen: SeatsAvailability) -> Iterator[Told]:
    for unit in (f"{row}{number}" for row in "ABC" for number in range(1, 7)):
        found = seen.taken.get(unit)
        yield free(of(unit)) if found is None else taken([of(unit)], found.state)
    for unit, level in seen.pools.items():
        if level.available:
            yield free(of(unit, level.available))
        yield taken([of(unit, level.available + 1)], "sold_out")


def _nights(seen: NightsAvailability) -> Iterator[Told]:
    quantity = seen.quantity if seen.unit is None else None
    for night in seen.nights:
        stays = [
            of(seen.unit, quantity, night.date, _later(night.date, length))
            for length in range(1, _LENGTH_MAX + 1)
        ]
        shown = _lengths(night)
        good = [stay for length, stay in enumerate(stays, start=1) if length in shown]
        bad = [stay for length, stay in enumerate(stays, start=1) if length not in shown]
        if good:
            yield free(*good)
        if bad and night.arrive:
            yield taken(bad)
        elif bad:
            yield taken(bad, night.reason)


def _lengths(night: CalendarNight) -> set[int]:
    if not night.arrive or night.min_nights is None or night.max_nights is None:
        return set()
    ranges = night.lengths or ((night.min_nights, night.max_nights),)
    return {length for low, high in ranges for length in range(low, high + 1)}


def _later(date: str, days: int) -> str:
    return (datetime.fromisoformat(date) + timedelta(days=days)).date().isoformat()


def _times(seen: TimesAvailability, unit: str | None) -> Iterator[Told]:
    for slot in seen.slots:
        line = of(unit, seen.quantity, slot.from_, rate=seen.rate or "")
        yield free(line) if slot.reason is None else taken([line], slot.reason)
        for name, places in slot.providers.items():
            alone = of(name, None, slot.from_, rate=seen.rate or "")
            if places.available:
                yield free(alone)
            else:
                yield taken([alone], places.reason)


def _moments(seen: MomentsAvailability, dice: random.Random) -> Iterator[Told]:
    step = timedelta(seconds=seen.raster_seconds)
    for thing in seen.things:
        for one in thing.free:
            yield free(*(_within(one, thing.unit, seen, dice) for _ in range(3)))
            start, stop = datetime.fromisoformat(one.from_), datetime.fromisoformat(one.to)
            least = timedelta(seconds=seen.min_seconds)
            yield taken([_moment(thing.unit, start - step, start - step + least)])
            yield taken([_moment(thing.unit, stop + step - least, stop + step)])
        for gone in thing.taken:
            line = of(thing.unit, None, gone.from_, gone.to)
            # A range that is longer or shorter than may be held is refused for that.
            yield taken([line], gone.state, "min_stay", "max_stay", "not_offered", "cutoff")
    for one in seen.together or ():
        if _seconds(one) < seen.min_seconds:
            continue  # what both have free together may be too short
        line = _within(one, None, seen, dice)
        yield free(of(None, seen.quantity, str(line.from_), str(line.to)))


def _within(
    one: MomentRange, unit: str | None, seen: MomentsAvailability, dice: random.Random
) -> Line:
    """Some part of a free range."""
    start = datetime.fromisoformat(one.from_)
    steps = _seconds(one) // seen.raster_seconds
    least = seen.min_seconds // seen.raster_seconds
    most = min(steps, seen.max_seconds // seen.raster_seconds)
    length = dice.randint(least, most)
    begin = dice.randint(0, steps - length)
    step = timedelta(seconds=seen.raster_seconds)
    return _moment(unit, start + begin * step, start + (begin + length) * step)


def _seconds(one: MomentRange) -> int:
    length = datetime.fromisoformat(one.to) - datetime.fromisoformat(one.from_)
    return int(length.total_seconds())


def _moment(unit: str | None, start: datetime, stop: datetime) -> Line:
    return of(unit, None, start.isoformat(), stop.isoformat())


def _tickets(seen: TicketsAvailability) -> Iterator[Told]:
    if seen.left:
        yield free(Line(HERE, next=seen.left))
    yield taken([Line(HERE, next=seen.left + 1)], "sold_out")
    if seen.next is not None and seen.next.startswith("T"):
        for number in range(1, seen.count + 1):
            found = seen.taken.get(f"T{number}")
            line = of(f"T{number}")
            yield free(line) if found is None else taken([line], found.state)


def _pools(seen: PoolsAvailability) -> Iterator[Told]:
    for name, product in seen.products.items():
        most = min(product.available, product.max_per_line or product.available)
        if product.needs_code:
            yield taken([of(name, max(1, most))], "code_needed")
        elif most:
            yield free(of(name, most), of(name, 1))
        if not product.needs_code:
            yield taken([of(name, product.available + 1)], "sold_out")


def _legs(seen: LegsAvailability) -> Iterator[Told]:
    start, stop = seen.from_, seen.to
    for name, level in seen.classes.items():
        if level.available:
            yield free(_any(name, level.available, start, stop), _any(name, 1, start, stop))
        yield taken([_any(name, level.available + 1, start, stop)], "sold_out", level.reason)
        for number in range(1, 5 if name == "second" else 3):
            unit = f"{'S' if name == 'second' else 'F'}{number}"
            found, line = seen.taken.get(unit), of(unit, None, start, stop)
            if found is not None:
                yield taken([line], found.state, level.reason)
            elif level.available:
                yield free(line)
            else:
                yield taken([line], level.reason)
    for unit, places in seen.pools.items():
        if places.available:
            yield free(of(unit, places.available, start, stop))
        yield taken([of(unit, places.available + 1, start, stop)], "sold_out", places.reason)
    for name, rows in (seen.matrix or {}).items():
        for place, row in enumerate(rows):
            for step, available in enumerate(row, start=1):
                ends = seen.stops[place], seen.stops[place + step]
                if available:
                    yield free(_any(name, available, *ends))
                yield taken([_any(name, available + 1, *ends)])


def _any(category: str, quantity: int, start: str, stop: str) -> Line:
    return Line(HERE, best=Best(quantity, category), from_=start, to=stop)
