"""Stays without code: from no house to a published room with a price for weekends that guests see
in the shop, and what a form says before it is sent and after it was refused.
"""

from __future__ import annotations

import uuid
from base64 import b64decode
from typing import cast

import pytest
from playwright.async_api import FilePayload, Page, Response, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.operating import idle, log_in
from tests.browser.screens import PHONE, resize
from tests.browser.stays import LAT, LON, ZONE, make_listing, make_property, make_town
from tests.http.programmes import drawn

PATH = "/console/stays"


async def press(page: Page, name: str) -> None:
    await page.get_by_role("button", name=name, exact=True).click()


async def make_house(page: Page, name: str) -> None:
    """From the list to a property; what is missing is said first."""
    await page.get_by_role("link", name="New property").click()
    await press(page, "Add the property")
    await expect(page.get_by_text("A property needs a name.")).to_be_visible()
    await expect(page.get_by_text("A number from -90 to 90.")).to_be_visible()
    await page.get_by_label("Name", exact=True).fill(name)
    await page.get_by_label("Kind").select_option("guesthouse")
    await page.get_by_label("Town", exact=True).fill("Sellin")
    await page.get_by_label("Latitude").fill(str(LAT).replace(".", ","))
    await page.get_by_label("Longitude").fill(str(LON))
    await page.get_by_label("Time zone").fill(ZONE)
    await page.get_by_label("Sauna").check()
    await check_accessible(page)
    await press(page, "Add the property")
    await expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()


async def make_room(page: Page) -> None:
    """A listing of two rooms by name, dearer at weekends and for two nights then."""
    await page.get_by_role("link", name="Add the first listing").click()
    await press(page, "Make the listing")
    await expect(page.get_by_text("A listing needs a name.")).to_be_visible()
    await page.get_by_label("Name", exact=True).fill("Double room")
    await page.get_by_label("Rooms by their names").check()
    await page.get_by_label("Names of the rooms").fill("Heron\nOtter")
    await page.get_by_label("Double", exact=True).fill("1")
    await page.get_by_label("Currency").fill("EUR")
    await page.get_by_label("Price of a night (EUR)").fill("80")
    await page.get_by_label("How it is paid").select_option("at_venue")
    await press(page, "Add a rule")
    rule = page.get_by_role("group", name="Rule 1")
    await press(page, "Make the listing")
    await expect(rule.get_by_text("Say what is so in these nights")).to_be_visible()
    await rule.get_by_label("Price of a night (EUR)").fill("95,50")
    await rule.get_by_label("Friday").check()
    await rule.get_by_label("Saturday").check()
    await check_accessible(page)
    await press(page, "Make the listing")
    await expect(page.get_by_role("heading", level=1, name="Double room")).to_be_visible()


async def test_a_room_comes_from_the_console_into_the_shop(
    open_page: OpenPage, office: Office
) -> None:
    page, name = await open_page(), f"Haus am Kliff {uuid.uuid4().hex[:6]}"
    await log_in(page, office, PATH)
    await make_house(page, name)
    await make_room(page)
    listing = page.url.rsplit("/", 1)[-1]
    made = office.call("GET", f"/v1/listings/{listing}")
    plan = made["plan"]
    assert isinstance(plan, dict)
    assert plan["rooms"] == ["Heron", "Otter"]
    assert plan["rules"] == [{"days": ["fri", "sat"], "price": 9550}]
    assert made["beds"] == [{"kind": "double", "count": 1}]
    await page.get_by_role("button", name="Publish", exact=True).click()
    await page.get_by_role("dialog").get_by_role("button", name="Publish", exact=True).click()
    await page.get_by_role("link", name="See it in the shop").click()
    await expect(page.get_by_role("heading", level=1, name="Double room")).to_be_visible()
    await expect(page.get_by_text(name).first).to_be_visible()
    await expect(page.get_by_text("€95.50").first).to_be_visible()


async def test_what_is_changed_is_sent_and_nothing_else(
    open_page: OpenPage, office: Office
) -> None:
    house = make_property(office, make_town(), ref=f"house-{uuid.uuid4().hex[:6]}")
    plan = {"type": "nights", "count": 4, "cutoff_hours": 24, "window_days": 200}
    listing = make_listing(office, house, "Bunk", plan=plan)
    page = await open_page()
    await log_in(page, office, f"{PATH}/listings/{listing}")
    await expect(page.get_by_label("How many")).to_have_value("4")
    await press(page, "Save")
    await expect(page.get_by_text("Nothing was changed")).to_be_visible()
    await page.get_by_label("How many").fill("5")
    await page.get_by_label("Shortest stay, in nights").fill("2")
    await press(page, "Save")
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    changed = office.call("GET", f"/v1/listings/{listing}")["plan"]
    assert isinstance(changed, dict)
    assert {**plan, "count": 5, "min_nights": 2}.items() <= changed.items()
    # A reference that another house has is refused, and what was typed stays.
    taken = make_property(office, make_town(), ref=f"taken-{uuid.uuid4().hex[:6]}")
    reference = str(office.call("GET", f"/v1/stays/properties/{taken}")["ref"])
    await page.goto(f"{PATH}/{house}")
    await page.get_by_label("Reference").fill(reference)
    await press(page, "Save")
    await expect(page.get_by_role("alert")).to_be_visible()
    await expect(page.get_by_label("Reference")).to_have_value(reference)


