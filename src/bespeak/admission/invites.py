"""Invitations: batches of codes that let people into a queue of a waiting room. A code is looked
up only once its signature is good; who has joined with it is kept, so that entering it again gives
the very same place, also after its end.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec
from msgspec import Meta

from bespeak.admission.errors import (
    InviteBatchesTooMany,
    InviteBatchNotFound,
    InviteCodeExpired,
    InviteCodeRevoked,
    InviteCodeUnknown,
    InviteCodeUsedUp,
    WaitingRoomClosed,
)
from bespeak.admission.forms import QueueName
from bespeak.admission.invite_codes import BATCHES_MAX, CODES_MAX, InviteCode
from bespeak.admission.rooms import check_known, keep_change, lock_room
from bespeak.errors import IdempotencyKeyReused, InvalidRequest
from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA
from bespeak.postgres.queries import load
from bespeak.reservations.request import KEY_LENGTH_MAX, check_text

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.admission", "invites.sql")
PERSONS_MAX = 1000


class NewInviteBatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So many codes for a queue, each for so many persons; without `until` as long as the queue is
    open."""

    queue: QueueName
    name: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=60,
            pattern=NAME_PATTERN,
            extra_json_schema={**NAME_SCHEMA, "description": "for whom the codes are"},
        ),
    ]
    codes: Annotated[int, Meta(ge=1, le=CODES_MAX)]
    persons: Annotated[int, Meta(ge=1, le=PERSONS_MAX)] = 1
    until: datetime | None = None


