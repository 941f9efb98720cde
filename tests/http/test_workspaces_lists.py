"""The lists, the feed and the figures of two workspaces: each has what is of its own workspace, and
tells of nothing that is of the other.
"""

import re
from collections.abc import AsyncIterator
from unittest.mock import AsyncMock

import pytest

from bespeak.feed import feed_snapshot
from bespeak.http.api import booking_lists
from bespeak.http.server.workspaces import Reach
from bespeak.inventory import resources
from bespeak.inventory.workspaces import DEFAULT
from bespeak.overview import resource_lists
from bespeak.overview.minute_counter import MinuteCounter
from bespeak.reservations import live_holds
from tests.harness.database import Connection
from tests.http.api import Api, document, place, problem
from tests.http.test_every_endpoint import query_of
from tests.http.workspaces import (
    ACME,
    KEYED,
    OTHER,
    act_in,
    as_unknown,
    make_world,
    number_events,
    opened_twofold,
    said,
)

# A document is made of the report beside it, and is no text to search.
LISTS = [
    one
    for one in KEYED
    if one.reach is Reach.WORKSPACE
    and one.method == "GET"
    and "{" not in one.path
    and not one.path.endswith(".pdf")
]
# A control: what each list has of one's own.
OWN = {
    "/v1/resources": "{resource_id}",
    "/v1/holds": "{hold_id}",
    "/v1/holds?owner=asha": "{hold_id}",
    "/v1/bookings": "{booking_id}",
    "/v1/bookings?owner=asha": "{booking_id}",
    "/v1/bookings?q=asha": "{booking_id}",
    "/v1/events": "{hold_id}",
    "/v1/events/snapshot": "{hold_id}",
    "/v1/overview/resources": "{resource_id}",
    "/v1/overview/resources?sort=name": "{resource_id}",
    "/v1/overview/resources?sort=sold": "{resource_id}",
    "/v1/webhook-endpoints": "{endpoint_id}",
    "/v1/audit-log": "{booking_id}",
}


@pytest.fixture
async def api(database_url: str, connection: Connection) -> AsyncIterator[Api]:
    async with opened_twofold(database_url, connection) as made:
        yield made


async def test_a_list_has_what_is_of_its_workspace_and_nothing_else(api: Api) -> None:
    """All lists and reports; with words, owners and resources of the others too."""
    worlds = {}
    for workspace in (DEFAULT, ACME):
        worlds[workspace] = await make_world(api, workspace)
        asked = {"url": f"https://{workspace}.example/hook"}
        made = document(await api.ask("POST", "/v1/webhook-endpoints", asked, key="ak"), 201)
        worlds[workspace].ids["{endpoint_id}"] = str(made["endpoint"]["id"])  # type: ignore[index]
    await number_events(api)
    for workspace, world in worlds.items():
        act_in(api, workspace)
        theirs = worlds[OTHER[workspace]]
        for endpoint in LISTS:
            queries = [query_of(endpoint)]
            fields = endpoint.query.__struct_fields__ if endpoint.query is not None else ()
            if "resource_id" in fields:
                queries.append(f"?resource_id={theirs.show.id}")
            if "owner" in fields:
                queries.append("?owner=asha")
            if "q" in fields:
                queries += [f"?q={theirs.ids[name]}" for name in ("{booking_id}", "{resource_id}")]
                queries.append("?q=asha")
            for query in queries:
                text = await pages(api, endpoint.path + query)
                found = [name for name, value in theirs.ids.items() if value in text]
                assert not found, (endpoint.path + query, found)
        for path, name in OWN.items():
            assert world.ids[name] in await pages(api, path), path


async def pages(api: Api, path: str) -> str:
    """A list from its first page to its last."""
    text, after = "", ""
    for _ in range(10):
        sign = "&" if "?" in path else "?"
        answer = await api.ask("GET", path + (f"{sign}after={after}" if after else ""), key="ak")
        text += answer.text
        decoded = answer.json()
        following = decoded.get("next") if isinstance(decoded, dict) else None
        if not following or following == after:
            break
        after = following
    return text


