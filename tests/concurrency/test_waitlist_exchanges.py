"""Races of exchanges: what confirms an offer and cancels another booking, against who cancels that
one himself, against the gate, against itself, and against those who lock the same units. Each with
the same race without its guard.
"""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

import bespeak
from bespeak import Booking, Line, PoolPlan, Resource, Row, SeatsPlan, Section, ids
from bespeak.ticketing import check_ins, codes
from bespeak.ticketing.check_ins import CheckIn, SeenTicket
from bespeak.ticketing.keys import read_keys
from bespeak.ticketing.service import open_office
from tests.concurrency.waiting import deadlocks, meet, until_blocked
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems
from tests.harness.paying import assert_money_agrees, paid_show, paying_engine
from tests.harness.refunding import paid_booking
from tests.harness.shows import MakeShow, book, seats, take
from tests.harness.ticketing import codes_of, scan
from tests.harness.waitlists import join, listed

engine = paying_engine
ROOM = SeatsPlan(
    sections=(Section("Stalls", (Row("A", 2), Row("B", 2))),), pools=(PoolPlan("floor", 2),)
)
CONFIRM = """
    select outcome from bespeak.confirm_holds($1, array(
        select bespeak.new_change(id) from unnest($2::uuid[]) as id))
"""
CANCEL = """
    select outcome from bespeak.cancel_bookings($1,
        array[bespeak.new_change($2, owner => 'asha', reason => 'ill')])
"""
# As it is, but for the locks.
WITHOUT_LOCKS = """
    create or replace function bespeak.lock_exchanges(in_holds uuid[]) returns uuid[]
    language sql as $$
        select array_agg(o.instead_of order by h.n)
        from unnest(in_holds) with ordinality as h(hold_id, n)
        left join bespeak.waitlist_offer o on o.hold_id = h.hold_id
        having count(o.instead_of) > 0
    $$
"""
WITHOUT_LINES = """
    create or replace function bespeak.lock_lines(in_holds uuid[]) returns void
    language sql as $$ select $$
"""


@pytest.fixture
async def show(make_show: MakeShow, clock: Clock) -> Resource:
    assert clock
    return await make_show(plan=ROOM, owner_limit=None)


@pytest.fixture
async def old(engine: bespeak.Engine, show: Resource) -> Booking:
    return await book(engine, seats(show, "B1"))


@pytest.fixture
async def hold(engine: bespeak.Engine, show: Resource, old: Booking) -> str:
    """Offered to asha, who would give `old` back for it."""
    return await offered(engine, show, old, "A1")


@pytest.fixture(autouse=True)
async def inventory_is_right(connection: Connection) -> AsyncIterator[None]:
    yield
    assert await problems(connection) == []


async def offered(engine: bespeak.Engine, show: Resource, old: Booking, unit: str) -> str:
    """The hold of this seat, as the matcher would offer it."""
    waitlists = await engine.waitlists.list_all()
    settings = {"exchange": "free", "owner_entries_max": 100}
    waitlist = waitlists[0] if waitlists else await listed(engine, show, **settings)
    entry = await join(engine, waitlist, old.owner, instead_of_booking=old.id)
    held = await take(engine, seats(show, unit), old.owner)
    async with engine.database.borrow() as connection:
        assert await connection.fetchval(
            "select bespeak.make_waitlist_offer($1, 1, $2, 600)",
            ids.parse(ids.WAITLIST_ENTRY, entry.id),
            number(held.id),
        )
    return held.id


def number(text: str) -> object:
    return ids.parse(ids.BOOKING if text.startswith("bkg") else ids.HOLD, text)


async def confirming(connection: Connection, show: Resource, *holds: str) -> list[str]:
    rows = await connection.fetch(
        CONFIRM, ids.parse_resource(show.id), [number(one) for one in holds]
    )
    return [row["outcome"] for row in rows]


async def cancelling(connection: Connection, show: Resource, old: Booking) -> str:
    outcome: str = await connection.fetchval(CANCEL, ids.parse_resource(show.id), number(old.id))
    return outcome


async def told(connection: Connection, old: Booking, kind: str) -> int:
    count: int = await connection.fetchval(
        "select count(*) from bespeak.event where hold_id = $1 and kind = $2",
        number(old.id),
        kind,
    )
    return count


@pytest.mark.parametrize("commit", [True, False])
async def test_who_cancels_it_first_and_the_exchange_after(
    engine: bespeak.Engine,
    show: Resource,
    old: Booking,
    hold: str,
    connection: Connection,
    one: Connection,
    two: Connection,
    commit: bool,
) -> None:
    answer = await meet(
        connection,
        one,
        cancelling(one, show, old),
        two,
        confirming(two, show, hold),
        commit=commit,
    )
    assert answer == ["confirmed"]
    found = await engine.get_booking(old.id)
    assert (found.state, found.reason) == ("cancelled", "ill" if commit else "exchanged")
    assert await told(connection, old, "cancelled") == 1


