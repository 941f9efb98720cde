"""Waiting rooms: made, changed, opened, paused and ended by operators. Every change of state is
one guarded statement; a change names the version that it was made for, so that nobody's is lost.
"""

from __future__ import annotations

import re
import secrets
from datetime import datetime
from typing import TYPE_CHECKING

import asyncpg
import msgspec
from msgspec import UNSET, UnsetType

from bespeak import ids
from bespeak.actors import acting
from bespeak.admission.errors import (
    EarlyOrderStands,
    OpeningsTakenBack,
    PublicValueStands,
    ResourceInWaitingRoom,
    WaitingRoomNotFound,
    WaitingRoomOpened,
    WaitingRoomPassesGiven,
)
from bespeak.admission.forms import (
    TAKEN_BACK,
    TAKEN_BACK_MAX,
    ChangeWaitingRoom,
    NewQueue,
    NewWaitingRoom,
    RoomAlarm,
    RoomState,
    WaitingRoom,
)
from bespeak.admission.place_keys import seed_hash
from bespeak.errors import InvalidRequest, ResourceNotFound, VersionMismatch
from bespeak.inventory.workspaces import DEFAULT
from bespeak.list_cursors import read_cursor, show_cursor
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.admission", "rooms.sql")
_READ_APART = ("id", "resources", "queues", "alarms", "taken_back", "seed_hash", "seed")
_ID_DIGITS = 12
_SEED_BYTES = 32
ROOM = "wrm"
_ID = re.compile(rf"{ROOM}_[{ids.ALPHABET}]{{{_ID_DIGITS}}}")
LISTED_MAX = 100
_QUEUES: msgspec.json.Decoder[tuple[NewQueue, ...]] = msgspec.json.Decoder(tuple[NewQueue, ...])
_ALARMS: msgspec.json.Decoder[tuple[RoomAlarm, ...]] = msgspec.json.Decoder(tuple[RoomAlarm, ...])
_STEPS: dict[tuple[RoomState, RoomState], str] = {
    ("scheduled", "open"): "open",
    ("paused", "open"): "resume",
    ("open", "paused"): "pause",
    ("scheduled", "ended"): "finish",
    ("open", "ended"): "finish",
    ("paused", "ended"): "finish",
}


_SETTINGS = [
    name
    for name in ChangeWaitingRoom.__struct_fields__
    if name not in ("version", "state", "resources")
]


class WaitingRoomPage(msgspec.Struct, frozen=True):
    """A page of waiting rooms; `next` is the cursor of the one after, null at the end."""

    items: list[WaitingRoom]
    next: str | None


async def make_room(
    connection: Connection, new: NewWaitingRoom, workspace: str | None
) -> WaitingRoom:
    """Makes a waiting room in a workspace (None: the default one). Raises InvalidRequest,
    InvalidId, ResourceNotFound, ResourceInWaitingRoom."""
    numbers = sorted({ids.parse_resource(one) for one in new.resources})
    _check(new)
    room_id = f"{ROOM}_{ids.random_digits(_ID_DIGITS)}"
    try:
        async with connection.transaction():
            await connection.execute(_QUERIES["leave_ended"], numbers)
            made = await connection.fetchval(
                _QUERIES["make"],
                *(room_id, workspace or DEFAULT, new.name, new.early_order),
                *(new.early_opens_at, new.opens_at, new.pace, new.a_minute, new.inside_max),
                *(new.pass_seconds, new.grace_seconds, new.units_max, new.message),
                *(secrets.token_bytes(_SEED_BYTES), new.public_value, numbers),
                *([one.name for one in new.queues], [one.share for one in new.queues]),
                *([one.invited for one in new.queues], new.challenge),
            )
            if made is not None:
                await keep_change(connection, room_id, new)
    except asyncpg.UniqueViolationError as error:
        raise await _behind_others(connection, numbers, room_id) from error
    if made is None:
        raise await _not_found(connection, numbers, workspace or DEFAULT)
    return await read_room(connection, room_id, workspace)


async def read_room(connection: Connection, room_id: str, workspace: str | None) -> WaitingRoom:
    """A waiting room. Raises WaitingRoomNotFound."""
    row = None
    if _ID.fullmatch(room_id):
        row = await connection.fetchrow(_QUERIES["read"], workspace, room_id, None, None, 1)
    if row is None:
        raise WaitingRoomNotFound(waiting_room_id=room_id[:40])
    return _room_of(row)


