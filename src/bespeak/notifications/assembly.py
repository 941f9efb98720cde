"""Everything that notifications need, opened together: who reads the feed, who delivers webhooks,
who sends mails and the codes of sign-ins, who writes reminders and mailings down. Whoever opens
them calls `look` of each, again and again, each in its own task.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bespeak.merchants.letterheads import Letterheads
from bespeak.notifications.announcer import Announcer
from bespeak.notifications.mail.mailings import Mailings
from bespeak.notifications.mail.reminders import Reminders
from bespeak.notifications.mail.shops_parts import ShopsParts
from bespeak.notifications.mail.sign_ins import SignInMailer
from bespeak.notifications.mail.texts import MailTexts
from bespeak.notifications.mail.turns import LinkOfPlace, TurnMailer
from bespeak.notifications.mail.waitlists import LinkOfEntry, WaitlistMailer
from bespeak.notifications.mail.ways import ChosenWays
from bespeak.notifications.mail.worker import MailWorker, TicketsOfBooking
from bespeak.notifications.observer import NotificationObserver
from bespeak.notifications.webhooks.sender import WebhookSender
from bespeak.notifications.webhooks.worker import WebhookWorker
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.postgres.pool import Database


class Notifications(NamedTuple):
    """The eight, each with `async def look(self) -> float`."""

    announcer: Announcer
    courier: WebhookWorker
    postman: MailWorker
    sign_in_mailer: SignInMailer
    reminders: Reminders
    mailings: Mailings
    waitlist_mailer: WaitlistMailer
    turn_mailer: TurnMailer


@asynccontextmanager
async def open_notifications(
    database: Database,
    settings: Settings,
    *,
    folder: Path,
    tickets: TicketsOfBooking | None = None,
    letterheads: Letterheads | None = None,
    texts: MailTexts | None = None,
    entry_link: LinkOfEntry | None = None,
    place_link: LinkOfPlace | None = None,
    observer: NotificationObserver | None = None,
) -> AsyncIterator[Notifications]:
    """Notifications on a migrated database. `folder` is where the outbox is made, unless the
    settings name one or mails are sent. Raises InvalidSetting."""
    pool, ways = database.pool, ChosenWays(database, settings, folder)
    parts = ShopsParts(letterheads, texts)
    async with WebhookSender(allow_private=settings.webhook_private) as http:
        courier = WebhookWorker(
            pool, http, retention_days=settings.webhook_retention_days, observer=observer
        )
        announcer = Announcer(pool, observer, courier.wake)
        postman = MailWorker(
            pool,
            ways,
            tickets=tickets,
            parts=parts,
            observer=observer,
        )
        sign_in_mailer = SignInMailer(
            pool,
            ways,
            page=f"{settings.public_url.rstrip('/')}/find-bookings",
            observer=observer or NotificationObserver(),
        )
        try:
            yield Notifications(
                announcer,
                courier,
                postman,
                sign_in_mailer,
                Reminders(pool),
                Mailings(pool),
                WaitlistMailer(pool, ways, entry_link, parts, observer),
                TurnMailer(pool, ways, place_link, parts, observer),
            )
        finally:
            await courier.close()