async def test_the_exchange_first_and_who_cancels_it_after(
    engine: bespeak.Engine,
    show: Resource,
    old: Booking,
    hold: str,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    answer = await meet(
        connection, one, confirming(one, show, hold), two, cancelling(two, show, old)
    )
    assert answer == "booking_cancelled"
    assert (await engine.get_booking(old.id)).reason == "exchanged"
    assert await told(connection, old, "cancelled") == 1


async def test_control_without_its_lock_who_cancels_first_makes_the_exchange_fail(
    show: Resource,
    old: Booking,
    hold: str,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    await connection.execute(WITHOUT_LOCKS)
    await connection.execute(WITHOUT_LINES)
    answer = await meet(
        connection, one, cancelling(one, show, old), two, confirming(two, show, hold)
    )
    assert isinstance(answer, asyncpg.RaiseError)


async def at_gate(engine: bespeak.Engine, connection: Connection, old: Booking) -> object:
    """The old booking's ticket is scanned, on a connection of its own."""
    office = await open_office(engine)
    code = (await codes_of(office, old))[0]
    keys = await read_keys(connection)
    (result,) = await check_ins.check_in(
        connection, [SeenTicket(scan(code), codes.read(code, keys))]
    )
    return result


async def test_who_comes_in_by_it_keeps_it(
    engine: bespeak.Engine,
    show: Resource,
    old: Booking,
    hold: str,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    answer = await meet(
        connection, one, at_gate(engine, one, old), two, confirming(two, show, hold)
    )
    assert answer == ["exchange_checked_in"]
    assert (await engine.get_booking(old.id)).state == "confirmed"
    assert (await engine.get_hold(hold)).state == "held"


async def test_nobody_comes_in_by_what_is_being_exchanged(
    engine: bespeak.Engine,
    show: Resource,
    old: Booking,
    hold: str,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    answer = await meet(
        connection, one, confirming(one, show, hold), two, at_gate(engine, two, old)
    )
    assert not isinstance(answer, CheckIn)
    assert await connection.fetchval("select count(*) from bespeak.check_in") == 0
    assert (await engine.get_booking(old.id)).state == "cancelled"


async def test_control_without_its_lock_somebody_is_in_by_what_is_given_back(
    engine: bespeak.Engine,
    show: Resource,
    old: Booking,
    hold: str,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    await connection.execute(WITHOUT_LOCKS)
    answer = await meet(
        connection, one, at_gate(engine, one, old), two, confirming(two, show, hold)
    )
    assert answer == ["confirmed"]
    assert await connection.fetchval("select count(*) from bespeak.check_in") == 1
    assert (await engine.get_booking(old.id)).state == "cancelled"


async def test_two_who_confirm_it_give_it_back_once(
    show: Resource,
    old: Booking,
    hold: str,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    answer = await meet(
        connection, one, confirming(one, show, hold), two, confirming(two, show, hold)
    )
    assert answer == ["hold_confirmed"]
    assert await told(connection, old, "cancelled") == 1


async def test_control_two_who_confirm_without_any_lock_are_kept_apart_by_a_key_alone(
    show: Resource,
    old: Booking,
    hold: str,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    await connection.execute(WITHOUT_LOCKS)
    await connection.execute(
        """create or replace function bespeak.lock_holds(requests bespeak.change_request[])
        returns bespeak.hold[] language sql as $$
            select array_agg(h order by q.ordinality) from unnest(requests) with ordinality as q
            join bespeak.hold h on h.resource_id = q.home and h.hold_id = q.hold_id $$"""
    )
    answer = await meet(
        connection, one, confirming(one, show, hold), two, confirming(two, show, hold)
    )
    assert isinstance(answer, asyncpg.UniqueViolationError)
    assert await told(connection, old, "cancelled") == 1


async def test_the_money_of_what_is_given_back_is_promised_once(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock, connection: Connection
) -> None:
    """Paid by one process and cancelled by its owner with another, ten times over."""
    assert clock
    show = await paid_show(make_show, plan=ROOM)
    for _ in range(10):
        old = await paid_booking(engine, seats(show, "B1"))
        hold = await offered(engine, show, old, "A1")
        answers = await asyncio.gather(
            engine.payments.pay(hold, token="tok_success"),
            engine.cancel_booking(old.id, reason="ill", refund="full"),
            return_exceptions=True,
        )
        assert not isinstance(answers[0], BaseException)
        assert answers[0].booking is not None
        (refund,) = await engine.refunds.of_booking(old.id)
        assert refund.amount.amount == old.amount.amount
        await engine.cancel_booking(answers[0].booking.id, reason="ill", refund="full")
    assert await deadlocks(connection) == 0
    await assert_money_agrees(connection)


async def exchanges_of_both_kinds(engine: bespeak.Engine, show: Resource) -> tuple[str, str]:
    """Holds that are for a place on the floor and for seat B1."""
    floor = await book(engine, [Line(show.id, "floor", 1)], "bela")
    seat = await book(engine, seats(show, "B1"))
    return await offered(engine, show, floor, "A1"), await offered(engine, show, seat, "A2")


@pytest.mark.parametrize("is_guarded", [True, False], ids=["guarded", "control"])
async def test_claims_are_locked_before_pools_by_exchanges_too(
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    one: Connection,
    two: Connection,
    is_guarded: bool,
) -> None:
    """One batch gives back a place on the floor and then a seat. Who places holds locks the seat,
    and then the floor."""
    holds = await exchanges_of_both_kinds(engine, show)
    if not is_guarded:
        await connection.execute(WITHOUT_LINES)
    before = await deadlocks(connection)
    transaction = two.transaction()
    await transaction.start()
    await two.execute("select from bespeak.claim where unit = 'B1' for update")
    task = asyncio.create_task(confirming(one, show, *holds))
    await until_blocked(connection, one, two)
    pool = two.execute("select from bespeak.pool where unit = 'floor' for update")
    first, second = await asyncio.gather(finished(pool, transaction), task, return_exceptions=True)
    failed = [answer for answer in (first, second) if isinstance(answer, BaseException)]
    if is_guarded:
        assert failed == []
        assert second == ["confirmed", "confirmed"]
        assert await deadlocks(connection) == before
    else:
        assert [type(one) for one in failed] == [asyncpg.DeadlockDetectedError]


async def finished(doing: object, transaction: object) -> None:
    try:
        await doing  # type: ignore[misc]
    except asyncpg.PostgresError:
        await transaction.rollback()  # type: ignore[attr-defined]
        raise
    await transaction.commit()  # type: ignore[attr-defined]
