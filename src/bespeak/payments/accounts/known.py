"""The accounts of the console, as one process knows them: read at most every two seconds, and open
beside the providers of the settings. A payment is always finished at the account that it names;
where it begins is said by the environment before anybody at the console can.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Literal

import structlog

from bespeak.cache import Cache
from bespeak.errors import InvalidSetting
from bespeak.extras import MissingExtra, require
from bespeak.payments.accounts.account import KIND, KeptAccount, kept_accounts
from bespeak.payments.providers import stripe
from bespeak.payments.providers.provider import ProviderUnavailable, kind_of
from bespeak.postgres.secrets import signing_secret

if TYPE_CHECKING:
    from bespeak.payments.accounts.seal import AccountSeal
    from bespeak.payments.providers.provider import PaymentProvider
    from bespeak.postgres.pool import Database
    from bespeak.settings import Settings

_KNOWN_SECONDS = 2.0
_CLOSED_AFTER_SECONDS = 120.0
_ALL = ""
_OWN = frozenset({"desk", "stripe"})
_log = structlog.get_logger()


class ProviderAccounts:
    """The accounts of an installation, for one process; it opens them into `providers`."""

    def __init__(
        self, database: Database, settings: Settings, providers: dict[str, PaymentProvider]
    ) -> None:
        self.database = database
        self.settings = settings
        self._providers = providers
        self._seal: AccountSeal | None = None
        self._known: Cache[str, list[KeptAccount]] = Cache(seconds=_KNOWN_SECONDS, size_max=1)
        # What was read last. What is known may be let go of between two steps of a payment.
        self._read_last: list[KeptAccount] = []
        self._opened: dict[str, KeptAccount] = {}
        self._closed: dict[str, str] = {}
        self._turn = asyncio.Lock()
        self._past: list[tuple[float, PaymentProvider]] = []

    @property
    def fixed_by(self) -> Literal["environment", "demo"] | None:
        """Who says where buyers pay before anybody at the console can."""
        if self.settings.demo:
            return "demo"
        if self.settings.takes_payments or not self._named:
            return "environment"
        return None

    @property
    def current(self) -> str | None:
        """The account of the console at which payments begin; None: at none of these."""
        if self.fixed_by is not None:
            return None
        return next((one.name for one in self._read_last if one.ended_at is None), None)

    @property
    def rest(self) -> bool:
        """Whether nothing is moved at them: in the demo, and where the environment names the
        sandbox or none, since a copied database moves nobody's money."""
        return self.settings.demo or not self._named or not self._named <= _OWN

    def may_have(self, name: str) -> bool:
        """Whether a provider of this name may be an account, so that it is worth a look. What
        comes by another name asks nobody."""
        return kind_of(name) == KIND and not self.rest

    async def kept(self, *, seconds: float | None = None) -> list[KeptAccount]:
        """All accounts, with those of the process as they are now; none where they rest. Raises
        DatabaseUnavailable."""
        if self.rest:
            return []
        return await self._known.get(_ALL, self._load, seconds=seconds)

    async def seal(self) -> AccountSeal:
        """What seals keys. Raises DatabaseUnavailable, MissingExtra."""
        if self._seal is None:
            require("cryptography", "server")
            from bespeak.payments.accounts.seal import AccountSeal  # noqa: PLC0415

            async with self.database.borrow() as connection:
                secret = await signing_secret(connection, self.settings.signing_secret)
            self._seal = AccountSeal(secret)
        return self._seal

    def check_open(self, name: str) -> None:
        """Raises ProviderUnavailable for an account whose keys cannot be used here."""
        reason = self._closed.get(name)
        if reason is not None:
            raise ProviderUnavailable(reason)

    def is_closed(self, name: str) -> bool:
        """Whether the keys of an account cannot be used here."""
        return name in self._closed

    def is_ended(self, name: str) -> bool:
        """Whether an account is there for the payments that it has, and takes no others."""
        return name in (self._opened.keys() | self._closed.keys()) and name != self.current

    def forget(self) -> None:
        """That the accounts are others by now."""
        self._known.forget(_ALL)

    async def close(self) -> None:
        """Closes what was replaced. What is in use is closed with all providers."""
        for _, provider in self._past:
            await provider.close()
        self._past.clear()

    async def _load(self) -> list[KeptAccount]:
        async with self._turn:  # what was read later is opened later
            return await self._read()

    async def _read(self) -> list[KeptAccount]:
        async with self.database.borrow() as connection:
            accounts = await kept_accounts(connection)
        for account in accounts:
            if self._opened.get(account.name) != account:
                await self._open(account)
        for name in [*self._opened, *self._closed]:
            if name not in {one.name for one in accounts}:
                self._let_go(name)
        self._read_last = accounts
        await self._close_past()
        return accounts

    async def _open(self, account: KeptAccount) -> None:
        name = account.name
        reason = "the keys must be set again: they were sealed by another signing secret"
        opened: PaymentProvider | None = None
        try:
            keys = (await self.seal()).opened(account)
            if keys is not None:
                opened = stripe.with_keys(
                    name,
                    *keys,
                    publishable_key=account.publishable_key,
                    api_base=self.settings.stripe_api_base,
                )
        except InvalidSetting as error:
            reason = error.detail
        except MissingExtra as error:
            reason = str(error)
        if opened is None:
            if name not in self._closed:  # once, not every few seconds
                _log.warning("an account of the payment provider is not used", account=name)
            self._let_go(name)
            self._closed[name] = reason
            return
        self._let_go(name)
        self._providers[name] = opened
        self._opened[name] = account

    def _let_go(self, name: str) -> None:
        """What is under way by the keys that were has its time to end."""
        self._closed.pop(name, None)
        self._opened.pop(name, None)
        before = self._providers.pop(name, None)
        if before is not None:
            self._past.append((time.monotonic(), before))

    async def _close_past(self) -> None:
        late = time.monotonic() - _CLOSED_AFTER_SECONDS
        for entry in [one for one in self._past if one[0] <= late]:
            self._past.remove(entry)
            await entry[1].close()

    @property
    def _named(self) -> frozenset[str]:
        named = (name.strip() for name in self.settings.payment_providers.split(","))
        return frozenset(name for name in named if name)
