"""The payment provider: where buyers pay, setting it, and trying a key. It is of the whole
installation, and who sets it says to whom the money goes: only operators of the default workspace
with all rights may, with a fresh proof.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

from bespeak.errors import VersionMismatch
from bespeak.http.server import tags
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, endpoint_table
from bespeak.http.server.scopes import ADMIN
from bespeak.http.server.versions import VersionQuery
from bespeak.http.server.workspaces import Reach
from bespeak.notifications.mail.ways import DecidedBy
from bespeak.payments.accounts.account import (
    KeptAccount,
    SecretText,
    SetPaymentProvider,
    kept_accounts,
    under_way,
)
from bespeak.payments.accounts.known import ProviderAccounts
from bespeak.payments.accounts.setting import end_account, set_account, try_key
from bespeak.payments.errors import (
    PaymentProviderFixed,
    PaymentProviderInUse,
    PaymentProviderInvalid,
    PaymentProviderMissing,
)
from bespeak.payments.providers import stripe
from bespeak.payments.providers.provider import KeyFault, ProviderAccount, ProviderUnavailable
from bespeak.payments.providers.stripe.keys import Mode

ENDPOINTS, endpoint = endpoint_table(tags.PAYMENTS)
_PATH = "/v1/payment-provider"


class ProviderAccountView(msgspec.Struct, frozen=True, kw_only=True):
    """An account with Stripe: `name` is what payments call it. Of its key no more is told than the
    last four characters. `publishable_key` is what the shop's own pages open Stripe's form with;
    null: buyers cannot pay there. `under_way` is how many payments and refunds are not at their
    end, counted up to a thousand; `must_set_keys`: the keys cannot be used here, most often because
    the signing secret of the installation is another, and what is under way waits until they are
    set again. `ended_at`: since when nobody pays there, though what was paid there can still be
    given back. `version` is another after each change."""

    name: str
    version: int
    account_id: str
    account_name: str
    mode: Mode
    key_ends_with: str
    publishable_key: str | None
    must_set_keys: bool
    under_way: int
    changed_at: datetime
    ended_at: datetime | None


class PaymentProviderView(msgspec.Struct, frozen=True, kw_only=True):
    """Where buyers pay, and who decided it: the `environment` of the server, which wins; that it is
    a `demo`; somebody at the `console`; or `nobody`, then what costs cannot be paid online.
    `providers` are those that the environment names. `account` is the one that was set and at which
    buyers pay; `earlier` are those at which they did, the latest first. `callback_url` is where
    Stripe is to send its events."""

    decided_by: DecidedBy
    providers: list[str]
    account: ProviderAccountView | None
    earlier: list[ProviderAccountView]
    callback_url: str


class TryPaymentProvider(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The key to try; without one, the one that is set."""

    secret_key: SecretText | None = None

    def __repr__(self) -> str:
        return "TryPaymentProvider()"  # without the key


