"""Appointments without code: from no team to a published one with its agenda, where somebody has
booked and a time is blocked; and what a form says before it is sent, and after it was refused.
"""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import cast

from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.operating import log_in
from tests.browser.screens import PHONE, fits, resize

PATH = "/console/appointments"
ALWAYS = [{"from": "00:00", "to": "24:00"}]
# Nobody's day there ends while the test runs.
ZONE = "UTC"


def tomorrow() -> str:
    return str(datetime.now(UTC).date() + timedelta(days=1))


async def press(page: Page, name: str) -> None:
    await page.get_by_role("button", name=name, exact=True).click()


async def fill_team(page: Page, name: str) -> None:
    """Two providers, one of whom has hours of her own, and two services, one of them only hers."""
    await page.get_by_label("Name", exact=True).fill(name)
    await page.get_by_label("Time zone").fill(ZONE)
    await page.get_by_label("Currency").fill("EUR")
    monday = page.get_by_role("group", name="Monday").first
    await monday.get_by_label("hours 1: from").fill("08:00")
    await monday.get_by_role("button", name="Add hours: Monday").click()
    await monday.get_by_role("button", name="Monday: remove hours 2").click()
    await monday.get_by_role("button", name="To all days").click()
    rao, lind = (
        page.get_by_role("group", name="Provider 1"),
        page.get_by_role("group", name="Provider 2"),
    )
    await rao.get_by_label("Name of the provider").fill("Dr Rao")
    await press(page, "Add a provider")
    await lind.get_by_label("Name of the provider").fill("Dr Lind")
    await rao.get_by_label("Has opening hours of its own").check()
    own = rao.get_by_role("group", name="Sunday")
    await own.get_by_role("button", name="Sunday: remove hours 1").click()
    check_up, consultation = (
        page.get_by_role("group", name=f"Service {number}") for number in (1, 2)
    )
    await check_up.get_by_label("Name of the service").fill("Check-up")
    await check_up.get_by_label("Price (EUR)").fill("0")
    await press(page, "Add a service")
    await consultation.get_by_label("Name of the service").fill("Consultation")
    await consultation.get_by_label("Minutes", exact=True).fill("60")
    await consultation.get_by_label("Price (EUR)").fill("45,50")
    await consultation.get_by_label("Free minutes after").fill("15")
    await consultation.get_by_label("Everybody").uncheck()
    await consultation.get_by_label("Dr Lind").uncheck()
    await page.get_by_label("How it is paid").select_option("at_venue")


def book(office: Office, team: str) -> Json:
    """A check-up of Dr Lind tomorrow at ten; the booking."""
    line = {
        "resource_id": team,
        "unit": "Dr Lind",
        "from": f"{tomorrow()}T10:00:00Z",
        "rate": "Check-up",
    }
    hold = office.call("POST", "/v1/holds", {"owner": "mira", "lines": [line]}, key="sk")
    contact = {"name": "Mira Falk", "email": "mira@example.com"}
    return office.call(
        "POST", "/v1/bookings", {"hold_id": hold["id"], "contact": contact}, key="sk"
    )


async def test_a_team_comes_from_the_console_into_the_shop_and_has_an_agenda(
    open_page: OpenPage, office: Office
) -> None:
    page, name = await open_page(), f"Practice {uuid.uuid4().hex[:6]}"
    await log_in(page, office, PATH)
    await page.get_by_role("link", name="New team").click()
    await press(page, "Make the team")
    await expect(page.get_by_text("A team needs a name.")).to_be_visible()
    await expect(page.get_by_text("An amount, as 25 or 12.50. 0 is free.")).to_be_visible()
    await fill_team(page, name)
    await check_accessible(page)
    await press(page, "Make the team")
    await expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    team = page.url.rsplit("/", 1)[-1]
    made = office.call("GET", f"/v1/appointments/teams/{team}")
    rao, lind = cast("list[Json]", made["providers"])
    assert {rule["from"] for rule in cast("list[Json]", rao["weekly"])} == {"08:00"}
    assert "sun" not in str(rao["weekly"])
    assert "weekly" not in lind
    check_up, consultation = cast("list[Json]", made["services"])
    assert check_up["providers"] == ["Dr Rao", "Dr Lind"]
    assert (consultation["price"], consultation["providers"]) == (4550, ["Dr Rao"])

    await press(page, "Publish")
    await page.get_by_role("dialog").get_by_role("button", name="Publish", exact=True).click()
    await expect(page.get_by_text("Bookable", exact=True)).to_be_visible()
    booking = book(office, team)
    await page.get_by_role("link", name="Agenda", exact=True).click()
    await page.get_by_role("button", name="The day after").click()
    lind_day = page.get_by_role("region", name="Agenda").locator("section", has_text="Dr Lind")
    guest = lind_day.get_by_role("link", name="Mira Falk")
    await expect(guest).to_have_attribute("href", f"/console/bookings/{booking['id']}")
    await expect(lind_day.get_by_text("Check-up")).to_be_visible()
    await block_and_unblock(page)
    await book_for_caller(page)
    await find_caller(page, office, team)
    agenda = office.call("GET", f"/v1/appointments/teams/{team}/agenda?date={tomorrow()}")
    items = cast("list[Json]", agenda["items"])
    assert [(one["service"], one["payment"]) for one in items if one["provider"] == "Dr Rao"] == [
        ("Consultation", "at_venue")
    ]


