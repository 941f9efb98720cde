"""An operator exports what is known of a buyer and erases it, at the booking of the buyer."""

import json
from pathlib import Path

from playwright.async_api import expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import buy, fresh_show, log_in


async def test_a_buyer_is_exported_and_then_erased(
    open_page: OpenPage, office: Office, tmp_path: Path
) -> None:
    page = await open_page(phone=True)
    booking = buy(office, fresh_show(office), ["A1", "A2"], "zoe|4711")
    await log_in(page, office, f"/console/bookings/{booking}")
    await expect(page.get_by_text("Ann zoe|4711").first).to_be_visible()

    async with page.expect_download() as begun:
        await page.get_by_role("button", name="Export data").click()
    file = tmp_path / "zoe.json"
    await (await begun.value).save_as(file)
    known = json.loads(file.read_text())
    assert (known["owner"], len(known["items"])) == ("zoe|4711", 1)
    assert known["items"][0]["payments"][0]["contact"]["email"] == "zoe|4711@example.com"

    await page.get_by_role("button", name="Erase personal data").click()
    dialog = page.get_by_role("dialog", name="Erase the data of this owner?")
    await expect(dialog.get_by_text("This cannot be undone")).to_be_visible()
    await check_accessible(page)
    erase = dialog.get_by_role("button", name="Erase personal data")
    await erase.click()
    await expect(dialog.get_by_text("bookings that are not over. Cancel")).to_be_visible()
    await dialog.get_by_role("radio", name="Erase them too").check()
    await erase.click()
    await expect(page.get_by_text("The data of this owner were erased.")).to_be_visible()
    await expect(page.get_by_role("button", name="Erase personal data")).to_have_count(0)
    await expect(page.get_by_text("zoe|4711")).to_have_count(0)
    await expect(page.get_by_text("Personal data erased")).to_be_visible()
    await check_accessible(page)
    now = office.call("GET", f"/v1/bookings/{booking}")
    assert (now["state"], str(now["owner"])[:7]) == ("confirmed", "erased_")
