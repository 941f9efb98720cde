"""`engine.within(...)`: the verbs in the transaction of whatever the program speaks to its database
with. Order and hold commit or vanish together.
"""

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import asyncpg
import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine

import bespeak
from bespeak import HoldState, InvalidRequest, NoTransaction, Resource, ResourceChange
from bespeak.postgres.callers import CallersConnection
from tests.harness.database import Connection, problems, session, snapshot
from tests.harness.foreign import alchemy_engine
from tests.harness.shows import book, new_show, pool, seats, take


class Caller(NamedTuple):
    """A program's own connection: what it gives to us, and how it works with it itself."""

    given: CallersConnection
    execute: Callable[[str], Awaitable[object]]
    commit: Callable[[], Awaitable[object]]
    rollback: Callable[[], Awaitable[object]]


@asynccontextmanager
async def of_asyncpg(url: str) -> AsyncIterator[Caller]:
    async with session(url) as connection:
        transaction = connection.transaction()
        await transaction.start()
        yield Caller(connection, connection.execute, transaction.commit, transaction.rollback)


@asynccontextmanager
async def of_psycopg(url: str) -> AsyncIterator[Caller]:
    connection = await psycopg.AsyncConnection.connect(url)
    try:

        async def execute(statement: str) -> object:
            return await connection.execute(statement.encode())

        yield Caller(connection, execute, connection.commit, connection.rollback)
    finally:
        await connection.close()


@asynccontextmanager
async def of_alchemy(url: str, driver: str = "asyncpg") -> AsyncIterator[Caller]:
    engine = create_async_engine(url.replace("postgresql://", f"postgresql+{driver}://", 1))
    async with engine.connect() as made:
        yield Caller(
            made, lambda statement: made.execute(text(statement)), made.commit, made.rollback
        )
    await engine.dispose()


@asynccontextmanager
async def of_session(url: str) -> AsyncIterator[Caller]:
    engine = alchemy_engine(url)
    async with AsyncSession(engine) as made:
        yield Caller(
            made, lambda statement: made.execute(text(statement)), made.commit, made.rollback
        )
    await engine.dispose()


CALLERS: dict[str, Callable[[str], AbstractAsyncContextManager[Caller]]] = {
    "asyncpg": of_asyncpg,
    "psycopg": of_psycopg,
    "sqlalchemy": of_alchemy,
    "sqlalchemy over psycopg": lambda url: of_alchemy(url, "psycopg"),
    "session": of_session,
}


@pytest.fixture(params=CALLERS)
async def caller(
    request: pytest.FixtureRequest, database_url: str, engine: bespeak.Engine
) -> AsyncIterator[Caller]:
    async with CALLERS[request.param](database_url) as made:
        yield made


