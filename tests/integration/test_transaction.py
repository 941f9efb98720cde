"""`connection=`: a verb in the caller's own transaction, which commits or vanishes with it."""

from collections.abc import Awaitable

import pytest

import bespeak
from bespeak import HoldState, NoTransaction, Resource, ResourceChange
from tests.harness.database import Connection, problems, snapshot
from tests.harness.foreign import of_alchemy
from tests.harness.shows import book, new_show, pool, seats, take


async def test_all_verbs_vanish_with_a_rollback(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    before = await snapshot(connection)
    transaction = connection.transaction()
    await transaction.start()
    hold = await take(
        engine,
        [*seats(show, "A1"), pool(show, "floor", 1)],
        connection=connection,
        idempotency_key="k",
    )
    await engine.extend_hold(hold.id, seconds=700, connection=connection, idempotency_key="k")
    booking = await engine.confirm_hold(hold.id, connection=connection, idempotency_key="k")
    assert (await engine.get_booking(booking.id, connection=connection)).id == booking.id
    await engine.cancel_booking(booking.id, reason="x", connection=connection)
    other = await take(engine, seats(show, "A2"), connection=connection)
    await engine.release_hold(other.id, connection=connection)
    with pytest.raises(bespeak.HoldNotFound):
        await engine.get_hold(hold.id)
    await transaction.rollback()
    assert await snapshot(connection) == before
    await take(engine, seats(show, "A1", "A2"), "bela")


async def test_all_verbs_commit_with_the_callers_own_rows(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    await connection.execute("create table invoice (hold_id text primary key)")
    async with connection.transaction():
        hold = await take(engine, seats(show, "A1"), connection=connection)
        await connection.execute("insert into invoice values ($1)", hold.id)
        await engine.confirm_hold(hold.id, connection=connection)
    assert (await engine.get_hold(hold.id)).state is HoldState.CONFIRMED
    assert await connection.fetchval("select hold_id from invoice") == hold.id
    assert await problems(connection) == []


async def test_a_refusal_leaves_the_callers_transaction_usable(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    await take(engine, seats(show, "A1"), "bela")
    async with connection.transaction():
        with pytest.raises(bespeak.UnitTaken):
            await take(engine, seats(show, "A1", "A2"), connection=connection)
        with pytest.raises(bespeak.UnknownUnit):
            await take(engine, seats(show, "Z9"), connection=connection)
        hold = await take(engine, seats(show, "A2"), connection=connection)
    assert (await engine.get_hold(hold.id)).state is HoldState.HELD


async def test_a_savepoint_takes_back_only_what_came_after_it(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    async with connection.transaction():
        kept = await take(engine, seats(show, "A1"), connection=connection)
        savepoint = connection.transaction()
        await savepoint.start()
        gone = await take(
            engine, [*seats(show, "A2"), pool(show, "floor", 5)], connection=connection
        )
        await engine.confirm_hold(kept.id, connection=connection)
        await savepoint.rollback()
        await take(engine, [pool(show, "floor", 5)], connection=connection)
    assert (await engine.get_hold(kept.id)).state is HoldState.HELD
    with pytest.raises(bespeak.HoldNotFound):
        await engine.get_hold(gone.id)
    assert await problems(connection) == []


async def test_a_repeat_in_the_same_transaction(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    async with connection.transaction():
        first = await take(engine, seats(show, "A1"), connection=connection, idempotency_key="k")
        again = await take(engine, seats(show, "A1"), connection=connection, idempotency_key="k")
        with pytest.raises(bespeak.IdempotencyKeyReused):
            await take(engine, seats(show, "A2"), connection=connection, idempotency_key="k")
        for replayed in (False, True):
            booking = await engine.confirm_hold(
                first.id, connection=connection, idempotency_key="k"
            )
            assert booking.replayed is replayed
        other = await take(engine, seats(show, "A3"), connection=connection)
        with pytest.raises(bespeak.IdempotencyKeyReused) as caught:
            await engine.confirm_hold(other.id, connection=connection, idempotency_key="k")
        assert caught.value.data["fields"] == ["hold_id"]
    assert again.id == first.id


async def test_an_aborted_transaction_is_the_callers_to_end(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    import asyncpg

    transaction = connection.transaction()
    await transaction.start()
    await take(engine, seats(show, "A1"), connection=connection)
    with pytest.raises(asyncpg.DivisionByZeroError):
        await connection.execute("select 1/0")
    await transaction.rollback()
    await take(engine, seats(show, "A1"), "bela")


async def test_outside_of_a_transaction_nothing_is_written(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    hold = await take(engine, seats(show, "A1"))
    booking = await book(engine, seats(show, "A2"))
    before = await snapshot(connection)
    writes: list[Awaitable[object]] = [
        engine.place_hold(owner="a", lines=seats(show, "A3"), connection=connection),
        engine.confirm_hold(hold.id, connection=connection),
        engine.extend_hold(hold.id, seconds=700, connection=connection),
        engine.release_hold(hold.id, connection=connection),
        engine.cancel_booking(booking.id, reason="x", connection=connection),
        engine.create_resource(new_show(), connection=connection),
        engine.create_resources([new_show()], connection=connection),
        engine.update_resource(show.id, ResourceChange(name="x"), connection=connection),
    ]
    for write in writes:
        with pytest.raises(NoTransaction) as caught:
            await write
        assert caught.value.data["field"] == "connection"
    assert await snapshot(connection) == before
    # What only reads needs none.
    assert await engine.get_hold(hold.id, connection=connection) == await engine.get_hold(hold.id)
    assert await engine.get_booking(booking.id, connection=connection) == booking
    await engine.get_resource(show.id, connection=connection)
    await engine.quote(seats(show, "A3"), connection=connection)


async def test_a_connection_that_begins_lazily_is_outside_until_its_first_statement(
    engine: bespeak.Engine, show: Resource, database_url: str
) -> None:
    async with of_alchemy(database_url) as raw:
        with pytest.raises(NoTransaction):
            await engine.place_hold(owner="a", lines=seats(show, "A1"), connection=raw)
    await take(engine, seats(show, "A1"), "bela")
