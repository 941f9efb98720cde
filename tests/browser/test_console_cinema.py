"""The cinema without code: from a new city to a screen, from a new film to a week of its shows that
guests see, one of them refused because the screen is occupied; and forms that take back nothing of
others.
"""

from __future__ import annotations

import asyncio
import uuid
from datetime import UTC, date, datetime, timedelta
from typing import cast

from playwright.async_api import Page, Route, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.operating import idle, log_in
from tests.browser.screens import PHONE, fits, resize

PATH = "/console/cinema"
SEATS = 10


def day_after(days: int) -> date:
    return datetime.now(UTC).date() + timedelta(days=days)


async def press(page: Page, name: str) -> None:
    await page.get_by_role("button", name=name, exact=True).click()


def make_screen(office: Office) -> tuple[str, str]:
    """A screen of its own city, by whose clocks and in whose currency it sells; its id and what
    the console calls it."""
    name = f"Lotus {uuid.uuid4().hex[:6]}"
    said = {"name": name, "country": "DE", "time_zone": "UTC", "currency": "EUR"}
    city = office.call("POST", "/v1/cinema/cities", said)["id"]
    cinema = office.call("POST", "/v1/cinema/cinemas", {"city": city, "name": name})["id"]
    plan = {
        "type": "seats",
        "sections": [{"name": "Stalls", "rows": [{"name": "A", "seats": SEATS}]}],
        "categories": [{"name": "standard", "price": 1200}],
    }
    body = {"cinema": cinema, "name": "One", "plan": plan}
    return str(office.call("POST", "/v1/cinema/screens", body)["id"]), f"{name}, One ({SEATS})"


def make_film(office: Office) -> str:
    title = f"Seven Kites {uuid.uuid4().hex[:6]}"
    body = {"title": title, "minutes": 100, "released": str(day_after(0))}
    return str(office.call("POST", "/v1/cinema/films", body)["id"])


def items(office: Office, path: str) -> list[Json]:
    return cast("list[Json]", office.call("GET", path)["items"])


def shows_of(office: Office, film: str) -> list[Json]:
    return items(office, f"/v1/cinema/shows?film={film}")


async def fits_a_phone(page: Page) -> None:
    await resize(page, PHONE)
    await fits(page, PHONE)
    await check_accessible(page)


async def add_city(page: Page, name: str) -> None:
    """From the films to a city; what is missing is said first. The page of a new cinema is open."""
    await page.get_by_role("link", name="Cinemas and screens").click()
    await check_accessible(page)
    await page.get_by_role("link", name="New city").click()
    await page.get_by_label("Country").select_option("")
    await press(page, "Add the city")
    await expect(page.get_by_text("A city needs a name.")).to_be_visible()
    await expect(page.get_by_text("In which country is it?")).to_be_visible()
    await check_accessible(page)
    await page.get_by_label("Name", exact=True).fill(name)
    await page.get_by_label("Country").select_option("IN")
    await page.get_by_label("Time zone").fill("Asia/Kolkata")
    await page.get_by_label("Currency").fill("inr")
    await press(page, "Add the city")
    await expect(page.get_by_role("heading", level=1, name="New cinema")).to_be_visible()


async def add_cinema(page: Page, city: str, name: str) -> str:
    """In the city that was just made; its id."""
    await expect(page.get_by_label("City").locator("option:checked")).to_have_text(city)
    await page.get_by_label("Name", exact=True).fill(name)
    await page.get_by_label("Address", exact=True).fill("14 Lotus Chowk")
    await press(page, "Add the cinema")
    await expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    await check_accessible(page)
    return page.url.rsplit("/", 1)[-1]


async def add_screen(page: Page) -> None:
    """Three rows of six in two categories, each with its usual price."""
    await page.get_by_role("link", name="New screen").click()
    await page.get_by_label("Name", exact=True).fill("Screen 1")
    await page.get_by_label("What there is").fill("Bar\nAir conditioning")
    await page.get_by_label("Rows", exact=True).fill("3")
    await page.get_by_label("Seats in each row").fill("6")
    await page.get_by_label("Rows of the first category").fill("1")
    await page.get_by_label("Front (INR)").fill("free")
    await press(page, "Add the screen")
    await expect(page.get_by_text("An amount, as 12.50.")).to_be_visible()
    await page.get_by_label("Front (INR)").fill("180")
    await page.get_by_label("Standard (INR)").fill("240.50")
    await check_accessible(page)
    await press(page, "Add the screen")
    await expect(page.get_by_role("link", name="Screen 1")).to_be_visible()


