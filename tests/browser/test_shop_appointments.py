"""Appointments in the shop: a service, who gives it, a day and a time, all by one walk to the
booking, to another time and to its end. Whoever comes too late is offered other times.
"""

from __future__ import annotations

import itertools
import re
from datetime import datetime, time, timedelta
from typing import cast
from zoneinfo import ZoneInfo

from playwright.async_api import Locator, Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.shop import booked
from tests.browser.three_languages import ThreeLanguages

ZONE = "Europe/Berlin"
BERLIN = {"timezone_id": ZONE}
SAME_IN_GERMAN = {"Jan", "Feb", "Apr", "Aug", "Nov", "April", "August", "September", "November"}
_numbers = itertools.count(1)


def day_on(days: int) -> str:
    """A day so many days from now, by the clocks of the team."""
    return str(datetime.now(ZoneInfo(ZONE)).date() + timedelta(days=days))


def at(day: str, clock: str) -> str:
    """A time by the clocks of the team, as the API takes it."""
    local = datetime.combine(datetime.fromisoformat(day), time.fromisoformat(clock))
    return local.replace(tzinfo=ZoneInfo(ZONE)).isoformat()


def make_team(office: Office) -> str:
    """A practice that is open all days, paid at the venue; its id."""
    body = {
        "name": f"Practice on the Hill {next(_numbers)}",
        "summary": "Doctors for all of you.",
        "time_zone": ZONE,
        "city": "Sassnitz",
        "address": "Hafenstraße 7",
        "currency": "EUR",
        "payment": "at_venue",
        "providers": [
            {"name": "dr-rao", "title": "Dr. Rao"},
            {"name": "dr-lim", "title": "Dr. Lim"},
        ],
        "weekly": [{"from": "09:00", "to": "19:00"}],
        "exceptions": [{"date": day_on(5), "closed": True}],
        "services": [
            {"name": "Check-up", "minutes": 30, "step_minutes": 30, "price": 4000},
            {"name": "Vaccination", "minutes": 15, "providers": ["dr-lim"]},
        ],
        "published": True,
        "translations": [
            {
                "language": language,
                "words": {
                    "Doctors for all of you.": summary,
                    "Check-up": check,
                    "Vaccination": vaccination,
                },
            }
            for language, summary, check, vaccination in (
                ("de", "Ärzte für Sie alle.", "Vorsorge", "Impfung"),
                ("ar", "أطباء لكم جميعًا.", "فحص", "تطعيم"),
            )
        ],
    }
    return str(office.call("POST", "/v1/appointments/teams", body)["id"])


def make_class(office: Office) -> str:
    """Classes of an hour with three places each; its id."""
    body = {
        "name": f"Yoga by the Sea {next(_numbers)}",
        "time_zone": ZONE,
        "currency": "EUR",
        "payment": "at_venue",
        "providers": [{"name": "mia", "title": "Mia"}],
        "weekly": [{"from": "09:00", "to": "12:00"}],
        "services": [{"name": "Yoga", "minutes": 60, "step_minutes": 60, "price": 1200}],
        "capacity": 3,
        "published": True,
    }
    return str(office.call("POST", "/v1/appointments/teams", body)["id"])


def take(office: Office, team: str, start: str, provider: str) -> None:
    """Somebody else is faster."""
    line = {"resource_id": team, "unit": provider, "from": start, "rate": "Check-up"}
    office.call("POST", "/v1/holds", {"owner": "faster", "lines": [line]}, key="sk")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def class_at(page: Page, start: str, places: str) -> Locator:
    """The button of a time, with how many places are left of it."""
    return page.get_by_role("button", name=re.compile(rf"^{start}\s*{places}$"))


def day(page: Page, date: str) -> Locator:
    """The button of a day, by its full date as the British pages say it."""
    found = datetime.fromisoformat(date)
    return page.get_by_role("button", name=re.compile(rf"\b{found.day} {found:%B %Y}"))


async def settled(page: Page) -> None:
    await page.get_by_role("heading", level=1).wait_for(state="attached")
    await expect(page.locator(".skeleton")).to_have_count(0)


def line_of(office: Office, booking: object) -> Json:
    lines = office.call("GET", f"/v1/bookings/{booking}")["lines"]
    return cast("list[Json]", lines)[0]


