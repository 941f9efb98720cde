"""The calls about bookings: paying for a hold or confirming one that costs nothing, reading, and
cancelling.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from bespeak import ids
from bespeak.errors import (
    BespeakError,
    BookingCancelled,
    BookingNotFound,
    HoldConfirmed,
    HoldExpired,
    HoldNotFound,
    HoldReleased,
    InvalidId,
    NotInBooking,
    NotOwner,
    PaymentRequired,
)
from bespeak.http.server.call import REPLAYED, Answer, Call
from bespeak.http.server.endpoint import Endpoint, long_id_pattern
from bespeak.http.api.holds import Lines
from bespeak.http.server.keys import KeyKind
from bespeak.http.server.metrics import BOOKINGS
from bespeak.money import Money
from bespeak.payments.errors import (
    MoneyReturned,
    PaymentDeclined,
    PaymentInProgress,
    PaymentNotFound,
    ProviderUnknown,
    RefundByPolicyOnly,
)
from bespeak.payments.payment import Paid, Payment
from bespeak.payments.refunds.cancellation import RefundTerms
from bespeak.payments.refunds.record import Refund
from bespeak.pricing.quotes import Quote
from bespeak.reservations.contact import Contact
from bespeak.reservations.errors import TicketUsed
from bespeak.reservations.lines import BookedLine

if TYPE_CHECKING:
    from bespeak.reservations.holds import Booking

_CREATED = 201
_ACCEPTED = 202
_CONFIRMED = BOOKINGS.labels("confirmed")
_CONFIRMED_AGAIN = BOOKINGS.labels("replayed")
_PENDING = BOOKINGS.labels("payment_pending")


class ConfirmHold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask that a hold become a booking. What costs is paid with `payment_token`, which the buyer's
    browser got from the payment provider; `provider` names it where several are set up, and
    `return_url` is where the buyer comes back to after a challenge. News goes to `contact`."""

    hold_id: Annotated[
        str, Meta(max_length=60, extra_json_schema={"pattern": long_id_pattern(ids.HOLD)})
    ]
    payment_token: Annotated[str, Meta(min_length=1, max_length=500)] | None = None
    provider: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    return_url: Annotated[str, Meta(min_length=1, max_length=2000)] | None = None
    contact: Contact | None = None


