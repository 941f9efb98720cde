"""Operators make, write out, look up and revoke invitation codes by calls, and nobody else does;
a code is in no log, and in no answer that is kept.
"""

from __future__ import annotations

import csv
import json
from io import StringIO

import httpx
import pytest

from bespeak import Resource
from bespeak.admission.audit import audit_lines
from bespeak.admission.invite_codes import InviteCode
from tests.http.api import Api, Json, document, problem
from tests.http.test_waiting_room_codes import QUEUES
from tests.http.waiting import ALL, join, room_for
from tests.http.workspaces import found_acme

FANS: Json = {"queue": "club", "name": "Fans", "codes": 3}
MADE: Json = {"batch": 1, **FANS, "persons": 1, "until": None, "revoked_at": None, "used": 0}


async def club(api: Api, show: Resource, **fields: object) -> tuple[str, Json]:
    """The path of a room with a queue by invitation, and a batch of codes for it."""
    room = await room_for(api, show, queues=QUEUES)
    path = f"{ALL}/{room['id']}"
    made = await api.ask("POST", f"{path}/invite-batches", FANS | fields, key="ak")
    return path, document(made, 201)


async def ask(api: Api, method: str, path: str, body: Json | None = None) -> Json:
    return document(await api.ask(method, path, body, key="ak"), 200)


def codes_of(answer: Json) -> list[Json]:
    items = answer["items"]
    assert isinstance(items, list)
    return items


def not_kept(answer: httpx.Response) -> bool:
    return "no-store" in answer.headers["cache-control"]


async def test_a_batch_is_made_listed_and_written_out(api: Api, show: Resource) -> None:
    path, made = await club(api, show)
    assert {**made, "made_at": None} == {**MADE, "made_at": None}
    assert await ask(api, "GET", f"{path}/invite-batches") == {"items": [made], "next": None}
    assert await ask(api, "GET", f"{path}/invite-batches/1") == made
    first = await ask(api, "GET", f"{path}/invite-batches/1/codes?limit=2")
    assert first["next"] == "2"
    second = await ask(api, "GET", f"{path}/invite-batches/1/codes?limit=2&after=2")
    assert second["next"] is None
    codes = [*codes_of(first), *codes_of(second)]
    assert [one["serial"] for one in codes] == [1, 2, 3]
    # What was written out lets people in.
    room: Json = {"id": path.split("/")[-1]}
    await join(api, room, code=codes[1]["code"])
    assert (await ask(api, "GET", f"{path}/invite-batches/1"))["used"] == 1
    again = codes_of(await ask(api, "GET", f"{path}/invite-batches/1/codes"))
    assert [one["used"] for one in again] == [0, 1, 0]


async def test_codes_come_as_a_file_and_are_not_kept(api: Api, show: Resource) -> None:
    path, _ = await club(api, show, codes=10_001)
    page = await api.ask("GET", f"{path}/invite-batches/1/codes", key="ak")
    assert not_kept(page)
    whole = f"{path}/invite-batches/1/codes?format=csv"
    answer = await api.ask("GET", whole, key="ak")
    assert answer.headers["content-type"].startswith("text/csv")
    assert 'filename="invitation-codes-1.csv"' in answer.headers["content-disposition"]
    assert not_kept(answer)
    head, *rows = csv.reader(StringIO(answer.text.removeprefix("\ufeff")))
    assert head == ["serial", "code", "used", "revoked at"]
    assert len(rows) == 10_000
    rest = await api.ask("GET", f"{whole}&after={answer.headers['bespeak-next']}", key="ak")
    assert "bespeak-next" not in rest.headers
    (_, last) = csv.reader(StringIO(rest.text.removeprefix("\ufeff")))
    assert last[0] == "10001"
    read = api.service.waiting_rooms.invite_codes.read(path.split("/")[-1], last[1])
    assert read == InviteCode(1, 10_001)


async def test_a_lost_answer_makes_no_second_batch(api: Api, show: Resource) -> None:
    path, _ = await club(api, show)
    path = f"{path}/invite-batches"
    first = await api.ask("POST", path, FANS, key="ak", idempotency_key="letters")
    again = await api.ask("POST", path, FANS, key="ak", idempotency_key="letters")
    assert document(again, 201) == document(first, 201)
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    assert len(codes_of(await ask(api, "GET", path))) == 2


