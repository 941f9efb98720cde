"""A guest changes a stay in the browser, whole: from the booking to the calendar, in which the
nights of their own are theirs in a full house, to the difference, to the booking that takes its
place. One in several listings changes in all of them by one tap.
"""

from __future__ import annotations

import re

from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.sent_mails import mailed
from tests.browser.shop import booked, pay
from tests.browser.stays import ZONE, day_on, make_listing, make_property, make_town
from tests.browser.test_shop_stays import day, in_full, settled, show_month


async def choose(page: Page, first: str, last: str) -> None:
    """An arrival and a departure in the calendar, whichever month they are in."""
    for one in (first, last):
        await show_month(page, one)
        await day(page, in_full(one)).click()


async def book(page: Page) -> str:
    """Books the stay that the page of a listing has chosen; the id of the booking."""
    await settled(page)
    await page.get_by_role("button", name="Reserve").click()
    await page.wait_for_url("**/checkout/hold_*")
    await page.get_by_label("Email").fill("asha@example.org")
    await pay(page)
    return str((await booked(page))["id"])


def make_cabin(office: Office) -> str:
    """A listing of one room, with a rate that is not refundable; its id."""
    house = make_property(office, make_town())
    plan = {"type": "nights", "rooms": ["it"]}
    pricing = {
        "cancellation": {
            "free_until_seconds": 86_400,
            "overrides": [{"rates": ["Saver"], "refundable": False}],
        }
    }
    saver = {"name": "Saver", "basis_points": -1000}
    return make_listing(
        office, house, "The cabin", plan={**plan, "rates": [saver]}, pricing=pricing
    )


async def test_from_a_booking_to_other_dates(open_page: OpenPage, office: Office) -> None:
    cabin = make_cabin(office)
    query = f"?start={day_on(20)}&end={day_on(23)}"
    page = await open_page(f"/stays/{cabin}{query}", phone=True, timezone_id=ZONE)
    old = await book(page)
    await page.get_by_role("link", name="Change the dates").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Change your stay")
    await settled(page)
    await check_accessible(page)
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    # Its only room is taken on those nights, by this guest.
    await choose(page, day_on(21), day_on(25))
    box = page.locator(".stay-book")
    await expect(box.get_by_text("Comes back for the stay of now")).to_be_visible()
    await expect(box.locator(".stay-difference")).to_have_text(re.compile("You pay more€80.00"))
    await check_accessible(page)
    await box.get_by_role("button", name="Hold the new dates").click()
    await page.wait_for_url("**/checkout/hold_*")
    await expect(page.get_by_text("Your stay of before is yours until")).to_be_visible()
    await come_back_to_what_is_held(page, f"/stays/{cabin}/change/{old}", 19, 22)
    assert office.call("GET", f"/v1/bookings/{old}")["state"] == "confirmed"
    # The mail with the link to what takes its place goes to where the other went.
    await expect(page.get_by_text("Your contact details stay as they are")).to_be_visible()
    await pay(page)
    new = (await booked(page))["id"]
    gone = office.call("GET", f"/v1/bookings/{old}")
    assert (gone["state"], gone["reason"]) == ("cancelled", "exchanged")
    lines = office.call("GET", f"/v1/bookings/{new}")["lines"]
    assert isinstance(lines, list)
    line = lines[0]
    assert (line["from"], line["to"], line["unit"]) == (day_on(21), day_on(25), "it")
    await page.goto(f"/stays/{cabin}/change/{new}")
    await settled(page)
    await choose(page, day_on(21), day_on(25))
    await expect(box.get_by_text("This is your stay as it is.")).to_be_visible()
    await change_by_mail(await open_page(timezone_id=ZONE), office, str(new))


async def come_back_to_what_is_held(page: Page, path: str, first: int, last: int) -> None:
    """Who left the checkout of the new dates, and wants others, finds the way back to it."""
    held = page.url
    await page.goto(path)
    await settled(page)
    await choose(page, day_on(first), day_on(last))
    await page.get_by_role("button", name="Hold the new dates").click()
    await expect(page.get_by_text("You are holding other dates")).to_be_visible()
    await check_accessible(page)
    await page.get_by_role("button", name="Go to them").click()
    await expect(page).to_have_url(held)
    await expect(page.get_by_text("Your stay of before is yours until")).to_be_visible()


