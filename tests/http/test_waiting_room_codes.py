"""Joining a queue with an invitation code, over HTTP."""

from __future__ import annotations

import msgspec

from bespeak import Resource
from bespeak.admission.invite_codes import InviteCode
from bespeak.admission.invites import NewInviteBatch, make_batch, revoke_batch
from bespeak.admission.told import PlaceNow, WaitingRoomNow
from tests.harness.clock import Clock
from tests.http.api import Api, Json, document, problem
from tests.http.test_metrics import values
from tests.http.waiting import ALL, come_in, join, room_for, steer

QUEUES = [{"name": "all", "share": 50}, {"name": "club", "share": 50, "invited": True}]


async def room_with_codes(api: Api, show: Resource, *, persons: int = 1) -> tuple[Json, str]:
    """A room with a queue by invitation, and a code for it."""
    room = await room_for(api, show, queues=QUEUES)
    new = NewInviteBatch(queue="club", name="Fans", codes=3, persons=persons)
    async with api.service.engine.database.borrow() as connection:
        await make_batch(connection, str(room["id"]), new, None)
    return room, api.service.waiting_rooms.invite_codes.make(str(room["id"]), InviteCode(1, 1))


async def joined(api: Api, room: Json) -> list[int]:
    """How many have joined each queue, as it is told."""
    await api.service.waiting_rooms.board.look()
    told = msgspec.convert(
        document(await api.ask("GET", f"{ALL}/{room['id']}/now"), 200), WaitingRoomNow
    )
    return [queue.joined for queue in told.queues]


async def test_a_shopper_joins_the_queue_of_the_code(api: Api, show: Resource) -> None:
    room, code = await room_with_codes(api, show)
    path = f"{ALL}/{room['id']}/queue-tokens"
    asha = api.token("asha")
    uninvited = await api.ask("POST", path, {"queue": "club"}, key="pk", bespeak_shopper=asha)
    problem(uninvited, "invalid_request", field="queue")
    typed = {"code": code.lower().replace("-", " ")}
    answer = document(await api.ask("POST", path, typed, key="pk", bespeak_shopper=asha), 201)
    assert msgspec.convert(answer["place"], PlaceNow).queue == "club"
    assert await joined(api, room) == [0, 1]


async def test_to_join_again_by_a_code_is_the_same_token_also_when_it_was_revoked(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    room, code = await room_with_codes(api, show)
    first = await join(api, room, code=code)
    await moved_clock.advance(5)
    assert await join(api, room, code=code) == first
    async with api.service.engine.database.borrow() as connection:
        await revoke_batch(connection, str(room["id"]), 1, None)
    assert await join(api, room, code=code) == first
    assert await joined(api, room) == [0, 1], "once"


async def test_a_code_says_which_queue_it_is(api: Api, show: Resource) -> None:
    room, code = await room_with_codes(api, show)
    body = {"code": code, "queue": "club"}
    path = f"{ALL}/{room['id']}/queue-tokens"
    answer = await api.ask("POST", path, body, key="pk", bespeak_shopper=api.token("asha"))
    problem(answer, "invalid_request", field="queue")


async def test_to_join_again_tells_when_it_was(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    room, code = await room_with_codes(api, show)
    path, body = f"{ALL}/{room['id']}/queue-tokens", {"code": code, "owner": "asha"}
    first = document(await api.ask("POST", path, body, key="sk"), 201)
    await moved_clock.advance(5)
    assert document(await api.ask("POST", path, body, key="sk"), 201) == first


async def test_a_server_joins_with_a_code_for_whom_it_says(api: Api, show: Resource) -> None:
    room, code = await room_with_codes(api, show)
    token = await join(api, room, owner="asha", code=code)
    path = f"{ALL}/{room['id']}/queue-tokens"
    answer = await api.ask("POST", path, {"code": code, "owner": "asha"}, key="sk")
    assert document(answer, 201)["queue_token"] == token


async def test_who_stands_in_two_queues_comes_in_once(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    room, code = await room_with_codes(api, show)
    tokens = [await join(api, room), await join(api, room, code=code)]
    for _ in range(3):
        await moved_clock.advance(2)
        await steer(api)
    for token in tokens:
        await come_in(api, room, token)
    told = document(await api.ask("GET", f"{ALL}/{room['id']}", key="ak"), 200)
    assert (told["let_in"], told["inside"]) == (1, 1)


async def test_what_came_of_codes_is_counted(api: Api, show: Resource) -> None:
    room, code = await room_with_codes(api, show)
    before = await values(api)
    for owner in ("asha", "asha", "ben"):
        token = api.token(owner)
        path = f"{ALL}/{room['id']}/queue-tokens"
        await api.ask("POST", path, {"code": code}, key="pk", bespeak_shopper=token)
    await api.ask("POST", path, {"code": "slip"}, key="pk", bespeak_shopper=token)
    after = await values(api)
    counted = {
        outcome: after[name] - before.get(name, 0)
        for outcome in ("joined", "again", "used_up", "mistyped")
        if (name := f'bespeak_waiting_room_codes_total{{outcome="{outcome}"}}') in after
    }
    assert counted == {"joined": 1, "again": 1, "used_up": 1, "mistyped": 1}
