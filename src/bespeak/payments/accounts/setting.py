"""Setting, ending and trying accounts. Whose a key is, is asked of Stripe before anything is kept:
by that alone it is known whether a key takes another's place, or is of an account of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak.errors import InvalidSetting
from bespeak.payments.accounts.account import (
    QUERIES,
    KeptAccount,
    SetPaymentProvider,
    check_secret_key,
    check_wanted,
    keep_keys,
    keep_webhook_secret,
)
from bespeak.payments.errors import (
    PaymentProviderFixed,
    PaymentProviderInvalid,
    PaymentProviderMissing,
)
from bespeak.payments.providers import stripe
from bespeak.payments.providers.provider import KeyFault, ProviderAccount, ProviderUnavailable

if TYPE_CHECKING:
    from bespeak.payments.accounts.known import ProviderAccounts


async def set_account(accounts: ProviderAccounts, wanted: SetPaymentProvider) -> None:
    """Keeps keys, and lets buyers pay at their account, or renews those of one that is named: also
    where the environment says where buyers pay, since what began at the account ends there. Raises
    PaymentProviderFixed, PaymentProviderInvalid, PaymentProviderInUse, ProviderUnavailable,
    DatabaseUnavailable."""
    if wanted.name is None or accounts.rest:
        _check_free(accounts)
    check_wanted(wanted)
    found = None if wanted.secret_key is None else await _found(accounts, wanted.secret_key)
    seal = await accounts.seal()
    async with accounts.database.borrow() as connection, connection.transaction():
        # Locked: of two who set it at once, one sees what the other has set.
        await connection.execute(QUERIES["lock"])
        if found is None:
            await keep_webhook_secret(connection, seal, wanted)
        else:
            await keep_keys(connection, seal, found, wanted)
    accounts.forget()


async def end_account(accounts: ProviderAccounts) -> None:
    """Lets no more payments begin at the account that was set. Raises PaymentProviderFixed,
    DatabaseUnavailable."""
    _check_free(accounts)
    async with accounts.database.borrow() as connection, connection.transaction():
        await connection.execute(QUERIES["lock"])
        await connection.execute(QUERIES["end_others"], None)
    accounts.forget()


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
