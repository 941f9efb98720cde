"""Signing in by mail, for people who want their bookings together. Who asks gets a cookie, and the
address a mail with a code: only both together sign in, so a mail that is passed on, or opened by a
scanner, signs in nobody. The row of what was asked is then the session, so that signing out ends
each copy of the cookie.
"""

from __future__ import annotations

import hmac
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID, uuid4

from bespeak.errors import InvalidRequest
from bespeak.http.server.errors import NotSignedIn, SignInCodeWrong, SignInOver
from bespeak.notifications.errors import MailedTooOften
from bespeak.postgres.queries import load
from bespeak.signed_tokens import TokenInvalid, TokenSigner

if TYPE_CHECKING:
    from bespeak.notifications.mail.sign_ins import SignInCodes
    from bespeak.postgres.pool import Database

_QUERIES = load("bespeak.http.server", "sign_ins.sql")
_CODE_SECONDS = 15 * 60
_SESSION_SECONDS = 30 * 86_400
_TRIES_MAX = 5
MAILS_AN_HOUR = 3
"""How many mails one address is sent within an hour."""
_RETRY_SECONDS = 1200


class SignedIn(NamedTuple):
    """Whose mails somebody reads, and until when this browser knows that."""

    email: str
    ends_at: datetime


class SignIns:
    """Who has asked for a code, and who has signed in by one."""

    def __init__(self, database: Database, secret: bytes, codes: SignInCodes) -> None:
        self._database = database
        self._codes = codes
        own = hmac.digest(secret, b"bespeak sign in", "sha256")
        self._signer = TokenSigner(own, "sub", "iat")

    async def ask(self, email: str, locale: str | None) -> tuple[str, datetime]:
        """Asks for a mail to this address: what the asking browser's cookie keeps, and until when
        the code is good. Nothing of it depends on whether the address is known. Raises
        MailedTooOften, InvalidRequest, DatabaseUnavailable."""
        if not email.isprintable():
            raise InvalidRequest("this is no address of e-mail", field="email")
        known_as, number = email.lower(), uuid4()
        async with self._database.borrow() as connection, connection.transaction():
            await connection.execute(_QUERIES["lock_address"], known_as)
            ends_at: datetime | None = await connection.fetchval(
                _QUERIES["ask"], number, known_as, locale, _CODE_SECONDS, MAILS_AN_HOUR
            )
        if ends_at is None:
            raise MailedTooOften(retry_after_seconds=_RETRY_SECONDS)
        return self._signer.make(sub=number.hex), ends_at

    async def use(self, cookie: str | None, code: str) -> SignedIn:
        """Signs in the browser that asked, by the code of its mail, once. Raises SignInCodeWrong,
        SignInOver, DatabaseUnavailable."""
        number = self._number(cookie)
        if number is None:
            raise SignInOver
        is_good = hmac.compare_digest(code.encode(), self._codes.code(number).encode())
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(
                _QUERIES["try"], number, is_good, _SESSION_SECONDS, _TRIES_MAX
            )
        if row is None:
            raise SignInOver
        if not is_good:
            raise SignInCodeWrong(tries_left=row["tries_left"])
        return SignedIn(row["email"], row["ends_at"])

    async def find(self, cookie: str | None) -> SignedIn:
        """Who is signed in with this cookie. Raises NotSignedIn, DatabaseUnavailable."""
        number = self._number(cookie)
        if number is None:
            raise NotSignedIn
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(_QUERIES["find"], number)
        if row is None:
            raise NotSignedIn
        return SignedIn(row["email"], row["ends_at"])

    async def end(self, cookie: str | None) -> None:
        """Signs out, for each copy of the cookie. Raises DatabaseUnavailable."""
        number = self._number(cookie)
        if number is not None:
            async with self._database.borrow() as connection:
                await connection.execute(_QUERIES["end"], number)

    def _number(self, cookie: str | None) -> UUID | None:
        try:
            return UUID(hex=str(self._signer.read(cookie)["sub"]))
        except (TokenInvalid, ValueError):
            return None
