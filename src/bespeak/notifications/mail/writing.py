"""Writing a mail: its headers, the plain text and the HTML of a template, the letterhead.
Headers have no line breaks and HTML is escaped, so that nothing can break out of its place. A mail
that is written again has the same Message-ID.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from email.errors import HeaderParseError
from email.headerregistry import Address, HeaderRegistry
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime as mail_date
from email.utils import getaddresses
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from babel import Locale
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from bespeak import locales
from bespeak.errors import InvalidSetting
from bespeak.merchants.letterheads import EMPTY, Letterhead

PACKAGE = "bespeak.notifications.mail"
LOGO_ID = "logo@bespeak"
"""The Content-ID of the merchant's logo, which goes along with the HTML."""
_ADDRESS_LENGTH_MAX = 254


class _Headers(HeaderRegistry):
    """The kinds of headers, each made once. The library makes a class anew for each header of each
    mail: a kilobyte or two that stay until the cycle collector comes, and their pages after it."""

    def __init__(self) -> None:
        super().__init__()
        self._made: dict[object, Any] = {}  # any: as the library has it

    def __getitem__(self, name: str) -> Any:  # any: as the library has it
        kind = self.registry.get(name.lower(), self.default_class)
        made = self._made.get(kind)
        if made is None:
            made = self._made[kind] = super().__getitem__(name)
        return made


MAIL_POLICY = SMTP.clone(header_factory=_Headers())
"""How the headers of a mail are made and how its lines end."""


class UnusableContact(Exception):
    """The buyer gave no address that a mail can go to."""


class FromAddress(msgspec.Struct, frozen=True):
    """Who writes: the header From, the address in it, and the domain of the Message-ID."""

    header: str
    address: str
    domain: str


class Head(NamedTuple):
    """What stands above a mail."""

    mail_id: UUID
    at: datetime
    to: Address
    subject: str


class WordsOf(NamedTuple):
    """The words of the language that somebody is written to in, with the locale for numbers and
    dates."""

    locale: Locale

    @property
    def language(self) -> str:
        return str(self.locale.language)

    @property
    def words(self) -> locales.Words:
        return locales.words(PACKAGE, self.language)

    def said(self, text: str, **filled: object) -> str:
        """A text of the whole mail, with what is filled in."""
        return str(self.words[text]).format(**filled)

    def of(self, kind: str, name: str) -> str:
        """A text of a kind of mail, as it stands in the file."""
        table = self.words[kind]
        if not isinstance(table, dict):
            raise TypeError("the words of a kind are a table")
        return str(table[name])


def parse_sender(setting: str) -> FromAddress:
    """The setting BESPEAK_MAIL_FROM, as `Name <name@domain>`. Raises InvalidSetting."""
    found = None
    named = getaddresses([setting])
    if len(named) == 1:
        with suppress(HeaderParseError, ValueError, IndexError):
            read = Address(named[0][0], addr_spec=named[0][1])
            # A name may be encoded, with a line break within: no mail could be written then.
            EmailMessage(policy=MAIL_POLICY)["From"] = str(read)
            found = read
    if found is None or not found.domain or not setting.isprintable():
        raise InvalidSetting(
            "BESPEAK_MAIL_FROM is an address as `Box office <box@office.example>`",
            variable="BESPEAK_MAIL_FROM",
        )
    return FromAddress(str(found), found.addr_spec, found.domain)


def recipient(email: str, name: str) -> Address:
    """Who is written to. Raises UnusableContact."""
    address = email.strip()
    try:
        found = Address(name, addr_spec=address)
    except (HeaderParseError, ValueError, IndexError) as error:
        raise UnusableContact("this is no address of e-mail") from error
    if not found.domain or len(address) > _ADDRESS_LENGTH_MAX or not address.isprintable():
        raise UnusableContact("this is no address of e-mail")
    return found


def one_line(text: str, length_max: int) -> str:
    """Text for a header, where a line break would begin another."""
    plain = " ".join("".join(one if one.isprintable() else " " for one in text).split())
    return plain if len(plain) <= length_max else plain[: length_max - 1] + "…"


def written(
    head: Head,
    sender: FromAddress,
    template: str,
    shown: Mapping[str, object],
    wording: WordsOf,
    letterhead: Letterhead = EMPTY,
) -> EmailMessage:
    """A mail as plain text and as HTML, which reads from right to left where its language does.
    It comes from the sender's address by the merchant's name; answers go to the merchant."""
    made = EmailMessage(policy=MAIL_POLICY)
    made["Subject"] = head.subject
    made["From"] = _from(sender, letterhead)
    answers = _answers_to(letterhead)
    if answers is not None:
        made["Reply-To"] = answers
    made["To"] = head.to
    made["Date"] = mail_date(head.at)
    made["Message-ID"] = f"<{head.mail_id}@{sender.domain}>"
    made["Auto-Submitted"] = "auto-generated"
    seen = {
        **shown,
        "letterhead": letterhead,
        "has_answers": answers is not None,
        "logo_id": LOGO_ID,
        "words": wording.words,
        "language": wording.language,
        "direction": "rtl" if locales.is_right_to_left(wording.locale) else "ltr",
    }
    made.set_content(_templates().get_template(f"{template}.txt").render(seen))
    html = _templates().get_template(f"{template}.html").render(seen)
    made.add_alternative(html, subtype="html")
    if letterhead.logo is not None and template == "mail":
        _add_logo(made, letterhead.logo.content)
    return made


def _from(sender: FromAddress, letterhead: Letterhead) -> Address | str:
    """The merchant's name before the address that the installation may send from."""
    name = one_line(letterhead.name, 80)
    return Address(name, addr_spec=sender.address) if name else sender.header


def _answers_to(letterhead: Letterhead) -> Address | None:
    """The merchant's own address; None where they gave none that is one."""
    if not letterhead.email:
        return None
    with suppress(UnusableContact):
        return recipient(letterhead.email, one_line(letterhead.name, 80))
    return None


def _add_logo(made: EmailMessage, picture: bytes) -> None:
    """The picture beside the HTML, which names it by its Content-ID."""
    html = made.get_body(("html",))
    if isinstance(html, EmailMessage):
        html.add_related(
            picture, "image", "png", cid=f"<{LOGO_ID}>", filename="logo.png", disposition="inline"
        )


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader(PACKAGE),
        autoescape=select_autoescape(enabled_extensions=("html",), default=False),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
