"""From the rows that the SQL verbs answer to errors: the one place where an outcome's name becomes
an exception class, and where conflicts of claims become what people know: ranges of rooms and
seats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
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
    OrphanSeat,
    OwnerLimitReached,
    PaymentRequired,
    SoldOut,
    UnitTaken,
)
from bespeak.inventory.conflicts import RawConflict, raw_conflicts, told
from bespeak.inventory.resources import ReadyResource
from bespeak.money import Money
from bespeak.postgres.json_text import json_text
from bespeak.refusals import SHORT, Conflict
from bespeak.reservations.errors import BookingNotExchangeable, HoldErased, TicketUsed
from bespeak.reservations.holds import Hold, hold_of
from bespeak.reservations.judgement import JudgedRequest
from bespeak.reservations.request import MARK, OWNER_PREFIX, HoldRequest
from bespeak.states import HoldState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record


def placed_hold(row: Record, judged: JudgedRequest, request: HoldRequest) -> Hold:
    """The hold that an answer of `place_holds` says, or raises what it says."""
    asked = judged.row
    match row["outcome"]:
        case "held" if row["hold"] is not None:
            return hold_of(row["hold"])  # with the numbers that the database gave out
        case "held":
            placed_at = row["answered_at"]
            return Hold(
                id=ids.show(ids.HOLD, asked.hold_id),
                state=HoldState.HELD,
                owner=asked.owner,
                lines=judged.lines,
                created_at=placed_at,
                expires_at=placed_at + timedelta(seconds=asked.hold_seconds),
                extends_until=placed_at + timedelta(seconds=asked.cap_seconds),
                amount=Money(asked.amount, asked.currency),
                quote=judged.quote,
                missing=[] if judged.shown is None else judged.shown.missing,
            )
        case "replayed":
            return hold_of(row["hold"], replayed=row["hold"]["hold_id"] != asked.hold_id)
        case "key_reused":
            raise key_reused(request, row["hold"])
        case "taken":
            raise refusal_of(raw_conflicts(row["details"]))
        case "erased":
            raise HoldErased
        case "orphan":
            raise OrphanSeat(units=raw_conflicts_of_lines(row["details"]))
    raise InternalError(f"unknown outcome {row['outcome']}")


def key_reused(request: HoldRequest, row: Record) -> IdempotencyKeyReused:
    """The error for a key that another request had, of which this is the hold."""
    fields = request.differing(row["fingerprint"])
    return IdempotencyKeyReused(
        f"the key was used with other {' and '.join(fields)}", fields=fields
    )


def refusal_of(conflicts: Sequence[RawConflict]) -> BespeakError:
    """The error for a refused hold: units first, then pools, then the owner's limit."""
    if any(conflict.unit.startswith(MARK) for conflict in conflicts):
        return BookingNotExchangeable(reason="under_way")
    units = [conflict for conflict in conflicts if conflict.state != SHORT]
    pools = [
        conflict
        for conflict in conflicts
        if conflict.state == SHORT and not conflict.unit.startswith(OWNER_PREFIX)
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
        case "exchange_checked_in" | "exchange_begun" | "exchange_changed":
            return BookingNotExchangeable(reason=outcome.removeprefix("exchange_"))
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


def show_conflicts(
    refusal: BespeakError, resource_of: Callable[[int], ReadyResource | None]
) -> None:
    """Puts the conflicts of a refusal in terms of its resources' plans."""
    conflicts = refusal.data.get("conflicts")
    if not isinstance(conflicts, list):
        return
    by_resource: dict[str, list[Conflict]] = {}
    for conflict in conflicts:
        by_resource.setdefault(conflict.resource_id, []).append(conflict)
    shown: list[Conflict] = []
    for resource_id, some in by_resource.items():
        ready = resource_of(ids.parse_resource(resource_id))
        shown += some if ready is None else told(some, ready)
    refusal.data["conflicts"] = shown


class _Named(msgspec.Struct):
    resource_id: int
    unit: str


def raw_conflicts_of_lines(details: object) -> list[dict[str, str]]:
    """Lines named in details, as they are shown outside: without the owner's limits."""
    named = msgspec.json.decode(json_text(details or "[]"), type=list[_Named])
    return [
        {"resource_id": ids.show_resource(one.resource_id), "unit": one.unit}
        for one in named
        if not one.unit.startswith(OWNER_PREFIX)
    ]
