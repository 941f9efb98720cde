"""How each refusal of waiting rooms comes about."""

from __future__ import annotations

import base64
from datetime import datetime

from bespeak.admission import turn_mails
from bespeak.admission.forms import TAKEN_BACK_MAX
from bespeak.admission.invite_codes import InviteCode
from bespeak.admission.invites import NewInviteBatch, make_batch, revoke_batch
from tests.http.api import Json, Request, document
from tests.http.scenarios import Stage, refuses
from tests.http.waiting import ALL, come_in, join, room_for, steer

NO_ROOM = "wrm_000000000000"
ONE = f"{ALL}/{{waiting_room_id}}"
MAKE, LIST, READ, CHANGE = f"POST {ALL}", f"GET {ALL}", f"GET {ONE}", f"PATCH {ONE}"
NOW, JOIN, PLACE = f"GET {ONE}/now", f"POST {ONE}/queue-tokens", f"GET {ONE}/place"
COME, LEAVE = f"POST {ONE}/passes", f"DELETE {ONE}/passes"
AUDIT = f"GET {ONE}/audit"
MAIL, NO_MAIL = f"PUT {ONE}/turn-mail", f"DELETE {ONE}/turn-mail"
TOKEN = "A" * 56


def making(stage: Stage, **fields: object) -> Request:
    body: Json = {
        "name": "Premiere",
        "resources": [stage.show.id],
        "opens_at": "2030-01-02T09:00:00Z",
        **fields,
    }
    return Request("POST", ALL, body, key="ak")


def asking(stage: Stage, room: object, owner: str = "asha", token: str = TOKEN) -> Request:
    body = {"queue_token": token}
    headers = {"Bespeak-Shopper": stage.api.token(owner)}
    return Request("POST", f"{ALL}/{room}/passes", body, "pk", headers)


async def called(stage: Stage, grace_seconds: int = 120) -> tuple[Json, str]:
    """A room that has opened, and the token of somebody who has been called."""
    room = await room_for(stage.api, stage.show, grace_seconds=grace_seconds)
    token = await join(stage.api, room)
    for _ in range(3):
        await stage.clock.advance(2)
        await steer(stage.api)
    return room, token


@refuses(MAKE, "invalid_id", kind="res")
async def before_no_id(stage: Stage) -> Request:
    return making(stage, resources=["r-1"])


@refuses(MAKE, "resource_not_found", resource_id="res_zzzzzzzz")
async def before_nothing(stage: Stage) -> Request:
    return making(stage, resources=["res_zzzzzzzz"])


@refuses(MAKE, "resource_in_waiting_room", field="resources")
async def before_what_is_behind_another(stage: Stage) -> Request:
    await room_for(stage.api, stage.show)
    return making(stage)


@refuses(MAKE, "invalid_request", field="early_opens_at")
async def a_queue_that_opens_after_the_sale(stage: Stage) -> Request:
    return making(stage, early_opens_at="2030-01-02T10:00:00Z")


@refuses(MAKE, "invalid_request", field="opens_at")
async def a_time_without_an_offset(stage: Stage) -> Request:
    return making(stage, opens_at="2030-01-02T09:00:00")


@refuses(MAKE, "invalid_request", field="queues")
async def two_queues_of_one_name(stage: Stage) -> Request:
    return making(stage, queues=[{"name": "general"}, {"name": "general"}])


@refuses(LIST, "invalid_cursor")
async def a_page_behind_nothing(_: Stage) -> Request:
    return Request("GET", f"{ALL}?after=x")


@refuses(LIST, "invalid_cursor")
async def a_page_behind_what_no_list_gave_out(_: Stage) -> Request:
    made_up = base64.urlsafe_b64encode(b'["2030-01-01T00:00:00Z","\\u0000"]').decode()
    return Request("GET", f"{ALL}?after={made_up}")


@refuses(READ, "waiting_room_not_found")
async def what_is_no_id(_: Stage) -> Request:
    return Request("GET", f"{ALL}/wrm_%00")


@refuses(CHANGE, "waiting_room_not_found")
async def a_change_of_what_is_no_id(_: Stage) -> Request:
    return Request("PATCH", f"{ALL}/wrm_%00", {"name": "Other"}, key="ak")


@refuses(JOIN, "invalid_request", field="owner")
async def joining_for_what_is_no_owner(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show)
    return Request("POST", f"{ALL}/{room['id']}/queue-tokens", {"owner": "a\x00"}, "sk")


