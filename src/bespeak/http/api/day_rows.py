"""The report of a day, or of many, as rows for spreadsheets: all parts in one file, each row saying
of which it is.
"""

from __future__ import annotations

from typing import NamedTuple

from bespeak.http.server.spreadsheets import decimal
from bespeak.reports.day_report import DayReport, DayTax, PeriodDay, PeriodReport

HEAD = (
    *("part", "name", "category", "paid over", "count", "net", "tax", "amount", "given back"),
    *("currency", "rate in percent"),
)


class DayRow(NamedTuple):
    """A row, in the order of the head."""

    part: str
    name: str | None = None
    category: str | None = None
    provider: str | None = None
    quantity: int | None = None
    net: str | None = None
    tax: str | None = None
    amount: str | None = None
    returned: str | None = None
    currency: str | None = None
    rate: str | None = None


def period_rows(report: PeriodReport) -> list[DayRow]:
    """The rows of the days, then those of their sums."""
    return [*(_day(one) for one in report.days), *day_rows(report)]


def _day(one: PeriodDay) -> DayRow:
    return DayRow(
        "day",
        one.date.isoformat(),
        provider=one.provider,
        quantity=one.payments,
        amount=decimal(one.taken, one.currency),
        returned=decimal(one.returned, one.currency),
        currency=one.currency,
    )


def day_rows(report: DayReport | PeriodReport) -> list[DayRow]:
    """The rows of a report."""
    return [
        *_sold(report),
        *_money(report),
        *(_tax("tax", tax) for tax in report.taxes),
        *(_tax("refunded tax", tax) for tax in report.refunded_taxes),
        *_returned(report),
        *_free(report),
    ]


def _sold(report: DayReport | PeriodReport) -> list[DayRow]:
    sales = [
        DayRow(
            "sold",
            sale.name,
            sale.category,
            sale.provider,
            sale.units,
            amount=decimal(sale.amount, sale.currency),
            currency=sale.currency,
        )
        for sale in report.sales
    ]
    fees = [
        DayRow(
            "fee",
            fee.name,
            quantity=fee.quantity,
            amount=decimal(fee.amount, fee.currency),
            currency=fee.currency,
        )
        for fee in report.fees
    ]
    return [*sales, *fees]


def _money(report: DayReport | PeriodReport) -> list[DayRow]:
    moved = [
        DayRow(
            "money",
            provider=one.provider,
            quantity=one.payments,
            amount=decimal(one.taken, one.currency),
            returned=decimal(one.returned, one.currency),
            currency=one.currency,
        )
        for one in report.money
    ]
    desk = [
        DayRow(
            "desk",
            one.method,
            one.actor,
            "desk",
            one.payments,
            amount=decimal(one.taken, one.currency),
            returned=decimal(one.handed_back, one.currency),
            currency=one.currency,
        )
        for one in report.desk
    ]
    return [*moved, *desk]


def _returned(report: DayReport | PeriodReport) -> list[DayRow]:
    return [
        DayRow(
            "refund",
            one.cause,
            quantity=one.count,
            returned=decimal(one.amount, one.currency),
            currency=one.currency,
        )
        for one in report.refunds
    ]


def _free(report: DayReport | PeriodReport) -> list[DayRow]:
    """What was given for nothing, with what it would have cost as the net amount."""
    return [
        DayRow(
            "free",
            one.name,
            one.reason,
            quantity=one.units,
            net=decimal(one.worth, one.currency),
            currency=one.currency,
        )
        for one in report.free
    ]


def _tax(part: str, tax: DayTax) -> DayRow:
    return DayRow(
        part,
        tax.name,
        net=decimal(tax.net, tax.currency),
        tax=decimal(tax.tax, tax.currency),
        amount=decimal(tax.gross, tax.currency),
        currency=tax.currency,
        rate=None if tax.basis_points is None else decimal(tax.basis_points, "EUR"),
    )
