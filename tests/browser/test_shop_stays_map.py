"""The map of the search of stays: prices where the places are, moved by hand and by keys, with the
list following it, and a list that is there without it.
"""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.stays import (
    LAT,
    LON,
    ZONE,
    await_found,
    make_listing,
    make_property,
    make_town,
)
from tests.browser.until import until

BERLIN = {"timezone_id": ZONE}
WIDE = {"viewport": {"width": 1280, "height": 900}}
# So far apart that they have markers of their own, and lie in one circle.
AWAY = 0.06
SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>'


def lat_of(town: str) -> float:
    return LAT - int(town.rsplit(maxsplit=1)[-1])


def town_of_three(office: Office, price: int = 8000) -> str:
    """A hotel with two listings in the west, a cabin in the east."""
    town = make_town()
    hotel = make_property(office, town, name="Westhof", lon=LON - AWAY)
    make_listing(office, hotel, "Double room", price=price)
    make_listing(office, hotel, "Suite", price=20000, guests=4)
    cabin = make_property(office, town, name="Osthaus", kind="cabin", lon=LON + AWAY)
    make_listing(office, cabin, "The cabin", price=15000)
    await_found(office, town, 3)
    return town


def near(town: str) -> str:
    """The search around the middle of a town."""
    return f"/stays?lat={lat_of(town):.4f}&lon={LON}"


def cards(page: Page) -> Locator:
    return page.locator(".stays-card h3")


def pin(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(name))


async def x_of(one: Locator) -> float:
    box = await one.bounding_box()
    assert box is not None
    return box["x"]


async def is_left_by(one: Locator, before: float, pixels: int) -> bool:
    """Whether it is so many pixels to the left of where it was."""
    return abs(before - await x_of(one) - pixels) < 1


async def settled(page: Page) -> None:
    await expect(page.locator(".stays-map .stays-pin").first).to_be_visible()
    await expect(page.locator(".skeleton")).to_have_count(0)


async def test_the_map_has_prices_where_the_places_are(open_page: OpenPage, office: Office) -> None:
    town = town_of_three(office)
    page = await open_page(near(town), **BERLIN, **WIDE)
    await settled(page)
    west, east = pin(page, "Westhof"), pin(page, "Osthaus")
    await expect(west).to_have_text("€80")
    await expect(east).to_have_text("€150")
    left, right = await west.bounding_box(), await east.bounding_box()
    assert left is not None
    assert right is not None
    assert right["x"] - left["x"] > 60
    await expect(page.locator(".stays-map-town")).to_contain_text([town])
    await check_accessible(page)
    await west.click()
    card = page.get_by_role("region", name="Westhof")
    await expect(card).to_contain_text("and 1 more here")
    link = card.get_by_role("link", name="Double room")
    await expect(link).to_be_focused()
    await check_accessible(page)
    await page.keyboard.press("Escape")
    await expect(west).to_be_focused()
    await west.press("Enter")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/stays/res_*")


async def test_the_list_follows_the_map_and_the_address_both(
    open_page: OpenPage, office: Office
) -> None:
    town = town_of_three(office)
    page = await open_page(near(town), **BERLIN, **WIDE)
    await settled(page)
    await expect(cards(page)).to_have_count(3)
    ground = page.get_by_role("application", name="Map of places to stay")
    frame = await ground.bounding_box()
    assert frame is not None
    middle = (frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2)
    await page.mouse.move(*middle)
    await page.mouse.down()
    await page.mouse.move(middle[0] - 200, middle[1], steps=4)
    await page.mouse.up()
    await expect(page).to_have_url(re.compile(r"box="))
    await expect(cards(page)).to_have_text(["The cabin"])
    await page.reload()
    await expect(cards(page)).to_have_text(["The cabin"])
    await settled(page)
    await expect(pin(page, "Westhof")).to_have_count(0)
    # Without following, the list waits until it is told.
    await page.get_by_label("Search as I move the map").uncheck()
    await ground.focus()
    await page.keyboard.press("-")
    await expect(pin(page, "Westhof")).to_be_visible()
    await expect(cards(page)).to_have_text(["The cabin"])
    await page.get_by_role("button", name="Search here").click()
    await expect(cards(page)).to_have_count(3)


