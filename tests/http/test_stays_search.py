"""Searching stays: what is found is what can be held, and a hold is seen by all searches soon."""

import asyncio
from collections.abc import AsyncIterator
from datetime import date
from typing import cast

import pytest

from bespeak.feed.numberer import numbering
from bespeak.inventory.fields import WEEKDAYS
from tests.http.api import Api, Json, document, problem
from tests.http.stays import LISTINGS, MAP, PROPERTIES, SEARCH, made_listing, made_property, soon

HERE = "lat=53.55&lon=9.97"
_TRIES = 100


@pytest.fixture(autouse=True)
async def _numbered(api: Api) -> AsyncIterator[None]:
    """The feed goes on, as the background worker makes it."""
    async with numbering(api.database_url):
        yield


def items(page: Json) -> list[Json]:
    return cast(list[Json], page["items"])


def names(page: Json) -> list[object]:
    return [one["name"] for one in items(page)]


async def found(api: Api, query: str, key: str = "pk") -> Json:
    return document(await api.ask("GET", f"{SEARCH}?{HERE}&{query}", key=key), 200)


async def in_box(api: Api, query: str) -> Json:
    return document(await api.ask("GET", f"{SEARCH}?box={query}", key="pk"), 200)


async def once_found(api: Api, count: int, query: str = "", key: str = "pk") -> Json:
    """The answer, once it has so many: the index follows the tables by some tenths of a second."""
    for _ in range(_TRIES):
        page = await found(api, query, key)
        if page["found"] == count:
            return page
        await asyncio.sleep(0.05)
    raise AssertionError(page)


async def test_what_is_near_and_free_is_found_with_its_price(api: Api) -> None:
    made = await made_listing(api, await made_property(api))
    page = await once_found(api, 1, f"start={soon(0)}&end={soon(3)}&guests=3&rooms=2")
    (one,) = items(page)
    assert (one["id"], one["name"], one["free"], one["nights"]) == (
        made["id"],
        "Doppelzimmer",
        8,
        3,
    )
    assert one["price"] == {"amount": 2 * 3 * 12000, "currency": "EUR"}
    assert one["price_per_night"] == {"amount": 12000, "currency": "EUR"}
    assert 500 < cast(int, one["distance_metres"]) < 600
    assert one["amenities"] == ["wifi", "breakfast", "heating"]
    assert cast(Json, page["facets"])["kinds"] == [{"value": "hotel", "count": 1}]
    assert (page["stale"], page["next"]) == (False, None)
    english = await found(api, "lang=en")
    assert names(english) == ["Double room"]
    assert cast(Json, items(english)[0]["property"])["name"] == "House at the Harbour"


async def test_what_is_held_is_not_found_and_what_is_released_is_again(api: Api) -> None:
    made = await made_listing(
        api, await made_property(api), plan={"type": "nights", "rooms": ["house"]}
    )
    stay = f"start={soon(1)}&end={soon(3)}"
    await once_found(api, 1, stay)
    body = {"room_id": made["id"], "start_date": soon(0), "end_date": soon(2), "owner": "carla"}
    hold = document(await api.ask("POST", "/v1/holds", body, key="sk"), 201)
    await once_found(api, 0, stay)
    assert (await found(api, f"start={soon(2)}&end={soon(3)}"))["found"] == 1
    document(await api.ask("DELETE", f"/v1/holds/{hold['id']}", key="sk"), 200)
    await once_found(api, 1, stay)


async def test_of_a_counted_type_as_many_are_found_as_are_left(api: Api) -> None:
    made = await made_listing(api, await made_property(api), plan={"type": "nights", "count": 3})
    stay = f"start={soon(0)}&end={soon(2)}"
    await once_found(api, 1, stay)
    line = {"resource_id": made["id"], "from": soon(1), "to": soon(2), "quantity": 2}
    document(await api.ask("POST", "/v1/holds", {"owner": "carla", "lines": [line]}, key="sk"), 201)
    await once_found(api, 0, f"{stay}&rooms=2")
    (one,) = items(await found(api, stay))
    assert one["free"] == 1


