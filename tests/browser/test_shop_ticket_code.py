"""The code of a ticket, large: what is held before a scanner."""

from __future__ import annotations

import pytest
from playwright.async_api import FloatRect, Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.screens import PHONE, PHONE_ON_ITS_SIDE, resize
from tests.browser.shop import booked, hold, make_show, pay
from tests.browser.until import until_equal

# The screen of the test machine has nothing to keep awake: what is asked of it is written down.
AWAKE = """
    window.awake = [];
    Object.defineProperty(navigator, 'wakeLock', { value: { request: async (kind) => {
        window.awake.push(kind);
        return { release: async () => { window.awake.push('released'); } };
    } } });
"""


async def box_of(page: Page, selector: str) -> FloatRect:
    box = await page.locator(selector).bounding_box()
    assert box is not None
    return box


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_a_tap_shows_the_code_as_large_as_the_phone(
    open_page: OpenPage, office: Office, scheme: str
) -> None:
    show = make_show(office)
    page = await open_page(phone=True, color_scheme=scheme)
    await page.add_init_script(AWAKE)
    await hold(page, show, "A1", "A2")
    await pay(page)
    await booked(page)
    assert await page.evaluate("window.awake") == []
    label = await page.locator(".ticket-seat").nth(1).inner_text()
    small = page.get_by_role("button", name=f"Show the code large: {label}")
    await small.tap()
    dialog = page.get_by_role("dialog", name=label)
    code = dialog.get_by_role("img", name=f"Code of the ticket {label}")
    await expect(code).to_be_visible()
    await until_equal(lambda: page.evaluate("window.awake"), ["screen"])
    for screen in (PHONE, PHONE_ON_ITS_SIDE):
        await resize(page, screen)
        whole = await box_of(page, "dialog[open]")
        drawn = await box_of(page, ".ticket-large img")
        assert (whole["width"], whole["height"]) == (screen["width"], screen["height"])
        assert drawn["y"] + drawn["height"] <= screen["height"], "all of it is on the screen"
        assert abs(drawn["width"] - drawn["height"]) < 1
        assert (
            await page.evaluate("document.querySelector('dialog[open]').scrollHeight")
            <= (screen["height"])
        )
    await resize(page, PHONE)
    assert (await box_of(page, ".ticket-large img"))["width"] > 0.8 * PHONE["width"]
    # Whatever the theme: a scanner reads dark on white.
    ground = "getComputedStyle(document.querySelector('dialog[open]')).backgroundColor"
    assert await page.evaluate(ground) == "rgb(255, 255, 255)"
    await check_accessible(page)
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(small).to_be_focused()
    await until_equal(lambda: page.evaluate("window.awake"), ["screen", "released"])


async def test_the_code_is_large_from_right_to_left_and_by_keyboard(
    open_page: OpenPage, office: Office
) -> None:
    show = make_show(office)
    page = await open_page(phone=True)
    await hold(page, show, "B3")
    await pay(page)
    await booked(page)
    await page.evaluate("localStorage.setItem('bespeak.locale', 'ar')")
    await page.reload()
    small = page.locator(".ticket-code")
    await small.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog").locator("img")).to_be_visible()
    await check_accessible(page)
    close = page.get_by_role("button", name="إغلاق")
    await expect(close).to_be_focused()
    box = await close.bounding_box()
    assert box is not None
    assert box["x"] < PHONE["width"] / 2, "where one looks for it from right to left"
    await page.keyboard.press("Enter")
    await expect(small).to_be_focused()
