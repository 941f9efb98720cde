"""Setting, ending and trying accounts. Whose a key is, is asked of Stripe before anything is kept:
by that alone it is known whether a key takes another's place, or is of an account of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from bespeak.errors import InvalidSetting, VersionMismatch
from bespeak.payments.accounts.account import (
    COUNTED_MAX,
    KIND,
    QUERIES,
    KeptAccount,
    SetPaymentProvider,
    check_publishable_key,
    check_secret_key,
    check_wanted,
    kept_accounts,
)
from bespeak.payments.errors import (
    PaymentProviderFixed,
    PaymentProviderInUse,
    PaymentProviderInvalid,
    PaymentProviderMissing,
)
from bespeak.payments.providers import stripe
from bespeak.payments.providers.provider import KeyFault, ProviderAccount, ProviderUnavailable
from bespeak.postgres.versions import NOTHING

if TYPE_CHECKING:
    from bespeak.payments.accounts.known import ProviderAccounts
    from bespeak.payments.accounts.seal import AccountSeal
    from bespeak.postgres.pool import Connection

_SHOWN = 4


async def set_account(accounts: ProviderAccounts, wanted: SetPaymentProvider) -> None:
    """Keeps keys, and lets buyers pay at their account, or renews those of one that is named: also
    where the environment says where buyers pay, since what began at the account ends there. Raises
    PaymentProviderFixed, PaymentProviderInvalid, PaymentProviderInUse, ProviderUnavailable,
    VersionMismatch, DatabaseUnavailable."""
    if wanted.name is None or accounts.rest:
        _check_free(accounts)
    check_wanted(wanted)
    found = None if wanted.secret_key is None else await _found(accounts, wanted.secret_key)
    seal = await accounts.seal()
    async with accounts.database.borrow() as connection, connection.transaction():
        # Locked: of two who set it at once, one sees what the other has set.
        await connection.execute(QUERIES["lock"])
        present = await _version(connection, wanted.name)
        if wanted.version not in (UNSET, present):
            raise VersionMismatch(version=present)
        if found is None:
            await keep_alone(connection, seal, wanted)
        else:
            await keep_keys(connection, seal, found, wanted)
    accounts.forget()


async def end_account(accounts: ProviderAccounts, seen: int | None = None) -> None:
    """Lets no more payments begin at the account that was set, if it is of the version that was
    `seen`; None: of any. Raises PaymentProviderFixed, VersionMismatch, DatabaseUnavailable."""
    _check_free(accounts)
    async with accounts.database.borrow() as connection, connection.transaction():
        await end_seen(connection, seen)
    accounts.forget()


async def end_seen(connection: Connection, seen: int | None) -> None:
    """As `end_account`, in the caller's transaction. Where buyers pay at none, nothing is left to
    do: who asks again after a lost answer is not refused. Raises VersionMismatch."""
    # Locked: what somebody else is just setting is not ended for the one of before.
    await connection.execute(QUERIES["lock"])
    present = await _version(connection, None)
    if present != NOTHING and seen not in (None, present):
        raise VersionMismatch(version=present)
    await connection.execute(QUERIES["end_others"], None)


async def try_key(
    accounts: ProviderAccounts, key: str | None
) -> tuple[ProviderAccount | KeyFault, KeptAccount | None]:
    """What Stripe says of a key, or else of the one that is set; and the account that is set.
    Raises PaymentProviderFixed, PaymentProviderInvalid, PaymentProviderMissing,
    DatabaseUnavailable."""
    _check_free(accounts)
    kept = await accounts.kept(seconds=0.0)
    current = next((one for one in kept if one.ended_at is None), None)
    if key is not None:
        check_secret_key(key)
        return await _asked(accounts, key), current
    if current is None:
        raise PaymentProviderMissing
    opened = (await accounts.seal()).opened(current)
    if opened is None:
        reason = "the keys must be set again: the signing secret is another one by now"
        raise PaymentProviderInvalid(reason, field="secret_key")
    return await _asked(accounts, opened.secret_key), current


def _check_free(accounts: ProviderAccounts) -> None:
    """Raises PaymentProviderFixed."""
    if accounts.fixed_by is not None:
        raise PaymentProviderFixed(fixed_by=accounts.fixed_by)


async def _found(accounts: ProviderAccounts, key: str) -> ProviderAccount:
    """Whose a key is. Raises PaymentProviderInvalid, ProviderUnavailable."""
    found = await _asked(accounts, key)
    if isinstance(found, ProviderAccount):
        return found
    if found == "wrong_key":
        raise PaymentProviderInvalid("Stripe does not know this key", field="secret_key")
    if found == "no_rights":
        reason = "the key is restricted: it must read the account, payments and refunds"
        raise PaymentProviderInvalid(reason, field="secret_key")
    raise ProviderUnavailable("Stripe did not say whose the key is; nothing was changed")


async def _asked(accounts: ProviderAccounts, key: str) -> ProviderAccount | KeyFault:
    """Raises PaymentProviderInvalid."""
    try:
        return await stripe.account_of(key, accounts.settings.stripe_api_base)
    except InvalidSetting as error:
        raise PaymentProviderInvalid(error.detail, field="secret_key") from None


async def keep_keys(
    connection: Connection, seal: AccountSeal, found: ProviderAccount, wanted: SetPaymentProvider
) -> None:
    """Keeps the keys of an account that the provider told of, and lets buyers pay there, unless it
    was named: then where they pay stays. To be called in a transaction that has locked the
    accounts. Raises PaymentProviderInvalid, PaymentProviderInUse."""
    key, account_id, is_live = wanted.secret_key or "", found.account_id, found.is_live
    same = (
        one
        for one in await kept_accounts(connection)
        if (one.account_id, one.is_live) == (account_id, is_live)
    )
    account = next(same, None)
    if wanted.name is not None and (account is None or wanted.name != account.name):
        raise PaymentProviderInvalid("the key is of another account than this", field="name")
    begins = wanted.name is None and (account is None or account.ended_at is not None)
    if begins:
        await _check_environment(connection)
    secret = wanted.webhook_secret or _webhook_secret_of(seal, account)
    sealed = (
        found.account_name,
        seal.sealed(key, "secret_key", account_id, is_live=is_live),
        seal.sealed(secret, "webhook_secret", account_id, is_live=is_live),
        key[-_SHOWN:],
        _publishable_key_of(wanted, account),
    )
    if begins:
        await connection.execute(QUERIES["end_others"], None)
    if account is None:
        await connection.execute(QUERIES["add"], account_id, is_live, *sealed)
        return
    await connection.execute(QUERIES["renew"], account.number, *sealed)
    if begins:
        await connection.execute(QUERIES["resume"], account.number)


def _webhook_secret_of(seal: AccountSeal, account: KeptAccount | None) -> str:
    """Raises PaymentProviderInvalid where none is kept that can be opened."""
    keys = None if account is None else seal.opened(account)
    if keys is None:
        reason = "the signing secret of the webhook is needed: it is another for each account"
        raise PaymentProviderInvalid(reason, field="webhook_secret")
    return keys.webhook_secret


async def _version(connection: Connection, name: str | None) -> int:
    """The version of the account of a name, or else of the one at which buyers pay. Nobody changes
    it meanwhile: the accounts are locked."""
    accounts = await kept_accounts(connection)
    meant = (
        one.version
        for one in accounts
        if (one.ended_at is None if name is None else one.name == name)
    )
    return next(meant, NOTHING)


async def _check_environment(connection: Connection) -> None:
    """Raises PaymentProviderInUse where payments began with keys that the environment had."""
    needing = int(await connection.fetchval(QUERIES["needing"], KIND, COUNTED_MAX))
    if needing:
        raise PaymentProviderInUse(payments=needing)


async def keep_alone(connection: Connection, seal: AccountSeal, wanted: SetPaymentProvider) -> None:
    """Replaces the signing secret or the publishable key of the account at which buyers pay, and
    nothing else. To be called in a transaction that has locked the accounts. Raises
    PaymentProviderInvalid."""
    accounts = await kept_accounts(connection)
    current = next((one for one in accounts if one.ended_at is None), None)
    if current is None:
        raise PaymentProviderInvalid("a secret key of Stripe's is needed", field="secret_key")
    if wanted.name != current.name:
        raise PaymentProviderInvalid("buyers pay at another account by now", field="name")
    if wanted.publishable_key:
        check_publishable_key(wanted.publishable_key, current.mode)
    if seal.opened(current) is None:
        reason = "set the key again: the signing secret of the installation is another one by now"
        raise PaymentProviderInvalid(reason, field="secret_key")
    secret, bound_to = current.webhook_secret, current.account_id
    if wanted.webhook_secret is not None:
        secret = seal.sealed(
            wanted.webhook_secret, "webhook_secret", bound_to, is_live=current.is_live
        )
    await connection.execute(
        QUERIES["renew"],
        current.number,
        current.account_name,
        current.secret_key,
        secret,
        current.key_ends_with,
        _publishable_key_of(wanted, current),
    )


def _publishable_key_of(wanted: SetPaymentProvider, account: KeptAccount | None) -> str | None:
    """What is kept of it: what the account has stays, unless another one or no text is given."""
    if wanted.publishable_key is not None:
        return wanted.publishable_key or None
    return None if account is None else account.publishable_key
