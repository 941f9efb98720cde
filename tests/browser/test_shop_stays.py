"""Nights in the shop: found by town, dates and filters, chosen in a calendar by the keyboard too,
held, paid and cancelled. Whoever comes too late is offered other dates.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.shop import booked, pay
from tests.browser.stays import (
    ZONE,
    await_found,
    day_on,
    make_listing,
    make_property,
    make_town,
    today,
)
from tests.browser.test_first_load import NEVER_AGAIN
from tests.browser.three_languages import ThreeLanguages

BERLIN = {"timezone_id": ZONE}
SAME_IN_GERMAN = {
    *("Bar", "Sauna", "Hotel", "Hostel", "Restaurant", "WLAN", "Berlin", "London"),
    *("Jan", "Feb", "Apr", "Aug", "Nov", "EUR"),
    *("April", "August", "September", "November"),
}
WORDS = [
    {
        "language": language,
        "words": {"Bright and calm.": summary, "Double room": double, "Suite": suite},
    }
    for language, summary, double, suite in (
        ("de", "Hell und ruhig.", "Doppelzimmer", "Große Zimmer"),
        ("ar", "مشرق وهادئ.", "غرفة مزدوجة", "جناح"),
    )
]


async def settled(page: Page) -> None:
    await page.get_by_role("heading", level=1).wait_for(state="attached")
    await expect(page.locator(".skeleton")).to_have_count(0)


def cards(page: Page) -> Locator:
    return page.locator(".stays-card h3")


def day(page: Page, text: str) -> Locator:
    """The button of a day in a calendar, by its full date."""
    return page.get_by_role("button", name=re.compile(rf"\b{re.escape(text)}"))


def in_full(text: str) -> str:
    """A date as the British pages say it, without the day of the week."""
    found = date.fromisoformat(text)
    return f"{found.day} {found:%B %Y}"


async def test_places_are_found_by_town_dates_and_filters(
    open_page: OpenPage, office: Office
) -> None:
    town = make_town()
    hotel = make_property(office, town)
    make_listing(office, hotel, "Double room", plan={"type": "nights", "count": 1})
    make_listing(office, hotel, "Suite", price=20000, guests=4)
    cabin = make_property(office, town, kind="cabin", amenities=["wifi", "sauna"])
    make_listing(office, cabin, "The cabin", price=15000, plan={"type": "nights", "rooms": ["it"]})
    await_found(office, town, 3)
    page = await open_page("/stays", **BERLIN)
    await settled(page)
    await check_accessible(page)
    await page.get_by_role("combobox", name="Where").fill(town)
    await page.get_by_role("option", name=town).click()
    await expect(page.get_by_role("heading", name="3 places to stay")).to_be_visible()
    await page.get_by_role("button", name="When").click()
    start, end = day_on(70), day_on(73)
    await show_month(page, start)
    await check_accessible(page)
    await day(page, in_full(start)).click()
    await show_month(page, end)
    await day(page, in_full(end)).click()
    await expect(page).to_have_url(re.compile(f"start={start}&end={end}"))
    await expect(page.locator(".stays-card").first).to_contain_text("3 nights")
    kind = page.get_by_role("button", name=re.compile("^Cabin"))
    await kind.click()
    await expect(cards(page)).to_have_text(["The cabin"])
    await kind.click()
    await page.get_by_label("Most per night, EUR").fill("100")
    await page.keyboard.press("Enter")
    await expect(cards(page)).to_have_text(["Double room"])
    await page.reload()
    await expect(cards(page)).to_have_text(["Double room"])
    await check_accessible(page)
    await page.get_by_role("link", name="Double room").click()
    await expect(page.get_by_text("3 nights at €80.00")).to_be_visible()


async def test_a_stay_is_held_paid_and_cancelled_and_every_search_knows_it(
    open_page: OpenPage, office: Office
) -> None:
    town = make_town()
    plan = {"type": "nights", "count": 1}
    listing = make_listing(office, make_property(office, town), "Double room", plan=plan)
    start, end = day_on(70), day_on(73)
    dates = f"&start={start}&end={end}"
    await_found(office, town, 1, dates)
    page = await open_page(f"/stays/{listing}?{dates[1:]}", **BERLIN)
    await expect(page.get_by_text("3 nights at €80.00")).to_be_visible()
    await check_accessible(page)
    await page.get_by_role("button", name="Reserve").click()
    await page.wait_for_url("**/checkout/**")
    await expect(page.get_by_text("Your stay is held for")).to_be_visible()
    await expect(page.locator(".shop-units")).to_contain_text("3 nights")
    await check_accessible(page)
    await pay(page)
    await booked(page)
    await expect(page.locator(".shop-units")).to_contain_text("3 nights")
    await_found(office, town, 0, dates)
    await page.goto("/bookings")
    await page.get_by_role("link", name=re.compile("3 nights")).click()
    await page.get_by_role("button", name="Cancel the stay").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("€240.00")
    await dialog.get_by_role("button", name="Cancel the stay").click()
    await expect(page.get_by_role("heading", name="This booking was cancelled")).to_be_visible()
    await_found(office, town, 1, dates)


RATED = {
    "type": "nights",
    "count": 2,
    "guests_included": 1,
    "guest_price": 1000,
    "children": [{"under": 6, "basis_points": 0}],
    "rates": [
        {"name": "Saver", "basis_points": -1000},
        {"name": "Morning", "meals": "breakfast", "guest_amount": 500},
        {"name": "Long stay", "basis_points": -2000, "min_nights": 7},
    ],
}


async def test_a_stay_has_guests_and_a_rate(open_page: OpenPage, office: Office) -> None:
    town = make_town()
    pricing = {
        "cancellation": {
            "free_until_seconds": 2 * 86_400,
            "overrides": [{"rates": ["Saver"], "refundable": False}],
        }
    }
    house = make_property(office, town)
    make_listing(office, house, "Double room", plan=RATED, pricing=pricing)
    start, end = day_on(70), day_on(73)
    await_found(office, town, 1, f"&start={start}&end={end}")
    page = await open_page(f"/stays?place={town}&start={start}&end={end}", **BERLIN)
    await settled(page)
    # The cheapest rate is what the search shows, and what its link leads to.
    await expect(page.locator(".stays-card-price")).to_contain_text("€246.00 in all")
    await page.get_by_role("link", name="Double room").click()
    rate = page.get_by_role("radio", name=re.compile("^Saver"))
    await expect(rate).to_be_checked()
    await expect(page.locator(".stay-rate").nth(1)).to_contain_text("Not refundable")
    await expect(page.get_by_text("Long stay: for stays of 7 nights or more")).to_be_visible()
    await page.get_by_role("button", name="2 guests").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("group", name="Adults").get_by_role("button").first.click()
    await dialog.get_by_role("group", name="Children").get_by_role("button").last.click()
    await dialog.get_by_label("Age of child 1").select_option("4")
    await check_accessible(page)
    await dialog.get_by_role("button", name="Done").click()
    await expect(page).to_have_url(re.compile("ages=4"))
    morning = page.get_by_role("radio", name=re.compile("^Morning"))
    await morning.check()
    await expect(page.get_by_text("3 nights at €85.00")).to_be_visible()
    await check_accessible(page)
    await page.get_by_role("button", name="Reserve").click()
    await page.wait_for_url("**/checkout/**")
    await expect(page.locator(".shop-units")).to_contain_text("2 guests · Morning")
    await pay(page)
    await booked(page)
    await expect(page.locator(".shop-units")).to_contain_text("2 guests · Morning")


async def show_month(page: Page, text: str) -> None:
    """Walks the calendar until it has a day."""
    first = page.locator(".stay-month caption").first
    for _ in range(14):
        shown = await first.inner_text()
        if await day(page, in_full(text)).count():
            return
        await page.get_by_role("button", name="Month after").click()
        await expect(first).not_to_have_text(shown)
    raise AssertionError(f"{text} is not in the calendar")


async def test_the_calendar_says_what_a_day_is_good_for_and_is_walked_by_keys(
    open_page: OpenPage, office: Office
) -> None:
    house = make_property(office, make_town())
    first = today().replace(day=1)
    month = (first.replace(day=28) + _days(10)).replace(day=1)
    closed, long = month.replace(day=10), month.replace(day=11)
    rules = [
        {"from": str(closed), "to": str(closed + _days(1)), "closed_to_arrival": True},
        {"from": str(long), "to": str(long + _days(1)), "min_nights": 3},
    ]
    plan = {"type": "nights", "rooms": ["a"], "rules": rules}
    listing = make_listing(office, house, "Double room", plan=plan)
    page = await open_page(f"/stays/{listing}", **BERLIN)
    await settled(page)
    await expect(page.get_by_text("Choose the day you arrive.")).to_be_visible()
    await show_month(page, str(closed))
    closed_day = day(page, in_full(str(closed)))
    await expect(closed_day).to_have_attribute("aria-disabled", "true")
    await expect(closed_day).to_have_accessible_name(re.compile("no arrivals on this day"))
    await expect(day(page, in_full(str(long)))).to_have_accessible_name(
        re.compile("At least 3 nights")
    )
    await closed_day.focus()
    await page.locator(".stay-day[tabindex='0']").focus()
    steps = (long - await focused_day(page)).days
    for _ in range(abs(steps)):
        await page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")
    await expect(day(page, in_full(str(long)))).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("Now choose the day you leave.")).to_be_visible()
    await page.keyboard.press("ArrowRight")
    await expect(day(page, in_full(str(long + _days(1))))).to_be_focused()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("3 nights at €80.00")).to_be_visible()
    await expect(page).to_have_url(re.compile(f"start={long}&end={long + _days(3)}"))
    await check_accessible(page)


def _days(count: int) -> timedelta:
    return timedelta(days=count)


async def focused_day(page: Page) -> date:
    """The day of the calendar that has the focus."""
    said = await page.evaluate("document.activeElement.textContent")
    found = re.search(r"(\d+) (\w+) (\d{4})", str(said))
    assert found is not None, said
    return datetime.strptime(found[0], "%d %B %Y").date()  # noqa: DTZ007


async def test_who_comes_too_late_is_offered_other_dates(
    open_page: OpenPage, office: Office
) -> None:
    house = make_property(office, make_town())
    listing = make_listing(office, house, "Hut", plan={"type": "nights", "rooms": ["hut"]})
    start, end = day_on(40), day_on(43)
    page = await open_page(**BERLIN)
    await page.add_init_script(NEVER_AGAIN)  # a look in between would take the button away
    await page.goto(f"/stays/{listing}?start={start}&end={end}&guests=2&rooms=2")
    await expect(page.get_by_role("button", name="Reserve")).to_be_enabled()
    office.call(
        "POST",
        "/v1/holds",
        {"owner": "faster", "lines": [{"resource_id": listing, "from": start, "to": end}]},
        key="sk",
    )
    await page.get_by_role("button", name="Reserve").click()
    await expect(page.get_by_text("Somebody else took these nights a moment ago.")).to_be_visible()
    # More rooms than there are, as a link may ask for, are as many as there are.
    await expect(page).not_to_have_url(re.compile("rooms"))
    others = page.get_by_role("group", name="Other dates that are free")
    await check_accessible(page)
    await others.get_by_role("button").first.click()
    await expect(page.get_by_text("3 nights at €80.00")).to_be_visible()
    await page.get_by_role("button", name="Reserve").click()
    await page.wait_for_url("**/checkout/**")
    # And back, with the dates of before.
    await page.get_by_role("button", name="Choose other dates").click()
    await page.wait_for_url(f"**/stays/{listing}?start=**")


async def test_a_party_takes_rooms_of_the_same_house_by_one_tap(
    open_page: OpenPage, office: Office
) -> None:
    house = make_property(office, make_town())
    hut = make_listing(office, house, "Hut", plan={"type": "nights", "rooms": ["hut"]})
    make_listing(office, house, "Bunks", price=3000, plan={"type": "nights", "count": 5})
    stay = f"start={day_on(50)}&end={day_on(52)}"
    page = await open_page(f"/stays/{hut}?{stay}&guests=13", **BERLIN)
    await expect(page.get_by_text("No rooms here hold all of you on these dates.")).to_be_visible()
    await page.goto(f"/stays/{hut}?{stay}&guests=11&ages=4")
    together = page.get_by_role("group", name="Rooms here for all of you")
    await expect(together.get_by_role("listitem")).to_have_text(
        [re.compile("^5 . Bunks$"), re.compile("^1 . Hut$"), re.compile("^2 nights at €230.00")]
    )
    await check_accessible(page)
    await together.get_by_role("button", name="Reserve these rooms").click()
    await page.wait_for_url("**/checkout/**")
    held = page.locator(".shop-units")
    await expect(held.get_by_role("listitem")).to_contain_text(["Bunks", "Hut"])
    await check_accessible(page)
    await pay(page)
    await booked(page)
    await expect(held.get_by_role("listitem")).to_contain_text(["Bunks", "Hut"])


async def test_nothing_found_says_so_and_no_town_too(open_page: OpenPage, office: Office) -> None:
    town = make_town()
    make_listing(office, make_property(office, town), "Double room")
    await_found(office, town, 1)
    page = await open_page(f"/stays?place={town}&amenities=pool", **BERLIN)
    await expect(page.get_by_role("heading", name="Nothing is free")).to_be_visible()
    await check_accessible(page)
    await page.locator(".empty").get_by_role("button", name="Clear filters").click()
    await expect(cards(page)).to_have_text(["Double room"])
    await page.get_by_role("combobox", name="Where").fill("Atlantis-under-the-Sea")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("No town begins with")).to_be_visible()


async def test_what_nearly_fits_is_offered_and_dates_may_be_flexible(
    open_page: OpenPage, office: Office
) -> None:
    town = make_town()
    house = make_property(office, town, kind="cabin")
    hut = make_listing(office, house, "Hut", plan={"type": "nights", "rooms": ["hut"]})
    start, end = day_on(50), day_on(53)
    line = {"resource_id": hut, "from": day_on(51), "to": day_on(52)}
    office.call("POST", "/v1/holds", {"owner": "faster", "lines": [line]}, key="sk")
    await_found(office, town, 1)
    await_found(office, town, 0, f"&start={start}&end={end}")
    page = await open_page(f"/stays?place={town}&start={start}&end={end}", **BERLIN)
    await expect(page.get_by_role("heading", name="Nothing is free")).to_be_visible()
    nearly = page.get_by_role("region", name="What nearly fits")
    await check_accessible(page)
    await nearly.get_by_role("button").first.click()
    await expect(cards(page)).to_have_text(["Hut"])
    await page.go_back()
    await page.get_by_role("button", name="When").click()
    await page.get_by_label("How exact").select_option("± 3 days")
    await page.keyboard.press("Escape")
    await expect(cards(page)).to_have_text(["Hut"])
    moved = await page.locator(".stays-moved").text_content()
    await page.get_by_role("link", name="Hut").click()
    await expect(page.locator(".stay-book-dates")).to_have_text(str(moved))
    await expect(page.get_by_role("button", name="Reserve")).to_be_visible()


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
async def test_the_pages_of_stays_speak_three_languages(
    open_page: OpenPage, office: Office, *, phone: bool
) -> None:
    town = make_town()
    house = make_property(office, town, name="Zzyx", stars=4, house_rules="", translations=[])
    listing = make_listing(
        office, house, "Double room", summary="Bright and calm.", translations=WORDS
    )
    await_found(office, town, 1)
    stay = f"start={day_on(30)}&end={day_on(33)}"
    page = await open_page(f"/stays/{listing}?{stay}", phone=phone, **BERLIN)
    await page.get_by_role("button", name="Reserve").click()
    await page.wait_for_url("**/checkout/**")
    held = page.url.rsplit("/", 1)[1]
    reader = await ThreeLanguages.of(page, open_page, SAME_IN_GERMAN, phone=phone, **BERLIN)
    names = {"Zzyx", town, "Hafenstraße", "Natural Earth"} | {
        str(one["name"]) for one in _towns(office)
    }
    paths = ["/stays", f"/stays?place={town}&{stay}", f"/stays?place={town}&amenities=pool"]
    paths += [f"/stays?place={town}&view=map", f"/stays/{listing}", f"/stays/{listing}?{stay}"]

    async def is_well_made(window: Page, _: str) -> None:
        await settled(window)
        await check_accessible(window)
        if phone:
            width = await window.evaluate("document.documentElement.scrollWidth")
            assert width == 390, "the page is wider than the phone"

    for path in paths:
        await reader.look(path, names, then=is_well_made if path == paths[-1] else None)
    for path in (f"/checkout/{held}", "/bookings"):
        await reader.look(path, names)
    await page.goto(f"/checkout/{held}")
    await pay(page)
    booking = await booked(page)
    await reader.look(f"/bookings/{booking['id']}", names)
    await reader.look("/bookings", names)
    assert reader.untranslated == [], "\n".join(reader.untranslated)


def _towns(office: Office) -> list[Json]:
    found = office.call("GET", "/v1/stays/places?limit=50", key="pk")["items"]
    assert isinstance(found, list)
    return found


async def test_who_has_no_dates_yet_asks_for_a_week_in_a_month(
    open_page: OpenPage, office: Office
) -> None:
    town = make_town()
    month = date.fromisoformat(day_on(70)).replace(day=1)
    cheap = month + timedelta(days=9)
    rules = [{"from": cheap.isoformat(), "to": (cheap + timedelta(7)).isoformat(), "price": 5000}]
    plan = {"type": "nights", "count": 1, "rules": rules}
    make_listing(office, make_property(office, town), "Double room", plan=plan)
    await_found(office, town, 1)
    page = await open_page(f"/stays?place={town}", **BERLIN)
    await expect(cards(page)).to_have_text(["Double room"])
    await page.get_by_role("button", name="When").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Any time in a month").click()
    await dialog.get_by_role("button", name="A week", exact=True).press("Enter")
    await dialog.get_by_role("button", name=f"{month:%B %Y}").click()
    await check_accessible(page)
    await dialog.get_by_role("button", name="Done").click()
    await expect(page).to_have_url(re.compile(f"month={month:%Y-%m}&nights=7"))
    await expect(page.get_by_role("button", name="When")).to_contain_text(f"A week · {month:%B %Y}")
    card = page.locator(".stays-card")
    await expect(card).to_contain_text("€350.00 in all · 7 nights")
    await card.get_by_role("link").click()
    await expect(page.get_by_text("7 nights at €50.00")).to_be_visible()
