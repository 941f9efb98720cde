"""What buyers want to stand on the invoices of their bookings, until these are issued."""

from __future__ import annotations

from bespeak.http.server import tags
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_BOOKING, endpoint_table
from bespeak.http.server.scopes import READ, SELL
from bespeak.invoices.billing import BillingDetails
from bespeak.invoices.errors import InvoiceIssued

ENDPOINTS, endpoint = endpoint_table(tags.INVOICES)


@endpoint(
    "GET",
    "/v1/bookings/{booking_id}/billing",
    "What is to stand on the invoice",
    needs_shopper=True,
    booking_link_opens=True,
    errors=OF_BOOKING,
    scopes=READ | SELL,
)
async def get_billing(call: Call[None, None]) -> BillingDetails:
    """The company that the invoice of a booking is for, as far as the buyer said it."""
    return await call.service.invoices.billing(call.path["booking_id"], owner=call.acting_owner())


@endpoint(
    "PUT",
    "/v1/bookings/{booking_id}/billing",
    "Say what is to stand on the invoice",
    needs_shopper=True,
    booking_link_opens=True,
    errors=(*OF_BOOKING, InvoiceIssued),
    scopes=SELL,
)
async def set_billing(call: Call[None, BillingDetails]) -> BillingDetails:
    """Says which company the invoice of a booking is for, instead of what was said before. When the
    invoice is issued, it stands."""
    await call.service.invoices.keep_billing(
        call.path["booking_id"], call.body, owner=call.acting_owner()
    )
    return call.body
