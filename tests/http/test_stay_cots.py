"""A child under three in a cot is beside the guests for whom a room is: in what is found, at which
rates it can be had, and in the hold.
"""

from typing import cast

from tests.http.api import Api, Json, document, problem, until
from tests.http.stays import LISTINGS, SEARCH, made_listing, made_property, soon

COT: list[Json] = [{"kind": "double"}, {"kind": "cot"}]
DATES = {"from": soon(0), "to": soon(2)}


async def found(api: Api, query: str) -> list[object]:
    where = f"{SEARCH}?lat=53.5453&lon=9.9690&start={soon(0)}&end={soon(2)}"
    answer = document(await api.ask("GET", f"{where}&{query}", key="pk"), 200)
    return [one["name"] for one in cast("list[Json]", answer["items"])]


def line(listing: Json, guests: int, *ages: int, **more: object) -> Json:
    of = {"resource_id": listing["id"], "guests": guests, "ages": list(ages)}
    return {"owner": "asha", "lines": [of | DATES | {"quantity": 1} | more]}


async def test_a_small_child_has_a_cot_beside_the_guests(api: Api) -> None:
    house = await made_property(api)
    listing = await made_listing(api, house, name="With cot", beds=COT)
    await made_listing(api, house, ref="bare", name="Without")

    async def is_there() -> bool:
        return len(await found(api, "guests=2")) == 2

    await until(is_there)
    assert await found(api, "guests=3&ages=2") == ["With cot"]
    assert await found(api, "guests=3&ages=3") == []
    assert await found(api, "guests=3") == []
    rates = f"{LISTINGS}/{listing['id']}/rates?start={soon(0)}&end={soon(2)}"
    told = document(await api.ask("GET", f"{rates}&guests=3&ages=2", key="pk"), 200)
    (usual,) = cast("list[Json]", told["items"])
    refused = problem(await api.ask("GET", f"{rates}&guests=3&ages=3", key="pk"), "invalid_stay")
    assert (refused["field"], refused["bound"]) == ("guests", 2)
    held = document(await api.ask("POST", "/v1/holds", line(listing, 3, 2)), 201)
    assert held["amount"] == usual["price"]
    refused = problem(await api.ask("POST", "/v1/holds", line(listing, 3, 3)), "invalid_request")
    assert refused["field"] == "lines[0].guests"


async def test_who_takes_the_cot_out_has_room_for_one_less(api: Api) -> None:
    house = await made_property(api)
    listing = await made_listing(api, house, beds=COT)
    shown = document(await api.ask("GET", f"{LISTINGS}/{listing['id']}", key="ak"), 200)
    assert (cast("Json", shown["plan"])["cots"], shown["guests"]) == (1, 2)
    change = {"beds": [{"kind": "double"}]}
    document(await api.ask("PATCH", f"{LISTINGS}/{listing['id']}", change, key="ak"), 200)
    problem(await api.ask("POST", "/v1/holds", line(listing, 3, 2)), "invalid_request")

    async def is_gone() -> bool:
        return await found(api, "guests=2") != [] and await found(api, "guests=3&ages=2") == []

    await until(is_gone)
