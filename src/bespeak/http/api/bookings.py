"""Bookings: made of holds, paid for where they cost, read, listed and cancelled."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak import ids
from bespeak.errors import (
    BespeakError,
    BookingCancelled,
    BookingNotFound,
    HoldConfirmed,
    HoldExpired,
    HoldReleased,
    InvalidCursor,
    InvalidId,
    InvalidRequest,
    NotInBooking,
    NotOwner,
    PaymentRequired,
    PlanChanged,
    UnitTaken,
    UnknownUnit,
)
from bespeak.http.api.asked_holds import Lines
from bespeak.http.api.booking_lists import (
    BookingPage,
    BookingQuery,
    BookingSearch,
    BookingView,
    booking_view,
)
from bespeak.http.api.great_refunds import within_limit
from bespeak.http.server import tags
from bespeak.http.server.answers import REPLAYED, Answer, JsonAnswer
from bespeak.http.server.bindings import Subject
from bespeak.http.server.budgets.gate import Visitor
from bespeak.http.server.budgets.mails import trying_mail
from bespeak.http.server.budgets.policy import Budget
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import (
    OF_BOOKING,
    OF_HOLD,
    RESOURCE_PATTERN,
    SERVERS,
    documented,
    endpoint_table,
    long_id_pattern,
)
from bespeak.http.server.errors import BudgetSpent
from bespeak.http.server.keys import KeyKind
from bespeak.http.server.languages import answered_in
from bespeak.http.server.metrics import BOOKINGS
from bespeak.http.server.operators.errors import StepUpRequired
from bespeak.http.server.scopes import READ, REFUND, SELL
from bespeak.http.server.spreadsheets import CSV
from bespeak.http.server.subjects import by_query
from bespeak.http.server.workspaces import Reach
from bespeak.inventory.errors import ResourceCalledOff, UnitNotMovable
from bespeak.merchants.errors import ConsentRequired
from bespeak.payments.errors import (
    MoneyReturned,
    PaymentDeclined,
    PaymentInProgress,
    ProviderUnknown,
    RefundByPolicyOnly,
)
from bespeak.payments.payment import Paid, Payment
from bespeak.payments.refunds.cancellation import RefundTerms
from bespeak.payments.refunds.record import Refund
from bespeak.reservations.booked_contacts import kept_address
from bespeak.reservations.checkout_answers import Answers
from bespeak.reservations.contact import Contact
from bespeak.reservations.errors import (
    AnswerInvalid,
    AnswersRequired,
    BookingNotExchangeable,
    TicketUsed,
)
from bespeak.reservations.holds import Booking
from bespeak.reservations.move_requests import MOVES_MAX, Move

_CONFIRMED = BOOKINGS.labels("confirmed")
_CONFIRMED_AGAIN = BOOKINGS.labels("replayed")
_PENDING = BOOKINGS.labels("payment_pending")

ENDPOINTS, endpoint = endpoint_table(tags.BOOKINGS)


class ConfirmHold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask that a hold become a booking. What costs is paid with `payment_token`, which the buyer's
    browser got from the payment provider; `provider` names it where several are set up, and
    `return_url` is where the buyer comes back to after a challenge. News goes to `contact`, or
    without one to that of the booking that the hold is in place of. A shopper sends as `consent`
    which terms they accepted: the `terms` of the merchant's ordering; and as `answers` what they
    say to the `questions` of the resources."""

    hold_id: Annotated[
        str, Meta(max_length=60, extra_json_schema={"pattern": long_id_pattern(ids.HOLD)})
    ]
    payment_token: Annotated[str, Meta(min_length=1, max_length=500)] | None = None
    provider: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    return_url: Annotated[str, Meta(min_length=1, max_length=2000)] | None = None
    contact: Contact | None = None
    consent: (
        Annotated[
            str, Meta(min_length=32, max_length=32, extra_json_schema={"pattern": "^[0-9a-f]{32}$"})
        ]
        | None
    ) = None
    answers: Answers | None = None


class CancelBooking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Give a booking back, with the reason for the record; with lines, only those. Its money goes
    back by the `policy` that it was sold with; a server may say `full` or `none` instead."""

    reason: Annotated[str, Meta(min_length=1, max_length=500)] = "cancelled"
    lines: Lines | None = None
    refund: RefundTerms = "policy"


class MoveBooking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Move what a booking has of one resource to other units of it; without `resource_id`, of the
    only one that the booking is of. Who booked is written to, unless `send_mail` is false: where
    nothing changes for them."""

    moves: Annotated[list[Move], Meta(min_length=1, max_length=MOVES_MAX)]
    resource_id: Annotated[str, documented(RESOURCE_PATTERN)] | None = None
    send_mail: bool = True


