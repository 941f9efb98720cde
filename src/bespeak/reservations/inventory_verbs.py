"""The verbs of the inventory: resources, availability, blocks, calendars, the recount. On the
process's own connections, or on the caller's (`connection=`), as part of its transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TypeVar, overload

from bespeak import ids
from bespeak.arguments import check_limit, checked
from bespeak.errors import InvalidRequest, PlanChanged, ResourceNotFound
from bespeak.inventory import audit, blocks, resource_changes, resources
from bespeak.inventory.audit import Audit
from bespeak.inventory.blocks import Block, BlockLine, BlockPage, ResourceBlock
from bespeak.inventory.calendars import imports as calendars
from bespeak.inventory.calendars.blocks import BlockTarget, read_entry_blocks
from bespeak.inventory.calendars.feed import Busy, write_calendar
from bespeak.inventory.calendars.imports import CalendarImport
from bespeak.inventory.plans import Availability, AvailabilityQuery, SaleContext
from bespeak.inventory.resource_batches import create_many
from bespeak.inventory.resource_checks import check_published
from bespeak.inventory.resources import (
    NewResource,
    ReadyResource,
    Resource,
    ResourceChange,
    ResourcePage,
)
from bespeak.inventory.snapshot import Snapshot, read_snapshot
from bespeak.postgres.pool import Connection
from bespeak.reservations.calendars import read_busy
from bespeak.reservations.changes import REASON_LENGTH_MAX
from bespeak.reservations.engine_parts import EngineParts
from bespeak.reservations.judgement import resource_in, sale_context
from bespeak.reservations.memory import Unit
from bespeak.reservations.request import KEY_LENGTH_MAX, check_text

AvailabilityForm = TypeVar("AvailabilityForm", bound=Availability)
_BLOCK_ATTEMPTS_MAX = 5
TOGETHER_MAX = 500
"""The most resources that are blocked together."""
_TOGETHER_LINES_MAX = 10_000


class InventoryVerbs:
    """The verbs of resources, of what is taken of them, of blocks and calendars; and what a process
    knows of all that. The base of Reservations."""

    published_only: bool = False
    """Whether a resource that is not published is not found."""

    def __init__(self, parts: EngineParts) -> None:
        self.parts = parts
        self.database = parts.database
        self.reads = parts.reads
        self.settings = parts.settings
        self.clock = parts.clock
        self.memory = parts.memory
        self.ready_resources = parts.ready_resources
        self.snapshots = parts.snapshots
        self._demands = parts.demands

    @checked
    async def create_resource(
        self,
        new: NewResource,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Resource:
        """Creates a resource, in a `workspace` that there is (None: the default one). Raises
        InvalidRequest, IdempotencyKeyReused."""
        _check_key(idempotency_key)
        async with self.database.borrow_to_write(connection) as used:
            return await resources.create(used, new, idempotency_key, workspace)

    @checked
    async def create_resources(
        self,
        news: list[NewResource],
        *,
        workspace: str | None = None,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> list[Resource]:
        """Creates many resources in one transaction, as imports do, in a `workspace` that there is
        (None: the default one). Raises InvalidRequest."""
        async with self.database.borrow_to_write(connection) as used:
            return await create_many(used, news, workspace)

    @checked
    async def get_resource(
        self,
        resource_id: str,
        *,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Resource:
        """Reads a resource. Raises ResourceNotFound."""
        found = await self.reads.run(lambda used: resources.get(used, resource_id), connection)
        if self.published_only:
            check_published(found)
        return found

    @checked
    async def list_resources(
        self,
        *,
        after: str | None = None,
        limit: int = 100,
        kind: str | None = None,
        workspace: str | None = None,
        timeout: float | None = None,
    ) -> ResourcePage:
        """A page of resources, of a `workspace` or of all. Raises InvalidCursor."""
        check_limit(limit)
        return await self.reads.run(
            lambda used: resources.list_page(
                used,
                after,
                limit,
                kind,
                published_only=self.published_only,
                workspace=workspace,
            )
        )

    @checked
    async def update_resource(
        self,
        resource_id: str,
        change: ResourceChange,
        *,
        connection: Connection | None = None,
        timeout: float | None = None,
    ) -> Resource:
        """Changes a resource. Raises ResourceNotFound, VersionMismatch, ResourceInUse,
        PaymentRuleNeeded, and ResourceNotReady where it is to be published and guests could not
        buy of it."""
        async with self.database.borrow_to_write(connection) as used:
            changed = await resource_changes.update(
                used, resource_id, change, takes_payments=self.settings.takes_payments
            )
        self.ready_resources.forget(ids.parse_resource(resource_id))
        self.snapshots.forget(ids.parse_resource(resource_id))
        return changed

    def _forget(self, units: Iterable[Unit]) -> None:
        freed = list(units)
        self.memory.forget(freed)
        self.snapshots.mark_free(freed)

    @overload
    async def availability(
        self, resource_id: str, query: AvailabilityQuery | None = None
    ) -> Availability: ...

    @overload
    async def availability(
        self,
        resource_id: str,
        query: AvailabilityQuery | None = None,
        *,
        form: type[AvailabilityForm],
    ) -> AvailabilityForm: ...

    @checked
    async def availability(
        self,
        resource_id: str,
        query: AvailabilityQuery | None = None,
        *,
        form: type[Availability] = Availability,
        timeout: float | None = None,
    ) -> Availability:
        """What of a resource is free, at what price, and why the rest is not; each plan answers in
        its own form, as NightsAvailability. `form` is the one that the caller counts on: of a
        resource with another plan it is refused. Raises ResourceNotFound, InvalidRequest for a
        range that makes no sense, or for another plan's `form`."""
        number = ids.parse_resource(resource_id)
        query = query or AvailabilityQuery()
        ready, sale, snapshot = await self._look(number, query)
        if snapshot.resource_version != ready.resource.version:
            self.ready_resources.forget(number)
            # From the primary: a replica may not have the plan yet that is known here.
            ready, sale, snapshot = await self._look(number, query, on_primary=True)
        now = datetime.fromtimestamp(snapshot.now, UTC)
        answer = ready.plan.availability(query, snapshot, sale._replace(now=now))
        if not isinstance(answer, form):
            told = type(answer).__name__
            raise InvalidRequest(f"this plan's availability is a {told}", field="form", form=told)
        return answer

    async def _look(
        self, number: int, query: AvailabilityQuery, *, on_primary: bool = False
    ) -> tuple[ReadyResource, SaleContext, Snapshot]:
        known = await self.ready_resources.get_many([number], None)
        ready = resource_in(known, number, published_only=self.published_only)
        demands = await self._demands.of([ready], None)
        sale = sale_context(ready, self.clock.now(), demands.get(number))
        units = ready.plan.availability_units(query, sale)
        run = self.reads.run_on_primary if on_primary else self.reads.run
        return ready, sale, await run(lambda used: read_snapshot(used, number, units))

    @checked
    async def block(
        self,
        resource_id: str,
        lines: Sequence[BlockLine],
        *,
        reason: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
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

    @checked
    async def block_together(
        self,
        resources: Sequence[ResourceBlock],
        *,
        reason: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> list[Block]:
        """Takes units of up to 500 resources out of sale, all of them or nothing: a block of each,
        in the order in which they are said. Raises UnitTaken, SoldOut, UnknownUnit, DuplicateLine,
        ResourceNotFound, InvalidRequest."""
        check_text(reason, "reason", REASON_LENGTH_MAX)
        _check_key(idempotency_key)
        by_number = {ids.parse_resource(one.resource_id): one for one in resources}
        _check_together(resources, by_number)
        numbers = sorted(by_number)
        beside = [ids.show_resource(number) for number in numbers]
        async with self.database.borrow() as connection:
            attempts = 0
            while True:
                try:
                    async with connection.transaction():
                        # Before all other locks, and in this order, as holds of several take them.
                        await blocks.keep_plans(connection, numbers)
                        made: dict[int, Block] = {}
                        for number in numbers:
                            one = by_number[number]
                            ready = await self._read_resource(connection, one.resource_id)
                            sale = sale_context(ready, self.clock.now())
                            said = (one.lines, reason, idempotency_key)
                            made[number] = await blocks.block(
                                connection, ready, sale, *said, beside=beside
                            )
                        return [made[number] for number in by_number]
                except PlanChanged:
                    attempts += 1
                    if attempts == _BLOCK_ATTEMPTS_MAX:
                        raise

    @checked
    async def unblock(
        self,
        block_id: str,
        *,
        lines: Sequence[BlockLine] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
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

    @checked
    async def list_blocks(
        self,
        resource_id: str,
        *,
        after: str | None = None,
        limit: int = 100,
        timeout: float | None = None,
    ) -> BlockPage:
        """A page of the blocks of a resource that still stand."""
        check_limit(limit)

        async def read(used: Connection) -> BlockPage:
            ready = await self._read_resource(used, resource_id)
            return await blocks.list_page(used, ready, after, limit)

        return await self.reads.run(read)

    @checked
    async def import_calendar(
        self,
        resource_id: str,
        content: bytes,
        *,
        name: str,
        unit: str | None = None,
        quantity: int | None = None,
        timeout: float | None = None,
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

    @checked
    async def export_calendar(
        self,
        resource_id: str,
        *,
        details: bool = False,
        without: Sequence[str] = (),
        timeout: float | None = None,
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

    @checked
    async def audit(self, resource_id: str, *, timeout: float | None = None) -> Audit:
        """Recounts a resource from its holds and bookings. Raises ResourceNotFound."""
        async with self.database.borrow() as connection:
            return await audit.audit(connection, await self._read_resource(connection, resource_id))

    async def _read_resource(self, connection: Connection, resource_id: str) -> ReadyResource:
        found = await resources.get_many(connection, [ids.parse_resource(resource_id)])
        if not found:
            raise ResourceNotFound(resource_id=resource_id)
        if self.published_only:
            check_published(found[0])
        return resources.ready_resource(found[0])


def _check_key(key: str | None) -> None:
    if key is not None:
        check_text(key, "idempotency_key", KEY_LENGTH_MAX)


def _check_together(
    wanted: Sequence[ResourceBlock], by_number: Mapping[int, ResourceBlock]
) -> None:
    if not 1 <= len(wanted) <= TOGETHER_MAX:
        told = f"{len(wanted)} resources; 1 to {TOGETHER_MAX} are blocked together"
        raise InvalidRequest(told, field="resources")
    if len(by_number) < len(wanted):
        raise InvalidRequest("each resource is said once, with all its lines", field="resources")
    if sum(len(one.lines) for one in wanted) > _TOGETHER_LINES_MAX:
        told = f"more than {_TOGETHER_LINES_MAX:,} lines in all"
        raise InvalidRequest(told, field="resources")
