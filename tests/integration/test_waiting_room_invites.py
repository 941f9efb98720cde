"""Invitations to a queue: batches of codes are made, written out, used, revoked and forgotten."""

from __future__ import annotations

import csv
import json
from datetime import datetime, timedelta
from io import StringIO

import pytest

import bespeak
from bespeak.admission.audit import audit_lines, check_audit
from bespeak.admission.errors import (
    InviteBatchesTooMany,
    InviteBatchNotFound,
    InviteCodeExpired,
    InviteCodeRevoked,
    InviteCodeUnknown,
    InviteCodeUsedUp,
    WaitingRoomClosed,
    WaitingRoomNotFound,
)
from bespeak.admission.forms import NewQueue
from bespeak.admission.invite_codes import BATCHES_MAX, InviteCode, InviteCodes
from bespeak.admission.invite_lists import codes_csv, some_codes, write_out
from bespeak.admission.invites import (
    InvitedJoin,
    NewInviteBatch,
    list_batches,
    make_batch,
    read_batch,
    read_code,
    revoke_batch,
    revoke_code,
    use_code,
)
from bespeak.admission.steering import Steering
from bespeak.errors import IdempotencyKeyReused, InvalidRequest
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.waiting import Hall

QUEUES = (NewQueue(name="all"), NewQueue(name="club", invited=True))
CODES = InviteCodes(b"a secret of tests")
ADA, BOB, EVE = (name.ljust(16).encode() for name in ("ada", "bob", "eve"))
FIRST = InviteCode(1, 1)
KEPT = """select (select count(*) from bespeak.waiting_invite_use)
    + (select count(*) from bespeak.waiting_invite)
    + (select count(*) from bespeak.waiting_invite_tally)
    + (select count(*) from bespeak.waiting_invite_batch)"""


@pytest.fixture
async def hall(
    engine: bespeak.Engine, connection: Connection, clock: Clock, show: bespeak.Resource
) -> Hall:
    made = Hall(engine, connection, clock)
    await made.open(show.id, queues=QUEUES)
    return made


async def batch_of(
    connection: Connection,
    hall: Hall,
    *,
    codes: int = 3,
    persons: int = 1,
    until: datetime | None = None,
) -> None:
    new = NewInviteBatch(queue="club", name="Fans", codes=codes, persons=persons, until=until)
    await make_batch(connection, hall.room.id, new, None)


async def test_a_code_lets_in_as_many_persons_as_it_is_for(
    hall: Hall, connection: Connection
) -> None:
    await batch_of(connection, hall, persons=2)
    room = hall.room.id
    assert await use_code(connection, room, FIRST, ADA, 10) == InvitedJoin(1, 10, is_new=True)
    assert await use_code(connection, room, FIRST, BOB, 20) == InvitedJoin(1, 20, is_new=True)
    with pytest.raises(InviteCodeUsedUp) as refused:
        await use_code(connection, room, FIRST, EVE, 30)
    assert refused.value.data["persons"] == 2
    assert (await use_code(connection, room, InviteCode(1, 2), EVE, 40)).is_new
    assert (await read_code(connection, room, FIRST, None)).used == 2, "nobody who was refused"
    assert (await read_batch(connection, room, 1, None)).used == 3


async def test_who_enters_a_code_again_has_the_same_place_even_after_its_end(
    hall: Hall, connection: Connection, clock: Clock
) -> None:
    await batch_of(connection, hall, until=clock.now + timedelta(hours=1))
    room = hall.room.id
    await use_code(connection, room, FIRST, ADA, 10)
    same = InvitedJoin(1, 10, is_new=False)
    assert await use_code(connection, room, FIRST, ADA, 99) == same
    await clock.advance(3600)
    assert await use_code(connection, room, FIRST, ADA, 99) == same
    with pytest.raises(InviteCodeExpired):
        await use_code(connection, room, InviteCode(1, 2), BOB, 99)
    await revoke_batch(connection, room, 1, None)
    assert await use_code(connection, room, FIRST, ADA, 99) == same
    assert (await read_code(connection, room, FIRST, None)).used == 1


