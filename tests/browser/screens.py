"""The screen of a page, turned or made small while the page is open."""

import asyncio

from playwright.async_api import Page, ViewportSize, expect

PHONE: ViewportSize = {"width": 390, "height": 844}
PHONE_ON_ITS_SIDE: ViewportSize = {"width": 844, "height": 390}
_SECONDS_MAX = 20


async def resize(page: Page, screen: ViewportSize) -> None:
    """Gives the page another screen, and waits until it has it: the page is laid out anew some time
    after Playwright's own call returned."""
    await page.set_viewport_size(screen)
    wanted = [screen["width"], screen["height"]]
    async with asyncio.timeout(_SECONDS_MAX):
        while await page.evaluate("[innerWidth, innerHeight]") != wanted:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def fits(page: Page, screen: ViewportSize) -> None:
    """Waits until nothing sticks out of a screen that the page was just given: what is something
    else on a small screen comes with a later picture."""
    await expect(page.locator("html")).to_have_js_property("scrollWidth", screen["width"])
