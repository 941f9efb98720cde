"""What the price of a stay is made of, beyond its sum: what a quote tells of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bespeak.parties import Party
from bespeak.pricing.quotes import Discount, QuotedNights


class PriceParts(NamedTuple):
    """The nights of a stay, the plan's discount on them, and its guests, where they are known."""

    nights: Sequence[QuotedNights]
    discount: Discount | None = None
    party: Party | None = None

    @property
    def gross(self) -> int:
        """What it costs without the discount."""
        return sum(run.nights * run.amount for run in self.nights)
