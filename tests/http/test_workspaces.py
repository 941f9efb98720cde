"""Workspaces: whoever has a key of another one is told of nothing in this one, all over the table
of endpoints, in the very words that are said of what does not exist.
"""

import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import cast
from unittest.mock import AsyncMock

import httpx
import pytest

from bespeak import ids
from bespeak.feed import feed_snapshot
from bespeak.http.api import booking_lists
from bespeak.http.endpoints import ENDPOINTS
from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.workspaces import Reach, names_ids
from bespeak.inventory import resources
from bespeak.inventory.workspaces import DEFAULT
from bespeak.overview import resource_lists
from bespeak.overview.minute_counter import MinuteCounter
from bespeak.reservations import live_holds
from tests.harness.database import Connection
from tests.harness.passkey_device import PasskeyDevice
from tests.harness.shows import new_show
from tests.http.api import SETTINGS, Api, Json, document, opened, place, problem
from tests.http.operating import operator
from tests.http.test_every_endpoint import named, path_of, query_of
from tests.http.workspaces import ACME, OTHER, World, act_in, found_acme, make_world, unknown

KEYED = [endpoint for endpoint in ENDPOINTS if endpoint.kinds]
BY_IDS = [one for one in KEYED if not one.is_of_installation and one.reach is not Reach.WORKSPACE]
CLOSED = [one for one in KEYED if one.is_of_installation]
ICS = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nEND:VCALENDAR\r\n"
# There it is the code that is unknown, and the codes of others have a test of their own; of a batch
# of holds, it is one of them that is not found.
NO_404 = {"POST /v1/check-ins", "POST /v1/check-ins/batch", "POST /v1/holds/batch"}


@pytest.fixture
async def api(database_url: str, connection: Connection) -> AsyncIterator[Api]:
    settings = type(SETTINGS)(
        known_taken_seconds=0,
        pool_max=4,
        availability_ms=0,
        payment_providers="sandbox",
        allow_pretend_money=True,
        free_sales=True,
    )
    async with opened(settings, database_url, connection) as made:
        await found_acme(made)
        yield made


MAILING: Json = {"language": "en", "subject": "Doors", "text": "They open at 19:30."}


@pytest.mark.parametrize("endpoint", KEYED, ids=named)
def test_every_endpoint_says_how_it_stays_within_a_workspace(endpoint: Endpoint) -> None:
    assert endpoint.reach is not None or names_ids(endpoint.path)


def bodies(world: World) -> dict[str, Json]:
    """A good body for each call that needs one, naming what the world has."""
    resource_id = world.ids["{resource_id}"]
    lines = [{"resource_id": resource_id, "unit": "A10"}]
    units = [{"unit": "A10"}]
    scan: Json = {"code": world.code, "resource_id": resource_id}
    return {
        "POST /v1/holds": {"owner": "asha", "lines": lines},
        "POST /v1/holds/batch": {"holds": [{"owner": "asha", "lines": lines}]},
        "POST /v1/holds/{hold_id}/extend": {"seconds": 60},
        "POST /v1/quotes": {"lines": lines},
        "POST /v1/bookings": {"hold_id": world.ids["{hold_id}"], "payment_token": "tok_success"},
        "POST /v1/check-ins": scan,
        "POST /v1/check-ins/batch": {"scans": [scan, {"code": world.code}]},
        "POST /v1/resources/{resource_id}/cancellation": {"reason": "rain"},
        "PATCH /v1/resources/{resource_id}": {"name": "Mine"},
        "POST /v1/resources/{resource_id}/blocks": {"lines": units, "reason": "mine"},
        "POST /v1/blocks": {
            "resources": [{"resource_id": resource_id, "lines": units}],
            "reason": "mine",
        },
        "POST /v1/resources/{resource_id}/calendar-links": {},
        "PUT /v1/resources/{resource_id}/calendar": {"name": "x", "calendar": ICS},
        "POST /v1/holds/{hold_id}/free-sale": {"reason": "press"},
        "POST /v1/resources/{resource_id}/mailings": {"texts": [MAILING]},
        "POST /v1/resources/{resource_id}/mailings/preview": {
            "texts": [MAILING],
            "language": "en",
        },
        "POST /v1/bookings/{booking_id}/moves": {"moves": [{"from_unit": "A1", "to_unit": "A9"}]},
        "POST /v1/bookings/{booking_id}/rating": {"rating": 8},
        "PATCH /v1/stays/ratings/{booking_id}": {"hidden": True},
        "PUT /v1/bookings/{booking_id}/billing": {"company": "Mine"},
        "PUT /v1/bookings/{booking_id}/answers": {"answers": []},
        "PUT /v1/bookings/{booking_id}/contact": {"contact": {"name": "Mine"}},
        "PUT /v1/resources/{resource_id}/serving": {"number": 1},
        "PATCH /v1/cinema/shows/{show_id}": {"language": "en"},
        "PATCH /v1/programme/performances/{performance_id}": {"note": "mine"},
        "POST /v1/programme/performances/{performance_id}/copies": {
            "starts_at": ["2030-01-01T20:00"]
        },
        "PATCH /v1/appointments/teams/{team_id}": {"summary": "mine"},
        "PATCH /v1/listings/{listing_id}": {"summary": "mine"},
        "POST /v1/listings/{listing_id}/suggested-prices": {
            "nights": [{"date": "2030-01-01", "now": 1, "price": 1}]
        },
        "PUT /v1/listings/{listing_id}/suggested-prices/rule": {"least": 1, "most": 2},
    }


