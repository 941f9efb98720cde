"""Quotes: whatever the rules and the lines, the parts sum to the total, and none is below zero."""

from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from bespeak.pricing.quotes import Discount, Priced, Quote, StayGuests, discount_of, make_quote
from bespeak.pricing.rounding import ALL, rounded, share, spread
from bespeak.pricing.rules import (
    Cancellation,
    CancellationOverride,
    Fee,
    PriceCode,
    Pricing,
    RefundTier,
    Tax,
)

POINTS = st.integers(0, ALL)
MONEY = st.integers(0, 10**12)
SMALL = st.integers(0, 20_000)


def named(strategy: Any, most: int = 3) -> Any:
    return st.lists(strategy, max_size=most).map(
        lambda found: tuple(make(f"n{place}") for place, make in enumerate(found))
    )


def fee(per: str, amount: int, points: int, taxable: bool) -> Any:
    return lambda name: Fee(name, per, amount, points, taxable)  # type: ignore[arg-type]


def tax(points: int, included: bool) -> Any:
    return lambda name: Tax(name, points, included)


FEES = named(st.builds(fee, st.sampled_from(["unit", "order"]), SMALL, POINTS, st.booleans()))


def guest_tax(amount: int, included: bool, age_from: int | None, nights_max: int | None) -> Any:
    return lambda name: Tax(name, 0, included, amount, age_from, nights_max)


TAXES = named(
    st.builds(tax, POINTS, st.booleans())
    | st.builds(
        guest_tax,
        SMALL,
        st.booleans(),
        st.none() | st.integers(1, 18),
        st.none() | st.integers(1, 9),
    )
)
GUESTS = st.none() | st.builds(
    lambda adults, ages, nights: StayGuests(adults + len(ages), ages, nights),
    st.integers(1, 5),
    st.lists(st.integers(0, 17), max_size=3),
    st.integers(1, 14),
)
PRICINGS = st.none() | st.builds(Pricing, fees=FEES, taxes=TAXES)
CODES = st.none() | st.builds(
    PriceCode, code=st.just("SPRING"), capacity=st.just(1), basis_points=POINTS, amount=SMALL
)
RULES = {"res_one": PRICINGS, "res_two": PRICINGS}


@st.composite
def lines(draw: st.DrawFn, money: st.SearchStrategy[int] = MONEY) -> list[Priced]:
    rules = {name: draw(pricing) for name, pricing in RULES.items()}
    found = []
    for _ in range(draw(st.integers(1, 6))):
        resource_id = draw(st.sampled_from(sorted(rules)))
        quantity = draw(st.integers(1, 8))
        amount = draw(money) * quantity
        code = draw(CODES) if rules[resource_id] is not None else None
        found.append(
            Priced(
                resource_id,
                rules[resource_id],
                "A1",
                quantity,
                amount,
                draw(money),
                "A1",
                None,
                code,
                guests=draw(GUESTS),
                discount=draw(st.none() | st.integers(1, amount).map(taken_off))
                if amount
                else None,
            )
        )
    return found


def taken_off(amount: int) -> Discount:
    return Discount("A week", amount)


def quoted(asked: list[Priced]) -> Quote:
    return make_quote(asked, "EUR")


@given(lines())
def test_the_parts_sum_to_the_total(asked: list[Priced]) -> None:
    quote = quoted(asked)
    added = [part for part in quote.lines if not part.included]
    assert sum(part.amount for part in added) == quote.total.amount
    assert sum(quote.amounts) + quote.order_fees == quote.total.amount
    for place, amount in enumerate(quote.amounts):
        assert amount == sum(part.amount for part in added if part.line == place)


@given(lines() | lines(st.integers(0, 3)))
def test_nothing_is_below_zero_and_all_is_whole(asked: list[Priced]) -> None:
    quote = quoted(asked)
    assert all(type(amount) is int and amount >= 0 for amount in quote.amounts)
    assert type(quote.order_fees) is int
    assert quote.order_fees >= 0
    for part in quote.lines:
        assert type(part.amount) is int
        assert (part.amount < 0) == (part.kind == "discount")
    for place, amount in enumerate(quote.amounts):
        assert 0 <= (quote.fees or [0] * len(quote.amounts))[place] <= amount


@given(lines())
def test_a_line_costs_the_same_alone_but_for_the_fees_of_the_order(asked: list[Priced]) -> None:
    together = quoted(asked)
    assert together.amounts == [quoted([line]).amounts[0] for line in asked]


