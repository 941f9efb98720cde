"""Every error that Bespeak raises, as one tree. The stable `code` is the same in Python, in SQL
(where each has an SQLSTATE of class BS) and in HTTP (where each has a status).

BespeakError
+-- Refused               the inventory or the state of things says no
+-- InvalidRequest        the request makes no sense as it is
+-- NotPermitted          the caller may not do this
+-- Unavailable           the service cannot answer now; repeating the same request is right
"""

from __future__ import annotations

from typing import ClassVar

from bespeak.details import beyond_title
from bespeak.refusals import Alternative, Conflict, all_of

Data = dict[str, object]


class BespeakError(Exception):
    """An error with a stable code. `data` holds what a program needs to act on it."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    sqlstate: ClassVar[str | None] = None
    retryable: ClassVar[bool] = False
    title: ClassVar[str] = "Something went wrong"

    def __init__(self, detail: str | None = None, **data: object) -> None:
        super().__init__(detail or self.title)
        self.said, self.data = detail, data

    @property
    def detail(self) -> str:
        """What there is to say of it: as it was said, or by its data, or its title."""
        return self.said or beyond_title(self.code, self.data) or self.title

    @property
    def retry_after(self) -> float | None:
        """After how many seconds to repeat, where that is known."""
        seconds = self.data.get("retry_after_seconds")
        return seconds if isinstance(seconds, int | float) else None

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


class Refused(BespeakError):
    """The request is well made, but the inventory or the state of things says no."""

    code = "refused"
    status = 409

    @property
    def conflicts(self) -> list[Conflict]:
        """What stands in the way."""
        return all_of(Conflict, self.data.get("conflicts"))

    @property
    def alternatives(self) -> list[Alternative]:
        """What could be held instead, as it was a moment ago."""
        return all_of(Alternative, self.data.get("alternatives"))


class InvalidRequest(BespeakError):
    """The request makes no sense; `field` names the part that does not."""

    code = "invalid_request"
    status = 422
    sqlstate = "BS004"
    title = "The request makes no sense as it is"

    @property
    def field(self) -> str | None:
        """The part of the request that makes no sense, as `lines[0].quantity`."""
        field = self.data.get("field")
        return field if isinstance(field, str) else None


class NotPermitted(BespeakError):
    """The caller may not do this."""

    code = "not_permitted"
    status = 403
    title = "This key may not do this"


class Unavailable(BespeakError):
    """The service cannot answer now. `retry_after_seconds` says when to try again."""

    code = "unavailable"
    status = 503
    retryable = True
    title = "The service cannot answer now"


class InvalidId(InvalidRequest):
    """A text that should be an id is none, or is the id of another kind of thing."""

    code = "invalid_id"
    sqlstate = "BS001"
    title = "This is not an id of the kind that is needed here"


class ResourceNotFound(Refused):
    """No resource has this id."""

    code = "resource_not_found"
    status = 404
    sqlstate = "BS002"
    title = "There is no resource with this id"


class UnknownUnit(InvalidRequest):
    """The plan has no such unit, or the line takes a pool for a unit or a unit for a pool."""

    code = "unknown_unit"
    sqlstate = "BS003"
    title = "The resource has no such unit"


class UnknownCode(InvalidRequest):
    """The code of a line is not good here, for this unit, or now; which of these is not told."""

    code = "unknown_code"
    title = "This code is not good for this"


class DuplicateLine(InvalidRequest):
    """Two lines of a request name the same unit."""

    code = "duplicate_line"
    sqlstate = "BS007"
    title = "Two lines name the same unit"


class PlanNotInSql(InvalidRequest):
    """The single SQL forms know seats and pools; other plans are held through the other doors."""

    code = "plan_not_in_sql"
    sqlstate = "BS008"
    title = "This plan is held through the library or the API"


class ResourceClosed(Refused):
    """The resource is closed, by its operator or because its sale has ended."""

    code = "resource_closed"
    sqlstate = "BS005"
    title = "The resource is closed"


class ResourceNotOpen(Refused):
    """The sale of the resource has not begun; `opens_at` says when it does."""

    code = "resource_not_open"
    sqlstate = "BS006"
    retryable = True
    title = "The resource is not open yet"


class UnitTaken(Refused):
    """At least one unit is held, booked or blocked; `conflicts` lists each with its state."""

    code = "unit_taken"
    sqlstate = "BS010"
    retryable = True
    title = "At least one unit is taken"


class SoldOut(Refused):
    """A pool has not as many left as asked; `conflicts` says how many it has."""

    code = "sold_out"
    sqlstate = "BS011"
    retryable = True
    title = "There are not enough left"


class NotOnSale(Refused):
    """The rules of the plan do not sell this now; `reasons` lists objects with `reason`, what it is
    about, and the number that the rule asks for."""

    code = "not_on_sale"
    sqlstate = "BS013"
    title = "The rules of the resource do not sell this"


class NotTogether(Refused):
    """There are enough, but not next to each other; `split` would allow adjacent rows."""

    code = "not_together"
    sqlstate = "BS014"
    title = "There are not that many next to each other"


class OrphanSeat(Refused):
    """The choice would leave single seats, which `units` lists, and the resource forbids it."""

    code = "orphan_seat"
    sqlstate = "BS015"
    title = "The choice would leave a single seat"


class OwnerLimitReached(Refused):
    """The owner would have more units of the resource than one owner may."""

    code = "owner_limit_reached"
    sqlstate = "BS012"
    title = "The owner has as many units as one owner may"


class HoldNotFound(Refused):
    """No hold has this id."""

    code = "hold_not_found"
    status = 404
    sqlstate = "BS020"
    title = "There is no hold with this id"


class NotOwner(NotPermitted):
    """The hold or booking is another owner's."""

    code = "not_owner"
    sqlstate = "BS021"
    title = "This belongs to another owner"


