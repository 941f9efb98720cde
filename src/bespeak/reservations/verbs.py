"""The engine: every verb of the library, on the process's own connections, or on the caller's
(`connection=`), where it is part of the caller's transaction and commits or vanishes with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bespeak import ids
from bespeak.clock import DatabaseClock
from bespeak.errors import InvalidRequest, PlanChanged, ResourceNotFound
from bespeak.inventory import audit, blocks, resources
from bespeak.inventory.audit import Audit
from bespeak.inventory.blocks import Block, BlockLine, BlockPage
from bespeak.inventory.calendars import imports as calendars
from bespeak.inventory.calendars.blocks import BlockTarget, read_entry_blocks
from bespeak.inventory.calendars.feed import write_calendar
from bespeak.inventory.calendars.imports import CalendarImport
from bespeak.inventory.lines import Line, check_line
from bespeak.inventory.plans import Availability, AvailabilityQuery, SaleContext
from bespeak.inventory.resource_batches import create_many
from bespeak.inventory.resources import (
    NewResource,
    ReadyResource,
    Resource,
    ResourceChange,
    ResourcePage,
)
from bespeak.inventory.snapshot import Snapshot, read_snapshot
from bespeak.postgres.reads import Reads
from bespeak.pricing.quotes import Quote
from bespeak.reservations import positions
from bespeak.reservations.alternatives import OFFERS_MAX
from bespeak.reservations.calendars import read_busy
from bespeak.reservations.changes import REASON_LENGTH_MAX, Changer
from bespeak.reservations.committer import Committer
from bespeak.reservations.contact import Contact
from bespeak.reservations.demand_cache import DemandCache
from bespeak.reservations.holds import Booking, Hold
from bespeak.reservations.judgement import resource_in, sale_context
from bespeak.reservations.memory import TakenMemory, Unit
from bespeak.reservations.placement import Placer
from bespeak.reservations.positions import Positions
from bespeak.reservations.ready_resources import ResourceCache
from bespeak.reservations.request import KEY_LENGTH_MAX, HoldRequest, check_text
from bespeak.reservations.snapshots import SnapshotCache
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.inventory.calendars.feed import Busy
    from bespeak.postgres.pool import Connection, Database


ALTERNATIVES = 3
_BLOCK_ATTEMPTS_MAX = 5


class Reservations:
    """Holds, confirms, extends, releases, cancels; and the resources that this is done to.

    Where a verb takes `owner`, naming one asserts that the hold or booking is theirs (else
    NotOwner); None is a trusted caller. Every verb may be repeated with its `idempotency_key`.
    """

    def __init__(
        self, database: Database, committer: Committer, settings: Settings, reads: Reads
    ) -> None:
        self.database = database
        self.reads = reads
        self.committer = committer
        self.settings = settings
        self.clock = DatabaseClock()
        self.memory = TakenMemory(settings.known_taken_seconds, settings.known_taken_max)
        self.ready_resources = ResourceCache(database)
        self.snapshots = SnapshotCache(database, settings)
        self._demands = DemandCache(database, self.clock, settings)
        self._placer = Placer(
            database,
            committer,
            self.memory,
            self.ready_resources,
            self.snapshots,
            self._demands,
            self.clock,
            settings,
        )
        self._changer = Changer(
            database, committer, self.memory, self.snapshots, self.clock, settings
        )

    async def place_hold(
        self,
        *,
        owner: str,
        lines: Sequence[Line],
        hold_seconds: int | None = None,
        partial: bool = False,
        alternatives: int = ALTERNATIVES,
        idempotency_key: str | None = None,
        connection: Connection | None = None,
    ) -> Hold:
        """Places a hold on all the lines, or on none; with `partial` on as much of them as there
        is, and the hold says what is `missing`. A refusal carries up to so many `alternatives`.

        Raises UnitTaken, SoldOut, NotTogether, OrphanSeat, NotOnSale, OwnerLimitReached;
        UnknownUnit, UnknownCode, DuplicateLine, InvalidRequest, HoldTimeBeyondCap,
        CurrenciesDiffer; ResourceNotFound, ResourceClosed, ResourceNotOpen, PlanChanged;
        IdempotencyKeyReused; Overloaded, ShuttingDown, DatabaseUnavailable.
        """
        for line in lines:
            check_line(line)
        if not 0 <= alternatives <= OFFERS_MAX:
            raise InvalidRequest(f"alternatives are 0 to {OFFERS_MAX}", field="alternatives")
        return await self._placer.place(
            HoldRequest(owner, lines, hold_seconds, idempotency_key, partial, alternatives),
            connection,
        )

    async def quote(self, lines: Sequence[Line], *, connection: Connection | None = None) -> Quote:
        """What a hold of these lines would cost now, part by part, by the same rule; nothing is
        held. For lines that leave a choice, something free is chosen.

        Raises UnknownUnit, UnknownCode, DuplicateLine, InvalidRequest, CurrenciesDiffer, NotOnSale,
        ResourceNotFound; SoldOut, NotTogether, OrphanSeat where nothing is left to choose.
        """
        for line in lines:
            check_line(line)
        return await self._placer.quote(lines, connection)

    async def confirm_hold(
        self,
        hold_id: str,
        *,
        owner: str | None = None,
        idempotency_key: str | None = None,
        contact: Contact | None = None,
        connection: Connection | None = None,
    ) -> Booking:
        """Makes a booking of a hold that costs nothing, or was paid. News goes to `contact`.

        Raises HoldNotFound, NotOwner, HoldExpired, HoldReleased, HoldConfirmed, PaymentRequired,
        IdempotencyKeyReused, and what says that the service is away.
        """
        return await self._changer.confirm(hold_id, owner, idempotency_key, connection, contact)

    async def extend_hold(
        self,
        hold_id: str,
        *,
        seconds: int,
        owner: str | None = None,
        idempotency_key: str | None = None,
        connection: Connection | None = None,
    ) -> Hold:
        """Lets a hold last `seconds` from now; never beyond `extends_until` (ExtensionBeyondCap),
        never shorter than before. Raises as confirm_hold does otherwise."""
        return await self._changer.extend(hold_id, seconds, owner, idempotency_key, connection)

    async def release_hold(
        self,
        hold_id: str,
        *,
        owner: str | None = None,
        idempotency_key: str | None = None,
        connection: Connection | None = None,
    ) -> Hold:
        """Lets a hold go; its units are free at once. Raises as confirm_hold does."""
        return await self._changer.release(hold_id, owner, idempotency_key, connection)

    async def cancel_booking(
        self,
        booking_id: str,
        *,
        reason: str,
        lines: Sequence[Line] | None = None,
        owner: str | None = None,
        idempotency_key: str | None = None,
        connection: Connection | None = None,
    ) -> Booking:
        """Gives a booking back, or some lines of it; the units are free at once.

        Raises BookingNotFound, NotOwner, BookingCancelled, NotInBooking, IdempotencyKeyReused.
        """
        return await self._changer.cancel(
            booking_id, reason, lines, owner, idempotency_key, connection
        )

    async def get_hold(
        self, hold_id: str, *, owner: str | None = None, connection: Connection | None = None
    ) -> Hold:
        """Reads a hold. Raises HoldNotFound, NotOwner."""
        return await self._changer.get_hold(hold_id, owner, connection)

    async def get_booking(
        self, booking_id: str, *, owner: str | None = None, connection: Connection | None = None
    ) -> Booking:
        """Reads a booking. Raises BookingNotFound, NotOwner."""
        return await self._changer.get_booking(booking_id, owner, connection)

    async def positions(self, place_id: str, *, owner: str | None = None) -> Positions:
        """Where a hold or booking with numbers stands in line. Raises HoldNotFound, NotOwner."""
        async with self.database.borrow() as connection:
            return await positions.positions(connection, positions.parse_place(place_id), owner)

    async def set_serving(self, resource_id: str, number: int) -> int:
        """Says which number of a resource is being served. Raises ResourceNotFound."""
        async with self.database.borrow() as connection:
            return await positions.set_serving(connection, resource_id, number)

    async def create_resource(
        self,
        new: NewResource,
        *,
        idempotency_key: str | None = None,
        connection: Connection | None = None,
    ) -> Resource:
        """Creates a resource. Raises InvalidRequest, IdempotencyKeyReused."""
        _check_key(idempotency_key)
        async with self.database.borrow_to_write(connection) as used:
            return await resources.create(used, new, idempotency_key)

    async def create_resources(
        self, news: list[NewResource], *, connection: Connection | None = None
    ) -> list[Resource]:
        """Creates many resources in one transaction, as imports do. Raises InvalidRequest."""
        async with self.database.borrow_to_write(connection) as used:
            return await create_many(used, news)

    async def get_resource(
        self, resource_id: str, *, connection: Connection | None = None
    ) -> Resource:
        """Reads a resource. Raises ResourceNotFound."""
        return await self.reads.run(lambda used: resources.get(used, resource_id), connection)

    async def list_resources(
        self, *, after: str | None = None, limit: int = 100, kind: str | None = None
    ) -> ResourcePage:
        """A page of resources. Raises InvalidCursor."""
        return await self.reads.run(lambda used: resources.list_page(used, after, limit, kind))

    async def update_resource(
        self, resource_id: str, change: ResourceChange, *, connection: Connection | None = None
    ) -> Resource:
        """Changes a resource. Raises ResourceNotFound, VersionMismatch, ResourceInUse."""
        async with self.database.borrow_to_write(connection) as used:
            changed = await resources.update(used, resource_id, change)
        self.ready_resources.forget(ids.parse_resource(resource_id))
        self.snapshots.forget(ids.parse_resource(resource_id))
        return changed

    def _forget(self, units: Iterable[Unit]) -> None:
        freed = list(units)
        self.memory.forget(freed)
        self.snapshots.mark_free(freed)

    async def availability(
        self, resource_id: str, query: AvailabilityQuery | None = None
    ) -> Availability:
        """What of a resource is free, at what price, and why the rest is not; each plan answers in
        its own form. Raises ResourceNotFound, InvalidRequest for a range that makes no sense."""
        number = ids.parse_resource(resource_id)
        query = query or AvailabilityQuery()
        ready, sale, snapshot = await self._look(number, query)
        if snapshot.resource_version != ready.resource.version:
            self.ready_resources.forget(number)
            # From the primary: a replica may not have the plan yet that is known here.
            ready, sale, snapshot = await self._look(number, query, on_primary=True)
        now = datetime.fromtimestamp(snapshot.now, UTC)
        return ready.plan.availability(query, snapshot, sale._replace(now=now))

    async def _look(
        self, number: int, query: AvailabilityQuery, *, on_primary: bool = False
    ) -> tuple[ReadyResource, SaleContext, Snapshot]:
        ready = resource_in(await self.ready_resources.get_many([number], None), number)
        demands = await self._demands.of([ready], None)
        sale = sale_context(ready, self.clock.now(), demands.get(number))
        units = ready.plan.availability_units(query, sale)
        run = self.reads.run_on_primary if on_primary else self.reads.run
        return ready, sale, await run(lambda used: read_snapshot(used, number, units))

    async def block(
        self,
        resource_id: str,
        lines: Sequence[BlockLine],
        *,
        reason: str,
        idempotency_key: str | None = None,
    ) -> Block:
        """Takes units out of sale. Raises UnitTaken, UnknownUnit, ResourceNotFound."""
        check_text(reason, "reason", REASON_LENGTH_MAX)
        _check_key(idempotency_key)
        async with self.database.borrow() as connection:
            attempts = 0
            while True:
                ready = await self._read_resource(connection, resource_id)
                sale = sale_context(ready, self.clock.now())
                try:
                    return await blocks.block(
                        connection, ready, sale, lines, reason, idempotency_key
                    )
                except PlanChanged:
                    attempts += 1
                    if attempts == _BLOCK_ATTEMPTS_MAX:
                        raise

    async def unblock(
        self,
        block_id: str,
        *,
        lines: Sequence[BlockLine] | None = None,
        idempotency_key: str | None = None,
    ) -> Block:
        """Puts a block's units back on sale. Raises BlockNotFound, NotBlocked."""
        _check_key(idempotency_key)
        async with self.database.borrow() as connection:
            number = ids.home_of(ids.parse(ids.BLOCK, block_id))
            ready = (await self.ready_resources.get_many([number], connection)).get(number)
            lifted, units = await blocks.unblock(
                connection, ready, block_id, lines, idempotency_key
            )
        self._forget([(number, unit) for unit in units])
        return lifted

    async def list_blocks(
        self, resource_id: str, *, after: str | None = None, limit: int = 100
    ) -> BlockPage:
        """A page of the blocks of a resource that still stand."""

        async def read(used: Connection) -> BlockPage:
            ready = await self._read_resource(used, resource_id)
            return await blocks.list_page(used, ready, after, limit)

        return await self.reads.run(read)

    async def import_calendar(
        self,
        resource_id: str,
        content: bytes,
        *,
        name: str,
        unit: str | None = None,
        quantity: int | None = None,
    ) -> CalendarImport:
        """Blocks what an iCalendar file keeps busy: all of the resource, or one unit, or so many of
        a counted one. Imported again under the same name, only what has changed is changed.

        Raises InvalidRequest (with `line` and `uid`, where an event is at fault), UnknownUnit,
        ResourceNotFound.
        """
        calendars.check_name(name)
        async with self.database.borrow() as connection:
            ready = await self._read_resource(connection, resource_id)
        target = BlockTarget(ready, sale_context(ready, self.clock.now()), unit, quantity)
        wanted = await asyncio.to_thread(read_entry_blocks, target, content)
        async with self.database.borrow() as connection:
            done, freed = await calendars.import_entries(connection, target, name, wanted)
        self._forget([(ready.number, each) for each in freed])
        return done

    async def export_calendar(
        self, resource_id: str, *, details: bool = False, without: Sequence[str] = ()
    ) -> bytes:
        """What of a resource is booked or blocked, as iCalendar; `details` tells who and why. What
        was imported from the calendars that `without` names is left out, so that a calendar is
        not told its own. Raises ResourceNotFound."""

        async def read(used: Connection) -> tuple[ReadyResource, list[Busy]]:
            ready = await self._read_resource(used, resource_id)
            now = self.clock.now()
            return ready, await read_busy(used, ready, now, details=details, without=without)

        ready, busy = await self.reads.run(read)
        return await asyncio.to_thread(write_calendar, ready, busy)

    async def audit(self, resource_id: str) -> Audit:
        """Recounts a resource from its holds and bookings. Raises ResourceNotFound."""
        async with self.database.borrow() as connection:
            return await audit.audit(connection, await self._read_resource(connection, resource_id))

    async def _read_resource(self, connection: Connection, resource_id: str) -> ReadyResource:
        found = await resources.get_many(connection, [ids.parse_resource(resource_id)])
        if not found:
            raise ResourceNotFound(resource_id=resource_id)
        return resources.ready_resource(found[0])


def _check_key(key: str | None) -> None:
    if key is not None:
        check_text(key, "idempotency_key", KEY_LENGTH_MAX)
