"""The links of bookings, as mails carry them: to end them; and to get one by the link to an entry
of a waitlist.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

from bespeak import ids
from bespeak.http.server import tags
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_BOOKING, endpoint_table
from bespeak.http.server.scopes import READ, SELL

ENDPOINTS, endpoint = endpoint_table(tags.BOOKINGS)


class EndedLinks(msgspec.Struct, frozen=True):
    """The links of a booking that were made before `ended_at` open nothing any more."""

    booking_id: str
    ended_at: datetime


class HoldBooking(msgspec.Struct, frozen=True):
    """What was booked of a hold. `link` is a token for Bespeak-Booking-Link, for whoever came by
    the link to an entry of a waitlist; null for others, who can read the booking as they are."""

    booking_id: str
    link: str | None


@endpoint(
    "DELETE",
    "/v1/bookings/{booking_id}/links",
    "End the links of a booking",
    needs_shopper=True,
    booking_link_opens=True,
    errors=OF_BOOKING,
    scopes=SELL,
)
async def end_booking_links(call: Call[None, None]) -> EndedLinks:
    """Ends all links to this booking that mails have carried so far, wherever they are. Its tickets
    stay as they are, and a mail that is sent again has a new link."""
    booking_id = call.path["booking_id"]
    ended_at = await call.service.booking_links.end(booking_id, owner=call.acting_owner())
    return EndedLinks(booking_id, ended_at)


@endpoint(
    "GET",
    "/v1/holds/{hold_id}/booking",
    "Find the booking of a hold",
    needs_shopper=True,
    waitlist_link_opens=True,
    errors=OF_BOOKING,
    scopes=READ | SELL,
)
async def get_booking_of_hold(call: Call[None, None]) -> HoldBooking:
    """Finds what a hold was booked as, also after its payment was late."""
    number = ids.parse(ids.HOLD, call.path["hold_id"])
    booking_id = ids.show(ids.BOOKING, number)
    booking = await call.engine.get_booking(booking_id, owner=call.acting_owner())
    link = None
    if call.caller.waitlist_link is not None:
        link = await call.service.booking_links.token_for_anyone(booking)
    return HoldBooking(booking.id, link)