async def test_rules_of_the_plan_are_those_of_the_search(api: Api) -> None:
    rules = [{"from": soon(0), "to": soon(1), "min_nights": 3, "price": 20000}]
    plan = {"type": "nights", "count": 1, "rules": rules}
    await made_listing(api, await made_property(api), plan=plan)
    (one,) = items(await once_found(api, 1, f"start={soon(0)}&end={soon(3)}"))
    assert one["price"] == {"amount": 20000 + 2 * 12000, "currency": "EUR"}
    assert (await found(api, f"start={soon(0)}&end={soon(2)}"))["found"] == 0
    assert (await found(api, f"start={soon(0)}&end={soon(3)}&price_max=14666"))["found"] == 0
    assert (await found(api, f"start={soon(0)}&end={soon(3)}&price_max=14667"))["found"] == 1


async def test_what_changes_is_found_as_it_is(api: Api) -> None:
    house = await made_property(api)
    made = await made_listing(api, house, published=False)
    await once_found(api, 1, key="ak")
    assert (await found(api, ""))["found"] == 0  # a guest
    document(await api.ask("PATCH", f"{LISTINGS}/{made['id']}", {"published": True}, key="ak"), 200)
    await once_found(api, 1)
    away = {"lat": -33.87, "lon": 151.21, "city": "Sydney"}
    document(await api.ask("PATCH", f"{PROPERTIES}/{house['id']}", away, key="ak"), 200)
    await once_found(api, 0)
    towns = document(await api.ask("GET", "/v1/stays/places?search=syd", key="pk"), 200)
    sydney = {"name": "Sydney", "country": "DE", "lat": -33.87, "lon": 151.21, "listings": 1}
    assert items(towns) == [sydney | {"source": "listings", "radius": None}]


async def test_a_listing_with_a_plan_of_another_shape_is_none(api: Api) -> None:
    house = await made_property(api)
    made = await made_listing(api, house)
    other = await made_listing(api, house, ref="other", name="Other")
    await once_found(api, 2)
    pools = {"plan": {"type": "pools", "pools": [{"unit": "hall", "capacity": 5}]}}
    document(await api.ask("PATCH", f"/v1/resources/{made['id']}", pools, key="ak"), 200)
    assert names(await once_found(api, 1)) == ["Other"]
    listed = document(await api.ask("GET", LISTINGS, key="ak"), 200)
    assert [one["id"] for one in items(listed)] == [other["id"]]
    gone = await api.ask("GET", f"{LISTINGS}/{made['id']}", key="ak")
    problem(gone, "listing_not_found")


async def test_the_order_is_by_price_or_distance_and_pages_go_on(api: Api) -> None:
    for number, price in enumerate((300, 100, 200)):
        house = await made_property(
            api, ref=f"p{number}", name=f"P{number}", lat=53.55 + number / 100
        )
        await made_listing(
            api, house, ref=f"l{number}", name=f"L{number}", price=price, guests=number + 1
        )
    assert names(await once_found(api, 3)) == ["L0", "L1", "L2"]
    by_price = await found(api, "sort=price&limit=2")
    assert (names(by_price), by_price["currency"]) == (["L1", "L2"], "EUR")
    rest = await found(api, f"sort=price&limit=2&after={by_price['next']}")
    assert (names(rest), rest["next"]) == (["L0"], None)
    assert names(await found(api, "guests=3")) == ["L2"]
    assert names(await found(api, "kinds=cabin,hotel&amenities=wifi,heating")) == ["L0", "L1", "L2"]
    assert names(await found(api, "amenities=wifi,sauna")) == []
    assert names(await found(api, "amenities_any=wifi,sauna")) == ["L0", "L1", "L2"]
    assert names(await found(api, "amenities=wifi&amenities_any=sauna,pool")) == []
    assert names(await found(api, "currency=JPY")) == []


