"""Resources and blocks: created, listed by page, changed by version, taken out of sale and back."""

import pytest

from bespeak import Resource
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, Request, document, place, place_block, problem

PLAN: Json = {
    "type": "seats",
    "sections": [{"name": "Stalls", "rows": [{"name": "A", "seats": 3, "without": [2]}]}],
    "pools": [{"unit": "floor", "capacity": 2}],
}


async def create(api: Api, **fields: object) -> Json:
    body = {"name": "Show", "plan": PLAN, **fields}
    answer = await api.ask("POST", "/v1/resources", body, key="ak")
    made = document(answer, 201)
    assert answer.headers["location"] == f"/v1/resources/{made['id']}"
    return made


async def test_a_resource_has_defaults(api: Api) -> None:
    made = await create(api)
    volatile = {"id": None, "created_at": None, "updated_at": None}
    assert {**made, **volatile} == {
        **volatile,
        "name": "Show",
        "kind": "show",
        "state": "open",
        "published": True,
        "plan": PLAN,
        "time_zone": "UTC",
        "opens_at": None,
        "closes_at": None,
        "starts_at": None,
        "ends_at": None,
        "hold_seconds": 600,
        "hold_seconds_max": 1800,
        "owner_limit": 50,
        "payment": "none",
        "payment_seconds": 900,
        "late_payment": "same_units",
        "price": {"amount": 0, "currency": "EUR"},
        "pricing": None,
        "attributes": {},
        "version": 1,
    }
    assert await api.get(f"/v1/resources/{made['id']}") == made


async def test_a_resource_keeps_what_it_was_given(api: Api) -> None:
    given: Json = {
        "name": "Ünïcode 木 🎭",
        "kind": "room-2_b",
        "state": "closed",
        "time_zone": "Europe/Amsterdam",
        "opens_at": "2030-01-01T00:00:00Z",
        "closes_at": "2030-06-01T12:00:00.123456Z",
        "hold_seconds": 1,
        "hold_seconds_max": 604_800,
        "owner_limit": 1,
        "payment": "required",
        "price": {"amount": 1250, "currency": "USD"},
        "attributes": {"a": "b", "n": 10**30, "f": 0.1, "t": True, "z": None, "": ""},
    }
    made = await create(api, **given)
    read = await api.get(f"/v1/resources/{made['id']}")
    assert {name: read[name] for name in given} == given
    assert read == made


WRONG: list[tuple[Json, str | None]] = [
    ({"name": ""}, "name"),
    ({"name": "x" * 201}, "name"),
    ({"name": "a\n"}, "name"),
    ({"name": "a\x00"}, "name"),
    ({"kind": "Show"}, "kind"),
    ({"kind": "show\n"}, "kind"),
    ({"state": "ajar"}, "state"),
    ({"time_zone": "Mars/Olympus"}, "time_zone"),
    ({"time_zone": "../etc/passwd"}, "time_zone"),
    ({"time_zone": "UTC\x00"}, "time_zone"),
    ({"opens_at": "tomorrow"}, "opens_at"),
    ({"opens_at": "2030-01-01T00:00:00"}, "opens_at"),
    ({"opens_at": "0001-01-01T00:00:00+14:00"}, "opens_at"),
    ({"closes_at": "9999-12-31T23:59:59.999999Z"}, "closes_at"),
    ({"closes_at": "9999-12-31T23:59:59-14:00"}, "closes_at"),
    ({"opens_at": "2030-01-02T00:00:00Z", "closes_at": "2030-01-02T00:00:00Z"}, "closes_at"),
    ({"hold_seconds": 0}, "hold_seconds"),
    ({"hold_seconds": 86_401}, "hold_seconds"),
    ({"hold_seconds": 601, "hold_seconds_max": 600}, "hold_seconds_max"),
    ({"owner_limit": 0}, "owner_limit"),
    ({"payment": "later"}, "payment"),
    ({"price": {"amount": -1}}, "price.amount"),
    ({"price": {"amount": 1.5}}, "price.amount"),
    ({"price": {"currency": "EUR\n"}}, "price.currency"),
    ({"price": {"currency": "euro"}}, "price.currency"),
    ({"attributes": {"a": []}}, "attributes[...]"),
    ({"attributes": {"a": "\x00"}}, "attributes"),
    ({"attributes": {"\x00": 1}}, "attributes"),
    ({"plan": None}, "plan"),
    ({"plan": {}}, "plan"),
    ({"plan": {"type": "hall"}}, "plan.type"),
    ({"plan": {"type": "seats"}}, "plan"),
    ({"plan": {**PLAN, "pools": [{"unit": "floor\n", "capacity": 1}]}}, "plan.pools[0].unit"),
    ({"plan": {**PLAN, "pools": [{"unit": "p", "capacity": -1}]}}, "plan.pools[0].capacity"),
    ({"plan": {**PLAN, "pools": [{"unit": "p", "capacity": 2**31}]}}, "plan.pools[0].capacity"),
    ({"plan": {**PLAN, "pools": [{"unit": "A1", "capacity": 1}]}}, "plan"),
    ({"plan": {**PLAN, "pools": [{"unit": "owner:asha", "capacity": 1}]}}, "plan"),
    ({"plan": {**PLAN, "pools": [{"unit": "p", "capacity": 1}] * 2}}, "plan"),
    ({"colour": "red"}, "colour"),
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda one: str(one[0])[:60])
@pytest.mark.asyncio(loop_scope="module")
async def test_a_wrong_field_is_named(wrong: tuple[Json, str | None], module_api: Api) -> None:
    made = await create(module_api)
    before = await module_api.snapshot()
    create_body = {"name": "Show", "plan": PLAN, **wrong[0]}
    for method, path, body in (
        ("POST", "/v1/resources", create_body),
        ("PATCH", f"/v1/resources/{made['id']}", wrong[0]),
    ):
        answer = await module_api.ask(method, path, body, key="ak")
        assert problem(answer, "invalid_request").get("field") == wrong[1], answer.text
    assert await module_api.snapshot() == before


