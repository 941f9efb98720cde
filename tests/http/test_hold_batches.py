"""Many holds in one call: each has the answer that a call for it alone would have had."""

import asyncio
from typing import cast

import pytest

from bespeak import PoolPlan, Resource, SeatsPlan
from bespeak.http.server.scopes import KeyScope
from tests.harness.database import Connection, problems
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, check_members, document, line, place, problem
from tests.http.conftest import OpenApi
from tests.http.outage import give_up_soon
from tests.http.waiting import room_for

PATH = "/v1/holds/batch"


def hold(show: Resource, *units: str, owner: str = "asha", **fields: object) -> Json:
    """An element that asks for units."""
    return {"owner": owner, "lines": [line(show, unit) for unit in units], **fields}


async def batch(api: Api, *holds: Json, key: str = "sk", **headers: str) -> list[Json]:
    """The items that a batch is answered with."""
    found = document(await api.ask("POST", PATH, {"holds": holds}, key=key, **headers), 200)
    assert found["next"] is None
    return cast("list[Json]", found["items"])


def codes(items: list[Json]) -> list[object]:
    """The code of each problem, and the status of each hold."""
    return [
        cast("Json", item["problem"])["code"] if item["problem"] else item["status"]
        for item in items
    ]


def ids(items: list[Json]) -> list[object]:
    return [cast("Json", item["hold"])["id"] if item["hold"] else None for item in items]


async def test_each_hold_has_its_own_answer(api: Api, show: Resource) -> None:
    await api.hold(show, "A5", owner="zoe")
    items = await batch(
        api,
        hold(show, "A1", "floor 2"),
        hold(show, "A5", owner="ben"),
        hold(show, "Z9", owner="ben"),
        hold(show, "A3", owner="carla", hold_seconds=60),
        {"owner": "dev", "lines": [{"resource_id": "res_00000000", "unit": "A1"}]},
        {"lines": [line(show, "A7")]},
        hold(show, "gallery 9", owner="emma", partial="best"),
    )
    assert codes(items) == [
        201, "unit_taken", "unknown_unit", 201, "resource_not_found", "invalid_request", 201,
    ]  # fmt: skip
    first = cast("Json", items[0]["hold"])
    assert {**first, "expires_in_ms": 0} == {
        **await api.get(f"/v1/holds/{first['id']}"),
        "expires_in_ms": 0,
    }
    best = cast("Json", items[6]["hold"])
    assert (best["owner"], best["missing"]) == ("emma", [line(show, "gallery 6")])
    assert [item["status"] for item in items] == [201, 409, 422, 201, 404, 422, 201]
    assert all((item["hold"] is None) is (item["problem"] is not None) for item in items)


async def test_a_problem_is_that_of_a_single_call(api: Api, show: Resource) -> None:
    await api.hold(show, "A5", owner="zoe")
    wanted = [hold(show, "A5", owner="ben"), hold(show, "Z9", owner="ben")]
    answer = await api.ask("POST", PATH, {"holds": wanted})
    items = cast("list[Json]", document(answer, 200)["items"])
    for one, item in zip(wanted, items, strict=True):
        alone = await api.ask("POST", "/v1/holds", {**one, "alternatives": 0})
        found = cast("Json", item["problem"])
        assert found["request_id"] == answer.headers["x-request-id"]
        assert {**found, "request_id": ""} == {**alone.json(), "request_id": ""}
        check_members(found)
        assert "alternatives" not in found


async def test_two_elements_that_want_the_same_seat(api: Api, show: Resource) -> None:
    items = await batch(api, *(hold(show, "A1", owner=f"o{n}") for n in range(20)))
    assert sorted(map(str, codes(items))) == ["201"] + ["unit_taken"] * 19


async def test_a_repeat_of_the_whole_call_is_answered_with_the_same_holds(
    api: Api, show: Resource, connection: Connection
) -> None:
    wanted = [hold(show, f"A{n}", owner=f"o{n}", idempotency_key="k") for n in range(1, 15)]
    first = await batch(api, *wanted[:10])
    again = await batch(api, *wanted)
    assert ids(again)[:10] == ids(first)
    assert [item["repeated"] for item in again] == [True] * 10 + [False] * 4
    other = await batch(api, hold(show, "A20", owner="o1", idempotency_key="k"))
    assert codes(other) == ["idempotency_key_reused"]
    assert cast("Json", other[0]["problem"])["fields"] == ["lines"]
    single = await api.send(place(show, "A1", owner="o1", idempotency_key="k"))
    assert document(single, 201)["id"] == ids(first)[0], "the keys of both calls are one"
    assert await problems(connection) == []


