"""A hold ends once: confirm, takeover, sweep, release and cancel exclude each other to the instant.

Sessions have clocks of their own here, so that one acts just before the expiry and one just after.
"""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

import bespeak
from bespeak import Hold, HoldExpired, Resource, SoldOut, UnitTaken
from bespeak.errors import BookingCancelled, HoldConfirmed, HoldReleased, NotInBooking
from tests.concurrency.waiting import meet
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, problems, session
from tests.harness.shows import MakeShow, pool, seats, take

EXPIRY = START + timedelta(seconds=600)
SWEEP = "select expired from bespeak.expire_holds(10)"


@pytest.fixture
async def before(database_url: str) -> AsyncIterator[Connection]:
    """A session in which the hold still has its last microsecond."""
    moment = EXPIRY - timedelta(microseconds=1)
    async with session(database_url, moment.isoformat()) as made:
        yield made


@pytest.fixture
async def after(database_url: str) -> AsyncIterator[Connection]:
    """A session in which the hold's time is just over."""
    async with session(database_url, EXPIRY.isoformat()) as made:
        yield made


@pytest.fixture
async def hold(engine: bespeak.Engine, show: Resource, clock: Clock) -> Hold:
    made = await take(engine, [*seats(show, "A1", "A2"), pool(show, "floor", 5)])
    assert made.expires_at == EXPIRY
    return made


@pytest.mark.parametrize("wanted", ["seat", "pool"])
async def test_a_taker_is_first_and_confirm_learns_of_it(
    engine: bespeak.Engine,
    show: Resource,
    hold: Hold,
    clock: Clock,
    connection: Connection,
    before: Connection,
    after: Connection,
    wanted: str,
) -> None:
    lines = seats(show, "A2") if wanted == "seat" else [pool(show, "floor", 1)]
    answer = await meet(
        connection,
        after,
        take(engine, lines, "bela", connection=after),
        before,
        engine.confirm_hold(hold.id, connection=before),
    )
    assert isinstance(answer, HoldExpired)
    await clock.set(EXPIRY)
    assert await problems(connection) == []
    assert await connection.fetchval("select count(*) from bespeak.booking") == 0
    await take(engine, seats(show, "A1"), "cleo")


@pytest.mark.parametrize("wanted", ["seat", "pool"])
@pytest.mark.parametrize("commit", [True, False])
async def test_confirm_is_first_and_the_taker_learns_of_it(
    engine: bespeak.Engine,
    show: Resource,
    hold: Hold,
    clock: Clock,
    connection: Connection,
    before: Connection,
    after: Connection,
    wanted: str,
    commit: bool,
) -> None:
    lines = seats(show, "A2") if wanted == "seat" else [pool(show, "floor", 1)]
    answer = await meet(
        connection,
        before,
        engine.confirm_hold(hold.id, connection=before),
        after,
        take(engine, lines, "bela", connection=after),
        commit=commit,
    )
    assert isinstance(answer, bespeak.Refused if commit else Hold)
    await clock.set(EXPIRY)
    assert await problems(connection) == []


async def test_control_without_the_guard_the_taker_takes_a_booked_seat(
    engine: bespeak.Engine,
    show: Resource,
    hold: Hold,
    clock: Clock,
    connection: Connection,
    before: Connection,
    after: Connection,
) -> None:
    """The same race with the takeover's `where expires_at <= now` removed from the statement, that
    of one hold alone and that of a batch."""
    guard = "where c.expires_at <= v_now"
    for name in ("place_plain_hold", "claim_units"):
        written: str = await connection.fetchval(
            f"select pg_get_functiondef('bespeak.{name}'::regproc)"
        )
        assert written.count(guard) == 1
        await connection.execute(written.replace(guard, ""))
    answer = await meet(
        connection,
        before,
        engine.confirm_hold(hold.id, connection=before),
        after,
        take(engine, seats(show, "A2"), "bela", connection=after),
    )
    assert isinstance(answer, Hold)
    await clock.set(EXPIRY)
    assert "double_sold" in str(await problems(connection))


async def test_a_sweeper_is_first_and_confirm_learns_of_it(
    engine: bespeak.Engine,
    hold: Hold,
    clock: Clock,
    connection: Connection,
    before: Connection,
    after: Connection,
) -> None:
    for verb, error in ((engine.confirm_hold, HoldExpired), (engine.release_hold, HoldExpired)):
        answer = await meet(
            connection, after, after.fetchval(SWEEP), before, verb(hold.id, connection=before)
        )
        assert isinstance(answer, error)
        break
    await clock.set(EXPIRY)
    assert await problems(connection) == []


async def test_confirm_is_first_and_the_sweeper_passes_by(
    engine: bespeak.Engine,
    hold: Hold,
    clock: Clock,
    connection: Connection,
    before: Connection,
    after: Connection,
) -> None:
    async with before.transaction():
        await engine.confirm_hold(hold.id, connection=before)
        assert await after.fetchval(SWEEP) == 0
    assert await after.fetchval(SWEEP) == 0
    await clock.set(EXPIRY)
    assert await problems(connection) == []