def path_for(endpoint: Endpoint, world: World) -> str:
    path = endpoint.path
    for name, value in world.ids.items():
        path = path.replace(name, value)
    return path_of(replace(endpoint, path=path))


def as_unknown(world: World) -> World:
    """The same with ids that nothing has."""
    return replace(world, ids={name: unknown(text) for name, text in world.ids.items()})


def said(answer: httpx.Response, world: World) -> tuple[int, str]:
    """An answer without what differs in every one: its number, and the ids it was asked with."""
    text = answer.text.replace(answer.headers["x-request-id"], "")
    for name, value in world.ids.items():
        text = text.replace(value, name)
    return answer.status_code, text


@pytest.mark.parametrize("theirs", [DEFAULT, ACME])
async def test_a_key_of_another_workspace_is_told_of_nothing(theirs: str, api: Api) -> None:
    """The whole table: each call with ids of another workspace, and with ids that nothing has."""
    world = await make_world(api, theirs)
    nothing = as_unknown(world)
    act_in(api, OTHER[theirs])
    before = await api.snapshot()
    for endpoint in BY_IDS:
        for key in ("ak", "sk"):
            if not any(api.keys[key].startswith(kind) for kind in _prefixes(endpoint)):
                continue
            answers = [
                said(
                    await api.ask(
                        endpoint.method,
                        path_for(endpoint, one),
                        bodies(one).get(named(endpoint)),
                        key=key,
                    ),
                    one,
                )
                for one in (world, nothing)
            ]
            assert answers[0] == answers[1], named(endpoint)
            if named(endpoint) not in NO_404:
                assert answers[0][0] == 404, (named(endpoint), answers[0])
    # How often the asker guessed wrong is counted too, and written after some seconds.
    written = {"bespeak.audit_entry", "budget_count"}
    assert changed(before, await api.snapshot()) <= written


def _prefixes(endpoint: Endpoint) -> list[str]:
    return [f"{kind[0]}k_" for kind in endpoint.kinds]


def changed(before: Mapping[str, list[str]], after: Mapping[str, list[str]]) -> set[str]:
    """The tables that differ."""
    return {table for table in before if before[table] != after[table]}


async def test_of_a_batch_of_holds_those_of_another_workspace_are_not_found(api: Api) -> None:
    world = await make_world(api, ACME)
    act_in(api, DEFAULT)
    own = await resources.create(api.connection, new_show())
    holds = [
        {"owner": "asha", "lines": [{"resource_id": one.id, "unit": "A10"}]}
        for one in (world.show, own)
    ]
    answer = await api.ask("POST", "/v1/holds/batch", {"holds": holds})
    theirs, mine = cast("list[Json]", document(answer, 200)["items"])
    assert (theirs["status"], mine["status"]) == (404, 201)
    found = cast("Json", theirs["problem"])
    assert found["code"] == "resource_not_found"
    assert found["resource_id"] == world.show.id, "by the name that it was asked by"