async def check_known(connection: Connection, room_id: str, workspace: str | None) -> None:
    """That there is such a room, without what happened in it. Raises WaitingRoomNotFound."""
    known = None
    if _ID.fullmatch(room_id):
        known = await connection.fetchval(_QUERIES["is_known"], room_id, workspace)
    if known is None:
        raise WaitingRoomNotFound(waiting_room_id=room_id[:40])


async def lock_room(connection: Connection, room_id: str, workspace: str | None) -> WaitingRoom:
    """A waiting room, which stays so until the end of the transaction. Raises
    WaitingRoomNotFound."""
    if _ID.fullmatch(room_id):
        await connection.fetchrow(_QUERIES["lock"], room_id)
    return await read_room(connection, room_id, workspace)


async def list_rooms(
    connection: Connection, workspace: str | None, after: str | None, limit: int
) -> WaitingRoomPage:
    """A page of waiting rooms, the newest first. Raises InvalidCursor."""
    behind = read_cursor(after, tuple[datetime, str])
    rows = await connection.fetch(
        _QUERIES["read"],
        *(workspace, None),
        *(behind or (None, None)),
        limit + 1,
    )
    items = [_room_of(row) for row in rows[:limit]]
    more = len(rows) > limit
    last = show_cursor(items[-1].created_at, items[-1].id) if more else None
    return WaitingRoomPage(items, last)


async def change_room(
    connection: Connection, room_id: str, change: ChangeWaitingRoom, workspace: str | None
) -> WaitingRoom:
    """Changes a waiting room, and its state last. Raises WaitingRoomNotFound, VersionMismatch,
    WaitingRoomOpened, WaitingRoomPassesGiven, PublicValueStands, EarlyOrderStands,
    OpeningsTakenBack, InvalidRequest, InvalidId, ResourceNotFound, ResourceInWaitingRoom."""
    async with connection.transaction():
        _check_offsets(change)
        before = await lock_room(connection, room_id, workspace)
        if change.version not in (UNSET, before.version):
            raise VersionMismatch(version=before.version)
        if before.opened_at is not None and _before_opening(change) and change.state != "scheduled":
            raise WaitingRoomOpened(opened_at=before.opened_at)
        room, settings, to = before, change, change.state
        if to == "scheduled" and before.state != "scheduled":
            await _take_back(connection, before, change)  # to the time of `opens_at`
            room = await read_room(connection, room_id, workspace)
            settings = msgspec.structs.replace(change, opens_at=UNSET)
        await _change_settings(connection, room, settings)
        await _change_resources(connection, room_id, change)
        if to not in (UNSET, room.state):
            await _step(connection, before, to)
        await keep_change(connection, room_id, change)
        return await read_room(connection, room_id, workspace)


async def keep_change(connection: Connection, room_id: str, said: msgspec.Struct) -> None:
    """Keeps what an operator said, for the audit; what is not said stands not in it."""
    text = msgspec.json.encode(said).decode()
    await connection.execute(_QUERIES["keep_change"], room_id, acting(), text)


async def open_due(connection: Connection, room_id: str) -> None:
    """Begins the sale of a room, if it is time."""
    await connection.fetchval(_QUERIES["open"], room_id, True, acting())


async def _change_settings(
    connection: Connection, before: WaitingRoom, change: ChangeWaitingRoom
) -> None:
    if all(getattr(change, name) is UNSET for name in _SETTINGS):
        return
    given = {
        name: None if (value := getattr(change, name)) is UNSET else value for name in _SETTINGS
    }
    opens_at = given["opens_at"] or before.opens_at
    if given["early_opens_at"] is not None and given["early_opens_at"] > opens_at:
        raise InvalidRequest("the queue opens no later than the sale", field="early_opens_at")
    changed = await connection.fetchval(
        _QUERIES["change"],
        *(before.id, before.version, given["name"], given["opens_at"], given["early_opens_at"]),
        *(given["early_order"], given["pace"], given["a_minute"], given["inside_max"]),
        *(given["pass_seconds"], given["grace_seconds"]),
        *(change.units_max is not UNSET, given["units_max"]),
        *(change.message is not UNSET, given["message"], given["public_value"]),
        *(given["draining"], given["challenge"]),
    )
    if changed is None:
        if before.state == "scheduled":  # the room is locked: all else was seen to be right
            is_order = given["early_order"] not in (None, before.early_order)
            stands = EarlyOrderStands if is_order else PublicValueStands
            raise stands(early_opens_at=before.early_opens_at)
        raise InvalidRequest("a room that has ended has no sale to come", field="state")