async def book_for_caller(page: Page) -> None:
    """Who calls has a name and a number and no address, and pays when they come, where that is how
    the team is paid."""
    await press(page, "Book for a caller")
    dialog = page.get_by_role("dialog").first
    await dialog.get_by_label("Service").select_option("Consultation")
    await dialog.get_by_label("Time", exact=True).select_option(index=1)
    await dialog.get_by_role("button", name="Book the appointment").click()
    await expect(page.get_by_label("On the spot, when they come")).to_be_checked()
    await expect(page.get_by_label("Open the tickets to print")).not_to_be_checked()
    await expect(page.get_by_text("Without an address no mail is sent")).to_be_visible()
    await page.get_by_label("Name", exact=True).fill("Uma Sand")
    await page.get_by_label("Telephone").fill("ask her")
    await page.get_by_label("Telephone").blur()
    await expect(page.get_by_text("A number in digits, as")).to_be_visible()
    book_it = page.get_by_role("button", name="Book it", exact=True)
    await expect(book_it).to_be_disabled()
    await check_accessible(page)
    await page.get_by_label("Telephone").fill("+49 (0)170 123-4567")
    await expect(page.get_by_text("A number in digits, as")).to_have_count(0)
    await book_it.click()
    await page.wait_for_url("**/console/bookings/*")


async def find_caller(page: Page, office: Office, team: str) -> None:
    """From the booking, which says that no mail is sent, to the agenda and to the desk's search."""
    booking = page.url.rsplit("/", 1)[-1]
    await expect(page.get_by_role("heading", level=1, name="Uma Sand")).to_be_visible()
    call = page.get_by_role("link", name="+49 (0)170 123-4567")
    await expect(call).to_have_attribute("href", "tel:+491701234567")
    await expect(page.get_by_text("No mail is sent: no e-mail address is known.")).to_be_visible()
    # The team's day begins at eight.
    await expect(page.get_by_text("Dr Rao · Consultation · ").first).to_contain_text(" 8:00")
    await expect(page.get_by_role("button", name="Send the mail again")).to_have_count(0)
    await check_accessible(page)
    listed = cast("list[Json]", office.call("GET", f"/v1/bookings?q={booking}")["items"])
    contact = {"name": "Uma Sand", "phone": "+49 (0)170 123-4567", "locale": "en"}
    assert [one["contact"] for one in listed] == [contact]
    await page.goto(f"{PATH}/{team}/agenda?date={tomorrow()}")
    rao_day = page.get_by_role("region", name="Agenda").locator("section", has_text="Dr Rao")
    await expect(rao_day.get_by_role("link", name="Uma Sand")).to_be_visible()
    await expect(rao_day.get_by_role("link", name="+49 (0)170 123-4567")).to_be_visible()
    for words in ("uma", "0170 1234567"):
        await page.goto("/console/bookings")
        await page.get_by_role("searchbox").fill(words)
        rows = page.get_by_role("main")
        await expect(rows.get_by_text("+49 (0)170 123-4567")).to_be_visible()
        await expect(rows.get_by_role("link", name="Uma Sand")).to_have_attribute(
            "href", f"/console/bookings/{booking}"
        )


async def test_a_caller_gets_as_many_places_of_a_class_as_are_left_together(
    open_page: OpenPage, office: Office
) -> None:
    body = {
        "name": f"Yoga {uuid.uuid4().hex[:6]}",
        "time_zone": ZONE,
        "currency": "EUR",
        "payment": "at_venue",
        "providers": [{"name": "mia"}],
        "weekly": ALWAYS,
        "services": [{"name": "Yoga", "minutes": 720, "step_minutes": 720, "price": 1200}],
        "capacity": 3,
        "published": True,
    }
    team = str(office.call("POST", "/v1/appointments/teams", body)["id"])
    line = {"resource_id": team, "from": f"{tomorrow()}T00:00", "rate": "Yoga", "quantity": 2}
    office.call("POST", "/v1/holds", {"owner": "faster", "lines": [line]}, key="sk")
    page = await open_page()
    await log_in(page, office, f"{PATH}/{team}/agenda")
    await page.get_by_role("button", name="The day after").click()
    await press(page, "Book for a caller")
    dialog = page.get_by_role("dialog").first
    times = dialog.get_by_label("Time", exact=True).get_by_role("option")
    await expect(times).to_have_text(["Choose a time", "00:00", "12:00"])
    await dialog.get_by_label("Places").fill("4")
    await expect(dialog.get_by_text("A whole number up to: 3")).to_be_visible()
    await dialog.get_by_label("Places").fill("2")
    await expect(times).to_have_text(["Choose a time", "12:00"])
    await check_accessible(page)
    await dialog.get_by_label("Time", exact=True).select_option(index=1)
    await dialog.get_by_role("button", name="Book 2 places").click()
    await page.get_by_label("Name", exact=True).fill("Noor")
    await press(page, "Book it")
    await page.wait_for_url("**/console/bookings/*")
    await expect(page.get_by_role("heading", level=1, name="Noor")).to_be_visible()
    booking = office.call("GET", f"/v1/bookings/{page.url.rsplit('/', 1)[-1]}")
    (booked,) = cast("list[Json]", booking["lines"])
    assert booked["quantity"] == 2
    assert cast("Json", booking["amount"])["amount"] == 2400


