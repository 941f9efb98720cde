"""Arguments of wrong types: each is an InvalidRequest that names it, whatever the verb."""

import inspect
from collections.abc import Callable, Coroutine, Iterator
from typing import TypeAlias

import pytest

import bespeak
from bespeak import BlockLine, Contact, Fee, InvalidRequest, Line, NewResource, Pricing, Resource
from bespeak.arguments import checked
from tests.harness.shows import PLAN, new_show, seats, take

HOLD = "hold_01m7y6w42jh6q8wthwjrpctn25"
BOOKING = HOLD.replace("hold_", "bkg_")
BLOCK = HOLD.replace("hold_", "blk_")
SHOW = "res_00000001"
LINES = [Line(SHOW, "A1")]

Arguments: TypeAlias = dict[str, object]
# What each verb takes; the wrong values are put in place of one of them.
GOOD: dict[str, Arguments] = {
    "place_hold": {
        "owner": "a",
        "lines": LINES,
        "hold_seconds": 60,
        "partial": True,
        "alternatives": 1,
        "idempotency_key": "k",
    },
    "change_stay": {
        "booking_id": BOOKING,
        "owner": "a",
        "lines": LINES,
        "hold_seconds": 60,
        "alternatives": 1,
        "idempotency_key": "k",
    },
    "place_holds": {
        "wanted": [bespeak.WantedHold(owner="a", lines=LINES)],
        "idempotency_key": "k",
    },
    "quote": {"lines": LINES},
    "confirm_hold": {"hold_id": HOLD, "owner": "a", "idempotency_key": "k", "contact": None},
    "extend_hold": {"hold_id": HOLD, "seconds": 60, "owner": "a", "idempotency_key": "k"},
    "release_hold": {"hold_id": HOLD, "owner": "a", "idempotency_key": "k"},
    "cancel_booking": {
        "booking_id": BOOKING,
        "reason": "x",
        "lines": LINES,
        "refund": "full",
        "owner": "a",
        "idempotency_key": "k",
    },
    "move_booking": {
        "booking_id": BOOKING,
        "moves": [bespeak.Move("A1", "A2")],
        "resource_id": SHOW,
        "send_mail": True,
        "idempotency_key": "k",
    },
    "refund_quote": {"booking_id": BOOKING, "lines": LINES, "owner": "a"},
    "get_hold": {"hold_id": HOLD, "owner": "a"},
    "list_holds": {"owner": "a", "after": "x", "limit": 1},
    "get_booking": {"booking_id": BOOKING, "owner": "a"},
    "positions": {"place_id": HOLD, "owner": "a"},
    "set_serving": {"resource_id": SHOW, "number": 1},
    "create_resource": {"new": new_show(), "idempotency_key": "k"},
    "create_resources": {"news": [new_show()]},
    "get_resource": {"resource_id": SHOW},
    "list_resources": {"after": SHOW, "limit": 1, "kind": "show"},
    "update_resource": {"resource_id": SHOW, "change": bespeak.ResourceChange()},
    "availability": {"resource_id": SHOW, "query": bespeak.AvailabilityQuery(), "form": None},
    "block": {
        "resource_id": SHOW,
        "lines": [BlockLine("A1")],
        "reason": "x",
        "idempotency_key": "k",
    },
    "block_together": {
        "resources": [bespeak.ResourceBlock(SHOW, (BlockLine("A1"),))],
        "reason": "x",
        "idempotency_key": "k",
    },
    "unblock": {"block_id": BLOCK, "lines": [BlockLine("A1")], "idempotency_key": "k"},
    "list_blocks": {"resource_id": SHOW, "after": BLOCK, "limit": 1},
    "import_calendar": {
        "resource_id": SHOW,
        "content": b"",
        "name": "n",
        "unit": "A1",
        "quantity": 1,
    },
    "export_calendar": {"resource_id": SHOW, "details": True, "without": ["n"]},
    "audit": {"resource_id": SHOW},
    "call_off": {"resource_id": SHOW, "reason": "x", "refund": "full", "idempotency_key": "k"},
    "cancellation": {"resource_id": SHOW},
    "reopen": {"resource_id": SHOW},
    "timeline": {"place_id": HOLD, "owner": "a"},
    "events": {"after": "x", "limit": 1, "resource_id": SHOW},
    "events_snapshot": {"after": "x", "limit": 1},
    "watch": {"resource_id": SHOW, "after": "x"},
}
NOT_ONE_OF: tuple[object, ...] = (2**70, 1.5, "\x00", "\ud800", object(), ["x"], [None], {"a": 1})
# Sequences that any argument of that name takes, and the bytes of a calendar.
TAKEN = {("export_calendar", "without", 5)}