async def test_a_revoked_code_lets_nobody_else_in_and_its_neighbours_do(
    hall: Hall, connection: Connection
) -> None:
    await batch_of(connection, hall, persons=2)
    room = hall.room.id
    await use_code(connection, room, FIRST, ADA, 10)
    once = await revoke_code(connection, room, FIRST, None)
    assert once.revoked_at is not None
    assert once.used == 1
    assert await revoke_code(connection, room, FIRST, None) == once, "again changes nothing"
    with pytest.raises(InviteCodeRevoked):
        await use_code(connection, room, FIRST, BOB, 20)
    unused = InviteCode(1, 3)
    await revoke_code(connection, room, unused, None)
    with pytest.raises(InviteCodeRevoked):
        await use_code(connection, room, unused, BOB, 20)
    assert (await use_code(connection, room, InviteCode(1, 2), BOB, 20)).is_new


async def test_a_revoked_batch_lets_nobody_else_in_and_another_does(
    hall: Hall, connection: Connection
) -> None:
    await batch_of(connection, hall)
    await batch_of(connection, hall)
    room = hall.room.id
    once = await revoke_batch(connection, room, 1, None)
    assert once.revoked_at is not None
    assert await revoke_batch(connection, room, 1, None) == once
    with pytest.raises(InviteCodeRevoked):
        await use_code(connection, room, FIRST, ADA, 10)
    assert (await use_code(connection, room, InviteCode(2, 1), ADA, 10)).is_new
    first, second = await list_batches(connection, room, None)
    assert (first.used, second.used, second.revoked_at) == (0, 1, None)


async def test_codes_are_written_out_the_same_each_time(hall: Hall, connection: Connection) -> None:
    await batch_of(connection, hall, codes=1001)
    batch = await read_batch(connection, hall.room.id, 1, None)
    text = b"".join(codes_csv(CODES, hall.room.id, batch)).decode()
    assert text == b"".join(codes_csv(CODES, hall.room.id, batch)).decode()
    head, *rows = csv.reader(StringIO(text))
    assert head == ["serial", "code"]
    assert [int(serial) for serial, _ in rows] == list(range(1, 1002))
    assert len({code for _, code in rows}) == 1001
    assert CODES.read(hall.room.id, rows[-1][1]) == InviteCode(1, 1001)


@pytest.mark.parametrize("code", [InviteCode(1, 4), InviteCode(1, 0), InviteCode(2, 1)])
async def test_a_code_beyond_its_batch_is_unknown(
    hall: Hall, connection: Connection, code: InviteCode
) -> None:
    await batch_of(connection, hall, codes=3)
    for verb in (read_code, revoke_code):
        with pytest.raises(InviteCodeUnknown):
            await verb(connection, hall.room.id, code, None)
    with pytest.raises(InviteCodeUnknown):
        await use_code(connection, hall.room.id, code, ADA, 10)


async def test_batches_are_refused_that_nobody_could_use(
    hall: Hall, connection: Connection, clock: Clock
) -> None:
    new = NewInviteBatch(queue="club", name="Fans", codes=1)
    with pytest.raises(WaitingRoomNotFound):
        await make_batch(connection, "wrm_000000000000", new, None)
    with pytest.raises(WaitingRoomNotFound):
        await make_batch(connection, hall.room.id, new, "elsewhere")
    with pytest.raises(InvalidRequest):
        await make_batch(
            connection, hall.room.id, NewInviteBatch(queue="x", name="x", codes=1), None
        )
    with pytest.raises(InvalidRequest):
        await batch_of(connection, hall, until=clock.now.replace(tzinfo=None))
    for batch in (0, 1, BATCHES_MAX + 1, 1 << 40):
        with pytest.raises(InviteBatchNotFound):
            await revoke_batch(connection, hall.room.id, batch, None)
    await hall.change(state="ended")
    with pytest.raises(WaitingRoomClosed):
        await batch_of(connection, hall)


async def test_a_room_has_so_many_batches_and_no_more(hall: Hall, connection: Connection) -> None:
    for _ in range(BATCHES_MAX):
        await batch_of(connection, hall, codes=1)
    with pytest.raises(InviteBatchesTooMany):
        await batch_of(connection, hall, codes=1)
    assert len(await list_batches(connection, hall.room.id, None)) == BATCHES_MAX