async def test_the_pages_of_a_question_stay_in_one_order(api: Api) -> None:
    """Also when most of what is there comes to be sold in another currency between two pages."""
    house = await made_property(api)
    for number in range(4):
        await made_listing(api, house, ref=f"e{number}", name=f"E{number}", price=500 - number)
    await once_found(api, 4)
    firsts = {sort: await found(api, f"sort={sort}&limit=2") for sort in ("price", "recommended")}
    for number in range(5):
        ref = f"c{number}"
        await made_listing(
            api, house, ref=ref, name=ref, price=100, currency="CHF", translations=[]
        )
    await once_found(api, 9)
    assert (await found(api, "sort=price"))["currency"] == "CHF"
    for sort, first in firsts.items():
        assert (names(first), first["currency"]) == (["E3", "E2"], "EUR")
        rest = await found(api, f"sort={sort}&limit=9&after={first['next']}")
        assert (names(rest), rest["currency"], rest["next"]) == (["E1", "E0"], "EUR", None)
    # What is of one question is of no other, but as much of it may be shown as one likes.
    again = await found(api, "sort=price&limit=1")
    cursor = again["next"]
    for other in ("sort=distance", "sort=price&guests=2", "sort=price&currency=CHF"):
        answer = await api.ask("GET", f"{SEARCH}?{HERE}&{other}&after={cursor}", key="pk")
        assert "the question that it is of" in str(problem(answer, "invalid_cursor")["detail"])
    assert len(names(await found(api, f"sort=price&limit=3&lang=de&after={cursor}"))) == 3


async def test_a_box_has_what_lies_in_it_also_over_the_date_line(api: Api) -> None:
    for number, lon in enumerate((179.9, -179.9, 179.0)):
        house = await made_property(
            api, ref=f"p{number}", name=f"P{number}", lat=-17.0, lon=lon, time_zone="Pacific/Fiji"
        )
        await made_listing(api, house, ref=f"l{number}", name=f"L{number}", price=900 - number)
    for _ in range(_TRIES):
        page = await in_box(api, "179.5,-18,-179.7,-16")
        if page["found"] == 2:
            break
        await asyncio.sleep(0.05)
    assert names(page) == ["L0", "L1"]
    # Its middle lies at 179.9 east.
    assert [one["distance_metres"] for one in items(page)] == [0, 21267]
    assert names(await in_box(api, "179.5,-18,-179.7,-16&sort=price")) == ["L1", "L0"]
    assert names(await in_box(api, "179.5,-17.9,-179.7,-17.1")) == []
    assert names(await in_box(api, "178.5,-18,179.5,-16")) == ["L2"]
    first = await in_box(api, "170,-20,-170,-10&limit=2&sort=price")
    assert names(first) == ["L2", "L1"]
    rest = await in_box(api, f"170,-20,-170,-10&limit=2&sort=price&after={first['next']}")
    assert names(rest) == ["L0"]


async def test_with_flexible_dates_the_cheapest_stay_is_found(api: Api) -> None:
    rules = [
        {"from": soon(0), "to": soon(3), "price": 20000},
        {"from": soon(4), "to": soon(5), "closed_to_arrival": True},
    ]
    await made_listing(
        api, await made_property(api), plan={"type": "nights", "count": 1, "rules": rules}
    )
    await once_found(api, 1)

    async def stay(query: str) -> tuple[object, ...]:
        (one,) = items(await found(api, f"start={soon(2)}&end={soon(4)}&{query}"))
        price = cast(Json, one["price"])["amount"]
        return one["start"], one["end"], one["nights"], price

    assert await stay("") == (soon(2), soon(4), 2, 32000)
    assert await stay("flexible=1") == (soon(3), soon(5), 2, 24000)
    # Four days earlier costs as much, and is farther.
    assert await stay("flexible=7") == (soon(3), soon(5), 2, 24000)
    closed = f"start={soon(4)}&end={soon(5)}"
    assert (await found(api, closed))["found"] == 0
    # Of two days that are as near, the earlier.
    (one,) = items(await found(api, f"{closed}&flexible=1"))
    assert (one["start"], one["end"]) == (soon(3), soon(4))
    assert (await found(api, f"{closed}&flexible=1&price_max=11999"))["found"] == 0
    (one,) = items(await found(api, ""))
    assert not {"start", "end", "price"} & one.keys()


