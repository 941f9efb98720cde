"""Waiting for something better in the browser, whole: from the booking to the list, to the offer,
to the booking that takes the place of the first; and what the console says of it.
"""

from __future__ import annotations

from playwright.async_api import expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import log_in
from tests.browser.shop import booked, hold, make_show, pay

SMALL = {"type": "seats", "sections": [{"name": "Stalls", "rows": [{"name": "A", "seats": 2}]}]}


async def test_from_a_booking_to_a_better_one(open_page: OpenPage, office: Office) -> None:
    show = make_show(office, plan=SMALL)
    page = await open_page(f"/shows/{show}", phone=True)
    await hold(page, show, "A2")
    await pay(page)
    old = await booked(page)
    better = page.get_by_role("link", name="Wait for something better")
    await expect(better).to_have_count(0)
    lines = [{"resource_id": show, "unit": "A1"}]
    held = office.call("POST", "/v1/holds", {"owner": "first", "lines": lines})
    paid = {"hold_id": held["id"], "payment_token": "tok_success"}
    other = office.call("POST", "/v1/bookings", paid)
    waitlist = office.call("POST", "/v1/waitlists", {"resource_ids": [show], "exchange": "free"})
    await page.goto(f"/bookings/{old['id']}")
    await better.click()
    form = page.locator(".waitlist-join")
    await expect(form.get_by_text("Your booking stays yours until")).to_be_visible()
    await check_accessible(page)
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    await form.get_by_label("How many").select_option("1")
    await form.get_by_label("E-mail").fill("asha@example.org")
    await form.get_by_role("button", name="Join the waitlist").click()
    await page.wait_for_url("**/waitlist/wle_*")
    await expect(page.get_by_text("Your booking stays yours while you wait.")).to_be_visible()
    console = await open_page()
    await log_in(console, office, f"/console/waitlists/{waitlist['id']}")
    await expect(console.get_by_text("Taken, with all of their money")).to_be_visible()
    await expect(console.get_by_role("link", name="Gives a booking back for it")).to_be_visible()
    office.call("DELETE", f"/v1/bookings/{other['id']}?reason=ill")
    await expect(page.get_by_role("heading", name="It is your turn")).to_be_visible()
    await expect(page.get_by_text("your other booking is cancelled")).to_be_visible()
    await check_accessible(page)
    await page.get_by_role("button", name="Accept and continue").click()
    await page.wait_for_url("**/checkout/hold_*")
    assert office.call("GET", f"/v1/bookings/{old['id']}")["state"] == "confirmed"
    await pay(page)
    new = await booked(page)
    assert new["id"] != old["id"]
    assert office.call("GET", f"/v1/bookings/{new['id']}")["state"] == "confirmed"
    gone = office.call("GET", f"/v1/bookings/{old['id']}")
    assert (gone["state"], gone["reason"]) == ("cancelled", "exchanged")
