"""How operators prove who they are: at the login, by the link that sets one up, and again before
what takes a proof. Each way in opens a new session, and its entry in the audit log is written with
it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bespeak.errors import BespeakError
from bespeak.http.server.audit_log import add_entry
from bespeak.http.server.operators.authenticator import Authenticators
from bespeak.http.server.operators.credentials import Credential, JsonObject
from bespeak.http.server.operators.errors import (
    LoginFailed,
    ProofFailed,
    SecondFactorRequired,
    StepUpRequired,
)
from bespeak.http.server.operators.links import OpenedLink, digest_of, look_at_link, use_link
from bespeak.http.server.operators.passkeys import Passkeys
from bespeak.http.server.operators.passwords import Passwords, check_password
from bespeak.http.server.operators.sessions import OperatorSession, OperatorSessions, ProvedBy
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database

_QUERIES = load("bespeak.http.server.operators", "logins.sql")
PROOF_MINUTES = 5
_LOG_IN = "log in"


class Visit(NamedTuple):
    """Where a login comes from."""

    address: str
    agent: str | None


class Operators:
    """The logins of an installation."""

    def __init__(
        self, database: Database, secret: bytes, public_url: str, idle_seconds: int
    ) -> None:
        self._database = database
        self.passwords = Passwords()
        self.passkeys = Passkeys(secret, public_url)
        self.authenticators = Authenticators(secret)
        self.sessions = OperatorSessions(database, secret, idle_seconds)

    def close(self) -> None:
        self.passwords.close()

    async def passkey_request(self) -> JsonObject:
        """What a browser is asked for a login. Raises PasskeysUnavailable."""
        async with self._database.borrow() as connection:
            return await self.passkeys.request(connection, None, _LOG_IN)

    async def log_in_by_passkey(
        self, credential: Credential, visit: Visit
    ) -> tuple[str, OperatorSession]:
        """A new session, and what its cookie keeps. Raises LoginFailed, PasskeysUnavailable."""
        async with self._database.borrow() as connection, connection.transaction():
            try:
                operator_id = await self.passkeys.use(connection, None, _LOG_IN, credential)
            except ProofFailed as error:
                raise LoginFailed from error
            return await self._open(connection, operator_id, ProvedBy.PASSKEY, visit)

    async def log_in_by_password(
        self, login: str, password: str, code: str | None, visit: Visit
    ) -> tuple[str, OperatorSession]:
        """A new session, and what its cookie keeps. Nobody learns by answers or times whether there
        is such an operator. Raises LoginFailed, SecondFactorRequired, RateLimited, Overloaded."""
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(_QUERIES["by_login"], login.replace("\0", ""))
        kept = None if row is None else row["password_hash"]
        if not await self.passwords.matches(kept, password) or row is None:
            raise LoginFailed
        operator_id, by = row["operator_id"], ProvedBy.PASSWORD
        if row["has_authenticator"]:
            if not code:
                raise SecondFactorRequired
            await self._take_code(operator_id, code, LoginFailed())
            by = ProvedBy.CODE
        async with self._database.borrow() as connection, connection.transaction():
            if await connection.fetchval(_QUERIES["still"], operator_id, kept) is None:
                raise LoginFailed  # it was changed since it was compared
            return await self._open(connection, operator_id, by, visit)

    async def look(self, link: str) -> tuple[OpenedLink, JsonObject | None]:
        """What a link is for, and what a browser is asked to make a passkey with, where there are
        passkeys at all. Raises OperatorLinkInvalid."""
        async with self._database.borrow() as connection:
            opened = await look_at_link(connection, link)
            options = None
            if self.passkeys.is_available:
                purpose = digest_of(link).hex()
                options = await self.passkeys.creation(connection, opened.operator, purpose)
            return opened, options

    async def set_up(
        self,
        link: str,
        credential: Credential | None,
        password: str | None,
        name: str,
        visit: Visit,
    ) -> tuple[str, OperatorSession]:
        """Uses a link up and sets up its operator's login, by a passkey or else a password.
        Raises OperatorLinkInvalid, ProofFailed, InvalidRequest, PasswordTooEasy,
        PasskeysUnavailable."""
        kept = None
        if credential is None:
            check_password(password or "")
            async with self._database.borrow() as connection:
                # Before the time of a hash is spent on it.
                invited = (await look_at_link(connection, link)).operator
            kept = await self.passwords.hash(password or "", (invited.login, invited.name))
        async with self._database.borrow() as connection, connection.transaction():
            opened = await use_link(connection, link)
            operator_id = opened.operator.id
            purpose = digest_of(link).hex()
            if credential is not None:
                await self.passkeys.create(connection, operator_id, purpose, credential, name)
            else:
                await connection.execute(_QUERIES["set_password"], operator_id, kept)
            await add_entry(
                connection, operator_id, f"{opened.purpose}_used", address=visit.address
            )
            by = ProvedBy.PASSWORD if credential is None else ProvedBy.PASSKEY
            made = await self._open(connection, operator_id, by, visit)
        self.sessions.forget()
        return made

    async def check_proof(self, session: OperatorSession, *, is_own: bool = False) -> None:
        """Whether the operator proved who they are within the last minutes, by a passkey or a code;
        for their own account (`is_own`) by the password where they have neither. It is read anew:
        another process may have seen the proof. Raises StepUpRequired."""
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(_QUERIES["proof"], session.id, PROOF_MINUTES)
        if row is None:
            raise StepUpRequired(ways=[])
        ways = [str(way) for way in (ProvedBy.PASSKEY, ProvedBy.CODE) if row[f"has_{way}"]]
        if is_own and not ways:
            ways.append(str(ProvedBy.PASSWORD))
        if not row["is_recent"] or row["proved_by"] not in (*ways, ProvedBy.PASSKEY, ProvedBy.CODE):
            raise StepUpRequired(ways=ways)

    async def proof_request(self, session: OperatorSession) -> JsonObject:
        """What a browser is asked for a proof by a passkey. Raises PasskeysUnavailable."""
        async with self._database.borrow() as connection:
            purpose = f"prove {session.id}"
            return await self.passkeys.request(connection, session.caller.id, purpose)

    async def prove(
        self,
        session: OperatorSession,
        credential: Credential | None,
        code: str | None,
        password: str | None,
        address: str,
    ) -> None:
        """Notes that the operator proved who they are. Raises ProofFailed, RateLimited,
        Overloaded, PasskeysUnavailable."""
        operator_id, by = session.caller.id, ProvedBy.PASSKEY
        if credential is None and code is not None:
            await self._take_code(operator_id, code, ProofFailed())
            by = ProvedBy.CODE
        elif credential is None:
            async with self._database.borrow() as connection:
                kept = await connection.fetchval(_QUERIES["password_of"], operator_id)
            if not await self.passwords.matches(kept, password or ""):
                raise ProofFailed
            by = ProvedBy.PASSWORD
        async with self._database.borrow() as connection, connection.transaction():
            if credential is not None:
                purpose = f"prove {session.id}"
                await self.passkeys.use(connection, operator_id, purpose, credential)
            await connection.execute(_QUERIES["proved"], session.id, by.value)
            await add_entry(connection, operator_id, "proved", subject=by.value, address=address)

    async def _take_code(self, operator_id: str, code: str, error: BespeakError) -> None:
        # In no transaction: that a wrong code came is kept, whatever becomes of the call.
        async with self._database.borrow() as connection:
            if not await self.authenticators.take(connection, operator_id, code):
                raise error

    async def _open(
        self, connection: Connection, operator_id: str, by: ProvedBy, visit: Visit
    ) -> tuple[str, OperatorSession]:
        made = await self.sessions.open(connection, operator_id, by, *visit)
        await add_entry(connection, operator_id, "log_in", subject=by.value, address=visit.address)
        return made
