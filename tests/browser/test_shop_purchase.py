"""Buying in the browser, whole: on a phone, declined and then not, with a challenge, over a reload
and over a lost reply; and giving it back.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import cast
from zoneinfo import ZoneInfo

import pytest
from playwright.async_api import Page, Route, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.shop import booked, hold, make_show, pay
from tests.browser.until import until


def booking_of(office: Office, page: Page) -> dict[str, object]:
    """The booking that the page shows, as the operator sees it."""
    return office.call("GET", f"/v1/bookings/{page.url.rsplit('/', 1)[1].split('?')[0]}")


async def lose_first_reply(page: Page, lose: Callable[[Route], Awaitable[None]]) -> list[str]:
    """Lets the first booking of the page take effect, and does this with its reply. The keys of
    all that it sends are noted."""
    keys: list[str] = []

    async def send(route: Route) -> None:
        request = route.request
        if request.method != "POST":
            return await route.fallback()
        keys.append(request.headers["idempotency-key"])
        if len(keys) > 1:
            return await route.continue_()
        await route.fetch()
        return await lose(route)

    await page.route("**/v1/bookings", send)
    return keys


async def test_a_film_is_bought_on_a_phone(open_page: OpenPage, office: Office) -> None:
    # Tomorrow's shows: late in the evening, today's last one may begin between two clicks.
    tomorrow = datetime.now(ZoneInfo("Asia/Kolkata")).date() + timedelta(days=1)
    page = await open_page(f"/?date={tomorrow}", phone=True, timezone_id="Asia/Kolkata")
    await page.get_by_role("link", name="See times and seats").click()
    await page.wait_for_url("**/films/**")
    await page.locator("a.cinema-time:not([data-fullness=sold_out])").last.click()
    await page.wait_for_url("**/shows/**")
    await page.get_by_role("button", name="Take the best 2 seats").click()
    await page.get_by_role("region", name="Kept for you").wait_for()
    await page.get_by_role("button", name="Continue").click()
    await page.wait_for_url("**/checkout/**")
    await page.get_by_label("Email (optional)").fill("asha@example.org")
    await page.get_by_role("button", name="Pay ").click()
    await booked(page)
    await expect(page.locator(".ticket img")).to_have_count(2)
    booking = booking_of(office, page)
    assert booking["state"] == "confirmed"
    await page.get_by_role("link", name="My bookings").first.click()
    await expect(page.locator(".bookings-row")).to_have_count(1)
    width = await page.evaluate("document.documentElement.scrollWidth")
    assert width == 390, "the page is wider than the phone"


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
async def test_the_best_seats_are_seen_before_anything_is_paid(
    open_page: OpenPage, office: Office, phone: bool
) -> None:
    """They jumped to the checkout before one could see them. They are kept, told to a screen
    reader and in sight on the map, and may be given back for others."""
    show = make_show(office)
    page = await open_page(f"/shows/{show}", phone=phone)
    seatmap = page.locator("bespeak-seatmap")
    await page.get_by_role("button", name="Take the best 2 seats").click()
    kept = page.get_by_role("region", name="Kept for you")
    await expect(kept.get_by_role("heading", name="Kept for you")).to_be_focused()
    assert "/shows/" in page.url
    told = page.locator("[aria-live=polite]").filter(has_text="We keep these seats for you")
    await expect(told).to_contain_text("seats")
    (hold,) = live_holds(office, show)
    units = [str(line["unit"]) for line in cast("list[Json]", hold["lines"])]
    await expect(seatmap).to_have_js_property("mine", units)
    await expect(seatmap).to_be_in_viewport()
    for unit in units:
        await until(functools.partial(is_in_sight, page, unit), unit)
    await check_accessible(page)
    if phone:
        width = await page.evaluate("document.documentElement.scrollWidth")
        assert width == 390, "the page is wider than the phone"
    await page.get_by_role("button", name="Choose other seats").click()
    await expect(kept).to_have_count(0)
    assert live_holds(office, show) == []
    await page.get_by_role("button", name="Take the best 2 seats").click()
    await kept.get_by_role("button", name="Continue").click()
    await page.wait_for_url("**/checkout/**")


def live_holds(office: Office, show: str) -> list[Json]:
    """The holds of a show that are held."""
    page = office.call("GET", "/v1/holds?state=held&limit=1000", key="sk")
    items = cast("list[Json]", page["items"])
    return [
        hold
        for hold in items
        if any(line["resource_id"] == show for line in cast("list[Json]", hold["lines"]))
    ]


async def is_in_sight(page: Page, unit: str) -> bool:
    """Whether a seat stands within the map, and within the window."""
    found = await page.evaluate(
        """(unit) => {
          const map = document.querySelector("bespeak-seatmap");
          const place = map.placeOf(unit);
          const box = map.getBoundingClientRect();
          const bar = document.querySelector(".show-kept");
          const isOver = getComputedStyle(bar).position === "fixed";
          const end = isOver ? bar.getBoundingClientRect().top : innerHeight;
          return place !== null && place.x > box.left && place.x < box.right
            && place.y > Math.max(0, box.top) && place.y < Math.min(end, box.bottom);
        }""",
        unit,
    )
    return bool(found)


async def test_a_declined_card_leaves_the_seats_and_another_pays(
    page: Page, office: Office
) -> None:
    show = make_show(office)
    await hold(page, show, "B4", "B5")
    await pay(page, "Has too little money")
    alert = page.get_by_role("alert").filter(has_text="too little money")
    await expect(alert).to_contain_text("your seats are still yours")
    await pay(page)
    await booked(page)
    booking = booking_of(office, page)
    assert [line["unit"] for line in booking["lines"]] == ["B4", "B5"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("decision", ["Approve", "Decline"])
async def test_a_challenge_leads_to_the_bank_and_back(
    page: Page, office: Office, decision: str
) -> None:
    show = make_show(office)
    await hold(page, show, "A1")
    await pay(page, "Asks you first")
    await page.wait_for_url("**/sandbox/payments/**")
    await page.get_by_role("button", name=decision).click()
    if decision == "Decline":
        await expect(page.get_by_text("You did not approve the payment")).to_be_visible()
        await pay(page)
    await booked(page)


async def test_who_comes_back_from_the_bank_undecided_finds_the_way_there(
    page: Page, office: Office
) -> None:
    await hold(page, make_show(office), "A1")
    checkout = page.url
    await pay(page, "Asks you first")
    await page.wait_for_url("**/sandbox/payments/**")
    await page.goto(checkout)
    await expect(page.get_by_role("heading", name="Your bank waits for you")).to_be_visible()
    await page.get_by_role("link", name="Go to your bank").click()
    await page.get_by_role("button", name="Approve").click()
    await booked(page)


async def test_a_reload_in_the_middle_goes_on_with_the_same_payment(
    page: Page, office: Office
) -> None:
    took_effect = asyncio.Event()

    async def keep(route: Route) -> None:
        took_effect.set()

    keys = await lose_first_reply(page, keep)
    await hold(page, make_show(office), "C3")
    await pay(page, "Takes its time")
    async with asyncio.timeout(60):
        await took_effect.wait()
    # What is sent was written down before, so that the reload finds it.
    await page.reload()
    await booked(page)
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert booking_of(office, page)["amount"] == {"amount": 1250, "currency": "EUR"}


async def test_a_lost_reply_is_asked_for_again_and_paid_once(page: Page, office: Office) -> None:
    async def lose(route: Route) -> None:
        await route.fulfill(status=503, body="the gateway lost the answer")

    keys = await lose_first_reply(page, lose)
    await hold(page, make_show(office), "C3")
    await pay(page)
    await booked(page)
    assert len(keys) == 2
    assert keys[0] == keys[1]


async def test_tickets_are_given_back_with_the_refund_shown_first(
    page: Page, office: Office
) -> None:
    show = make_show(
        office,
        starts_at="2030-05-01T19:30:00Z",
        pricing={
            "fees": [{"name": "Booking fee", "amount": 100}],
            "cancellation": {"free_until_seconds": 7200},
        },
    )
    await hold(page, show, "A1", "A2", "A3")
    await pay(page)
    await booked(page)
    await page.get_by_role("button", name="Cancel tickets").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("checkbox", name="Row A, seat 1").uncheck()
    await expect(dialog).to_contain_text("€25.00")
    await dialog.get_by_role("button", name="Cancel 2 tickets").click()
    await expect(page.locator(".ticket[data-state=cancelled]")).to_have_count(2)
    await expect(page.locator(".booking-refunds")).to_contain_text("Refunded")
    assert office.call("GET", f"/v1/resources/{show}/availability")["taken"] == {
        "A1": {"state": "booked"}
    }


async def test_the_tickets_come_as_files(page: Page, office: Office) -> None:
    await hold(page, make_show(office, starts_at="2030-05-01T19:30:00Z"), "A1")
    await pay(page)
    await booked(page)
    for button, start in (("Tickets as PDF", b"%PDF-"), ("Add to calendar", b"BEGIN:VCALENDAR")):
        async with page.expect_download() as waiting:
            await page.get_by_role("button", name=button).click()
        file = await (await waiting.value).path()
        assert file.read_bytes().startswith(start)


async def test_seats_that_are_held_are_found_again_and_given_back(
    open_page: OpenPage, office: Office
) -> None:
    page = await open_page()
    show = make_show(office)
    await hold(page, show, "A4", "A5")
    checkout = page.url
    await page.goto("/bookings")
    await page.get_by_role("link", name="You still have 2 seats", exact=False).last.click()
    await expect(page).to_have_url(checkout)
    await page.get_by_role("button", name="Choose other seats").click()
    await page.wait_for_url("**/shows/**")
    await expect(page.locator(".shop-units")).to_contain_text("Row A, seats 4, 5")
    assert office.call("GET", f"/v1/resources/{show}/availability")["taken"] == {}
