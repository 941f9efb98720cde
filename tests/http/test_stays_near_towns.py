"""Who types a town in which there is no listing is led to those near it, where a gazetteer is
installed."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from bespeak.feed.numberer import numbering
from bespeak.verticals.stays.search import gazetteer_keeper
from bespeak.verticals.stays.search.gazetteer_keeper import GazetteerKeeper
from tests.http.api import Api, Json, document, until
from tests.http.conftest import OpenApi
from tests.http.stays import PROPERTIES, SEARCH, made_listing, made_property
from tests.http.teams import items

_PLACES = "/v1/stays/places"
# A listing by the harbour of Hamburg, and towns 11 and 18 km from it.
_BLANKENESE: Json = {
    "name": "Blankenese",
    "country": "DE",
    "lat": 53.5584,
    "lon": 9.79882,
    "listings": 1,
    "source": "gazetteer",
    "radius": 25000,
}


@pytest.fixture
async def api(
    open_api: OpenApi, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> AsyncIterator[Api]:
    monkeypatch.setattr(gazetteer_keeper, "_MODULE", "tests.harness.gazetteer_sample")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # the user's own has the earth
    api = await open_api(gazetteer=True)
    async with numbering(api.database_url):
        yield api


async def _asked(api: Api, text: str, **query: object) -> list[Json]:
    more = "".join(f"&{name}={value}" for name, value in query.items())
    return items(document(await api.ask("GET", f"{_PLACES}?search={text}{more}", key="pk"), 200))


async def _ready(api: Api) -> None:
    """The listings are read, and the gazetteer has come."""

    async def is_ready() -> bool:
        found = await _asked(api, "hamburg")
        keeper = api.service.engine.parts.companions.get(
            GazetteerKeeper, lambda: GazetteerKeeper(None, is_wanted=False)
        )
        return bool(found) and keeper.now() is not None

    await until(is_ready)


async def test_a_town_without_listings_leads_to_those_near_it(api: Api) -> None:
    await made_listing(api, await made_property(api))
    await _ready(api)
    assert await _asked(api, "blankenese") == [_BLANKENESE]
    assert await _asked(api, "blanke") == [_BLANKENESE]
    found = document(
        await api.ask("GET", f"{SEARCH}?lat=53.5584&lon=9.79882&radius=25000", key="pk"), 200
    )
    assert found["found"] == _BLANKENESE["listings"], "what is told is what is found there"
    # Far from all listings, or not there at all.
    assert await _asked(api, "hallein") == await _asked(api, "nowhere") == []


async def test_a_town_with_listings_goes_first_and_is_not_told_twice(api: Api) -> None:
    await made_listing(api, await made_property(api))
    wedel = await made_property(
        api, ref="wedel", city="Wedeler Au", lat=53.58, lon=9.70, translations=[]
    )
    await made_listing(api, wedel, ref="wedel")
    await _ready(api)

    async def are_known() -> bool:
        return len(await _asked(api, "wed")) == 1

    await until(are_known)
    for text, expected in (
        ("hamburg", [("Hamburg", "listings")]),
        # By a name that no listing says: it is the town itself.
        ("amburgo", [("Hamburg", "listings")]),
        ("wedel", [("Wedeler Au", "listings"), ("Wedel", "gazetteer")]),
        # What only begins so is there where no town with listings is called so.
        ("wed", [("Wedeler Au", "listings")]),
        ("hambrug", [("Hamburg", "listings")]),
    ):
        told = [(one["name"], one["source"]) for one in await _asked(api, text)]
        assert told == expected, text
    assert [one["name"] for one in await _asked(api, "wedel", limit=1)] == ["Wedeler Au"]


async def test_what_guests_do_not_see_is_near_nothing(api: Api) -> None:
    house = await made_property(api)
    await made_listing(api, house)
    hidden = await made_property(api, ref="south", city="Lenggries", lat=47.68, lon=11.57)
    await made_listing(api, hidden, ref="south", published=False)
    await _ready(api)
    assert await _asked(api, "bad tolz") == []

    async def seen() -> list[Json]:
        return items(document(await api.ask("GET", f"{_PLACES}?search=tolz", key="ak"), 200))

    await until(seen)
    assert [(one["name"], one["listings"]) for one in await seen()] == [("Bad Tölz", 1)]


async def test_a_listing_that_moves_is_near_another_town(api: Api) -> None:
    house = await made_property(api)
    await made_listing(api, house)
    await _ready(api)
    away = {"lat": -21.14, "lon": -175.2, "city": "Kolomotua", "country": "TO"}
    document(await api.ask("PATCH", f"{PROPERTIES}/{house['id']}", away, key="ak"), 200)
    await until(partial(_asked, api, "nuku alofa"))
    found = await _asked(api, "nuku alofa")
    assert [(one["name"], one["listings"]) for one in found] == [("Nuku'alofa", 1)]
    assert await _asked(api, "blankenese") == []
