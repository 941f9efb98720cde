"""A guest who stayed rates the stay on the page of the booking; the comment is on the page of the
listing until the operator hides it in the console.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from playwright.async_api import expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import log_in
from tests.browser.screens import PHONE, resize
from tests.browser.stays import make_listing, make_property, make_town


def morning_zone() -> str:
    """A zone in which it is morning, so that yesterday's night can just be had, and is over."""
    behind = min(12, datetime.now(UTC).hour - 10)
    return f"Etc/GMT{behind:+}" if behind else "Etc/GMT"


def stayed(office: Office, listing: str, zone: str, shopper: str) -> str:
    """A shopper's booking whose only night is over today; its id."""
    today = datetime.now(ZoneInfo(zone)).date()
    line = {"resource_id": listing, "from": str(today - timedelta(1)), "to": str(today)}
    hold = office.call("POST", "/v1/holds", {"lines": [line]}, "pk", bespeak_shopper=shopper)
    body = {"hold_id": hold["id"]}
    return str(office.call("POST", "/v1/bookings", body, "pk", bespeak_shopper=shopper)["id"])


async def test_a_guest_rates_the_stay_and_the_operator_hides_the_words(
    open_page: OpenPage, office: Office
) -> None:
    zone = morning_zone()
    house = make_property(office, make_town(), time_zone=zone)
    plan = {"type": "nights", "count": 2, "cutoff_hours": -24}
    listing = make_listing(office, house, "Double room", plan=plan, payment="at_venue")
    page = await open_page()
    await resize(page, PHONE)
    async with page.expect_request(lambda one: "bespeak-shopper" in one.headers) as asked:
        await page.goto("/bookings")
    shopper = (await asked.value).headers["bespeak-shopper"]
    await page.goto(f"/bookings/{stayed(office, listing, zone, shopper)}")
    form = page.get_by_role("region", name="How was your stay?")
    await form.get_by_role("button", name="Send the rating").click()
    await expect(form.get_by_role("alert")).to_have_text("Choose a number from 1 to 10.")
    await form.get_by_role("radio", name="7").check()
    await page.keyboard.press("ArrowRight")
    await form.get_by_label("In your words").fill("Quiet, and good bread.")
    await check_accessible(page)
    await form.get_by_role("button", name="Send the rating").click()
    await expect(form.get_by_text("You gave it 8 out of 10.")).to_be_visible()
    await form.get_by_role("button", name="Change it").click()
    await form.get_by_role("radio", name="9", exact=True).check()
    await form.get_by_role("button", name="Send the rating").click()
    await expect(form.get_by_text("You gave it 9 out of 10.")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    said = page.get_by_text("Quiet, and good bread.")
    await page.goto(f"/stays/{listing}")
    await expect(page.get_by_text("Rated 9.0 out of 10 by guests,")).to_be_attached()
    await expect(said).to_be_visible()
    await check_accessible(page)
    await log_in(page, office, f"/console/stays/{house}")
    panel = page.locator("section", has=page.get_by_role("heading", name="What guests wrote"))
    await panel.get_by_role("button", name="Hide").click()
    await expect(panel.get_by_text("hidden", exact=True)).to_be_visible()
    await check_accessible(page)
    await page.goto(f"/stays/{listing}")
    await expect(page.get_by_text("Rated 9.0 out of 10 by guests,")).to_be_attached()
    await expect(said).to_have_count(0)
