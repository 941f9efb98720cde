"""Buyers in a waiting room: they join, look how it stands as often as they are told to and no more,
come in when it is their turn, and leave. Some have no patience, and some try to get by.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec

from bespeak.demo.crowd.client import CrowdClient, ServerReply

_JITTER = 0.3  # of the time between two looks, so that not all look at once
_PATIENCE_SECONDS = (5.0, 40.0)
_PUSHY_EACH = 30  # of so many, one tries to get by
_AGAIN_SECONDS = 2.0
# Addresses that are set aside for trials (RFC 2544): each buyer comes from one of their own.
_TRIAL_NET = (198 << 24) | (18 << 16)
_TRIAL_ADDRESSES = 1 << 17


class SeenQueue(msgspec.Struct):
    """What the crowd reads of one queue of a room."""

    front: str
    lost_before: str


class SeenRoom(msgspec.Struct):
    """What the crowd reads of how a waiting room stands."""

    phase: str
    poll_seconds: int
    queues: list[SeenQueue]


class SeenPlace(msgspec.Struct):
    """What the crowd reads of a place in the queue."""

    turn: str
    place_key: str | None = None


class SeenJoin(msgspec.Struct):
    """What joining gave."""

    queue_token: str


class SeenPass(msgspec.Struct):
    """What the crowd reads of a pass."""

    pass_: str = msgspec.field(name="pass")
    expires_at: datetime


class CountedRoom(msgspec.Struct):
    """What the crowd reads of a room as the database counts it."""

    id: str
    name: str
    state: str
    resources: list[str]
    pass_seconds: int
    units_max: int | None
    let_in: int
    bought: int


class Admission(NamedTuple):
    """Somebody inside: the headers that show it, since when by the server's clock, and the queue
    token."""

    headers: dict[str, str]
    given_at: datetime
    token: str


@dataclass
class QueueTally:
    """What happened in the queue. `before_turn` are those who bought or came in although it was not
    their turn; `turned_away` those who tried."""

    joined: int = 0
    let_in: int = 0
    gave_up: int = 0
    too_late: int = 0
    turned_away: int = 0
    before_turn: int = 0
    looks: int = 0
    place_keys: list[str] = field(default_factory=list)


class CrowdQueue:
    """The waiting room of a rush. `impatient` is the share that leaves before its turn; what is
    refused and should not be is in `faults`, by its code."""

    def __init__(self, client: CrowdClient, room: CountedRoom, impatient: float) -> None:
        self._client = client
        self.room = room
        self._path = f"/v1/waiting-rooms/{room.id}"
        self._impatient = impatient
        self.faults: Counter[str] = Counter()
        self._first_address = secrets.randbelow(_TRIAL_ADDRESSES)
        self.tally = QueueTally()
        self.opened_at: float | None = None

    async def wait(
        self,
        owner: str,
        number: int,
        dice: random.Random,
        push: Callable[[dict[str, str]], Awaitable[ServerReply]],
    ) -> Admission | None:
        """Joins, waits and comes in; None for who goes home. `push` tries to hold something without
        a pass. Raises ServerAway and MsgspecError."""
        address = {"Bespeak-Shopper-Address": self._address(number)}
        answer = await self._client.post(
            f"{self._path}/queue-tokens", _encoded(owner=owner), f"{owner}-join"
        )
        if answer.status != 201:
            self.tally.too_late += 1  # or too early: the queue is not open
            if _code(answer) not in ("waiting_room_closed", "waiting_room_draining"):
                self.faults[_code(answer)] += 1
            return None
        token = msgspec.json.decode(answer.body, type=SeenJoin).queue_token
        self.tally.joined += 1
        if number % _PUSHY_EACH == 0:
            await self._push(owner, token, address, push)
        gives_up_at = float("inf")
        if dice.random() < self._impatient:
            gives_up_at = time.monotonic() + dice.uniform(*_PATIENCE_SECONDS)
        while (place_key := await self._turn(token, gives_up_at, dice)) is not None:
            answer = await self._ask_pass(owner, token, f"{owner}-pass")
            if answer.status == 201:
                return self._inside(answer, token, place_key, address)
            if _code(answer) != "not_your_turn":  # called a moment ago, and nothing is left now
                break
            await asyncio.sleep(_AGAIN_SECONDS)
        else:
            return None
        self.tally.too_late += 1
        if _code(answer) not in ("waiting_room_closed", "turn_lost"):
            self.faults[_code(answer)] += 1
        return None

    async def leave(self, owner: str, admission: Admission) -> None:
        """Gives the pass back, so that somebody else comes in sooner."""
        path = f"{self._path}/passes?queue_token={admission.token}"
        answer = await self._client.delete(path, f"{owner}-leave", {"Bespeak-Owner": owner})
        if answer.status != 204:
            self.faults[_code(answer)] += 1

    def check_hold(self, inside: Admission, held_at: datetime | None) -> None:
        """Counts a hold that is older than its pass, by the clock of the server."""
        if held_at is not None and held_at < inside.given_at:
            self.tally.before_turn += 1

    async def check_front(self) -> None:
        """Counts who came in although the front, as the server has it at the end, never came by
        them. Raises ServerAway and MsgspecError."""
        answer = await self._client.get(f"{self._path}/now")
        if answer.status != 200:
            return  # it has ended meanwhile
        front = msgspec.json.decode(answer.body, type=SeenRoom).queues[0].front
        self.tally.before_turn += sum(key >= front for key in self.tally.place_keys)

    async def _turn(self, token: str, gives_up_at: float, dice: random.Random) -> str | None:
        """Waits for the turn of a token: the place whose turn it is, or None for who goes home."""
        etag, room, place_key = None, None, None
        while time.monotonic() < gives_up_at:
            answer = await self._client.get(
                f"{self._path}/now", {"If-None-Match": etag} if etag else None
            )
            self.tally.looks += 1
            if answer.status == 200:
                etag, room = answer.etag, msgspec.json.decode(answer.body, type=SeenRoom)
            elif answer.status != 304 or room is None:
                self.tally.too_late += 1  # it has ended
                return None
            if room.phase == "sold_out":
                self.tally.too_late += 1
                return None
            if room.phase == "open":
                self.opened_at = self.opened_at or time.monotonic()
                place_key = place_key or await self._place_key(token)
                if place_key is not None and place_key < room.queues[0].front:
                    return place_key
            await asyncio.sleep(room.poll_seconds * (1 + _JITTER * dice.random()))
        self.tally.gave_up += 1
        return None

    async def _place_key(self, token: str) -> str | None:
        """The place, once there is one."""
        answer = await self._client.get(f"{self._path}/place?queue_token={token}")
        if answer.status != 200:
            self.faults[_code(answer)] += 1
            return None
        return msgspec.json.decode(answer.body, type=SeenPlace).place_key

    def _inside(
        self, answer: ServerReply, token: str, place_key: str, address: dict[str, str]
    ) -> Admission:
        given = msgspec.json.decode(answer.body, type=SeenPass)
        self.tally.let_in += 1
        self.tally.place_keys.append(place_key)
        headers = {**address, "Bespeak-Pass": given.pass_}
        given_at = given.expires_at - timedelta(seconds=self.room.pass_seconds)
        return Admission(headers, given_at, token)

    async def _push(
        self,
        owner: str,
        token: str,
        address: dict[str, str],
        push: Callable[[dict[str, str]], Awaitable[ServerReply]],
    ) -> None:
        """Tries to get by: a hold without a pass, and a pass before the turn."""
        held = await push(address)
        if held.status == 201:
            self.tally.before_turn += 1
        elif _code(held) == "pass_required":
            self.tally.turned_away += 1
        else:
            self.faults[_code(held)] += 1
        early = await self._ask_pass(owner, token, f"{owner}-early")
        if _code(early) == "not_your_turn":
            self.tally.turned_away += 1

    async def _ask_pass(self, owner: str, token: str, key: str) -> ServerReply:
        body = _encoded(owner=owner, queue_token=token)
        return await self._client.post(f"{self._path}/passes", body, key)

    def _address(self, number: int) -> str:
        at = _TRIAL_NET + (self._first_address + number) % _TRIAL_ADDRESSES
        return ".".join(str(at >> shift & 255) for shift in (24, 16, 8, 0))


class _Problem(msgspec.Struct):
    code: str = ""


def _code(answer: ServerReply) -> str:
    """The code of a refusal; nothing for what is none."""
    if answer.status < 400:
        return ""
    return msgspec.json.decode(answer.body, type=_Problem).code or str(answer.status)


def _encoded(**fields: str) -> bytes:
    return msgspec.json.encode(fields)
