"""The seat map editor in the browser: a room is drawn, goes out and comes back as the same
document, and is sold. What a pointer does is also done with the keys alone.
"""

import json
import re
from pathlib import Path
from typing import cast

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office

# On a busy machine the next frame comes before what is new is drawn: here it always does.
FRAMES_AT_ONCE = """() => {
  window.requestAnimationFrame = (call) => { queueMicrotask(() => call(performance.now())); };
}"""
PLAN: Json = {
    "type": "seats",
    "stage": {"label": "Stage", "width": 12, "height": 3},
    "categories": [{"name": "gold", "price": 4500, "color": "#a67c00"}, {"name": "side"}],
    "sections": [
        {
            "name": "Stalls",
            "rows": [
                {"name": "A", "seats": 10, "without": [4], "accessible": [1]},
                {"name": "B", "list": [{"label": "1"}, {"label": "2a", "gap": True}]},
            ],
            "category": "gold",
            "curve": 30,
        },
        {
            "name": "Hall",
            "tables": [{"name": "T1", "seats": 6, "whole": True}],
            "category": "side",
            "prefix": "H-",
        },
    ],
    "pools": [{"unit": "floor", "capacity": 80, "category": "side"}],
    "shapes": [{"kind": "text", "text": "<b>Bar</b>", "x": 4, "y": 20}],
}


async def enter(page: Page, office: Office, path: str) -> None:
    """Logs in at the console and goes to a page of it."""
    await page.goto("/console")
    await page.locator("input[name=login]").fill(office.keys["ak"])  # in whatever language
    await page.keyboard.press("Enter")
    await page.get_by_role("navigation").first.wait_for()
    await page.goto(path)


async def open_editor(page: Page, office: Office, query: str = "") -> Locator:
    """The editor's canvas, ready."""
    await enter(page, office, f"/console/editor{query}")
    canvas = page.get_by_role("application", name="The room")
    await canvas.wait_for()
    return canvas


async def drag(
    page: Page, canvas: Locator, start: tuple[float, float], end: tuple[float, float]
) -> None:
    """Drags over the canvas; places are in its own pixels."""
    box = await canvas.bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + start[0], box["y"] + start[1])
    await page.mouse.down()
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    for x, y in (middle, end):
        await page.mouse.move(box["x"] + x, box["y"] + y)
    await page.mouse.up()


async def exported(page: Page) -> Json:
    """The document, as the download has it."""
    async with page.expect_download() as waiting:
        await page.get_by_role("button", name="Download as JSON").click()
    download = await waiting.value
    return _read(await download.path())


def _read(path: Path) -> Json:
    return cast("Json", json.loads(path.read_text()))


async def open_file(page: Page, name: str, text: str) -> None:
    await page.get_by_role("button", name="Open a file").first.click()
    await page.locator("dialog[open] input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": text.encode()}
    )


async def tool(page: Page, name: str) -> None:
    await page.get_by_role("toolbar", name="Tools").get_by_role("button", name=name).click()


async def open_palette(page: Page) -> None:
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("combobox", name="What do you want to do?")).to_be_focused()


async def draw_section(page: Page, canvas: Locator) -> None:
    """Draws a section of four rows of twelve, and bends it by its handle."""
    await tool(page, "Section of rows")
    await drag(page, canvas, (200, 250), (500, 340))
    inspector = page.locator("#editor-inspector")
    await expect(inspector.get_by_role("heading", level=2)).to_have_text("Section 1")
    await inspector.get_by_label("Seats a row").fill("12")
    await inspector.get_by_label("Rows", exact=True).fill("4")
    handle = page.locator(".editor-handle[data-kind=curve] .editor-handle-reach")
    box, frame = await handle.bounding_box(), await canvas.bounding_box()
    assert box is not None
    assert frame is not None
    at = (box["x"] + box["width"] / 2 - frame["x"], box["y"] + box["height"] / 2 - frame["y"])
    await drag(page, canvas, at, (at[0], at[1] - 40))
    await expect(inspector.get_by_label("Curve °")).not_to_have_value("0")


async def make_places(page: Page) -> None:
    """Makes the first seat of the first row a wheelchair place, and the second its companion's."""
    outline = page.get_by_role("tree", name="Everything in the room")
    await outline.get_by_role("treeitem").first.focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        await page.keyboard.press(key)
    inspector = page.locator("#editor-inspector")
    for field, text in (("Wheelchair places", "1"), ("Companions", "2:1")):
        await inspector.get_by_label(field).fill(text)
        await inspector.get_by_label(field).press("Enter")


