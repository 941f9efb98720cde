"""Mails, tickets and calendar files are the merchant's: their name, their address, their logo, and
what cancelling gives back by the booking's own terms.
"""

from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

import bespeak
from bespeak import Resource, ids
from bespeak.announcements import announcements, letterheads_of, open_ticket_office
from bespeak.inventory import resources, workspaces
from bespeak.inventory.resources import Price
from bespeak.merchants.letterheads import EMPTY
from bespeak.merchants.logos import draw_logo
from bespeak.merchants.merchants import Merchants
from bespeak.merchants.profile import ChangeMerchant, LegalText
from bespeak.notifications.mail.outbox import MailOutbox, OpenedMail
from bespeak.notifications.mail.texts import MailText, MailTexts
from tests.harness.database import Connection, feed_settled
from tests.harness.paying import PRICE, paying_engine
from tests.harness.refunding import STARTS, TIERS, paid_booking
from tests.harness.shows import book, new_show, seats
from tests.unit.test_logos import picture

engine = paying_engine
LANTERN = ChangeMerchant(
    name="Lantern Hall",
    email="desk@lantern.example",
    address="Am Ufer 3\n10999 Berlin",
    imprint=LegalText(url="https://lantern.example/imprint"),
    terms=LegalText(texts={"en": "# Terms"}),
)


@pytest.fixture
async def acme_show(engine: bespeak.Engine, connection: Connection) -> Resource:
    """A show of 15.00 in a workspace of its own, whose merchant has a profile and a logo."""
    await workspaces.create(connection, "acme")
    merchants = Merchants(engine.database)
    await merchants.change("acme", LANTERN)
    await merchants.set_logo("acme", await draw_logo(picture()))
    new = new_show(
        payment="required",
        price=Price(PRICE, "EUR"),
        starts_at=STARTS,
        pricing=bespeak.Pricing(cancellation=TIERS),
    )
    return await resources.create(connection, new, workspace="acme")


async def write_to(connection: Connection, booking: bespeak.Booking) -> None:
    """Says who is written to about a booking."""
    await connection.execute(
        "update bespeak.booking set contact = $2 where booking_id = $1",
        ids.parse(ids.BOOKING, booking.id),
        msgspec.json.encode({"email": "asha@example.org", "locale": "en"}).decode(),
    )


async def sent(
    engine: bespeak.Engine, connection: Connection, folder: Path
) -> tuple[OpenedMail, str]:
    """The mail that goes out, with its HTML."""
    outbox = await written(engine, connection, folder)
    (item,) = outbox.page(None, 10).items
    return outbox.open(item.id), outbox.html(item.id)


async def written(engine: bespeak.Engine, connection: Connection, folder: Path) -> MailOutbox:
    """The outbox, once all mails that are due are written."""
    await feed_settled(connection)
    async with announcements(engine, folder, None) as works:
        for work in (one for one in works if one.name in ("announcer", "postman")):
            while not await work.look():
                pass
    return MailOutbox(folder / "outbox")


async def test_a_mail_is_of_the_merchant_of_its_workspace(
    engine: bespeak.Engine, connection: Connection, acme_show: Resource, tmp_path: Path
) -> None:
    booking = await paid_booking(engine, seats(acme_show, "A1"))
    await write_to(connection, booking)
    mail, html = await sent(engine, connection, tmp_path)
    assert mail.sender == "Lantern Hall <bookings@localhost>"
    foot = ["Lantern Hall", "Am Ufer 3", "10999 Berlin", "desk@lantern.example"]
    assert "\n".join(foot) in mail.text.replace("\r\n", "\n")
    assert "Imprint: https://lantern.example/imprint" in mail.text
    # The pages of the box office are the default workspace's: none of theirs is there to link to.
    assert "/legal/" not in mail.text
    assert '<img src="data:image/png;base64,' in html and "cid:" not in html
    assert [one.name for one in mail.attachments] == ["tickets.pdf", "calendar.ics"]