async def test_keys_move_the_map_and_a_number_brings_nearer(
    open_page: OpenPage, office: Office
) -> None:
    # No other town has this price.
    town = town_of_three(office, price=7700)
    lat = lat_of(town)
    far = f"{LON - 1:.2f},{lat - 0.4:.2f},{LON + 1:.2f},{lat + 0.4:.2f}"
    page = await open_page(f"/stays?box={far}", **BERLIN, **WIDE)
    await settled(page)
    many = pin(page, "^3 places from €77 a night")
    await expect(many).to_have_text("3")
    await many.press("Enter")
    west = pin(page, "Westhof")
    await expect(west).to_be_visible()
    ground = page.get_by_role("application", name="Map of places to stay")
    # Its button has gone: keys go on with the map.
    await expect(ground).to_be_focused()
    before, address = await x_of(west), page.url
    await page.keyboard.press("ArrowRight")
    await until(lambda: is_left_by(west, before, 80), "80 pixels by a key")
    # The map was moved by it, and stays where it is when it has asked for what is there.
    await expect(page).not_to_have_url(address)
    assert await is_left_by(west, before, 80)
    address = page.url
    await page.get_by_role("button", name="Zoom out").click()
    await expect(page).not_to_have_url(address)


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_on_a_phone_one_has_the_list_or_the_map(
    open_page: OpenPage, office: Office, *, scheme: str
) -> None:
    town = town_of_three(office)
    page = await open_page(phone=True, color_scheme=scheme, **BERLIN)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.goto(near(town))
    await expect(cards(page)).to_have_count(3)
    await page.wait_for_load_state("networkidle")
    # Who looks at the list does not pay for the map.
    assert not [url for url in asked if "ResultsMap" in url or "world" in url or "/map" in url]
    await page.get_by_role("button", name="Map", exact=True).click()
    await settled(page)
    await expect(cards(page).first).to_be_hidden()
    await expect(page).to_have_url(re.compile("view=map"))
    await check_accessible(page)
    await pin(page, "Osthaus").click()
    await expect(page.get_by_role("link", name="The cabin")).to_be_visible()
    await check_accessible(page)
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    await page.get_by_role("button", name="List", exact=True).click()
    await expect(cards(page).first).to_be_visible()


async def test_without_the_map_the_list_is_there_and_the_page_says_so(
    open_page: OpenPage, office: Office
) -> None:
    town = town_of_three(office)
    page = await open_page("/", **BERLIN, **WIDE)
    await page.route("**/assets/world-*", lambda route: route.fulfill(status=404))
    await page.goto(near(town))
    await settled(page)
    await expect(page.get_by_text("Without the outline of the land")).to_be_visible()
    await page.route("**/assets/ResultsMap-*.js", lambda route: route.fulfill(status=404))
    await page.reload()
    await expect(page.get_by_text("The map cannot be shown.")).to_be_visible()
    await expect(cards(page)).to_have_count(3)


async def test_the_operators_own_map_lies_under_the_prices(
    open_page: OpenPage, office: Office
) -> None:
    town = town_of_three(office)
    page = await open_page(**BERLIN, **WIDE)
    asked: list[str] = []

    async def with_tiles(route: Route) -> None:
        answer = await route.fetch()
        tiles = {"url": "/tiles/{z}/{x}/{y}", "credit": "Example maps"}
        await route.fulfill(response=answer, json=await answer.json() | {"map_tiles": tiles})

    async def tile(route: Route) -> None:
        asked.append(route.request.url.split("/tiles/")[1])
        if len(asked) == 1:  # one that does not come leaves the outline to be seen
            await route.fulfill(status=404)
        else:
            await route.fulfill(content_type="image/svg+xml", body=SQUARE)

    await page.route("**/v1/box-office/session", with_tiles)
    await page.route("**/tiles/**", tile)
    await page.goto(near(town))
    await settled(page)
    ground = page.get_by_role("application", name="Map of places to stay")
    frame = await ground.bounding_box()
    assert frame is not None
    tiles = page.locator(".stays-map-tiles img")
    await expect(tiles.last).to_have_js_property("complete", value=True)
    sides = [box["width"] for one in await tiles.all() if (box := await one.bounding_box())]
    assert len(sides) * sides[0] ** 2 >= frame["width"] * frame["height"]

    async def all_are_asked_for() -> bool:
        return len(set(asked)) == len(sides)

    await until(all_are_asked_for, f"{len(sides)} tiles are asked for")
    await expect(page.locator(".stays-map-foot small")).to_have_text("Example maps")
    await expect(page.locator(".stays-map-town")).to_have_count(0)
    await expect(pin(page, "Westhof")).to_have_text("€80")
    await check_accessible(page)
    await ground.focus()
    await page.keyboard.press("+")
    await expect(tiles.last).to_have_attribute(
        "src", re.compile(rf"/tiles/(?!{asked[0].split('/')[0]}/)")
    )
