"""An erasure meets what else happens to the same holds at the same instant; and the controls, which
show what would become of it without the guard.
"""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

import asyncpg
import pytest

import bespeak
from bespeak import Hold, ids
from bespeak.errors import HoldReleased
from bespeak.payments.errors import PaymentDeclined
from bespeak.payments.ledger import SETTLE, SettleRequestRow
from bespeak.reservations.errors import HoldErased
from tests.concurrency.waiting import deadlocks, meet
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems
from tests.harness.erasing import (
    CONTACT,
    KEY,
    OVER,
    OWNER,
    TRACES,
    erase,
    eraser,
    erasures,
    traces,
)
from tests.harness.paying import PRICE, assert_money_agrees, paid_show, paying_engine
from tests.harness.shows import MakeShow, book, pool, seats, take

RELEASE = "select * from bespeak.release_erased($1, 'infinity', 100)"
ERASE = "select * from bespeak.erase_holds($1, $2, array[$3::bigint], array[$4::uuid])"
PSEUDONYM = "erased_" + "0" * 26
BEGIN = "select outcome, (erasure).erasure_id from bespeak.begin_erasure($1, $2, $3, false, 't', null, '', now())"  # noqa: E501

engine = paying_engine


def of(hold_id: str) -> tuple[int, UUID]:
    """The home and the number of a hold or booking."""
    number = ids.parse(hold_id.partition("_")[0], hold_id)
    return ids.home_of(number), number


async def erase_one(connection: Connection, hold_id: str) -> object:
    """A turn over this hold alone."""
    return await connection.fetchrow(ERASE, OWNER, PSEUDONYM, *of(hold_id))