async def test_a_ticket_of_another_workspace_is_no_ticket(api: Api) -> None:
    """Scanned at an entrance of one's own, at none, and at that of the ticket."""
    world = await make_world(api, DEFAULT)
    act_in(api, ACME)
    for scan in ({"code": world.code}, {"code": world.code, "resource_id": world.show.id}):
        problem(await api.ask("POST", "/v1/check-ins", scan), "ticket_code_invalid")
    answer = await api.ask("POST", "/v1/check-ins/batch", {"scans": [{"code": world.code}]})
    items = document(answer, 200)["items"]
    assert [one["problem"]["code"] for one in items] == ["ticket_code_invalid"]  # type: ignore[attr-defined]
    act_in(api, DEFAULT)
    document(await api.ask("POST", "/v1/check-ins", {"code": world.code}), 201)


# A document is made of the report beside it, and is no text to search.
LISTS = [
    one
    for one in KEYED
    if one.reach is Reach.WORKSPACE
    and one.method == "GET"
    and "{" not in one.path
    and not one.path.endswith(".pdf")
]


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


async def number_events(api: Api) -> None:
    """Gives positions to all that happened, as the background worker does."""
    await api.connection.execute("select bespeak.number_events()")


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


async def test_a_webhook_endpoint_of_another_workspace_is_none(api: Api) -> None:
    asked = {"url": "https://shop.example/hook"}
    made = document(await api.ask("POST", "/v1/webhook-endpoints", asked, key="ak"), 201)
    endpoint_id = made["endpoint"]["id"]  # type: ignore[index]
    act_in(api, ACME)
    before = await api.snapshot()
    own = [one for one in KEYED if "{endpoint_id}" in one.path]
    tried: dict[str, Json] = {
        "PATCH": {"url": "https://evil.example"},
        "POST": {"since": "2026-01-01T00:00:00Z"},
    }
    for endpoint in own:
        path = endpoint.path.replace("{endpoint_id}", str(endpoint_id))
        body = tried.get(endpoint.method) if endpoint.body_required else None
        answer = await api.ask(endpoint.method, path, body, key="ak")
        problem(answer, "webhook_endpoint_not_found")
    assert changed(before, await api.snapshot()) <= {"bespeak.audit_entry"}


async def test_webhooks_tell_of_their_workspace_only(api: Api) -> None:
    """What is announced, and what is sent again."""
    endpoints, worlds = {}, {}
    for workspace in (DEFAULT, ACME):
        act_in(api, workspace)
        asked = {"url": f"https://{workspace}.example/hook"}
        made = document(await api.ask("POST", "/v1/webhook-endpoints", asked, key="ak"), 201)
        endpoints[workspace] = made["endpoint"]["id"]  # type: ignore[index]
        worlds[workspace] = await make_world(api, workspace)
    await number_events(api)

    async def told() -> dict[str, set[str]]:
        rows = await api.connection.fetch(
            "select distinct endpoint_id, resource_id from bespeak.webhook_delivery"
        )
        found: dict[str, set[str]] = {}
        for row in rows:
            shown = ids.show_resource(row["resource_id"])
            found.setdefault(row["endpoint_id"], set()).add(shown)
        return found

    expected = {endpoints[name]: {worlds[name].show.id} for name in (DEFAULT, ACME)}
    await api.connection.execute("select bespeak.announce_events('notifications', 1000)")
    assert await told() == expected
    await api.connection.execute(
        "update bespeak.webhook_delivery set state = 'failed', due_at = null"
        " where position = (select min(position) from bespeak.webhook_delivery)"
    )
    assert await waiting(api, DEFAULT) == {"failed": 1, "waiting": await pending(api, DEFAULT)}
    assert await waiting(api, ACME) == {"failed": 0, "waiting": await pending(api, ACME)}
    await api.connection.execute("delete from bespeak.webhook_delivery")
    for workspace in (DEFAULT, ACME):
        act_in(api, workspace)
        path = f"/v1/webhook-endpoints/{endpoints[workspace]}/replay"
        since = {"since": "2020-01-01T00:00:00Z"}
        document(await api.ask("POST", path, since, key="ak"), 202)
    assert await told() == expected