async def test_words_begin_those_of_names_and_towns(api: Api) -> None:
    house = await made_property(api, name="Hôtel St. Pauli", city="Köln", translations=[])
    await made_listing(api, house)
    other = await made_property(api, ref="other")
    await made_listing(api, other, ref="other", name="Suite", translations=[])
    await once_found(api, 2)
    for text, expected in (
        ("hotel", ["Doppelzimmer"]),
        ("HÔT koln", ["Doppelzimmer"]),
        ("st pauli dopp", ["Doppelzimmer"]),
        ("sankt pauli", ["Doppelzimmer"]),  # saints are written in many ways
        ("koeln", ["Doppelzimmer"]),
        ("double", ["Doppelzimmer"]),  # in English
        ("suite harbour", ["Suite"]),  # of the listing, and in English of the house
        ("suite pauli", []),
        ("otel", []),
        ("hafen,+am", ["Suite"]),
        ("  - ", ["Doppelzimmer", "Suite"]),
        ("hotle paulli", ["Doppelzimmer"]),  # misspelt, where nothing is called so
        ("sutie harbuor", ["Suite"]),
        ("dopelzimer", ["Doppelzimmer"]),
        ("sutie pauli", []),
    ):
        assert sorted(names(await found(api, f"text={text}")), key=str) == expected, text
    # What is spelt right hides what is not, but not if nobody may see it.
    await made_listing(api, other, ref="hidden", name="Hotle", translations=[], published=False)
    await made_listing(api, other, ref="third", name="Sutie", translations=[])
    await once_found(api, 3)
    assert names(await found(api, "text=hotle")) == ["Doppelzimmer"]
    assert names(await found(api, "text=sutie")) == ["Sutie"]
    document(await api.ask("PATCH", f"{PROPERTIES}/{other['id']}", {"name": "Mill"}, key="ak"), 200)
    await once_found(api, 1, "text=mil suit")
    assert names(await found(api, "text=hafen")) == []


async def test_a_price_is_in_the_currency_of_the_place(api: Api) -> None:
    there = await made_property(
        api, ref="tokyo", city="Tokyo", country="JP", time_zone="Asia/Tokyo", lat=35.68, lon=139.76
    )
    for number in range(3):
        await made_listing(api, there, currency="JPY", price=9000, ref=f"yen-{number}")
    await made_listing(api, await made_property(api))
    await once_found(api, 1)
    near = f"{SEARCH}?lat=35.68&lon=139.76&price_max"
    for _ in range(_TRIES):
        page = document(await api.ask("GET", f"{near}=9000", key="pk"), 200)
        if page["found"] == 3:
            break
        await asyncio.sleep(0.05)
    assert (page["found"], page["currency"]) == (3, "JPY")
    page = await found(api, "price_max=12000")
    assert (page["found"], page["currency"]) == (1, "EUR"), "most listings are in yen, elsewhere"
    nowhere = document(await api.ask("GET", f"{SEARCH}?lat=0&lon=0&sort=price", key="pk"), 200)
    assert (nowhere["found"], nowhere["currency"]) == (0, "JPY")