async def test_a_room_is_drawn_goes_out_comes_back_and_is_sold(page: Page, office: Office) -> None:
    canvas = await open_editor(page, office)
    await draw_section(page, canvas)
    await make_places(page)
    await tool(page, "Standing area")
    await drag(page, canvas, (200, 520), (420, 640))
    inspector = page.locator("#editor-inspector")
    await expect(inspector.get_by_role("heading", level=2)).to_have_text("Standing")
    await inspector.get_by_label("How many people").fill("250")

    made = await exported(page)
    section = cast("list[Json]", made["sections"])[0]
    rows = cast("list[Json]", section["rows"])
    assert len(rows) == 4
    assert cast("float", section["curve"]) > 5
    places = {"accessible": [1], "companions": [{"seat": 2, "of": 1}]}
    assert rows[0] == {"name": "A", "seats": 12, **places}
    assert cast("list[Json]", made["pools"])[0]["capacity"] == 250
    await open_file(page, "room.json", json.dumps(made))
    await expect(page.get_by_role("heading", level=1)).to_have_text("room")
    assert await exported(page) == made

    await page.get_by_role("button", name="Save", exact=True).click()
    dialog = page.locator("dialog[open]")
    await dialog.get_by_label("Name").fill("Drawn room")
    await dialog.get_by_label("Starts at").fill("2020-02-01T20:00")
    await dialog.get_by_role("button", name="Make the draft").click()
    await expect(dialog.get_by_text("This time is over.")).to_be_visible()
    await dialog.get_by_label("Starts at").fill("")
    await dialog.get_by_role("button", name="Make the draft").click()
    await expect(dialog).to_contain_text("Drawn room is a draft")
    await expect(page).to_have_url(re.compile("resource=res_"))
    resource = page.url.split("=")[1]
    await publish_draft(page, office, resource)
    await check_sold(page, office, resource, section)


async def publish_draft(page: Page, office: Office, resource: str) -> None:
    """A draft sells nothing, must be paid, says what is missing, and is on sale once published."""
    draft = office.call("GET", f"/v1/resources/{resource}")
    kept = {name: draft[name] for name in ("published", "state", "payment")}
    assert kept == {"published": False, "state": "closed", "payment": "required"}
    await page.get_by_role("link", name="To its page").click()
    panel = page.locator(".console-draft")
    await expect(panel).to_contain_text("Nothing essential is missing")
    for gap in ("It has no date", "Its sale is closed", "what a cancellation gives back"):
        await expect(panel).to_contain_text(gap)
    await check_preview(page, resource)
    await check_accessible(page)
    await panel.get_by_role("button", name="Publish").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_label("Put it on sale at once")).to_be_checked()
    await dialog.get_by_role("button", name="Publish").click()
    await expect(panel).to_have_count(0)
    shown = office.call("GET", f"/v1/resources/{resource}")
    assert (shown["published"], shown["state"]) == (True, "open")


async def check_sold(page: Page, office: Office, resource: str, section: Json) -> None:
    """The engine has the room as it was drawn, and the shop's seat map shows it."""
    kept = cast("Json", office.call("GET", f"/v1/resources/{resource}", key="pk")["plan"])
    assert cast("list[Json]", kept["sections"])[0]["curve"] == section["curve"]
    free = office.call("GET", f"/v1/resources/{resource}/availability", key="pk")
    assert free["units_free"] == 48
    await page.goto(f"/shows/{resource}")
    await expect(page.locator("bespeak-seatmap")).to_be_visible()


async def check_preview(page: Page, resource: str) -> None:
    """Whoever has the link sees the draft, and finds nothing to buy, on its page or elsewhere."""
    await page.get_by_role("button", name="Make a preview link").click()
    href = await page.get_by_role("link", name="Open the preview").get_attribute("href")
    assert href is not None
    browser = page.context.browser
    assert browser is not None
    guest = await browser.new_page(base_url=href.split("/preview")[0], locale="en-GB")
    await guest.goto(href)
    await expect(guest.get_by_role("heading", level=1)).to_have_text("Drawn room")
    await expect(guest.get_by_text("This is a preview.")).to_be_visible()
    await expect(guest.locator("bespeak-seatmap")).to_be_visible()
    await expect(guest.get_by_role("button", name="Continue")).to_have_count(0)
    await check_accessible(guest)
    await guest.goto(f"/shows/{resource}")
    await expect(guest.locator("bespeak-seatmap")).to_have_count(0)
    await guest.close()


