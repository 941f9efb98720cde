"""What an installation tells others: webhooks, and mails with their tickets. It needs the libraries
of the extra `server`, so that only who does this work imports it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bespeak import ids
from bespeak.admission.queue_tokens import QueueToken, QueueTokens
from bespeak.background import BackgroundWork
from bespeak.engine import Engine
from bespeak.errors import BookingCancelled
from bespeak.inventory.workspaces import DEFAULT
from bespeak.merchants.letterheads import Letterheads
from bespeak.merchants.merchants import Merchants
from bespeak.notifications.assembly import open_notifications
from bespeak.notifications.mail.message import Attachment
from bespeak.notifications.mail.texts import MailTexts
from bespeak.notifications.mail.turns import LinkOfPlace, PlaceInQueue
from bespeak.notifications.mail.waitlists import LinkOfEntry
from bespeak.notifications.observer import NotificationObserver
from bespeak.payments.refunds.owed import NOT_PAID
from bespeak.postgres.secrets import signing_secret
from bespeak.pricing.refund_steps import RefundStep
from bespeak.ticketing.errors import TicketCancelled
from bespeak.ticketing.links import BookingLinks, open_links
from bespeak.ticketing.service import TicketService, open_office
from bespeak.waitlists.links import open_waitlist_links


@asynccontextmanager
async def announcements(
    engine: Engine, folder: Path, observer: NotificationObserver | None
) -> AsyncIterator[Sequence[BackgroundWork]]:
    """The work of announcing, for whoever keeps it looking within the block. `folder` has the
    outbox of mails where no SMTP server is set up. Raises InvalidSetting."""
    letterheads = letterheads_of(engine)
    office = await open_ticket_office(engine, letterheads)
    async with open_notifications(
        engine.database,
        engine.settings,
        folder=folder,
        tickets=_TicketMail(engine, office, await open_links(engine)),
        letterheads=letterheads,
        texts=MailTexts(engine.database),
        entry_link=await _link_of_entry(engine),
        place_link=await _link_of_place(engine),
        observer=observer,
    ) as works:
        yield works


async def _link_of_entry(engine: Engine) -> LinkOfEntry | None:
    """Where the page of an entry of a waitlist is, with what opens it on any device; only the box
    office has such pages. Raises DatabaseUnavailable."""
    settings = engine.settings
    if not settings.box_office:
        return None
    links = await open_waitlist_links(engine.database)
    page = f"{settings.public_url.rstrip('/')}/waitlist"
    return lambda entry: f"{page}/{ids.show(ids.WAITLIST_ENTRY, entry)}#token={links.token(entry)}"


async def _link_of_place(engine: Engine) -> LinkOfPlace | None:
    """Where the page of a waiting room is, with the place behind the `#`, as the page itself gives
    it for another device. Raises DatabaseUnavailable."""
    settings = engine.settings
    if not settings.box_office:
        return None
    async with engine.database.borrow() as connection:
        tokens = QueueTokens(await signing_secret(connection, settings.signing_secret))
    page = f"{settings.public_url.rstrip('/')}/waiting"

    def link(place: PlaceInQueue) -> str:
        token = QueueToken(place.queue, place.joined_us, place.subject)
        return f"{page}/{place.room_id}#token={tokens.make(place.room_id, token)}"

    return link


def letterheads_of(engine: Engine, merchants: Merchants | None = None) -> Letterheads:
    """Who writes, as mails and documents of this installation say it."""
    settings = engine.settings
    return Letterheads(
        engine.database,
        merchants or Merchants(engine.database),
        settings.public_url if settings.box_office else None,
    )


async def open_ticket_office(engine: Engine, letterheads: Letterheads) -> TicketService:
    """The ticket office, whose documents carry the letterhead and what cancelling gives back.
    Raises DatabaseUnavailable."""

    async def steps(booking_id: str) -> Sequence[RefundStep]:
        try:
            quote = await engine.refund_quote(booking_id)
        except BookingCancelled:
            return ()
        return () if quote.rule == NOT_PAID else quote.steps

    return await open_office(engine, letterheads, steps)


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
        booking = await self._engine.get_booking(booking_id)
        resource = await self._engine.get_resource(booking.lines[0].resource_id)
        if resource.workspace != DEFAULT:
            return None  # the box office is the default workspace's
        token = await self._links.token(booking)
        there = f"{settings.public_url.rstrip('/')}/bookings/{booking_id}"
        return None if token is None else f"{there}#token={token}"

    async def refunds(self, booking_id: str, language: str | None) -> str | None:
        """What cancelling gives back."""
        return await self._office.refunds(booking_id, language=language)

    async def files(self, booking_id: str, language: str | None) -> Sequence[Attachment]:
        """The tickets to print, and the calendar file. None of a booking that was cancelled before
        it was written of."""
        try:
            tickets = await self._office.pdf(booking_id, language=language)
        except TicketCancelled:
            return []
        calendar = await self._office.calendar(booking_id, language=language)
        return [
            Attachment("tickets.pdf", "application/pdf", tickets),
            Attachment("calendar.ics", "text/calendar", calendar),
        ]