class InviteBatch(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A batch of codes as it stands: `used` is how many persons have joined by it."""

    batch: int
    queue: str
    name: str
    codes: int
    persons: int
    until: datetime | None
    made_at: datetime
    revoked_at: datetime | None
    used: int
    replayed: bool = False


class InviteState(msgspec.Struct, frozen=True, kw_only=True):
    """One code as it stands, for whoever is asked about it."""

    batch: int
    serial: int
    queue: str
    name: str
    persons: int
    used: int
    until: datetime | None
    revoked_at: datetime | None


class InvitedJoin(NamedTuple):
    """Which queue was joined with a code when, in microseconds since 1970; and whether it was
    now."""

    queue: int
    joined_us: int
    is_new: bool


class _MadeBatch(NewInviteBatch, frozen=True, kw_only=True):
    batch: int


class _Made(msgspec.Struct, frozen=True):
    """For the audit of the room, as the next ones: no code stands in it."""

    invite_batch_made: _MadeBatch


class _BatchRevoked(msgspec.Struct, frozen=True):
    invite_batch_revoked: int


class _CodeRevoked(msgspec.Struct, frozen=True):
    invite_code_revoked: dict[str, int]


async def make_batch(
    connection: Connection,
    room_id: str,
    new: NewInviteBatch,
    workspace: str | None,
    key: str | None = None,
) -> InviteBatch:
    """Makes a batch of codes, once for each idempotency key. Raises WaitingRoomNotFound,
    WaitingRoomClosed, InvalidRequest, InviteBatchesTooMany, IdempotencyKeyReused."""
    if new.until is not None and new.until.tzinfo is None:
        raise InvalidRequest("a time has an offset, as in 2026-11-24T09:00:00Z", field="until")
    if key is not None:
        check_text(key, "idempotency_key", KEY_LENGTH_MAX)
    kept = None if key is None else hashlib.sha256(key.encode()).digest()
    content = hashlib.sha256(msgspec.json.encode(new)).digest()
    async with connection.transaction():
        room = await lock_room(connection, room_id, workspace)
        before = await connection.fetchrow(_QUERIES["made"], room_id, kept)
        if before is not None:
            if before["content"] != content:
                raise IdempotencyKeyReused(fields=["body"])
            again = await read_batch(connection, room_id, before["batch"], workspace)
            return msgspec.structs.replace(again, replayed=True)
        if room.state == "ended":
            raise WaitingRoomClosed("the waiting room has ended")
        if all(one.name != new.queue for one in room.queues):
            raise InvalidRequest("the room has no such queue", field="queue")
        number = await connection.fetchval(
            _QUERIES["make_batch"],
            *(room_id, new.queue, new.name, new.codes, new.persons, new.until, BATCHES_MAX),
            *(kept, content),
        )
        if number is None:
            raise InviteBatchesTooMany(limit=BATCHES_MAX)
        said = _MadeBatch(batch=number, **msgspec.structs.asdict(new))
        await keep_change(connection, room_id, _Made(said))
        return await read_batch(connection, room_id, number, workspace)


async def list_batches(
    connection: Connection, room_id: str, workspace: str | None
) -> list[InviteBatch]:
    """The batches of a room, in the order in which they were made: no more than BATCHES_MAX.
    Raises WaitingRoomNotFound."""
    await check_known(connection, room_id, workspace)
    rows = await connection.fetch(_QUERIES["batches"], room_id, None)
    return [InviteBatch(**row) for row in rows]


async def read_batch(
    connection: Connection, room_id: str, batch: int, workspace: str | None
) -> InviteBatch:
    """A batch of codes. Raises WaitingRoomNotFound, InviteBatchNotFound."""
    await check_known(connection, room_id, workspace)
    row = None
    if 1 <= batch <= BATCHES_MAX:
        row = await connection.fetchrow(_QUERIES["batches"], room_id, batch)
    if row is None:
        raise InviteBatchNotFound(batch=batch)
    return InviteBatch(**row)


async def revoke_batch(
    connection: Connection, room_id: str, batch: int, workspace: str | None
) -> InviteBatch:
    """From now on nobody else joins by these codes; who has joined stays. Again, it changes
    nothing. Raises WaitingRoomNotFound, InviteBatchNotFound."""
    async with connection.transaction():
        await read_batch(connection, room_id, batch, workspace)
        revoked = await connection.fetchval(_QUERIES["revoke_batch"], room_id, batch)
        if revoked is not None:
            await keep_change(connection, room_id, _BatchRevoked(batch))
        return await read_batch(connection, room_id, batch, workspace)


async def read_code(
    connection: Connection, room_id: str, code: InviteCode, workspace: str | None
) -> InviteState:
    """How a code stands. Raises WaitingRoomNotFound, InviteCodeUnknown."""
    await check_known(connection, room_id, workspace)
    row = await _code(connection, room_id, code)
    fields = {name: row[name] for name in InviteState.__struct_fields__[2:]}
    return InviteState(batch=code.batch, serial=code.serial, **fields)


async def revoke_code(
    connection: Connection, room_id: str, code: InviteCode, workspace: str | None
) -> InviteState:
    """From now on nobody else joins by this code; who has joined stays. Again, it changes nothing.
    Raises WaitingRoomNotFound, InviteCodeUnknown."""
    async with connection.transaction():
        await read_code(connection, room_id, code, workspace)
        revoked = await connection.fetchval(_QUERIES["revoke_code"], room_id, *code)
        if revoked is not None:
            await keep_change(connection, room_id, _CodeRevoked(code._asdict()))
        return await read_code(connection, room_id, code, workspace)


async def use_code(
    connection: Connection, room_id: str, code: InviteCode, subject: bytes, joined_us: int
) -> InvitedJoin:
    """Joins with a code, now (`joined_us`); or as before, who has joined with it already. Raises
    InviteCodeUnknown, InviteCodeRevoked, InviteCodeExpired, InviteCodeUsedUp."""
    before = await _used_by(connection, room_id, code, subject)
    if before is not None:
        return before
    transaction = connection.transaction()
    await transaction.start()
    try:
        queue = await connection.fetchval(_QUERIES["use"], room_id, *code, subject, joined_us)
    except BaseException:
        await transaction.rollback()
        raise
    if queue is not None:
        await transaction.commit()
        return InvitedJoin(queue, joined_us, is_new=True)
    await transaction.rollback()  # a use that was noted, of a code that lets in nobody else
    before = await _used_by(connection, room_id, code, subject)
    if before is not None:
        return before
    raise _no_use(await _code(connection, room_id, code))


def _no_use(code: Record) -> InviteCodeRevoked | InviteCodeExpired | InviteCodeUsedUp:
    """Why a code lets nobody else in: none of it ever becomes untrue again."""
    if code["revoked_at"] is not None:
        return InviteCodeRevoked(revoked_at=code["revoked_at"], field="code")
    if code["is_over"]:
        return InviteCodeExpired(until=code["until"], field="code")
    return InviteCodeUsedUp(persons=code["persons"], field="code")


async def _code(connection: Connection, room_id: str, code: InviteCode) -> Record:
    """Raises InviteCodeUnknown: its batch was forgotten with the room."""
    row = await connection.fetchrow(_QUERIES["code"], room_id, *code)
    if row is None:
        raise InviteCodeUnknown(field="code")
    return row


async def _used_by(
    connection: Connection, room_id: str, code: InviteCode, subject: bytes
) -> InvitedJoin | None:
    """Raises InviteCodeUsedUp: the place was given up, and a code is one turn."""
    row = await connection.fetchrow(_QUERIES["used_by"], room_id, *code, subject)
    if row is not None and row["has_left"]:
        raise InviteCodeUsedUp(
            "this code was used for a place that was given up",
            persons=(await _code(connection, room_id, code))["persons"],
            field="code",
        )
    return None if row is None else InvitedJoin(row["queue"], row["joined_us"], is_new=False)
