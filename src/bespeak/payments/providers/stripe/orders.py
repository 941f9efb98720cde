"""What Stripe is asked for a payment: a PaymentIntent that is made and confirmed in one call, and
captured by hand later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bespeak.payments.providers.stripe.amounts import amount_for_stripe
from bespeak.payments.providers.stripe.metadata import metadata_of
from bespeak.payments.providers.stripe.objects import PAYMENT_ID
from bespeak.payments.providers.stripe.return_urls import with_payment_id

if TYPE_CHECKING:
    from stripe.params import PaymentIntentCreateParams

    from bespeak.payments.providers.provider import Order

EXPAND: Final = ["latest_charge.refunds"]
FORM_TOKEN: Final = "ctoken_"  # noqa: S105 (how tokens begin that Stripe's own form made)
_DESCRIPTION_MAX: Final = 1000


def params_of(order: Order) -> PaymentIntentCreateParams:
    params: PaymentIntentCreateParams = {
        "amount": amount_for_stripe(order.amount),
        "currency": order.amount.currency.lower(),
        "capture_method": "manual",
        "confirm": True,
        "metadata": {PAYMENT_ID: order.payment_id, **metadata_of(order.ordered)},
        "expand": EXPAND,
    }
    # What Stripe's own form collects is a confirmation token; all else stands for a payment method.
    if order.token.startswith(FORM_TOKEN):
        params["confirmation_token"] = order.token
        # The token's own word for it is yes, and a challenge would then have no page to go to.
        params["use_stripe_sdk"] = False
    else:
        params["payment_method"] = order.token
    if order.return_url is None:
        params["automatic_payment_methods"] = {"enabled": True, "allow_redirects": "never"}
        params["error_on_requires_action"] = True
    else:
        params["automatic_payment_methods"] = {"enabled": True}
        params["return_url"] = with_payment_id(order.return_url, order.payment_id)
    if order.description:
        params["description"] = order.description[:_DESCRIPTION_MAX]
    return params
