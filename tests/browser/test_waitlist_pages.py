"""What one reads on the pages of waitlists: of what has no seats, of what can never come, of what
is not there any more, of dates at the console; and that nothing typed is lost.
"""

from __future__ import annotations

from playwright.async_api import expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import log_in
from tests.browser.shop import make_show
from tests.browser.stays import day_on, make_listing, make_property, make_town

LESSON = {"type": "times", "slot_minutes": 60, "weekly": [{"from": "18:00", "to": "20:00"}]}


async def test_a_page_without_seats_says_what_one_can_do(
    open_page: OpenPage, office: Office
) -> None:
    lesson = make_show(office, plan=LESSON)
    page = await open_page(f"/shows/{lesson}", phone=True)
    await expect(page.get_by_text("Ask the organiser where it is sold")).to_be_visible()
    await expect(page.locator(".waitlist-join")).to_have_count(0)
    office.call("POST", "/v1/waitlists", {"resource_ids": [lesson]})
    await page.reload()
    await expect(page.get_by_text("you can join the waitlist here")).to_be_visible()
    await expect(page.locator(".waitlist-join")).to_be_visible()
    await check_accessible(page)
    room = make_listing(office, make_property(office, make_town()), "Double room")
    await page.goto(f"/shows/{room}")
    await page.get_by_role("link", name="To that page").click()
    await page.wait_for_url(f"**/stays/{room}*")


async def test_what_was_typed_stays_when_another_party_is_chosen(
    open_page: OpenPage, office: Office
) -> None:
    """And nights that are not sold are refused with the place, in words."""
    plan = {"type": "nights", "count": 1, "min_nights": 2}
    room = make_listing(office, make_property(office, make_town()), "Double room", plan=plan)
    office.call("POST", "/v1/waitlists", {"resource_ids": [room]})
    start, end = (day_on(days) for days in (40, 42))
    hold = {"resource_id": room, "from": start, "to": end, "guests": 2}
    office.call("POST", "/v1/holds", {"owner": "first", "lines": [hold]})
    page = await open_page(f"/stays/{room}?start={start}&end={end}", phone=True)
    form = page.locator(".waitlist-join")
    await expect(form.get_by_label("Arrival", exact=True)).to_have_value(start)
    await form.get_by_label("E-mail").fill("asha@example.org")
    await form.get_by_text("Other dates, highest price, until when").click()
    await form.get_by_label("Highest price").fill("300")
    await page.get_by_role("button", name="Who is coming").click()
    await page.get_by_role("group", name="Adults").get_by_label("One fewer").click()
    await page.get_by_role("button", name="Done").click()
    await expect(form.get_by_label("Guests")).to_have_value("1")
    await expect(form.get_by_label("E-mail")).to_have_value("asha@example.org")
    await expect(form.get_by_label("Highest price")).to_have_value("300")
    await form.get_by_label("Departure").fill(day_on(41))
    await form.get_by_role("button", name="Join the waitlist").click()
    refusal = form.get_by_role("alert")
    await expect(refusal).to_contain_text("This is not on sale, so it cannot come back")
    await expect(refusal).to_contain_text("Double room")
    await check_accessible(page)
    assert await page.evaluate("document.documentElement.scrollWidth") == 390


async def test_an_entry_for_what_is_not_there_any_more_says_so(
    open_page: OpenPage, office: Office
) -> None:
    show = make_show(office, plan=LESSON)
    office.call("POST", "/v1/waitlists", {"resource_ids": [show]})
    page = await open_page(f"/shows/{show}", phone=True)
    await page.get_by_label("Day", exact=True).fill(day_on(9))
    await page.get_by_label("From", exact=True).select_option(label="18:00")
    await page.get_by_label("E-mail").fill("asha@example.org")
    await page.get_by_role("button", name="Join the waitlist").click()
    await page.wait_for_url("**/waitlist/wle_*")
    office.call("PATCH", f"/v1/resources/{show}", {"published": False})
    await page.reload()
    wished = page.locator(".waitlist-wished li")
    await expect(wished).to_have_text("Not in the shop any more")
    await expect(page.get_by_role("link", name="To its page")).to_have_count(0)
    await check_accessible(page)
    await page.goto("/bookings")
    await expect(page.locator(".bookings-row").first).to_contain_text("Not in the shop any more")


async def test_the_console_shows_dates_as_people_read_them(
    open_page: OpenPage, office: Office
) -> None:
    show = make_show(office, plan=LESSON, time_zone="Asia/Kolkata")
    waitlist = office.call("POST", "/v1/waitlists", {"resource_ids": [show]})
    day = day_on(9)
    place = {"resource_id": show, "from": f"{day}T18:00:00+05:30", "to": f"{day}T19:00:00+05:30"}
    wish = {"party": 1, "places": [place]}
    office.call("POST", f"/v1/waitlists/{waitlist['id']}/entries", {"owner": "asha", "wish": wish})
    page = await open_page(timezone_id="UTC")
    await log_in(page, office, f"/console/waitlists/{waitlist['id']}")
    row = page.get_by_role("row", name="asha")
    await expect(row).to_contain_text("18:00 \N{EN DASH} 19:00 (India Standard Time)")
    await check_accessible(page)
