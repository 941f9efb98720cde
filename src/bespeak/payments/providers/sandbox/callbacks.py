"""Callbacks of the sandbox: written, signed, verified, read. The signature is an HMAC-SHA256 over
the time of sending and the raw body, so that neither can be altered nor an old one be sent again.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak import ids
from bespeak.errors import InvalidId
from bespeak.money import Money
from bespeak.payments.providers.provider import Callback, CallbackInvalid, CallbackUnreadable

SIGNATURE_HEADER = "bespeak-sandbox-signature"
REPLAY_SECONDS_MAX = 300

_HEADER_LENGTH_MAX = 1000
_SECONDS_DIGITS_MAX = 12
_AMOUNT_MAX = 2**53

Kind = Literal[
    "payment.authorized",
    "payment.captured",
    "payment.failed",
    "payment.voided",
    "refund.refunded",
]


class CallbackBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a callback: what happened to which payment, and its amount, as the bank says."""

    id: Annotated[str, Meta(min_length=1, max_length=100)]
    kind: Kind
    created_at: datetime
    payment_id: Annotated[str, Meta(max_length=40)]
    reference: Annotated[str, Meta(max_length=100)]
    amount: Annotated[int, Meta(ge=0, le=_AMOUNT_MAX)]
    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$")]


_decoder = msgspec.json.Decoder(CallbackBody)


def sign(secret: bytes, body: bytes, sent_at: datetime) -> str:
    """The signature header of a body that is sent now."""
    seconds = int(sent_at.timestamp())
    return f"t={seconds},v1={_digest(secret, str(seconds), body)}"


def read(secret: bytes, headers: Mapping[str, str], body: bytes, now: datetime) -> Callback:
    """Verifies and reads a callback. Raises CallbackInvalid, CallbackUnreadable."""
    seconds, signatures = _signed(headers.get(SIGNATURE_HEADER))
    wanted = _digest(secret, seconds, body)
    if not any(hmac.compare_digest(wanted.encode(), one.encode()) for one in signatures):
        raise CallbackInvalid("the signature is not the sandbox's")
    if abs(now.timestamp() - int(seconds)) > REPLAY_SECONDS_MAX:
        raise CallbackInvalid("the signature was made too long ago, or in the future")
    try:
        told = _decoder.decode(body)
        ids.parse(ids.PAYMENT, told.payment_id)
    except (msgspec.DecodeError, UnicodeDecodeError, InvalidId) as error:
        raise CallbackUnreadable(str(error)) from error
    return Callback(
        callback_id=told.id,
        kind=told.kind,
        payment_id=told.payment_id,
        reference=told.reference,
        amount=Money(told.amount, told.currency),
    )


def _signed(header: str | None) -> tuple[str, list[str]]:
    """The time and the signatures in a header `t=...,v1=...`."""
    if header is None or len(header) > _HEADER_LENGTH_MAX:
        raise CallbackInvalid(f"a callback is signed: {SIGNATURE_HEADER}")
    parts = [part.strip().partition("=") for part in header.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    if len(times) != 1 or not (times[0].isascii() and times[0].isdecimal()):
        raise CallbackInvalid("the signature has no time")
    if len(times[0]) > _SECONDS_DIGITS_MAX:
        raise CallbackInvalid("the signature has no time that makes sense")
    return times[0], [value for name, _, value in parts if name == "v1"]


def _digest(secret: bytes, seconds: str, body: bytes) -> str:
    return hmac.new(secret, seconds.encode() + b"." + body, hashlib.sha256).hexdigest()
