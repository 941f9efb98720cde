"""Waiting rooms through each door of HTTP: made and steered, joined, and waited in until one is let
in, by people who all wait in one room at once.
"""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
import pytest_asyncio

import bespeak
from bespeak import (
    ChangeWaitingRoom,
    NewInviteBatch,
    NewQueue,
    NewWaitingRoom,
    Resource,
    WaitingRoom,
    WaitingRoomNow,
)
from bespeak.admission.audit import AuditedRoom
from bespeak.admission.errors import InviteCodeRevoked, WaitingRoomNotFound
from bespeak.client import Client, InLine, ServerUnreachable, SyncClient
from bespeak.errors import VersionMismatch
from bespeak.http.server.keys import create_key
from tests.clients.conftest import Place
from tests.clients.losing import LosingWire
from tests.clients.typescript import NodeProcess, TypeScriptDoor
from tests.harness import database
from tests.harness.shows import new_show, seats

# What curl sends is what the client says, and its pauses are whole seconds.
clients = pytest.mark.parametrize("client", ["client", "sync_client", "typescript"], indirect=True)
QUEUES = (NewQueue(name="general"), NewQueue(name="club", invited=True))


def new_room(show: Resource, *, opens_in: float, **fields: object) -> NewWaitingRoom:
    opens_at = datetime.now(UTC) + timedelta(seconds=opens_in)
    return NewWaitingRoom(name="Premiere", resources=(show.id,), opens_at=opens_at, **fields)  # type: ignore[arg-type]


async def known(client: Client, room: WaitingRoom) -> WaitingRoomNow:
    """How a room stands, once the worker has heard of it: within a second."""
    while True:
        try:
            return await client.waiting_room_now(room.id)
        except WaitingRoomNotFound:
            await asyncio.sleep(0.05)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def rooms(place: Place) -> AsyncIterator[tuple[WaitingRoom, WaitingRoom, Resource]]:
    """A room before its sale, and one that lets people in, with what is behind that."""
    async with Client(place.url, place.key) as client:
        shows = [await client.create_resource(new_show()) for _ in range(2)]
        early = await client.make_waiting_room(new_room(shows[0], opens_in=3600, queues=QUEUES))
        opened = await client.make_waiting_room(
            new_room(shows[1], opens_in=0, pace="rate", a_minute=6000)
        )
        await known(client, early)
        await known(client, opened)
        yield early, opened, shows[1]


@clients
async def test_a_room_is_made_and_steered(client: Client, wire: LosingWire) -> None:
    show = await client.create_resource(new_show())
    made = await client.make_waiting_room(new_room(show, opens_in=3600, a_minute=60))
    assert (made.state, made.a_minute, made.resources) == ("scheduled", 60, (show.id,))
    assert await client.get_waiting_room(made.id) == made
    assert made.id in [room.id for room in (await client.list_waiting_rooms(limit=10)).items]
    wire.lose_answers()
    with pytest.raises(ServerUnreachable):  # it has no key, and was not asked again
        await client.change_waiting_room(made.id, ChangeWaitingRoom(message="Soon"))
    assert (await client.get_waiting_room(made.id)).message == "Soon"
    ended = await client.change_waiting_room(
        made.id, ChangeWaitingRoom(state="ended", message=None)
    )
    assert (ended.state, ended.message) == ("ended", None)
    with pytest.raises(VersionMismatch):
        await client.change_waiting_room(made.id, ChangeWaitingRoom(version=1, name="Other"))
    first = await client.waiting_room_audit(made.id, limit=1)
    (line,) = first.items
    assert isinstance(line, AuditedRoom)
    rest = await client.waiting_room_audit(made.id, after=first.next, limit=100)
    assert len(rest.items) == 3  # it was made, and changed twice


@clients
async def test_who_waits_joins_looks_and_leaves(
    client: Client, rooms: tuple[WaitingRoom, WaitingRoom, Resource], wire: LosingWire
) -> None:
    room, owner = rooms[0], f"owner-{uuid4().hex}"
    wire.lose_answers()
    joined = await client.join_waiting_room(room.id, queue="general", owner=owner)
    assert wire.lost == 1  # it was asked again: nobody has the place that was lost
    assert (joined.place.turn, joined.place.queue, joined.place.place) == ("early", "general", None)
    assert await client.queue_place(room.id, joined.queue_token) == joined.place
    assert (await client.waiting_room_now(room.id)).phase == "early"
    with pytest.raises(bespeak.NotYourTurn):
        await client.ask_pass(room.id, joined.queue_token, owner=owner)
    wire.lose_answers()
    mail = await client.ask_turn_mail(
        room.id, joined.queue_token, "ada@example.com", locale="de", owner=owner
    )
    assert mail.state == "wanted"
    wire.lose_answers()
    await client.withdraw_turn_mail(room.id, joined.queue_token, owner=owner)
    wire.lose_answers()
    await client.leave_waiting_room(room.id, joined.queue_token, owner=owner)
    with pytest.raises(WaitingRoomNotFound):
        await client.waiting_room_now("wrm_000000000000")


