"""A sale behind a waiting room, from both sides: the operator makes, opens and steers it; visitors
are led to it from the show, join, check their draw, are let in, and buy.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest
from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office, await_everywhere
from tests.browser.operating import fresh_show, log_in
from tests.browser.shop import booked, go_on, pay
from tests.browser.three_languages import ThreeLanguages

TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Words that German writes as English does.
SAME_IN_GERMAN = ("Hash", "SHA", "Link", "Name", "Board", "Scanner", "Import", "Shows")


def make_room(office: Office, show: str, **given: object) -> str:
    """A waiting room before a show, whose sale begins tomorrow; its id."""
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    wanted = {"name": "Premiere", "resources": [show], "opens_at": tomorrow, "pace": "rate"}
    room = str(office.call("POST", "/v1/waiting-rooms", wanted | given)["id"])
    await_known_everywhere(office, room)
    return room


def await_known_everywhere(office: Office, room: str) -> None:
    """Waits until every worker knows a room: each looks once a second."""
    path = f"/v1/waiting-rooms/{room}/now"
    await_everywhere(lambda: office.ask_anew(path).is_success, f"the room {room}")


def steer(office: Office, room: str, **change: object) -> None:
    office.call("PATCH", f"/v1/waiting-rooms/{room}", change)


async def stage(page: Page, title: str) -> None:
    """Waits until the page of a waiting room says so."""
    await expect(page.locator("#waiting-stage")).to_have_text(title)


async def led_from(page: Page, show: str, room: str) -> None:
    """Chooses a seat of a show, and comes to its waiting room, where one has joined."""
    await page.goto(f"/shows/{show}?seats=A1")
    await page.wait_for_url(f"**/waiting/{room}?from=*")
    await stage(page, "You are in")


async def room_made_by(operator: Page, office: Office, show: str) -> str:
    """Makes a waiting room before a show at the console, as an operator does; its id."""
    name = str(office.call("GET", f"/v1/resources/{show}")["name"])
    await operator.get_by_role("link", name="New waiting room").click()
    await operator.get_by_role("button", name="Make the waiting room").click()
    await expect(operator.get_by_text("A name is needed.")).to_be_visible()
    await operator.get_by_label("Name").first.fill("Premiere of the Lantern")
    await operator.get_by_label("Search for shows").fill(name)
    await operator.get_by_role("checkbox", name=name).check()
    await check_accessible(operator)
    await operator.get_by_role("button", name="Make the waiting room").click()
    await operator.wait_for_url("**/console/waiting-rooms/*_*")
    room = operator.url.rsplit("/", 1)[1]
    await_known_everywhere(office, room)
    await expect(operator.get_by_text("Planned")).to_be_visible()
    return room


async def test_a_sale_behind_a_waiting_room(open_page: OpenPage, office: Office) -> None:
    show = fresh_show(office)
    operator = await open_page()
    await log_in(operator, office, "/console/waiting-rooms")
    room = await room_made_by(operator, office, show)
    visitor = await open_page()
    await led_from(visitor, show, room)
    await expect(visitor.get_by_role("heading", level=1)).to_have_text("Premiere of the Lantern")
    await expect(visitor.get_by_text("To be early is no advantage")).to_be_visible()
    rules = re.compile(r"When you are called you have 2 mins? to come in, or your turn goes to the")
    await expect(visitor.get_by_text(rules)).to_be_visible()
    await check_accessible(visitor)
    await visitor.reload()
    await stage(visitor, "You are in")

    await press(operator, "Open now")
    await stage(visitor, "It is your turn!")
    await expect(visitor).to_have_title(re.compile("^It is your turn!"))
    await visitor.get_by_text("How the order is made").click()
    await visitor.get_by_role("button", name="Check my place in this browser").click()
    await expect(visitor.get_by_text("your place follows from the draw")).to_be_visible()
    await check_accessible(visitor)

    await visitor.get_by_role("button", name="Go to the tickets").click()
    await visitor.wait_for_url(f"**/shows/{show}?seats=A1")
    bar = visitor.get_by_role("complementary", name="Your time to buy")
    await expect(bar).to_contain_text("Premiere of the Lantern")
    await expect(visitor.get_by_role("button", name="Continue")).to_be_enabled()
    await check_accessible(visitor)
    await go_on(visitor)
    await expect(bar).to_be_visible()
    await pay(visitor)
    await booked(visitor)
    figure = operator.locator(".console-figure", has_text="Bought")
    await expect(figure.locator(".console-figure-value")).to_have_text("1")
    await check_accessible(operator)


async def test_an_operator_pauses_tells_all_and_ends(open_page: OpenPage, office: Office) -> None:
    show = fresh_show(office)
    room = make_room(office, show)
    visitor = await open_page(phone=True, color_scheme="dark")
    await led_from(visitor, show, room)
    operator = await open_page(phone=True)
    await log_in(operator, office, f"/console/waiting-rooms/{room}")
    await operator.get_by_label("Message").fill("Doors open at seven.")
    await operator.get_by_role("button", name="Tell all").click()
    await expect(visitor.get_by_text("Doors open at seven.")).to_be_visible()
    await operator.get_by_label("Let in a minute, at most").fill("60")
    await operator.get_by_role("button", name="Change the speed").click()
    await expect(operator.get_by_text("The speed was changed.")).to_be_visible()
    assert office.call("GET", f"/v1/waiting-rooms/{room}")["a_minute"] == 60
    await press(operator, "Open now")
    await stage(visitor, "It is your turn!")
    await press(operator, "Pause")
    await stage(visitor, "The queue is paused")
    await check_accessible(visitor)
    assert await visitor.evaluate(TOO_WIDE) <= 0
    assert await operator.evaluate(TOO_WIDE) <= 0
    await press(operator, "Undo the opening")
    await stage(visitor, "You are in")
    await expect(visitor.get_by_text("it is drawn anew, by another seed")).to_be_visible()
    told = office.call("GET", f"/v1/waiting-rooms/{room}")
    (undone,) = cast("list[dict[str, str]]", told["taken_back"])
    first = visitor.get_by_text("that this browser saw first:")
    await expect(first).to_contain_text(undone["seed_hash"])
    await expect(visitor.get_by_text("that counts now:")).to_contain_text(str(told["seed_hash"]))
    await check_accessible(visitor)
    assert await visitor.evaluate(TOO_WIDE) <= 0
    await press(operator, "End")
    await expect(visitor.get_by_role("heading", level=1)).to_have_text("There is no queue any more")
    await visitor.get_by_role("link", name="Go to the tickets").click()
    await visitor.wait_for_url(f"**/shows/{show}?seats=A1")


async def test_an_operator_drains_and_takes_it_back(open_page: OpenPage, office: Office) -> None:
    show = fresh_show(office)
    room = make_room(office, show, units_max=4)
    visitor, late = await open_page(), await open_page(phone=True)
    await led_from(visitor, show, room)
    operator = await open_page(phone=True)
    await log_in(operator, office, f"/console/waiting-rooms/{room}")
    await press(operator, "Drain")
    await expect(operator.get_by_text("Takes nobody more")).to_be_visible()
    assert office.call("GET", f"/v1/waiting-rooms/{room}")["draining"] is True
    await check_accessible(operator)
    assert await operator.evaluate(TOO_WIDE) <= 0
    await expect(visitor.get_by_text("Nobody more can join this queue.")).to_be_visible()
    await stage(visitor, "You are in")
    await expect(visitor.get_by_text("One person can hold 4 tickets of each show")).to_be_visible()
    await check_accessible(visitor)
    # Led there from a show, nothing is joined, and there is nothing to press.
    await late.goto(f"/shows/{show}?seats=A1")
    await late.wait_for_url(f"**/waiting/{room}?from=*")
    await stage(late, "This queue takes nobody more")
    await expect(late.get_by_role("button", name="Join the queue")).to_have_count(0)
    await expect(late.get_by_role("alert")).to_have_count(0)
    await check_accessible(late)
    assert await late.evaluate(TOO_WIDE) <= 0
    await press(operator, "Open now")
    await stage(visitor, "It is your turn!")
    await press(operator, "Take people again")
    await stage(late, "It is your turn!")  # joined by itself, as whoever is led from a show


async def test_the_public_value_is_named_until_people_can_join(
    open_page: OpenPage, office: Office
) -> None:
    soon = (datetime.now(UTC) + timedelta(hours=12)).isoformat()
    room = make_room(office, fresh_show(office), early_opens_at=soon)
    operator = await open_page()
    await log_in(operator, office, f"/console/waiting-rooms/{room}")
    await operator.get_by_label("Public value").fill("4 8 15 16 23 42")
    await operator.get_by_role("button", name="Name it").click()
    await expect(operator.get_by_text("The draw is mixed with this value.")).to_be_visible()
    steer(office, room, early_opens_at=datetime.now(UTC).isoformat())
    await operator.reload()
    await expect(operator.get_by_text("Public value of the draw: 4 8 15 16 23 42")).to_be_visible()
    await expect(operator.get_by_label("Public value")).to_have_count(0)
    made = office.call("GET", f"/v1/waiting-rooms/{room}")
    assert (made["public_value"], made["public_value_stands"]) == ("4 8 15 16 23 42", True)


async def test_a_room_with_a_queue_by_invitation_is_made_and_watched(
    open_page: OpenPage, office: Office
) -> None:
    show = fresh_show(office)
    name = str(office.call("GET", f"/v1/resources/{show}")["name"])
    operator = await open_page(phone=True)
    await log_in(operator, office, "/console/waiting-rooms/new")
    await operator.get_by_label("Name", exact=True).first.fill("Premiere")
    await operator.get_by_label("Search for shows").fill(name)
    await operator.get_by_role("checkbox", name=name).check()
    await operator.get_by_role("button", name="Add a queue").click()
    queues = operator.get_by_role("group", name="Queues")
    await operator.get_by_role("button", name="Add a queue").click()
    await queues.get_by_role("button", name="Remove").last.click()
    await expect(queues).to_be_focused()
    await expect(queues.get_by_label("Name")).to_have_count(2)
    await queues.get_by_label("Name").last.fill("Members")
    await queues.get_by_label("Share").last.fill("3")
    await operator.get_by_label("Seconds to come in").fill("10")
    await operator.get_by_role("button", name="Make the waiting room").click()
    await expect(operator.get_by_text("Small letters, digits and hyphens")).to_be_visible()
    await check_accessible(operator)
    await queues.get_by_label("Name").last.fill("members")
    await operator.get_by_role("button", name="Make the waiting room").click()
    await operator.wait_for_url("**/console/waiting-rooms/*_*")
    room = operator.url.rsplit("/", 1)[1]
    made = office.call("GET", f"/v1/waiting-rooms/{room}")
    assert made["queues"] == [
        {"name": "general", "share": 1, "invited": False},
        {"name": "members", "share": 3, "invited": True},
    ]
    await_known_everywhere(office, room)
    for number in range(24):
        wanted = {"owner": f"guest {number}", "queue": ("general", "members")[number % 2]}
        office.call("POST", f"/v1/waiting-rooms/{room}/queue-tokens", wanted)
    steer(office, room, state="open")
    await expect(operator.get_by_text("75%")).to_be_visible()
    # Nobody comes: after their seconds, that is said.
    alarm = operator.get_by_role("status").filter(has_text="did not come in")
    await expect(alarm).to_contain_text(
        "100% of those called in the last five minutes did not come in. Called: 24.",
        timeout=60_000,
    )
    await check_accessible(operator)
    assert await operator.evaluate(TOO_WIDE) <= 0


async def press(page: Page, verb: str) -> None:
    """Presses a button of the console, and says yes to its question."""
    await page.get_by_role("button", name=verb, exact=True).click()
    await page.get_by_role("dialog").get_by_role("button", name=verb, exact=True).click()
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_the_turn_goes_on_on_another_device_once(open_page: OpenPage, office: Office) -> None:
    show = fresh_show(office)
    room = make_room(office, show)
    desk = await open_page()
    await led_from(desk, show, room)
    await desk.get_by_text("Go on on another device").click()
    await expect(desk.get_by_alt_text("QR code with your link")).to_be_visible()
    link = await desk.get_by_label("Your link").input_value()
    phone = await open_page(link, phone=True)
    await stage(phone, "You are in")
    await expect(phone).not_to_have_url(re.compile("#"))
    steer(office, room, state="open")
    await stage(phone, "It is your turn!")
    await phone.get_by_role("button", name="Go to the tickets").click()
    await phone.wait_for_url(f"**/shows/{show}")
    await stage(desk, "It is your turn!")
    await desk.get_by_role("button", name="Go to the tickets").click()
    await expect(desk.get_by_text("Somebody came in with this place")).to_be_visible()
    await desk.get_by_role("button", name="Join the queue again").click()
    await stage(desk, "It is your turn!")


async def test_a_show_that_is_known_to_be_behind_a_room_says_so(
    open_page: OpenPage, office: Office
) -> None:
    show = fresh_show(office)
    room = make_room(office, show)
    page = await open_page()
    await led_from(page, show, room)
    await page.goto(f"/shows/{show}")
    note = page.get_by_text("These tickets are sold through a waiting room.")
    await expect(note).to_be_visible()
    await page.get_by_role("link", name="To the waiting room").click()
    await stage(page, "You are in")


async def test_a_pass_that_is_not_good_leads_back(open_page: OpenPage, office: Office) -> None:
    show = fresh_show(office)
    room = make_room(office, show, opens_at="2020-01-01T00:00:00Z")
    page = await open_page()
    await page.goto(f"/shows/{show}?seats=A1")
    await page.wait_for_url(f"**/waiting/{room}?from=*")
    await page.get_by_role("button", name="Go to the tickets").click()
    await page.wait_for_url(f"**/shows/{show}?seats=A1")
    await page.evaluate(
        """() => {
          const kept = JSON.parse(localStorage.getItem('bespeak.passes'));
          for (const one of Object.values(kept)) one.pass = one.pass.slice(0, -8);
          localStorage.setItem('bespeak.passes', JSON.stringify(kept));
        }"""
    )
    await page.reload()
    await page.wait_for_url(f"**/waiting/{room}?from=*")
    # The server knows of the pass, and gives the same again.
    await stage(page, "It is your turn!")
    await page.get_by_role("button", name="Go to the tickets").click()
    await go_on(page)


@pytest.mark.parametrize("side", ["visitor", "operator"])
async def test_the_pages_speak_three_languages(
    open_page: OpenPage, office: Office, side: str
) -> None:
    show = fresh_show(office)
    queues = [{"name": "general"}, {"name": "vip", "invited": True}]
    room = make_room(office, show, queues=queues, public_value="Lotto 4711")
    page = await open_page()
    names = [
        "Premiere",
        "demo",
        "general",
        "vip",
        "Lotto 4711",
        show,
        str(office.call("GET", f"/v1/resources/{show}")["name"]),
    ]
    if side == "visitor":
        await led_from(page, show, room)
        paths = [f"/waiting/{room}"]
    else:
        await log_in(page, office)
        paths = [f"/console/waiting-rooms/{room}"]
    languages = await ThreeLanguages.of(page, open_page, SAME_IN_GERMAN)
    for path in paths:
        await languages.look(path, names, then=lambda window, _: check_accessible(window))
    assert languages.untranslated == []
