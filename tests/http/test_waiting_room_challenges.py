"""A waiting room that asks whoever joins for a challenge: each guest, or where many join from one
address. It is judged in memory; a server, and who has an invitation code, are not asked.
"""

from __future__ import annotations

import httpx
import msgspec

from bespeak import Resource
from bespeak.http.server.budgets.challenge import UsedNumbers
from bespeak.http.server.budgets.policy import JOINS_UNASKED
from tests.harness.challenges import solved
from tests.harness.database import Connection
from tests.http.api import SETTINGS, Api, Json, document, opened, problem
from tests.http.conftest import OpenApi
from tests.http.outage import Wire
from tests.http.test_waiting_pages import Browser
from tests.http.test_waiting_room_codes import room_with_codes
from tests.http.waiting import ALL, room_for

ON = {"budgets": "on", "trusted_proxies": "127.0.0.1"}
MINE, OTHER = "192.0.2.1", "192.0.2.2"


async def join(
    api: Api, room: Json, owner: str = "asha", address: str = MINE, answer: str = "", **body: object
) -> httpx.Response:
    return await api.ask(
        "POST",
        f"{ALL}/{room['id']}/queue-tokens",
        body,
        key="pk",
        bespeak_shopper=api.token(owner),
        x_forwarded_for=address,
        bespeak_challenge=answer,
    )


async def joined(api: Api, room: Json) -> int:
    await api.service.waiting_rooms.board.look()
    now = document(await api.ask("GET", f"{ALL}/{room['id']}/now", key=None), 200)
    return sum(one["joined"] for one in now["queues"])  # type: ignore[attr-defined]


async def rule(api: Api, room: Json, challenge: str) -> None:
    """Has a room ask otherwise, and the worker hear of it."""
    body = {"challenge": challenge}
    changed = document(await api.ask("PATCH", f"{ALL}/{room['id']}", body, key="ak"), 200)
    assert changed["challenge"] == challenge
    await api.service.waiting_rooms.board.look()


async def test_each_guest_is_asked_and_an_answer_is_good_once(
    wire: Wire, connection: Connection, database_url: str, show: Resource
) -> None:
    settings = msgspec.structs.replace(SETTINGS, **ON)
    async with opened(settings, wire.url, connection) as api:
        room, code = await room_with_codes(api, show)
        assert room["challenge"] == "never", "unless it is said"
        document(await join(api, room), 201)
        await rule(api, room, "always")
        asked = problem(await join(api, room), "challenge_required", budget="joins")
        assert asked["retryable"] is False
        assert await joined(api, room) == 1, "who is asked has no place yet"
        answer = solved(asked)
        problem(await join(api, room, address=OTHER, answer=answer), "challenge_required")
        document(await join(api, room, answer=answer), 201)
        problem(await join(api, room, answer=answer), "challenge_required")
        problem(await join(api, room, answer="x" * 5000), "challenge_required")
        document(await join(api, room, "club", code=code), 201)
        by_server = await api.ask("POST", f"{ALL}/{room['id']}/queue-tokens", {"owner": "eve"})
        document(by_server, 201)
        assert await joined(api, room) == 4
        # All of it from memory: the same with the database gone.
        await wire.cut()
        asked = problem(await join(api, room, "ben"), "challenge_required")
        document(await join(api, room, "ben", answer=solved(asked)), 201)
        await wire.mend()
        wrong = await api.ask("PATCH", f"{ALL}/{room['id']}", {"challenge": "rarely"}, key="ak")
        problem(wrong, "invalid_request")


async def test_the_page_without_javascript_says_what_it_cannot_do(
    open_api: OpenApi, show: Resource
) -> None:
    api = await open_api(**ON)
    room, code = await room_with_codes(api, show)
    await rule(api, room, "always")
    browser = Browser(api, room)
    await browser.look("?queue=all")
    seen = await browser.refused(403, act="join", queue="all")
    assert seen.wrong.startswith("To keep scripts out, your browser has to solve a small task")
    assert seen.buttons == ["join", "code"], "and it can be tried again"
    await browser.arrive(act="code", code=code)
    assert await joined(api, room) == 1


async def test_a_script_meets_it_where_many_join_from_one_address(
    open_api: OpenApi, show: Resource
) -> None:
    api = await open_api(**ON)
    room = await room_for(api, show, challenge="often")
    assert room["challenge"] == "often"
    for number in range(JOINS_UNASKED):
        document(await join(api, room, f"bot-{number}"), 201)
    for number in range(20):
        asked = problem(await join(api, room, f"bot+{number}"), "challenge_required")
    assert asked["budget"] == "joins"
    assert await joined(api, room) == JOINS_UNASKED
    document(await join(api, room, "ada", OTHER), 201)
    document(await join(api, room, "ben", answer=solved(asked)), 201)
    assert await joined(api, room) == JOINS_UNASKED + 2


async def test_it_is_the_installation_that_says_whether_guests_are_judged_at_all(
    open_api: OpenApi, show: Resource
) -> None:
    watched = await open_api(**{**ON, "budgets": "watch"})
    room = await room_for(watched, show, challenge="always")
    document(await join(watched, room), 201)
    exempt = await open_api(**ON, budgets_exempt=f"{MINE}/32")
    await exempt.service.waiting_rooms.board.look()
    document(await join(exempt, room), 201)
    problem(await join(exempt, room, address=OTHER), "challenge_required")


def test_answers_are_good_once_however_many_there_are() -> None:
    """Where a list of those that were used was full, all others were told no."""
    used, step = UsedNumbers(), 0x9E3779B97F4A7C15
    numbers = [one * step % (1 << 64) for one in range(1, 110_000)]
    fresh = sum(used.use(one, 120, 0.0) for one in numbers)
    assert fresh > 0.999 * len(numbers)
    assert not any(used.use(one, 120, 60.0) for one in numbers[::1000])
    assert used.use(numbers[0], 240, 60.0), "another minute is another number"
    assert not used.use(numbers[0], 240, 239.0)
    assert used.use(numbers[0], 120, 300.0), "what is over is forgotten; the token says so itself"