async def test_two_places_of_a_class_are_booked_and_changed_together(
    open_page: OpenPage, office: Office
) -> None:
    team, date = make_class(office), day_on(6)
    lines = [{"resource_id": team, "from": at(date, "09:00"), "rate": "Yoga", "quantity": 2}]
    office.call("POST", "/v1/holds", {"owner": "faster", "lines": lines}, key="sk")
    page = await open_page(f"/appointments/{team}?date={date}", phone=True, **BERLIN)
    await settled(page)
    await expect(class_at(page, "9:00", "1 place")).to_be_visible()
    places = page.get_by_role("group", name="Places")
    await places.get_by_role("button", name="One more").click()
    await expect(places).to_contain_text("2")
    # One place is left at nine, so two of them begin at ten.
    await expect(class_at(page, "9:00", "1 place")).to_have_count(0)
    await class_at(page, "10:00", "3 places").click()
    await expect(page.locator(".appt-box")).to_contain_text("€24.00")
    await check_accessible(page)
    await page.reload()
    await expect(places).to_contain_text("2")
    await class_at(page, "10:00", "3 places").click()
    await button(page, "Reserve 10:00").click()
    await page.wait_for_url("**/checkout/hold_*")
    await expect(page.locator(".shop-units")).to_contain_text("2 places")
    await leave_number(page)
    booking = (await booked(page))["id"]
    assert line_of(office, booking)["quantity"] == 2
    # The desk has it as it would be written there.
    agenda = office.call("GET", f"/v1/appointments/teams/{team}/agenda?date={date}")
    (guest,) = [one["guest"] for one in cast("list[Json]", agenda["items"]) if one["guest"]]
    assert guest == {"name": "Asha", "phone": "+49 170 1234567", "locale": "en-GB"}


async def leave_number(page: Page) -> None:
    """Who can be called needs no address; a name alone is of one who forgot it."""
    phone = page.get_by_label("Telephone")
    await page.get_by_label("Name").fill("Asha")
    await button(page, "Book").click()
    await expect(page.get_by_text("This is not an email address.")).to_be_visible()
    await phone.fill("in the evening")
    await button(page, "Book").click()
    await expect(page.get_by_text("A number in digits, as")).to_be_visible()
    await expect(phone).to_be_focused()
    await check_accessible(page)
    arabic = str.maketrans("0123456789", "".join(chr(0x660 + digit) for digit in range(10)))
    await phone.fill("+49 170 1234567".translate(arabic))
    await expect(page.get_by_text("This is not an email address.")).to_have_count(0)
    await button(page, "Book").click()


async def test_from_a_service_to_a_booking_and_to_another_time(
    open_page: OpenPage, office: Office
) -> None:
    team, date = make_team(office), day_on(6)
    page = await open_page("/appointments", phone=True, **BERLIN)
    await settled(page)
    await expect(page.get_by_text("Next free:").first).to_be_visible()
    await check_accessible(page)
    await choose_day(page, team, date)
    await expect(page).to_have_url(re.compile(f"service=Check-up&provider=dr-rao&date={date}"))
    await page.reload()
    await expect(page.get_by_role("radio", name="Dr. Rao")).to_be_checked()
    await expect(page.get_by_role("group", name="Evening")).to_be_visible()
    await button(page, "10:30").click()
    await check_accessible(page)
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    await button(page, "Reserve 10:30").click()
    await page.wait_for_url("**/checkout/hold_*")
    await expect(page.get_by_text("Your appointment is held for")).to_be_visible()
    await expect(page.locator(".shop-units")).to_contain_text("Dr. Rao")
    await expect(page.locator(".shop-units")).to_contain_text("Check-up")
    await check_accessible(page)
    await page.get_by_label("Email").fill("asha@example.org")
    await button(page, "Book").click()
    old = (await booked(page))["id"]
    assert line_of(office, old)["from"] == at(date, "10:30")
    new = await change_time(page, office, str(old), date)
    await button(page, "Cancel the appointment").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Cancel the appointment").click()
    await expect(page.get_by_role("heading", name="This booking was cancelled")).to_be_visible()
    assert office.call("GET", f"/v1/bookings/{new}")["state"] == "cancelled"