async def test_towns_have_their_names_in_the_travellers_language(api: Api) -> None:
    words = [{"language": "en", "words": {"München": "Munich"}}]
    house = await made_property(api, city="München", translations=words)
    await made_listing(api, house)
    await once_found(api, 1)
    for query, name in (("lang=en", "Munich"), ("search=mun&lang=en", "Munich"), ("", "München")):
        towns = document(await api.ask("GET", f"/v1/stays/places?{query}", key="pk"), 200)
        assert names(towns) == [name], query
    none = document(await api.ask("GET", "/v1/stays/places?search=ham", key="pk"), 200)
    assert items(none) == []


async def test_towns_are_found_as_travellers_type_them(api: Api) -> None:
    for ref, city, listings in (
        ("ording", "St Peter-Ording", 1),
        ("malo", "Saint-Malo", 3),
        ("main", "Frankfurt am Main", 1),
        ("mainz", "Mainz", 2),
        ("toelz", "Bad Tölz", 1),
    ):
        house = await made_property(api, ref=ref, city=city, translations=[])
        for number in range(listings):
            await made_listing(api, house, ref=f"{ref}-{number}")
    await once_found(api, 8)
    for text, expected in (
        ("Peter", ["St Peter-Ording"]),
        ("tolz", ["Bad Tölz"]),
        ("toelz", ["Bad Tölz"]),
        ("Sankt Peter", ["St Peter-Ording"]),
        ("st malo", ["Saint-Malo"]),
        ("main", ["Mainz", "Frankfurt am Main"]),
        ("mani", []),
        ("st", ["Saint-Malo", "St Peter-Ording"]),
    ):
        towns = document(await api.ask("GET", f"/v1/stays/places?search={text}", key="pk"), 200)
        assert names(towns) == expected, text
    for text in ("x" * 10_000, "x" * 101):
        refused = await api.ask("GET", f"/v1/stays/places?search={text}", key="pk")
        problem(refused, "invalid_request")


async def test_where_little_is_free_it_is_told_what_nearly_fits(api: Api) -> None:
    house = await made_property(api)
    made = await made_listing(api, house, plan={"type": "nights", "rooms": ["a"]})
    stay = f"start={soon(4)}&end={soon(6)}"
    await once_found(api, 1, stay)
    lines = [{"resource_id": made["id"], "from": soon(5), "to": soon(6)}]
    document(await api.ask("POST", "/v1/holds", {"owner": "asha", "lines": lines}), 201)
    page = await once_found(api, 0, stay)
    nearly = cast(list[Json], page["nearly"])
    assert [one["kind"] for one in nearly] == ["other_dates", "shorter"]
    assert nearly[1] == {"kind": "shorter", "found": 1, "start": soon(4), "end": soon(5)}
    for one in nearly:
        again = await found(api, f"start={one['start']}&end={one['end']}")
        assert again["found"] == one["found"]
    assert (await found(api, stay.replace("start", "limit=1&start")))["nearly"] == nearly
    assert (await found(api, ""))["nearly"] == [], "nothing was asked that could be changed"


async def test_any_stay_of_some_time_is_found_where_it_is_cheapest(api: Api) -> None:
    rules = [
        {"from": soon(0), "to": soon(20), "price": 20000},
        {"from": soon(9), "to": soon(11), "price": 9000},
        {"from": soon(40), "to": soon(42), "price": 5000},
    ]
    plan = {"type": "nights", "count": 1, "rules": rules}
    made = await made_listing(api, await made_property(api), plan=plan)
    await once_found(api, 1)

    async def stay(query: str) -> tuple[object, ...]:
        page = await found(api, f"nights=2&{query}")
        (one,) = items(page)
        assert page["nearly"] == [], "the days are many already"
        return one["start"], one["end"], cast(Json, one["price"])["amount"]

    assert await stay(f"from={soon(0)}&to={soon(20)}") == (soon(9), soon(11), 18000)
    # Of stays that cost the same the first; what is past is left out.
    assert await stay(f"from={soon(0)}&to={soon(9)}") == (soon(0), soon(2), 40000)
    assert (await stay(f"from={soon(-40)}&to={soon(2)}"))[2] == 24000
    assert await stay(f"from={soon(-20)}&to={soon(42)}") == (soon(40), soon(42), 10000)
    weekday = WEEKDAYS[date.fromisoformat(soon(3)).weekday()]
    assert await stay(f"from={soon(0)}&to={soon(8)}&arrive={weekday}") == (soon(3), soon(5), 40000)
    lines = [{"resource_id": made["id"], "from": soon(9), "to": soon(11)}]
    document(await api.ask("POST", "/v1/holds", {"owner": "asha", "lines": lines}), 201)
    await once_found(api, 0, f"start={soon(9)}&end={soon(11)}")
    page = await found(api, f"nights=2&from={soon(9)}&to={soon(12)}")
    assert page["found"] == 0
    assert page["nearly"] == [{"kind": "shorter", "found": 1, "nights": 1}]


