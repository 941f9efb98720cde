"""Every process of a waiting room and of a waitlist killed at each of its steps: joining, opening,
letting people in, giving a pass, offering. Whoever comes after goes on, nobody has lost a place,
and nothing is done twice.
"""

from __future__ import annotations

from contextlib import aclosing, suppress
from datetime import timedelta

import pytest

import bespeak
from bespeak import Resource
from bespeak.admission.board import QueueBoard
from bespeak.admission.errors import PassEnded
from bespeak.admission.forms import ChangeWaitingRoom, NewQueue
from bespeak.admission.invite_codes import InviteCode
from bespeak.admission.invites import (
    InvitedJoin,
    NewInviteBatch,
    make_batch,
    read_code,
    use_code,
)
from bespeak.admission.passes import give_pass, leave, leave_line
from bespeak.admission.queue_tokens import QueueToken
from bespeak.admission.rooms import change_room, open_due
from bespeak.admission.steering import Steering
from bespeak.waitlists.errors import NoOfferStands
from bespeak.waitlists.matcher import WaitlistMatcher
from tests.harness.clock import Clock
from tests.harness.database import Connection, problems
from tests.harness.dying import Act, Facts, deaths
from tests.harness.shows import MakeShow, book, seats
from tests.harness.waiting import Hall, Worker
from tests.harness.waitlists import join, listed

QUEUES = (NewQueue(name="all"), NewQueue(name="club", invited=True))
CODE = InviteCode(1, 1)
TWO_SEATS = bespeak.SeatsPlan(sections=(bespeak.Section("Stalls", (bespeak.Row("A", 2),)),))
PASSES = "select count(*) from bespeak.waiting_pass"
STANDS = """
select w.state, w.opened_at is not null as has_opened, w.public_value,
    encode(w.seed, 'hex') as seed,
    (select array_agg(q.front order by q.queue) from bespeak.waiting_queue q) as fronts,
    (select count(*) from bespeak.waiting_front) as moves,
    (select count(*) from bespeak.waiting_call) as calls,
    (select count(*) from bespeak.event e where e.kind = 'waiting_room_opened') as told,
    (select count(*) from bespeak.waiting_room_change c
        where c.changed ->> 'state' = 'open') as kept
from bespeak.waiting_room w
"""


@pytest.fixture
def hall(engine: bespeak.Engine, connection: Connection, clock: Clock) -> Hall:
    return Hall(engine, connection, clock)


async def stands(connection: Connection) -> dict[str, object]:
    """All of a room that its processes write, but for when they did."""
    row = await connection.fetchrow(STANDS)
    assert row is not None
    return dict(row)


async def look_after(engine: bespeak.Engine, facts: Facts) -> None:
    await Steering(engine.database, engine.ready_resources).look()


async def after_each_kill(
    url: str, connection: Connection, act: Act, facts: Facts, *, transactions: bool = True
) -> list[dict[str, object]]:
    """How the room stands after each process that did it and was killed, the last when done."""
    dying = deaths(url, connection, act, facts, transactions=transactions)
    async with aclosing(dying) as each:
        return [await stands(connection) async for _ in each]


async def open_room(engine: bespeak.Engine, facts: Facts) -> None:
    async with engine.database.borrow() as connection:
        await open_due(connection, facts["room"])


async def test_the_opening_is_one_with_all_that_tells_of_it(
    hall: Hall, show: Resource, connection: Connection, clock: Clock, database_url: str
) -> None:
    worker = await hall.open(show.id)
    tokens = [worker.join(f"guest {n}") for n in range(5)]
    await worker.look()
    await clock.advance(60)
    facts = {"room": worker.room_id}
    seen = [await stands(connection)]
    seen += await after_each_kill(database_url, connection, open_room, facts)
    await hall.steering.look()  # and whoever comes after
    seen.append(await stands(connection))
    before = [one for one in seen if not one["has_opened"]]
    opened = [one for one in seen if one["has_opened"]]
    assert {(one["state"], one["told"], one["kept"]) for one in before} == {("scheduled", 0, 0)}
    assert {(one["state"], one["told"], one["kept"]) for one in opened} == {("open", 1, 1)}
    assert len({one["seed"] for one in seen}) == 1
    assert len({one["public_value"] for one in opened}) == 1, "the order was drawn once"
    room = await worker.look()
    assert len({room.key_of(token) for token in tokens}) == room.joins[0].total == 5


