"""Rate limits kept in Redis: one count for all processes, and a Redis that goes away."""

import asyncio
from typing import Any  # any: see its use

import msgspec
import pytest
from limits.aio.strategies import FixedWindowRateLimiter

from bespeak import Resource
from bespeak.http.server import rate_limits
from tests.harness.database import Connection
from tests.http.api import SETTINGS, Api, opened, place, problem, until
from tests.services.conftest import RedisServer

pytestmark = pytest.mark.services


async def listing(api: Api, key: str, **headers: str) -> int:
    answer = await api.ask("GET", "/v1/resources", key=key, **headers)
    if answer.status_code == 429:
        problem(answer, "rate_limited")
    return answer.status_code


async def test_two_processes_share_a_limit(
    redis_server: RedisServer, database_url: str, connection: Connection
) -> None:
    limited = msgspec.structs.replace(
        SETTINGS,
        rate_limit_publishable="4/hour",
        rate_limit_secret="4/hour",
        rate_limit_storage=redis_server.url,
    )
    async with (
        opened(limited, database_url, connection) as one,
        opened(limited, database_url, connection) as other,
    ):
        other.keys = one.keys
        both = (one, other)
        token = one.token("asha")
        answers = [await listing(both[n % 2], "pk", Bespeak_Shopper=token) for n in range(6)]
        assert answers == [200] * 4 + [429] * 2
        # Another shopper, and the server's key, are counted on their own, at once too.
        assert await listing(other, "pk", Bespeak_Shopper=one.token("ben")) == 200
        together = await asyncio.gather(*(listing(both[n % 2], "sk") for n in range(12)))
        assert sorted(together) == [200] * 4 + [429] * 8


async def test_a_limit_outlives_the_process(
    redis_server: RedisServer, database_url: str, connection: Connection
) -> None:
    limited = msgspec.structs.replace(
        SETTINGS, rate_limit_secret="1/hour", rate_limit_storage=redis_server.url
    )
    async with opened(limited, database_url, connection) as api:
        keys = api.keys
        assert [await listing(api, "sk") for _ in range(2)] == [200, 429]
    async with opened(limited, database_url, connection) as api:
        api.keys = keys
        assert await listing(api, "sk") == 429


async def test_without_redis_the_sale_goes_on(
    redis_server: RedisServer,
    database_url: str,
    connection: Connection,
    show: Resource,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Counting is courtesy; holding seats is not. Limits are back as soon as Redis is."""
    limited = msgspec.structs.replace(
        SETTINGS, rate_limit_secret="2/hour", rate_limit_storage=redis_server.url
    )
    async with opened(limited, database_url, connection) as api:
        await api.hold(show, "A1")
        redis_server.stop()
        asked = 0
        hit = FixedWindowRateLimiter.hit

        async def counted(*arguments: Any, **named: Any) -> bool:  # any: passed on as they came
            nonlocal asked
            asked += 1
            return await hit(*arguments, **named)

        # Redis is asked once, and then left alone for a while, which lasts here until we say so.
        monkeypatch.setattr(FixedWindowRateLimiter, "hit", counted)
        monkeypatch.setattr(rate_limits, "_AWAY_SECONDS", 3600.0)
        for number in range(2, 8):
            assert (await api.send(place(show, f"A{number}"))).status_code == 201
        assert asked == 1, "nor does it wait for Redis every time"
        api.service.limits._away_until = 0.0
        redis_server.start()  # it has forgotten all counts

        async def is_limited() -> bool:
            return await listing(api, "sk") == 429

        await until(is_limited)
