"""What the suite of payment providers asks of each: a provider to talk to, tokens for the outcomes,
a buyer who decides, callbacks as the provider signs them, and a way to cut it off.
"""

import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from uuid import UUID

import msgspec

from bespeak import Settings, ids
from bespeak.ids import IdMaker
from bespeak.money import Money
from bespeak.payments.providers.desk import Desk
from bespeak.payments.providers.provider import (
    Charge,
    Order,
    PaymentProvider,
    Standing,
    StandingState,
)
from bespeak.payments.providers.sandbox import Sandbox
from bespeak.payments.providers.sandbox.callbacks import SIGNATURE_HEADER, CallbackBody, sign
from bespeak.postgres.pool import Database, open_pool

_make = IdMaker()


def new_payment_id() -> str:
    """The id of a payment that nobody made yet."""
    return ids.show(ids.PAYMENT, _make.new(42))


def old_payment_id(hours: float) -> str:
    """The id of a payment that was made so long ago."""
    number = UUID(int=ids.parse(ids.PAYMENT, new_payment_id()).int & ((1 << 80) - 1))
    milliseconds = int((time.time() - hours * 3600) * 1000)
    return ids.show(ids.PAYMENT, UUID(int=milliseconds << 80 | number.int))


def new_refund_id() -> str:
    """The id of a refund that nobody made yet."""
    return ids.show(ids.REFUND, _make.new(42))


def new_order(token: str, amount: int = 2500, currency: str = "EUR", **fields: object) -> Order:
    """An order of a payment of its own."""
    values: dict[str, object] = {
        "payment_id": new_payment_id(),
        "hold_id": ids.show(ids.HOLD, _make.new(42)),
        "owner": "asha",
        "amount": Money(amount, currency),
        "token": token,
        "return_url": "https://shop.example/after?cart=7",
        "description": "Two seats: Otter Creek",
        **fields,
    }
    return Order(**values)  # type: ignore[arg-type]


def charge_of(standing: Standing, *, by_reference: bool = True) -> Charge:
    """How the verbs after `authorize` name a payment."""
    reference = standing.reference if by_reference else None
    return Charge(payment_id=standing.payment_id, amount=standing.amount, reference=reference)


class BooksDoor:
    """One provider, as the suite of its books uses it. `provider` is open while the door is."""

    provider: PaymentProvider
    success: str
    """A token that is authorized at once."""
    declined: str
    """A token that is declined at once."""


class ProviderDoor(BooksDoor, ABC):
    """One provider that is elsewhere, as the whole suite uses it."""

    challenge: str
    """A token for which the buyer must act first."""

    @abstractmethod
    async def decide(self, standing: Standing, *, approve: bool) -> None:
        """The buyer acts at the challenge of a payment."""

    @abstractmethod
    async def cut(self) -> None:
        """From now on the provider does not answer any more."""

    @abstractmethod
    def callback(self, standing: Standing, callback_id: str) -> bytes:
        """The body of a callback that tells that this payment is authorized."""

    @abstractmethod
    def signed(self, body: bytes, sent_at: datetime, secret: bytes | None = None) -> dict[str, str]:
        """The headers of a callback with this body, as the provider sends it at this time; with
        another secret, as somebody else does."""

    @abstractmethod
    def foreign_callbacks(self) -> list[bytes]:
        """Bodies that, though signed, make no sense."""


class SandboxDoor(ProviderDoor):
    """The sandbox on a database of the test's own."""

    success = "tok_success"
    declined = "tok_declined"
    challenge = "tok_challenge"

    def __init__(self, sandbox: Sandbox) -> None:
        self.provider = self.sandbox = sandbox

    async def decide(self, standing: Standing, *, approve: bool) -> None:
        await self.sandbox.decide(standing.payment_id, approve=approve)

    async def cut(self) -> None:
        self.sandbox.is_away = True

    def callback(self, standing: Standing, callback_id: str) -> bytes:
        assert standing.created_at is not None and standing.reference is not None
        return msgspec.json.encode(
            CallbackBody(
                id=callback_id,
                kind="payment.authorized",
                created_at=standing.created_at,
                payment_id=standing.payment_id,
                reference=standing.reference,
                amount=standing.amount.amount,
                currency=standing.amount.currency,
            )
        )

    def signed(self, body: bytes, sent_at: datetime, secret: bytes | None = None) -> dict[str, str]:
        return {SIGNATURE_HEADER: sign(secret or self.sandbox.secret, body, sent_at)}

    def foreign_callbacks(self) -> list[bytes]:
        good = msgspec.json.decode(self.callback(_standing(), "evt_1"), type=dict[str, object])
        changes: list[dict[str, object]] = [
            {"payment_id": "pay_none"},
            {"payment_id": "hold_" + new_payment_id()[4:]},
            {"payment_id": None},
            {"amount": -1},
            {"amount": "2500"},
            {"amount": 2.5},
            {"amount": 10**30},
            {"currency": "euro"},
            {"kind": "payment.exploded"},
            {"id": ""},
            {"id": "x" * 101},
            {"created_at": "yesterday"},
            {"surprise": 1},
        ]
        return [msgspec.json.encode({**good, **change}) for change in changes]


def _standing() -> Standing:
    return Standing(
        payment_id=new_payment_id(),
        reference="sbx0",
        state=StandingState.AUTHORIZED,
        amount=Money(2500, "EUR"),
        created_at=datetime(2030, 1, 1, tzinfo=UTC),
    )


class DeskDoor(BooksDoor):
    """The desk on a database of the test's own."""

    success = "cash"
    declined = "seashells"

    def __init__(self, desk: Desk) -> None:
        self.provider = desk


@asynccontextmanager
async def open_sandbox(database_url: str, **settings: object) -> AsyncIterator[Sandbox]:
    """A sandbox on a migrated database, as a process has it."""
    made = msgspec.structs.replace(Settings(pool_max=4), **settings)
    pool = await open_pool(database_url, made.pool_max)
    sandbox = Sandbox(
        database_url, Database(pool, 5), b"sandbox-secret", "https://tickets.example", made
    )
    sandbox.start()
    try:
        yield sandbox
    finally:
        await sandbox.close()
        await pool.close()


def random_secret() -> bytes:
    """A secret that is not the provider's."""
    return secrets.token_bytes(32)
