"""Twins: the same request with the same key, both in flight. One is done; both get its answer."""

import asyncio

import pytest

import bespeak
from bespeak import Hold, IdempotencyKeyReused, Resource
from tests.concurrency.waiting import meet
from tests.harness.database import Connection, problems
from tests.harness.shows import MakeShow, pool, seats, take


@pytest.mark.parametrize("commit", [True, False])
@pytest.mark.parametrize("other", [True, False])
async def test_twins_that_place(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
    commit: bool,
    other: bool,
) -> None:
    show = await make_show(owner_limit=4)
    lines = [*seats(show, "A1"), pool(show, "floor", 1)]
    more = [*seats(show, "A2"), pool(show, "floor", 1)] if other else lines
    answer = await meet(
        connection,
        one,
        take(engine, lines, connection=one, idempotency_key="k"),
        two,
        take(engine, more, connection=two, idempotency_key="k"),
        commit=commit,
    )
    if commit and other:
        assert isinstance(answer, IdempotencyKeyReused)
        assert answer.data["fields"] == ["lines"]
    else:
        assert isinstance(answer, Hold)
        assert answer.replayed is commit
    assert await connection.fetchval("select count(*) from bespeak.hold") == 1
    assert await problems(connection) == []


async def test_control_without_the_primary_key_twins_hold_twice(
    engine: bespeak.Engine, show: Resource, connection: Connection, one: Connection, two: Connection
) -> None:
    await connection.execute("alter table bespeak.hold_key drop constraint hold_key_pkey")
    lines = [pool(show, "floor", 1)]
    answer = await meet(
        connection,
        one,
        take(engine, lines, connection=one, idempotency_key="k"),
        two,
        take(engine, lines, connection=two, idempotency_key="k"),
    )
    assert isinstance(answer, Hold)
    assert await connection.fetchval("select count(*) from bespeak.hold") == 2


@pytest.mark.parametrize("in_flight", [True, False])
async def test_a_repeat_with_lines_in_another_order_is_no_second_hold(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
    in_flight: bool,
) -> None:
    """The first line says where a hold is stored, and not whose key it is."""
    first, second = await make_show(), await make_show()
    lines = [pool(first, "floor", 1), pool(second, "floor", 1)]
    taking = take(engine, lines, connection=one, idempotency_key="k")
    repeat = take(engine, lines[::-1], connection=two, idempotency_key="k")
    if in_flight:
        answer = await meet(connection, one, taking, two, repeat)
    else:
        await taking
        (answer,) = await asyncio.gather(repeat, return_exceptions=True)
    assert isinstance(answer, IdempotencyKeyReused)
    assert answer.data["fields"] == ["lines"]
    assert await connection.fetchval("select count(*) from bespeak.hold") == 1
    other = [pool(second, "floor", 1)]
    with pytest.raises(IdempotencyKeyReused):
        await take(engine, other, idempotency_key="k")
    await take(engine, other, "bela", idempotency_key="k")
    assert await problems(connection) == []


CALLS = {
    "confirm": "select booking_id, confirmed_at from bespeak.confirm_hold('{hold}', null, 'k')",
    "extend": "select hold_id, expires_at from bespeak.extend_hold('{hold}', 900, null, 'k')",
    "release": "select hold_id, ended_at from bespeak.release_hold('{hold}', null, 'k')",
    "cancel": "select booking_id, cancelled_at from bespeak.cancel_booking('{booking}', 'x',"
    " idempotency_key => 'k')",
    "block": "select id, blocked_at from bespeak.block('{show}', '{{A9,floor}}', 'x',"
    " '{{null,1}}', 'k')",
    "unblock": "select block_id, lifted_at from bespeak.unblock('{block}', null, null, 'k')",
}


@pytest.mark.parametrize("verb", CALLS)
async def test_twins_of_every_other_verb(
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
    verb: str,
) -> None:
    hold = await take(engine, [*seats(show, "A1"), pool(show, "floor", 1)])
    booked = await take(engine, seats(show, "A2"))
    booking = await engine.confirm_hold(booked.id)
    block = await engine.block(show.id, [bespeak.BlockLine("A3")], reason="x")
    call = CALLS[verb].format(hold=hold.id, booking=booking.id, show=show.id, block=block.id)
    kept: list[object] = []

    async def first() -> None:
        kept.append(await one.fetchrow(call))

    answer = await meet(connection, one, first(), two, two.fetchrow(call))
    assert answer == kept[0]
    assert await problems(connection) == []


@pytest.mark.parametrize("engines", ["one process", "two processes"])
async def test_a_storm_of_repeats_is_one_hold(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    engines: str,
) -> None:
    show = await make_show(owner_limit=2)
    used = [engine, engine] if engines == "one process" else [engine, second_engine]
    lines = [*seats(show, "A1"), pool(show, "floor", 1)]
    answers = await asyncio.gather(
        *(take(used[n % 2], lines, idempotency_key="k") for n in range(60))
    )
    assert len({hold.id for hold in answers}) == 1
    assert sum(not hold.replayed for hold in answers) == 1
    bookings = await asyncio.gather(
        *(used[n % 2].confirm_hold(answers[0].id, idempotency_key="k") for n in range(60))
    )
    assert len({(one.id, one.confirmed_at) for one in bookings}) == 1
    assert await problems(connection) == []
