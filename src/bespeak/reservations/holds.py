"""Holds and bookings as callers see them, and how they are read from the database's rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

import msgspec

from bespeak import ids
from bespeak.lines import Line
from bespeak.money import Money
from bespeak.pricing.quotes import Quote
from bespeak.reservations.booking_code import BookingCode
from bespeak.reservations.costs import decode_quote
from bespeak.reservations.lines import (
    BookedLine,
    Shown,
    booked,
    counts,
    decode_shown,
    shown_lines,
)
from bespeak.states import BookingState, HoldState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record


class Hold(msgspec.Struct, frozen=True, kw_only=True):
    """An all-or-nothing, timed claim. `amount` is its price, frozen, and `quote` its parts, where
    there is more to it than the prices of the lines; `missing` what was asked for and could not be
    given, if less would do; `replayed` says that this answers a repeated request.
    """

    id: str
    state: HoldState
    owner: str
    lines: list[Line]
    created_at: datetime
    expires_at: datetime
    extends_until: datetime
    amount: Money
    quote: Quote | None = None
    ended_at: datetime | None = None
    missing: list[Line] = []
    replayed: bool = False


class Booking(msgspec.Struct, frozen=True, kw_only=True):
    """What a confirmed hold became. It has the hold's UUID under another prefix. `code` is a short
    name of it for people, which opens nothing."""

    id: str
    hold_id: str
    code: str
    state: BookingState
    owner: str
    lines: list[BookedLine]
    amount: Money
    quote: Quote | None = None
    confirmed_at: datetime
    cancelled_at: datetime | None = None
    reason: str | None = None
    replayed: bool = False


class HoldBooking(msgspec.Struct, frozen=True):
    """What was booked of a hold. `link` is a token for Bespeak-Booking-Link, for whoever came by
    the link to an entry of a waitlist, or to the booking that this one took the place of, until the
    links of this one are ended; null for others, who can read the booking as they are."""

    booking_id: str
    link: str | None


def held_lines(row: Record) -> list[Line]:
    """The lines that a hold shows, from its row."""
    shown = shown_of(row)
    return _lines(row) if shown is None else shown_lines(shown, row["units"])


def hold_of(row: Record, *, replayed: bool = False, now: datetime | None = None) -> Hold:
    """A hold from its row. With the database's time, one that lapsed is `expired`, whether or
    not the sweeper was there yet."""
    lapsed = now is not None and row["state"] == HoldState.HELD and row["expires_at"] <= now
    shown = shown_of(row)
    return Hold(
        id=ids.show(ids.HOLD, row["hold_id"]),
        state=HoldState.EXPIRED if lapsed else HoldState(row["state"]),
        owner=row["owner"],
        lines=_lines(row) if shown is None else shown_lines(shown, row["units"]),
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        extends_until=row["extends_until"],
        amount=Money(row["amount"], row["currency"]),
        quote=decode_quote(row["quote"]),
        ended_at=row["expires_at"] if lapsed else row["ended_at"],
        missing=[] if shown is None else shown.missing,
        replayed=replayed,
    )


def booking_of(hold: Record, row: Record, *, replayed: bool = False) -> Booking:
    """A booking from its row and its hold's, which has the lines."""
    shown = shown_of(hold)
    if shown is None:
        lines = _lines(hold)
        cancelled: Sequence[int] = row["cancelled"] or [0] * len(lines)
    else:
        lines = shown_lines(shown, hold["units"])
        cancelled = row["cancelled_shown"] or [0] * len(lines)
        if row["state"] == BookingState.CANCELLED:
            cancelled = counts(shown.lines)
    booking_id: UUID = row["booking_id"]
    return Booking(
        id=ids.show(ids.BOOKING, booking_id),
        hold_id=ids.show(ids.HOLD, booking_id),
        code=str(BookingCode.of(booking_id, row["confirmed_at"])),
        state=BookingState(row["state"]),
        owner=row["owner"],
        lines=[
            booked(line, gone, () if shown is None else shown.lines[place].later)
            for place, (line, gone) in enumerate(zip(lines, cancelled, strict=False))
        ],
        amount=Money(row["amount"], row["currency"]),
        quote=decode_quote(hold["quote"]),
        confirmed_at=row["confirmed_at"],
        cancelled_at=row["cancelled_at"],
        reason=row["reason"],
        replayed=replayed,
    )


def shown_of(row: Record) -> Shown | None:
    """What the hold shows, where that is not simply its claims."""
    return None if row["shown"] is None else decode_shown(row["shown"])


def _lines(row: Record) -> list[Line]:
    # The last lines are draws from the owner's limits; they are the engine's own business.
    shown = len(row["units"]) - row["limit_lines"]
    return [
        Line(ids.show_resource(resource), unit, quantity)
        for resource, unit, quantity in zip(
            row["resources"][:shown], row["units"][:shown], row["quantities"][:shown], strict=True
        )
    ]
