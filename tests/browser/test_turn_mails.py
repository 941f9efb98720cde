"""Who waits leaves an address on the page, takes it back, and comes in by the mail on another
device."""

from __future__ import annotations

import re

from playwright.async_api import expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import fresh_show
from tests.browser.sent_mails import mailed
from tests.browser.test_waiting_rooms import TOO_WIDE, led_from, make_room, stage, steer

OPENS = "Write to me when it is nearly my turn"


async def test_an_address_is_left_taken_back_and_the_mail_leads_to_the_place_on_any_device(
    open_page: OpenPage, office: Office
) -> None:
    show = fresh_show(office)
    room = make_room(office, show)
    page = await open_page(phone=True)
    await led_from(page, show, room)
    await page.get_by_text(OPENS).click()
    field = page.get_by_label("Your e-mail address")
    await field.fill("ada")
    await page.get_by_role("button", name="Write to me", exact=True).click()
    await expect(field).to_have_attribute("aria-invalid", "true")
    await check_accessible(page)
    assert await page.evaluate(TOO_WIDE) == 0
    await field.fill(f"{room}@example.com")
    await page.get_by_role("button", name="Write to me", exact=True).click()
    told = page.get_by_text("We write to you once, when your turn comes near.")
    await expect(told).to_be_visible()
    await page.get_by_role("button", name="No mail").click()
    await expect(field).to_be_visible()
    await field.fill(f"{room}@example.com")
    await page.get_by_role("button", name="Write to me", exact=True).click()
    await expect(told).to_be_visible()
    await check_accessible(page)
    await page.reload()
    await page.get_by_text(OPENS).click()
    await expect(told).to_be_visible()
    steer(office, room, state="open")
    link = await mailed(office, rf"http\S+/waiting/{room}#token=\S+")
    other = await open_page(link[link.index("/waiting/") :])
    await stage(other, "It is your turn!")
    await expect(other).not_to_have_url(re.compile("#"))
    await other.get_by_role("button", name="Go to the tickets").click()
    await other.wait_for_url(f"**/shows/{show}*")
