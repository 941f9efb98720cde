"""An invoice or a credit note as a PDF, in the language of who reads it: the words around what was
frozen, which stays as the seller wrote it.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from babel import Locale
from babel.numbers import format_percent

from bespeak import locales
from bespeak.invoices.content import InvoiceLine, TaxShare
from bespeak.invoices.invoice import Invoice
from bespeak.money import Money
from bespeak.payments.providers.provider import kind_of
from bespeak.pricing.rounding import ALL
from bespeak.ticketing.papers import Paper, PaperTable, write_paper
from bespeak.ticketing.typesetting import apart, printable

_PACKAGE = "bespeak.invoices"
_DATE_LENGTH = len("2030-01-05")
# What a paper without a place of its own goes by.
_UTC = "UTC"


class _Words(NamedTuple):
    """The words of papers in the language of a locale."""

    locale: Locale

    def said(self, text: str, **filled: object) -> str:
        return str(locales.words(_PACKAGE, str(self.locale.language))[text]).format(**filled)

    def named(self, table: str, name: str, otherwise: str) -> str:
        found = locales.words(_PACKAGE, str(self.locale.language))[table]
        if not isinstance(found, dict):
            raise TypeError("these words are a table")
        return str(found.get(name, found[otherwise]))

    def money(self, amount: int, currency: str) -> str:
        return locales.money(Money(amount, currency), self.locale)

    def day(self, when: datetime, zone: str) -> str:
        return locales.day(when.astimezone(ZoneInfo(zone)).date(), self.locale, "short")

    def when(self, line: InvoiceLine) -> str:
        """When what was booked begins and ends; empty where nobody says."""
        texts = [self._moment(text, line.zone or _UTC) for text in (line.starts, line.ends) if text]
        if len(texts) == 2:
            return self.said("range", start=texts[0], end=texts[1])
        return "".join(texts)

    def rate(self, share: TaxShare) -> str:
        if share.basis_points is None:
            return printable(share.label) or self.said("no_tax")
        rate = format_percent(share.basis_points / ALL, "#,##0.##%", locale=self.locale)
        return (
            printable(share.label)
            if _has_digits(share.label)
            else (f"{printable(share.label)} {rate}")
        )

    def _moment(self, text: str, zone: str) -> str:
        if len(text) == _DATE_LENGTH:
            return locales.day(date.fromisoformat(text), self.locale, "short")
        return locales.moment(datetime.fromisoformat(text), ZoneInfo(zone), self.locale, "short")


def write_invoice(invoice: Invoice, corrected: str | None, language: str | None) -> bytes:
    """The document as a PDF. `corrected` is the number of the invoice that a credit note corrects.
    The same document makes the same bytes, on one machine."""
    words = _Words(locales.locale_for(language))
    title = words.said(invoice.kind, number=apart(invoice.number))
    seller = _seller(invoice, words)
    paper = Paper(
        title=title,
        seller=seller,
        buyer=_buyer(invoice, words),
        facts=_facts(invoice, corrected, words),
        tables=[_lines(invoice, words), _taxes(invoice, words)],
        notes=[] if invoice.content.seller.note is None else [invoice.content.seller.note],
        words={"buyer": words.said("buyer")},
        foot=words.said("foot", title=title, seller=seller[0]) if seller else title,
    )
    return write_paper(paper, str(words.locale.language))


def _seller(invoice: Invoice, words: _Words) -> list[str]:
    said = invoice.content.seller
    lines = [said.name or "", *(said.address or "").split("\n"), said.email or "", said.phone or ""]
    if said.tax_number is not None:
        lines.append(words.said("tax_number", number=said.tax_number))
    return [apart(line) for line in lines if line]


def _buyer(invoice: Invoice, words: _Words) -> list[str]:
    said = invoice.buyer
    if said is None:
        return []
    lines = [said.company or "", said.name or "", *(said.address or "").split("\n")]
    lines.append(said.email or "")
    if said.tax_number is not None:
        lines.append(words.said("their_tax_number", number=said.tax_number))
    return [apart(line) for line in lines if line]


def _facts(invoice: Invoice, corrected: str | None, words: _Words) -> list[tuple[str, str]]:
    content = invoice.content
    zone = next((line.zone for line in content.lines if line.zone), _UTC)
    facts = [
        (words.said("number"), apart(invoice.number)),
        (words.said("date"), words.day(invoice.issued_at, zone)),
        (words.said("booking"), apart(content.booking_code)),
    ]
    if corrected is not None:
        facts.append((words.said("corrects"), apart(corrected)))
    if content.paid is not None:
        provider = words.named("provider", kind_of(content.paid.provider), "other")
        when = words.day(content.paid.at, zone)
        facts.append((words.said("paid"), words.said("paid_by", when=when, provider=provider)))
    return facts


def _lines(invoice: Invoice, words: _Words) -> PaperTable:
    currency = invoice.amount.currency
    content = invoice.content
    rows = []
    for line in content.lines:
        label = line.label
        if line.kind == "refund":
            label = words.named("cause", content.cause or "cancelled", "cancelled")
        told = [apart(label), apart(line.detail) if line.detail else "", words.when(line)]
        rows.append(
            [
                [text for text in told if text] or [""],
                [str(line.quantity)],
                [words.money(line.amount, currency)],
            ]
        )
    for share in content.taxes:
        if share.tax and not share.included and invoice.kind == "invoice":
            rows.append([[words.rate(share)], [""], [words.money(share.tax, currency)]])
    return PaperTable(
        head=[words.said("what"), words.said("quantity"), words.said("amount")],
        rows=rows,
        total=[words.said("total"), "", words.money(invoice.amount.amount, currency)],
    )


def _taxes(invoice: Invoice, words: _Words) -> PaperTable:
    currency = invoice.amount.currency
    return PaperTable(
        title=words.said("taxes"),
        head=[words.said(word) for word in ("tax", "net", "tax_amount", "gross")],
        rows=[
            [
                [words.rate(share)],
                *([words.money(one, currency)] for one in (share.net, share.tax, share.gross)),
            ]
            for share in invoice.content.taxes
        ],
    )


def _has_digits(label: str) -> bool:
    """Whether the name of a tax says its rate already, as `VAT 7%`."""
    return any(letter.isdigit() for letter in label)
