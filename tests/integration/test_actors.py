"""Who did it, as programs say it: with the library, with SQL, in their own transactions; and what
says nothing."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import asyncpg
import pytest

import bespeak
from bespeak import BlockLine, InvalidRequest, Resource, ResourceChange
from bespeak.actors import acting, acting_as
from bespeak.postgres.migrate import migrations
from tests.conftest import SETTINGS
from tests.harness.clock import Clock
from tests.harness.database import Connection, feed_settled, session
from tests.harness.shows import new_show, seats, take

ACTOR_BY = 20
Actors = list[tuple[str, str | None]]


async def told(connection: Connection) -> Actors:
    """Of each event its kind and its actor, in the order in which they were written."""
    rows = await connection.fetch("select kind, actor from bespeak.event order by position")
    return [(row["kind"], row["actor"]) for row in rows]


async def test_a_block_says_who_it_is(engine: bespeak.Engine, connection: Connection) -> None:
    with engine.acting_as("till-3"):
        show = await engine.create_resource(new_show())
        await engine.create_resources([new_show()])
        hold = await take(engine, seats(show, "A1"))
        with engine.acting_as("till-4"):
            await engine.extend_hold(hold.id, seconds=900)
        booking = await engine.confirm_hold(hold.id)
    await engine.cancel_booking(booking.id, reason="rain")
    assert await told(connection) == [
        ("created", "till-3"),
        ("created", "till-3"),
        ("held", "till-3"),
        ("extended", "till-4"),
        ("confirmed", "till-3"),
        ("cancelled", None),
    ]


async def test_resources_and_blocks_too(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    with engine.acting_as("till-3"):
        block = await engine.block(show.id, [BlockLine("A1")], reason="broken")
        await engine.unblock(block.id)
        await engine.update_resource(show.id, ResourceChange(name="The room"))
        await engine.call_off(show.id, reason="storm")
    assert (await told(connection))[1:] == [
        (kind, "till-3") for kind in ("blocked", "unblocked", "changed", "changed", "called_off")
    ]


async def test_each_task_is_its_own(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    """Ten who ask at once share batches; none becomes another."""

    async def ask(number: int) -> tuple[str, str]:
        with engine.acting_as(f"till-{number}"):
            await asyncio.sleep(0)
            hold = await take(engine, seats(show, f"A{number}"))
            await engine.release_hold(hold.id)
        assert acting() is None
        return hold.id, f"till-{number}"

    wanted = dict(await asyncio.gather(*(ask(number) for number in range(1, 11))))
    await feed_settled(connection)
    events = [one for one in (await engine.events()).items if one.hold_id in wanted]
    assert len(events) == 2 * len(wanted)
    assert {(one.hold_id, one.actor) for one in events} == set(wanted.items())
    for hold_id, actor in wanted.items():
        assert [one.actor for one in (await engine.timeline(hold_id)).items] == [actor, actor]


async def test_in_a_callers_transaction(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    with engine.acting_as("till-3"):
        async with connection.transaction():
            within = engine.within(connection)
            hold = await within.place_hold(owner="asha", lines=seats(show, "A1"))
            booking = await within.confirm_hold(hold.id)
            await within.cancel_booking(booking.id, reason="rain")
    assert (await told(connection))[1:] == [
        ("held", "till-3"),
        ("confirmed", "till-3"),
        ("cancelled", "till-3"),
    ]


async def test_without_an_event_loop_it_is_of_the_thread(
    database_url: str, connection: Connection
) -> None:
    with bespeak.connect_sync(database_url, settings=SETTINGS, sweep=False) as blocking:
        show = await asyncio.to_thread(blocking.create_resource, new_show())

        def sell(number: int) -> None:
            with blocking.acting_as(f"till-{number}"):
                hold = blocking.place_hold(owner="asha", lines=seats(show, f"A{number}"))
            blocking.release_hold(hold.id)

        with ThreadPoolExecutor(4) as threads:
            await asyncio.to_thread(lambda: list(threads.map(sell, range(1, 9))))
    rows = await connection.fetch("select units, actor from bespeak.event where kind = 'held'")
    assert {(row["units"][0][1:], row["actor"]) for row in rows} == {
        (str(number), f"till-{number}") for number in range(1, 9)
    }
    released = await connection.fetch("select actor from bespeak.event where kind = 'released'")
    assert [row["actor"] for row in released] == [None] * 8


@pytest.mark.parametrize("actor", ["", "x" * 65, "a\nb", "a\0b", None, 5])
def test_what_is_no_short_text_is_refused(actor: str) -> None:
    with pytest.raises(InvalidRequest) as refused, acting_as(actor):
        pass
    assert refused.value.data["field"] == "actor"


async def test_the_database_has_the_last_word(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    """Whoever calls the batched functions without the library."""
    with pytest.raises(asyncpg.CheckViolationError):
        await connection.execute(
            "insert into bespeak.event (resource_id, horizon, kind, at, actor)"
            " values (1, 1, 'changed', now(), $1)",
            "x" * 65,
        )


async def test_the_single_forms_take_it(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    async def call(form: str, *arguments: object) -> asyncpg.Record:
        row = await connection.fetchrow(f"select * from bespeak.{form}", *arguments)
        assert row is not None
        return row

    first = await call("place_hold('asha', array[$1], '{A1}', actor => 'till-1')", show.id)
    await call("extend_hold($1, 900, actor => 'till-2')", first["id"])
    await call("release_hold($1, actor => 'till-3')", first["id"])
    second = await call("place_hold('asha', array[$1], '{A2}')", show.id)
    booking = await call("confirm_hold($1, actor => 'till-4')", second["id"])
    await call("cancel_booking($1, 'rain', actor => 'till-5')", booking["booking_id"])
    block = await call("block($1, '{A3}', 'broken', actor => 'till-6')", show.id)
    await call("unblock($1, actor => 'till-7')", block["id"])
    assert (await told(connection))[1:] == [
        ("held", "till-1"),
        ("extended", "till-2"),
        ("released", "till-3"),
        ("held", None),
        ("confirmed", "till-4"),
        ("cancelled", "till-5"),
        ("blocked", "till-6"),
        ("unblocked", "till-7"),
    ]
    await feed_settled(connection)
    shown = await connection.fetch("select kind, actor from bespeak.events_after(null, null, 100)")
    assert [(row["kind"], row["actor"]) for row in shown] == await told(connection)


@pytest.mark.parametrize(
    "form",
    [
        "place_hold('asha', array[$1], '{A2}', actor => $2)",
        "confirm_hold($1, actor => $2)",
        "extend_hold($1, 900, actor => $2)",
        "release_hold($1, actor => $2)",
        "cancel_booking(replace($1, 'hold', 'bkg'), 'rain', actor => $2)",
        "block($1, '{A3}', 'broken', actor => $2)",
        "unblock(replace($1, 'hold', 'blk'), actor => $2)",
    ],
)
async def test_the_single_forms_refuse_a_long_one(
    engine: bespeak.Engine, show: Resource, connection: Connection, form: str
) -> None:
    hold = await take(engine, seats(show, "A1"))
    about = show.id if form.startswith(("place", "block")) else hold.id
    for actor in ("x" * 65, "", "a\nb"):
        with pytest.raises(asyncpg.PostgresError) as refused:
            await connection.fetchrow(f"select * from bespeak.{form}", about, actor)
        assert refused.value.sqlstate == "BS004"
        assert refused.value.detail == '{"field": "actor"}'


async def test_a_repeat_keeps_the_first(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    lines = seats(show, "A1")
    for actor in ("till-1", "till-2"):
        with engine.acting_as(actor):
            hold = await take(engine, lines, idempotency_key="k")
            await engine.extend_hold(hold.id, seconds=900, idempotency_key="e")
            await engine.confirm_hold(hold.id, idempotency_key="c")
    assert {actor for kind, actor in await told(connection) if kind != "created"} == {"till-1"}


async def test_what_lapses_is_the_sweepers(
    engine: bespeak.Engine, show: Resource, connection: Connection, clock: Clock
) -> None:
    with engine.acting_as("till-3"):
        hold = await take(engine, seats(show, "A1"), hold_seconds=60)
        await clock.advance(61)
        other = await take(engine, seats(show, "A1"), owner="ben")
    await connection.execute("select bespeak.expire_holds(10)")
    assert [one.actor for one in (await engine.timeline(hold.id)).items] == ["till-3", "sweeper"]
    assert [one.actor for one in (await engine.timeline(other.id)).items] == ["till-3"]


async def test_what_is_older_has_none(empty_database_url: str) -> None:
    async with session(empty_database_url) as connection:
        await connection.execute("create schema bespeak")
        for migration in (one for one in migrations() if one.number < ACTOR_BY):
            await connection.execute(migration.text)
        await connection.execute(
            "insert into bespeak.event (resource_id, horizon, kind, at)"
            " values (1, 1, 'changed', now())"
        )
        (adding,) = (one for one in migrations() if one.number == ACTOR_BY)
        await connection.execute(adding.text)
        assert await told(connection) == [("changed", None)]
