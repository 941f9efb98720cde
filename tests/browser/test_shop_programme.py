"""The events of a programme in the shop: they are found by words, filters and in a calendar by the
keyboard alone, read by search engines, and bought to the end, seats and places to stand.
"""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.programme import (
    ROOT,
    ZONE,
    Programme,
    days_on,
    make_date,
    make_event,
    make_programme,
    today,
)
from tests.browser.shop import booked, go_on, pay
from tests.browser.three_languages import ThreeLanguages

BERLIN = {"timezone_id": ZONE}
SAME_IN_GERMAN = {"Jan", "Feb", "Apr", "Aug", "Nov", "London", "Pune", "Mumbai"}
OPTIONS = ".combobox-list [role=option]"


@pytest.fixture(scope="module")
def programme(office: Office) -> Programme:
    """A venue with two halls, in which each test puts on what it needs."""
    return make_programme(office)


async def settled(page: Page) -> None:
    await page.get_by_role("heading", level=1).wait_for(state="attached")
    await expect(page.locator(".skeleton")).to_have_count(0)


async def fits(page: Page) -> None:
    width = await page.evaluate("document.documentElement.scrollWidth")
    assert width == 390, "the page is wider than the phone"


async def test_events_are_found_by_words_and_filters(
    open_page: OpenPage, office: Office, programme: Programme
) -> None:
    other = make_programme(office, name="Small House")
    harp = make_event(office, "Harp in the Dark", performers=["Ida Quint"])
    owls = make_event(office, "Owls, a Lecture", kind="talk", performers=["Ida Quint"])
    make_date(office, programme, harp, "seated", days_on(40))
    make_date(office, other, owls, "seated", days_on(47))
    page = await open_page("/events", **BERLIN)
    await settled(page)
    search = page.get_by_role("combobox", name="Search events and artists")
    await search.fill("quint")
    await expect(page.locator(OPTIONS)).to_have_count(2)
    await check_accessible(page)
    await search.press("Enter")
    headings = page.locator(".events-card h3")
    await expect(headings).to_have_text(["Harp in the Dark", "Owls, a Lecture"])
    await expect(page).to_have_url(re.compile("q=quint"))
    await page.get_by_role("combobox", name="Kind", exact=True).select_option("Talk")
    await expect(headings).to_have_text(["Owls, a Lecture"])
    await page.get_by_role("combobox", name="Kind", exact=True).select_option("All kinds")
    await page.get_by_role("combobox", name="Place", exact=True).select_option("Small House")
    await expect(headings).to_have_text(["Owls, a Lecture"])
    await page.reload()
    await expect(headings).to_have_text(["Owls, a Lecture"])
    await page.get_by_role("combobox", name="Place", exact=True).select_option("All places")
    await page.get_by_role("combobox", name="Days", exact=True).select_option("Choose days")
    day = today() + timedelta(days=41)
    await page.get_by_label("From", exact=True).fill(str(day))
    await expect(headings).to_have_text(["Owls, a Lecture"])
    await page.get_by_label("Until", exact=True).fill(str(day + timedelta(days=1)))
    await expect(page.get_by_role("heading", name="No events found")).to_be_visible()
    await check_accessible(page)
    await page.get_by_role("button", name="Clear filters").first.click()
    await expect(headings.filter(has_text="Harp")).to_have_count(1)
    await page.go_back()
    await expect(page.get_by_role("heading", name="No events found")).to_be_visible()


