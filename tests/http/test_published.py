"""Resources that are not published: for browsers and guests there is no such thing, in every call;
for servers and operators, and for what is held or booked of them already, all is as before."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec
import pytest

from bespeak import Resource
from bespeak.http.endpoints import ALL_ENDPOINTS
from bespeak.http.server.openapi import public_document
from bespeak.http.server.openapi_examples import EXAMPLES
from bespeak.verticals.cinema import catalogue_changes, shows
from tests.harness.catalogues import CATALOGUE, show
from tests.harness.clock import Clock
from tests.harness.database import session
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, Request, document, problem, until
from tests.http.conftest import OpenApi

NOBODY = "res_00000000"
_OF_RESOURCES = re.compile(r"\^res_")

# What each call is asked with that names a resource in its body; `{id}` stands for the resource.
BODIES: Mapping[str, list[str]] = {
    "place_hold": [
        '{"lines": [{"resource_id": "{id}", "unit": "A1"}]}',
        '{"lines": [{"resource_id": "{id}", "best": {"quantity": 2}}]}',
        '{"lines": [{"resource_id": "{id}", "unit": "floor", "quantity": 2}], "partial": "best"}',
        '{"lines": [{"resource_id": "{open}", "unit": "A1"}, {"resource_id": "{id}"}]}',
        '{"room_id": "{id}", "start_date": "2030-01-01", "end_date": "2030-01-02"}',
    ],
    "ask_quote": [
        '{"lines": [{"resource_id": "{id}", "unit": "A1"}]}',
        '{"lines": [{"resource_id": "{id}", "best": {"quantity": 2}}]}',
        '{"lines": [{"resource_id": "{id}", "unit": "floor", "quantity": 1, "code": "X"}]}',
    ],
    "begin_demo_rush": ['{"resource_id": "{id}"}'],
}
# Calls that name a resource to choose among what is the shopper's own or of a waitlist, or as the
# cursor of a list.
OTHERS = {
    "list_bookings",
    "cancel_booking",
    "quote_refund",
    "list_resources",
    "confirm_hold",
    "set_answers",
    "join_waitlist",
}


@pytest.fixture
async def hidden(make_show: MakeShow) -> Resource:
    return await make_show(published=False)


def operations(api_document: Json) -> dict[str, tuple[str, str, bool]]:
    """The calls of the document that a browser key opens and that name a resource: method, path,
    and whether a shopper must ask."""
    schemas = api_document["components"]["schemas"]  # type: ignore[index]
    found: dict[str, tuple[str, str, bool]] = {}
    for path, calls in api_document["paths"].items():  # type: ignore[attr-defined]
        for method, call in calls.items():
            opened = [one for one in call.get("security", ()) if "publishable" in one]
            asked = [call.get("parameters", []), call.get("requestBody", {})]
            if opened and _OF_RESOURCES.search(_resolved(asked, schemas)):
                needs_token = not any(set(one) == {"publishable"} for one in opened)
                found[call["operationId"]] = (method.upper(), path, needs_token)
    return found


def _resolved(asked: object, schemas: Mapping[str, object]) -> str:
    text, seen = msgspec.json.encode(asked).decode(), set[str]()
    while names := set(re.findall(r"#/components/schemas/(\w+)", text)) - seen:
        seen |= names
        text += "".join(msgspec.json.encode(schemas[name]).decode() for name in sorted(names))
    return text


async def test_in_every_call_it_is_as_if_there_were_none(
    open_api: OpenApi, make_show: MakeShow, hidden: Resource
) -> None:
    """Each call of the OpenAPI document that names a resource, with a pk_ key and with a shopper's
    token, answers of an unpublished one what it answers of none, word for word."""
    api = await open_api(demo=True)
    there = await make_show()
    calls = operations(msgspec.json.decode(msgspec.json.encode(public_document(ALL_ENDPOINTS, ""))))
    assert {"get_resource", "get_availability", "stream_resource", "cinema_get_show"} <= set(calls)
    for name, (method, path, needs_token) in calls.items():
        if name in OTHERS:
            continue
        with_body = method != "GET"
        assert not with_body or name in BODIES, f"{name} wants a body here"
        for body in BODIES[name] if with_body else [""]:
            for with_token in (True,) if needs_token else (False, True):
                answers = []
                for resource_id in (NOBODY, hidden.id):
                    request = Request(
                        method,
                        re.sub(r"{\w+_id}", resource_id, path),
                        body.replace("{id}", resource_id).replace("{open}", there.id).encode()
                        if with_body
                        else None,
                        "pk",
                        {"Bespeak-Shopper": api.token()} if with_token else {},
                    )
                    found = problem(await api.send(request), _code(name))
                    found.pop("request_id")
                    text = msgspec.json.encode(found).decode()
                    answers.append(text.replace(resource_id, "{id}"))
                assert answers[0] == answers[1], name
    assert await api.connection.fetchval("select count(*) from bespeak.hold") == 0


def _code(operation: str) -> str:
    if operation.startswith("appointments_"):
        return "team_not_found"
    if operation.startswith("programme_"):
        return "performance_not_found"
    if operation.startswith("stays_"):
        return "listing_not_found"
    return "show_not_found" if operation.startswith("cinema_") else "resource_not_found"


async def test_lists_leave_it_out_for_browsers_alone(
    api: Api, make_show: MakeShow, hidden: Resource
) -> None:
    seen = await make_show()
    for key, headers, wanted in (
        ("pk", {}, {seen.id}),
        ("pk", {"Bespeak_Shopper": api.token()}, {seen.id}),
        ("sk", {}, {seen.id, hidden.id}),
        ("ak", {}, {seen.id, hidden.id}),
        (await api.restricted("check_in"), {}, {seen.id, hidden.id}),
    ):
        listed = await api.get("/v1/resources", key=key, **headers)
        assert {one["id"] for one in listed["items"]} == wanted, key  # type: ignore[attr-defined]
    assert (await api.get(f"/v1/resources/{hidden.id}"))["published"] is False


async def test_servers_sell_it_and_its_holds_stay_their_owners(api: Api, hidden: Resource) -> None:
    """What was held before, or by a server, its owner reads, extends, confirms and cancels."""
    held = await api.hold(hidden, "A1", owner="asha")
    mine = {"key": "pk", "Bespeak_Shopper": api.token("asha")}
    hold = f"/v1/holds/{held['id']}"
    await api.get(hold, **mine)
    document(await api.ask("POST", f"{hold}/extend", {"seconds": 700}, **mine), 200)
    booked = document(await api.ask("POST", "/v1/bookings", {"hold_id": held["id"]}, **mine), 201)
    await api.get(f"/v1/bookings/{booked['id']}", **mine)
    await api.get(f"/v1/bookings/{booked['id']}/tickets", **mine)
    document(await api.ask("DELETE", f"/v1/bookings/{booked['id']}", **mine), 200)


async def test_a_repeat_is_answered_when_it_is_published_no_more(
    api: Api, make_show: MakeShow
) -> None:
    show = await make_show()
    path = f"/v1/resources/{show.id}"
    body = {"lines": [{"resource_id": show.id, "unit": "A1"}]}
    mine = {"key": "pk", "Bespeak_Shopper": api.token("asha"), "Idempotency_Key": "once"}
    held = document(await api.ask("POST", "/v1/holds", body, **mine), 201)
    await api.ask("PATCH", path, {"published": False}, key="ak")
    again = await api.ask("POST", "/v1/holds", body, **mine)
    assert document(again, 201)["id"] == held["id"]
    problem(
        await api.ask("POST", "/v1/holds", body, **{**mine, "Idempotency_Key": "two"}),
        "resource_not_found",
    )


async def test_it_comes_and_goes_in_every_process(open_api: OpenApi, make_show: MakeShow) -> None:
    """A hold is judged by the database's version at once; what another process has in its memory
    follows the feed. A guest's stream ends."""
    one, other = await open_api(), await open_api()
    other.keys = one.keys
    show = await make_show()
    path = f"/v1/resources/{show.id}"
    await other.get(f"{path}/availability", key="pk")
    watching = other.service.guests_engine.watch(show.id)
    await anext(watching)
    trusted = other.service.engine.watch(show.id)
    await anext(trusted)
    mine = {"key": "pk", "Bespeak_Shopper": other.token()}
    held = {"lines": [{"resource_id": show.id, "unit": "A1"}]}
    document(await one.ask("PATCH", path, {"published": False}, key="ak"), 200)
    # The other process knows nothing of it yet, or knows it already: no hold either way.
    problem(await other.ask("POST", "/v1/holds", held, **mine), "resource_not_found")
    with pytest.raises(StopAsyncIteration):
        while True:
            await anext(watching)
    assert (await anext(trusted)) is not None, "who may see it goes on"
    problem(await other.ask("GET", path, key="pk"), "resource_not_found")

    async def is_seen(wanted: bool) -> bool:
        answer = await other.ask("GET", f"{path}/availability", key="pk")
        return (answer.status_code == 200) is wanted

    await until(lambda: is_seen(wanted=False))
    kinds = await one.connection.fetchval("select array_agg(kind order by at) from bespeak.event")
    assert kinds == ["created", "changed"]
    document(await one.ask("PATCH", path, {"published": True}, key="ak"), 200)
    await until(lambda: is_seen(wanted=True))
    document(await other.ask("POST", "/v1/holds", held, **mine), 201)


