"""Payments that a provider has and our record lost, as when a standby was promoted that had not got
the last transactions. They are found in the provider's books, and taken back into ours: with a
booking, where what was paid for can be had again, or to be given back.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Literal
from uuid import UUID

import msgspec

from bespeak import ids
from bespeak.actors import acting
from bespeak.errors import BespeakError, InvalidId
from bespeak.inventory.lines import check_line
from bespeak.lines import Line
from bespeak.money import Money
from bespeak.payments.ledger import LostPaymentRow
from bespeak.payments.payment import DuePayment, Paid
from bespeak.payments.providers.provider import (
    Charge,
    Ordered,
    PaymentProvider,
    Standing,
    StandingState,
)
from bespeak.payments.reconciliation.differences import has_money
from bespeak.payments.reconciliation.report import QUERIES, check_window
from bespeak.payments.settlement import Settlement
from bespeak.reservations.lines import Shown, ShownLine, counts, encode_shown
from bespeak.reservations.request import OWNER_LENGTH_MAX, check_text

if TYPE_CHECKING:
    from bespeak.postgres.pool import Database

_SLICE = timedelta(hours=1)
_PAGE = 1000


class Remedy(StrEnum):
    """What can be done for a lost payment."""

    REBOOK = "rebook"  # or give it back
    REFUND = "refund"  # nothing else: what was paid for is not known any more
    BY_HAND = "by_hand"  # it is not known whose it is, or some of it was given back already


class LostPayment(msgspec.Struct, frozen=True, kw_only=True):
    """A payment with money that is not in our record, with all that its provider knows of it."""

    provider: str
    payment_id: str
    reference: str | None
    state: StandingState
    amount: Money
    captured: int
    created_at: datetime
    ordered: Ordered | None
    remedy: Remedy


class RecoveredPayment(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a lost payment: booked again, on its way back, or `waiting` for the provider,
    whom the background worker asks on. `known`: somebody else took it into the record."""

    payment_id: str
    outcome: Literal["rebooked", "returned", "waiting", "known"]
    booking_id: str | None = None


async def lost_payments(
    database: Database, provider: PaymentProvider, since: datetime, until: datetime
) -> AsyncIterator[LostPayment]:
    """The payments that began with the provider in a half-open time, have money, and are not in our
    record. Both sides are asked twice, since a payment may be begun between two looks. Raises
    InvalidRequest, ProviderUnavailable, and what says that the service is away."""
    check_window(since, until)
    begin = since
    while begin < until:
        end = min(begin + _SLICE, until)
        told = [one async for one in provider.charges(begin, end) if has_money(one)]
        for standing in await _unknown(database, provider, told):
            again = await provider.lookup(_charge(standing))
            if again is not None and has_money(again):
                for still in await _unknown(database, provider, [again]):
                    yield _lost(provider, still)
        begin = end


async def recover(settlement: Settlement, lost: LostPayment, *, refund: bool) -> RecoveredPayment:
    """Takes a lost payment into the record and goes on with it as with any that came late: books
    what it paid for, where that is free at the price that was paid, and else gives it back; or
    gives it back at once. Died in between, the background worker goes on. Raises ValueError for one
    that is to be settled by hand, and what says that the service is away."""
    work = await settlement.ledger.adopt(_row(lost, refund=refund))
    if work is None:
        return RecoveredPayment(payment_id=lost.payment_id, outcome="known")
    if work.step == "await":  # its hold is still held: it is settled as if nothing had been lost
        return _recovered(work, await settlement.look(work))
    after, paid = await settlement.advance(work)
    return _recovered(after, paid)


def _recovered(work: DuePayment, paid: Paid) -> RecoveredPayment:
    outcome: Literal["rebooked", "returned", "waiting"] = "waiting"
    if paid.payment is not None and paid.payment.late == "refund":
        outcome = "returned"
    elif paid.booking is not None:
        outcome = "rebooked"
    return RecoveredPayment(
        payment_id=work.id,
        outcome=outcome,
        booking_id=None if paid.booking is None else paid.booking.id,
    )