class PaymentProviderTrial(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a trial. `fault` is null where the key can be used, or says why not:
    `wrong_key`: Stripe does not know it, or it was revoked; `no_rights`: it is restricted, and may
    not read the account, payments or refunds; `unreachable`: no way to Stripe; `timeout`: no answer
    in time; `away`: Stripe answers with errors. `can_charge`: Stripe lets the account take money.
    `is_other_account`: to save it would let buyers pay at another account than so far, or in the
    other mode."""

    fault: KeyFault | None
    mode: Mode | None = None
    account_id: str | None = None
    account_name: str | None = None
    can_charge: bool | None = None
    is_other_account: bool | None = None


@endpoint(
    "GET",
    _PATH,
    "Where buyers pay",
    kinds=OPERATORS,
    scopes=ADMIN,
    reach=Reach.INSTALLATION,
)
async def get_payment_provider(call: Call[None, None]) -> PaymentProviderView:
    """Tells where buyers pay, and who decided it."""
    return await _view(call)


@endpoint(
    "PUT",
    _PATH,
    "Set the payment provider",
    kinds=OPERATORS,
    errors=(
        PaymentProviderInvalid,
        PaymentProviderFixed,
        PaymentProviderInUse,
        ProviderUnavailable,
        VersionMismatch,
    ),
    scopes=ADMIN,
    reach=Reach.INSTALLATION,
    audited=True,
    needs_proof=True,
)
async def set_payment_provider(call: Call[None, SetPaymentProvider]) -> PaymentProviderView:
    """Sets at which account buyers pay; all processes use it within seconds. Stripe is asked first
    whose the key is. Another key of the same account takes the place of the one before; another
    account stands beside it, and what was paid before is finished and refunded there. Repeated, it
    changes nothing."""
    await set_account(call.engine.payments.accounts, call.body)
    return await _view(call)


@endpoint(
    "DELETE",
    _PATH,
    "Take the payment provider away",
    kinds=OPERATORS,
    errors=(PaymentProviderFixed, VersionMismatch),
    scopes=ADMIN,
    reach=Reach.INSTALLATION,
    audited=True,
    needs_proof=True,
)
async def remove_payment_provider(call: Call[VersionQuery, None]) -> PaymentProviderView:
    """Lets no more payments begin at the account that was set. What is under way ends there, and
    what was paid can be given back: its keys stay, sealed, for as long as a payment of it is on
    record, and else are forgotten after a day. Repeated, it changes nothing."""
    await end_account(call.engine.payments.accounts, call.query.version)
    return await _view(call)


@endpoint(
    "POST",
    f"{_PATH}/test",
    "Try a key of the payment provider",
    kinds=OPERATORS,
    errors=(PaymentProviderInvalid, PaymentProviderFixed, PaymentProviderMissing),
    scopes=ADMIN,
    reach=Reach.INSTALLATION,
    audited=True,
    needs_proof=True,
)
async def try_payment_provider(call: Call[None, TryPaymentProvider]) -> PaymentProviderTrial:
    """Asks Stripe whose a key is and whether it can be used, by calls that read and cost nothing.
    Nothing is kept."""
    found, current = await try_key(call.engine.payments.accounts, call.body.secret_key)
    if not isinstance(found, ProviderAccount):
        return PaymentProviderTrial(fault=found)
    return PaymentProviderTrial(
        fault=None,
        mode="live" if found.is_live else "test",
        account_id=found.account_id,
        account_name=found.account_name,
        can_charge=found.can_charge,
        is_other_account=current is not None and not _is_same(current, found),
    )


def _is_same(kept: KeptAccount, found: ProviderAccount) -> bool:
    return (kept.account_id, kept.is_live) == (found.account_id, found.is_live)


async def _view(call: Call[object, object]) -> PaymentProviderView:
    accounts, settings = call.engine.payments.accounts, call.engine.settings
    await accounts.kept(seconds=0.0)
    async with call.engine.database.borrow() as connection:
        kept = await kept_accounts(connection)
        counts = {one.name: await under_way(connection, one.name) for one in kept}
    shown = [_shown(accounts, one, counts[one.name]) for one in kept]
    current = next((one for one in shown if one.ended_at is None), None)
    decided_by: DecidedBy = accounts.fixed_by or ("nobody" if current is None else "console")
    named = sorted(name for name in call.engine.payments.providers if name not in counts)
    return PaymentProviderView(
        decided_by=decided_by,
        providers=named,
        account=current if decided_by == "console" else None,
        earlier=[one for one in shown if decided_by != "console" or one is not current],
        callback_url=f"{settings.public_url.rstrip('/')}/v1/payments/{stripe.NAME}/callback",
    )


def _shown(accounts: ProviderAccounts, kept: KeptAccount, count: int) -> ProviderAccountView:
    return ProviderAccountView(
        name=kept.name,
        version=kept.version,
        account_id=kept.account_id,
        account_name=kept.account_name,
        mode=kept.mode,
        key_ends_with=kept.key_ends_with,
        publishable_key=kept.publishable_key,
        must_set_keys=accounts.is_closed(kept.name),
        under_way=count,
        changed_at=kept.changed_at,
        ended_at=kept.ended_at,
    )
