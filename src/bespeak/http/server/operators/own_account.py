"""What operators change of their own account: passkeys, password, authenticator app, sessions.
Whatever opens a way in takes a proof of who they are that is at most some minutes old.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bespeak.http.server.audit_log import add_entry
from bespeak.http.server.operators.accounts import Operator, get
from bespeak.http.server.operators.authenticator import NewAuthenticator
from bespeak.http.server.operators.credentials import Credential, JsonObject
from bespeak.http.server.operators.errors import LastLogin, ProofFailed
from bespeak.http.server.operators.logins import Operators
from bespeak.http.server.operators.passkeys import PasskeyView, passkeys_of, remove_passkey
from bespeak.http.server.operators.sessions import OpenSession, OperatorSession
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Database

_QUERIES = load("bespeak.http.server.operators", "own_account.sql")


class OwnAccountView(msgspec.Struct, frozen=True, kw_only=True):
    """An operator's own account. `passkeys_available` says whether browsers have passkeys at this
    address; `proved_until` until when no other proof is asked for."""

    operator: Operator
    passkeys: list[PasskeyView]
    recovery_codes_left: int
    sessions: list[OpenSession]
    passkeys_available: bool
    proved_until: datetime


class OwnAccount(NamedTuple):
    """The account of the operator of a session."""

    database: Database
    operators: Operators
    session: OperatorSession
    address: str

    async def view(self) -> OwnAccountView:
        own = self.session.caller.id
        async with self.database.borrow() as connection:
            return OwnAccountView(
                operator=await get(connection, own),
                passkeys=await passkeys_of(connection, own),
                recovery_codes_left=await connection.fetchval(_QUERIES["codes_left"], own),
                sessions=await self.operators.sessions.open_ones(connection, own, self.session.id),
                passkeys_available=self.operators.passkeys.is_available,
                proved_until=await connection.fetchval(_QUERIES["proved_until"], self.session.id),
            )

    async def passkey_creation(self) -> JsonObject:
        """Raises StepUpRequired, PasskeysUnavailable."""
        await self._check()
        async with self.database.borrow() as connection:
            operator = await get(connection, self.session.caller.id)
            return await self.operators.passkeys.creation(connection, operator, self.session.id)

    async def add_passkey(self, credential: Credential, name: str) -> PasskeyView:
        """Raises StepUpRequired, ProofFailed, TooManyPasskeys, PasskeysUnavailable."""
        await self._check()
        own = self.session.caller.id
        async with self.database.borrow() as connection, connection.transaction():
            made = await self.operators.passkeys.create(
                connection, own, self.session.id, credential, name
            )
            await add_entry(connection, own, "passkey_added", subject=made.id, address=self.address)
        return made

    async def remove_passkey(self, passkey_id: str) -> None:
        """Raises StepUpRequired, PasskeyNotFound, LastLogin."""
        await self._check()
        own = self.session.caller.id
        async with self.database.borrow() as connection, connection.transaction():
            await connection.execute(_QUERIES["lock"], own)
            await remove_passkey(connection, own, passkey_id)
            if not await connection.fetchval(_QUERIES["can_log_in"], own):
                raise LastLogin
            await add_entry(
                connection, own, "passkey_removed", subject=passkey_id, address=self.address
            )

    async def set_password(self, password: str) -> None:
        """Sets the password; all other sessions end. Raises StepUpRequired, InvalidRequest,
        PasswordTooEasy, Overloaded."""
        await self._check()
        own = self.session.caller.id
        async with self.database.borrow() as connection:
            operator = await get(connection, own)
        kept = await self.operators.passwords.hash(password, (operator.login, operator.name))
        async with self.database.borrow() as connection, connection.transaction():
            await connection.execute(_QUERIES["set_password"], own, kept)
            await self.operators.sessions.end_others(connection, self.session)
            await add_entry(connection, own, "password_set", address=self.address)

    async def remove_password(self) -> None:
        """Raises StepUpRequired, LastLogin."""
        await self._check()
        own = self.session.caller.id
        async with self.database.borrow() as connection, connection.transaction():
            await connection.execute(_QUERIES["lock"], own)
            await connection.execute(_QUERIES["set_password"], own, None)
            if not await connection.fetchval(_QUERIES["can_log_in"], own):
                raise LastLogin
            await add_entry(connection, own, "password_removed", address=self.address)

    async def begin_authenticator(self) -> NewAuthenticator:
        """Raises StepUpRequired."""
        await self._check()
        own = self.session.caller.id
        async with self.database.borrow() as connection:
            operator = await get(connection, own)
            return await self.operators.authenticators.begin(connection, own, operator.login)

    async def finish_authenticator(self, code: str) -> list[str]:
        """Raises StepUpRequired, ProofFailed, RateLimited."""
        await self._check()
        own = self.session.caller.id
        async with self.database.borrow() as connection, connection.transaction():
            codes = await self.operators.authenticators.finish(connection, own, code)
            if codes is not None:
                await add_entry(connection, own, "authenticator_set", address=self.address)
        if codes is None:
            raise ProofFailed
        return codes

    async def remove_authenticator(self) -> None:
        """Raises StepUpRequired."""
        await self._check()
        own = self.session.caller.id
        async with self.database.borrow() as connection, connection.transaction():
            await self.operators.authenticators.remove(connection, own)
            await add_entry(connection, own, "authenticator_removed", address=self.address)

    async def end_session(self, session_id: str) -> None:
        """Raises StepUpRequired, OperatorSessionNotFound."""
        await self._check()
        own = self.session.caller.id
        async with self.database.borrow() as connection, connection.transaction():
            await self.operators.sessions.end(connection, own, session_id)
            await add_entry(
                connection, own, "session_ended", subject=session_id, address=self.address
            )
        self.operators.sessions.forget()

    async def _check(self) -> None:
        await self.operators.check_proof(self.session, is_own=True)
