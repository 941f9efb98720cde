"""Erasures of owners: what stands in their way, their record, and how far they have come. The work
itself is done turn by turn, by `erasing.py`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal
from uuid import UUID, uuid4

import msgspec

from bespeak import ids
from bespeak.errors import IdempotencyKeyReused, InvalidCursor, InvalidId
from bespeak.inventory.fingerprints import differing_fields, field_print
from bespeak.personal_data.errors import (
    BookingsUpcoming,
    ErasureNotFound,
    MoneyMoving,
    OwnerUnknown,
)
from bespeak.personal_data.upcoming import Upcoming
from bespeak.postgres.queries import load
from bespeak.reservations.holds import booking_of
from bespeak.reservations.ready_resources import ResourceCache
from bespeak.reservations.request import KEY_LENGTH_MAX, OWNER_LENGTH_MAX, check_text

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record

QUERIES = load("bespeak.personal_data", "erasure.sql")
ERASURES_MAX = 1000
_FIELDS = ("owner", "including_upcoming")
_LISTED_MAX = 100
_PAGE = 500
_PSEUDONYM_DIGITS = 26
_BEGINNING = datetime.min.replace(tzinfo=UTC), UUID(int=0)


class Erasure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far the erasure of an owner has come; whose it was, it does not say. `owner_hash` is the
    owner's salted digest. Of the counts, `kept` are bookings that were confirmed after it began,
    and `waiting` holds whose money is moving, which are erased when it has come to rest.
    `replayed` says that this answers a repeated request."""

    id: str
    state: Literal["running", "done"]
    owner_hash: str
    including_upcoming: bool
    asked_by: str
    holds: int
    holds_released: int
    bookings: int
    payments: int
    mails_dropped: int
    kept: int
    waiting: int
    begun_at: datetime
    ended_at: datetime | None
    replayed: bool = False


class ErasurePage(msgspec.Struct, frozen=True):
    """A page of the erasures, the earliest first; `next` is the id to go on after, null at the
    end."""

    items: list[Erasure]
    next: str | None


class Erasures:
    """Begins erasures, and tells of them."""

    def __init__(self, database: Database, ready_resources: ResourceCache) -> None:
        self._database = database
        self._upcoming = Upcoming(ready_resources)

    async def begin(
        self,
        owner: str,
        *,
        including_upcoming: bool = False,
        asked_by: str,
        key: str | None = None,
        erasure_id: UUID | None = None,
    ) -> Erasure:
        """Has all that is known of an owner erased. A repeat is answered with what the first has
        begun; so is one that comes when nothing is there any more. `erasure_id` is that of the
        record of which this is the repetition after a restore.

        Raises OwnerUnknown, MoneyMoving, BookingsUpcoming, IdempotencyKeyReused.
        """
        check_text(owner, "owner", OWNER_LENGTH_MAX)
        if key is not None:
            check_text(key, "idempotency_key", KEY_LENGTH_MAX)
        async with self._database.borrow() as connection:
            contents = await _contents(connection, owner, including_upcoming=including_upcoming)
            row = await connection.fetchrow(QUERIES["recall"], owner, key, contents)
            if row is None:
                row = await self._repeated(connection, owner)
            if row is None:
                begun_at = await self._refuse(connection, owner, leave=including_upcoming)
                row = await connection.fetchrow(
                    QUERIES["begin"],
                    *(erasure_id or uuid4(), owner, _new_pseudonym(), including_upcoming),
                    *(asked_by, key, contents, begun_at),
                )
        if row is None:
            raise TypeError("what begins is answered")
        if row["outcome"] == "key_reused":
            stored = row["erasure"]["fingerprint"]
            raise IdempotencyKeyReused(fields=differing_fields(_FIELDS, contents, stored))
        return erasure_of(row["erasure"], replayed=row["outcome"] != "begun")

    async def check(self, owner: str, *, including_upcoming: bool = False) -> None:
        """Raises what `begin` would raise, and begins nothing."""
        check_text(owner, "owner", OWNER_LENGTH_MAX)
        async with self._database.borrow() as connection:
            if not await connection.fetchval(QUERIES["is_known"], owner):
                raise OwnerUnknown
            await self._refuse(connection, owner, leave=including_upcoming)

    async def get(self, erasure_id: str) -> Erasure:
        """Raises InvalidId, ErasureNotFound."""
        number = ids.parse(ids.ERASURE, erasure_id)
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(QUERIES["get"], number)
        if row is None:
            raise ErasureNotFound(erasure_id=erasure_id)
        return erasure_of(row["erasure"])

    async def page(self, after: str | None = None, limit: int = 100) -> ErasurePage:
        """Raises InvalidCursor."""
        async with self._database.borrow() as connection:
            since = _BEGINNING if after is None else await _place_of(connection, after)
            rows = await connection.fetch(QUERIES["list"], *since, limit + 1)
        found = [erasure_of(row["erasure"]) for row in rows[:limit]]
        return ErasurePage(found, found[-1].id if len(rows) > limit else None)

    async def salt(self) -> bytes:
        """What the digests of owners are salted with."""
        async with self._database.borrow() as connection:
            value: bytes = await connection.fetchval(QUERIES["salt"])
        return value

    async def _repeated(self, connection: Connection, owner: str) -> Record | None:
        """The erasure that has left nothing to erase. Raises OwnerUnknown."""
        if await connection.fetchval(QUERIES["is_known"], owner):
            return None
        row = await connection.fetchrow(QUERIES["latest"], owner)
        if row is None:
            raise OwnerUnknown
        return row

    async def _refuse(self, connection: Connection, owner: str, *, leave: bool) -> datetime:
        """The time by which an erasure begins now. Raises MoneyMoving, BookingsUpcoming."""
        begun_at: datetime = await connection.fetchval(QUERIES["now"])
        await _refuse_moving(connection, owner)
        if not leave:
            await self._refuse_upcoming(connection, owner, begun_at)
        return begun_at

    async def _refuse_upcoming(
        self, connection: Connection, owner: str, begun_at: datetime
    ) -> None:
        found: list[str] = []
        after = _BEGINNING
        while len(found) < _LISTED_MAX:
            rows = await connection.fetch(QUERIES["bookings_after"], owner, begun_at, *after, _PAGE)
            standing = await self._upcoming.among(connection, rows, begun_at)
            found += [booking_of(row["hold"], row["booking"]).id for row in standing]
            if len(rows) < _PAGE:
                break
            after = rows[-1]["confirmed_at"], rows[-1]["booking_id"]
        if found:
            raise BookingsUpcoming(bookings=found[:_LISTED_MAX])


