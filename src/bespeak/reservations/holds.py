"""Holds and bookings as callers see them, and how they are read from the database's rows."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

import msgspec

from bespeak import ids
from bespeak.money import Money
from bespeak.reservations.lines import BookedLine, Line
from bespeak.states import BookingState, HoldState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record


class Hold(msgspec.Struct, frozen=True, kw_only=True):
    """An all-or-nothing, timed claim. `replayed` says that this answers a repeated request."""

    id: str
    state: HoldState
    owner: str
    lines: list[Line]
    created_at: datetime
    expires_at: datetime
    extends_until: datetime
    ended_at: datetime | None = None
    replayed: bool = False


class Booking(msgspec.Struct, frozen=True, kw_only=True):
    """What a confirmed hold became. It has the hold's UUID under another prefix."""

    id: str
    hold_id: str
    state: BookingState
    owner: str
    lines: list[BookedLine]
    amount: Money
    confirmed_at: datetime
    cancelled_at: datetime | None = None
    reason: str | None = None
    replayed: bool = False


def hold_of(row: Record, *, replayed: bool = False, now: datetime | None = None) -> Hold:
    """A hold from its row. With the database's time, one that lapsed is `expired`, whether or
    not the sweeper was there yet."""
    lapsed = now is not None and row["state"] == HoldState.HELD and row["expires_at"] <= now
    return Hold(
        id=ids.show(ids.HOLD, row["hold_id"]),
        state=HoldState.EXPIRED if lapsed else HoldState(row["state"]),
        owner=row["owner"],
        lines=_shown_lines(row),
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        extends_until=row["extends_until"],
        ended_at=row["expires_at"] if lapsed else row["ended_at"],
        replayed=replayed,
    )


def booking_of(hold: Record, row: Record, *, replayed: bool = False) -> Booking:
    """A booking from its row and its hold's, which has the lines."""
    lines = _shown_lines(hold)
    cancelled = row["cancelled"] or [0] * len(lines)
    booking_id: UUID = row["booking_id"]
    return Booking(
        id=ids.show(ids.BOOKING, booking_id),
        hold_id=ids.show(ids.HOLD, booking_id),
        state=BookingState(row["state"]),
        owner=row["owner"],
        lines=[
            BookedLine(line.resource_id, line.unit, line.quantity, gone)
            for line, gone in zip(lines, cancelled, strict=False)
        ],
        amount=Money(row["amount"], row["currency"]),
        confirmed_at=row["confirmed_at"],
        cancelled_at=row["cancelled_at"],
        reason=row["reason"],
        replayed=replayed,
    )


def _shown_lines(row: Record) -> list[Line]:
    # The last lines are draws from the owner's limits; they are the engine's own business.
    shown = len(row["units"]) - row["limit_lines"]
    return [
        Line(ids.show_resource(resource), unit, quantity)
        for resource, unit, quantity in zip(
            row["resources"][:shown], row["units"][:shown], row["quantities"][:shown], strict=True
        )
    ]
