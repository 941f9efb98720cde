"""`verify` of `@bespeak/server` believes what that of Python believes, and nothing else."""

import base64
import json

import msgspec
import pytest

from bespeak.feed.reader import Event
from tests.clients.typescript import NodeProcess
from tests.unit.test_client_webhooks import AT, BODY, EVENT, SECRET, UNBELIEVED, signed


async def verified(node: NodeProcess, body: bytes, headers: dict[str, str]) -> dict[str, object]:
    asked = {"body": base64.b64encode(body).decode(), "headers": headers, "secret": SECRET}
    told = await node.ask("", "", "verify", [asked])
    assert told.fault is None, told.fault
    found: dict[str, object] | None = json.loads(bytes(told.answer))
    return found or {}


async def test_what_the_server_signed(node: NodeProcess) -> None:
    found = await verified(node, BODY, signed(BODY))
    assert (found["id"], found["type"]) == ("msg_1", "booking.confirmed")
    assert msgspec.convert(found["event"], Event) == EVENT


async def test_a_test_has_no_event(node: NodeProcess) -> None:
    message = {"type": "webhook.test", "timestamp": AT, "data": {"message": "hello"}}
    body = msgspec.json.encode(message)
    found = await verified(node, body, signed(body))
    assert (found["type"], found["event"]) == ("webhook.test", None)


@pytest.mark.parametrize(("body", "headers"), UNBELIEVED)
async def test_anything_else_is_refused(
    node: NodeProcess, body: bytes, headers: dict[str, str]
) -> None:
    assert await verified(node, body, headers) == {}
