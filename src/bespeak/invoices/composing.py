"""Composes the content of an invoice from a booking as its rows have it, and that of a credit note
from its invoice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bespeak.inventory.resources import ReadyResource
from bespeak.invoices.content import (
    InvoiceContent,
    InvoiceLine,
    Payer,
    Seller,
    returned_shares,
    tax_shares,
    unit_amounts,
)
from bespeak.pricing.quotes import QuoteLine
from bespeak.reservations.holds import Booking
from bespeak.reservations.lines import BookedLine
from bespeak.ticketing.occasions import occasion_of

if TYPE_CHECKING:
    from datetime import datetime

    from bespeak.inventory.calendars.events import When
    from bespeak.postgres.pool import Record


def compose_invoice(
    row: Record, booking: Booking, ready: Mapping[str, ReadyResource], seller: Seller
) -> InvoiceContent:
    """What stands on the invoice of a booking that was paid."""
    payment = row["payment"]
    total: int = payment["captured"]
    quote = booking.quote
    parts = [] if quote is None else quote.lines
    if quote is None:
        amounts = unit_amounts(row["hold"]["amounts"], len(booking.lines), total)
        lines = [
            _unit(line, ready.get(line.resource_id), line.unit or "", amount, line.quantity or 1)
            for line, amount in zip(booking.lines, amounts, strict=True)
        ]
    else:
        lines = [_line(part, booking, ready) for part in parts if part.kind != "tax"]
    return InvoiceContent(
        seller=seller,
        booking_code=booking.code,
        lines=lines,
        taxes=tax_shares(parts, total),
        paid=Payer(payment["provider"], payment["captured_at"]),
    )


def compose_credit_note(
    invoice: InvoiceContent, total: int, before: int, amount: int, cause: str
) -> InvoiceContent:
    """What stands on the credit note of a refund, of which so much had gone back before. Whoever
    sold says what they said then: it corrects that document."""
    return InvoiceContent(
        seller=invoice.seller,
        booking_code=invoice.booking_code,
        lines=[InvoiceLine(kind="refund", label="", amount=-amount)],
        taxes=returned_shares(invoice.taxes, total, before, amount),
        cause=cause,
    )


def _line(part: QuoteLine, booking: Booking, ready: Mapping[str, ReadyResource]) -> InvoiceLine:
    if part.kind == "unit" and part.line is not None:
        line = booking.lines[part.line]
        return _unit(line, ready.get(line.resource_id), part.label, part.amount, part.quantity)
    return InvoiceLine(
        kind="discount" if part.kind == "discount" else "fee",
        label=part.label,
        amount=part.amount,
        quantity=part.quantity,
    )


def _unit(
    line: BookedLine, ready: ReadyResource | None, label: str, amount: int, quantity: int
) -> InvoiceLine:
    """A line for units. A resource that is gone leaves what was booked of it."""
    if ready is None:
        return InvoiceLine(kind="unit", label=label, amount=amount, quantity=quantity)
    occasion = occasion_of(ready, line)
    section = "" if line.unit is None else ready.plan.section_of(line.unit)
    rate = line.rate if isinstance(line.rate, str) and ready.plan.range_kind == "times" else ""
    said = dict.fromkeys((section, label, rate))
    detail = ", ".join(text for text in said if text and text != ready.resource.name)
    return InvoiceLine(
        kind="unit",
        label=ready.resource.name,
        detail=detail,
        amount=amount,
        quantity=quantity,
        starts=_text(occasion.start),
        ends=_text(occasion.end),
        zone=ready.resource.time_zone,
    )


def _text(when: When | datetime | None) -> str | None:
    return None if when is None else when.isoformat()
