"""Mails to who waits, in a waitlist or before a sale: our words, with the merchant's own above and
below them. What is ours always stands: the link, until when something is held, how to want it no
more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage
from uuid import UUID

import msgspec
from babel.dates import format_timedelta

from bespeak import locales
from bespeak.notifications.mail.shops_parts import ShopsPart
from bespeak.notifications.mail.texts import NoticeKind, own_words
from bespeak.notifications.mail.writing import FromAddress, Head, WordsOf, recipient, written


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """What a mail to who waits says. `texts`, `subject` and `title` are names of our words for its
    kind, and `said` is what these are filled in with. `values` are the placeholders of the
    merchant's. Of an offer one can say that it is not wanted (`has_decline`). Where `is_urgent`,
    our subject stays: theirs was not written for it."""

    mail_id: UUID
    at: datetime
    email: str
    locale: str | None
    kind: NoticeKind
    said: Mapping[str, object]
    values: Mapping[str, str]
    texts: Sequence[str] = ("text",)
    subject: str = "subject"
    title: str = "title"
    lines: Sequence[str] = ()
    has_decline: bool = False
    is_urgent: bool = False
    part: ShopsPart = ShopsPart()


def compose_notice(notice: Notice, sender: FromAddress) -> EmailMessage:
    """The mail, ready to be sent. Raises UnusableContact."""
    wording = WordsOf(locales.locale_for(notice.locale))
    kind, link = notice.kind, notice.part.link
    own = own_words(notice.part.text, notice.values)
    ours = " ".join(wording.of(kind, name) for name in notice.texts)
    shown: dict[str, object] = {
        "title": wording.of(kind, notice.title),
        "introduction": own.introduction,
        "text": ours.format(**notice.said),
        "lines": notice.lines,
        "link": link,
        "link_text": wording.of(kind, "link_text"),
        "decline_text": wording.of(kind, "decline_text") if notice.has_decline else None,
        "decline_link": f"{link}&do=decline",
        "closing": own.closing,
    }
    subject = "" if notice.is_urgent else own.subject
    head = Head(
        notice.mail_id,
        notice.at,
        recipient(notice.email, ""),
        subject or wording.of(kind, notice.subject).format(**notice.said),
    )
    made = written(head, sender, "notice", shown, wording, notice.part.letterhead)
    made["Content-Language"] = wording.language  # last: set_content loses it
    return made


def lasting(seconds: float, wording: WordsOf) -> str:
    """So many seconds, as one says it."""
    return str(format_timedelta(timedelta(seconds=seconds), threshold=2, locale=wording.locale))
