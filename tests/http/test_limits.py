"""Rate limits, kept in the memory of the process: each shopper, address and key on its own."""

import time
from types import SimpleNamespace

import httpx
import pytest
from limits.aio.storage import memory

from bespeak import Resource, Settings
from bespeak.errors import InvalidSetting
from bespeak.http.server.keys import create_key
from bespeak.http.server.rate_limits import RateLimits
from tests.http.api import Api, Json, Request, document, line, problem
from tests.http.conftest import OpenApi
from tests.http.waiting import ALL, room_for


async def listing(api: Api, key: str, **headers: str) -> int:
    answer = await api.ask("GET", "/v1/resources", key=key, **headers)
    if answer.status_code == 429:
        problem(answer, "rate_limited")
    return answer.status_code


async def test_each_shopper_has_a_limit_of_its_own(open_api: OpenApi, show: Resource) -> None:
    api = await open_api(rate_limit_publishable="2/hour", rate_limit_address="2/hour")
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


async def test_streams_and_guests_have_limits_apart_from_those_of_requests(
    open_api: OpenApi, show: Resource
) -> None:
    api = await open_api(
        rate_limit_address="2/hour", rate_limit_guests="1/hour", rate_limit_streams="1/hour"
    )
    stream = f"/v1/resources/{show.id}/stream"
    assert [await listing(api, "pk") for _ in range(3)] == [200, 200, 429]
    # HEAD opens no stream for longer, and counts as one.
    assert (await api.ask("HEAD", stream, key="pk")).status_code == 200
    assert (await api.ask("HEAD", stream, key="pk")).status_code == 429
    assert (await api.ask("HEAD", stream, key="sk")).status_code == 200
    session = Request(
        "POST", "/v1/box-office/session", key=None, headers={"Sec-Fetch-Site": "same-origin"}
    )
    assert (await api.send(session)).status_code == 200
    problem(await api.send(session), "rate_limited")


async def test_an_address_joins_waiting_rooms_so_often_whoever_it_says_it_is(
    open_api: OpenApi, show: Resource
) -> None:
    api = await open_api(rate_limit_joins="3/hour", trusted_proxies="127.0.0.1")
    room = await room_for(api, show)
    path = f"{ALL}/{room['id']}/queue-tokens"

    async def join(owner: str, address: str, body: Json) -> httpx.Response:
        headers = {"bespeak_shopper": api.token(owner), "x_forwarded_for": address}
        return await api.ask("POST", path, body, key="pk", **headers)

    for owner in ("asha", "ben", "asha"):
        document(await join(owner, "192.0.2.1", {}), 201)
    problem(await join("cleo", "192.0.2.1", {}), "rate_limited")
    document(await join("cleo", "192.0.2.2", {}), 201)
    document(await api.ask("POST", path, {"owner": "dora"}), 201)  # the merchant's own server
    await api.service.waiting_rooms.board.look()
    now = document(await api.ask("GET", f"{ALL}/{room['id']}/now", key=None), 200)
    assert now["queues"][0]["joined"] == 5, "who is refused takes no place"  # type: ignore[index]


async def test_behind_a_trusted_proxy_each_client_is_counted(open_api: OpenApi) -> None:
    api = await open_api(rate_limit_address="1/hour", trusted_proxies="127.0.0.1")
    assert await listing(api, "pk", X_Forwarded_For="192.0.2.1") == 200
    # What is left of the proxy's word is the client's own, and counts for nothing.
    assert await listing(api, "pk", X_Forwarded_For="6.6.6.6, 192.0.2.1") == 429
    assert await listing(api, "pk", X_Forwarded_For="192.0.2.2") == 200
    # One household has all of an IPv6 network of 64 bits.
    assert await listing(api, "pk", X_Forwarded_For="2001:db8:1:2::1") == 200
    assert await listing(api, "pk", X_Forwarded_For="2001:db8:1:2:dead:beef::") == 429


async def test_who_is_no_trusted_proxy_cannot_name_an_address(open_api: OpenApi) -> None:
    api = await open_api(rate_limit_address="1/hour", trusted_proxies="10.0.0.0/8")
    answers = [await listing(api, "pk", X_Forwarded_For=f"192.0.2.{n}") for n in range(3)]
    assert answers == [200, 429, 429]


async def test_each_server_key_has_a_limit_of_its_own(open_api: OpenApi) -> None:
    api = await open_api(rate_limit_secret="2/minute")
    api.keys["other"], _ = await create_key(api.connection, "secret", "other")
    for key in ("sk", "other", "ak"):
        assert [await listing(api, key) for _ in range(3)] == [200, 200, 429]
    assert {await listing(api, "pk") for _ in range(5)} == {200}


async def test_a_limit_ends(open_api: OpenApi, monkeypatch: pytest.MonkeyPatch) -> None:
    api = await open_api(rate_limit_secret="1/hour")
    assert [await listing(api, "sk") for _ in range(3)] == [200, 429, 429]
    later = time.time() + 3601
    monkeypatch.setattr(memory, "time", SimpleNamespace(time=lambda: later))
    assert await listing(api, "sk") == 200


async def test_what_needs_no_key_is_not_limited(open_api: OpenApi) -> None:
    api = await open_api(rate_limit_secret="1/hour", rate_limit_address="1/hour")
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
