"""Receiving a webhook: only what the server signed, and only lately, is believed."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from standardwebhooks import Webhook

from bespeak.client import WebhookInvalid, verify
from bespeak.feed.reader import Event
from bespeak.notifications.webhooks.message import Message
from bespeak.states import EventKind

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
AT = datetime(2030, 1, 1, tzinfo=UTC)
EVENT = Event(
    cursor="1a-1", position=1, kind=EventKind.CONFIRMED, resource_id="res_kbq6mf4p",
    hold_id="hold_01m7y6w42jh6q8wthwjrpctn25", lines=[], at=AT,
)  # fmt: skip


def signed(body: bytes, ago: timedelta = timedelta()) -> dict[str, str]:
    at = datetime.now(UTC) - ago
    signature = Webhook(SECRET).sign("msg_1", at, body.decode())
    stamp = str(int(at.timestamp()))
    return {
        "Webhook-Id": "msg_1", "Webhook-Timestamp": stamp, "Webhook-Signature": signature
    }  # fmt: skip


BODY = msgspec.json.encode(Message("booking.confirmed", AT, EVENT))


def test_what_the_server_signed() -> None:
    event = verify(BODY, signed(BODY), SECRET)
    assert (event.id, event.type, event.timestamp, event.event) == (
        "msg_1", "booking.confirmed", AT, EVENT
    )  # fmt: skip


def test_a_test_has_no_event() -> None:
    body = msgspec.json.encode(
        {"type": "webhook.test", "timestamp": AT, "data": {"message": "hello"}}
    )
    assert verify(body, signed(body), SECRET).event is None


# What no receiver believes, in whatever language: tests/clients shows it to that of TypeScript.
UNBELIEVED = [
    (BODY.replace(b"res_k", b"res_x"), signed(BODY)),
    (BODY, signed(BODY, timedelta(hours=1))),
    (BODY, {}),
    (BODY, {**signed(BODY), "Webhook-Signature": "nonsense"}),
    (BODY, {**signed(BODY), "Webhook-Timestamp": "soon"}),
    (b"{}", signed(b"{}")),
    (b"\xff", {**signed(BODY)}),
]


@pytest.mark.parametrize(("body", "headers"), UNBELIEVED)
def test_anything_else_is_refused(body: bytes, headers: dict[str, str]) -> None:
    with pytest.raises(WebhookInvalid):
        verify(body, headers, SECRET)
