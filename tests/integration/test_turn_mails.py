"""Who waits may be written to when the turn comes near: once for a turn, and never where there is
none any more.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

import bespeak
from bespeak import Resource
from bespeak.admission import turn_mails
from bespeak.admission.errors import PassEnded, TurnMailsTooMany, WaitingRoomClosed
from bespeak.admission.forms import NewQueue
from bespeak.admission.owners import erase_owner, export_of_owner
from bespeak.admission.passes import leave_line
from bespeak.admission.queue_tokens import QueueToken
from bespeak.admission.turn_mails import NEAR_PLACES, OF_ADDRESS_MAX, withdraw_mail
from bespeak.errors import InvalidRequest
from bespeak.notifications.mail.outbox import MailOutbox
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.turn_mails import ask, mailed, mailer, states
from tests.harness.waiting import TOKENS, Hall, Worker

ADDRESSES = "select count(*) from bespeak.turn_mail where email is not null"


@pytest.fixture
def hall(engine: bespeak.Engine, connection: Connection, clock: Clock) -> Hall:
    return Hall(engine, connection, clock)


async def line(
    hall: Hall, show: Resource, people: int, **fields: object
) -> tuple[Worker, list[QueueToken]]:
    """A room that lets one in a minute, and the tokens of those who wait there."""
    settings = {"a_minute": 1, "early_order": "first_come", "grace_seconds": 60, **fields}
    worker = await hall.open(show.id, after=60, **settings)
    tokens = [worker.join(f"guest {n}") for n in range(people)]
    await worker.look()
    return worker, tokens


async def opened(hall: Hall) -> None:
    """The sale begins, and all who came before are counted."""
    await hall.go_on(60)
    await hall.go_on(2, times=2)


async def test_one_mail_goes_when_the_turn_comes_near_and_no_other(
    hall: Hall, engine: bespeak.Engine, show: Resource, connection: Connection, tmp_path: Path
) -> None:
    worker, tokens = await line(hall, show, 60)
    near, far = tokens[NEAR_PLACES - 1], tokens[NEAR_PLACES + 25]
    assert (await ask(connection, worker, near, "near@example.com", "de")).state == "wanted"
    assert (await ask(connection, worker, far, "far@example.com", "ar")).state == "wanted"
    await hall.go_on(1)
    assert await mailed(engine, tmp_path) == [], "nothing before the sale"
    await opened(hall)
    assert await mailed(engine, tmp_path) == ["near@example.com"]
    await hall.go_on(1, times=5)
    assert await mailed(engine, tmp_path) == ["near@example.com"], "once"
    assert (await ask(connection, worker, near, "near@example.com")).state == "sent"
    (mail,) = MailOutbox(tmp_path).page(None, 50).items
    text = MailOutbox(tmp_path).open(mail.id).text
    assert mail.subject == "Sie sind bald an der Reihe: Premiere"
    assert "haben Sie 60 Sekunden" in text and "dann 10 Minuten" in text
    there = f"https://shop.example/waiting/{worker.room_id}#token="
    sent = text[text.index(there) + len(there) :].split()[0]
    assert TOKENS.read(worker.room_id, sent) == near, "the same place on any device"
    for _ in range(30):  # some places a minute
        await hall.go_on(4, times=15)
        found = await mailed(engine, tmp_path)
        if len(found) > 1:
            break
    assert found == ["far@example.com", "near@example.com"]
    await worker.look()
    assert 0 < (worker.place(far).ahead or 0) < 35, "before it was called, and not at first"


async def test_before_the_draw_nobody_knows_whose_turn_comes_and_after_it_the_drawn_place_counts(
    hall: Hall, engine: bespeak.Engine, show: Resource, connection: Connection, tmp_path: Path
) -> None:
    worker, tokens = await line(hall, show, 60, early_order="shuffle")
    for number, token in enumerate(tokens):
        await ask(connection, worker, token, f"{number:02}@example.com", owner=f"guest {number}")
    await hall.go_on(1, times=3)
    keys = "select count(*) from bespeak.turn_mail where place_key is not null"
    assert await connection.fetchval(keys) == 0
    await opened(hall)
    room = await worker.look()
    assert await connection.fetchval(keys) == 60
    order = sorted(range(60), key=lambda number: room.key_of(tokens[number]) or 0)
    found = [int(to[:2]) for to in await mailed(engine, tmp_path)]
    assert set(found) == set(order[: len(found)]), "those drawn first, however early they asked"
    assert 3 <= len(found) <= 25


async def test_each_second_it_is_asked_whose_place_is_not_known_and_not_of_all_who_asked(
    connection: Connection,
) -> None:
    """Also where the planner thinks that there is nothing, as before an opening."""
    await connection.execute("set enable_seqscan = off")
    unplaced = turn_mails._QUERIES["unplaced"]
    plan = await connection.fetch("explain " + unplaced, "wrm_1", [0, 1], 5000)
    assert "using turn_mail_unplaced" in "".join(row[0] for row in plan)


async def test_who_was_called_is_told_so_and_who_lost_the_turn_nothing(
    hall: Hall, engine: bespeak.Engine, show: Resource, connection: Connection, tmp_path: Path
) -> None:
    worker, tokens = await line(hall, show, 3, a_minute=60)
    ada, ben, cleo = tokens
    await ask(connection, worker, ada, "ada@example.com")
    await opened(hall)
    await hall.go_on(1, times=5)
    assert worker.place(ada).turn != "called"  # as this worker knew it
    await worker.look()
    assert worker.place(ada).turn == "called"
    assert await mailed(engine, tmp_path) == ["ada@example.com"]
    (mail,) = MailOutbox(tmp_path).page(None, 50).items
    assert mail.subject == "It is your turn: Premiere"
    await ask(connection, worker, ben, "ben@example.com")
    await hall.go_on(1)  # it waits to be sent, and the mail server is away until the turn is over
    assert await states(connection) == ["sent", "pending"]
    await hall.go_on(4, times=16)
    assert await mailed(engine, tmp_path) == ["ada@example.com"]
    await ask(connection, worker, cleo, "cleo@example.com")
    await hall.go_on(1)
    assert await states(connection) == ["sent", "dropped", "dropped"]


@pytest.mark.parametrize("when", ["before it is due", "after"])
@pytest.mark.parametrize("what", ["left", "came in", "room ended"])
async def test_never_to_who_is_gone(
    hall: Hall,
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    tmp_path: Path,
    what: str,
    when: str,
) -> None:
    worker, tokens = await line(hall, show, 2, a_minute=60)
    token, other = tokens
    if when == "after":
        await ask(connection, worker, token, "gone@example.com")
        await ask(connection, worker, other, "here@example.com", owner="ben")
    await opened(hall)
    await hall.go_on(1, times=4)
    if what == "left":
        await leave_line(connection, worker.room_id, token)
    elif what == "came in":
        await worker.come_in(token, "ada")
    else:
        await hall.change(state="ended")
    if when == "before it is due":
        if what == "came in":
            assert (await ask(connection, worker, token, "gone@example.com")).state == "wanted"
        else:
            error = PassEnded if what == "left" else WaitingRoomClosed
            with pytest.raises(error):
                await ask(connection, worker, token, "gone@example.com")
        await hall.go_on(1)
    expected = ["here@example.com"] if when == "after" and what != "room ended" else []
    assert await mailed(engine, tmp_path) == expected
    assert await connection.fetchval(ADDRESSES) == len(expected), "no address is kept for nothing"


async def test_a_paused_room_writes_to_nobody_until_it_goes_on(
    hall: Hall, engine: bespeak.Engine, show: Resource, connection: Connection, tmp_path: Path
) -> None:
    worker, tokens = await line(hall, show, 3)
    await opened(hall)
    await hall.change(state="paused")
    await worker.look()
    await ask(connection, worker, tokens[2])
    await hall.go_on(1, times=3)
    assert await mailed(engine, tmp_path) == []
    await hall.change(state="open")
    await hall.go_on(1, times=2)
    assert await mailed(engine, tmp_path) == ["ada@example.com"]


async def test_to_join_again_before_the_draw_is_the_same_turn_and_later_is_another(
    hall: Hall, engine: bespeak.Engine, show: Resource, connection: Connection, tmp_path: Path
) -> None:
    worker, _ = await line(hall, show, 0, early_order="shuffle", a_minute=60, grace_seconds=10)
    first, second = worker.join("ada"), worker.join("ada")
    await worker.look()
    await ask(connection, worker, first, "one@example.com")
    await ask(connection, worker, second, "two@example.com")
    await opened(hall)
    await worker.look()
    assert await mailed(engine, tmp_path) == ["two@example.com"], "the address that was said last"
    for token in (first, second):
        assert (await ask(connection, worker, token, "three@example.com")).state == "sent"
    await hall.go_on(4, times=6)
    await worker.look()
    assert worker.place(first).turn == "lost"
    again = worker.join("ada")
    await worker.look()
    assert (await ask(connection, worker, again, "four@example.com")).state == "wanted"
    await hall.go_on(1, times=3)
    assert await mailed(engine, tmp_path) == ["four@example.com", "two@example.com"]


async def test_an_opening_that_is_taken_back_makes_another_turn(
    hall: Hall,
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    clock: Clock,
    tmp_path: Path,
) -> None:
    worker, tokens = await line(hall, show, 1, early_order="shuffle")
    await ask(connection, worker, tokens[0])
    await opened(hall)
    assert await mailed(engine, tmp_path) == ["ada@example.com"]
    await hall.change(state="scheduled", opens_at=clock.now + timedelta(minutes=1))
    assert await states(connection) == ["wanted"]
    await hall.go_on(1, times=3)
    assert await mailed(engine, tmp_path) == ["ada@example.com"]
    await opened(hall)
    assert await mailed(engine, tmp_path) == ["ada@example.com"] * 2


async def test_taking_it_back_forgets_the_address_and_asking_again_is_right(
    hall: Hall, engine: bespeak.Engine, show: Resource, connection: Connection, tmp_path: Path
) -> None:
    worker, tokens = await line(hall, show, 1)
    (token,) = tokens
    await withdraw_mail(connection, worker.room_id, token)  # of what nobody asked for
    await ask(connection, worker, token)
    for _ in range(2):
        await withdraw_mail(connection, worker.room_id, token)
        assert await connection.fetchval(ADDRESSES) == 0
    await opened(hall)
    assert await mailed(engine, tmp_path) == []
    assert (await ask(connection, worker, token, "new@example.com")).state == "wanted"
    await hall.go_on(1)
    await withdraw_mail(connection, worker.room_id, token)
    assert await states(connection) == ["dropped"], "it was on its way"
    assert (await ask(connection, worker, token)).state == "sent"
    await hall.go_on(1)
    assert await mailed(engine, tmp_path) == []


async def test_an_address_is_sent_so_many_of_a_room_whoever_asks(
    hall: Hall, engine: bespeak.Engine, show: Resource, connection: Connection, tmp_path: Path
) -> None:
    worker, tokens = await line(hall, show, OF_ADDRESS_MAX + 3)
    for number, token in enumerate(tokens):
        email = "Eve@Example.com" if number % 2 else "eve@example.com"
        asked = await ask(connection, worker, token, email, owner=f"guest {number}")
        assert asked.state == "wanted", "which tells nobody what others asked for"
        if number == 3:
            await opened(hall)
            await worker.look()
    await hall.go_on(1, times=2)
    assert len(await mailed(engine, tmp_path)) == OF_ADDRESS_MAX
    assert sorted(await states(connection)) == ["dropped"] * 3 + ["sent"] * OF_ADDRESS_MAX


async def test_one_who_joins_again_and_again_sends_an_address_no_more(
    hall: Hall, engine: bespeak.Engine, show: Resource, connection: Connection, tmp_path: Path
) -> None:
    """Each turn of theirs is another, and their row tells only of the last one."""
    worker, _ = await line(hall, show, 0)
    await opened(hall)
    for number in range(OF_ADDRESS_MAX + 2):
        token = worker.join("eve")
        await worker.look()
        to = "Ben@example.com" if number % 2 else "ben@example.com"
        assert (await ask(connection, worker, token, to)).state == "wanted"
        await hall.go_on(1)
        await mailed(engine, tmp_path)
        if number == 1:  # which makes no room for more
            await withdraw_mail(connection, worker.room_id, token)
        elif number == 2:
            await ask(connection, worker, worker.join("eve"), "cleo@example.com")
            await worker.look()
            await hall.go_on(1)
            await mailed(engine, tmp_path)
    sent = await mailed(engine, tmp_path)
    assert len([to for to in sent if to.lower() == "ben@example.com"]) == OF_ADDRESS_MAX
    assert sent.count("cleo@example.com") == 1


async def test_whoever_takes_it_back_after_the_mail_is_kept_no_more_and_written_to_no_more(
    hall: Hall,
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    clock: Clock,
    tmp_path: Path,
) -> None:
    worker, tokens = await line(hall, show, 1, early_order="shuffle")
    (token,) = tokens
    await ask(connection, worker, token)
    await opened(hall)
    assert await mailed(engine, tmp_path) == ["ada@example.com"]
    await withdraw_mail(connection, worker.room_id, token)
    assert await connection.fetchval(ADDRESSES) == 0
    assert (await ask(connection, worker, token)).state == "sent", "of one turn there is one mail"
    await hall.change(state="scheduled", opens_at=clock.now + timedelta(minutes=1))
    await opened(hall)
    assert await mailed(engine, tmp_path) == ["ada@example.com"], "they wanted no more"
    await hall.change(state="scheduled", opens_at=clock.now + timedelta(minutes=1))
    await worker.look()
    assert (await ask(connection, worker, token)).state == "wanted", "of another turn they may"
    await opened(hall)
    assert await mailed(engine, tmp_path) == ["ada@example.com"] * 2


async def test_a_room_keeps_so_many_addresses(
    hall: Hall, show: Resource, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_mails, "SHARE_MAX", 2)
    worker, _ = await line(hall, show, 0)
    tokens = [QueueToken(0, 1 + n, b"\x07" + bytes([n]) * 15) for n in range(3)]
    for token in tokens[:2]:
        await ask(connection, worker, token)
    with pytest.raises(TurnMailsTooMany):
        await ask(connection, worker, tokens[2])
    await ask(connection, worker, tokens[0], "other@example.com")  # who is in already
    await ask(connection, worker, QueueToken(0, 9, b"\x08" * 16))  # another share


async def test_a_queue_of_its_own_is_a_turn_of_its_own(
    hall: Hall, engine: bespeak.Engine, show: Resource, connection: Connection, tmp_path: Path
) -> None:
    queues = (NewQueue(name="all"), NewQueue(name="club"))
    worker, _ = await line(hall, show, 0, queues=queues)
    for queue in (0, 1):
        await ask(connection, worker, worker.join("ada", queue), f"{queue}@example.com")
    await worker.look()
    await opened(hall)
    assert await mailed(engine, tmp_path) == ["0@example.com", "1@example.com"]


async def test_what_is_no_address_is_refused(
    hall: Hall, show: Resource, connection: Connection
) -> None:
    worker, tokens = await line(hall, show, 1)
    with pytest.raises(InvalidRequest):
        await ask(connection, worker, tokens[0], "ada@example.com\u2028Bcc:x@y.z")


async def test_an_owner_sees_it_and_is_forgotten(
    hall: Hall, engine: bespeak.Engine, show: Resource, connection: Connection, tmp_path: Path
) -> None:
    worker, tokens = await line(hall, show, 2)
    ada, ben = tokens
    await ask(connection, worker, ada, "ada@example.com", "de")
    await ask(connection, worker, ben, "ben@example.com", owner="ben")
    mails = (await export_of_owner(connection, "ada"))["mails"]
    assert isinstance(mails, list)
    (mine,) = mails
    assert (mine["email"], mine["locale"], mine["state"]) == ("ada@example.com", "de", "wanted")
    await erase_owner(connection, "ada", "erased-1")
    assert (await export_of_owner(connection, "ada"))["mails"] == []
    assert await connection.fetchval(ADDRESSES) == 1
    await opened(hall)
    assert await mailed(engine, tmp_path) == ["ben@example.com"]
    await erase_owner(connection, "ben", "erased-2")
    assert await connection.fetchval(ADDRESSES) == 0


async def test_a_room_that_has_ended_keeps_nobody(
    hall: Hall, engine: bespeak.Engine, show: Resource, connection: Connection, tmp_path: Path
) -> None:
    worker, tokens = await line(hall, show, 2)
    await ask(connection, worker, tokens[0])
    await opened(hall)
    assert await mailed(engine, tmp_path) == ["ada@example.com"]
    await hall.change(state="ended")
    await turn_mails.forget_mails(connection)
    for table in ("turn_mail", "turn_mail_tally"):
        assert await connection.fetchval(f"select count(*) from bespeak.{table}") == 0


async def test_a_mail_that_cannot_leave_now_is_tried_again_soon(
    hall: Hall,
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    clock: Clock,
    tmp_path: Path,
) -> None:
    worker, tokens = await line(hall, show, 1, grace_seconds=600)
    await ask(connection, worker, tokens[0])
    await opened(hall)
    full = tmp_path / "full"
    full.write_text("a file where the folder would be")
    await mailer(engine, full).look()
    assert await states(connection) == ["pending"]
    assert await mailed(engine, tmp_path / "out") == [], "not at once"
    await clock.advance(31)
    assert await mailed(engine, tmp_path / "out") == ["ada@example.com"]
