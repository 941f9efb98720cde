"""What a booking's cancellation owes its buyer: the terms that were frozen with the hold's quote,
applied to what is cancelled now, less what was promised before. It decides nothing else and writes
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.errors import NotInBooking
from bespeak.inventory.resources import ReadyResource
from bespeak.inventory.starts import starts_of
from bespeak.lines import Line
from bespeak.pricing.refund_steps import RefundStep, cuts_of, refund_steps
from bespeak.pricing.refunds import CancelledPart, LineRefund, RefundDue, refund_by_terms
from bespeak.pricing.rounding import spread
from bespeak.reservations.holds import Booking
from bespeak.reservations.lines import BookedLine
from bespeak.reservations.parts import part_of

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record

NOT_PAID = "not_paid"


class RefundLine(msgspec.Struct, frozen=True):
    """What would be given back for a line: its place in the booking, how many of it, the amount in
    minor units, the share of the price in basis points, and the rule that says so."""

    line: int
    resource_id: str
    unit: str | None
    quantity: int
    amount: int
    basis_points: int
    rule: str


class RefundQuote(msgspec.Struct, frozen=True):
    """What a cancellation would give back now, in minor units. `rule` is that of its lines:
    `no_policy` (all), `before:SECONDS`, `too_late`, `not_refundable`, `not_paid`, or `mixed`.
    `steps` say what it gives back from now on; the first is what it gives now."""

    amount: int
    currency: str
    rule: str
    lines: list[RefundLine]
    steps: list[RefundStep] = []


def left_of(booking: Booking, resource_id: str | None = None) -> list[CancelledPart]:
    """All that is left of a booking, or of its lines of one resource."""
    return [
        _part(place, line, count_of(line) - line.cancelled_quantity)
        for place, line in enumerate(booking.lines)
        if line.cancelled_quantity < count_of(line) and resource_id in (None, line.resource_id)
    ]


def asked_of(row: Record, booking: Booking, lines: Sequence[Line]) -> list[CancelledPart]:
    """What lines name of a booking. Raises NotInBooking for what it never had, not for what is
    cancelled already: the database knows that, and whether the request is a repeat."""
    wanted: dict[int, int] = {}
    if row["hold"]["shown"] is None:
        places = {(line.resource_id, line.unit): at for at, line in enumerate(booking.lines)}
        for line in lines:
            place = places.get((line.resource_id, line.unit))
            if place is None:
                raise NotInBooking(lines=[{"resource_id": line.resource_id, "unit": line.unit}])
            wanted[place] = wanted.get(place, 0) + (line.quantity or 1)
    else:
        part = part_of(row["hold"], lines, row["booking"]["cancelled_shown"])
        named = zip(part.shown_lines or (), part.shown_quantities or (), strict=True)
        wanted = {place - 1: quantity for place, quantity in named}
    return [_part(place, booking.lines[place], wanted[place]) for place in sorted(wanted)]


def gone_of(parts: Sequence[CancelledPart]) -> list[CancelledPart]:
    """The parts of which not so much is left."""
    return [part for part in parts if part.before + part.quantity > part.of]


def check_left(booking: Booking, parts: Sequence[CancelledPart]) -> None:
    """Raises NotInBooking for parts of which not so much is left."""
    gone = gone_of(parts)
    if gone:
        lines = [booking.lines[part.line] for part in gone]
        raise NotInBooking(
            lines=[{"resource_id": line.resource_id, "unit": line.unit} for line in lines]
        )


def due_of(
    row: Record,
    booking: Booking,
    parts: Sequence[CancelledPart],
    ready_resources: Mapping[int, ReadyResource],
    *,
    in_full: bool = False,
    at: datetime | None = None,
) -> RefundDue:
    """What cancelling these parts gives back at the time of the row (`answered_at`), which has the
    booking's hold and payment, or at another: by the frozen terms, or `in_full` whatever they
    say."""
    payment = row["payment"]
    if payment is None:
        return RefundDue(0, [LineRefund(part.line, 0, 0, NOT_PAID) for part in parts], NOT_PAID)
    quote = booking.quote
    amounts: list[int] | None = row["hold"]["amounts"]
    count = len(booking.lines)
    if amounts is None or len(amounts) != count:
        # A hold from elsewhere may not know the price of each line: then all units cost the same.
        amounts = spread(payment["amount"], [count_of(line) for line in booking.lines])
        quote = None
    terms = quote.terms_of() if quote is not None and not in_full else [None] * count
    return refund_by_terms(
        terms,
        amounts=amounts,
        fees=payment["amount"] - sum(amounts),
        starts=[None if in_full else _start(line, ready_resources) for line in booking.lines],
        now=at or row["answered_at"],
        lines=parts,
        already=payment["refunding"],
        line_fees=quote.fees if quote is not None else (),
    )


def steps_of(
    row: Record,
    booking: Booking,
    parts: Sequence[CancelledPart],
    ready_resources: Mapping[int, ReadyResource],
) -> list[RefundStep]:
    """What cancelling these parts gives back from the time of the row on, step by step."""
    terms = [] if booking.quote is None else booking.quote.terms_of()
    starts = [_start(line, ready_resources) for line in booking.lines]
    cuts = cuts_of(terms, starts) if len(terms) == len(starts) else []
    return refund_steps(
        lambda at: due_of(row, booking, parts, ready_resources, at=at), cuts, row["answered_at"]
    )


def quote_of(
    booking: Booking,
    parts: Sequence[CancelledPart],
    due: RefundDue,
    steps: list[RefundStep],
) -> RefundQuote:
    """A refund as it is shown before."""
    return RefundQuote(
        due.amount,
        booking.amount.currency,
        due.rule,
        [
            RefundLine(
                part.line,
                booking.lines[part.line].resource_id,
                booking.lines[part.line].unit,
                part.quantity,
                line.amount,
                line.basis_points,
                line.rule,
            )
            for part, line in zip(parts, due.lines, strict=True)
        ],
        steps,
    )


def count_of(line: BookedLine) -> int:
    """How many a line is of."""
    return line.quantity or 1


def _part(place: int, line: BookedLine, quantity: int) -> CancelledPart:
    return CancelledPart(place, quantity, count_of(line), line.cancelled_quantity)


def _start(line: BookedLine, ready_resources: Mapping[int, ReadyResource]) -> datetime | None:
    ready = ready_resources.get(ids.parse_resource(line.resource_id))
    if ready is None:
        return None
    return starts_of(ready, line.from_, line.to)
