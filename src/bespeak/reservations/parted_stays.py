"""Stays that are in one unit after the other: which nights of a line are in which, and what becomes
of that when some of them are moved. The line stays one, with its price and its ticket; its first
unit stands in it, the later ones beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from bespeak.reservations.lines import BookedLine, LaterUnit, ShownLine


class StayPart(NamedTuple):
    """From this date on a stay is in this unit. Dates compare as they are written."""

    unit: str
    first: str


class NightSpan(NamedTuple):
    """The nights from a date until before another."""

    first: str
    last: str


class StayedIn(NamedTuple):
    """A unit that a booked stay is in, from one date until another."""

    unit: str
    first: str
    last: str


def stayed_in(line: BookedLine) -> list[StayedIn]:
    """The units of a booked stay that is in several, one after the other; none of any other."""
    if not line.later or not isinstance(line.from_, str) or not isinstance(line.to, str):
        return []
    parts = [StayPart(line.unit or "", line.from_)]
    parts += [StayPart(one.unit, one.from_) for one in line.later]
    ends = [*(one.first for one in parts[1:]), line.to]
    return [StayedIn(one.unit, one.first, end) for one, end in zip(parts, ends, strict=True)]


def nights_of(shown: ShownLine) -> NightSpan | None:
    """The nights of a line; None: it is of none, as a ride from one stop to another."""
    line = shown.line
    if not isinstance(line.from_, str) or not isinstance(line.to, str):
        return None
    try:
        date.fromisoformat(line.from_)
    except ValueError:
        return None
    return NightSpan(line.from_, line.to)


def parts_of(shown: ShownLine) -> list[StayPart]:
    """The units of a line of nights, one after the other."""
    line = shown.line
    first = line.from_ if isinstance(line.from_, str) else ""
    return [
        StayPart(line.unit or "", first),
        *(StayPart(one.unit, one.from_) for one in shown.later),
    ]


def later_of(parts: Sequence[StayPart]) -> tuple[LaterUnit, ...]:
    """All but the first, as they are kept."""
    return tuple(LaterUnit(one.unit, one.first) for one in parts[1:])


def moved_parts(
    parts: Sequence[StayPart], end: str, nights: NightSpan, from_unit: str, to_unit: str
) -> list[StayPart]:
    """The units of a stay until `end` when those of these nights that are in the one unit are moved
    to the other; the same as before where there are none."""
    pieces: list[StayPart] = []
    for number, part in enumerate(parts):
        stop = parts[number + 1].first if number + 1 < len(parts) else end
        low = min(max(nights.first, part.first), stop)
        high = max(min(nights.last, stop), low)
        if part.unit != from_unit or low == high:
            pieces.append(part)
            continue
        cut = [(part.first, low, part.unit), (low, high, to_unit), (high, stop, part.unit)]
        pieces += [StayPart(unit, first) for first, last, unit in cut if first < last]
    return [
        piece
        for number, piece in enumerate(pieces)
        if number == 0 or piece.unit != pieces[number - 1].unit
    ]
