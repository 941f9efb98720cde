"""The premiere of the demo as a visitor sees it: from the queue to what comes back. The tests go
this way, and the pictures of its tutorial are taken on it.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from playwright.async_api import Page, expect

from tests.browser.office import Office

Look = Callable[[Page, str], Awaitable[None]]
"""What is done at each place of the way, by its name."""

CROWD_MS_MAX = 300_000


def plan_premiere(office: Office) -> None:
    """Has the sale begin when the way says so, whenever the office was started; nobody has come."""
    at = (datetime.now(UTC) + timedelta(minutes=10)).isoformat()
    # Whoever left and is called holds the others up for as short as may be.
    change = {"state": "scheduled", "opens_at": at, "grace_seconds": 45}
    office.call("PATCH", f"/v1/waiting-rooms/{office.premiere['waiting_room_id']}", change)


async def queue_and_buy(page: Page, office: Office, look: Look) -> None:
    """From the shop into the queue, with a crowd behind, and in to the tickets."""
    await page.goto("/")
    link = page.get_by_role("link", name="Queue for it")
    await expect(page.get_by_text("The premiere opens in")).to_be_visible()
    await look(page, "home")
    await link.click()
    stage = page.locator("#waiting-stage")
    await expect(stage).to_have_text("You are in")
    await page.get_by_role("button", name="Send 400 buyers").click()
    waiting = page.locator(".waiting-card .waiting-place")
    await expect(waiting).to_be_visible()
    joined = page.locator(".show-rush-counts dd").first
    await expect(joined).not_to_have_text(re.compile("^[0-9]{0,2}$"), timeout=CROWD_MS_MAX)
    await look(page, "queue")
    room = f"/v1/waiting-rooms/{office.premiere['waiting_room_id']}"
    office.call("PATCH", room, {"state": "open"})
    await expect(stage).to_have_text("It is your turn!")
    await look(page, "turn")
    await page.get_by_role("button", name="Go to the tickets").click()
    await page.wait_for_url(f"**/shows/{office.premiere['id']}")
    await page.get_by_role("button", name="Take the best").click()
    await page.get_by_role("button", name="Continue").click()
    await pay(page)


async def pay(page: Page) -> None:
    """Pays at the checkout, and comes to the booking."""
    await page.wait_for_url("**/checkout/hold_*")
    await page.get_by_role("button", name=re.compile("^Pay ")).click()
    await page.wait_for_url("**/bookings/bkg_*")
    await expect(page.get_by_role("heading", name="Booking confirmed")).to_be_visible()


async def wait_and_be_offered(page: Page, look: Look) -> None:
    """Once it is sold out: onto the waitlist, until what somebody gave back is held."""
    await page.goto("/")
    link = page.get_by_role("link", name="Join the waitlist")
    await link.click(timeout=CROWD_MS_MAX)
    card = page.locator(".waitlist-join")
    await card.get_by_label("E-mail").fill("premiere@example.org")
    await look(page, "sold-out")
    await card.get_by_role("button", name="Join the waitlist").click()
    await page.wait_for_url("**/waitlist/wle_*")
    offer = page.get_by_role("heading", name="It is your turn")
    await expect(offer).to_be_visible(timeout=CROWD_MS_MAX)
    await look(page, "offer")