async def test_a_calendar_link_that_an_operator_gave_out_goes_on(
    api: Api, hidden: Resource
) -> None:
    made = document(
        await api.ask("POST", f"/v1/resources/{hidden.id}/calendar-links", {}, key="ak"), 201
    )
    answer = await api.ask("GET", str(made["path"]), key=None)
    assert answer.status_code == 200


async def test_only_who_manages_publishes(api: Api, hidden: Resource) -> None:
    path = f"/v1/resources/{hidden.id}"
    seller = await api.restricted("sell", "read")
    problem(await api.ask("PATCH", path, {"published": True}, key=seller), "missing_scope")
    problem(await api.ask("PATCH", path, {"published": "yes"}, key="ak"), "invalid_request")
    manager = await api.restricted("manage")
    changed = document(await api.ask("PATCH", path, {"published": True}, key=manager), 200)
    assert (changed["published"], changed["version"]) == (True, 2)


async def test_the_cinemas_pages_do_not_show_it(api: Api, database_url: str) -> None:
    engine = api.service.engine
    async with session(database_url) as own:
        clock = Clock(own)
        await clock.set(datetime(2026, 11, 21, 8, tzinfo=UTC))
        clock.shared_with(engine)
        async with api.connection.transaction():
            for city in CATALOGUE.cities:
                await catalogue_changes.put_city(api.connection, city)
            for cinema in CATALOGUE.cinemas:
                await catalogue_changes.put_cinema(api.connection, cinema)
            for screen in CATALOGUE.screens:
                await catalogue_changes.put_screen(api.connection, screen)
            for film in CATALOGUE.films:
                await catalogue_changes.put_film(api.connection, film)
            made = [
                await shows.put_show(engine, api.connection, new)
                for new in (
                    show("snow", "alka-1", "2026-11-21T19:00", "Polish"),
                    show("snow", "alka-2", "2026-11-22T19:00", "German", format="3D"),
                )
            ]
        await api.ask("PATCH", f"/v1/resources/{made[1].id}", {"published": False}, key="ak")
        for key, wanted in (("pk", 1), ("sk", 2)):
            listed = await api.get("/v1/cinema/shows", key=key)
            assert len(listed["items"]) == wanted  # type: ignore[arg-type]
            films = await api.get("/v1/cinema/films?date=2026-11-22", key=key)
            assert len(films["items"]) == wanted - 1  # type: ignore[arg-type]
            assert len(films["facets"]["dates"]) == wanted  # type: ignore[index]
            told = await api.get(f"/v1/cinema/films/{show_film(listed)}", key=key)
            assert told["shows"] == wanted
            cities = await api.get("/v1/cinema/cities", key=key)
            assert sum(one["shows"] for one in cities["items"]) == wanted  # type: ignore[attr-defined]
        # A show that changes stays unpublished.
        document(
            await api.ask(
                "PATCH", f"/v1/cinema/shows/{made[1].id}", {"language": "Polish"}, key="ak"
            ),
            200,
        )
        problem(await api.ask("GET", f"/v1/cinema/shows/{made[1].id}", key="pk"), "show_not_found")
        await _publishes_a_draft(api)


