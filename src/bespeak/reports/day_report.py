"""The report of a day, and the sums that it is made of. Amounts are in minor units; what stands in
one list with its currency is never added to what is in another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime

import msgspec

from bespeak.invoices.content import TaxShare
from bespeak.payments.free_sales import FreeReason
from bespeak.payments.takings import DeskTakings
from bespeak.pricing.quotes import QuoteLine


class DaySales(msgspec.Struct, frozen=True, kw_only=True):
    """What was sold of one category of a resource, paid over one provider: how many units, and what
    they cost with their fees and taxes. Without `resource_id` it is the fees of orders."""

    resource_id: str | None
    name: str
    category: str | None
    provider: str
    currency: str
    units: int
    amount: int


class DayMoney(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider took and gave back, and what stayed. `taken_for_nothing` is what of it came
    too late or was another amount, and goes back."""

    provider: str
    currency: str
    payments: int
    taken: int
    taken_for_nothing: int
    refunds: int
    returned: int
    balance: int


class DayFee(msgspec.Struct, frozen=True, kw_only=True):
    """What came in of a fee."""

    name: str
    currency: str
    quantity: int
    amount: int


class DayTax(msgspec.Struct, frozen=True, kw_only=True):
    """What was sold under a tax: net, tax and both; of refunds below zero. Without a name it is
    what no tax is on."""

    name: str
    basis_points: int | None
    currency: str
    net: int
    tax: int
    gross: int


class DayRefunds(msgspec.Struct, frozen=True, kw_only=True):
    """What was given back for one cause."""

    cause: str
    currency: str
    count: int
    amount: int


class DayFree(msgspec.Struct, frozen=True, kw_only=True):
    """What the desk gave for nothing of a resource, for one reason: how many bookings and units,
    and what they would have cost."""

    resource_id: str
    name: str
    reason: FreeReason
    currency: str
    bookings: int
    units: int
    worth: int


class DayReport(msgspec.Struct, frozen=True, kw_only=True):
    """A day of a workspace by the clocks of a zone: what was sold by resource, category and
    provider; what each provider moved; fees; taxes of what was sold and of what was given back;
    refunds; the takings of the desk, and what it gave for nothing."""

    date: date
    time_zone: str
    since: datetime
    until: datetime
    bookings: int
    sales: list[DaySales]
    money: list[DayMoney]
    fees: list[DayFee]
    taxes: list[DayTax]
    refunded_taxes: list[DayTax]
    refunds: list[DayRefunds]
    desk: list[DeskTakings]
    free: list[DayFree]


class PeriodDay(DayMoney, frozen=True, kw_only=True):
    """What a provider took and gave back in one day of a period, and what stayed."""

    date: date


class PeriodReport(msgspec.Struct, frozen=True, kw_only=True):
    """The days from `first` to `last`, both of them within, by the clocks of a zone: the sums of
    their reports, and in `days` what each provider moved on each of them. Days without money are
    left out there."""

    first: date
    last: date
    time_zone: str
    since: datetime
    until: datetime
    bookings: int
    sales: list[DaySales]
    money: list[DayMoney]
    fees: list[DayFee]
    taxes: list[DayTax]
    refunded_taxes: list[DayTax]
    refunds: list[DayRefunds]
    desk: list[DeskTakings]
    free: list[DayFree]
    days: list[PeriodDay]


class TaxSums:
    """Taxes that are added up by name, rate and currency."""

    def __init__(self) -> None:
        self._net: Counter[tuple[str, int | None, str]] = Counter()
        self._tax: Counter[tuple[str, int | None, str]] = Counter()

    def add(self, shares: Iterable[TaxShare], currency: str) -> None:
        for share in shares:
            key = (share.label, share.basis_points, currency)
            self._net[key] += share.net
            self._tax[key] += share.tax

    def told(self) -> list[DayTax]:
        """What no tax is on stands last."""
        keys = sorted(self._net, key=lambda key: (key[2], not key[0], key[0], key[1] or 0))
        return [
            DayTax(
                name=key[0],
                basis_points=key[1],
                currency=key[2],
                net=self._net[key],
                tax=self._tax[key],
                gross=self._net[key] + self._tax[key],
            )
            for key in keys
        ]


class FeeSums:
    """Fees that are added up by name and currency."""

    def __init__(self) -> None:
        self._amounts: Counter[tuple[str, str]] = Counter()
        self._quantities: Counter[tuple[str, str]] = Counter()

    def add(self, parts: Sequence[QuoteLine], currency: str) -> None:
        for part in parts:
            if part.kind == "fee":
                self._amounts[part.label, currency] += part.amount
                self._quantities[part.label, currency] += part.quantity

    def told(self) -> list[DayFee]:
        return [
            DayFee(name=name, currency=currency, quantity=self._quantities[key], amount=amount)
            for key, amount in sorted(self._amounts.items())
            for name, currency in (key,)
        ]


def money_sums(days: Iterable[PeriodDay]) -> list[DayMoney]:
    """What each provider moved on all of these days."""
    found: dict[tuple[str, str], list[PeriodDay]] = {}
    for day in days:
        found.setdefault((day.provider, day.currency), []).append(day)
    return [
        DayMoney(
            provider=provider,
            currency=currency,
            payments=sum(day.payments for day in some),
            taken=sum(day.taken for day in some),
            taken_for_nothing=sum(day.taken_for_nothing for day in some),
            refunds=sum(day.refunds for day in some),
            returned=sum(day.returned for day in some),
            balance=sum(day.balance for day in some),
        )
        for (provider, currency), some in sorted(found.items())
    ]


def refund_sums(sums: Mapping[tuple[str, str], tuple[int, int]]) -> list[DayRefunds]:
    """Refunds by their causes and currencies, each with how many and how much."""
    return [
        DayRefunds(cause=cause, currency=currency, count=count, amount=amount)
        for (cause, currency), (count, amount) in sorted(sums.items())
    ]