@given(lines())
def test_what_is_free_has_no_fees(asked: list[Priced]) -> None:
    free = [line._replace(amount=0, discount=None, guests=None) for line in asked]
    quote = quoted(free)
    assert quote.total.amount == 0
    assert {part.kind for part in quote.lines} == {"unit"}


@given(lines())
def test_the_fees_of_a_line_are_what_it_costs_more_for_them(asked: list[Priced]) -> None:
    quote = quoted(asked)
    without = quoted([line._replace(pricing=_without_fees(line.pricing)) for line in asked])
    for place, amount in enumerate(quote.amounts):
        assert amount - (quote.fees or [0] * len(quote.amounts))[place] == without.amounts[place]


def _without_fees(pricing: Pricing | None) -> Pricing | None:
    return None if pricing is None else Pricing(taxes=pricing.taxes)


@given(MONEY, POINTS)
def test_a_share_is_rounded_half_up(amount: int, points: int) -> None:
    exact = Fraction(amount * points, ALL)
    assert share(amount, points) == (exact + Fraction(1, 2)).__floor__()


@pytest.mark.parametrize(("number", "expected"), [(4, 0), (5, 1), (14, 1), (15, 2), (25, 3)])
def test_a_half_goes_up(number: int, expected: int) -> None:
    assert rounded(number, 10) == expected


@given(MONEY, st.lists(MONEY, min_size=1, max_size=20))
def test_what_is_spread_sums_to_what_it_was(amount: int, weights: list[int]) -> None:
    parts = spread(amount, weights)
    assert sum(parts) == amount
    assert len(parts) == len(weights)
    assert all(part >= 0 for part in parts)


@given(MONEY, CODES, st.integers(1, 100))
def test_a_discount_is_never_more_than_the_price(
    amount: int, code: PriceCode | None, quantity: int
) -> None:
    assert 0 <= discount_of(code, amount, quantity) <= amount


def line(pricing: Pricing | None, amount: int = 1000, quantity: int = 1, **more: Any) -> Priced:
    return Priced("res_one", pricing, "A1", quantity, amount, amount, **more)


def parts(quote: Quote) -> list[tuple[str, str, int, int | None]]:
    return [(part.kind, part.label, part.amount, part.line) for part in quote.lines]


def test_a_quote_as_one_would_reckon_it_by_hand() -> None:
    pricing = Pricing(
        fees=(Fee("booking", "unit", 150), Fee("post", "order", 300, taxable=False)),
        taxes=(Tax("sales tax", 875),),
    )
    code = PriceCode(code="SPRING", capacity=5, basis_points=1000)
    quote = quoted([line(pricing, 4000, 2, code=code), line(pricing, 2500)])
    assert parts(quote) == [
        ("unit", "A1", 4000, 0),
        ("discount", "SPRING", -400, 0),
        ("fee", "booking", 300, 0),
        ("tax", "sales tax", 341, 0),  # 8.75% of 39.00 is 3.4125
        ("unit", "A1", 2500, 1),
        ("fee", "booking", 150, 1),
        ("tax", "sales tax", 232, 1),  # 8.75% of 26.50 is 2.31875
        ("fee", "post", 300, None),
    ]
    assert quote.amounts == [4241, 2882]
    assert quote.order_fees == 300
    assert quote.total.amount == 7423
    assert quote.fees == [300 + 341 - 315, 150 + 232 - 219]


def test_an_included_tax_is_told_and_not_added() -> None:
    quote = quoted([line(Pricing(taxes=(Tax("VAT", 1900, included=True),)), 11_900)])
    assert quote.total.amount == 11_900
    assert [(part.amount, part.included) for part in quote.lines] == [(11_900, False), (1900, True)]


def test_the_fees_of_an_order_come_once_a_resource_and_have_their_taxes() -> None:
    pricing = Pricing(fees=(Fee("service", "order", 0, 500),), taxes=(Tax("tax", 1000),))
    quote = quoted([line(pricing, 1000), line(pricing, 3000)])
    assert [part.amount for part in quote.lines if part.line is None] == [200, 20]
    assert quote.order_fees == 220


