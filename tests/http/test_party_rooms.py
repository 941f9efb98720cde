"""A party that no room holds: the property proposes its cheapest rooms, and one hold takes them."""

from functools import partial
from typing import cast

from tests.http.api import Api, Json, document, problem
from tests.http.stays import PROPERTIES, made_listing, made_property, soon


async def proposed(api: Api, house: Json, query: str, key: str = "pk") -> Json:
    path = f"{PROPERTIES}/{house['id']}/party-rooms?start={soon(0)}&end={soon(2)}&{query}"
    return document(await api.ask("GET", path, key=key), 200)


def rooms(told: Json) -> list[tuple[object, ...]]:
    """Of which listing, how many rooms, and for whom."""
    names = [one["name"] for one in cast("list[Json]", told["rooms"])]
    lines = cast("list[Json]", told["lines"])
    return [
        (name, line["quantity"], line["guests"], line.get("ages", []))
        for name, line in zip(names, lines, strict=True)
    ]


async def test_the_cheapest_rooms_for_a_party_are_proposed_and_held_at_once(api: Api) -> None:
    house = await made_property(api)
    nothing: Json = {"rooms": [], "lines": [], "price": None, "quote": None}
    assert await proposed(api, house, "guests=7", "sk") == nothing
    of_two = {"type": "nights", "count": 2}
    by_name = {"type": "nights", "rooms": ["A", "B"]}
    double = await made_listing(api, house, ref="a", name="Double", plan=of_two)
    family = await made_listing(
        api,
        house,
        ref="b",
        name="Family",
        guests=4,
        plan=by_name,
        price=20_000,
        pricing={"taxes": [{"name": "City tax", "guest_night": 200, "age_from": 18}]},
    )
    cheap = partial(made_listing, api, house, guests=4, plan=of_two, price=1)
    await cheap(ref="c", name="Draft", published=False)
    await cheap(ref="d", name="Swiss", currency="CHF")
    # Two family rooms are cheaper than one with two doubles.
    told = await proposed(api, house, "guests=7&ages=9,4")
    assert rooms(told) == [("Family", 2, 7, [9, 4])]
    assert cast("Json", told["price"])["amount"] == 2 * 2 * 20_000 + 2 * 5 * 200
    # Six: a room of each, with the price of each night; an adult in both.
    told = await proposed(api, house, "guests=6&ages=9,4,2,1")
    assert rooms(told) == [("Double", 1, 2, [9]), ("Family", 1, 4, [4, 2, 1])]
    assert cast("Json", told["price"])["amount"] == 2 * (12_000 + 20_000) + 2 * 200
    quote = cast("Json", told["quote"])
    assert quote["total"] == told["price"]
    # As it is proposed it is held, all of it in one hold, at that price.
    assert await proposed(api, house, "guests=6&ages=9,4,2,1") == told
    asked = {"owner": "asha", "lines": told["lines"]}
    held = document(await api.ask("POST", "/v1/holds", asked), 201)
    assert (held["amount"], held["quote"]) == (told["price"], quote)
    # A double and a family room are left: not for so many, and not with so few adults.
    assert await proposed(api, house, "guests=7") == nothing
    assert await proposed(api, house, "guests=6&ages=9,4,2,1,0") == nothing
    again = await proposed(api, house, "guests=6")
    assert rooms(again) == [("Double", 1, 2, []), ("Family", 1, 4, [])]
    # Somebody is quicker with one of the two: then nothing is held.
    one = {"owner": "bela", "lines": cast("list[Json]", again["lines"])[1:]}
    document(await api.ask("POST", "/v1/holds", one), 201)
    refused = await api.ask("POST", "/v1/holds", {"owner": "carla", "lines": again["lines"]})
    problem(refused, "sold_out")
    free = await proposed(api, house, "guests=2")
    assert rooms(free) == [("Double", 1, 2, [])]
    assert double["id"] != family["id"]
    # For who sells, what is no guest's to see counts too.
    assert rooms(await proposed(api, house, "guests=4", "sk")) == [("Draft", 1, 4, [])]


async def test_rooms_with_cots_hold_a_small_child_more(api: Api) -> None:
    house = await made_property(api)
    plan = {"type": "nights", "count": 4}
    beds = [{"kind": "double"}, {"kind": "cot"}]
    await made_listing(api, house, name="Cot", plan=plan, beds=beds)
    # Two rooms for four guests and a child in each cot; a third for one who is too old for it.
    assert rooms(await proposed(api, house, "guests=6&ages=2,0")) == [("Cot", 2, 6, [2, 0])]
    assert rooms(await proposed(api, house, "guests=6&ages=3,0")) == [("Cot", 3, 6, [3, 0])]
