"""What the entries of a calendar would block: each as one line of a block, in the words of the
resource's plan, and of each what the entries before it do not block already.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from msgspec import UNSET

from bespeak.errors import InvalidRequest, UnknownUnit
from bespeak.inventory.blocks import BlockLine
from bespeak.inventory.calendars.entries import (
    Entry,
    Window,
    instant,
    read_calendar,
    window_of,
)
from bespeak.inventory.plans import Need, SaleContext
from bespeak.inventory.resources import ReadyResource
from bespeak.inventory.timeline.instants import instant_of, is_date, shown
from bespeak.lines import Line

_CLAIMS_MAX = 1_000_000
_DAY = timedelta(days=1)
# No cell of a raster is as long, so entries that are further apart share none.
_APART = 2 * _DAY


# A unit, or so many of a pool.
Claims: TypeAlias = frozenset[tuple[str, int | None]]


class BlockTarget(NamedTuple):
    """What the entries of a calendar keep busy: all of the resource, or one unit of it, or so many
    of a counted one."""

    ready: ReadyResource
    sale: SaleContext
    unit: str | None = None
    quantity: int | None = None


class EntryBlock(NamedTuple):
    """An entry, the line that would block it, and its claims. Without a line, other entries of the
    calendar block all of it; or `problem` says why it cannot be blocked."""

    entry: Entry
    line: BlockLine | None = None
    claims: Claims = frozenset()
    problem: InvalidRequest | None = None


def check_kind(ready: ReadyResource) -> None:
    """Raises InvalidRequest for a plan that has neither nights nor times."""
    if ready.plan.range_kind not in ("dates", "times"):
        raise InvalidRequest(
            "a calendar keeps nights, times or moments busy; this resource has none of them",
            field="plan",
        )


def read_entry_blocks(target: BlockTarget, content: bytes) -> list[EntryBlock]:
    """What to block for the entries of an iCalendar file around the present. This is arithmetic
    that may take a second: event loops give it a thread.

    Raises InvalidRequest and UnknownUnit as `read_calendar` and `entry_blocks` do.
    """
    check_kind(target.ready)
    window = window_of(target.sale.now, target.ready.zone)
    return entry_blocks(target, read_calendar(content, target.ready.zone, window), window)


def entry_blocks(target: BlockTarget, entries: Sequence[Entry], window: Window) -> list[EntryBlock]:
    """What to block for each entry; they come in the order of their starts. An entry without any
    length keeps nothing busy where there are times.

    Raises UnknownUnit for a unit that the plan does not have, InvalidRequest for too much at once,
    or if no entry can be blocked, which is then the fault of the unit or the quantity.
    """
    found = list(_entry_blocks(target, entries, window))
    problems = [one.problem for one in found if one.problem is not None]
    if problems and len(problems) == len(found):
        raise problems[0]
    return found


def _entry_blocks(
    target: BlockTarget, entries: Sequence[Entry], window: Window
) -> Iterator[EntryBlock]:
    zone = target.ready.zone
    covered: set[str] = set()
    reached = window.start
    claims = 0
    for entry in entries:
        start, end = _ends(target.ready, entry, window)
        if start == end:
            continue
        line = BlockLine(target.unit, target.quantity, from_=start, to=end)
        try:
            needs = _needs(target, line)
        except UnknownUnit:
            raise
        except InvalidRequest as error:
            yield EntryBlock(entry, problem=error)
            continue
        claims += len(needs)
        if claims > _CLAIMS_MAX:
            raise InvalidRequest(
                f"calendar: its entries mean more than {_CLAIMS_MAX:,} claims", field="calendar"
            )
        if target.quantity is not None and needs[0].quantity is not None:
            yield EntryBlock(entry, line, _claims(needs))  # each takes as many of its own
            continue
        if instant(entry.start, zone) > reached + _APART:
            covered.clear()
        reached = max(reached, instant(entry.end, zone))
        marks = {need.unit.rpartition("@")[2] for need in needs}
        left = sorted(marks - covered)
        covered.update(left)
        if not left:
            yield EntryBlock(entry)
        elif len(left) == len(marks):
            yield EntryBlock(entry, line, _claims(needs))
        else:  # who began earlier has the first part of it
            rest = BlockLine(target.unit, target.quantity, from_=_start_of(left[0], zone), to=end)
            yield EntryBlock(entry, rest, _claims(_needs(target, rest)))


def claims_of(target: BlockTarget, lines: Iterable[BlockLine]) -> Claims:
    """The claims of the lines of a standing block, as far as the present plan knows them."""
    found: set[tuple[str, int | None]] = set()
    for line in lines:
        if line.from_ is UNSET and line.unit is not None:
            found.add((line.unit, line.quantity))  # what no rule could tell as a range
            continue
        with suppress(InvalidRequest):
            found.update(_claims(_needs(target, line)))
    return frozenset(found)


def lines_without(target: BlockTarget, line: BlockLine, taken: Collection[str]) -> list[BlockLine]:
    """The line less these units, as a line for each range that is left of a room, a provider or a
    thing; nothing, if it is of something counted."""
    needs = _needs(target, line)
    if any(need.quantity is not None for need in needs) or line.to is UNSET:
        return []
    zone = target.ready.zone
    by_track: dict[str, list[str]] = {}
    for need in needs:
        by_track.setdefault(need.unit.rpartition("@")[0], []).append(need.unit)
    found: list[BlockLine] = []
    for track, units in by_track.items():
        ends = [*(_start_of(unit.rpartition("@")[2], zone) for unit in units), line.to]
        free = [unit not in taken for unit in units]
        for is_free, places in groupby(range(len(units)), key=free.__getitem__):
            run = list(places)
            if is_free:
                start, end = ends[run[0]], ends[run[-1] + 1]
                found.append(BlockLine(track or None, from_=start, to=end))
    return found


def _claims(needs: Iterable[Need]) -> Claims:
    return frozenset((need.unit, need.quantity) for need in needs)


def _needs(target: BlockTarget, line: BlockLine) -> list[Need]:
    resource_id = target.ready.resource.id
    asked = Line(resource_id, line.unit, line.quantity, from_=line.from_, to=line.to)
    return target.ready.plan.block_needs(asked, target.sale)


def _ends(ready: ReadyResource, entry: Entry, window: Window) -> tuple[str, str]:
    """An entry's ends as lines have them. Of one that is longer than the window, as "closed until
    further notice" is, the part that is in it."""
    zone = ready.zone
    first, past = instant(entry.start, zone), instant(entry.end, zone)
    if past - first > window.end - window.start:
        first, past = max(first, window.start), min(past, window.end)
    if ready.plan.range_kind == "dates":
        arrival, departure = _day(first, zone), _day(past, zone)
        # Who comes and goes on one date keeps its night.
        return arrival.isoformat(), max(departure, arrival + _DAY).isoformat()
    return shown(int(first.timestamp()), zone), shown(int(past.timestamp()), zone)


def _day(moment: datetime, zone: ZoneInfo) -> date:
    return moment.astimezone(zone).date()


def _start_of(mark: str, zone: ZoneInfo) -> str:
    """The end of a range from the date or the instant in a claim's name."""
    return mark if is_date(mark) else shown(instant_of(mark, zone, "calendar"), zone)
