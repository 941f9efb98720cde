"""Payments over Stripe (https://stripe.com) with its own library, the extra `bespeak[stripe]`. It
is imported when Stripe is opened and not before, so that an installation without it can start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak.errors import InvalidSetting

if TYPE_CHECKING:
    from bespeak.payments.providers.provider import KeyFault, ProviderAccount
    from bespeak.payments.providers.stripe.provider import Stripe
    from bespeak.settings import Settings

NAME = "stripe"


def from_settings(settings: Settings) -> Stripe | None:
    """The provider that the settings describe, to which nothing is sent yet; None where no
    `stripe_secret_key` is set. Raises InvalidSetting, which names the variable, and never shows
    what is in it."""
    if settings.stripe_secret_key is None:
        return None
    if settings.stripe_webhook_secret is None:
        raise InvalidSetting(
            "BESPEAK_STRIPE_WEBHOOK_SECRET is needed beside BESPEAK_STRIPE_SECRET_KEY: without it "
            "nobody can tell Stripe's callbacks from forged ones",
            variable="BESPEAK_STRIPE_WEBHOOK_SECRET",
        )
    return with_keys(
        NAME,
        settings.stripe_secret_key,
        settings.stripe_webhook_secret,
        publishable_key=settings.stripe_publishable_key,
        api_base=settings.stripe_api_base,
    )


def with_keys(
    name: str,
    secret_key: str,
    webhook_secret: str,
    *,
    publishable_key: str | None = None,
    api_base: str | None = None,
) -> Stripe:
    """The provider with these keys, to which nothing is sent yet. Raises InvalidSetting."""
    try:
        from bespeak.payments.providers.stripe.provider import Stripe  # noqa: PLC0415
    except ImportError as error:
        raise InvalidSetting(
            "BESPEAK_STRIPE_SECRET_KEY is set, and Stripe's library is not installed: "
            "pip install 'bespeak[stripe]'",
            variable="BESPEAK_STRIPE_SECRET_KEY",
        ) from error
    return Stripe(
        secret_key, webhook_secret, name=name, publishable_key=publishable_key, api_base=api_base
    )


async def account_of(secret_key: str, api_base: str | None) -> ProviderAccount | KeyFault:
    """Whose a key is, by asking Stripe; or why it cannot be used. Raises InvalidSetting where the
    library is not installed, or for what is no key."""
    try:
        from bespeak.payments.providers.stripe.account import (  # noqa: PLC0415
            KeyDoubted,
            account_of,
        )
    except ImportError as error:
        raise InvalidSetting(
            "Stripe's library is not installed: pip install 'bespeak[stripe]'",
            variable="BESPEAK_PAYMENT_PROVIDERS",
        ) from error
    try:
        return await account_of(secret_key, api_base)
    except KeyDoubted as doubt:
        return doubt.fault
