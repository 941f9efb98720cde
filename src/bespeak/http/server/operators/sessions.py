"""The sessions of operators, a row each. The cookie has a random text, signed, so that made-up ones
cost no look-up; each process trusts what it read for some seconds, so that a session that was ended
is refused everywhere within that time.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bespeak import ids
from bespeak.cache import Cache
from bespeak.http.server.cookies import CONSOLE
from bespeak.http.server.keys import TRUST_SECONDS, ApiKey
from bespeak.http.server.operators.accounts import as_caller
from bespeak.http.server.operators.errors import LoginFailed, OperatorSessionNotFound
from bespeak.postgres.pool import FAULTS
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

_QUERIES = load("bespeak.http.server.operators", "sessions.sql")
_PREFIX = "ops_"
_DIGITS = 32
_ID_DIGITS = 16
_SEEN_SECONDS = 300
_CACHED_MAX = 10_000
_AGENTS = (
    ("Edg", re.compile(r"\bEdg/")),
    ("Firefox", re.compile(r"\bFirefox/")),
    ("Chrome", re.compile(r"\b(?:Headless)?Chrom(?:e|ium)/")),
    ("Safari", re.compile(r"\bSafari/")),
)


class ProvedBy(StrEnum):
    """By what an operator proved who they are; a code is one of the authenticator app, with the
    password, or a recovery code."""

    PASSKEY = "passkey"
    CODE = "code"
    PASSWORD = "password"  # noqa: S105 (the word for the way)


class OperatorSession(NamedTuple):
    """A session that is open: its operator as the caller whom calls are judged by."""

    id: str
    caller: ApiKey
    digest: bytes
    expires_at: datetime


class OpenSession(msgspec.Struct, frozen=True):
    """A session as its operator sees it: where it came from, and when it was last used, to within
    five minutes."""

    id: str
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    address: str
    agent: str
    is_this: bool


class OperatorSessions:
    """The sessions of all operators; one that is not used for `idle_seconds` is over."""

    def __init__(self, database: Database, secret: bytes, idle_seconds: int) -> None:
        self._database = database
        # That it was used is written down from time to time: nobody is to be put out before.
        self._unseen_max = idle_seconds + _SEEN_SECONDS
        self._key = hmac.digest(secret, b"bespeak operator sessions", "sha256")
        self._cache: Cache[str, OperatorSession | None] = Cache(
            seconds=TRUST_SECONDS, size_max=_CACHED_MAX
        )

    @staticmethod
    def is_text(token: str | None) -> bool:
        """Whether a cookie is an operator's; those of keys look otherwise."""
        return token is not None and token.startswith(_PREFIX)

    async def open(
        self,
        connection: Connection,
        operator_id: str,
        proved_by: ProvedBy,
        address: str,
        agent: str | None,
    ) -> tuple[str, OperatorSession]:
        """A new session, and what its cookie keeps. In the transaction of the login. Raises
        LoginFailed where the operator was disabled meanwhile."""
        number = _PREFIX + ids.random_digits(_DIGITS)
        text = f"{number}.{self._mac(number)}"
        session_id = "ses_" + ids.random_digits(_ID_DIGITS)
        ends = CONSOLE.seconds
        columns = (session_id, _digest(text), operator_id, ends, proved_by.value, address)
        made = await connection.fetchval(_QUERIES["open"], *columns, agent_family(agent))
        if made is None:
            raise LoginFailed
        session = await self._load(connection, text)
        if session is None:
            raise LoginFailed
        return text, session

    async def find(self, text: str) -> OperatorSession | None:
        """The open session of a cookie's text; None where it is forged, over or ended, or its
        operator disabled."""
        number, _, mac = text.partition(".")
        if not hmac.compare_digest(mac.encode(), self._mac(number).encode()):
            return None
        return await self._cache.get(text, partial(self._find, text))

    async def end(self, connection: Connection, operator_id: str, session_id: str) -> None:
        """Ends one of an operator's sessions: here at once, elsewhere within the trusted time.
        Raises OperatorSessionNotFound."""
        ended = None
        if session_id.isprintable():  # PostgreSQL takes no text with a zero byte
            ended = await connection.fetchval(_QUERIES["end"], operator_id, session_id)
        if ended is None:
            raise OperatorSessionNotFound
        self.forget()

    async def end_others(self, connection: Connection, session: OperatorSession) -> None:
        """Ends all sessions of an operator but this one."""
        await connection.execute(_QUERIES["end_others"], session.caller.id, session.id)
        self.forget()

    def forget(self) -> None:
        """Looks every session up anew, since some were ended."""
        self._cache = Cache(seconds=TRUST_SECONDS, size_max=_CACHED_MAX)

    async def _find(self, text: str) -> OperatorSession | None:
        async with self._database.borrow() as connection:
            return await self._load(connection, text)

    async def _load(self, connection: Connection, text: str) -> OperatorSession | None:
        row = await connection.fetchrow(
            _QUERIES["find"], _digest(text), _SEEN_SECONDS, self._unseen_max
        )
        if row is None:
            return None
        if row["seen_long_ago"]:
            with suppress(*FAULTS):
                await connection.execute(_QUERIES["seen"], row["session_id"])
        return OperatorSession(
            row["session_id"], as_caller(row), row["hash"], row["session_expires_at"]
        )

    async def open_ones(
        self, connection: Connection, operator_id: str, own: str | None
    ) -> list[OpenSession]:
        """The open sessions of an operator, the latest first; `own` is the id of the one that
        asks."""
        rows = await connection.fetch(_QUERIES["list"], operator_id, self._unseen_max)
        named = [
            {**row, "id": row["session_id"], "is_this": row["session_id"] == own} for row in rows
        ]
        return msgspec.convert(named, list[OpenSession])

    def _mac(self, number: str) -> str:
        return hmac.digest(self._key, number.encode(), "sha256").hex()


def agent_family(agent: str | None) -> str:
    """What browser it is, and no more: of the rest somebody could be recognized."""
    found = (name for name, pattern in _AGENTS if pattern.search(agent or ""))
    family = next(found, "other")
    return "Edge" if family == "Edg" else family


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
