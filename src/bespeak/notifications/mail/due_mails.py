"""Mails that are written down as rows and leave from here: what is due is lent to one process, what
nobody wants by now is dropped, and the others go one after the other over one way. Any number may
run; a mail may be sent twice when the process dies in between, and then has the same Message-ID.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from email.message import EmailMessage
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

import structlog

from bespeak.notifications.mail.sender import MailRefused, MailServerAway
from bespeak.notifications.mail.ways import AWAY_SECONDS, MailWay, MailWays
from bespeak.notifications.mail.writing import FromAddress, UnusableContact
from bespeak.notifications.observer import NotificationObserver

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool, Record

_PAUSE_SECONDS = 0.5
_FAILURE_LENGTH_MAX = 300
_log = structlog.get_logger()

MailState: TypeAlias = Literal["sent", "dropped", "failed", "pending"]
WriteMail: TypeAlias = "Callable[[Record, FromAddress], Awaitable[EmailMessage]]"
"""Writes the mail of a row, ready to be sent. Raises what is the mail's own fault."""


class DueMailer(ABC):
    """Sends the mails of one kind, for as long as `look` is called. A row says whether it
    `is_wanted` still."""

    name: ClassVar[str]
    batch: ClassVar[int] = 50
    own_faults: ClassVar[tuple[type[Exception], ...]] = (MailRefused, UnusableContact)
    """Of one mail; the others go on."""

    def __init__(self, pool: Pool, ways: MailWays, observer: NotificationObserver | None) -> None:
        self._pool = pool
        self._ways = ways
        self._observer = observer or NotificationObserver()

    async def look(self) -> float:
        """Sends what is due; answers seconds until the next look. Raises what asyncpg raises."""
        try:
            way = await self._ways.now()
        except MailServerAway:
            return AWAY_SECONDS  # before anything is taken
        rows = await self._claim()
        wanted = [row for row in rows if row["is_wanted"]]
        for row in rows:
            if not row["is_wanted"]:
                await self._end(row, "dropped")
        if wanted:
            await self._send(way, wanted)
        return 0.0 if len(rows) == self.batch else _PAUSE_SECONDS

    async def _send(self, way: MailWay, rows: list[Record]) -> None:
        left, write = list(rows), await self._writer(rows)
        try:
            async with way.route.opened() as send:
                while left:
                    try:
                        await send(await write(left[0], way.sender))
                    except self.own_faults as error:
                        await self._refused(left[0], error)
                    else:
                        await self._end(left[0], "sent")
                    del left[0]
        except MailServerAway as error:
            _log.warning("mails do not leave", reason=str(error))
            for row in left:  # the way is at fault, not these mails
                await self._end(row, "pending", str(error))

    async def _refused(self, row: Record, error: Exception) -> None:
        is_final = not isinstance(error, MailRefused) or error.final
        await self._end(row, "failed" if is_final else "pending", str(error))

    async def _end(self, row: Record, state: MailState, failure: str | None = None) -> None:
        became = await self._settle(row, state, failure and failure[:_FAILURE_LENGTH_MAX])
        self._observer.mail("retried" if became == "pending" else became)

    @abstractmethod
    async def _claim(self) -> Sequence[Record]:
        """Borrows what is due, `batch` at most."""

    @abstractmethod
    async def _writer(self, rows: Sequence[Record]) -> WriteMail:
        """What writes the mails of these rows."""

    @abstractmethod
    async def _settle(self, row: Record, state: MailState, failure: str | None) -> MailState:
        """Records what became of a mail, `pending`: to be tried again; answers what it is now."""
