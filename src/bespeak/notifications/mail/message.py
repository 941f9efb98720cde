"""Composing a mail: what the record says, in the buyer's language, as plain text and as HTML.
Nothing that a buyer typed can break out of its place: headers have no line breaks, HTML is escaped.
Of what a buyer typed only the name is in a mail, and only if it can be one: a mail goes to whatever
address somebody typed, and must carry no message of theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from email.message import EmailMessage
from unicodedata import category
from uuid import UUID

import msgspec
from babel import Locale

from bespeak import locales
from bespeak.merchants.letterheads import EMPTY, Letterhead
from bespeak.money import Money
from bespeak.notifications.mail.line_words import MailResource, begin, line_text, named
from bespeak.notifications.mail.texts import (
    OURS,
    AnyMailKind,
    MailKind,
    MailText,
    own_words,
)
from bespeak.notifications.mail.writing import (
    FromAddress,
    Head,
    WordsOf,
    one_line,
    recipient,
    written,
)
from bespeak.reservations.lines import BookedLine

_WHAT_LENGTH_MAX = 80
# What a merchant writes stands in place of our words, which tell nothing but thanks.
_INTRODUCED: frozenset[AnyMailKind] = frozenset(
    ("booking_confirmed", "booking_reminder", "mailing")
)
_NAME_LENGTH_MAX = 40
_NAME_WORDS_MAX = 6
# Beside letters and their marks. A full stop only ends a word, so that nothing reads as a host.
_NAME_SIGNS = frozenset("-'\N{RIGHT SINGLE QUOTATION MARK}")


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


class MailData(msgspec.Struct, frozen=True, kw_only=True):
    """What a mail is about. `reference` is the booking's code, or the hold's id where there is
    none; `amount` is the booking's, `moved` what was paid or is given back; `late` the outcome of
    late money; `partly` says that something of the booking remains, `exchanged` that
    it was given back for another; `refunds` says in words what
    cancelling gives back; `text` is what the merchant writes."""

    mail_id: UUID
    kind: AnyMailKind
    at: datetime
    contact: MailContact
    reference: str
    lines: Sequence[BookedLine]
    things: Mapping[str, MailResource]
    amount: Money
    moved: Money | None = None
    late: str | None = None
    partly: bool = False
    exchanged: bool = False
    link: str | None = None
    refunds: str | None = None
    enclosures: Sequence[Attachment] = ()
    letterhead: Letterhead = EMPTY
    text: MailText = OURS


class SignInMail(msgspec.Struct, frozen=True, kw_only=True):
    """What a mail with the code of a sign-in says, and to whom."""

    mail_id: UUID
    at: datetime
    email: str
    locale: str | None
    code: str
    link: str


class _ShownLine(msgspec.Struct, frozen=True):
    text: str
    note: str | None


def compose(matter: MailData, sender: FromAddress) -> EmailMessage:
    """The mail, ready to be sent; composed again, it has the same Message-ID.
    Raises UnusableContact."""
    wording = WordsOf(locales.locale_for(matter.contact.locale))
    known = {
        "what": _what(matter, wording),
        "amount": locales.money(matter.moved or matter.amount, wording.locale),
        "name": _plain_name(matter.contact.name or ""),
    }
    greeting = "greeting" if known["name"] else "greeting_without_name"
    values = _values(matter, wording, known["name"])
    own = own_words(matter.text, values)
    ours = [wording.of(matter.kind, name).format(**known) for name in _texts(matter)]
    # What we say of money and of what was cancelled stays, whatever a merchant writes above it.
    is_instead = bool(own.introduction) and matter.kind in _INTRODUCED
    texts = own.introduction if is_instead else [*own.introduction, *ours]
    shown = {
        "title": wording.of(matter.kind, "title"),
        "greeting": wording.said(greeting, **known),
        "texts": texts,
        "lines": [_line(line, matter, wording) for line in matter.lines]
        if matter.kind != "refunded"
        else [],
        "total": _total(matter, wording.locale),
        "reference": matter.reference,
        "link": matter.link,
        "refunds": matter.refunds,
        "closing": own.closing,
    }
    head = Head(
        matter.mail_id,
        matter.at,
        recipient(matter.contact.email, known["name"]),
        own.subject or wording.of(matter.kind, "subject").format(**known),
    )
    made = written(head, sender, "mail", shown, wording, matter.letterhead)
    for one in matter.enclosures:
        main, _, sub = one.media_type.partition("/")
        made.add_attachment(one.content, maintype=main, subtype=sub, filename=one.name)
    made["Content-Language"] = wording.language  # last: set_content and attachments lose it
    return made


def compose_sign_in(matter: SignInMail, sender: FromAddress) -> EmailMessage:
    """The mail with the code of a sign-in. Raises UnusableContact."""
    wording = WordsOf(locales.locale_for(matter.locale))
    shown: dict[str, object] = {"code": matter.code, "link": matter.link}
    shown |= {
        name: wording.of("sign_in", name) for name in ("title", "text", "link_text", "if_not")
    }
    to = recipient(matter.email, "")
    head = Head(matter.mail_id, matter.at, to, wording.of("sign_in", "subject"))
    made = written(head, sender, "sign_in", shown, wording)
    made["Content-Language"] = wording.language  # last: set_content loses it
    return made


def our_subject(kind: MailKind, language: str) -> str:
    """Our subject of a kind of mail, with the placeholders that a merchant's has."""
    wording = WordsOf(locales.locale_for(language))
    return wording.of(kind, "subject").format(what="{title}", amount="…")


def _values(matter: MailData, wording: WordsOf, name: str) -> dict[str, str]:
    """What the placeholders of a merchant's texts stand for, by the first line of the booking."""
    line = next((one for one in matter.lines if one.resource_id in matter.things), None)
    thing = None if line is None else matter.things[line.resource_id]
    return {
        "name": name,
        "booking_code": matter.reference,
        "title": _what(matter, wording),
        "starts_at": begin(thing, line.from_, wording) if line and thing else "",
        "venue": named(wording, thing, thing.venue) if thing and thing.venue else "",
        "link": matter.link or "",
    }


def _texts(matter: MailData) -> list[str]:
    match matter.kind:
        case "booking_cancelled":
            first = "text_some" if matter.partly else "text"
            if matter.exchanged:
                first = "text_exchanged"
            return [first] if matter.moved is None else [first, "text_refund"]
        case "payment_late":
            known = matter.late in ("same_units", "equal_offer")
            return [f"text_{matter.late}" if known else "text_refund"]
        case _:
            return ["text"]


def _total(matter: MailData, locale: Locale) -> str | None:
    if matter.kind not in ("booking_confirmed", "payment_late") or matter.late == "refund":
        return None
    return locales.money(matter.amount, locale) if matter.amount.amount else None


def _what(matter: MailData, wording: WordsOf) -> str:
    """What the subject calls it: the names of the resources."""
    things = [matter.things.get(line.resource_id) for line in matter.lines]
    names = dict.fromkeys(
        named(wording, thing, thing.name) for thing in things if thing is not None
    )
    return one_line(wording.said("between").join(names), _WHAT_LENGTH_MAX) or matter.reference


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


def _line(line: BookedLine, matter: MailData, wording: WordsOf) -> _ShownLine:
    gone, of = line.cancelled_quantity, line.quantity or 1
    note = None
    if gone:
        note = wording.said("cancelled") if gone >= of else wording.said("cancelled_some", of=gone)
    return _ShownLine(line_text(line, matter.things, wording), note)