async def add_film(page: Page, title: str) -> str:
    """From the list to a film; what is missing is said first. Its id."""
    await page.get_by_role("link", name="New film").click()
    await press(page, "Add the film")
    await expect(page.get_by_text("A film needs a title.")).to_be_visible()
    await check_accessible(page)
    await page.get_by_label("Title", exact=True).fill(title)
    await page.get_by_label("Length in minutes").fill("154")
    await page.get_by_label("Released on").fill(str(day_after(0)))
    await page.get_by_label("Genres").fill("Action\nDrama")
    await press(page, "Add the film")
    await expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()
    return page.url.rsplit("/", 1)[-1]


async def add_shows(page: Page, screen: str) -> None:
    """Twice a day on three days, but for the first of them; the screen is occupied on the second
    evening."""
    await page.get_by_role("link", name="Add shows").click()
    await page.get_by_label("Screen", exact=True).select_option(label=screen)
    await page.get_by_label("Date", exact=True).fill(str(day_after(20)))
    await page.get_by_label("Until").fill(str(day_after(22)))
    await page.get_by_label("Time 1").fill("19:30")
    await press(page, "Add a time")
    await page.get_by_label("Time 2").fill("12:00")
    await page.get_by_label("Language", exact=True).fill("Hindi")
    await expect(page.get_by_label("standard (EUR)")).to_have_value("12.00")
    await page.get_by_label("standard (EUR)").fill("14.50")
    await page.get_by_label("How it is paid").select_option(label="Elsewhere, as at the door")
    ticks = page.get_by_role("group", name="6 shows will be made").get_by_role("checkbox")
    await ticks.first.uncheck()
    await check_accessible(page)
    await press(page, "Make 5 shows")
    await expect(page.get_by_text("4 shows are there")).to_be_visible()
    await expect(page.get_by_text("Another show is in this screen then")).to_be_visible()


async def test_a_film_and_its_shows_come_from_the_console_into_the_shop(
    open_page: OpenPage, office: Office
) -> None:
    screen, called = make_screen(office)
    page, title = await open_page(), f"Iron Monsoon {uuid.uuid4().hex[:6]}"
    await log_in(page, office, PATH)
    film = await add_film(page, title)
    assert office.call("GET", f"/v1/cinema/films/{film}")["genres"] == ["Action", "Drama"]
    other = {"film": make_film(office), "screen": screen, "language": "Hindi"}
    office.call("POST", "/v1/cinema/shows", {**other, "starts_at": f"{day_after(21)}T19:00"})
    await add_shows(page, called)
    # What is said again is made once.
    await press(page, "Make 5 shows")
    await idle(page.get_by_role("button", name="Make 5 shows"))
    found = shows_of(office, film)
    assert sorted(str(one["starts_at"])[:16] for one in found) == [
        f"{day_after(20)}T19:30",
        f"{day_after(21)}T12:00",
        f"{day_after(22)}T12:00",
        f"{day_after(22)}T19:30",
    ]
    show = office.call("GET", f"/v1/resources/{found[0]['id']}")
    categories = cast("list[Json]", cast("Json", show["plan"])["categories"])
    assert (categories[0]["price"], show["payment"]) == (1450, "at_venue")
    await fits_a_phone(page)
    await page.goto(f"{PATH}/films/{film}")
    await expect(page.locator('a[href^="/console/shows/res_"]')).to_have_count(4)
    assert not any(one["published"] for one in found)
    await press(page, "Publish 4 drafts")
    await expect(page.get_by_text("4 shows are published")).to_be_visible()
    await check_accessible(page)
    await page.goto(f"/shows/{found[0]['id']}")
    await expect(page.get_by_role("heading", name=title)).to_be_visible()


async def test_a_show_waits_for_the_prices_of_its_screen(
    open_page: OpenPage, office: Office
) -> None:
    """What was pressed before they were there did nothing, and said nothing."""
    screen, called = make_screen(office)
    film, page, told = make_film(office), await open_page(), asyncio.Event()

    async def late(route: Route) -> None:
        await told.wait()
        await route.continue_()

    await log_in(page, office, f"{PATH}/films/{film}/new-shows")
    await page.route(f"**/v1/cinema/screens/{screen}", late)
    await page.get_by_label("Screen", exact=True).select_option(label=called)
    await page.get_by_label("Date", exact=True).fill(str(day_after(9)))
    await page.get_by_label("Time 1").fill("19:30")
    await page.get_by_label("Language", exact=True).fill("Hindi")
    make = page.get_by_role("button", name="Make 1 show")
    await expect(make).to_be_disabled()
    told.set()
    await make.click()
    await expect(page.get_by_text("1 show is there")).to_be_visible()


