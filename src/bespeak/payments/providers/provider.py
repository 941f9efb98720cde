"""The seam to those who move the money. A provider authorizes, captures, voids, refunds, and tells
how a payment stands; every call answers with that standing, so that replies, callbacks and look-ups
all end in the one statement that records it. A conformance suite runs against every implementation.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Literal, TypeAlias

import msgspec

from bespeak.errors import BespeakError, InvalidRequest, NotPermitted, Unavailable
from bespeak.lines import Line
from bespeak.money import Money


class StandingState(StrEnum):
    """How a payment stands with its provider."""

    PENDING = "pending"  # the provider is at it; a callback or a look-up will tell
    CHALLENGE = "challenge"  # the buyer must act at `action_url` (3-D Secure)
    AUTHORIZED = "authorized"  # the money is reserved, and not taken
    CAPTURED = "captured"  # the money is taken, some of it perhaps given back
    VOIDED = "voided"  # the reservation was given up; no money was taken
    FAILED = "failed"  # declined; `failure` says why


class RefundState(StrEnum):
    """How a refund stands with the provider."""

    PENDING = "pending"
    REFUNDED = "refunded"
    FAILED = "failed"


class RefundStanding(msgspec.Struct, frozen=True):
    """A refund, as the provider has it. `refund_id` is ours (`ref_...`)."""

    refund_id: str
    state: RefundState
    amount: int
    failure: str | None = None


class Ordered(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a payment was ordered for, as its provider keeps it for us: enough to find out what a
    buyer paid for where our own books have lost it. Without lines where they are too many for the
    provider."""

    hold_id: str
    owner: str
    lines: tuple[Line, ...] | None = None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """The whole truth of a provider about one payment. `payment_id` is ours (`pay_...`),
    `reference` the provider's; `captured` and `refunded` are minor units of the amount's
    currency."""

    payment_id: str
    reference: str | None
    state: StandingState
    amount: Money
    captured: int = 0
    refunded: int = 0
    refunds: tuple[RefundStanding, ...] = ()
    action_url: str | None = None
    failure: str | None = None
    created_at: datetime | None = None
    ordered: Ordered | None = None

    @property
    def received(self) -> Money:
        """What was really taken, which may be another amount than was reserved."""
        return Money(self.captured, self.amount.currency)


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be authorized. `payment_id` is the idempotency key: the same order, sent twice, is
    one payment. `token` stands for the buyer's means of payment, and came from their browser."""

    payment_id: str
    hold_id: str
    owner: str
    amount: Money
    token: str
    return_url: str | None = None
    description: str = ""
    lines: tuple[Line, ...] = ()

    @property
    def ordered(self) -> Ordered:
        return Ordered(self.hold_id, self.owner, self.lines)


class Charge(msgspec.Struct, frozen=True, kw_only=True):
    """A payment that the provider may know, as the verbs after `authorize` name it. `reference` is
    absent where the reply that had it was lost; `return_url` is that of the order, where it is
    known still. Refunds are of the amount's currency."""

    payment_id: str
    amount: Money
    reference: str | None = None
    return_url: str | None = None


class Callback(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider sent by itself, once its signature was found good. It is a hint that
    something happened: what did is looked up, by the `reference` where the answer that had it was
    lost. `payment_id` is absent where it is about something else."""

    callback_id: str
    kind: str
    payment_id: str | None = None
    reference: str | None = None
    amount: Money | None = None


class PaymentForm(msgspec.Struct, frozen=True, kw_only=True):
    """How a buyer fills in a payment in the shop's own pages: at which `provider`, as payments name
    it, with the form of which `kind`. `publishable_key` is what Stripe's form is opened with; the
    sandbox's has none."""

    provider: str
    kind: Literal["sandbox", "stripe"]
    publishable_key: str | None


KeyFault: TypeAlias = Literal["away", "no_rights", "timeout", "unreachable", "wrong_key"]


class ProviderAccount(msgspec.Struct, frozen=True, kw_only=True):
    """Whose a key is, as the provider tells it. `can_charge`: the provider lets it take money."""

    account_id: str
    account_name: str
    is_live: bool
    can_charge: bool


def kind_of(provider: str) -> str:
    """The kind of a provider by its name: accounts of the console are `stripe-1`, `stripe-2`."""
    return provider.partition("-")[0]


class ProviderUnavailable(Unavailable):
    """The payment provider did not answer. Whether it did what was asked is not known yet; it will
    be asked."""

    code = "provider_unavailable"
    title = "The payment provider does not answer"


class ProviderRefused(BespeakError):
    """The provider will not do this, now or ever: capture a voided authorization, refund more than
    was taken. `failure` says why, in its words; how the payment stands is to be looked up."""

    code = "provider_refused"
    title = "The payment provider refuses"


class CallbackInvalid(NotPermitted):
    """The callback's signature is missing or wrong, or it is older than the replay window."""

    code = "callback_invalid"
    status = 401
    title = "This callback is not from the payment provider"


class CallbackUnreadable(InvalidRequest):
    """The callback is signed, but makes no sense."""

    code = "callback_unreadable"
    title = "This callback makes no sense"


class PaymentProvider(ABC):
    """One payment provider. Every verb may be repeated: the ids are idempotency keys. Each raises
    ProviderUnavailable where it is not known what happened (no answer, a broken one, 5xx), and
    ProviderRefused for a clear no; a decline is no error but the standing FAILED."""

    name: str
    """How paths, records and settings call it: `sandbox`, `stripe`; an account that was set at the
    console `stripe-1`."""
    for_staff: bool = False
    """Whether only staff may order there, and no shopper is told of it."""

    @abstractmethod
    async def authorize(self, order: Order) -> Standing:
        """Reserves the money, or finds what an earlier call with this payment's id did. It may be
        repeated for as long as the payment may begin, and is how a lost answer is asked for."""

    @abstractmethod
    async def capture(self, charge: Charge) -> Standing:
        """Takes all the money that was reserved. Captured already: answers so."""

    @abstractmethod
    async def void(self, charge: Charge) -> Standing:
        """Gives the reservation up. Voided already: answers so. ProviderRefused once captured."""

    @abstractmethod
    async def refund(self, charge: Charge, refund_id: str, amount: int) -> Standing:
        """Gives money back, once for each `refund_id`."""

    @abstractmethod
    async def lookup(self, charge: Charge) -> Standing | None:
        """How a payment stands, found by the reference or else by our id; None if it never came.
        Without a reference it may be too early to tell: ProviderUnavailable."""

    @abstractmethod
    def charges(self, since: datetime, until: datetime) -> AsyncIterator[Standing]:
        """All payments of this installation that the provider created in a half-open time, for
        reconciling; those of other systems on the same account are left out."""

    @abstractmethod
    def read_callback(self, headers: Mapping[str, str], body: bytes, now: datetime) -> Callback:
        """Verifies a callback on its raw body (header names in lower case) and reads it.
        Raises CallbackInvalid, CallbackUnreadable."""

    def form(self) -> PaymentForm | None:
        """What the shop's own pages show to buyers who pay there; None where they cannot."""
        return None

    @abstractmethod
    async def close(self) -> None:
        """Lets connections go."""
