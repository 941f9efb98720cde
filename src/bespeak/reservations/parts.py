"""Parts of a booking: which claims, and how much of the owner's limits, go with the lines that are
to be given back. The database checks that the booking still has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from bespeak import ids
from bespeak.errors import NotInBooking
from bespeak.lines import Line
from bespeak.reservations.holds import shown_of
from bespeak.reservations.lines import Shown, same_line, shown_lines

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record


class BookingPart(NamedTuple):
    """Claims to free (no quantity: an exclusive unit), and, where a hold shows other lines than
    its claims, the places of these lines (from 1) and how many of each; and all that the hold had
    when this was found."""

    resources: list[int] | None
    units: list[str] | None
    quantities: list[int | None] | None
    shown_lines: list[int] | None = None
    shown_quantities: list[int] | None = None
    known_units: list[str] | None = None


NO_PART = BookingPart(None, None, None)


def part_of(hold: Record, lines: Sequence[Line], cancelled: Sequence[int] | None) -> BookingPart:
    """The claims of the hold that these lines stand for, given how many of each of its shown lines
    are cancelled (None: none yet). Raises NotInBooking."""
    shown = shown_of(hold)
    if shown is None:
        for line in lines:
            if not line.is_plain or line.unit is None:
                raise _not_in(line)
        return BookingPart(
            [ids.parse_resource(line.resource_id) for line in lines],
            [line.unit or "" for line in lines],
            [line.quantity for line in lines],
        )
    return _part_of_shown(hold, shown, lines, cancelled or [0] * len(shown.lines))


def part_of_resource(hold: Record, booking: Record, number: int) -> BookingPart | None:
    """All that is left of a booking's lines of one resource; None where nothing is."""
    shown = shown_of(hold)
    count = len(hold["units"]) - (hold["limit_lines"] if shown is None else 0)
    gone = booking["cancelled"] or [0] * len(hold["units"])
    left = [
        (unit, quantity, (quantity or 1) - gone[index])
        for index, (resource, unit, quantity) in enumerate(
            zip(
                hold["resources"][:count],
                hold["units"][:count],
                hold["quantities"][:count],
                strict=True,
            )
        )
        if resource == number and gone[index] < (quantity or 1)
    ]
    if not left:
        return None
    part = BookingPart(
        [number] * len(left),
        [unit for unit, _, _ in left],
        [None if quantity is None else rest for _, quantity, rest in left],
    )
    if shown is None:
        return part
    gone = booking["cancelled_shown"] or [0] * len(shown.lines)
    resource_id = ids.show_resource(number)
    places = [
        (place + 1, of - gone[place])
        for place, of in enumerate(hold["shown_quantities"])
        if shown.lines[place].line.resource_id == resource_id and gone[place] < of
    ]
    return part._replace(
        shown_lines=[place for place, _ in places],
        shown_quantities=[rest for _, rest in places],
    )


def _part_of_shown(
    hold: Record, shown: Shown, lines: Sequence[Line], cancelled: Sequence[int]
) -> BookingPart:
    theirs = shown_lines(shown, hold["units"])
    freed: dict[int, int] = {}
    limits: dict[int, int] = {}
    places: list[int] = []
    counts: list[int] = []
    for line in lines:
        place = _place(theirs, line, places, cancelled)
        each = shown.lines[place]
        of_line = theirs[place].quantity or 1
        quantity = line.quantity or of_line
        if quantity > of_line:
            raise _not_in(line)
        places.append(place + 1)
        counts.append(quantity)
        for index, drawn in each.claims:
            freed[index] = freed.get(index, 0) + drawn * quantity // of_line
        number = ids.parse_resource(line.resource_id)
        limits[number] = limits.get(number, 0) + each.weight * quantity // of_line
    claims = len(hold["units"]) - hold["limit_lines"]
    for index in range(claims, len(hold["units"])):
        if limits.get(hold["resources"][index]):
            freed[index] = limits[hold["resources"][index]]
    chosen = sorted(freed)
    return BookingPart(
        [hold["resources"][index] for index in chosen],
        [hold["units"][index] for index in chosen],
        [None if hold["quantities"][index] is None else freed[index] for index in chosen],
        places,
        counts,
    )


def _place(
    theirs: Sequence[Line], line: Line, used: Sequence[int], cancelled: Sequence[int]
) -> int:
    """Which of the shown lines this one names, each once; of those that are alike, one that has as
    much left. Raises NotInBooking."""
    alike = [
        place for place, one in enumerate(theirs) if same_line(one, line) and place + 1 not in used
    ]
    if not alike:
        raise _not_in(line)
    for place in alike:
        of_line = theirs[place].quantity or 1
        if of_line - cancelled[place] >= (line.quantity or of_line):
            return place
    return alike[0]  # the database refuses it, or knows it as a repeat


def _not_in(line: Line) -> NotInBooking:
    return NotInBooking(lines=[{"resource_id": line.resource_id, "unit": line.unit}])
