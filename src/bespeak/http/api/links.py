"""The links of bookings, as mails carry them: to end them."""

from __future__ import annotations

from datetime import datetime

import msgspec

from bespeak.http.server import tags
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_BOOKING, endpoint_table
from bespeak.http.server.scopes import SELL

ENDPOINTS, endpoint = endpoint_table(tags.BOOKINGS)


class EndedLinks(msgspec.Struct, frozen=True):
    """The links of a booking that were made before `ended_at` open nothing any more."""

    booking_id: str
    ended_at: datetime


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