async def _publishes_a_draft(api: Api) -> None:
    """A show that is made as a draft; said again after it was published, it stays so."""
    said = {
        "film": "snow",
        "screen": "alka-2",
        "starts_at": "2026-11-23T19:00",
        "language": "Polish",
        "payment": "none",
        "published": False,
    }
    draft = document(await api.ask("POST", "/v1/cinema/shows", said, key="ak"), 201)
    path = f"/v1/cinema/shows/{draft['id']}"
    assert draft["published"] is False
    problem(await api.ask("GET", path, key="pk"), "show_not_found")
    document(await api.ask("PATCH", path, {"published": True}, key="ak"), 200)
    document(await api.ask("POST", "/v1/cinema/shows", said, key="ak"), 201)
    assert document(await api.ask("GET", path, key="pk"), 200)["published"] is True


async def test_what_the_examples_make_is_a_draft_until_they_publish_it(
    api: Api, open_api: OpenApi
) -> None:
    """Who copies them step by step puts nothing on sale that guests could not buy of."""
    make, publish = EXAMPLES["create_resource"].body, EXAMPLES["update_resource"].body
    made = document(await api.ask("POST", "/v1/resources", make, key="ak"), 201)
    path = f"/v1/resources/{made['id']}"
    problem(await api.ask("GET", path, key="pk"), "resource_not_found")
    early = await api.ask("PATCH", path, publish, key="ak")
    problem(early, "resource_not_ready", missing=["no_payment_provider"])
    problem(await api.ask("GET", path, key="pk"), "resource_not_found")
    paid = await open_api(payment_providers="sandbox", allow_pretend_money=True)
    document(await paid.ask("PATCH", path, publish, key="ak"), 200)
    assert document(await paid.ask("GET", path, key="pk"), 200)["state"] == "open"


def show_film(listed: Json) -> str:
    return str(listed["items"][0]["film"]["id"])  # type: ignore[index]
