"""Changes of a programme: what moves along, what is refused while it is sold, what is told."""

from typing import cast

from bespeak import ids
from tests.http.api import Api, Json, document, problem
from tests.http.programmes import PRODUCTION, ROOT, hall, made, performance, performance_of


async def patch(api: Api, path: str, **fields: object) -> Json:
    return document(await api.ask("PATCH", ROOT + path, fields, key="ak"), 200)


def items(page: Json) -> list[Json]:
    return cast(list[Json], page["items"])


async def read(api: Api, path: str, key: str = "ak") -> Json:
    return document(await api.ask("GET", ROOT + path, key=key), 200)


async def hold(api: Api, performance_id: object, **line: object) -> None:
    lines = [{"resource_id": performance_id, **line}]
    document(await api.ask("POST", "/v1/holds", {"owner": "asha", "lines": lines}), 201)


async def test_all_times_move_along_with_the_start(api: Api) -> None:
    first = await performance(
        api,
        doors_at="2030-03-07T19:00",
        closes_at="2030-03-07T18:00",
        opens_at="2030-01-01T10:00",
    )
    # Into summer time: each stays what it was by the clocks on the wall.
    moved = await patch(api, f"/performances/{first['id']}", starts_at="2030-04-04T21:00")
    assert [moved[name] for name in ("doors_at", "starts_at", "ends_at", "closes_at")] == [
        "2030-04-04T20:00:00+02:00",
        "2030-04-04T21:00:00+02:00",
        "2030-04-04T22:30:00+02:00",
        "2030-04-04T19:00:00+02:00",
    ]
    assert moved["opens_at"] == first["opens_at"]
    resource = document(await api.ask("GET", f"/v1/resources/{first['id']}"), 200)
    assert resource["starts_at"] == "2030-04-04T19:00:00Z"
    assert cast(Json, resource["attributes"])["doors_at"] == "2030-04-04T20:00:00+02:00"


async def test_what_others_said_of_the_resource_stays(api: Api) -> None:
    first = await performance(api, note="With an interpreter")
    path = f"/v1/resources/{first['id']}"
    attributes = cast(Json, document(await api.ask("GET", path), 200)["attributes"])
    assert attributes["note"] == "With an interpreter"
    said = {"attributes": attributes | {"latitude": 52.5}}
    document(await api.ask("PATCH", path, said, key="ak"), 200)
    await patch(api, f"/performances/{first['id']}", note="")
    after = cast(Json, document(await api.ask("GET", path), 200)["attributes"])
    assert after["latitude"] == 52.5 and "note" not in after


async def test_a_sold_performance_moves_only_when_told_to(api: Api) -> None:
    first = await performance(api)
    path = f"/performances/{first['id']}"
    await hold(api, first["id"], unit="Floor", quantity=4)
    body = {"starts_at": "2030-03-08T20:00"}
    told = problem(await api.ask("PATCH", ROOT + path, body, key="ak"), "performance_sold")
    assert told["units"] == 4
    assert (await patch(api, path, note="x", starts_at="2030-03-07T20:00"))["note"] == "x"
    moved = await patch(api, path, moves_sold=True, **body)
    assert moved["starts_at"] == "2030-03-08T20:00:00+01:00"


async def test_blocks_are_nobodys(api: Api) -> None:
    first = await performance(api)
    body = {"lines": [{"unit": "A1"}, {"unit": "Floor", "quantity": 9}], "reason": "house seats"}
    document(await api.ask("POST", f"/v1/resources/{first['id']}/blocks", body, key="ak"), 201)
    told = await read(api, f"/performances/{first['id']}")
    assert [told["units_free"], told["sold"]] == [105, 0]
    await patch(api, f"/performances/{first['id']}", starts_at="2030-03-08T20:00")


