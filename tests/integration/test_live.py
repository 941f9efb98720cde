"""The live hub against real changes of every kind: what observers within a process are told, and
that they end with what the availability says."""

import asyncio
from collections.abc import AsyncIterator

import msgspec
import pytest

import bespeak
from bespeak import BlockLine, LiveChange, LiveSnapshot, LiveStale, Resource, ResourceChange
from bespeak.feed import live_channel, live_hub
from tests.conftest import SETTINGS
from tests.harness.clock import Clock
from tests.harness.database import Connection, feed_settled
from tests.harness.refunding import canceller
from tests.harness.shapes import SHAPES, MakeShape, on
from tests.harness.shows import MakeShow, book, pool, seats, take
from tests.harness.watching import PATIENCE_SECONDS, Known, same, truth


async def heard(news: AsyncIterator[bespeak.LiveNews]) -> bespeak.LiveNews:
    """The next message."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        return await anext(news)


async def change_of(news: AsyncIterator[bespeak.LiveNews]) -> LiveChange:
    """The next message, which must be a change."""
    message = await heard(news)
    assert isinstance(message, LiveChange), message
    return message


async def until(news: AsyncIterator[bespeak.LiveNews], known: Known, want: Known) -> None:
    """Listens until all is known that there is."""
    while not same(known, want):
        known.hear(await heard(news))


async def begin(engine: bespeak.Engine, show: Resource) -> AsyncIterator[bespeak.LiveNews]:
    """News of a show, its first picture heard."""
    news = engine.watch(show.id)
    assert isinstance(await heard(news), LiveSnapshot)
    return news


async def test_every_change_of_a_unit_is_told(
    engine: bespeak.Engine, second_engine: bespeak.Engine, show: Resource, clock: Clock
) -> None:
    """The changes are made by another engine: only the feed can have told this one."""
    news, other = await begin(engine, show), second_engine
    hold = await take(other, seats(show, "A1", "A2"))
    assert (await change_of(news)).units == {"A1": "held", "A2": "held"}
    await other.confirm_hold(hold.id)
    assert (await change_of(news)).units == {"A1": "booked", "A2": "booked"}
    booking = hold.id.replace("hold_", "bkg_")
    await other.cancel_booking(booking, reason="ill", lines=seats(show, "A2"))
    change = await change_of(news)
    assert (change.units, change.units_free) == ({"A2": "free"}, 28)
    lapsed = await take(other, seats(show, "A3", "A4"))
    assert (await change_of(news)).units == {"A3": "held", "A4": "held"}
    await clock.set(lapsed.expires_at)
    await other.place_hold(owner="ben", lines=seats(show, "A3"))  # a takeover, nobody swept
    assert (await change_of(news)).units == {"A3": "held"}
    async with other.database.pool.acquire() as connection:
        await connection.fetchval("select count(*) from bespeak.expire_holds(10)")
    assert (await change_of(news)).units == {"A4": "free"}
    block = await other.block(show.id, [BlockLine("B3")], reason="broken")
    assert (await change_of(news)).units == {"B3": "blocked"}
    await other.unblock(block.id)
    assert (await change_of(news)).units == {"B3": "free"}
    known = Known()
    await until(engine.watch(show.id), known, await truth(other, show))


async def test_pools_are_told_by_their_levels(
    engine: bespeak.Engine, second_engine: bespeak.Engine, show: Resource, clock: Clock
) -> None:
    news = await begin(engine, show)
    hold = await take(second_engine, [pool(show, "floor", 4)])
    change = await change_of(news)
    assert {unit: level.available for unit, level in change.pools.items()} == {"floor": 1}
    assert change.units == {}
    # Taken over in silence: the end of the lapsed hold does not list it.
    await clock.set(hold.expires_at)
    await take(second_engine, [pool(show, "floor", 3)], "ben")
    assert (await change_of(news)).pools["floor"].available == 2
    async with second_engine.database.pool.acquire() as connection:
        await connection.fetchval("select count(*) from bespeak.expire_holds(10)")
    assert (await change_of(news)).pools["floor"].available == 2


async def test_a_changed_resource_is_stale(
    engine: bespeak.Engine, second_engine: bespeak.Engine, show: Resource
) -> None:
    news = await begin(engine, show)
    smaller = bespeak.SeatsPlan(sections=(bespeak.Section("S", (bespeak.Row("A", 4),)),))
    await second_engine.update_resource(show.id, ResourceChange(plan=smaller))
    stale, snapshot = await heard(news), await heard(news)
    assert isinstance(stale, LiveStale)
    assert isinstance(snapshot, LiveSnapshot)
    assert (stale.resource_version, snapshot.resource_version, snapshot.units_total) == (2, 2, 4)
    assert snapshot.pools == {}


async def test_calling_off_is_told_and_then_all_that_it_frees(
    engine: bespeak.Engine, second_engine: bespeak.Engine, show: Resource
) -> None:
    await book(second_engine, seats(show, "A1"))
    await take(second_engine, [*seats(show, "A2"), pool(show, "floor", 1)])
    news = await begin(engine, show)
    await second_engine.call_off(show.id, reason="storm")
    assert isinstance(await heard(news), LiveStale)
    await canceller(second_engine).look()
    want = await truth(second_engine, show)
    assert want.free == 29
    known = Known()
    await until(news, known, want)


async def test_other_shapes_are_told_that_something_changed(
    engine: bespeak.Engine, make_shape: MakeShape, clock: Clock
) -> None:
    for shape in SHAPES:
        made = await make_shape(shape)
        if isinstance(made.plan, bespeak.SeatsPlan):
            continue
        news = engine.watch(made.id)
        first = await heard(news)
        assert isinstance(first, LiveSnapshot)
        assert (first.units_free, first.taken) == (None, msgspec.UNSET)
        await engine.place_hold(owner="asha", lines=on(made, shape.one))
        change = await change_of(news)
        assert change.units, shape.name
        assert set(change.units.values()) == {None}
        assert not [u for u in change.units if u.startswith(("owner:", "code:", "next:"))]


async def test_an_observer_goes_on_in_another_process(
    engine: bespeak.Engine, second_engine: bespeak.Engine, show: Resource
) -> None:
    news = engine.watch(show.id)
    first = await heard(news)
    await take(engine, seats(show, "A1"))
    told = await change_of(news)
    await take(engine, seats(show, "A2"))
    # The other process has not watched so far: it reads what happened since.
    on_the_way = second_engine.watch(show.id, after=told.cursor)
    assert (await change_of(on_the_way)).units == {"A2": "held"}
    from_the_first = await change_of(second_engine.watch(show.id, after=first.cursor))
    assert from_the_first.units == {"A1": "held", "A2": "held"}


@pytest.mark.parametrize("cursor", ["0-0", "ffffffffffffffff-0"])
async def test_who_missed_too_much_begins_anew(
    engine: bespeak.Engine,
    show: Resource,
    cursor: str,
    monkeypatch: pytest.MonkeyPatch,
    connection: Connection,
) -> None:
    monkeypatch.setattr(live_hub, "_MISSED_EVENTS_MAX", 2)
    for seat in ("A1", "A2", "A3"):
        await take(engine, seats(show, seat))
    await feed_settled(connection)
    news = engine.watch(show.id, after=cursor)
    assert isinstance(await heard(news), LiveStale)
    snapshot = await heard(news)
    assert isinstance(snapshot, LiveSnapshot)
    assert snapshot.taken == {"A1": "held", "A2": "held", "A3": "held"}


async def test_a_burst_is_told_as_a_picture(
    engine: bespeak.Engine, show: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_hub, "_EVENTS_MAX", 3)
    news = await begin(engine, show)
    async with engine.database.pool.acquire() as connection, connection.transaction():
        for number in range(1, 6):
            await take(engine, seats(show, f"A{number}"), f"o{number}", connection=connection)
    snapshot = await heard(news)
    assert isinstance(snapshot, LiveSnapshot)
    assert snapshot.units_free == 24


async def test_a_slow_observer_is_told_the_picture(engine: bespeak.Engine, show: Resource) -> None:
    slow, quick = await begin(engine, show), await begin(engine, show)
    for _ in range(live_channel.BEHIND_MAX + 1):
        hold = await take(engine, seats(show, "A1"))
        await change_of(quick)
        await engine.release_hold(hold.id)
        await change_of(quick)
    assert isinstance(await heard(slow), LiveSnapshot)


async def test_a_lost_connection_loses_nothing(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    news = await begin(engine, show)
    await take(engine, seats(show, "A2"))
    await change_of(news)  # so there is a connection
    ended = await connection.fetchval(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity"
        " where datname = current_database() and query like '%%watched%%'"
        " and pid <> pg_backend_pid()"
    )
    assert ended == 1
    await take(engine, seats(show, "A1"))
    assert (await change_of(news)).units == {"A1": "held"}


async def test_nobody_watches_a_resource_without_observers(
    engine: bespeak.Engine, show: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_hub, "_LINGER_SECONDS", 0.0)
    news = await begin(engine, show)
    assert engine.live.channels == 1
    await news.aclose()  # type: ignore[attr-defined]
    async with asyncio.timeout(PATIENCE_SECONDS):
        while engine.live.channels:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    again = await begin(engine, show)
    await take(engine, seats(show, "A1"))
    assert (await change_of(again)).units == {"A1": "held"}


async def test_nonsense_is_refused(engine: bespeak.Engine, show: Resource) -> None:
    for resource_id, after, error in (
        ("res_00000001", None, bespeak.ResourceNotFound),
        ("hold_1", None, bespeak.InvalidRequest),
        (show.id, "nonsense", bespeak.InvalidRequest),
    ):
        with pytest.raises(error):
            await heard(engine.watch(resource_id, after=after))
    assert engine.live.channels == 0


async def test_it_ends_with_the_engine(database_url: str, make_show: MakeShow) -> None:
    show = await make_show()
    async with bespeak.connect(database_url, settings=SETTINGS, sweep=False) as made:
        news = await begin(made, show)
    with pytest.raises(StopAsyncIteration):
        await heard(news)
    with pytest.raises(bespeak.Unavailable):
        await heard(made.watch(show.id))
