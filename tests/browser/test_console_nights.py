"""Prices and restrictions of many nights at once: each is seen before it is saved, a listing that
somebody else has changed meanwhile is told of and tried again, and after a lost answer nothing is
changed twice.
"""

from __future__ import annotations

from typing import cast

import pytest
from playwright.async_api import Page, Route, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.operating import log_in
from tests.browser.screens import PHONE, resize
from tests.browser.stays import day_on, make_listing, make_property, make_town
from tests.browser.test_console_board import ROOMS, book


def first() -> str:
    """The first night that is changed: not worked out when the tests are read, which may be on the
    day before."""
    return day_on(1)


def last() -> str:
    return day_on(3)


def after() -> str:
    return day_on(4)


def rules_of(office: Office, listing: str) -> list[Json]:
    plan = cast("Json", office.call("GET", f"/v1/listings/{listing}")["plan"])
    return cast("list[Json]", plan.get("rules", []))


async def choose_nights(page: Page) -> None:
    await page.get_by_label("First night", exact=True).fill(first())
    await page.get_by_label("Last night", exact=True).fill(last())


async def change_price(page: Page, way: str, label: str, value: str) -> None:
    await page.get_by_label("Price of a night", exact=True).select_option(way)
    await page.get_by_label(label).fill(value)


async def save(page: Page) -> None:
    await page.get_by_role("button", name="Save", exact=True).click()


async def test_nights_of_several_listings_are_changed_and_made_usual_again(
    open_page: OpenPage, office: Office
) -> None:
    house = make_property(office, make_town())
    double = make_listing(office, house, "Double", plan=ROOMS, payment="at_venue")
    single = make_listing(office, house, "Single", price=5000)
    booking = book(office, double, "Otter")
    page = await open_page()
    await log_in(page, office, f"/console/stays/{house}")
    await page.get_by_role("link", name="Prices and restrictions").click()
    await save(page)
    await expect(page.get_by_text("A date, not before the first night")).to_be_visible()
    await choose_nights(page)
    await expect(page.get_by_text("Say what is to change").first).to_be_visible()
    await change_price(page, "more_share", "More by (%)", "10")
    await page.get_by_label("Shortest stay from here on").fill("2")
    await page.get_by_label("Arrival").select_option("yes")
    row = page.get_by_role("row", name="Double")
    cell = row.get_by_role("cell").first
    await expect(cell).to_contain_text("Now: €80.00")
    await expect(cell).to_contain_text("Then: €88.00")
    await expect(cell).to_contain_text("No arrival")
    await expect(cell).to_contain_text("1 of 2 taken")
    await expect(page.get_by_text("6 nights of 2 listings will change")).to_be_visible()
    await check_accessible(page)
    await save(page)
    await expect(page.get_by_text("2 listings are changed.")).to_be_visible()
    said = {"closed_to_arrival": True, "min_nights": 2}
    dates = {"from": first(), "to": after()}
    assert rules_of(office, double) == [dates | said | {"price": 8800}]
    assert rules_of(office, single) == [dates | said | {"price": 5500}]
    # So much more is not said once more by itself: nothing is left to save.
    await expect(page.get_by_label("Price of a night", exact=True)).to_have_value("leave")
    kept = office.call("GET", f"/v1/bookings/{booking}")
    assert cast("Json", kept["amount"])["amount"] == 16_000
    await page.get_by_label("As usual again").check()
    await page.get_by_label("Single").uncheck()
    await expect(page.get_by_text("3 nights of 1 listing will change")).to_be_visible()
    await save(page)
    await expect(page.get_by_text("1 listing is changed.")).to_be_visible()
    assert rules_of(office, double) == []
    assert rules_of(office, single) == [dates | said | {"price": 5500}]


