"""Invitation codes at the same instant, by two processes: one code and two persons, one person
twice, a code that is revoked while somebody enters it; each with a control.
"""

import asyncio

import pytest

import bespeak
from bespeak.admission.errors import InviteCodeRevoked, InviteCodeUsedUp
from bespeak.admission.forms import NewQueue
from bespeak.admission.invite_codes import InviteCode
from bespeak.admission.invites import (
    InviteBatch,
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
from tests.concurrency.waiting import meet
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.waiting import Hall

QUEUES = (NewQueue(name="all"), NewQueue(name="club", invited=True))
ADA, BOB = (name.ljust(16).encode() for name in ("ada", "bob"))
CODE = InviteCode(1, 1)
USES = "select count(*) from bespeak.waiting_invite_use"


@pytest.fixture
async def room(
    engine: bespeak.Engine, connection: Connection, clock: Clock, show: bespeak.Resource
) -> str:
    hall = Hall(engine, connection, clock)
    await hall.open(show.id, queues=QUEUES)
    new = NewInviteBatch(queue="club", name="Fans", codes=3)
    await make_batch(connection, hall.room.id, new, None)
    return hall.room.id


@pytest.mark.parametrize("commit", [True, False])
async def test_one_code_and_two_persons_is_one_place(
    room: str, connection: Connection, one: Connection, two: Connection, commit: bool
) -> None:
    first, second = use_code(one, room, CODE, ADA, 10), use_code(two, room, CODE, BOB, 20)
    answer = await meet(connection, one, first, two, second, commit=commit)
    if commit:
        assert isinstance(answer, InviteCodeUsedUp)
    else:
        assert answer == InvitedJoin(1, 20, is_new=True), "the first of them never was"
    assert await connection.fetchval(USES) == 1
    assert (await read_code(connection, room, CODE, None)).used == 1


async def test_control_with_a_look_before_the_use_one_code_is_two_places(
    room: str, connection: Connection, one: Connection, two: Connection
) -> None:
    """What goes wrong if the use is guarded by a look, and no row is waited for."""
    guarded = """
        insert into bespeak.waiting_invite_use (room_id, batch, serial, subject, joined_us)
        select $1, 1, 1, $2, 10
        where not exists (select from bespeak.waiting_invite_use u where u.room_id = $1)
    """
    async with one.transaction(), two.transaction():
        await one.execute(guarded, room, ADA)
        await two.execute(guarded, room, BOB)
    assert await connection.fetchval(USES) == 2


@pytest.mark.parametrize("commit", [True, False])
async def test_one_person_twice_is_the_same_place(
    room: str, connection: Connection, one: Connection, two: Connection, commit: bool
) -> None:
    first, second = use_code(one, room, CODE, ADA, 10), use_code(two, room, CODE, ADA, 20)
    answer = await meet(connection, one, first, two, second, commit=commit)
    expected = InvitedJoin(1, 10, is_new=False) if commit else InvitedJoin(1, 20, is_new=True)
    assert answer == expected
    assert (await read_code(connection, room, CODE, None)).used == 1


@pytest.mark.parametrize("commit", [True, False])
async def test_a_code_that_is_revoked_meanwhile_lets_nobody_in(
    room: str, connection: Connection, one: Connection, two: Connection, commit: bool
) -> None:
    revoking, using = revoke_code(one, room, CODE, None), use_code(two, room, CODE, ADA, 10)
    answer = await meet(connection, one, revoking, two, using, commit=commit)
    assert isinstance(answer, InviteCodeRevoked if commit else InvitedJoin)
    assert await connection.fetchval(USES) == (0 if commit else 1)


@pytest.mark.parametrize("commit", [True, False])
async def test_a_batch_that_is_revoked_meanwhile_lets_nobody_in(
    room: str, connection: Connection, one: Connection, two: Connection, commit: bool
) -> None:
    revoking, using = revoke_batch(one, room, 1, None), use_code(two, room, CODE, ADA, 10)
    answer = await meet(connection, one, revoking, two, using, commit=commit)
    assert isinstance(answer, InviteCodeRevoked if commit else InvitedJoin)
    assert await connection.fetchval(USES) == (0 if commit else 1)


async def test_a_batch_is_revoked_after_whoever_is_joining(
    room: str, connection: Connection, one: Connection, two: Connection
) -> None:
    using, revoking = use_code(one, room, CODE, ADA, 10), revoke_batch(two, room, 1, None)
    answer = await meet(connection, one, using, two, revoking)
    assert getattr(answer, "used", None) == 1, "it says who has joined before it was revoked"


async def test_many_at_once_take_as_many_places_as_there_are(
    room: str, engine: bespeak.Engine, connection: Connection
) -> None:
    new = NewInviteBatch(queue="club", name="Friends", codes=1, persons=3)
    await make_batch(connection, room, new, None)

    async def join(number: int) -> InvitedJoin:
        async with engine.database.borrow() as borrowed:
            subject = number.to_bytes(16)
            return await use_code(borrowed, room, InviteCode(2, 1), subject, number)

    answers = await asyncio.gather(*(join(n) for n in range(8)), return_exceptions=True)
    assert sum(isinstance(one, InvitedJoin) for one in answers) == 3
    assert sum(isinstance(one, InviteCodeUsedUp) for one in answers) == 5
    assert await connection.fetchval(USES) == 3


@pytest.mark.parametrize("commit", [True, False])
async def test_the_same_key_twice_makes_one_batch(
    room: str, connection: Connection, one: Connection, two: Connection, commit: bool
) -> None:
    new = NewInviteBatch(queue="club", name="Friends", codes=1)
    first, second = (make_batch(used, room, new, None, "monday") for used in (one, two))
    answer = await meet(connection, one, first, two, second, commit=commit)
    assert isinstance(answer, InviteBatch)
    assert (answer.batch, answer.replayed) == (2, commit)
    assert len(await list_batches(connection, room, None)) == 2


async def test_two_who_join_by_two_codes_of_a_part_are_both_counted(
    room: str, connection: Connection, one: Connection, two: Connection
) -> None:
    new = NewInviteBatch(queue="club", name="Friends", codes=20)
    await make_batch(connection, room, new, None)
    first = use_code(one, room, InviteCode(2, 1), ADA, 10)
    second = use_code(two, room, InviteCode(2, 17), BOB, 20)
    assert isinstance(await meet(connection, one, first, two, second), InvitedJoin)
    assert (await read_batch(connection, room, 2, None)).used == 2
