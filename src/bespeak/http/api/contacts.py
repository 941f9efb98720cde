"""Who a booking is for, as the desk reads and corrects it. Browsers' keys are told no contact: the
link of a mail may have been passed on.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from bespeak.errors import BookingNotFound, InvalidId, InvalidRequest, VersionMismatch
from bespeak.http.server import tags
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import SERVERS, endpoint_table
from bespeak.http.server.scopes import READ, SELL
from bespeak.postgres.versions import SeenVersion
from bespeak.reservations.booked_contacts import KeptContact, read_contact, set_contact
from bespeak.reservations.contact import Contact

ENDPOINTS, endpoint = endpoint_table(tags.BOOKINGS)


class ChangeContact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole contact of a booking, in place of the one before. `version`, if given, must be the
    present one (0: there was none)."""

    contact: Contact
    version: SeenVersion | UnsetType = UNSET


class BookingContact(msgspec.Struct, frozen=True):
    """Who a booking is for; null where nobody said it. `version` is another after each change; 0:
    there is none."""

    contact: Contact | None
    version: int


@endpoint(
    "GET",
    "/v1/bookings/{booking_id}/contact",
    "Who a booking is for",
    kinds=SERVERS,
    errors=(InvalidId, BookingNotFound),
    scopes=READ,
)
async def get_contact(call: Call[None, None]) -> BookingContact:
    """Who a booking is for: to whom news of it goes, and who is called."""
    booking = await call.engine.get_booking(call.path["booking_id"])
    async with call.engine.database.borrow() as connection:
        return _view(await read_contact(connection, booking))


@endpoint(
    "PUT",
    "/v1/bookings/{booking_id}/contact",
    "Say who a booking is for",
    kinds=SERVERS,
    errors=(InvalidId, BookingNotFound, InvalidRequest, VersionMismatch),
    scopes=SELL,
    audited=True,
)
async def change_contact(call: Call[None, ChangeContact]) -> BookingContact:
    """Puts this contact in place of the one before. News goes there from now on; links that mails
    have carried to another address open the booking until they are ended."""
    booking = await call.engine.get_booking(call.path["booking_id"])
    async with call.engine.database.borrow() as connection, connection.transaction():
        return _view(await set_contact(connection, booking, call.body.contact, call.body.version))


def _view(kept: KeptContact) -> BookingContact:
    return BookingContact(kept.contact, kept.version)