async def change_by_mail(page: Page, office: Office, old: str) -> None:
    """The same on another device, whose browser is nobody's: by the link of the mail."""
    await page.goto(await mailed(office, rf"/bookings/{old}#token=\S+"))
    await page.get_by_role("link", name="Change the dates").click()
    await settled(page)
    changing = page.url
    await choose(page, day_on(22), day_on(25))
    await page.get_by_role("button", name="Hold the new dates").click()
    await page.wait_for_url("**/checkout/hold_*")
    await come_back_to_what_is_held(page, changing, 20, 24)
    # A reload finds it, and the way back from the bank is such a one.
    await page.reload()
    await expect(page.get_by_text("Your stay of before is yours until")).to_be_visible()
    await pay(page)
    new = (await booked(page))["id"]
    assert office.call("GET", f"/v1/bookings/{old}")["reason"] == "exchanged"
    made = office.call("GET", f"/v1/bookings/{new}")
    assert (made["state"], made["owner"]) == (
        "confirmed",
        office.call("GET", f"/v1/bookings/{old}")["owner"],
    )
    await page.get_by_role("link", name="My bookings").first.click()
    await expect(page.get_by_text("Nothing booked yet")).to_be_visible()


async def test_what_cannot_be_returned_is_not_changed(open_page: OpenPage, office: Office) -> None:
    cabin = make_cabin(office)
    query = f"?start={day_on(40)}&end={day_on(42)}&rate=Saver"
    saved = await open_page(f"/stays/{cabin}{query}", timezone_id=ZONE)
    kept = await book(saved)
    await expect(saved.locator(".refund-terms")).to_be_visible()
    await expect(saved.get_by_role("link", name="Change the dates")).to_have_count(0)
    await saved.goto(f"/stays/{cabin}/change/{kept}")
    await settled(saved)
    await choose(saved, day_on(44), day_on(46))
    await saved.get_by_role("button", name="Hold the new dates").click()
    await expect(saved.get_by_text("By the terms of this booking")).to_be_visible()
    await check_accessible(saved)
    assert office.call("GET", f"/v1/bookings/{kept}")["state"] == "confirmed"


async def party_booked(page: Page, office: Office, hut: str) -> str:
    """A booking of the hut and of five rooms beside it, as it is proposed to eleven; its id."""
    stay = f"start={day_on(50)}&end={day_on(52)}"
    await page.goto(f"/stays/{hut}?{stay}&guests=11&ages=4")
    await page.get_by_role("button", name="Reserve these rooms").click()
    await page.wait_for_url("**/checkout/hold_*")
    await page.get_by_label("Email").fill("asha@example.org")
    await pay(page)
    return str((await booked(page))["id"])


async def test_all_rooms_of_a_stay_change_by_one_tap(open_page: OpenPage, office: Office) -> None:
    house = make_property(office, make_town())
    plan = {"type": "nights", "rooms": ["hut"]}
    hut = make_listing(office, house, "Hut", plan=plan)
    bunks = make_listing(office, house, "Bunks", price=3000, plan={"type": "nights", "count": 5})
    page = await open_page("/stays", phone=True, timezone_id=ZONE)
    old = await party_booked(page, office, hut)
    await page.get_by_role("link", name="Change the dates").click()
    await expect(page.locator(".shop-lead")).to_contain_text(re.compile("Bunks.*Hut|Hut.*Bunks"))
    await settled(page)
    await expect(page.get_by_text("All of your rooms change together")).to_be_visible()
    # All that the house has is taken on those nights, by this guest.
    await choose(page, day_on(51), day_on(54))
    box = page.locator(".stay-book")
    rooms = box.get_by_role("list", name="What each room costs").get_by_role("listitem")
    await expect(rooms).to_have_text(
        [re.compile("5 . Bunks€450.00"), re.compile("^Hut€240.00")], use_inner_text=False
    )
    await expect(box.locator(".stay-difference")).to_have_text(re.compile("You pay more€230.00"))
    await check_accessible(page)
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    # Somebody is faster, in one of them; what was asked before does not know it.
    lines = [{"resource_id": hut, "from": day_on(53), "to": day_on(54)}]
    theirs = office.call("POST", "/v1/holds", {"owner": "bela", "lines": lines}, key="sk")
    await box.get_by_role("button", name="Hold the new dates").click()
    await expect(box.get_by_text("Hut: Somebody else took these nights")).to_be_visible()
    await check_accessible(page)
    assert office.call("GET", f"/v1/bookings/{old}")["state"] == "confirmed"
    office.call("DELETE", f"/v1/holds/{theirs['id']}", key="sk")
    await box.get_by_role("button", name="Hold the new dates").click()
    await page.wait_for_url("**/checkout/hold_*")
    await expect(page.get_by_text("Your stay of before is yours until")).to_be_visible()
    await pay(page)
    new = str((await booked(page))["id"])
    assert office.call("GET", f"/v1/bookings/{old}")["reason"] == "exchanged"
    found = office.call("GET", f"/v1/bookings/{new}")["lines"]
    assert isinstance(found, list)
    assert {(one["resource_id"], one["from"], one["to"]) for one in found} == {
        (listing, day_on(51), day_on(54)) for listing in (hut, bunks)
    }
    await expect(page.locator(".shop-units")).to_contain_text("3 nights")
