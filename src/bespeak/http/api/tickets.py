"""The tickets of a booking: as JSON, as a PDF, as QR codes."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidRequest
from bespeak.http.server import tags
from bespeak.http.server.answer_headers import INERT_POLICY
from bespeak.http.server.answers import Answer, JsonAnswer
from bespeak.http.server.asgi import Headers
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_BOOKING, endpoint_table
from bespeak.http.server.languages import LanguageTag, language_of
from bespeak.http.server.scopes import SELL
from bespeak.ticketing.errors import TicketCancelled, TicketNotFound
from bespeak.ticketing.service import PAGE_MAX, PDF_PAGES_MAX
from bespeak.ticketing.tickets import TicketPage

PDF = "application/pdf"
_SVG = "image/svg+xml"
_SVG_TEXT = f"{_SVG}; charset=utf-8".encode()
# A ticket is somebody's way in: not for the caches on the way, nor for a browser's guesses.
_PRIVATE: Headers = (
    (b"cache-control", b"private, no-store"),
    (b"x-content-type-options", b"nosniff"),
)
_INERT: Headers = ((b"content-security-policy", INERT_POLICY + b"; style-src 'unsafe-inline'"),)
# Browsers show a PDF by a viewer of their own, which some of them count as an object of the page.
_FRAMELESS: Headers = (
    (b"content-security-policy", b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
)
PDF_HEADERS: Headers = (*_PRIVATE, *_FRAMELESS)
"""What goes with a PDF that is somebody's own."""
_INDEX_DIGITS_MAX = 10

After = Annotated[int, Meta(ge=0, le=2_000_000_000)]

ENDPOINTS, endpoint = endpoint_table(tags.TICKETS)


class TicketQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which tickets of the booking: those after this index, so many at most."""

    after: After = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = 100
    lang: LanguageTag | None = None


class PdfQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which tickets of the booking become pages: those after this index, so many at most."""

    after: After = 0
    limit: Annotated[int, Meta(ge=1, le=PDF_PAGES_MAX)] = PDF_PAGES_MAX
    lang: LanguageTag | None = None


@endpoint(
    "GET",
    "/v1/bookings/{booking_id}/tickets",
    "The tickets of a booking",
    needs_shopper=True,
    booking_link_opens=True,
    errors=OF_BOOKING,
    scopes=SELL,
)
async def list_tickets(call: Call[TicketQuery, None]) -> JsonAnswer[TicketPage]:
    """The tickets of a booking, with the signed codes that let one in and how they stand."""
    query = call.query
    page = await call.service.tickets.tickets(
        call.path["booking_id"],
        owner=call.acting_owner(),
        after=query.after,
        limit=query.limit,
        language=language_of(call.headers, query.lang),
    )
    return JsonAnswer(200, page, headers=_PRIVATE)


@endpoint(
    "GET",
    "/v1/bookings/{booking_id}/tickets.pdf",
    "The tickets as a PDF",
    answers=PDF,
    needs_shopper=True,
    booking_link_opens=True,
    errors=(*OF_BOOKING, TicketNotFound, TicketCancelled),
    scopes=SELL,
)
async def get_tickets_pdf(call: Call[PdfQuery, None]) -> Answer:
    """The tickets of a booking to print or to show, one page each; without the cancelled ones."""
    query = call.query
    booking_id = call.path["booking_id"]
    body = await call.service.tickets.pdf(
        booking_id,
        owner=call.acting_owner(),
        after=query.after,
        limit=query.limit,
        language=language_of(call.headers, query.lang),
    )
    named = (b"content-disposition", f'inline; filename="tickets-{booking_id}.pdf"'.encode())
    return Answer(200, body, headers=(*PDF_HEADERS, named), content_type=PDF.encode())


@endpoint(
    "GET",
    "/v1/bookings/{booking_id}/tickets/{index}.svg",
    "The QR code of a ticket",
    answers=_SVG,
    needs_shopper=True,
    booking_link_opens=True,
    errors=(*OF_BOOKING, InvalidRequest, TicketNotFound, TicketCancelled),
    scopes=SELL,
)
async def get_ticket_svg(call: Call[None, None]) -> Answer:
    """The QR code of one ticket."""
    text = call.path["index"]
    if not (text.isascii() and text.isdecimal() and len(text) <= _INDEX_DIGITS_MAX):
        raise InvalidRequest("a ticket is named by its index, from 1", field="index")
    body = await call.service.tickets.qr_code(
        call.path["booking_id"], int(text), owner=call.acting_owner()
    )
    return Answer(200, body, headers=(*_PRIVATE, *_INERT), content_type=_SVG_TEXT)