@refuses(COME, "invalid_request", field="owner")
async def coming_for_what_is_no_owner(stage: Stage) -> Request:
    room, token = await called(stage)
    body = {"queue_token": token, "owner": "a\x00"}
    return Request("POST", f"{ALL}/{room['id']}/passes", body, "sk")


@refuses(READ, "waiting_room_not_found")
async def no_room(_: Stage) -> Request:
    return Request("GET", f"{ALL}/{NO_ROOM}")


@refuses(CHANGE, "waiting_room_not_found")
async def a_change_of_no_room(_: Stage) -> Request:
    return Request("PATCH", f"{ALL}/{NO_ROOM}", {"name": "Other"}, key="ak")


@refuses(CHANGE, "version_mismatch")
async def a_change_of_what_was_changed(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show)
    return Request("PATCH", f"{ALL}/{room['id']}", {"version": 99, "name": "O"}, key="ak")


@refuses(MAKE, "invalid_request", field="early_opens_at")
async def a_queue_that_opens_at_a_time_without_an_offset(stage: Stage) -> Request:
    return making(stage, early_opens_at="2030-01-01T12:00:00")


@refuses(CHANGE, "invalid_request", field="opens_at")
async def a_change_to_a_time_without_an_offset(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show, opens_in=600)
    return Request("PATCH", f"{ALL}/{room['id']}", {"opens_at": "2030-01-02T09:00:00"}, key="ak")


@refuses(CHANGE, "invalid_request", field="early_opens_at")
async def a_queue_moved_to_a_time_without_an_offset(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show, opens_in=600)
    body = {"early_opens_at": "2030-01-01T12:00:00"}
    return Request("PATCH", f"{ALL}/{room['id']}", body, key="ak")


@refuses(CHANGE, "invalid_request", field="opens_at")
async def an_opening_taken_back_to_a_time_without_an_offset(stage: Stage) -> Request:
    room, _ = await called(stage)
    body = {"state": "scheduled", "opens_at": "2030-01-02T09:00:00"}
    return Request("PATCH", f"{ALL}/{room['id']}", body, key="ak")


@refuses(CHANGE, "invalid_request", field="state")
async def a_pause_before_the_opening(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show, opens_in=600)
    return Request("PATCH", f"{ALL}/{room['id']}", {"state": "paused"}, key="ak")


@refuses(CHANGE, "invalid_id", kind="res")
async def moved_before_no_id(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show, opens_in=60)
    return Request("PATCH", f"{ALL}/{room['id']}", {"resources": ["r-1"]}, key="ak")


@refuses(CHANGE, "resource_not_found", resource_id="res_zzzzzzzz")
async def moved_before_nothing(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show, opens_in=60)
    body = {"resources": [stage.show.id, "res_zzzzzzzz"]}
    return Request("PATCH", f"{ALL}/{room['id']}", body, key="ak")


@refuses(CHANGE, "resource_in_waiting_room", field="resources")
async def moved_before_what_is_behind_another(stage: Stage) -> Request:
    await room_for(stage.api, stage.show)
    free = await stage.make_show(name="Late show")
    room = await room_for(stage.api, free, opens_in=60)
    body = {"resources": [free.id, stage.show.id]}
    return Request("PATCH", f"{ALL}/{room['id']}", body, key="ak")


@refuses(CHANGE, "waiting_room_opened")
async def moved_after_the_opening(stage: Stage) -> Request:
    room, _ = await called(stage)
    return Request("PATCH", f"{ALL}/{room['id']}", {"resources": [stage.show.id]}, key="ak")


@refuses(CHANGE, "waiting_room_opened")
async def another_order_after_the_opening(stage: Stage) -> Request:
    room, _ = await called(stage)
    return Request("PATCH", f"{ALL}/{room['id']}", {"early_order": "shuffle"}, key="ak")


@refuses(CHANGE, "waiting_room_passes_given")
async def an_opening_that_let_somebody_in(stage: Stage) -> Request:
    room, token = await called(stage)
    await come_in(stage.api, room, token)
    body = {"state": "scheduled", "opens_at": "2030-01-02T09:00:00Z"}
    return Request("PATCH", f"{ALL}/{room['id']}", body, key="ak")


@refuses(CHANGE, "public_value_stands")
async def a_public_value_once_people_can_join(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show, opens_in=600)
    return Request("PATCH", f"{ALL}/{room['id']}", {"public_value": "mine"}, key="ak")


