"""An invoice or a credit note as callers see it, and how it is read from the database's rows."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal

import msgspec

from bespeak import ids
from bespeak.invoices.billing import Buyer
from bespeak.invoices.content import InvoiceContent
from bespeak.money import Money
from bespeak.postgres.json_text import json_text

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record

_DIGITS = 6


class Invoice(msgspec.Struct, frozen=True, kw_only=True):
    """What was issued of a booking: an `invoice` of its payment, or a `credit_note` of a refund,
    which names the invoice that it `corrects`. The amount of a credit note is below zero. `buyer`
    is null where nobody said who it was, and where the law has let it go."""

    id: str
    number: str
    kind: Literal["invoice", "credit_note"]
    booking_id: str
    payment_id: str
    refund_id: str | None
    corrects: str | None
    issued_at: datetime
    amount: Money
    buyer: Buyer | None
    content: InvoiceContent


class InvoicePage(msgspec.Struct, frozen=True):
    """A page of documents, the earliest first; `next` is the cursor of the one after, null at the
    end."""

    items: list[Invoice]
    next: str | None


def invoice_of(row: Record) -> Invoice:
    """A document from its row, which has the buyer beside it."""
    found, buyer = row["invoice"], row["buyer"]
    is_credit_note = found["kind"] == "credit_note"
    return Invoice(
        id=ids.show(ids.INVOICE, found["invoice_id"]),
        number=number_of(found["prefix"], found["place"]),
        kind="credit_note" if is_credit_note else "invoice",
        booking_id=ids.show(ids.BOOKING, found["booking_id"]),
        payment_id=ids.show(ids.PAYMENT, found["payment_id"]),
        refund_id=None if not is_credit_note else ids.show(ids.REFUND, found["refund_id"]),
        corrects=None if not is_credit_note else ids.show(ids.INVOICE, found["corrects"]),
        issued_at=found["issued_at"],
        amount=Money(found["amount"] * (-1 if is_credit_note else 1), found["currency"]),
        buyer=None if buyer is None else msgspec.json.decode(json_text(buyer), type=Buyer),
        content=msgspec.json.decode(json_text(found["content"]), type=InvoiceContent),
    )


def number_of(prefix: str, place: int) -> str:
    """The number as it stands on the document: `2026-000042`."""
    return f"{prefix}{place:0{_DIGITS}}"
