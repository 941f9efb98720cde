"""What is in the rooms, as the bars of a board: stays of holds and bookings, and blocks, whose
nights in a row are one bar.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.inventory.shapes.nights.night_rules import date_of
from bespeak.postgres.json_text import json_text
from bespeak.reservations.booking_code import BookingCode
from bespeak.reservations.contact import Contact
from bespeak.verticals.stays.board.house import Nights
from bespeak.verticals.stays.board.views import BoardStay

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record

_CONTACT: msgspec.json.Decoder[Contact] = msgspec.json.Decoder(Contact)


def contact_of(stored: object) -> Contact | None:
    """A contact as it was stored."""
    return None if stored is None else _CONTACT.decode(json_text(stored))


def stay_of(row: Record, contact_of_payment: object) -> BoardStay:
    """A line of a hold or booking."""
    number, confirmed_at = row["hold_id"], row["confirmed_at"]
    contact = contact_of(row["contact"] or contact_of_payment)
    booked = confirmed_at is not None
    return BoardStay(
        kind="booking" if booked else "hold",
        id=ids.show(ids.BOOKING if booked else ids.HOLD, number),
        from_=row["first"],
        to=row["last"],
        room=row["room"],
        rooms=row["rooms"],
        code=str(BookingCode.of(number, confirmed_at)) if booked else None,
        guest=None if contact is None else contact.name,
        until=None if booked else row["expires_at"],
    )


def blocks_of(row: Record, nights: Nights) -> list[BoardStay]:
    """The stretches of a block that touch the nights: nights in a row of one room, or of as many
    rooms of a type."""
    found = []
    taken = sorted(
        (room, day, quantity)
        for unit, quantity in zip(row["units"], row["quantities"], strict=True)
        for room, day in [_read(unit)]
        if day is not None
    )
    start = 0
    for index, (room, day, quantity) in enumerate(taken):
        if taken[index + 1 : index + 2] == [(room, day + 1, quantity)]:
            continue
        first = date.fromordinal(taken[start][1])
        last = date.fromordinal(day + 1)
        if first < nights.last and last > nights.first:
            found.append(
                BoardStay(
                    kind="block",
                    id=ids.show(ids.BLOCK, row["block_id"]),
                    from_=first,
                    to=last,
                    room=room or None,
                    rooms=quantity or 1,
                    reason=row["reason"],
                )
            )
        start = index + 1
    return found


def _read(unit: str) -> tuple[str, int | None]:
    """The room (none: of a type) and the ordinal of the night of a claim."""
    room, _, night = unit.rpartition("@")
    return room, date_of(night)
