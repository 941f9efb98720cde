"""What a worker of the API has for its calls: the engine, the keys it knows, the limits, and the
availability that it keeps for a blink so that a crowd of viewers costs one statement.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple, TypeAlias

import msgspec

from bespeak.assembly import connect
from bespeak.engine import Engine
from bespeak.demo.rushes import DemoRushes
from bespeak.errors import Overloaded
from bespeak.http.server import metrics
from bespeak.http.api.box_office import OwnKey
from bespeak.http.api.calendars import CalendarLinks
from bespeak.http.api.hold_lists import LiveHolds
from bespeak.http.server.keys import KeyRing, create_key
from bespeak.http.server.rate_limits import RateLimits
from bespeak.http.server.sessions import Consoles, Guests
from bespeak.http.api.streams import Streams
from bespeak.http.server.tokens import ShopperTokens, signing_secret
from bespeak.inventory.plans import AvailabilityQuery
from bespeak.overview.advice import Adviser
from bespeak.overview.figures import Figures
from bespeak.overview.refusals import RefusalCounts
from bespeak.overview.resource_lists import ResourceLists
from bespeak.postgres.queries import load
from bespeak.settings import Settings
from bespeak.ticketing.links import BookingLinks, open_links
from bespeak.ticketing.service import TicketService, open_office
from bespeak.verticals.installed import migration_sources

_QUERIES = load("bespeak.http.server", "keys.sql")
_MAPS_MAX = 1000
_BYTES_MAX = 64 << 20
_GAUGE_SECONDS = 1.0
_PACKED_BYTES_MIN = 2000
_PACKED_LEVEL = 1
_Seen: TypeAlias = tuple[str, AvailabilityQuery]


class Map(NamedTuple):
    """An encoded availability, the same compressed where that is worth it, and its entity tag."""

    body: bytes
    packed: bytes | None
    etag: str
    good_until: float

    @property
    def weight(self) -> int:
        """How many bytes it keeps."""
        return len(self.body) + len(self.packed or b"")


class Availabilities:
    """Availability answers, each good for some milliseconds, each asked once at a time."""

    def __init__(self, engine: Engine, good_seconds: float) -> None:
        self._engine = engine
        self._good_seconds = good_seconds
        self._maps: OrderedDict[_Seen, Map] = OrderedDict()
        self._bytes = 0
        self._asked: dict[_Seen, asyncio.Task[Map]] = {}

    async def get(self, resource_id: str, query: AvailabilityQuery) -> Map:
        """The availability of a resource. Raises ResourceNotFound, InvalidId, InvalidRequest."""
        asked = (resource_id, query)
        seen = self._maps.get(asked)
        if seen is not None and seen.good_until > time.monotonic():
            return seen
        task = self._asked.get(asked)
        if task is None:
            task = asyncio.create_task(self._ask(resource_id, query))
            self._asked[asked] = task
            task.add_done_callback(lambda _: self._asked.pop(asked, None))
        return await asyncio.shield(task)

    async def _ask(self, resource_id: str, query: AvailabilityQuery) -> Map:
        good_until = time.monotonic() + self._good_seconds
        body = msgspec.json.encode(await self._engine.availability(resource_id, query))
        packed = None
        if len(body) >= _PACKED_BYTES_MIN:
            # In a thread: a map of 20,000 seats takes milliseconds, which others need not wait for.
            packed = await asyncio.to_thread(gzip.compress, body, _PACKED_LEVEL, mtime=0)
        etag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
        seen = Map(body, packed, etag, good_until)
        self._keep((resource_id, query), seen)
        return seen

    def _keep(self, asked: _Seen, seen: Map) -> None:
        """Keeps an answer, and lets the oldest go when there are too many, or they weigh too much:
        one of a large room may be a megabyte."""
        before = self._maps.pop(asked, None)
        self._bytes += seen.weight - (before.weight if before is not None else 0)
        self._maps[asked] = seen
        while len(self._maps) > _MAPS_MAX or (self._bytes > _BYTES_MAX and len(self._maps) > 1):
            _, oldest = self._maps.popitem(last=False)
            self._bytes -= oldest.weight


class Service:
    """Everything a call needs, for one worker."""

    def __init__(
        self,
        engine: Engine,
        secret: bytes,
        tickets: TicketService,
        booking_links: BookingLinks,
    ) -> None:
        settings = engine.settings
        self.engine = engine
        self.tokens = ShopperTokens(secret)
        self.calendar_links = CalendarLinks(secret)
        self.tickets = tickets
        self.booking_links = booking_links
        self.keys = KeyRing(engine.database)
        self.own_key = OwnKey(engine, self.keys)
        self.guests = Guests(secret)
        self.consoles = Consoles(secret, self.keys)
        self.limits = RateLimits(settings)
        self.live_holds = LiveHolds(engine)
        self.figures = Figures(engine.database)
        self.adviser = Adviser(engine.database)
        self.resource_lists = ResourceLists(engine.database, engine.ready_resources)
        self.refusals = RefusalCounts(engine.database.pool, engine.clock)
        self.availability = Availabilities(engine, settings.availability_ms / 1000)
        self.streams = Streams(engine.live, settings)
        self.demo_rushes = DemoRushes(engine.database, create_key)

    async def check_ready(self) -> None:
        """Raises DatabaseUnavailable or Overloaded when this worker cannot work now."""
        if self.engine.committer.is_full:
            raise Overloaded(retry_after_seconds=1)
        async with self.engine.database.borrow(wait_seconds=1.0) as connection:
            await connection.fetchval(_QUERIES["ready"])

    def measure(self) -> None:
        """Sets the gauges to how things stand."""
        engine = self.engine
        metrics.QUEUE_DEPTH.set(engine.committer.waiting)
        metrics.KNOWN_TAKEN.set(len(engine.memory))
        idle = engine.database.pool.get_idle_size()
        metrics.POOL_CONNECTIONS.labels("idle").set(idle)
        metrics.POOL_CONNECTIONS.labels("used").set(engine.database.pool.get_size() - idle)
        self.streams.measure()

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
        database_url,
        settings=settings,
        observer=metrics.CommitterMetrics(),
        payments_observer=metrics.PaymentMetrics(),
        sweep=sweep,
        sources=migration_sources(),
    ) as engine:
        async with engine.database.borrow() as connection:
            secret = await signing_secret(connection, settings.signing_secret)
        tickets = await open_office(engine)
        service = Service(engine, secret, tickets, await open_links(engine))
        gauge = asyncio.create_task(service.keep_measuring())
        refusals = asyncio.create_task(service.refusals.run())
        try:
            yield service
        finally:
            await service.streams.close()
            await service.demo_rushes.close()
            gauge.cancel()
            refusals.cancel()
            await asyncio.gather(gauge, refusals, return_exceptions=True)
