"""The head of the shop on the narrowest phones, where every vertical has something to sell: no way
lies on another one, and each is large enough for a finger.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple, cast

import pytest
from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.screens import resize

TOUCH = 44
_BOXES = """() => {
  const ways = document.querySelectorAll(".shop-header :is(a, button, select)");
  return [...ways].map((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return [left, right, top, bottom];
  });
}"""


class Box(NamedTuple):
    left: float
    right: float
    top: float
    bottom: float

    def is_over(self, other: Box) -> bool:
        beside = self.right <= other.left or other.right <= self.left
        return not (beside or self.bottom <= other.top or other.bottom <= self.top)


async def boxes(page: Page) -> list[Box]:
    found = cast("list[list[float]]", await page.evaluate(_BOXES))
    return [Box(*(round(side, 1) for side in one)) for one in found]


@pytest.mark.parametrize("width", [320, 360, 390])
async def test_no_way_of_the_head_lies_on_another(
    open_page: OpenPage, office: Office, width: int
) -> None:
    page = await open_page()
    await resize(page, {"width": width, "height": 800})
    await page.goto("/bookings")
    for name in ("Events", "Stays", "Appointments"):
        await expect(page.locator(".shop-header").get_by_role("link", name=name)).to_be_attached()
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    found = await boxes(page)
    assert [(one, other) for one, other in combinations(found, 2) if one.is_over(other)] == []
    assert min(one.bottom - one.top for one in found) >= TOUCH
    assert await page.evaluate("document.documentElement.scrollWidth") == width
    await check_accessible(page)
    assert max(one.right for one in found) <= width
    await page.get_by_role("link", name="Appointments").click()
    await expect(page).to_have_url(f"{office.url}/appointments")
