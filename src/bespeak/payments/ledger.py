"""The record of payments: the two verbs that write it, in batches through the committer like all
that is hot, and what reads it. It knows no provider; the settlement stands between them.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

import msgspec

from bespeak import ids
from bespeak.actors import acting
from bespeak.clock import DatabaseClock
from bespeak.errors import IdempotencyKeyReused, InternalError, NotOwner
from bespeak.inventory.fingerprints import differing_fields, fingerprint
from bespeak.payments.errors import PaymentInProgress, PaymentNotFound
from bespeak.payments.observer import PaymentObserver, outcomes_of
from bespeak.payments.payment import DuePayment, Paid, Payment, payment_of, work_of
from bespeak.payments.providers.provider import Standing, StandingState, kind_of
from bespeak.postgres.composites import composite
from bespeak.postgres.queries import load
from bespeak.reservations.committer import Committer, Verb, home_and_requests
from bespeak.reservations.contact import Contact, encode_contact
from bespeak.reservations.holds import booking_of, held_lines
from bespeak.reservations.outcomes import change_error
from bespeak.reservations.request import KEY_LENGTH_MAX, check_text
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.postgres.pool import Database, Record

_QUERIES = load("bespeak.payments", "payments.sql")
_FIELDS = ("hold_id", "payment_token", "provider", "return_url", "contact")
LEASE_SECONDS = 30
"""How long a step may take before somebody else takes it over; longer than any provider's
time-out.
"""
MISSING = "missing"


@composite("payment_request")
class PaymentRequestRow(NamedTuple):
    """A payment that is to begin, as the database takes it."""

    payment_id: UUID
    home: int
    hold_id: UUID
    owner: str | None
    provider: str
    token: str
    return_url: str | None
    contact: str | None
    idempotency_key: str
    fingerprint: bytes
    lease_seconds: int
    actor: str | None = None


@composite("settle_request")
class SettleRequestRow(NamedTuple):
    """How a payment stands with its provider, as the database takes it. The amount is what was
    taken, where that has been done."""

    payment_id: UUID
    home: int
    standing: str
    reference: str | None
    amount: int
    currency: str
    action_url: str | None
    failure: str | None
    again_seconds: int
    actor: str | None = None


@composite("lost_payment")
class LostPaymentRow(NamedTuple):
    """A payment that the record lost, as the database takes it into it."""

    home: int
    payment_id: UUID
    hold_id: UUID
    owner: str
    provider: str
    reference: str | None
    amount: int
    currency: str
    captured: int
    created_at: datetime
    resources: list[int]
    units: list[str]
    quantities: list[int | None]
    shown_quantities: list[int] | None
    shown: str | None
    is_to_return: bool
    actor: str | None = None


BEGIN: Verb[PaymentRequestRow] = Verb(
    "begin_payment", _QUERIES["begin_payments"], home_and_requests
)
SETTLE: Verb[SettleRequestRow] = Verb(
    "settle_payment", _QUERIES["settle_payments"], home_and_requests, frees=True
)


class Begun(msgspec.Struct, frozen=True):
    """A payment that was begun now, or before under the same key. Without work there is nothing to
    pay."""

    work: DuePayment | None
    paid: Paid | None


class Ledger:
    """Reads and writes payments for one process."""

    def __init__(
        self,
        database: Database,
        committer: Committer,
        settings: Settings,
        clock: DatabaseClock,
        observer: PaymentObserver | None = None,
    ) -> None:
        self.observer = observer or PaymentObserver()
        self._database = database
        self._committer = committer
        self._settings = settings
        # Whether a payment's window is over is asked in a worker that may hold and confirm
        # nothing, so the record's answers are what tells it the database's time.
        self._clock = clock
        self._ids = ids.IdMaker()

    async def begin(
        self,
        hold_id: str,
        *,
        owner: str | None,
        provider: str,
        token: str,
        return_url: str | None,
        contact: Contact | None,
        key: str | None,
    ) -> Begun:
        """Writes down that a hold is about to be paid, and pins it.

        Raises HoldNotFound, NotOwner, HoldExpired, HoldReleased, HoldConfirmed, PaymentInProgress,
        IdempotencyKeyReused, and what says that the service is away.
        """
        hold = ids.parse(ids.HOLD, hold_id)
        home = ids.home_of(hold)
        contact_text = encode_contact(contact)
        contents = (str(hold), token, kind_of(provider), return_url or "", contact_text or "")
        if key is not None:
            check_text(key, "idempotency_key", KEY_LENGTH_MAX)
        # Without a key of the caller's, one of our own, so that a lost reply can be asked for
        # again.
        own_key = key or f"once:{secrets.token_hex(8)}"
        number = self._ids.new(home)
        row = await self._committer.submit(
            BEGIN,
            PaymentRequestRow(
                payment_id=number, home=home, hold_id=hold, owner=owner, provider=provider,
                token=token, return_url=return_url, contact=contact_text, idempotency_key=own_key,
                fingerprint=fingerprint(contents), lease_seconds=LEASE_SECONDS,
                actor=acting(),
            ),
            (hold, (BEGIN.name, home, own_key)),
        )  # fmt: skip
        self._clock.observe(row["answered_at"])
        if row["outcome"] == "pending":
            self.observer.payment(provider, "begun")
        return _begun(row, number, contents)

    async def settle(
        self, work: DuePayment, standing: Standing | None, again_seconds: int = LEASE_SECONDS
    ) -> tuple[DuePayment, Paid]:
        """Writes down how a payment stands with its provider (None: not known there), with all that
        follows. What does not fit its present state changes nothing. Raises PaymentNotFound."""
        state, amount = MISSING, work.amount
        reference = action_url = failure = None
        if standing is not None:
            state, reference = standing.state, standing.reference
            amount = standing.received if state is StandingState.CAPTURED else standing.amount
            action_url, failure = standing.action_url, standing.failure
        row = await self._committer.submit(
            SETTLE,
            SettleRequestRow(
                payment_id=work.number,
                home=work.home,
                standing=str(state),
                reference=reference,
                amount=amount.amount,
                currency=amount.currency,
                action_url=action_url,
                failure=failure,
                again_seconds=again_seconds,
                actor=acting(),
            ),
            (work.number, work.hold),
        )
        self._clock.observe(row["answered_at"])
        if row["payment"] is not None:
            for outcome in outcomes_of(row["payment"], work.state, row["answered_at"]):
                self.observer.payment(work.provider, outcome)
        return _settled(row)

    async def rebook(self, work: DuePayment, hold: UUID | None) -> tuple[DuePayment, Paid]:
        """Ends the search for an equal offer: with a hold that was placed, or without."""
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(
                _QUERIES["rebook_payment"], work.home, work.number, hold, acting()
            )
        if row is None:
            raise InternalError("rebook_payment answered nothing")
        after, paid = _settled(row)
        if work.step == "offer" and paid.payment is not None and paid.payment.late is not None:
            self.observer.payment(work.provider, f"late_{paid.payment.late}")
        return after, paid

    async def adopt(self, lost: LostPaymentRow) -> DuePayment | None:
        """Takes a payment into the record that its provider has and the record lost, with the hold
        that it was for. Answers its next step; None for one that is in the record."""
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(_QUERIES["adopt_payment"], lost, LEASE_SECONDS)
        if row is None:
            raise InternalError("adopt_payment answered nothing")
        self._clock.observe(row["answered_at"])
        return work_of(row["payment"]) if row["outcome"] == "adopted" else None

    async def due(self, limit: int) -> list[DuePayment]:
        """Claims payments whose next step is due."""
        async with self._database.borrow() as connection:
            rows = await connection.fetch(_QUERIES["due_payments"], limit, LEASE_SECONDS)
        if rows:
            self._clock.observe(rows[0]["answered_at"])
        return [work_of(row["payment"]) for row in rows]

    async def next_due_seconds(self) -> float | None:
        """How long until a step is due; None when none is."""
        async with self._database.borrow() as connection:
            seconds: float | None = await connection.fetchval(_QUERIES["next_due"])
        return seconds

    async def measure(self) -> None:
        """Tells the watch how much waits."""
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(_QUERIES["waiting"])
        if row is not None:
            counted = dict(zip(row["steps"], row["counts"], strict=True))
            self.observer.waiting(counted, row["refunds"])

    async def paid(self, payment_id: str, owner: str | None) -> tuple[DuePayment, Paid]:
        """A payment with its booking. Raises InvalidId, PaymentNotFound, NotOwner."""
        number = ids.parse(ids.PAYMENT, payment_id)
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(_QUERIES["get_paid"], ids.home_of(number), number)
        if row is None:
            raise PaymentNotFound(payment_id=payment_id)
        if owner is not None and row["payment"]["owner"] != owner:
            raise NotOwner
        return _settled(row)

    async def payments_of(self, hold_id: UUID) -> list[Payment]:
        """The payments of a hold or booking, the latest first."""
        async with self._database.borrow() as connection:
            rows = await connection.fetch(_QUERIES["payments_of"], ids.home_of(hold_id), hold_id)
        return [payment_of(row["payment"]) for row in rows]

    async def provider_of(self, hold_id: str, key: str) -> str | None:
        """Where the payment of a hold began that has this idempotency key. Raises InvalidId,
        InvalidRequest."""
        hold = ids.parse(ids.HOLD, hold_id)
        check_text(key, "idempotency_key", KEY_LENGTH_MAX)
        async with self._database.borrow() as connection:
            provider: str | None = await connection.fetchval(
                _QUERIES["provider_of"], ids.home_of(hold), hold, key
            )
        return provider

    async def callback_outcome(self, provider: str, callback_id: str) -> str | None:
        """What became of a callback that came before; None if it is new."""
        async with self._database.borrow() as connection:
            outcome: str | None = await connection.fetchval(
                _QUERIES["callback_outcome"], provider, callback_id
            )
        return outcome

    async def note_callback(
        self, provider: str, callback_id: str, kind: str, payment: UUID | None, outcome: str
    ) -> None:
        """Writes down that a callback came, and what became of it."""
        async with self._database.borrow() as connection:
            await connection.execute(
                _QUERIES["note_callback"], provider, callback_id, kind, payment, outcome
            )


def _begun(row: Record, number: UUID, contents: Sequence[str]) -> Begun:
    """What became of a request with this number and these contents. Raises what refuses it."""
    match row["outcome"]:
        case "pending":
            return Begun(work_of(row["payment"], tuple(held_lines(row["hold"]))), None)
        case "replayed":
            work = work_of(row["payment"])
            # Of this very request: the database's first answer was lost, and it was repeated.
            is_own = work.number == number
            return Begun(work, None if is_own else paid_of(row, replayed=True))
        case "free":
            return Begun(None, None)
        case "payment_in_progress":
            raise PaymentInProgress(payment_id=payment_of(row["payment"]).id)
        case "key_reused":
            stored = row["payment"]["fingerprint"]
            fields = differing_fields(_FIELDS, fingerprint(contents), stored)
            raise IdempotencyKeyReused(fields=fields)
    raise change_error(row)


def _settled(row: Record) -> tuple[DuePayment, Paid]:
    if row["payment"] is None:
        raise PaymentNotFound
    return work_of(row["payment"]), paid_of(row)


def paid_of(row: Record, *, replayed: bool = False) -> Paid:
    """Payment and booking from a row that has them."""
    booking = row["booking"]
    return Paid(
        payment_of(row["payment"]),
        None if booking is None else booking_of(row["hold"], booking),
        replayed,
    )