async def opened_hall(hall: Hall, show: Resource, clock: Clock) -> Worker:
    """A room with a hundred who wait, of whom so many a second may be called from now on."""
    worker = await hall.open(show.id, a_minute=60, early_order="first_come")
    for number in range(100):
        worker.join(f"guest {number}")
    await worker.look()
    await hall.go_on(60)
    await clock.advance(3)
    return worker


async def test_calling_is_done_once_or_not_at_all(
    hall: Hall, show: Resource, connection: Connection, clock: Clock, database_url: str
) -> None:
    worker = await opened_hall(hall, show, clock)
    seen = await after_each_kill(database_url, connection, look_after, {})
    assert len(seen) > 5
    assert {(one["fronts"] != [0], one["moves"], one["calls"]) for one in seen} == {
        (False, 0, 0),
        (True, 1, 1),
    }
    await hall.steering.look()  # at the same instant: what was called is called
    room = await worker.look()
    assert room.joins[0].place_of(room.queues[0].front) == 5, "what five seconds let in"


async def test_control_without_the_transaction_it_is_called_again(
    hall: Hall, show: Resource, connection: Connection, clock: Clock, database_url: str
) -> None:
    """The front is moved before it is noted that the room was looked after."""
    worker = await opened_hall(hall, show, clock)
    await after_each_kill(database_url, connection, look_after, {}, transactions=False)
    room = await worker.look()
    assert room.joins[0].place_of(room.queues[0].front) > 5


async def take_back(engine: bespeak.Engine, facts: Facts) -> None:
    async with engine.database.borrow() as connection:
        change = ChangeWaitingRoom(state="scheduled", opens_at=facts["later"])
        await change_room(connection, facts["room"], change, None)


async def test_an_opening_is_taken_back_as_a_whole(
    hall: Hall, show: Resource, connection: Connection, clock: Clock, database_url: str
) -> None:
    worker = await opened_hall(hall, show, clock)
    await hall.steering.look()
    told = (await stands(connection))["seed"]
    facts = {"room": worker.room_id, "later": clock.now + timedelta(hours=1)}
    seen = await after_each_kill(database_url, connection, take_back, facts)
    for one in seen:
        is_back = one["state"] == "scheduled"
        assert is_back == (one["fronts"] == [0]) == (one["calls"] == 0) == (one["moves"] == 0)
        assert is_back == (one["seed"] != told), "the seed that was told draws no order"
    assert [one["state"] for one in seen[:: len(seen) - 1]] == ["open", "scheduled"]


async def come_in(engine: bespeak.Engine, facts: Facts) -> None:
    board = QueueBoard(engine.database)
    await board.look()
    async with engine.database.borrow() as connection:
        room = board.rooms[facts["room"]]
        await give_pass(connection, room, QueueToken(*facts["token"]), "ada")


async def test_a_pass_that_nobody_heard_of_is_the_one_that_is_given(
    hall: Hall, show: Resource, connection: Connection, clock: Clock, database_url: str
) -> None:
    worker, token = await hall.called(show.id)
    counts = []
    facts = {"room": worker.room_id, "token": tuple(token)}
    async with aclosing(deaths(database_url, connection, come_in, facts)) as each:
        counts = [await connection.fetchval(PASSES) async for _ in each]
    assert (counts, set(counts)) == (sorted(counts), {0, 1})
    ends_at = clock.now + timedelta(seconds=hall.room.pass_seconds)
    await clock.advance(5)
    assert await worker.come_in(token, "ada") == ends_at
    with pytest.raises(PassEnded):
        await worker.come_in(token, "eve")
    assert await connection.fetchval(PASSES) == 1