async def waiting(api: Api, workspace: str) -> dict[str, object]:
    """What the console says of the webhooks that wait."""
    act_in(api, workspace)
    items = document(await api.ask("GET", "/v1/overview/work", key="ak"), 200)["items"]
    assert isinstance(items, list)
    (found,) = (one for one in items if one["name"] == "webhooks")
    return {name: found[name] for name in ("failed", "waiting")}


async def pending(api: Api, workspace: str) -> int:
    """How many wait, as the tables say."""
    count: int = await api.connection.fetchval(
        "select count(*) from bespeak.webhook_delivery d"
        " join bespeak.webhook_endpoint w using (endpoint_id)"
        " where d.state = 'pending' and w.workspace = $1",
        workspace,
    )
    assert count
    return count


async def test_what_is_of_the_installation_is_closed_to_other_workspaces(api: Api) -> None:
    act_in(api, ACME)
    before = await api.snapshot()
    for endpoint in CLOSED:
        problem(await api.ask(endpoint.method, path_of(endpoint), key="ak"), "not_in_workspace")
    assert await api.snapshot() == before
    await api.service.audit_log.flush()
    told = await api.connection.fetch(
        "select action, workspace from bespeak.audit_entry where code = 'not_in_workspace'"
    )
    assert {tuple(row) for row in told} == {(one.operation_id, ACME) for one in CLOSED}


async def test_a_workspace_works_as_the_default_one_does(api: Api) -> None:
    """Its operator makes a resource, its server sells it, its gate lets in."""
    act_in(api, ACME)
    plan = {"type": "pools", "pools": [{"unit": "floor", "capacity": 10}]}
    asked = {"name": "Loft", "plan": plan}
    made = document(await api.ask("POST", "/v1/resources", asked, key="ak"), 201)
    assert made["workspace"] == ACME
    world = await make_world(api, ACME)
    listed = document(await api.ask("GET", "/v1/resources", key="ak"), 200)["items"]
    assert {one["id"] for one in listed} == {made["id"], world.show.id}  # type: ignore[attr-defined]
    document(await api.ask("POST", "/v1/check-ins", {"code": world.code}), 201)
    act_in(api, DEFAULT)
    assert document(await api.ask("GET", "/v1/resources", key="pk"), 200)["items"] == []


async def test_a_hold_over_two_workspaces_is_none(api: Api) -> None:
    world, ours = await make_world(api, DEFAULT), await make_world(api, ACME)
    act_in(api, ACME)
    foreign = world.show.id
    lines = [{"resource_id": ours.show.id, "unit": "A5"}, {"resource_id": foreign, "unit": "A5"}]
    for mixed in (lines, lines[::-1]):
        answer = await api.ask("POST", "/v1/holds", {"owner": "asha", "lines": mixed})
        problem(answer, "resource_not_found", resource_id=foreign)


async def test_nobody_can_name_what_an_id_is_replaced_by(api: Api) -> None:
    """Beside an id that nothing has, the one of another workspace is told apart by nothing: the
    first of the two is named, whichever it is."""
    world = await make_world(api, DEFAULT)
    act_in(api, ACME)
    for nothing in ("res_00000000", "res_00000001", "res_zzzzzzzz"):
        for text in (world.show.id, unknown(world.show.id)):
            for pair in ((nothing, text), (text, nothing)):
                lines = [{"resource_id": one, "unit": "A5"} for one in pair]
                answer = await api.ask("POST", "/v1/holds", {"owner": "asha", "lines": lines})
                problem(answer, "resource_not_found", resource_id=pair[0])


