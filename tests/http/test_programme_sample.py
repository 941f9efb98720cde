"""The sample of the programme: added once, sold like anything else, and taken away as a whole."""

import asyncio
from typing import cast

from tests.harness.database import Connection, problems
from tests.harness.refunding import canceller
from tests.http.api import Api, Json, document, problem
from tests.http.workspaces import ACME, found_acme

PATH = "/v1/programme/sample"
NOTHING: Json = {
    "venue": None,
    "halls": [],
    "productions": [],
    "performances": [],
    "added_at": None,
}


async def add(api: Api, key: str = "ak") -> Json:
    return document(await api.ask("PUT", PATH, {"sample": "house"}, key=key), 200)


async def remove(api: Api) -> None:
    assert document(await api.ask("DELETE", PATH, key="ak"), 200) == NOTHING
    assert document(await api.ask("GET", PATH, key="ak"), 200) == NOTHING


async def listed(api: Api, what: str, **query: str) -> list[Json]:
    text = "&".join(f"{name}={value}" for name, value in query.items())
    found = await api.get(f"/v1/programme/{what}?{text}")
    return cast("list[Json]", found["items"])


async def count(connection: Connection) -> int:
    tables = ("venue", "hall", "production", "performance", "sample")
    counts = [await connection.fetchval(f"select count(*) from programme.{one}") for one in tables]
    return sum(counts)


def shows_of(sample: Json) -> list[str]:
    return cast("list[str]", sample["performances"])


async def book(api: Api, show: str) -> Json:
    """A booking of any place of a show."""
    plan = cast("Json", (await api.get(f"/v1/resources/{show}"))["plan"])
    pools = cast("list[Json]", plan.get("pools", []))
    line: Json = {"resource_id": show, "best": {"quantity": 1}}
    if pools:
        line = {"resource_id": show, "unit": pools[0]["unit"], "quantity": 1}
    placed = await api.ask("POST", "/v1/holds", {"owner": "asha", "lines": [line]})
    hold = document(placed, 201)
    return document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)


async def test_the_sample_is_added_once_and_is_on_sale(api: Api) -> None:
    assert document(await api.ask("GET", PATH, key="ak"), 200) == NOTHING
    first, second = await asyncio.gather(add(api), add(api))
    assert first == second
    assert len(shows_of(first)) == 4
    dates = await listed(api, "performances")
    assert [one["id"] for one in dates] == first["performances"]
    assert {one["state"] for one in dates} == {"on_sale"}
    assert {one["payment"] for one in dates} == {"at_venue", "none"}
    assert all(str(cast("Json", one["production"])["title"]).startswith("Sample") for one in dates)
    for one in shows_of(first):
        await book(api, one)


async def test_it_is_taken_away_with_what_was_booked_of_it(
    api: Api, connection: Connection
) -> None:
    shows = shows_of(await add(api))
    booking = await book(api, shows[0])
    await remove(api)
    await remove(api)  # the reply was lost
    assert await count(connection) == 0
    for show in shows:
        found = await api.get(f"/v1/resources/{show}")
        assert (found["published"], found["state"]) == (False, "closed")
    await canceller(api.service.engine).look()
    found = await api.get(f"/v1/bookings/{booking['id']}")
    assert found["state"] == "cancelled"
    assert not await problems(connection)
    again = await add(api)
    assert set(shows_of(again)).isdisjoint(shows)


async def test_what_else_is_given_in_its_halls_stays(api: Api) -> None:
    made = await add(api)
    (hall, *_) = cast("list[str]", made["halls"])
    own = {"title": "My own evening", "kind": "concert", "minutes": 60}
    production = document(await api.ask("POST", "/v1/programme/productions", own, key="ak"), 201)
    date = {
        "production": production["id"],
        "hall": hall,
        "starts_at": "2031-03-07T20:00",
        "currency": "EUR",
        "payment": "none",
        "published": True,
    }
    document(await api.ask("POST", "/v1/programme/performances", date, key="ak"), 201)
    await remove(api)
    assert [one["id"] for one in await listed(api, "halls")] == [hall]
    assert [one["id"] for one in await listed(api, "venues")] == [made["venue"]]
    (left,) = await listed(api, "performances")
    assert cast("Json", left["production"])["id"] == production["id"]


async def test_each_workspace_has_its_own(api: Api, connection: Connection) -> None:
    await found_acme(api)
    mine, theirs = await add(api), await add(api, f"{ACME} ak")
    assert mine["venue"] != theirs["venue"]
    await remove(api)
    assert document(await api.ask("GET", PATH, key=f"{ACME} ak"), 200) == theirs
    assert await count(connection) > 0


async def test_only_who_manages_adds_and_removes(api: Api) -> None:
    for method in ("GET", "PUT", "DELETE"):
        problem(await api.ask(method, PATH, key="sk"), "key_kind_wrong")