async def block_and_unblock(page: Page) -> None:
    await press(page, "Block a time")
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Whose time").select_option("Dr Lind")
    await dialog.get_by_label("From").fill("10:15")
    await dialog.get_by_label("To", exact=True).fill("11:00")
    await dialog.get_by_label("Reason").fill("Course")
    # Somebody has booked it: the dialog says so, and nothing is blocked.
    await dialog.get_by_role("button", name="Block a time", exact=True).click()
    await expect(dialog.get_by_role("alert")).to_be_visible()
    await dialog.get_by_label("From").fill("12:00")
    await dialog.get_by_label("To", exact=True).fill("13:30")
    await dialog.get_by_role("button", name="Block a time", exact=True).click()
    block = page.get_by_role("button", name="Course")
    await expect(block).to_be_visible()
    await expect(dialog).to_have_count(0)
    await check_accessible(page)
    await resize(page, PHONE)
    await fits(page, PHONE)
    await check_accessible(page)
    await block.click()
    await page.get_by_role("dialog").get_by_role("button", name="Lift the block").click()
    await expect(block).to_have_count(0)


async def test_what_is_wrong_is_said_at_its_field_and_by_the_server(
    open_page: OpenPage, office: Office
) -> None:
    body = {
        "name": f"Courts {uuid.uuid4().hex[:6]}",
        "time_zone": ZONE,
        "currency": "EUR",
        "payment": "at_venue",
        "weekly": ALWAYS,
        "notice_minutes": 0,
        "providers": [{"name": "Dr Rao"}, {"name": "Dr Lind"}],
        "services": [{"name": "Check-up", "minutes": 30, "price": 0}],
        "published": True,
    }
    team = str(office.call("POST", "/v1/appointments/teams", body)["id"])
    book(office, team)
    page = await open_page()
    await resize(page, PHONE)
    await log_in(page, office, f"{PATH}/{team}")
    await press(page, "Save")
    await expect(page.get_by_text("Nothing was changed")).to_be_visible()
    service = page.get_by_role("group", name="Service 1")
    await service.get_by_label("Minutes", exact=True).fill("0")
    monday = page.get_by_role("group", name="Monday").first
    await monday.get_by_role("button", name="Add hours: Monday").click()
    await press(page, "Save")
    await expect(service.get_by_label("Minutes", exact=True)).to_have_attribute(
        "aria-invalid", "true"
    )
    await expect(monday.get_by_text("These overlap")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    await check_accessible(page)
    await service.get_by_label("Minutes", exact=True).fill("30")
    await monday.get_by_role("button", name="Monday: remove hours 2").click()
    # Who is booked is not taken away: the server says why, and what one does instead.
    await press(page, "Remove provider 2")
    await press(page, "Save")
    await expect(page.get_by_text("Somebody has booked what this would take away.")).to_be_visible()
    providers = cast(
        "list[Json]", office.call("GET", f"/v1/appointments/teams/{team}")["providers"]
    )
    assert [one["name"] for one in providers] == ["Dr Rao", "Dr Lind"]
    await page.reload()
    await check_conflict(page, office, team)


async def check_conflict(page: Page, office: Office, team: str) -> None:
    """Two change the same: the later is told before, and what only the other changed stays."""
    await page.get_by_label("Summary", exact=True).fill("Mine")
    theirs = {"summary": "Theirs", "city": "Bath"}
    office.call("PATCH", f"/v1/appointments/teams/{team}", theirs)
    await press(page, "Save")
    await expect(page.get_by_role("button", name="Load theirs")).to_be_visible()
    await expect(page.get_by_label("Summary", exact=True)).to_have_value("Mine")
    await press(page, "Save")
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    after = office.call("GET", f"/v1/appointments/teams/{team}")
    assert (after["summary"], after["city"]) == ("Mine", "Bath")
    office.call("PATCH", f"/v1/appointments/teams/{team}", theirs)
    await page.get_by_label("Summary", exact=True).fill("Mine again")
    await press(page, "Save")
    await press(page, "Load theirs")
    await expect(page.get_by_label("Summary", exact=True)).to_have_value("Theirs")
    await expect(page.get_by_label("Town", exact=True)).to_have_value("Bath")