async def test_a_confirmation_that_comes_first_is_a_booking(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    hold = await take(engine, seats(await make_show(starts_at=OVER), "A1"), OWNER)
    ended = await meet(
        connection,
        one,
        engine.confirm_hold(hold.id, contact=CONTACT, connection=one),
        two,
        two.fetchrow(RELEASE, OWNER),
    )
    assert isinstance(ended, asyncpg.Record)
    assert dict(ended) == {"ended": 0, "released": 0}
    assert await connection.fetchval("select state from bespeak.booking") == "confirmed"
    await erase(engine)
    assert await traces(connection, *TRACES) == set()
    assert await problems(connection) == []


async def test_a_confirmation_that_comes_second_is_refused(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    hold = await take(engine, seats(await make_show(starts_at=OVER), "A1"), OWNER)
    answer = await meet(
        connection,
        one,
        one.fetchrow(RELEASE, OWNER),
        two,
        engine.confirm_hold(hold.id, contact=CONTACT, connection=two),
    )
    assert isinstance(answer, HoldReleased)
    await erase(engine)
    assert await traces(connection, *TRACES) == set()
    assert await problems(connection) == []


@pytest.mark.parametrize("is_guarded", [True, False])
async def test_a_hold_is_not_let_go_under_its_payment(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
    is_guarded: bool,
) -> None:
    show = await paid_show(make_show, starts_at=OVER)
    hold = await take(engine, seats(show, "A1"), OWNER)
    stale = [[ids.home_of(of(hold.id)[1])], [of(hold.id)[1]]]

    async def begin() -> None:
        await one.execute(
            "select outcome from bespeak.begin_payments($1, array[(gen_random_uuid(), $1, $2,"
            " null, 'sandbox', 't', null, null, null, null, 30, null)::bespeak.payment_request])",
            *of(hold.id),
        )

    # The control acts on what it saw before it waited, as one that did not look again would.
    waiting = (
        two.fetchrow(RELEASE, OWNER)
        if is_guarded
        else two.fetchrow(
            "with l as (select from bespeak.hold where state = 'held' for update)"
            " select bespeak.end_holds('released', bespeak.now(), $1, $2, '{}') from l",
            *stale,
        )
    )
    await meet(connection, one, begin(), two, waiting)
    state = await connection.fetchval("select state from bespeak.hold")
    assert await connection.fetchval("select state from bespeak.payment") == "pending"
    assert state == ("held" if is_guarded else "released")


async def test_a_cancellation_and_a_turn_are_one_after_the_other(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    show = await make_show(starts_at=OVER, owner_limit=20)
    bookings = [
        await book(engine, [*seats(show, unit), pool(show, "floor", 1)], OWNER)
        for unit in ("A1", "A2")
    ]
    first, second = bookings
    await meet(
        connection,
        one,
        engine.cancel_booking(first.id, reason="x", connection=one),
        two,
        erase_one(two, first.id),
    )
    assert await problems(connection) == []
    answer = await meet(
        connection,
        one,
        erase_one(one, second.id),
        two,
        engine.cancel_booking(second.id, reason="x", connection=two),
    )
    assert isinstance(answer, bespeak.Booking)
    assert (answer.state, answer.owner) == ("cancelled", PSEUDONYM)
    assert await problems(connection) == []
    assert await connection.fetchval("select sum(taken) from bespeak.pool") == 0
    assert await traces(connection, OWNER) == set()


async def test_a_hold_that_draws_from_the_limit_meanwhile_has_a_pool_of_its_own(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    show = await make_show(starts_at=OVER, owner_limit=3)
    booking = await book(engine, seats(show, "A1", "A2"), OWNER)
    answer = await meet(
        connection,
        one,
        erase_one(one, booking.id),
        two,
        engine.place_hold(owner=OWNER, lines=seats(show, "A3"), connection=two),
    )
    assert isinstance(answer, Hold)
    pools = await connection.fetch("select unit, taken from bespeak.pool order by unit")
    assert {row["unit"]: row["taken"] for row in pools} == {
        f"owner:{OWNER}": 1,
        f"owner:{PSEUDONYM}": 2,
    }
    assert await problems(connection) == []


async def test_control_draws_that_move_without_their_pool_are_found(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    show = await make_show(starts_at=OVER, owner_limit=3)
    await book(engine, seats(show, "A1"), OWNER)
    await connection.execute("update bespeak.draw set unit = 'owner:' || $1", PSEUDONYM)
    assert await problems(connection) != []


@pytest.mark.parametrize("is_guarded", [True, False])
async def test_a_repeat_that_waits_for_its_key_does_not_bring_it_back(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
    is_guarded: bool,
) -> None:
    show = await make_show(starts_at=OVER)
    hold = await take(engine, seats(show, "A1"), OWNER, idempotency_key=KEY)
    await engine.release_hold(hold.id)

    async def turn() -> None:
        await erase_one(one, hold.id)
        if not is_guarded:
            await one.execute("delete from bespeak.erased_key")

    answer = await meet(
        connection,
        one,
        turn(),
        two,
        engine.place_hold(
            owner=OWNER, lines=seats(show, "A1"), idempotency_key=KEY, connection=two
        ),
    )
    assert isinstance(answer, HoldErased if is_guarded else Hold)
    assert (await traces(connection, OWNER) == set()) is is_guarded


@pytest.mark.parametrize("is_guarded", [True, False])
async def test_two_erasures_at_once_are_one(
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
    is_guarded: bool,
) -> None:
    if not is_guarded:
        await connection.execute("drop index bespeak.erasure_running")
    beginning = one.fetchrow(BEGIN, uuid4(), OWNER, PSEUDONYM)
    other = "erased_" + "1" * 26
    if is_guarded:
        await meet(connection, one, beginning, two, two.fetchrow(BEGIN, uuid4(), OWNER, other))
    else:
        await beginning
        await two.fetchrow(BEGIN, uuid4(), OWNER, other)
    pseudonyms = await connection.fetch("select pseudonym from bespeak.erasure")
    assert [row["pseudonym"] for row in pseudonyms] == [PSEUDONYM, other][: 1 if is_guarded else 2]


async def test_many_turns_at_once_do_each_hold_once(
    engine: bespeak.Engine,
    second_engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
) -> None:
    shows = [await make_show(starts_at=OVER, owner_limit=9) for _ in range(2)]
    for unit in ("A1", "A2", "A3", "A4"):
        await book(engine, [*seats(shows[0], unit), *seats(shows[1], unit)], OWNER)
        await book(engine, seats(shows[0], unit.replace("A", "A1")), "ben")
    begun = await erasures(engine).begin(OWNER, asked_by="test")
    before = await deadlocks(connection)
    await asyncio.gather(
        *(eraser(each, batch=1).look() for each in (engine, second_engine, engine)),
        *(take(engine, seats(shows[0], f"A{n}"), OWNER) for n in range(5, 8)),
    )
    while (await erasures(engine).get(begun.id)).state == "running":
        await eraser(engine).step()
    done = await erasures(engine).get(begun.id)
    assert (done.bookings, done.kept) == (4, 0)
    told = "select count(*) from bespeak.event where kind = 'erased'"
    assert await connection.fetchval(told) == done.holds
    assert await deadlocks(connection) == before
    assert await problems(connection) == []


@pytest.mark.parametrize("is_erased", [True, False])
async def test_late_money_of_who_was_erased_goes_back(
    engine: bespeak.Engine,
    make_show: MakeShow,
    clock: Clock,
    connection: Connection,
    is_erased: bool,
) -> None:
    show = await paid_show(make_show, starts_at=OVER, hold_seconds=60, hold_seconds_max=60)
    hold = await take(engine, seats(show, "A1"), OWNER)
    with pytest.raises(PaymentDeclined) as declined:
        await engine.payments.pay(hold.id, token="tok_declined", owner=OWNER, contact=CONTACT)
    await clock.set(clock.now + timedelta(minutes=5))
    if is_erased:
        await erase(engine)
    home, number = of(str(declined.value.data["payment_id"]))
    row = SettleRequestRow(
        payment_id=number, home=home, standing="authorized", reference="r", amount=PRICE,
        currency="EUR", action_url=None, failure=None, again_seconds=30,
    )  # fmt: skip
    await connection.fetch(SETTLE.text, home, [row])
    after = await connection.fetchrow("select late, step, owner from bespeak.payment")
    assert after is not None
    booked = await connection.fetchval("select count(*) from bespeak.booking")
    # The control: of anybody else it buys the seat that is still free.
    assert (after["late"], after["step"], booked) == (
        ("refund", "void", 0) if is_erased else ("same_units", "capture", 1)
    )
    assert (await traces(connection, OWNER) == set()) is is_erased
    assert await problems(connection) == []
    await assert_money_agrees(connection)


CLAIM = "select (mail).mail_id, (mail).state, contact from bespeak.claim_mails(10, 60)"
SETTLED = (
    "update bespeak.mail set state = 'sent', due_at = null, ended_at = bespeak.now()"
    " where mail_id = $1 and state = 'pending'"
)
WRITTEN = (
    "insert into bespeak.mail (mail_id, kind, hold_id, horizon, position, at, due_at, created_at)"
    " select gen_random_uuid(), 'booking_confirmed', b.booking_id, '3', 1, b.confirmed_at,"
    " bespeak.now(), bespeak.now() from bespeak.booking b"
)


async def test_a_mail_that_is_being_sent_is_dropped_and_stays_so(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    hold = await take(engine, seats(await make_show(starts_at=OVER), "A1"), OWNER)
    await engine.confirm_hold(hold.id, contact=CONTACT)
    await connection.execute(WRITTEN)
    (claimed,) = await connection.fetch(CLAIM)
    done = await erase(engine)
    assert done.mails_dropped == 1
    await connection.execute(SETTLED, claimed["mail_id"])
    assert await connection.fetchval("select state from bespeak.mail") == "dropped"


@pytest.mark.parametrize("is_erased", [True, False])
async def test_a_mail_that_is_written_at_the_same_instant_is_never_sent(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, is_erased: bool
) -> None:
    hold = await take(engine, seats(await make_show(starts_at=OVER), "A1"), OWNER)
    await engine.confirm_hold(hold.id, contact=CONTACT)
    if is_erased:
        await erase(engine)
    await connection.execute(WRITTEN)  # by who read the contact before it went
    (claimed,) = await connection.fetch(CLAIM)
    assert claimed["state"] == ("dropped" if is_erased else "pending")
