"""An account with the payment provider that an operator sets at the console, as it is kept: its
keys are sealed.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidSetting
from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA
from bespeak.payments.errors import PaymentProviderInvalid
from bespeak.payments.providers.stripe import NAME
from bespeak.payments.providers.stripe.keys import checked_key, checked_webhook_secret, mode_of
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from bespeak.postgres.pool import Connection

QUERIES = load("bespeak.payments.accounts", "accounts.sql")
KIND = NAME
COUNTED_MAX = 1000

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
    return int(await connection.fetchval(QUERIES["under_way"], name, COUNTED_MAX))
