"""What a guest of the shop may do about being one: the link of a mail in another's hands."""

from __future__ import annotations

import re
from uuid import uuid4

from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import log_in
from tests.browser.sent_mails import mails_to
from tests.browser.shop import booked, hold, make_show, pay


def an_address() -> str:
    return f"{uuid4().hex[:12]}@example.org"


async def buy(page: Page, office: Office, email: str, *seats: str) -> str:
    """Buys seats of a show of its own with this address; the booking's id."""
    await hold(page, make_show(office), *seats)
    await page.get_by_label("Email").fill(email)
    await pay(page)
    return str((await booked(page))["id"])


def link_in(text: str) -> str:
    """The path of the link to a booking in a mail."""
    found = re.search(r"/bookings/bkg_\w+#token=\S+", text)
    assert found is not None, text
    return found[0]


async def test_a_mails_link_shows_its_booking_until_the_links_are_ended(
    open_page: OpenPage, office: Office
) -> None:
    email = an_address()
    buyer = await open_page()
    await buy(buyer, office, email, "A1")
    await hold(buyer, make_show(office), "B1")
    (text,) = await mails_to(office, email)
    friend = await open_page(link_in(text), phone=True)
    await expect(friend.locator(".ticket img").first).to_be_visible()
    await expect(friend).not_to_have_url(re.compile("token"))
    await friend.reload()
    await expect(friend.locator(".ticket img").first).to_be_visible()
    await expect(friend.locator(".shop-held")).to_have_count(0)  # the buyer's hold is not theirs
    await check_accessible(friend)
    booking = friend.url
    await friend.goto("/bookings")
    await expect(friend.get_by_text("Nothing booked yet")).to_be_visible()
    await friend.goto(booking)
    await friend.get_by_role("button", name="End links to this booking").click()
    await check_accessible(friend)
    await friend.get_by_role("button", name="End the links").click()
    await expect(friend.get_by_role("heading", name="This link no longer works")).to_be_visible()
    await check_accessible(friend)
    await friend.reload()
    await expect(friend.get_by_role("heading", name="This link no longer works")).to_be_visible()
    # The buyer's own browser needs no link.
    await buyer.goto(booking)
    await expect(buyer.locator(".ticket img").first).to_be_visible()


async def test_the_console_ends_links_and_sends_the_mail_again(
    open_page: OpenPage, office: Office
) -> None:
    email = an_address()
    booking = await buy(await open_page(), office, email, "A1")
    (text,) = await mails_to(office, email)
    operator = await open_page()
    await log_in(operator, office, f"/console/bookings/{booking}")
    await operator.get_by_role("button", name="End links").click()
    await operator.get_by_role("dialog").get_by_role("button", name="End links").click()
    await expect(operator.get_by_text("The links are ended")).to_be_visible()
    visitor = await open_page(link_in(text))
    await expect(visitor.get_by_role("heading", name="This link no longer works")).to_be_visible()
    await operator.get_by_role("button", name="Send the mail again").click()
    await expect(operator.get_by_text("The mail is on its way")).to_be_visible()
    texts = await mails_to(office, email, 2)
    fresh = await open_page(link_in(texts[-1]))
    await expect(fresh.locator(".ticket img").first).to_be_visible()


async def test_who_is_forgotten_leaves_nothing_behind(open_page: OpenPage, office: Office) -> None:
    page = await open_page(phone=True)
    await buy(page, office, an_address(), "A1")
    booking = page.url
    show = make_show(office)
    held = await hold(page, show, "B1")
    other = await page.context.new_page()
    await other.goto("/bookings")
    await expect(other.locator(".bookings-row")).to_have_count(1)
    forget = page.get_by_role("button", name="Forget me on this device")
    await forget.focus()
    await page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("You hold 1 seat")
    await check_accessible(page)
    await dialog.get_by_role("button", name="Stay").click()
    await expect(dialog).to_be_hidden()
    await forget.click()
    await dialog.get_by_role("button", name="Forget me").click()
    await page.wait_for_url(lambda url: url.rstrip("/") == office.url)
    await expect(page.locator(".shop-held")).to_have_count(0)
    await expect(other.locator(".bookings-row")).to_have_count(0)
    await page.goto(booking)
    await expect(page.get_by_role("heading", name="There is no such booking")).to_be_visible()
    assert office.call("GET", f"/v1/holds/{held}")["state"] == "released"
    stored = "() => Object.keys(localStorage).filter((name) => name.startsWith('bespeak.'))"
    # Of the device, not of who used it.
    ours = {f"bespeak.{name}" for name in ("locale", "theme", "faces", "city", "finger-hint")}
    assert set(await page.evaluate(stored)) <= ours


async def test_bookings_of_an_address_are_found_together_and_left_again(
    open_page: OpenPage, office: Office
) -> None:
    email = an_address()
    for _ in range(2):
        await buy(await open_page(), office, email, "A1")
    await mails_to(office, email, 2)
    page = await open_page("/bookings", phone=True)
    await page.get_by_role("link", name="Find bookings made on another device").click()
    await expect(page.get_by_role("heading", name="Find my bookings")).to_be_visible()
    await page.get_by_label("Email").fill("nonsense")
    await page.get_by_role("button", name="Send me a code").click()
    await expect(page.get_by_text("This is not an email address.")).to_be_visible()
    await page.get_by_label("Email").fill(email.upper())
    await check_accessible(page)
    await page.get_by_role("button", name="Send me a code").click()
    await expect(page.get_by_label("Code")).to_be_visible()
    await check_accessible(page)
    text = (await mails_to(office, email, 3))[-1]
    found = re.search(r"/find-bookings#code=(\d{8})", text)
    assert found is not None
    # Elsewhere the link is of no use, and opening it does nothing.
    friend = await open_page(found[0])
    await expect(friend.get_by_label("Code")).to_have_value(found[1])
    await expect(friend).not_to_have_url(re.compile(found[1]))
    await friend.get_by_role("button", name="Show my bookings").click()
    await expect(friend.get_by_role("alert")).to_contain_text("cannot be used in this browser")
    await page.get_by_label("Code").fill(found[1])
    await page.get_by_role("button", name="Show my bookings").click()
    await expect(page.locator(".bookings-row")).to_have_count(2)
    await check_accessible(page)
    await page.locator(".bookings-row").first.click()
    await expect(page.locator(".ticket img").first).to_be_visible()
    await page.goto("/find-bookings")
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_label("Email")).to_be_visible()
    await page.reload()
    await expect(page.get_by_label("Email")).to_be_visible()
