"""The audit of a waiting room: all that its order follows from, as lines of JSON or in pages, and
the check of such a file by somebody else, who needs nothing but the file. Persons are digests in
it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from bespeak.admission.errors import WaitingRoomNotFound
from bespeak.admission.forms import TAKEN_BACK, EarlyOrder, RoomState, TakenBackOpening
from bespeak.admission.place_keys import FIRST_LATE, draw_of, seed_hash, show_key, time_of
from bespeak.admission.rooms import check_known
from bespeak.errors import InvalidRequest
from bespeak.list_cursors import read_cursor, show_cursor
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.admission", "audit.sql")
_AT_ONCE = 1000
_US = 1_000_000
_BIGINT_MAX = (1 << 63) - 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class AuditedRoom(msgspec.Struct, frozen=True, kw_only=True, tag="room", tag_field="line"):
    """The room, and what its draw follows from: told from the opening on. `taken_back` are
    openings that were undone, after which the order was drawn anew."""

    id: str
    name: str
    state: RoomState
    early_order: EarlyOrder
    early_opens_at: datetime
    opens_at: datetime
    opened_at: datetime | None
    seed_hash: str
    seed: str | None
    public_value: str | None
    taken_back: list[TakenBackOpening] = []
    as_of: datetime


Said: TypeAlias = Annotated[
    object, Meta(extra_json_schema={"description": "what the call that changed it said"})
]


class AuditedChange(msgspec.Struct, frozen=True, kw_only=True, tag="change", tag_field="line"):
    """What an operator said of the room, or (`system`) the clock."""

    at: datetime
    actor: str | None
    changed: dict[str, Said]


class AuditedFront(msgspec.Struct, frozen=True, kw_only=True, tag="front", tag_field="line"):
    """From then on all were called whose place key is less."""

    queue: str
    at: datetime
    front: str


class AuditedPass(msgspec.Struct, frozen=True, kw_only=True, tag="pass", tag_field="line"):
    """Somebody who was let in: the last time, if there were several."""

    queue: str
    subject: str
    place_key: str
    given_at: datetime
    expires_at: datetime
    ended_at: datetime | None
    ended_as: Literal["bought", "left", "lapsed"] | None


AuditLine: TypeAlias = AuditedRoom | AuditedChange | AuditedFront | AuditedPass
_LINES: msgspec.json.Decoder[AuditLine] = msgspec.json.Decoder(AuditLine)


class _Position(NamedTuple):
    """As of when an audit is, which part of it is read, and the key of the last row that was: a
    number and bytes, of which each part makes its own."""

    as_of: datetime
    part: Annotated[int, Meta(ge=0, le=2)]
    number: Annotated[int, Meta(ge=0, le=1 << 53)]
    key: Annotated[bytes, Meta(max_length=32)]


class RoomAuditPage(msgspec.Struct, frozen=True):
    """A page of an audit: the room, then its changes, its fronts, its passes. `next` is the cursor
    of the page after, null at the end."""

    items: list[AuditLine]
    next: str | None


class CheckedAudit(msgspec.Struct, frozen=True, kw_only=True):
    """What a check of an audit found: how many passes are in it, how many of them by the draw, and
    what does not agree. `is_promised_seed`: the seed fits `seed_hash`, which was told before the
    sale (`is_hash_told`: to who checks; else it is the file's own word). `taken_back` are openings
    that were undone, each of which was a draw; where the hash is that of one of these,
    `hash_taken_back_at` says when. `early_turns` were let in before they were called,
    `wrong_draws` have a place that the seed does not give; `fronts_back` are fronts that went
    back."""

    seed_hash: str
    is_hash_told: bool
    is_promised_seed: bool
    taken_back: int
    hash_taken_back_at: datetime | None
    passes: int
    drawn: int
    wrong_draws: int
    early_turns: int
    fronts_back: int

    @property
    def is_good(self) -> bool:
        """Whether all of it agrees."""
        wrong = self.wrong_draws or self.early_turns or self.fronts_back
        return self.is_promised_seed and not wrong


async def audit_lines(connection: Connection, room_id: str) -> AsyncIterator[bytes]:
    """The audit of a room as it stands at one moment, line by line: the room, its changes, its
    fronts, its passes. Raises WaitingRoomNotFound."""
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        lines, position = await _some_lines(connection, room_id, None, _AT_ONCE)
        while True:
            for line in lines:
                yield msgspec.json.encode(line) + b"\n"
            if position is None:
                return
            lines, position = await _some_lines(connection, room_id, position, _AT_ONCE)


async def audit_page(
    connection: Connection, room_id: str, workspace: str | None, after: str | None, limit: int
) -> RoomAuditPage:
    """A page of the audit of a room as it was when the first page was read: what came since is not
    in the ones after. Raises WaitingRoomNotFound, InvalidCursor."""
    position = read_cursor(after, _Position)
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        await check_known(connection, room_id, workspace)
        lines, position = await _some_lines(connection, room_id, position, limit)
    return RoomAuditPage(lines, None if position is None else show_cursor(*position))


async def _some_lines(
    connection: Connection, room_id: str, position: _Position | None, limit: int
) -> tuple[list[AuditLine], _Position | None]:
    """So many lines behind a position, and the position of the last; None at the end."""
    lines: list[AuditLine] = []
    if position is None:
        row = await connection.fetchrow(_QUERIES["room"], room_id)
        if row is None:
            raise WaitingRoomNotFound(waiting_room_id=room_id[:40])
        lines.append(_room_of(row))
        position = _Position(row["as_of"], 0, 0, b"")
    as_of, at, number, key = position
    while at < len(_PARTS):
        part = _PARTS[at]
        left = limit - len(lines)
        behind = part.arguments_of(number, key)
        rows = await connection.fetch(_QUERIES[part.name], room_id, as_of, left + 1, *behind)
        lines += map(part.line_of, rows[:left])
        if len(rows) > left:
            if left > 0:
                number, key = part.key_of(rows[left - 1])
            return lines, _Position(as_of, at, number, key)
        at, number, key = at + 1, 0, b""
    return lines, None


def check_audit(lines: Iterable[bytes], told_hash: str | None = None) -> CheckedAudit:
    """Computes again what an audit says. `told_hash` is the hash of the seed as it was told before
    the sale: the one in the file was written after it. Raises InvalidRequest for what is no
    audit."""
    check: _Check | None = None
    for number, text in enumerate(lines, 1):
        try:
            line = _LINES.decode(text)
            if check is None:
                if not isinstance(line, AuditedRoom):
                    raise InvalidRequest("an audit begins with its room", line=number)
                check = _Check(line, told_hash)
            else:
                check.take(line)
        except (msgspec.DecodeError, ValueError, TypeError) as error:
            raise InvalidRequest(f"line {number} is none of an audit: {error}") from error
    if check is None:
        raise InvalidRequest("the file is empty")
    return check.found()


class _Check:
    """The check of one audit, line by line."""

    def __init__(self, room: AuditedRoom, told_hash: str | None) -> None:
        self._room = room
        self._told_hash = None if told_hash is None else told_hash.lower()
        self._seed = None if room.seed is None else bytes.fromhex(room.seed)
        opened = room.opened_at
        self._opened_us = 0 if opened is None else int(opened.timestamp() * _US)
        self._keys: dict[str, list[int]] = defaultdict(list)
        self._times: dict[str, list[datetime]] = defaultdict(list)
        self._passes = self._drawn = self._wrong = self._early = self._back = 0

    def take(self, line: AuditLine) -> None:
        if isinstance(line, AuditedFront):
            self._take_front(line)
        elif isinstance(line, AuditedPass):
            self._take_pass(line)

    def found(self) -> CheckedAudit:
        promised = self._told_hash or self._room.seed_hash
        return CheckedAudit(
            seed_hash=promised,
            is_hash_told=self._told_hash is not None,
            is_promised_seed=self._seed is not None and seed_hash(self._seed) == promised,
            taken_back=len(self._room.taken_back),
            hash_taken_back_at=next(
                (
                    one.taken_back_at
                    for one in self._room.taken_back
                    if promised == one.seed_hash == seed_hash(bytes.fromhex(one.seed))
                ),
                None,
            ),
            passes=self._passes,
            drawn=self._drawn,
            wrong_draws=self._wrong,
            early_turns=self._early,
            fronts_back=self._back,
        )

    def _take_front(self, line: AuditedFront) -> None:
        keys, times = self._keys[line.queue], self._times[line.queue]
        front = int(line.front, 16)
        self._back += bool(keys) and (front <= keys[-1] or line.at < times[-1])
        keys.append(front)
        times.append(line.at)

    def _take_pass(self, line: AuditedPass) -> None:
        key = int(line.place_key, 16)
        self._passes += 1
        if key < FIRST_LATE:
            self._drawn += 1
            self._wrong += key != self._draw(line)
        elif self._room.early_order == "shuffle":
            # Whoever came before the opening has a draw, and no place by the time.
            self._wrong += time_of(key) < self._opened_us
        keys, times = self._keys[line.queue], self._times[line.queue]
        called = bisect_right(keys, key)  # the first front that is behind the key
        self._early += called == len(keys) or times[called] > line.given_at

    def _draw(self, line: AuditedPass) -> int | None:
        room = self._room
        if self._seed is None or room.public_value is None or room.early_order != "shuffle":
            return None
        return draw_of(self._seed, room.public_value, room.id, bytes.fromhex(line.subject))


def _room_of(row: Record) -> AuditedRoom:
    seed: bytes = row["seed"]
    is_told = row["opened_at"] is not None
    fields = {
        name: row[name]
        for name in AuditedRoom.__struct_fields__
        if name not in ("id", "seed_hash", "seed", "taken_back")
    }
    return AuditedRoom(
        id=row["room_id"],
        seed_hash=seed_hash(seed),
        seed=seed.hex() if is_told else None,
        taken_back=list(TAKEN_BACK.decode(json_text(row["taken_back"]))),
        **fields,
    )


def _change_of(row: Record) -> AuditedChange:
    changed = msgspec.json.decode(json_text(row["changed"]), type=dict[str, object])
    return AuditedChange(at=row["at"], actor=row["actor"], changed=changed)


def _front_of(row: Record) -> AuditedFront:
    return AuditedFront(queue=row["queue"], at=row["moved_at"], front=show_key(row["front"]))


def _pass_of(row: Record) -> AuditedPass:
    subject: bytes = row["subject"]
    fields = {
        name: row[name]
        for name in AuditedPass.__struct_fields__
        if name not in ("subject", "place_key")
    }
    return AuditedPass(subject=subject.hex(), place_key=show_key(row["place_key"]), **fields)


class _Part(NamedTuple):
    """A part of an audit: its statement, the line that a row is, the key by which a row is sorted,
    and a key as the statement takes it."""

    name: str
    line_of: Callable[[Record], AuditLine]
    key_of: Callable[[Record], tuple[int, bytes]]
    arguments_of: Callable[[int, bytes], tuple[object, ...]]


_PARTS = (
    _Part(
        "changes",
        _change_of,
        lambda row: (row["change_id"], b""),
        lambda number, _: (number,),
    ),
    _Part(
        "fronts",
        _front_of,
        lambda row: (row["number"], row["front"].to_bytes(8, "big")),
        lambda number, key: (number, min(int.from_bytes(key, "big"), _BIGINT_MAX)),
    ),
    _Part(
        "passes",
        _pass_of,
        lambda row: ((row["given_at"] - _EPOCH) // timedelta(microseconds=1), row["subject"]),
        lambda number, subject: (_EPOCH + timedelta(microseconds=number), subject),
    ),
)
