"""Who a booking is for is put right on its page: the number of who called back, the address that
was mistyped, and nothing that somebody else at the desk said meanwhile.
"""

from __future__ import annotations

from typing import cast

from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.operating import log_in
from tests.browser.stays import make_listing, make_property, make_town
from tests.browser.test_console_change_dates import sold


def stay_sold(office: Office) -> str:
    """The booking of a room, of Asha with an address; its id."""
    house = make_property(office, make_town())
    plan: Json = {"type": "nights", "rooms": ["101"]}
    return sold(office, [make_listing(office, house, "Room", plan=plan)])


def contact_of(office: Office, booking: str) -> Json:
    return cast("Json", office.call("GET", f"/v1/bookings/{booking}/contact")["contact"])


async def begin(page: Page) -> None:
    await page.locator("section", has_text="Owner").get_by_role("button", name="Change").click()
    await expect(page.get_by_label("Name")).to_have_value("Asha")


async def test_a_number_is_added_and_an_address_put_right(
    open_page: OpenPage, office: Office
) -> None:
    booking = stay_sold(office)
    page = await open_page(phone=True)
    await log_in(page, office, f"/console/bookings/{booking}")
    await begin(page)
    await check_accessible(page)
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    save = page.get_by_role("button", name="Save", exact=True)
    for field, wrong, said in (
        ("Telephone", "call me", "A number in digits"),
        ("E-mail", "asha", "This is not an e-mail address."),
    ):
        right = await page.get_by_label(field).input_value()
        await page.get_by_label(field).fill(wrong)
        await save.click()
        await expect(page.get_by_text(said)).to_be_visible()
        await page.get_by_label(field).fill(right)
    await page.get_by_label("Telephone").fill("+49 170 1234567")
    await page.get_by_label("E-mail").fill("asha.rao@example.org")
    await expect(page.get_by_text("Links in mails to the address of before")).to_be_visible()
    await save.click()
    await expect(page.get_by_role("link", name="+49 170 1234567")).to_be_visible()
    await expect(page.get_by_text("asha.rao@example.org")).to_be_visible()
    told = contact_of(office, booking)
    assert (told["name"], told["phone"]) == ("Asha", "+49 170 1234567")
    assert told["email"] == "asha.rao@example.org"
    await page.goto("/console/bookings?q=1234567")
    await expect(page.get_by_role("link", name="Asha").first).to_be_visible()


async def test_what_somebody_else_said_meanwhile_is_told_first(
    open_page: OpenPage, office: Office
) -> None:
    booking = stay_sold(office)
    path = f"/v1/bookings/{booking}/contact"
    page = await open_page()
    await log_in(page, office, f"/console/bookings/{booking}")
    await begin(page)
    theirs = {"email": "theirs@example.org", "name": "Asha", "phone": "030 555"}
    office.call("PUT", path, {"contact": theirs})
    await page.get_by_label("E-mail").fill("mine@example.org")
    save = page.get_by_role("button", name="Save", exact=True)
    await save.click()
    await expect(page.get_by_role("alert")).to_contain_text("Somebody else")
    assert contact_of(office, booking) == theirs
    await save.click()
    await expect(page.get_by_text("mine@example.org")).to_be_visible()
    # The number, which nobody changed here, is theirs.
    told = contact_of(office, booking)
    assert (told["email"], told["phone"]) == ("mine@example.org", "030 555")
