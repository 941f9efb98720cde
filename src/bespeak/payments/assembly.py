"""Opens the providers that the settings name, and closes them. What is not named here cannot take
money: without a provider, what costs cannot be paid.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bespeak.background import BackgroundWork
from bespeak.errors import InvalidSetting
from bespeak.payments.accounts.keeper import AccountKeeper
from bespeak.payments.accounts.known import ProviderAccounts
from bespeak.payments.ledger import Ledger
from bespeak.payments.observer import PaymentObserver
from bespeak.payments.providers import stripe
from bespeak.payments.providers.desk import Desk
from bespeak.payments.providers.provider import PaymentProvider
from bespeak.payments.providers.sandbox.bank import Sandbox
from bespeak.payments.providers.sandbox.courier import CallbackSender, SandboxCourier
from bespeak.payments.reconciliation.daily import Reconciler
from bespeak.payments.recovery import Recovery
from bespeak.payments.refunds.call_off import CallOffWorker
from bespeak.payments.refunds.record import Refunds
from bespeak.payments.refunds.refunder import Refunder
from bespeak.payments.settlement import Settlement
from bespeak.postgres.secrets import installation_secret
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.reservations.verbs import Reservations

_SANDBOX_SECRET = "sandbox_callbacks"  # noqa: S105 (the name of the secret, not its value)


def provider_names(settings: Settings) -> list[str]:
    """The providers that the settings name, the default first."""
    return [name.strip() for name in settings.payment_providers.split(",") if name.strip()]


def refuse_pretend_money(settings: Settings) -> None:
    """Raises InvalidSetting where the sandbox, at which anybody pays with nothing, would stand
    beside a real provider or in a server that is not the demo, and nobody has said that it may."""
    names = provider_names(settings)
    if Sandbox.name not in names or settings.allow_pretend_money:
        return
    if settings.demo and {*names} <= {Sandbox.name, Desk.name}:
        return
    raise InvalidSetting(
        "BESPEAK_PAYMENT_PROVIDERS names the sandbox, at which everybody pays without money. That"
        " is for `bespeak demo`; to try it elsewhere, set BESPEAK_ALLOW_PRETEND_MONEY=true",
        variable="BESPEAK_PAYMENT_PROVIDERS",
    )


@asynccontextmanager
async def open_settlement(
    engine: Reservations, url: str, observer: PaymentObserver | None = None
) -> AsyncIterator[Settlement]:
    """The settlement of a process with its providers, which tells `observer` what it does.
    Raises InvalidSetting."""
    providers: dict[str, PaymentProvider] = {}
    names = provider_names(engine.settings)
    refuse_pretend_money(engine.settings)
    ledger = Ledger(engine.database, engine.committer, engine.settings, engine.clock, observer)
    default = next((name for name in names if name != Desk.name), None)
    accounts = ProviderAccounts(engine.database, engine.settings, providers)
    settlement = Settlement(engine, ledger, providers, default, accounts)
    try:
        for name in names:
            providers[name] = await _open(name, engine, url)
        await accounts.kept()
        yield settlement
    finally:
        await settlement.close()


async def _open(name: str, engine: Reservations, url: str) -> PaymentProvider:
    settings = engine.settings
    if name == "sandbox":
        async with engine.database.borrow() as connection:
            secret = await installation_secret(connection, _SANDBOX_SECRET)
        bank = Sandbox(url, engine.database, secret, settings.public_url, settings)
        bank.start()
        return bank
    if name == "stripe":
        account = stripe.from_settings(settings)
        if account is None:
            raise InvalidSetting(
                "BESPEAK_PAYMENT_PROVIDERS names stripe, and BESPEAK_STRIPE_SECRET_KEY is not set",
                variable="BESPEAK_STRIPE_SECRET_KEY",
            )
        return account
    if name == "desk":
        return Desk(engine.database)
    raise InvalidSetting(
        f"BESPEAK_PAYMENT_PROVIDERS: there is no provider {name!r}; there are sandbox, stripe and"
        " desk",
        variable="BESPEAK_PAYMENT_PROVIDERS",
    )


@asynccontextmanager
async def payment_works(
    engine: Reservations, settlement: Settlement
) -> AsyncIterator[Sequence[BackgroundWork]]:
    """The background work of payments: the recovery, the refunds, the resources that are called
    off, the daily reconciliation, and what the sandbox does by itself."""
    observer = settlement.ledger.observer
    refunds = Refunds(engine.database, engine.committer, engine.settings, observer)
    works: list[BackgroundWork] = [
        Recovery(settlement),
        Refunder(settlement, refunds),
        AccountKeeper(engine.database, settlement.accounts),
        CallOffWorker(engine.database, engine.ready_resources, engine.settings),
    ]
    if engine.settings.reconcile:
        works.append(Reconciler(engine, settlement.providers))
    bank = settlement.providers.get("sandbox")
    sender = CallbackSender(engine.settings.public_url)
    if isinstance(bank, Sandbox):
        works.append(SandboxCourier(engine.database.pool, sender, bank.secret))
    try:
        yield works
    finally:
        await sender.close()
