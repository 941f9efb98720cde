"""The waiting room over HTTP: joining, looking, coming in, and the gate before the holds."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import cast

import httpx
import msgspec
import pytest

from bespeak import Resource
from bespeak.admission.passes import Pass, sign_pass
from tests.docs.pages import DOCS
from tests.harness.clock import START, Clock
from tests.http.api import Api, Json, document, problem, until
from tests.http.waiting import ALL, come_in, holding, join, room_for, steer

GUIDE = DOCS / "guides" / "waiting-room.md"


async def seen(api: Api, path: str) -> Json:
    """What somebody without a key is told."""
    return document(await api.ask("GET", path, key=None), 200)


async def test_from_joining_to_the_booking(api: Api, show: Resource, moved_clock: Clock) -> None:
    room = await room_for(api, show, opens_in=60)
    assert (room["state"], room["seed"]) == ("scheduled", None)
    now = await seen(api, f"{ALL}/{room['id']}/now")
    assert (now["phase"], now["poll_seconds"]) == ("early", 5)
    token = await join(api, room)
    place = await seen(api, f"{ALL}/{room['id']}/place?queue_token={token}")
    assert place["turn"] == "early"
    shopper = {"bespeak_shopper": api.token("asha")}
    held = await api.ask("POST", "/v1/holds", holding(show, "A1"), key="pk", **shopper)
    problem(held, "pass_required", waiting_room_id=room["id"])

    await moved_clock.advance(61)
    await steer(api)
    await moved_clock.advance(3)
    await steer(api)
    now = await seen(api, f"{ALL}/{room['id']}/now")
    assert now["phase"] == "open"
    assert [now["seed_hash"], len(str(now["seed"]))] == [room["seed_hash"], 64]
    given = await come_in(api, room, token)
    place = await seen(api, f"{ALL}/{room['id']}/place?queue_token={token}")
    assert (place["turn"], place["ahead"]) == ("called", 0)

    body = holding(show, "A1")
    held = await api.ask("POST", "/v1/holds", body, key="pk", bespeak_pass=given, **shopper)
    hold = document(held, 201)
    confirm = {"hold_id": hold["id"]}
    document(await api.ask("POST", "/v1/bookings", confirm, key="pk", **shopper), 201)
    await moved_clock.advance(2)
    await steer(api)
    read = await api.get(f"{ALL}/{room['id']}")
    assert {name: read[name] for name in ("joined", "let_in", "inside", "bought")} == {
        "joined": 1,
        "let_in": 1,
        "inside": 0,
        "bought": 1,
    }


async def test_a_pass_is_of_its_shopper_its_room_and_its_time(
    api: Api, show: Resource, make_show: object, moved_clock: Clock
) -> None:
    other_show: Resource = await make_show()  # type: ignore[operator]
    room, other = await room_for(api, show), await room_for(api, other_show)
    token = await join(api, room)
    await moved_clock.advance(3)
    await steer(api)
    await moved_clock.advance(3)
    await steer(api)
    given = await come_in(api, room, token)

    async def refused(show: Resource, owner: str, waiting_pass: str) -> None:
        shopper = {"bespeak_shopper": api.token(owner), "bespeak_pass": waiting_pass}
        for path in ("/v1/holds", "/v1/quotes"):
            answer = await api.ask("POST", path, holding(show, "A1"), key="pk", **shopper)
            problem(answer, "pass_invalid")

    await refused(show, "eve", given)
    await refused(other_show, "asha", given)
    changed = given[:-3] + ("AAA" if given[-3:] != "AAA" else "BBB")
    for forged in (changed, "x", "a.b.c", "x" * 2000, token):
        await refused(show, "asha", forged)
    both = {"lines": [*_lines(show), *_lines(other_show)]}
    shopper = {"bespeak_shopper": api.token("asha"), "bespeak_pass": given}
    problem(await api.ask("POST", "/v1/holds", both, key="pk", **shopper), "pass_invalid")
    await moved_clock.advance(600)
    await refused(show, "asha", given)
    assert other["id"] != room["id"]


def _lines(show: Resource) -> list[Json]:
    return [{"resource_id": show.id, "unit": "A1"}]


async def test_a_pass_buys_so_many_units_however_they_are_taken(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    room = await room_for(api, show, units_max=2)
    token = await join(api, room)
    await moved_clock.advance(3)
    await steer(api)
    await moved_clock.advance(3)
    await steer(api)
    shopper = {
        "bespeak_pass": await come_in(api, room, token),
        "bespeak_shopper": api.token("asha"),
    }
    for unit in ("A1", "A2"):
        body = holding(show, unit)
        document(await api.ask("POST", "/v1/holds", body, key="pk", **shopper), 201)
    third = await api.ask("POST", "/v1/holds", holding(show, "A3"), key="pk", **shopper)
    problem(third, "owner_limit_reached")


async def test_another_shop_judges_a_pass_as_the_guide_says(
    api: Api, show: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await room_for(api, show)
    token = await join(api, room)
    await until(lambda: called(api, room, token))
    given = await come_in(api, room, token)
    told = await api.ask("GET", "/v1/ticket-keys", key=None)
    monkeypatch.setattr(httpx, "get", lambda _: told)
    programs = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    (program,) = (one for one in programs if "def may_buy" in one)
    made: dict[str, object] = {}
    exec(program, made)  # noqa: S102 (the program of our own guide)
    keys_of = cast("Callable[[str], object]", made["keys_of"])
    may_buy = partial(cast("Callable[..., bool]", made["may_buy"]), keys_of("http://bespeak"))
    assert may_buy(given, room["id"], "asha", show.id)
    assert not may_buy(given, room["id"], "asha", "res_00000001")
    assert not may_buy(given, room["id"], "eve", show.id)
    assert not may_buy(given, "wrm_000000000000", "asha", show.id)
    assert not may_buy(given[:-4] + "AAAA", room["id"], "asha", show.id)
    assert not may_buy(token, room["id"], "asha", show.id)
    keys = await api.service.waiting_rooms.keys.current()
    big = Pass(str(room["id"]), "asha", 10**10, None, None)  # of a room with too many to name
    assert may_buy(sign_pass(keys, big), room["id"], "asha", show.id)


async def called(api: Api, room: Json, token: str) -> bool:
    """Whether somebody is called; lets people in."""
    await steer(api)
    place = await seen(api, f"{ALL}/{room['id']}/place?queue_token={token}")
    return place["turn"] == "called"


async def test_a_server_sells_without_a_pass(api: Api, show: Resource) -> None:
    await room_for(api, show)
    await api.hold(show, "A1")


async def test_when_a_room_has_ended_everybody_buys(api: Api, show: Resource) -> None:
    room = await room_for(api, show)
    document(await api.ask("PATCH", f"{ALL}/{room['id']}", {"state": "ended"}, key="ak"), 200)
    await api.service.waiting_rooms.board.look()
    shopper = {"bespeak_shopper": api.token("asha")}
    document(await api.ask("POST", "/v1/holds", holding(show, "A1"), key="pk", **shopper), 201)


async def test_how_a_room_stands_is_kept_by_whoever_is_on_the_way(api: Api, show: Resource) -> None:
    room = await room_for(api, show)
    first = await api.ask("GET", f"{ALL}/{room['id']}/now", key=None)
    assert first.status_code == 200
    assert first.headers["cache-control"].startswith("public, max-age=1")
    etag = first.headers["etag"]
    again = await api.ask("GET", f"{ALL}/{room['id']}/now", key=None, if_none_match=etag)
    assert (again.status_code, again.content) == (304, b"")
    await join(api, room)
    await api.service.waiting_rooms.board.look()
    after = await api.ask("GET", f"{ALL}/{room['id']}/now", key=None, if_none_match=etag)
    assert after.status_code == 200
    assert msgspec.json.decode(after.content)["queues"][0]["joined"] == 1


async def test_joining_and_looking_need_no_database(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    room = await room_for(api, show)
    token = await join(api, room)  # so that the keys are known
    await api.service.engine.database.pool.close()
    second = await join(api, room, "ben")
    assert second != token
    assert (await seen(api, f"{ALL}/{room['id']}/now"))["id"] == room["id"]
    place = await seen(api, f"{ALL}/{room['id']}/place?queue_token={second}")
    assert place["turn"] == "early"
    assert START.isoformat()[:10] in str(place["joined_at"])


async def test_a_queue_by_invitation_is_joined_by_the_merchants_server(
    api: Api, show: Resource
) -> None:
    queues = [{"name": "general"}, {"name": "members", "invited": True}]
    room = await room_for(api, show, queues=queues)
    path = f"{ALL}/{room['id']}/queue-tokens"
    shopper = {"bespeak_shopper": api.token("asha")}
    alone = await api.ask("POST", path, {"queue": "members"}, key="pk", **shopper)
    problem(alone, "invalid_request", field="queue")
    joined = document(await api.ask("POST", path, {"queue": "members", "owner": "asha"}), 201)
    assert joined["place"]["queue"] == "members"  # type: ignore[index]


async def test_whoever_leaves_makes_room(api: Api, show: Resource, moved_clock: Clock) -> None:
    room = await room_for(api, show)
    token = await join(api, room)
    await moved_clock.advance(3)
    await steer(api)
    await moved_clock.advance(3)
    await steer(api)
    await come_in(api, room, token)
    path = f"{ALL}/{room['id']}/passes?queue_token={token}"
    shopper = {"bespeak_shopper": api.token("asha")}
    stranger = await api.ask("DELETE", path, key="pk", bespeak_shopper=api.token("eve"))
    assert stranger.status_code == 204
    assert (await api.get(f"{ALL}/{room['id']}"))["inside"] == 1, "it is not hers to give back"
    for _ in range(2):
        left = await api.ask("DELETE", path, key="pk", **shopper)
        assert (left.status_code, left.content) == (204, b"")
    assert (await api.get(f"{ALL}/{room['id']}"))["inside"] == 0
    again = await api.ask(
        "POST", f"{ALL}/{room['id']}/passes", {"queue_token": token}, key="pk", **shopper
    )
    problem(again, "pass_ended", ended_as="left")


async def test_rooms_are_listed_from_cursor_to_cursor(api: Api, make_show: object) -> None:
    made = [await room_for(api, await make_show()) for _ in range(3)]  # type: ignore[operator]
    page = await api.get(f"{ALL}?limit=2")
    rest = await api.get(f"{ALL}?limit=2&after={page['next']}")
    ids = [one["id"] for one in (*page["items"], *rest["items"])]  # type: ignore[misc]
    assert sorted(ids) == sorted(str(room["id"]) for room in made)
    assert rest["next"] is None
