"""Invitations: batches of codes that let people into a queue of a waiting room. A code is looked
up only once its signature is good; who has joined with it is kept, so that entering it again gives
the very same place, also after its end.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import datetime
from io import StringIO
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec
from msgspec import Meta

from bespeak.admission.errors import (
    InviteCodeExpired,
    InviteCodeRevoked,
    InviteCodeUnknown,
    InviteCodeUsedUp,
    WaitingRoomClosed,
)
from bespeak.admission.forms import QueueName
from bespeak.admission.invite_codes import BATCHES_MAX, CODES_MAX, InviteCode, InviteCodes
from bespeak.admission.rooms import lock_room, read_room
from bespeak.errors import InvalidRequest
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.admission", "invites.sql")
PERSONS_MAX = 1000
_CHUNK = 1000


class NewInviteBatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So many codes for a queue, each for so many persons; without `until` as long as the queue is
    open."""

    queue: QueueName
    name: Annotated[str, Meta(min_length=1, max_length=60, description="for whom the codes are")]
    codes: Annotated[int, Meta(ge=1, le=CODES_MAX)]
    persons: Annotated[int, Meta(ge=1, le=PERSONS_MAX)] = 1
    until: datetime | None = None


class InviteBatch(msgspec.Struct, frozen=True, kw_only=True):
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


async def make_batch(
    connection: Connection, room_id: str, new: NewInviteBatch, workspace: str | None
) -> InviteBatch:
    """Makes a batch of codes. Raises WaitingRoomNotFound, WaitingRoomClosed, InvalidRequest."""
    if new.until is not None and new.until.tzinfo is None:
        raise InvalidRequest("a time has an offset, as in 2026-11-24T09:00:00Z", field="until")
    async with connection.transaction():
        room = await lock_room(connection, room_id, workspace)
        if room.state == "ended":
            raise WaitingRoomClosed("the waiting room has ended")
        if all(one.name != new.queue for one in room.queues):
            raise InvalidRequest("the room has no such queue", field="queue")
        batch = await connection.fetchval(
            _QUERIES["make_batch"],
            *(room_id, new.queue, new.name, new.codes, new.persons, new.until, BATCHES_MAX),
        )
        if batch is None:
            raise InvalidRequest(f"a room has at most {BATCHES_MAX} batches", field="batch")
        return await _batch(connection, room_id, batch)


async def list_batches(
    connection: Connection, room_id: str, workspace: str | None
) -> list[InviteBatch]:
    """The batches of a room, in the order in which they were made: no more than BATCHES_MAX.
    Raises WaitingRoomNotFound."""
    await read_room(connection, room_id, workspace)
    rows = await connection.fetch(_QUERIES["batches"], room_id, None)
    return [InviteBatch(**row) for row in rows]


async def read_batch(
    connection: Connection, room_id: str, batch: int, workspace: str | None
) -> InviteBatch:
    """A batch of codes. Raises WaitingRoomNotFound, InvalidRequest."""
    await read_room(connection, room_id, workspace)
    return await _batch(connection, room_id, batch)


async def revoke_batch(
    connection: Connection, room_id: str, batch: int, workspace: str | None
) -> InviteBatch:
    """From now on nobody else joins by these codes; who has joined stays. Again, it changes
    nothing. Raises WaitingRoomNotFound, InvalidRequest."""
    before = await read_batch(connection, room_id, batch, workspace)
    await connection.fetchval(_QUERIES["revoke_batch"], room_id, before.batch)
    return await _batch(connection, room_id, batch)


async def read_code(
    connection: Connection, room_id: str, code: InviteCode, workspace: str | None
) -> InviteState:
    """How a code stands. Raises WaitingRoomNotFound, InviteCodeUnknown."""
    await read_room(connection, room_id, workspace)
    row = await _code(connection, room_id, code)
    fields = {name: row[name] for name in InviteState.__struct_fields__[2:]}
    return InviteState(batch=code.batch, serial=code.serial, **fields)


async def revoke_code(
    connection: Connection, room_id: str, code: InviteCode, workspace: str | None
) -> InviteState:
    """From now on nobody else joins by this code; who has joined stays. Again, it changes nothing.
    Raises WaitingRoomNotFound, InviteCodeUnknown."""
    await read_code(connection, room_id, code, workspace)
    await connection.fetchval(_QUERIES["revoke_code"], room_id, *code)
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


def codes_csv(codes: InviteCodes, room_id: str, batch: InviteBatch) -> Iterator[bytes]:
    """The codes of a batch as CSV (RFC 4180), a thousand lines at a time."""
    yield b"serial,code\r\n"
    for start in range(1, batch.codes + 1, _CHUNK):
        text = StringIO()
        serials = range(start, min(start + _CHUNK, batch.codes + 1))
        csv.writer(text).writerows(
            (serial, codes.make(room_id, InviteCode(batch.batch, serial))) for serial in serials
        )
        yield text.getvalue().encode()


def _no_use(code: Record) -> InviteCodeRevoked | InviteCodeExpired | InviteCodeUsedUp:
    """Why a code lets nobody else in: none of it ever becomes untrue again."""
    if code["revoked_at"] is not None:
        return InviteCodeRevoked(revoked_at=code["revoked_at"], field="code")
    if code["is_over"]:
        return InviteCodeExpired(until=code["until"], field="code")
    return InviteCodeUsedUp(persons=code["persons"], field="code")


async def _batch(connection: Connection, room_id: str, batch: int) -> InviteBatch:
    """Raises InvalidRequest."""
    row = None
    if 1 <= batch <= BATCHES_MAX:
        row = await connection.fetchrow(_QUERIES["batches"], room_id, batch)
    if row is None:
        raise InvalidRequest("the room has no batch with this number", field="batch")
    return InviteBatch(**row)


async def _code(connection: Connection, room_id: str, code: InviteCode) -> Record:
    """Raises InviteCodeUnknown: its batch was forgotten with the room."""
    row = await connection.fetchrow(_QUERIES["code"], room_id, *code)
    if row is None:
        raise InviteCodeUnknown(field="code")
    return row


async def _used_by(
    connection: Connection, room_id: str, code: InviteCode, subject: bytes
) -> InvitedJoin | None:
    row = await connection.fetchrow(_QUERIES["used_by"], room_id, *code, subject)
    return None if row is None else InvitedJoin(row["queue"], row["joined_us"], is_new=False)
