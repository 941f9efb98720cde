"""Rate limits, kept in the memory of the process: each shopper, address and key on its own."""

from bespeak import Resource, Settings
from bespeak.errors import InvalidSetting
from bespeak.http.server.keys import create_key
from bespeak.http.server.rate_limits import RateLimits
from tests.http.api import Api, Request, document, line, problem
from tests.http.conftest import OpenApi


async def listing(api: Api, key: str, **headers: str) -> int:
    answer = await api.ask("GET", "/v1/resources", key=key, **headers)
    if answer.status_code == 429:
        problem(answer, "rate_limited")
    return answer.status_code


async def test_each_shopper_has_a_limit_of_its_own(open_api: OpenApi, show: Resource) -> None:
    api = await open_api(rate_limit_publishable="2/hour")
    for owner in ("asha", "ben"):
        token = api.token(owner)
        answers = [await listing(api, "pk", Bespeak_Shopper=token) for _ in range(4)]
        assert answers == [200, 200, 429, 429]
    # Another token of the same shopper is the same shopper.
    again = api.token("asha", seconds=60)
    assert await listing(api, "pk", Bespeak_Shopper=again) == 429
    # Without a token it is the address that counts.
    assert [await listing(api, "pk") for _ in range(3)] == [200, 200, 429]
    # Servers and operators are not limited by that.
    assert {await listing(api, "sk") for _ in range(5)} == {200}

    before = await api.snapshot()
    headers = {"Bespeak-Shopper": api.token("asha")}
    body = {"lines": [line(show, "A1")]}
    found = problem(
        await api.send(Request("POST", "/v1/holds", body, "pk", headers)), "rate_limited"
    )
    assert 1 <= int(str(found["retry_after_seconds"])) <= 3600
    assert await api.snapshot() == before


async def test_each_server_key_has_a_limit_of_its_own(open_api: OpenApi) -> None:
    api = await open_api(rate_limit_secret="2/minute")
    api.keys["other"], _ = await create_key(api.connection, "secret", "other")
    for key in ("sk", "other", "ak"):
        assert [await listing(api, key) for _ in range(3)] == [200, 200, 429]
    assert {await listing(api, "pk") for _ in range(5)} == {200}


async def test_a_limit_ends(open_api: OpenApi) -> None:
    api = await open_api(rate_limit_secret="1/second")
    answers = [await listing(api, "sk") for _ in range(3)]
    assert 429 in answers
    import asyncio

    await asyncio.sleep(1.05)
    assert await listing(api, "sk") == 200


async def test_what_needs_no_key_is_not_limited(open_api: OpenApi) -> None:
    api = await open_api(rate_limit_secret="1/hour", rate_limit_publishable="1/hour")
    for _ in range(3):
        document(await api.ask("GET", "/healthz", key=None), 200)
        document(await api.ask("GET", "/readyz", key=None), 200)


def test_a_limit_that_is_none_is_refused_at_the_start() -> None:
    wrong = [
        (Settings(rate_limit_publishable="many"), "BESPEAK_RATE_LIMIT_PUBLISHABLE"),
        (Settings(rate_limit_secret="5"), "BESPEAK_RATE_LIMIT_SECRET"),
        (Settings(rate_limit_storage="etcd"), "BESPEAK_RATE_LIMIT_STORAGE"),
        (Settings(rate_limit_storage="carrier://pigeon"), "BESPEAK_RATE_LIMIT_STORAGE"),
    ]
    for settings, variable in wrong:
        try:
            RateLimits(settings)
        except InvalidSetting as error:
            assert error.data["variable"] == variable
        else:
            raise AssertionError(variable)
