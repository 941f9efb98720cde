"""Who may only read, and who sells: each sees the agenda of a team and the bookings behind it, and
no button that the server would refuse.
"""

from __future__ import annotations

import re
import uuid

from playwright.async_api import Page, Response, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.screens import PHONE, fits, resize
from tests.browser.test_console_accounts import invited
from tests.browser.test_console_appointments import ALWAYS, PATH, ZONE, book, tomorrow
from tests.browser.test_console_bounds import set_up

CHANGES = re.compile("Block|Book for|Cancel|Erase|Export|End links|Send the|Check in|Lift|Sell")


def make_team(office: Office) -> Json:
    """A team that is open always, with a booking and a block tomorrow."""
    body = {
        "name": f"Clinic {uuid.uuid4().hex[:6]}",
        "time_zone": ZONE,
        "currency": "EUR",
        "payment": "at_venue",
        "weekly": ALWAYS,
        "providers": [{"name": "Dr Rao"}, {"name": "Dr Lind"}],
        "services": [{"name": "Check-up", "minutes": 30, "price": 3000}],
        "published": True,
    }
    team = office.call("POST", "/v1/appointments/teams", body)
    block = {"unit": "Dr Rao", "from": f"{tomorrow()}T12:00:00Z", "to": f"{tomorrow()}T13:00:00Z"}
    body = {"reason": "Course", "lines": [block]}
    office.call("POST", f"/v1/resources/{team['id']}/blocks", body)
    return team


async def open_agenda(page: Page, office: Office, role: str, team: Json) -> list[str]:
    """Goes to the agenda of tomorrow as a new operator; the calls that are refused from then on."""
    await set_up(page, office, invited(office, role)[1])
    refused: list[str] = []

    def note(answer: Response) -> None:
        if answer.status in (401, 403):
            refused.append(f"{answer.request.method} {answer.url}")

    page.on("response", note)
    await page.goto(PATH)
    await page.get_by_role("searchbox").fill(str(team["name"]))
    agendas = page.get_by_role("link", name=re.compile("^Agenda"))
    await agendas.filter(has_text=str(team["name"])).click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text(str(team["name"]))
    await page.get_by_role("button", name="The day after").click()
    await expect(page.get_by_role("link", name="Mira Falk")).to_be_visible()
    return refused


async def test_who_may_only_read_sees_the_agenda_and_changes_nothing(
    open_page: OpenPage, office: Office
) -> None:
    team = make_team(office)
    booking = book(office, str(team["id"]))
    page = await open_page()
    refused = await open_agenda(page, office, "viewer", team)
    await expect(page.get_by_text("Blocked: Course")).to_be_visible()
    changes = page.get_by_role("main").get_by_role("button", name=CHANGES)
    await expect(changes).to_have_count(0)
    await check_accessible(page)
    await resize(page, PHONE)
    await fits(page, PHONE)
    await page.get_by_role("link", name="Mira Falk").click()
    await expect(page).to_have_url(re.compile(f"/console/bookings/{booking['id']}"))
    await expect(page.get_by_text("mira@example.com")).to_be_visible()
    await expect(page.locator(".skeleton")).to_have_count(0)
    await expect(changes).to_have_count(0)
    await check_accessible(page)
    # The pages to make and change a team lead nowhere either.
    for path in (f"{PATH}/new", f"{PATH}/{team['id']}"):
        await page.goto(path)
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await expect(page.locator(".skeleton")).to_have_count(0)
        save = page.get_by_role("button", name=re.compile("^(Save|Make|Publish)"))
        await expect(save).to_have_count(0)
    assert refused == []


async def test_who_sells_books_for_callers_and_blocks_nothing(
    open_page: OpenPage, office: Office
) -> None:
    team = make_team(office)
    book(office, str(team["id"]))
    page = await open_page()
    refused = await open_agenda(page, office, "seller", team)
    await expect(page.get_by_role("button", name="Book for a caller")).to_be_visible()
    await expect(page.get_by_role("button", name="Block a time")).to_have_count(0)
    await expect(page.get_by_text("Blocked: Course")).to_be_visible()
    await page.get_by_role("link", name="Mira Falk").click()
    await expect(page.get_by_role("button", name="Send the mail again")).to_be_visible()
    await expect(page.get_by_role("button", name="Cancel and refund")).to_be_visible()
    await expect(page.locator(".skeleton")).to_have_count(0)
    await expect(page.get_by_role("button", name="Erase personal data")).to_have_count(0)
    assert refused == []
