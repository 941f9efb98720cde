"""Mails with the code by which somebody finds the bookings of an address. They are sent only where
the address has one, by the background work: whoever asks is answered the same, and as soon.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from email.message import EmailMessage
from typing import TYPE_CHECKING

from bespeak.notifications.mail.due_mails import DueMailer, MailState, WriteMail
from bespeak.notifications.mail.message import SignInMail, compose_sign_in
from bespeak.notifications.mail.ways import MailWays
from bespeak.notifications.mail.writing import FromAddress
from bespeak.notifications.observer import NotificationObserver
from bespeak.postgres.queries import load
from bespeak.postgres.secrets import installation_secret

if TYPE_CHECKING:
    from uuid import UUID

    from bespeak.postgres.pool import Connection, Pool, Record

_QUERIES = load("bespeak.notifications.mail", "sign_ins.sql")
_SECRET_NAME = "sign_in_codes"  # noqa: S105 (the name of the secret, not its value)
_DIGITS = 8
# A code is good for a quarter of an hour: its mail is tried again soon, or not at all.
_RETRY_SECONDS = 60


class SignInCodes:
    """The codes of sign-ins, made of their ids by a secret, so that none is kept anywhere."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def code(self, sign_in: UUID) -> str:
        """Eight digits."""
        digest = hmac.digest(self._secret, sign_in.bytes, "sha256")
        return str(int.from_bytes(digest[:16]) % 10**_DIGITS).zfill(_DIGITS)


async def open_codes(connection: Connection) -> SignInCodes:
    """The codes of an installation."""
    return SignInCodes(await installation_secret(connection, _SECRET_NAME))


class SignInMailer(DueMailer):
    """Sends the mails of sign-ins, for as long as `look` is called."""

    name = "sign-in mails"

    def __init__(
        self,
        pool: Pool,
        ways: MailWays,
        *,
        page: str,
        observer: NotificationObserver,
    ) -> None:
        super().__init__(pool, ways, observer)
        self._page = page
        self._codes: SignInCodes | None = None

    async def _claim(self) -> Sequence[Record]:
        return await self._pool.fetch(_QUERIES["claim"], self.batch, _RETRY_SECONDS)

    async def _writer(self, rows: Sequence[Record]) -> WriteMail:
        if self._codes is None:
            async with self._pool.acquire() as connection:
                self._codes = await open_codes(connection)
        codes = self._codes

        async def write(row: Record, sender: FromAddress) -> EmailMessage:
            return compose_sign_in(self._matter(row, codes.code(row["sign_in_id"])), sender)

        return write

    def _matter(self, row: Record, code: str) -> SignInMail:
        return SignInMail(
            mail_id=row["sign_in_id"],
            at=row["created_at"],
            email=row["email"],
            locale=row["locale"],
            code=code,
            link=f"{self._page}#code={code}",
        )

    async def _settle(self, row: Record, state: MailState, failure: str | None) -> MailState:
        if state != "pending":  # it is due again by itself
            await self._pool.execute(_QUERIES["settle"], row["sign_in_id"], row["mail_due_at"])
        return state
