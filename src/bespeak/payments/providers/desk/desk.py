"""The desk behind the provider seam: cash, a card terminal of its own, a transfer, a voucher. What
is told to it has happened already, in the hands of whoever tells it; its books are tables of ours,
and are reconciled with the payments like those of any provider.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from bespeak import ids
from bespeak.errors import Unavailable
from bespeak.money import Money
from bespeak.payments.providers.provider import (
    Callback,
    CallbackInvalid,
    Charge,
    Order,
    PaymentProvider,
    ProviderRefused,
    ProviderUnavailable,
    RefundStanding,
    RefundState,
    Standing,
    StandingState,
)
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record

_QUERIES = load("bespeak.payments.providers.desk", "desk.sql")
_PAGE_ROWS = 500

METHODS = ("cash", "card_terminal", "transfer", "voucher")
"""How one pays at a desk: the payment tokens that it takes."""
_UNKNOWN = "unknown"


class Desk(PaymentProvider):
    """The desk. Whoever orders here says that the money is in their hands."""

    name = "desk"
    for_staff = True

    def __init__(self, database: Database) -> None:
        self._database = database

    async def authorize(self, order: Order) -> Standing:
        """Notes that the money was taken, or finds what an earlier call noted."""
        payment = ids.parse(ids.PAYMENT, order.payment_id)
        is_known = order.token in METHODS
        method = order.token if is_known else _UNKNOWN
        state = StandingState.AUTHORIZED if is_known else StandingState.FAILED
        amount = order.amount
        made = (payment, method, str(state), amount.amount, amount.currency)
        standing = await self._write("authorize", *made)
        if standing.amount != amount:
            raise ProviderRefused(
                "this payment was ordered with another amount", failure="order_mismatch"
            )
        return standing

    async def capture(self, charge: Charge) -> Standing:
        """The booking stands: the money stays."""
        standing = await self._write("capture", ids.parse(ids.PAYMENT, charge.payment_id))
        if standing.state is not StandingState.CAPTURED:
            failure = standing.failure or f"payment_{standing.state}"
            raise ProviderRefused(f"the payment is {standing.state}", failure=failure)
        return standing

    async def void(self, charge: Charge) -> Standing:
        """There is no booking: whoever took the money hands it back."""
        standing = await self._write("void", ids.parse(ids.PAYMENT, charge.payment_id))
        if standing.state is StandingState.CAPTURED:
            raise ProviderRefused("the payment is captured", failure="payment_captured")
        return standing

    async def refund(self, charge: Charge, refund_id: str, amount: int) -> Standing:
        """Notes what is to be handed over. ProviderRefused if nothing was taken, or not that much
        is left."""
        payment = ids.parse(ids.PAYMENT, charge.payment_id)
        refund = ids.parse(ids.REFUND, refund_id)
        try:
            async with self._database.borrow() as connection, connection.transaction():
                await connection.execute(_QUERIES["lock"], payment)
                await connection.execute(_QUERIES["give_back"], payment, refund, amount)
                standing = _known(await _standing(connection, payment))
        except Unavailable as error:
            raise _away(error) from error
        made = next((one for one in standing.refunds if one.refund_id == refund_id), None)
        if made is None:
            is_taken = standing.state is StandingState.CAPTURED
            failure = "refund_beyond_captured" if is_taken else "payment_not_captured"
            raise ProviderRefused("there is not that much to give back", failure=failure)
        if made.amount != amount:
            raise ProviderRefused(
                "this refund was ordered with another amount", failure="refund_mismatch"
            )
        return standing

    async def hand_over(self, refund_id: str, actor: str | None) -> None:
        """Notes that the money of a refund was handed over; repeated, it changes nothing. Raises
        DatabaseUnavailable."""
        async with self._database.borrow() as connection:
            await connection.execute(_QUERIES["hand_over"], ids.parse(ids.REFUND, refund_id), actor)

    async def lookup(self, charge: Charge) -> Standing | None:
        """How a payment stands; None for one that nobody noted."""
        try:
            async with self._database.borrow() as connection:
                return await _standing(connection, ids.parse(ids.PAYMENT, charge.payment_id))
        except Unavailable as error:
            raise _away(error) from error

    async def charges(self, since: datetime, until: datetime) -> AsyncIterator[Standing]:
        """All payments made from `since` until before `until`, oldest first."""
        after: tuple[datetime | None, UUID | None] = (None, None)
        while True:
            try:
                async with self._database.borrow() as connection:
                    rows = await connection.fetch(
                        _QUERIES["charges"], since, until, *after, _PAGE_ROWS
                    )
                    numbers = [row["payment_id"] for row in rows]
                    refunds = await connection.fetch(_QUERIES["refunds"], numbers)
            except Unavailable as error:
                raise _away(error) from error
            for row in rows:
                yield _standing_of(
                    row, [one for one in refunds if one["payment_id"] == row["payment_id"]]
                )
            if len(rows) < _PAGE_ROWS:
                return
            after = (rows[-1]["created_at"], rows[-1]["payment_id"])

    def read_callback(self, headers: Mapping[str, str], body: bytes, now: datetime) -> Callback:
        """Nobody calls back from a desk. Raises CallbackInvalid."""
        raise CallbackInvalid("a desk sends no callbacks")

    async def close(self) -> None:
        """It has no connections of its own."""

    async def _write(self, query: str, payment: UUID, *arguments: object) -> Standing:
        try:
            async with self._database.borrow() as connection:
                await connection.execute(_QUERIES[query], payment, *arguments)
                return _known(await _standing(connection, payment))
        except Unavailable as error:
            raise _away(error) from error


async def _standing(connection: Connection, payment: UUID) -> Standing | None:
    row = await connection.fetchrow(_QUERIES["payment"], payment)
    if row is None:
        return None
    return _standing_of(row, await connection.fetch(_QUERIES["refunds"], [payment]))


def _standing_of(row: Record, refunds: Sequence[Record]) -> Standing:
    state = StandingState(row["state"])
    told = tuple(_refund_of(one) for one in refunds)
    is_taken = state is StandingState.CAPTURED
    return Standing(
        payment_id=ids.show(ids.PAYMENT, row["payment_id"]),
        reference=f"{row['method']}_{row['payment_id'].hex}",
        state=state,
        amount=Money(row["amount"], row["currency"]),
        captured=row["amount"] if is_taken else 0,
        refunded=sum(one.amount for one in told if one.state is RefundState.REFUNDED),
        refunds=told,
        failure="token_unknown" if state is StandingState.FAILED else None,
        created_at=row["created_at"],
    )


def _refund_of(row: Record) -> RefundStanding:
    is_over = row["handed_over_at"] is not None
    state = RefundState.REFUNDED if is_over else RefundState.PENDING
    return RefundStanding(ids.show(ids.REFUND, row["refund_id"]), state, row["amount"])


def _known(standing: Standing | None) -> Standing:
    if standing is None:
        raise ProviderRefused("there is no such payment", failure="payment_unknown")
    return standing


def _away(error: Unavailable) -> ProviderUnavailable:
    return ProviderUnavailable(error.detail, retry_after_seconds=1)
