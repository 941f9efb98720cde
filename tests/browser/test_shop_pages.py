"""Every page of the shop: accessible in light, dark and right-to-left, by keyboard alone, small
enough, and with names that are only ever text.
"""

from __future__ import annotations

import gzip
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest
from playwright.async_api import Page, Request, expect

import bespeak.http
from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.shop import booked, choose, hold, make_show, pay

SITE = Path(bespeak.http.__file__).parent / "site"
SCRIPT_BYTES_MAX = 200_000
XSS = "<script>window.stolen=1</script><img src=x onerror=window.stolen=1>"


def items(answer: Json) -> list[Json]:
    return cast("list[Json]", answer["items"])


def a_film(office: Office) -> Json:
    return items(office.call("GET", "/v1/cinema/films?limit=1"))[0]


async def settled(page: Page) -> None:
    """Waits until the page is there and nothing on it is on its way."""
    await page.get_by_role("heading", level=1).wait_for(state="attached")
    await expect(page.locator(".skeleton")).to_have_count(0)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"color_scheme": "dark"},
        {"locale": "ar-EG", "phone": True},
        {"locale": "de-DE", "phone": True, "color_scheme": "dark"},
    ],
    ids=["light", "dark", "rtl-phone", "german-phone-dark"],
)
async def test_axe_finds_nothing_on_any_page(
    open_page: OpenPage, office: Office, given: dict[str, object]
) -> None:
    film, show = a_film(office), make_show(office)
    page = await open_page(timezone_id="Asia/Kolkata", **given)
    paths = ["/", "/?q=nothing-is-called-so", f"/films/{film['id']}", f"/shows/{show}", "/bookings"]
    for path in [*paths, f"/shows/{office.shows[0]['id']}", "/nowhere"]:
        await page.goto(path)
        await settled(page)
        await check_accessible(page)


async def test_axe_finds_nothing_on_the_way_through_a_purchase(
    open_page: OpenPage, office: Office
) -> None:
    page = await open_page(phone=True)
    await hold(page, make_show(office), "A1", "A2")
    await check_accessible(page)
    await pay(page, "Is declined")
    await expect(page.get_by_role("alert")).to_contain_text("declined")
    await check_accessible(page)
    await pay(page)
    await booked(page)
    await check_accessible(page)
    await page.get_by_role("button", name="Cancel tickets").click()
    await expect(page.locator(".cancel-amount")).to_be_visible()
    await check_accessible(page)


