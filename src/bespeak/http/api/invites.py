"""Invitation codes of a waiting room, for operators: batches are made, listed, written out and
revoked. A code is a secret: it is in no path and no query, and no answer that has one is kept.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.admission.errors import (
    InviteBatchesTooMany,
    InviteBatchNotFound,
    InviteCodeMistyped,
    InviteCodeUnknown,
    WaitingRoomClosed,
    WaitingRoomNotFound,
)
from bespeak.admission.invite_lists import (
    InviteCodePage,
    SomeCodes,
    check_serial,
    some_codes,
    write_out,
)
from bespeak.admission.invites import (
    InviteBatch,
    InviteState,
    NewInviteBatch,
    list_batches,
    make_batch,
    read_batch,
    read_code,
    revoke_batch,
    revoke_code,
)
from bespeak.errors import InvalidCursor, InvalidRequest
from bespeak.http.api.waiting_rooms import InviteCodeText
from bespeak.http.server import tags
from bespeak.http.server.answers import Answer, JsonAnswer, WholeList, once
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, SERVERS, documented, endpoint_table
from bespeak.http.server.scopes import MANAGE, READ
from bespeak.http.server.spreadsheets import CSV, csv_answer
from bespeak.http.server.workspaces import Reach
from bespeak.pages import POSITION_PATTERN, before_position

ENDPOINTS, endpoint = endpoint_table(tags.WAITING_ROOMS)
_ALL = "/v1/waiting-rooms/{waiting_room_id}/invite-batches"
_ONE = f"{_ALL}/{{batch}}"
_ROWS_MAX = 10_000
_HEAD = ("serial", "code", "used", "revoked at")
_NUMBER = re.compile("[1-9][0-9]{0,8}", re.ASCII)
_NOT_KEPT = (b"cache-control", b"no-store")


class InviteBatchList(WholeList[InviteBatch], frozen=True):
    """The batches of a waiting room, in the order in which they were made: at most 200."""


class InviteCodesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which codes of a batch: those after a cursor, so many at most, in which form."""

    after: Annotated[str, documented(POSITION_PATTERN)] | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100
    format: Literal["json", "csv"] = "json"


class TypedInviteCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A code as somebody typed it."""

    code: InviteCodeText


@endpoint(
    "POST",
    _ALL,
    "Make invitation codes",
    status=201,
    kinds=OPERATORS,
    errors=(InvalidRequest, WaitingRoomNotFound, WaitingRoomClosed, InviteBatchesTooMany),
    repeatable=True,
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def make_invite_batch(call: Call[None, NewInviteBatch]) -> JsonAnswer[InviteBatch]:
    """Makes a batch of invitation codes for a queue. They are read as a page or a file, as often
    as they are wanted."""
    async with call.engine.database.borrow() as connection:
        made = await make_batch(
            connection, _room(call), call.body, call.workspace, call.idempotency_key
        )
    return once(201, made)


@endpoint(
    "GET",
    _ALL,
    "List batches of invitation codes",
    kinds=SERVERS,
    errors=(WaitingRoomNotFound,),
    scopes=READ | MANAGE,
    reach=Reach.WORKSPACE,
)
async def list_invite_batches(call: Call[None, None]) -> InviteBatchList:
    """Lists the batches of a waiting room, with how many persons have joined by each; no codes."""
    async with call.engine.database.borrow() as connection:
        return InviteBatchList(await list_batches(connection, _room(call), call.workspace))


@endpoint(
    "GET",
    _ONE,
    "Read a batch of invitation codes",
    kinds=SERVERS,
    errors=(WaitingRoomNotFound, InviteBatchNotFound),
    scopes=READ | MANAGE,
    reach=Reach.WORKSPACE,
)
async def get_invite_batch(call: Call[None, None]) -> InviteBatch:
    """Reads a batch, with how many persons have joined by it; not its codes."""
    async with call.engine.database.borrow() as connection:
        return await read_batch(connection, _room(call), _batch(call), call.workspace)


@endpoint(
    "DELETE",
    _ONE,
    "Revoke a batch of invitation codes",
    kinds=OPERATORS,
    errors=(WaitingRoomNotFound, InviteBatchNotFound),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def revoke_invite_batch(call: Call[None, None]) -> InviteBatch:
    """From now on nobody else joins by these codes; who has joined stays. Again, it changes
    nothing."""
    async with call.engine.database.borrow() as connection:
        return await revoke_batch(connection, _room(call), _batch(call), call.workspace)


@endpoint(
    "GET",
    f"{_ONE}/codes",
    "Write out invitation codes",
    kinds=OPERATORS,
    also=CSV,
    answers=InviteCodePage,
    errors=(InvalidCursor, WaitingRoomNotFound, InviteBatchNotFound),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def list_invite_codes(call: Call[InviteCodesQuery, None]) -> Answer:
    """The codes of a batch, with how often each was used. As `csv` there are up to 10,000 in one
    answer, and the header Bespeak-Next reads on."""
    room_id, query = _room(call), call.query
    after = 0 if query.after is None else before_position(query.after)
    limit = query.limit if query.format == "json" else _ROWS_MAX
    async with call.engine.database.borrow() as connection:
        batch = await read_batch(connection, room_id, _batch(call), call.workspace)
        some = await some_codes(connection, room_id, batch, after, limit)
    items = await write_out(call.service.waiting_rooms.invite_codes, room_id, some)
    next_ = _next(some)
    if query.format == "json":
        return JsonAnswer(200, InviteCodePage(items, next_), headers=(_NOT_KEPT,))
    rows = ((one.serial, one.code, one.used, one.revoked_at) for one in items)
    return csv_answer(f"invitation-codes-{batch.batch}.csv", _HEAD, rows, next_=next_)


@endpoint(
    "DELETE",
    f"{_ONE}/codes/{{serial}}",
    "Revoke an invitation code",
    kinds=OPERATORS,
    errors=(WaitingRoomNotFound, InviteBatchNotFound, InviteCodeUnknown),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def revoke_invite_code(call: Call[None, None]) -> InviteState:
    """From now on nobody else joins by this code, which is named by its number in the batch; who
    has joined stays. Again, it changes nothing."""
    room_id, workspace = _room(call), call.workspace
    async with call.engine.database.borrow() as connection:
        batch = await read_batch(connection, room_id, _batch(call), workspace)
        code = check_serial(batch, _number(call.path["serial"]))
        return await revoke_code(connection, room_id, code, workspace)


@endpoint(
    "POST",
    "/v1/waiting-rooms/{waiting_room_id}/invite-codes/look-up",
    "Look up an invitation code",
    kinds=OPERATORS,
    errors=(InvalidRequest, WaitingRoomNotFound, InviteCodeMistyped, InviteCodeUnknown),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def look_up_invite_code(call: Call[None, TypedInviteCode]) -> InviteState:
    """How a code stands that somebody has: of which batch it is, and how many have joined by
    it."""
    room_id = _room(call)
    code = call.service.waiting_rooms.invite_codes.read(room_id, call.body.code)
    async with call.engine.database.borrow() as connection:
        return await read_code(connection, room_id, code, call.workspace)


def _room(call: Call[object, object]) -> str:
    return call.path["waiting_room_id"]


def _batch(call: Call[object, object]) -> int:
    """Raises InviteBatchNotFound."""
    number = _number(call.path["batch"])
    if number == 0:
        raise InviteBatchNotFound
    return number


def _number(text: str) -> int:
    """A number from 1; 0 for what is none."""
    return int(text) if _NUMBER.fullmatch(text) else 0


def _next(some: SomeCodes) -> str | None:
    """The cursor of the page after."""
    return str(some.serials[-1]) if some.has_more else None
