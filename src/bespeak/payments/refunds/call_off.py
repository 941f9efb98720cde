"""Calling a resource off: it is closed, and then all its holds are released and all its bookings
cancelled, with their refunds, batch by batch. How far it has come commits with each batch, so that
whoever goes on after a crash misses none and does none twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal, NamedTuple
from uuid import UUID

import msgspec
import structlog

from bespeak import ids
from bespeak.actors import acting
from bespeak.background import PAUSE_SECONDS_MAX
from bespeak.errors import IdempotencyKeyReused, InvalidRequest, ResourceNotFound
from bespeak.inventory.errors import ResourceCalledOff
from bespeak.inventory.fingerprints import differing_fields, fingerprint
from bespeak.inventory.resource_changes import lock_plan
from bespeak.inventory.resources import ReadyResource
from bespeak.payments.errors import CallingOffRuns, NotCalledOff
from bespeak.payments.refunds.owed import due_of, left_of
from bespeak.postgres.queries import load
from bespeak.reservations.changes import (
    REASON_LENGTH_MAX,
    ChangeRequestRow,
    GivenBack,
    cancel_request,
)
from bespeak.reservations.holds import booking_of
from bespeak.reservations.parts import NO_PART, part_of_resource
from bespeak.reservations.ready_resources import ResourceCache
from bespeak.reservations.request import KEY_LENGTH_MAX, check_text
from bespeak.settings import Settings
from bespeak.states import BookingState, HoldState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record

_QUERIES = load("bespeak.payments.refunds", "call_off.sql")
_FIELDS = ("reason", "refund")
_BATCH = 500
_CLAIMS, _DRAWS = "claims", "draws"
_FIRST = ("", UUID(int=0))
_log = structlog.get_logger()


class RefundTally(msgspec.Struct, frozen=True):
    """Of refunds, how many (or how much, in minor units) are in each state."""

    pending: int
    refunded: int
    failed: int


class CalledOff(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far the calling off of a resource has come. `done` means that nothing of it is held or
    booked any more; refunds may still be pending. `amounts` are minor units of the
    currency. `replayed` says that this answers a repeated request."""

    resource_id: str
    state: Literal["running", "done"]
    reason: str
    refund: Literal["full", "policy"]
    bookings_total: int
    bookings_done: int
    holds_released: int
    refunds: RefundTally
    amounts: RefundTally
    currency: str
    begun_at: datetime
    ended_at: datetime | None
    replayed: bool = False


class CallingOff:
    """Begins to call resources off, and tells how far it has come."""

    def __init__(
        self, database: Database, ready_resources: ResourceCache, settings: Settings
    ) -> None:
        self._database = database
        self._ready_resources = ready_resources
        self._settings = settings

    async def begin(
        self, resource_id: str, *, reason: str, refund: Literal["full", "policy"], key: str | None
    ) -> CalledOff:
        """Closes a resource and has all of it cancelled. Raises ResourceNotFound,
        ResourceCalledOff, IdempotencyKeyReused, PlanChanged where a long transaction that places
        holds is in the way."""
        number = ids.parse_resource(resource_id)
        check_text(reason, "reason", REASON_LENGTH_MAX)
        if refund not in ("full", "policy"):
            raise InvalidRequest("refund is full or policy", field="refund")
        if key is not None:
            check_text(key, "idempotency_key", KEY_LENGTH_MAX)
        contents = fingerprint((reason, refund))
        async with self._database.borrow() as connection:
            async with connection.transaction():
                await lock_plan(connection, number)
                row = await connection.fetchrow(
                    _QUERIES["call_off"], number, reason, refund, key, contents, acting()
                )
            self._ready_resources.forget(number)
            match row["outcome"] if row is not None else "not_found":
                case "not_found":
                    raise ResourceNotFound(resource_id=resource_id)
                case "called_off":
                    raise ResourceCalledOff
                case "key_reused" if row is not None:
                    stored = row["cancellation"]["fingerprint"]
                    raise IdempotencyKeyReused(fields=differing_fields(_FIELDS, contents, stored))
            told = await _progress(connection, resource_id)
        is_replayed = row is not None and row["outcome"] == "replayed"
        return msgspec.structs.replace(told, replayed=is_replayed)

    async def reopen(self, resource_id: str) -> None:
        """Opens a resource again that was called off; what was cancelled stays so. Raises
        NotCalledOff, CallingOffRuns."""
        number = ids.parse_resource(resource_id)
        async with self._database.borrow() as connection, connection.transaction():
            match await connection.fetchval(_QUERIES["reopen"], number, acting()):
                case "running":
                    raise CallingOffRuns
                case "not_called_off":
                    raise NotCalledOff(resource_id=resource_id)
        self._ready_resources.forget(number)

    async def progress(self, resource_id: str) -> CalledOff:
        """How far it has come. Raises NotCalledOff."""
        async with self._database.borrow() as connection:
            return await _progress(connection, resource_id)


class _Batch(NamedTuple):
    """What is to be done of a batch: requests to cancel, holds to release, holds that lapsed."""

    cancel: list[ChangeRequestRow]
    release: list[UUID]
    expire: list[UUID]


