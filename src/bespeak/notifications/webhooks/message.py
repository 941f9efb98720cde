"""What is sent to a webhook: its type, its id and its body, by the Standard Webhooks convention.
The body is made from the event each time, and is the same each time, so nothing is stored twice.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import msgspec

from bespeak.errors import InvalidId
from bespeak.feed.reader import Event
from bespeak.states import EventKind

TEST = "webhook.test"
_TEST_KIND = "test"

# thing.kind: what it happened to, and how the feed calls it.
TYPES: dict[EventKind, str] = {
    EventKind.CREATED: "resource.created",
    EventKind.CHANGED: "resource.changed",
    EventKind.CALLED_OFF: "resource.called_off",
    EventKind.HELD: "hold.held",
    EventKind.EXTENDED: "hold.extended",
    EventKind.RELEASED: "hold.released",
    EventKind.EXPIRED: "hold.expired",
    EventKind.CONFIRMED: "booking.confirmed",
    EventKind.CANCELLED: "booking.cancelled",
    EventKind.CHECKED_IN: "booking.checked_in",
    EventKind.BLOCKED: "block.blocked",
    EventKind.UNBLOCKED: "block.unblocked",
    EventKind.PAYMENT_BEGUN: "payment.begun",
    EventKind.PAYMENT_AUTHORIZED: "payment.authorized",
    EventKind.PAYMENT_CAPTURED: "payment.captured",
    EventKind.PAYMENT_FAILED: "payment.failed",
    EventKind.PAYMENT_VOIDED: "payment.voided",
    EventKind.PAYMENT_LATE: "payment.late",
    EventKind.REFUND_BEGUN: "refund.begun",
    EventKind.REFUNDED: "refund.refunded",
    EventKind.REFUND_FAILED: "refund.failed",
}
KINDS = {name: kind for kind, name in TYPES.items()}

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
_TO_INT = str.maketrans(_DIGITS, "0123456789abcdefghijklmnopqrstuv")
_ENDPOINT_DIGITS = 16
_POSITION_DIGITS = 13
_ENDPOINT_PREFIX = "whe_"
_PREFIX = "msg_"


class Message(msgspec.Struct, frozen=True):
    """The body of a webhook: what happened, when, and the event as the feed has it."""

    type: str
    timestamp: datetime
    data: Event


class Tested(msgspec.Struct, frozen=True):
    """What a test says."""

    message: str


class TestMessage(msgspec.Struct, frozen=True):
    """The body of a test, which is of no event."""

    __test__ = False  # not one of pytest's

    type: str
    timestamp: datetime
    data: Tested


class MessageId(NamedTuple):
    """What a message's id says: for which endpoint, and of which event, by its position."""

    endpoint_id: str
    position: int


def type_of(kind: str) -> str:
    """The type of a message by its kind, as it is stored."""
    return TEST if kind == _TEST_KIND else TYPES[EventKind(kind)]


def encode(event: Event) -> bytes:
    return msgspec.json.encode(Message(TYPES[event.kind], event.at, event))


def encode_test(at: datetime) -> bytes:
    return msgspec.json.encode(TestMessage(TEST, at, Tested("This is a test of your webhook.")))


def show_id(endpoint_id: str, position: int) -> str:
    """The id of a message, the same at each try; no other of any installation has it."""
    digits = [_DIGITS[position >> shift & 31] for shift in range(60, -1, -5)]
    return f"{_PREFIX}{endpoint_id.removeprefix(_ENDPOINT_PREFIX)}{''.join(digits)}"


def parse_id(text: str) -> MessageId:
    """What a message's id says. Raises InvalidId."""
    digits = text.removeprefix(_PREFIX)
    if (
        not text.startswith(_PREFIX)
        or len(digits) != _ENDPOINT_DIGITS + _POSITION_DIGITS
        or not set(_DIGITS).issuperset(digits)
        or digits[_ENDPOINT_DIGITS] > "7"
    ):
        raise InvalidId(f"not an id that begins with {_PREFIX}: {text[:60]!r}", kind="msg")
    endpoint_id = _ENDPOINT_PREFIX + digits[:_ENDPOINT_DIGITS]
    return MessageId(endpoint_id, int(digits[_ENDPOINT_DIGITS:].translate(_TO_INT), 32))


def check_endpoint_id(text: str) -> str:
    """The id of an endpoint, if it can be one. Raises InvalidId."""
    digits = text.removeprefix(_ENDPOINT_PREFIX)
    if (
        not text.startswith(_ENDPOINT_PREFIX)
        or len(digits) != _ENDPOINT_DIGITS
        or not set(_DIGITS).issuperset(digits)
    ):
        raise InvalidId(f"not an id that begins with {_ENDPOINT_PREFIX}: {text[:60]!r}", kind="whe")
    return text
