"""Erasures that are done again: a backup that is older than an erasure still has the owner in it.
The list of erasures names nobody; with its salt, the owners of a restored database are compared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

import msgspec

from bespeak import ids
from bespeak.errors import InvalidRequest
from bespeak.personal_data.erasures import Erasures
from bespeak.personal_data.errors import ErasureNotFound, MoneyMoving
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Database

_QUERIES = load("bespeak.personal_data", "again.sql")
_ROWS = 20_000
LINES_MAX = 1_000_000


class ListedErasure(msgspec.Struct, frozen=True):
    """An erasure as a line of the list: its id, the salted digest of its owner, and when."""

    id: str
    owner_hash: str
    salt: str
    begun_at: datetime
    including_upcoming: bool


class DoneAgain(NamedTuple):
    """What came of a list: how many erasures were begun again, how many of their owners are not
    there (any more), and how many have to wait for money that moves."""

    begun: int
    absent: int
    waiting: int


async def list_lines(erasures: Erasures) -> list[bytes]:
    """The list of all erasures, a line of JSON each. It tells who was erased to whoever can guess
    an owner: keep it as you keep the backups, and not in them."""
    salt = (await erasures.salt()).hex()
    lines: list[bytes] = []
    after: str | None = None
    while True:
        page = await erasures.page(after, 1000)
        for one in page.items:
            listed = ListedErasure(
                one.id, one.owner_hash, salt, one.begun_at, one.including_upcoming
            )
            lines.append(msgspec.json.encode(listed))
        if page.next is None:
            return lines
        after = page.next


def read_lines(content: bytes) -> list[ListedErasure]:
    """The list as it was written. Raises InvalidRequest with the number of the line."""
    lines = content.splitlines()
    if len(lines) > LINES_MAX:
        raise InvalidRequest(f"a list has at most {LINES_MAX:,} lines", field="again")
    found: list[ListedErasure] = []
    for number, line in enumerate(lines, start=1):
        try:
            one = msgspec.json.decode(line, type=ListedErasure)
            bytes.fromhex(one.salt)
            ids.parse(ids.ERASURE, one.id)
        except ValueError as error:
            told = f"line {number} is none of a list of erasures"
            raise InvalidRequest(told, field="again") from error
        found.append(one)
    return found


async def begin_again(
    database: Database, erasures: Erasures, listed: Iterable[ListedErasure], asked_by: str
) -> DoneAgain:
    """Begins each erasure of the list that this database has not heard of, if its owner is there.
    It has the leave to take upcoming bookings: what was erased once is to be erased again."""
    wanted: dict[str, dict[str, ListedErasure]] = {}
    for one in listed:
        if not await _is_known(erasures, one.id):
            wanted.setdefault(one.salt, {})[one.owner_hash] = one
    count = sum(map(len, wanted.values()))
    begun = waiting = 0
    for owner, one in await _owners(database, wanted):
        number: UUID = ids.parse(ids.ERASURE, one.id)
        try:
            await erasures.begin(
                owner, including_upcoming=True, asked_by=asked_by, erasure_id=number
            )
            begun += 1
        except MoneyMoving:
            waiting += 1
    return DoneAgain(begun, count - begun - waiting, waiting)


async def _is_known(erasures: Erasures, erasure_id: str) -> bool:
    try:
        await erasures.get(erasure_id)
    except ErasureNotFound:
        return False
    return True


async def _owners(
    database: Database, wanted: Mapping[str, Mapping[str, ListedErasure]]
) -> list[tuple[str, ListedErasure]]:
    """The owners that are wanted and there, each with its erasure: all holds are gone through."""
    found: dict[str, ListedErasure] = {}
    resource, hold = 0, UUID(int=0)
    async with database.borrow() as connection:
        while wanted:
            rows = await connection.fetch(_QUERIES["owners_after"], resource, hold, _ROWS)
            for row in rows:
                for one in _matching(row["owner"], wanted):
                    found[row["owner"]] = one
            if len(rows) < _ROWS:
                break
            resource, hold = rows[-1]["resource_id"], rows[-1]["hold_id"]
    return list(found.items())


def _matching(
    owner: str, wanted: Mapping[str, Mapping[str, ListedErasure]]
) -> Iterator[ListedErasure]:
    for salt, of_salt in wanted.items():
        # As bespeak.erasure_digest makes it.
        digest = hashlib.sha256(bytes.fromhex(salt) + owner.encode() + b"\0").hexdigest()
        if digest in of_salt:
            yield of_salt[digest]
