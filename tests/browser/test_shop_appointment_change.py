"""A guest changes an appointment that was paid, in the browser: what it costs and what comes back
is said before, and the link of a mail is enough, also where the browser is nobody's.
"""

from __future__ import annotations

import itertools
import re

from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.sent_mails import mailed
from tests.browser.shop import booked, pay
from tests.browser.test_shop_appointments import BERLIN, ZONE, at, button, day_on, line_of, settled

_numbers = itertools.count(1)
SERVICE: Json = {"name": "Massage", "minutes": 60, "step_minutes": 60, "price": 4000}


def make_salon(office: Office) -> str:
    """A salon whose services are paid when they are booked, and changed until a day before."""
    body = {
        "name": f"Salon by the Bay {next(_numbers)}",
        "time_zone": ZONE,
        "currency": "EUR",
        "payment": "required",
        "providers": [{"name": "mia", "title": "Mia"}, {"name": "noa", "title": "Noa"}],
        "weekly": [{"from": "09:00", "to": "12:00"}],
        "services": [SERVICE],
        "pricing": {"cancellation": {"free_until_seconds": 86_400}},
        "published": True,
    }
    return str(office.call("POST", "/v1/appointments/teams", body)["id"])


def set_price(office: Office, team: str, price: int) -> None:
    services = [{**SERVICE, "price": price}]
    office.call("PATCH", f"/v1/appointments/teams/{team}", {"services": services})


async def book(page: Page, team: str, date: str) -> str:
    """A massage by Mia at nine, paid by card; the id of the booking."""
    await page.goto(f"/appointments/{team}?provider=mia&date={date}")
    await settled(page)
    await button(page, "9:00").click()
    await button(page, "Reserve 9:00").click()
    await page.wait_for_url("**/checkout/hold_*")
    await page.get_by_label("Email").fill("asha@example.org")
    await page.get_by_label("Name").fill("Asha Rao")
    await pay(page)
    return str((await booked(page))["id"])


async def begin_by_mail(page: Page, office: Office, booking: str) -> None:
    """From the link of the mail to the times."""
    await page.goto(await mailed(office, rf"/bookings/{booking}#token=\S+"))
    await page.get_by_role("link", name="Change the time").click()
    await settled(page)


async def say_who(page: Page, phone: str) -> None:
    """Nothing, but where there is another number; and nobody is told who it was."""
    await expect(page.get_by_text("Your contact details stay as they are")).to_be_visible()
    await expect(page.get_by_label("Email")).to_have_count(0)
    assert "asha@example.org" not in await page.content()
    if not phone:
        return
    change = button(page, "Change contact details")
    await change.click()
    await page.get_by_label("Telephone").fill("12")
    await button(page, "Leave them as they are").click()
    await expect(page.get_by_label("Telephone")).to_have_count(0)
    await change.click()
    await check_accessible(page)
    await page.get_by_label("Telephone").fill(phone)


async def end_change(page: Page, office: Office, old: str, phone: str = "") -> str:
    """From the hold to the new booking, which is of the same guest, and for the same one unless
    there is another number; its id."""
    await page.wait_for_url("**/checkout/hold_*")
    # A reload finds it, and the way back from the bank is such a one.
    await page.reload()
    await expect(page.get_by_text("Your appointment of before is yours until")).to_be_visible()
    assert office.call("GET", f"/v1/bookings/{old}")["state"] == "confirmed"
    await say_who(page, phone)
    await pay(page)
    new = str((await booked(page))["id"])
    told = office.call("GET", f"/v1/bookings/{new}/contact")["contact"]
    wanted = {"phone": phone} if phone else {"name": "Asha Rao", "email": "asha@example.org"}
    assert told == {**wanted, "locale": "en-GB"}
    before = office.call("GET", f"/v1/bookings/{old}")
    assert before["reason"] == "exchanged"
    assert office.call("GET", f"/v1/bookings/{new}")["owner"] == before["owner"]
    return new


async def come_back_to_what_is_held(page: Page, path: str) -> None:
    """Who left the checkout of the new time, and wants another, finds the way back to it."""
    held = page.url
    await page.goto(path)
    await settled(page)
    await page.get_by_role("radio", name="Noa").check()
    await button(page, "10:00").click()
    await button(page, "Hold the new time").click()
    await expect(page.get_by_text("You are holding another time")).to_be_visible()
    await button(page, "Go to it").click()
    await expect(page).to_have_url(held)


async def test_an_appointment_is_changed_by_the_link_of_a_mail(
    open_page: OpenPage, office: Office
) -> None:
    team, date = make_salon(office), day_on(6)
    old = await book(await open_page(**BERLIN), team, date)
    set_price(office, team, 4500)
    page = await open_page(phone=True, **BERLIN)
    await begin_by_mail(page, office, old)
    await button(page, "10:00").click()
    box = page.locator(".appt-box")
    await expect(box).to_contain_text("New price€45.00")
    await expect(box).to_contain_text("Comes back for the one of now€40.00")
    await expect(box).to_contain_text("You pay more€5.00")
    await expect(box).to_contain_text("You pay the new price first.")
    await check_accessible(page)
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    # By anyone, who may be another than now: the price is said all the same.
    await page.get_by_role("radio", name="Anyone").check()
    await button(page, "11:00").click()
    await expect(box).to_contain_text("You pay more€5.00")
    await page.get_by_role("radio", name="Noa").check()
    await button(page, "11:00").click()
    await button(page, "Hold the new time").click()
    new = await end_change(page, office, old)
    line = line_of(office, new)
    assert (line["from"], line["unit"]) == (at(date, "11:00"), "noa")
    await page.get_by_role("link", name="My bookings").first.click()
    await expect(page.get_by_text("Nothing booked yet")).to_be_visible()


async def test_what_costs_less_by_now_is_told_and_who_is_faster_too(
    open_page: OpenPage, office: Office
) -> None:
    team, date = make_salon(office), day_on(7)
    page = await open_page(**BERLIN)
    old = await book(page, team, date)
    set_price(office, team, 3000)
    await page.goto(f"/appointments/{team}/change/{old}")
    await settled(page)
    await button(page, "10:00").click()
    box = page.locator(".appt-box")
    await expect(box).to_contain_text("You pay less€10.00")
    taken = {"resource_id": team, "unit": "mia", "from": at(date, "10:00"), "rate": "Massage"}
    office.call("POST", "/v1/holds", {"owner": "faster", "lines": [taken]}, key="sk")
    await button(page, "Hold the new time").click()
    await expect(box.get_by_text("Somebody else has just taken this time.")).to_be_visible()
    others = page.get_by_role("group", name="These are free:")
    await others.get_by_role("button", name=re.compile("11:00")).first.click()
    await expect(box.get_by_text("Somebody else has just taken this time.")).to_have_count(0)
    await expect(box).to_contain_text("You pay less€10.00")
    await button(page, "Hold the new time").click()
    await page.wait_for_url("**/checkout/hold_*")
    await come_back_to_what_is_held(page, f"/appointments/{team}/change/{old}")
    new = await end_change(page, office, old, "+49 170 1234567")
    assert line_of(office, new)["from"] == at(date, "11:00")
