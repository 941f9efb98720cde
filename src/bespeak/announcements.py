"""What an installation tells others: webhooks, and mails with their tickets. It needs the libraries
of the extra `server`, so that only who does this work imports it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bespeak.background import BackgroundWork
from bespeak.engine import Engine
from bespeak.notifications.assembly import open_notifications
from bespeak.notifications.mail.message import Attachment
from bespeak.notifications.observer import NotificationObserver
from bespeak.ticketing.links import BookingLinks, open_links
from bespeak.ticketing.service import TicketService, open_office


@asynccontextmanager
async def announcements(
    engine: Engine, folder: Path, observer: NotificationObserver | None
) -> AsyncIterator[Sequence[BackgroundWork]]:
    """The work of announcing, for whoever keeps it looking within the block. `folder` has the
    outbox of mails where no SMTP server is set up. Raises InvalidSetting."""
    tickets = _TicketMail(engine, await open_office(engine), await open_links(engine))
    async with open_notifications(
        engine.database.pool, engine.settings, folder=folder, tickets=tickets, observer=observer
    ) as works:
        yield works


class _TicketMail:
    """The tickets of a booking, as the mail that confirms it carries them."""

    def __init__(self, engine: Engine, office: TicketService, links: BookingLinks) -> None:
        self._engine = engine
        self._office = office
        self._links = links

    async def link(self, booking_id: str) -> str | None:
        """The booking's page, where the box office has one for its buyer."""
        settings = self._engine.settings
        if not settings.box_office:
            return None
        token = self._links.token(await self._engine.get_booking(booking_id))
        there = f"{settings.public_url.rstrip('/')}/bookings/{booking_id}"
        return None if token is None else f"{there}#token={token}"

    async def files(self, booking_id: str) -> Sequence[Attachment]:
        """The tickets to print, and the calendar file."""
        return [
            Attachment("tickets.pdf", "application/pdf", await self._office.pdf(booking_id)),
            Attachment("calendar.ics", "text/calendar", await self._office.calendar(booking_id)),
        ]
