"""An account with the payment provider that an operator sets at the console, as it is kept: its
keys are sealed.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.errors import InvalidSetting
from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA
from bespeak.payments.errors import PaymentProviderInvalid
from bespeak.payments.providers.stripe import NAME
from bespeak.payments.providers.stripe.keys import (
    Mode,
    checked_key,
    checked_publishable_key,
    checked_webhook_secret,
    mode_of,
)
from bespeak.postgres.queries import load
from bespeak.postgres.versions import SeenVersion

if TYPE_CHECKING:
    from collections.abc import Callable

    from bespeak.postgres.pool import Connection

QUERIES = load("bespeak.payments.accounts", "accounts.sql")
KIND = NAME
COUNTED_MAX = 1000

SecretText = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=300,
        pattern=NAME_PATTERN,
        extra_json_schema={**NAME_SCHEMA, "examples": ["sk_test_51Lantern"]},
    ),
]
PublishableKeyText = Annotated[
    str,
    Meta(
        max_length=300,
        pattern=NAME_PATTERN,
        extra_json_schema={
            "pattern": NAME_SCHEMA["pattern"],
            "description": "Stripe's key for browsers, or no text at all to take it away",
            "examples": ["pk_test_51Lantern"],
        },
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
    `webhook_secret` or the `publishable_key` alone is replaced, and `name` says of which account.
    With a `secret_key` and the `name` of an earlier account its keys are replaced, and buyers pay
    where they did. With the `publishable_key`, of the same account and mode, buyers pay in the
    shop's own pages: null leaves the one that the account has, and an empty text takes it away.
    `version`, if given, must be the present one of the account that is named, or else of the one at
    which buyers pay (0: they pay at none)."""

    secret_key: SecretText | None = None
    webhook_secret: SecretText | None = None
    publishable_key: PublishableKeyText | None = None
    name: AccountName | None = None
    version: SeenVersion | UnsetType = UNSET

    def __repr__(self) -> str:
        return f"SetPaymentProvider({self.name})"  # without the keys


class KeptAccount(msgspec.Struct, frozen=True, kw_only=True):
    """An account as it is kept: the keys are sealed."""

    number: int
    account_id: str
    is_live: bool
    account_name: str
    secret_key: bytes
    webhook_secret: bytes
    key_ends_with: str
    publishable_key: str | None
    changed_at: datetime
    ended_at: datetime | None
    version: int

    @property
    def name(self) -> str:
        """How payments name it."""
        return f"{KIND}-{self.number}"

    @property
    def mode(self) -> Mode:
        """Whether its money is real."""
        return "live" if self.is_live else "test"


def check_wanted(wanted: SetPaymentProvider) -> None:
    """Raises PaymentProviderInvalid for keys that are none, and never shows them."""
    keys = (wanted.secret_key, wanted.webhook_secret, wanted.publishable_key)
    if all(key is None for key in keys):
        raise PaymentProviderInvalid("a secret key of Stripe's is needed", field="secret_key")
    if wanted.secret_key is not None:
        check_secret_key(wanted.secret_key)
    if wanted.webhook_secret is not None:
        _check(checked_webhook_secret, wanted.webhook_secret, "webhook_secret")
    if wanted.publishable_key:
        mode = None if wanted.secret_key is None else mode_of(wanted.secret_key)
        check_publishable_key(wanted.publishable_key, mode)


def check_secret_key(key: str) -> None:
    """Raises PaymentProviderInvalid for what is no key of Stripe's, and never shows it."""
    _check(checked_key, key, "secret_key")
    if mode_of(key) is None:
        reason = "a key of Stripe's begins with sk_test_, sk_live_, rk_test_ or rk_live_"
        raise PaymentProviderInvalid(reason, field="secret_key")


def check_publishable_key(key: str, mode: Mode | None) -> None:
    """Raises PaymentProviderInvalid for what is no key for browsers, or one of another mode, and
    never shows it: it may be a secret that was mixed up with it."""
    _check(partial(checked_publishable_key, mode=mode), key, "publishable_key")


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
    return int(await connection.fetchval(QUERIES["under_way"], name, COUNTED_MAX))