class HoldExpired(Refused):
    """The hold's time is over; its units may already be someone else's."""

    code = "hold_expired"
    status = 410
    sqlstate = "BS022"
    title = "The hold has expired"


class HoldReleased(Refused):
    """The hold was released; a hold ends once."""

    code = "hold_released"
    status = 410
    sqlstate = "BS023"
    title = "The hold was released"


class HoldConfirmed(Refused):
    """The hold is a booking already; a hold ends once. `booking_id` names it."""

    code = "hold_confirmed"
    sqlstate = "BS024"
    title = "The hold is confirmed already"


class ExtensionBeyondCap(InvalidRequest):
    """The extension would pass `extends_until`, the hold's absolute cap."""

    code = "extension_beyond_cap"
    sqlstate = "BS025"
    title = "The hold cannot be extended that far"


class PaymentRequired(Refused):
    """The resource wants to be paid for, and this request does not pay."""

    code = "payment_required"
    status = 402
    sqlstate = "BS026"
    title = "This booking must be paid for"


class BookingNotFound(Refused):
    """No booking has this id."""

    code = "booking_not_found"
    status = 404
    sqlstate = "BS030"
    title = "There is no booking with this id"


class BookingCancelled(Refused):
    """The booking is cancelled already."""

    code = "booking_cancelled"
    sqlstate = "BS031"
    title = "The booking is cancelled already"


class NotInBooking(InvalidRequest):
    """A line to cancel is not in the booking, or not that many times."""

    code = "not_in_booking"
    sqlstate = "BS032"
    title = "The booking does not have these lines"


class IdempotencyKeyReused(InvalidRequest):
    """The key came before with other content; `fields` names what differs."""

    code = "idempotency_key_reused"
    sqlstate = "BS050"
    title = "This idempotency key was used for another request"


class HoldTimeBeyondCap(InvalidRequest):
    """The asked hold time is longer than the resource allows."""

    code = "hold_time_beyond_cap"
    sqlstate = "BS060"
    title = "The resource does not allow holds of that length"


class CurrenciesDiffer(InvalidRequest):
    """The resources of one hold have prices in different currencies."""

    code = "currencies_differ"
    sqlstate = "BS061"
    title = "One hold cannot mix currencies"


class PlanChanged(Refused):
    """The resource was changed at this instant; the same request will be judged anew."""

    code = "plan_changed"
    sqlstate = "BS070"
    retryable = True
    title = "The resource changed at this instant"


class ResourceInUse(Refused):
    """The change of plan would remove units that are held, booked or blocked."""

    code = "resource_in_use"
    sqlstate = "BS071"
    title = "Units that the new plan lacks are taken"


class VersionMismatch(Refused):
    """What is to be changed has changed since the version that the caller named."""

    code = "version_mismatch"
    status = 412
    sqlstate = "BS072"
    title = "It has changed since"


class InvalidCursor(InvalidRequest):
    """The cursor is not one that this list gave out."""

    code = "invalid_cursor"
    status = 400
    title = "This cursor was not given out by this list"


class Overloaded(Unavailable):
    """The queue of waiting requests is full; nothing was done."""

    code = "overloaded"
    title = "Too many requests are waiting"


class ShuttingDown(Unavailable):
    """This process is stopping and takes no more; nothing was done."""

    code = "shutting_down"
    title = "This process is stopping"


class DatabaseUnavailable(Unavailable):
    """The database did not answer in time. What was asked may or may not be done: repeating it with
    its `idempotency_key` tells, or, of a hold without a key, reading `hold_id`."""

    code = "database_unavailable"
    title = "The database does not answer"
    idempotency_key: str | None = None
    hold_id: str | None = None


class InvalidSetting(BespeakError):
    """A setting has a value that it cannot have."""

    code = "invalid_setting"
    title = "A setting has a value that it cannot have"


class InternalError(BespeakError):
    """A fault of Bespeak itself. The log has it under the request id."""

    code = "internal_error"
    title = "A fault of the server"


def by_code(root: type[BespeakError] = BespeakError) -> dict[str, type[BespeakError]]:
    """Every error class that is loaded, by its code; of those with one code the first."""
    found = {root.code: root}
    for child in root.__subclasses__():
        found = by_code(child) | found
    return found
