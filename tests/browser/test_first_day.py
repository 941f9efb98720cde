"""The merchant's first day, done as its tutorial says: from an empty server to a ticket sold and
scanned, with the console only."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.first_day import empty_server, first_day

DAYS_AHEAD = 30


async def test_from_an_empty_server_to_a_ticket_that_is_let_in(
    open_page: OpenPage, tmp_path: Path
) -> None:
    day = (datetime.now(UTC) + timedelta(days=DAYS_AHEAD)).date().isoformat()

    async def keep(page: Page, _name: str) -> None:
        await check_accessible(page)

    with empty_server(tmp_path) as link:
        server = link.partition("/console")[0]
        page, shop = await open_page(base_url=server), await open_page(base_url=server)
        await first_day(page, shop, link, day, keep)
        await _play_with_the_sample(page, shop)
        for one in (page, shop):  # before their server goes
            await one.context.close()


async def _play_with_the_sample(page: Page, shop: Page) -> None:
    """Sample data comes by a click, is sold beside what is one's own, and goes by a click."""
    await page.goto("/console/start")
    await page.get_by_role("button", name="Add sample data").click()
    await expect(page.get_by_text("The sample is in your shop.")).to_be_visible()
    await check_accessible(page)
    await shop.goto("/events")
    cards = shop.get_by_role("heading", level=3)
    await expect(shop.get_by_role("link", name="Sample: An evening of piano")).to_be_visible()
    with_sample = await cards.count()
    await page.get_by_role("button", name="Remove sample data").click()
    dialog = page.get_by_role("dialog", name="Remove the sample?")
    await dialog.get_by_role("button", name="Remove sample data").click()
    await expect(page.get_by_role("button", name="Add sample data")).to_be_visible()
    await shop.reload()
    await expect(cards).to_have_count(with_sample - 3)
    await expect(shop.get_by_role("link", name="Sample: An evening of piano")).to_have_count(0)
