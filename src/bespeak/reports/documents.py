"""The report of a day, or of several, as a PDF, in the language of who reads it."""

from __future__ import annotations

from datetime import date
from typing import Literal, NamedTuple, TypeAlias

from babel import Locale
from babel.numbers import format_decimal, format_percent

from bespeak import locales
from bespeak.merchants.profile import MerchantProfile
from bespeak.money import Money
from bespeak.payments.providers.provider import kind_of
from bespeak.pricing.rounding import ALL
from bespeak.reports.day_report import DayReport, DaySales, DayTax, PeriodReport
from bespeak.ticketing.papers import Paper, PaperTable, write_paper
from bespeak.ticketing.typesetting import apart

_PACKAGE = "bespeak.reports"

_Report: TypeAlias = DayReport | PeriodReport


class _Words(NamedTuple):
    """The words of reports in the language of a locale."""

    locale: Locale

    def said(self, text: str, **filled: object) -> str:
        return str(locales.words(_PACKAGE, str(self.locale.language))[text]).format(**filled)

    def named(self, table: str, name: str) -> str:
        found = locales.words(_PACKAGE, str(self.locale.language))[table]
        if not isinstance(found, dict):
            raise TypeError("these words are a table")
        return str(found.get(name, name))

    def money(self, amount: int, currency: str) -> str:
        return locales.money(Money(amount, currency), self.locale)

    def whole(self, number: int) -> str:
        return format_decimal(number, locale=self.locale)

    def heads(self, *names: str) -> list[str]:
        return [self.said(name) for name in names]


def write_report(report: _Report, profile: MerchantProfile, language: str | None) -> bytes:
    """The report as a PDF. Tables of which there is nothing to say are left out."""
    words = _Words(locales.locale_for(language))
    title, days = _days(report, words)
    tables = [
        _sold(report, words),
        _money(report, words),
        _fees(report, words),
        _taxes("taxes", report.taxes, words),
        _taxes("refunded_taxes", report.refunded_taxes, words),
        _desk(report, words),
        _free(report, words),
        *([_by_day(report, words)] if isinstance(report, PeriodReport) else []),
    ]
    some = [table for table in tables if table.rows]
    paper = Paper(
        title=title,
        seller=[apart(line) for line in (profile.name, profile.tax_number) if line],
        facts=[
            days,
            (words.said("zone"), apart(report.time_zone)),
            (words.said("bookings"), words.whole(report.bookings)),
        ],
        tables=some,
        notes=[] if some else [words.said(_NOTHING[type(report)])],
        words={"buyer": ""},
        foot=title,
    )
    return write_paper(paper, str(words.locale.language))


_NOTHING = {DayReport: "nothing", PeriodReport: "nothing_in_period"}


def _days(report: _Report, words: _Words) -> tuple[str, tuple[str, str]]:
    """The title, and the fact of which days it is."""

    def named(day: date, form: Literal["full", "short"]) -> str:
        return locales.day(day, words.locale, form)

    if isinstance(report, DayReport):
        title = words.said("title", day=named(report.date, "short"))
        return title, (words.said("day"), named(report.date, "full"))
    first, last = (named(day, "short") for day in (report.first, report.last))
    title = words.said("period", first=first, last=last)
    first, last = (named(day, "full") for day in (report.first, report.last))
    return title, (words.said("days"), words.said("from_to", first=first, last=last))


def _by_day(report: PeriodReport, words: _Words) -> PaperTable:
    return PaperTable(
        title=words.said("by_day"),
        head=words.heads("day", "provider", "payments", "taken", "returned", "balance"),
        rows=[
            [
                [locales.day(one.date, words.locale, "short")],
                [words.named("provider_names", kind_of(one.provider))],
                [words.whole(one.payments)],
                [words.money(one.taken, one.currency)],
                [words.money(one.returned, one.currency)],
                [words.money(one.balance, one.currency)],
            ]
            for one in report.days
        ],
    )


def _sold(report: _Report, words: _Words) -> PaperTable:
    return PaperTable(
        title=words.said("sold"),
        head=words.heads("what", "provider", "units", "amount"),
        rows=[
            [
                _named(one, words),
                [words.named("provider_names", kind_of(one.provider))],
                [words.whole(one.units) if one.units else ""],
                [words.money(one.amount, one.currency)],
            ]
            for one in report.sales
        ],
    )


def _named(one: DaySales, words: _Words) -> list[str]:
    if one.resource_id is None:
        return [words.said("order_fees")]
    return [apart(text) for text in (one.name, one.category) if text]


def _money(report: _Report, words: _Words) -> PaperTable:
    return PaperTable(
        title=words.said("money"),
        head=words.heads("provider", "payments", "taken", "refunds", "returned", "balance"),
        rows=[
            [
                [words.named("provider_names", kind_of(one.provider))],
                [words.whole(one.payments)],
                [words.money(one.taken, one.currency)],
                [words.whole(one.refunds)],
                [words.money(one.returned, one.currency)],
                [words.money(one.balance, one.currency)],
            ]
            for one in report.money
        ],
    )


def _fees(report: _Report, words: _Words) -> PaperTable:
    return PaperTable(
        title=words.said("fees"),
        head=words.heads("what", "quantity", "amount"),
        rows=[
            [
                [apart(one.name)],
                [words.whole(one.quantity)],
                [words.money(one.amount, one.currency)],
            ]
            for one in report.fees
        ],
    )


def _taxes(name: str, taxes: list[DayTax], words: _Words) -> PaperTable:
    return PaperTable(
        title=words.said(name),
        head=words.heads("what", "net", "tax", "gross"),
        rows=[
            [
                [_rate(one, words)],
                *([words.money(part, one.currency)] for part in (one.net, one.tax, one.gross)),
            ]
            for one in taxes
        ],
    )


def _rate(tax: DayTax, words: _Words) -> str:
    if not tax.name:
        return words.said("no_tax")
    if tax.basis_points is None:
        return apart(tax.name)
    rate = format_percent(tax.basis_points / ALL, "#,##0.##%", locale=words.locale)
    return f"{apart(tax.name)} {rate}"


def _desk(report: _Report, words: _Words) -> PaperTable:
    return PaperTable(
        title=words.said("desk"),
        head=words.heads("what", "payments", "taken", "handed_back"),
        rows=[
            [
                [
                    words.named("method_names", one.method),
                    *([apart(one.actor)] if one.actor else []),
                ],
                [words.whole(one.payments)],
                [words.money(one.taken, one.currency)],
                [words.money(one.handed_back, one.currency)],
            ]
            for one in report.desk
        ],
    )


def _free(report: _Report, words: _Words) -> PaperTable:
    return PaperTable(
        title=words.said("free"),
        head=words.heads("what", "units", "worth"),
        rows=[
            [
                [apart(one.name), words.named("reason_names", one.reason)],
                [words.whole(one.units)],
                [words.money(one.worth, one.currency)],
            ]
            for one in report.free
        ],
    )