async def save_picture(page: Page) -> None:
    """The page reads its listing again then, under the open form."""
    picture: FilePayload = {
        "name": "a.png",
        "mimeType": "image/png",
        "buffer": b64decode(drawn(600, 400)),
    }
    await page.get_by_label("Picture files").set_input_files(picture)
    await expect(page.get_by_role("group", name="Picture 1", exact=True)).to_be_visible()
    await idle(page.get_by_role("button", name="Save the pictures"))
    saved = False

    def is_read_after(reply: Response) -> bool:
        nonlocal saved
        saved = saved or is_saved(reply)
        return saved and "/v1/listings/" in reply.url and reply.request.method == "GET"

    async with page.expect_response(is_read_after):
        await press(page, "Save the pictures")


def is_saved(reply: Response) -> bool:
    return reply.request.method == "PATCH" and reply.ok


async def test_what_others_saved_meanwhile_is_not_taken_back(
    open_page: OpenPage, office: Office
) -> None:
    """What only they changed is kept; where both changed the same, one is told before."""
    house = make_property(office, make_town())
    listing = make_listing(office, house, "Bunk", plan={"type": "nights", "count": 4})
    path = f"/v1/listings/{listing}"
    page = await open_page()
    await log_in(page, office, f"{PATH}/listings/{listing}")
    summary = page.get_by_label("Summary", exact=True)
    await summary.fill("Mine")
    office.call("PATCH", path, {"description": "Theirs", "square_metres": 21})
    await save_picture(page)
    # The pictures are said to be saved in the same words.
    async with page.expect_response(is_saved):
        await press(page, "Save")
    after = office.call("GET", path)
    assert (after["summary"], after["description"]) == ("Mine", "Theirs")
    assert after["square_metres"] == 21
    # The form has theirs as well now, else it would take that back the next time.
    await expect(page.get_by_label("Description", exact=True)).to_have_value("Theirs")

    office.call("PATCH", path, {"summary": "Theirs", "square_metres": 22})
    await summary.fill("Mine again")
    await press(page, "Save")
    await expect(page.get_by_role("button", name="Load theirs")).to_be_visible()
    await check_accessible(page)
    assert office.call("GET", path)["summary"] == "Theirs"
    async with page.expect_response(is_saved):
        await press(page, "Save")
    await expect(summary).to_have_value("Mine again")
    after = office.call("GET", path)
    assert (after["summary"], after["square_metres"]) == ("Mine again", 22)
    await idle(page.get_by_role("button", name="Save", exact=True))

    office.call("PATCH", path, {"summary": "Theirs at last"})
    await summary.fill("Mine no more")
    await press(page, "Save")
    await press(page, "Load theirs")
    await expect(summary).to_have_value("Theirs at last")


async def test_rates_are_said_in_the_form_and_read_by_the_api(
    open_page: OpenPage, office: Office
) -> None:
    house = make_property(office, make_town())
    listing = make_listing(office, house, "Double room", guests=3)
    page = await open_page()
    await log_in(page, office, f"{PATH}/listings/{listing}")
    await press(page, "Add a rate")
    first = page.get_by_role("group", name="Rate 1")
    await first.get_by_label("Name of the rate").fill("Saver")
    await first.get_by_label("Price of a night changes by").fill("-10")
    await first.get_by_label("A cancellation gives back").uncheck()
    await press(page, "Add a rate")
    second = page.get_by_role("group", name="Rate 2")
    await second.get_by_label("Included meals").select_option("breakfast")
    await second.get_by_label("For each guest and night").fill("14,50")
    await press(page, "Add a discount")
    await press(page, "Save")
    # What is missing is said at its field, before anything is sent.
    await expect(first.get_by_text("First say under Price and rules")).to_be_visible()
    await expect(second.get_by_text("Each needs a name of its own.")).to_be_visible()
    await expect(page.get_by_text("Say for which stays it is")).to_be_visible()
    await check_accessible(page)
    await second.get_by_label("Name of the rate").fill("With breakfast")
    discount = page.get_by_role("group", name="Discount 1")
    await discount.get_by_label("Name of the discount").fill("A week")
    await discount.get_by_label("Takes off").fill("7,5")
    await discount.get_by_label("Shortest stay").fill("7")
    await page.get_by_label("Full refund until some days before").check()
    await press(page, "Add a tax for each guest and night")
    await page.get_by_label("Name of the tax").fill("City tax")
    await page.get_by_role("group", name="Taxes").get_by_label("For each guest").fill("2.50")
    await press(page, "Save")
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    told = office.call("GET", f"/v1/listings/{listing}")
    plan, pricing = cast("Json", told["plan"]), cast("Json", told["pricing"])
    assert plan["rates"] == [
        {"name": "Saver", "basis_points": -1000},
        {"name": "With breakfast", "meals": "breakfast", "guest_amount": 1450},
    ]
    assert plan["discounts"] == [{"name": "A week", "basis_points": 750, "min_nights": 7}]
    assert pricing["taxes"] == [{"name": "City tax", "guest_night": 250}]
    assert cast("Json", pricing["cancellation"])["overrides"] == [
        {"rates": ["Saver"], "refundable": False}
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_the_pages_are_for_everybody_on_a_phone(
    open_page: OpenPage, office: Office, theme: str
) -> None:
    house = make_property(office, make_town())
    listing = make_listing(office, house, "Double")
    page = await open_page()
    await page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    await resize(page, PHONE)
    await log_in(page, office, PATH)
    for path in ("", "/new", f"/{house}", f"/{house}/new-listing", f"/listings/{listing}"):
        await page.goto(PATH + path)
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await expect(page.locator("form").first).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") == 390, path
        await check_accessible(page)
