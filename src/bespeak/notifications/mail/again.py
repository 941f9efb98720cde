"""Sends the mail that confirms a booking once more: for the buyer who cannot find it, or whose
links were ended. It is composed when it leaves, with what the booking is by then and a new link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak import ids
from bespeak.errors import BookingCancelled
from bespeak.notifications.errors import ContactMissing, MailedTooOften
from bespeak.postgres.queries import load
from bespeak.states import BookingState

if TYPE_CHECKING:
    from uuid import UUID

    from bespeak.postgres.pool import Connection
    from bespeak.reservations.holds import Booking

_QUERIES = load("bespeak.notifications.mail", "again.sql")
TIMES_AN_HOUR = 3
_RETRY_SECONDS = 1200


async def send_again(connection: Connection, booking: Booking) -> UUID:
    """Writes the mail down; answers its id, or that of one that waits to be sent already. Raises
    BookingCancelled, ContactMissing, MailedTooOften."""
    if booking.state is BookingState.CANCELLED:
        raise BookingCancelled
    number = ids.parse(ids.BOOKING, booking.id)
    if await connection.fetchval(_QUERIES["contact"], number) is None:
        raise ContactMissing
    mail_id: UUID | None = await connection.fetchval(_QUERIES["send_again"], number, TIMES_AN_HOUR)
    if mail_id is None:
        mail_id = await connection.fetchval(_QUERIES["waiting"], number)
    if mail_id is None:
        raise MailedTooOften(retry_after_seconds=_RETRY_SECONDS)
    return mail_id
