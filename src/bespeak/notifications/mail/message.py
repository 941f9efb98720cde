"""Composing a mail: what the record says, in the buyer's language, as plain text and as HTML.
Nothing that a buyer typed can break out of its place: headers have no line breaks, HTML is escaped.
Of what a buyer typed only the name is in a mail, and only if it can be one: a mail goes to whatever
address somebody typed, and must carry no message of theirs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime as mail_date
from email.utils import getaddresses
from functools import cache
from importlib import resources
from typing import Literal
from unicodedata import category
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_datetime
from babel.numbers import format_currency, get_currency_precision
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from bespeak.errors import InvalidSetting
from bespeak.money import Money
from bespeak.reservations.lines import BookedLine

_DEFAULT_LANGUAGE = "en"
_WHAT_LENGTH_MAX = 80
_NAME_LENGTH_MAX = 40
_NAME_WORDS_MAX = 6
# Beside letters and their marks. A full stop only ends a word, so that nothing reads as a host.
_NAME_SIGNS = frozenset("-'\N{RIGHT SINGLE QUOTATION MARK}")
_ADDRESS_LENGTH_MAX = 254
_UNTIL = " \N{EN DASH} "
_TIMES = "\N{MULTIPLICATION SIGN}"

MailKind = Literal[
    "booking_confirmed", "booking_cancelled", "payment_late", "payment_failed", "refunded"
]


class UnusableContact(Exception):
    """The buyer gave no address that a mail can go to."""


class MailContact(msgspec.Struct, frozen=True):
    """Who is written to, and in which language: a BCP 47 tag as `de-AT`."""

    email: str
    name: str | None = None
    locale: str | None = None


class Attachment(msgspec.Struct, frozen=True):
    """A file that goes with a mail."""

    name: str
    media_type: str
    content: bytes


class MailResource(msgspec.Struct, frozen=True):
    """A resource, as people know it."""

    name: str
    time_zone: str
    starts_at: str | None


class MailData(msgspec.Struct, frozen=True, kw_only=True):
    """What a mail is about. `reference` is the booking's id, or the hold's where there is none;
    `amount` is the booking's, `moved` what was paid or is given back; `late` the outcome of late
    money; `partly` says that something of the booking remains."""

    mail_id: UUID
    kind: MailKind
    at: datetime
    contact: MailContact
    reference: str
    lines: Sequence[BookedLine]
    things: Mapping[str, MailResource]
    amount: Money
    moved: Money | None = None
    late: str | None = None
    partly: bool = False
    link: str | None = None
    enclosures: Sequence[Attachment] = ()


class FromAddress(msgspec.Struct, frozen=True):
    """Who writes: the header From, and the domain of the Message-ID."""

    header: str
    domain: str


class _ShownLine(msgspec.Struct, frozen=True):
    text: str
    note: str | None


def parse_sender(setting: str) -> FromAddress:
    """The setting BESPEAK_MAIL_FROM, as `Name <name@domain>`. Raises InvalidSetting."""
    found = None
    named = getaddresses([setting])
    if len(named) == 1:
        with suppress(HeaderParseError, ValueError, IndexError):
            found = Address(named[0][0], addr_spec=named[0][1])
    if found is None or not found.domain or not setting.isprintable():
        raise InvalidSetting(
            "BESPEAK_MAIL_FROM is an address as `Box office <box@office.example>`",
            variable="BESPEAK_MAIL_FROM",
        )
    return FromAddress(str(found), found.domain)


def compose(matter: MailData, sender: FromAddress) -> EmailMessage:
    """The mail, ready to be sent; composed again, it has the same Message-ID.
    Raises UnusableContact."""
    locale, language = _locale(matter.contact.locale)
    words = _words(language)
    filled = {
        "what": _what(matter),
        "amount": _money(matter.moved or matter.amount, locale),
        "name": _plain_name(matter.contact.name or ""),
    }
    of_kind = words[matter.kind]
    if not isinstance(of_kind, dict):
        raise TypeError("the words of a kind are a table")
    greeting = "greeting" if filled["name"] else "greeting_without_name"
    seen: dict[str, object] = {
        "words": words,
        "language": language,
        "title": str(of_kind["title"]),
        "greeting": str(words[greeting]).format(**filled),
        "texts": [str(of_kind[name]).format(**filled) for name in _texts(matter)],
        "lines": [_line(line, matter, locale, str(words["cancelled"])) for line in matter.lines]
        if matter.kind != "refunded"
        else [],
        "total": _total(matter, locale),
        "reference": matter.reference,
        "link": matter.link,
    }
    made = EmailMessage(policy=SMTP)
    made["Subject"] = str(of_kind["subject"]).format(**filled)
    made["From"] = sender.header
    made["To"] = _recipient(matter.contact, filled["name"])
    made["Date"] = mail_date(matter.at)
    made["Message-ID"] = f"<{matter.mail_id}@{sender.domain}>"
    made["Auto-Submitted"] = "auto-generated"
    made.set_content(_templates().get_template("mail.txt").render(seen))
    made.add_alternative(_templates().get_template("mail.html").render(seen), subtype="html")
    for one in matter.enclosures:
        main, _, sub = one.media_type.partition("/")
        made.add_attachment(one.content, maintype=main, subtype=sub, filename=one.name)
    made["Content-Language"] = language  # last: with the content set, what was said of it is gone
    return made


def _texts(matter: MailData) -> list[str]:
    match matter.kind:
        case "booking_cancelled":
            first = "text_some" if matter.partly else "text"
            return [first] if matter.moved is None else [first, "text_refund"]
        case "payment_late":
            known = matter.late in ("same_units", "equal_offer")
            return [f"text_{matter.late}" if known else "text_refund"]
        case _:
            return ["text"]


def _total(matter: MailData, locale: Locale) -> str | None:
    if matter.kind not in ("booking_confirmed", "payment_late") or matter.late == "refund":
        return None
    return _money(matter.amount, locale) if matter.amount.amount else None


def _recipient(contact: MailContact, name: str) -> Address:
    address = contact.email.strip()
    try:
        found = Address(name, addr_spec=address)
    except (HeaderParseError, ValueError, IndexError) as error:
        raise UnusableContact("this is no address of e-mail") from error
    if not found.domain or len(address) > _ADDRESS_LENGTH_MAX or not address.isprintable():
        raise UnusableContact("this is no address of e-mail")
    return found


def _what(matter: MailData) -> str:
    """What the subject calls it: the names of the resources."""
    names = dict.fromkeys(
        matter.things[line.resource_id].name
        for line in matter.lines
        if line.resource_id in matter.things
    )
    return _one_line(", ".join(names), _WHAT_LENGTH_MAX) or matter.reference


def _one_line(text: str, length_max: int) -> str:
    """Text for a header, where a line break would begin another."""
    plain = " ".join("".join(one if one.isprintable() else " " for one in text).split())
    return plain if len(plain) <= length_max else plain[: length_max - 1] + "…"


def _plain_name(text: str) -> str:
    """A name as people have it: a few words of letters. Empty for anything else: digits, links,
    sentences; it is not cleaned, since what is left of an advertisement is none of our words."""
    words = text.split()
    if len(words) > _NAME_WORDS_MAX or len(text) > _NAME_LENGTH_MAX:
        return ""
    return " ".join(words) if all(map(_is_name_word, words)) else ""


def _is_name_word(word: str) -> bool:
    letters = word.removesuffix(".")
    return any(map(str.isalpha, letters)) and all(
        one in _NAME_SIGNS or category(one)[0] in "LM" for one in letters
    )


def _line(line: BookedLine, matter: MailData, locale: Locale, cancelled: str) -> _ShownLine:
    thing = matter.things.get(line.resource_id) or MailResource(line.resource_id, "UTC", None)
    parts = [thing.name]
    if thing.starts_at:
        parts.append(_moment(thing.starts_at, thing.time_zone, locale))
    if line.unit is not None:
        parts.append(line.unit)
    if isinstance(line.from_, str) and isinstance(line.to, str):
        ends = [_moment(end, thing.time_zone, locale) for end in (line.from_, line.to)]
        parts.append(_UNTIL.join(ends))
    text = ", ".join(parts)
    if line.quantity is not None:
        text = f"{line.quantity} {_TIMES} {text}"
    gone, of = line.cancelled_quantity, line.quantity or 1
    note = None
    if gone:
        note = cancelled if gone >= of else f"{gone} {cancelled}"
    return _ShownLine(text, note)


def _moment(text: str, time_zone: str, locale: Locale) -> str:
    """A date or a time as one says it there; a stop of a run is its own name."""
    try:
        return format_date(date.fromisoformat(text), "full", locale=locale)
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(text)
        return format_datetime(moment, "long", tzinfo=ZoneInfo(time_zone), locale=locale)
    except (ValueError, KeyError, OSError):
        return text


def _money(money: Money, locale: Locale) -> str:
    digits = get_currency_precision(money.currency)
    return format_currency(Decimal(money.amount).scaleb(-digits), money.currency, locale=locale)


def _locale(wanted: str | None) -> tuple[Locale, str]:
    """The locale for numbers and dates, and the language of the words; English for what is not
    known."""
    try:
        locale = Locale.parse((wanted or _DEFAULT_LANGUAGE)[:35].replace("_", "-"), sep="-")
    except (UnknownLocaleError, ValueError, TypeError):
        locale = Locale(_DEFAULT_LANGUAGE)
    if locale.language in languages():
        return locale, locale.language
    return Locale(_DEFAULT_LANGUAGE), _DEFAULT_LANGUAGE


@cache
def languages() -> frozenset[str]:
    folder = resources.files("bespeak.notifications.mail").joinpath("words")
    return frozenset(
        file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")
    )


@cache
def _words(language: str) -> dict[str, object]:
    folder = resources.files("bespeak.notifications.mail").joinpath("words")
    return tomllib.loads(folder.joinpath(f"{language}.toml").read_text(encoding="utf-8"))


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("bespeak.notifications.mail"),
        autoescape=select_autoescape(enabled_extensions=("html",), default=False),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
