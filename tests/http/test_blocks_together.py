"""Blocks of several resources in one call: all of them or nothing, once, each told to the feed."""

from collections.abc import Mapping
from typing import cast

import pytest

from bespeak import Resource
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, Request, document, problem
from tests.http.stays import made_listing, made_property, soon


@pytest.fixture
async def other_show(make_show: MakeShow) -> Resource:
    return await make_show()


def asked(*resources: Mapping[str, object], reason: str = "new roof", key: str = "once") -> Request:
    body = {"resources": list(resources), "reason": reason}
    return Request("POST", "/v1/blocks", body, "ak", {"idempotency-key": key})


def units(show: Resource, *names: str) -> Json:
    return {"resource_id": show.id, "lines": [{"unit": name} for name in names]}


async def blocked(api: Api) -> list[tuple[object, ...]]:
    """What is blocked and told of, by resource."""
    rows = await api.connection.fetch(
        "select b.resource_id, b.units, (select count(*) from bespeak.event e"
        " where e.hold_id = b.block_id and e.kind = 'blocked') as told"
        " from bespeak.block b where b.lifted_at is null order by 1"
    )
    return [tuple(row) for row in rows]


async def test_rooms_of_several_houses_are_closed_at_once(api: Api) -> None:
    house = await made_property(api)
    double = await made_listing(api, house)
    flat = await made_listing(api, house, ref="flat", plan={"type": "nights", "rooms": ["flat"]})
    nights = [{"from": soon(0), "to": soon(3)}]
    wanted = [{"resource_id": one["id"], "lines": nights} for one in (flat, double)]
    answer = await api.send(asked(*wanted))
    made = cast("list[Json]", document(answer, 201)["items"])
    assert [one["resource_id"] for one in made] == [flat["id"], double["id"]]
    assert {one["reason"] for one in made} == {"new roof"}
    for listing in (flat, double):
        path = f"/v1/listings/{listing['id']}?from={soon(0)}&days=4"
        calendar = cast(Json, (await api.get(path, key="pk"))["calendar"])
        free = [one["free"] for one in cast("list[Json]", calendar["nights"])]
        assert free[:3] == [0, 0, 0]
        assert free[3] != 0
    again = await api.send(asked(*wanted))
    assert again.headers["idempotent-replayed"] == "true"
    assert document(again, 201) == document(answer, 201)
    assert [told for *_, told in await blocked(api)] == [1, 1]


async def test_where_one_is_taken_nothing_of_the_others_is_blocked(
    api: Api, show: Resource, other_show: Resource
) -> None:
    await api.hold(other_show, "A2")
    before = await api.snapshot()
    refused = problem(
        await api.send(asked(units(show, "A1"), units(other_show, "A1", "A2"))), "unit_taken"
    )
    (conflict,) = cast("list[Json]", refused["conflicts"])
    assert (conflict["resource_id"], conflict["unit"]) == (other_show.id, "A2")
    assert await api.snapshot() == before, "nothing is left, not even the key"
    document(await api.send(asked(units(show, "A1"), units(other_show, "A1"))), 201)
    assert [unit for _, unit, _ in sorted(await blocked(api), key=str)] == [["A1"], ["A1"]]


async def test_a_key_is_for_the_same_resources(
    api: Api, show: Resource, other_show: Resource
) -> None:
    document(await api.send(asked(units(show, "A1"), units(other_show, "A1"))), 201)
    told = problem(await api.send(asked(units(show, "A1"))), "idempotency_key_reused")
    assert told["fields"] == ["resources"]


async def test_more_than_is_blocked_together_is_refused(api: Api, show: Resource) -> None:
    told = problem(await api.send(asked(*[units(show, "A1")] * 501)), "invalid_request")
    assert told["field"] == "resources"
    lines = [{"unit": f"A{n}"} for n in range(10_001)]
    one = {"resource_id": show.id, "lines": lines}
    told = problem(await api.send(asked(one)), "invalid_request")
    assert told["field"] == "resources[0].lines"
