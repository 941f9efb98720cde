"""What may differ between our record of a payment and its provider's, and how it is told: a
judgement over two records, without asking anybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.money import Money
from bespeak.payments.payment import captured_of
from bespeak.payments.providers.provider import Charge, RefundState, Standing, StandingState
from bespeak.states import PaymentState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record

DIFFERENCES: dict[str, str] = {
    "unknown_to_us": "The provider has a payment of this installation that is not in our record.",
    "unknown_to_provider": "The provider does not know a payment that took money by our record.",
    "charged_twice": "The provider has the money of one payment a second time.",
    "state_differs": "The provider says otherwise of a payment than our record.",
    "amount_differs": "The amount or the currency of a payment is another with the provider.",
    "booking_missing": "The provider has the money of a payment, and there is no booking.",
    "refund_missing": "The provider does not know a refund that was made by our record.",
    "refund_unknown": "The provider gave money back that our record does not know of.",
    "refund_twice": "The provider gave the same refund twice.",
    "refund_differs": "The provider says otherwise of a refund than our record.",
    "refunded_differs": "The provider gave back another sum than our record says.",
}
"""What each difference means, in a sentence."""

_SETTLED = {
    PaymentState.CAPTURED: (StandingState.CAPTURED,),
    PaymentState.REFUNDED: (StandingState.CAPTURED,),
    PaymentState.AUTHORIZED: (StandingState.AUTHORIZED,),
    PaymentState.PENDING: (StandingState.PENDING, StandingState.CHALLENGE),
    PaymentState.FAILED: (StandingState.FAILED, StandingState.VOIDED),
    PaymentState.VOIDED: (StandingState.FAILED, StandingState.VOIDED),
}
_TOOK_MONEY = (PaymentState.AUTHORIZED, PaymentState.CAPTURED, PaymentState.REFUNDED)


class Side(msgspec.Struct, frozen=True):
    """A payment or refund as one side has it: its state in that side's words, and minor units of
    the currency. `captured` is what was really taken of a payment."""

    state: str
    amount: int
    currency: str
    captured: int = 0
    refunded: int = 0


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Something in which our record and the provider's differ. A side that has nothing is null."""

    problem: str
    meaning: str
    payment_id: str
    reference: str | None
    refund_id: str | None
    booking_id: str | None
    ours: Side | None
    theirs: Side | None


class KeptRefund(msgspec.Struct, frozen=True):
    """A refund of our record."""

    refund_id: str
    state: str
    amount: int


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """A payment of our record, with what has to agree with the provider's. `is_returning` says that
    the money came too late and goes back."""

    payment_id: str
    booking_id: str | None
    created_at: datetime
    state: PaymentState
    step: str | None
    amount: Money
    captured: Money | None
    refunded: int
    reference: str | None
    is_returning: bool
    refunds: tuple[KeptRefund, ...]

    @property
    def charge(self) -> Charge:
        """The payment as the provider's verbs name it."""
        return Charge(payment_id=self.payment_id, amount=self.amount, reference=self.reference)

    @property
    def is_moving(self) -> bool:
        """Whether something is to be done still, so that the two sides may well differ."""
        return self.step is not None or any(one.state == "pending" for one in self.refunds)

    @property
    def side(self) -> Side:
        """It, as a difference tells it."""
        captured = self.captured.amount if self.captured else 0
        return Side(self.state, self.amount.amount, self.amount.currency, captured, self.refunded)


_refunds = msgspec.json.Decoder(tuple[KeptRefund, ...])


def account_of(row: Record) -> Account:
    """A payment of our record, from its row."""
    return Account(
        payment_id=ids.show(ids.PAYMENT, row["payment_id"]),
        booking_id=ids.show(ids.BOOKING, row["hold_id"]) if row["is_booked"] else None,
        created_at=row["created_at"],
        state=PaymentState(row["state"]),
        step=row["step"],
        amount=Money(row["amount"], row["currency"]),
        captured=captured_of(row),
        refunded=row["refunded"],
        reference=row["reference"],
        is_returning=row["is_returning"],
        refunds=() if row["refunds"] is None else _refunds.decode(row["refunds"]),
    )


