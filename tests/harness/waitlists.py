"""Waitlists as tests of them set them up: who waits, what comes back, what is offered."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import bespeak
from bespeak import Resource, Row, Section
from bespeak.inventory.shapes.legs.plan import LegsPlan, Stop
from bespeak.inventory.shapes.times.plan import Provider, TimesPlan
from bespeak.inventory.timeline.hours import WeeklyHours
from bespeak.notifications.mail.outbox import MailOutbox
from bespeak.notifications.mail.sender import OutboxFolder
from bespeak.notifications.mail.shops_parts import ShopsParts
from bespeak.notifications.mail.waitlists import WaitlistMailer
from bespeak.notifications.mail.ways import OneWay
from bespeak.notifications.mail.writing import parse_sender
from bespeak.notifications.observer import NotificationObserver
from bespeak.waitlists.entry import NewWaitlistEntry, WaitlistEntry
from bespeak.waitlists.matcher import WaitlistMatcher
from bespeak.waitlists.waitlist import NewWaitlist, Waitlist
from bespeak.waitlists.wish import Seating, WaitlistWish, WantedPlace
from tests.harness.clock import START

EVENINGS = TimesPlan(
    slot_minutes=60,
    weekly=(WeeklyHours("18:00", "22:00"),),
    providers=(Provider("Window"), Provider("Corner")),
    consecutive_max=4,
)
STOPS = tuple(
    Stop(code, departs=START + timedelta(days=1, hours=number))
    for number, code in enumerate("ABCD")
)
TRAIN = LegsPlan(stops=STOPS, sections=(Section("1", (Row("1", 2, category="Second"),)),))


def at(hour: int) -> str:
    """An hour of the next evening."""
    return datetime(2030, 1, 2, hour, tzinfo=UTC).isoformat()


async def listed(engine: bespeak.Engine, *shows: Resource, **settings: object) -> Waitlist:
    """A waitlist of these resources."""
    ids = tuple(show.id for show in shows)
    return await engine.waitlists.create(NewWaitlist(resource_ids=ids, **settings))  # type: ignore[arg-type]


async def join(
    engine: bespeak.Engine,
    waitlist: Waitlist,
    owner: str,
    party: int = 1,
    seating: Seating = "together",
    **more: object,
) -> WaitlistEntry:
    """Joins for all resources of the list."""
    places = tuple(WantedPlace(one) for one in waitlist.resource_ids)
    asked: dict[str, object] = {"party": party, "places": places, "seating": seating}
    for name in ("places", "categories", "price_max"):
        if name in more:
            asked[name] = more.pop(name)
    wish = WaitlistWish(**asked)  # type: ignore[arg-type]
    new = NewWaitlistEntry(wish=wish, **more)  # type: ignore[arg-type]
    return await engine.waitlists.join(waitlist.id, new, owner=owner)


async def match(engine: bespeak.Engine) -> None:
    """Has all that is due done, until nothing more changes."""
    matcher = WaitlistMatcher(engine)
    for _ in range(3):
        await matcher.look()


async def cancel(engine: bespeak.Engine, *bookings: bespeak.Booking) -> None:
    for booking in bookings:
        await engine.cancel_booking(booking.id, reason="ill")


async def entry_of(engine: bespeak.Engine, entry: WaitlistEntry) -> WaitlistEntry:
    return await engine.waitlists.get_entry(entry.id)


async def units(engine: bespeak.Engine, entry: WaitlistEntry) -> list[str]:
    """What an entry is offered."""
    found = await entry_of(engine, entry)
    assert found.offer is not None
    hold = await engine.get_hold(found.offer.hold_id, owner=found.owner)
    return sorted(str(line.unit) for line in hold.lines)


async def mailed(
    engine: bespeak.Engine, folder: Path, parts: ShopsParts | None = None
) -> list[tuple[str, str]]:
    """Sends what is due: to whom, and by what subject."""
    before = {mail.id for mail in MailOutbox(folder).page(None, 50).items}
    await WaitlistMailer(
        engine.database.pool,
        OneWay(OutboxFolder(folder), parse_sender("Box office <box@office.example>")),
        lambda entry: f"https://shop.example/waitlist/{entry}#token=x",
        parts or ShopsParts(),
        observer=NotificationObserver(),
    ).look()
    found = MailOutbox(folder).page(None, 50).items
    return sorted((mail.to, mail.subject) for mail in found if mail.id not in before)


def bodies(folder: Path) -> str:
    """The texts of all mails that left."""
    outbox = MailOutbox(folder)
    return " ".join(outbox.open(mail.id).text for mail in outbox.page(None, 50).items)
