"""Money: integer minor units (cents) and an ISO 4217 currency. There are no floats of money."""

from __future__ import annotations

import msgspec


class Money(msgspec.Struct, frozen=True):
    """An amount in minor units of its currency: Money(1250, "EUR") is 12.50 euros."""

    amount: int
    currency: str
