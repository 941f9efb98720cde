"""Mails that say that somebody's turn in a waiting room comes near, with a link by which any device
has the place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from email.message import EmailMessage
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bespeak import locales
from bespeak.notifications.mail.due_mails import DueMailer, MailState, WriteMail
from bespeak.notifications.mail.notices import Notice, compose_notice, lasting
from bespeak.notifications.mail.shops_parts import ShopsPart, ShopsParts
from bespeak.notifications.mail.ways import MailWays
from bespeak.notifications.mail.writing import FromAddress, WordsOf, one_line
from bespeak.notifications.observer import NotificationObserver
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool, Record

_QUERIES = load("bespeak.notifications.mail", "turns.sql")
_LEASE_SECONDS = 300
# A turn is minutes away: its mail is tried again soon, until the turn is over.
_RETRY_SECONDS = 30.0
_TITLE_LENGTH_MAX = 80


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
        parts: ShopsParts,
        observer: NotificationObserver | None,
    ) -> None:
        super().__init__(pool, ways, observer)
        self._link = link
        self._parts = parts

    async def _claim(self) -> Sequence[Record]:
        return await self._pool.fetch(_QUERIES["claim"], self.batch, _LEASE_SECONDS)

    async def _writer(self, rows: Sequence[Record]) -> WriteMail:
        return self._composed

    async def _composed(self, row: Record, sender: FromAddress) -> EmailMessage:
        link = None
        if self._link is not None:
            place = (row["room_id"], row["queue"], row["joined_us"], row["subject"])
            link = partial(self._link, PlaceInQueue(*place))
        part = await self._parts.of(row["workspace"], "turn_near", row["locale"], link)
        return compose_turn_mail(row, sender, part)

    async def _settle(self, row: Record, state: MailState, failure: str | None) -> MailState:
        key = (row["mail_id"], row["room_id"], row["due_at"])
        await self._pool.execute(_QUERIES["settle"], *key, state, _RETRY_SECONDS)
        return state


def compose_turn_mail(row: Record, sender: FromAddress, part: ShopsPart) -> EmailMessage:
    """The mail about a turn, ready to be sent; its link ends with a queue token. Raises
    UnusableContact."""
    wording = WordsOf(locales.locale_for(row["locale"]))
    what = one_line(row["name"], _TITLE_LENGTH_MAX)
    now = "_now" if row["is_called"] else ""
    notice = Notice(
        mail_id=row["mail_id"],
        at=row["near_at"],
        email=row["email"],
        locale=row["locale"],
        kind="turn_near",
        said={
            "what": what,
            "grace": lasting(row["grace_seconds"], wording),
            "minutes": lasting(row["pass_seconds"], wording),
        },
        values={"title": what},
        texts=(f"text{now}",),
        subject=f"subject{now}",
        title=f"title{now}",
        is_urgent=row["is_called"],
        part=part,
    )
    return compose_notice(notice, sender)
