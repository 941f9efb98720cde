"""Mails that say that somebody's turn in a waiting room comes near, with a link by which any device
has the place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from email.message import EmailMessage
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from babel.dates import format_timedelta

from bespeak import locales
from bespeak.inventory.workspaces import DEFAULT
from bespeak.merchants.letterheads import EMPTY, Letterhead, Letterheads
from bespeak.notifications.mail.due_mails import DueMailer, MailState, WriteMail
from bespeak.notifications.mail.ways import MailWays
from bespeak.notifications.mail.writing import (
    FromAddress,
    Head,
    WordsOf,
    one_line,
    recipient,
    written,
)
from bespeak.notifications.observer import NotificationObserver
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool, Record

_QUERIES = load("bespeak.notifications.mail", "turns.sql")
_LEASE_SECONDS = 300
# A turn is minutes away: its mail is tried again soon, until the turn is over.
_RETRY_SECONDS = 30.0
_TITLE_LENGTH_MAX = 80
_KIND = "turn_near"


class PlaceInQueue(NamedTuple):
    """What a queue token of a room is made of: queue, when it was joined, and for whom."""

    room_id: str
    queue: int
    joined_us: int
    subject: bytes


LinkOfPlace: TypeAlias = "Callable[[PlaceInQueue], str]"
"""The address of the page of a waiting room, with the place behind the `#`."""


class TurnMailer(DueMailer):
    """Sends the mails of turns, for as long as `look` is called. `link` says where the page of a
    place is; None where nobody has such pages."""

    name = "turn mails"

    def __init__(
        self,
        pool: Pool,
        ways: MailWays,
        link: LinkOfPlace | None,
        letterheads: Letterheads | None,
        observer: NotificationObserver | None,
    ) -> None:
        super().__init__(pool, ways, observer)
        self._link = link
        self._letterheads = letterheads

    async def _claim(self) -> Sequence[Record]:
        return await self._pool.fetch(_QUERIES["claim"], self.batch, _LEASE_SECONDS)

    async def _writer(self, rows: Sequence[Record]) -> WriteMail:
        return self._composed

    async def _composed(self, row: Record, sender: FromAddress) -> EmailMessage:
        letterhead = EMPTY
        if self._letterheads is not None:
            letterhead = await self._letterheads.of(row["workspace"])
        link = None
        if self._link is not None and row["workspace"] == DEFAULT:  # whose the pages are
            place = (row["room_id"], row["queue"], row["joined_us"], row["subject"])
            link = self._link(PlaceInQueue(*place))
        return compose_turn_mail(row, sender, link, letterhead)

    async def _settle(self, row: Record, state: MailState, failure: str | None) -> MailState:
        key = (row["mail_id"], row["room_id"], row["due_at"])
        await self._pool.execute(_QUERIES["settle"], *key, state, _RETRY_SECONDS)
        return state


def compose_turn_mail(
    row: Record, sender: FromAddress, link: str | None, letterhead: Letterhead
) -> EmailMessage:
    """The mail about a turn, ready to be sent; its `link` ends with a queue token. Raises
    UnusableContact."""
    wording = WordsOf(locales.locale_for(row["locale"]))
    said = {
        "what": one_line(row["name"], _TITLE_LENGTH_MAX),
        "grace": _lasting(row["grace_seconds"], wording),
        "minutes": _lasting(row["pass_seconds"], wording),
    }
    now = "_now" if row["is_called"] else ""
    shown: dict[str, object] = {
        "title": wording.of(_KIND, f"title{now}"),
        "text": wording.of(_KIND, f"text{now}").format(**said),
        "lines": [],
        "link": link,
        "link_text": wording.of(_KIND, "link_text"),
        "decline_text": None,
    }
    subject = wording.of(_KIND, f"subject{now}").format(**said)
    head = Head(row["mail_id"], row["near_at"], recipient(row["email"], ""), subject)
    made = written(head, sender, "waitlist", shown, wording, letterhead)
    made["Content-Language"] = wording.language  # last: set_content loses it
    return made


def _lasting(seconds: int, wording: WordsOf) -> str:
    return str(format_timedelta(timedelta(seconds=seconds), threshold=2, locale=wording.locale))