async def test_where_few_are_left_their_number_is_said(
    open_page: OpenPage, office: Office, programme: Programme
) -> None:
    """On the card of the event, on its date and in the calendar; where there are many, nothing."""
    few = make_event(office, "Moths by Lamplight")
    date = make_date(office, programme, few, "standing", days_on(53), owner_limit=None)
    lines = [
        {"resource_id": date, "unit": "Floor", "quantity": 97},
        {"resource_id": date, "unit": "Gallery", "quantity": 8},
    ]
    for line in lines:
        office.call("POST", "/v1/holds", {"owner": f"party {line['unit']}", "lines": [line]})
    many = make_event(office, "Moths by Daylight")
    make_date(office, programme, many, "standing", days_on(54))
    page = await open_page("/events?q=moths", **BERLIN)
    await settled(page)
    cards = page.locator(".events-card")
    await expect(cards.filter(has_text="Lamplight").locator(".badge")).to_have_text("3 left")
    await expect(cards.filter(has_text="Daylight").locator(".badge")).to_have_count(0)
    await page.goto(f"/events/{few}")
    await expect(page.locator(".event-date .badge")).to_have_text("3 left")


async def test_a_suggestion_is_taken_by_the_keyboard(
    open_page: OpenPage, office: Office, programme: Programme
) -> None:
    event = make_event(office, "Vespers at Noon")
    make_date(office, programme, event, "seated", days_on(41))
    page = await open_page("/events", **BERLIN)
    await page.get_by_role("combobox", name="Search events and artists").fill("vespe")
    await expect(page.locator(OPTIONS)).to_be_visible()
    await page.keyboard.press("ArrowDown")
    await expect(page.locator(OPTIONS)).to_have_attribute("aria-selected", "true")
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"**/events/{event}")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Vespers at Noon")
    assert "Vespers at Noon" in await page.title()


async def test_the_calendar_is_walked_by_the_keyboard(
    open_page: OpenPage, office: Office, programme: Programme
) -> None:
    event = make_event(office, "Clockwork Quartet")
    month = (today().replace(day=1) + timedelta(days=62)).replace(day=1)
    # In the morning: the other tests have the hall in the evenings, whatever day it is today.
    make_date(office, programme, event, "seated", f"{month.replace(day=18)}T11:00")
    page = await open_page(f"/events?view=calendar&q=clockwork&month={month:%Y-%m}", **BERLIN)
    await settled(page)
    await expect(page.get_by_role("heading", name=f"{month:%B %Y}", exact=True)).to_be_visible()
    chosen = page.locator(".events-cell[aria-pressed=true]")
    await expect(chosen).to_contain_text("Clockwork Quartet")
    await check_accessible(page)
    await chosen.focus()
    await page.keyboard.press("ArrowRight")
    await expect(chosen).to_be_focused()
    await expect(chosen).to_contain_text("19 ")
    await expect(page.get_by_text("Nothing on this day.")).to_be_visible()
    await page.keyboard.press("ArrowLeft")
    entry = page.get_by_role("link", name="Clockwork Quartet")
    await expect(entry).to_be_visible()
    await page.keyboard.press("PageDown")
    later = (month + timedelta(days=31)).replace(day=1)
    await expect(page).to_have_url(re.compile(f"month={later:%Y-%m}"))
    await expect(chosen).to_be_focused()
    await page.keyboard.press("PageUp")
    await expect(entry).to_be_visible()
    await page.keyboard.press("Tab")
    await expect(entry).to_be_focused()
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"**/events/{event}")


async def test_on_a_phone_the_month_is_an_agenda(
    open_page: OpenPage, office: Office, programme: Programme
) -> None:
    event = make_event(office, "Agenda for " + "Ever" * 12)
    make_date(office, programme, event, "seated", days_on(61, "19:30"))
    month = f"{today() + timedelta(days=61):%Y-%m}"
    page = await open_page(f"/events?view=calendar&month={month}", phone=True, **BERLIN)
    await settled(page)
    await expect(page.get_by_role("link", name="Agenda for")).to_contain_text("19:30")
    await expect(page.locator(".events-month")).to_have_count(0)
    await fits(page)
    await check_accessible(page)


