"""Amounts, as Stripe counts them. Both sides speak in minor units, and for most currencies they are
the same (500 yen are 500 for both: zero-decimal currencies are minor units already); the few where
Stripe counts otherwise than ISO 4217 are converted here, and nowhere else.
"""

from __future__ import annotations

from bespeak.money import Money
from bespeak.payments.providers.provider import ProviderRefused

# ISO 4217 gives them no decimals, and Stripe takes them with two, which are always 00.
_HUNDREDFOLD = frozenset({"ISK", "UGX"})

# ISO 4217 gives it two decimals, and Stripe takes it without.
_HUNDREDTH = frozenset({"MGA"})

# Of the three decimals the last must be 0 with Stripe.
_TENS = frozenset({"BHD", "JOD", "KWD", "OMR", "TND"})


def amount_for_stripe(money: Money) -> int:
    """The number that Stripe takes for this amount. Raises ProviderRefused where Stripe has no such
    amount: cents of ariary, or the last of three decimals."""
    currency = money.currency
    if currency in _HUNDREDFOLD:
        return money.amount * 100
    divisor = 100 if currency in _HUNDREDTH else 10 if currency in _TENS else 1
    if money.amount % divisor:
        raise ProviderRefused(
            f"Stripe takes {currency} in steps of {divisor} minor units, not {money.amount}",
            failure="amount_not_in_steps",
        )
    return money.amount // 100 if currency in _HUNDREDTH else money.amount


def money_of_stripe(amount: int, currency: str) -> Money:
    """The amount that Stripe's number means; `currency` as Stripe writes it, in lower case."""
    currency = currency.upper()
    if currency in _HUNDREDFOLD:
        # A fraction of a whole unit cannot be charged, so there is none to lose.
        return Money(amount // 100, currency)
    return Money(amount * 100 if currency in _HUNDREDTH else amount, currency)
