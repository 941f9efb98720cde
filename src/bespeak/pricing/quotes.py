"""Quotes: what lines cost, part by part. A quote is made once, when a hold is placed, and frozen
with it; its parts sum to its total, whatever the rules.

Rounding is half up to whole minor units, once for each part of each line; taxes are computed line
by line, and on the fees of an order by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from bespeak.money import Money
from bespeak.pricing.rounding import ALL, rounded, share
from bespeak.pricing.rules import Fee, PriceCode, Pricing, Tax, Terms


class QuotedNights(msgspec.Struct, frozen=True, kw_only=True):
    """So many nights of a stay from a date on, which cost so much each: all rooms and guests of
    the line, in minor units, without discounts."""

    from_: str = msgspec.field(name="from")
    nights: int
    amount: int


class Discount(NamedTuple):
    """What a plan takes off a line by itself, and what that is called."""

    label: str
    amount: int


class StayGuests(NamedTuple):
    """The guests of a stay, the ages of the children among them, and how many nights they stay."""

    number: int
    ages: Sequence[int]
    nights: int


class QuoteLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a quote, in minor units; a discount is below zero, and a tax that is `included` is
    told but not added. `line` is the place of the hold's line that it is of (absent: of the order),
    `list_amount` what the units would cost without the demand step, and `terms` the place in the
    quote's `cancellation` of what counts for this line. Of a tax, `basis_points` is its rate, and
    `net` what it is on, without taxes that are included; one by guests and nights has their number
    as its `quantity`, and no rate. Of a stay, `nights` are what each night costs."""

    kind: Literal["unit", "fee", "discount", "tax"]
    label: str
    amount: int
    quantity: int = 1
    line: int | None = None
    included: bool = False
    list_amount: int | None = None
    terms: int | None = None
    basis_points: int | None = None
    net: int | None = None
    nights: Sequence[QuotedNights] = ()


