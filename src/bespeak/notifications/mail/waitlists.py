"""Mails to who waits: that one is on the list, that it is one's turn, that it is over. They are
written down with what they tell of, and leave from here. Any number may run; a mail may be sent
twice when the process dies in between, and then has the same Message-ID.
"""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from typing import TYPE_CHECKING, TypeAlias
from zoneinfo import ZoneInfo

import msgspec
import structlog

from bespeak import locales
from bespeak.inventory.workspaces import DEFAULT
from bespeak.merchants.letterheads import EMPTY, Letterhead, Letterheads
from bespeak.notifications.mail.message import MailContact
from bespeak.notifications.mail.sender import MailRefused, MailRoute, MailServerAway
from bespeak.notifications.mail.writing import (
    FromAddress,
    Head,
    UnusableContact,
    WordsOf,
    one_line,
    recipient,
    written,
)
from bespeak.notifications.observer import NotificationObserver
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load
from bespeak.reservations.holds import hold_of
from bespeak.translations import Translation, merged, words_in

if TYPE_CHECKING:
    from uuid import UUID

    from bespeak.postgres.pool import Pool, Record

_QUERIES = load("bespeak.notifications.mail", "waitlists.sql")
_TRANSLATIONS: msgspec.json.Decoder[tuple[Translation, ...]] = msgspec.json.Decoder(
    tuple[Translation, ...]
)
LinkOfEntry: TypeAlias = "Callable[[UUID], str]"
"""The address of the page of an entry, with what opens it behind the `#`."""
_BATCH = 100
_LEASE_SECONDS = 300
# Who is offered something has minutes: a mail about it is tried again soon.
# Of one mail; the others go on. A LookupError is a text that there is not.
_OWN_FAULTS = (MailRefused, UnusableContact, msgspec.ValidationError, LookupError)
_RETRY_SECONDS = (30, 120, 600, 3600)
_PAUSE_SECONDS = 0.5
_TITLE_LENGTH_MAX = 80
_LINES_MAX = 20
_log = structlog.get_logger()


class WaitlistMailer:
    """Sends the mails of waitlists, for as long as `look` is called. `link` says where the page of
    an entry is, with what opens it; None where nobody has such pages."""

    name = "waitlist mails"

    def __init__(
        self,
        pool: Pool,
        post: MailRoute,
        sender: FromAddress,
        link: LinkOfEntry | None,
        letterheads: Letterheads | None,
        observer: NotificationObserver | None,
    ) -> None:
        self._pool = pool
        self._post = post
        self._sender = sender
        self._link = link
        self._letterheads = letterheads
        self._observer = observer or NotificationObserver()

    async def look(self) -> float:
        """Sends what is due; answers seconds until the next look. Raises what asyncpg raises."""
        rows = await self._pool.fetch(_QUERIES["claim"], _BATCH, _LEASE_SECONDS)
        if not rows:
            return _PAUSE_SECONDS
        for row in rows:
            if not row["is_wanted"]:
                await self._settle(row, "dropped")
        wanted = [row for row in rows if row["is_wanted"]]
        if wanted:
            await self._send(wanted)
        return 0.0 if len(rows) == _BATCH else _PAUSE_SECONDS

    async def _send(self, rows: list[Record]) -> None:
        left = list(rows)
        try:
            async with self._post.opened() as send:
                while left:
                    row = left[0]
                    try:
                        await send(await self._composed(row))
                    except _OWN_FAULTS as error:
                        await self._refused(row, error)
                    else:
                        await self._settle(row, "sent")
                    del left[0]
        except MailServerAway as error:
            _log.warning("mails do not leave", reason=str(error))
            for row in left:  # the way is at fault, not these mails
                await self._later(row, str(error))

    async def _refused(self, row: Record, error: Exception) -> None:
        if isinstance(error, MailRefused) and not error.final:
            await self._later(row, str(error))
        else:
            await self._settle(row, "failed", str(error)[:300])

    async def _later(self, row: Record, reason: str) -> None:
        if row["tries"] >= len(_RETRY_SECONDS):
            await self._settle(row, "failed", reason[:300])
        else:
            delay = float(_RETRY_SECONDS[row["tries"]])
            await self._settle(row, "pending", reason[:300], delay)

    async def _composed(self, row: Record) -> EmailMessage:
        letterhead = EMPTY
        if self._letterheads is not None:
            letterhead = await self._letterheads.of(row["workspace"])
        # The pages are the default workspace's.
        link = None
        if self._link is not None and row["workspace"] == DEFAULT:
            link = self._link(row["entry_id"])
        return compose_waitlist_mail(row, self._sender, link, letterhead)

    async def _settle(
        self, row: Record, state: str, failure: str | None = None, delay: float = 0.0
    ) -> None:
        await self._pool.execute(
            _QUERIES["settle"], row["mail_id"], row["due_at"], state, failure, delay
        )
        self._observer.mail("retried" if state == "pending" else state)


