"""Seat maps over HTTP: made, read from CSV, written as CSV. Nothing is kept of them."""

import pytest

from tests.http.api import Api, Json, document, problem

MAKE = "/v1/seat-maps/make"
FROM_CSV = "/v1/seat-maps/from-csv"
TO_CSV = "/v1/seat-maps/to-csv"
CSV = """section,row,seat,category,x,y,accessible,companion_of,price
Stalls,A,1,gold,,,yes,,4500
Stalls,A,2,gold,,,,1,4500
"""
PLAN: Json = {
    "type": "seats",
    "sections": [
        {
            "name": "Stalls",
            "rows": [
                {
                    "name": "A",
                    "seats": 2,
                    "accessible": [1],
                    "companions": [{"seat": 2, "of": 1}],
                }
            ],
            "category": "gold",
        }
    ],
    "categories": [{"name": "gold", "price": 4500}],
}


@pytest.mark.parametrize("kind", ["arena", "banquet", "classroom", "screen", "theatre"])
async def test_a_room_that_is_made_can_be_sold(api: Api, kind: str) -> None:
    made = document(await api.ask("POST", MAKE, {"kind": kind, "seats": 300}, key="ak"), 200)
    resource = {"name": kind, "plan": made["plan"], "price": {"amount": 1200}}
    sold = document(await api.ask("POST", "/v1/resources", resource, key="ak"), 201)
    free = await api.get(f"/v1/resources/{sold['id']}/availability")
    assert free["units_free"] == 300


async def test_a_room_speaks_the_language_of_who_asks(api: Api) -> None:
    words = {"stalls": "Parkett", "balcony": "Rang", "stage": "Bühne"}
    body = {"kind": "theatre", "seats": 300, "words": words}
    plan = document(await api.ask("POST", MAKE, body, key="ak"), 200)["plan"]
    assert isinstance(plan, dict)
    assert [section["name"] for section in plan["sections"]] == ["Parkett", "Rang"]
    assert plan["stage"]["label"] == "Bühne"


async def test_csv_goes_in_and_out(api: Api) -> None:
    read = document(await api.ask("POST", FROM_CSV, {"csv": CSV}, key="ak"), 200)
    assert read == {"plan": PLAN}
    written = document(await api.ask("POST", TO_CSV, read, key="ak"), 200)
    assert written == {"csv": CSV}


async def test_what_cannot_be_read_is_named(api: Api) -> None:
    wrong = f"{CSV}Stalls,A,2,gold,,,,1,4500\n"
    told = problem(await api.ask("POST", FROM_CSV, {"csv": wrong}, key="ak"), "invalid_request")
    assert (told["line"], told["column"]) == (4, "seat")
    assert (told["reason"], told["value"]) == ("unit_twice", "A2")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (MAKE, {"kind": "castle", "seats": 10}),
        (MAKE, {"kind": "screen", "seats": 0}),
        (MAKE, {"kind": "screen", "seats": 50_001}),
        (MAKE, {"kind": "screen", "seats": 10, "words": {"screen": ""}}),
        (MAKE, {"kind": "screen", "seats": 10, "words": {"sky": "Sky"}}),
        (FROM_CSV, {"csv": ""}),
        (FROM_CSV, {"csv": 1}),
        (TO_CSV, {"plan": {"type": "seats"}}),
        (TO_CSV, {"plan": {name: value for name, value in PLAN.items() if name != "type"}}),
        (TO_CSV, {"plan": {"type": "nights", "rooms": ["101"]}}),
        (TO_CSV, {"plan": {"type": "seats", "pools": [{"unit": " floor", "capacity": 5}]}}),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_nonsense_is_refused(module_api: Api, path: str, body: Json) -> None:
    problem(await module_api.ask("POST", path, body, key="ak"), "invalid_request")