async def test_the_key_of_the_call_is_of_its_elements(api: Api, show: Resource) -> None:
    wanted = [hold(show, "A1"), hold(show, "A2", idempotency_key="own"), hold(show, "A3")]
    first = await batch(api, *wanted, Idempotency_Key="import")
    again = await batch(api, *wanted, Idempotency_Key="import")
    assert ids(again) == ids(first)
    answer = await api.ask("POST", PATH, {"holds": wanted}, Idempotency_Key="import")
    assert answer.headers["idempotent-replayed"] == "true"
    single = await api.ask("POST", "/v1/holds", hold(show, "A3"), Idempotency_Key="import/2")
    assert document(single, 201)["id"] == ids(first)[2]
    swapped = await batch(api, wanted[2], wanted[1], wanted[0], Idempotency_Key="import")
    assert codes(swapped) == ["idempotency_key_reused", 201, "idempotency_key_reused"]


async def test_two_calls_with_the_same_keys_at_once_hold_once(api: Api, show: Resource) -> None:
    wanted = [hold(show, f"A{n}", idempotency_key=f"k{n}") for n in range(1, 20)]
    one, other = await asyncio.gather(batch(api, *wanted), batch(api, *reversed(wanted)))
    assert ids(one) == ids(other)[::-1]
    assert len(await api.holds()) == 19


async def test_what_is_wrong_with_the_call_holds_nothing(api: Api, show: Resource) -> None:
    good = hold(show, "A1")
    before = await api.snapshot()
    wrong: list[tuple[object, str]] = [
        ({"holds": []}, "holds"),
        ({"holds": [good] * 501}, "holds"),
        ({"holds": good}, "holds"),
        ({"holds": [good], "owner": "asha"}, "owner"),
        ({"holds": [good, {**good, "hold_seconds": 0}]}, "holds[1].hold_seconds"),
        ({"holds": [good, {**good, "alternatives": 3}]}, "holds[1].alternatives"),
        ({"holds": [good, {**good, "lines": []}]}, "holds[1].lines"),
        (
            {"holds": [{**good, "idempotency_key": "k"}, {**good, "idempotency_key": "k"}]},
            "holds[1].idempotency_key",
        ),
    ]
    for body, field in wrong:
        found = problem(await api.ask("POST", PATH, body), "invalid_request")
        assert str(found["field"]) == field, found
    long = await api.ask("POST", PATH, {"holds": [good]}, Idempotency_Key="k" * 197)
    problem(long, "invalid_request", field="idempotency_key")
    huge = {"holds": [{**good, "owner": "o" * 200} for _ in range(500)], "x": "y" * 300_000}
    problem(await api.ask("POST", PATH, huge), "body_too_large")
    problem(await api.ask("POST", PATH, b'{"holds": ['), "invalid_json")
    assert await api.snapshot() == before


async def test_who_may(api: Api, show: Resource) -> None:
    wanted = {"holds": [hold(show, "A1")]}
    shopper = {"Bespeak_Shopper": api.token()}
    problem(await api.ask("POST", PATH, wanted, key="pk", **shopper), "key_kind_wrong")
    problem(await api.ask("POST", PATH, wanted, key=None), "key_missing")
    reader = await api.restricted(KeyScope.READ)
    problem(await api.ask("POST", PATH, wanted, key=reader), "missing_scope")
    seller = await api.restricted(KeyScope.SELL)
    assert codes(await batch(api, hold(show, "A1"), key=seller)) == [201]


async def test_a_bound_key_asks_for_what_is_its_own_or_for_nothing(
    api: Api, make_show: MakeShow
) -> None:
    one, other = await make_show(), await make_show()
    bound = await api.restricted(KeyScope.SELL, resources=[one.id])
    mixed = {"holds": [hold(one, "A1"), hold(one, "A2"), hold(other, "A1")]}
    problem(await api.ask("POST", PATH, mixed, key=bound), "key_bound", resource_id=other.id)
    assert await api.holds() == []
    assert codes(await batch(api, hold(one, "A1"), hold(one, "A2"), key=bound)) == [201, 201]


async def test_each_element_counts_as_a_call(open_api: OpenApi, show: Resource) -> None:
    api = await open_api(rate_limit_secret="20/hour")
    assert codes(await batch(api, *(hold(show, f"A{n}") for n in range(1, 11)))) == [201] * 10
    before = await api.holds()
    many = {"holds": [hold(show, f"A{n}", owner="ben") for n in range(10, 21)]}
    answer = await api.ask("POST", PATH, many)
    problem(answer, "rate_limited")
    assert await api.holds() == before
    # What was refused has taken one call and no more: nine are left.
    assert codes(await batch(api, *(hold(show, f"A{n}") for n in range(11, 20)))) == [201] * 9
    problem(await api.send(place(show, "A20")), "rate_limited")


