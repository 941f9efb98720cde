"""Taxes on invoices: their shares come to the total, and those of refunds to the invoice's."""

import random

import pytest

from bespeak.invoices.content import TaxShare, returned_shares, tax_shares
from bespeak.pricing.quotes import Priced, QuoteLine, StayGuests, make_quote
from bespeak.pricing.rules import Fee, Pricing, Tax

INCLUDED = Pricing(
    fees=(Fee("service", amount=99, taxable=False), Fee("post", "order", amount=390)),
    taxes=(Tax("VAT", 700, included=True),),
)
ADDED = Pricing(fees=(Fee("service", amount=150),), taxes=(Tax("sales tax", 875),))
STAY = Pricing(
    taxes=(
        Tax("VAT", 700, included=True),
        Tax("City tax", guest_night=250),
        Tax("Spa tax", included=True, guest_night=100),
    )
)
CITY = Pricing(taxes=(Tax("City tax", guest_night=250),))
FREE = Pricing(fees=(Fee("service", amount=50),))


def quoted(*rules: Pricing | None) -> tuple[list[QuoteLine], int]:
    lines = [
        Priced(
            f"res_{place}",
            each,
            f"A{place}",
            1,
            1999 + place,
            1999 + place,
            guests=StayGuests(2, (), 3),
        )
        for place, each in enumerate(rules)
    ]
    quote = make_quote(lines, "EUR")
    return quote.lines, quote.total.amount


@pytest.mark.parametrize("rules", [INCLUDED, ADDED, STAY, CITY, FREE, None])
@pytest.mark.parametrize("others", [INCLUDED, ADDED, STAY, CITY, FREE, None])
def test_the_shares_come_to_the_total(rules: Pricing | None, others: Pricing | None) -> None:
    parts, total = quoted(rules, others, rules)
    shares = tax_shares(parts, total)
    assert sum(share.gross for share in shares) == total
    assert all(share.net + share.tax == share.gross for share in shares)
    told = sum(part.amount for part in parts if part.kind == "tax")
    assert sum(share.tax for share in shares) == told


def test_a_share_for_each_rate_and_what_no_tax_is_on() -> None:
    parts, total = quoted(INCLUDED)
    assert total == 1999 + 99 + 390
    assert tax_shares(parts, total) == [
        # 7% within 19.99, 1.31, and within 3.90, 0.26.
        TaxShare(label="VAT", basis_points=700, included=True, net=2389 - 157, tax=157, gross=2389),
        TaxShare(label="", basis_points=None, included=True, net=99, tax=0, gross=99),
    ]


def test_without_a_quote_no_tax_is_known() -> None:
    (share,) = tax_shares([], 4500)
    assert (share.label, share.net, share.tax) == ("", 4500, 0)


def test_quotes_of_before_rates_were_kept() -> None:
    parts = [
        QuoteLine(kind="unit", label="A1", amount=1070, line=0),
        QuoteLine(kind="tax", label="VAT", amount=70, line=0, included=True),
    ]
    assert tax_shares(parts, 1070) == [
        TaxShare(label="VAT", basis_points=None, included=True, net=1000, tax=70, gross=1070)
    ]


def test_refunds_of_all_of_it_come_to_all_of_each_tax(dice: random.Random) -> None:
    for _ in range(300):
        parts, total = quoted(INCLUDED, ADDED, FREE)
        shares = tax_shares(parts, total)
        before, sums = 0, [0] * len(shares)
        while before < total:
            amount = min(dice.randint(1, 2500), total - before)
            back = returned_shares(shares, total, before, amount)
            assert sum(share.gross for share in back) == -amount
            assert all(share.net + share.tax == share.gross for share in back)
            sums = [known + share.tax for known, share in zip(sums, back, strict=True)]
            before += amount
        assert sums == [-share.tax for share in shares]
