"""What everybody who waits is told by category, from one cached answer."""

from __future__ import annotations

from typing import cast

import pytest

from bespeak import PoolPlan, Resource, Row, SeatsPlan, Section
from bespeak.inventory.shapes.pools.plan import PoolsPlan, Product, ProductDraw
from tests.harness.clock import Clock
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, document
from tests.http.waiting import ALL, join, room_for, steer

HOUSE = SeatsPlan(
    sections=(
        Section("Stalls", (Row("A", 40),), category="best"),
        Section("Balcony", (Row("B", 60),), category="rest"),
    )
)
FAIR = PoolsPlan(
    pools=(PoolPlan("hall", 100), PoolPlan("lunch", 20)),
    products=(
        Product("plain", (ProductDraw("hall"),)),
        Product("with lunch", (ProductDraw("hall"), ProductDraw("lunch"))),
    ),
)


async def stand(api: Api, room: Json) -> list[Json]:
    """The categories as somebody without a key is told them."""
    now = document(await api.ask("GET", f"{ALL}/{room['id']}/now", key=None), 200)
    return cast("list[Json]", now["categories"])


async def look(api: Api, clock: Clock) -> None:
    await clock.advance(2)
    await steer(api)


async def book(api: Api, *lines: Json) -> None:
    """Sells at the box office."""
    held = document(await api.ask("POST", "/v1/holds", {"owner": "desk", "lines": lines}), 201)
    document(await api.ask("POST", "/v1/bookings", {"hold_id": held["id"]}), 201)


def seats(show: Resource, row: str, count: int) -> list[Json]:
    return [{"resource_id": show.id, "unit": f"{row}{n}"} for n in range(1, count + 1)]


async def test_who_waits_is_told_what_is_left_and_for_how_many(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    show = await make_show(plan=HOUSE)
    queues = [{"name": "general"}, {"name": "members", "share": 3, "invited": True}]
    room = await room_for(api, show, opens_in=3600, pace="stock", queues=queues)
    await look(api, moved_clock)
    fresh = await stand(api, room)
    assert [(one["category"], one["units"], one["units_left"]) for one in fresh] == [
        ("best", 40, 40),
        ("rest", 60, 60),
    ]
    assert {one["resource_id"] for one in fresh} == {show.id}
    assert [one["enough_for"] for one in fresh] == [None, None], "nobody has chosen yet"

    await book(api, *seats(show, "A", 40))
    await book(api, *seats(show, "B", 6))
    await join(api, room, "asha")
    await look(api, moved_clock)
    best, rest = await stand(api, room)
    assert (best["units_left"], best["enough_for"]) == (0, [0, 0])
    general, members = cast("list[int]", rest["enough_for"])
    # Of members nobody waits yet, so all is for the others; of these members get three in four.
    assert 20 <= members <= general <= 54


async def test_a_million_looks_ask_no_database(
    api: Api, make_show: MakeShow, moved_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    show = await make_show(plan=HOUSE)
    room = await room_for(api, show, pace="stock")
    await look(api, moved_clock)

    def no_database(*_: object) -> None:
        raise AssertionError("a look asks no database")

    monkeypatch.setattr(api.service.engine.database, "borrow", no_database)
    path = f"{ALL}/{room['id']}/now"
    first = await api.ask("GET", path, key=None)
    assert len(document(first, 200)["categories"]) == 2  # type: ignore[arg-type]
    assert first.headers["cache-control"].startswith("public, max-age=1")
    for _ in range(50):
        again = await api.ask("GET", path, key=None)
        assert again.content == first.content
    headers = {"if_none_match": first.headers["etag"]}
    assert (await api.ask("GET", path, key=None, **headers)).status_code == 304


async def test_of_pools_what_is_sold_of_them_is_told(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    fair = await make_show(plan=FAIR)
    room = await room_for(api, fair, pace="stock")
    await book(api, {"resource_id": fair.id, "unit": "with lunch", "quantity": 18})
    await book(api, {"resource_id": fair.id, "unit": "plain", "quantity": 10})
    await look(api, moved_clock)
    plain, lunch = await stand(api, room)
    assert (plain["category"], plain["units"], plain["units_left"]) == ("plain", 100, 72)
    assert (lunch["category"], lunch["units"], lunch["units_left"]) == ("with lunch", 20, 2)
    assert cast("list[int]", lunch["enough_for"]) < cast("list[int]", plain["enough_for"]), (
        "who finds no lunch takes a ticket without"
    )


async def test_a_place_is_told_its_chances_in_words_by_api_and_page(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    show = await make_show(plan=HOUSE)
    room = await room_for(api, show, opens_in=3600, pace="stock")
    await book(api, *seats(show, "A", 40))
    await book(api, *seats(show, "B", 6))
    token = await join(api, room, "asha")
    await look(api, moved_clock)
    path = f"{ALL}/{room['id']}/place?queue_token={token}"
    place = document(await api.ask("GET", path, key=None), 200)
    assert place["chances"] == [
        {"resource_id": show.id, "category": "best", "chance": "gone"},
        {"resource_id": show.id, "category": "rest", "chance": "very_likely"},
    ]
    assert place["chance"] == 1.0
    kept = {"cookie": f"bespeak_place_{room['id']}={token}"}
    page = await api.client.get(f"/waiting/{room['id']}/plain", headers=kept)
    assert "<bdi>rest</bdi></dt><dd>very likely</dd>" in page.text
    assert "<bdi>best</bdi></dt><dd>gone for now</dd>" in page.text