def wrong() -> Iterator[tuple[str, str, int]]:
    for verb, arguments in GOOD.items():
        for name in arguments:
            for place in range(len(NOT_ONE_OF)):
                if (verb, name, place) not in TAKEN:
                    yield verb, name, place


async def test_a_wrong_argument_is_named(engine: bespeak.Engine) -> None:
    for verb, name, place in wrong():
        call: Callable[..., Coroutine[object, object, object]] = getattr(engine, verb)
        with pytest.raises(InvalidRequest) as caught:
            answer = call(**{**GOOD[verb], name: NOT_ONE_OF[place]})
            await answer
        assert caught.value.field == name, (verb, name, NOT_ONE_OF[place])


def test_every_verb_is_tried() -> None:
    verbs = {
        name
        for name, verb in inspect.getmembers(bespeak.Engine, callable)
        if not name.startswith("_") and hasattr(verb, "__wrapped__")
    }
    assert verbs - {"acting_as", "reading_after"} == set(GOOD)


@pytest.mark.parametrize(
    "line",
    [Line(5, "A1"), Line(SHOW, 5), Line(SHOW, "A1", "2"), Line(SHOW, best=5)],  # type: ignore[arg-type]
)
async def test_a_wrong_part_of_a_line(engine: bespeak.Engine, line: Line) -> None:
    with pytest.raises(InvalidRequest):
        await engine.place_hold(owner="a", lines=[line])


@pytest.mark.parametrize(
    "new",
    [
        NewResource(name=5, plan=PLAN),  # type: ignore[arg-type]
        NewResource(name="x", plan="seats"),  # type: ignore[arg-type]
        NewResource(name="x", plan=PLAN, hold_seconds="60"),  # type: ignore[arg-type]
        NewResource(name="x", plan=PLAN, opens_at="tomorrow"),  # type: ignore[arg-type]
        NewResource(name="x", plan=PLAN, attributes={"a": object()}),  # type: ignore[dict-item]
        NewResource(name="x", plan=PLAN, price=5),  # type: ignore[arg-type]
        NewResource(name="x", plan=PLAN, pricing=Pricing(fees=(Fee(5, "order", 1),))),  # type: ignore[arg-type]
    ],
)
async def test_a_wrong_part_of_a_resource(engine: bespeak.Engine, new: NewResource) -> None:
    with pytest.raises(InvalidRequest):
        await engine.create_resource(new)


async def test_a_wrong_part_of_a_contact(engine: bespeak.Engine, show: Resource) -> None:
    hold = await take(engine, seats(show, "A1"))
    with pytest.raises(InvalidRequest):
        await engine.confirm_hold(hold.id, contact=Contact(email=5))  # type: ignore[arg-type]


def test_who_calls_wrongly_is_told_what_is_right() -> None:
    @checked
    def verb(self: object, *, owner: str | None = None, count: int = 1) -> int:
        return count

    assert verb(None, owner="a", count=2) == 2
    with pytest.raises(InvalidRequest, match="owner is str or None, not this int"):
        verb(None, owner=5)  # type: ignore[arg-type]
    with pytest.raises(InvalidRequest, match="count is int, not this bool"):
        verb(None, count=True)
