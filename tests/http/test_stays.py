"""Stays: what is made is read back as it was said, and what guests see of it."""

from typing import cast

from tests.http.api import Api, Json, document, problem
from tests.http.stays import (
    DOUBLE,
    HOUSE,
    IMPORT,
    LISTINGS,
    PROPERTIES,
    bare,
    made_listing,
    made_property,
    soon,
)


def items(page: Json) -> list[Json]:
    return cast(list[Json], page["items"])


async def read(api: Api, path: str, key: str = "ak") -> Json:
    return document(await api.ask("GET", path, key=key), 200)


async def test_a_property_is_read_as_it_was_said(api: Api) -> None:
    house = await made_property(api)
    assert HOUSE.items() <= house.items()
    assert await read(api, f"{PROPERTIES}/{house['id']}") == house
    assert items(await read(api, PROPERTIES)) == [house]
    assert items(await read(api, f"{PROPERTIES}?search=hamb%20hafen")) == [house]
    assert items(await read(api, f"{PROPERTIES}?search=berlin")) == []


async def test_a_listing_is_a_resource_with_a_calendar(api: Api) -> None:
    house = await made_property(api)
    made = await made_listing(api, house)
    told = await read(api, f"{LISTINGS}/{made['id']}?from={soon(0)}&days=3")
    assert (made["rooms"], told["guests"]) == (8, 2)
    assert told["price"] == {"amount": 12000, "currency": "EUR"}
    calendar = cast(Json, told["calendar"])
    nights = cast(list[Json], calendar["nights"])
    assert (calendar["from"], calendar["to"]) == (soon(0), soon(3))
    assert [night["date"] for night in nights] == [soon(0), soon(1), soon(2)]
    assert all(night["free"] == 8 and night["arrive"] for night in nights)
    resource = await read(api, f"/v1/resources/{made['id']}")
    assert resource["name"] == "Haus am Hafen: Doppelzimmer"
    attributes = cast(Json, resource["attributes"])
    assert attributes["location"] == "Haus am Hafen, Hafenstraße 1, Hamburg"
    assert cast(Json, resource["plan"])["check_in_time"] == "14:00"


async def test_the_calendar_knows_what_was_held(api: Api) -> None:
    made = await made_listing(api, await made_property(api), plan={"type": "nights", "count": 1})
    stay = {"room_id": made["id"], "start_date": soon(0), "end_date": soon(2), "owner": "carla"}
    document(await api.ask("POST", "/v1/holds", stay, key="sk"), 201)
    told = await read(api, f"{LISTINGS}/{made['id']}?from={soon(0)}&days=3", "pk")
    nights = cast(list[Json], cast(Json, told["calendar"])["nights"])
    assert [night["free"] for night in nights] == [0, 0, 1]
    assert [night.get("reason") for night in nights] == ["sold_out", "sold_out", None]


async def test_guests_see_what_is_published_and_no_plan(api: Api) -> None:
    house = await made_property(api)
    draft = await made_listing(api, house, published=False)
    assert items(await read(api, PROPERTIES, "pk")) == []
    assert items(await read(api, LISTINGS, "pk")) == []
    problem(await api.ask("GET", f"{LISTINGS}/{draft['id']}", key="pk"), "listing_not_found")
    document(
        await api.ask("PATCH", f"{LISTINGS}/{draft['id']}", {"published": True}, key="ak"), 200
    )
    (seen,) = items(await read(api, LISTINGS, "pk"))
    assert seen["id"] == draft["id"] and "plan" not in seen
    (house_seen,) = items(await read(api, f"{PROPERTIES}?lang=en", "pk"))
    assert (house_seen["name"], house_seen["listings"]) == ("House at the Harbour", 1)


async def test_what_changes_of_a_property_its_listings_are_told(api: Api) -> None:
    house = await made_property(api)
    made = await made_listing(api, house)
    change = {"name": "Hafenhaus", "check_in_time": "16:00", "lat": 53.5}
    changed = document(await api.ask("PATCH", f"{PROPERTIES}/{house['id']}", change, key="ak"), 200)
    assert changed == house | change | {"listings": 1}
    resource = await read(api, f"/v1/resources/{made['id']}")
    assert cast(Json, resource["plan"])["check_in_time"] == "16:00"
    assert cast(Json, resource["attributes"])["lat"] == 53.5
    moved = await api.ask(
        "PATCH", f"{PROPERTIES}/{house['id']}", {"time_zone": "Asia/Kolkata"}, key="ak"
    )
    refused = problem(moved, "invalid_request")
    assert refused["field"] == "time_zone"


async def test_a_listing_is_changed_with_its_resource(api: Api) -> None:
    made = await made_listing(api, await made_property(api))
    change = {"name": "Zimmer zum Hof", "price": 9900, "guests": 3, "summary": ""}
    changed = document(await api.ask("PATCH", f"{LISTINGS}/{made['id']}", change, key="ak"), 200)
    assert changed["price"] == {"amount": 9900, "currency": "EUR"}
    assert (changed["name"], changed["guests"]) == ("Zimmer zum Hof", 3)
    assert changed["payment"] == "at_venue"
    resource = await read(api, f"/v1/resources/{made['id']}")
    assert resource["name"] == "Haus am Hafen: Zimmer zum Hof"


