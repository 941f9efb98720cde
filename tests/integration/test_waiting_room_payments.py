"""A waiting room follows its payment provider: a bank that is slow, away and back."""

from __future__ import annotations

from datetime import timedelta

import bespeak
from bespeak.admission.rooms import read_room
from bespeak.payments.recovery import Recovery
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.paying import bank, paid_show, paying_engine, take_seats
from tests.harness.shows import MakeShow
from tests.harness.waiting import Hall

engine = paying_engine
LOOK_AGAIN_MAX = 61


class Line:
    """A room with many before it, and how many of them have been called."""

    def __init__(self, hall: Hall, connection: Connection, engine: bespeak.Engine) -> None:
        self.hall, self._connection, self._engine = hall, connection, engine
        self._called = 0

    async def called_now(self) -> int:
        """How many were called since this was asked last."""
        room = await (await self.hall.worker()).look()
        total = room.joins[0].place_of(room.queues[0].front)
        called, self._called = total - self._called, total
        return called

    async def payments(self) -> str:
        """How payments go, as operators and visitors are told."""
        told = (await (await self.hall.worker()).look()).payments
        assert (await read_room(self._connection, self.hall.room.id, None)).payments == told
        return told

    async def buy(self, show: bespeak.Resource, *units: str, outcome: str = "success") -> None:
        for unit in units:
            hold = await take_seats(self._engine, show, unit, owner=f"buyer of {unit}")
            await self._engine.payments.pay(hold.id, token=f"tok_{outcome}")


async def test_fewer_come_in_while_payments_pile_up_and_nobody_while_none_is_answered(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, clock: Clock
) -> None:
    show = await paid_show(make_show, hold_seconds=600)
    hall = Hall(engine, connection, clock)
    line = Line(hall, connection, engine)
    worker = await hall.open(show.id, after=1, early_order="first_come", a_minute=60)
    for number in range(400):
        worker.join(f"guest {number}")
    await worker.look()
    await hall.go_on(1)
    await hall.go_on(2, times=3)
    assert await line.called_now() > 0
    assert await line.payments() == "well"

    # The bank is away: who pays now gets no answer. It shows after ten seconds.
    bank(engine).is_away = True
    await line.buy(show, "A1", "A2", "A3", "A4")
    await hall.go_on(2, times=2)
    assert await line.called_now() > 0, "not yet"
    await hall.go_on(8)
    await line.called_now()
    await hall.go_on(2, times=10)
    assert (await line.called_now(), await line.payments()) == (0, "stopped")
    alarms = (await read_room(connection, hall.room.id, None)).alarms
    assert [one.kind for one in alarms] == ["provider_slow"]

    # It is back, and the recovery asks again: what is answered lets the next ones in.
    bank(engine).is_away = False
    await clock.advance(LOOK_AGAIN_MAX)
    await Recovery(engine.payments).look()
    await hall.go_on(2, times=3)
    assert await line.payments() == "well"
    assert await line.called_now() > 0

    # Now it is slow: some are answered, and of six that wait four wait for too long.
    await line.buy(show, "A5", "A6", "A7", "A8", outcome="pending_60")
    await clock.advance(11)
    await line.buy(show, "A9", "A10", outcome="pending_60")
    await line.buy(show, "A11", "A12", "A13")
    await hall.go_on(2)
    await line.called_now()
    await hall.go_on(2, times=5)
    assert await line.payments() == "slow"
    assert await line.called_now() <= 3, "ten were called in that time when all was well"
    row = await connection.fetchrow("select count(*) from bespeak.payment where step = 'await'")
    assert row is not None and row[0] == 6, "they wait, and are not lost"

    # What has ended waits for nobody's payments any more.
    assert (await hall.change(state="ended")).payments == "well"
    await hall.go_on(2, times=2)
    assert await line.payments() == "well"


async def test_after_a_long_silence_some_try_it(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, clock: Clock
) -> None:
    show = await paid_show(make_show, hold_seconds=600)
    hall = Hall(engine, connection, clock)
    line = Line(hall, connection, engine)
    worker = await hall.open(show.id, after=1, early_order="first_come", a_minute=600)
    for number in range(400):
        worker.join(f"guest {number}")
    bank(engine).is_away = True
    await line.buy(show, "A1", "A2", "A3")
    await worker.look()
    await clock.advance(timedelta(minutes=11).total_seconds())
    await hall.go_on(1)
    await hall.go_on(2)
    await line.called_now()
    await hall.go_on(2, times=15)
    assert await line.payments() == "slow"
    assert 1 <= await line.called_now() <= 4, "six a minute, in half a minute"
    await line.buy(show, "A4")
    await hall.go_on(11)
    await line.called_now()
    await hall.go_on(2, times=5)
    assert (await line.called_now(), await line.payments()) == (0, "stopped")
