"""What stands on an invoice or a credit note, frozen when it is issued: the seller, the lines, the
taxes by their rates. It is made of what was frozen with the hold, so that it says what was sold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Literal

import msgspec

from bespeak.merchants.profile import MerchantProfile
from bespeak.pricing.quotes import QuoteLine
from bespeak.pricing.rounding import rounded, spread


class Seller(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sold, as the profile said it then. `note` is what the law wants to be said, as that of a
    small business without value-added tax."""

    name: str | None = None
    address: str | None = None
    tax_number: str | None = None
    email: str | None = None
    phone: str | None = None
    note: str | None = None


class InvoiceLine(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A line: what it is for, how many, and what it costs in minor units; with taxes that are
    included. `starts` and `ends` are times or dates of what was booked, by the clocks of `zone`."""

    kind: Literal["unit", "fee", "discount", "refund"]
    label: str
    amount: int
    detail: str = ""
    quantity: int = 1
    starts: str | None = None
    ends: str | None = None
    zone: str | None = None


class TaxShare(msgspec.Struct, frozen=True, kw_only=True):
    """What of the total is of one tax, in minor units: on what, the tax, and both. Without a tax
    (`label` empty) it is what none is on. `basis_points` is the rate, null where it was not kept;
    a tax that is `included` is within the amounts of the lines."""

    label: str
    basis_points: int | None
    included: bool
    net: int
    tax: int
    gross: int


class Payer(msgspec.Struct, frozen=True, omit_defaults=True):
    """How it was paid: by which provider, and when."""

    provider: str
    at: datetime


class InvoiceContent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that stands on a document but its number, its date and the buyer."""

    seller: Seller
    booking_code: str
    lines: list[InvoiceLine]
    taxes: list[TaxShare]
    paid: Payer | None = None
    cause: str | None = None


def seller_of(profile: MerchantProfile) -> Seller:
    """The seller as the profile says it now."""
    return Seller(
        name=profile.name,
        address=profile.address,
        tax_number=profile.tax_number,
        email=profile.email,
        phone=profile.phone,
        note=profile.invoice_note,
    )


def tax_shares(parts: Sequence[QuoteLine], total: int) -> list[TaxShare]:
    """The taxes of the parts of a quote, one share for each tax and rate, and last what no tax is
    on. Parts come line by line, the taxes of each line last; so what a run of taxes is on stands
    before it. Quotes of before rates were kept say no rate: then the tax is on all of its line."""
    found: dict[tuple[str, int | None, bool], tuple[int, int]] = {}
    untaxed = 0
    for goods, taxes in _runs(parts):
        included = sum(tax.amount for tax in taxes if tax.included)
        base = 0  # what some tax is on; one by guests and nights is on nothing
        for tax in taxes:
            net = goods - included if tax.net is None else tax.net
            base = max(base, net)
            key = (tax.label, tax.basis_points, tax.included)
            known = found.get(key, (0, 0))
            found[key] = (known[0] + net, known[1] + tax.amount)
        untaxed += goods - included - base
    if not parts:
        untaxed = total
    shares = [
        TaxShare(
            label=label, basis_points=rate, included=included, net=net, tax=tax, gross=net + tax
        )
        for (label, rate, included), (net, tax) in found.items()
    ]
    if untaxed or not shares:
        shares.append(
            TaxShare(label="", basis_points=None, included=True, net=untaxed, tax=0, gross=untaxed)
        )
    return shares


def _runs(parts: Sequence[QuoteLine]) -> Iterator[tuple[int, list[QuoteLine]]]:
    """What a run of taxes is on, and the run; last what has none behind it."""
    goods = 0
    taxes: list[QuoteLine] = []
    for is_tax, run in groupby(parts, lambda part: part.kind == "tax"):
        found = list(run)
        if is_tax:
            taxes = found
            yield goods, taxes
            goods, taxes = 0, []
        else:
            goods += sum(part.amount for part in found)
    if goods:
        yield goods, []


def returned_shares(
    taxes: Sequence[TaxShare], total: int, before: int, amount: int
) -> list[TaxShare]:
    """What of the taxes goes back with an amount, in proportion. What went back before is counted
    in, so that refunds of all of it come to all of each tax."""
    if total == 0:
        return []
    upto, until = _part_of(taxes, total, before), _part_of(taxes, total, before + amount)
    return [
        TaxShare(
            label=share.label,
            basis_points=share.basis_points,
            included=share.included,
            net=-(gross - tax - gross_before + tax_before),
            tax=-(tax - tax_before),
            gross=-(gross - gross_before),
        )
        for share, (gross_before, tax_before), (gross, tax) in zip(taxes, upto, until, strict=True)
    ]


def _part_of(taxes: Sequence[TaxShare], total: int, amount: int) -> list[tuple[int, int]]:
    """Of each share, what an amount of the total stands for: with its tax, and the tax. Where no
    two taxes are on the same, these sum to the amount."""
    gross = [share.gross for share in taxes]
    if sum(gross) == total:
        parts = spread(amount, gross)
    else:
        parts = [rounded(one * amount, total) for one in gross]
    return [
        (part, rounded(share.tax * amount, total)) for share, part in zip(taxes, parts, strict=True)
    ]


def unit_amounts(amounts: Sequence[int] | None, count: int, total: int) -> list[int]:
    """What each line costs, where there was no quote."""
    if amounts is not None and len(amounts) == count:
        return list(amounts)
    return spread(total, [1] * count) if count else []
