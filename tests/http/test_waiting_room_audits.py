"""Operators read the audit of a waiting room by calls, in pages, and nobody else does."""

from __future__ import annotations

import pytest

from bespeak import Resource
from bespeak.admission.audit import audit_lines, check_audit
from tests.harness.clock import Clock
from tests.http.api import Api, document, problem
from tests.http.waiting import ALL, come_in, join, room_for, steer
from tests.http.workspaces import found_acme


async def test_all_pages_are_the_file_that_the_command_writes(
    api: Api, show: Resource, clock: Clock
) -> None:
    room = await room_for(api, show)
    token = await join(api, room)
    for _ in range(3):
        await clock.advance(2)
        await steer(api)
    await come_in(api, room, token)
    whole = [line async for line in audit_lines(api.connection, str(room["id"]))]
    path, found = f"{ALL}/{room['id']}/audit?limit=2", b""
    after = ""
    while after != "None":
        answer = await api.ask("GET", path + (f"&after={after}" if after else ""), key="ak")
        assert "no-store" in answer.headers["cache-control"]
        after = str(document(answer, 200)["next"])
        found += answer.content
    # But for the room, which says as of when it is.
    assert all(line.strip() in found for line in whole[1:])
    assert check_audit(whole).passes == 1
    assert b"asha" not in found, "persons are digests"


async def test_it_is_for_who_may_steer_the_room(api: Api, show: Resource) -> None:
    room = await room_for(api, show)
    await found_acme(api)
    path = f"{ALL}/{room['id']}/audit"
    for key in ("pk", "sk"):
        problem(await api.ask("GET", path, key=key), "key_kind_wrong")
    problem(await api.ask("GET", path, key="acme ak"), "waiting_room_not_found")


@pytest.mark.parametrize("limit", ["0", "1001", "many"])
async def test_a_page_has_a_bound(api: Api, show: Resource, limit: str) -> None:
    room = await room_for(api, show)
    path = f"{ALL}/{room['id']}/audit?limit={limit}"
    problem(await api.ask("GET", path, key="ak"), "invalid_request")
