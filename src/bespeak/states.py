"""The states of holds, bookings and units, and which verb leads from which to which. The CHECK
constraints of the schema and the diagram of docs/reference/states.md say the same; a test holds
the three against each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Meta


class HoldState(StrEnum):
    """A hold ends once: whatever leaves `held` is final."""

    HELD = "held"
    CONFIRMED = "confirmed"
    RELEASED = "released"
    EXPIRED = "expired"


class BookingState(StrEnum):
    """A booking is confirmed until all of it is cancelled."""

    CONFIRMED = "confirmed"
    CANCELLED = "cancelled"


class PaymentState(StrEnum):
    """A payment: money reserved, then taken, then perhaps given back; or it came to nothing."""

    PENDING = "pending"
    AUTHORIZED = "authorized"
    CAPTURED = "captured"
    REFUNDED = "refunded"
    FAILED = "failed"
    VOIDED = "voided"


class UnitState(StrEnum):
    """A unit as it is seen from outside."""

    FREE = "free"
    HELD = "held"
    BOOKED = "booked"
    BLOCKED = "blocked"


class EventKind(StrEnum):
    """What an event of the feed tells."""

    CREATED = "created"
    CHANGED = "changed"
    HELD = "held"
    EXTENDED = "extended"
    CONFIRMED = "confirmed"
    RELEASED = "released"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    BLOCKED = "blocked"
    UNBLOCKED = "unblocked"
    PAYMENT_BEGUN = "payment_begun"
    PAYMENT_AUTHORIZED = "payment_authorized"
    PAYMENT_CAPTURED = "payment_captured"
    PAYMENT_FAILED = "payment_failed"
    PAYMENT_VOIDED = "payment_voided"
    PAYMENT_LATE = "payment_late"
    REFUND_BEGUN = "refund_begun"
    REFUNDED = "refunded"
    REFUND_FAILED = "refund_failed"
    CHECKED_IN = "checked_in"
    CALLED_OFF = "called_off"
    ERASED = "erased"
    VACATED = "vacated"
    MOVED = "moved"
    WAITLIST_JOINED = "waitlist_joined"
    WAITLIST_OFFERED = "waitlist_offered"
    WAITLIST_ACCEPTED = "waitlist_accepted"
    WAITLIST_DECLINED = "waitlist_declined"
    WAITLIST_LAPSED = "waitlist_lapsed"
    WAITLIST_LEFT = "waitlist_left"
    WAITING_ROOM_OPENED = "waiting_room_opened"
    WAITING_ROOM_SOLD_OUT = "waiting_room_sold_out"
    WAITING_ROOM_DRAINED = "waiting_room_drained"


FREEING = (
    EventKind.RELEASED,
    EventKind.EXPIRED,
    EventKind.CANCELLED,
    EventKind.UNBLOCKED,
    EventKind.VACATED,
)

# (state, verb) -> next state. What is not here is refused.
HOLD_TRANSITIONS: dict[tuple[HoldState, str], HoldState] = {
    (HoldState.HELD, "extend"): HoldState.HELD,
    (HoldState.HELD, "confirm"): HoldState.CONFIRMED,
    (HoldState.HELD, "release"): HoldState.RELEASED,
    (HoldState.HELD, "expire"): HoldState.EXPIRED,
}

BOOKING_TRANSITIONS: dict[tuple[BookingState, str], BookingState] = {
    (BookingState.CONFIRMED, "move"): BookingState.CONFIRMED,
    (BookingState.CONFIRMED, "cancel_some"): BookingState.CONFIRMED,
    (BookingState.CONFIRMED, "cancel"): BookingState.CANCELLED,
}

# (state, what the provider tells or did) -> next state. A failed payment that turns out to be
# authorized after all is late money, which must end as a booking or be given back.
PAYMENT_TRANSITIONS: dict[tuple[PaymentState, str], PaymentState] = {
    (PaymentState.PENDING, "authorize"): PaymentState.AUTHORIZED,
    (PaymentState.PENDING, "fail"): PaymentState.FAILED,
    (PaymentState.AUTHORIZED, "capture"): PaymentState.CAPTURED,
    (PaymentState.AUTHORIZED, "void"): PaymentState.VOIDED,
    (PaymentState.AUTHORIZED, "fail"): PaymentState.FAILED,
    (PaymentState.CAPTURED, "refund_some"): PaymentState.CAPTURED,
    (PaymentState.CAPTURED, "refund"): PaymentState.REFUNDED,
    (PaymentState.FAILED, "authorize"): PaymentState.AUTHORIZED,
}


def one_of(name: str, words: Iterable[str]) -> Meta:
    """That a text is one of these words, under this name, for the documents that are made of types:
    it is not looked at again when it is read or written."""
    return Meta(extra_json_schema={"title": name, "enum": [str(word) for word in words]})
