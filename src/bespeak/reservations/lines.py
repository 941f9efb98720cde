"""The lines of a hold as they are kept: each shown line with the claims that it means. For plain
lines, a unit or a quantity of a pool each, the claims are the lines and nothing more is kept.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET, UnsetType

from bespeak.lines import Line
from bespeak.postgres.json_text import json_text


class LaterUnit(msgspec.Struct, frozen=True):
    """Another unit, in which a stay is from this date on."""

    unit: str
    from_: str = msgspec.field(name="from")


class BookedLine(msgspec.Struct, frozen=True):
    """A line of a booking, with how much of it was given back. A stay of which some nights were
    moved begins in its `unit`; `later` has those in which it is then, in order."""

    resource_id: str
    unit: str | None
    quantity: int | None
    cancelled_quantity: int
    from_: str | UnsetType = msgspec.field(default=UNSET, name="from")
    to: str | UnsetType = UNSET
    guests: int | UnsetType = UNSET
    ages: tuple[int, ...] | UnsetType = UNSET
    rate: str | UnsetType = UNSET
    later: tuple[LaterUnit, ...] | UnsetType = UNSET


class ShownLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line with the claims that it means: the place of each among the hold's claims, and how
    many of it; for how many it counts against an owner's limit; and the units that it is in later,
    of a stay of which some nights were moved."""

    line: Line
    claims: list[tuple[int, int]]
    weight: int
    later: tuple[LaterUnit, ...] = ()


class Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a hold shows when that is not simply its claims; `missing` is what was asked for and
    could not be given, of a request that wanted as much as there was."""

    lines: list[ShownLine]
    missing: list[Line] = []


def encode_shown(shown: Shown) -> str:
    """As it is stored."""
    return msgspec.json.encode(shown).decode()


def decode_shown(stored: object) -> Shown:
    """As it was stored."""
    return msgspec.json.decode(json_text(stored), type=Shown)


def same_line(one: Line, other: Line) -> bool:
    """Whether a line is what another names, whatever the quantity; it has the rate and the guests
    that the other says, if it says them."""
    return (
        (one.resource_id, one.unit, one.from_, one.to)
        == (other.resource_id, other.unit, other.from_, other.to)
        and other.rate in (UNSET, one.rate)
        and other.guests in (UNSET, one.guests)
        and other.ages in (UNSET, one.ages)
    )


def booked(line: Line, cancelled: int, later: Sequence[LaterUnit] = ()) -> BookedLine:
    """The line of a booking."""
    return BookedLine(
        line.resource_id,
        line.unit,
        line.quantity,
        cancelled,
        from_=line.from_,
        to=line.to,
        guests=line.guests,
        ages=line.ages,
        rate=line.rate,
        later=tuple(later) or UNSET,
    )


def counts(lines: Sequence[ShownLine]) -> list[int]:
    """How many each shown line is of, against which what is given back is counted."""
    return [shown.line.quantity or 1 for shown in lines]


def shown_lines(shown: Shown, units: Sequence[str]) -> list[Line]:
    """The lines to show. A number that the database gave out stands with the claims only."""
    return [
        each.line
        if each.line.next is UNSET
        else Line(each.line.resource_id, units[each.claims[0][0]], code=each.line.code)
        for each in shown.lines
    ]
