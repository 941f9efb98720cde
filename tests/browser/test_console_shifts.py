"""The overview of the console has room for what comes late: little of it moves while it loads."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Page, Route, expect

from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import log_in

COUNT = """window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts += one.value;
    }).observe({type: "layout-shift", buffered: true});"""
# What is left is of the demo alone, which takes money in four currencies: more lines than one.
SHIFTS_MAX = {False: 0.04, True: 0.08}
LOADS_MAX = 5


async def late(route: Route) -> None:
    """The figures come after the rest, and all of it after the page was painted."""
    await asyncio.sleep(0.7 if "/overview" in route.request.url else 0.4)
    await route.continue_()


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
async def test_little_moves_while_it_loads(
    open_page: OpenPage, office: Office, phone: bool
) -> None:
    """On a busy machine more may come late than was held up here: of some loads the calmest is
    taken. Where there is no room for what comes, each of them moves by more."""
    page = await open_page(phone=phone)
    await page.add_init_script(COUNT)
    await page.route("**/v1/**", late)
    await log_in(page, office)
    seen = [await shifts(page)]
    while seen[-1] >= SHIFTS_MAX[phone] and len(seen) < LOADS_MAX:
        await page.reload()
        seen.append(await shifts(page))
    assert min(seen) < SHIFTS_MAX[phone], seen


async def shifts(page: Page) -> float:
    """By how much the page moved until all of it is there."""
    await expect(page.locator(".console-figures:not([aria-busy])")).to_be_attached()
    for part in (".console-legend li", ".console-busiest li", ".console-rush", ".console-worklist"):
        await expect(page.locator(part).first).to_be_attached()
    moved: float = await page.evaluate("window.shifts")
    return moved
