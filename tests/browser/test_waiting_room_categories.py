"""Who waits reads what is left by category, and how likely each is at their turn: two visitors, one
near the front and one far behind it on a phone, while the box office sells the best seats.
"""

from __future__ import annotations

from playwright.async_api import Page, Route, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import fresh_show
from tests.browser.test_waiting_rooms import SAME_IN_GERMAN, TOO_WIDE, make_room, stage
from tests.browser.three_languages import ThreeLanguages

SEATS = 20
PLAN = {
    "type": "seats",
    "sections": [
        {"name": "Below", "category": "Stalls", "rows": [{"name": "A", "seats": SEATS}]},
        {
            "name": "Above",
            "category": "Balcony",
            "rows": [{"name": "B", "seats": SEATS}, {"name": "C", "seats": SEATS}],
        },
    ],
    "categories": [{"name": "Stalls", "price": 2500}, {"name": "Balcony", "price": 1200}],
    "translations": [
        {"language": "de", "words": {"Stalls": "Parkett", "Balcony": "Rang"}},
        {"language": "ar", "words": {"Stalls": "الصالة", "Balcony": "الشرفة"}},
    ],
}


def join_many(office: Office, room: str, first: int, count: int) -> None:
    for number in range(first, first + count):
        wanted = {"owner": f"guest {number}"}
        office.call("POST", f"/v1/waiting-rooms/{room}/queue-tokens", wanted)


async def wait_in(page: Page, room: str) -> None:
    """Joins, and stands in the queue."""
    await page.goto(f"/waiting/{room}")
    await page.get_by_role("button", name="Join the queue").click()
    await stage(page, "You are in the queue")


async def says(page: Page, category: str, left: str, chance: str | None) -> None:
    """Waits until the page says so of a category."""
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=category))
    wanted = [left] if chance is None else [left, chance]
    await expect(row.get_by_role("cell")).to_have_text(wanted)


async def test_who_waits_reads_how_likely_each_category_is(
    open_page: OpenPage, office: Office
) -> None:
    show = fresh_show(office, plan=PLAN)
    slow = {"pace": "stock", "a_minute": 1, "inside_max": 1, "early_order": "first_come"}
    room = make_room(office, show, opens_at="2020-01-01T00:00:00Z", **slow)
    join_many(office, room, 0, 5)
    near = await open_page()
    await wait_in(near, room)
    title = near.get_by_role("heading", name="What is left, and your chance")
    await expect(title).to_be_visible()
    await says(near, "Stalls", "20 of 20", "not known yet")
    await check_accessible(near)
    join_many(office, room, 5, 120)
    far = await open_page(phone=True)
    await wait_in(far, room)

    lines = [{"resource_id": show, "unit": f"A{number + 1}"} for number in range(SEATS)]
    held = office.call("POST", "/v1/holds", {"owner": "desk", "lines": lines})
    await says(near, "Stalls", "0 of 20", "gone for now")
    await says(near, "Balcony", "40 of 40", "very likely")
    await says(far, "Stalls", "0 of 20", "gone for now")
    await says(far, "Balcony", "40 of 40", "unlikely")
    await expect(far.get_by_text("It is no promise")).to_be_visible()
    assert await far.evaluate(TOO_WIDE) <= 0
    await check_accessible(far)
    languages = await ThreeLanguages.of(far, open_page, SAME_IN_GERMAN, phone=True)
    name = str(office.call("GET", f"/v1/resources/{show}")["name"])

    async def is_well_made(window: Page, language: str) -> None:
        if language == "de":
            await says(window, "Rang", "40 von 40", "unwahrscheinlich")
        assert await window.evaluate(TOO_WIDE) <= 0
        await check_accessible(window)

    names = ["Premiere", "demo", "general", show, name]
    await languages.look(f"/waiting/{room}", names, then=is_well_made)
    assert languages.untranslated == []

    office.call("DELETE", f"/v1/holds/{held['id']}")
    await expect(far.get_by_role("cell", name="20 of 20")).to_be_visible()


async def test_before_there_is_a_place_only_what_is_left_is_told(
    open_page: OpenPage, office: Office
) -> None:
    show = fresh_show(office, plan=PLAN)
    room = make_room(office, show, pace="stock")
    page = await open_page(phone=True)
    await page.goto(f"/waiting/{room}")
    await page.get_by_role("button", name="Join the queue").click()
    await stage(page, "You are in")
    await says(page, "Stalls", "20 of 20", None)
    await expect(page.get_by_role("heading", name="What is left", exact=True)).to_be_visible()
    await expect(page.get_by_text("At your turn")).to_have_count(0)
    await check_accessible(page)


async def test_a_place_that_was_told_too_early_is_told_again(
    open_page: OpenPage, office: Office
) -> None:
    """Who joins is told a place by what that server has counted; others may have let people join
    in the same second."""
    show = fresh_show(office)
    room = make_room(office, show, opens_at="2020-01-01T00:00:00Z", a_minute=1, inside_max=1)
    join_many(office, room, 0, 9)
    page = await open_page()
    early: list[int] = []

    async def count_only_half(route: Route) -> None:
        answer = await route.fetch()
        told = await answer.json()
        told["place"] |= {"place": 5, "ahead": 4}
        early.append(told["place"]["place"])
        await route.fulfill(response=answer, json=told)

    await page.route("**/queue-tokens", count_only_half)
    await wait_in(page, room)
    place = page.locator(".waiting-place dt", has_text="Your place").locator("+ dd")
    # It may have been shown for less than a moment: it is what the page was told when it joined.
    await expect(place).to_have_text("10")
    assert early
