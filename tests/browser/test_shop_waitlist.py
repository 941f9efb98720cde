"""The waitlist in the browser, whole: sold out, joined, somebody cancels, it is offered, bought;
and declined by the next; and all of it on another device, by the link of the mail.
"""

from __future__ import annotations

import re
from typing import cast

from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.sent_mails import mailed
from tests.browser.shop import booked, make_show, pay
from tests.browser.stays import day_on, make_listing, make_property, make_town

TINY = {"type": "seats", "sections": [{"name": "Stalls", "rows": [{"name": "A", "seats": 2}]}]}


def sold_out(office: Office) -> tuple[str, str]:
    """A show of two seats that are booked, and a waitlist: the ids of show and booking."""
    show = make_show(office, plan=TINY)
    lines = [{"resource_id": show, "unit": unit} for unit in ("A1", "A2")]
    hold = office.call("POST", "/v1/holds", {"owner": "first", "lines": lines})
    paid = {"hold_id": hold["id"], "payment_token": "tok_success"}
    booking = office.call("POST", "/v1/bookings", paid)
    office.call("POST", "/v1/waitlists", {"resource_ids": [show]})
    return show, str(booking["id"])


async def join(page: Page, show: str, party: str) -> None:
    await page.goto(f"/shows/{show}")
    card = page.locator(".waitlist-join")
    await card.get_by_label("How many").select_option(party)
    await card.get_by_label("E-mail").fill("asha@example.org")
    await card.get_by_role("button", name="Join the waitlist").click()
    await page.wait_for_url("**/waitlist/wle_*")
    await expect(page.get_by_role("heading", name="You are waiting")).to_be_visible()


async def test_from_sold_out_to_bought(open_page: OpenPage, office: Office) -> None:
    show, booking = sold_out(office)
    page = await open_page(f"/shows/{show}", phone=True)
    await expect(page.locator(".waitlist-join")).to_be_visible()
    await check_accessible(page)
    await join(page, show, "2")
    await check_accessible(page)
    width = await page.evaluate("document.documentElement.scrollWidth")
    assert width == 390, "the page is wider than the phone"
    office.call("DELETE", f"/v1/bookings/{booking}?reason=ill")
    await expect(page.get_by_role("heading", name="It is your turn")).to_be_visible()
    await check_accessible(page)
    await page.get_by_role("button", name="Accept and continue").click()
    await page.wait_for_url("**/checkout/hold_*")
    await pay(page)
    mine = await booked(page)
    assert office.call("GET", f"/v1/bookings/{mine['id']}")["state"] == "confirmed"


async def test_who_declines_lets_the_next_have_it(open_page: OpenPage, office: Office) -> None:
    show, booking = sold_out(office)
    first = await open_page(f"/shows/{show}")
    await join(first, show, "1")
    second = await open_page(f"/shows/{show}")
    await join(second, show, "2")
    await expect(second.locator(".waitlist-facts").first).to_contain_text("Waiting before you1")
    office.call("DELETE", f"/v1/bookings/{booking}?reason=ill")
    await first.get_by_role("button", name="No, let somebody else have it").click()
    await expect(first.get_by_text("You have declined what was offered.")).to_be_visible()
    await expect(second.get_by_role("heading", name="It is your turn")).to_be_visible()


async def test_the_mails_link_is_all_that_another_device_needs(
    open_page: OpenPage, office: Office
) -> None:
    show, booking = sold_out(office)
    first = await open_page(f"/shows/{show}")
    await join(first, show, "2")
    entry = first.url.rsplit("/", 1)[-1]
    office.call("DELETE", f"/v1/bookings/{booking}?reason=ill")
    link = await mailed(office, rf"/waitlist/{entry}#\S+&do=decline(?!\S)")
    other = await open_page(link, phone=True)
    await expect(other.get_by_role("heading", name="It is your turn")).to_be_visible()
    await expect(other).not_to_have_url(re.compile("token"))  # it is not copied on
    await expect(other.locator(".waitlist-what")).to_contain_text("1, 2")
    # The link to decline leads to the button, and declines nothing by itself.
    decline = other.get_by_role("button", name="No, let somebody else have it")
    await expect(decline).to_be_focused()
    await check_accessible(other)
    await other.reload()
    await other.get_by_role("button", name="Accept and continue").click()
    await other.wait_for_url("**/checkout/hold_*")
    await pay(other)
    mine = await booked(other)
    assert office.call("GET", f"/v1/bookings/{mine['id']}")["state"] == "confirmed"
    # And a third device, with the same link, gets to the booking too.
    third = await open_page(link)
    await third.get_by_role("link", name="Open the booking").click()
    await third.wait_for_url("**/bookings/bkg_*")
    await expect(third.locator(".booking-files")).to_be_visible()


