"""The sandbox bank behind the provider seam. Calls that come while others are being written go into
the next batch together, as holds do, so that it is no slower than what it is there to try out.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar
from uuid import UUID

import msgspec

from bespeak import ids
from bespeak.errors import InvalidRequest, Unavailable
from bespeak.money import Money
from bespeak.payments.providers.provider import (
    Callback,
    Charge,
    Order,
    Ordered,
    PaymentForm,
    PaymentProvider,
    ProviderRefused,
    ProviderUnavailable,
    RefundStanding,
    RefundState,
    Standing,
    StandingState,
)
from bespeak.payments.providers.sandbox import callbacks
from bespeak.payments.providers.sandbox.orders import (
    GRACE_SECONDS,
    SandboxOrderRow,
    order_row,
)
from bespeak.payments.providers.sandbox.outcomes import (
    PERSONAL_PREFIX,
    TOKEN_PREFIX,
    Outcome,
    Wish,
    wish_of,
)
from bespeak.postgres.queries import load
from bespeak.reservations.committer import Arguments, BatchEntry, Committer, Verb
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.postgres.pool import Database, Record

QUERIES = load("bespeak.payments.providers.sandbox", "sandbox.sql")
PAGE_PATH = "/sandbox/payments"

_Request = TypeVar("_Request")
_PAGE_ROWS = 500
_AMOUNT_MAX = 2**53
_TELL_SECONDS_MAX = 3
_LOOK_SECONDS = 0.02
_RETRY_SECONDS = 1

_AUTHORIZE: Verb[SandboxOrderRow] = Verb(
    "sandbox_authorize", QUERIES["authorize"], lambda batch: ([entry.request for entry in batch],)
)


def _columns(batch: Sequence[BatchEntry[tuple[object, ...]]]) -> Arguments:
    """An array for each field of the requests."""
    return tuple(list(column) for column in zip(*(entry.request for entry in batch), strict=True))


# Their requests are the payment; of a refund also its id, and the amount.
_CAPTURE = Verb("sandbox_capture", QUERIES["capture"], _columns)
_VOID = Verb("sandbox_void", QUERIES["void"], _columns)
_GIVE_BACK = Verb("sandbox_give_back", QUERIES["give_back"], _columns)


class Sandbox(PaymentProvider):
    """The bank. `secret` signs its callbacks, `public_url` is where its page can be opened. With
    `is_away` set to true nobody reaches it: every verb raises ProviderUnavailable."""

    name = "sandbox"

    def __init__(
        self, url: str, database: Database, secret: bytes, public_url: str, settings: Settings
    ) -> None:
        self.is_away = False
        self.secret = secret
        self.public_url = public_url.rstrip("/")
        self.database = database
        self._wait_seconds = settings.database_wait_seconds
        self._committer = Committer(
            url,
            lanes=1,
            batch_max=settings.batch_max,
            queue_max=settings.queue_max,
            wait_seconds=settings.database_wait_seconds,
        )

    def start(self) -> None:
        """Opens the bank, on the running event loop."""
        self._committer.start()

    def form(self) -> PaymentForm:
        """The test cards."""
        return PaymentForm(provider=self.name, kind="sandbox", publishable_key=None)

    async def close(self) -> None:
        """Answers what was asked, and closes."""
        await self._committer.close()

    async def authorize(self, order: Order) -> Standing:
        """Makes of the order what its token stands for, or finds what an earlier call made."""
        payment = ids.parse(ids.PAYMENT, order.payment_id)
        if not 0 < order.amount.amount <= _AMOUNT_MAX:
            raise ProviderRefused("no amount to pay", failure="amount_invalid")
        wish, failure = await self._wish(order, payment)
        if wish is not None and wish.outcome is Outcome.TIMEOUT_BEFORE:
            raise _no_answer("the order was lost on its way")
        row = await self._ask(_AUTHORIZE, order_row(order, payment, wish, failure), payment)
        record = row["standing"]
        if record is None:
            raise _no_answer("the order was lost at the bank")
        standing = self._standing(record)
        if standing.amount != order.amount and record["outcome"] != Outcome.OTHER_AMOUNT:
            raise ProviderRefused(
                "this payment was ordered with another amount", failure="order_mismatch"
            )
        return await self._answer(payment, record, standing, row)

    async def _answer(
        self, payment: UUID, record: Record, standing: Standing, row: Record
    ) -> Standing:
        """The reply to an order, as late, or as lost, as its outcome says."""
        outcome = record["outcome"]
        if outcome == Outcome.TIMEOUT_AFTER and row["is_new"]:
            raise _no_answer("the answer was lost on its way")
        if outcome == Outcome.CALLBACK_FIRST and row["is_new"]:
            await self._told(payment)
        if outcome == Outcome.SLOW and standing.state is StandingState.PENDING:
            left = (record["due_at"] - row["answered_at"]).total_seconds() - GRACE_SECONDS
            await asyncio.sleep(max(0.0, left))
            await self._fetch("decide", [payment], None, False)
            return self._standing((await self._fetch("lookup", payment, None))[0]["standing"])
        return standing

    async def capture(self, charge: Charge) -> Standing:
        """Takes the money. ProviderRefused unless it is authorized, or captured already."""
        standing = await self._change(_CAPTURE, charge)
        if standing.state is not StandingState.CAPTURED:
            failure = standing.failure or f"payment_{standing.state}"
            raise ProviderRefused(f"the payment is {standing.state}", failure=failure)
        return standing

    async def void(self, charge: Charge) -> Standing:
        """Gives the reservation up; one that failed has none, and stays so."""
        standing = await self._change(_VOID, charge)
        if standing.state is StandingState.CAPTURED:
            raise ProviderRefused("the payment is captured", failure="payment_captured")
        return standing

    async def refund(self, charge: Charge, refund_id: str, amount: int) -> Standing:
        """Gives money back. ProviderRefused if nothing is captured, or not that much is left."""
        payment = ids.parse(ids.PAYMENT, charge.payment_id)
        refund = ids.parse(ids.REFUND, refund_id)
        if not 0 < amount <= _AMOUNT_MAX:
            raise ProviderRefused("no amount to refund", failure="amount_invalid")
        row = await self._ask(_GIVE_BACK, (payment, refund, amount), payment)
        standing = self._known(row["standing"])
        made = row["refund"]
        if made is None:
            is_captured = standing.state is StandingState.CAPTURED
            failure = "refund_beyond_captured" if is_captured else "payment_not_captured"
            raise ProviderRefused("there is not that much to give back", failure=failure)
        if (made["payment_id"], made["amount"]) != (payment, amount):
            raise ProviderRefused(
                "this refund was ordered for another payment or amount", failure="refund_mismatch"
            )
        if made["state"] == "unheard":
            raise _no_answer("the refund was lost at the bank")
        return standing

    async def lookup(self, charge: Charge) -> Standing | None:
        """How a payment stands now; None for one that the bank never heard of."""
        payment = ids.parse(ids.PAYMENT, charge.payment_id)
        rows = await self._fetch("lookup", payment, charge.reference)
        return self._standing(rows[0]["standing"]) if rows else None

    async def charges(self, since: datetime, until: datetime) -> AsyncIterator[Standing]:
        """All payments made from `since` until before `until`, oldest first."""
        after: tuple[datetime | None, UUID | None] = (None, None)
        while rows := await self._fetch("charges", since, until, *after, _PAGE_ROWS):
            for row in rows:
                yield self._standing(row["standing"])
            last = rows[-1]["standing"]
            after = (last["created_at"], last["payment_id"])

    def read_callback(self, headers: Mapping[str, str], body: bytes, now: datetime) -> Callback:
        """Verifies a callback and reads it. Raises CallbackInvalid, CallbackUnreadable."""
        return callbacks.read(self.secret, headers, body, now)

    async def make_token(self, owner: str, outcome: str) -> str:
        """A token for one payment of one buyer, with the outcome of a name like `success` or
        `slow_5`. Raises InvalidRequest, ProviderUnavailable."""
        if wish_of(outcome) is None:
            raise InvalidRequest(f"there is no outcome {outcome[:60]!r}", field="outcome")
        token = PERSONAL_PREFIX + secrets.token_hex(16)
        await self._fetch("make_token", token, owner, outcome)
        return token

    async def find(self, reference: str) -> tuple[Standing, str, str | None] | None:
        """What the page shows of a payment: its standing, what it is for, where the buyer goes on.
        Raises ProviderUnavailable."""
        if not (reference.isascii() and reference.isalnum()):
            return None
        rows = await self._fetch("by_reference", reference)
        if not rows:
            return None
        record = rows[0]["standing"]
        return self._standing(record), record["description"], record["return_url"]

    async def decide(self, payment_id: str, *, approve: bool) -> None:
        """The buyer's decision; a payment that is decided stays so. Raises ProviderUnavailable."""
        failure = None if approve else "challenge_declined"
        await self._fetch("decide", [ids.parse(ids.PAYMENT, payment_id)], failure, True)

    async def _wish(self, order: Order, payment: UUID) -> tuple[Wish | None, str | None]:
        """What the token of an order asks for, or why it is no good."""
        token = order.token
        if token.startswith(PERSONAL_PREFIX):
            if not (token.isascii() and token.isprintable()):
                return None, "token_unknown"
            rows = await self._fetch("take_token", token, payment, order.owner)
            if not rows:
                return None, "token_unknown"
            if not rows[0]["is_own"]:
                return None, "token_not_yours"
            if not rows[0]["is_taken"]:
                return None, "token_used"
            return wish_of(rows[0]["outcome"]), None
        known = token.startswith(TOKEN_PREFIX)
        wish = wish_of(token.removeprefix(TOKEN_PREFIX)) if known else None
        return wish, None if wish is not None else "token_unknown"

    async def _change(self, verb: Verb[tuple[object, ...]], charge: Charge) -> Standing:
        payment = ids.parse(ids.PAYMENT, charge.payment_id)
        row = await self._ask(verb, (payment,), payment)
        return self._known(row["standing"])

    async def _ask(self, verb: Verb[_Request], request: _Request, payment: UUID) -> Record:
        if self.is_away:
            raise _no_answer("the sandbox is away")
        try:
            return await self._committer.submit(verb, request, (payment,))
        except Unavailable as error:
            raise _no_answer(error.detail) from error

    async def _fetch(self, query: str, *arguments: object) -> list[Record]:
        if self.is_away:
            raise _no_answer("the sandbox is away")
        try:
            async with self.database.borrow() as connection:
                return await connection.fetch(QUERIES[query], *arguments)
        except Unavailable as error:
            raise _no_answer(error.detail) from error

    async def _told(self, payment: UUID) -> None:
        """Waits until the callbacks about a payment were taken, but not for ever."""
        deadline = asyncio.get_running_loop().time() + _TELL_SECONDS_MAX
        while asyncio.get_running_loop().time() < deadline:
            rows = await self._fetch("is_told", payment)
            if rows[0][0]:
                return
            await asyncio.sleep(_LOOK_SECONDS)

    def _known(self, record: Record | None) -> Standing:
        if record is None:
            raise ProviderRefused("there is no such payment", failure="payment_unknown")
        return self._standing(record)

    def _standing(self, record: Record) -> Standing:
        state = StandingState(record["state"])
        is_open = state is StandingState.CHALLENGE
        return Standing(
            payment_id=ids.show(ids.PAYMENT, record["payment_id"]),
            reference=record["reference"],
            state=state,
            amount=Money(record["amount"], record["currency"]),
            captured=record["captured"],
            refunded=record["refunded"],
            refunds=_refunds(record["refunds"]),
            action_url=f"{self.public_url}{PAGE_PATH}/{record['reference']}" if is_open else None,
            failure=record["failure"],
            created_at=record["created_at"],
            ordered=_ordered(record["ordered"]),
        )


def _no_answer(why: str) -> ProviderUnavailable:
    return ProviderUnavailable(why, retry_after_seconds=_RETRY_SECONDS)


class _KeptRefund(msgspec.Struct, frozen=True):
    refund_id: UUID
    state: RefundState
    amount: int
    failure: str | None


_ordered_decoder = msgspec.json.Decoder(Ordered)


def _ordered(text: str | None) -> Ordered | None:
    return None if text is None else _ordered_decoder.decode(text)


_refund_decoder = msgspec.json.Decoder(tuple[_KeptRefund, ...])


def _refunds(told: str | None) -> tuple[RefundStanding, ...]:
    if told is None:
        return ()
    return tuple(
        RefundStanding(ids.show(ids.REFUND, one.refund_id), one.state, one.amount, one.failure)
        for one in _refund_decoder.decode(told)
    )