def has_money(standing: Standing) -> bool:
    """Whether a provider has money of a buyer, or reserved it."""
    if standing.state is StandingState.CAPTURED:
        return standing.captured > standing.refunded
    return standing.state is StandingState.AUTHORIZED


def is_another(account: Account, standing: Standing) -> bool:
    """Whether a provider's payment is not the one that our record names, though it is for the
    same."""
    references = (account.reference, standing.reference)
    return None not in references and account.reference != standing.reference


def judge(account: Account | None, standing: Standing | None) -> list[Difference]:
    """In what the two records of one payment differ. One that still moves differs in nothing
    yet."""
    if account is None:
        return [] if standing is None else [_difference("unknown_to_us", None, standing)]
    if account.is_moving:
        return []
    if standing is None:
        problem = "unknown_to_provider" if account.state in _TOOK_MONEY else None
        return [] if problem is None else [_difference(problem, account, None)]
    if standing.state not in _SETTLED[account.state]:
        return [_difference("state_differs", account, standing)]
    if account.state not in _TOOK_MONEY:
        return []
    found = []
    # That another amount was asked for is known of money that goes back because of it.
    is_another_order = standing.amount != account.amount and not account.is_returning
    is_taken = standing.state is StandingState.CAPTURED
    if is_another_order or (is_taken and standing.received != account.captured):
        found.append(_difference("amount_differs", account, standing))
    if account.booking_id is None and not account.is_returning and has_money(standing):
        found.append(_difference("booking_missing", account, standing))
    return found + list(_judge_refunds(account, standing))


def _judge_refunds(account: Account, standing: Standing) -> Iterator[Difference]:
    ours = {one.refund_id: one for one in account.refunds}
    told: set[str] = set()
    is_clear = True
    for theirs in standing.refunds:
        kept = ours.get(theirs.refund_id)
        currency = standing.amount.currency
        seen = Side(theirs.state, theirs.amount, currency)
        problem = None
        if theirs.refund_id in told and theirs.state is not RefundState.FAILED:
            problem = "refund_twice"
        elif kept is None and theirs.state is not RefundState.FAILED:
            problem = "refund_unknown"
        elif kept is not None and (kept.state, kept.amount) != (theirs.state, theirs.amount):
            problem = "refund_differs"
        told.add(theirs.refund_id)
        if problem is not None:
            is_clear = False
            own = None if kept is None else Side(kept.state, kept.amount, currency)
            yield _difference(problem, account, standing, theirs.refund_id, (own, seen))
    for kept in account.refunds:
        if kept.refund_id not in told and kept.state == "refunded":
            is_clear = False
            own = Side(kept.state, kept.amount, (account.captured or account.amount).currency)
            yield _difference("refund_missing", account, standing, kept.refund_id, (own, None))
    if is_clear and standing.refunded != account.refunded:
        yield _difference("refunded_differs", account, standing)


def charged_twice(account: Account | None, standing: Standing) -> Difference:
    """The difference of a payment that a provider has twice, with money each time."""
    return _difference("charged_twice", account, standing)


def with_money_first(standings: Sequence[Standing]) -> list[Standing]:
    """What a provider has for one payment, what matters most first."""
    return sorted(standings, key=has_money, reverse=True)


def _difference(
    problem: str,
    account: Account | None,
    standing: Standing | None,
    refund_id: str | None = None,
    sides: tuple[Side | None, Side | None] | None = None,
) -> Difference:
    known = standing or account
    if known is None:
        raise TypeError("a difference is between two records, of which one may be absent")
    ours, theirs = sides or (
        None if account is None else account.side,
        None if standing is None else _side_of(standing),
    )
    return Difference(
        problem=problem,
        meaning=DIFFERENCES[problem],
        payment_id=known.payment_id,
        reference=known.reference,
        refund_id=refund_id,
        booking_id=None if account is None else account.booking_id,
        ours=ours,
        theirs=theirs,
    )


def _side_of(standing: Standing) -> Side:
    money = standing.amount
    return Side(standing.state, money.amount, money.currency, standing.captured, standing.refunded)