async def test_what_others_saved_of_a_film_stays(open_page: OpenPage, office: Office) -> None:
    film = make_film(office)
    path = f"/v1/cinema/films/{film}"
    page = await open_page()
    await log_in(page, office, f"{PATH}/films/{film}")
    await page.get_by_label("Tagline", exact=True).fill("Mine")
    office.call("PATCH", path, {"director": "Theirs"})
    await press(page, "Save")
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    after = office.call("GET", path)
    assert (after["tagline"], after["director"]) == ("Mine", "Theirs")
    await expect(page.get_by_label("Director")).to_have_value("Theirs")
    office.call("PATCH", path, {"tagline": "Theirs"})
    await page.get_by_label("Tagline", exact=True).fill("Mine again")
    await press(page, "Save")
    await press(page, "Load theirs")
    await expect(page.get_by_label("Tagline", exact=True)).to_have_value("Theirs")


async def test_a_cinema_begins_with_an_empty_city_and_sells_a_show(
    open_page: OpenPage, office: Office
) -> None:
    page, city = await open_page(), f"Pune {uuid.uuid4().hex[:6]}"
    await log_in(page, office, PATH)
    await add_city(page, city)
    name = f"Lotus {city}"
    cinema = await add_cinema(page, city, name)
    await add_screen(page)
    [screen] = items(office, f"/v1/cinema/screens?cinema={cinema}")
    assert (screen["seats"], screen["features"]) == (18, ["Bar", "Air conditioning"])
    await page.get_by_role("link", name="Cinemas and screens").click()
    await expect(page.get_by_role("link", name="Screen 1 (18)")).not_to_have_count(0)
    await page.goto(PATH)
    title = f"Iron Monsoon {city}"
    film = await add_film(page, title)
    await page.get_by_role("link", name="Add shows").click()
    await page.get_by_label("Screen", exact=True).select_option(label=f"{name}, Screen 1 (18)")
    await expect(page.get_by_label("Standard (INR)")).to_have_value("240.50")
    await page.get_by_label("Date", exact=True).fill(str(day_after(9)))
    await page.get_by_label("Time 1").fill("19:30")
    await page.get_by_label("Language", exact=True).fill("Hindi")
    await press(page, "Make 1 show")
    await expect(page.get_by_text("1 show is there")).to_be_visible()
    [show] = shows_of(office, film)
    assert str(show["starts_at"]) == f"{day_after(9)}T19:30:00+05:30"
    assert (show["price_from"], show["currency"], show["units_free"]) == (18000, "INR", 18)
    for path in ("/screens", f"/cinemas/{cinema}", f"/screens/{screen['id']}"):
        await page.goto(PATH + path)
        await page.wait_for_load_state("networkidle")
        await fits_a_phone(page)
    await page.goto(f"{PATH}/films/{film}")
    await press(page, "Publish 1 draft")
    await expect(page.get_by_text("1 show is published")).to_be_visible()
    await page.goto(f"/shows/{show['id']}")
    await expect(page.get_by_role("heading", name=title)).to_be_visible()


async def test_fees_of_a_cinema_are_typed_and_take_back_nothing_of_others(
    open_page: OpenPage, office: Office
) -> None:
    screen, _ = make_screen(office)
    cinema = cast("Json", office.call("GET", f"/v1/cinema/screens/{screen}")["cinema"])["id"]
    path = f"/v1/cinema/cinemas/{cinema}"
    page = await open_page()
    await log_in(page, office, f"{PATH}/cinemas/{cinema}")
    await press(page, "Add a fee")
    await page.get_by_label("Name of the fee").fill("Booking fee")
    await page.get_by_label("Amount (EUR)").fill("much")
    await press(page, "Save")
    await expect(page.get_by_text("An amount, as 1.50, or a share.")).to_be_visible()
    await page.get_by_label("Amount (EUR)").fill("1.50")
    await fits_a_phone(page)
    office.call("PATCH", path, {"address": "Elsewhere 1"})
    await press(page, "Save")
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    await expect(page.get_by_label("Address", exact=True)).to_have_value("Elsewhere 1")
    fee = {"name": "Booking fee", "amount": 150}
    kept = office.call("GET", path)
    assert (kept["address"], kept["pricing"]) == ("Elsewhere 1", {"fees": [fee]})

    office.call("PATCH", path, {"pricing": {"fees": [{**fee, "amount": 200}]}})
    await page.get_by_label("Amount (EUR)").fill("3")
    await press(page, "Save")
    await expect(page.get_by_text("Somebody else has changed the same")).to_be_visible()
    await check_accessible(page)
    await press(page, "Load theirs")
    await expect(page.get_by_label("Amount (EUR)")).to_have_value("2.00")
    assert office.call("GET", path)["pricing"] == {"fees": [{**fee, "amount": 200}]}


