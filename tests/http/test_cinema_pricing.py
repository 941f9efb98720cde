"""By what a cinema's shows are sold where they say nothing of their own: told where one cinema is
asked for, its codes to who sells, and taken by the shows that are made from then on."""

from typing import cast

import pytest

from bespeak.verticals.cinema import catalogue_changes
from tests.harness.catalogues import CINEMAS, CITIES, FILMS, SCREENS
from tests.http.api import Api, Json, Request, document

ROOT = "/v1/cinema"
FEES: list[Json] = [{"name": "Booking fee", "amount": 50}]
CODES: list[Json] = [{"code": "SPRING", "capacity": 5, "basis_points": 1000}]
PRICING: Json = {"fees": FEES, "codes": CODES, "cancellation": {"refundable": False}}


async def stocked(api: Api) -> str:
    """A city, a cinema with a screen and a film; the path of the cinema."""
    connection = api.connection
    async with connection.transaction():
        await catalogue_changes.put_city(connection, CITIES[0])
        put = await catalogue_changes.put_cinema(connection, CINEMAS[0])
        await catalogue_changes.put_screen(connection, SCREENS[0])
        await catalogue_changes.put_film(connection, FILMS[0])
    return f"{ROOT}/cinemas/{put.id}"


async def asked(
    api: Api, method: str, path: str, body: object = None, key: str = "ak", status: int = 200
) -> Json:
    return document(await api.send(Request(method, path, body, key)), status)


@pytest.mark.parametrize("key", ["pk", "sk", "ak"])
async def test_one_cinema_tells_its_pricing_and_its_codes_to_who_sells(api: Api, key: str) -> None:
    path = await stocked(api)
    assert "pricing" not in await asked(api, "GET", path, key=key)
    changed = await asked(api, "PATCH", path, {"pricing": PRICING})
    assert changed["pricing"] == PRICING
    told = cast("Json", (await asked(api, "GET", path, key=key))["pricing"])
    assert told["fees"] == FEES
    assert told.get("codes") == (None if key == "pk" else CODES)
    listed = await asked(api, "GET", f"{ROOT}/cinemas", key=key)
    assert "pricing" not in cast("list[Json]", listed["items"])[0]


async def test_a_change_of_its_name_keeps_it_and_null_ends_it(api: Api) -> None:
    path = await stocked(api)
    await asked(api, "PATCH", path, {"pricing": PRICING})
    renamed = await asked(api, "PATCH", path, {"name": "Lotus"})
    assert (renamed["name"], renamed["pricing"]) == ("Lotus", PRICING)
    assert "pricing" not in await asked(api, "PATCH", path, {"pricing": None})
    assert "pricing" not in await asked(api, "GET", path)


async def test_shows_are_sold_by_that_of_when_they_were_made(api: Api) -> None:
    path = await stocked(api)
    new: Json = {"film": FILMS[0].ref, "screen": SCREENS[0].ref, "language": "Hindi"}
    before = await _resource(api, {**new, "starts_at": "2030-03-01T18:00"})
    await asked(api, "PATCH", path, {"pricing": PRICING})
    after = await _resource(api, {**new, "starts_at": "2030-03-02T18:00"})
    assert (before["pricing"], after["pricing"]) == (None, PRICING)


async def _resource(api: Api, body: Json) -> Json:
    show = await asked(api, "POST", f"{ROOT}/shows", body, status=201)
    return await asked(api, "GET", f"/v1/resources/{show['id']}")
