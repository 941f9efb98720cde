"""Payments as callers see them, and how they are read from the database's rows."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal
from uuid import UUID

import msgspec

from bespeak import ids
from bespeak.lines import Line
from bespeak.money import Money
from bespeak.payments.providers.provider import Charge
from bespeak.reservations.holds import Booking
from bespeak.states import PaymentState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """A payment of a hold. `action_url` is where the buyer must go on; `failure` why it came to
    nothing; `late` what became of money that came when its hold was over; `captured` what was
    really taken, null before that; `refunding` how much of it is to be given back, `refunded` how
    much was. `window_ends_at` is until when its hold is kept."""

    id: str
    hold_id: str
    owner: str
    provider: str
    state: PaymentState
    amount: Money
    captured: Money | None
    refunding: int
    refunded: int
    action_url: str | None
    failure: str | None
    late: Literal["same_units", "equal_offer", "refund"] | None
    window_ends_at: datetime
    created_at: datetime
    authorized_at: datetime | None
    captured_at: datetime | None
    ended_at: datetime | None


class Paid(msgspec.Struct, frozen=True):
    """What a wish to pay has come to: the payment, and the booking once there is one. `replayed`
    says that this answers a repeated request. A hold that costs nothing is booked without a
    payment."""

    payment: Payment | None
    booking: Booking | None
    replayed: bool = False


class DuePayment(msgspec.Struct, frozen=True, kw_only=True):
    """What the settlement needs of a payment's row to take its next step."""

    number: UUID
    home: int
    hold: UUID
    owner: str
    provider: str
    state: PaymentState
    step: str | None
    amount: Money
    token: str | None
    return_url: str | None
    reference: str | None
    tries: int
    window_ends_at: datetime
    lines: tuple[Line, ...] | None = None
    """Those of its hold, where they are at hand."""

    @property
    def id(self) -> str:
        """The id that the provider knows."""
        return ids.show(ids.PAYMENT, self.number)

    @property
    def charge(self) -> Charge:
        """The payment as the provider's verbs name it."""
        return Charge(
            payment_id=self.id,
            amount=self.amount,
            reference=self.reference,
            return_url=self.return_url,
        )


def captured_of(row: Record) -> Money | None:
    """What was really taken, from a payment's row; None where nothing was."""
    currency = row["captured_currency"]
    return None if currency is None else Money(row["captured"], currency)


def payment_of(row: Record) -> Payment:
    """A payment from its row."""
    return Payment(
        id=ids.show(ids.PAYMENT, row["payment_id"]),
        hold_id=ids.show(ids.HOLD, row["hold_id"]),
        owner=row["owner"],
        provider=row["provider"],
        state=PaymentState(row["state"]),
        amount=Money(row["amount"], row["currency"]),
        captured=captured_of(row),
        refunding=row["refunding"],
        refunded=row["refunded"],
        action_url=row["action_url"],
        failure=row["failure"],
        late=row["late"],
        window_ends_at=row["window_ends_at"],
        created_at=row["created_at"],
        authorized_at=row["authorized_at"],
        captured_at=row["captured_at"],
        ended_at=row["ended_at"],
    )


def work_of(row: Record, lines: tuple[Line, ...] | None = None) -> DuePayment:
    """The next step of a payment, from its row; with the lines of its hold, if they are at hand."""
    return DuePayment(
        number=row["payment_id"],
        home=row["resource_id"],
        hold=row["hold_id"],
        owner=row["owner"],
        provider=row["provider"],
        state=PaymentState(row["state"]),
        step=row["step"],
        amount=Money(row["amount"], row["currency"]),
        token=row["token"],
        return_url=row["return_url"],
        reference=row["reference"],
        tries=row["tries"],
        window_ends_at=row["window_ends_at"],
        lines=lines,
    )