async def test_all_of_it_is_forgotten_a_month_after_the_end(
    hall: Hall, connection: Connection, clock: Clock, engine: bespeak.Engine
) -> None:
    await batch_of(connection, hall)
    await use_code(connection, hall.room.id, FIRST, ADA, 10)
    await hall.change(state="ended")
    await clock.advance(29 * 86_400)
    await Steering(engine.database, engine.ready_resources).look()
    assert await connection.fetchval(KEPT) == 4, "kept as long as what an audit needs"
    await clock.advance(2 * 86_400)
    for _ in range(3):
        # A new one forgets with its first look.
        await Steering(engine.database, engine.ready_resources).look()
    assert await connection.fetchval(KEPT) == 0


async def test_a_batch_is_made_once_for_each_key_even_when_the_room_is_over_since(
    hall: Hall, connection: Connection
) -> None:
    new = NewInviteBatch(queue="club", name="Fans", codes=3)
    room = hall.room.id
    first = await make_batch(connection, room, new, None, "monday")
    await use_code(connection, room, FIRST, ADA, 10)
    await hall.change(state="ended")
    again = await make_batch(connection, room, new, None, "monday")
    assert (again.batch, again.used, first.replayed, again.replayed) == (1, 1, False, True)
    other = NewInviteBatch(queue="club", name="Fans", codes=4)
    with pytest.raises(IdempotencyKeyReused):
        await make_batch(connection, room, other, None, "monday")
    assert len(await list_batches(connection, room, None)) == 1
    with pytest.raises(InvalidRequest):
        await make_batch(connection, room, new, None, "")


async def test_the_codes_of_a_batch_are_read_some_at_a_time(
    hall: Hall, connection: Connection
) -> None:
    await batch_of(connection, hall, codes=5, persons=2)
    room = hall.room.id
    await use_code(connection, room, InviteCode(1, 2), ADA, 10)
    await revoke_code(connection, room, InviteCode(1, 4), None)
    batch = await read_batch(connection, room, 1, None)
    found, after = [], 0
    for length, has_more in ((2, True), (2, True), (1, False)):
        some = await some_codes(connection, room, batch, after, 2)
        assert (len(some.serials), some.has_more) == (length, has_more)
        found += await write_out(CODES, room, some)
        after = some.serials[-1]
    assert [one.serial for one in found] == [1, 2, 3, 4, 5]
    assert [one.used for one in found] == [0, 1, 0, 0, 0]
    assert [one.serial for one in found if one.revoked_at is not None] == [4]
    assert CODES.read(room, found[1].code) == InviteCode(1, 2)
    for beyond in (5, 1 << 62):
        some = await some_codes(connection, room, batch, beyond, 2)
        assert not some.serials and not some.has_more


async def test_the_audit_of_a_room_has_what_became_of_its_codes_and_no_code(
    engine: bespeak.Engine, hall: Hall, connection: Connection
) -> None:
    room = hall.room.id
    with engine.acting_as("boss"):
        await batch_of(connection, hall)
        for _ in range(2):  # again, it changes nothing
            await revoke_code(connection, room, InviteCode(1, 2), None)
            await revoke_batch(connection, room, 1, None)
    lines = [line async for line in audit_lines(connection, room)]
    _, *changes = [one for line in lines if (one := json.loads(line))["line"] == "change"]
    assert [one["actor"] for one in changes] == ["boss"] * 3
    made, *revoked = [one["changed"] for one in changes]
    said = {"queue": "club", "name": "Fans", "codes": 3, "persons": 1, "until": None}
    assert made == {"invite_batch_made": {"batch": 1, **said}}
    assert revoked == [
        {"invite_code_revoked": {"batch": 1, "serial": 2}},
        {"invite_batch_revoked": 1},
    ]
    check_audit(lines)
    assert CODES.make(room, InviteCode(1, 2)).encode() not in b"".join(lines)


async def test_what_is_undone_is_not_in_the_audit(hall: Hall, connection: Connection) -> None:
    transaction = connection.transaction()
    await transaction.start()
    await batch_of(connection, hall)
    await transaction.rollback()
    lines = [line async for line in audit_lines(connection, hall.room.id)]
    assert b"invite_batch" not in b"".join(lines)
