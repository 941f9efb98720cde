"""The codes of a batch, written out: they stand nowhere and are made anew from their numbers, some
at a time, as nobody may wait for a hundred thousand of them.
"""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Iterator, Mapping
from datetime import datetime
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bespeak.admission.errors import InviteCodeUnknown
from bespeak.admission.invite_codes import InviteCode, InviteCodes
from bespeak.admission.invites import InviteBatch
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.admission", "invites.sql")
_CHUNK = 1000
# So many are made at a time; others go on meanwhile.
_AT_ONCE = 100


class ListedInviteCode(msgspec.Struct, frozen=True):
    """A code of a batch, with how many persons have joined by it."""

    serial: int
    code: str
    used: int
    revoked_at: datetime | None


class InviteCodePage(msgspec.Struct, frozen=True):
    """A page of the codes of a batch, by their numbers; `next` is the cursor of the one after, null
    at the end."""

    items: list[ListedInviteCode]
    next: str | None


class SomeCodes(NamedTuple):
    """Codes of a batch that follow one another, with those rows that some of them have."""

    batch: InviteBatch
    serials: range
    rows: Mapping[int, Record]

    @property
    def has_more(self) -> bool:
        """Whether the batch goes on behind them."""
        return self.serials.stop <= self.batch.codes


async def some_codes(
    connection: Connection, room_id: str, batch: InviteBatch, after: int, limit: int
) -> SomeCodes:
    """So many codes of a batch behind one, by their numbers."""
    first = min(batch.codes, after) + 1
    last = min(batch.codes, first + limit - 1)
    rows = await connection.fetch(_QUERIES["codes"], room_id, batch.batch, first, last)
    return SomeCodes(batch, range(first, last + 1), {row["serial"]: row for row in rows})


async def write_out(codes: InviteCodes, room_id: str, some: SomeCodes) -> list[ListedInviteCode]:
    """These codes as they are typed. It takes a while, and no connection."""
    listed = []
    for serial in some.serials:
        row = some.rows.get(serial)
        used, revoked_at = (0, None) if row is None else (row["used"], row["revoked_at"])
        text = codes.make(room_id, InviteCode(some.batch.batch, serial))
        listed.append(ListedInviteCode(serial, text, used, revoked_at))
        if serial % _AT_ONCE == 0:
            await asyncio.sleep(0)
    return listed


def check_serial(batch: InviteBatch, serial: int) -> InviteCode:
    """The code of a batch with this number. Raises InviteCodeUnknown."""
    if not 1 <= serial <= batch.codes:
        raise InviteCodeUnknown("the batch has no code with this number", field="serial")
    return InviteCode(batch.batch, serial)


def codes_csv(codes: InviteCodes, room_id: str, batch: InviteBatch) -> Iterator[bytes]:
    """The codes of a batch as CSV (RFC 4180), a thousand lines at a time."""
    yield b"serial,code\r\n"
    for start in range(1, batch.codes + 1, _CHUNK):
        text = StringIO()
        serials = range(start, min(start + _CHUNK, batch.codes + 1))
        csv.writer(text).writerows(
            (serial, codes.make(room_id, InviteCode(batch.batch, serial))) for serial in serials
        )
        yield text.getvalue().encode()
