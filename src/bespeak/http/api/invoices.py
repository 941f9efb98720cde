"""Invoices and credit notes: issued for bookings that were paid, read, listed for accountants."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidCursor, InvalidId, InvalidRequest
from bespeak.http.api.tickets import PDF, PDF_HEADERS
from bespeak.http.server import tags
from bespeak.http.server.answers import Answer, WholeList
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_BOOKING, SERVERS, documented, endpoint_table
from bespeak.http.server.languages import LanguageTag, language_of
from bespeak.http.server.periods import Moment, period
from bespeak.http.server.scopes import READ, SELL
from bespeak.http.server.spreadsheets import CSV, Cell, csv_answer, decimal
from bespeak.http.server.workspaces import Reach
from bespeak.invoices.errors import BookingNotPaid, InvoiceNotFound
from bespeak.invoices.invoice import Invoice, InvoicePage

_CSV_ROWS_MAX = 10_000
_HEAD = (
    *("number", "kind", "date", "booking", "buyer", "tax", "rate in percent"),
    *("net", "tax amount", "gross", "total", "currency", "corrects"),
)

ENDPOINTS, endpoint = endpoint_table(tags.INVOICES)


class InvoiceList(WholeList[Invoice], frozen=True):
    """What was issued of a booking, in the order of the numbers."""


class DocumentQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """In which language the document speaks."""

    lang: LanguageTag | None = None


class InvoiceQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Issued when, half-open; which page of it, in which form."""

    from_: Moment | None = msgspec.field(default=None, name="from")
    to: Moment | None = None
    after: Annotated[str, documented("^[0-9a-f]{1,14}-[0-9a-f]{32}$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100
    format: Literal["json", "csv"] = "json"


class IssueOutstanding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of which time the documents are to be issued: paid or given back in it, half-open."""

    from_: Moment | None = msgspec.field(default=None, name="from")
    to: Moment | None = None


class IssuedOutstanding(msgspec.Struct, frozen=True):
    """For how many bookings documents were issued; where it is not `complete`, ask again."""

    bookings: int
    complete: bool


@endpoint(
    "POST",
    "/v1/bookings/{booking_id}/invoices",
    "Issue the invoice of a booking",
    status=201,
    needs_shopper=True,
    booking_link_opens=True,
    errors=(*OF_BOOKING, BookingNotPaid),
    scopes=SELL,
)
async def issue_invoices(call: Call[None, None]) -> InvoiceList:
    """Issues the invoice of a booking that was paid, and a credit note for each refund that was
    made. Each is issued once and stays as it is; repeated, it answers the same."""
    return InvoiceList(
        await call.service.invoices.issue(call.path["booking_id"], owner=call.acting_owner())
    )


@endpoint(
    "GET",
    "/v1/bookings/{booking_id}/invoices",
    "The invoices of a booking",
    needs_shopper=True,
    booking_link_opens=True,
    errors=OF_BOOKING,
    scopes=READ | SELL,
)
async def list_booking_invoices(call: Call[None, None]) -> InvoiceList:
    """What was issued of a booking: invoice and credit notes, in the order of their numbers."""
    return InvoiceList(
        await call.service.invoices.of_booking(call.path["booking_id"], owner=call.acting_owner())
    )


@endpoint(
    "GET",
    "/v1/bookings/{booking_id}/invoices/{invoice_id}/document.pdf",
    "An invoice of a booking as a PDF",
    answers=PDF,
    needs_shopper=True,
    booking_link_opens=True,
    errors=(*OF_BOOKING, InvoiceNotFound),
    scopes=READ | SELL,
)
async def get_booking_invoice_pdf(call: Call[DocumentQuery, None]) -> Answer:
    """An invoice or a credit note of a booking, to keep or to print."""
    number, body = await call.service.invoices.pdf(
        call.path["invoice_id"],
        booking_id=call.path["booking_id"],
        owner=call.acting_owner(),
        language=language_of(call.headers, call.query.lang),
    )
    return _pdf_answer(number, body)


@endpoint(
    "GET",
    "/v1/invoices/{invoice_id}",
    "Read an invoice",
    kinds=SERVERS,
    errors=(InvalidId, InvoiceNotFound),
    scopes=READ,
)
async def get_invoice(call: Call[None, None]) -> Invoice:
    """An invoice or a credit note, as it was issued."""
    return await call.service.invoices.get(call.path["invoice_id"])


@endpoint(
    "GET",
    "/v1/invoices/{invoice_id}/document.pdf",
    "An invoice as a PDF",
    answers=PDF,
    kinds=SERVERS,
    errors=(InvalidId, InvoiceNotFound),
    scopes=READ,
)
async def get_invoice_pdf(call: Call[DocumentQuery, None]) -> Answer:
    """An invoice or a credit note, to keep or to print."""
    number, body = await call.service.invoices.pdf(
        call.path["invoice_id"], language=language_of(call.headers, call.query.lang)
    )
    return _pdf_answer(number, body)


@endpoint(
    "GET",
    "/v1/invoices",
    "List invoices",
    kinds=SERVERS,
    also=CSV,
    errors=(InvalidCursor, InvalidRequest),
    scopes=READ,
    reach=Reach.WORKSPACE,
)
async def list_invoices(call: Call[InvoiceQuery, None]) -> InvoicePage | Answer:
    """What was issued in a time, the earliest first: for the accountant."""
    query = call.query
    since, until = period(query.from_, query.to)
    is_csv = query.format == "csv"
    page = await call.service.invoices.page(
        since,
        until,
        workspace=call.workspace,
        after=query.after,
        limit=_CSV_ROWS_MAX if is_csv else query.limit,
    )
    if not is_csv:
        return page
    rows = [row for one in page.items for row in _rows(one)]
    return csv_answer("invoices.csv", _HEAD, rows, next_=page.next)


@endpoint(
    "POST",
    "/v1/invoices",
    "Issue what is outstanding",
    kinds=SERVERS,
    errors=(InvalidRequest,),
    scopes=SELL,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def issue_outstanding_invoices(call: Call[None, IssueOutstanding]) -> IssuedOutstanding:
    """Issues the invoices of all that was paid in a time and has none, and the credit notes of all
    that was given back in it: for a hundred bookings a call, the earliest first."""
    since, until = period(call.body.from_, call.body.to)
    done, is_all = await call.service.invoices.issue_outstanding(
        since, until, workspace=call.workspace
    )
    return IssuedOutstanding(done, is_all)


def _pdf_answer(number: str, body: bytes) -> Answer:
    name = number.replace("/", "-")
    named = (b"content-disposition", f'inline; filename="{name}.pdf"'.encode())
    return Answer(200, body, headers=(*PDF_HEADERS, named), content_type=PDF.encode())


def _rows(invoice: Invoice) -> list[list[Cell]]:
    """A row for each tax, since an accountant books them apart."""
    buyer, currency = invoice.buyer, invoice.amount.currency
    named = None if buyer is None else buyer.company or buyer.name
    return [
        [
            *(invoice.number, invoice.kind, invoice.issued_at, invoice.content.booking_code, named),
            share.label,
            None if share.basis_points is None else decimal(share.basis_points, "EUR"),
            *(decimal(one, currency) for one in (share.net, share.tax, share.gross)),
            decimal(invoice.amount.amount, currency),
            currency,
            invoice.corrects,
        ]
        for share in invoice.content.taxes
    ]
