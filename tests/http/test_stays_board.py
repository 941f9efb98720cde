"""The day's work of a house: its board, who comes and goes, and the figures of its nights."""

from collections.abc import Mapping
from datetime import timedelta
from typing import cast

import pytest

from tests.harness.clock import START, Clock
from tests.http.api import Api, Json, document, problem
from tests.http.stays import PROPERTIES, made_listing, made_property, soon

EXACT: Json = {"type": "nights", "rooms": ["Heron", "Otter"], "buffer_nights": 1}


def items(page: Json, name: str = "items") -> list[Json]:
    return cast("list[Json]", page[name])


def day(days: int) -> str:
    """By the clock that stands still."""
    return (START.date() + timedelta(days=30 + days)).isoformat()


async def exact_house(api: Api, **fields: object) -> tuple[Json, Json]:
    house = await made_property(api)
    return house, await made_listing(api, house, "ak", **{"plan": EXACT} | fields)


async def counted_house(api: Api, count: int = 4, **fields: object) -> tuple[Json, Json]:
    house = await made_property(api)
    plan = {"type": "nights", "count": count}
    return house, await made_listing(api, house, "ak", plan=plan, **fields)


async def held(api: Api, listing: Json, start: str, end: str, **line: object) -> Json:
    asked = {"resource_id": listing["id"], "from": start, "to": end, **line}
    body = {"owner": "asha", "lines": [asked]}
    return document(await api.ask("POST", "/v1/holds", body), 201)


async def booked(
    api: Api, listing: Json, start: str, end: str, guest: str = "Asha Rao", **line: object
) -> Json:
    hold = await held(api, listing, start, end, **line)
    contact = {"name": guest, "email": "asha@example.com"}
    body = {"hold_id": hold["id"], "contact": contact}
    return document(await api.ask("POST", "/v1/bookings", body), 201)


async def blocked(api: Api, listing: Json, **line: object) -> Json:
    body = {"lines": [line], "reason": "painting"}
    path = f"/v1/resources/{listing['id']}/blocks"
    return document(await api.ask("POST", path, body, key="ak"), 201)


async def read(api: Api, house: Json, what: str, query: Mapping[str, object]) -> Json:
    text = "&".join(f"{name}={value}" for name, value in query.items())
    return document(await api.ask("GET", f"{PROPERTIES}/{house['id']}/{what}?{text}"), 200)


async def row(api: Api, house: Json, start: str, days: int) -> Json:
    """The only listing of a house, on the board."""
    board = await read(api, house, "board", {"from": start, "days": days})
    assert (board["from"], board["next"]) == (start, None)
    (found,) = items(board)
    return found


def column(nights: list[Json], name: str) -> list[object]:
    return [night[name] for night in nights]


async def test_exact_rooms_are_shown_by_name_and_cleaned_after(api: Api) -> None:
    house, listing = await exact_house(api)
    stay = await booked(api, listing, soon(1), soon(3), unit="Otter")
    found = await row(api, house, soon(0), 5)
    assert (found["id"], found["rooms"]) == (listing["id"], ["Heron", "Otter"])
    assert items(found, "stays") == [
        {
            "kind": "booking",
            "id": stay["id"],
            "from": soon(1),
            "to": soon(3),
            "room": "Otter",
            "rooms": 1,
            "code": stay["code"],
            "guest": "Asha Rao",
        }
    ]
    nights = items(found, "nights")
    assert column(nights, "date") == [soon(number) for number in range(5)]
    assert column(nights, "rooms") == [2] * 5
    assert column(nights, "taken") == [0, 1, 1, 1, 0]
    assert column(nights, "free") == [2, 1, 1, 1, 2]


async def test_counted_rooms_are_counted_and_some_given_back(api: Api) -> None:
    house, listing = await counted_house(api)
    stay = await booked(api, listing, soon(0), soon(2), quantity=3)
    part = {"resource_id": listing["id"], "from": soon(0), "to": soon(2), "quantity": 1}
    path = f"/v1/bookings/{stay['id']}"
    document(await api.ask("DELETE", path, {"lines": [part]}), 200)
    found = await row(api, house, soon(0), 3)
    assert found["rooms"] is None
    (bar,) = items(found, "stays")
    assert (bar["room"], bar["rooms"]) == (None, 2)
    assert column(items(found, "nights"), "free") == [2, 2, 4]
    document(await api.ask("DELETE", path), 200)
    found = await row(api, house, soon(0), 3)
    assert (items(found, "stays"), column(items(found, "nights"), "taken")) == ([], [0, 0, 0])