async def test_keys_of_a_workspace_are_its_own(api: Api) -> None:
    act_in(api, ACME)
    made = document(
        await api.ask("POST", "/v1/keys", {"kind": "secret", "name": "shop"}, key="ak"), 201
    )
    details = made["details"]
    assert isinstance(details, dict)
    assert details["workspace"] == ACME
    listed = document(await api.ask("GET", "/v1/keys", key="ak"), 200)["items"]
    assert isinstance(listed, list)
    assert {one["workspace"] for one in listed} == {ACME}
    act_in(api, DEFAULT)
    path = f"/v1/keys/{details['id']}"
    problem(await api.ask("DELETE", path, key="ak"), "key_not_found")
    theirs = document(await api.ask("GET", "/v1/keys", key="ak"), 200)["items"]
    assert all("workspace" not in one for one in theirs)  # type: ignore[attr-defined]
    act_in(api, ACME)
    document(await api.ask("DELETE", path, key="ak"), 200)


async def test_no_key_is_bound_to_a_place_of_another_workspace(api: Api) -> None:
    act_in(api, ACME)
    asked = {"kind": "restricted", "name": "x", "scopes": ["read"], "place": "cinema/cin_x"}
    problem(await api.ask("POST", "/v1/keys", asked, key="ak"), "invalid_request", field="place")


async def test_a_shopper_token_is_good_in_its_workspace_only(api: Api) -> None:
    """Else the server of one workspace could speak for the shoppers of every other."""
    tokens = {}
    for workspace in (DEFAULT, ACME):
        act_in(api, workspace)
        asked = {"owner": "asha"}
        minted = document(await api.ask("POST", "/v1/shopper-tokens", asked), 201)
        tokens[workspace] = str(minted["token"])
    world = await make_world(api, ACME)
    path = f"/v1/bookings/{world.ids['{booking_id}']}"
    act_in(api, ACME)
    document(await api.ask("GET", path, key="pk", Bespeak_Shopper=tokens[ACME]), 200)
    wrong = await api.ask("GET", path, key="pk", Bespeak_Shopper=tokens[DEFAULT])
    problem(wrong, "shopper_token_invalid")
    act_in(api, DEFAULT)
    wrong = await api.ask("GET", path, key="pk", Bespeak_Shopper=tokens[ACME])
    problem(wrong, "shopper_token_invalid")


async def test_idempotency_keys_of_two_workspaces_are_two_keys(api: Api) -> None:
    """The same owner and the same key: neither is refused, and neither gets the other's."""
    plan = {"type": "pools", "pools": [{"unit": "floor", "capacity": 10}]}
    asked = {"name": "Loft", "plan": plan}
    made: dict[str, Json] = {}
    holds: dict[str, list[object]] = {}
    for workspace in (DEFAULT, ACME):
        act_in(api, workspace)
        answer = await api.ask("POST", "/v1/resources", asked, key="ak", Idempotency_Key="one")
        made[workspace] = document(answer, 201)
        again = await api.ask("POST", "/v1/resources", asked, key="ak", Idempotency_Key="one")
        assert document(again, 201)["id"] == made[workspace]["id"]
        floor = {"resource_id": made[workspace]["id"], "unit": "floor", "quantity": 1}
        body = {"owner": "asha", "lines": [floor]}
        for _ in range(2):
            answer = await api.ask("POST", "/v1/holds", body, Idempotency_Key="one")
            holds.setdefault(workspace, []).append(document(answer, 201)["id"])
    assert made[DEFAULT]["id"] != made[ACME]["id"]
    assert [len(set(found)) for found in holds.values()] == [1, 1]
    assert holds[DEFAULT] != holds[ACME]


async def test_bad_ids_and_bad_keys_are_told_as_ever(api: Api) -> None:
    world = await make_world(api, ACME)
    act_in(api, ACME)
    problem(await api.ask("GET", "/v1/resources/res_none"), "invalid_id")
    problem(await api.ask("GET", "/v1/bookings/hold_x"), "invalid_id")
    answer = await api.send(
        replace(place(world.show, "A5"), headers={"Idempotency-Key": "x" * 201})
    )
    problem(answer, "invalid_request", field="idempotency_key")