async def test_a_change_touches_only_what_it_names(api: Api) -> None:
    made = await create(api, opens_at="2030-01-01T00:00:00Z", owner_limit=2)
    path = f"/v1/resources/{made['id']}"
    changed = document(await api.ask("PATCH", path, {"name": "Other"}, key="ak"), 200)
    assert {**changed, "updated_at": None} == {
        **made,
        "name": "Other",
        "version": 2,
        "updated_at": None,
    }
    nulled = {"opens_at": None, "owner_limit": None, "version": 2}
    changed = document(await api.ask("PATCH", path, nulled, key="ak"), 200)
    assert (changed["opens_at"], changed["owner_limit"], changed["version"]) == (None, None, 3)
    problem(await api.ask("PATCH", path, nulled, key="ak"), "version_mismatch", version=3)
    assert await api.get(path) == changed


async def test_a_plan_that_shrinks_sells_no_more_than_it_has(api: Api, show: Resource) -> None:
    await api.booking(show, "floor 3")
    pools = [{"unit": "floor", "capacity": 2}, {"unit": "gallery", "capacity": 3}]
    plan = {"type": "seats", "pools": pools}
    path = f"/v1/resources/{show.id}"
    document(await api.ask("PATCH", path, {"plan": plan}, key="ak"), 200)
    problem(await api.send(place(show, "floor 1")), "sold_out")
    problem(await api.send(place(show, "A1")), "unknown_unit")
    seen = await api.get(f"{path}/availability")
    assert seen["pools"]["floor"] == {"capacity": 2, "available": 0}  # type: ignore[index]
    pools[0]["capacity"] = 4
    document(await api.ask("PATCH", path, {"plan": plan}, key="ak"), 200)
    await api.hold(show, "floor 1")
    problem(await api.send(place(show, "floor 1")), "sold_out")


async def pages(api: Api, path: str, limit: int, **query: str) -> list[list[Json]]:
    found: list[list[Json]] = []
    after = ""
    extra = "".join(f"&{name}={value}" for name, value in query.items())
    while True:
        page = await api.get(f"{path}?limit={limit}{after}{extra}")
        items = page["items"]
        assert isinstance(items, list)
        found.append(items)
        if page["next"] is None:
            return found
        after = f"&after={page['next']}"


async def test_a_list_by_pages_is_the_whole_list(api: Api, make_show: MakeShow) -> None:
    made = [await make_show(kind="room" if number % 3 else "show") for number in range(7)]
    for limit, sizes in ((1, [1] * 7), (3, [3, 3, 1]), (7, [7]), (1000, [7])):
        found = await pages(api, "/v1/resources", limit)
        assert [len(page) for page in found] == sizes
        ids = [one["id"] for page in found for one in page]
        assert ids == sorted(one.id for one in made)
    rooms = [one for page in await pages(api, "/v1/resources", 2, kind="room") for one in page]
    assert {one["id"] for one in rooms} == {one.id for one in made if one.kind == "room"}
    assert await pages(api, "/v1/resources", 2, kind="ship") == [[]]


async def test_blocks_are_listed_until_they_are_lifted(api: Api, show: Resource) -> None:
    made = [await api.block(show, f"A{number}") for number in range(1, 6)]
    made.append(await api.block(show, "B3", "floor 2"))
    path = f"/v1/resources/{show.id}/blocks"
    found = [one for page in await pages(api, path, 2) for one in page]
    assert found == made
    assert (await api.get(f"/v1/resources/{show.id}/audit"))["blocked"] == 6

    some = {"lines": [{"unit": "floor", "quantity": 1}]}
    partly = document(await api.ask("DELETE", f"{path}/{made[5]['id']}", some, key="ak"), 200)
    assert partly["lines"] == [
        {"unit": "B3", "quantity": None},
        {"unit": "floor", "quantity": 1},
    ]
    assert partly["lifted_at"] is None
    whole = document(await api.ask("DELETE", f"{path}/{made[5]['id']}", key="ak"), 200)
    assert whole["lines"] == [] and whole["lifted_at"] is not None
    assert [one for page in await pages(api, path, 10) for one in page] == made[:5]
    await api.hold(show, "B3", "floor 5")
    refused = problem(await api.send(place_block(show, "B3")), "unit_taken")
    conflicts = refused["conflicts"]
    assert isinstance(conflicts, list) and len(conflicts) == 1
    assert conflicts[0].pop("until").endswith("Z")
    assert conflicts == [{"resource_id": show.id, "unit": "B3", "state": "held"}]


async def test_an_audit_counts(api: Api, show: Resource) -> None:
    await api.hold(show, "A1", "floor 2")
    await api.booking(show, "A2", "A3")
    await api.block(show, "A4")
    assert await api.get(f"/v1/resources/{show.id}/audit") == {
        "resource_id": show.id,
        "sold": 2,
        "held": 1,
        "blocked": 1,
        "free": 25,
        "double_sold": 0,
        "violations": [],
    }
    await api.connection.execute("delete from bespeak.claim where unit = 'A2'")
    found = await api.get(f"/v1/resources/{show.id}/audit")
    assert found["violations"] and found["sold"] == 1


async def test_a_resource_is_seen_with_any_key(api: Api, show: Resource) -> None:
    for key in ("pk", "sk", "ak"):
        for path in ("", f"/{show.id}", f"/{show.id}/availability"):
            answer = await api.send(Request("GET", f"/v1/resources{path}", key=key))
            document(answer, 200)
