"""The errors of invoices, branches of the one tree in bespeak.errors."""

from __future__ import annotations

from bespeak.errors import Refused


class InvoiceNotFound(Refused):
    """No invoice or credit note has this id."""

    code = "invoice_not_found"
    status = 404
    title = "There is no invoice with this id"


class BookingNotPaid(Refused):
    """An invoice is of money that was taken. Of this booking none was taken yet, or none had to
    be; where it is being taken, ask again in some seconds."""

    code = "booking_not_paid"
    retryable = True
    title = "Nothing was paid for this booking"


class InvoiceIssued(Refused):
    """What stands on an invoice was to be said before it was issued."""

    code = "invoice_issued"
    title = "The invoice was issued already"
