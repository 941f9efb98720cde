"""The browser's tests themselves: that a page which complains, or excludes somebody, is noticed."""

import pytest
from playwright.async_api import Page

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage


async def test_axe_finds_what_is_wrong(page: Page) -> None:
    await page.set_content('<html lang="en"><title>x</title><main><img src="data:,"></main></html>')
    with pytest.raises(AssertionError, match="image-alt"):
        await check_accessible(page)


async def test_the_first_page_of_the_shop_is_there(open_page: OpenPage) -> None:
    page = await open_page("/")
    await page.get_by_role("heading", level=1).wait_for()
    await check_accessible(page)