async def test_what_is_opened_and_not_changed_is_the_same_document(
    page: Page, office: Office
) -> None:
    await open_editor(page, office)
    text = json.dumps(PLAN, indent=1)
    await open_file(page, "hall.json", text)
    await expect(page.get_by_role("heading", level=1)).to_have_text("hall")
    again = await exported(page)
    assert json.dumps(again) == json.dumps(PLAN)
    assert list(again) == list(PLAN)


async def test_csv_comes_in_and_goes_out(page: Page, office: Office) -> None:
    await open_editor(page, office)
    text = (
        "section,row,seat,category,x,y,accessible,companion_of,price\n"
        "Stalls,A,1,gold,,,yes,,4500\nStalls,A,2,gold,,,,1,4500\n"
    )
    await open_file(page, "seats.csv", text)
    await expect(page.get_by_role("heading", level=1)).to_have_text("seats")
    await expect(page.locator(".editor-title")).to_contain_text("2 seats")
    await open_palette(page)
    await page.keyboard.type("download as csv")
    async with page.expect_download() as waiting:
        await page.keyboard.press("Enter")
    download = await waiting.value
    assert download.suggested_filename == "seats.csv"
    assert (await download.path()).read_text() == text


async def test_nonsense_is_refused_with_its_place(page: Page, office: Office) -> None:
    await open_editor(page, office)
    wrong = {"type": "seats", "sections": [{"name": "A", "rows": [{"name": "A", "chairs": 4}]}]}
    await open_file(page, "wrong.json", json.dumps(wrong))
    told = page.get_by_role("alert")
    await expect(told).to_contain_text("sections[0].rows[0].chairs")
    await expect(told).to_contain_text("does not know")
    await page.locator("dialog[open] input[type=file]").set_input_files(
        {
            "name": "seats.csv",
            "mimeType": "text/csv",
            "buffer": b"section,row,seat\nStalls,A,1\nStalls,A,1\n",
        }
    )
    await expect(told).to_contain_text("Line 3, column seat")
    await check_accessible(page)


async def test_the_keys_undo_redo_and_copy(page: Page, office: Office) -> None:
    await open_editor(page, office)
    await open_file(page, "hall.json", json.dumps(PLAN))
    count = page.locator(".editor-title")
    await expect(count).to_contain_text("12 seats")
    await page.get_by_role("treeitem", name="Stalls").click()
    await page.get_by_role("application").focus()
    await page.keyboard.press("Control+d")
    await expect(count).to_contain_text("23 seats")
    await page.keyboard.press("Control+z")
    await expect(count).to_contain_text("12 seats")
    await page.keyboard.press("Control+Shift+z")
    await expect(count).to_contain_text("23 seats")
    await page.keyboard.press("Delete")
    await expect(count).to_contain_text("12 seats")
    await page.keyboard.press("Control+a")
    await page.keyboard.press("Delete")
    await expect(count).to_contain_text("0 seats")
    for _ in range(3):
        await page.keyboard.press("Control+z")
    await expect(page.locator(".editor-header").get_by_text("Not saved")).to_be_visible()
    assert json.dumps(await exported(page)) == json.dumps(PLAN)


async def test_the_keyboard_alone_adds_and_names_a_section(page: Page, office: Office) -> None:
    canvas = await open_editor(page, office)
    await canvas.focus()
    await open_palette(page)
    await page.keyboard.type("add a section")
    await page.keyboard.press("Enter")
    name = page.locator("#editor-inspector").get_by_label("Name")
    await expect(name).to_be_focused()
    await page.keyboard.type("Gallery")
    await page.keyboard.press("Escape")
    await expect(canvas).to_be_focused()
    await expect(page.get_by_role("treeitem", name="Gallery")).to_be_visible()
    before = await exported(page)
    await canvas.focus()
    await page.keyboard.press("Shift+ArrowRight")
    await page.keyboard.press("ArrowDown")
    after = await exported(page)
    [one], [other] = (cast("list[Json]", made["sections"]) for made in (before, after))
    assert cast("float", other["x"]) - cast("float", one["x"]) == pytest.approx(1)
    assert cast("float", other["y"]) - cast("float", one["y"]) == pytest.approx(0.5)
    await canvas.focus()
    await page.keyboard.press("w")
    await expect(page.get_by_role("button", name="Wheelchair place")).to_have_attribute(
        "aria-pressed", "true"
    )


