"""A waiting room against a small model, over random histories in which its processes are killed:
each person has one place and keeps it, nobody overtakes, nobody is let in twice, and no more are
inside than may be. The header of the run has the seed that repeats it.
"""

from __future__ import annotations

import asyncio
import random
from datetime import datetime, timedelta
from typing import NamedTuple

import pytest

import bespeak
from bespeak.admission.board import RoomOnBoard
from bespeak.admission.errors import (
    NotYourTurn,
    OpeningsTakenBack,
    PassEnded,
    WaitingRoomPassesGiven,
)
from bespeak.admission.forms import TAKEN_BACK_MAX
from bespeak.admission.joins import TICK_US
from bespeak.admission.passes import leave
from bespeak.admission.place_keys import FIRST_LATE
from bespeak.admission.queue_tokens import QueueToken
from bespeak.admission.steering import Steering
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.seeds import examples
from tests.harness.waiting import Hall, Worker

STEPS = 100
INSIDE_MAX = 3
PASS_SECONDS = 150
INSIDE = "select expires_at from bespeak.waiting_pass where ended_at is null and expires_at > $1"
GIVEN = "select count(*), count(distinct subject) from bespeak.waiting_pass"


class Tick:
    """The time at which people join, each in a tick of their own, whichever worker they join at."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._us = 0

    def observe(self, asked: float, answered: float, now: datetime) -> None:
        """Nothing: it is the database's already."""

    def now_us(self) -> int:
        self._us = max(self._us + TICK_US, int(self._clock.now.timestamp() * 1_000_000))
        return self._us


class Person(NamedTuple):
    """Somebody with a token."""

    owner: str
    token: QueueToken


class Pass(NamedTuple):
    """What the model knows of a pass."""

    key: int
    ends_at: datetime
    is_over: bool


