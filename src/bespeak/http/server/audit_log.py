"""The audit log: who asked for what. It is only added to. What was refused for want of a right is
counted in memory and added once in a while, so that nobody fills the disk by being refused.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from bespeak.postgres.pool import FAULTS
from bespeak.postgres.queries import load
from bespeak.postgres.tally import Tally

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

_QUERIES = load("bespeak.http.server", "audit_log.sql")
_FLUSH_SECONDS = 60.0
# Different refusals of a minute that have entries of their own; what comes beyond is one entry.
_REFUSALS_MAX = 200
_OTHERS = ("nobody", "any", "others")
_SUBJECT_LENGTH_MAX = 100
NOBODY = "nobody"

_Refusal: TypeAlias = tuple[str, str, str]
Outcome: TypeAlias = Literal["asked", "refused", "done"]


class AuditEntry(msgspec.Struct, frozen=True, kw_only=True):
    """That somebody asked for something. `asked` was written before it was done; `refused` says
    that it was not, with the code, and of rights and logins how many times; `done` was written with
    its effect. `subject` is an id, or the salted digest of an owner."""

    id: str
    at: datetime
    actor: str
    actor_name: str | None
    action: str
    outcome: Outcome
    subject: str | None
    code: str | None
    address: str | None
    times: int


class AuditFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which entries: before one, of whom, of what, of which time, and of which workspace."""

    before: int
    actor: str | None
    action: str | None
    subject: str | None
    since: datetime
    until: datetime
    workspace: str | None


async def add_entry(
    connection: Connection,
    actor: str,
    action: str,
    outcome: Outcome = "done",
    *,
    subject: str | None = None,
    owner: str | None = None,
    code: str | None = None,
    address: str | None = None,
) -> None:
    """Adds an entry, in the transaction of what it tells of where there is one."""
    about = None if subject is None else "".join(filter(str.isprintable, subject))
    # The call itself judges what is no name of an owner; PostgreSQL takes no text with a zero byte.
    named = None if owner is None else owner.replace("\0", "")
    await connection.execute(
        _QUERIES["add"],
        actor,
        action,
        outcome,
        about and about[:_SUBJECT_LENGTH_MAX],
        named,
        code,
        address,
    )


async def read_entries(connection: Connection, wanted: AuditFilter, limit: int) -> list[AuditEntry]:
    """Entries, the latest first."""
    rows = await connection.fetch(_QUERIES["page"], *msgspec.structs.astuple(wanted), limit)
    return [msgspec.convert({"id": f"aud_{row['entry_id']}", **row}, AuditEntry) for row in rows]


class AuditLog:
    """The log as a worker of the API writes it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._refused: Tally[_Refusal] = Tally(
            self._write, _FLUSH_SECONDS, "refused rights are not in the audit log"
        )
        self.flush = self._refused.flush
        self.run = self._refused.run

    async def asked(
        self, actor: str, action: str, subject: str | None, owner: str | None, address: str
    ) -> None:
        """Says that somebody asks for something; when it returns, that is on disk. Raises
        DatabaseUnavailable, and then nothing may be done."""
        async with self._database.borrow() as connection:
            await add_entry(
                connection, actor, action, "asked", subject=subject, owner=owner, address=address
            )

    async def refused(self, actor: str, action: str, subject: str | None, code: str) -> None:
        """Says that what was asked for was not done. Where the database is away, the answer that
        the caller gets is the only one."""
        with suppress(*FAULTS):
            async with self._database.borrow() as connection:
                await add_entry(connection, actor, action, "refused", subject=subject, code=code)

    def count_refusal(self, actor: str, action: str, code: str) -> None:
        """Counts a right or a login that was refused; it is in the log within a minute."""
        found, counts = (actor, action, code), self._refused.counts
        if found not in counts and len(counts) >= _REFUSALS_MAX:
            found = _OTHERS
        counts[found] += 1

    async def _write(self, counts: Counter[_Refusal]) -> None:
        actors, actions, codes = (list(column) for column in zip(*counts, strict=True))
        await self._database.pool.execute(
            _QUERIES["add_refusals"], actors, actions, codes, list(counts.values())
        )
