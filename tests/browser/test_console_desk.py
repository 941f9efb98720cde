"""The desk at the console: seats are sold for cash, the money goes back by hand, and the drawer can
be counted.
"""

from playwright.async_api import expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import fresh_show, log_in
from tests.browser.test_console_operator import choose


async def test_seats_are_sold_for_cash_and_given_back_by_hand(
    open_page: OpenPage, office: Office
) -> None:
    show = fresh_show(office)
    page = await open_page()
    await log_in(page, office, f"/console/shows/{show}")
    await choose(page, "A3", "A4")
    await page.get_by_role("button", name="Sell 2 places").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_text("€22.00")).to_be_visible()
    await check_accessible(page)
    await dialog.get_by_label("Cash").check()
    await dialog.get_by_role("button", name="Money taken, book it").click()
    await page.wait_for_url("**/console/bookings/bkg_*")
    await expect(page.get_by_text("Payment (desk)")).to_be_visible()
    booking = page.url.rpartition("/")[2]
    code = str(office.call("GET", f"/v1/bookings/{booking}")["code"])
    await expect(page.get_by_text(code).first).to_be_visible()

    phone = await open_page(phone=True)
    await log_in(phone, office, "/console/work")
    await expect(phone.get_by_text("Taken today")).to_be_visible()
    await expect(phone.get_by_text("Cash").first).to_be_visible()
    office.call("DELETE", f"/v1/bookings/{booking}", {"reason": "ill", "refund": "full"})
    await phone.reload()
    waiting = phone.get_by_role("listitem").filter(has=phone.locator(f"a[href$='{booking}']"))
    await expect(waiting).to_contain_text("€22.00")
    await check_accessible(phone)
    await waiting.get_by_role("button", name="Handed over").click()
    await expect(waiting).to_have_count(0)
    await page.reload()
    await expect(page.get_by_text("Refunded").first).to_be_visible()