async def test_what_somebody_else_changed_is_told_and_tried_again(
    open_page: OpenPage, office: Office
) -> None:
    house = make_property(office, make_town())
    double = make_listing(office, house, "Double")
    single = make_listing(office, house, "Single", price=5000)
    page = await open_page()
    await log_in(page, office, f"/console/stays/{house}/nights")
    await choose_nights(page)
    await change_price(page, "more_amount", "More by (EUR)", "10")
    await expect(page.get_by_text("6 nights of 2 listings will change")).to_be_visible()
    theirs: Json = {"from": first(), "to": after(), "price": 6500}
    plan = {"type": "nights", "count": 2, "rules": [theirs]}
    office.call("PATCH", f"/v1/listings/{single}", {"plan": plan})
    await save(page)
    await expect(page.get_by_text("1 listing is changed.")).to_be_visible()
    await expect(page.get_by_text("Somebody else has changed this.")).to_be_visible()
    assert rules_of(office, single) == [theirs]
    assert [rule["price"] for rule in rules_of(office, double)] == [9000]
    # It alone is chosen still, and seen as it is now.
    await expect(page.get_by_label("Double")).not_to_be_checked()
    cell = page.get_by_role("row", name="Single").get_by_role("cell").first
    await expect(cell).to_contain_text("Now: €65.00")
    await expect(cell).to_contain_text("Then: €75.00")
    await save(page)
    await expect(page.get_by_text("1 listing is changed.")).to_be_visible()
    assert rules_of(office, single) == [theirs | {"price": 7500}]
    assert [rule["price"] for rule in rules_of(office, double)] == [9000]


async def test_a_change_whose_answer_is_lost_counts_once(
    open_page: OpenPage, office: Office
) -> None:
    house = make_property(office, make_town())
    double = make_listing(office, house, "Double")
    page = await open_page()
    await log_in(page, office, f"/console/stays/{house}/nights?from={first()}&last={last()}")

    async def lose(route: Route) -> None:
        if route.request.method != "PATCH":
            return await route.fallback()
        await route.fetch()
        return await route.abort("internetdisconnected")

    await page.route("**/v1/listings/*", lose)
    await change_price(page, "more_share", "More by (%)", "50")
    await save(page)
    await expect(page.get_by_text("1 listing is changed.")).to_be_visible()
    assert [rule["price"] for rule in rules_of(office, double)] == [12_000]


async def test_nights_of_the_board_lead_to_their_prices(
    open_page: OpenPage, office: Office
) -> None:
    house = make_property(office, make_town())
    make_listing(office, house, "Double", plan=ROOMS)
    make_listing(office, house, "Single")
    page = await open_page()
    await log_in(page, office, f"/console/stays/board?property={house}&from={first()}")
    night = page.get_by_role("row", name="Heron").get_by_role("button")
    await night.first.click()
    await night.nth(2).click()
    await page.get_by_role("link", name="Prices and restrictions").click()
    await expect(page.get_by_label("First night", exact=True)).to_have_value(first())
    await expect(page.get_by_label("Last night", exact=True)).to_have_value(last())
    await expect(page.get_by_label("Double")).to_be_checked()
    await expect(page.get_by_label("Single")).not_to_be_checked()


@pytest.mark.parametrize("language", ["de", "ar"])
async def test_the_editor_is_for_everybody_on_a_phone(
    open_page: OpenPage, office: Office, language: str
) -> None:
    house = make_property(office, make_town())
    make_listing(office, house, "Double")
    page = await open_page()
    await resize(page, PHONE)
    path = f"/console/stays/{house}/nights?from={first()}&last={day_on(60)}"
    await log_in(page, office, path)
    await page.evaluate("chosen => localStorage.setItem('bespeak.locale', chosen)", language)
    await page.goto(path)
    await expect(page.locator("form").first).to_be_visible()
    await page.locator("form select").first.select_option("to")
    await page.locator("input[inputmode=decimal]").fill("99")
    await expect(page.locator("ins").first).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    await check_accessible(page)