async def test_what_is_added_gets_the_focus_however_late_it_is_drawn(
    page: Page, office: Office
) -> None:
    canvas = await open_editor(page, office)
    await canvas.focus()
    await open_palette(page)
    await page.keyboard.type("add a section")
    await page.evaluate(FRAMES_AT_ONCE)
    await page.keyboard.press("Enter")
    await expect(page.locator("#editor-inspector").get_by_label("Name")).to_be_focused()


async def test_a_seat_is_erased_and_put_back_on_the_canvas(page: Page, office: Office) -> None:
    canvas = await open_editor(page, office)
    await tool(page, "Section of rows")
    await drag(page, canvas, (200, 300), (200 + 9 * 22, 300))
    count = page.locator(".editor-title")
    await expect(count).to_contain_text("10 seats")
    await page.get_by_role("button", name="Show all").click()
    await tool(page, "Erase seats")
    box = await canvas.bounding_box()
    assert box is not None
    # Ten seats in the middle: the place between the two middle ones is that of neither.
    at = {"x": box["width"] / 2 + 12, "y": box["height"] / 2}
    await canvas.click(position={"x": at["x"], "y": at["y"]})
    await expect(count).to_contain_text("9 seats")
    await canvas.click(position={"x": at["x"], "y": at["y"]})
    await expect(count).to_contain_text("10 seats")


async def test_a_room_is_opened_changed_and_saved_again(page: Page, office: Office) -> None:
    made = office.call(
        "POST", "/v1/resources", {"name": "To be changed", "plan": PLAN}, Idempotency_Key="editor-1"
    )
    await open_editor(page, office, f"?resource={made['id']}")
    await expect(page.get_by_role("heading", level=1)).to_have_text("To be changed")
    await page.get_by_role("treeitem", name="floor").click()
    await page.locator("#editor-inspector").get_by_label("How many people").fill("90")
    office.call("PATCH", f"/v1/resources/{made['id']}", {"name": "Changed by another"})
    await page.get_by_role("button", name="Save", exact=True).click()
    dialog = page.locator("dialog[open]")
    await dialog.get_by_role("button", name="Save", exact=True).click()
    await expect(dialog.get_by_role("alert")).to_contain_text("Somebody else has changed")
    await dialog.get_by_role("button", name="Save mine over it").click()
    await expect(page.get_by_text("Changed by another is saved.")).to_be_visible()
    plan = cast("Json", office.call("GET", f"/v1/resources/{made['id']}")["plan"])
    assert cast("list[Json]", plan["pools"])[0]["capacity"] == 90


async def test_seats_that_are_sold_are_not_drawn_away(page: Page, office: Office) -> None:
    made = office.call(
        "POST", "/v1/resources", {"name": "Half sold", "plan": PLAN}, Idempotency_Key="editor-2"
    )
    office.call(
        "POST",
        f"/v1/resources/{made['id']}/blocks",
        {"lines": [{"unit": "A7"}], "reason": "house"},
        Idempotency_Key="editor-3",
    )
    await open_editor(page, office, f"?resource={made['id']}")
    await page.get_by_role("treeitem", name="Stalls").click()
    await page.get_by_role("application").focus()
    await page.keyboard.press("Delete")
    await page.keyboard.press("Control+s")
    dialog = page.locator("dialog[open]")
    await dialog.get_by_role("button", name="Save", exact=True).click()
    await expect(dialog.get_by_role("alert")).to_contain_text("held or sold")
    await expect(dialog.get_by_role("alert")).to_contain_text("A7")


