"""What a waiting room is in front of, changed until it opens."""

from __future__ import annotations

from datetime import timedelta

import pytest

import bespeak
from bespeak.admission.errors import ResourceInWaitingRoom, WaitingRoomOpened
from bespeak.admission.forms import NewWaitingRoom
from bespeak.admission.rooms import change_room, make_room, read_room
from bespeak.errors import InvalidRequest, ResourceNotFound
from bespeak.ids import parse_resource
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.shows import MakeShow
from tests.harness.waiting import Hall


async def test_until_the_opening_it_can_stand_before_others(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection, clock: Clock
) -> None:
    first, second, third = [await make_show(name=name) for name in ("One", "Two", "Three")]
    hall = Hall(engine, connection, clock)
    worker = await hall.open(first.id, second.id, pace="stock", early_order="first_come")
    token = worker.join("ada")
    await worker.look()
    before = hall.room.version
    changed = await hall.change(resources=(third.id, second.id, third.id), version=before)
    assert set(changed.resources) == {second.id, third.id}
    assert changed.version > before
    room = await worker.look()
    assert set(room.resources) == {parse_resource(one.id) for one in (second, third)}
    assert worker.place(token).place == 1, "who has joined stays"
    assert parse_resource(first.id) not in worker.board.behind

    # What it has let go can be behind another, and then not come back.
    opens_at = clock.now + timedelta(hours=1)
    wanted = NewWaitingRoom(name="Other", resources=(first.id,), opens_at=opens_at)
    other = await make_room(connection, wanted, None)
    with pytest.raises(ResourceInWaitingRoom) as refused:
        await hall.change(resources=(first.id, second.id), name="Not so")
    assert refused.value.data["resources"] == [first.id]
    with pytest.raises(ResourceNotFound):
        await hall.change(resources=(second.id, "res_zzzzzzzz"))
    still = await read_room(connection, hall.room.id, None)
    assert (still.name, set(still.resources)) == ("Premiere", {second.id, third.id}), "all or none"

    # One that has ended lets go, too; it is never in front of anything again.
    async def change_other(**fields: object) -> None:
        said = bespeak.ChangeWaitingRoom(**fields)  # type: ignore[arg-type]
        await change_room(connection, other.id, said, None)

    await change_other(state="ended")
    with pytest.raises(InvalidRequest):
        await change_other(resources=(first.id,))
    assert set((await hall.change(resources=(first.id,))).resources) == {first.id}

    # Said with the opening it is done before it; after that it stands, until that is taken back.
    both = await hall.change(resources=(first.id, third.id), state="open")
    assert (both.state, set(both.resources)) == ("open", {first.id, third.id})
    with pytest.raises(WaitingRoomOpened):
        await hall.change(resources=(second.id,))
    later = clock.now + timedelta(hours=1)
    back = await hall.change(state="scheduled", opens_at=later, resources=(second.id,))
    assert (back.state, set(back.resources)) == ("scheduled", {second.id})


async def test_a_program_steers_rooms_as_over_http(
    engine: bespeak.Engine, make_show: MakeShow, clock: Clock
) -> None:
    shows = [await make_show(name=name) for name in ("One", "Two")]
    rooms, opens_at = engine.waiting_rooms, clock.now + timedelta(hours=1)
    made = [
        await rooms.create(NewWaitingRoom(name=show.name, resources=(show.id,), opens_at=opens_at))
        for show in shows
    ]
    first = made[0].id
    assert await rooms.get(first) == made[0]
    for state in ("open", "paused", "open"):
        assert (await rooms.update(first, bespeak.ChangeWaitingRoom(state=state))).state == state
    with pytest.raises(WaitingRoomOpened):
        await rooms.update(first, bespeak.ChangeWaitingRoom(opens_at=opens_at))
    page = await rooms.list_page(limit=1)
    rest = await rooms.list_page(limit=1, after=page.next)
    assert sorted(one.id for one in (*page.items, *rest.items)) == sorted(one.id for one in made)
    assert rest.next is None
    with pytest.raises(bespeak.WaitingRoomNotFound):
        await rooms.get(first, workspace="elsewhere")
    too_many = NewWaitingRoom(name="x", resources=(shows[0].id,), opens_at=opens_at, a_minute=0)
    for wrong in (
        lambda: rooms.create(too_many),
        lambda: rooms.create({"name": "x"}),  # type: ignore[arg-type]
        lambda: rooms.update(first, bespeak.ChangeWaitingRoom(grace_seconds=1)),
        lambda: rooms.list_page(limit=101),
        lambda: rooms.list_page(after="?"),
        lambda: rooms.get(1),  # type: ignore[arg-type]
    ):
        with pytest.raises(InvalidRequest):
            await wrong()
