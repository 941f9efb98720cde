"""Everything that notifications need, opened together: who reads the feed, who delivers webhooks,
who sends mails. Whoever opens them calls `look` of each, again and again, each in its own task.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bespeak.notifications.announcer import Announcer
from bespeak.notifications.mail.message import parse_sender
from bespeak.notifications.mail.sender import Outbox, Post, SmtpPost, parse_smtp_url
from bespeak.notifications.mail.worker import Postman, TicketsOfBooking
from bespeak.notifications.watch import Watch
from bespeak.notifications.webhooks.sender import Sender
from bespeak.notifications.webhooks.worker import Courier
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool

_OUTBOX = "outbox"


class Notifications(NamedTuple):
    """The three, each with `async def look(self) -> float`."""

    announcer: Announcer
    courier: Courier
    postman: Postman


@asynccontextmanager
async def open_notifications(
    pool: Pool,
    settings: Settings,
    *,
    folder: Path,
    tickets: TicketsOfBooking | None = None,
    watch: Watch | None = None,
) -> AsyncIterator[Notifications]:
    """Notifications on a migrated database. `folder` is where the outbox is made, unless the
    settings name one or an SMTP server. Raises InvalidSetting."""
    sender = parse_sender(settings.mail_from)
    post = _post(settings, folder)
    async with Sender(allow_private=settings.webhook_private) as http:
        courier = Courier(pool, http, retention_days=settings.webhook_retention_days, watch=watch)
        announcer = Announcer(pool, watch, courier.wake)
        postman = Postman(pool, post, sender, tickets=tickets, watch=watch)
        try:
            yield Notifications(announcer, courier, postman)
        finally:
            await courier.close()


def _post(settings: Settings, folder: Path) -> Post:
    if settings.smtp_url:
        return SmtpPost(parse_smtp_url(settings.smtp_url))
    return Outbox(Path(settings.mail_outbox) if settings.mail_outbox else folder / _OUTBOX)
