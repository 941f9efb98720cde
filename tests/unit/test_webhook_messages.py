"""What a message says: its type, its id, its body."""

from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak.errors import InvalidId
from bespeak.feed.reader import Event, EventLine
from bespeak.notifications.webhooks import message
from bespeak.notifications.webhooks.worker import RETRY_SECONDS
from bespeak.states import EventKind

ENDPOINT = "whe_" + "4z" * 8


_THINGS = ("resource", "hold", "booking", "block", "payment", "refund", "waitlist", "waiting_room")


def test_every_kind_of_event_has_a_type_of_its_own() -> None:
    assert set(message.TYPES) == set(EventKind)
    assert len(set(message.TYPES.values())) == len(EventKind)
    for kind, name in message.TYPES.items():
        thing, _, what = name.partition(".")
        assert thing in _THINGS
        assert kind.value in (what, f"{thing}_{what}"), "thing.kind, with the feed's own word"
    assert message.TEST not in message.KINDS


@given(st.integers(0, (1 << 63) - 1))
def test_an_id_tells_its_endpoint_and_event(position: int) -> None:
    shown = message.show_id(ENDPOINT, position)
    assert message.parse_id(shown) == (ENDPOINT, position)
    assert len(shown) == 33 and "." not in shown


def test_later_events_have_greater_ids() -> None:
    shown = [message.show_id(ENDPOINT, position) for position in (1, 31, 32, 33, 10**6, 10**12)]
    assert shown == sorted(shown)


@pytest.mark.parametrize(
    "text",
    ["", "msg_", "msg_" + "0" * 28, "msg_" + "u" * 29, "evt_" + "0" * 29, "msg_" + "z" * 29, "é"],
)
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(InvalidId):
        message.parse_id(text)


@pytest.mark.parametrize("text", ["", "whe_", "whe_" + "I" * 16, "0" * 20, ENDPOINT + "0"])
def test_what_is_no_endpoint_is_refused(text: str) -> None:
    with pytest.raises(InvalidId):
        message.check_endpoint_id(text)


def test_the_body_is_the_event_and_always_the_same() -> None:
    event = Event(
        cursor="1a2b3c4d5-2f4",
        position=0x2F4,
        kind=EventKind.CONFIRMED,
        resource_id="res_0000001a",
        hold_id="hold_" + "0" * 26,
        lines=[EventLine("F7", None)],
        at=datetime(2030, 1, 1, 12, tzinfo=UTC),
    )
    body = message.encode(event)
    assert body == message.encode(event)
    found = msgspec.json.decode(body, type=message.Message)
    assert found == message.Message("booking.confirmed", event.at, event)


def test_the_schedule_is_three_days_and_grows() -> None:
    assert list(RETRY_SECONDS) == sorted(RETRY_SECONDS)
    assert 3 * 86_400 < sum(RETRY_SECONDS) < 4 * 86_400
