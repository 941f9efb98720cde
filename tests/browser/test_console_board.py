"""The board of a house: who is in its rooms; a room is blocked by keyboard and let go again."""

from __future__ import annotations

from typing import cast

from playwright.async_api import expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.operating import log_in
from tests.browser.screens import PHONE, fits, resize
from tests.browser.stays import day_on, make_listing, make_property, make_town

ROOMS: Json = {"type": "nights", "rooms": ["Heron", "Otter"]}


def book(office: Office, listing: str, room: str) -> str:
    """A booking from tomorrow for two nights; its id."""
    line = {"resource_id": listing, "unit": room, "from": day_on(1), "to": day_on(3)}
    hold = office.call("POST", "/v1/holds", {"owner": "mira", "lines": [line]}, key="sk")
    contact = {"name": "Mira Falk", "email": "mira@example.com"}
    body = {"hold_id": hold["id"], "contact": contact}
    return str(office.call("POST", "/v1/bookings", body, key="sk")["id"])


async def test_a_house_is_looked_at_and_a_room_blocked(open_page: OpenPage, office: Office) -> None:
    house = make_property(office, make_town())
    listing = make_listing(office, house, "Double", plan=ROOMS, payment="at_venue")
    make_listing(office, house, "Bunk", payment="at_venue")
    booking = book(office, listing, "Otter")
    page = await open_page()
    path = f"/console/stays/board?property={house}&from={day_on(1)}"
    await log_in(page, office, path)
    chart = page.get_by_role("table")
    bar = chart.get_by_role("link", name="Mira Falk")
    await expect(bar).to_have_attribute("href", f"/console/bookings/{booking}")
    await expect(page.get_by_role("heading", name="Arrivals (1)")).to_be_visible()
    await resize(page, PHONE)
    # The chart scrolls sideways, not the page.
    await fits(page, PHONE)
    await check_accessible(page)
    await chart.get_by_role("row", name="Heron").get_by_role("button").first.focus()
    await page.keyboard.press("Enter")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="Block", exact=True).click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("textbox", name="Reason").fill("New bath")
    await dialog.get_by_role("button", name="Block", exact=True).click()
    block = chart.get_by_role("button", name="New bath")
    await expect(block).to_be_visible()
    await expect(block.locator("xpath=ancestor::td")).to_have_attribute("colspan", "2")
    await check_accessible(page)
    await block.click()
    await page.get_by_role("dialog").get_by_role("button", name="Lift the block").click()
    await expect(block).to_have_count(0)


async def test_a_guest_is_moved_by_keyboard_and_by_dragging(
    open_page: OpenPage, office: Office
) -> None:
    house = make_property(office, make_town())
    listing = make_listing(office, house, "Double", plan=ROOMS, payment="at_venue")
    booking = book(office, listing, "Otter")
    page = await open_page()
    await log_in(page, office, f"/console/stays/board?property={house}&from={day_on(1)}")
    chart = page.get_by_role("table")
    heron = chart.get_by_role("row", name="Heron")
    otter = chart.get_by_role("row", name="Otter")
    await otter.get_by_role("button", name="Move Mira Falk to another room").focus()
    await page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("combobox", name="To room").select_option("Heron")
    await check_accessible(page)
    await dialog.get_by_role("button", name="Move", exact=True).click()
    await expect(heron.get_by_role("link", name="Mira Falk")).to_be_visible()
    await expect(dialog).to_have_count(0)
    await check_accessible(page)

    bar = heron.locator(".board-bar")
    await bar.drag_to(otter.get_by_role("rowheader"), source_position={"x": 8, "y": 8})
    await expect(dialog.get_by_role("combobox", name="To room")).to_have_value("Otter")
    # Somebody takes it meanwhile: the dialog says so, and the guest stays.
    line = {"resource_id": listing, "unit": "Otter", "from": day_on(2), "to": day_on(4)}
    hold = office.call("POST", "/v1/holds", {"owner": "ben", "lines": [line]}, key="sk")
    await dialog.get_by_role("button", name="Move", exact=True).click()
    await expect(dialog.get_by_role("alert")).to_be_visible()
    assert "Heron" in str(office.call("GET", f"/v1/bookings/{booking}", key="sk")["lines"])
    office.call("DELETE", f"/v1/holds/{hold['id']}", key="sk")
    await dialog.get_by_role("button", name="Move", exact=True).click()
    await expect(otter.get_by_role("link", name="Mira Falk")).to_be_visible()
    await expect(dialog).to_have_count(0)

    await resize(page, PHONE)
    await fits(page, PHONE)  # what was moved is still being read anew
    await check_accessible(page)


async def test_a_guest_is_moved_for_one_night_and_not_written_to(
    open_page: OpenPage, office: Office
) -> None:
    house = make_property(office, make_town())
    listing = make_listing(office, house, "Double", plan=ROOMS, payment="at_venue")
    booking = book(office, listing, "Otter")
    page = await open_page()
    await log_in(page, office, f"/console/stays/board?property={house}&from={day_on(1)}")
    chart = page.get_by_role("table")
    heron = chart.get_by_role("row", name="Heron")
    otter = chart.get_by_role("row", name="Otter")
    dialog = page.get_by_role("dialog")
    await otter.get_by_role("button", name="Move Mira Falk to another room").click()
    await dialog.get_by_role("combobox", name="To room").select_option("Heron")
    await dialog.get_by_label("From the night of").fill(day_on(3))
    await expect(dialog.get_by_role("button", name="Move", exact=True)).to_be_disabled()
    await dialog.get_by_label("From the night of").fill(day_on(2))
    await dialog.get_by_label("Write to the guest").uncheck()
    await check_accessible(page)
    await dialog.get_by_role("button", name="Move", exact=True).click()
    await expect(dialog).to_have_count(0)
    await expect(heron.get_by_role("link", name="Mira Falk")).to_be_visible()
    await expect(otter.get_by_role("link", name="Mira Falk")).to_be_visible()
    lines = office.call("GET", f"/v1/bookings/{booking}", key="sk")["lines"]
    (line,) = cast("list[dict[str, object]]", lines)
    assert (line["unit"], line["later"]) == ("Otter", [{"unit": "Heron", "from": day_on(2)}])
    await check_accessible(page)