class History:
    """A room, two workers that are killed, and what the model knows."""

    def __init__(self, hall: Hall, connection: Connection, clock: Clock, dice: random.Random):
        self.hall = hall
        self.connection = connection
        self.clock = clock
        self.dice = dice
        self.tick = Tick(clock)
        self.workers: list[Worker] = []
        self.people: list[Person] = []
        self.passes: dict[str, Pass] = {}
        self.keys: dict[QueueToken, int] = {}
        self.front = self.excess = 0
        self.is_ending = False

    async def begin(self, engine: bespeak.Engine, show: str, order: str) -> None:
        self.engine = engine
        first = await self.hall.open(
            show, after=20, early_order=order, inside_max=INSIDE_MAX, a_minute=600,
            grace_seconds=3600, pass_seconds=PASS_SECONDS,
        )  # fmt: skip
        self.workers = [first, await self.hall.worker()]
        self._share_time()

    def _share_time(self) -> None:
        for worker in self.workers:
            worker.board.clock = self.tick  # type: ignore[assignment]

    async def room(self) -> RoomOnBoard:
        """As the database has it, for a worker that has just begun."""
        looking = await self.hall.worker()
        return looking.board.rooms[looking.room_id]

    async def join(self) -> None:
        worker = self.dice.choice(self.workers)
        is_again = bool(self.people) and self.dice.random() < 0.2
        owner = self.dice.choice(self.people).owner if is_again else f"guest {len(self.people)}"
        self.people.append(Person(owner, worker.join(owner)))

    async def look(self) -> None:
        await self.dice.choice(self.workers).look()

    async def kill(self) -> None:
        """It has told the database nothing since it looked; another takes its place."""
        at = self.dice.randrange(2)
        await self.workers[1 - at].look()
        before = [self.workers[1 - at].place(one.token).place for one in self.people]
        self.workers[at] = await self.hall.worker()
        self._share_time()
        assert [self.workers[at].place(one.token).place for one in self.people] == before

    async def ask_for_places(self) -> None:
        worker = self.dice.choice(self.workers)
        for one in self.people:
            worker.board.count_again(worker.board.rooms[worker.room_id], one.token)

    async def wait(self) -> None:
        await self.clock.advance(self.dice.choice([1, 2, 6, 30]))

    async def wait_for_calls(self) -> None:
        """Until all are counted who came before the opening."""
        await self.clock.advance(3)

    async def let_in(self) -> None:
        """By processes that know nothing but what is in the database."""
        database, known = self.engine.database, self.engine.ready_resources
        each = [Steering(database, known) for _ in range(self.dice.randint(1, 2))]
        await asyncio.gather(*(one.look() for one in each))
        room = await self.room()
        assert room.queues[0].front >= self.front, "nobody who was called is not"
        self.front = room.queues[0].front
        called = [one for one in self.people if (room.key_of(one.token) or self.front) < self.front]
        # Nobody has a row: how many draws are before the front is chance, and whose count was lost
        # is not among those whom it passed.
        self.excess = max(self.excess, len(called) - room.joins[0].place_of(self.front))
        if not self.is_ending:
            coming = sum(one.owner not in self.passes for one in called)
            inside = sum(not one.is_over for one in self.passes.values())
            assert inside + coming <= INSIDE_MAX + self.excess, "more are called than may come"

    async def pause(self) -> None:
        state = (await self.room()).state
        if state in ("open", "paused"):
            await self.hall.change(state="paused" if state == "open" else "open")

    async def open_too_early(self) -> None:
        """And it is taken back, as long as nobody has come in."""
        state = (await self.room()).state
        if state == "scheduled":
            await self.hall.change(state="open")
            return
        later = self.clock.now + timedelta(seconds=5)
        try:
            await self.hall.change(state="scheduled", opens_at=later)
        except OpeningsTakenBack:
            assert len((await self.room()).taken_back) == TAKEN_BACK_MAX
        except WaitingRoomPassesGiven:
            assert self.passes
        else:
            assert not self.passes
            self.front = 0
            assert (await self.room()).queues[0].front == 0, "somebody is called before the sale"
            self.keys.clear()  # another seed is another draw

    async def come_in(self) -> None:
        if not self.people:
            return
        room = await self.room()
        called = [one for one in self.people if (room.key_of(one.token) or self.front) < self.front]
        owner, token = self.dice.choice(
            called if called and self.dice.random() < 0.8 else self.people
        )
        key, before = room.key_of(token), self.passes.get(owner)
        is_called = key is not None and key < self.front and room.state == "open"
        is_inside = before is not None and not before.is_over
        is_new = before is None or (before.is_over and token.joined_at > before.ends_at)
        try:
            ends_at = await self.dice.choice(self.workers).come_in(token, owner)
        except (NotYourTurn, PassEnded) as error:
            assert not is_inside and not (is_called and is_new), f"refused: {error}"
            is_theirs = before is not None and before.key == key
            assert isinstance(error, PassEnded) == is_theirs
            return
        assert is_inside or (is_called and is_new), "let in out of turn"
        if is_inside and before is not None:
            assert ends_at == before.ends_at, "let in twice"
            return
        assert ends_at == self.clock.now + timedelta(seconds=PASS_SECONDS)
        self.passes[owner] = Pass(key or 0, ends_at, is_over=False)
        if self.dice.random() < 0.5:  # the answer was lost
            await self.clock.advance(1)
            assert await self.dice.choice(self.workers).come_in(token, owner) == ends_at

    async def leave(self) -> None:
        if not self.people:
            return
        owner, token = self.dice.choice(self.people)
        has = self.passes.get(owner)
        left = await leave(self.connection, self.hall.room.id, token.subject, owner)
        assert (left is not None) == (has is not None and not has.is_over)
        if has is not None and left:
            self.passes[owner] = Pass(has.key, self.clock.now, is_over=True)

    async def check(self) -> None:
        """All is as the model says."""
        for owner, one in self.passes.items():
            if not one.is_over and one.ends_at <= self.clock.now:
                self.passes[owner] = one._replace(is_over=True)
        rows = await self.connection.fetch(INSIDE, self.clock.now)
        ends = sorted(one.ends_at for one in self.passes.values() if not one.is_over)
        assert sorted(row["expires_at"] for row in rows) == ends
        assert len(rows) <= INSIDE_MAX + self.excess
        given = await self.connection.fetchrow(GIVEN)
        assert given is not None and tuple(given) == (len(self.passes),) * 2
        await self._places_stand()

    async def _places_stand(self) -> None:
        room = await self.room()
        found = {one.token: key for one in self.people if (key := room.key_of(one.token))}
        for token, key in found.items():
            assert self.keys.setdefault(token, key) == key, "a place that changed"
        late = [found[one.token] for one in self.people if found.get(one.token, 0) >= FIRST_LATE]
        assert late == sorted(set(late)), "somebody has overtaken"
        draws = {token.subject for token, key in found.items() if key < FIRST_LATE}
        assert len({key for key in found.values() if key < FIRST_LATE}) == len(draws)

    async def end(self) -> None:
        """Whoever has not come in does, when it goes on and nothing more is killed. Who was called
        and did not come, kept a place from others as long as the grace said: it is short now."""
        if (await self.room()).state == "paused":
            await self.hall.change(state="open")
        await self.hall.change(grace_seconds=10)
        for one in self.people:
            await leave(self.connection, self.hall.room.id, one.token.subject, one.owner)
        self.is_ending = True
        waiting = {one.owner: one.token for one in self.people if one.owner not in self.passes}
        for _ in range(30 + 3 * len(waiting)):
            await self.clock.advance(4)
            await self.workers[0].look()
            await self.let_in()
            room = await self.workers[0].look()
            (queue,) = room.queues
            for owner, token in list(waiting.items()):
                self.workers[0].board.count_again(room, token)
                key = room.key_of(token) or queue.front
                if key < queue.lost_before:
                    waiting[owner] = self.workers[0].join(owner)
                elif key < queue.front:
                    await self.workers[0].come_in(waiting.pop(owner), owner)
                    assert await leave(self.connection, room.room_id, token.subject, owner)
            if not waiting:
                return
        raise AssertionError(f"they wait for ever: {waiting}")


@pytest.mark.parametrize("round_number", range(examples(2)))
async def test_a_room_in_which_all_is_killed_is_the_model(
    engine: bespeak.Engine,
    show: bespeak.Resource,
    connection: Connection,
    clock: Clock,
    dice: random.Random,
    round_number: int,
) -> None:
    history = History(Hall(engine, connection, clock), connection, clock, dice)
    await history.begin(engine, show.id, ("shuffle", "first_come")[round_number % 2])
    often = (history.join, history.come_in, history.let_in, history.wait, history.look)
    seldom = (history.kill, history.leave, history.ask_for_places)
    rare = (history.pause, history.open_too_early)
    pause, let_in, press = history.wait_for_calls, history.let_in, history.open_too_early
    mistake = (*[history.join] * 9, history.look, press, pause, let_in, press)
    sale = (pause, pause, let_in, *[history.look] * 4, pause, let_in, pause, let_in)
    for step in (*mistake, *sale):
        await step()
        await history.check()
    assert history.front > 0, "it was taken back, and opened again"
    for _ in range(STEPS):
        (some,) = dice.choices((often, seldom, rare), (12, 5, 1))
        await dice.choice(some)()
        await history.check()
    await history.end()
