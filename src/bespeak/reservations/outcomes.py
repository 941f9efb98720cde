"""From the rows that the SQL verbs answer to results and errors: the one place where an outcome's
name becomes an exception class.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.errors import (
    BespeakError,
    BookingCancelled,
    BookingNotFound,
    ExtensionBeyondCap,
    HoldConfirmed,
    HoldExpired,
    HoldNotFound,
    HoldReleased,
    IdempotencyKeyReused,
    InternalError,
    NotInBooking,
    NotOwner,
    OwnerLimitReached,
    PaymentRequired,
    SoldOut,
    UnitTaken,
)
from bespeak.inventory.conflicts import RawConflict
from bespeak.reservations.errors import TicketUsed
from bespeak.reservations.judge import OWNER_PREFIX

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record


def refusal_of(conflicts: Sequence[RawConflict]) -> BespeakError:
    """The error for a refused hold: units first, then pools, then the owner's limit."""
    units = [conflict for conflict in conflicts if conflict.state != "short"]
    pools = [
        conflict
        for conflict in conflicts
        if conflict.state == "short" and not conflict.unit.startswith(OWNER_PREFIX)
    ]
    limits = [conflict for conflict in conflicts if conflict.unit.startswith(OWNER_PREFIX)]
    if limits and not units and not pools:
        return OwnerLimitReached(
            limits=[
                {
                    "resource_id": ids.show_resource(limit.resource_id),
                    "owner_limit": limit.capacity,
                    "left": max(0, limit.available or 0),
                }
                for limit in limits
            ]
        )
    shown = [conflict.shown() for conflict in (*units, *pools)]
    # No conflict to be seen any more: it was there when it mattered, so a retry is right.
    return SoldOut(conflicts=shown) if pools and not units else UnitTaken(conflicts=shown)


def change_error(row: Record, differing: Sequence[str] = ()) -> BespeakError:
    """The error for an outcome of the verbs that change holds and bookings."""
    outcome: str = row["outcome"]
    hold: Record | None = row["hold"]
    if outcome in _WITHOUT_DATA:
        return _WITHOUT_DATA[outcome]()
    match outcome:
        case "hold_expired":
            return HoldExpired(expires_at=hold["expires_at"] if hold else None)
        case "hold_confirmed":
            return HoldConfirmed(
                booking_id=ids.show(ids.BOOKING, hold["hold_id"]) if hold else None
            )
        case "beyond_cap":
            until = hold["extends_until"] if hold else row["answered_at"]
            left = int((until - row["answered_at"]).total_seconds())
            return ExtensionBeyondCap(extends_until=until, seconds_max=max(0, left))
        case "not_in_booking":
            return NotInBooking(lines=raw_conflicts_of_lines(row["details"]))
        case "key_reused":
            return IdempotencyKeyReused(fields=list(differing))
    return InternalError(f"unknown outcome {outcome}")


_WITHOUT_DATA: dict[str, type[BespeakError]] = {
    "not_found": HoldNotFound,
    "not_owner": NotOwner,
    "hold_released": HoldReleased,
    "payment_required": PaymentRequired,
    "booking_cancelled": BookingCancelled,
    "ticket_used": TicketUsed,
}


def booking_error(row: Record, differing: Sequence[str] = ()) -> BespeakError:
    """The same for the verbs that take a booking's id."""
    if row["outcome"] == "not_found":
        return BookingNotFound()
    return change_error(row, differing)


class _Named(msgspec.Struct):
    resource_id: int
    unit: str


def raw_conflicts_of_lines(details: str | None) -> list[dict[str, str]]:
    """Lines named in details, as they are shown outside: without the owner's limits."""
    named = msgspec.json.decode(details or "[]", type=list[_Named])
    return [
        {"resource_id": ids.show_resource(one.resource_id), "unit": one.unit}
        for one in named
        if not one.unit.startswith(OWNER_PREFIX)
    ]