async def test_a_plan_that_was_changed_meanwhile_is_not_overwritten(api: Api) -> None:
    made = await made_listing(api, await made_property(api))
    path, seen = f"{LISTINGS}/{made['id']}", made["version"]
    cheap = {"version": seen, "plan": {"type": "nights", "count": 8, "price": 7000}}
    changed = document(await api.ask("PATCH", path, cheap, key="ak"), 200)
    assert changed["version"] != seen
    dear = {"version": seen, "plan": {"type": "nights", "count": 8, "price": 9000}}
    answer = await api.ask("PATCH", path, dear, key="ak")
    problem(answer, "version_mismatch", version=changed["version"])
    assert cast(Json, (await read(api, path))["plan"])["price"] == 7000
    again = dear | {"version": changed["version"]}
    document(await api.ask("PATCH", path, again, key="ak"), 200)
    # Guests learn of no version.
    assert "version" not in await read(api, path, "pk")


async def test_what_is_said_by_a_key_is_made_once(api: Api) -> None:
    headers = {"idempotency_key": "house-1"}
    first = document(await api.ask("POST", PROPERTIES, HOUSE, key="ak", **headers), 201)
    again = await api.ask("POST", PROPERTIES, HOUSE, key="ak", **headers)
    assert document(again, 201) == first
    assert again.headers["idempotent-replayed"] == "true"
    body = DOUBLE | {"property": first["id"]}
    keyed = {"idempotency_key": "listing-1"}
    one = document(await api.ask("POST", LISTINGS, body, key="ak", **keyed), 201)
    assert document(await api.ask("POST", LISTINGS, body, key="ak", **keyed), 201) == one
    assert len(items(await read(api, LISTINGS))) == 1


async def test_a_reference_is_one_in_a_workspace(api: Api) -> None:
    house = await made_property(api)
    again = await api.ask("POST", PROPERTIES, HOUSE, key="ak")
    assert problem(again, "stay_reference_taken")["ref"] == "harbour"
    await made_listing(api, house)
    body = DOUBLE | {"property": house["id"]}
    again = await api.ask("POST", LISTINGS, body, key="ak")
    assert problem(again, "stay_reference_taken")["ref"] == "harbour-double"
    assert len(items(await read(api, LISTINGS))) == 1
    # What was refused left no resource behind.
    resources = items(await read(api, "/v1/resources?limit=100"))
    assert len([one for one in resources if one["kind"] == "stay"]) == 1


async def test_pages_of_listings_go_on(api: Api) -> None:
    house = await made_property(api)
    for number in range(3):
        await made_listing(api, house, "ak", **bare(number))
    first = await read(api, f"{LISTINGS}?limit=2&property={house['id']}")
    second = await read(api, f"{LISTINGS}?limit=2&after={first['next']}")
    names = [one["name"] for one in items(first) + items(second)]
    assert names == ["Number 0", "Number 1", "Number 2"]
    assert second["next"] is None


async def test_an_import_is_an_operators_and_tells_all_that_is_wrong(api: Api) -> None:
    said = {"properties": [HOUSE], "listings": [DOUBLE | {"property": HOUSE["ref"]}]}
    checked = document(await api.ask("POST", f"{IMPORT}?check=true", said, key="ak"), 200)
    assert (checked["applied"], checked["created"]) == (False, {"properties": 1, "listings": 1})
    assert items(await read(api, PROPERTIES)) == []
    problem(await api.ask("POST", IMPORT, said, key="sk"), "key_kind_wrong")
    done = document(await api.ask("POST", IMPORT, said, key="ak"), 200)
    assert (done["applied"], done["problems"]) == (True, [])
    (listing,) = items(await read(api, LISTINGS))
    assert listing["published"] is True
    wrong = {
        "properties": [{"ref": "harbour", "stars": 4}, {"ref": "new"}],
        "listings": [{"ref": "harbour-double", "currency": "USD"}],
    }
    told = document(await api.ask("POST", IMPORT, wrong, key="ak"), 200)
    places = [one["where"] for one in cast(list[Json], told["problems"])]
    assert places == ["properties[1].name", "listings[0].currency"]
    assert items(await read(api, LISTINGS)) == [listing]
    problem(await api.ask("POST", IMPORT, {"properties": [{}]}, key="ak"), "invalid_request")


RATED: Json = {
    "type": "nights",
    "count": 4,
    "guests_included": 1,
    "guest_price": 3000,
    "children": [{"under": 6, "basis_points": 0}],
    "rates": [
        {"name": "Saver", "basis_points": -1000},
        {"name": "Breakfast", "meals": "breakfast", "guest_amount": 1500},
        {"name": "Weekly", "amount": -2000, "min_nights": 7},
    ],
}


