"""Consents: which terms of the merchant the buyer of a booking accepted."""

from __future__ import annotations

from bespeak import ids
from bespeak.http.server import tags
from bespeak.http.server.answers import WholeList
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_BOOKING, endpoint_table
from bespeak.http.server.scopes import READ, SELL
from bespeak.merchants.consents import Consent, consents_of

ENDPOINTS, endpoint = endpoint_table(tags.BOOKINGS)


class ConsentList(WholeList[Consent], frozen=True):
    """Which terms the buyer of a booking accepted, the earliest first."""


@endpoint(
    "GET",
    "/v1/bookings/{booking_id}/consents",
    "Which terms a buyer accepted",
    needs_shopper=True,
    booking_link_opens=True,
    errors=OF_BOOKING,
    scopes=READ | SELL,
)
async def list_consents(call: Call[None, None]) -> ConsentList:
    """Which terms the buyer of a booking accepted, and when: the earliest first."""
    booking_id = call.path["booking_id"]
    await call.engine.get_booking(booking_id, owner=call.acting_owner())
    async with call.engine.database.borrow() as connection:
        return ConsentList(await consents_of(connection, booking_id, ids.BOOKING))