async def test_a_link_that_is_none_says_so(open_page: OpenPage, office: Office) -> None:
    page = await open_page(f"/waitlist/wle_{'0' * 26}#token=nonsense")
    await expect(page.get_by_role("heading", name="This link no longer works")).to_be_visible()
    await check_accessible(page)


def sold(office: Office, *lines: dict[str, object]) -> str:
    """A paid booking of these lines, by its id."""
    hold = office.call("POST", "/v1/holds", {"owner": "first", "lines": lines})
    paid = {"hold_id": hold["id"], "payment_token": "tok_success"}
    return str(office.call("POST", "/v1/bookings", paid)["id"])


async def entered(page: Page, office: Office) -> dict[str, object]:
    """Joins with the form on the page; the wish as it was kept."""
    await page.locator(".waitlist-join").get_by_label("E-mail").fill("asha@example.org")
    await page.get_by_role("button", name="Join the waitlist").click()
    await page.wait_for_url("**/waitlist/wle_*")
    entry = office.call("GET", f"/v1/waitlist-entries/{page.url.rsplit('/', 1)[-1]}")
    return cast("dict[str, object]", entry["wish"])


async def test_nights_that_are_taken_are_waited_for(open_page: OpenPage, office: Office) -> None:
    house = make_property(office, make_town())
    room = make_listing(office, house, "Double room", plan={"type": "nights", "count": 1})
    start, end, week, later = (day_on(days) for days in (40, 42, 47, 49))
    booking = sold(office, {"resource_id": room, "from": start, "to": end, "guests": 2})
    page = await open_page(f"/stays/{room}?start={start}&end={end}", phone=True)
    await expect(page.get_by_text("These dates are not free")).to_be_visible()
    assert await page.locator(".waitlist-join").count() == 0, "it has no waitlist"
    office.call("POST", "/v1/waitlists", {"resource_ids": [room]})
    await page.reload()
    # The nights that one came for are taken, so the form is open, with these nights.
    form = page.locator(".waitlist-join")
    await expect(form.get_by_label("Arrival", exact=True)).to_have_value(start)
    await expect(form).to_contain_text("Nights are not kept for who waits")
    await form.get_by_text("Other dates, highest price, until when").click()
    await form.get_by_role("button", name="Add other dates for as many nights").click()
    await expect(form.get_by_label("Other arrival: 1")).to_have_value(week)
    await form.get_by_label("Guests").fill("3")
    await form.get_by_role("button", name="Join the waitlist").click()
    await expect(form.get_by_text("At most: 2")).to_be_visible()
    await form.get_by_label("Guests").fill("2")
    await check_accessible(page)
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    sold(office, {"resource_id": room, "from": week, "to": later, "guests": 2})
    assert await entered(page, office) == {
        "party": 1,
        "guests": 2,
        "places": [
            {"resource_id": room, "from": start, "to": end},
            {"resource_id": room, "from": week, "to": later},
        ],
    }
    wished = page.locator(".waitlist-wished li")
    await expect(wished).to_have_count(2)
    await expect(wished.first).to_contain_text(f"{int(start[8:])} ")
    await check_accessible(page)
    office.call("DELETE", f"/v1/bookings/{booking}?reason=ill")
    await expect(page.get_by_role("heading", name="It is your turn")).to_be_visible()
    await expect(page.locator(".waitlist-what")).to_contain_text("2 nights")
    await page.get_by_role("link", name="To the place to stay").click()
    await page.wait_for_url(f"**/stays/{room}?start={start}&end={end}*")


