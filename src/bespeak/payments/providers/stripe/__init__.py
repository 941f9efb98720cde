"""Payments over Stripe (https://stripe.com) with its own library, the extra `bespeak[stripe]`. It
is imported when Stripe is opened and not before, so that an installation without it can start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak.errors import InvalidSetting

if TYPE_CHECKING:
    from bespeak.payments.providers.stripe.provider import Stripe
    from bespeak.settings import Settings


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
    try:
        from bespeak.payments.providers.stripe.provider import Stripe  # noqa: PLC0415
    except ImportError as error:
        raise InvalidSetting(
            "BESPEAK_STRIPE_SECRET_KEY is set, and Stripe's library is not installed: "
            "pip install 'bespeak[stripe]'",
            variable="BESPEAK_STRIPE_SECRET_KEY",
        ) from error
    return Stripe(
        settings.stripe_secret_key,
        settings.stripe_webhook_secret,
        api_base=settings.stripe_api_base,
    )
