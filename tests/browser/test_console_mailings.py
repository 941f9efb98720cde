"""A merchant writes to all who booked: typed, seen, sent, and seen to be on its way."""

from __future__ import annotations

import asyncio
from email.message import EmailMessage

from playwright.async_api import expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import PATIENCE_MS, OpenPage
from tests.browser.office import Office
from tests.browser.operating import buy, fresh_show, log_in
from tests.browser.sent_mails import sent

SUBJECT = "Doors of {title}"


def received(office: Office, show: str) -> list[EmailMessage]:
    """The mails of the mailing that have left for the buyers of a show."""
    subject = SUBJECT.replace("{title}", show)
    return [one for one in sent(office) if str(one["Subject"]) == subject]


async def test_all_who_booked_are_written_to(open_page: OpenPage, office: Office) -> None:
    show = fresh_show(office)
    name = str(office.call("GET", f"/v1/resources/{show}")["name"])
    for unit in ("A1", "A2"):
        buy(office, show, [unit])
    page = await open_page()
    await log_in(page, office, f"/console/shows/{show}")
    panel = page.locator("section", has=page.get_by_role("heading", name="Write to all who booked"))
    await panel.get_by_role("button", name="Write").click()
    await expect(panel.get_by_role("button", name="See how it looks")).to_be_disabled()
    await panel.get_by_label("Subject").fill(SUBJECT)
    await panel.get_by_label("Text").fill("They open <early>.")
    await panel.get_by_role("button", name="In another language, too").click()
    await panel.get_by_label("Subject").nth(1).fill("Einlass")
    await panel.get_by_label("Text").nth(1).fill("{name}, Einlass ist früher.")
    await panel.get_by_role("button", name="See how it looks").click()
    frame = panel.frame_locator("iframe.mails-frame")
    await expect(frame.get_by_text("They open <early>.")).to_be_visible()
    await panel.get_by_role("button", name="Deutsch").click()
    await expect(frame.get_by_text("Alex Schmidt, Einlass ist früher.")).to_be_visible()
    await check_accessible(page)
    await panel.get_by_role("button", name="Send to 2 bookings").click()
    dialog = page.get_by_role("dialog", name="Send it now?")
    await dialog.get_by_role("button", name="Send to 2 bookings").click()
    await expect(panel.get_by_text("2 mails sent")).to_be_visible()
    await expect(panel.get_by_text("written to all")).to_be_visible()
    await expect(panel.get_by_role("button", name="Stop")).to_have_count(0)
    await check_accessible(page)
    for _ in range(PATIENCE_MS // 100):
        mails = await asyncio.to_thread(received, office, name)
        if len(mails) == 2:
            break
        await asyncio.sleep(0.1)
    assert len({str(one["To"]) for one in mails}) == 2


async def test_it_fits_a_phone(open_page: OpenPage, office: Office) -> None:
    show = fresh_show(office)
    page = await open_page(phone=True)
    await log_in(page, office, f"/console/shows/{show}")
    await page.get_by_role("button", name="Write", exact=True).click()
    await page.get_by_label("Subject").fill("x" * 120)
    await page.get_by_label("Text", exact=True).fill("Nobody has booked this.")
    await page.get_by_role("button", name="See how it looks").click()
    await expect(page.get_by_text("Nobody has booked yet and given an address.")).to_be_visible()
    await check_accessible(page)
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