@pytest.mark.parametrize("commit", [True, False])
async def test_a_sweeper_is_first_and_the_taker_gets_the_seat(
    engine: bespeak.Engine,
    show: Resource,
    hold: Hold,
    clock: Clock,
    connection: Connection,
    one: Connection,
    after: Connection,
    commit: bool,
) -> None:
    await clock.set(EXPIRY)
    answer = await meet(
        connection,
        after,
        after.fetchval(SWEEP),
        one,
        take(engine, [*seats(show, "A2"), pool(show, "floor", 5)], "bela", connection=one),
        commit=commit,
    )
    assert isinstance(answer, Hold)
    assert await problems(connection) == []


async def test_a_taker_is_first_and_the_sweeper_leaves_it_alone(
    engine: bespeak.Engine,
    show: Resource,
    hold: Hold,
    clock: Clock,
    connection: Connection,
    one: Connection,
    after: Connection,
) -> None:
    await clock.set(EXPIRY)
    lines = [*seats(show, "A2"), pool(show, "floor", 5)]
    async with one.transaction():
        await take(engine, lines, "bela", connection=one)
        assert await after.fetchval(SWEEP) == 0  # not yet, and it does not wait
    assert await after.fetchval(SWEEP) == 1
    assert await problems(connection) == []
    assert await connection.fetchval("select units from bespeak.event where kind = 'expired'") == [
        "A1"
    ]
    with pytest.raises(UnitTaken):
        await take(engine, seats(show, "A2"), "cleo")


async def test_control_a_sweeper_that_trusts_its_list_frees_anothers_seat(
    engine: bespeak.Engine,
    show: Resource,
    hold: Hold,
    clock: Clock,
    connection: Connection,
    one: Connection,
    after: Connection,
) -> None:
    await clock.set(EXPIRY)
    answer = await meet(
        connection,
        one,
        take(engine, seats(show, "A2"), "bela", connection=one),
        after,
        after.execute("delete from bespeak.claim where unit in ('A1', 'A2')"),
    )
    assert answer == "DELETE 2"
    assert "claim_missing" in str(await problems(connection))


@pytest.mark.parametrize(
    ("first", "error"),
    [("confirm_hold", HoldConfirmed), ("release_hold", HoldReleased)],
)
@pytest.mark.parametrize("second", ["confirm_hold", "release_hold", "extend_hold"])
async def test_two_ends_of_one_hold(
    engine: bespeak.Engine,
    hold: Hold,
    connection: Connection,
    before: Connection,
    one: Connection,
    first: str,
    second: str,
    error: type[bespeak.BespeakError],
) -> None:
    more = {"seconds": 900} if second == "extend_hold" else {}
    answer = await meet(
        connection,
        before,
        getattr(engine, first)(hold.id, connection=before),
        one,
        getattr(engine, second)(hold.id, connection=one, **more),
    )
    assert isinstance(answer, error)
    assert await problems(connection) == []


async def test_a_cancelled_seat_is_free_when_the_cancellation_is_committed(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    show = await make_show(owner_limit=3)
    lines = [*seats(show, "A1"), pool(show, "floor", 2)]
    booking = await engine.confirm_hold((await take(engine, lines)).id)
    transaction = one.transaction()
    await transaction.start()
    await engine.cancel_booking(booking.id, reason="x", connection=one)
    with pytest.raises(UnitTaken):
        await take(engine, seats(show, "A1"), "bela", connection=two)
    await transaction.commit()
    await take(engine, seats(show, "A1"), "bela", connection=two)
    assert await problems(connection) == []


@pytest.mark.parametrize("part", [True, False])
async def test_two_cancellations_give_back_once(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
    part: bool,
) -> None:
    show = await make_show(owner_limit=3)
    lines = [*seats(show, "A1"), pool(show, "floor", 2)]
    booking = await engine.confirm_hold((await take(engine, lines)).id)
    some = [pool(show, "floor", 2)] if part else None
    answer = await meet(
        connection,
        one,
        engine.cancel_booking(booking.id, reason="x", lines=some, connection=one),
        two,
        engine.cancel_booking(booking.id, reason="x", lines=some, connection=two),
    )
    assert isinstance(answer, NotInBooking if part else BookingCancelled)
    assert await problems(connection) == []


async def test_control_giving_back_by_the_booking_alone_gives_back_twice(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    """Each cancellation subtracts what the booking once had, without the draw row as the proof."""
    booked = await take(engine, [pool(show, "floor", 2)])
    await engine.confirm_hold(booked.id)
    await take(engine, [pool(show, "floor", 2)], "bela")
    for _ in range(2):
        await connection.execute("update bespeak.pool set taken = taken - 2 where unit = 'floor'")
    assert "pool_miscounted" in str(await problems(connection))


async def test_an_extension_during_a_search_for_lapsed_draws_is_not_forgotten(
    engine: bespeak.Engine,
    show: Resource,
    hold: Hold,
    clock: Clock,
    connection: Connection,
    before: Connection,
    after: Connection,
) -> None:
    """The search waits for the extension, which commits: the draw is not lapsed any more, and what
    the pool notes for the next search must not be later than its new time."""
    answer = await meet(
        connection,
        before,
        engine.extend_hold(hold.id, seconds=300, connection=before),
        after,
        take(engine, [pool(show, "floor", 5)], "bela", connection=after),
    )
    assert isinstance(answer, SoldOut)
    row = await connection.fetchrow(
        "select p.lapses_at <= d.expires_at, d.expires_at from bespeak.pool p"
        " join bespeak.draw d using (resource_id, unit) where unit = 'floor'"
    )
    assert row is not None
    assert row[0]
    await clock.set(row[1])
    await take(engine, [pool(show, "floor", 5)], "bela")