async def go_away(engine: bespeak.Engine, facts: Facts) -> None:
    async with engine.database.borrow() as connection:
        token = QueueToken(*facts["token"])
        await leave_line(connection, facts["room"], token)
        await leave(connection, facts["room"], token.subject, "ada")


async def test_a_place_is_given_up_once_whoever_did_not_hear_of_it(
    hall: Hall, show: Resource, connection: Connection, database_url: str
) -> None:
    worker = await hall.open(show.id)
    token, behind = worker.join("ada"), worker.join("ben")
    await worker.look()
    facts = {"room": worker.room_id, "token": tuple(token)}
    seen = []
    async with aclosing(deaths(database_url, connection, go_away, facts)) as each:
        async for _ in each:
            left = await connection.fetchval("select count(*) from bespeak.waiting_leaver")
            seen.append((left, (await worker.look()).joins[0].total))
    assert (seen, set(seen)) == (sorted(seen), {(0, 2), (1, 1)}), "both, or neither"
    await hall.go_on(60)
    await hall.go_on(2, times=3)
    with pytest.raises(PassEnded):
        await worker.come_in(token, "ada")
    await worker.come_in(behind, "ben")


async def join_and_tell(engine: bespeak.Engine, facts: Facts) -> None:
    board = QueueBoard(engine.database)
    await board.look()
    board.count_join(facts["room"], 0, facts["joined_us"])
    await board.look()


async def join_by_code(engine: bespeak.Engine, facts: Facts) -> None:
    async with engine.database.borrow() as connection:
        subject, joined_us = facts["subject"], facts["joined_us"]
        await use_code(connection, facts["room"], CODE, subject, joined_us)


async def test_joining_is_counted_or_is_when_one_looks(
    hall: Hall, show: Resource, connection: Connection, clock: Clock, database_url: str
) -> None:
    worker = await hall.open(show.id, queues=QUEUES)
    token = worker.join("ada")
    worker.board._counted.clear()  # it is another process where ada joins
    facts = {"room": worker.room_id, "joined_us": token.joined_us, "subject": token.subject}
    totals = []
    async with aclosing(deaths(database_url, connection, join_and_tell, facts)) as each:
        async for _ in each:
            totals.append((await worker.look()).joins[0].total)
            if len(totals) == 1:
                await clock.advance(10)
                worker.board.count_again(await worker.look(), token)
                totals.append((await worker.look()).joins[0].total)
    assert totals[:2] == [0, 1]
    await make_batch(
        connection, worker.room_id, NewInviteBatch(queue="club", name="Fans", codes=1), None
    )
    used = []
    async with aclosing(deaths(database_url, connection, join_by_code, facts)) as each:
        async for _ in each:
            used.append((await read_code(connection, worker.room_id, CODE, None)).used)
    assert (used[0], used[-1], set(used)) == (0, 1, {0, 1})
    again = await use_code(connection, worker.room_id, CODE, token.subject, token.joined_us + 9)
    assert again == InvitedJoin(1, token.joined_us, is_new=False)


async def match(engine: bespeak.Engine, facts: Facts) -> None:
    await WaitlistMatcher(engine).look()


async def decline(engine: bespeak.Engine, facts: Facts) -> None:
    with suppress(NoOfferStands):  # it was declined before
        await engine.waitlists.decline(facts["entry"])


async def withdraw(engine: bespeak.Engine, facts: Facts) -> None:
    await engine.waitlists.withdraw(facts["entry"])


async def accept(engine: bespeak.Engine, facts: Facts) -> None:
    await engine.waitlists.accept(facts["entry"])


OFFERS = """
select e.owner, e.state, o.number, o.state as offer, h.state as hold,
    count(*) over (partition by o.hold_id) as times
from bespeak.waitlist_entry e
left join bespeak.waitlist_offer o on o.entry_id = e.entry_id
left join bespeak.hold h on h.hold_id = o.hold_id
order by e.place, o.number
"""
LONELY = """
select count(*) from bespeak.hold h where h.state = 'held'
    and not exists (select from bespeak.waitlist_offer o where o.hold_id = h.hold_id)
"""