async def test_a_seat_is_bought_to_the_end(
    open_page: OpenPage, office: Office, programme: Programme
) -> None:
    event = make_event(
        office,
        "Sonatas for Two",
        performers=["Zoë Müller"],
        summary="One evening.",
        description="First.\n\nSecond.",
        age_from=6,
    )
    date = make_date(
        office,
        programme,
        event,
        "seated",
        days_on(42),
        doors_at=days_on(42, "19:15"),
        note="With an interpreter",
    )
    page = await open_page(f"/events/{event}", **BERLIN)
    await settled(page)
    await expect(page.get_by_text("6 and over")).to_be_visible()
    row = page.locator(".event-date")
    await expect(row).to_contain_text("Doors open at 19:15")
    await expect(row.locator("dd")).to_have_text(["€45.00", "€29.00"])
    read = json.loads(await page.locator("script[type='application/ld+json']").inner_text())
    (told,) = read["@graph"]
    assert told["@type"] == "MusicEvent"
    assert told["offers"]["url"] == f"{office.url}/shows/{date}"
    await check_accessible(page)
    await row.get_by_role("link", name="Choose seats").click()
    await page.wait_for_url(f"**/shows/{date}")
    head = page.locator(".event-heading")
    await expect(head).to_contain_text("Kesselhaus · Zx1")
    await expect(head).to_contain_text("With an interpreter")
    await page.get_by_role("button", name="Take the best 2 seats").click()
    await page.get_by_role("region", name="Kept for you").wait_for()
    await go_on(page)
    summary = page.locator(".event-summary")
    await expect(summary).to_contain_text("Sonatas for Two")
    await expect(summary).to_contain_text("Am Krögel 2, Berlin")
    await pay(page)
    await booked(page)
    await expect(page.locator(".event-summary")).to_contain_text("Doors open at 19:15")
    await check_accessible(page)


async def test_places_to_stand_are_bought_on_a_phone(
    open_page: OpenPage, office: Office, programme: Programme
) -> None:
    event = make_event(office, "Basement Beats", kind="party")
    date = make_date(office, programme, event, "standing", days_on(43, "22:00"))
    page = await open_page(f"/events/{event}", phone=True, **BERLIN)
    await settled(page)
    await fits(page)
    await page.get_by_role("link", name="Choose seats").click()
    await page.wait_for_url(f"**/shows/{date}")
    more = page.get_by_role("button", name="One more: Floor")
    await more.click()
    await more.click()
    await expect(page.get_by_role("button", name="Take the best")).to_have_count(0)
    await expect(page.get_by_text("2 tickets")).to_be_visible()
    await expect(page.locator(".show-hint")).to_have_count(0)
    await fits(page)
    await check_accessible(page)
    await go_on(page)
    await expect(page.get_by_role("heading", name="Checkout")).to_be_visible()
    await pay(page)
    await booked(page)
    await expect(page.locator(".ticket img")).to_have_count(2)
    seen = office.call("GET", f"{ROOT}/performances/{date}")
    assert seen["units_free"] == 106


async def test_fingers_are_told_once_how_a_map_moves(
    open_page: OpenPage, office: Office, programme: Programme
) -> None:
    event = make_event(office, "Hints")
    date = make_date(office, programme, event, "seated", days_on(44))
    page = await open_page(f"/shows/{date}", phone=True, **BERLIN)
    await expect(page.locator(".show-hint")).to_contain_text("Pinch to zoom")
    await check_accessible(page)
    await page.get_by_role("button", name="Close this hint").click()
    await expect(page.locator(".show-hint")).to_have_count(0)
    await page.reload()
    await expect(page.locator("bespeak-seatmap .chip").first).to_be_visible()
    await expect(page.locator(".show-hint")).to_have_count(0)
    desktop = await open_page(f"/shows/{date}", **BERLIN)
    await expect(desktop.locator("bespeak-seatmap .chip").first).to_be_visible()
    await expect(desktop.locator(".show-hint")).to_have_count(0)


