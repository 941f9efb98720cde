"""Mails with the code by which somebody finds the bookings of an address. They are sent only where
the address has one, by the background work: whoever asks is answered the same, and as soon.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

import structlog

from bespeak.notifications.mail.message import SignInMail, compose_sign_in
from bespeak.notifications.mail.sender import MailRefused, MailServerAway
from bespeak.notifications.mail.ways import AWAY_SECONDS, MailWay, MailWays
from bespeak.notifications.mail.writing import UnusableContact
from bespeak.notifications.observer import NotificationObserver
from bespeak.postgres.queries import load
from bespeak.postgres.secrets import installation_secret

if TYPE_CHECKING:
    from uuid import UUID

    from bespeak.postgres.pool import Connection, Pool, Record

_QUERIES = load("bespeak.notifications.mail", "sign_ins.sql")
_SECRET_NAME = "sign_in_codes"  # noqa: S105 (the name of the secret, not its value)
_DIGITS = 8
_BATCH = 50
# A code is good for a quarter of an hour: its mail is tried again soon, or not at all.
_RETRY_SECONDS = 60
_PAUSE_SECONDS = 0.5
_log = structlog.get_logger()


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


class SignInMailer:
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
        self._pool = pool
        self._ways = ways
        self._page = page
        self._observer = observer
        self._codes: SignInCodes | None = None

    async def look(self) -> float:
        """Sends what is due; answers seconds until the next look. Raises what asyncpg raises."""
        try:
            way = await self._ways.now()
        except MailServerAway:
            return AWAY_SECONDS
        rows = await self._pool.fetch(_QUERIES["claim"], _BATCH, _RETRY_SECONDS)
        if not rows:
            return _PAUSE_SECONDS
        if self._codes is None:
            async with self._pool.acquire() as connection:
                self._codes = await open_codes(connection)
        for row in rows:
            if not row["is_wanted"]:
                await self._settle(row, "dropped")
        wanted = [row for row in rows if row["is_wanted"]]
        if wanted:
            await self._send(way, wanted, self._codes)
        return 0.0 if len(rows) == _BATCH else _PAUSE_SECONDS

    async def _send(self, way: MailWay, rows: list[Record], codes: SignInCodes) -> None:
        try:
            async with way.route.opened() as send:
                for row in rows:
                    try:
                        code = codes.code(row["sign_in_id"])
                        await send(compose_sign_in(self._matter(row, code), way.sender))
                    except (MailRefused, UnusableContact) as error:
                        if isinstance(error, UnusableContact) or error.final:
                            await self._settle(row, "failed")
                    else:
                        await self._settle(row, "sent")
        except MailServerAway as error:
            _log.warning("mails do not leave", reason=str(error))

    def _matter(self, row: Record, code: str) -> SignInMail:
        return SignInMail(
            mail_id=row["sign_in_id"],
            at=row["created_at"],
            email=row["email"],
            locale=row["locale"],
            code=code,
            link=f"{self._page}#code={code}",
        )

    async def _settle(self, row: Record, became: str) -> None:
        await self._pool.execute(_QUERIES["settle"], row["sign_in_id"], row["mail_due_at"])
        self._observer.mail(became)