async def test_a_question_that_makes_no_sense_is_told_why(api: Api) -> None:
    async def refused(query: str, code: str, field: str) -> None:
        answer = await api.ask("GET", f"{SEARCH}?{query}", key="pk")
        problem(answer, code, field=field)

    await refused(f"{HERE}&start={soon(3)}&end={soon(3)}", "invalid_stay", "end")
    await refused(f"{HERE}&start={soon(3)}", "invalid_stay", "end")
    await refused(f"{HERE}&start={soon(0)}&end={soon(367)}", "invalid_stay", "end")
    await refused(f"{HERE}&start=2020-01-01&end=2020-01-03", "invalid_stay", "start")
    await refused(f"{HERE}&start=2999-01-01&end=2999-01-03", "invalid_stay", "start")
    await refused(f"{HERE}&kinds=castle", "invalid_request", "kinds")
    await refused(f"{HERE}&flexible=1", "invalid_stay", "flexible")
    await refused(f"{HERE}&start={soon(0)}&end={soon(1)}&flexible=8", "invalid_request", "flexible")
    await refused(f"{HERE}&text={'x' * 61}", "invalid_request", "text")
    await refused("", "invalid_request", "lat")
    await refused("lon=1", "invalid_request", "lat")
    await refused("lat=1", "invalid_request", "lon")
    for said in ("lat=1&lon=1", "lat=1", "radius=500"):
        await refused(f"{said}&box=1,2,3,4", "invalid_request", "box")
    for box in (
        *("", "1,2,3", "1,2,3,4,5", "1,2,3,x", "1,2,3,nan", "1,2,3,inf", "1,2,,4"),
        *("1,4,3,2", "1,2,1,4", "-181,1,-175,2", "1,-91,2,0", "0,0,20.1,1", "0,0,1,20.1"),
        *("170,0,-169,1", "-180,0,180,1", "1,2,3," + "4" * 120),
    ):
        await refused(f"box={box}", "invalid_request", "box")


async def on_map(api: Api, query: str) -> Json:
    return document(await api.ask("GET", f"{MAP}?{query}", key="pk"), 200)


