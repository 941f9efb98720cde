"""The audit log: who asked for what. It is only added to. What was refused for want of a right is
counted in memory and added once in a while, so that nobody fills the disk by being refused.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec
import structlog

from bespeak.postgres.pool import FAULTS, is_away
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

_QUERIES = load("bespeak.http.server", "audit_log.sql")
_FLUSH_SECONDS = 60.0
# Different refusals of a minute that have entries of their own; what comes beyond is one entry.
_REFUSALS_MAX = 200
_OTHERS = ("nobody", "any", "others")
_SUBJECT_LENGTH_MAX = 100
NOBODY = "nobody"
CLI = "cli"
_log = structlog.get_logger()

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
    """Which entries: before one, of whom, of what, and of which time."""

    before: int | None
    actor: str | None
    action: str | None
    subject: str | None
    since: datetime
    until: datetime


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
        self._refused: Counter[tuple[str, str, str]] = Counter()

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
        found = (actor, action, code)
        if found not in self._refused and len(self._refused) >= _REFUSALS_MAX:
            found = _OTHERS
        self._refused[found] += 1

    async def flush(self) -> None:
        """Adds what was counted. Raises what asyncpg raises, and then keeps it."""
        counts, self._refused = self._refused, Counter()
        if not counts:
            return
        actors, actions, codes = (list(column) for column in zip(*counts, strict=True))
        try:
            await self._database.pool.execute(
                _QUERIES["add_refusals"], actors, actions, codes, list(counts.values())
            )
        except FAULTS:
            self._refused.update(counts)
            raise

    async def run(self) -> None:
        """Flushes once a minute, and once more when it is cancelled."""
        try:
            while True:
                await asyncio.sleep(_FLUSH_SECONDS)
                await self._flush_gently()
        finally:
            await self._flush_gently()

    async def _flush_gently(self) -> None:
        try:
            await self.flush()
        except FAULTS as error:
            if not is_away(error):
                _log.error("refused rights are not in the audit log", error=str(error))
