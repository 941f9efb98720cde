"""The record of refunds: what reads and writes it, in batches through the committer like all that
is hot. It knows no provider; the refunder stands between them.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal, NamedTuple
from uuid import UUID

import msgspec

from bespeak import ids
from bespeak.actors import acting
from bespeak.errors import NotOwner
from bespeak.money import Money
from bespeak.payments.errors import RefundNotFailed, RefundNotFound
from bespeak.payments.observer import PaymentObserver
from bespeak.payments.payment import DuePayment, work_of
from bespeak.payments.providers.provider import RefundState
from bespeak.postgres.composites import composite
from bespeak.postgres.queries import load
from bespeak.reservations.committer import Committer, Verb, home_and_requests
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.postgres.pool import Database, Record

_QUERIES = load("bespeak.payments.refunds", "refunds.sql")
_LEASE_SECONDS = 30


class Refund(msgspec.Struct, frozen=True, kw_only=True):
    """Money that is given back of a payment. `cause` is why: its booking was `cancelled`, its
    resource `called_off`, the money came `late` or was a `mismatch`; `failure` is why it failed."""

    id: str
    payment_id: str
    booking_id: str
    state: RefundState
    amount: Money
    cause: Literal["cancelled", "called_off", "late", "mismatch"]
    failure: str | None
    created_at: datetime
    ended_at: datetime | None


class RefundWork(NamedTuple):
    """A refund that is due, with its payment. `tries` counts this one."""

    number: UUID
    amount: Money
    tries: int
    payment: DuePayment

    @property
    def id(self) -> str:
        """The id that the provider knows it by."""
        return ids.show(ids.REFUND, self.number)


@composite("refund_report")
class RefundReportRow(NamedTuple):
    """How a refund stands with its provider, as the database takes it."""

    refund_id: UUID
    home: int
    standing: str
    failure: str | None
    actor: str | None = None


SETTLE: Verb[RefundReportRow] = Verb("settle_refund", _QUERIES["settle_refunds"], home_and_requests)


class Refunds:
    """Reads and writes refunds for one process."""

    def __init__(
        self,
        database: Database,
        committer: Committer,
        settings: Settings,
        observer: PaymentObserver | None = None,
    ) -> None:
        self._observer = observer or PaymentObserver()
        self._database = database
        self._committer = committer

    async def get(self, refund_id: str, owner: str | None = None) -> Refund:
        """Reads a refund. Raises InvalidId, RefundNotFound, NotOwner."""
        return refund_of((await self._read("get_refund", refund_id, owner))["refund"])

    async def retry(self, refund_id: str) -> Refund:
        """Has a refund that failed tried again; one that is pending is so already.
        Raises InvalidId, RefundNotFound, RefundNotFailed."""
        refund = refund_of((await self._read("retry_refund", refund_id, None))["refund"])
        if refund.state is RefundState.REFUNDED:
            raise RefundNotFailed(refund_id=refund_id)
        return refund

    async def work(self, refund_id: str) -> tuple[Refund, RefundWork]:
        """A refund, and what there is to do for it. Raises InvalidId, RefundNotFound."""
        row = await self._read("get_refund", refund_id, None)
        return refund_of(row["refund"]), _work_of(row)

    async def at_desk(self, limit: int, workspace: str | None = None) -> list[Refund]:
        """The refunds of a workspace, or of all, that somebody is to hand over at the desk, the
        oldest first."""
        async with self._database.borrow() as connection:
            rows = await connection.fetch(_QUERIES["refunds_at_desk"], limit, workspace)
        return [refund_of(row["refund"]) for row in rows]

    async def of_booking(self, booking_id: str) -> list[Refund]:
        """What is, or was, given back for a booking, the oldest first. Raises InvalidId."""
        return await self._list("refunds_of_hold", ids.parse(ids.BOOKING, booking_id))

    async def of_payment(self, payment_id: str) -> list[Refund]:
        """What is, or was, given back of a payment, the oldest first. Raises InvalidId."""
        return await self._list("refunds_of_payment", ids.parse(ids.PAYMENT, payment_id))

    async def failed(self, limit: int, workspace: str | None = None) -> list[Refund]:
        """The refunds of a workspace, or of all, that failed and wait for a person, the oldest
        first."""
        async with self._database.borrow() as connection:
            rows = await connection.fetch(_QUERIES["failed_refunds"], limit, workspace)
        return [refund_of(row["refund"]) for row in rows]

    async def due(self, limit: int) -> list[RefundWork]:
        """Claims refunds that are due."""
        async with self._database.borrow() as connection:
            rows = await connection.fetch(_QUERIES["due_refunds"], limit, _LEASE_SECONDS)
        return [_work_of(row) for row in rows]

    async def next_due_seconds(self) -> float | None:
        """How long until a refund is due; None when none is."""
        async with self._database.borrow() as connection:
            seconds: float | None = await connection.fetchval(_QUERIES["next_due"])
        return seconds

    async def settle(self, work: RefundWork, state: RefundState, failure: str | None) -> Refund:
        """Writes down how a refund stands with its provider. What does not fit its present state
        changes nothing. Raises RefundNotFound."""
        report = RefundReportRow(work.number, work.payment.home, str(state), failure, acting())
        row = await self._committer.submit(SETTLE, report, (work.number,))
        if row["refund"] is None:
            raise RefundNotFound(refund_id=work.id)
        if row["refund"]["ended_at"] == row["answered_at"]:
            self._observer.refund(work.payment.provider, row["refund"]["state"])
        return refund_of(row["refund"])

    async def _read(self, query: str, refund_id: str, owner: str | None) -> Record:
        number = ids.parse(ids.REFUND, refund_id)
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(_QUERIES[query], ids.home_of(number), number)
        if row is None:
            raise RefundNotFound(refund_id=refund_id)
        if owner is not None and row["payment"]["owner"] != owner:
            raise NotOwner
        return row

    async def _list(self, query: str, number: UUID) -> list[Refund]:
        async with self._database.borrow() as connection:
            rows = await connection.fetch(_QUERIES[query], ids.home_of(number), number)
        return [refund_of(row["refund"]) for row in rows]


def refund_of(row: Record) -> Refund:
    """A refund from its row."""
    return Refund(
        id=ids.show(ids.REFUND, row["refund_id"]),
        payment_id=ids.show(ids.PAYMENT, row["payment_id"]),
        booking_id=ids.show(ids.BOOKING, row["hold_id"]),
        state=RefundState(row["state"]),
        amount=Money(row["amount"], row["currency"]),
        cause=row["cause"],
        failure=row["failure"],
        created_at=row["created_at"],
        ended_at=row["ended_at"],
    )


def _work_of(row: Record) -> RefundWork:
    refund = row["refund"]
    return RefundWork(
        refund["refund_id"],
        Money(refund["amount"], refund["currency"]),
        refund["tries"],
        work_of(row["payment"]),
    )
