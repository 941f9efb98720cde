"""What a room's names are called in other languages: typed in the editor, taken back and done
again, kept in the file, and read in the shop by who reads German.
"""

from __future__ import annotations

import json
from typing import cast

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.shop import make_show
from tests.browser.test_editor import enter, exported, open_editor, open_file

PLAN: Json = {
    "type": "seats",
    "stage": {"label": "Stage", "width": 12, "height": 3},
    "categories": [{"name": "gold", "price": 4500, "color": "#a67c00"}, {"name": "side"}],
    "sections": [
        {"name": "Stalls", "rows": [{"name": "A", "seats": 10}], "category": "gold"},
        {"name": "Hall", "rows": [{"name": "A", "seats": 4}], "category": "side", "prefix": "H-"},
    ],
    "pools": [{"unit": "Standing room", "capacity": 80, "category": "side"}],
    "shapes": [{"kind": "text", "text": "Bar", "x": 4, "y": 20}],
    "translations": [{"language": "de", "words": {"Bar": "Theke"}}],
}


async def open_panel(page: Page, name: str = "Translations") -> Locator:
    await page.get_by_role("tab", name=name).click()
    return page.get_by_role("tabpanel")


def words(plan: Json) -> dict[str, Json]:
    translations = cast("list[Json]", plan["translations"])
    return {str(one["language"]): cast("Json", one["words"]) for one in translations}


async def test_a_translation_is_typed_saved_and_read_in_the_shop(
    page: Page, open_page: OpenPage, office: Office
) -> None:
    show = make_show(office, plan=PLAN)
    await open_editor(page, office, f"?resource={show}")
    panel = await open_panel(page)
    await expect(panel.get_by_label("Language")).to_have_value("de")
    await expect(panel.get_by_label("Bar (Deutsch)")).to_have_value("Theke")
    typed = {"Stalls": "Parkett", "gold": "Goldene Plätze", "Standing room": "Stehplätze"}
    for text, word in typed.items():
        await panel.get_by_label(f"{text} (Deutsch)").fill(word)
    # Typed anew, a section and a category take their translations along.
    await page.get_by_role("tab", name="Categories").click()
    await page.get_by_role("tabpanel").get_by_label("Name").first.fill("golden")
    await page.get_by_role("tab", name="Outline").click()
    await page.get_by_role("treeitem", name="Stalls").click()
    await page.locator("#editor-inspector").get_by_label("Name").fill("Ground floor")
    await page.get_by_role("button", name="Save", exact=True).click()
    dialog = page.locator("dialog[open]")
    await dialog.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("is saved.")).to_be_visible()
    plan = cast("Json", office.call("GET", f"/v1/resources/{show}")["plan"])
    kept = {"Ground floor": "Parkett", "golden": "Goldene Plätze", "Standing room": "Stehplätze"}
    assert words(plan) == {"de": {**kept, "Bar": "Theke"}}

    guest = await open_page(f"/shows/{show}", locale="de-DE")
    seats = guest.locator("bespeak-seatmap")
    await expect(seats.get_by_text("Goldene Plätze").first).to_be_visible()
    await seats.get_by_role("button", name="Liste").click()
    await expect(seats.get_by_text("Parkett").first).to_be_visible()
    await expect(seats.get_by_text("Ground floor")).to_have_count(0)


async def test_undo_and_the_file_have_the_translations(page: Page, office: Office) -> None:
    await open_editor(page, office)
    await open_file(page, "hall.json", json.dumps(PLAN))
    assert json.dumps(await exported(page)) == json.dumps(PLAN)
    panel = await open_panel(page)
    hall = panel.get_by_label("Hall (Deutsch)")
    await hall.press_sequentially("Saal")
    await panel.get_by_label("Stage (Deutsch)").fill("Bühne")
    await page.get_by_role("button", name="Undo").click()
    await expect(panel.get_by_label("Stage (Deutsch)")).to_have_value("")
    await page.get_by_role("button", name="Undo").click()
    await expect(hall).to_have_value("")
    assert json.dumps(await exported(page)) == json.dumps(PLAN)
    await page.get_by_role("button", name="Redo").click()
    await expect(hall).to_have_value("Saal")
    made = await exported(page)
    assert words(made) == {"de": {"Bar": "Theke", "Hall": "Saal"}}
    await open_file(page, "again.json", json.dumps(made))
    assert await exported(page) == made


async def test_another_language_is_added_by_its_tag_with_the_keys_alone(
    page: Page, office: Office
) -> None:
    await open_editor(page, office)
    await open_file(page, "hall.json", json.dumps(PLAN))
    panel = await open_panel(page)
    await panel.get_by_label("Language").select_option(label="Another language")
    tag = panel.get_by_label("Language tag")
    await tag.fill("pt_BR")
    await tag.press("Enter")
    await expect(panel.get_by_role("alert")).to_contain_text("Enter a language tag")
    await check_accessible(page)
    await tag.fill("pt-BR")
    await tag.press("Enter")
    field = panel.get_by_label("Hall (Brazilian Portuguese)")
    await expect(field).to_have_attribute("lang", "pt-BR")
    await field.fill("Salão")
    await check_accessible(page)
    assert words(await exported(page))["pt-BR"] == {"Hall": "Salão"}


@pytest.mark.parametrize(
    ("language", "tab", "field"),
    [("en-GB", "Translations", "Hall (Deutsch)"), ("ar-EG", "الترجمات", "Hall (Deutsch)")],
)
async def test_the_translations_fit_on_a_phone(
    open_page: OpenPage, office: Office, language: str, tab: str, field: str
) -> None:
    show = make_show(office, plan=PLAN)
    page = await open_page(phone=True, locale=language)
    await enter(page, office, f"/console/editor?resource={show}")
    await page.get_by_role("application").wait_for()
    await page.locator(".editor-side-switch").click()
    panel = await open_panel(page, tab)
    await panel.get_by_label(field).fill("Saal")
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    await check_accessible(page)