async def choose_day(page: Page, team: str, date: str) -> None:
    """A check-up with one of the doctors, on a day that is found by the keyboard."""
    await page.goto(f"/appointments/{team}")
    await settled(page)
    await page.get_by_role("radio", name=re.compile("Vaccination")).check()
    # Only one gives it: there is nothing to choose.
    await expect(page.get_by_role("radio", name="Anyone")).to_have_count(0)
    await page.get_by_role("radio", name=re.compile("Check-up")).check()
    await page.get_by_role("radio", name="Dr. Rao").check()
    await expect(day(page, day_on(5))).to_have_accessible_name(re.compile("closed$"))
    await expect(day(page, day_on(5))).to_have_attribute("aria-disabled", "true")
    # By the keyboard, over the day that is closed.
    await day(page, day_on(4)).click()
    await expect(day(page, day_on(4))).to_be_focused()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await expect(day(page, date)).to_be_focused()
    await page.keyboard.press("Enter")


async def change_time(page: Page, office: Office, old: str, date: str) -> str:
    """From the booking to a later time of the same day; the new booking's id."""
    await page.get_by_role("link", name="Change the time").click()
    await settled(page)
    # The time of their own is theirs, though it is taken.
    await page.get_by_role("button", name=re.compile("^10:30")).click()
    await expect(page.get_by_text("This is your appointment as it is.")).to_be_visible()
    await button(page, "11:30").click()
    # It is paid on the spot, and costs what the one of now does.
    box = page.locator(".appt-box")
    await expect(box).to_contain_text("New price€40.00")
    await expect(box).to_contain_text("Price of the one of now€40.00Difference€0.00")
    await check_accessible(page)
    await button(page, "Hold the new time").click()
    await page.wait_for_url("**/checkout/hold_*")
    assert office.call("GET", f"/v1/bookings/{old}")["state"] == "confirmed"
    await expect(page.get_by_text("Your contact details stay as they are.")).to_be_visible()
    await button(page, "Book").click()
    new = str((await booked(page))["id"])
    kept = office.call("GET", f"/v1/bookings/{new}/contact")["contact"]
    assert cast("Json", kept)["email"] == "asha@example.org"
    assert office.call("GET", f"/v1/bookings/{old}")["reason"] == "exchanged"
    line = line_of(office, new)
    assert (line["from"], line["unit"]) == (at(date, "11:30"), "dr-rao")
    return new


async def test_who_comes_too_late_is_offered_other_times(
    open_page: OpenPage, office: Office
) -> None:
    team, date = make_team(office), day_on(6)
    query = f"?service=Check-up&provider=dr-rao&date={date}"
    page = await open_page(timezone_id="Asia/Kolkata")
    async with page.expect_response("**/availability?*") as answered:
        await page.goto(f"/appointments/{team}{query}")
    before = await (await answered.value).text()
    await expect(page.get_by_text("Local times: Central European").first).to_be_visible()
    await button(page, "10:30").click()
    # The page does not hear of it before it asks for the time.
    await page.route(
        "**/availability?*",
        lambda route: route.fulfill(body=before, content_type="application/json"),
    )
    take(office, team, at(date, "10:30"), "dr-rao")
    await button(page, "Reserve 10:30").click()
    await expect(page.get_by_text("Somebody else has just taken this time.")).to_be_visible()
    await page.unroute("**/availability?*")
    others = page.get_by_role("group", name="These are free:")
    await check_accessible(page)
    await others.get_by_role("button").first.click()
    # Another time of the same doctor, or the same time of another.
    await expect(page.get_by_text("Somebody else has just taken this time.")).to_have_count(0)
    await page.get_by_role("button", name=re.compile("^Reserve ")).click()
    await page.wait_for_url("**/checkout/hold_*")
    # And back, with the day of before.
    await button(page, "Choose another time").click()
    await page.wait_for_url(f"**/appointments/{team}?service=Check-up**")


async def test_appointments_are_in_three_languages(open_page: OpenPage, office: Office) -> None:
    team = make_team(office)
    reader = await ThreeLanguages.of(await open_page(**BERLIN), open_page, SAME_IN_GERMAN, **BERLIN)
    reader.listen()
    query = f"?service=Check-up&date={day_on(6)}"
    for path in ("/appointments", f"/appointments/{team}{query}"):
        await reader.look(path, ["Practice on the Hill", "Sassnitz", "Hafenstraße"])
    assert reader.untranslated == []
