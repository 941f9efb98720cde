"""Mails that say that somebody's turn in a waiting room comes near, with a link by which any device
has the place. They leave from here; any number may run. A mail may be sent twice when the process
dies in between, and then has the same Message-ID.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import structlog
from babel.dates import format_timedelta

from bespeak import locales
from bespeak.inventory.workspaces import DEFAULT
from bespeak.merchants.letterheads import EMPTY, Letterhead, Letterheads
from bespeak.notifications.mail.sender import MailRefused, MailServerAway, SendMail
from bespeak.notifications.mail.ways import AWAY_SECONDS, MailWay, MailWays
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
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool, Record

_QUERIES = load("bespeak.notifications.mail", "turns.sql")
_BATCH = 50
_LEASE_SECONDS = 300
# A turn is minutes away: its mail is tried again soon, until the turn is over.
_RETRY_SECONDS = 30.0
_PAUSE_SECONDS = 0.5
_TITLE_LENGTH_MAX = 80
_KIND = "turn_near"
_log = structlog.get_logger()

_Became: TypeAlias = Literal["sent", "dropped", "failed", "pending"]


class PlaceInQueue(NamedTuple):
    """What a queue token of a room is made of: queue, when it was joined, and for whom."""

    room_id: str
    queue: int
    joined_us: int
    subject: bytes


LinkOfPlace: TypeAlias = "Callable[[PlaceInQueue], str]"
"""The address of the page of a waiting room, with the place behind the `#`."""


class TurnMailer:
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
        self._pool = pool
        self._ways = ways
        self._link = link
        self._letterheads = letterheads
        self._observer = observer or NotificationObserver()

    async def look(self) -> float:
        """Sends what is due; answers seconds until the next look. Raises what asyncpg raises."""
        try:
            way = await self._ways.now()
        except MailServerAway:
            return AWAY_SECONDS
        rows = await self._pool.fetch(_QUERIES["claim"], _BATCH, _LEASE_SECONDS)
        for row in rows:
            if not row["is_wanted"]:
                await self._settle(row, "dropped")
        wanted = [row for row in rows if row["is_wanted"]]
        if wanted:
            await self._send(way, wanted)
        return 0.0 if len(rows) == _BATCH else _PAUSE_SECONDS

    async def _send(self, way: MailWay, rows: list[Record]) -> None:
        left = list(rows)
        try:
            async with way.route.opened() as send:
                while left:
                    await self._settle(left[0], await self._sent(send, left[0], way.sender))
                    del left[0]
        except MailServerAway as error:
            _log.warning("mails do not leave", reason=str(error))
            for row in left:  # the way is at fault, not these mails
                await self._settle(row, "pending")

    async def _sent(self, send: SendMail, row: Record, sender: FromAddress) -> _Became:
        """What becomes of a mail. Raises MailServerAway."""
        letterhead = EMPTY
        if self._letterheads is not None:
            letterhead = await self._letterheads.of(row["workspace"])
        link = None
        if self._link is not None and row["workspace"] == DEFAULT:  # whose the pages are
            place = (row["room_id"], row["queue"], row["joined_us"], row["subject"])
            link = self._link(PlaceInQueue(*place))
        try:
            await send(compose_turn_mail(row, sender, link, letterhead))
        except MailRefused as error:
            return "failed" if error.final else "pending"
        except UnusableContact:
            return "failed"
        return "sent"

    async def _settle(self, row: Record, became: _Became) -> None:
        key = (row["mail_id"], row["room_id"], row["due_at"])
        await self._pool.execute(_QUERIES["settle"], *key, became, _RETRY_SECONDS)
        self._observer.mail("retried" if became == "pending" else became)


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