@clients
async def test_invitation_codes(
    client: Client, rooms: tuple[WaitingRoom, WaitingRoom, Resource], wire: LosingWire
) -> None:
    room, key = rooms[0].id, uuid4().hex
    new = NewInviteBatch(queue="club", name=f"Fans {key[:8]}", codes=2)
    wire.lose_answers()
    made = await client.make_invite_batch(room, new, idempotency_key=key)
    assert (made.replayed, made.codes) == (True, 2)
    batches = await client.list_invite_batches(room)
    assert [one.batch for one in batches if one.name == new.name] == [made.batch]
    page = await client.list_invite_codes(room, made.batch, limit=2)
    assert ([one.serial for one in page.items], page.next) == ([1, 2], None)
    joined = await client.join_waiting_room(room, code=page.items[0].code.lower(), owner="asha")
    assert joined.place.queue == "club"
    assert (await client.get_invite_batch(room, made.batch)).used == 1
    wire.lose_answers()
    assert (await client.revoke_invite_code(room, made.batch, 2)).revoked_at is not None
    with pytest.raises(InviteCodeRevoked):
        await client.join_waiting_room(room, code=page.items[1].code, owner="bela")
    found = await client.look_up_invite_code(room, page.items[0].code)
    assert (found.batch, found.serial, found.used) == (made.batch, 1, 1)
    assert (await client.revoke_invite_batch(room, made.batch)).revoked_at is not None


async def test_all_clients_wait_in_line_until_they_are_let_in(
    place: Place, node: NodeProcess, rooms: tuple[WaitingRoom, WaitingRoom, Resource]
) -> None:
    _, room, show = rooms
    async with database.session(place.database_url) as session, Client(place.url, place.key) as own:
        key, _ = await create_key(session, "publishable", "tests")
        token = (await own.mint_token("asha")).token

    async def by_shopper() -> None:
        async with Client(place.url, key, shopper_token=token) as client:
            with pytest.raises(bespeak.PassRequired):
                await client.place_hold(lines=seats(show, "A1"))
            looks = [one async for one in client.wait_in_line(room.id, seconds=60)]
            given = check(looks)
            again = [
                one async for one in client.wait_in_line(room.id, queue_token=looks[0].queue_token)
            ]
            assert check(again).pass_ is not None
            with pytest.raises(bespeak.PassRequired):
                await client.quote(seats(show, "A1"))
            await client.quote(seats(show, "A1"), waiting_pass=given.pass_)
            hold = await client.place_hold(lines=seats(show, "A1"), waiting_pass=given.pass_)
            assert hold.owner == "asha"
            await client.leave_waiting_room(room.id, looks[0].queue_token)

    def in_a_thread() -> list[InLine]:
        with SyncClient(place.url, place.key) as client:
            return list(client.wait_in_line(room.id, owner="bela", seconds=60))

    door = TypeScriptDoor(node, place.url, place.key)
    _, blocking, typescript = await asyncio.gather(
        by_shopper(),
        asyncio.to_thread(in_a_thread),
        door.wait_in_line(room.id, owner="carl", seconds=60),
    )
    check(blocking)
    check(typescript)


def check(looks: list[InLine]) -> bespeak.GivenPass:
    """All but the last look had no pass."""
    assert len(looks) > 1
    assert [one.given for one in looks[:-1]] == [None] * (len(looks) - 1)
    given = looks[-1].given
    assert given is not None
    return given


async def test_who_stops_waiting_leaves_nothing_behind(
    place: Place, rooms: tuple[WaitingRoom, WaitingRoom, Resource]
) -> None:
    room, looks = rooms[0], asyncio.Queue[InLine]()
    async with Client(place.url, place.key) as client:

        async def wait() -> None:
            async for look in client.wait_in_line(room.id, owner="dora"):
                looks.put_nowait(look)

        waiting = asyncio.create_task(wait())
        seen = await looks.get()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert (seen.now.phase, seen.place.turn, seen.given) == ("early", "early", None)
        after = await client.get_waiting_room(room.id)
        assert (after.let_in, after.inside) == (0, 0)
        with pytest.raises(bespeak.NotYourTurn):  # a last look, once the time is over
            async for _ in client.wait_in_line(
                room.id, queue_token=seen.queue_token, owner="dora", seconds=0
            ):
                pass
