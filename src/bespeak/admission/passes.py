"""Passes: the right to buy behind a waiting room, for some minutes. A pass is signed with the
key of the installation's tickets, so that whoever has the public keys can judge it: every worker
here, and a server in front of somebody else's shop. It is given in one statement, which says
whose turn it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from joserfc import jwt
from joserfc.errors import JoseError

from bespeak import ids
from bespeak.admission.board import AWAY_SECONDS, RoomOnBoard
from bespeak.admission.errors import (
    NotYourTurn,
    PassEnded,
    PassInvalid,
    TurnLost,
    WaitingRoomClosed,
)
from bespeak.admission.joins import TICK_US
from bespeak.admission.passes_over import PassName
from bespeak.admission.told import PASS_LENGTH_MAX
from bespeak.errors import InvalidId
from bespeak.postgres.queries import load
from bespeak.ticketing.codes import key_named
from bespeak.ticketing.keys import ALGORITHM, TicketKeys

if TYPE_CHECKING:
    from bespeak.admission.queue_tokens import QueueToken
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.admission", "passes.sql")
AUDIENCE = "bespeak:waiting-room"
RESOURCES_NAMED_MAX = 20
"""So many resources a pass names at most, which are 400 of its letters: it travels in a header, or
in a cookie. Of a room with more it says nothing, and is for all of them."""


class Pass(NamedTuple):
    """Who may buy behind which room until when; `units_max` of each resource, if there is a
    bound. `name` says which pass it is, so that it can be over before its time; `resources` are the
    numbers of what it is for, None: all that is behind the room."""

    room_id: str
    owner: str
    ends_at: int
    units_max: int | None
    name: PassName | None
    resources: frozenset[int] | None = None

    def is_for(self, numbers: Iterable[int]) -> bool:
        """Whether it is for all of these, which are behind its room."""
        return self.resources is None or self.resources.issuperset(numbers)


class Given(NamedTuple):
    """Which pass it is, until when it is good, whether it is given now, and the numbers of all that
    is behind its room, by the database: what this process knows may be a moment older."""

    name: PassName
    ends_at: datetime
    is_new: bool
    resources: list[int]


class Left(NamedTuple):
    """The pass of whoever left, and until when it would have been good."""

    name: PassName
    ends_at: datetime


async def give_pass(
    connection: Connection, room: RoomOnBoard, token: QueueToken, owner: str
) -> Given:
    """Until when this owner may buy, whose turn it is. A repeat answers the pass that was given.

    Raises NotYourTurn, TurnLost, PassEnded, WaitingRoomClosed.
    """
    key = room.key_of(token)
    if key is None:
        raise NotYourTurn(opens_at=room.opens_at, retry_after_seconds=2)
    row = await connection.fetchrow(
        _QUERIES["give"],
        *(room.room_id, token.subject, token.queue, key, owner, room.opened_at, token.joined_at),
        *(AWAY_SECONDS, token.joined_us),
    )
    is_new = row is not None
    if row is None:
        row = await connection.fetchrow(_QUERIES["given"], room.room_id, token.subject)
    if row is None or (row["ended_at"] is not None and row["place_key"] != key):
        await _check_place(connection, room, token)
        raise _no_turn(room, token.queue, key)
    if is_new:
        try:
            # The statement has not seen who left after it began. Whoever leaves notes that first,
            # and ends a pass then: so one of the two sees the other.
            await _check_place(connection, room, token)
        except PassEnded:
            await leave(connection, room.room_id, token.subject, owner)
            raise
    ends_at = _standing(row, owner)
    name = PassName.given(token.subject, row["given_at"])
    return Given(name, ends_at, is_new, row["resources"])


async def _check_place(connection: Connection, room: RoomOnBoard, token: QueueToken) -> None:
    """Raises PassEnded for a place that was given up."""
    left_at = await connection.fetchval(
        _QUERIES["has_left"], room.room_id, token.queue, token.subject, token.joined_us
    )
    if left_at is not None:
        raise PassEnded(ended_as="left", ended_at=left_at)


def _standing(row: Record, owner: str) -> datetime:
    """Until when a pass that was given is good. Raises PassEnded."""
    if row["ended_at"] is not None:
        raise PassEnded(ended_as=row["ended_as"], ended_at=row["ended_at"])
    if row["owner"] != owner:
        raise PassEnded("another shopper has come in with this queue token", ended_as="taken")
    ends_at: datetime = row["expires_at"]
    return ends_at


def _no_turn(room: RoomOnBoard, queue: int, key: int) -> NotYourTurn | TurnLost | WaitingRoomClosed:
    """Why nothing was given, as this process knows it; it may be a moment behind."""
    found = next(one for one in room.queues if one.queue == queue)
    if room.state == "ended":
        return WaitingRoomClosed("the waiting room has ended: no pass is needed")
    if key < found.lost_before:
        return TurnLost(grace_seconds=room.grace_seconds)
    return NotYourTurn(state=room.state, sold_out=room.sold_out, retry_after_seconds=2)


async def leave(
    connection: Connection, room_id: str, subject: bytes, owner: str | None
) -> Left | None:
    """Ends the pass of whoever leaves, of this owner or (None) of anybody; None: there was none."""
    row = await connection.fetchrow(_QUERIES["leave"], room_id, subject, owner)
    if row is None:
        return None
    return Left(PassName.given(subject, row["given_at"]), row["expires_at"])


async def leave_line(connection: Connection, room_id: str, token: QueueToken) -> bool:
    """Gives up the place of somebody who waits, so that their token is over; whether it was given
    up now. Whoever has the token may: with it they could also come in."""
    place = (token.queue, token.joined_at, token.joined_us, token.joined_us // TICK_US)
    row = await connection.fetchval(_QUERIES["leave_line"], room_id, token.subject, *place)
    return row is not None


def named_resources(numbers: Collection[int]) -> frozenset[int] | None:
    """Which resources a pass of a room names; None: they are so many that it names the room only.
    They stay what they are: once the room has given a pass, nothing is put behind it any more."""
    return frozenset(numbers) if len(numbers) <= RESOURCES_NAMED_MAX else None


def sign_pass(keys: TicketKeys, content: Pass) -> str:
    """A pass as text: a JSON Web Token (RFC 7519) by the newest key, which ends with the pass."""
    claims: dict[str, object] = {
        "aud": AUDIENCE,
        "sub": content.owner,
        "room": content.room_id,
        "exp": content.ends_at,
    }
    if content.name is not None:
        claims["jti"] = f"{content.name.subject.hex()}.{content.name.given_us}"
    if content.units_max is not None:
        claims["units_max"] = content.units_max
    if content.resources is not None:
        claims["resources"] = [ids.show_resource(number) for number in sorted(content.resources)]
    header = {"alg": ALGORITHM, "kid": keys.newest_id}
    return jwt.encode(header, claims, keys.newest, algorithms=[ALGORITHM])


def read_pass(keys: TicketKeys, text: str) -> Pass:
    """What a pass says that one of these keys signed, also of one that is over. Raises
    PassInvalid."""
    key = keys.get(key_named(text)) if len(text) <= PASS_LENGTH_MAX else None
    if key is None:
        raise PassInvalid
    try:
        claims = jwt.decode(text, key, algorithms=[ALGORITHM]).claims
        if claims["aud"] != AUDIENCE:
            raise PassInvalid
        return Pass(
            str(claims["room"]),
            str(claims["sub"]),
            int(claims["exp"]),
            claims.get("units_max"),
            _name_of(claims.get("jti")),
            _numbers_of(claims.get("resources")),
        )
    except (JoseError, ValueError, KeyError, TypeError, InvalidId) as error:
        raise PassInvalid from error


def _name_of(text: str | None) -> PassName | None:
    """The name of a pass; None of one that was given before passes had names. Raises
    ValueError."""
    if text is None:
        return None
    subject, given_us = text.split(".")
    return PassName(bytes.fromhex(subject), int(given_us))


def _numbers_of(named: list[str] | None) -> frozenset[int] | None:
    """The resources that a pass names; None of one that names none, as those that were given before
    passes named any. Raises InvalidId, TypeError."""
    return None if named is None else frozenset(ids.parse_resource(one) for one in named)
