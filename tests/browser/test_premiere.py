"""The premiere of the demo in the browser, whole: queued for, bought, sold out, waited for and
offered; with the crowd that the button sends.
"""

from __future__ import annotations

from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.premiere import (
    CROWD_MS_MAX,
    pay,
    plan_premiere,
    queue_and_buy,
    wait_and_be_offered,
)
from tests.browser.sent_mails import mails_to

TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def test_from_the_queue_to_what_somebody_gives_back(
    open_page: OpenPage, office: Office
) -> None:
    plan_premiere(office)
    page = await open_page()
    phone = await open_page("/", phone=True)
    await expect(phone.get_by_role("link", name="Queue for it")).to_be_visible()
    assert await phone.evaluate(TOO_WIDE) <= 0
    seen = []

    async def look(page: Page, name: str) -> None:
        seen.append(name)
        await check_accessible(page)

    await queue_and_buy(page, office, look)
    await wait_and_be_offered(page, look)
    assert seen == ["home", "queue", "turn", "sold-out", "offer"]
    # One that they are on the list, and one that it is their turn; those of the crowd go before.
    await mails_to(office, "premiere@example.org", 2, CROWD_MS_MAX)
    await page.get_by_role("button", name="Accept and continue").click()
    await pay(page)
    audit = office.call("GET", f"/v1/resources/{office.premiere['id']}/audit")
    assert (audit["double_sold"], audit["violations"]) == (0, [])