# A list of each kind, and where its queries are.
FORGETFUL = {
    "/v1/resources": resources,
    "/v1/holds": live_holds,
    "/v1/bookings": booking_lists,
    "/v1/events/snapshot": feed_snapshot,
    "/v1/overview/resources": resource_lists,
}


@pytest.mark.parametrize("path", FORGETFUL)
@pytest.mark.parametrize("second_wall", [True, False])
async def test_a_list_that_forgets_its_workspace_is_not_given(
    path: str, second_wall: bool, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The condition is taken out of its queries; without the second wall it tells of others."""
    world = await make_world(api, DEFAULT)
    act_in(api, ACME)
    module = FORGETFUL[path]
    forgetful = {
        name: re.sub(r"(\w+\.)?workspace = (\$\d+)", r"\2 = \2", text)
        for name, text in module._QUERIES.items()
    }
    assert forgetful != module._QUERIES
    monkeypatch.setattr(module, "_QUERIES", forgetful)
    if not second_wall:
        monkeypatch.setattr(api.service.workspaces, "check_told", AsyncMock())
    answer = await api.ask("GET", path, key="ak")
    told = any(text in answer.text for text in world.ids.values())
    assert (answer.status_code, told) == ((500, False) if second_wall else (200, True))


async def test_a_list_asked_for_what_others_have_is_that_of_what_nobody_has(api: Api) -> None:
    """Also its cursor and its headers."""
    world = await make_world(api, DEFAULT)
    nothing = as_unknown(world)
    await make_world(api, ACME)
    await number_events(api)
    act_in(api, ACME)
    compared = 0
    for endpoint in LISTS:
        fields = endpoint.query.__struct_fields__ if endpoint.query is not None else ()
        for field in {"resource_id", "q", "subject", "after"} & set(fields):
            for name in world.ids:
                answers = [
                    await api.ask("GET", f"{endpoint.path}?{field}={one.ids[name]}", key="ak")
                    for one in (world, nothing)
                ]
                assert said(answers[0], world) == said(answers[1], nothing), (endpoint.path, field)
                compared += 1
    assert compared > 20


async def test_a_feed_of_few_goes_on_behind_what_is_of_others(api: Api) -> None:
    """However much the others did: a follower passes it once, and misses nothing of its own."""
    for _ in range(3):
        await make_world(api, DEFAULT)
    world = await make_world(api, ACME)
    await make_world(api, DEFAULT)
    await number_events(api)
    act_in(api, ACME)
    whole = document(await api.ask("GET", "/v1/events?limit=1000"), 200)
    items = whole["items"]
    assert isinstance(items, list)
    assert {one["resource_id"] for one in items} == {world.show.id}
    read: list[object] = []
    after = ""
    while True:
        page = document(await api.ask("GET", f"/v1/events?limit=2{after}"), 200)
        if not page["items"]:
            break
        read += page["items"]  # type: ignore[arg-type]
        after = f"&after={page['next']}"
    assert read == items
    assert page["next"] == whole["next"]


async def test_figures_are_of_the_workspace(api: Api) -> None:
    """What was sold, held, refused and taken; and how long its buyers need."""
    show = (await make_world(api, DEFAULT)).show
    for _ in range(3):
        problem(await api.send(place(show, "A9")), "unit_taken")
    ours = (await make_world(api, ACME)).show
    problem(await api.send(place(ours, "A9")), "unit_taken")
    await api.hold(ours, "A11")
    await number_events(api)
    await MinuteCounter(api.service.engine.database.pool).look()
    await api.service.refusals.flush()
    for workspace, bookings, held, refused in ((DEFAULT, 1, 1, 3), (ACME, 1, 2, 1)):
        act_in(api, workspace)
        seen = document(await api.ask("GET", "/v1/overview", key="ak"), 200)
        found = (seen["bookings"], seen["held"], seen["refused"], seen["sold"])
        assert found == (bookings, held, refused, 3)
        assert seen["revenue"] == [{"amount": 4500, "currency": "EUR"}]
        assert seen["hold_to_confirm"]["samples"] == 1  # type: ignore[index]
        listed = document(await api.ask("GET", "/v1/advice/hold-time", key="ak"), 200)["items"]
        assert [one["samples"] for one in listed] == [1]  # type: ignore[attr-defined]