@refuses(CHANGE, "early_order_stands")
async def another_order_once_people_can_join(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show, opens_in=600)
    return Request("PATCH", f"{ALL}/{room['id']}", {"early_order": "shuffle"}, key="ak")


@refuses(CHANGE, "openings_taken_back", limit=TAKEN_BACK_MAX)
async def an_opening_after_so_many_that_were_taken_back(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show, opens_in=600)
    back = {"state": "scheduled", "opens_at": "2030-01-02T09:00:00Z"}
    for _ in range(TAKEN_BACK_MAX):
        for body in ({"state": "open"}, back):
            await stage.api.ask("PATCH", f"{ALL}/{room['id']}", body, key="ak")
    await stage.api.ask("PATCH", f"{ALL}/{room['id']}", {"state": "open"}, key="ak")
    return Request("PATCH", f"{ALL}/{room['id']}", back, key="ak")


@refuses(NOW, "waiting_room_not_found")
async def how_no_room_stands(_: Stage) -> Request:
    return Request("GET", f"{ALL}/{NO_ROOM}/now", key=None)


@refuses(JOIN, "waiting_room_not_found")
async def joining_no_room(stage: Stage) -> Request:
    headers = {"Bespeak-Shopper": stage.api.token()}
    return Request("POST", f"{ALL}/{NO_ROOM}/queue-tokens", {}, "pk", headers)


@refuses(JOIN, "waiting_room_closed")
async def joining_too_early(stage: Stage) -> Request:
    early = (stage.clock.now.replace(year=stage.clock.now.year + 1)).isoformat()
    room = await room_for(stage.api, stage.show, opens_in=366 * 86_400, early_opens_at=early)
    headers = {"Bespeak-Shopper": stage.api.token()}
    return Request("POST", f"{ALL}/{room['id']}/queue-tokens", {}, "pk", headers)


@refuses(JOIN, "waiting_room_draining")
async def joining_what_is_drained(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show)
    path = f"{ALL}/{room['id']}"
    document(await stage.api.ask("PATCH", path, {"draining": True}, key="ak"), 200)
    await stage.api.service.waiting_rooms.board.look()
    headers = {"Bespeak-Shopper": stage.api.token()}
    return Request("POST", f"{path}/queue-tokens", {}, "pk", headers)


@refuses(JOIN, "challenge_required", budget="joins")
async def joining_without_a_challenge(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show, challenge="always")
    stage.monkeypatch.setattr(stage.api.service.budgets, "mode", "on")
    headers = {"Bespeak-Shopper": stage.api.token()}
    return Request("POST", f"{ALL}/{room['id']}/queue-tokens", {}, "pk", headers)


@refuses(JOIN, "invalid_request", field="queue")
async def joining_no_queue(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show)
    headers = {"Bespeak-Shopper": stage.api.token()}
    return Request("POST", f"{ALL}/{room['id']}/queue-tokens", {"queue": "vip"}, "pk", headers)


@refuses(JOIN, "not_owner")
async def joining_for_somebody_else(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show)
    headers = {"Bespeak-Shopper": stage.api.token()}
    return Request("POST", f"{ALL}/{room['id']}/queue-tokens", {"owner": "ben"}, "pk", headers)


@refuses(PLACE, "waiting_room_not_found")
async def a_place_in_no_room(_: Stage) -> Request:
    return Request("GET", f"{ALL}/{NO_ROOM}/place?queue_token={TOKEN}", key=None)


@refuses(PLACE, "queue_token_invalid")
async def a_place_by_no_token(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show)
    return Request("GET", f"{ALL}/{room['id']}/place?queue_token={TOKEN}", key=None)


@refuses(COME, "waiting_room_not_found")
async def coming_into_no_room(stage: Stage) -> Request:
    return asking(stage, NO_ROOM)


@refuses(COME, "queue_token_invalid")
async def coming_by_no_token(stage: Stage) -> Request:
    return asking(stage, (await room_for(stage.api, stage.show))["id"])


@refuses(COME, "not_your_turn")
async def coming_before_the_sale(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show, opens_in=600)
    return asking(stage, room["id"], token=await join(stage.api, room))


@refuses(COME, "turn_lost", grace_seconds=10)
async def coming_too_late(stage: Stage) -> Request:
    room, token = await called(stage, grace_seconds=10)
    for _ in range(4):
        await stage.clock.advance(4)
        await steer(stage.api)
    return asking(stage, room["id"], token=token)


