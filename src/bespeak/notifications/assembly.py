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
from bespeak.notifications.mail.sender import MailRoute, OutboxFolder, SmtpRoute, parse_smtp_url
from bespeak.notifications.mail.worker import MailWorker, TicketsOfBooking
from bespeak.notifications.observer import NotificationObserver
from bespeak.notifications.webhooks.sender import WebhookSender
from bespeak.notifications.webhooks.worker import WebhookWorker
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.postgres.pool import Pool

_OUTBOX = "outbox"


class Notifications(NamedTuple):
    """The three, each with `async def look(self) -> float`."""

    announcer: Announcer
    courier: WebhookWorker
    postman: MailWorker


@asynccontextmanager
async def open_notifications(
    pool: Pool,
    settings: Settings,
    *,
    folder: Path,
    tickets: TicketsOfBooking | None = None,
    observer: NotificationObserver | None = None,
) -> AsyncIterator[Notifications]:
    """Notifications on a migrated database. `folder` is where the outbox is made, unless the
    settings name one or an SMTP server. Raises InvalidSetting."""
    sender = parse_sender(settings.mail_from)
    post = _post(settings, folder)
    async with WebhookSender(allow_private=settings.webhook_private) as http:
        courier = WebhookWorker(
            pool, http, retention_days=settings.webhook_retention_days, observer=observer
        )
        announcer = Announcer(pool, observer, courier.wake)
        postman = MailWorker(pool, post, sender, tickets=tickets, observer=observer)
        try:
            yield Notifications(announcer, courier, postman)
        finally:
            await courier.close()


def _post(settings: Settings, folder: Path) -> MailRoute:
    if settings.smtp_url:
        return SmtpRoute(parse_smtp_url(settings.smtp_url))
    return OutboxFolder(Path(settings.mail_outbox) if settings.mail_outbox else folder / _OUTBOX)
