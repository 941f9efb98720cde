"""What is told to those who wait: how the queue stands, the same for everybody, and where one of
them stands in it. All of it comes from the board, and from nothing that is read for it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

import msgspec

from bespeak import ids
from bespeak.admission.board import RATE_SECONDS, QueueOnBoard, RoomOnBoard
from bespeak.admission.category_chances import (
    CHANCE_STEPS,
    Chance,
    ChanceStep,
    chance_of,
    places_of_queue,
)
from bespeak.admission.forms import PaymentsPace, TakenBackOpening
from bespeak.admission.joins import QueueJoins
from bespeak.admission.place_keys import seed_hash, show_key
from bespeak.admission.queue_tokens import QueueToken

Phase: TypeAlias = Literal["before", "early", "open", "paused", "sold_out", "ended"]
Turn: TypeAlias = Literal["early", "waiting", "called", "lost"]
PASS_LENGTH_MAX = 1900
POLL_SECONDS = {"before": 15, "early": 5, "open": 2, "paused": 5, "sold_out": 10, "ended": 60}


class QueueNow(msgspec.Struct, frozen=True, kw_only=True):
    """How a queue stands. Place keys before `front` have been called, those before `lost_before`
    too long ago; `called` are the places before the front, and `a_minute` over how many it moved
    in the last minute. Keys are texts that compare as they stand."""

    name: str
    invited: bool
    joined: int
    called: int
    waiting: int
    a_minute: int
    front: str
    lost_before: str


class CategoryNow(msgspec.Struct, frozen=True, kw_only=True):
    """What is left of a category of a resource behind a waiting room: of seats by their category,
    of pools by what is sold of them. `enough_for` is, for each queue in its order, how many of
    those who have not been called find something of it, if all go on to choose as they did (null:
    too few have chosen yet to say)."""

    resource_id: str
    category: str
    units: int
    units_left: int
    enough_for: list[int] | None


class CategoryChance(msgspec.Struct, frozen=True, kw_only=True):
    """How likely it is for somebody that something of a category is left at their turn."""

    resource_id: str
    category: str
    chance: Chance


class WaitingRoomNow(msgspec.Struct, frozen=True, kw_only=True):
    """How a waiting room stands, the same for everybody. `phase` is `early` before the sale,
    when those who come have no place yet; `units_left` (null: not counted) is what can still be
    bought by those who are let in, and `categories` the same by category, where there are at most
    60 in all. By `chance_steps` follows from it how likely it is that something is left at a place:
    the first step that fits, or `unlikely`, as `chances` of a place tells it. `seed_hash` is the
    SHA-256 of the `seed`, which is told when the sale is opened, with the `public_value` that it is
    mixed with; `taken_back` are openings that were undone, after which the order was drawn anew.
    While it is `draining` nobody more can join, and those who have joined are served. While
    `payments` are `slow` fewer are let in, and while they are `stopped` nobody is.
    Ask again after `poll_seconds`, not before."""

    id: str
    name: str
    phase: Phase
    early_opens_at: datetime
    opens_at: datetime
    early_order: Literal["shuffle", "first_come"]
    early_joined: int
    grace_seconds: int
    pass_seconds: int
    units_max: int | None
    units_left: int | None
    categories: list[CategoryNow]
    chance_steps: list[ChanceStep]
    message: str | None
    draining: bool
    payments: PaymentsPace
    resources: list[str]
    queues: list[QueueNow]
    seed_hash: str
    seed: str | None
    public_value: str | None
    taken_back: list[TakenBackOpening]
    as_of: datetime
    poll_seconds: int


class PlaceNow(msgspec.Struct, frozen=True, kw_only=True):
    """Where somebody stands. Before the sale of a shuffled queue there is no place yet (null).
    `ahead` are the places between them and the front, of which some have left; `minutes` is the
    range in which their turn comes if it goes on as in the last minute (null: not known).
    `chance` is how likely it is that something is left for them, from 0 to 1 (null: not
    counted), and `chances` the same in a word for each category, where that is told, until the turn
    is called."""

    turn: Turn
    queue: str
    place_key: str | None
    place: int | None
    ahead: int | None
    minutes: tuple[int, int] | None
    chance: float | None
    chances: list[CategoryChance]
    joined_at: datetime


class JoinedQueue(msgspec.Struct, frozen=True, kw_only=True):
    """What whoever joined has in hand: the token with which the turn is asked for, and the
    place, as far as there is one yet."""

    queue_token: str
    place: PlaceNow


class GivenPass(msgspec.Struct, frozen=True, kw_only=True):
    """The pass, to be shown in `Bespeak-Pass` with every hold of these resources until it ends."""

    pass_: str = msgspec.field(name="pass")
    expires_at: datetime
    expires_in_ms: int
    resources: list[str]
    units_max: int | None


class TurnMail(msgspec.Struct, frozen=True, kw_only=True):
    """The mail of a turn: it is `wanted` until the turn comes near, and then `sent`, once. Whose
    address it goes to is told to nobody."""

    state: Literal["wanted", "sent"]


def phase_of(room: RoomOnBoard, now: datetime) -> Phase:
    """What is going on in a room at a time."""
    if room.state in ("paused", "ended"):
        return "paused" if room.state == "paused" else "ended"
    if room.state == "open":
        return "sold_out" if room.sold_out else "open"
    return "before" if now < room.early_opens_at else "early"


def room_now(room: RoomOnBoard, shown_resources: list[str], now: datetime) -> WaitingRoomNow:
    """How a room stands."""
    phase = phase_of(room, now)
    opened = room.opened_at is not None
    return WaitingRoomNow(
        id=room.room_id,
        name=room.name,
        phase=phase,
        early_opens_at=room.early_opens_at,
        opens_at=room.opens_at,
        early_order=room.early_order,
        early_joined=sum(joins.early for joins in room.joins),
        grace_seconds=room.grace_seconds,
        pass_seconds=room.pass_seconds,
        units_max=room.units_max,
        units_left=room.units_left,
        categories=_categories_now(room),
        chance_steps=list(CHANCE_STEPS) if room.categories else [],
        message=room.message,
        draining=room.draining,
        payments=room.payments,
        resources=shown_resources,
        queues=[_queue_now(one, joins) for one, joins in zip(room.queues, room.joins, strict=True)],
        seed_hash=seed_hash(room.seed),
        seed=room.seed.hex() if opened else None,
        public_value=room.public_value if opened else None,
        taken_back=list(room.taken_back),
        as_of=room.answered_at,
        poll_seconds=POLL_SECONDS[phase],
    )


def place_now(room: RoomOnBoard, token: QueueToken) -> PlaceNow:
    """Where the bearer of a token stands."""
    index = next(n for n, one in enumerate(room.queues) if one.queue == token.queue)
    one, joins = room.queues[index], room.joins[index]
    key = room.key_of(token)
    if key is None:
        return PlaceNow(
            turn="early",
            queue=one.name,
            place_key=None,
            place=None,
            ahead=None,
            minutes=None,
            chance=None,
            chances=_chances(room, index, None),
            joined_at=token.joined_at,
        )
    place = joins.place_of(key)
    ahead = max(0, place - joins.place_of(one.front))
    turn = _turn(room, one, key)
    return PlaceNow(
        turn=turn,
        queue=one.name,
        place_key=show_key(key),
        place=place + 1,
        ahead=ahead,
        minutes=_minutes(ahead, _a_minute(one, joins)),
        chance=_chance(room, index, ahead),
        chances=[] if turn in ("called", "lost") else _chances(room, index, ahead),
        joined_at=token.joined_at,
    )


def _chance(room: RoomOnBoard, queue: int, ahead: int) -> float | None:
    """How likely it is that something is left for whoever has so many ahead in a queue, when those
    inside, and those whom other queues let in meanwhile, take what is expected of them."""
    if room.places_left is None:
        return None
    enough = places_of_queue(room.places_left, queue, room.waiting)
    return min(1.0, round(enough / (ahead + 1), 3))


def _chances(room: RoomOnBoard, queue: int, ahead: int | None) -> list[CategoryChance]:
    queues = room.waiting
    return [
        CategoryChance(
            resource_id=ids.show_resource(one.resource),
            category=one.name,
            chance=chance_of(
                one.left,
                None if one.places is None else places_of_queue(one.places, queue, queues),
                ahead,
            ),
        )
        for one in room.categories
    ]


def _categories_now(room: RoomOnBoard) -> list[CategoryNow]:
    queues = room.waiting
    return [
        CategoryNow(
            resource_id=ids.show_resource(one.resource),
            category=one.name,
            units=one.units,
            units_left=one.left,
            enough_for=None
            if one.places is None
            else [places_of_queue(one.places, queue, queues) for queue in range(len(queues))],
        )
        for one in room.categories
    ]


def _turn(room: RoomOnBoard, one: QueueOnBoard, key: int) -> Turn:
    if room.opened_at is None:
        return "early"
    if key >= one.front:
        return "waiting"
    return "lost" if key < one.lost_before else "called"


def _minutes(ahead: int, a_minute: int) -> tuple[int, int] | None:
    """From a half more to a third less speed than in the last minute."""
    if not ahead:
        return (0, 1)
    return None if not a_minute else (ahead * 2 // (a_minute * 3), -(-ahead * 3 // (a_minute * 2)))


def _a_minute(one: QueueOnBoard, joins: QueueJoins) -> int:
    return (joins.place_of(one.front) - joins.place_of(one.front_before)) * 60 // RATE_SECONDS


def _queue_now(one: QueueOnBoard, joins: QueueJoins) -> QueueNow:
    called = joins.place_of(one.front)
    return QueueNow(
        name=one.name,
        invited=one.invited,
        joined=joins.total,
        called=called,
        waiting=max(0, joins.total - called),
        a_minute=_a_minute(one, joins),
        front=show_key(one.front),
        lost_before=show_key(one.lost_before),
    )
