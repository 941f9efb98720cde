"""The errors of exporting and erasing, branches of the one tree in bespeak.errors."""

from __future__ import annotations

from bespeak.errors import Refused


class OwnerUnknown(Refused):
    """Nothing is known of this owner, and nothing was erased of it before."""

    code = "owner_unknown"
    status = 404
    title = "Nothing is known of this owner"


class MoneyMoving(Refused):
    """Money of the owner is moving: `payments` under way (or looked at once more), `refunds` that
    are not made yet. Nothing was erased; when they have ended, the same request is right."""

    code = "money_moving"
    retryable = True
    title = "Payments or refunds of this owner are under way"


class BookingsUpcoming(Refused):
    """The owner has bookings that stand and are not over; `bookings` lists up to a hundred. Cancel
    them first, or erase with `including_upcoming`, and they stand without a contact."""

    code = "bookings_upcoming"
    title = "This owner has bookings that are not over"


class ErasureNotFound(Refused):
    """No erasure has this id."""

    code = "erasure_not_found"
    status = 404
    title = "There is no erasure with this id"
