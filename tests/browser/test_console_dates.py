"""What a date and its event are called in other languages, as a merchant types it, and the waiting
room that a date is behind.
"""

from __future__ import annotations

from typing import cast

from playwright.async_api import expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.operating import fresh_show, log_in
from tests.browser.test_console_programme import PATH, a_date, event_of, press

FEE = {"fees": [{"name": "Booking fee", "amount": 100}]}


async def test_a_note_and_a_fee_are_said_in_german(open_page: OpenPage, office: Office) -> None:
    date = a_date(office, pricing=FEE, note="Bring a coat")
    page = await open_page(phone=True)
    await log_in(page, office, f"{PATH}/dates/{date['id']}")
    await page.get_by_text("In other languages").click()
    await page.get_by_label("Note (Deutsch)").fill("Mantel mitbringen")
    await page.get_by_label("Booking fee (Deutsch)").fill("Gebühr")
    await check_accessible(page)
    await press(page, "Save")
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    one = f"/v1/programme/performances/{date['id']}"
    assert office.call("GET", f"{one}?lang=de")["note"] == "Mantel mitbringen"
    assert office.call("GET", f"{one}?lang=en")["note"] == "Bring a coat"
    # The names of fees are those of the resource: whoever buys is told them with the price.
    shown = office.call("GET", f"/v1/resources/{date['id']}?lang=de")
    assert cast("Json", shown["words"])["Booking fee"] == "Gebühr"
    await page.reload()
    await expect(page.get_by_label("Note (Deutsch)")).to_have_value("Mantel mitbringen")


async def test_a_series_and_performers_are_said_in_german(
    open_page: OpenPage, office: Office
) -> None:
    date = a_date(office)
    page = await open_page()
    await log_in(page, office, event_of(date))
    await page.get_by_label("Series", exact=True).fill("Chamber music")
    await page.get_by_label("Performers").fill("The Quartet\nAna Reis")
    await page.get_by_text("In other languages").click()
    await page.get_by_label("Series (Deutsch)").fill("Kammermusik")
    await page.get_by_label("The Quartet (Deutsch)").fill("Das Quartett")
    await check_accessible(page)
    await press(page, "Save")
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    event = cast("Json", date["production"])["id"]
    shown = office.call("GET", f"/v1/programme/productions/{event}?lang=de")
    assert shown["series"] == "Kammermusik"
    assert shown["performers"] == ["Das Quartett", "Ana Reis"]


async def test_a_date_leads_to_a_waiting_room_and_shows_the_one_it_has(
    open_page: OpenPage, office: Office
) -> None:
    date = a_date(office)
    page = await open_page(phone=True)
    await log_in(page, office, f"{PATH}/dates/{date['id']}")
    panel = page.locator("section").filter(
        has=page.get_by_role("heading", name="Waiting room", exact=True)
    )
    await expect(panel).to_contain_text("Guests buy at once")
    await check_accessible(page)
    await panel.get_by_role("link", name="New waiting room").click()
    title = str(cast("Json", date["production"])["title"])
    chosen = page.get_by_role("list", name="Chosen")
    await expect(chosen.get_by_role("button")).to_contain_text(title)
    await page.get_by_label("Name", exact=True).first.fill("Rush of the year")
    await press(page, "Make the waiting room")
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Rush of the year")
    room = page.url.rsplit("/", 1)[1]
    assert office.call("GET", f"/v1/waiting-rooms/{room}")["resources"] == [date["id"]]
    for path in (f"{PATH}/dates/{date['id']}", f"/console/shows/{date['id']}"):
        await page.goto(path)
        await expect(panel).to_contain_text("Planned")
        await expect(panel.get_by_role("link", name="New waiting room")).to_have_count(0)
        await check_accessible(page)
    await panel.get_by_role("link", name="Rush of the year").click()
    await page.wait_for_url(f"**/console/waiting-rooms/{room}")
    other = fresh_show(office)
    await page.goto(f"/console/shows/{other}")
    await expect(panel).to_contain_text("Guests buy at once")
    office.call("PATCH", f"/v1/waiting-rooms/{room}", {"state": "ended"})
    await page.goto(f"{PATH}/dates/{date['id']}")
    await expect(panel).to_contain_text("Guests buy at once")
