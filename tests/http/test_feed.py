"""The feed over HTTP: every change once, in order, by pages that join without a gap."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bespeak import Resource
from bespeak.feed.numberer import numbering
from tests.harness import database
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, document, line

# Transactions in the other databases of the server hold the feed back for a moment, and tests run
# beside each other: the feed is right at any time and complete after a while.
WHILE_SECONDS = 20


@pytest.fixture(autouse=True)
async def numbered(api: Api) -> AsyncIterator[None]:
    """Gives events their positions, as the background worker does."""
    async with numbering(api.database_url):
        yield


async def follow(
    api: Api, limit: int, resource_id: str | None = None, *, at_least: int = 0
) -> list[Json]:
    """All events, by pages of `limit`, until there is nothing yet, and there were enough."""
    found: list[Json] = []
    after: object = None
    while True:
        cursor = f"&after={after}" if after else ""
        of = f"&resource_id={resource_id}" if resource_id else ""
        page = await api.get(f"/v1/events?limit={limit}{cursor}{of}")
        events = page["items"]
        assert isinstance(events, list)
        if not events:
            assert page["next"] == (after or "0-0")
            if len(found) >= at_least:
                return found
            await asyncio.sleep(0.02)
            continue
        assert len(events) <= limit and page["next"] == events[-1]["cursor"]
        found += events
        after = page["next"]


async def play(api: Api, show: Resource) -> None:
    """Every verb once or more."""
    hold = await api.hold(show, "A1", "floor 2")
    document(await api.ask("POST", f"/v1/holds/{hold['id']}/extend", {"seconds": 900}), 200)
    booking = document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)
    some = {"reason": "r", "lines": [line(show, "floor 1")]}
    document(await api.ask("DELETE", f"/v1/bookings/{booking['id']}", some), 200)
    document(await api.ask("DELETE", f"/v1/bookings/{booking['id']}"), 200)
    released = await api.hold(show, "A1")
    document(await api.ask("DELETE", f"/v1/holds/{released['id']}"), 200)
    block = await api.block(show, "A1")
    lift = f"/v1/resources/{show.id}/blocks/{block['id']}"
    document(await api.ask("DELETE", lift, key="ak"), 200)
    document(await api.ask("PATCH", f"/v1/resources/{show.id}", {"name": "B"}, key="ak"), 200)


KINDS = [
    "created",
    "held",
    "extended",
    "confirmed",
    "cancelled",
    "cancelled",
    "held",
    "released",
    "blocked",
    "unblocked",
    "changed",
]


@pytest.mark.parametrize("limit", [1, 2, 3, 1000])
async def test_pages_join_to_the_whole(limit: int, api: Api, make_show: MakeShow) -> None:
    shows = [await make_show(), await make_show()]
    for show in shows:
        await play(api, show)
    async with asyncio.timeout(WHILE_SECONDS):
        whole = await follow(api, limit, at_least=2 * len(KINDS))
    assert len({str(event["cursor"]) for event in whole}) == len(whole) == 2 * len(KINDS)
    count = await api.connection.fetchval("select count(*) from bespeak.event")
    assert count == len(whole)
    for show in shows:
        async with asyncio.timeout(WHILE_SECONDS):
            of_show = await follow(api, limit, show.id, at_least=len(KINDS))
        assert of_show == [event for event in whole if event["resource_id"] == show.id]
        assert [event["kind"] for event in of_show] == KINDS


async def test_an_event_tells_what_changed(api: Api, show: Resource) -> None:
    await play(api, show)
    async with asyncio.timeout(WHILE_SECONDS):
        events = await follow(api, 1000, at_least=len(KINDS))
    lines = [event["lines"] for event in events]
    both = [{"unit": "A1", "quantity": None}, {"unit": "floor", "quantity": 2}]
    assert lines[:4] == [[], both, both, both]
    assert lines[4] == [{"unit": "floor", "quantity": 1}]
    assert sorted(map(str, lines[5] if isinstance(lines[5], list) else [])) == sorted(
        map(str, [{"unit": "A1", "quantity": None}, {"unit": "floor", "quantity": 1}])
    )
    assert str(events[1]["hold_id"]).startswith("hold_")
    assert str(events[8]["hold_id"]).startswith("blk_")
    assert events[0]["hold_id"] is None


async def news(api: Api, after: object, count: int) -> list[Json]:
    """So many events behind a cursor."""
    found: list[Json] = []
    async with asyncio.timeout(WHILE_SECONDS):
        while len(found) < count:
            page = await api.get(f"/v1/events?after={after}")
            events = page["items"]
            assert isinstance(events, list)
            found, after = found + events, page["next"]
    return found


async def test_a_follower_sees_what_comes_later(api: Api, show: Resource) -> None:
    first = {"next": (await news(api, "0-0", 1))[-1]["cursor"]}
    await api.hold(show, "A1")
    events = await news(api, first["next"], 1)
    assert [event["kind"] for event in events] == ["held"]


async def test_a_transaction_under_way_holds_the_feed_back(api: Api, show: Resource) -> None:
    """What commits later must not appear behind a cursor that was given out already."""
    first = {"next": (await news(api, "0-0", 1))[-1]["cursor"]}
    async with database.session(api.database_url) as slow:
        await slow.execute("begin")
        place = "select bespeak.place_hold('slow', array[$1], array['A1'])"
        await slow.execute(place, show.id)
        await api.hold(show, "A2")
        waiting = await api.get(f"/v1/events?after={first['next']}")
        assert (waiting["items"], waiting["next"]) == ([], first["next"])
        await slow.execute("commit")
    events = await news(api, waiting["next"], 2)
    lines = [event["lines"] for event in events]
    assert sorted(map(str, lines)) == [
        str([{"unit": unit, "quantity": None}]) for unit in ("A1", "A2")
    ]
