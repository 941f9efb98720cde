"""What a worker of the API has for its calls: the engine, the keys it knows, the limits, and the
availability that it keeps for a blink so that a crowd of viewers costs one statement.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import msgspec

from bespeak.assembly import Engine, connect
from bespeak.errors import Overloaded
from bespeak.http import metrics
from bespeak.http.keys import KeyRing
from bespeak.http.limiting import RateLimits
from bespeak.http.tokens import ShopperTokens, signing_secret
from bespeak.postgres.pool import borrow
from bespeak.postgres.queries import load
from bespeak.settings import Settings

_QUERIES = load("bespeak.http", "keys.sql")
_MAPS_MAX = 1000
_GAUGE_SECONDS = 1.0


class Map(NamedTuple):
    """An encoded availability and its entity tag."""

    body: bytes
    etag: str
    good_until: float


class Availabilities:
    """Availability answers, each good for some milliseconds, each asked once at a time."""

    def __init__(self, engine: Engine, good_seconds: float) -> None:
        self._engine = engine
        self._good_seconds = good_seconds
        self._maps: OrderedDict[str, Map] = OrderedDict()
        self._asked: dict[str, asyncio.Task[Map]] = {}

    async def get(self, resource_id: str) -> Map:
        """The availability of a resource. Raises ResourceNotFound, InvalidId."""
        seen = self._maps.get(resource_id)
        if seen is not None and seen.good_until > time.monotonic():
            return seen
        task = self._asked.get(resource_id)
        if task is None:
            task = asyncio.create_task(self._ask(resource_id))
            self._asked[resource_id] = task
            task.add_done_callback(lambda _: self._asked.pop(resource_id, None))
        return await asyncio.shield(task)

    async def _ask(self, resource_id: str) -> Map:
        good_until = time.monotonic() + self._good_seconds
        body = msgspec.json.encode(await self._engine.availability(resource_id))
        seen = Map(body, f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"', good_until)
        self._maps[resource_id] = seen
        self._maps.move_to_end(resource_id)
        while len(self._maps) > _MAPS_MAX:
            self._maps.popitem(last=False)
        return seen


class Service:
    """Everything a call needs, for one worker."""

    def __init__(self, engine: Engine, tokens: ShopperTokens) -> None:
        settings = engine.settings
        self.engine = engine
        self.tokens = tokens
        self.keys = KeyRing(engine.pool, settings.database_wait_seconds)
        self.limits = RateLimits(settings)
        self.availability = Availabilities(engine, settings.availability_ms / 1000)

    async def check_ready(self) -> None:
        """Raises DatabaseUnavailable or Overloaded when this worker cannot work now."""
        if self.engine.committer.is_full:
            raise Overloaded(retry_after_seconds=1)
        async with borrow(self.engine.pool, 1.0) as connection:
            await connection.fetchval(_QUERIES["ready"])

    def measure(self) -> None:
        """Sets the gauges to how things stand."""
        engine = self.engine
        metrics.QUEUE_DEPTH.set(engine.committer.waiting)
        metrics.KNOWN_TAKEN.set(len(engine.memory))
        idle = engine.pool.get_idle_size()
        metrics.POOL_CONNECTIONS.labels("idle").set(idle)
        metrics.POOL_CONNECTIONS.labels("used").set(engine.pool.get_size() - idle)

    async def keep_measuring(self) -> None:
        """Keeps the gauges fresh, until cancelled."""
        while True:
            self.measure()
            await asyncio.sleep(_GAUGE_SECONDS)


@asynccontextmanager
async def open_service(
    settings: Settings, database_url: str, *, sweep: bool
) -> AsyncIterator[Service]:
    """A service on a migrated database. Raises what `bespeak.connect` raises."""
    async with connect(
        database_url, settings=settings, watch=metrics.CommitterMetrics(), sweep=sweep
    ) as engine:
        async with borrow(engine.pool, settings.database_wait_seconds) as connection:
            secret = await signing_secret(connection, settings.signing_secret)
        service = Service(engine, ShopperTokens(secret))
        gauge = asyncio.create_task(service.keep_measuring())
        try:
            yield service
        finally:
            gauge.cancel()
            await asyncio.gather(gauge, return_exceptions=True)
