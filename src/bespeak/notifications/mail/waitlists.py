"""Mails to who waits: that one is on the list, that it is one's turn, that it is over. They are
written down with what they tell of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from email.message import EmailMessage
from functools import partial
from typing import TYPE_CHECKING, TypeAlias
from zoneinfo import ZoneInfo

import msgspec
from msgspec import UNSET, UnsetType

from bespeak import ids, locales
from bespeak.notifications.mail.due_mails import DueMailer, MailState, WriteMail
from bespeak.notifications.mail.line_words import (
    MailResource,
    begin,
    is_said,
    line_text,
    named,
    stops_of,
    translations_of,
)
from bespeak.notifications.mail.message import MailContact
from bespeak.notifications.mail.notices import Notice, compose_notice
from bespeak.notifications.mail.shops_parts import ShopsPart, ShopsParts
from bespeak.notifications.mail.texts import NoticeKind
from bespeak.notifications.mail.ways import MailWays
from bespeak.notifications.mail.writing import FromAddress, WordsOf, one_line
from bespeak.notifications.observer import NotificationObserver
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load
from bespeak.reservations.booking_code import BookingCode
from bespeak.reservations.holds import hold_of
from bespeak.reservations.lines import BookedLine, booked

if TYPE_CHECKING:
    from uuid import UUID

    from bespeak.postgres.pool import Pool, Record

_QUERIES = load("bespeak.notifications.mail", "waitlists.sql")
LinkOfEntry: TypeAlias = "Callable[[UUID], str]"
"""The address of the page of an entry, with what opens it behind the `#`."""
_LEASE_SECONDS = 300
# Who is offered something has minutes: a mail about it is tried again soon.
_RETRY_SECONDS = (30, 120, 600, 3600)
_TITLE_LENGTH_MAX = 80
_LINES_MAX = 20


class _Wanted(msgspec.Struct, frozen=True):
    """A place of a wish, as far as a mail tells of it."""

    resource_id: str
    from_: str | UnsetType = msgspec.field(default=UNSET, name="from")
    to: str | UnsetType = UNSET


class _Wish(msgspec.Struct, frozen=True):
    """A wish, as far as a mail tells of it."""

    places: tuple[_Wanted, ...]
    categories: tuple[str, ...] = ()
    guests: int | UnsetType = UNSET


_WISH: msgspec.json.Decoder[_Wish] = msgspec.json.Decoder(_Wish)


class WaitlistMailer(DueMailer):
    """Sends the mails of waitlists, for as long as `look` is called. `link` says where the page of
    an entry is, with what opens it; None where nobody has such pages."""

    name = "waitlist mails"
    batch = 100
    # A LookupError is a text that there is not, an OverflowError a time.
    own_faults = (*DueMailer.own_faults, msgspec.ValidationError, LookupError, OverflowError)

    def __init__(
        self,
        pool: Pool,
        ways: MailWays,
        link: LinkOfEntry | None,
        parts: ShopsParts,
        observer: NotificationObserver | None,
    ) -> None:
        super().__init__(pool, ways, observer)
        self._link = link
        self._parts = parts

    async def _claim(self) -> Sequence[Record]:
        return await self._pool.fetch(_QUERIES["claim"], self.batch, _LEASE_SECONDS)

    async def _writer(self, rows: Sequence[Record]) -> WriteMail:
        things = await self._things(rows)

        async def write(row: Record, sender: FromAddress) -> EmailMessage:
            return await self._composed(row, things, sender)

        return write

    async def _things(self, rows: Sequence[Record]) -> dict[str, MailResource]:
        """What the mails are about: what is waited for, and what is held."""
        numbers = {number for row in rows for number in _numbers(row)}
        found = await self._pool.fetch(_QUERIES["resources"], list(numbers))
        return {
            ids.show_resource(row["resource_id"]): MailResource(
                row["name"],
                row["time_zone"],
                None if row["starts_at"] is None else row["starts_at"].isoformat(),
                translations_of(row),
                stops=stops_of(row),
            )
            for row in found
        }

    async def _composed(
        self, row: Record, things: Mapping[str, MailResource], sender: FromAddress
    ) -> EmailMessage:
        locale = _contact_of(row).locale
        link = None if self._link is None else partial(self._link, row["entry_id"])
        part = await self._parts.of(row["workspace"], _kind_of(row), locale, link)
        return compose_waitlist_mail(row, things, sender, part)

    async def _settle(self, row: Record, state: MailState, failure: str | None) -> MailState:
        delay = 0.0
        if state == "pending":
            if row["tries"] < len(_RETRY_SECONDS):
                delay = float(_RETRY_SECONDS[row["tries"]])
            else:
                state = "failed"
        told = (row["mail_id"], row["due_at"], state, failure, delay)
        await self._pool.execute(_QUERIES["settle"], *told)
        return state


def compose_waitlist_mail(
    row: Record, things: Mapping[str, MailResource], sender: FromAddress, part: ShopsPart
) -> EmailMessage:
    """The mail about an entry, ready to be sent; its link ends with a token. Raises
    UnusableContact, msgspec.ValidationError for a contact that is none."""
    contact = _contact_of(row)
    wording = WordsOf(locales.locale_for(contact.locale))
    first = ids.show_resource(_numbers(row)[0])
    thing = things.get(first) or MailResource(first, "UTC", None)
    what = one_line(named(wording, thing, thing.name), _TITLE_LENGTH_MAX)
    hold = None if row["kind"] != "offered" else row["hold"]
    until = "" if hold is None else _moment(row, thing, wording)
    from_ = None if hold is None else hold_of(hold).lines[0].from_
    notice = Notice(
        mail_id=row["mail_id"],
        at=row["created_at"],
        email=contact.email,
        locale=contact.locale,
        kind=_kind_of(row),
        said={
            "what": what,
            "party": row["party"],
            "place": row["place"],
            "until": until,
            "note": row["note"] or "",
            "code": _code_of(row),
        },
        values={"title": what, "starts_at": begin(thing, from_, wording), "until": until},
        texts=_texts_of(row),
        lines=_lines(row, things, wording),
        has_decline=hold is not None,
        part=part,
    )
    return compose_notice(notice, sender)


def _contact_of(row: Record) -> MailContact:
    return msgspec.json.decode(json_text(row["contact"]), type=MailContact)


def _kind_of(row: Record) -> NoticeKind:
    """The kind of a mail, as merchants write in it."""
    kinds: Mapping[str, NoticeKind] = {
        "joined": "waitlist_joined",
        "offered": "waitlist_offered",
        "over": "waitlist_over",
    }
    return kinds[row["kind"]]


def _numbers(row: Record) -> list[int]:
    """The resources that a mail is about: what is held, else what is waited for, liked best
    first."""
    hold = None if row["kind"] != "offered" else row["hold"]
    return list(row["resources"] if hold is None else hold["resources"])


def _code_of(row: Record) -> str:
    """The code of the booking that would be given back; empty where there is none."""
    if row["instead_of"] is None:
        return ""
    return str(BookingCode.of(row["instead_of"], row["instead_booked_at"]))


def _texts_of(row: Record) -> Sequence[str]:
    """What it is about; of an offer also which booking is given back for it."""
    if row["kind"] == "offered" and row["instead_of"] is not None:
        return ("text", "text_instead")
    if row["kind"] == "over":
        return (f"text_{row['reason']}",)
    if row["kind"] == "joined" and row["policy"] == "lottery":
        return ("text_lottery",)
    return ("text",)


def _moment(row: Record, thing: MailResource, wording: WordsOf) -> str:
    return locales.moment(row["hold"]["expires_at"], ZoneInfo(thing.time_zone), wording.locale)


def _lines(row: Record, things: Mapping[str, MailResource], wording: WordsOf) -> list[str]:
    """What is held, with what it costs; or what is waited for."""
    match row["kind"]:
        case "offered":
            hold = hold_of(row["hold"])
            lines = [booked(line, 0) for line in hold.lines[:_LINES_MAX]]
            found = [line_text(line, things, wording) for line in lines]
            if hold.amount.amount:
                total = locales.money(hold.amount, wording.locale)
                found.append(f"{wording.said('total')}: {total}")
            return found
        case "joined":
            return _wished(_WISH.decode(json_text(row["wish"])), things, wording)
        case _:
            return []


def _category(wording: WordsOf, thing: MailResource, name: str) -> str:
    """What a category is called; the one of seats that were given none has a word of ours."""
    said = named(wording, thing, name)
    return wording.said("standard") if said == "standard" else said


def _wished(wish: _Wish, things: Mapping[str, MailResource], wording: WordsOf) -> list[str]:
    """The places of a wish, those liked best first, then the names of what would do there. Nobody
    has looked at the ends of its ranges yet."""
    unknown = MailResource("", "UTC", None)
    found = []
    for one in wish.places:
        thing = things.get(one.resource_id, unknown)
        ends = [end for end in (one.from_, one.to) if isinstance(end, str)]
        start, end = (
            (one.from_, one.to) if all(is_said(thing, end) for end in ends) else (UNSET, UNSET)
        )
        line = BookedLine(one.resource_id, None, None, 0, start, end, wish.guests)
        found.append(line_text(line, things, wording))
    if wish.categories:
        thing = things.get(wish.places[0].resource_id, unknown)
        names = [_category(wording, thing, name) for name in wish.categories]
        found.append(wording.said("between").join(names))
    return found