class CancelBooking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Give a booking back, with the reason for the record; with lines, only those. Its money goes
    back by the `policy` that it was sold with; a server may say `full` or `none` instead."""

    reason: Annotated[str, Meta(min_length=1, max_length=500)] = "cancelled"
    lines: Lines | None = None
    refund: RefundTerms = "policy"


class BookingView(msgspec.Struct, frozen=True, kw_only=True):
    """A booking. Each line says how much of it was given back; `payment` is what paid for it, and
    `refunds` what of that goes or went back, as they stand at this moment."""

    id: str
    hold_id: str
    state: str
    owner: str
    lines: list[BookedLine]
    amount: Money
    confirmed_at: datetime
    cancelled_at: datetime | None
    reason: str | None
    payment: Payment | None
    refunds: list[Refund]
    quote: Quote | None


class PaymentView(msgspec.Struct, frozen=True):
    """A payment, the booking that it made once there is one, and what goes or went back of it."""

    payment: Payment
    booking_id: str | None
    refunds: list[Refund]


class PendingView(msgspec.Struct, frozen=True):
    """The payment is under way. Send the buyer to its `action_url` if it has one; ask again with
    the same idempotency key, or read the payment."""

    payment: Payment


async def confirm_hold(call: Call, body: ConfirmHold) -> Answer:
    """Makes a booking of a hold, paid for with the token if it costs."""
    try:
        paid = await _confirmed(call, body)
    except BespeakError as error:
        BOOKINGS.labels(error.code).inc()
        raise
    if paid.booking is None and paid.payment is not None:
        _PENDING.inc()
        return _pending_answer(paid.payment, replayed=paid.replayed)
    if paid.booking is None:
        raise TypeError("a payment or a booking is answered")
    (_CONFIRMED_AGAIN if paid.replayed else _CONFIRMED).inc()
    return await _booking_answer(call, paid.booking, _CREATED, paid)


async def _confirmed(call: Call, body: ConfirmHold) -> Paid:
    owner, key = call.acting_owner(), call.idempotency_key
    if body.payment_token is None:
        booking = await call.service.engine.confirm_hold(
            body.hold_id, owner=owner, idempotency_key=key, contact=body.contact
        )
        return Paid(None, booking, booking.replayed)
    return await call.service.engine.payments.pay(
        body.hold_id,
        token=body.payment_token,
        owner=owner,
        provider=body.provider,
        return_url=body.return_url,
        contact=body.contact,
        idempotency_key=key,
    )


async def get_payment(call: Call, _: None) -> Answer:
    """Reads a payment, with its booking once there is one, and its refunds."""
    engine = call.service.engine
    paid = await engine.payments.payment(call.path["payment_id"], owner=call.acting_owner())
    if paid.payment is None:
        raise TypeError("what has an id is a payment")
    booking_id = None if paid.booking is None else paid.booking.id
    refunds = await engine.refunds.of_payment(paid.payment.id) if paid.payment.refunding else []
    return Answer(200, PaymentView(paid.payment, booking_id, refunds))


async def get_booking(call: Call, _: None) -> Answer:
    """Reads a booking, with the payment that paid for it and its refunds."""
    engine = call.service.engine
    booking = await engine.get_booking(call.path["booking_id"], owner=call.acting_owner())
    paid = Paid(await engine.payments.payment_of(booking), booking)
    return await _booking_answer(call, booking, 200, paid)


async def cancel_booking(call: Call, body: CancelBooking | None) -> Answer:
    """Gives a booking back, wholly or in part; the units are free at once, and what is due of the
    money is on its way."""
    asked = body or CancelBooking()
    if asked.refund != "policy" and call.caller.kind is KeyKind.PUBLISHABLE:
        raise RefundByPolicyOnly
    engine = call.service.engine
    booking = await engine.cancel_booking(
        call.path["booking_id"],
        reason=asked.reason,
        lines=asked.lines,
        refund=asked.refund,
        owner=call.acting_owner(),
        idempotency_key=call.idempotency_key,
    )
    paid = Paid(await engine.payments.payment_of(booking), booking, booking.replayed)
    return await _booking_answer(call, booking, 200, paid)


async def _booking_answer(call: Call, booking: Booking, status: int, paid: Paid) -> Answer:
    refunds: list[Refund] = []
    if paid.payment is not None and paid.payment.refunding:
        refunds = await call.service.engine.refunds.of_booking(booking.id)
    view = booking_view(booking, paid.payment, refunds)
    return Answer(status, view, headers=REPLAYED if paid.replayed else ())


def booking_view(booking: Booking, payment: Payment | None, refunds: list[Refund]) -> BookingView:
    """A booking as it is answered."""
    return BookingView(
        id=booking.id,
        hold_id=booking.hold_id,
        state=booking.state,
        owner=booking.owner,
        lines=booking.lines,
        amount=booking.amount,
        quote=booking.quote,
        confirmed_at=booking.confirmed_at,
        cancelled_at=booking.cancelled_at,
        reason=booking.reason,
        payment=payment,
        refunds=refunds,
    )


def _pending_answer(payment: Payment, *, replayed: bool) -> Answer:
    return Answer(_ACCEPTED, PendingView(payment), headers=REPLAYED if replayed else ())


ENDPOINTS = [
    Endpoint(
        "POST",
        "/v1/bookings",
        confirm_hold,
        "Confirm a hold",
        BookingView,
        _CREATED,
        needs_shopper=True,
        body=ConfirmHold,
        repeatable=True,
        errors=(
            InvalidId,
            HoldNotFound,
            NotOwner,
            HoldExpired,
            HoldReleased,
            HoldConfirmed,
            PaymentRequired,
            PaymentDeclined,
            PaymentInProgress,
            MoneyReturned,
            ProviderUnknown,
        ),
        accepted=PendingView,
    ),
    Endpoint(
        "GET",
        "/v1/bookings/{booking_id}",
        get_booking,
        "Read a booking",
        BookingView,
        needs_shopper=True,
        errors=(InvalidId, BookingNotFound, NotOwner),
    ),
    Endpoint(
        "DELETE",
        "/v1/bookings/{booking_id}",
        cancel_booking,
        "Cancel a booking",
        BookingView,
        needs_shopper=True,
        body=CancelBooking,
        body_required=False,
        repeatable=True,
        errors=(
            InvalidId,
            BookingNotFound,
            NotOwner,
            RefundByPolicyOnly,
            BookingCancelled,
            NotInBooking,
            TicketUsed,
        ),
    ),
    Endpoint(
        "GET",
        "/v1/payments/{payment_id}",
        get_payment,
        "Read a payment",
        PaymentView,
        needs_shopper=True,
        errors=(InvalidId, PaymentNotFound, NotOwner),
    ),
]