def test_only_what_says_more_than_the_amounts_is_kept() -> None:
    assert quoted([line(None)]).is_plain
    assert quoted([line(Pricing())]).is_plain
    assert not quoted([line(None)._replace(list_amount=900)]).is_plain
    assert not quoted([line(Pricing(taxes=(Tax("VAT", 1900, included=True),)))]).is_plain
    policy = Cancellation(refundable=False)
    assert not quoted([line(Pricing(cancellation=policy))]).is_plain


def test_the_terms_of_each_line_are_in_the_quote_each_once() -> None:
    strict = CancellationOverride(categories=("gold",), refundable=False)
    own = CancellationOverride(units=("A7",), free_until_seconds=60)
    policy = Cancellation(tiers=(RefundTier(3600, 5000),), overrides=(strict, own))
    pricing = Pricing(cancellation=policy)
    quote = quoted(
        [
            line(pricing, category="gold"),
            line(pricing, unit="A7", category="gold"),
            line(pricing),
            line(pricing),
            line(None),
        ]
    )
    assert len(quote.cancellation) == 3
    gold, seat, first, second, other = quote.terms_of()
    assert gold is not None
    assert gold.tiers == ()
    assert seat is not None
    assert seat.tiers == (RefundTier(60, ALL),)
    assert first == second
    assert first is not None
    assert first.tiers == (RefundTier(3600, 5000),)
    assert other is None


NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
LATER = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("code", "is_good"),
    [
        (PriceCode(code="A", capacity=1), True),
        (PriceCode(code="A", capacity=1, valid_from=NOW, valid_until=LATER), True),
        (PriceCode(code="A", capacity=1, valid_from=LATER), False),
        (PriceCode(code="A", capacity=1, valid_until=NOW), False),
        (PriceCode(code="A", capacity=1, units=("A1", "A2")), True),
        (PriceCode(code="A", capacity=1, units=("A2",)), False),
        (PriceCode(code="A", capacity=1, categories=("gold",)), True),
        (PriceCode(code="A", capacity=1, categories=("tin",)), False),
        (PriceCode(code="A", capacity=1, categories=("tin",), units=("A1",)), True),
    ],
)
def test_when_and_for_what_a_code_is_good(code: PriceCode, is_good: bool) -> None:
    assert code.admits("A1", "gold", NOW) is is_good


# Stays


CITY = Tax("City tax", guest_night=250, age_from=16, nights_max=5)


@pytest.mark.parametrize(
    ("guests", "ages", "nights", "count"),
    [(2, (), 3, 6), (2, (), 7, 10), (3, (15, 16), 1, 2), (2, (3, 4), 2, 0)],
)
def test_a_tax_by_guests_and_nights(
    guests: int, ages: tuple[int, ...], nights: int, count: int
) -> None:
    rules = Pricing(taxes=(CITY, Tax("VAT", 1000)))
    quote = quoted([line(rules, 10_000, guests=StayGuests(guests, ages, nights))])
    told = [part for part in quote.lines if part.label == "City tax"]
    assert [(part.quantity, part.amount, part.net) for part in told] == (
        [(count, 250 * count, 0)] if count else []
    )
    assert quote.total.amount == 10_000 + 1000 + 250 * count


def test_an_included_tax_by_guests_is_no_part_of_what_others_are_on() -> None:
    rules = Pricing(
        taxes=(Tax("VAT", 1000, included=True), Tax("City", included=True, guest_night=100))
    )
    quote = quoted([line(rules, 1300, guests=StayGuests(2, (), 1))])
    assert quote.total.amount == 1300
    assert parts(quote)[1:] == [("tax", "VAT", 100, 0), ("tax", "City", 200, 0)]
    assert [part.net for part in quote.lines[1:]] == [1000, 0]


def test_the_discount_of_the_plan_comes_before_the_code() -> None:
    code = PriceCode(code="HALF", capacity=1, basis_points=5000)
    quote = quoted([line(None, 1000, discount=Discount("A week", 100), code=code)])
    assert parts(quote) == [
        ("unit", "A1", 1000, 0),
        ("discount", "A week", -100, 0),
        ("discount", "HALF", -450, 0),
    ]
    assert not quote.is_plain


def test_a_price_includes_no_more_than_it_is() -> None:
    rules = Pricing(taxes=(Tax("City", included=True, guest_night=100), Tax("VAT", 1000)))
    quote = quoted([line(rules, 150, guests=StayGuests(2, (), 1))])
    assert parts(quote)[1:] == [("tax", "City", 150, 0)]
    assert quote.total.amount == 150