def compose_waitlist_mail(
    row: Record, sender: FromAddress, link: str | None, letterhead: Letterhead
) -> EmailMessage:
    """The mail about an entry, ready to be sent; its `link` ends with a token. Raises
    UnusableContact, msgspec.ValidationError for a contact that is none."""
    contact = msgspec.json.decode(json_text(row["contact"]), type=MailContact)
    wording = WordsOf(locales.locale_for(contact.locale))
    kind = f"waitlist_{row['kind']}"
    what = one_line(_word(row, wording, row["name"]), _TITLE_LENGTH_MAX)
    hold = None if row["kind"] != "offered" else row["hold"]
    said = {
        "what": what,
        "party": row["party"],
        "place": row["place"],
        "until": "" if hold is None else _moment(row, wording),
        "note": row["note"] or "",
    }
    shown: dict[str, object] = {
        "title": wording.of(kind, "title"),
        "text": wording.of(kind, _text_of(row)).format(**said),
        "lines": [] if hold is None else _lines(row, wording),
        "link": link,
        "link_text": wording.of(kind, "link_text"),
        "decline_text": None if hold is None else wording.of(kind, "decline_text"),
        "decline_link": f"{link}&do=decline",
    }
    subject = wording.of(kind, "subject").format(what=what)
    head = Head(row["mail_id"], row["created_at"], recipient(contact.email, ""), subject)
    made = written(head, sender, "waitlist", shown, wording, letterhead)
    made["Content-Language"] = wording.language  # last: set_content loses it
    return made


def _text_of(row: Record) -> str:
    if row["kind"] == "over":
        return f"text_{row['reason']}"
    if row["kind"] == "joined" and row["policy"] == "lottery":
        return "text_lottery"
    return "text"


def _moment(row: Record, wording: WordsOf) -> str:
    zone = ZoneInfo(row["time_zone"])
    return locales.moment(row["hold"]["expires_at"], zone, wording.locale)


def _lines(row: Record, wording: WordsOf) -> list[str]:
    """What is held: so many of what, or its seat, with its dates."""
    hold = hold_of(row["hold"])
    found = []
    for line in hold.lines[:_LINES_MAX]:
        parts = [] if line.unit is None else [_word(row, wording, line.unit)]
        ends = [end for end in (line.from_, line.to) if isinstance(end, str)]
        parts += [wording.said("range", start=ends[0], end=ends[-1])] if ends else []
        text = wording.said("between").join(parts) or row["name"]
        found.append(f"{line.quantity} \N{MULTIPLICATION SIGN} {text}" if line.quantity else text)
    total = locales.money(hold.amount, wording.locale) if hold.amount.amount else None
    return found if total is None else [*found, f"{wording.said('total')}: {total}"]


def _word(row: Record, wording: WordsOf, text: str) -> str:
    """What a text of the resource is called in this language."""
    plans = row["plan_translations"]
    own = merged(
        () if plans is None else _TRANSLATIONS.decode(json_text(plans)),
        _TRANSLATIONS.decode(json_text(row["translations"])),
    )
    return words_in(wording.language, own).get(text, text)
