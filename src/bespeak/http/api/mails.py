"""Mails about bookings: to send the one that confirms it again."""

from __future__ import annotations

import msgspec

from bespeak.errors import BookingCancelled
from bespeak.http.server import tags
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_BOOKING, SERVERS, endpoint_table
from bespeak.http.server.scopes import SELL
from bespeak.notifications.errors import ContactMissing, MailedTooOften
from bespeak.notifications.mail.again import send_again

ENDPOINTS, endpoint = endpoint_table(tags.BOOKINGS)


class WaitingMail(msgspec.Struct, frozen=True):
    """A mail that is on its way to the booking's contact."""

    id: str
    booking_id: str


@endpoint(
    "POST",
    "/v1/bookings/{booking_id}/mails",
    "Send a booking's mail again",
    status=202,
    kinds=SERVERS,
    errors=(*OF_BOOKING, BookingCancelled, ContactMissing, MailedTooOften),
    scopes=SELL,
)
async def send_booking_mail(call: Call[None, None]) -> WaitingMail:
    """Sends the mail that confirms a booking again, with its tickets and a new link, to the contact
    that the booking has; three times an hour at most."""
    booking = await call.engine.get_booking(call.path["booking_id"], owner=call.acting_owner())
    async with call.engine.database.borrow() as connection:
        mail_id = await send_again(connection, booking)
    return WaitingMail(str(mail_id), booking.id)