async def test_all_verbs_vanish_with_a_rollback(
    engine: bespeak.Engine, show: Resource, connection: Connection, caller: Caller
) -> None:
    booking = await book(engine, seats(show, "A9"))
    before = await snapshot(connection)
    inside = engine.within(caller.given)
    # Nothing was said to the connection before: a driver that begins lazily begins with us.
    hold = await inside.place_hold(
        owner="asha", lines=[*seats(show, "A1"), pool(show, "floor", 2)], idempotency_key="k"
    )
    assert (await inside.place_hold(owner="asha", lines=hold.lines, idempotency_key="k")).replayed
    with pytest.raises(bespeak.UnitTaken) as taken:
        await inside.place_hold(owner="bela", lines=seats(show, "A9"))
    assert taken.value.conflicts[0].state == "booked"
    await inside.extend_hold(hold.id, seconds=700)
    booked = await inside.confirm_hold(
        hold.id, owner="asha", contact=bespeak.Contact("a@b.example")
    )
    assert await inside.get_booking(booked.id) == booked
    assert (await inside.get_hold(hold.id)).state is HoldState.CONFIRMED
    part = await inside.cancel_booking(booked.id, reason="x", lines=[pool(show, "floor", 1)])
    assert [line.cancelled_quantity for line in part.lines] == [0, 1]
    await inside.cancel_booking(booking.id, reason="x")
    other = await inside.place_hold(
        owner="asha", lines=[bespeak.Line(show.id, best=bespeak.Best(2))]
    )
    assert (await inside.release_hold(other.id)).state is HoldState.RELEASED
    assert (await inside.quote(seats(show, "A5"))).total.amount == 0
    made = await inside.create_resource(new_show(), idempotency_key="k")
    assert (await inside.create_resource(new_show(), idempotency_key="k")).replayed
    assert len(await inside.create_resources([new_show(), new_show()])) == 2
    changed = await inside.update_resource(
        made.id, ResourceChange(plan=bespeak.NightsPlan(count=1))
    )
    assert await inside.get_resource(made.id) == changed
    first, *ends = (str(datetime.now(UTC).date() + timedelta(days=n)) for n in (30, 33, 34))
    stay, longer = ([bespeak.Line(made.id, from_=first, to=to)] for to in ends)
    before_it = await inside.place_hold(owner="asha", lines=stay)
    old = await inside.confirm_hold(before_it.id)
    for is_again in (False, True):
        held = await inside.change_stay(old.id, owner="asha", lines=longer, idempotency_key="c")
        assert held.replayed == is_again
    assert (await inside.confirm_hold(held.id)).lines[0].to == ends[1]
    assert (await inside.get_booking(old.id)).reason == "exchanged"
    await caller.rollback()
    assert await snapshot(connection) == before
    await take(engine, seats(show, "A1", "A2"), "bela")


async def test_an_order_and_its_hold_commit_together(
    engine: bespeak.Engine, show: Resource, connection: Connection, caller: Caller
) -> None:
    await connection.execute("create table invoice (hold_id text primary key)")
    inside = engine.within(caller.given)
    # A session's second transaction may be on another connection. One of asyncpg has no second.
    units = ("A1",) if isinstance(caller.given, asyncpg.Connection) else ("A1", "A2")
    for unit in units:
        hold = await inside.place_hold(owner="asha", lines=seats(show, unit))
        await caller.execute(f"insert into invoice values ('{hold.id}')")
        await caller.commit()
        assert (await engine.get_hold(hold.id)).state is HoldState.HELD
    assert await connection.fetchval("select count(*) from invoice") == len(units)
    assert await problems(connection) == []


async def test_what_commits_each_statement_is_refused(
    engine: bespeak.Engine, show: Resource, database_url: str
) -> None:
    alchemy = alchemy_engine(database_url)
    async with alchemy.connect() as made:
        inside = engine.within(await made.execution_options(isolation_level="AUTOCOMMIT"))
        with pytest.raises(NoTransaction):
            await inside.place_hold(owner="asha", lines=seats(show, "A1"))
    await alchemy.dispose()
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as other:
        with pytest.raises(NoTransaction):
            await engine.within(other).place_hold(owner="asha", lines=seats(show, "A1"))
        async with other.transaction():
            await engine.within(other).place_hold(owner="asha", lines=seats(show, "A1"))


async def test_what_is_no_connection_is_refused(engine: bespeak.Engine, show: Resource) -> None:
    with pytest.raises(InvalidRequest, match="str is no connection"):
        engine.within("postgresql://")  # type: ignore[arg-type]
    async with engine.database.borrow() as connection, connection.transaction():
        with pytest.raises(InvalidRequest, match="already"):
            await engine.within(connection).quote(seats(show, "A1"), connection=connection)


def test_it_has_every_verb_that_takes_a_connection() -> None:
    def taking(owner: type) -> set[str]:
        verbs = inspect.getmembers(owner, inspect.isfunction)
        return {
            name
            for name, verb in verbs
            if not name.startswith("_") and "connection" in inspect.signature(verb).parameters
        }

    assert taking(bespeak.Within) == taking(bespeak.Engine) - {"within"}