async def test_limits_of_an_owner_hold_over_a_batch(api: Api, make_show: MakeShow) -> None:
    show = await make_show(owner_limit=3)
    items = await batch(api, *(hold(show, f"A{n}") for n in range(1, 11)))
    assert sorted(map(str, codes(items))) == ["201"] * 3 + ["owner_limit_reached"] * 7


async def test_a_shopper_named_by_a_server_is_judged_in_a_batch_too(
    open_api: OpenApi, make_show: MakeShow
) -> None:
    hall = await make_show(plan=SeatsPlan(pools=(PoolPlan("floor", 300),)))
    api = await open_api(budgets="on")
    ten = hold(hall, "floor 10", owner="guest")
    named = {"Bespeak_Shopper_Address": "192.0.2.1"}
    found = codes(await batch(api, *[ten] * 5, **named))
    assert sorted(map(str, found)) == ["201"] * 3 + ["budget_spent"] * 2, "30 units a guest"
    assert codes(await batch(api, *[ten] * 5)) == [201] * 5, "a server that answers for itself"
    wrong = {"Bespeak_Shopper_Address": "nonsense"}
    assert codes(await batch(api, ten, ten, **wrong)) == ["invalid_request"] * 2


async def test_what_is_behind_a_waiting_room_needs_its_pass(api: Api, show: Resource) -> None:
    await room_for(api, show)
    named = {"Bespeak_Shopper_Address": "192.0.2.1"}
    assert codes(await batch(api, hold(show, "A1"), **named)) == ["pass_required"]
    assert codes(await batch(api, hold(show, "A1"))) == [201], "its own server needs none"


async def test_each_hold_is_the_deed_of_the_key(
    api: Api, show: Resource, connection: Connection
) -> None:
    one, other = await api.restricted(KeyScope.SELL), await api.restricted(KeyScope.SELL)
    await asyncio.gather(
        batch(api, *(hold(show, f"A{n}") for n in range(1, 11)), key=one),
        batch(api, *(hold(show, f"A{n}") for n in range(11, 21)), key=other),
    )
    rows = await connection.fetch(
        "select distinct event.actor, unit from bespeak.event, unnest(units) unit"
        " where kind = 'held'"
    )
    actors = {row["unit"]: row["actor"] for row in rows}
    assert {actors[f"A{n}"] for n in range(1, 11)} == {one}
    assert {actors[f"A{n}"] for n in range(11, 21)} == {other}


async def test_the_short_form_of_a_stay(api: Api, show: Resource) -> None:
    both = {"room_id": show.id, "start_date": "2030-01-01", "end_date": "2030-01-02"}
    items = await batch(api, {"owner": "asha", **both}, hold(show, "A1", **both))
    assert codes(items) == ["invalid_request"] * 2, "seats are no rooms; and not both forms"


async def test_a_large_batch(api: Api, make_show: MakeShow, connection: Connection) -> None:
    shows = [await make_show() for _ in range(20)]
    wanted = [hold(show, f"A{n}") for n in range(1, 21) for show in shows]
    wanted += [hold(shows[0], f"A{n}", owner="late") for n in range(1, 21)] * 5
    assert len(wanted) == 500
    items = await batch(api, *wanted)
    assert codes(items).count(201) == 400
    assert codes(items).count("unit_taken") == 100
    assert await problems(connection) == []


@pytest.mark.parametrize("count", [3, 80])
async def test_while_the_database_is_away_each_says_so(
    open_api: OpenApi, show: Resource, count: int
) -> None:
    api = await open_api()
    wanted = [hold(show, f"A{1 + n % 20}", owner=f"o{n}") for n in range(count)]
    await batch(api, *wanted[:1])  # the resource is known
    give_up_soon(api.service.engine.committer)
    api.service.engine.committer._connector = _nobody  # type: ignore[assignment]
    await api.connection.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity"
        " where datname = current_database() and pid <> pg_backend_pid()"
    )
    items = await batch(api, *wanted[1:])
    assert set(codes(items)) <= {"database_unavailable", "unit_taken"}
    assert "database_unavailable" in codes(items)


async def _nobody(url: str) -> object:
    raise ConnectionRefusedError