async def test_holds_are_there_until_they_lapse(api: Api, moved_clock: Clock) -> None:
    house, listing = await exact_house(api)
    hold = await held(api, listing, day(0), day(2), unit="Heron")
    (bar,) = items(await row(api, house, day(0), 2), "stays")
    assert (bar["kind"], bar["id"], bar["until"]) == ("hold", hold["id"], hold["expires_at"])
    assert "guest" not in bar
    await moved_clock.set(START + timedelta(hours=2))
    found = await row(api, house, day(0), 2)
    assert items(found, "stays") == []
    assert column(items(found, "nights"), "free") == [2, 2]


async def test_stays_reach_beyond_both_ends_and_end_before_the_range(api: Api) -> None:
    house, listing = await exact_house(api)
    await booked(api, listing, soon(0), soon(9), unit="Heron")
    await booked(api, listing, soon(0), soon(4), unit="Otter")
    found = await row(api, house, soon(4), 2)
    (bar,) = items(found, "stays")
    assert (bar["from"], bar["to"]) == (soon(0), soon(9))
    # The other room is still being cleaned in the first night.
    assert column(items(found, "nights"), "free") == [0, 1]


async def test_blocks_are_bars_of_nights_in_a_row(api: Api) -> None:
    house, listing = await exact_house(api)
    block = await blocked(api, listing, **{"from": soon(1), "to": soon(3)})
    found = await row(api, house, soon(2), 3)
    bars = items(found, "stays")
    assert [(bar["room"], bar["from"], bar["to"]) for bar in bars] == [
        ("Heron", soon(1), soon(3)),
        ("Otter", soon(1), soon(3)),
    ]
    assert {(bar["id"], bar["reason"], bar["kind"]) for bar in bars} == {
        (block["id"], "painting", "block")
    }
    assert column(items(found, "nights"), "blocked") == [2, 0, 0]
    path = f"/v1/resources/{listing['id']}/blocks/{block['id']}"
    assert (await api.ask("DELETE", path, key="ak")).status_code == 200
    assert items(await row(api, house, soon(2), 3), "stays") == []


async def test_a_block_of_a_type_is_of_so_many_rooms(api: Api) -> None:
    house, listing = await counted_house(api)
    await blocked(api, listing, **{"from": soon(0), "to": soon(2), "quantity": 3})
    found = await row(api, house, soon(0), 2)
    (bar,) = items(found, "stays")
    assert (bar["room"], bar["rooms"], bar["from"], bar["to"]) == (None, 3, soon(0), soon(2))
    assert column(items(found, "nights"), "free") == [1, 1]


async def test_a_board_comes_in_pages_of_listings(api: Api) -> None:
    house = await made_property(api)
    for name in ("C", "A", "B"):
        await made_listing(api, house, name=name, ref=name)
    elsewhere = await made_property(api, ref="other")
    await made_listing(api, elsewhere, name="D", ref="D")
    seen, after = [], None
    for _ in range(3):
        query = cast(Json, {"limit": 1, "days": 1}) | ({} if after is None else {"after": after})
        page = await read(api, house, "board", query)
        seen += [one["name"] for one in items(page)]
        after = page["next"]
    assert (seen, after) == (["A", "B", "C"], None)


async def test_who_comes_stays_and_goes(api: Api) -> None:
    house, listing = await counted_house(api)
    comes = await booked(api, listing, soon(2), soon(5), quantity=2)
    stays = await booked(api, listing, soon(1), soon(4), guest="Ben")
    goes = await booked(api, listing, soon(0), soon(2), guest="Carla")
    await held(api, listing, soon(2), soon(3))
    page = await read(api, house, "arrivals", {"date": soon(2)})
    assert page["date"] == soon(2)
    found = {str(one["booking"]): one for one in items(page)}
    kinds = {number: one["kind"] for number, one in found.items()}
    assert kinds == {
        comes["id"]: "arrival",
        stays["id"]: "in_house",
        goes["id"]: "departure",
    }
    first = found[str(comes["id"])]
    assert (first["code"], first["nights"], first["rooms"]) == (comes["code"], 3, 2)
    assert first["to_pay"] == {"amount": 72000, "currency": "EUR"}
    assert cast(Json, first["contact"])["name"] == "Asha Rao"
    seen, after = [], None
    for _ in range(3):
        query: Json = {"date": soon(2), "limit": 1} | ({} if after is None else {"after": after})
        page = await read(api, house, "arrivals", query)
        seen += [one["booking"] for one in items(page)]
        after = page["next"]
        if after is None:
            break
    assert sorted(map(str, seen)) == sorted(found)