class Quote(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What lines cost. `amounts` is all of each line, and `fees` what of that are fees with their
    taxes; with `order_fees`, those of the order with theirs, the amounts sum to the total."""

    total: Money
    lines: list[QuoteLine]
    amounts: list[int]
    fees: list[int] = []
    order_fees: int = 0
    cancellation: list[Terms] = []

    @property
    def is_plain(self) -> bool:
        """Whether the amounts of the lines say all that there is to say."""
        return all(
            line.kind == "unit"
            and line.list_amount is None
            and line.terms is None
            and not line.nights
            for line in self.lines
        )

    def terms_of(self) -> list[Terms | None]:
        """The frozen terms of each line; None where its resource had no policy."""
        found: list[Terms | None] = [None] * len(self.amounts)
        for part in self.lines:
            if part.kind == "unit" and part.line is not None and part.terms is not None:
                found[part.line] = self.cancellation[part.terms]
        return found


class Priced(NamedTuple):
    """A line to quote: its resource, the resource's rules, what to call it, for how many units it
    counts, what these cost by the plan and the demand, and what they would without the demand. Of a
    stay also its rate, its nights, its guests, and the plan's discount, which is not taken off
    `amount` yet."""

    resource_id: str
    pricing: Pricing | None
    label: str
    quantity: int
    amount: int
    list_amount: int
    unit: str | None = None
    category: str | None = None
    code: PriceCode | None = None
    rate: str | None = None
    nights: Sequence[QuotedNights] = ()
    guests: StayGuests | None = None
    discount: Discount | None = None


def make_quote(lines: Sequence[Priced], currency: str) -> Quote:
    """The quote of lines of one currency. What costs nothing has no fees."""
    parts: list[QuoteLine] = []
    amounts: list[int] = []
    fees: list[int] = []
    terms: list[Terms] = []
    goods: dict[str, int] = {}
    for place, line in enumerate(lines):
        own, net, amount, of_fees = _quote_line(place, line, terms)
        parts += own
        amounts.append(amount)
        fees.append(of_fees)
        goods[line.resource_id] = goods.get(line.resource_id, 0) + net
    rules = {line.resource_id: line.pricing for line in lines}
    order_fees = 0
    for resource_id, net in goods.items():
        own, amount = _quote_order(rules[resource_id], net)
        parts += own
        order_fees += amount
    return Quote(
        total=Money(sum(amounts) + order_fees, currency),
        lines=parts,
        amounts=amounts,
        fees=fees if any(fees) else [],
        order_fees=order_fees,
        cancellation=terms,
    )


def discount_of(code: PriceCode | None, amount: int, quantity: int) -> int:
    """What a code takes off, never more than there is: a share of the line, and so much a unit."""
    if code is None:
        return 0
    return min(amount, share(amount, code.basis_points) + code.amount * quantity)


def _quote_line(
    place: int, line: Priced, terms: list[Terms]
) -> tuple[list[QuoteLine], int, int, int]:
    """The parts of a line; what its units cost, all of it, and what of that are fees."""
    rules = line.pricing or Pricing()
    found = [
        QuoteLine(
            kind="unit",
            label=line.label,
            quantity=line.quantity,
            amount=line.amount,
            line=place,
            list_amount=None if line.list_amount == line.amount else line.list_amount,
            terms=_place_of(line, terms),
            nights=line.nights,
        )
    ]
    net = line.amount
    if line.discount is not None:
        label, off = line.discount
        found.append(QuoteLine(kind="discount", label=label, amount=-off, line=place))
        net -= off
    discount = discount_of(line.code, net, line.quantity)
    if line.code is not None and discount:
        found.append(QuoteLine(kind="discount", label=line.code.code, amount=-discount, line=place))
    net -= discount
    fees = _fees(rules.fees, "unit", net, line.quantity)
    for fee, amount in fees:
        found.append(
            QuoteLine(kind="fee", label=fee.name, quantity=line.quantity, amount=amount, line=place)
        )
    added, untaxed = _add_taxes(found, rules.taxes, net, fees, place, line.guests)
    of_fees = sum(amount for _, amount in fees)
    return found, net, net + of_fees + added, of_fees + added - untaxed


def _add_taxes(
    found: list[QuoteLine],
    taxes: Sequence[Tax],
    net: int,
    fees: Sequence[tuple[Fee, int]],
    place: int | None,
    guests: StayGuests | None = None,
) -> tuple[int, int]:
    """Adds the taxes of a line to its parts; answers what they add to it, and what they would if
    it had no fees. A tax by guests and nights that is included is no part of what others are on."""
    if not taxes:
        return 0, 0
    by_guests = _guest_taxes(taxes, guests, net, place)
    inner = sum(part.amount for part in by_guests if part.included)
    net -= inner
    taxed = net + sum(amount for fee, amount in fees if fee.taxable)
    inside = ALL + sum(tax.basis_points for tax in taxes if tax.included)
    added = untaxed = 0
    told: list[tuple[Tax, int]] = []
    for tax in taxes:
        if tax.included:
            amount = rounded(taxed * tax.basis_points, inside)
        else:
            amount = share(taxed, tax.basis_points)
            added += amount
            untaxed += share(net, tax.basis_points)
        if amount:
            told.append((tax, amount))
    bare = taxed - sum(amount for tax, amount in told if tax.included)
    found += [_tax_line(tax, amount, place, bare) for tax, amount in told]
    outer = sum(part.amount for part in by_guests if not part.included)
    found += by_guests
    return added + outer, untaxed + outer


def _guest_taxes(
    taxes: Sequence[Tax], guests: StayGuests | None, price: int, place: int | None
) -> list[QuoteLine]:
    """The taxes by guests and nights that a stay owes; a price includes no more than it is."""
    found: list[QuoteLine] = []
    if guests is None:
        return found
    for tax in taxes:
        count = tax.guest_nights(guests.number, guests.ages, guests.nights)
        amount = tax.guest_night * count
        if tax.included:
            amount = min(amount, price)
            price -= amount
        if amount:
            told = QuoteLine(
                kind="tax",
                label=tax.name,
                quantity=count,
                amount=amount,
                line=place,
                included=tax.included,
                net=0,
            )
            found.append(told)
    return found


def _tax_line(tax: Tax, amount: int, place: int | None, net: int) -> QuoteLine:
    return QuoteLine(
        kind="tax",
        label=tax.name,
        amount=amount,
        line=place,
        included=tax.included,
        basis_points=tax.basis_points,
        net=net,
    )


def _quote_order(rules: Pricing | None, net: int) -> tuple[list[QuoteLine], int]:
    """The fees of an order with their taxes, and what they come to."""
    if rules is None:
        return [], 0
    fees = _fees(rules.fees, "order", net, 1)
    if not fees:
        return [], 0
    found = [QuoteLine(kind="fee", label=fee.name, amount=amount) for fee, amount in fees]
    added, _ = _add_taxes(found, rules.taxes, 0, fees, None)
    return found, sum(amount for _, amount in fees) + added


def _fees(
    fees: Sequence[Fee], per: Literal["unit", "order"], net: int, quantity: int
) -> list[tuple[Fee, int]]:
    if net == 0 or not fees:
        return []
    charged = [
        (fee, fee.amount * quantity + share(net, fee.basis_points))
        for fee in fees
        if fee.per == per
    ]
    return [(fee, amount) for fee, amount in charged if amount]


def _place_of(line: Priced, terms: list[Terms]) -> int | None:
    """The place of a line's terms among those of the quote, where its resource has a policy."""
    if line.pricing is None or line.pricing.cancellation is None:
        return None
    own = line.pricing.cancellation.terms_for(line.unit, line.category, line.rate)
    if own not in terms:
        terms.append(own)
    return terms.index(own)