async def test_a_stay_has_rates(api: Api) -> None:
    made = await made_listing(
        api,
        await made_property(api),
        guests=3,
        plan=RATED,
        pricing={
            "taxes": [{"name": "City tax", "guest_night": 200, "age_from": 18}],
            "cancellation": {
                "free_until_seconds": 86_400,
                "overrides": [{"rates": ["Saver"], "refundable": False}],
            },
        },
        translations=[{"language": "de", "words": {"Breakfast": "Mit Frühstück"}}],
    )
    asked = f"{LISTINGS}/{made['id']}/rates?start={soon(0)}&end={soon(2)}&guests=3&ages=4&lang=de"
    told = items(await read(api, asked, "pk"))
    assert [(one["rate"], one["name"], one["meals"], one["sold"]) for one in told] == [
        (None, None, "none", True),
        ("Saver", "Saver", "none", True),
        ("Breakfast", "Mit Frühstück", "breakfast", True),
        ("Weekly", "Weekly", "none", False),
    ]
    nights, tax = 2 * (12_000 + 3000), 2 * 2 * 200
    prices = [cast(Json, one["price"])["amount"] for one in told[:3]]
    assert prices == [nights + tax, 2 * (10_800 + 3000) + tax, nights + 2 * 2 * 1500 + tax]
    assert cast(Json, told[0]["price_per_night"])["amount"] == prices[0] // 2  # type: ignore[operator]
    assert told[3]["reasons"] == [
        {"reason": "min_stay", "date": soon(0), "nights": 7, "rate": "Weekly"}
    ]
    terms = [cast(Json, one["quote"])["cancellation"] for one in told[:2]]
    assert terms[0] != terms[1] == [{}]


async def test_the_short_form_of_a_stay_has_guests_and_a_rate(api: Api) -> None:
    made = await made_listing(api, await made_property(api), guests=3, plan=RATED)
    stay = {"room_id": made["id"], "start_date": soon(0), "end_date": soon(2), "owner": "carla"}
    more = {"guests": 3, "ages": [4], "rate": "Breakfast"}
    hold = document(await api.ask("POST", "/v1/holds", stay | more, key="sk"), 201)
    [line] = cast(list[Json], hold["lines"])
    assert more.items() <= line.items()
    booking = document(
        await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}, key="sk"), 201
    )
    [booked] = cast(list[Json], booking["lines"])
    assert more.items() <= booked.items()
    beside = {"lines": [line], "owner": "carla", "rate": "Saver"}
    refused = await api.ask("POST", "/v1/holds", beside, key="sk")
    problem(refused, "invalid_request", field="lines")


async def test_a_listing_takes_no_more_guests_than_it_says(api: Api) -> None:
    made = await made_listing(api, await made_property(api))
    stay = {"room_id": made["id"], "start_date": soon(0), "end_date": soon(2), "owner": "carla"}
    refused = await api.ask("POST", "/v1/holds", stay | {"guests": 3}, key="sk")
    problem(refused, "invalid_request", field="lines[0].guests", line=0)


async def test_a_wedding_takes_fifty_rooms_of_three_types_in_one_hold(api: Api) -> None:
    house = await made_property(api)
    rooms = [str(number) for number in range(101, 113)]
    plans: tuple[Json, ...] = ({"count": 30}, {"count": 10}, {"rooms": rooms})
    types = [
        await made_listing(
            api, house, ref=f"type-{n}", name=f"Type {n}", plan={"type": "nights", **plan}
        )
        for n, plan in enumerate(plans)
    ]

    def asked(*counts: int) -> Json:
        lines = [
            {
                "resource_id": one["id"],
                "from": soon(0),
                "to": soon(3),
                "quantity": count,
                "guests": 2 * count,
            }
            for one, count in zip(types, counts, strict=True)
        ]
        return {"owner": "wedding", "lines": lines}

    # All or nothing: two suites too many, and none of the others is taken.
    answer = await api.ask("POST", "/v1/holds", asked(30, 12, 10), key="sk")
    conflicts = cast(list[Json], problem(answer, "sold_out")["conflicts"])
    assert [one["resource_id"] for one in conflicts] == [types[1]["id"]]
    hold = document(
        await api.ask("POST", "/v1/holds", asked(30, 12, 10) | {"partial": "best"}, key="sk"), 201
    )
    lines, missing = cast(list[Json], hold["lines"]), cast(list[Json], hold["missing"])
    assert [(one["quantity"], one["guests"]) for one in lines[:2]] == [(30, 60), (10, 20)]
    assert [(one["unit"], one["guests"]) for one in lines[2:]] == [(r, 2) for r in rooms[:10]]
    assert [(one["resource_id"], one["quantity"], one["guests"]) for one in missing] == [
        (types[1]["id"], 2, 4)
    ]
    assert cast(Json, hold["amount"])["amount"] == 50 * 3 * 12000
    booking = document(
        await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}, key="sk"), 201
    )
    assert len(cast(list[Json], booking["lines"])) == 12