class _Reach(NamedTuple):
    """Where the next batch begins; without a phase there is none."""

    phase: str | None
    unit: str | None
    hold: UUID | None


class CallOffWorker:
    """Goes through the resources that are called off, a batch in each transaction."""

    name = "calling_off"

    def __init__(
        self,
        database: Database,
        ready_resources: ResourceCache,
        settings: Settings,
        batch: int = _BATCH,
    ) -> None:
        self._database = database
        self._ready_resources = ready_resources
        self._batch = batch

    async def look(self) -> float:
        """Does all batches that there are; answers the seconds until the next look."""
        while await self.step():
            pass
        return PAUSE_SECONDS_MAX

    async def step(self) -> bool:
        """Does one batch, in one transaction; whether there was one."""
        async with self._database.borrow() as connection, connection.transaction():
            row = await connection.fetchrow(_QUERIES["next_running"])
            if row is None:
                return False
            keys = await connection.fetch(
                _QUERIES["claims_after" if row["phase"] == _CLAIMS else "draws_after"],
                row["resource_id"],
                row["after_unit"],
                self._batch,
                *(() if row["phase"] == _CLAIMS else (row["after_hold"],)),
            )
            batch = await self._prepare(connection, row, keys)
            failed = await connection.fetch(
                _QUERIES["finish_batch"],
                row["resource_id"],
                batch.cancel,
                [ids.home_of(hold) for hold in batch.release],
                batch.release,
                [ids.home_of(hold) for hold in batch.expire],
                batch.expire,
                *self._reach(row["phase"], keys),
            )
        for one in failed:
            _log.error(
                "not called off",
                booking=ids.show(ids.BOOKING, one["booking_id"]),
                outcome=one["outcome"],
            )
        return True

    def _reach(self, phase: str, keys: Sequence[Record]) -> _Reach:
        if len(keys) == self._batch:
            return _Reach(phase, keys[-1]["unit"], keys[-1]["hold_id"])
        return _Reach(_DRAWS, *_FIRST) if phase == _CLAIMS else _Reach(None, None, None)

    async def _prepare(
        self, connection: Connection, cancellation: Record, keys: Sequence[Record]
    ) -> _Batch:
        """Locks the holders of claims and draws and says what is to be done with each."""
        holders = sorted({key["hold_id"] for key in keys if not ids.is_block(key["hold_id"])})
        batch = _Batch([], [], [])
        rows = await connection.fetch(
            _QUERIES["lock"], [ids.home_of(hold) for hold in holders], holders
        )
        ready_resources = await self._resources_of(connection, rows)
        for row in rows:
            if row["hold"]["state"] == HoldState.HELD:
                (batch.expire if row["lapsed"] else batch.release).append(row["hold"]["hold_id"])
            elif row["booking"] is not None and row["booking"]["state"] == BookingState.CONFIRMED:
                request = _request(cancellation, row, ready_resources)
                if request is not None:
                    batch.cancel.append(request)
        return batch

    async def _resources_of(
        self, connection: Connection, rows: Sequence[Record]
    ) -> Mapping[int, ReadyResource]:
        numbers = {number for row in rows for number in row["hold"]["resources"]}
        found = await connection.fetch(_QUERIES["versions"], list(numbers))
        versions = {row["resource_id"]: row["version"] for row in found}
        return await self._ready_resources.at_least(versions, connection)


def _request(
    cancellation: Record, row: Record, ready_resources: Mapping[int, ReadyResource]
) -> ChangeRequestRow | None:
    """The cancellation of what a booking has of the resource; None where it has nothing."""
    number: int = cancellation["resource_id"]
    hold = row["hold"]
    is_whole = set(hold["resources"]) == {number}
    part = NO_PART if is_whole else part_of_resource(hold, row["booking"], number)
    if part is None:
        return None
    given = None
    if row["payment"] is not None:
        booking = booking_of(hold, row["booking"])
        parts = left_of(booking, None if is_whole else ids.show_resource(number))
        in_full = cancellation["refund"] == "full"
        due = due_of(row, booking, parts, ready_resources, in_full=in_full)
        given = GivenBack(due.amount, row["booking"]["cancelled"], number)
    request = cancel_request(hold["hold_id"], cancellation["reason"], part, given)
    return request._replace(actor=cancellation["begun_by"])


async def _progress(connection: Connection, resource_id: str) -> CalledOff:
    row = await connection.fetchrow(_QUERIES["progress"], ids.parse_resource(resource_id))
    if row is None:
        raise NotCalledOff(resource_id=resource_id)
    told = row["cancellation"]
    return CalledOff(
        resource_id=resource_id,
        state=told["state"],
        reason=told["reason"],
        refund=told["refund"],
        bookings_total=told["bookings_total"],
        bookings_done=told["bookings_done"],
        holds_released=told["holds_released"],
        refunds=RefundTally(row["pending"], row["refunded"], row["failed"]),
        amounts=RefundTally(row["pending_amount"], row["refunded_amount"], row["failed_amount"]),
        currency=row["currency"],
        begun_at=told["begun_at"],
        ended_at=told["ended_at"],
    )
