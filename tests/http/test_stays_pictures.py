"""Pictures of properties and listings: kept when they are sent, shown in an order with
descriptions, and let go when nothing shows them.
"""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import cast

import asyncpg
import pytest
from PIL import Image

from bespeak.feed.numberer import numbering
from tests.http.api import Api, Json, document, problem
from tests.http.programmes import drawn
from tests.http.stays import LISTINGS, MAP, PROPERTIES, SEARCH, made_listing, made_property
from tests.http.test_stays import read

PICTURES = "/v1/stays/pictures"
HERE = "lat=53.55&lon=9.97"
_TRIES = 100


async def kept(api: Api, picture: str) -> Json:
    return document(await api.ask("POST", PICTURES, {"picture": picture}, key="ak"), 201)


async def change(api: Api, path: str, pictures: list[Json]) -> Json:
    return document(await api.ask("PATCH", path, {"pictures": pictures}, key="ak"), 200)


async def test_a_picture_is_drawn_in_two_sizes_and_kept_for_ever(api: Api) -> None:
    made = await kept(api, drawn(3200, 1800, "JPEG"))
    assert (made["width"], made["height"]) == (1600, 900)
    for query, size in (("", (1600, 900)), ("?size=card", (640, 360))):
        answer = await api.ask("GET", f"{made['path']}{query}", key=None)
        assert answer.headers["content-type"] == "image/webp"
        assert "sandbox" in answer.headers["content-security-policy"]
        assert "max-age=31536000" in answer.headers["cache-control"]
        assert Image.open(BytesIO(answer.content), formats=("WEBP",)).size == size
    # The same picture is the same, however often it is sent.
    assert await kept(api, drawn(3200, 1800, "JPEG")) == made


async def test_pictures_are_shown_in_their_order_with_what_is_in_them(api: Api) -> None:
    house = await made_property(api)
    made = await made_listing(api, house)
    bed, bath, sea = [await kept(api, drawn(width, 20)) for width in (30, 31, 32)]
    path = f"{LISTINGS}/{made['id']}"
    words = {"The bed": "Das Bett"}
    told = {"translations": [{"language": "de", "words": words}]}
    document(await api.ask("PATCH", path, told, key="ak"), 200)
    said: list[Json] = [{"id": bed["id"], "description": "The bed"}, {"id": bath["id"]}]
    changed = await change(api, path, said)
    assert changed["pictures"] == [bed | {"description": "The bed"}, bath]
    of_house: list[Json] = [{"id": sea["id"], "description": "The sea"}]
    await change(api, f"{PROPERTIES}/{house['id']}", of_house)
    seen = await read(api, f"{path}?lang=de", "pk")
    pictures = cast("list[Json]", seen["pictures"])
    assert [one["description"] for one in pictures] == ["Das Bett", ""]
    assert cast(Json, seen["property"])["pictures"] == [sea | {"description": "The sea"}]
    # Another order, one of them less; and what is not said of pictures leaves them.
    await change(api, path, [{"id": bath["id"]}])
    document(await api.ask("PATCH", path, {"guests": 3}, key="ak"), 200)
    assert (await read(api, path))["pictures"] == [bath]
    await change(api, path, [])
    assert "pictures" not in await read(api, path)


async def test_the_search_shows_the_first_picture_and_learns_of_another(api: Api) -> None:
    async with numbering(api.database_url):
        house = await made_property(api)
        made = await made_listing(api, house)
        bed, sea = [await kept(api, drawn(width, 20)) for width in (30, 31)]
        await once_shown(api, None)
        words = {"translations": [{"language": "en", "words": {"Das Meer": "The sea"}}]}
        path = f"{PROPERTIES}/{house['id']}"
        document(await api.ask("PATCH", path, words, key="ak"), 200)
        await change(api, path, [{"id": sea["id"], "description": "Das Meer"}])
        await once_shown(api, sea | {"description": "Das Meer"})
        await once_shown(api, sea | {"description": "The sea"}, "&lang=en")
        # Its own goes before that of its property.
        await change(api, f"{LISTINGS}/{made['id']}", [{"id": bed["id"]}, {"id": sea["id"]}])
        await once_shown(api, bed)
        marker = document(await api.ask("GET", f"{MAP}?{HERE}", key="pk"), 200)
        assert cast("list[Json]", marker["items"])[0]["picture"] == bed
        await change(api, f"{LISTINGS}/{made['id']}", [])
        await once_shown(api, sea | {"description": "Das Meer"})


async def once_shown(api: Api, picture: Json | None, query: str = "") -> None:
    """Waits until the search shows this picture of the one listing."""
    for _ in range(_TRIES):
        page = document(await api.ask("GET", f"{SEARCH}?{HERE}{query}", key="pk"), 200)
        found = cast("list[Json]", page["items"])
        if found and found[0].get("picture") == picture:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(found)


async def test_a_picture_that_is_not_there_changes_nothing(api: Api) -> None:
    made = await made_listing(api, await made_property(api))
    path, there = f"{LISTINGS}/{made['id']}", await kept(api, drawn(30, 20))
    await change(api, path, [{"id": there["id"]}])
    wrong = {"guests": 4, "pictures": [{"id": "0" * 32}]}
    answer = await api.ask("PATCH", path, wrong, key="ak")
    assert problem(answer, "picture_unknown")["field"] == "pictures"
    seen = await read(api, path)
    assert (seen["pictures"], seen["guests"]) == ([there], made["guests"])
    many = {"pictures": [{"id": there["id"]}] * 21}
    assert problem(await api.ask("PATCH", path, many, key="ak"), "invalid_request")["field"]


async def test_what_nothing_shows_is_let_go_a_day_later(
    api: Api, connection: asyncpg.Connection
) -> None:
    made = await made_listing(api, await made_property(api))
    shown, unused = [await kept(api, drawn(width, 20)) for width in (30, 31)]
    await change(api, f"{LISTINGS}/{made['id']}", [{"id": shown["id"]}])
    await kept(api, drawn(32, 20))
    assert (await api.ask("GET", str(unused["path"]), key=None)).status_code == 200
    await connection.execute(
        "update stays.picture set added_at = added_at - interval '2 days' where width < 32"
    )
    new = await kept(api, drawn(33, 20))
    problem(await api.ask("GET", str(unused["path"]), key=None), "picture_not_found")
    for there in (shown, new):
        assert (await api.ask("GET", str(there["path"]), key=None)).status_code == 200


@pytest.mark.parametrize(
    "picture,reason", [("PHN2Zz48L3N2Zz4=", "unknown_format"), ("iVBORw0KGgo=", "broken")]
)
async def test_what_is_no_picture_is_refused(api: Api, picture: str, reason: str) -> None:
    answer = await api.ask("POST", PICTURES, {"picture": picture}, key="ak")
    found = problem(answer, "picture_invalid", field="picture")
    assert found["reason"] in (reason, "unknown_format")