@refuses(COME, "pass_ended", ended_as="taken")
async def coming_by_the_token_of_who_is_inside(stage: Stage) -> Request:
    room, token = await called(stage)
    await come_in(stage.api, room, token)
    return asking(stage, room["id"], "ben", token)


@refuses(COME, "not_owner")
async def coming_for_somebody_else(stage: Stage) -> Request:
    room, token = await called(stage)
    asked = asking(stage, room["id"], token=token)
    return Request(
        asked.method, asked.path, {"queue_token": token, "owner": "ben"}, "pk", asked.headers
    )


@refuses(COME, "waiting_room_closed")
async def coming_when_it_is_over(stage: Stage) -> Request:
    room, token = await called(stage)
    path = f"{ALL}/{room['id']}"
    document(await stage.api.ask("PATCH", path, {"state": "ended"}, key="ak"), 200)
    await stage.api.service.waiting_rooms.board.look()
    return asking(stage, room["id"], token=token)


@refuses(LEAVE, "waiting_room_not_found")
async def leaving_no_room(stage: Stage) -> Request:
    headers = {"Bespeak-Shopper": stage.api.token()}
    return Request("DELETE", f"{ALL}/{NO_ROOM}/passes?queue_token={TOKEN}", None, "pk", headers)


@refuses(LEAVE, "queue_token_invalid")
async def leaving_by_no_token(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show)
    headers = {"Bespeak-Shopper": stage.api.token()}
    path = f"{ALL}/{room['id']}/passes?queue_token={TOKEN}"
    return Request("DELETE", path, None, "pk", headers)


def mailing(stage: Stage, room: object, token: str, **fields: object) -> Request:
    """A shopper who wants to be written to."""
    body = {"queue_token": token, "email": "asha@example.com", **fields}
    headers = {"Bespeak-Shopper": stage.api.token()}
    return Request("PUT", f"{ALL}/{room}/turn-mail", body, "pk", headers)


@refuses(MAIL, "waiting_room_not_found")
async def a_mail_of_no_room(stage: Stage) -> Request:
    return mailing(stage, NO_ROOM, TOKEN)


@refuses(MAIL, "queue_token_invalid")
async def a_mail_by_no_token(stage: Stage) -> Request:
    return mailing(stage, (await room_for(stage.api, stage.show))["id"], TOKEN)


@refuses(MAIL, "not_owner")
async def a_mail_for_somebody_else(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show)
    return mailing(stage, room["id"], await join(stage.api, room), owner="ben")


@refuses(MAIL, "invalid_request", field="email")
async def a_mail_to_what_is_no_address(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show)
    token = await join(stage.api, room)
    return mailing(stage, room["id"], token, email="asha@example.com\u2028")


@refuses(MAIL, "turn_lost", grace_seconds=10)
async def a_mail_about_a_turn_that_is_over(stage: Stage) -> Request:
    room, token = await called(stage, grace_seconds=10)
    for _ in range(4):
        await stage.clock.advance(4)
        await steer(stage.api)
    return mailing(stage, room["id"], token)


@refuses(MAIL, "pass_ended", ended_as="left")
async def a_mail_about_a_place_that_was_given_up(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show, opens_in=600)
    token = await join(stage.api, room)
    path = f"{ALL}/{room['id']}/passes?queue_token={token}"
    left = await stage.api.ask("DELETE", path, key="pk", bespeak_shopper=stage.api.token())
    assert left.status_code == 204
    return mailing(stage, room["id"], token)


@refuses(MAIL, "waiting_room_closed")
async def a_mail_of_a_room_that_has_ended(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show, opens_in=600)
    token = await join(stage.api, room)
    path = f"{ALL}/{room['id']}"
    document(await stage.api.ask("PATCH", path, {"state": "ended"}, key="ak"), 200)
    return mailing(stage, room["id"], token)


@refuses(MAIL, "turn_mails_too_many")
async def a_mail_of_a_room_that_is_full_of_them(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show, opens_in=600)
    stage.monkeypatch.setattr(turn_mails, "SHARE_MAX", 0)
    return mailing(stage, room["id"], await join(stage.api, room))


