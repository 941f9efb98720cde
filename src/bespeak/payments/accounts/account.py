"""An account with the payment provider that an operator sets at the console, as it is kept. Its
keys are sealed by a key of the installation's signing secret, each for one account, one mode and
one purpose: what is sealed for another opens nothing.
"""

from __future__ import annotations

import hmac
import secrets
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, TypeAlias

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import Meta

from bespeak.errors import InvalidSetting
from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA
from bespeak.payments.errors import PaymentProviderInUse, PaymentProviderInvalid
from bespeak.payments.providers.stripe import NAME
from bespeak.payments.providers.stripe.keys import checked_key, checked_webhook_secret, mode_of
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from bespeak.payments.providers.provider import ProviderAccount
    from bespeak.postgres.pool import Connection

QUERIES = load("bespeak.payments.accounts", "accounts.sql")
KIND = NAME
_NONCE_BYTES = 12
_SHOWN = 4
_COUNTED_MAX = 1000

Mode: TypeAlias = Literal["live", "test"]
SecretText = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=300,
        pattern=NAME_PATTERN,
        extra_json_schema={**NAME_SCHEMA, "examples": ["sk_test_51Lantern"]},
    ),
]
AccountName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=NAME_PATTERN,
        extra_json_schema={**NAME_SCHEMA, "examples": ["stripe-1"]},
    ),
]


class SetPaymentProvider(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of an account with Stripe. A `secret_key` of the account that is set replaces its
    key, and its signing secret stays where no `webhook_secret` is given; one of another account, or
    of its other mode, needs both, and buyers pay there from then on. Without a `secret_key` the
    `webhook_secret` alone is replaced, and `name` says of which account. With a `secret_key` and
    the `name` of an earlier account its keys are replaced, and buyers pay where they did."""

    secret_key: SecretText | None = None
    webhook_secret: SecretText | None = None
    name: AccountName | None = None

    def __repr__(self) -> str:
        return f"SetPaymentProvider({self.name})"  # without the keys


class AccountKeys(NamedTuple):
    """The keys of an account, open."""

    secret_key: str
    webhook_secret: str

    def __repr__(self) -> str:
        return "AccountKeys()"


class KeptAccount(msgspec.Struct, frozen=True, kw_only=True):
    """An account as it is kept: the keys are sealed."""

    number: int
    account_id: str
    is_live: bool
    account_name: str
    secret_key: bytes
    webhook_secret: bytes
    key_ends_with: str
    changed_at: datetime
    ended_at: datetime | None

    @property
    def name(self) -> str:
        """How payments name it."""
        return f"{KIND}-{self.number}"

    @property
    def mode(self) -> Mode:
        """Whether its money is real."""
        return "live" if self.is_live else "test"


class AccountSeal:
    """Seals the keys of an account, and opens them again for the same account alone."""

    def __init__(self, secret: bytes) -> None:
        self._cipher = AESGCM(hmac.digest(secret, b"bespeak provider account", "sha256"))

    def sealed(self, text: str, purpose: str, account_id: str, *, is_live: bool) -> bytes:
        """What is kept of a key or secret."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        bound = _bound_to(purpose, account_id, is_live=is_live)
        return nonce + self._cipher.encrypt(nonce, text.encode(), bound)

    def opened(self, kept: KeptAccount) -> AccountKeys | None:
        """The keys; None where they were sealed by another secret."""
        try:
            return AccountKeys(
                self._open(kept.secret_key, "secret_key", kept),
                self._open(kept.webhook_secret, "webhook_secret", kept),
            )
        except (InvalidTag, ValueError):
            return None

    def _open(self, kept: bytes, purpose: str, account: KeptAccount) -> str:
        nonce, content = kept[:_NONCE_BYTES], kept[_NONCE_BYTES:]
        bound = _bound_to(purpose, account.account_id, is_live=account.is_live)
        return self._cipher.decrypt(nonce, content, bound).decode()


def check_wanted(wanted: SetPaymentProvider) -> None:
    """Raises PaymentProviderInvalid for keys that are none, and never shows them."""
    if wanted.secret_key is None and wanted.webhook_secret is None:
        raise PaymentProviderInvalid("a secret key of Stripe's is needed", field="secret_key")
    if wanted.secret_key is not None:
        check_secret_key(wanted.secret_key)
    if wanted.webhook_secret is not None:
        _check(checked_webhook_secret, wanted.webhook_secret, "webhook_secret")


def check_secret_key(key: str) -> None:
    """Raises PaymentProviderInvalid for what is no key of Stripe's, and never shows it."""
    _check(checked_key, key, "secret_key")
    if mode_of(key) is None:
        reason = "a key of Stripe's begins with sk_test_, sk_live_, rk_test_ or rk_live_"
        raise PaymentProviderInvalid(reason, field="secret_key")


def _check(check: Callable[[str], str], text: str, field: str) -> None:
    try:
        check(text)
    except InvalidSetting as error:
        # It names the variable of the environment first.
        reason = error.detail.partition(" ")[2]
        raise PaymentProviderInvalid(f"{field} {reason}", field=field) from None


async def kept_accounts(connection: Connection) -> list[KeptAccount]:
    """All accounts, the one at which buyers pay first."""
    return [KeptAccount(**dict(row)) for row in await connection.fetch(QUERIES["read"])]


async def under_way(connection: Connection, name: str) -> int:
    """How many payments and refunds of a provider are not at their end, up to a thousand."""
    return int(await connection.fetchval(QUERIES["under_way"], name, _COUNTED_MAX))


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


async def _check_environment(connection: Connection) -> None:
    """Raises PaymentProviderInUse where payments began with keys that the environment had."""
    needing = int(await connection.fetchval(QUERIES["needing"], KIND, _COUNTED_MAX))
    if needing:
        raise PaymentProviderInUse(payments=needing)


async def keep_webhook_secret(
    connection: Connection, seal: AccountSeal, wanted: SetPaymentProvider
) -> None:
    """Replaces the signing secret of the account at which buyers pay, and nothing else. To be
    called in a transaction that has locked the accounts. Raises PaymentProviderInvalid."""
    accounts = await kept_accounts(connection)
    current = next((one for one in accounts if one.ended_at is None), None)
    if current is None or wanted.webhook_secret is None:
        raise PaymentProviderInvalid("a secret key of Stripe's is needed", field="secret_key")
    if wanted.name != current.name:
        raise PaymentProviderInvalid("buyers pay at another account by now", field="name")
    keys = seal.opened(current)
    if keys is None:
        reason = "set the key again: the signing secret of the installation is another one by now"
        raise PaymentProviderInvalid(reason, field="secret_key")
    bound_to, is_live = current.account_id, current.is_live
    await connection.execute(
        QUERIES["renew"],
        current.number,
        current.account_name,
        current.secret_key,
        seal.sealed(wanted.webhook_secret, "webhook_secret", bound_to, is_live=is_live),
        current.key_ends_with,
    )


def _bound_to(purpose: str, account_id: str, *, is_live: bool) -> bytes:
    return msgspec.json.encode([KIND, purpose, account_id, is_live])
