"""What a plan of nights says of prices beyond those of its dates: rates to choose from, discounts
that come by themselves, and what guests cost. What makes no sense is refused here.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Meta

from bespeak.inventory.bounds import check_names, nonsense
from bespeak.inventory.fields import Name, PlanPart, PriceAmount
from bespeak.inventory.shapes.nights.stay_limits import StayLimits, check_limits
from bespeak.lines import ADULT_AGE
from bespeak.pricing.rounding import ALL, rounded
from bespeak.pricing.rules import AMOUNT_MAX

RoomGuests = Annotated[int, Meta(ge=1, le=100)]
RoomCots = Annotated[int, Meta(ge=0, le=1000)]
Meals = Literal["none", "breakfast", "half_board", "full_board", "all_inclusive"]


class NightRate(StayLimits, frozen=True, kw_only=True):
    """A rate that guests can choose instead of the usual one. Each night of a room costs so many
    `basis_points` of its price more or less, then so much `amount` more or less, and each guest so
    much a night (`guest_amount`). What a cancellation gives back is said by the resource's
    `cancellation`, in its `overrides`."""

    name: Name
    meals: Meals = "none"
    basis_points: Annotated[int, Meta(ge=-ALL, le=10 * ALL)] = 0
    amount: Annotated[int, Meta(ge=-AMOUNT_MAX, le=AMOUNT_MAX)] = 0
    guest_amount: PriceAmount = 0

    def price_at(self, price: int) -> int:
        """What a night that usually costs this much costs at this rate; never below nothing."""
        return max(0, rounded(price * (ALL + self.basis_points), ALL) + self.amount)


class StayDiscount(StayLimits, frozen=True, kw_only=True):
    """So many `basis_points` off the rooms of each stay that is within its limits, at every rate.
    Of several the one that takes off the most counts; guests' amounts stay as they are."""

    name: Name
    basis_points: Annotated[int, Meta(ge=1, le=ALL)]


class ChildShare(PlanPart, frozen=True, kw_only=True):
    """What a child `under` this age costs, in basis points of what a guest costs."""

    under: Annotated[int, Meta(ge=1, le=ADULT_AGE)]
    basis_points: Annotated[int, Meta(ge=0, le=ALL)]


Rates = Annotated[tuple[NightRate, ...], Meta(max_length=20)]
Discounts = Annotated[tuple[StayDiscount, ...], Meta(max_length=20)]
ChildShares = Annotated[tuple[ChildShare, ...], Meta(max_length=ADULT_AGE)]


def check_rates(rates: Sequence[NightRate]) -> None:
    """Raises InvalidRequest for rates that make no sense."""
    check_names((rate.name for rate in rates), "rate")
    for index, rate in enumerate(rates):
        check_limits(rate, f"rates[{index}]")


def check_discounts(discounts: Sequence[StayDiscount]) -> None:
    """Raises InvalidRequest for discounts that make no sense."""
    check_names((discount.name for discount in discounts), "discount")
    for index, discount in enumerate(discounts):
        limits = (getattr(discount, field) for field in StayLimits.__struct_fields__)
        if all(limit is None for limit in limits):
            raise nonsense(f"discounts[{index}] is for all stays: lower the price instead")
        check_limits(discount, f"discounts[{index}]")


def check_children(children: Sequence[ChildShare]) -> None:
    """Raises InvalidRequest unless ages rise, and older children cost no less: so the guests that a
    price counts as the further ones are the same however they are dealt out."""
    for one, after in pairwise(children):
        if one.under >= after.under:
            raise nonsense("the `children` do not come in the order of their ages")
        if one.basis_points > after.basis_points:
            raise nonsense("older `children` cost less than younger ones")
