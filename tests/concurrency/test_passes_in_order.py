"""What ends several holds or bookings in more than one pass locks the lines of all of them before
the first: else it comes to claims while it has pools, or from a later pool to an earlier one.
"""

import asyncio
from collections.abc import Iterator

import asyncpg
import pytest

import bespeak
from bespeak import ids
from bespeak.payments.ledger import SETTLE, SettleRequestRow
from tests.concurrency.test_waitlist_exchanges import WITHOUT_LINES, finished
from tests.concurrency.waiting import deadlocks, until_somebody_waits
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems
from tests.harness.paying import PRICE, paid_show, paying_engine
from tests.harness.refunding import canceller, capture_away, paid_booking
from tests.harness.shows import MakeShow, pool, seats, take

engine = paying_engine
LOCK_POOL = "select from bespeak.pool where resource_id = $1 and unit = $2 for update"
LOCK_CLAIM = "select from bespeak.claim where resource_id = $1 and unit = $2 for update"


@pytest.fixture
async def is_control(request: pytest.FixtureRequest, connection: Connection) -> bool:
    """Whether the lines are not locked before."""
    if request.param:
        await connection.execute(WITHOUT_LINES)
    return bool(request.param)


@pytest.fixture
def no_capture(engine: bespeak.Engine) -> Iterator[None]:
    """What is paid is reserved, and not taken."""
    with capture_away(engine):
        yield


@pytest.mark.parametrize("is_control", [False, True], ids=["guarded", "control"], indirect=True)
async def test_a_resource_is_called_off_whose_holds_draw_from_another(
    engine: bespeak.Engine,
    make_show: MakeShow,
    clock: Clock,
    connection: Connection,
    two: Connection,
    is_control: bool,
) -> None:
    """What has lapsed ends in one pass and draws from the gallery of the other; what is held ends
    in the next, and draws from its floor. Who places holds there locks the floor first."""
    show, other = [await paid_show(make_show, hold_seconds=60) for _ in range(2)]
    number = ids.parse_resource(other.id)
    await take(engine, [*seats(show, "A1"), pool(other, "gallery", 1)])
    await clock.advance(61)
    await take(engine, [*seats(show, "A3"), pool(other, "floor", 1)], "bela")
    await engine.call_off(show.id, reason="storm")
    before = await deadlocks(connection)
    transaction = two.transaction()
    await transaction.start()
    await two.execute(LOCK_POOL, number, "floor")
    calling_off = asyncio.create_task(canceller(engine).step())
    await until_somebody_waits(connection, two)
    rival = finished(two.execute(LOCK_POOL, number, "gallery"), transaction)
    answers = await asyncio.gather(rival, calling_off, return_exceptions=True)
    failed = [type(one) for one in answers if isinstance(one, BaseException)]
    assert failed == ([asyncpg.DeadlockDetectedError] if is_control else [])
    assert await deadlocks(connection) == before + is_control
    await canceller(engine).look()
    assert (await engine.cancellation(show.id)).holds_released == 1
    assert await connection.fetchval("select count(*) from bespeak.hold where state = 'held'") == 0
    assert await problems(connection) == []


@pytest.mark.parametrize("is_control", [False, True], ids=["guarded", "control"], indirect=True)
@pytest.mark.usefixtures("no_capture")
async def test_two_bookings_lose_their_money_in_one_batch(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
    is_control: bool,
) -> None:
    """The first is of the floor, the other of a seat. Who places holds locks seats first."""
    show = await paid_show(make_show)
    number = ids.parse_resource(show.id)
    wanted = [[pool(show, "floor", 1)], seats(show, "A1")]
    booked = [await paid_booking(engine, lines, captured=False) for lines in wanted]
    rows = [await lost(engine, booking) for booking in booked]
    before = await deadlocks(connection)
    transaction = two.transaction()
    await transaction.start()
    await two.execute(LOCK_CLAIM, number, "A1")
    settling = asyncio.create_task(one.fetch(SETTLE.text, rows[0].home, rows))
    await until_somebody_waits(connection, two)
    rival = finished(two.execute(LOCK_POOL, number, "floor"), transaction)
    answers = await asyncio.gather(rival, settling, return_exceptions=True)
    failed = [type(one) for one in answers if isinstance(one, BaseException)]
    assert failed == ([asyncpg.DeadlockDetectedError] if is_control else [])
    assert await deadlocks(connection) == before + is_control
    if not isinstance(answers[1], BaseException):
        states = {(await engine.get_booking(booking.id)).state for booking in booked}
        assert states == {"cancelled"}
    assert await problems(connection) == []


async def lost(engine: bespeak.Engine, booking: bespeak.Booking) -> SettleRequestRow:
    """What a provider tells whose reservation of the money of a booking is gone."""
    payment = await engine.payments.payment_of(booking)
    assert payment is not None
    payment_id = ids.parse(ids.PAYMENT, payment.id)
    return SettleRequestRow(
        payment_id=payment_id,
        home=ids.home_of(payment_id),
        standing="voided",
        reference="r",
        amount=PRICE,
        currency="EUR",
        action_url=None,
        failure=None,
        again_seconds=30,
    )
