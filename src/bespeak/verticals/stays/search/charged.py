"""Fees and taxes on stays that are priced side by side, by the rules of `make_quote`: for stays of
one line, whose fees and taxes are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bespeak.inventory.arrays import np
from bespeak.pricing.rounding import ALL
from bespeak.pricing.rules import Fee, Pricing, Tax
from bespeak.verticals.stays.search.stay_terms import AMOUNT_SAFE
from bespeak.verticals.stays.search.wanted import Wanted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bespeak.inventory.arrays import Counts


def is_safe(charges: Pricing) -> bool:
    """Whether all amounts of them are small enough to be worked out side by side."""
    amounts = [fee.amount for fee in charges.fees] + [tax.guest_night for tax in charges.taxes]
    shares = sum(fee.basis_points for fee in charges.fees)
    return max(amounts, default=0) <= AMOUNT_SAFE and shares <= ALL


class FixedCharges(NamedTuple):
    """Charges that are no share of anything: fees, which what costs nothing has not, and taxes."""

    fees: int
    taxes: int


def fixed_charges(charges: Pricing, wanted: Wanted) -> FixedCharges | None:
    """What charges come to, whatever a stay costs; None: that depends on it."""
    added = [tax for tax in charges.taxes if not tax.included]
    shares = [fee.basis_points for fee in charges.fees] + [tax.basis_points for tax in added]
    if any(shares):
        return None
    counts = {"unit": wanted.rooms, "order": 1}
    fees = sum(fee.amount * counts[fee.per] for fee in charges.fees)
    return FixedCharges(fees, _guest_taxes(added, wanted, is_included=False))


def charged(charges: Pricing, nets: Counts, wanted: Wanted) -> Counts:
    """What stays whose nights cost so much cost with these charges; a line is for all rooms."""
    quantity = wanted.rooms
    of_unit = _fees(charges.fees, "unit", nets, quantity)
    of_order = _fees(charges.fees, "order", nets, 1)
    inner = np.minimum(_guest_taxes(charges.taxes, wanted, is_included=True), nets)
    taxed = nets - inner + _taxable(charges.fees, "unit", nets, quantity)
    of_order_taxed = _taxable(charges.fees, "order", nets, 1)
    total: Counts = nets + of_unit + of_order
    for tax in charges.taxes:
        if not tax.included:
            total = total + _share(taxed, tax.basis_points)
            total = total + _share(of_order_taxed, tax.basis_points)
    total = total + _guest_taxes(charges.taxes, wanted, is_included=False)
    return total


def _fees(fees: Iterable[Fee], per: str, nets: Counts, quantity: int) -> Counts:
    """What all fees of a kind come to; what costs nothing has none."""
    found: Counts = np.zeros_like(nets)
    for fee in fees:
        if fee.per == per:
            found = found + fee.amount * quantity + _share(nets, fee.basis_points)
    return np.where(nets == 0, 0, found)


def _taxable(fees: Iterable[Fee], per: str, nets: Counts, quantity: int) -> Counts:
    return _fees((fee for fee in fees if fee.taxable), per, nets, quantity)


def _guest_taxes(taxes: Iterable[Tax], wanted: Wanted, *, is_included: bool) -> int:
    party = wanted.party
    return sum(
        tax.guest_night * tax.guest_nights(party.guests, party.ages, wanted.nights)
        for tax in taxes
        if tax.included is is_included
    )


def _share(amounts: Counts, basis_points: int) -> Counts:
    shares: Counts = (2 * amounts * basis_points + ALL) // (2 * ALL)
    return shares
