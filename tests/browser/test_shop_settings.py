"""The shop settings: an operator says who sells, and the shop's pages show it at once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from bespeak.merchants.merchants import KNOWN_SECONDS
from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import change_merchant, log_in
from tests.browser.until import until_equal
from tests.unit.test_logos import SVG, picture

PATH = "/console/shop-settings"
FIELDS = ("name", "accent", "country", "currency", "languages", "time_zone", "email", "phone")
LEGAL = ("address", "terms", "privacy", "imprint")


@pytest.fixture(autouse=True)
def nobody(office: Office) -> Iterator[None]:
    """The office is everybody's: afterwards its merchant has said what it had said before."""
    before = office.call("GET", "/v1/merchant")
    office.call("PATCH", "/v1/merchant", dict.fromkeys((*FIELDS, *LEGAL)))
    yield
    if before["logo"] is None:
        office.call("DELETE", "/v1/merchant/logo")
    change_merchant(office, **{name: before[name] for name in (*FIELDS, *LEGAL)})


async def save(page: Page) -> None:
    await page.get_by_role("button", name="Save", exact=True).click()


async def saved(page: Page) -> None:
    """Waits until it is saved, and known to all processes of the office."""
    await expect(page.get_by_text("Saved. The shop shows it within seconds.").first).to_be_visible()
    await asyncio.sleep(KNOWN_SECONDS)


async def test_an_operator_says_who_sells_and_buyers_see_it(
    open_page: OpenPage, office: Office, tmp_path: Path
) -> None:
    page = await open_page()
    await log_in(page, office, PATH)
    await page.get_by_label("Name of the shop").fill("Lantern Hall")
    await page.get_by_label("Country", exact=True).select_option("DE")
    await page.get_by_label("E-mail").fill("desk@lantern.example")
    await page.get_by_label("Postal address").fill("Am Ufer 3\n10999 Berlin")
    terms = page.get_by_role("group", name="Terms: where is it?")
    await terms.get_by_label("Written here").check()
    await page.get_by_label("Terms in English").fill("## Scope\n\nWe *sell* tickets.")
    imprint = page.get_by_role("group", name="Imprint: where is it?")
    await imprint.get_by_label("On a page of ours").check()
    await page.get_by_label("Address of: Imprint").fill("https://lantern.example/imprint")
    await check_accessible(page)
    await save(page)
    await saved(page)

    logo = tmp_path / "logo.png"
    logo.write_bytes(picture(200, 100))
    await page.get_by_label("File of the logo").set_input_files(logo)
    await expect(page.get_by_alt_text("The logo as it is")).to_be_visible()
    await asyncio.sleep(KNOWN_SECONDS)

    shop = await open_page()
    await shop.goto("/")
    await expect(shop.get_by_role("link", name="Lantern Hall, home")).to_be_visible()
    await expect(shop.locator(".shop-logo-picture")).to_be_visible()
    foot = shop.get_by_role("contentinfo")
    await expect(foot.get_by_text("10999 Berlin")).to_be_visible()
    await expect(foot.get_by_role("link", name="Imprint")).to_have_attribute(
        "href", "https://lantern.example/imprint"
    )
    await foot.get_by_role("link", name="Terms").click()
    await expect(shop.get_by_role("heading", name="Scope")).to_be_visible()
    await expect(shop).to_have_title("Terms · Lantern Hall")
    await check_accessible(shop)


async def test_a_colour_that_nobody_can_read_is_mended_by_one_click(
    open_page: OpenPage, office: Office
) -> None:
    page = await open_page()
    await log_in(page, office, PATH)
    await page.get_by_label("Colour of buttons and links").fill("#ffcc00")
    await save(page)
    await page.get_by_role("button", name="the nearest that can be read").click()
    await save(page)
    await saved(page)
    shop = await open_page(color_scheme="dark")
    await shop.goto("/")
    colour = "getComputedStyle(document.documentElement).getPropertyValue('--accent')"
    await shop.get_by_role("heading", level=1).wait_for(state="attached")
    colours = office.call("GET", "/v1/merchant")["accent_colours"]
    await until_equal(lambda: shop.evaluate(colour), colours["dark"]["accent"])  # type: ignore[index]
    await check_accessible(shop)


async def test_what_somebody_else_changed_is_not_written_over(
    open_page: OpenPage, office: Office
) -> None:
    page = await open_page()
    await log_in(page, office, PATH)
    await page.get_by_label("Phone").fill("+49 30 1")
    office.call("PATCH", "/v1/merchant", {"name": "Theirs"})
    await save(page)
    await page.get_by_role("button", name="Load the settings anew").click()
    await expect(page.get_by_label("Name of the shop")).to_have_value("Theirs")
    assert office.call("GET", "/v1/merchant")["phone"] is None


async def test_a_drawing_is_no_logo(open_page: OpenPage, office: Office, tmp_path: Path) -> None:
    drawing = tmp_path / "logo.png"
    drawing.write_bytes(SVG)
    page = await open_page()
    await log_in(page, office, PATH)
    await page.get_by_label("File of the logo").set_input_files(drawing)
    await expect(page.get_by_role("alert")).to_be_visible()
    assert office.call("GET", "/v1/merchant")["logo"] is None


async def test_a_shop_of_one_language_has_no_other(open_page: OpenPage, office: Office) -> None:
    change_merchant(office, languages=["de"])
    page = await open_page(locale="ar-EG")
    await page.goto("/bookings")
    await expect(page.locator("html")).to_have_attribute("dir", "ltr")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Meine Buchungen")
    await expect(page.locator(".locale-switch")).to_have_count(0)
