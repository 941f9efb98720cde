"""Joining a queue of a waiting room and leaving it, by a call of the API or by the forms of its
page.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from bespeak.admission.board import RoomOnBoard
from bespeak.admission.errors import (
    InviteCodeExpired,
    InviteCodeMistyped,
    InviteCodeRevoked,
    InviteCodeUnknown,
    InviteCodeUsedUp,
    TurnLost,
    WaitingRoomClosed,
    WaitingRoomDraining,
)
from bespeak.admission.invites import InvitedJoin, use_code
from bespeak.admission.passes import leave, leave_line
from bespeak.admission.queue_tokens import QueueToken
from bespeak.admission.told import TurnMail, phase_of, place_now
from bespeak.admission.turn_mails import MailTo, ask_mail, withdraw_mail
from bespeak.errors import InvalidRequest
from bespeak.http.server.budgets.policy import JOINS_UNASKED
from bespeak.http.server.call import Call
from bespeak.http.server.metrics import WAITING_ROOM_CODES, WAITING_ROOM_PASSES
from bespeak.reservations.request import OWNER_LENGTH_MAX, check_text

NO_USE = (
    InviteCodeMistyped,
    InviteCodeUnknown,
    InviteCodeRevoked,
    InviteCodeExpired,
    InviteCodeUsedUp,
)
"""Why a code lets nobody in."""
_US = 1_000_000


class AskedJoin(NamedTuple):
    """Who joins which room: the `queue` of this name (None: the first), or that of an invitation
    `code`. A guest comes from an address, which does not join without end."""

    room: RoomOnBoard
    owner: str
    queue: str | None
    code: str | None
    is_guest: bool


def owner_in_line(call: Call[object, object], named: str | None) -> str:
    """For whom it is. Raises NotOwner, InvalidRequest."""
    owner = call.placing_owner(named)
    check_text(owner, "owner", OWNER_LENGTH_MAX)
    return owner


def time_to_join(call: Call[object, object], room: RoomOnBoard) -> int:
    """When somebody joins who does it now, in microseconds since 1970. Raises
    WaitingRoomClosed, WaitingRoomDraining."""
    now_us = call.service.waiting_rooms.board.clock.now_us()
    if phase_of(room, datetime.fromtimestamp(now_us / _US, UTC)) in ("before", "ended"):
        raise WaitingRoomClosed(early_opens_at=room.early_opens_at)
    if room.draining:
        raise WaitingRoomDraining
    return now_us


async def join_queue(call: Call[object, object], asked: AskedJoin, now_us: int) -> QueueToken:
    """Joins. Raises ChallengeRequired, RateLimited, InvalidRequest, and for a code what is in
    NO_USE."""
    rooms, room = call.service.waiting_rooms, asked.room
    if asked.is_guest:
        if asked.code is None:  # which nobody can make: it proves more than work does
            await _prove(call, asked)
        # Each join is a place that the front moves over: one script must not be a crowd.
        await call.service.limits.count_join(call.client_address.prefix)
    subject = rooms.tokens.subject_of(room.room_id, asked.owner)
    if asked.code is None:
        joined = InvitedJoin(_queue_of(asked), now_us, is_new=True)
    else:
        joined = await _by_code(call, asked, asked.code, subject, now_us)
    if joined.is_new:
        rooms.board.count_join(room.room_id, joined.queue, joined.joined_us)
    return QueueToken(joined.queue, joined.joined_us, subject)


async def leave_queue(
    call: Call[object, object], room: RoomOnBoard, token: QueueToken, owner: str | None
) -> None:
    """Gives the place up of whoever waits, and back the pass of whoever is inside and is this
    owner (None: anybody). Done again, or by halves, it is done once."""
    async with call.engine.database.borrow() as connection:
        await leave_line(connection, room.room_id, token)
        left = await leave(connection, room.room_id, token.subject, owner)
        await withdraw_mail(connection, room.room_id, token, leaves=True)
    if left is not None:
        # The other workers hear of it within a second.
        call.service.waiting_rooms.board.passes_over.add(*left)
        WAITING_ROOM_PASSES.labels("left").inc()


async def write_when_near(
    call: Call[object, object], room: RoomOnBoard, token: QueueToken, to: MailTo, *, is_guest: bool
) -> TurnMail:
    """Has whoever has this token written to when their turn comes near. A guest asks no more often
    than one joins. Raises RateLimited, InvalidRequest, TurnLost, WaitingRoomClosed, PassEnded,
    TurnMailsTooMany."""
    if is_guest:
        await call.service.limits.count_join(call.client_address.prefix)
    if place_now(room, token).turn == "lost":
        raise TurnLost(grace_seconds=room.grace_seconds)
    async with call.engine.database.borrow() as connection:
        return await ask_mail(connection, room, token, to)


async def _prove(call: Call[object, object], asked: AskedJoin) -> None:
    """Has a guest solve a challenge, if the room says so. It is judged in memory. Raises
    ChallengeRequired."""
    rule = asked.room.challenge
    if rule == "never":
        return
    visitor = call.visitor(asked.owner)
    if visitor is None:
        return
    if rule == "always":
        await call.service.budgets.admit_join(visitor, 0)
    elif await call.service.limits.joins_often(call.client_address.prefix):
        await call.service.budgets.admit_join(visitor, JOINS_UNASKED)


def _queue_of(asked: AskedJoin) -> int:
    """Which queue is joined. Raises InvalidRequest."""
    room, name = asked.room, asked.queue
    found = room.queues[0] if name is None else room.queue_named(name)
    if found is None:
        raise InvalidRequest("the room has no such queue", field="queue")
    if found.invited and asked.is_guest:
        raise InvalidRequest("this queue is for those whom the merchant asks in", field="queue")
    return found.queue


async def _by_code(
    call: Call[object, object], asked: AskedJoin, typed: str, subject: bytes, now_us: int
) -> InvitedJoin:
    """Which queue is joined by a code. Raises InvalidRequest, InviteCodeMistyped,
    InviteCodeUnknown, InviteCodeRevoked, InviteCodeExpired, InviteCodeUsedUp."""
    if asked.queue is not None:
        raise InvalidRequest("the code says which queue it is", field="queue")
    room_id = asked.room.room_id
    try:
        code = call.service.waiting_rooms.invite_codes.read(room_id, typed)
        async with call.engine.database.borrow() as connection:
            joined = await use_code(connection, room_id, code, subject, now_us)
    except NO_USE as error:
        WAITING_ROOM_CODES.labels(error.code.removeprefix("invite_code_")).inc()
        raise
    WAITING_ROOM_CODES.labels("joined" if joined.is_new else "again").inc()
    return joined
