"""What a worker of the API has for its calls, one object for all of them: the engine, the keys, the
limits, the caches and the streams.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cached_property
from pathlib import Path

from bespeak.announcements import letterheads_of, open_ticket_office
from bespeak.assembly import connect
from bespeak.demo.rushes import DemoRushes
from bespeak.engine import Engine
from bespeak.errors import Overloaded
from bespeak.http.server import metrics
from bespeak.http.server.audit_log import AuditLog
from bespeak.http.server.availabilities import Availabilities
from bespeak.http.server.bindings import Bindings
from bespeak.http.server.box_office_key import BoxOfficeKey
from bespeak.http.server.budgets.challenge import open_challenge
from bespeak.http.server.budgets.gate import Budgets
from bespeak.http.server.budgets.guesses import Guesses
from bespeak.http.server.calendar_links import CalendarLinks
from bespeak.http.server.client_address import ClientAddresses
from bespeak.http.server.connections import Connections
from bespeak.http.server.deadlines import Deadlines
from bespeak.http.server.heartbeats import Heartbeat, Heartbeats
from bespeak.http.server.keys import KeyRing, create_key
from bespeak.http.server.operators.logins import Operators
from bespeak.http.server.own_writes import OwnWrites
from bespeak.http.server.preview_links import PreviewLinks
from bespeak.http.server.rate_limits import RateLimits
from bespeak.http.server.sessions import Consoles, Guests
from bespeak.http.server.sign_ins import SignIns
from bespeak.http.server.streams import Streams
from bespeak.http.server.tokens import ShopperTokens
from bespeak.http.server.waiting_rooms import WaitingRooms
from bespeak.http.server.workspaces import Workspaces
from bespeak.invoices.service import Invoices
from bespeak.merchants.consents import Consents
from bespeak.merchants.letterheads import Letterheads
from bespeak.merchants.merchants import Merchants
from bespeak.notifications.mail.sign_ins import SignInCodes, open_codes
from bespeak.notifications.mail.texts import MailTexts
from bespeak.notifications.mail.ways import ChosenWays
from bespeak.overview.advice import Adviser
from bespeak.overview.figures import Figures
from bespeak.overview.refusals import RefusalCounts
from bespeak.overview.resource_lists import ResourceLists
from bespeak.personal_data.erasures import Erasures
from bespeak.personal_data.export import OwnerExport
from bespeak.postgres.queries import load
from bespeak.postgres.replica import ReplicaState
from bespeak.postgres.secrets import signing_secret
from bespeak.reports.days import Days
from bespeak.reservations.checkout_answers import CheckoutAnswers
from bespeak.reservations.live_holds import LiveHolds
from bespeak.settings import Settings
from bespeak.ticketing.links import BookingLinks, open_links
from bespeak.ticketing.service import TicketService
from bespeak.verticals.installed import installed, migration_sources, owner_records
from bespeak.waitlists.links import WaitlistLinks, open_waitlist_links

_QUERIES = load("bespeak.http.server", "keys.sql")
_GAUGE_SECONDS = 1.0


class Service:
    """Everything a call needs, for one worker."""

    def __init__(
        self,
        engine: Engine,
        secret: bytes,
        tickets: TicketService,
        links: tuple[BookingLinks, WaitlistLinks],
        codes: SignInCodes,
        heartbeats: Heartbeats | None = None,
    ) -> None:
        settings = engine.settings
        self.engine = engine
        self.guests_engine = engine.for_guests()
        self.heartbeats = heartbeats or Heartbeats(Heartbeat("api"))
        self.tokens = ShopperTokens(secret)
        self.calendar_links = CalendarLinks(secret, engine.database)
        self.preview_links = PreviewLinks(secret)
        self.tickets, (self.booking_links, self.waitlist_links) = tickets, links
        self.keys = KeyRing(engine.database)
        self.audit_log = AuditLog(engine.database)
        self.bindings = Bindings(engine.database, installed())
        self.workspaces = Workspaces(engine.database)
        self.merchants = Merchants(engine.database)
        self.invoices, self.days = Invoices(engine), Days(engine)
        self.consents = Consents(engine.database, self.merchants)
        self.box_office_key = BoxOfficeKey(engine.database, self.keys)
        self.guests = Guests(secret)
        self.sign_ins = SignIns(engine.database, secret, codes)
        idle = settings.console_idle_minutes * 60
        self.operators = Operators(engine.database, secret, settings.public_url, idle)
        self.consoles = Consoles(secret, self.keys, self.operators.sessions, idle)
        self.waiting_rooms = WaitingRooms(engine, secret, tickets.keys)
        self.limits = RateLimits(settings)
        self.client_addresses = ClientAddresses(settings)
        self.connections = Connections(
            settings.connections_per_address_max, self.client_addresses.is_trusted
        )
        self.deadlines = Deadlines(settings.request_seconds_max, settings.body_seconds_max)
        self.budgets = Budgets(engine, secret, open_challenge(settings, secret))
        self.guesses = Guesses(self.budgets)
        self.erasures = Erasures(engine.database, engine.ready_resources)
        self.owner_export = OwnerExport(engine.database, owner_records())
        self.figures = Figures(engine.reads)
        self.adviser = Adviser(engine.reads)
        self.resource_lists = ResourceLists(engine.reads, engine.ready_resources)
        self.refusals = RefusalCounts(engine.database.pool, engine.clock)
        self.availabilities = Availabilities(settings.availability_ms / 1000)
        self.streams = Streams(engine.live, settings)
        replica = engine.reads.replica
        self.own_writes = None if replica is None else OwnWrites(replica, settings.public_url)
        self.demo_rushes = DemoRushes(engine.database, create_key)

    @cached_property
    def letterheads(self) -> Letterheads:
        """Who writes, as mails show it."""
        return letterheads_of(self.engine, self.merchants)

    @cached_property
    def live_holds(self) -> LiveHolds:
        """The holds that are still good."""
        return LiveHolds(self.engine.database, self.engine.clock)

    @cached_property
    def checkout_answers(self) -> CheckoutAnswers:
        """What buyers answered at checkout."""
        return CheckoutAnswers(self.engine.database)

    @cached_property
    def mail_ways(self) -> ChosenWays:
        """How mails leave."""
        settings = self.engine.settings
        return ChosenWays(self.engine.database, settings, Path(settings.mail_outbox or "."))

    @cached_property
    def mail_texts(self) -> MailTexts:
        """What merchants write in mails."""
        return MailTexts(self.engine.database)

    async def check_ready(self) -> None:
        """Raises DatabaseUnavailable or Overloaded when this worker cannot work now."""
        if self.engine.committer.is_full:
            raise Overloaded(retry_after_seconds=1)
        async with self.engine.database.borrow(wait_seconds=1.0) as connection:
            await connection.fetchval(_QUERIES["ready"])

    def measure(self) -> None:
        """Sets the gauges to how things stand, and writes what was counted."""
        self.heartbeats.own.beat()
        metrics.write_late()
        engine = self.engine
        metrics.PROCESSES_MISSING.set(len(self.heartbeats.missing()))
        metrics.QUEUE_DEPTH.set(engine.committer.waiting)
        metrics.KNOWN_TAKEN.set(len(engine.memory))
        idle = engine.database.pool.get_idle_size()
        metrics.POOL_CONNECTIONS.labels("idle").set(idle)
        metrics.POOL_CONNECTIONS.labels("used").set(engine.database.pool.get_size() - idle)
        replica = engine.reads.replica
        if replica is not None:
            metrics.REPLICA_LAG.set(replica.lag_seconds)
            metrics.REPLICA_FOLLOWS.set(replica.state is ReplicaState.FOLLOWS)
        self._measure_waiting_rooms()
        self.streams.measure()
        self.budgets.measure()

    def _measure_waiting_rooms(self) -> None:
        board = self.waiting_rooms.board
        metrics.WAITING_ROOM_JOINS.inc(board.noted)
        board.noted = 0
        metrics.WAITING_ROOM_STEP.set(board.step_seconds)

    async def keep_measuring(self) -> None:
        """Keeps the gauges fresh, and tells that this process is at work, until cancelled."""
        while True:
            self.measure()
            await self.connections.look()
            self.deadlines.look()
            await asyncio.sleep(_GAUGE_SECONDS)


@asynccontextmanager
async def open_service(
    settings: Settings, database_url: str, heartbeats: Heartbeats | None, *, sweep: bool
) -> AsyncIterator[Service]:
    """A service on a migrated database. Raises what `bespeak.connect` raises."""
    async with connect(
        database_url,
        settings=settings,
        observer=metrics.CommitterMetrics(),
        payments_observer=metrics.PaymentMetrics(),
        reads_observer=metrics.ReadMetrics(),
        sweep=sweep,
        sources=migration_sources(),
    ) as engine:
        async with engine.database.borrow() as connection:
            secret = await signing_secret(connection, settings.signing_secret)
            codes = await open_codes(connection)
        tickets = await open_ticket_office(engine, letterheads_of(engine))
        links = await open_links(engine), await open_waitlist_links(engine.database)
        service = Service(engine, secret, tickets, links, codes, heartbeats)
        await service.workspaces.look()
        await service.waiting_rooms.board.look()
        gauge = asyncio.create_task(service.keep_measuring())
        refusals = asyncio.create_task(service.refusals.run())
        sharing = asyncio.create_task(service.budgets.run())
        audit_log = asyncio.create_task(service.audit_log.run())
        looking = asyncio.create_task(service.workspaces.run())
        queues = asyncio.create_task(service.waiting_rooms.board.run())
        try:
            yield service
        finally:
            await service.streams.close()
            await service.demo_rushes.close()
            service.operators.close()
            gauge.cancel()
            refusals.cancel()
            sharing.cancel()
            audit_log.cancel()
            looking.cancel()
            queues.cancel()
            tasks = (gauge, refusals, sharing, audit_log, looking, queues)
            await asyncio.gather(*tasks, return_exceptions=True)
            await service.waiting_rooms.board.close()
            metrics.write_late()