async def test_a_map_has_all_that_the_search_finds_as_markers(api: Api) -> None:
    for number, (lon, price) in enumerate(((9.97, 300), (9.9702, 100), (9.99, 200))):
        house = await made_property(
            api, ref=f"p{number}", name=f"P{number}", lat=53.55, lon=lon, translations=[]
        )
        for kind in ("a", "b")[: number + 1]:
            ref = f"l{number}{kind}"
            dearer = price + (kind == "b")
            await made_listing(api, house, ref=ref, name=ref, price=dearer, translations=[])
    await once_found(api, 5)
    far = await on_map(api, f"{HERE}&zoom=9")
    (one,) = items(far)
    assert (far["found"], far["zoom"], far["next"], far["currency"]) == (5, 9, None, None)
    assert (one["count"], one["price_per_night"]) == (5, {"amount": 100, "currency": "EUR"})
    assert (one["lat"], one["lon"]) == (53.55, 9.97808)
    assert not {"id", "name", "property", "start"} & one.keys()
    near = items(await on_map(api, f"{HERE}&zoom=22&start={soon(0)}&end={soon(2)}"))
    assert [(one["name"], one["count"]) for one in near] == [("l0a", 1), ("l1a", 2), ("l2a", 2)]
    assert [cast(Json, one["property"])["name"] for one in near] == ["P0", "P1", "P2"]
    assert {(one["start"], one["end"]) for one in near} == {(soon(0), soon(2))}
    dear = await on_map(api, f"{HERE}&zoom=22&price_max=250")
    assert (dear["found"], dear["currency"]) == (4, "EUR")
    assert items(await on_map(api, "lat=0&lon=0")) == []


async def test_a_polygon_has_what_lies_in_it(api: Api) -> None:
    await made_listing(api, await made_property(api, lat=-17.0, lon=179.9))
    around, beside = "179,-18;-179,-18;-179,-16;179,-16", "179,-18;-179,-16.9;179,-16"
    for _ in range(_TRIES):
        page = await in_polygon(api, around)
        if page["found"]:
            break
        await asyncio.sleep(0.05)
    assert page["found"] == 1
    (one,) = items(page)
    # From the middle of its box, which lies at 180 east.
    assert one["distance_metres"] == 10634
    assert (await on_map(api, f"polygon={around}"))["found"] == 1
    assert (await in_polygon(api, beside))["found"] == 1
    assert (await in_polygon(api, "179,-18;-179,-17.1;179,-17.05"))["found"] == 0


async def in_polygon(api: Api, corners: str) -> Json:
    return document(await api.ask("GET", f"{SEARCH}?polygon={corners}", key="pk"), 200)


async def test_ratings_are_found_sorted_counted_and_learnt_of(api: Api) -> None:
    houses = []
    for number, rated in enumerate(((8.7, 900), (9.4, 3), None)):
        said = None
        if rated is not None:
            said = {"rating": rated[0], "ratings": rated[1], "source": "Survey"}
        house = await made_property(api, ref=f"p{number}", name=f"P{number}", rated_elsewhere=said)
        await made_listing(api, house, ref=f"l{number}", name=f"L{number}")
        houses.append(house)
    assert (houses[0]["rating"], houses[0]["ratings"]) == (8.7, 900)
    assert (houses[2]["rating"], houses[2]["ratings"]) == (None, 0)
    page = await once_found(api, 3, "sort=rating")
    assert names(page) == ["L1", "L0", "L2"]
    shown = [cast(Json, one["property"]) for one in items(page)]
    assert [(one["rating"], one["ratings"]) for one in shown] == [(9.4, 3), (8.7, 900), (None, 0)]
    counted = cast(Json, page["facets"])["ratings"]
    assert counted == [
        {"value": "9", "count": 1},
        *({"value": least, "count": 2} for least in ("8", "7", "6")),
    ]
    # Three who say 9.4 are few; they all cost the same and are as far away.
    assert names(await found(api, "sort=recommended")) == ["L0", "L1", "L2"]
    assert sorted(map(str, names(await found(api, "rating_min=8.7")))) == ["L0", "L1"]
    assert names(await found(api, "rating_min=8.71")) == ["L1"]
    first = await found(api, "sort=rating&limit=1")
    rest = await found(api, f"sort=rating&limit=2&after={first['next']}")
    assert names(first) + names(rest) == ["L1", "L0", "L2"]
    body = {"rated_elsewhere": {"rating": 9.9, "ratings": 40, "source": "Survey"}}
    document(await api.ask("PATCH", f"{PROPERTIES}/{houses[2]['id']}", body, key="ak"), 200)
    assert names(await once_found(api, 1, "rating_min=9.5")) == ["L2"]