class PendingView(msgspec.Struct, frozen=True):
    """The payment is under way. Send the buyer to its `action_url` if it has one; ask again with
    the same idempotency key, or read the payment."""

    payment: Payment


def _hold_of_body(call: Call[None, ConfirmHold]) -> Subject:
    return Subject(hold=call.body.hold_id)


@endpoint(
    "POST",
    "/v1/bookings",
    "Confirm a hold",
    status=201,
    answers=BookingView,
    accepted=PendingView,
    needs_shopper=True,
    booking_link_opens=True,
    waitlist_link_opens=True,
    repeatable=True,
    errors=(
        *OF_HOLD,
        HoldExpired,
        HoldReleased,
        HoldConfirmed,
        BookingNotExchangeable,
        PaymentRequired,
        PaymentDeclined,
        PaymentInProgress,
        MoneyReturned,
        ProviderUnknown,
        BudgetSpent,
        ConsentRequired,
        AnswersRequired,
        AnswerInvalid,
    ),
    scopes=SELL,
    reach=Reach.IDS,
    body_about=_hold_of_body,
)
async def confirm_hold(
    call: Call[None, ConfirmHold],
) -> JsonAnswer[BookingView] | JsonAnswer[PendingView]:
    """Makes a booking of a hold, paid for with the token if it costs."""
    try:
        paid = await _confirm(call)
    except BespeakError as error:
        BOOKINGS.labels(error.code).inc()
        raise
    if paid.booking is not None:
        call.service.budgets.ended(call.body.hold_id, "booked")
        (_CONFIRMED_AGAIN if paid.replayed else _CONFIRMED).inc()
        return await _answer(call, paid.booking, paid.payment, 201, replayed=paid.replayed)
    if paid.payment is None:
        raise TypeError("a payment or a booking is answered")
    _PENDING.inc()
    headers = REPLAYED if paid.replayed else ()
    return JsonAnswer(202, PendingView(paid.payment), headers=headers)


async def _confirm(call: Call[None, ConfirmHold]) -> Paid:
    body, owner, key = call.body, call.acting_owner(), call.idempotency_key
    shopper = call.caller.shopper
    if shopper is not None:  # a server answers for what its own shop asked
        await call.service.consents.accept(
            body.hold_id, shopper, call.caller.workspace, body.consent
        )
    await call.service.checkout_answers.accept(
        body.hold_id, shopper, call.caller.workspace, body.answers
    )
    visitor = None if owner is None else call.visitor(owner)
    if visitor is None:
        return await _pay(call, owner, key)
    if body.payment_token is None:
        return await _confirm_free(call, visitor, key)
    budgets = call.service.budgets
    spenders = budgets.payment_spenders(visitor, body.hold_id, body.payment_token)
    # One that the bank has not decided counts as well: else whoever tries cards leaves it there.
    with budgets.trying(Budget.PAYMENTS, spenders) as trial:
        try:
            paid = await _pay(call, owner, key)
        except PaymentDeclined:
            raise
        except BaseException:
            trial.is_good = True
            raise
        # Who asks again how a payment stands has tried no other card.
        trial.is_good = paid.booking is not None or paid.replayed
    return paid


async def _confirm_free(call: Call[None, ConfirmHold], visitor: Visitor, key: str | None) -> Paid:
    """Books what costs nothing here. News of it goes to the contact, which may be anybody's, also
    where it goes along with a change."""
    address = await _address(call)
    if address is None:
        return await _pay(call, visitor.owner, key)
    with trying_mail(call.service.budgets, visitor, address) as trial:
        trial.is_good = True
        paid = await _pay(call, visitor.owner, key)
        trial.is_good = paid.replayed
    return paid


async def _address(call: Call[None, ConfirmHold]) -> str | None:
    contact = call.body.contact
    if contact is not None:
        return contact.email
    async with call.engine.database.borrow() as connection:
        return await kept_address(connection, call.body.hold_id)


async def _pay(call: Call[None, ConfirmHold], owner: str | None, key: str | None) -> Paid:
    body = call.body
    of_shopper = call.caller.shopper is not None
    if body.payment_token is None:
        booking = await call.engine.confirm_hold(
            body.hold_id,
            owner=owner,
            idempotency_key=key,
            contact=body.contact,
            of_shopper=of_shopper,
        )
        return Paid(None, booking, booking.replayed)
    return await call.engine.payments.pay(
        body.hold_id,
        token=body.payment_token,
        owner=owner,
        provider=body.provider,
        return_url=body.return_url,
        contact=body.contact,
        idempotency_key=key,
        of_shopper=of_shopper,
    )


