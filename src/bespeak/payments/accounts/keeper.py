"""Keeps the accounts of the console up to date where background work is done, and forgets those
that no payment needs any more.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import structlog

from bespeak.background import PAUSE_SECONDS_MAX
from bespeak.payments.accounts.account import QUERIES

if TYPE_CHECKING:
    from bespeak.payments.accounts.known import ProviderAccounts
    from bespeak.postgres.pool import Database

_FORGET_SECONDS = 3600.0
_log = structlog.get_logger()


class AccountKeeper:
    """Reads the accounts, so that refunds and reconciliations know them."""

    name = "provider accounts"

    def __init__(self, database: Database, accounts: ProviderAccounts) -> None:
        self._database = database
        self._accounts = accounts
        self._forget_at = time.monotonic()

    async def look(self) -> float:
        """Looks at the accounts; answers the seconds until the next look."""
        accounts = await self._accounts.kept()
        if time.monotonic() >= self._forget_at and any(one.ended_at for one in accounts):
            self._forget_at = time.monotonic() + _FORGET_SECONDS
            await self.forget()
        return PAUSE_SECONDS_MAX

    async def forget(self) -> None:
        """Takes the accounts away that ended a day ago and have no payment on record."""
        async with self._database.borrow() as connection:
            rows = await connection.fetch(QUERIES["forget"])
        for row in rows:
            _log.info("an account of the payment provider is forgotten", number=row["number"])
        if rows:
            self._accounts.forget()
