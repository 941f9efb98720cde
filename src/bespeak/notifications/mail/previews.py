"""How a mail will look: of a sample booking or turn, or of what a real booking has of resources,
never of its buyer's. It is composed as mails are, and kept nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Literal
from uuid import uuid4
from zoneinfo import ZoneInfo

import msgspec

from bespeak import locales
from bespeak.merchants.letterheads import Letterhead
from bespeak.money import Money
from bespeak.notifications.mail.line_words import MailResource, begin, line_text
from bespeak.notifications.mail.message import MailContact, MailData
from bespeak.notifications.mail.notices import Notice, lasting
from bespeak.notifications.mail.pictures import with_pictures
from bespeak.notifications.mail.shops_parts import ShopsPart
from bespeak.notifications.mail.texts import LINKED, AnyMailKind, MailText, NoticeKind
from bespeak.notifications.mail.writing import WordsOf
from bespeak.reservations.lines import BookedLine

_SAMPLE = "res_sample"
_NAMES = {"en": "Alex Smith", "de": "Alex Schmidt", "ar": "سلمى حداد"}
_TITLES = {"en": "A Midsummer Night's Dream", "de": "Ein Sommernachtstraum", "ar": "حلم ليلة صيف"}
_VENUES = {"en": "Main Hall", "de": "Großer Saal", "ar": "القاعة الكبرى"}
_DAYS_AHEAD = 30
_HOUR = 19
_AMOUNT = 4800
_PLACE = 3
_HELD_MINUTES = 15
_GRACE_SECONDS = 120


class MailPreview(msgspec.Struct, frozen=True, kw_only=True):
    """How a mail looks: who it comes from, its subject, its plain text and its HTML, which has its
    pictures within."""

    sender: str
    subject: str
    text: str
    html: str


class ShownBooking(msgspec.Struct, frozen=True, kw_only=True):
    """What a preview shows of a booking."""

    code: str
    lines: Sequence[BookedLine]
    things: Mapping[str, MailResource]
    amount: Money


def sample_booking(language: str, now: datetime, time_zone: str, currency: str) -> ShownBooking:
    """A booking as there may be one, in words of a language."""
    starts = (now + timedelta(days=_DAYS_AHEAD)).astimezone(UTC)
    starts = starts.replace(hour=_HOUR, minute=0, second=0, microsecond=0)
    thing = MailResource(_TITLES[language], time_zone, starts.isoformat(), venue=_VENUES[language])
    lines = [BookedLine(_SAMPLE, unit, None, 0) for unit in ("F7", "F8")]
    return ShownBooking(
        code="7K3M-Q2XD", lines=lines, things={_SAMPLE: thing}, amount=Money(_AMOUNT, currency)
    )


def previewed(
    kind: AnyMailKind,
    language: str,
    booking: ShownBooking,
    *,
    email: str,
    text: MailText,
    letterhead: Letterhead,
    link: str,
    at: datetime,
) -> MailData:
    """The matter of a mail of this kind about a booking, to a buyer with the name of the sample."""
    return MailData(
        mail_id=uuid4(),
        kind=kind,
        at=at,
        contact=MailContact(email, _NAMES[language], language),
        reference=booking.code,
        lines=booking.lines,
        things=booking.things,
        amount=booking.amount,
        moved=booking.amount if booking.amount.amount else None,
        late="same_units" if kind == "payment_late" else None,
        link=link if kind in LINKED else None,
        letterhead=letterhead,
        text=text,
    )


def sample_notice(
    kind: NoticeKind,
    language: str,
    booking: ShownBooking,
    *,
    email: str,
    part: ShopsPart,
    at: datetime,
) -> Notice:
    """A mail of this kind to who waits for what the booking is of: it is held for some minutes; or
    nothing came back; or the turn comes near."""
    wording = WordsOf(locales.locale_for(language))
    thing = booking.things[_SAMPLE]
    is_offer = kind == "waitlist_offered"
    zone = ZoneInfo(thing.time_zone)
    until = locales.moment(at + timedelta(minutes=_HELD_MINUTES), zone, wording.locale)
    lines = []
    if is_offer:
        lines = [line_text(line, booking.things, wording) for line in booking.lines]
        lines.append(f"{wording.said('total')}: {locales.money(booking.amount, wording.locale)}")
    elif kind == "waitlist_joined":
        lines = [line_text(BookedLine(_SAMPLE, None, None, 0), booking.things, wording)]
    return Notice(
        mail_id=uuid4(),
        at=at,
        email=email,
        locale=language,
        kind=kind,
        said={
            "what": thing.name,
            "party": len(booking.lines),
            "place": _PLACE,
            "until": until,
            "grace": lasting(_GRACE_SECONDS, wording),
            "minutes": lasting(_HELD_MINUTES * 60, wording),
        },
        values={"title": thing.name, "starts_at": begin(thing, None, wording), "until": until},
        texts=("text_list_ended" if kind == "waitlist_over" else "text",),
        lines=lines,
        has_decline=is_offer,
        part=part,
    )


def preview_of(mail: EmailMessage) -> MailPreview:
    """A composed mail as it is shown."""
    return MailPreview(
        sender=str(mail["From"]),
        subject=str(mail["Subject"]),
        text=_body(mail, "plain"),
        html=with_pictures(mail, _body(mail, "html")),
    )


def _body(mail: EmailMessage, kind: Literal["plain", "html"]) -> str:
    part = mail.get_body((kind,))
    return "" if part is None else str(part.get_content()).replace("\r\n", "\n")