async def test_who_cancelled_before_the_mail_was_written_gets_it_without_tickets(
    engine: bespeak.Engine, connection: Connection, acme_show: Resource, tmp_path: Path
) -> None:
    booking = await paid_booking(engine, seats(acme_show, "A1"))
    await write_to(connection, booking)
    await engine.cancel_booking(booking.id, reason="ill")
    outbox = await written(engine, connection, tmp_path)
    mails = [outbox.open(one.id) for one in outbox.page(None, 10).items]
    (confirmed,) = [one for one in mails if "is confirmed" in one.subject]
    assert list(confirmed.attachments) == []


async def test_the_booking_says_what_cancelling_gives_back(
    engine: bespeak.Engine, connection: Connection, acme_show: Resource, tmp_path: Path
) -> None:
    """By the terms that were frozen with it: another policy later changes no word."""
    booking = await paid_booking(engine, seats(acme_show, "A1"))
    await write_to(connection, booking)
    await engine.update_resource(acme_show.id, bespeak.ResourceChange(pricing=bespeak.Pricing()))
    mail, _ = await sent(engine, connection, tmp_path)
    text = mail.text.replace("\xa0", " ").replace("\u202f", " ")
    assert "If you cancel: Full refund until " in text
    assert "; €7.50 back until " in text and "; then no refund" in text
    for days in (7, 1):
        until = STARTS - timedelta(days=days)
        assert f"{until:%b} {until.day}, {until.year}" in text
    office = await open_ticket_office(engine, letterheads_of(engine))
    told = await office.refunds(booking.id, language="de")
    assert told is not None and told.endswith("; danach keine Erstattung")
    calendar = (await office.calendar(booking.id)).decode().replace("\r\n ", "")
    assert 'ORGANIZER;CN="Lantern Hall":mailto:desk@lantern.example' in calendar
    assert "If you cancel: Full refund until" in calendar
    await engine.cancel_booking(booking.id, reason="ill")
    assert await office.refunds(booking.id) is None


async def test_the_mail_says_what_the_merchant_wrote(
    engine: bespeak.Engine, connection: Connection, acme_show: Resource, tmp_path: Path
) -> None:
    """In the language of the mail, and of its own workspace only."""
    texts = MailTexts(engine.database)
    for workspace in (None, "acme"):
        for language in ("en", "de"):
            own = MailText(subject=f"{workspace} {language}: {{title}}", closing="{booking_code}!")
            await texts.set(workspace, "booking_confirmed", language, own)
    booking = await paid_booking(engine, seats(acme_show, "A1"))
    await write_to(connection, booking)
    mail, _ = await sent(engine, connection, tmp_path)
    assert mail.subject == "acme en: Show"
    assert f"{booking.code}!" in mail.text


async def test_without_a_profile_and_a_payment_all_is_as_before(
    engine: bespeak.Engine, connection: Connection, acme_show: Resource, tmp_path: Path
) -> None:
    """What one workspace says is nothing of another's."""
    show = await resources.create(connection, new_show())
    booking = await book(engine, seats(show, "A1"))
    await write_to(connection, booking)
    mail, html = await sent(engine, connection, tmp_path)
    assert mail.sender == "Bespeak <bookings@localhost>"
    assert "If you cancel" not in mail.text and "<img" not in html
    assert "Please do not reply" in mail.text


async def test_legal_texts_of_the_default_workspace_have_pages_of_the_box_office(
    engine: bespeak.Engine,
) -> None:
    letterheads = letterheads_of(engine)
    assert await letterheads.of(None) == EMPTY
    await Merchants(engine.database).change(None, LANTERN)
    found = await letterheads_of(engine).of("default")
    assert found.terms == f"{engine.settings.public_url}/legal/terms"
    assert found.imprint == "https://lantern.example/imprint"
    assert found.reach == ("Am Ufer 3, 10999 Berlin", "desk@lantern.example")
