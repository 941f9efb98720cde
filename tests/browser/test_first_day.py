"""The merchant's first day, done as its tutorial says: from an empty server to a ticket sold and
scanned, with the console only."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.async_api import Page

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
        for one in (page, shop):  # before their server goes
            await one.context.close()
