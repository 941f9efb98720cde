"""What is sent to a webhook: its type, its id and its body, by the Standard Webhooks convention.
The body is made from the event each time, and is the same each time, so nothing is stored twice.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, NamedTuple, TypeAlias

import msgspec

from bespeak import ids
from bespeak.errors import InvalidId
from bespeak.feed.reader import Event
from bespeak.states import EventKind, one_of

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
    EventKind.ERASED: "hold.erased",
    EventKind.CONFIRMED: "booking.confirmed",
    EventKind.CANCELLED: "booking.cancelled",
    EventKind.VACATED: "booking.vacated",
    EventKind.MOVED: "booking.moved",
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
    EventKind.WAITLIST_JOINED: "waitlist.joined",
    EventKind.WAITLIST_OFFERED: "waitlist.offered",
    EventKind.WAITLIST_ACCEPTED: "waitlist.accepted",
    EventKind.WAITLIST_DECLINED: "waitlist.declined",
    EventKind.WAITLIST_LAPSED: "waitlist.lapsed",
    EventKind.WAITLIST_LEFT: "waitlist.left",
    EventKind.WAITING_ROOM_OPENED: "waiting_room.opened",
    EventKind.WAITING_ROOM_SOLD_OUT: "waiting_room.sold_out",
    EventKind.WAITING_ROOM_DRAINED: "waiting_room.drained",
}
KINDS = {name: kind for kind, name in TYPES.items()}
MessageType: TypeAlias = Annotated[str, one_of("MessageType", (*TYPES.values(), TEST))]

_DIGIT = f"[{ids.ALPHABET}]"
_ENDPOINT_ID = re.compile(f"whe_{_DIGIT}{{16}}")
_ID = re.compile(f"msg_({_DIGIT}{{16}})([0-7]{_DIGIT}{{12}})")


class Message(msgspec.Struct, frozen=True):
    """The body of a webhook: what happened, when, and the event as the feed has it."""

    type: MessageType
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
    digits = [ids.ALPHABET[position >> shift & 31] for shift in range(60, -1, -5)]
    return f"msg_{endpoint_id.removeprefix('whe_')}{''.join(digits)}"


def parse_id(text: str) -> MessageId:
    """What a message's id says. Raises InvalidId."""
    found = _ID.fullmatch(text)
    if found is None:
        raise InvalidId(f"not an id that begins with msg_: {text[:60]!r}", kind="msg")
    return MessageId(f"whe_{found[1]}", int(found[2].translate(ids.TO_INT), 32))


def check_endpoint_id(text: str) -> str:
    """The id of an endpoint, if it can be one. Raises InvalidId."""
    if _ENDPOINT_ID.fullmatch(text) is None:
        raise InvalidId(f"not an id that begins with whe_: {text[:60]!r}", kind="whe")
    return text