async def test_a_draft_survives_and_leaving_asks(page: Page, office: Office) -> None:
    await open_editor(page, office)
    await open_file(page, "hall.json", json.dumps(PLAN))
    await page.get_by_role("link", name="Back to the rooms").click()
    await expect(page.get_by_role("heading", name="Leave without saving?")).to_be_visible()
    await page.get_by_role("button", name="Stay here").click()
    page.on("dialog", lambda asked: asked.accept())
    await page.reload()
    await expect(page.get_by_role("heading", name="There is a draft")).to_be_visible()
    await check_accessible(page)
    await page.get_by_role("button", name="Go on with it").click()
    await page.get_by_role("application").wait_for()
    assert json.dumps(await exported(page)) == json.dumps(PLAN)


async def test_the_preview_is_the_map_of_the_shop(page: Page, office: Office) -> None:
    await open_editor(page, office)
    await open_file(page, "hall.json", json.dumps(PLAN))
    await page.get_by_role("button", name="Preview").click()
    seats = page.locator("dialog[open] bespeak-seatmap")
    await expect(seats).to_be_visible()
    await expect(seats.get_by_text("gold", exact=False).first).to_be_visible()
    await check_accessible(page)


async def test_problems_lead_to_where_they_are(page: Page, office: Office) -> None:
    rows = [{"name": "A", "seats": 3}]
    twice = {"type": "seats", "sections": [{"name": name, "rows": rows} for name in "XY"]}
    await open_editor(page, office)
    await open_file(page, "twice.json", json.dumps(twice))
    await page.get_by_role("tab", name="Problems").click()
    await page.get_by_role("button", name="is the name of another seat").click()
    inspector = page.locator("#editor-inspector")
    await expect(inspector.get_by_role("heading", level=2)).to_have_text("Row A")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("1 error must be put right first.")).to_be_visible()


@pytest.mark.parametrize("template", ["Cinema screen", "Theatre", "Arena", "Banquet", "Classroom"])
async def test_every_kind_of_room_is_one_that_the_engine_takes(
    page: Page, office: Office, template: str
) -> None:
    await open_editor(page, office, "?new")
    await page.get_by_text(template, exact=True).click()
    await page.get_by_role("button", name="Make the room").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(template)
    plan = await exported(page)
    made = office.call(
        "POST", "/v1/resources", {"name": template, "plan": plan}, Idempotency_Key=template
    )
    free = office.call("GET", f"/v1/resources/{made['id']}/availability", key="pk")
    told = await page.locator(".editor-title p").inner_text()
    assert told.replace(",", "").startswith(f"{free['units_free']} ")


async def test_the_editor_is_for_everybody(page: Page, office: Office) -> None:
    await enter(page, office, "/console/rooms")
    await page.get_by_role("heading", level=1, name="Rooms").wait_for()
    await page.locator(".rooms-card").first.wait_for()
    await check_accessible(page)
    await page.goto("/console/editor")
    await page.get_by_role("application").wait_for()
    await check_accessible(page)
    await open_file(page, "hall.json", json.dumps(PLAN))
    for item in ("Stalls", "floor", "Stage", "Bar"):
        await page.get_by_role("treeitem", name=item).click()
        await check_accessible(page)
    await page.get_by_role("tab", name="Categories").click()
    await check_accessible(page)
    await page.keyboard.press("Control+k")
    await check_accessible(page)


async def test_a_phone_shows_the_room_and_its_properties(
    open_page: OpenPage, office: Office
) -> None:
    page = await open_page(phone=True)
    await open_editor(page, office)
    await open_file(page, "hall.json", json.dumps(PLAN))
    width = await page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    await page.get_by_role("button", name="Properties").click()
    await page.get_by_role("treeitem", name="Stalls").click()
    name = page.locator("#editor-inspector").get_by_label("Name")
    await expect(name).to_have_value("Stalls")
    await name.fill("Parkett")
    await expect(page.get_by_role("treeitem", name="Parkett")).to_be_visible()
    await check_accessible(page)


@pytest.mark.parametrize("language", ["de-DE", "ar-EG"])
async def test_the_editor_speaks_other_languages(
    open_page: OpenPage, office: Office, language: str
) -> None:
    page = await open_page(locale=language)
    await enter(page, office, "/console/editor")
    await page.get_by_role("application").wait_for()
    direction = "rtl" if language == "ar-EG" else "ltr"
    await expect(page.locator("html")).to_have_attribute("dir", direction)
    await page.keyboard.press("Control+k")
    palette = page.locator("dialog[open]")
    await expect(palette.get_by_role("option").first).to_be_visible()
    assert "command." not in await palette.inner_text()
    await check_accessible(page)
