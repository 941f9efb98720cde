"""The dates of a stay are changed at the console for a guest who calls: all of its rooms by one
act, with what each costs before, and the money of the old stay in the drawer's books.
"""

from __future__ import annotations

import asyncio
import re

from playwright.async_api import Page, Route, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import log_in
from tests.browser.stays import day_on, make_listing, make_property, make_town


def stay(listings: list[str], first: int, last: int) -> list[dict[str, object]]:
    return [
        {"resource_id": one, "from": day_on(first), "to": day_on(last), "guests": 2}
        for one in listings
    ]


def sold(office: Office, listings: list[str]) -> str:
    """A stay of asha's in these, paid in coins; its id."""
    asked = {"owner": "asha", "lines": stay(listings, 50, 52)}
    hold = office.call("POST", "/v1/holds", asked, key="sk")
    body = {
        "hold_id": hold["id"],
        "provider": "desk",
        "payment_token": "cash",
        "contact": {"email": "asha@example.org", "name": "Asha"},
    }
    return str(office.call("POST", "/v1/bookings", body, key="sk")["id"])


async def test_the_desk_changes_the_dates_of_all_rooms(open_page: OpenPage, office: Office) -> None:
    house = make_property(office, make_town())
    room = {"type": "nights", "rooms": ["101"]}
    suite = {"type": "nights", "rooms": ["201"], "min_nights": 2}
    listings = [
        make_listing(office, house, name, plan=plan)
        for name, plan in (("Room", room), ("Suite", suite))
    ]
    old = sold(office, listings)
    page = await open_page(phone=True)
    await log_in(page, office, f"/console/bookings/{old}")
    await page.get_by_role("button", name="Change the dates").click()
    dialog = page.get_by_role("dialog")
    verb = dialog.get_by_role("button", name="Money taken, book the new dates")
    await expect(verb).to_be_disabled()
    # One night is not sold in one of them: that one is named, and nothing can be booked.
    await dialog.get_by_label("Arrival").fill(day_on(51))
    await expect(dialog.get_by_text(re.compile("This is about: .*: Suite"))).to_be_visible()
    await expect(verb).to_be_disabled()
    await dialog.get_by_label("Departure").fill(day_on(54))
    facts = dialog.locator(".console-pairs")
    await expect(facts).to_have_text(
        re.compile(
            "Room€240.00.*Suite€240.00The new stay€480.00.*as it was paid€320.00"
            "More than now€160.00To take now€480.00"
        )
    )
    await check_accessible(page)
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    # Somebody has one of the nights: nothing is changed, and the room is named.
    theirs = office.call(
        "POST", "/v1/holds", {"owner": "bela", "lines": stay(listings[:1], 53, 54)}, key="sk"
    )
    await verb.click()
    await expect(dialog.get_by_text(re.compile("This is about: .*: Room"))).to_be_visible()
    assert office.call("GET", f"/v1/bookings/{old}")["state"] == "confirmed"
    office.call("DELETE", f"/v1/holds/{theirs['id']}", key="sk")
    await dialog.get_by_label("Card terminal").check()
    await verb.click()
    await expect(page).not_to_have_url(re.compile(old))
    await page.wait_for_url("**/console/bookings/bkg_*")
    new = page.url.rpartition("/")[2]
    found = office.call("GET", f"/v1/bookings/{new}")
    lines = found["lines"]
    assert isinstance(lines, list)
    assert [(one["resource_id"], one["from"], one["to"]) for one in lines] == [
        (listing, day_on(51), day_on(54)) for listing in listings
    ]
    assert found["owner"] == "asha"
    gone = office.call("GET", f"/v1/bookings/{old}")
    assert (gone["state"], gone["reason"]) == ("cancelled", "exchanged")
    # Its money is to be handed back as it was paid.
    await page.goto("/console/work")
    waiting = page.get_by_role("listitem").filter(has=page.locator(f"a[href$='{old}']"))
    await expect(waiting).to_contain_text("€320.00")