async def test_what_is_sold_out_or_called_off_says_so(
    open_page: OpenPage, office: Office, programme: Programme
) -> None:
    event = make_event(office, "Not to Be Had")
    make_date(office, programme, event, "seated", days_on(45), opens_at=days_on(40))
    off = make_date(office, programme, event, "seated", days_on(46))
    office.call("POST", f"/v1/resources/{off}/cancellation", {"reason": "The singer is ill"})
    page = await open_page(f"/events/{event}", **BERLIN)
    rows = page.locator(".event-date")
    await expect(rows.nth(0)).to_contain_text("Not on sale yet")
    await expect(rows.nth(1)).to_contain_text("Called off")
    await expect(page.get_by_role("link", name="Choose seats")).to_have_count(0)
    await check_accessible(page)
    await page.goto(f"/shows/{off}")
    await expect(page.get_by_role("heading", name="This show was called off")).to_be_visible()


async def test_what_is_not_there_says_so(page: Page) -> None:
    for path in ("/events/prd_000000000000", "/events/nonsense"):
        await page.goto(path)
        await expect(page.get_by_role("heading", level=1)).to_have_text("There is no such page")


async def test_where_no_film_is_on_the_events_are_home(
    open_page: OpenPage, office: Office, programme: Programme
) -> None:
    make_date(office, programme, make_event(office, "At Home"), "seated", days_on(48))
    page = await open_page(**BERLIN)
    await page.goto("/")
    await expect(page.get_by_role("link", name="Events")).to_be_visible()
    await expect(page.locator(".cinema-home")).to_have_count(1)
    await page.route("**/v1/cinema/cities", lambda route: route.fulfill(json={"items": []}))
    await page.goto("/")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Events")
    await page.get_by_role("combobox", name="Kind", exact=True).select_option("Concert")
    await expect(page).to_have_url(re.compile(r"/\?kind=concert"))


async def test_an_event_called_script_looks_just_so(
    open_page: OpenPage, office: Office, programme: Programme
) -> None:
    bad = "</script><script>window.stolen=1</script><img src=x onerror=window.stolen=1>"
    event = make_event(office, bad, performers=[bad], summary=bad, description=bad)
    make_date(office, programme, event, "seated", days_on(49), note=bad)
    page = await open_page(f"/events/{event}", **BERLIN)
    await expect(page.get_by_role("heading", level=1)).to_have_text(bad)
    await expect(page.locator(".event-date")).to_contain_text(bad)
    assert await page.evaluate("window.stolen") is None


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
async def test_no_page_of_events_shows_english_in_another_language(
    open_page: OpenPage, office: Office, programme: Programme, *, phone: bool
) -> None:
    # A name of this test's own: the search must find no other test's event.
    event = make_event(office, "Zqvk", performers=["Zqvk"], age_from=12)
    terms = {"pricing": {"fees": [{"name": "Zqvk", "amount": 50}]}}
    day = 52 if phone else 50
    soon = days_on(day, "19:00")
    date = make_date(office, programme, event, "seated", days_on(day), doors_at=soon, **terms)
    standing = make_date(office, programme, event, "standing", days_on(day))
    page = await open_page("/bookings", phone=phone, **BERLIN)
    reader = await ThreeLanguages.of(page, open_page, SAME_IN_GERMAN, phone=phone, **BERLIN)
    month = f"{today() + timedelta(days=day):%Y-%m}"
    paths = ["/events?q=zqvk", f"/events?view=calendar&q=zqvk&month={month}", "/events?q=nobody"]
    paths += [f"/events/{event}", f"/shows/{date}"]
    names = ("Zqvk", "Zx1", "Zx2", "Kesselhaus", "Small House", "Berlin", "Am Krögel")

    async def in_arabic(window: Page, language: str) -> None:
        if language == "ar":
            await check_accessible(window)
            if phone:
                await fits(window)

    for path in paths:
        await reader.look(path, names, then=in_arabic)
    assert reader.untranslated == [], "\n".join(reader.untranslated)
    await page.goto(f"/shows/{standing}")
    await expect(page.locator("bespeak-seatmap .area")).to_have_count(2)
    await check_accessible(page)
