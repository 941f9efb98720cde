"""Who bookings are for: read and said anew, and whose address goes along with a change."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from bespeak import ids
from bespeak.errors import BookingNotFound, VersionMismatch
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load
from bespeak.reservations.contact import Contact, encode_contact

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection
    from bespeak.reservations.holds import Booking

_QUERIES = load("bespeak.reservations", "booked_contacts.sql")
_CONTACT: msgspec.json.Decoder[Contact] = msgspec.json.Decoder(Contact)


class KeptContact(NamedTuple):
    """Who a booking is for, None where nobody said it, and the version of that."""

    contact: Contact | None
    version: int


async def read_contact(connection: Connection, booking: Booking) -> KeptContact:
    """Who a booking is for."""
    row = await connection.fetchrow(_QUERIES["contact"], ids.parse(ids.BOOKING, booking.id))
    if row is None:
        raise BookingNotFound(booking_id=booking.id)
    stored = row["contact"]
    contact = None if stored is None else _CONTACT.decode(json_text(stored))
    return KeptContact(contact, row["version"])


async def set_contact(
    connection: Connection, booking: Booking, contact: Contact, seen: int | UnsetType = UNSET
) -> KeptContact:
    """Puts a contact in place of the one that was `seen`. Raises InvalidRequest, VersionMismatch,
    and BookingNotFound where the owner was erased meanwhile."""
    row = await connection.fetchrow(
        _QUERIES["set_contact"],
        ids.parse(ids.BOOKING, booking.id),
        booking.owner,
        encode_contact(contact),
        None if isinstance(seen, UnsetType) else seen,
    )
    if row is None or row["outcome"] == "not_found":
        raise BookingNotFound(booking_id=booking.id)
    if row["outcome"] == "version_mismatch":
        raise VersionMismatch(version=row["version"])
    return KeptContact(contact, row["version"])


async def kept_address(connection: Connection, hold_id: str) -> str | None:
    """The address to which news goes of what this hold becomes, where the call that confirms it
    names no contact; None where it is for no other booking. Raises InvalidId."""
    address: str | None = await connection.fetchval(
        _QUERIES["kept_address"], ids.parse(ids.HOLD, hold_id)
    )
    return address