async def test_tickets_are_bought_by_keyboard_alone(page: Page, office: Office) -> None:
    show = make_show(office)
    await page.goto(f"/shows/{show}")
    await settled(page)

    async def tab_to(name: str, presses_max: int = 80) -> None:
        # What comes later than the keys are pressed would be passed over.
        await expect(page.get_by_text(name).first).to_be_attached()
        for _ in range(presses_max):
            await page.keyboard.press("Tab")
            focused = await page.evaluate(
                """() => {
                  let on = document.activeElement;
                  while (on?.shadowRoot?.activeElement) on = on.shadowRoot.activeElement;
                  return (on?.getAttribute("aria-label") ?? on?.labels?.[0]?.innerText
                    ?? on?.innerText ?? "").trim();
                }"""
            )
            if name in str(focused):
                return
        raise AssertionError(f"{name!r} cannot be reached by Tab")

    await tab_to("Skip to the content", 1)
    await page.keyboard.press("Enter")
    await tab_to("Take the best 2 seats")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Kept for you")).to_be_focused()
    await tab_to("Continue", 10)
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/checkout/**")
    await expect(page.get_by_role("heading", level=1)).to_be_focused()
    await tab_to("Pay €")
    await page.keyboard.press("Enter")
    await booked(page)


async def test_arabic_reads_from_right_to_left(open_page: OpenPage, office: Office) -> None:
    page = await open_page("/", locale="ar-EG")
    await settled(page)
    await expect(page.locator("html")).to_have_attribute("dir", "rtl")
    logo = await page.locator(".shop-logo").bounding_box()
    assert logo is not None
    assert logo["x"] > 900
    await page.locator(".shop-locale select").select_option("en")
    await expect(page.get_by_role("link", name="My bookings")).to_be_visible()
    await expect(page.locator("html")).to_have_attribute("dir", "ltr")


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("en-GB", "Sunday 24 November at 10:00 (Central European Standard Time)"),
        ("en-US", "Sunday, November 24 at 10:00 AM (Central European Standard Time)"),
        ("de-AT", "Sonntag, 24. November um 10:00 (Mitteleuropäische Normalzeit)"),
    ],
)
async def test_dates_read_as_where_the_visitor_is(
    open_page: OpenPage, office: Office, locale: str, words: str
) -> None:
    show = make_show(office, kind="show", starts_at="2030-11-24T09:00:00Z")
    page = await open_page(f"/shows/{show}", locale=locale)
    fact = page.locator(".cinema-show-fact").first
    await expect(fact).to_have_text(words)
    await expect(page.locator("html")).to_have_attribute("lang", locale)


async def test_filters_are_in_the_address_and_back_works(page: Page) -> None:
    await page.goto("/")
    await settled(page)
    # The last day of the week: today's shows may all have begun, and the strip moves at midnight.
    day = page.locator(".cinema-day:not([data-empty])").last
    await day.click()
    await expect(day).to_have_attribute("aria-pressed", "true")
    await page.get_by_role("button", name="Wheelchair places").click()
    await expect(page).to_have_url(re.compile("accessible=true"))
    await page.reload()
    wheelchair = page.get_by_role("button", name="Wheelchair places")
    await expect(wheelchair).to_have_attribute("aria-pressed", "true")
    await page.go_back()
    await expect(wheelchair).to_have_attribute("aria-pressed", "false")
    await expect(page).to_have_url(re.compile("date="))


async def test_the_city_is_the_visitors_and_is_remembered(open_page: OpenPage) -> None:
    page = await open_page("/", timezone_id="Europe/Berlin")
    city = page.get_by_role("combobox", name="City")
    await expect(city.locator("option:checked")).to_have_text("Berlin")
    await city.select_option("Lisbon")
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Lisbon")
    await page.goto("/bookings")
    await page.goto("/")
    await expect(city.locator("option:checked")).to_have_text("Lisbon")


async def test_a_film_called_script_looks_just_so(page: Page, office: Office) -> None:
    city = next(c for c in items(office.call("GET", "/v1/cinema/cities")) if c["name"] == "Berlin")
    cinema = items(office.call("GET", f"/v1/cinema/cinemas?city={city['id']}"))[0]
    screen = items(office.call("GET", f"/v1/cinema/screens?cinema={cinema['id']}"))[0]
    film = office.call(
        "POST",
        "/v1/cinema/films",
        {
            "title": XSS,
            "minutes": 90,
            "released": "2026-01-01",
            "tagline": XSS,
            "synopsis": XSS,
            "director": XSS,
            "cast": [XSS],
        },
    )
    day = (datetime.now(UTC) + timedelta(days=20)).date().isoformat()
    show = office.call(
        "POST",
        "/v1/cinema/shows",
        {
            "film": film["id"],
            "screen": screen["id"],
            "starts_at": f"{day}T11:00",
            "language": "English",
        },
    )
    await page.goto(f"/?city={city['id']}&date={day}")
    await expect(page.get_by_role("heading", name=XSS).first).to_be_visible()
    await page.get_by_role("link", name=XSS).last.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(XSS)
    await choose(page, str(show["id"]), "A1")
    await expect(page.locator(".cinema-show-title")).to_have_text(XSS)
    await page.get_by_role("button", name="Continue").click()
    await page.wait_for_url("**/checkout/**")
    await expect(page.locator(".cinema-summary-title")).to_have_text(XSS)
    assert await page.evaluate("window.stolen") is None


async def test_who_wants_no_motion_sees_a_change_at_once(open_page: OpenPage) -> None:
    """A transition, however short, begins at each change of each element: what was moved stood
    where it had been until the next picture."""
    page = await open_page("/", reduced_motion="reduce")
    await settled(page)
    moved = await page.locator("h1").first.evaluate(
        """one => {
          const before = one.getBoundingClientRect().x;
          one.style.transform = "translate(80px)";
          return one.getBoundingClientRect().x - before;
        }"""
    )
    assert round(moved) == 80


async def test_what_is_not_there_says_so(page: Page) -> None:
    wanted = {
        "/nowhere": "There is no such page",
        "/films/flm_0000000000000": "There is no such page",
        "/shows/res_00000000": "There is no such show",
        "/shows/nonsense": "There is no such show",
        "/checkout/nonsense": "There are no such seats",
        "/bookings/nonsense": "There is no such booking",
    }
    for path, words in wanted.items():
        await page.goto(path)
        await expect(page.get_by_role("heading", level=1)).to_have_text(words)
        await expect(page).to_have_title(re.compile(words))


async def test_anothers_booking_is_not_shown(open_page: OpenPage, office: Office) -> None:
    page = await open_page()
    await hold(page, make_show(office), "A1")
    checkout = page.url
    await pay(page)
    await booked(page)
    stranger = await open_page(page.url)
    await expect(stranger.get_by_role("heading", level=1)).to_have_text("There is no such booking")
    await stranger.goto(checkout)
    await expect(stranger.get_by_role("heading", level=1)).to_have_text("There are no such seats")


async def test_the_first_load_is_small_and_nothing_jumps(open_page: OpenPage) -> None:
    page = await open_page(phone=True)
    scripts: list[str] = []

    def note(request: Request) -> None:
        if request.resource_type == "script":
            scripts.append(request.url)

    page.on("request", note)
    await page.add_init_script(
        """window.shifts = 0;
        new PerformanceObserver((list) => {
          for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts += one.value;
        }).observe({type: "layout-shift", buffered: true});"""
    )
    await page.goto("/")
    await settled(page)
    await page.wait_for_load_state("networkidle")
    sizes = {
        name: len(gzip.compress((SITE / "assets" / name).read_bytes()))
        for name in {url.rsplit("/", 1)[1].split("?")[0] for url in scripts}
    }
    assert sizes, "the page has scripts"
    assert sum(sizes.values()) < SCRIPT_BYTES_MAX, sizes
    assert await page.evaluate("window.shifts") < 0.1


ENDS = "all => all.map(one => one.getBoundingClientRect().right)"


async def test_on_a_phone_the_first_film_is_told_beside_its_poster(open_page: OpenPage) -> None:
    page = await open_page("/", phone=True)
    poster = page.locator(".cinema-hero-poster")
    await poster.wait_for()
    begins = await poster.evaluate(
        "one => one.offsetLeft + one.offsetParent.getBoundingClientRect().left"
    )
    ends = await page.locator(".cinema-hero-words > *").evaluate_all(ENDS)
    assert len(ends) >= 4
    assert max(ends) <= begins