async def test_a_batch_and_a_code_are_revoked(api: Api, show: Resource) -> None:
    path, _ = await club(api, show)
    codes = codes_of(await ask(api, "GET", f"{path}/invite-batches/1/codes"))
    found = await ask(api, "POST", f"{path}/invite-codes/look-up", {"code": codes[1]["code"]})
    assert (found["batch"], found["serial"], found["queue"]) == (1, 2, "club")
    revoked = await ask(api, "DELETE", f"{path}/invite-batches/1/codes/{found['serial']}")
    assert revoked["revoked_at"] is not None
    assert await ask(api, "DELETE", f"{path}/invite-batches/1/codes/2") == revoked, "again"
    tokens = f"{path}/queue-tokens"
    asha = api.token("asha")
    body: Json = {"code": codes[1]["code"]}
    answer = await api.ask("POST", tokens, body, key="pk", bespeak_shopper=asha)
    problem(answer, "invite_code_revoked")
    batch = await ask(api, "DELETE", f"{path}/invite-batches/1")
    assert batch["revoked_at"] is not None
    assert await ask(api, "DELETE", f"{path}/invite-batches/1") == batch
    body = {"code": codes[0]["code"]}
    answer = await api.ask("POST", tokens, body, key="pk", bespeak_shopper=asha)
    problem(answer, "invite_code_revoked")


async def test_the_audits_say_who_did_it_and_have_no_code(
    api: Api, show: Resource, capfd: pytest.CaptureFixture[str]
) -> None:
    path, _ = await club(api, show)
    codes = codes_of(await ask(api, "GET", f"{path}/invite-batches/1/codes"))
    await ask(api, "POST", f"{path}/invite-codes/look-up", {"code": codes[0]["code"]})
    await ask(api, "DELETE", f"{path}/invite-batches/1/codes/2")
    await ask(api, "DELETE", f"{path}/invite-batches/1")
    listed = codes_of(await ask(api, "GET", "/v1/keys"))
    actor = next(one["id"] for one in listed if api.keys["ak"].endswith(str(one["ending"])))
    async with api.service.engine.database.borrow() as connection:
        lines = [line async for line in audit_lines(connection, path.split("/")[-1])]
    changes = [one for line in lines if (one := json.loads(line))["line"] == "change"]
    assert [one["actor"] for one in changes] == [actor] * 4
    assert [next(iter(one["changed"])) for one in changes[1:]] == [
        *("invite_batch_made", "invite_code_revoked", "invite_batch_revoked")
    ]
    log = await api.ask("GET", "/v1/audit-log?limit=100", key="ak")
    entries = codes_of(document(log, 200))
    asked = [one["action"] for one in entries if one["outcome"] == "asked"]
    assert asked[:5] == [
        *("revoke_invite_batch", "revoke_invite_code", "look_up_invite_code"),
        *("list_invite_codes", "make_invite_batch"),
    ]
    out, err = capfd.readouterr()
    for one in codes:
        code = str(one["code"])
        assert code.encode() not in b"".join(lines)
        assert all(code not in text for text in (log.text, out, err))


@pytest.mark.parametrize("key", ["sk", "pk"])
async def test_codes_are_for_who_steers_the_room(api: Api, show: Resource, key: str) -> None:
    path, _ = await club(api, show)
    for method, one, body in (
        ("GET", "invite-batches/1/codes", None),
        ("GET", "invite-batches/1/codes?format=csv", None),
        ("POST", "invite-batches", FANS),
        ("DELETE", "invite-batches/1", None),
        ("DELETE", "invite-batches/1/codes/1", None),
        ("POST", "invite-codes/look-up", {"code": "x"}),
    ):
        problem(await api.ask(method, f"{path}/{one}", body, key=key), "key_kind_wrong")


async def test_another_workspace_is_told_of_nothing(api: Api, show: Resource) -> None:
    path, made = await club(api, show)
    await found_acme(api)
    for method, one, body in (
        ("GET", "invite-batches", None),
        ("GET", "invite-batches/1", None),
        ("GET", "invite-batches/1/codes", None),
        ("POST", "invite-batches", FANS),
        ("DELETE", "invite-batches/1", None),
        ("DELETE", "invite-batches/1/codes/1", None),
    ):
        answer = await api.ask(method, f"{path}/{one}", body, key="acme ak")
        problem(answer, "waiting_room_not_found")
    code = api.service.waiting_rooms.invite_codes.make(path.split("/")[-1], InviteCode(1, 1))
    looked = await api.ask("POST", f"{path}/invite-codes/look-up", {"code": code}, key="acme ak")
    problem(looked, "waiting_room_not_found")
    assert await ask(api, "GET", f"{path}/invite-batches/1") == made
