"""The engine: every verb of the library, on the process's own connections, or on the caller's
(`connection=`), where it is part of the caller's transaction and commits or vanishes with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bespeak import ids
from bespeak.clock import DatabaseClock
from bespeak.errors import ResourceNotFound
from bespeak.inventory import audit, availability, blocks, resources
from bespeak.inventory.audit import Audit
from bespeak.inventory.availability import Availability
from bespeak.inventory.blocks import Block, BlockLine, BlockPage
from bespeak.inventory.resources import NewResource, Page, Resource, ResourceChange, Stock
from bespeak.postgres.pool import borrow
from bespeak.reservations.changing import REASON_LENGTH_MAX, Changer
from bespeak.reservations.committer import Committer
from bespeak.reservations.holds import Booking, Hold
from bespeak.reservations.judge import KEY_LENGTH_MAX, Asked, check_text
from bespeak.reservations.lines import Line, check_line
from bespeak.reservations.memory import TakenMemory
from bespeak.reservations.placing import Placer
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Pool


class Engine:
    """Holds, confirms, extends, releases, cancels; and the resources that this is done to.

    Where a verb takes `owner`, naming one asserts that the hold or booking is theirs (else
    NotOwner); None is a trusted caller. Every verb may be repeated with its `idempotency_key`.
    """

    def __init__(self, pool: Pool, committer: Committer, settings: Settings) -> None:
        self.pool = pool
        self.committer = committer
        self.settings = settings
        self.clock = DatabaseClock()
        self.memory = TakenMemory(settings.known_taken_seconds, settings.known_taken_max)
        self._placer = Placer(pool, committer, self.memory, self.clock, settings)
        self._changer = Changer(pool, committer, self.memory, self.clock, settings)

    async def place_hold(
        self,
        *,
        owner: str,
        lines: Sequence[Line],
        hold_seconds: int | None = None,
        idempotency_key: str | None = None,
        connection: Connection | None = None,
    ) -> Hold:
        """Places a hold on all the lines, or on none.

        Raises UnitTaken, SoldOut, OwnerLimitReached; UnknownUnit, DuplicateLine, InvalidRequest,
        HoldTimeBeyondCap, CurrenciesDiffer; ResourceNotFound, ResourceClosed, ResourceNotOpen,
        PlanChanged; IdempotencyKeyReused; Overloaded, ShuttingDown, DatabaseUnavailable.
        """
        for line in lines:
            check_line(line)
        return await self._placer.place(
            Asked(owner, lines, hold_seconds, idempotency_key), connection
        )

    async def confirm_hold(
        self,
        hold_id: str,
        *,
        owner: str | None = None,
        idempotency_key: str | None = None,
        connection: Connection | None = None,
    ) -> Booking:
        """Makes a booking of a hold.

        Raises HoldNotFound, NotOwner, HoldExpired, HoldReleased, HoldConfirmed, PaymentRequired,
        IdempotencyKeyReused, and what says that the service is away.
        """
        return await self._changer.confirm(hold_id, owner, idempotency_key, connection)

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

    async def create_resource(
        self, new: NewResource, *, idempotency_key: str | None = None
    ) -> Resource:
        """Creates a resource. Raises InvalidRequest, IdempotencyKeyReused."""
        _check_key(idempotency_key)
        async with borrow(self.pool, self.settings.database_wait_seconds) as connection:
            return await resources.create(connection, new, idempotency_key)

    async def create_resources(self, news: list[NewResource]) -> list[Resource]:
        """Creates many resources in one transaction, as imports do."""
        async with borrow(self.pool, self.settings.database_wait_seconds) as connection:
            return await resources.create_many(connection, news)

    async def get_resource(self, resource_id: str) -> Resource:
        """Reads a resource. Raises ResourceNotFound."""
        async with borrow(self.pool, self.settings.database_wait_seconds) as connection:
            return await resources.get(connection, resource_id)

    async def list_resources(
        self, *, after: str | None = None, limit: int = 100, kind: str | None = None
    ) -> Page:
        """A page of resources. Raises InvalidCursor."""
        async with borrow(self.pool, self.settings.database_wait_seconds) as connection:
            return await resources.list_page(connection, after, limit, kind)

    async def update_resource(self, resource_id: str, change: ResourceChange) -> Resource:
        """Changes a resource. Raises ResourceNotFound, VersionMismatch, ResourceInUse."""
        async with borrow(self.pool, self.settings.database_wait_seconds) as connection:
            changed = await resources.update(connection, resource_id, change)
        self._placer.forget_stock(ids.parse_resource(resource_id))
        return changed

    async def availability(self, resource_id: str) -> Availability:
        """What of a resource is taken now. Raises ResourceNotFound."""
        async with borrow(self.pool, self.settings.database_wait_seconds) as connection:
            stock = await self._fresh_stock(connection, resource_id)
            return await availability.availability(connection, stock)

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
        async with borrow(self.pool, self.settings.database_wait_seconds) as connection:
            stock = await self._fresh_stock(connection, resource_id)
            return await blocks.block(connection, stock, lines, reason, idempotency_key)

    async def unblock(
        self,
        block_id: str,
        *,
        lines: Sequence[BlockLine] | None = None,
        idempotency_key: str | None = None,
    ) -> Block:
        """Puts a block's units back on sale. Raises BlockNotFound, NotBlocked."""
        _check_key(idempotency_key)
        async with borrow(self.pool, self.settings.database_wait_seconds) as connection:
            lifted = await blocks.unblock(connection, block_id, lines, idempotency_key)
        self.memory.forget(
            [(ids.parse_resource(lifted.resource_id), line.unit) for line in lines or lifted.lines]
        )
        return lifted

    async def list_blocks(
        self, resource_id: str, *, after: str | None = None, limit: int = 100
    ) -> BlockPage:
        """A page of the blocks of a resource that still stand."""
        async with borrow(self.pool, self.settings.database_wait_seconds) as connection:
            stock = await self._fresh_stock(connection, resource_id)
            return await blocks.list_page(connection, stock, after, limit)

    async def audit(self, resource_id: str) -> Audit:
        """Recounts a resource from its holds and bookings. Raises ResourceNotFound."""
        async with borrow(self.pool, self.settings.database_wait_seconds) as connection:
            return await audit.audit(connection, await self._fresh_stock(connection, resource_id))

    async def _fresh_stock(self, connection: Connection, resource_id: str) -> Stock:
        found = await resources.get_many(connection, [ids.parse_resource(resource_id)])
        if not found:
            raise ResourceNotFound(resource_id=resource_id)
        return resources.stock_of(found[0])


def _check_key(key: str | None) -> None:
    if key is not None:
        check_text(key, "idempotency_key", KEY_LENGTH_MAX)