async def test_what_was_given_back_is_not_to_pay(api: Api) -> None:
    house, listing = await counted_house(api)
    stay = await booked(api, listing, soon(0), soon(2), quantity=3)
    part = {"resource_id": listing["id"], "from": soon(0), "to": soon(2), "quantity": 2}
    document(await api.ask("DELETE", f"/v1/bookings/{stay['id']}", {"lines": [part]}), 200)
    (one,) = items(await read(api, house, "arrivals", {"date": soon(0)}))
    assert (one["rooms"], one["to_pay"]) == (1, {"amount": 24000, "currency": "EUR"})


async def test_the_figures_of_nights(api: Api) -> None:
    house, listing = await counted_house(api, price=10001)
    stay = await booked(api, listing, soon(0), soon(3), quantity=2)
    part = {"resource_id": listing["id"], "from": soon(0), "to": soon(3), "quantity": 1}
    document(await api.ask("DELETE", f"/v1/bookings/{stay['id']}", {"lines": [part]}), 200)
    await held(api, listing, soon(0), soon(1))
    await blocked(api, listing, **{"from": soon(1), "to": soon(2), "quantity": 2})
    told = await read(api, house, "figures", {"from": soon(0), "days": 2})
    (euro,) = items(told)
    first, second = items(euro, "nights")
    assert (euro["currency"], told["to"], told["next"]) == ("EUR", soon(2), None)
    assert first == {
        "date": soon(0),
        "rooms": 4,
        "sold": 1,
        "blocked": 0,
        "occupancy": 2500,
        "revenue": 10001,
        "adr": 10001,
        "revpar": 2500,
    }
    assert (second["blocked"], second["occupancy"], second["revpar"]) == (2, 5000, 5001)
    total = cast(Json, euro["total"])
    assert (total["rooms"], total["sold"], total["revenue"]) == (8, 2, 20002)
    assert (total["occupancy"], total["date"]) == (3333, None)


async def test_what_cannot_be_shared_evenly_is_the_first_nights(api: Api) -> None:
    rules = [{"from": soon(1), "to": soon(2), "price": 102}]
    plan = {"type": "nights", "count": 1, "price": 100, "rules": rules}
    house = await made_property(api)
    listing = await made_listing(api, house, plan=plan)
    await booked(api, listing, soon(0), soon(4))
    (euro,) = items(await read(api, house, "figures", {"from": soon(0), "days": 5}))
    nights = items(euro, "nights")
    assert column(nights, "revenue") == [102, 100, 100, 100, 0]
    assert column(nights, "adr") == [102, 100, 100, 100, None]
    (euro,) = items(await read(api, house, "figures", {"from": soon(2), "days": 2}))
    assert column(items(euro, "nights"), "revenue") == [100, 100]


async def test_each_currency_has_figures_of_its_own(api: Api) -> None:
    house, _ = await counted_house(api)
    await made_listing(api, house, ref="flat", name="Flat", currency="CHF", price=5000)
    told = await read(api, house, "figures", {"days": 1})
    assert [one["currency"] for one in items(told)] == ["CHF", "EUR"]
    assert [items(one, "nights")[0]["rooms"] for one in items(told)] == [8, 4]


@pytest.mark.parametrize("what", ["board", "arrivals", "figures"])
async def test_who_may_read_it(what: str, api: Api) -> None:
    house, _ = await exact_house(api)
    other = await made_property(api, ref="other")
    path = f"{PROPERTIES}/{house['id']}/{what}"
    for key in ("sk", "ak", await api.restricted("read")):
        document(await api.ask("GET", path, key=key), 200)
    problem(await api.ask("GET", path, key="pk"), "key_kind_wrong")
    problem(await api.ask("GET", path, key=await api.restricted("check_in")), "missing_scope")
    own = await api.restricted("read", place=f"stays/{house['id']}")
    document(await api.ask("GET", path, key=own), 200)
    elsewhere = f"{PROPERTIES}/{other['id']}/{what}"
    problem(await api.ask("GET", elsewhere, key=own), "key_bound")
    of_room = await api.restricted("read", resources=["res_00000001"])
    problem(await api.ask("GET", path, key=of_room), "key_bound")
