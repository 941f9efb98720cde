"""Every write can be repeated: same key and content, same answer; other content, a named field."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

import bespeak
from bespeak import BlockLine, IdempotencyKeyReused, Resource, ResourceChange
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems, snapshot
from tests.harness.shows import MakeShow, new_show, pool, seats, take

Call = Callable[[bespeak.Engine, str, bool], Awaitable[object]]


class Case:
    """A verb with a key: how its stage is set, how it is called, with other content if asked."""

    def __init__(self, prepare: Callable[..., Awaitable[list[str]]], call: object, fields: str):
        self.prepare = prepare
        self.call = call
        self.fields = fields.split()


async def _nothing(engine: bespeak.Engine, show: Resource) -> list[str]:
    return []


async def _two_holds(engine: bespeak.Engine, show: Resource) -> list[str]:
    return [(await take(engine, seats(show, unit))).id for unit in ("A1", "A2")]


async def _two_bookings(engine: bespeak.Engine, show: Resource) -> list[str]:
    return [(await engine.confirm_hold(one)).id for one in await _two_holds(engine, show)]


async def _two_blocks(engine: bespeak.Engine, show: Resource) -> list[str]:
    lines = [[BlockLine(unit), BlockLine("floor", 1)] for unit in ("A1", "A2")]
    return [(await engine.block(show.id, line, reason="x")).id for line in lines]


async def _place(e: bespeak.Engine, show: Resource, ids: list[str], key: str, field: str) -> object:
    unit = "A8" if field == "lines" else "A9"
    seconds = 60 if field == "hold_seconds" else None
    lines = [*seats(show, unit), pool(show, "floor", 1)]
    hold = await take(e, lines, idempotency_key=key, hold_seconds=seconds)
    return hold.id, hold.lines, hold.expires_at


async def _confirm(
    e: bespeak.Engine, show: Resource, ids: list[str], key: str, field: str
) -> object:
    booking = await e.confirm_hold(ids[field == "hold_id"], idempotency_key=key)
    return booking.id, booking.lines, booking.confirmed_at


async def _release(
    e: bespeak.Engine, show: Resource, ids: list[str], key: str, field: str
) -> object:
    hold = await e.release_hold(ids[field == "hold_id"], idempotency_key=key)
    return hold.id, hold.state, hold.ended_at


async def _extend(
    e: bespeak.Engine, show: Resource, ids: list[str], key: str, field: str
) -> object:
    hold = await e.extend_hold(
        ids[field == "hold_id"], seconds=800 if field == "seconds" else 900, idempotency_key=key
    )
    return hold.id, hold.expires_at


async def _cancel(
    e: bespeak.Engine, show: Resource, ids: list[str], key: str, field: str
) -> object:
    booking = await e.cancel_booking(
        ids[field == "booking_id"],
        reason="other" if field == "reason" else "ill",
        lines=seats(show, "A1") if field == "lines" else None,
        idempotency_key=key,
    )
    return booking.id, booking.state, booking.cancelled_at


async def _block(e: bespeak.Engine, show: Resource, ids: list[str], key: str, field: str) -> object:
    lines = [BlockLine("A4" if field == "lines" else "A3"), BlockLine("floor", 1)]
    reason = "other" if field == "reason" else "broken"
    block = await e.block(show.id, lines, reason=reason, idempotency_key=key)
    return block.id, block.lines


async def _unblock(
    e: bespeak.Engine, show: Resource, ids: list[str], key: str, field: str
) -> object:
    lines = [BlockLine("floor", 1)] if field == "lines" else None
    block = await e.unblock(ids[field == "block_id"], lines=lines, idempotency_key=key)
    return block.id, block.lifted_at


async def _create(
    e: bespeak.Engine, show: Resource, ids: list[str], key: str, field: str
) -> object:
    name = "Other" if field == "body" else "New"
    return (await e.create_resource(new_show(name=name), idempotency_key=key)).id


CASES = {
    "place": Case(_nothing, _place, "lines hold_seconds"),
    "confirm": Case(_two_holds, _confirm, "hold_id"),
    "release": Case(_two_holds, _release, "hold_id"),
    "extend": Case(_two_holds, _extend, "hold_id seconds"),
    "cancel": Case(_two_bookings, _cancel, "booking_id reason lines"),
    "block": Case(_nothing, _block, "lines reason"),
    "unblock": Case(_two_blocks, _unblock, "block_id lines"),
    "create": Case(_nothing, _create, "body"),
}
VERBS = list(CASES)


@pytest.mark.parametrize("verb", VERBS)
async def test_a_repeat_gets_the_same_answer_and_changes_nothing(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, verb: str
) -> None:
    show = await make_show(owner_limit=20)
    case = CASES[verb]
    subjects = await case.prepare(engine, show)
    first = await case.call(engine, show, subjects, "k", "")  # type: ignore[operator]
    before = await snapshot(connection)
    assert await case.call(engine, show, subjects, "k", "") == first  # type: ignore[operator]
    assert await snapshot(connection) == before


@pytest.mark.parametrize(
    ("verb", "field"), [(verb, field) for verb in VERBS for field in CASES[verb].fields]
)
async def test_other_content_names_the_field_and_changes_nothing(
    engine: bespeak.Engine, show: Resource, connection: Connection, verb: str, field: str
) -> None:
    case = CASES[verb]
    subjects = await case.prepare(engine, show)
    await case.call(engine, show, subjects, "k", "")  # type: ignore[operator]
    before = await snapshot(connection)
    with pytest.raises(IdempotencyKeyReused) as caught:
        await case.call(engine, show, subjects, "k", field)  # type: ignore[operator]
    assert caught.value.data["fields"] == [field]
    assert await snapshot(connection) == before


@pytest.mark.parametrize("verb", VERBS)
async def test_a_repeat_is_answered_after_the_sale_has_closed(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    show: Resource,
    verb: str,
) -> None:
    case = CASES[verb]
    subjects = await case.prepare(engine, show)
    first = await case.call(engine, show, subjects, "k", "")  # type: ignore[operator]
    await engine.update_resource(show.id, ResourceChange(state="closed"))
    for repeating in (engine, second_engine):
        assert await case.call(repeating, show, subjects, "k", "") == first  # type: ignore[operator]


@pytest.mark.parametrize("verb", VERBS)
async def test_repeats_in_flight_get_one_answer(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    verb: str,
) -> None:
    show = await make_show(owner_limit=20)
    case = CASES[verb]
    subjects = await case.prepare(engine, show)
    answers = await asyncio.gather(
        *(
            case.call(one, show, subjects, "k", "")  # type: ignore[operator]
            for one in (engine, second_engine) * 4
        )
    )
    assert answers == [answers[0]] * 8
    assert await problems(connection) == []


@pytest.mark.parametrize("verb", ["confirm", "release", "extend", "cancel"])
async def test_one_key_for_two_things_at_once_is_one_done_and_one_told(
    engine: bespeak.Engine, show: Resource, verb: str
) -> None:
    """Both go into one batch; neither may spoil it for the others in it. Which of them is done is a
    matter of chance: a cancellation reads the booking first."""
    case = CASES[verb]
    subjects = await case.prepare(engine, show)
    fields = case.fields[0]
    bystander = await take(engine, seats(show, "B3"), "bela")
    answers = await asyncio.gather(
        case.call(engine, show, subjects, "k", ""),  # type: ignore[operator]
        case.call(engine, show, subjects, "k", fields),  # type: ignore[operator]
        engine.confirm_hold(bystander.id),
        return_exceptions=True,
    )
    (told,) = [one for one in answers[:2] if isinstance(one, BaseException)]
    assert isinstance(told, IdempotencyKeyReused)
    assert told.data["fields"] == [fields]
    assert isinstance(answers[2], bespeak.Booking)


async def test_keys_belong_to_owners(engine: bespeak.Engine, show: Resource) -> None:
    first = await take(engine, seats(show, "A1"), "asha", idempotency_key="k")
    second = await take(engine, seats(show, "A2"), "bela", idempotency_key="k")
    assert first.id != second.id


async def test_a_key_of_a_refused_request_is_free(engine: bespeak.Engine, show: Resource) -> None:
    await take(engine, seats(show, "A1"), "bela")
    with pytest.raises(bespeak.UnitTaken):
        await take(engine, seats(show, "A1"), idempotency_key="k")
    assert not (await take(engine, seats(show, "A2"), idempotency_key="k")).replayed


async def test_a_repeat_tells_that_it_is_one(
    engine: bespeak.Engine, show: Resource, clock: Clock
) -> None:
    for replayed in (False, True):
        hold = await take(engine, seats(show, "A1"), idempotency_key="k")
        assert hold.replayed is replayed
    for replayed in (False, True):
        booking = await engine.confirm_hold(hold.id, idempotency_key="k")
        assert booking.replayed is replayed
    with pytest.raises(bespeak.HoldConfirmed) as caught:
        await engine.confirm_hold(hold.id, idempotency_key="other")
    assert caught.value.data == {"booking_id": booking.id}


async def test_anothers_key_tells_nothing(engine: bespeak.Engine, show: Resource) -> None:
    hold = await take(engine, seats(show, "A1"))
    await engine.confirm_hold(hold.id, idempotency_key="k")
    with pytest.raises(bespeak.NotOwner):
        await engine.confirm_hold(hold.id, owner="bela", idempotency_key="k")