async def test_what_others_saved_of_a_screen_stays(open_page: OpenPage, office: Office) -> None:
    screen, _ = make_screen(office)
    path = f"/v1/cinema/screens/{screen}"
    page = await open_page()
    await log_in(page, office, f"{PATH}/screens/{screen}")
    await page.get_by_label("standard (EUR)").fill("13")
    await page.get_by_text("In other languages").click()
    await page.get_by_label("Name (Deutsch)").fill("Saal Eins")
    await check_accessible(page)
    office.call("PATCH", path, {"cleaning_minutes": 25})
    await press(page, "Save")
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    await expect(page.get_by_label("Minutes of cleaning")).to_have_value("25")
    after = office.call("GET", path)
    plan = cast("Json", after["plan"])
    assert cast("list[Json]", plan["categories"])[0]["price"] == 1300
    assert (after["cleaning_minutes"], office.call("GET", f"{path}?lang=de")["name"]) == (
        25,
        "Saal Eins",
    )
    # The room was drawn anew meanwhile: its prices are not the ones that were seen.
    rows = [{"name": "Stalls", "rows": [{"name": "A", "seats": 4}]}]
    office.call("PATCH", path, {"plan": {**plan, "sections": rows}})
    await page.get_by_label("standard (EUR)").fill("15")
    await press(page, "Save")
    await expect(page.get_by_text("Somebody else has changed the same")).to_be_visible()
    await press(page, "Save")
    await expect(page.get_by_label("standard (EUR)")).to_have_value("15.00")
    after = office.call("GET", path)
    categories = cast("list[Json]", cast("Json", after["plan"])["categories"])
    assert (after["seats"], categories[0]["price"]) == (4, 1500)


async def test_a_room_of_the_editor_is_kept_as_a_screen(
    open_page: OpenPage, office: Office
) -> None:
    screen, _ = make_screen(office)
    found = cast("Json", office.call("GET", f"/v1/cinema/screens/{screen}")["cinema"])
    cinema = str(found["id"])
    page = await open_page()
    await log_in(page, office, f"{PATH}/cinemas/{cinema}/new-screen")
    await page.get_by_label("Drawn in the editor").check()
    await page.get_by_role("link", name="Draw a room").click()
    await press(page, "Make the room")
    await press(page, "Save")
    dialog = page.get_by_role("dialog", name="Save the room")
    await dialog.get_by_label("Name of the screen").fill("Drawn Screen")
    await check_accessible(page)
    await dialog.get_by_role("button", name="Keep as a screen").click()
    await dialog.get_by_role("link", name="To its cinema").click()
    await page.get_by_role("link", name="Drawn Screen").click()
    await expect(page.get_by_role("heading", name="The room")).to_be_visible()
    await page.get_by_role("link", name="Change in the editor").click()
    await expect(page.get_by_role("heading", name="Drawn Screen")).to_be_visible()
    await press(page, "Save")
    await dialog.get_by_role("button", name="Change the screen").click()
    await expect(dialog.get_by_text("Drawn Screen is a screen of")).to_be_visible()
    assert len(items(office, f"/v1/cinema/screens?cinema={cinema}")) == 2


async def test_a_film_is_translated_in_its_form(open_page: OpenPage, office: Office) -> None:
    film = make_film(office)
    path = f"/v1/cinema/films/{film}"
    office.call("PATCH", path, {"genres": ["Family"]})
    page = await open_page()
    await log_in(page, office, f"{PATH}/films/{film}")
    await page.get_by_text("In other languages").click()
    await page.get_by_label("Title (Deutsch)").fill("Sieben Drachen")
    await page.get_by_label("Family (Deutsch)").fill("Familie")
    await check_accessible(page)
    await press(page, "Save")
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    german = office.call("GET", f"{path}?lang=de")
    assert (german["title"], german["genres"]) == ("Sieben Drachen", ["Familie"])
