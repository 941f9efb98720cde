"""Giving less where less will do: what is left of the lines of a request when some of what they
claim was refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from bespeak import ids
from bespeak.lines import Line
from bespeak.parties import of_rooms
from bespeak.refusals import SHORT, Conflict
from bespeak.reservations.judgement import JudgedRequest

_NEXT = "next"  # how the database names numbers that are short


class Reduced(NamedTuple):
    """Lines of which so much is left as conflicts allow, and what is missing of each."""

    lines: list[Line]
    missing: list[Line]


def reduce_lines(
    lines: Sequence[Line],
    judged: JudgedRequest,
    origins: Sequence[int],
    conflicts: Sequence[Conflict],
) -> Reduced:
    """The lines without what stands in the way: an exclusive claim in conflict takes its whole line
    away, a pool that is short as many of the line as it lacks; of numbers those that are left."""
    taken = {(c.resource_id, c.unit) for c in conflicts if c.state != SHORT}
    left = {(c.resource_id, c.unit): c.available or 0 for c in conflicts if c.state == SHORT}
    kept = [_wanted(line) for line in lines]
    for chosen, index in enumerate(origins):
        claims = _claims_of(judged, chosen)
        if any(unit in taken for unit, _ in claims):
            kept[index] = 0
            continue
        short = [(unit, each) for unit, each in claims if unit in left]
        kept[index] = min([kept[index], *(left[unit] // each for unit, each in short)])
        for unit, each in short:
            left[unit] -= kept[index] * each
    reduced, missing = [], []
    for line, quantity in zip(lines, kept, strict=True):
        wanted = _wanted(line)
        if quantity == wanted:
            reduced.append(line)
            continue
        if quantity > 0:
            reduced.append(_of(line, 0, quantity))
        missing.append(_of(line, quantity, wanted - quantity))
    return Reduced(reduced, missing)


def _wanted(line: Line) -> int:
    return line.next if line.next is not UNSET else line.quantity or 1


def _of(line: Line, first: int, quantity: int) -> Line:
    """The line of so many, from the first of them on."""
    if line.next is not UNSET:
        return msgspec.structs.replace(line, next=quantity)
    if line.quantity is None:
        return line
    return of_rooms(line, first, quantity)


def _claims_of(judged: JudgedRequest, index: int) -> list[tuple[tuple[str, str], int]]:
    """The claims of one line, as conflicts name them, and how many of it each one of the line
    draws. The numbers of a line are one shortage, told once."""
    line = judged.lines[index]
    if line.next is not UNSET:
        return [((line.resource_id, _NEXT), 1)]
    own = [(index, line.quantity or 1)]
    mine = judged.claims_of_lines[index] if judged.claims_of_lines else own
    of_one = line.quantity or 1
    found = []
    for claim, quantity in mine:
        number, unit = judged.units[claim]
        found.append(((ids.show_resource(number), unit), max(1, quantity // of_one)))
    return found


def lost_numbers(
    lines: Sequence[Line], judged: JudgedRequest, conflicts: Sequence[Conflict]
) -> bool:
    """Whether all that was lost are numbers that the database gave while others named them: it
    gives others the next time."""
    given = {line.resource_id for line in lines if line.next is not UNSET}
    named = {(ids.show_resource(number), name) for number, name in judged.units}
    return bool(given and conflicts) and all(
        one.resource_id in given and one.state != SHORT and (one.resource_id, one.unit) not in named
        for one in conflicts
    )
