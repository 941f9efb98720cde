"""Invoices and reports in real pages: issued and opened at the console, asked for by a buyer, and
the report of a day picked and read.
"""

import re

from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import fresh_show, log_in
from tests.browser.test_console_operator import choose


async def test_an_invoice_is_issued_and_the_day_is_reported(
    open_page: OpenPage, office: Office
) -> None:
    show = fresh_show(office)
    page = await open_page()
    await log_in(page, office, f"/console/shows/{show}")
    await choose(page, "A3", "A4")
    await page.get_by_role("button", name="Sell 2 places").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Cash").check()
    await dialog.get_by_role("button", name="Money taken, book it").click()
    await page.wait_for_url("**/console/bookings/bkg_*")
    await expect(page.get_by_text("No invoice yet.")).to_be_visible()
    await page.get_by_role("button", name="Issue the invoice").click()
    link = page.get_by_role("link", name="PDF of")
    await expect(link).to_be_visible()
    await expect(page.get_by_text("Invoice", exact=False).first).to_be_visible()
    path = await link.get_attribute("href")
    assert path is not None
    assert path.endswith("/document.pdf")
    await check_accessible(page)

    await page.goto("/console/reports")
    await expect(page.get_by_role("heading", name="Sold", exact=True)).to_be_visible()
    await expect(page.get_by_role("region", name="Sold", exact=True)).to_contain_text("Desk")
    await check_accessible(page)
    await page.get_by_role("button", name="Issue what is outstanding").click()
    await expect(page.get_by_text("Issued for").first).to_be_visible()
    await expect(page.get_by_role("alert")).to_have_count(0)
    papers = page.locator("section", has=page.get_by_role("heading", name="Invoices"))
    file = await papers.get_by_role("link", name="CSV").get_attribute("href")
    listed = await (await page.request.get(str(file))).text()
    assert len(listed.splitlines()) > 1
    await page.get_by_role("button", name="The day before").click()
    await page.wait_for_url("**/console/reports?day=*")
    await page.get_by_role("button", name="The day after").click()
    await expect(page.get_by_role("button", name="The day after")).to_be_disabled()
    await see_several_days(page)

    phone = await open_page(phone=True)
    await log_in(phone, office, "/console/reports")
    await expect(phone.get_by_role("heading", name="Sold", exact=True)).to_be_visible()
    await check_accessible(phone)
    assert await phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def see_several_days(page: Page) -> None:
    """From the report of a day to the sums of several."""
    await page.get_by_role("link", name="Several days").click()
    for table in ("Sold", "Money", "By day"):
        shown = page.get_by_role("region", name=table, exact=True)
        await expect(shown).to_contain_text("Desk")
    await check_accessible(page)
    file = await page.get_by_role("link", name="CSV").get_attribute("href")
    listed = await (await page.request.get(str(file))).text()
    assert "\r\nday,20" in listed
    first, last = (page.get_by_label(name, exact=True) for name in ("From", "To"))
    await last.fill("2020-01-01")
    await expect(page.get_by_text("Days at most: 366")).to_be_visible()
    await first.fill("2019-12-31")
    await expect(page.get_by_text("On these days nothing was paid")).to_be_visible()
    await page.get_by_role("button", name="Last year").click()
    await expect(first).to_have_value(re.compile(r"^20\d\d-01-01$"))
    await expect(last).to_have_value(re.compile(r"^20\d\d-12-31$"))


async def test_a_place_is_given_for_nothing(open_page: OpenPage, office: Office) -> None:
    show = fresh_show(office)
    page = await open_page()
    await log_in(page, office, f"/console/shows/{show}")
    await choose(page, "A5")
    await page.get_by_role("button", name="Sell 1 place").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("For nothing").check()
    await dialog.get_by_label("Why").select_option("press")
    await dialog.get_by_label("Open the tickets to print").uncheck()
    await check_accessible(page)
    await dialog.get_by_role("button", name="Given for nothing, book it").click()
    await page.wait_for_url("**/console/bookings/bkg_*")
    booking = page.url.rpartition("/")[2]
    assert office.call("GET", f"/v1/bookings/{booking}")["amount"] == {
        "amount": 0,
        "currency": "EUR",
    }
    await page.goto("/console/reports")
    await expect(page.get_by_role("region", name="Given for nothing", exact=True)).to_contain_text(
        "Press"
    )