async def offers(connection: Connection) -> list[tuple[str, ...]]:
    """Who waits and what they were offered; all of it whole."""
    assert await problems(connection) == []
    assert await connection.fetchval(LONELY) == 0, "no hold without its offer"
    rows = await connection.fetch(OFFERS)
    assert all(row["offer"] is None or row["hold"] is not None for row in rows)
    assert all(row["offer"] is None or row["times"] == 1 for row in rows), "offered twice"
    return [(row["owner"], row["state"], row["offer"] or "") for row in rows]


async def test_offering_declining_and_leaving(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, database_url: str
) -> None:
    """Two seats come back to three who wait; the first declines, the second leaves."""
    show = await make_show(plan=TWO_SEATS)
    sold = [await book(engine, seats(show, seat)) for seat in ("A1", "A2")]
    waitlist = await listed(engine, show)
    entries = [await join(engine, waitlist, owner) for owner in ("asha", "ben", "cleo")]
    for booking in sold:
        await engine.cancel_booking(booking.id, reason="ill")
    seen = await each_kill(database_url, connection, match, "")
    assert {sum(one[2] == "standing" for one in rows) for rows in seen} == {0, 1, 2}
    assert [one[1] for one in seen[-1]] == ["offered", "offered", "waiting"]
    await each_kill(database_url, connection, decline, entries[0].id)
    seen = await each_kill(database_url, connection, withdraw, entries[1].id)
    assert [one[1] for one in seen[0]][1] == "offered"
    for _ in range(3):
        await WaitlistMatcher(engine).look()
    assert await offers(connection) == [
        ("asha", "over", "declined"),
        ("ben", "withdrawn", "withdrawn"),
        ("cleo", "offered", "standing"),
    ]
    found = await engine.waitlists.get_entry(entries[2].id)
    assert found.offer is not None and found.offer.number == 1


async def test_accepting(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    clock: Clock,
    database_url: str,
) -> None:
    """Who accepts ten seconds before the end has the time for the checkout, whoever died meanwhile:
    the same hold, lent once, and nothing is booked or let go by it."""
    show = await make_show(plan=TWO_SEATS)
    sold = await book(engine, seats(show, "A1"))
    waitlist = await listed(engine, show, decide_seconds=60)
    entry = await join(engine, waitlist, "asha")
    await engine.cancel_booking(sold.id, reason="ill")
    await match(engine, {})
    made = (await engine.waitlists.get_entry(entry.id)).offer
    assert made is not None
    await clock.advance(50)
    seen = []
    async with aclosing(deaths(database_url, connection, accept, {"entry": entry.id})) as each:
        async for _ in each:
            assert await offers(connection) == [("asha", "offered", "standing")]
            found = (await engine.waitlists.get_entry(entry.id)).offer
            assert found is not None and found.hold_id == made.hold_id
            seen.append((found.ends_at, found.taken_up_at))
    longer = clock.now + timedelta(seconds=show.hold_seconds)
    # Its time is made longer first, and then it is written down that it was taken up.
    assert (seen[0], seen[-1]) == ((longer, None), (longer, clock.now))
    await clock.advance(30)
    hold = await engine.waitlists.accept(entry.id)
    assert (hold.id, hold.expires_at) == (made.hold_id, longer), "once"
    booking = await engine.confirm_hold(hold.id, owner="asha")
    await match(engine, {})
    assert await offers(connection) == [("asha", "accepted", "accepted")]
    assert booking.hold_id == made.hold_id


async def each_kill(
    url: str, connection: Connection, act: Act, entry: str
) -> list[list[tuple[str, ...]]]:
    """Who waits after each process that was killed."""
    async with aclosing(deaths(url, connection, act, {"entry": entry})) as each:
        return [await offers(connection) async for _ in each]