async def test_products_and_times_are_waited_for(open_page: OpenPage, office: Office) -> None:
    pool = {"unit": "field", "capacity": 2}
    crew = {"name": "Crew", "draws": [{"pool": "field"}], "needs_code": True}
    products = [{"name": name, "draws": [{"pool": "field"}]} for name in ("Day", "Camping")]
    fair = make_show(office, plan={"type": "pools", "pools": [pool], "products": [*products, crew]})
    lesson = {"type": "times", "slot_minutes": 60, "weekly": [{"from": "18:00", "to": "20:00"}]}
    class_of_one = make_show(office, plan=lesson, time_zone="Asia/Kolkata")
    for one in (fair, class_of_one):
        office.call("POST", "/v1/waitlists", {"resource_ids": [one]})
    sold(office, {"resource_id": fair, "unit": "Day", "quantity": 2})
    page = await open_page(f"/shows/{fair}", timezone_id="UTC")
    which = page.get_by_label("Which")
    await expect(which.locator("option")).to_have_text(["Any", "Day", "Camping"])
    await which.select_option("Camping")
    await page.get_by_label("How many").select_option("2")
    await check_accessible(page)
    places: list[dict[str, str]] = [{"resource_id": fair}]
    assert await entered(page, office) == {"party": 2, "places": places, "categories": ["Camping"]}
    await expect(page.locator(".waitlist-facts").last).to_contain_text("WhichCamping")
    day = day_on(9)
    booking = sold(office, {"resource_id": class_of_one, "from": f"{day}T18:00"})
    await page.goto(f"/shows/{class_of_one}")
    await page.get_by_role("button", name="Join the waitlist").click()
    await expect(page.get_by_text("Choose a day that is still to come")).to_be_visible()
    await page.get_by_label("Day", exact=True).fill(day)
    await page.get_by_label("From", exact=True).select_option(label="18:00")
    await check_accessible(page)
    wish = await entered(page, office)
    places = cast("list[dict[str, str]]", wish["places"])
    assert [one["from"] for one in places] == [f"{day}T18:00:00+05:30"]
    wished = page.locator(".waitlist-wished li")
    await expect(wished).to_contain_text("18:00 \N{EN DASH} 19:00 (India Standard Time)")
    await page.goto("/bookings")
    await expect(page.get_by_role("heading", name="You wait for")).to_be_visible()
    await check_accessible(page)
    office.call("DELETE", f"/v1/bookings/{booking}?reason=ill")
    await page.get_by_role("link", name=re.compile("18:00")).click()
    await expect(page.locator(".waitlist-what")).to_contain_text("18:00 \N{EN DASH} 19:00")


async def test_more_can_be_wished_than_the_show_itself(open_page: OpenPage, office: Office) -> None:
    show, other = make_show(office, plan=TINY), make_show(office, name="Matinee", plan=TINY)
    office.call("POST", "/v1/waitlists", {"resource_ids": [show, other]})
    for one in (show, other):
        lines = [{"resource_id": one, "unit": unit} for unit in ("A1", "A2")]
        hold = office.call("POST", "/v1/holds", {"owner": "first", "lines": lines})
        paid = {"hold_id": hold["id"], "payment_token": "tok_success"}
        office.call("POST", "/v1/bookings", paid)
    page = await open_page(f"/shows/{show}", phone=True)
    card = page.locator(".waitlist-join")
    await card.get_by_text("Other dates, highest price, until when").click()
    await card.get_by_label("Matinee").check()
    await card.get_by_label("Highest price for all of you").fill("a lot")
    await card.get_by_label("Wanted until").fill("2020-01-01T10:00")
    await card.get_by_label("E-mail").fill("asha@example.org")
    await check_accessible(page)
    width = await page.evaluate("document.documentElement.scrollWidth")
    assert width == 390, "the page is wider than the phone"
    join_now = card.get_by_role("button", name="Join the waitlist")
    await join_now.click()
    await expect(card.get_by_text("Write it as a number")).to_be_visible()
    await expect(card.get_by_text("Choose a time that is still to come")).to_be_visible()
    await card.get_by_label("Highest price for all of you").fill("45,50")
    await card.get_by_label("Wanted until").fill("2099-01-01T10:00")
    await join_now.click()
    await page.wait_for_url("**/waitlist/wle_*")
    entry = office.call("GET", f"/v1/waitlist-entries/{page.url.rsplit('/', 1)[-1]}")
    wish = cast("dict[str, object]", entry["wish"])
    assert wish["places"] == [{"resource_id": show}, {"resource_id": other}]
    assert (wish["price_max"], str(entry["until"])[:4]) == (4550, "2099")
