"""What the shop's browser tests do again and again: make a show, choose seats, hold, pay, look."""

from __future__ import annotations

import itertools

from playwright.async_api import Page, expect

from tests.browser.office import Json, Office

_numbers = itertools.count(1)


def make_show(office: Office, **given: object) -> str:
    """A resource with three rows of ten seats, paid for, that no other test touches; its id."""
    rows = [{"name": name, "seats": 10} for name in "ABC"]
    made = office.call(
        "POST",
        "/v1/resources",
        {
            "name": f"The Lighthouse, evening {next(_numbers)}",
            "kind": "play",
            "payment": "required",
            "price": {"amount": 1250, "currency": "EUR"},
            "time_zone": "Europe/Berlin",
            "plan": {
                "type": "seats",
                "stage": {"kind": "stage", "label": "Stage", "width": 8},
                "sections": [{"name": "Stalls", "rows": rows}],
            },
            **given,
        },
    )
    return str(made["id"])


async def choose(page: Page, show: str, *seats: str) -> None:
    """Opens a show with these seats chosen on its map."""
    await page.goto(f"/shows/{show}?seats={','.join(seats)}")
    await expect(page.get_by_role("button", name="Continue")).to_be_enabled()


async def go_on(page: Page) -> None:
    """Goes on with what is chosen, and comes to the checkout."""
    await page.get_by_role("button", name="Continue").click()
    await page.wait_for_url("**/checkout/**")


async def hold(page: Page, show: str, *seats: str) -> str:
    """Holds these seats and comes to the checkout; the id of the hold."""
    await choose(page, show, *seats)
    await go_on(page)
    await expect(page.get_by_role("heading", name="Checkout")).to_be_visible()
    return page.url.rsplit("/", 1)[1]


async def close_streams(page: Page) -> None:
    """From here on the page hears nothing live, as in the instant of a race."""
    await page.route("**/stream", lambda route: route.fulfill(status=503))


async def pay(page: Page, card: str = "Pays at once") -> None:
    """Presses pay, with the card that does this."""
    await expect(page.get_by_role("button", name="Pay €")).to_be_visible()
    chosen = page.get_by_role("radio", name=card)
    if not await chosen.is_visible():
        await page.get_by_text("More test cards").click()
    await chosen.check(force=True)
    await page.get_by_role("button", name="Pay €").click()


async def booked(page: Page) -> Json:
    """Waits for the page of the new booking and its tickets; the booking as the page's own API has
    it."""
    await page.wait_for_url("**/bookings/bkg_*")
    await expect(page.get_by_role("heading", name="Booking confirmed")).to_be_visible()
    await expect(page.locator(".ticket img").first).to_be_visible()
    return {"id": page.url.rsplit("/", 1)[1].split("?")[0]}


async def await_units_free(page: Page, count: int) -> None:
    """Waits until the map on the page shows so many free seats."""
    seatmap = page.locator("bespeak-seatmap")
    await expect(seatmap).to_have_js_property("unitsFree", count)
