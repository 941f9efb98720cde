"""The waiting room in a browser without JavaScript: the visitor is led to the page that needs none,
joins with a code, and is told that it is their turn."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Error, Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import fresh_show
from tests.browser.test_invitation_codes import QUEUES, room_with_codes
from tests.browser.test_waiting_rooms import TOO_WIDE, make_room, steer
from tests.browser.until import until

WITH_CODE = {
    "en-GB": "Join with this code",
    "de-DE": "Mit diesem Code anstellen",
    "ar-EG": "الانضمام بهذا الرمز",
}
WRONG = {
    "en-GB": "Check the code: a letter is wrong or missing.",
    "de-DE": "Bitte prüfen Sie den Code: Ein Zeichen ist falsch oder fehlt.",
    "ar-EG": "تحقق من الرمز: حرف خاطئ أو ناقص.",
}


async def fits(page: Page, checker: Page) -> None:
    """Nothing sticks out, and what it says is accessible: looked at by a page that has JavaScript,
    without the refresh. It is a part of waiting, and stands still where somebody types."""
    said = ""

    async def is_read() -> bool:
        nonlocal said
        try:
            assert await page.evaluate(TOO_WIDE) <= 0
            said = await page.content()
        except Error:  # it was moving on, by its refresh
            return False
        return True

    await until(is_read, "the page stands still for a moment")
    await checker.set_content(re.sub('<meta http-equiv="refresh"[^>]*>', "", said))
    await check_accessible(checker)


@pytest.mark.parametrize("phone", [False, True])
@pytest.mark.parametrize("locale", WITH_CODE)
async def test_a_visitor_without_javascript_joins_with_a_code(
    open_page: OpenPage, office: Office, locale: str, *, phone: bool
) -> None:
    room, (code, *_) = room_with_codes(office)
    page = await open_page(
        f"/waiting/{room}?queue=club", phone=phone, java_script_enabled=False, locale=locale
    )
    checker = await open_page(phone=phone)
    await page.wait_for_url(f"**/waiting/{room}/plain?queue=club")
    await fits(page, checker)
    field = page.locator("#code")
    await field.fill("04003K 7M9P2Q")
    await page.get_by_role("button", name=WITH_CODE[locale]).click()
    await expect(page.get_by_role("alert")).to_have_text(WRONG[locale])
    await expect(field).to_have_value("04003K 7M9P2Q")
    await fits(page, checker)
    await field.fill(code.lower())
    await field.press("Enter")
    await page.wait_for_url(f"**/waiting/{room}/plain?lang={locale[:2]}")
    await expect(field).to_have_count(0)
    assert office.call("GET", f"/v1/waiting-rooms/{room}/invite-batches/1")["used"] == 1
    await fits(page, checker)


async def test_the_page_moves_on_by_refresh_and_leads_to_the_tickets(
    open_page: OpenPage, office: Office
) -> None:
    show = fresh_show(office)
    room = make_room(office, show, queues=QUEUES, grace_seconds=80)
    page = await open_page(f"/waiting/{room}", java_script_enabled=False)
    checker = await open_page()
    await page.get_by_role("button", name="Join the queue").click()
    await expect(page.get_by_role("heading", name="You are in")).to_be_visible()
    steer(office, room, state="open")
    # Nobody presses anything: the page looks again by itself.
    await expect(page.get_by_role("heading", name="It is your turn!")).to_be_visible()
    await fits(page, checker)
    there = await page.get_by_role("link", name="Go to the tickets").get_attribute("href")
    # With JavaScript, here on another device, the place is the same one.
    other = await open_page(f"/waiting/{room}/{there}")
    await other.get_by_role("button", name="Go to the tickets").click()
    await other.wait_for_url(f"**/shows/{show}")


async def test_who_has_javascript_stays(open_page: OpenPage, office: Office) -> None:
    room = make_room(office, fresh_show(office))
    page = await open_page(f"/waiting/{room}")
    await expect(page.get_by_role("button", name="Join the queue")).to_be_visible()
    assert page.url.endswith(f"/waiting/{room}")
