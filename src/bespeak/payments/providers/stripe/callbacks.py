"""Reads Stripe's webhooks. The library checks the signature on the raw body; the age is judged
here, by our clock, and in both directions, which the library does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

import msgspec
import stripe
from msgspec import Meta

from bespeak import ids
from bespeak.errors import InvalidId
from bespeak.money import Money
from bespeak.payments.providers.provider import Callback, CallbackInvalid, CallbackUnreadable
from bespeak.payments.providers.stripe.amounts import money_of_stripe
from bespeak.payments.providers.stripe.objects import PAYMENT_ID

REPLAY_WINDOW: Final = timedelta(seconds=300)

# One time, before or among the signatures, and nothing that the library could read as another.
_HEADER = re.compile(r"(?:v[0-9]+=[^,=]*,)*t=(?P<time>[0-9]{1,10})(?:,v[0-9]+=[^,=]*)*")

# Their object carries the metadata of our payment: intents do, charges have a copy, refunds ours.
_KINDS_OF_OURS = ("payment_intent.", "charge.", "refund.")

# Their amount is the whole payment's. A refund's is its own, and says nothing about the payment.
_WITH_THE_AMOUNT = frozenset({"payment_intent", "charge"})

_Word = Annotated[str, Meta(min_length=1, max_length=255)]


class _Event(msgspec.Struct, frozen=True):
    id: _Word
    type: _Word
    data: msgspec.Raw


class _Tagged(msgspec.Struct, frozen=True):
    """Any object of ours; refunds and charges of other systems come with other metadata."""

    object: str = ""
    id: str = ""
    payment_intent: str | dict[str, msgspec.Raw] | None = None  # of charges and refunds: its id
    metadata: dict[str, str] | None = None

    @property
    def reference(self) -> str | None:
        """The PaymentIntent that it is, or is of."""
        told = self.id if self.object == "payment_intent" else self.payment_intent
        return told if isinstance(told, str) and told else None


class _TaggedData(msgspec.Struct, frozen=True):
    object: _Tagged


class _Priced(msgspec.Struct, frozen=True):
    amount: Annotated[int, Meta(ge=0, le=10**14)]
    currency: Annotated[str, Meta(pattern="^[a-z]{3}$")]


class _PricedData(msgspec.Struct, frozen=True):
    object: _Priced


def read_event(headers: Mapping[str, str], body: bytes, secret: str, now: datetime) -> Callback:
    """The callback in a webhook of Stripe. Events about anything but our payments are read too, and
    have no payment's id. Raises CallbackInvalid, CallbackUnreadable."""
    _verify(headers.get("stripe-signature"), body, secret, now)
    try:
        event = msgspec.json.decode(body, type=_Event)
        payment_id, reference, amount = _about(event)
    except (msgspec.DecodeError, RecursionError) as error:
        raise CallbackUnreadable(f"this is no event of Stripe: {error}") from error
    return Callback(
        callback_id=event.id,
        kind=event.type,
        payment_id=payment_id,
        reference=reference,
        amount=amount,
    )


def _about(event: _Event) -> tuple[str | None, str | None, Money | None]:
    if not event.type.startswith(_KINDS_OF_OURS):
        return None, None, None
    told = msgspec.json.decode(event.data, type=_TaggedData).object
    payment_id = (told.metadata or {}).get(PAYMENT_ID)
    if payment_id is None or not _is_payment_id(payment_id):
        return None, None, None
    if told.object not in _WITH_THE_AMOUNT:
        return payment_id, told.reference, None
    priced = msgspec.json.decode(event.data, type=_PricedData).object
    return payment_id, told.reference, money_of_stripe(priced.amount, priced.currency)


def _is_payment_id(text: str) -> bool:
    """Whether it is an id that we could have given. Anyone with the account can write metadata, and
    an event that we refuse is sent again for days."""
    try:
        ids.parse(ids.PAYMENT, text)
    except InvalidId:
        return False
    return True


def _verify(header: str | None, body: bytes, secret: str, now: datetime) -> None:
    if header is None:
        raise CallbackInvalid("the header Stripe-Signature is missing")
    parts = _HEADER.fullmatch(header)
    if parts is None:
        raise CallbackInvalid("the header Stripe-Signature is none of Stripe's")
    try:
        text = body.decode()
    except UnicodeDecodeError:
        # Stripe signs text in UTF-8, so that there is no signature to check.
        raise CallbackUnreadable("this is no event of Stripe: not UTF-8") from None
    try:
        # No tolerance: the library's clock is not ours, and it lets the future pass.
        stripe.WebhookSignature.verify_header(text, header, secret, tolerance=None)
    except (stripe.SignatureVerificationError, ValueError, TypeError):
        raise CallbackInvalid("the signature is not Stripe's for this body") from None
    signed_at = datetime.fromtimestamp(int(parts["time"]), UTC)
    if abs(now - signed_at) > REPLAY_WINDOW:
        raise CallbackInvalid(
            f"the signature is from {signed_at}, more than {REPLAY_WINDOW.seconds} seconds from now"
        )
