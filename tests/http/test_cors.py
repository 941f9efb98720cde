"""Pages of other sites: what their browsers are told, and that cookies are never part of it."""

import httpx
import msgspec
import pytest

from bespeak import Resource
from bespeak.errors import InvalidSetting
from bespeak.http.app import create_app
from bespeak.http.endpoints import ENDPOINTS
from tests.harness.shows import MakeShow
from tests.http.api import SETTINGS, Api
from tests.http.conftest import OpenApi

SHOP = "https://shop.example"
ASKS = {"Origin": SHOP, "Access-Control-Request-Method": "POST"}


def told(response: httpx.Response) -> dict[str, str]:
    """What an answer says about origins."""
    return {
        name.removeprefix("access-control-"): value
        for name, value in response.headers.items()
        if name.startswith("access-control-")
    }


async def test_a_browser_may_ask_without_a_key(api: Api) -> None:
    answer = await api.client.options("/v1/holds", headers=ASKS)
    assert (answer.status_code, answer.content) == (204, b"")
    said = told(answer)
    assert said["allow-origin"] == "*"
    assert {one.method for one in ENDPOINTS} - {"PUT"} <= set(said["allow-methods"].split(", "))
    asked = said["allow-headers"].split(", ")
    assert {"authorization", "bespeak-shopper", "idempotency-key", "last-event-id"} <= set(asked)
    assert "bespeak-csrf" not in asked
    assert "allow-credentials" not in said


@pytest.mark.parametrize("status", [200, 401, 404, 422])
async def test_every_answer_may_be_read(api: Api, make_show: MakeShow, status: int) -> None:
    show = await make_show()
    path = {
        200: f"/v1/resources/{show.id}",
        401: f"/v1/resources/{show.id}",
        404: "/v1/resources/res_00000001",
        422: "/v1/resources/nonsense",
    }[status]
    key = None if status == 401 else "pk"
    answer = await api.ask("GET", path, key=key, Origin=SHOP)
    assert answer.status_code == status
    said = told(answer)
    assert said["allow-origin"] == "*"
    exposed = said["expose-headers"].split(", ")
    assert {"ETag", "Retry-After", "Idempotent-Replayed", "X-Request-Id"} <= set(exposed)
    assert "allow-credentials" not in said


async def test_who_asks_from_no_other_site_is_told_nothing(api: Api) -> None:
    assert told(await api.ask("GET", "/v1/resources")) == {}
    assert told(await api.ask("GET", "/healthz", key=None, Origin=SHOP)) == {}
    answer = await api.client.options("/v1/holds", headers={"Origin": SHOP})
    assert answer.status_code == 405


async def test_only_named_origins_where_some_are_named(open_api: OpenApi, show: Resource) -> None:
    api = await open_api(cors_origins=f"https://other.example, {SHOP}/")
    path = f"/v1/resources/{show.id}"
    named = await api.ask("GET", path, key="pk", Origin=SHOP)
    assert told(named)["allow-origin"] == SHOP
    assert named.headers["vary"] == "accept-language, origin"
    asks = await api.client.options(path, headers=ASKS)
    assert told(asks)["allow-origin"] == SHOP
    for origin in ("https://evil.example", f"{SHOP}.evil.example", "null", "*"):
        answer = await api.ask("GET", path, key="pk", Origin=origin)
        assert (answer.status_code, told(answer)) == (200, {})
        asks = await api.client.options(path, headers={**ASKS, "Origin": origin})
        assert (asks.status_code, told(asks)) == (204, {})


async def test_no_origin_at_all_where_none_is_wanted(open_api: OpenApi) -> None:
    api = await open_api(cors_origins="")
    assert told(await api.client.options("/v1/holds", headers=ASKS)) == {}


@pytest.mark.parametrize("origins", ["shop.example", "https://shop.exämple", "ftp://x", "*.x"])
def test_an_origin_that_is_none_stops_the_start(origins: str) -> None:
    with pytest.raises(InvalidSetting, match="CORS_ORIGINS"):
        create_app(msgspec.structs.replace(SETTINGS, cors_origins=origins), "unused")