async def _unknown(
    database: Database, provider: PaymentProvider, told: Sequence[Standing]
) -> list[Standing]:
    """Those that are not in our record, a page of them at a time."""
    found: list[Standing] = []
    for first in range(0, len(told), _PAGE):
        some = told[first : first + _PAGE]
        numbers = [number for one in some if (number := _number(one)) is not None]
        homes = [ids.home_of(number) for number in numbers]
        async with database.borrow() as connection:
            rows = await connection.fetch(QUERIES["ours_named"], provider.name, homes, numbers)
        known = {row["payment_id"] for row in rows}
        found += [one for one in some if _number(one) not in known]
    return found


def _number(standing: Standing) -> UUID | None:
    """The number of the payment; None for what somebody wrote into the provider's record."""
    try:
        return ids.parse(ids.PAYMENT, standing.payment_id)
    except InvalidId:
        return None


def _charge(standing: Standing) -> Charge:
    return Charge(
        payment_id=standing.payment_id, amount=standing.amount, reference=standing.reference
    )


def _lost(provider: PaymentProvider, standing: Standing) -> LostPayment:
    ordered = standing.ordered
    remedy = Remedy.REFUND
    if ordered is None or standing.refunded or not _makes_sense(standing.payment_id, ordered):
        remedy = Remedy.BY_HAND
    elif ordered.lines and standing.captured in (0, standing.amount.amount):
        remedy = Remedy.REBOOK
    return LostPayment(
        provider=provider.name,
        payment_id=standing.payment_id,
        reference=standing.reference,
        state=standing.state,
        amount=standing.amount,
        captured=standing.captured,
        created_at=standing.created_at or datetime.now(UTC),
        ordered=ordered,
        remedy=remedy,
    )


def _makes_sense(payment_id: str, ordered: Ordered) -> bool:
    """Whether it can be one of ours: whoever has the provider's account may write there."""
    try:
        homes = [
            ids.home_of(ids.parse(prefix, text))
            for prefix, text in ((ids.PAYMENT, payment_id), (ids.HOLD, ordered.hold_id))
        ]
        check_text(ordered.owner, "owner", OWNER_LENGTH_MAX)
        for line in ordered.lines or ():
            check_line(line)
            ids.parse_resource(line.resource_id)
    except BespeakError:
        return False
    return homes[0] == homes[1]


def _row(lost: LostPayment, *, refund: bool) -> LostPaymentRow:
    ordered = lost.ordered
    if ordered is None or lost.remedy is Remedy.BY_HAND:
        raise ValueError("this payment is to be settled by hand")
    payment = ids.parse(ids.PAYMENT, lost.payment_id)
    lines = ordered.lines or ()
    # What is not simply its claims is kept as it is shown; an ended hold has no claims.
    plain = lines if all(line.is_plain and line.unit is not None for line in lines) else ()
    shown = None if plain else Shown([ShownLine(line, [], line.quantity or 1) for line in lines])
    return LostPaymentRow(
        home=ids.home_of(payment),
        payment_id=payment,
        hold_id=ids.parse(ids.HOLD, ordered.hold_id),
        owner=ordered.owner,
        provider=lost.provider,
        reference=lost.reference,
        amount=lost.amount.amount,
        currency=lost.amount.currency,
        captured=lost.captured,
        created_at=lost.created_at,
        resources=[ids.parse_resource(line.resource_id) for line in plain],
        units=[line.unit or "" for line in plain],
        quantities=[line.quantity for line in plain],
        shown_quantities=None if shown is None else counts(shown.lines),
        shown=None if shown is None else encode_shown(shown),
        is_to_return=refund or lost.remedy is Remedy.REFUND,
        actor=acting(),
    )


def described(lines: tuple[Line, ...] | None) -> str:
    """Lines as a person reads them."""
    if not lines:
        return "not known"
    return ", ".join(_described(line) for line in lines)


def _described(line: Line) -> str:
    parts = [line.resource_id, line.unit, line.from_ or None, line.to or None]
    return " ".join(str(part) for part in parts if part) + (
        f" x{line.quantity}" if line.quantity else ""
    )
