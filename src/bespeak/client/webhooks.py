"""Webhooks as they are received: whether one is really the server's, and what it says."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import msgspec
from standardwebhooks import Webhook, WebhookVerificationError

from bespeak.feed.reader import Event

_TEST = "webhook.test"


class WebhookInvalid(Exception):
    """The signature is not of this secret, the message is old, or its body is none. Answer 400."""


class WebhookEvent(msgspec.Struct, frozen=True):
    """What a webhook says. `id` is the same whenever it is delivered again; `event` is as the feed
    has it, None for a test."""

    id: str
    type: str
    timestamp: datetime
    event: Event | None


class _Body(msgspec.Struct):
    type: str
    timestamp: datetime
    data: msgspec.Raw


def verify(body: bytes, headers: Mapping[str, str], secret: str) -> WebhookEvent:
    """The event of a webhook, from the raw body and the headers of its request.
    Raises WebhookInvalid."""
    plain = {name.lower(): value for name, value in headers.items()}
    try:
        Webhook(secret).verify(body, plain)
        told = msgspec.json.decode(body, type=_Body)
        event = None if told.type == _TEST else msgspec.json.decode(told.data, type=Event)
    except (WebhookVerificationError, msgspec.DecodeError, ValueError) as error:
        raise WebhookInvalid(str(error)) from error
    return WebhookEvent(plain["webhook-id"], told.type, told.timestamp, event)
