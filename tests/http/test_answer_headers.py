"""What every answer says of itself to a browser, whichever call it is of and however it ends."""

from collections import Counter

import httpx
import pytest

from bespeak import Resource
from bespeak.http.endpoints import ALL_ENDPOINTS
from tests.http.api import Api
from tests.http.conftest import OpenApi
from tests.http.test_every_endpoint import path_of

CALLS = [one for one in ALL_ENDPOINTS if one.answer != "text/event-stream"]


def policy_of(answer: httpx.Response) -> dict[str, str]:
    """What the policy of an answer says of each kind of thing."""
    rules = [rule.strip() for rule in answer.headers["content-security-policy"].split(";")]
    return {name: value for name, _, value in (rule.partition(" ") for rule in rules)}


def check_headers(answer: httpx.Response) -> None:
    where = f"{answer.request.method} {answer.request.url}"
    policy = policy_of(answer)
    if answer.headers.get("content-type") != "application/pdf":  # shown by the browser's own viewer
        policy.setdefault("object-src", policy["default-src"])
        assert policy["object-src"] == "'none'", where
    assert policy["base-uri"] == policy["frame-ancestors"] == "'none'", where
    assert answer.headers["x-content-type-options"] == "nosniff", where
    assert answer.headers["referrer-policy"] in ("no-referrer", "same-origin"), where
    assert answer.headers["cache-control"], where
    media_type = answer.headers.get("content-type", "")
    if media_type.startswith("text/") or "+xml" in media_type:
        assert "charset=utf-8" in media_type, where
    told = Counter(name for name, _ in answer.headers.multi_items())
    twice = {name for name, times in told.items() if times > 1} - {"set-cookie", "vary"}
    assert not twice, (where, twice)


@pytest.mark.asyncio(loop_scope="module")
async def test_every_answer_tells_browsers_to_run_nothing_of_it(module_api: Api) -> None:
    for endpoint in CALLS:
        for key in (None, "pk", "sk", "ak"):
            check_headers(await module_api.ask(endpoint.method, path_of(endpoint), key=key))


@pytest.mark.asyncio(loop_scope="module")
async def test_refusals_that_no_call_answers_have_the_headers_too(module_api: Api) -> None:
    asked = {"Origin": "https://shop.example", "Access-Control-Request-Method": "POST"}
    check_headers(await module_api.client.options("/v1/holds", headers=asked))
    for method, path in (("GET", "/v1/nothing"), ("TRACE", "/v1/holds"), ("GET", "/v1/holds/%ff")):
        check_headers(await module_api.ask(method, path))


async def test_what_is_somebodys_is_kept_by_no_cache(api: Api, show: Resource) -> None:
    """A browser that several people use kept bookings, with their contacts, on its disk."""
    booking = await api.booking(show, "A1", owner="asha")
    shopper = {"Bespeak-Shopper": api.token("asha")}
    for path in ("/v1/bookings", f"/v1/bookings/{booking['id']}"):
        for key, more in (("pk", shopper), ("sk", {})):
            answer = await api.ask("GET", path, key=key, **more)
            assert "no-store" in answer.headers["cache-control"], path
            check_headers(answer)
    for name in ("tickets.pdf", "tickets/1.svg", "calendar.ics"):
        answer = await api.ask("GET", f"/v1/bookings/{booking['id']}/{name}")
        assert answer.status_code == 200
        assert "no-store" in answer.headers["cache-control"]
        check_headers(answer)


async def test_https_is_said_with_every_answer_where_it_is_spoken(open_api: OpenApi) -> None:
    plain = await open_api()
    behind_proxy = await open_api(public_url="https://tickets.example")
    for path in ("/healthz", "/v1/bookings", "/v1/nothing", "/start", "/"):
        here = await behind_proxy.ask("GET", path)
        assert here.headers["strict-transport-security"] == "max-age=31536000", path
        assert "strict-transport-security" not in (await plain.ask("GET", path)).headers, path


async def test_who_has_the_domain_says_so_for_all_hosts_below(open_api: OpenApi) -> None:
    api = await open_api(public_url="https://tickets.example", hsts_subdomains=True)
    for path in ("/healthz", "/v1/nothing", "/"):
        said = (await api.ask("GET", path)).headers["strict-transport-security"]
        assert said == "max-age=31536000; includeSubDomains", path