def erasure_of(row: Record, *, replayed: bool = False) -> Erasure:
    """An erasure from its row."""
    return Erasure(
        id=ids.show(ids.ERASURE, row["erasure_id"]),
        state=row["state"],
        owner_hash=row["owner_hash"].hex(),
        including_upcoming=row["including_upcoming"],
        asked_by=row["asked_by"],
        holds=row["holds"],
        holds_released=row["holds_released"],
        bookings=row["bookings"],
        payments=row["payments"],
        mails_dropped=row["mails_dropped"],
        kept=row["kept"],
        waiting=row["waiting"],
        begun_at=row["begun_at"],
        ended_at=row["ended_at"],
        replayed=replayed,
    )


def _new_pseudonym() -> str:
    return f"erased_{ids.random_digits(_PSEUDONYM_DIGITS)}"


async def _contents(connection: Connection, owner: str, *, including_upcoming: bool) -> bytes:
    """What tells this request from another with its key: of the owner no more than is kept."""
    digest: bytes = await connection.fetchval(QUERIES["owner_hash"], owner)
    return digest[:8] + field_print(str(including_upcoming))


async def _refuse_moving(connection: Connection, owner: str) -> None:
    rows = await connection.fetch(QUERIES["moving_money"], owner, _LISTED_MAX)
    if rows:
        payments = [row["payment_id"] for row in rows if row["refund_id"] is None]
        refunds = [row["refund_id"] for row in rows if row["refund_id"] is not None]
        raise MoneyMoving(
            payments=[ids.show(ids.PAYMENT, one) for one in payments],
            refunds=[ids.show(ids.REFUND, one) for one in refunds],
        )


async def _place_of(connection: Connection, cursor: str) -> tuple[datetime, UUID]:
    try:
        row = await connection.fetchrow(QUERIES["get"], ids.parse(ids.ERASURE, cursor))
    except InvalidId as error:
        raise InvalidCursor(after=cursor[:60]) from error
    if row is None:
        raise InvalidCursor(after=cursor[:60])
    return row["erasure"]["begun_at"], row["erasure"]["erasure_id"]
