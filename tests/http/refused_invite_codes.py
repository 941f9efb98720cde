"""How each refusal of the operators' calls of invitation codes comes about."""

from __future__ import annotations

from bespeak.admission.invite_codes import BATCHES_MAX, InviteCode
from tests.http.api import Json, Request, document
from tests.http.refused_waiting_rooms import NO_ROOM
from tests.http.scenarios import Stage, refuses
from tests.http.waiting import ALL, room_for

ONE_ROOM = f"{ALL}/{{waiting_room_id}}"
BATCHES = f"{ONE_ROOM}/invite-batches"
BATCH, CODES = f"{BATCHES}/{{batch}}", f"{BATCHES}/{{batch}}/codes"
MAKE, LIST, READ = f"POST {BATCHES}", f"GET {BATCHES}", f"GET {BATCH}"
REVOKE, WRITE_OUT = f"DELETE {BATCH}", f"GET {CODES}"
REVOKE_ONE, LOOK_UP = f"DELETE {CODES}/{{serial}}", f"POST {ONE_ROOM}/invite-codes/look-up"
FANS: Json = {"queue": "general", "name": "Fans", "codes": 1}


async def of_room(
    stage: Stage, method: str, path: str, body: Json | None = None, *, codes: int = 0
) -> Request:
    """A call about a room, which has a batch of so many codes."""
    room = await room_for(stage.api, stage.show)
    if codes:
        whole = f"{ALL}/{room['id']}/invite-batches"
        document(await stage.api.ask("POST", whole, FANS | {"codes": codes}, key="ak"), 201)
    return Request(method, f"{ALL}/{room['id']}/{path}", body, "ak")


def of_none(method: str, path: str, body: Json | None = None) -> Request:
    return Request(method, f"{ALL}/{NO_ROOM}/{path}", body, "ak")


@refuses(MAKE, "waiting_room_not_found")
async def codes_for_no_room(_: Stage) -> Request:
    return of_none("POST", "invite-batches", FANS)


@refuses(MAKE, "invalid_request", field="queue")
async def codes_for_no_queue(stage: Stage) -> Request:
    return await of_room(stage, "POST", "invite-batches", FANS | {"queue": "vip"})


@refuses(MAKE, "invalid_request", field="until")
async def codes_until_a_time_without_an_offset(stage: Stage) -> Request:
    return await of_room(stage, "POST", "invite-batches", FANS | {"until": "2030-01-02T09:00:00"})


@refuses(MAKE, "invalid_request", field="codes")
async def more_codes_than_a_batch_has(stage: Stage) -> Request:
    return await of_room(stage, "POST", "invite-batches", FANS | {"codes": 100_001})


@refuses(MAKE, "invalid_request", field="name")
async def codes_for_a_name_with_a_zero_byte(stage: Stage) -> Request:
    return await of_room(stage, "POST", "invite-batches", FANS | {"name": "Fans\x00"})


@refuses(MAKE, "waiting_room_closed")
async def codes_for_a_room_that_has_ended(stage: Stage) -> Request:
    asked = await of_room(stage, "POST", "invite-batches", FANS)
    ended = await stage.api.ask("PATCH", asked.path[:-15], {"state": "ended"}, key="ak")
    document(ended, 200)
    return asked


@refuses(MAKE, "invite_batches_too_many", limit=BATCHES_MAX)
async def one_batch_too_many(stage: Stage) -> Request:
    asked = await of_room(stage, "POST", "invite-batches", FANS)
    await stage.api.connection.execute(
        """insert into bespeak.waiting_invite_batch
            (room_id, batch, queue, name, codes, persons, made_at)
        values ($1, $2, 0, 'Fans', 1, 1, bespeak.now())""",
        asked.path.split("/")[3],
        BATCHES_MAX,
    )
    return asked


@refuses(LIST, "waiting_room_not_found")
async def batches_of_no_room(_: Stage) -> Request:
    return of_none("GET", "invite-batches")


@refuses(READ, "waiting_room_not_found")
async def a_batch_of_no_room(_: Stage) -> Request:
    return of_none("GET", "invite-batches/1")


@refuses(READ, "invite_batch_not_found", batch=2)
async def a_batch_that_was_not_made(stage: Stage) -> Request:
    return await of_room(stage, "GET", "invite-batches/2", codes=1)


@refuses(READ, "invite_batch_not_found")
async def a_batch_whose_number_is_none(stage: Stage) -> Request:
    return await of_room(stage, "GET", "invite-batches/1e0", codes=1)


@refuses(REVOKE, "waiting_room_not_found")
async def revoking_in_no_room(_: Stage) -> Request:
    return of_none("DELETE", "invite-batches/1")


@refuses(REVOKE, "invite_batch_not_found", batch=1)
async def revoking_no_batch(stage: Stage) -> Request:
    return await of_room(stage, "DELETE", "invite-batches/1")


@refuses(WRITE_OUT, "waiting_room_not_found")
async def codes_of_no_room(_: Stage) -> Request:
    return of_none("GET", "invite-batches/1/codes")


@refuses(WRITE_OUT, "invite_batch_not_found", batch=201)
async def codes_of_no_batch(stage: Stage) -> Request:
    return await of_room(stage, "GET", "invite-batches/201/codes", codes=1)


@refuses(WRITE_OUT, "invalid_cursor")
async def codes_behind_nothing(stage: Stage) -> Request:
    return await of_room(stage, "GET", "invite-batches/1/codes?after=x", codes=1)


@refuses(REVOKE_ONE, "waiting_room_not_found")
async def revoking_a_code_of_no_room(_: Stage) -> Request:
    return of_none("DELETE", "invite-batches/1/codes/1")


@refuses(REVOKE_ONE, "invite_batch_not_found", batch=1)
async def revoking_a_code_of_no_batch(stage: Stage) -> Request:
    return await of_room(stage, "DELETE", "invite-batches/1/codes/1")


@refuses(REVOKE_ONE, "invite_code_unknown", field="serial")
async def revoking_a_code_beyond_its_batch(stage: Stage) -> Request:
    return await of_room(stage, "DELETE", "invite-batches/1/codes/3", codes=2)


@refuses(LOOK_UP, "waiting_room_not_found")
async def looking_up_in_no_room(stage: Stage) -> Request:
    code = stage.api.service.waiting_rooms.invite_codes.make(NO_ROOM, InviteCode(1, 1))
    return of_none("POST", "invite-codes/look-up", {"code": code})


@refuses(LOOK_UP, "invite_code_mistyped", field="code")
async def looking_up_a_slip(stage: Stage) -> Request:
    return await of_room(stage, "POST", "invite-codes/look-up", {"code": "abc"})


@refuses(LOOK_UP, "invite_code_unknown", field="code")
async def looking_up_what_was_not_made(stage: Stage) -> Request:
    asked = await of_room(stage, "POST", "invite-codes/look-up", codes=1)
    room = asked.path.split("/")[3]
    code = stage.api.service.waiting_rooms.invite_codes.make(room, InviteCode(1, 2))
    return Request("POST", asked.path, {"code": code}, "ak")


@refuses(LOOK_UP, "invalid_request", field="code")
async def looking_up_nothing(stage: Stage) -> Request:
    return await of_room(stage, "POST", "invite-codes/look-up", {"code": ""})
