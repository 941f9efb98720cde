"""Who waits in a waiting room asks to be written to when the turn is near, or takes that back."""

from __future__ import annotations

import msgspec

from bespeak.admission.errors import (
    PassEnded,
    QueueTokenInvalid,
    TurnLost,
    TurnMailsTooMany,
    WaitingRoomClosed,
    WaitingRoomNotFound,
)
from bespeak.admission.told import TurnMail
from bespeak.admission.turn_mails import MailTo, withdraw_mail
from bespeak.errors import InvalidRequest, NotOwner
from bespeak.http.api.asked_holds import Owner
from bespeak.http.api.queue_joins import owner_in_line, write_when_near
from bespeak.http.api.waiting_rooms import ONE, PlaceQuery, QueueTokenText
from bespeak.http.server import tags
from bespeak.http.server.answers import Answer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import endpoint_table
from bespeak.http.server.scopes import SELL
from bespeak.http.server.waiting_rooms import workspace_of
from bespeak.http.server.workspaces import Reach
from bespeak.reservations.contact import EmailAddress, LocaleName

ENDPOINTS, endpoint = endpoint_table(tags.WAITING_ROOMS)


class AskTurnMail(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Be written to, at this address and in this language, when the turn of a token comes near. A
    server says for which `owner`."""

    queue_token: QueueTokenText
    email: EmailAddress
    locale: LocaleName | None = None
    owner: Owner | None = None


@endpoint(
    "PUT",
    f"{ONE}/turn-mail",
    "Ask for a mail when one's turn comes near",
    needs_shopper=True,
    errors=(
        InvalidRequest,
        NotOwner,
        WaitingRoomNotFound,
        WaitingRoomClosed,
        QueueTokenInvalid,
        TurnLost,
        PassEnded,
        TurnMailsTooMany,
    ),
    scopes=SELL,
    reach=Reach.WORKSPACE,
)
async def ask_turn_mail(call: Call[None, AskTurnMail]) -> TurnMail:
    """Has whoever has this queue token written to when the turn comes near: once, with a link by
    which any device has the place. Asked again, it is one mail, to the address that was said last
    before it left."""
    rooms, asked = call.service.waiting_rooms, call.body
    room = rooms.room(call.path["waiting_room_id"], workspace_of(call.caller.workspace))
    token = rooms.tokens.read(room.room_id, asked.queue_token)
    address = rooms.tokens.address_of(room.room_id, asked.email)
    to = MailTo(owner_in_line(call, asked.owner), asked.email, asked.locale, address)
    rooms.board.count_again(room, token)
    is_guest = call.caller.shopper is not None
    return await write_when_near(call, room, token, to, is_guest=is_guest)


@endpoint(
    "DELETE",
    f"{ONE}/turn-mail",
    "Take back that one wants a mail",
    status=204,
    needs_shopper=True,
    errors=(InvalidRequest, WaitingRoomNotFound, QueueTokenInvalid),
    scopes=SELL,
    reach=Reach.WORKSPACE,
)
async def withdraw_turn_mail(call: Call[PlaceQuery, None]) -> Answer:
    """No mail about the turn of this queue token, and its address is forgotten. One that has left
    has left. Again, it changes nothing."""
    rooms = call.service.waiting_rooms
    room = rooms.room(call.path["waiting_room_id"], workspace_of(call.caller.workspace))
    token = rooms.tokens.read(room.room_id, call.query.queue_token)
    async with call.engine.database.borrow() as connection:
        await withdraw_mail(connection, room.room_id, token)
    return Answer(204)