async def test_calendar_links_and_streams_work_without_a_key_of_the_workspace(api: Api) -> None:
    """A link opens what it was made for, and who has it needs no key."""
    world = await make_world(api, ACME)
    act_in(api, ACME)
    path = f"/v1/resources/{world.show.id}/calendar-links"
    link = document(await api.ask("POST", path, {}), 201)
    answer = await api.client.get(str(link["path"]))
    assert answer.status_code == 200


async def test_an_attribute_that_looks_like_an_id_is_kept(api: Api) -> None:
    """Only what a call is about is judged: else what is stored would tell which ids there are."""
    world = await make_world(api, DEFAULT)
    ours = await make_world(api, ACME)
    act_in(api, ACME)
    for text in (world.show.id, unknown(world.show.id)):
        change = {"attributes": {"resource_id": text}}
        answer = await api.ask("PATCH", f"/v1/resources/{ours.show.id}", change, key="ak")
        assert document(answer, 200)["attributes"] == {"resource_id": text}


async def test_the_audit_log_has_the_id_that_was_asked_for(api: Api) -> None:
    world = await make_world(api, DEFAULT)
    act_in(api, ACME)
    change = {"name": "Mine"}
    await api.ask("PATCH", f"/v1/resources/{world.show.id}", change, key="ak")
    subjects = await api.connection.fetch("select distinct subject from bespeak.audit_entry")
    assert world.show.id in {row["subject"] for row in subjects}


async def test_while_there_is_one_workspace_nothing_is_looked_up(
    database_url: str, connection: Connection
) -> None:
    async with opened(SETTINGS, database_url, connection) as api:
        assert not api.service.workspaces.are_several
        number = ids.show_resource(5)
        await api.ask("GET", f"/v1/resources/{number}")
        assert len(api.service.workspaces._of) == 0


async def test_a_server_that_runs_hears_of_a_second_workspace(
    database_url: str, connection: Connection
) -> None:
    """By looking, as it does every few seconds; or at once by a key of it."""
    async with (
        opened(SETTINGS, database_url, connection) as first,
        opened(SETTINGS, database_url, connection) as second,
    ):
        await found_acme(first)
        new = new_show(name="Loft")
        ours = await resources.create(connection, new, workspace=ACME)
        path = f"/v1/resources/{ours.id}"
        await first.service.workspaces.look()
        problem(await first.ask("GET", path), "resource_not_found")
        second.keys["acme"] = first.keys[f"{ACME} sk"]
        document(await second.ask("GET", path, key="acme"), 200)
        problem(await second.ask("GET", path), "resource_not_found")


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


def items(listed: Json) -> list[Json]:
    return cast("list[Json]", listed["items"])


async def test_operators_work_in_one_workspace(api: Api) -> None:
    """Each invites its own, and is told of nobody else; each keeps an owner of its own."""
    ours = (await make_world(api, DEFAULT)).ids["{resource_id}"]
    home = await operator(api, "home", device=PasskeyDevice())
    act_in(api, ACME)
    asha = await operator(api, "asha", device=PasskeyDevice())
    show = await make_world(api, ACME)
    path = f"/v1/resources/{show.ids['{resource_id}']}"
    document(await asha.ask("GET", path), 200)
    problem(await home.ask("GET", path), "resource_not_found")
    problem(await asha.ask("GET", f"/v1/resources/{ours}"), "resource_not_found")
    problem(await asha.ask("GET", "/metrics"), "not_in_workspace")
    for who, own in ((asha, "asha"), (home, "home")):
        listed = document(await who.ask("GET", "/v1/operators"), 200)
        assert [one["login"] for one in items(listed)] == [own]
        log = document(await who.ask("GET", "/v1/audit-log?action=log_in"), 200)
        assert [one["actor"] for one in items(log)] == [who.operator_id]
    for method, end, body in (("PATCH", "", {"name": "x"}), ("POST", "/link", None)):
        told = await asha.ask(method, f"/v1/operators/{home.operator_id}{end}", body)
        problem(told, "operator_not_found")
    down = {"state": "disabled"}
    problem(await asha.ask("PATCH", f"/v1/operators/{asha.operator_id}", down), "last_owner")
