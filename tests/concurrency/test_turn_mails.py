"""Mails of turns, with whoever writes them killed at each step, and several at the same instant:
one mail for a turn. Each race has a control that shows it with the guard off.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest

import bespeak
from bespeak import Resource
from bespeak.admission import turn_mails
from bespeak.admission.board import QueueBoard
from bespeak.admission.queue_tokens import QueueToken
from bespeak.admission.steering import Steering
from bespeak.admission.turn_mails import MailTo, ask_mail, note_near, withdraw_mail
from bespeak.notifications.mail import turns
from bespeak.notifications.mail.outbox import MailOutbox
from tests.concurrency.waiting import meet, until_blocked
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.dying import Facts, deaths
from tests.harness.turn_mails import ask, mailed, mailer, states
from tests.harness.waiting import Hall, Worker

PEOPLE = 5


@pytest.fixture
def hall(engine: bespeak.Engine, connection: Connection, clock: Clock) -> Hall:
    return Hall(engine, connection, clock)


@pytest.fixture
async def worker(hall: Hall, show: Resource, connection: Connection, clock: Clock) -> Worker:
    """A room whose sale has begun, where all who wait want a mail and nobody was written to."""
    made = await hall.open(show.id, a_minute=1, grace_seconds=600)
    tokens = [made.join(f"guest {n}") for n in range(PEOPLE)]
    await made.look()
    for number, token in enumerate(tokens):
        await ask(connection, made, token, f"{number}@example.com", owner=f"guest {number}")
    await hall.go_on(60)
    await clock.advance(3)
    await made.look()
    return made


async def look_after(engine: bespeak.Engine, facts: Facts) -> None:
    await Steering(engine.database, engine.ready_resources).look()


async def send_mails(engine: bespeak.Engine, facts: Facts) -> None:
    await mailer(engine, Path(facts["folder"])).look()


async def ask_again(engine: bespeak.Engine, facts: Facts) -> None:
    board = QueueBoard(engine.database)
    await board.look()
    async with engine.database.borrow() as connection:
        to = MailTo("guest 9", "nine@example.com", None, b"9" * 16)
        await ask_mail(connection, board.rooms[facts["room"]], QueueToken(*facts["token"]), to)


async def test_whoever_is_killed_while_looking_after_the_room_writes_to_nobody_twice(
    engine: bespeak.Engine,
    worker: Worker,
    connection: Connection,
    clock: Clock,
    database_url: str,
    tmp_path: Path,
) -> None:
    seen = []
    async with aclosing(deaths(database_url, connection, look_after, {})) as each:
        async for _ in each:
            seen.append(tuple(await states(connection)))
    assert set(seen) == {("wanted",) * PEOPLE, ("pending",) * PEOPLE}, "all of it or nothing"
    assert (seen[0], seen[-1]) == (("wanted",) * PEOPLE, ("pending",) * PEOPLE)
    sent = [f"{number}@example.com" for number in range(PEOPLE)]
    assert await mailed(engine, tmp_path) == sent
    await clock.advance(1000)
    await Steering(engine.database, engine.ready_resources).look()
    assert await mailed(engine, tmp_path) == sent


async def test_whoever_is_killed_while_sending_leaves_one_mail_by_its_number(
    hall: Hall,
    engine: bespeak.Engine,
    worker: Worker,
    connection: Connection,
    clock: Clock,
    database_url: str,
    tmp_path: Path,
) -> None:
    await look_after(engine, {})
    facts = {"folder": str(tmp_path)}
    # Whoever loses the turn meanwhile is written to no more.
    await hall.change(grace_seconds=3600)
    async with aclosing(deaths(database_url, connection, send_mails, facts)) as each:
        async for _ in each:
            await clock.advance(301)  # the lease of whoever was killed
    assert await states(connection) == ["sent"] * PEOPLE
    assert await connection.fetchval("select count(due_at) from bespeak.turn_mail") == 0
    numbers = await asyncio.to_thread(message_ids, tmp_path)
    # A mail that is written again takes the place of itself in the folder, by its number.
    assert len(set(numbers)) == len(numbers) == PEOPLE


def message_ids(folder: Path) -> list[str]:
    """The numbers of all mails that left."""
    lines = (line for path in folder.rglob("*.eml") for line in path.read_text().splitlines())
    return [line for line in lines if line.lower().startswith("message-id:")]


async def test_asking_is_done_or_not_and_again_it_is_one(
    hall: Hall, worker: Worker, connection: Connection, database_url: str
) -> None:
    token = worker.join("guest 9")
    await worker.look()
    facts = {"room": worker.room_id, "token": tuple(token)}
    counts = []
    async with aclosing(deaths(database_url, connection, ask_again, facts)) as each:
        async for _ in each:
            counts.append(len(await states(connection)))
    assert (counts, set(counts)) == (sorted(counts), {PEOPLE, PEOPLE + 1})


async def test_any_number_may_send_and_each_mail_leaves_once(
    engine: bespeak.Engine, worker: Worker, connection: Connection, tmp_path: Path
) -> None:
    await look_after(engine, {})
    await asyncio.gather(*(mailer(engine, tmp_path).look() for _ in range(8)))
    found = MailOutbox(tmp_path).page(None, 50).items
    assert sorted(mail.to for mail in found) == [f"{n}@example.com" for n in range(PEOPLE)]
    assert await states(connection) == ["sent"] * PEOPLE


@pytest.mark.parametrize("guarded", [True, False])
async def test_two_who_take_mails_at_once(
    engine: bespeak.Engine,
    worker: Worker,
    connection: Connection,
    one: Connection,
    two: Connection,
    guarded: bool,
) -> None:
    """With the guard the second takes none. The control waits for the first, and takes them
    again."""
    await look_after(engine, {})
    claim = turns._QUERIES["claim"]
    if not guarded:
        claim = claim.replace("for update skip locked", "")
        assert claim != turns._QUERIES["claim"]
    transaction = one.transaction()
    await transaction.start()
    first = await one.fetch(claim, 50, 300)
    second = asyncio.create_task(two.fetch(claim, 50, 300))
    if not guarded:
        await until_blocked(connection, two, one)
    else:
        await asyncio.wait_for(second, 30)
    await transaction.commit()
    assert (len(first), len(await second)) == (PEOPLE, 0 if guarded else PEOPLE)


@pytest.mark.parametrize("guarded", [True, False])
async def test_two_who_look_after_one_room_at_once(
    worker: Worker,
    connection: Connection,
    one: Connection,
    two: Connection,
    guarded: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The room is locked by who looks after it; the statement is good without that, too. In the
    control the second has mails sent that have left meanwhile."""
    if not guarded:
        near = turn_mails._QUERIES["near"]
        loose = near.replace("\n        and m.state = 'wanted'\n    returning", "\n    returning")
        assert loose != near
        monkeypatch.setitem(turn_mails._QUERIES, "near", loose)
    room = worker.board.rooms[worker.room_id]
    await note_near(connection, room)
    await connection.execute("update bespeak.turn_mail set state = 'wanted', due_at = null")

    async def near_and_sent() -> None:
        await note_near(one, room)
        await one.execute("update bespeak.turn_mail set state = 'sent', due_at = null")

    await meet(connection, one, near_and_sent(), two, note_near(two, room))
    again = "pending" if not guarded else "sent"
    assert await states(connection) == [again] * PEOPLE


async def test_who_takes_it_back_while_it_becomes_due_gets_none(
    engine: bespeak.Engine,
    worker: Worker,
    connection: Connection,
    one: Connection,
    two: Connection,
    tmp_path: Path,
) -> None:
    room = worker.board.rooms[worker.room_id]
    row = await connection.fetchrow(
        "select queue, joined_us, subject from bespeak.turn_mail where email = '0@example.com'"
    )
    assert row is not None
    taking = withdraw_mail(two, worker.room_id, QueueToken(*row))
    await meet(connection, one, note_near(one, room), two, taking)
    assert await mailed(engine, tmp_path) == [f"{n}@example.com" for n in range(1, PEOPLE)]
    assert sorted(await states(connection)) == ["dropped"] + ["sent"] * (PEOPLE - 1)
