"""Several visitors of one show: who is late is offered others, sees it live, and what runs out is
free again on every screen.
"""

from __future__ import annotations

from playwright.async_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.shop import (
    await_units_free,
    choose,
    close_streams,
    go_on,
    hold,
    make_show,
)

ALL = 30
# How long a crowd may take, as the server has it.
CROWD_MS_MAX = 300_000
# Every count of free seats that a map shows, however short it stands.
NOTE_COUNTS = """(map) => {
  map.counts = [map.unitsFree];
  const look = () => {
    if (map.unitsFree !== map.counts.at(-1)) map.counts.push(map.unitsFree);
    requestAnimationFrame(look);
  };
  look();
}"""


async def test_of_two_who_race_for_a_seat_one_is_offered_others(
    open_page: OpenPage, office: Office
) -> None:
    show = make_show(office)
    fast, slow = await open_page(), await open_page()
    await close_streams(slow)
    await choose(slow, show, "B5", "B6")
    await slow.route("**/availability**", lambda route: route.fulfill(status=503))
    await hold(fast, show, "B5", "B6")
    await slow.get_by_role("button", name="Continue").click()
    alert = slow.get_by_role("alert").filter(has_text="Somebody was faster")
    await expect(alert).to_contain_text("B 5, 6")
    await alert.get_by_role("button").first.click()
    await go_on(slow)
    taken = office.call("GET", f"/v1/resources/{show}/availability")["taken"]
    assert len(taken) == 4  # type: ignore[arg-type]
    assert office.call("GET", f"/v1/resources/{show}/audit")["double_sold"] == 0


async def test_a_seat_that_another_takes_is_seen_live(open_page: OpenPage, office: Office) -> None:
    show = make_show(office)
    one, other = await open_page(), await open_page()
    await choose(other, show, "A5", "A6")
    await hold(one, show, "A6")
    await expect(other.get_by_text("Somebody was faster with A 6.")).to_be_visible()
    await await_units_free(other, ALL - 1)
    await expect(other.locator(".shop-units")).to_contain_text("Row A, seat 5")
    await other.get_by_role("button", name="Find the nearest free seats").click()
    alert = other.get_by_role("alert").filter(has_text="How about these")
    await alert.get_by_role("button").first.click()
    await go_on(other)


async def test_time_runs_out_and_the_seat_is_free_on_both_screens(
    open_page: OpenPage, office: Office
) -> None:
    # So long that also a busy machine shows the others that the seats are held.
    show = make_show(office, hold_seconds=8, hold_seconds_max=8)
    holder, other = await open_page(), await open_page()
    await other.goto(f"/shows/{show}")
    await await_units_free(other, ALL)
    seatmap = other.locator("bespeak-seatmap")
    await seatmap.evaluate(NOTE_COUNTS)
    await choose(holder, show, "C1", "C2")
    await go_on(holder)
    await expect(holder.get_by_role("heading", name="Time is up")).to_be_visible()
    await expect(seatmap).to_have_js_property("counts", [ALL, ALL - 2, ALL])
    await holder.get_by_role("link", name="See if they are still free").click()
    await expect(holder.locator(".shop-units")).to_contain_text("Row C, seats 1, 2")


async def test_more_time_is_given_once(open_page: OpenPage, office: Office) -> None:
    show = make_show(office, hold_seconds=60, hold_seconds_max=300)
    page = await open_page()
    hold_id = await hold(page, show, "C1")
    before = office.call("GET", f"/v1/holds/{hold_id}")
    await page.get_by_role("button", name="I need more time").click()
    await expect(page.get_by_role("button", name="I need more time")).to_have_count(0)
    after = office.call("GET", f"/v1/holds/{hold_id}")
    assert str(after["expires_at"]) > str(before["expires_at"])
    assert str(after["expires_at"]) <= str(after["extends_until"])


async def test_a_show_that_is_closed_meanwhile_says_so(open_page: OpenPage, office: Office) -> None:
    show = make_show(office)
    page = await open_page()
    await close_streams(page)
    await choose(page, show, "A1")
    office.call("PATCH", f"/v1/resources/{show}", {"state": "closed"})
    await page.get_by_role("button", name="Continue").click()
    await expect(page.get_by_role("heading", name="Not on sale")).to_be_visible()


async def test_a_single_seat_is_not_left_over(open_page: OpenPage, office: Office) -> None:
    plan = {
        "type": "seats",
        "orphans": "strict",
        "sections": [{"name": "Stalls", "rows": [{"name": "A", "seats": 5}]}],
    }
    page = await open_page()
    await choose(page, make_show(office, plan=plan), "A2")
    await page.get_by_role("button", name="Continue").click()
    alert = page.get_by_role("alert").filter(has_text="alone")
    await expect(alert).to_contain_text("A 1")


async def test_a_crowd_is_let_loose_and_nothing_is_sold_twice(
    open_page: OpenPage, office: Office
) -> None:
    show = make_show(office)
    page = await open_page(f"/shows/{show}")
    await await_units_free(page, ALL)
    await page.get_by_role("button", name="Send 400 buyers").click()
    seatmap = page.locator("bespeak-seatmap")
    await expect(seatmap).not_to_have_js_property("unitsFree", ALL, timeout=CROWD_MS_MAX)
    again = page.get_by_role("button", name="Send 400 buyers")
    await expect(again).to_be_visible(timeout=CROWD_MS_MAX)
    twice = page.locator(".show-rush-counts [data-proof] dd")
    await expect(twice).to_have_text("0")
    assert office.call("GET", f"/v1/resources/{show}/audit")["double_sold"] == 0