async def _change_resources(
    connection: Connection, room_id: str, change: ChangeWaitingRoom
) -> None:
    """Puts a room, which is locked, in front of other resources."""
    if change.resources is UNSET:
        return
    numbers = sorted({ids.parse_resource(one) for one in change.resources})
    try:
        async with connection.transaction():  # so that what stands in the way can be read after
            await connection.execute(_QUERIES["leave_ended"], numbers)
            changed = await connection.fetchval(_QUERIES["change_resources"], room_id, numbers)
    except asyncpg.UniqueViolationError as error:
        raise await _behind_others(connection, numbers, room_id) from error
    if changed is None:
        row = await connection.fetchrow(_QUERIES["lock"], room_id)
        if row is None or row["state"] != "scheduled":
            raise InvalidRequest("a room that has ended has no sale to come", field="state")
        raise await _not_found(connection, numbers, row["workspace"])


async def _behind_others(
    connection: Connection, numbers: list[int], room_id: str
) -> ResourceInWaitingRoom:
    behind = await connection.fetch(_QUERIES["behind_others"], numbers, room_id)
    shown = [ids.show_resource(row["resource_id"]) for row in behind]
    return ResourceInWaitingRoom(resources=shown, field="resources")


async def _not_found(
    connection: Connection, numbers: list[int], workspace: str
) -> ResourceNotFound:
    rows = await connection.fetch(_QUERIES["found"], numbers, workspace)
    found = {row["resource_id"] for row in rows}
    missing = next(number for number in numbers if number not in found)
    return ResourceNotFound(resource_id=ids.show_resource(missing))


async def _step(connection: Connection, before: WaitingRoom, to: RoomState) -> None:
    step = _STEPS.get((before.state, to))
    if step is None:
        raise InvalidRequest(f"a room that is {before.state} cannot become {to}", field="state")
    more = {"open": (False, acting()), "finish": (acting(),)}.get(step, ())
    await connection.fetchval(_QUERIES[step], before.id, *more)


async def _take_back(
    connection: Connection, before: WaitingRoom, change: ChangeWaitingRoom
) -> None:
    """Takes an opening back: the sale then begins at the new `opens_at`."""
    if before.state not in ("open", "paused"):
        raise InvalidRequest(f"a room that is {before.state} has no opening", field="state")
    if change.opens_at is UNSET:
        raise InvalidRequest("say when the sale begins instead", field="opens_at")
    if change.public_value is not UNSET:
        raise PublicValueStands(early_opens_at=before.early_opens_at)
    if len(before.taken_back) >= TAKEN_BACK_MAX:
        raise OpeningsTakenBack(limit=TAKEN_BACK_MAX)
    seed = secrets.token_bytes(_SEED_BYTES)
    done = await connection.fetchval(_QUERIES["take_back"], before.id, seed, change.opens_at)
    if done is None:
        raise WaitingRoomPassesGiven
    await connection.execute(_QUERIES["call_back"], before.id)


def _before_opening(change: ChangeWaitingRoom) -> bool:
    times = (change.opens_at, change.early_opens_at)
    fields = (*times, change.resources, change.early_order, change.public_value)
    return any(field is not UNSET for field in fields)


def _check(new: NewWaitingRoom) -> None:
    """Raises InvalidRequest."""
    _check_offsets(new)
    if new.early_opens_at is not None and new.early_opens_at > new.opens_at:
        raise InvalidRequest("the queue opens no later than the sale", field="early_opens_at")
    if len({one.name for one in new.queues}) < len(new.queues):
        raise InvalidRequest("two queues have the same name", field="queues")


def _check_offsets(said: NewWaitingRoom | ChangeWaitingRoom) -> None:
    """Raises InvalidRequest for a time of which nobody knows when it is."""
    for name in ("opens_at", "early_opens_at"):
        at: datetime | UnsetType | None = getattr(said, name)
        if isinstance(at, datetime) and at.tzinfo is None:
            raise InvalidRequest("a time has an offset, as in 2026-11-24T09:00:00Z", field=name)


def _room_of(row: Record) -> WaitingRoom:
    # By the setting alone what is told follows from: once opened, an end does not hide it again.
    seed: bytes = row["seed"]
    return WaitingRoom(
        id=row["room_id"],
        resources=tuple(ids.show_resource(number) for number in row["resources"]),
        queues=_QUEUES.decode(json_text(row["queues"])),
        alarms=_ALARMS.decode(json_text(row["alarms"])),
        taken_back=TAKEN_BACK.decode(json_text(row["taken_back"])),
        seed_hash=seed_hash(seed),
        seed=None if row["opened_at"] is None else seed.hex(),
        **{name: row[name] for name in WaitingRoom.__struct_fields__ if name not in _READ_APART},
    )