@refuses(NO_MAIL, "waiting_room_not_found")
async def no_mail_of_no_room(stage: Stage) -> Request:
    headers = {"Bespeak-Shopper": stage.api.token()}
    return Request("DELETE", f"{ALL}/{NO_ROOM}/turn-mail?queue_token={TOKEN}", None, "pk", headers)


@refuses(NO_MAIL, "queue_token_invalid")
async def no_mail_by_no_token(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show)
    headers = {"Bespeak-Shopper": stage.api.token()}
    return Request(
        "DELETE", f"{ALL}/{room['id']}/turn-mail?queue_token={TOKEN}", None, "pk", headers
    )


async def buying(stage: Stage, path: str) -> Request:
    """A call about what is behind a waiting room."""
    await room_for(stage.api, stage.show)
    headers = {"Bespeak-Shopper": stage.api.token()}
    body = {"lines": [{"resource_id": stage.show.id, "unit": "A1"}]}
    return Request("POST", path, body, "pk", headers)


@refuses("POST /v1/holds", "pass_required")
async def a_hold_without_a_pass(stage: Stage) -> Request:
    return await buying(stage, "/v1/holds")


@refuses("POST /v1/quotes", "pass_required")
async def a_quote_without_a_pass(stage: Stage) -> Request:
    return await buying(stage, "/v1/quotes")


@refuses("POST /v1/holds", "pass_invalid")
async def a_hold_by_a_pass_that_is_none(stage: Stage) -> Request:
    asked = await buying(stage, "/v1/holds")
    headers = {**asked.headers, "Bespeak-Pass": "x"}
    return Request("POST", asked.path, asked.body, "pk", headers)


@refuses("POST /v1/quotes", "pass_invalid")
async def a_quote_by_a_pass_that_is_none(stage: Stage) -> Request:
    asked = await buying(stage, "/v1/quotes")
    headers = {**asked.headers, "Bespeak-Pass": "x"}
    return Request("POST", asked.path, asked.body, "pk", headers)


async def by_code(stage: Stage, *, serial: int = 1, until: datetime | None = None) -> Request:
    """Somebody who joins with a code of a batch of one."""
    api = stage.api
    room = await room_for(api, stage.show, queues=[{"name": "club", "share": 100}])
    new = NewInviteBatch(queue="club", name="Fans", codes=1, until=until)
    async with api.service.engine.database.borrow() as connection:
        await make_batch(connection, str(room["id"]), new, None)
    code = api.service.waiting_rooms.invite_codes.make(str(room["id"]), InviteCode(1, serial))
    headers = {"Bespeak-Shopper": api.token("asha")}
    return Request("POST", f"{ALL}/{room['id']}/queue-tokens", {"code": code}, "pk", headers)


@refuses(JOIN, "invite_code_mistyped", field="code")
async def joining_by_a_slip(stage: Stage) -> Request:
    asked = await by_code(stage)
    return Request(asked.method, asked.path, {"code": "0" * 12}, "pk", asked.headers)


@refuses(JOIN, "invite_code_unknown", field="code")
async def joining_by_a_code_that_was_not_made(stage: Stage) -> Request:
    return await by_code(stage, serial=2)


@refuses(JOIN, "invite_code_expired", field="code")
async def joining_by_a_code_that_is_over(stage: Stage) -> Request:
    return await by_code(stage, until=stage.clock.now)


@refuses(JOIN, "invite_code_revoked", field="code")
async def joining_by_a_code_that_was_revoked(stage: Stage) -> Request:
    asked = await by_code(stage)
    async with stage.api.service.engine.database.borrow() as connection:
        await revoke_batch(connection, asked.path.split("/")[3], 1, None)
    return asked


@refuses(JOIN, "invite_code_used_up", persons=1)
async def joining_by_a_code_that_another_has_used(stage: Stage) -> Request:
    asked = await by_code(stage)
    ben = stage.api.token("ben")
    first = await stage.api.ask("POST", asked.path, asked.body, key="pk", bespeak_shopper=ben)
    document(first, 201)
    return asked


@refuses(AUDIT, "waiting_room_not_found")
async def the_audit_of_no_room(_: Stage) -> Request:
    return Request("GET", f"{ALL}/{NO_ROOM}/audit", key="ak")


@refuses(AUDIT, "invalid_cursor")
async def an_audit_after_nothing(stage: Stage) -> Request:
    room = await room_for(stage.api, stage.show)
    return Request("GET", f"{ALL}/{room['id']}/audit?after=x", key="ak")
