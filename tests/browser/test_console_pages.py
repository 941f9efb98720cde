"""Every page of the console: found accessible, as wide as the window, in the dark, on a phone, in
every language, and by keyboard alone.
"""

import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import buy, fresh_show, log_in

PAGES = {
    "/console": "Today at a glance",
    "/console/shows": "Shows",
    "/console/bookings": "Bookings",
    "/console/work": "Work",
    "/console/advice": "Hold times",
    "/console/import": "Import",
    "/console/keys": "Keys",
    "/console/nowhere": "",
}
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def settled(page: Page) -> None:
    """Waits until what is on its way has come."""
    await expect(page.get_by_role("main")).to_be_visible()
    await expect(page.locator(".skeleton")).to_have_count(0)


@pytest.mark.parametrize("look", ["desktop", "phone"])
async def test_pages_are_accessible(open_page: OpenPage, office: Office, look: str) -> None:
    scheme = "dark" if look == "phone" else "light"
    page = await open_page(phone=look == "phone", color_scheme=scheme)
    # Where there is none, the list of calendars is no table, which is a landmark.
    office.call("POST", f"/v1/resources/{fresh_show(office)}/calendar-links", {"name": look})
    await log_in(page, office)
    for path, title in PAGES.items():
        await page.goto(path)
        await settled(page)
        if title:
            await expect(page.get_by_role("heading", level=1)).to_have_text(title)
            await expect(page).to_have_title(f"{title} · Console")
        await check_accessible(page)
        assert await page.evaluate(TOO_WIDE) <= 0, path


async def test_one_long_word_does_not_widen_the_page(open_page: OpenPage, office: Office) -> None:
    booking = buy(office, fresh_show(office), ["A1"], owner="w" * 60)
    page = await open_page(phone=True)
    await log_in(page, office)
    for path in ("/console/bookings", f"/console/bookings/{booking}"):
        await page.goto(path)
        await settled(page)
        await expect(page.get_by_text("w" * 60).first).to_be_visible()
        assert await page.evaluate(TOO_WIDE) <= 0, path


@pytest.mark.parametrize("look", ["desktop", "phone"])
async def test_a_show_and_a_booking_are_accessible(
    open_page: OpenPage, office: Office, look: str
) -> None:
    show = fresh_show(office)
    booking = buy(office, show, ["A1", "A2"])
    page = await open_page(phone=look == "phone", color_scheme="dark")
    await log_in(page, office, f"/console/shows/{show}")
    await settled(page)
    await expect(page.get_by_text("Live", exact=True)).to_be_visible()
    await check_accessible(page)
    assert await page.evaluate(TOO_WIDE) <= 0
    await page.goto(f"/console/bookings/{booking}")
    await settled(page)
    await expect(page.get_by_text("Places held")).to_be_visible()
    await check_accessible(page)
    assert await page.evaluate(TOO_WIDE) <= 0


@pytest.mark.parametrize(("language", "title"), [("de", "Buchungen"), ("ar", "الحجوزات")])
async def test_the_console_speaks_other_languages(
    open_page: OpenPage, office: Office, language: str, title: str
) -> None:
    page = await open_page()
    await log_in(page, office, "/console/bookings")
    await page.get_by_label("Language").first.select_option(language)
    await expect(page.get_by_role("heading", level=1)).to_have_text(title)
    direction = "rtl" if language == "ar" else "ltr"
    await expect(page.locator("html")).to_have_attribute("dir", direction)
    await settled(page)
    await check_accessible(page)
    assert await page.evaluate(TOO_WIDE) <= 0


async def test_the_ways_around_work_by_keyboard(page: Page, office: Office) -> None:
    await log_in(page, office)
    await page.reload()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Today at a glance")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("#content")).to_be_focused()
    await page.get_by_role("link", name="Bookings", exact=True).focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Bookings")
    current = page.get_by_role("navigation").get_by_role("link", name="Bookings", exact=True)
    await expect(current).to_have_attribute("aria-current", "page")


async def test_a_phone_reaches_everything_from_its_foot(
    open_page: OpenPage, office: Office
) -> None:
    page = await open_page(phone=True)
    await log_in(page, office)
    await page.get_by_role("button", name="More", exact=True).click()
    dialog = page.get_by_role("dialog", name="More")
    await check_accessible(page)
    await dialog.get_by_role("link", name="Keys").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Keys")
    await expect(dialog).to_be_hidden()


async def test_the_figures_are_there_and_nothing_is_sold_twice(page: Page, office: Office) -> None:
    show = fresh_show(office)
    buy(office, show, ["B1", "B2", "B3"])
    await log_in(page, office)
    # A crowd that another test let loose has a verdict of its own, in the same words.
    await expect(page.get_by_text(re.compile("0 ?seats sold twice")).first).to_be_visible()
    sold = page.get_by_role("definition").first
    for period in ("Last hour", "24 hours", "7 days"):
        await page.get_by_role("tab", name=period).click()
        await expect(page.get_by_role("tab", name=period)).to_have_attribute(
            "aria-selected", "true"
        )
        await expect(sold).to_contain_text(re.compile(r"[1-9]"))
        await expect(
            page.get_by_role("img", name=re.compile("Chart over the period"))
        ).to_be_visible()
    await page.get_by_role("tab", name="Revenue").click()
    await expect(page.get_by_role("img", name=re.compile("revenue of"))).to_be_visible()


async def test_a_calendar_link_is_seen_and_revoked(open_page: OpenPage, office: Office) -> None:
    show = str(office.shows[0]["id"])
    name = f"Phone {show}"
    made = office.call("POST", f"/v1/resources/{show}/calendar-links", {"name": name})
    page = await open_page()
    await log_in(page, office, "/console/keys")
    row = page.get_by_role("row").filter(has_text=name)
    await expect(row).to_contain_text("Never")
    await row.get_by_role("button", name="Revoke").click()
    await check_accessible(page)
    await page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    await expect(row).to_have_count(0)
    refused = await page.request.get(f"{office.url}{made['path']}")
    assert refused.status == 401
