"""Mails that say that one's turn comes near, for those who wait and ask for one: the only rows of
people who wait. Who lets people in looks, by the place of the front, for whom it is time; the mail
itself leaves with the other mails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from bespeak.admission.board import RATE_SECONDS, RoomOnBoard
from bespeak.admission.errors import PassEnded, TurnMailsTooMany, WaitingRoomClosed
from bespeak.admission.queue_tokens import QueueToken
from bespeak.admission.told import TurnMail
from bespeak.errors import InvalidRequest
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.admission.board import QueueOnBoard
    from bespeak.admission.joins import QueueJoins
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.admission", "turn_mails.sql")
SHARE_MAX = 400
"""Of how many people each of the 256 shares of a room can keep an address: of some 100,000 in all.
By shares, so that nobody counts them all, nor waits for who asks at the same moment."""
OF_ADDRESS_MAX = 5
"""How many mails of one room an address is sent, whoever asks for them."""
NEAR_SECONDS = 300
"""How far off a turn is of which one is written, at the speed of the last minute."""
NEAR_PLACES = 10
"""How many places before one's own a mail is sent at least."""
_BATCH = 1000
_PLACED_AT_ONCE = 5000
"""Of how many the place is put down with a look: of 100,000 who asked before a draw within half a
minute of the opening, without a look that takes a second."""


class MailTo(NamedTuple):
    """To whom the mail of a turn goes, in which language, who asked for it, and the digest by which
    the mails of an address are counted."""

    owner: str
    email: str
    locale: str | None
    address: bytes


async def ask_mail(
    connection: Connection, room: RoomOnBoard, token: QueueToken, to: MailTo
) -> TurnMail:
    """Has somebody written to when their turn comes near, or to another address than was said.
    Asked again, it is one mail. Raises InvalidRequest, WaitingRoomClosed, PassEnded,
    TurnMailsTooMany."""
    if not to.email.isprintable():
        raise InvalidRequest("this is no address of e-mail", field="email")
    place = (room.room_id, token.queue, token.subject, token.joined_us)
    asked = await connection.fetchval(
        _QUERIES["ask"],
        *(*place, room.key_of(token), to.owner, to.email, to.locale, uuid4(), SHARE_MAX),
        to.address,
    )
    if asked is not None:
        return TurnMail(state="wanted")
    row = await connection.fetchrow(_QUERIES["standing"], *place)
    if row is None or row["room"] == "ended":
        raise WaitingRoomClosed("the waiting room has ended: no pass is needed")
    if row["left_at"] is not None:
        raise PassEnded(ended_as="left", ended_at=row["left_at"])
    if row["state"] is None:
        raise TurnMailsTooMany
    return TurnMail(state="sent")


async def withdraw_mail(
    connection: Connection, room_id: str, token: QueueToken, *, leaves: bool = False
) -> None:
    """Takes back that somebody wants a mail, or `leaves` by this token; and forgets the address.
    Repeated, it changes nothing."""
    until = token.joined_us if leaves else None
    await connection.execute(_QUERIES["withdraw"], room_id, token.queue, token.subject, until)


async def note_near(connection: Connection, room: RoomOnBoard) -> None:
    """Has the mails sent of those whose turn comes near, of a room that lets people in and is
    locked."""
    queues = [one.queue for one in room.queues]
    rows = await connection.fetch(_QUERIES["unplaced"], room.room_id, queues, _PLACED_AT_ONCE)
    placed = [
        (token, key)
        for row in rows
        if (key := room.key_of(token := QueueToken(row["queue"], row["joined_us"], row["subject"])))
        is not None
    ]
    if placed:
        await connection.execute(
            _QUERIES["place"],
            room.room_id,
            [token.queue for token, _ in placed],
            [token.subject for token, _ in placed],
            [token.joined_us for token, _ in placed],
            [key for _, key in placed],
        )
    near = [near_key(one, joins) for one, joins in zip(room.queues, room.joins, strict=True)]
    lost = [one.lost_before for one in room.queues]
    await connection.execute(
        _QUERIES["near"], room.room_id, queues, near, lost, _BATCH, OF_ADDRESS_MAX
    )


def near_key(queue: QueueOnBoard, joins: QueueJoins) -> int:
    """The place key before which a turn is near: by how far the front went in the last minute."""
    front = joins.place_of(queue.front)
    moved = front - joins.place_of(queue.front_before)
    return joins.key_at(front + max(NEAR_PLACES, moved * NEAR_SECONDS // RATE_SECONDS))


async def forget_mails(connection: Connection) -> None:
    """Forgets who asked for a mail of rooms that have ended."""
    await connection.execute(_QUERIES["forget"])
