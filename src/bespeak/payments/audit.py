"""The audit of the money: payments and refunds held against holds and bookings, to prove that
nobody was charged for nothing. The doctor, the tests and whoever asks share the one query.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from uuid import UUID

    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.payments", "audit.sql")
_Details = dict[str, str | int | bool | None]
_details = msgspec.json.Decoder(_Details)

GRACE_SECONDS = 300.0
"""How long a step may be due before it counts as stuck: whoever takes it may be starting."""

PROBLEMS: dict[str, str] = {
    "payment_without_hold": "A payment is for a hold that does not exist.",
    "payment_differs": "A payment has another owner, amount or currency than its hold.",
    "payment_without_booking": "Money is reserved or taken, for no booking, and is not on its way"
    " back.",
    "paid_twice": "Two payments stand for one hold.",
    "step_wrong": "The next step of a payment does not go with its state; without one, nobody"
    " takes it further.",
    "step_stuck": "The next step of a payment is due, and nobody takes it.",
    "step_failing": "The next step of a payment fails again and again, or it waits long after its"
    " time.",
    "late_money_kept": "Money came too late and was taken, and not all of it is to go back.",
    "captured_differs": "Another amount was taken than the payment is of, and is not on its way"
    " back.",
    "mismatch_kept": "Another amount was taken than was asked for (cause `mismatch`), and has not"
    " all gone back yet.",
    "refunds_miscounted": "The refunds of a payment do not add up to what it says goes back.",
    "refund_state_wrong": "A payment is called refunded and is not, or the other way round.",
    "cancelled_but_paid": "A booking was cancelled because its payment failed, which it did not.",
    "booking_unpaid": "A booking stands that had to be paid, and no money is behind it.",
    "refund_without_payment": "A refund is of a payment that does not exist.",
    "refund_differs": "A refund has another currency than its payment.",
    "refund_of_nothing": "Money is to go back of a payment that took none.",
    "refund_stuck": "A refund is due, and nobody makes it.",
    "refund_failed": "The provider refused to give money back: a person has to.",
}
"""What each problem means, in a sentence."""


class MoneyProblem(msgspec.Struct, frozen=True, kw_only=True):
    """A disagreement of money and inventory. `details` has the record that is at fault, as it
    stands: its state, its step, its amounts in minor units."""

    problem: str
    meaning: str
    resource_id: str
    payment_id: str | None
    refund_id: str | None
    booking_id: str | None
    details: dict[str, str | int | bool | None]


async def money_problems(
    connection: Connection, grace_seconds: float = GRACE_SECONDS
) -> list[MoneyProblem]:
    """In what money and inventory disagree (at most 1,000). An empty list is the proof that they do
    not. What is due may wait for `grace_seconds` before it counts as stuck."""
    return [
        MoneyProblem(
            problem=row["problem"],
            meaning=PROBLEMS[row["problem"]],
            resource_id=ids.show_resource(row["resource_id"]),
            payment_id=_shown(ids.PAYMENT, row["payment_id"]),
            refund_id=_shown(ids.REFUND, row["refund_id"]),
            booking_id=_shown(ids.BOOKING, row["booking_id"]),
            details=_details.decode(row["details"]),
        )
        for row in await connection.fetch(_QUERIES["money_problems"], grace_seconds)
    ]


def _shown(prefix: str, number: UUID | None) -> str | None:
    return None if number is None else ids.show(prefix, number)