async def test_a_production_is_archived_when_nothing_of_it_is_to_come(api: Api) -> None:
    first = await performance(api, published=True)
    production = cast(Json, first["production"])["id"]
    path = f"/productions/{production}"
    told = problem(
        await api.ask("PATCH", ROOT + path, {"archived": True}, key="ak"), "production_in_use"
    )
    assert [told["performances"], told["units"]] == [1, 0]
    off = f"/v1/resources/{first['id']}/cancellation"
    document(await api.ask("POST", off, {"reason": "storm"}, key="ak"), 202)
    assert (await read(api, path))["state"] == "called_off"
    place = await hall(api)
    await made(api, "/performances", performance_of({"id": production}, place))
    (draft,) = [
        one
        for one in items(await read(api, f"/performances?production={production}"))
        if one["id"] != first["id"]
    ]
    await patch(api, f"/performances/{draft['id']}", state="closed")
    assert (await patch(api, path, archived=True))["archived"] is True
    assert items(await read(api, "/productions", "pk")) == []


async def test_past_and_coming_productions_are_listed_apart(api: Api) -> None:
    over = await performance(api, starts_at="2020-03-07T20:00")
    coming = await performance(api)
    none = await made(api, "/productions", PRODUCTION)

    async def listed(state: str) -> set[object]:
        return {one["id"] for one in items(await read(api, f"/productions?state={state}"))}

    was, is_to_come = (cast(Json, one["production"])["id"] for one in (over, coming))
    assert await listed("past") == {was}
    assert await listed("upcoming") == {is_to_come}
    assert await listed("all") == {was, is_to_come, none["id"]}
    assert [one["id"] for one in items(await read(api, "/performances"))] == [coming["id"]]
    assert [one["id"] for one in items(await read(api, "/performances?from=2020-01-01"))] == [
        over["id"],
        coming["id"],
    ]


async def test_lists_are_read_page_by_page(api: Api) -> None:
    place = await hall(api)
    for day in range(1, 6):
        production = await made(api, "/productions", PRODUCTION | {"title": f"No. {day}"})
        at = f"2030-03-{day:02}T20:00"
        await made(
            api, "/performances", performance_of(production, place, starts_at=at, published=True)
        )
    for path in ("/productions", "/performances"):
        found: list[object] = []
        after = ""
        while True:
            page = await read(api, f"{path}?limit=2{after}", "pk")
            found += [one["id"] for one in items(page)]
            if page["next"] is None:
                break
            after = f"&after={page['next']}"
        whole = [one["id"] for one in items(await read(api, path, "pk"))]
        assert found == whole and len(set(found)) == 5


async def test_a_production_is_found_by_what_it_says(api: Api) -> None:
    await performance(api, published=True)
    for query, count in (
        ("search=vier hande", 1),
        ("search=ANGSTROM", 1),
        ("search=angstrom nobody", 0),
        ("kind=concert", 1),
        ("kind=talk", 0),
        ("series=Thursdays", 1),
        ("series=Fridays", 0),
        ("city=Berlin", 1),
        ("city=Pune", 0),
        ("from=2030-03-07&to=2030-03-07", 1),
        ("from=2030-03-08", 0),
        ("to=2030-03-06", 0),
    ):
        page = await read(api, f"/productions?{query}", "pk")
        assert len(items(page)) == count, query


async def test_what_lapsed_is_free_again(api: Api) -> None:
    first = await performance(api)
    await hold(api, first["id"], unit="A1")
    await hold(api, first["id"], unit="Floor", quantity=2)
    number = ids.parse_resource(str(first["id"]))
    lapse = "set expires_at = bespeak.now() where resource_id = $1"
    for table in ("claim", "draw"):
        await api.connection.execute(f"update bespeak.{table} {lapse}", number)
    await api.connection.execute(
        "update bespeak.pool set lapses_at = bespeak.now() where resource_id = $1", number
    )
    told = await read(api, f"/performances/{first['id']}")
    assert [told["units_free"], told["sold"]] == [115, 0]


async def test_a_key_of_a_venue_works_for_its_performances(api: Api) -> None:
    here, elsewhere = await performance(api), await performance(api)
    venue = cast(Json, here["venue"])["id"]
    key = await api.restricted("manage", "read", place=f"programme/{venue}")
    for one, status in ((here, 200), (elsewhere, 403)):
        path = f"{ROOT}/performances/{one['id']}"
        assert (await api.ask("GET", path, key=key)).status_code == status
        assert (await api.ask("PATCH", path, {"note": "x"}, key=key)).status_code == status