@endpoint(
    "GET",
    "/v1/bookings/{booking_id}",
    "Read a booking",
    needs_shopper=True,
    booking_link_opens=True,
    errors=OF_BOOKING,
    scopes=READ | SELL | REFUND,
)
async def get_booking(call: Call[None, None]) -> JsonAnswer[BookingView]:
    """Reads a booking, with the payment that paid for it and its refunds."""
    booking = await call.engine.get_booking(call.path["booking_id"], owner=call.acting_owner())
    return await _answer(call, booking, await call.engine.payments.payment_of(booking))


@endpoint(
    "GET",
    "/v1/bookings",
    "List bookings",
    also=CSV,
    needs_shopper=True,
    errors=(InvalidRequest, InvalidId, InvalidCursor, NotOwner),
    scopes=READ,
    reach=Reach.WORKSPACE,
    about=by_query,
)
async def list_bookings(call: Call[BookingQuery, None]) -> BookingPage | Answer:
    """Lists bookings, the latest first: with a pk_ key the shopper's own, else anybody's. As
    `csv` there are up to 10,000 in one answer, and the header Bespeak-Next reads on."""
    search = BookingSearch.of(call.query, call.listing_owner(call.query.owner), call.workspace)
    if call.query.format == "json":
        language = answered_in(call.caller, call.headers, None)
        return await search.page(call.engine.reads, call.query.limit, language)
    return await search.csv(call.engine.reads)


@endpoint(
    "DELETE",
    "/v1/bookings/{booking_id}",
    "Cancel a booking",
    needs_shopper=True,
    booking_link_opens=True,
    repeatable=True,
    errors=(
        *OF_BOOKING,
        RefundByPolicyOnly,
        BookingCancelled,
        NotInBooking,
        TicketUsed,
        StepUpRequired,
    ),
    scopes=REFUND,
    audited=True,
)
async def cancel_booking(call: Call[None, CancelBooking | None]) -> JsonAnswer[BookingView]:
    """Gives a booking back, wholly or in part; the units are free at once, and what is due of the
    money is on its way."""
    body = call.body or CancelBooking()
    if body.refund != "policy" and call.caller.kind is KeyKind.PUBLISHABLE:
        raise RefundByPolicyOnly

    async def cancel(refunds_max: int | None) -> Booking:
        return await call.engine.cancel_booking(
            call.path["booking_id"],
            reason=body.reason,
            lines=body.lines,
            refund=body.refund,
            refunds_max=refunds_max,
            owner=call.acting_owner(),
            idempotency_key=call.idempotency_key,
        )

    booking = await within_limit(call, cancel)
    payment = await call.engine.payments.payment_of(booking)
    return await _answer(call, booking, payment, replayed=booking.replayed)


@endpoint(
    "POST",
    "/v1/bookings/{booking_id}/moves",
    "Move a booking to other units",
    answers=BookingView,
    kinds=SERVERS,
    repeatable=True,
    errors=(
        InvalidId,
        BookingNotFound,
        BookingCancelled,
        NotInBooking,
        UnitTaken,
        UnknownUnit,
        UnitNotMovable,
        TicketUsed,
        ResourceCalledOff,
        PlanChanged,
    ),
    scopes=REFUND,
    audited=True,
)
async def move_booking(call: Call[None, MoveBooking]) -> JsonAnswer[BookingView]:
    """Moves what a booking has to other units of the same resource, all of it or nothing. Price,
    payment and tickets stay."""
    booking = await call.engine.move_booking(
        call.path["booking_id"],
        call.body.moves,
        resource_id=call.body.resource_id,
        send_mail=call.body.send_mail,
        idempotency_key=call.idempotency_key,
    )
    payment = await call.engine.payments.payment_of(booking)
    return await _answer(call, booking, payment, replayed=booking.replayed)


async def _answer(
    call: Call[object, object],
    booking: Booking,
    payment: Payment | None,
    status: int = 200,
    *,
    replayed: bool = False,
) -> JsonAnswer[BookingView]:
    refunds: list[Refund] = []
    if payment is not None and payment.refunding:
        refunds = await call.engine.refunds.of_booking(booking.id)
    view = booking_view(booking, payment, refunds)
    return JsonAnswer(status, view, headers=REPLAYED if replayed else ())
