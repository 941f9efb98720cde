"""The raster: time cut into cells of one length, counted from 1970, so that a range of instants is
a list of claims. A cell's claim is named by its first instant in UTC, because what is taken must
keep its name when a country changes its clocks.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from operator import attrgetter, itemgetter
from zoneinfo import ZoneInfo

from bespeak.inventory.plans import ShownClaim
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.inventory.timeline.instants import DAY, FIRST_DATE, shown, shown_day

# Without a name there is one track, and its claims have no prefix.
UNNAMED = ""
NOW = "now"
_SEPARATOR = "@"
# So many cells are looked for in the time that one name takes to be read.
_LOOKS_FOR_A_PARSE = 4
_MINUTES = tuple(f"T{hour:02}:{minute:02}" for hour in range(24) for minute in range(60))
_MINUTE_OF = {text: minute for minute, text in enumerate(_MINUTES)}

TakenCells = list[tuple[int, TakenClaims]]


class Raster:
    """Cells of so many seconds on tracks: the providers, courts, drivers that are taken apart.

    The claim of a cell is `dr-rao@2026-11-22T03:45Z`; seconds are said only by a raster that is
    not of whole minutes. One instant has exactly one name.
    """

    def __init__(self, seconds: int, tracks: Iterable[str]) -> None:
        self.seconds = seconds
        self.tracks = frozenset(tracks)
        self._with_seconds = seconds % 60 != 0
        self._length = len("2026-11-22T03:45:15Z" if self._with_seconds else "2026-11-22T03:45Z")

    def down(self, instant: float) -> int:
        """The cell that an instant is in."""
        return int(instant // self.seconds)

    def up(self, instant: float) -> int:
        """The first cell that begins at an instant or after it."""
        return int(-(-instant // self.seconds))

    def mark(self, cell: int) -> str:
        """The name of the first instant of a cell, in UTC."""
        instant = cell * self.seconds
        minute, second = divmod(instant % DAY, 60)
        day = _day_text(instant // DAY)
        if self._with_seconds:
            return f"{day}{_MINUTES[minute]}:{second:02}Z"
        return f"{day}{_MINUTES[minute]}Z"

    def name(self, track: str, cell: int) -> str:
        return f"{prefix(track)}{self.mark(cell)}"

    def names(self, track: str, cells: Iterable[int]) -> list[str]:
        start, mark = prefix(track), self.mark
        return [start + mark(cell) for cell in cells]

    def cell_of(self, unit: str) -> tuple[str, int] | None:
        """The track and the cell of a claim's name, or None for what is none of this raster's."""
        text, rest = unit[-self._length :], unit[: -self._length]
        track = rest[:-1]
        if track not in self.tracks or rest != prefix(track):
            return None
        cell = _cell_of(self, text)
        return None if cell is None else (track, cell)

    def shown_claim(self, unit: str, zone: ZoneInfo) -> ShownClaim:
        found = self.cell_of(unit)
        if found is None:
            return ShownClaim(unit)
        track, cell = found
        start = cell * self.seconds
        return ShownClaim(
            track or None, shown(start, zone), shown(start + self.seconds, zone), cell
        )

    def taken(
        self, snapshot: Snapshot, tracks: Sequence[str], first: int, past: int, now: float
    ) -> dict[str, TakenCells]:
        """The cells from `first` until before `past` that are taken at this time, by track and in
        order. It looks through the shorter: the cells, or all that the snapshot has."""
        found: dict[str, TakenCells] = {track: [] for track in tracks}
        if not snapshot.units or past <= first:
            return found
        if len(tracks) * (past - first) <= _LOOKS_FOR_A_PARSE * len(snapshot.units):
            marks = [self.mark(cell) for cell in range(first, past)]
            known = snapshot.units
            for track in tracks:
                start, cells = prefix(track), found[track]
                for index, mark in enumerate(marks):
                    if start + mark in known:
                        taken = snapshot.taken(start + mark, now)
                        if taken is not None:
                            cells.append((first + index, taken))
            return found
        # All marks are of one length, so their order as texts is their order in time.
        low, high, length = self.mark(first), self.mark(past), self._length
        for unit in snapshot.units:
            if low <= unit[-length:] < high:
                track_cell = self.cell_of(unit)
                taken = snapshot.taken(unit, now)
                if track_cell is not None and taken is not None and track_cell[0] in found:
                    found[track_cell[0]].append((track_cell[1], taken))
        for cells in found.values():
            cells.sort(key=itemgetter(0))
        return found

    def parsed(self, text: str) -> int | None:
        """The cell whose mark this text is, or None."""
        day, minute = _day_of(text[:10]), _MINUTE_OF.get(text[10:16])
        second = text[17:19] if self._with_seconds else "00"
        if day is None or minute is None or not (second.isascii() and second.isdigit()):
            return None
        cell, rest = divmod(day * DAY + minute * 60 + int(second), self.seconds)
        return cell if rest == 0 and self.mark(cell) == text else None


@lru_cache(maxsize=65_536)
def _cell_of(raster: Raster, text: str) -> int | None:
    return raster.parsed(text)


def prefix(track: str) -> str:
    """What the claims of a track begin with."""
    return f"{track}{_SEPARATOR}" if track else ""


def among(cells: TakenCells, first: int, past: int) -> TakenCells:
    """Those of the taken cells, which are in order, from `first` until before `past`."""
    return cells[
        bisect_left(cells, first, key=itemgetter(0)) : bisect_left(cells, past, key=itemgetter(0))
    ]


def worse(one: TakenClaims, other: TakenClaims) -> TakenClaims:
    """Which of two reasons stands longer; of two without an end a booking rather than a block."""
    if one.until is None or other.until is None:
        if one.until is None and other.until is None:
            return max(one, other, key=attrgetter("state"))
        return one if one.until is None else other
    return one if one.until >= other.until else other


def containing(ranges: Sequence[tuple[int, int]], first: int, past: int) -> tuple[int, int] | None:
    """The range, of ranges in order, that has all from `first` until before `past`, if one does."""
    index = bisect_right(ranges, first, key=itemgetter(0)) - 1
    if index >= 0 and ranges[index][1] >= past:
        return ranges[index]
    return None


@lru_cache(maxsize=4096)
def _day_text(day: int) -> str:
    return shown_day(day)


@lru_cache(maxsize=4096)
def _day_of(text: str) -> int | None:
    try:
        return date.fromisoformat(text).toordinal() - FIRST_DATE
    except ValueError:
        return None
