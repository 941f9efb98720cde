"""Passkeys (WebAuthn): what a browser is asked, and whether its answer is right. Signatures are
judged in `ceremonies.py`; that each challenge is ours, is for this and is answered once is judged
here.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.http.server.operators.accounts import NAME_LENGTH_MAX, Operator
from bespeak.http.server.operators.challenges import Challenges, answer_once
from bespeak.http.server.operators.credentials import Credential, JsonObject, KnownPasskey
from bespeak.http.server.operators.errors import (
    PasskeyNotFound,
    PasskeysUnavailable,
    ProofFailed,
    TooManyPasskeys,
)
from bespeak.http.server.operators.sites import RelyingParty, relying_party
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.http.server.operators.ceremonies import Ceremonies
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.http.server.operators", "passkeys.sql")
_ID_DIGITS = 16
_PASSKEYS_MAX = 20
_CREDENTIAL_BYTES_MAX = 1023


class PasskeyView(msgspec.Struct, frozen=True):
    """A passkey of an operator."""

    id: str
    name: str
    created_at: datetime
    last_used_at: datetime | None


class Passkeys:
    """The passkeys of an installation at its public address."""

    def __init__(self, secret: bytes, public_url: str) -> None:
        self.site = relying_party(public_url)
        self._challenges = Challenges(secret)
        self._kind: type[Ceremonies] | None = None

    @property
    def is_available(self) -> bool:
        return self.site is not None

    async def creation(
        self, connection: Connection, operator: Operator, purpose: str
    ) -> JsonObject:
        """What a browser is asked to make a passkey with. Raises PasskeysUnavailable."""
        ceremonies = await self._ceremonies()
        challenge = self._challenges.make(f"create {purpose}")
        known = await _known(connection, operator.id)
        return ceremonies.creation_options(operator, challenge, known)

    async def create(
        self,
        connection: Connection,
        operator_id: str,
        purpose: str,
        credential: Credential,
        name: str,
    ) -> PasskeyView:
        """Keeps a new passkey. In a transaction of the caller's. Raises ProofFailed,
        TooManyPasskeys, PasskeysUnavailable."""
        ceremonies = await self._ceremonies()
        creation = ceremonies.read_creation(credential)
        self._check(creation.challenge, f"create {purpose}")
        made = ceremonies.verify_creation(creation)
        if len(made.credential_id) > _CREDENTIAL_BYTES_MAX:
            raise ProofFailed
        if not await answer_once(connection, creation.challenge):
            raise ProofFailed("this challenge was answered before")
        passkey_id = "psk_" + ids.random_digits(_ID_DIGITS)
        await connection.execute(_QUERIES["lock"], operator_id)
        if await connection.fetchval(_QUERIES["count"], operator_id) >= _PASSKEYS_MAX:
            raise TooManyPasskeys(limit=_PASSKEYS_MAX)
        row = await connection.fetchrow(
            _QUERIES["insert"], passkey_id, operator_id, *made, _short(name)
        )
        if row is None:
            raise ProofFailed("this passkey is known already")
        return _view(row)

    async def request(
        self, connection: Connection, operator_id: str | None, purpose: str
    ) -> JsonObject:
        """What a browser is asked to use a passkey with: one of an operator, or, where that is not
        known yet, any that it has for this site. Raises PasskeysUnavailable."""
        ceremonies = await self._ceremonies()
        known = [] if operator_id is None else await _known(connection, operator_id)
        return ceremonies.use_options(self._challenges.make(f"use {purpose}"), known)

    async def use(
        self, connection: Connection, operator_id: str | None, purpose: str, credential: Credential
    ) -> str:
        """Whose passkey answered; it must be this operator's where one is named. In a transaction
        of the caller's. Raises ProofFailed, PasskeysUnavailable."""
        ceremonies = await self._ceremonies()
        use = ceremonies.read_use(credential)
        self._check(use.challenge, f"use {purpose}")
        row = await self._row(connection, use.credential_id, operator_id)
        if use.operator_id not in (None, row["operator_id"].encode()):
            raise ProofFailed
        count = ceremonies.verify_use(use, row["public_key"], row["sign_count"])
        if not await answer_once(connection, use.challenge):
            raise ProofFailed("this challenge was answered before")
        # An authenticator that counts must have counted on since the last time, also since a
        # moment ago: who lags behind is a copy.
        await connection.execute(_QUERIES["lock"], row["operator_id"])
        if await connection.fetchval(_QUERIES["used"], row["passkey_id"], count) is None:
            raise ProofFailed
        return str(row["operator_id"])

    async def _ceremonies(self) -> Ceremonies:
        """Loaded by the first call, in a thread: the others go on meanwhile. Raises
        PasskeysUnavailable."""
        site = self._available()
        kind = await asyncio.to_thread(_load) if self._kind is None else self._kind
        self._kind = kind
        return kind(site)

    def _available(self) -> RelyingParty:
        if self.site is None:
            raise PasskeysUnavailable(
                "browsers have passkeys for names only: set BESPEAK_PUBLIC_URL to https:// and "
                "the name of this server"
            )
        return self.site

    def _check(self, challenge: bytes, purpose: str) -> None:
        if not self._challenges.is_good(challenge, purpose):
            raise ProofFailed("this challenge is not ours, is over, or is for something else")

    async def _row(
        self, connection: Connection, credential_id: bytes, operator_id: str | None
    ) -> Record:
        row = await connection.fetchrow(_QUERIES["find"], credential_id)
        if row is None or operator_id not in (None, row["operator_id"]):
            raise ProofFailed
        return row


async def passkeys_of(connection: Connection, operator_id: str) -> list[PasskeyView]:
    """The passkeys of an operator, the oldest first."""
    return [_view(row) for row in await connection.fetch(_QUERIES["of_operator"], operator_id)]


async def remove_passkey(connection: Connection, operator_id: str, passkey_id: str) -> None:
    """In a transaction of the caller's, who has locked the operator. Raises PasskeyNotFound."""
    gone = None
    if passkey_id.isprintable():  # PostgreSQL takes no text with a zero byte
        gone = await connection.fetchval(_QUERIES["delete"], operator_id, passkey_id)
    if gone is None:
        raise PasskeyNotFound


async def _known(connection: Connection, operator_id: str) -> list[KnownPasskey]:
    rows = await connection.fetch(_QUERIES["of_operator"], operator_id)
    return [KnownPasskey(row["credential_id"], row["transports"]) for row in rows]


def _load() -> type[Ceremonies]:
    from bespeak.http.server.operators.ceremonies import Ceremonies  # noqa: PLC0415

    return Ceremonies


def _short(name: str) -> str:
    return "".join(filter(str.isprintable, name)).strip()[:NAME_LENGTH_MAX] or "passkey"


def _view(row: Record) -> PasskeyView:
    return PasskeyView(row["passkey_id"], row["name"], row["created_at"], row["last_used_at"])
