"""Pictures of a listing: added, put in order and described in the console; in the shop the first
one is large, and the others are a key or a button away.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from typing import cast
from urllib.parse import quote

from playwright.async_api import FilePayload, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.operating import log_in
from tests.browser.screens import PHONE, resize
from tests.browser.stays import await_found, make_listing, make_property, make_town
from tests.http.programmes import drawn


def file_of(width: int) -> FilePayload:
    return {
        "name": f"{width}.png",
        "mimeType": "image/png",
        "buffer": b64decode(drawn(width, 400)),
    }


async def test_pictures_come_from_the_console_into_the_shop(
    open_page: OpenPage, office: Office
) -> None:
    house = make_property(office, make_town())
    listing = make_listing(office, house, "Double room")
    page = await open_page()
    await log_in(page, office, f"/console/stays/listings/{listing}")
    await page.get_by_label("Picture files").set_input_files([file_of(600), file_of(900)])
    second = page.get_by_role("group", name="Picture 2")
    await second.get_by_label("What is to be seen").fill("The sea from the window")
    await second.get_by_role("button", name="Earlier").click()
    await page.get_by_role("button", name="Save the pictures").click()
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    await check_accessible(page)
    shown = cast("list[Json]", office.call("GET", f"/v1/listings/{listing}")["pictures"])
    assert [one["width"] for one in shown] == [900, 600]
    assert [one["description"] for one in shown] == ["The sea from the window", ""]
    await resize(page, PHONE)
    await page.goto(f"/stays/{listing}")
    large = page.get_by_role("img", name="The sea from the window")
    other = page.get_by_role("img", name="Picture 2 of 2")
    await expect(large).to_be_in_viewport(ratio=0.9)
    await expect(large).to_have_attribute("loading", "eager")
    await expect(other).to_have_attribute("loading", "lazy")
    await page.get_by_role("button", name="Next picture").click()
    await expect(other).to_be_in_viewport(ratio=0.9)
    await page.get_by_role("region", name="Pictures").focus()
    await page.keyboard.press("ArrowLeft")
    await expect(large).to_be_in_viewport(ratio=0.9)
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    await check_accessible(page)


async def test_the_first_picture_is_in_the_list_and_in_the_head_of_the_page(
    open_page: OpenPage, office: Office
) -> None:
    town = make_town()
    sent = office.call("POST", "/v1/stays/pictures", {"picture": drawn(900, 400)})
    shown = [{"id": sent["id"], "description": "The sea from the window"}]
    house = make_property(office, town, pictures=shown)
    listing = make_listing(office, house, "Double room")
    page = await open_page()
    await page.goto(f"/stays/{listing}")
    first = str(sent["path"])
    head = page.locator("head")
    picture = head.locator("meta[property='og:image']")
    await expect(picture).to_have_attribute("content", re.compile(f"{first}$"))
    said = json.loads(await head.locator("script[type='application/ld+json']").inner_text())
    assert (said["@type"], said["image"][0][-len(first) :]) == ("Hotel", first)
    await_found(office, town, 1)
    await page.goto(f"/stays?place={quote(town)}")
    card = page.get_by_role("article").get_by_role("img", name="The sea from the window")
    await expect(card).to_have_attribute("src", f"{first}?size=card")
    await expect(card).to_have_attribute("loading", "lazy")
    # What programs read of a page is gone with it.
    await expect(picture).to_have_count(0)
    await check_accessible(page)
