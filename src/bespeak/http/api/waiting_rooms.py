"""Waiting rooms: made and steered by operators, joined by shoppers, looked at by everybody."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.admission.errors import (
    EarlyOrderStands,
    NotYourTurn,
    OpeningsTakenBack,
    PassEnded,
    PublicValueStands,
    QueueTokenInvalid,
    ResourceInWaitingRoom,
    TurnLost,
    WaitingRoomClosed,
    WaitingRoomDraining,
    WaitingRoomNotFound,
    WaitingRoomOpened,
    WaitingRoomPassesGiven,
)
from bespeak.admission.forms import ChangeWaitingRoom, NewWaitingRoom, QueueName, WaitingRoom
from bespeak.admission.invite_codes import TYPED_MAX
from bespeak.admission.passes import Pass, give_pass, named_resources, sign_pass
from bespeak.admission.queue_tokens import TOKEN_LENGTH
from bespeak.admission.rooms import (
    LISTED_MAX,
    WaitingRoomPage,
    change_room,
    list_rooms,
    make_room,
    read_room,
)
from bespeak.admission.told import (
    GivenPass,
    JoinedQueue,
    PlaceNow,
    WaitingRoomNow,
    place_now,
)
from bespeak.errors import InvalidCursor, InvalidRequest, NotOwner, VersionMismatch
from bespeak.http.api.asked_holds import Owner
from bespeak.http.api.queue_joins import (
    NO_USE,
    AskedJoin,
    join_queue,
    leave_queue,
    owner_in_line,
    time_to_join,
)
from bespeak.http.server import tags
from bespeak.http.server.answers import Answer, JsonAnswer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import (
    ANYONE,
    NOT_MODIFIED,
    OF_RESOURCE,
    OPERATORS,
    SERVERS,
    endpoint_table,
)
from bespeak.http.server.errors import ChallengeRequired
from bespeak.http.server.metrics import WAITING_ROOM_PASSES
from bespeak.http.server.scopes import MANAGE, READ, SELL
from bespeak.http.server.waiting_rooms import workspace_of
from bespeak.http.server.workspaces import Reach
from bespeak.ids import show_resource

ENDPOINTS, endpoint = endpoint_table(tags.WAITING_ROOMS)
_ALL = "/v1/waiting-rooms"
ONE = f"{_ALL}/{{waiting_room_id}}"
"""The path of a waiting room."""
_CACHED = (b"cache-control", b"public, max-age=1, stale-while-revalidate=5")

QueueTokenText = Annotated[
    str,
    Meta(
        min_length=TOKEN_LENGTH,
        max_length=TOKEN_LENGTH,
        description="the `queue_token` that joining gave",
    ),
]


InviteCodeText = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=TYPED_MAX,
        description="an invitation code, in capitals or not, with hyphens, spaces or neither",
        examples=["04003K-7M9P2Q-5R8TXW"],
    ),
]


class WaitingRoomQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a page of waiting rooms begins, and how many are on it."""

    after: Annotated[str, Meta(max_length=200)] | None = None
    limit: Annotated[int, Meta(ge=1, le=LISTED_MAX)] = 50


class JoinQueue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Join a queue: the first of the room, unless one is named, or an invitation `code` says which.
    A server says for which `owner`."""

    queue: QueueName | None = None
    code: InviteCodeText | None = None
    owner: Owner | None = None


class AskPass(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Come in: by the token of whom it is the turn. A server says for which `owner`."""

    queue_token: QueueTokenText
    owner: Owner | None = None


class PlaceQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose place: that of this token."""

    queue_token: QueueTokenText


@endpoint(
    "POST",
    _ALL,
    "Make a waiting room",
    status=201,
    kinds=OPERATORS,
    errors=(*OF_RESOURCE, InvalidRequest, ResourceInWaitingRoom),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def make_waiting_room(call: Call[None, NewWaitingRoom]) -> JsonAnswer[WaitingRoom]:
    """Puts resources behind a waiting room: from now on guests need its pass to hold any of
    them, which every worker knows within a second."""
    async with call.engine.database.borrow() as connection:
        made = await make_room(connection, call.body, call.caller.workspace)
    return JsonAnswer(201, made)


@endpoint(
    "GET",
    _ALL,
    "List waiting rooms",
    kinds=SERVERS,
    errors=(InvalidCursor,),
    scopes=READ | MANAGE,
    reach=Reach.WORKSPACE,
)
async def list_waiting_rooms(call: Call[WaitingRoomQuery, None]) -> WaitingRoomPage:
    """Lists waiting rooms, the newest first."""
    async with call.engine.database.borrow() as connection:
        return await list_rooms(connection, call.workspace, call.query.after, call.query.limit)


@endpoint(
    "GET",
    ONE,
    "Read a waiting room",
    kinds=SERVERS,
    errors=(WaitingRoomNotFound,),
    scopes=READ | MANAGE,
    reach=Reach.WORKSPACE,
)
async def get_waiting_room(call: Call[None, None]) -> WaitingRoom:
    """Reads a waiting room, with how many joined, were let in, are inside and have bought."""
    async with call.engine.database.borrow() as connection:
        return await read_room(connection, call.path["waiting_room_id"], call.workspace)


@endpoint(
    "PATCH",
    ONE,
    "Change a waiting room",
    kinds=OPERATORS,
    errors=(
        *OF_RESOURCE,
        InvalidRequest,
        ResourceInWaitingRoom,
        WaitingRoomNotFound,
        VersionMismatch,
        WaitingRoomOpened,
        WaitingRoomPassesGiven,
        PublicValueStands,
        EarlyOrderStands,
        OpeningsTakenBack,
    ),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def change_waiting_room(call: Call[None, ChangeWaitingRoom]) -> WaitingRoom:
    """Changes a waiting room, or opens, pauses, drains and ends it: every worker does so within
    a second or two."""
    async with call.engine.database.borrow() as connection:
        return await change_room(
            connection, call.path["waiting_room_id"], call.body, call.workspace
        )


@endpoint(
    "GET",
    f"{ONE}/now",
    "See how a waiting room stands",
    kinds=ANYONE,
    answers=WaitingRoomNow,
    errors=(WaitingRoomNotFound,),
    other_statuses=(NOT_MODIFIED,),
    from_memory=True,
)
async def get_waiting_room_now(call: Call[None, None]) -> Answer:
    """How the queues of a waiting room stand, the same for everybody: made to be kept by a CDN,
    and asked for again after `poll_seconds`. It comes from memory."""
    told = call.service.waiting_rooms.told(call.path["waiting_room_id"])
    headers = (_CACHED, (b"etag", told.etag.encode()))
    if call.has_etag(told.etag):
        return Answer(304, headers=headers)
    return Answer(200, told.body, headers=headers)


@endpoint(
    "POST",
    f"{ONE}/queue-tokens",
    "Join a queue",
    status=201,
    needs_shopper=True,
    errors=(
        InvalidRequest,
        NotOwner,
        WaitingRoomNotFound,
        WaitingRoomClosed,
        WaitingRoomDraining,
        ChallengeRequired,
        *NO_USE,
    ),
    scopes=SELL,
    reach=Reach.WORKSPACE,
    from_memory=True,
)
async def join_waiting_room(call: Call[None, JoinQueue]) -> JsonAnswer[JoinedQueue]:
    """Joins a queue of a waiting room. Nothing is written for it: whoever joins has their place
    in hand. To join again before the sale changes nothing, and after it gives a place further
    behind. With an invitation code it is the same place each time, and the code's use is kept.
    While the room is draining nobody more joins, by a code neither. Without a code a guest may
    have to solve a challenge first, as the room says."""
    rooms = call.service.waiting_rooms
    room = rooms.room(call.path["waiting_room_id"], workspace_of(call.caller.workspace))
    now_us = time_to_join(call, room)
    owner = owner_in_line(call, call.body.owner)
    asked = AskedJoin(
        room, owner, call.body.queue, call.body.code, is_guest=call.caller.shopper is not None
    )
    token = await join_queue(call, asked, now_us)
    made = rooms.tokens.make(room.room_id, token)
    return JsonAnswer(201, JoinedQueue(queue_token=made, place=place_now(room, token)))


@endpoint(
    "GET",
    f"{ONE}/place",
    "See where one stands in a queue",
    kinds=ANYONE,
    errors=(InvalidRequest, QueueTokenInvalid, WaitingRoomNotFound),
    from_memory=True,
)
async def get_queue_place(call: Call[PlaceQuery, None]) -> PlaceNow:
    """Where the bearer of a queue token stands, and when their turn may come."""
    rooms = call.service.waiting_rooms
    room = rooms.room(call.path["waiting_room_id"])
    token = rooms.tokens.read(room.room_id, call.query.queue_token)
    rooms.board.count_again(room, token)
    return place_now(room, token)


@endpoint(
    "POST",
    f"{ONE}/passes",
    "Come in",
    status=201,
    needs_shopper=True,
    errors=(
        InvalidRequest,
        NotOwner,
        WaitingRoomNotFound,
        WaitingRoomClosed,
        QueueTokenInvalid,
        NotYourTurn,
        TurnLost,
        PassEnded,
    ),
    scopes=SELL,
    reach=Reach.WORKSPACE,
)
async def ask_pass(call: Call[None, AskPass]) -> JsonAnswer[GivenPass]:
    """Gives the pass to whoever's turn it is, for the shopper who asks. Asked again, it is the
    same pass."""
    rooms = call.service.waiting_rooms
    room = rooms.room(call.path["waiting_room_id"], workspace_of(call.caller.workspace))
    token = rooms.tokens.read(room.room_id, call.body.queue_token)
    owner = owner_in_line(call, call.body.owner)
    rooms.board.count_again(room, token)
    async with call.engine.database.borrow() as connection:
        has = await give_pass(connection, room, token, owner)
    if has.is_new:
        WAITING_ROOM_PASSES.labels("given").inc()
    content = Pass(
        room_id=room.room_id,
        owner=owner,
        ends_at=int(has.ends_at.timestamp()),
        units_max=room.units_max,
        name=has.name,
        resources=named_resources(has.resources),
    )
    left = has.ends_at.timestamp() - call.engine.clock.seconds()
    given = GivenPass(
        pass_=sign_pass(await rooms.keys.current(), content),
        expires_at=has.ends_at,
        expires_in_ms=max(0, int(left * 1000)),
        resources=[show_resource(number) for number in has.resources],
        units_max=room.units_max,
    )
    return JsonAnswer(201, given)


@endpoint(
    "DELETE",
    f"{ONE}/passes",
    "Leave",
    status=204,
    needs_shopper=True,
    errors=(InvalidRequest, WaitingRoomNotFound, QueueTokenInvalid),
    scopes=SELL,
    reach=Reach.WORKSPACE,
)
async def leave_waiting_room(call: Call[PlaceQuery, None]) -> Answer:
    """Gives the pass of a queue token back, so that somebody else comes in sooner. Who waits gives
    up the place: the token is over, and to join again is to join anew. Again, it changes
    nothing."""
    rooms = call.service.waiting_rooms
    room = rooms.room(call.path["waiting_room_id"], workspace_of(call.caller.workspace))
    token = rooms.tokens.read(room.room_id, call.query.queue_token)
    await leave_queue(call, room, token, call.acting_owner())
    return Answer(204)
