"""The programme: what is made is read back as it was said, and what guests see of it."""

from typing import cast

from tests.http.api import Api, Json, document, problem
from tests.http.programmes import (
    PLAN,
    PRODUCTION,
    ROOT,
    VENUE,
    hall,
    made,
    performance,
    performance_of,
)


def items(page: Json) -> list[Json]:
    return cast(list[Json], page["items"])


async def read(api: Api, path: str, key: str = "ak") -> Json:
    return document(await api.ask("GET", ROOT + path, key=key), 200)


async def test_a_venue_is_read_as_it_was_said(api: Api) -> None:
    venue = await made(api, "/venues", VENUE)
    assert VENUE.items() <= venue.items()
    assert await read(api, f"/venues/{venue['id']}") == venue
    changed = document(
        await api.ask("PATCH", f"{ROOT}/venues/{venue['id']}", {"archived": True}, key="ak"), 200
    )
    assert changed == venue | {"archived": True}
    assert items(await read(api, "/venues")) == []
    assert items(await read(api, "/venues?archived=true")) == [changed]


async def test_a_hall_has_a_category_for_all_that_it_sells(api: Api) -> None:
    found = await hall(api)
    assert found["capacity"] == 115
    assert [one["code"] for one in cast(list[Json], found["categories"])] == [
        "stalls",
        "circle",
        "Floor",
    ]
    (listed,) = items(await read(api, "/halls?lang=de"))
    assert "plan" not in listed
    assert cast(list[Json], listed["categories"])[0]["name"] == "Parkett"


async def test_a_production_has_nothing_to_sell_until_it_has_a_performance(api: Api) -> None:
    made_one = await made(api, "/productions", PRODUCTION)
    assert PRODUCTION.items() <= made_one.items()
    assert made_one["state"] == "none" and made_one["next_performance"] is None
    assert items(await read(api, "/productions")) == []
    assert items(await read(api, "/productions?state=all")) == [made_one]


async def test_a_performance_is_a_resource_that_is_sold(api: Api) -> None:
    made_one = await performance(api, published=True)
    assert made_one["starts_at"] == "2030-03-07T20:00:00+01:00"
    assert made_one["ends_at"] == "2030-03-07T21:30:00+01:00"
    assert made_one["price_from"] == 1500 and made_one["units_total"] == 115
    lines = [
        {"resource_id": made_one["id"], "unit": "A1"},
        {"resource_id": made_one["id"], "unit": "Floor", "quantity": 3},
    ]
    document(await api.ask("POST", "/v1/holds", {"owner": "asha", "lines": lines}), 201)
    told = await read(api, f"/performances/{made_one['id']}")
    assert [told["units_free"], told["sold"], told["state"]] == [111, 4, "on_sale"]
    seen = await read(api, f"/performances/{made_one['id']}?lang=de", "pk")
    assert "sold" not in seen and cast(Json, seen["production"])["title"] == "Vier Hände"
    resource = document(await api.ask("GET", f"/v1/resources/{made_one['id']}"), 200)
    assert [resource["name"], resource["kind"]] == ["Four Hands", "performance"]
    attributes = cast(Json, resource["attributes"])
    assert attributes["location"] == "Alte Münze, Saal, Am Krögel 2, Berlin"


async def test_a_guest_sees_what_is_published(api: Api) -> None:
    draft = await performance(api)
    path = f"/performances/{draft['id']}"
    production = cast(Json, draft["production"])["id"]
    problem(await api.ask("GET", ROOT + path, key="pk"), "performance_not_found")
    problem(
        await api.ask("GET", f"{ROOT}/productions/{production}", key="pk"), "production_not_found"
    )
    assert items(await read(api, "/productions", "pk")) == []
    document(await api.ask("PATCH", ROOT + path, {"published": True}, key="ak"), 200)
    (seen,) = items(await read(api, "/productions?search=angstrom", "pk"))
    assert cast(Json, seen["next_performance"])["id"] == draft["id"]
    assert [seen["units_free"], seen["price_from"], seen["state"]] == [
        115,
        {"amount": 1500, "currency": "EUR"},
        "on_sale",
    ]
    assert items(await read(api, "/productions?search=nobody", "pk")) == []
    (one,) = items(await read(api, "/performances?from=2030-03-07&to=2030-03-07", "pk"))
    assert one["id"] == draft["id"]


async def test_two_performances_are_not_in_one_hall_at_a_time(api: Api) -> None:
    place, production = await hall(api), await made(api, "/productions", PRODUCTION)
    first = await made(api, "/performances", performance_of(production, place))
    body = performance_of(production, place, starts_at="2030-03-07T21:00")
    told = problem(await api.ask("POST", f"{ROOT}/performances", body, key="ak"), "hall_occupied")
    assert told["performance_id"] == first["id"]
    await made(
        api, "/performances", performance_of(production, place, starts_at="2030-03-07T21:30")
    )


async def test_copies_keep_the_time_of_day_over_summer_time(api: Api) -> None:
    first = await performance(api, starts_at="2030-03-29T20:00", published=True)
    body = {"weekly": {"days": ["fri", "sat"], "until": "2030-04-06"}}
    path = f"{ROOT}/performances/{first['id']}/copies"
    copies = document(await api.ask("POST", path, body, key="ak"), 201)
    assert [one["starts_at"] for one in items(copies)] == [
        "2030-03-30T20:00:00+01:00",
        "2030-04-05T20:00:00+02:00",
        "2030-04-06T20:00:00+02:00",
    ]
    assert all(one["published"] for one in items(copies))
    again = document(await api.ask("POST", path, body, key="ak"), 201)
    assert again == copies | {"made": 0}


async def test_a_repeated_request_makes_one_thing(api: Api) -> None:
    for path, body in (("/venues", VENUE), ("/productions", PRODUCTION)):
        first = await api.ask("POST", ROOT + path, body, key="ak", idempotency_key=path)
        again = await api.ask("POST", ROOT + path, body, key="ak", idempotency_key=path)
        assert document(again, 201) == document(first, 201)
        assert again.headers["idempotent-replayed"] == "true"
    other = VENUE | {"name": "Another"}
    reused = await api.ask("POST", f"{ROOT}/venues", other, key="ak", idempotency_key="/venues")
    problem(reused, "idempotency_key_reused")


async def test_a_plan_is_kept_as_it_is_read(api: Api) -> None:
    found = await hall(api)
    path = f"{ROOT}/halls/{found['id']}"
    same = document(await api.ask("PATCH", path, {"plan": found["plan"]}, key="ak"), 200)
    assert same == found
    fewer = PLAN | {"pools": []}
    less = document(await api.ask("PATCH", path, {"plan": fewer}, key="ak"), 200)
    assert less["capacity"] == 15


async def test_a_city_is_found_by_what_it_is_called_in_any_language(api: Api) -> None:
    """The shop asks for what it shows, which is in the language of the visitor."""
    words = [{"language": "ar", "words": {"Berlin": "برلين"}}]
    venue = await made(api, "/venues", VENUE | {"translations": words})
    place = await made(api, "/halls", {"venue": venue["id"], "name": "Saal", "plan": PLAN})
    production = await made(api, "/productions", PRODUCTION)
    await made(api, "/performances", performance_of(production, place))
    for city, found in (("Berlin", 1), ("برلين", 1), ("Bern", 0)):
        assert len(items(await read(api, f"/productions?city={city}"))) == found