async def test_what_is_let_go_leaves_the_stay_free_to_change(
    open_page: OpenPage, office: Office
) -> None:
    """A payment that is refused leaves a hold; whoever closes the dialog lets go of it, and the
    next try is not told that a change is under way."""
    house = make_property(office, make_town())
    room = make_listing(office, house, "Room", plan={"type": "nights", "rooms": ["101"]})
    old = sold(office, [room])
    page = await open_page()
    await log_in(page, office, f"/console/bookings/{old}")

    async def change(last: int) -> None:
        await page.get_by_role("button", name="Change the dates").click()
        await page.get_by_role("dialog").get_by_label("Departure").fill(day_on(last))
        await page.get_by_role("button", name="Money taken, book the new dates").click()

    refusal = {
        "code": "payment_declined",
        "status": 402,
        "title": "declined",
        "detail": "declined",
        "type": "about:blank",
        "retryable": False,
        "request_id": "1",
    }
    await page.route("**/v1/bookings", lambda route: route.fulfill(status=409, json=refusal))
    await change(55)
    await expect(page.get_by_role("dialog").get_by_role("alert")).to_be_visible()
    live = office.call("GET", "/v1/holds?owner=asha", key="sk")["items"]
    assert isinstance(live, list)
    assert room in str(live)
    await page.unroute("**/v1/bookings")
    await page.get_by_role("dialog").get_by_role("button", name="Back").click()
    await change(56)
    await expect(page).not_to_have_url(re.compile(old))
    lines = office.call("GET", f"/v1/bookings/{page.url.rpartition('/')[2]}")["lines"]
    assert isinstance(lines, list)
    assert [one["to"] for one in lines] == [day_on(56)]


async def choose(page: Page, departure: int) -> None:
    """Opens the dialog and presses its button, once the new nights have a price."""
    await page.get_by_role("button", name="Change the dates").click()
    await page.get_by_role("dialog").get_by_label("Departure").fill(day_on(departure))
    await page.get_by_role("button", name="Money taken, book the new dates").click()


async def test_back_stops_a_change_that_is_under_way(open_page: OpenPage, office: Office) -> None:
    house = make_property(office, make_town())
    room = make_listing(office, house, "Room", plan={"type": "nights", "rooms": ["101"]})
    old = sold(office, [room])
    page = await open_page()
    await log_in(page, office, f"/console/bookings/{old}")
    waiting: asyncio.Future[Route] = asyncio.get_running_loop().create_future()

    async def keep(route: Route) -> None:
        waiting.set_result(route)

    await page.route("**/v1/holds", keep, times=1)
    await choose(page, 55)
    asked = await waiting
    await page.get_by_role("dialog").get_by_role("button", name="Back").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    async with page.expect_response(lambda answer: answer.request.method == "DELETE") as released:
        await asked.continue_()
    assert (await released.value).ok
    assert office.call("GET", f"/v1/bookings/{old}")["state"] == "confirmed"
    live = office.call("GET", "/v1/holds?owner=asha", key="sk")["items"]
    assert room not in str(live)


async def test_a_change_whose_answer_was_lost_is_found_by_back(
    open_page: OpenPage, office: Office
) -> None:
    """It was booked: who leaves the dialog is led there, and what the guest said came along."""
    house = make_property(office, make_town())
    room = make_listing(office, house, "Room", plan={"type": "nights", "rooms": ["101"]})
    diet = {"id": "diet", "text": "What do you not eat?"}
    office.call("PATCH", f"/v1/resources/{room}", {"questions": [diet]})
    old = sold(office, [room])
    nuts = {"resource_id": room, "question": "diet", "answer": "Nuts"}
    office.call("PUT", f"/v1/bookings/{old}/answers", {"answers": [nuts]})
    page = await open_page()
    await log_in(page, office, f"/console/bookings/{old}")

    async def lose(route: Route) -> None:
        await route.fetch()
        await route.fulfill(status=409, json={"code": "lost", "detail": "lost"})

    await page.route("**/v1/bookings", lose)
    await choose(page, 55)
    await expect(page.get_by_role("dialog").get_by_role("alert")).to_be_visible()
    await page.get_by_role("dialog").get_by_role("button", name="Back").click()
    await expect(page.get_by_text("The new dates were booked already.")).to_be_visible()
    await expect(page).not_to_have_url(re.compile(old))
    new = page.url.rpartition("/")[2]
    found = office.call("GET", f"/v1/bookings/{new}")
    assert (found["state"], found["owner"]) == ("confirmed", "asha")
    said = office.call("GET", f"/v1/bookings/{new}/answers")["answers"]
    assert isinstance(said, list)
    assert [(one["question"], one["answer"]) for one in said] == [("diet", "Nuts")]
    listed = office.call("GET", f"/v1/bookings?q={new}")["items"]
    assert "asha@example.org" in str(listed)
