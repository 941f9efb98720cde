"""The waitlists of the console: how one is made, changed and ended, who waits, what would serve
whom, an offer out, and a party that is taken off; also on a phone, and in every language.
"""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import fresh_show, log_in

TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def waited_for(office: Office) -> tuple[str, str]:
    """A show that is sold out by one booking, and two parties that wait for it: the ids of the list
    and of the booking."""
    show = fresh_show(office, rows=1)
    lines = [{"resource_id": show, "unit": f"A{seat}"} for seat in range(1, 9)]
    for half in (lines[:4], lines[4:]):
        hold = office.call("POST", "/v1/holds", {"owner": "first", "lines": half})
        paid = {"hold_id": hold["id"], "payment_token": "tok_success"}
        booking = office.call("POST", "/v1/bookings", paid)
    made = office.call("POST", "/v1/waitlists", {"resource_ids": [show]})
    for owner, party in (("asha", 2), ("bela", 3)):
        wish = {"party": party, "places": [{"resource_id": show}]}
        contact = {"email": f"{owner}@example.org"}
        body = {"owner": owner, "wish": wish, "contact": contact}
        office.call("POST", f"/v1/waitlists/{made['id']}/entries", body)
    return str(made["id"]), str(booking["id"])


async def test_an_operator_sees_who_waits_what_serves_them_and_takes_one_off(
    open_page: OpenPage, office: Office
) -> None:
    waitlist, booking = waited_for(office)
    page = await open_page()
    await log_in(page, office, "/console/waitlists")
    await check_accessible(page)
    await page.locator(f'a[href="/console/waitlists/{waitlist}"]').click()
    row = page.get_by_role("row", name="asha@example.org")
    await expect(row).to_contain_text("Waiting")
    await page.get_by_role("radio", name="Bookings").check()
    await page.get_by_role("button", name="Find out").click()
    answer = page.locator(".waitlist-outlook")
    await expect(answer).to_contain_text("Would serve number 1 (2 persons)")
    # Four seats are enough for the two, and for nobody else; eight are enough for both.
    await expect(answer).to_contain_text("number 1 (2 persons), number 2 (3 persons)")
    await check_accessible(page)
    office.call("DELETE", f"/v1/bookings/{booking}?reason=ill")
    await expect(row).to_contain_text("Has an offer")
    await expect(row).to_contain_text("Good until")
    await row.get_by_role("button", name="Take off").click()
    await check_accessible(page)
    verb = page.get_by_role("button", name="Take off the list")
    await expect(verb).to_be_disabled()
    await page.get_by_label("Why").fill("You asked us by phone")
    await verb.click()
    await expect(page.get_by_text("The party is off the list")).to_be_visible()
    await expect(row).to_contain_text("You asked us by phone")
    # What was offered to it goes to the next.
    await expect(page.get_by_role("row", name="bela@example.org")).to_contain_text("Has an offer")
    await page.get_by_label("State").select_option("Waiting")
    await expect(page.get_by_text("Nobody is here")).to_be_visible()


async def test_an_operator_makes_a_list_and_changes_its_rules(
    open_page: OpenPage, office: Office
) -> None:
    show = fresh_show(office, rows=1)
    name = str(office.call("GET", f"/v1/resources/{show}")["name"])
    page = await open_page()
    await log_in(page, office, "/console/waitlists")
    await page.get_by_role("link", name="New waitlist").click()
    await check_accessible(page)
    await page.get_by_role("button", name="Make the waitlist").click()
    await expect(page.get_by_text("Choose at least one.")).to_be_visible()
    await page.get_by_label("Search for shows").fill(name)
    await page.get_by_role("checkbox", name=name).check()
    await page.get_by_role("radio", name="The largest that fits").check()
    await page.get_by_label("How many are looked at").fill("5")
    await page.get_by_label("Minutes to decide").fill("0")
    await expect(page.get_by_text("From 1 to 1,440.")).to_be_visible()
    await page.get_by_label("Minutes to decide").fill("15")
    await page.get_by_role("button", name="Make the waitlist").click()
    await page.wait_for_url("**/console/waitlists/wtl_*")
    made = page.url.rsplit("/", 1)[1]
    known = office.call("GET", f"/v1/waitlists/{made}")
    assert known["resource_ids"] == [show]
    assert (known["policy"], known["window"], known["decide_seconds"]) == ("best_fit", 5, 900)
    await page.get_by_role("button", name="Change the rules").click()
    await expect(page.get_by_role("button", name="Save the rules")).to_be_disabled()
    await page.get_by_role("radio", name="Taken, with all of their money").check()
    await page.get_by_label("May be passed by, at most").fill("3")
    await check_accessible(page)
    await page.get_by_role("button", name="Save the rules").click()
    await expect(page.get_by_text("3 times at most")).to_be_visible()
    changed = office.call("GET", f"/v1/waitlists/{made}")
    assert (changed["exchange"], changed["passes_max"], changed["window"]) == ("free", 3, 5)
    # Somebody else changes it while the form is open: nothing of theirs is lost.
    await page.get_by_role("button", name="Change the rules").click()
    office.call("PATCH", f"/v1/waitlists/{made}", {"party_max": 4})
    await page.get_by_label("May be passed by, at most").fill("2")
    await page.get_by_role("button", name="Save the rules").click()
    await expect(page.get_by_role("alert")).to_be_visible()
    await page.get_by_role("button", name="Leave as it was").click()


async def test_an_operator_closes_a_list_opens_it_again_and_ends_it(
    open_page: OpenPage, office: Office
) -> None:
    made, _ = waited_for(office)
    page = await open_page()
    await log_in(page, office, f"/console/waitlists/{made}")
    for verb, state in (
        ("Take nobody more", "closed"),
        ("Take people again", "open"),
        ("End the list", "ended"),
    ):
        await page.get_by_role("button", name=verb).click()
        await page.get_by_role("dialog").get_by_role("button", name=verb).click()
        await expect(page.get_by_role("dialog")).to_have_count(0)
        assert office.call("GET", f"/v1/waitlists/{made}")["state"] == state
    await expect(page.get_by_role("button", name="Change the rules")).to_have_count(0)


@pytest.mark.parametrize("locale", ["en", "de", "ar"])
async def test_on_a_phone_in_every_language(
    open_page: OpenPage, office: Office, locale: str
) -> None:
    waitlist, _ = waited_for(office)
    page = await open_page(phone=True)
    await log_in(page, office, f"/console/waitlists/{waitlist}")
    await page.evaluate("locale => localStorage.setItem('bespeak.locale', locale)", locale)
    await page.reload()
    await expect(page.get_by_text("asha@example.org").first).to_be_visible()
    await check_accessible(page)
    assert await page.evaluate(TOO_WIDE) <= 0
    await page.goto("/console/waitlists/new")
    await expect(page.get_by_role("group").first).to_be_visible()
    await check_accessible(page)
    assert await page.evaluate(TOO_WIDE) <= 0
