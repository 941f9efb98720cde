"""Events without code: from no venue to a published date with two prices that guests can buy, a
date repeated each week, refusals with their reasons, and the first steps that know what is done.
"""

import uuid
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import cast

import pytest
from PIL import Image
from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.operating import log_in

PATH = "/console/programme"
ZONE = "Europe/Berlin"
FLOOR = {"type": "seats", "pools": [{"unit": "Floor", "capacity": 50}]}
WEEK = 7
PAGES = ("", "/new", "/venues", "/venues/new", "event", "date", "new-date")


def unlike(word: str) -> str:
    """A name that no other test has."""
    return f"{word} {uuid.uuid4().hex[:6]}"


def made(office: Office, path: str, body: object) -> Json:
    return office.call("POST", f"/v1/programme/{path}", body, idempotency_key=uuid.uuid4().hex)


def day(days: int) -> str:
    """The date so many days from now."""
    return (datetime.now(UTC) + timedelta(days=days)).date().isoformat()


def a_date(office: Office, days: int = 40, **given: object) -> Json:
    """A published date with one price in a hall of its own."""
    venue = made(office, "venues", {"name": unlike("House"), "time_zone": ZONE})
    hall = made(office, "halls", {"venue": venue["id"], "name": "Floor", "plan": FLOOR})
    event = made(office, "productions", {"title": unlike("Night"), "minutes": 90})
    body = {
        "production": event["id"],
        "hall": hall["id"],
        "starts_at": f"{day(days)}T20:00",
        "currency": "EUR",
        "prices": {"Floor": 1500},
        "pricing": {"cancellation": {"free_until_seconds": 86_400, "tiers": []}},
        "published": True,
    }
    return made(office, "performances", body | given)


def event_of(date: Json) -> str:
    """The page of a date's event."""
    return f"{PATH}/events/{cast('Json', date['production'])['id']}"


def dates_of(office: Office, date: Json) -> list[Json]:
    """All dates of its event, by time."""
    event = cast("Json", date["production"])["id"]
    page = office.call("GET", f"/v1/programme/performances?production={event}")
    return cast("list[Json]", page["items"])


async def press(page: Page, name: str) -> None:
    await page.get_by_role("button", name=name, exact=True).click()


async def make_hall(page: Page, name: str) -> None:
    """From the list of venues to a hall with rows in two categories."""
    await page.get_by_role("link", name="New venue").click()
    await press(page, "Make the venue")
    await expect(page.get_by_text("A venue needs a name.")).to_be_visible()
    await page.get_by_label("Name", exact=True).fill(unlike("Lantern Hall"))
    await page.get_by_label("Address").fill("Am Ufer 3, 10999 Berlin")
    await page.get_by_label("City").fill("Berlin")
    await page.get_by_label("Time zone").fill(ZONE)
    await check_accessible(page)
    await press(page, "Make the venue")
    await page.get_by_role("link", name="Make the first hall").click()
    await page.get_by_label("Name of the hall").fill(name)
    await page.get_by_label("Rows", exact=True).fill("5")
    await page.get_by_label("Seats in each row").fill("8")
    await page.get_by_label("Rows of the first category").fill("2")
    await check_accessible(page)
    await press(page, "Make the hall")
    await expect(page.get_by_role("link", name=name)).to_contain_text("40 places")


async def make_event(page: Page, title: str) -> None:
    """An event with a title in German too."""
    await page.goto(f"{PATH}/new")
    await page.get_by_label("Title", exact=True).fill(title)
    await page.get_by_label("Performers").fill("Łucja Ångström\nZoë Müller")
    await page.get_by_label("Length in minutes").fill("90")
    await page.get_by_text("In other languages").click()
    await page.get_by_label("Title (Deutsch)").fill("Vier Hände")
    await check_accessible(page)
    await press(page, "Make the event")
    await expect(page.get_by_role("heading", name=title)).to_be_visible()


async def make_date(page: Page, hall: str) -> None:
    """The first date of an event, with two prices, a fee and what a cancellation gives back."""
    await page.get_by_role("link", name="Add the first date").click()
    await page.get_by_label("Hall", exact=True).select_option(f"{hall} (40 places)")
    await page.get_by_label("Begins", exact=True).fill(f"{day(60)}T20:00")
    await page.get_by_label("Currency").fill("EUR")
    await page.get_by_label("Front (EUR)").fill("24,50")
    await page.get_by_label("Back (EUR)").fill("12.500")
    await page.get_by_label("Full refund until some days before").check()
    await page.get_by_label("All, until so long before it begins", exact=True).fill("14")
    await press(page, "Add a step with less")
    last = page.get_by_label("Step 1: until so long before", exact=True)
    await last.fill("20")
    await press(page, "Make the date")
    await expect(page.get_by_text("An amount, as 12.50.")).to_be_visible()
    await expect(page.get_by_text("later than the step before")).to_be_visible()
    await last.fill("2")
    await page.get_by_label("Back (EUR)").fill("12.50")
    await press(page, "Add a fee")
    await page.get_by_label("Name of the fee").fill("Booking fee")
    await page.get_by_label("Amount (EUR)").fill("1")
    await check_accessible(page)
    await press(page, "Make the date")


async def test_from_no_venue_to_a_published_date_with_two_prices(
    open_page: OpenPage, office: Office
) -> None:
    hall, title = unlike("Great Hall"), unlike("Four Hands")
    page = await open_page()
    await log_in(page, office, PATH)
    await page.get_by_role("link", name="Venues and halls").click()
    await make_hall(page, hall)
    await make_event(page, title)
    await make_date(page, hall)
    await expect(page.get_by_text("Nothing essential is missing.")).to_be_visible()
    await check_accessible(page)
    await press(page, "Publish")
    await page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    await expect(page.get_by_text("Guests see this date.")).to_be_visible()

    found = office.call("GET", f"/v1/programme/productions?search={title}&lang=de", key="pk")
    [event] = cast("list[Json]", found["items"])
    assert event["title"] == "Vier Hände"
    assert event["price_from"] == {"amount": 1250, "currency": "EUR"}
    sold = office.call("GET", f"/v1/programme/productions/{event['id']}")
    assert (sold["units_total"], sold["sold"]) == (40, 0)
    assert "sold" not in event
    dates = office.call("GET", f"/v1/programme/performances?production={event['id']}", key="pk")
    [date] = cast("list[Json]", dates["items"])
    prices = {one["code"]: one["price"] for one in cast("list[Json]", date["categories"])}
    assert prices == {"Front": 2450, "Back": 1250}
    assert date["pricing"] == {
        "fees": [{"name": "Booking fee", "amount": 100}],
        "cancellation": {
            "free_until_seconds": 14 * 86_400,
            "tiers": [{"before_seconds": 2 * 86_400, "basis_points": 5000}],
        },
    }
    assert str(date["starts_at"]).startswith(f"{day(60)}T20:00")


async def test_a_date_is_repeated_weekly_but_for_those_that_are_left_out(
    open_page: OpenPage, office: Office
) -> None:
    date = a_date(office, published=False)
    page = await open_page()
    await log_in(page, office, event_of(date))
    await press(page, "Repeat")
    dialog = page.get_by_role("dialog", name="Repeat this date")
    await dialog.get_by_label("Until").fill(day(40 + 3 * WEEK))
    await expect(dialog.get_by_text("3 dates will be made")).to_be_visible()
    await (
        dialog.get_by_role("group", name="3 dates will be made")
        .get_by_role("checkbox")
        .nth(1)
        .uncheck()
    )
    await check_accessible(page)
    await dialog.get_by_role("button", name="Make 2 dates").click()
    await expect(page.get_by_text("2 dates were made").first).to_be_visible()
    await expect(page.get_by_role("row")).to_have_count(1 + 3)
    days = [str(one["starts_at"])[:16] for one in dates_of(office, date)]
    assert days == [f"{day(40 + WEEK * week)}T20:00" for week in (0, 1, 3)]

    await page.get_by_role("button", name="Copy").first.click()
    copy = page.get_by_role("dialog", name="Copy this date")
    await copy.get_by_label("Begins", exact=True).fill(f"{day(40 + WEEK)}T20:30")
    await copy.get_by_role("button", name="Make the copy").click()
    # Another date of this event is in the hall at this time.
    await expect(copy.get_by_role("alert")).to_contain_text("Another date is in this hall")
    await copy.get_by_label("Begins", exact=True).fill(f"{day(41)}T18:00")
    await copy.get_by_role("button", name="Make the copy").click()
    await expect(page.get_by_role("row")).to_have_count(1 + 4)


async def test_a_sold_date_moves_only_by_word_and_its_event_is_not_put_away(
    open_page: OpenPage, office: Office
) -> None:
    date = a_date(office)
    line = {"resource_id": date["id"], "unit": "Floor", "quantity": 2}
    office.call("POST", "/v1/holds", {"owner": unlike("owner"), "lines": [line]}, key="sk")
    page = await open_page()
    await log_in(page, office, f"{PATH}/dates/{date['id']}")
    await expect(page.get_by_text("2 places are held or booked. New prices")).to_be_visible()
    await page.get_by_label("Begins", exact=True).fill(f"{day(41)}T19:00")
    await press(page, "Save")
    dialog = page.get_by_role("dialog", name="Move a date that is sold?")
    await expect(dialog).to_contain_text("2 places of it are held or booked.")
    await check_accessible(page)
    await dialog.get_by_role("button", name="Back").click()
    await expect(page.get_by_role("alert")).to_contain_text("It is not moved without your word.")
    assert str(dates_of(office, date)[0]["starts_at"]).startswith(f"{day(40)}T20:00")

    await press(page, "Save")
    await dialog.get_by_role("button", name="Move it").click()
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    assert str(dates_of(office, date)[0]["starts_at"]).startswith(f"{day(41)}T19:00")
    await expect(page.get_by_role("link", name="To the sales page")).to_be_visible()
    # Who booked is to be told: a text is proposed.
    await expect(page.get_by_label("Subject")).to_have_value("New time: {title}")

    await page.goto(event_of(date))
    await press(page, "Put away")
    await expect(page.get_by_role("alert")).to_contain_text("The event has dates")


async def test_what_others_saved_of_a_date_and_its_event_stays(
    open_page: OpenPage, office: Office
) -> None:
    date = a_date(office)
    event = str(cast("Json", date["production"])["id"])
    page = await open_page()
    await log_in(page, office, f"{PATH}/dates/{date['id']}")
    minutes = page.get_by_label("Length in minutes", exact=True)
    await minutes.fill("100")
    path = f"/v1/programme/performances/{date['id']}"
    office.call("PATCH", path, {"note": "Theirs", "owner_limit": 3})
    await press(page, "Save")
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    after = office.call("GET", path)
    assert (after["note"], after["owner_limit"]) == ("Theirs", 3)

    await page.goto(event_of(date))
    summary = page.get_by_label("Summary", exact=True)
    await summary.fill("Mine")
    path = f"/v1/programme/productions/{event}"
    office.call("PATCH", path, {"description": "Theirs"})
    await press(page, "Save")
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    after = office.call("GET", path)
    assert (after["summary"], after["description"]) == ("Mine", "Theirs")


async def test_codes_and_steps_of_the_price_are_said_in_the_form(
    open_page: OpenPage, office: Office
) -> None:
    date = a_date(office)
    page = await open_page()
    await log_in(page, office, f"{PATH}/dates/{date['id']}")
    await press(page, "Add a code")
    await press(page, "Save")
    await expect(page.get_by_text("It needs a name.")).to_be_visible()
    await check_accessible(page)
    await page.get_by_label("Code", exact=True).fill("FRIENDS")
    await page.get_by_label("Good for how many places").fill("20")
    await page.get_by_label("Takes off (%)").fill("10")
    await press(page, "Add a step")
    await page.get_by_label("From how much sold (%)").fill("50")
    await page.get_by_label("Dearer by (%)").fill("12.5")
    await press(page, "Save")
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    pricing = cast("Json", dates_of(office, date)[0]["pricing"])
    (code,) = cast("list[Json]", pricing["codes"])
    assert (code["code"], code["capacity"], code["basis_points"]) == ("FRIENDS", 20, 1000)
    assert pricing["steps"] == [{"from_basis_points": 5000, "basis_points": 1250}]
    await page.reload()
    await expect(page.get_by_label("Takes off (%)")).to_have_value("10")
    await expect(page.get_by_label("Dearer by (%)")).to_have_value("12.5")


async def test_a_date_that_nobody_booked_is_closed_and_hidden(
    open_page: OpenPage, office: Office
) -> None:
    date = a_date(office)
    page = await open_page()
    await log_in(page, office, f"{PATH}/dates/{date['id']}")
    await page.get_by_label("Floor (EUR)").fill("18")
    await press(page, "Save")
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    await press(page, "Close and hide")
    await page.get_by_role("dialog").get_by_role("button", name="Close and hide").click()
    await expect(page.get_by_text("Its sale is closed")).to_be_visible()
    [now] = dates_of(office, date)
    assert (now["published"], now["state"], now["price_from"]) == (False, "closed", 1800)


async def test_a_picture_is_sent_and_taken_away(open_page: OpenPage, office: Office) -> None:
    event = made(office, "productions", {"title": unlike("Pictured")})
    page = await open_page()
    await log_in(page, office, f"{PATH}/events/{event['id']}")
    drawn = BytesIO()
    Image.new("RGB", (900, 600), "#4a2fbd").save(drawn, "PNG")
    files = page.get_by_label("File of the picture")
    await files.set_input_files(
        {"name": "poster.png", "mimeType": "image/png", "buffer": drawn.getvalue()}
    )
    await expect(page.get_by_role("img", name="The picture as it is")).to_be_visible()
    await files.set_input_files({"name": "x.png", "mimeType": "image/png", "buffer": b"<svg/>"})
    await expect(page.get_by_role("alert")).to_contain_text("no picture that can be shown")
    await press(page, "Remove the picture")
    await expect(page.get_by_role("button", name="Add a picture")).to_be_visible()


async def test_a_room_of_the_editor_is_kept_as_a_hall(open_page: OpenPage, office: Office) -> None:
    venue = made(office, "venues", {"name": unlike("Drawn House"), "time_zone": ZONE})
    page = await open_page()
    await log_in(page, office, f"{PATH}/venues/{venue['id']}/new-hall")
    await page.get_by_label("Drawn in the editor").check()
    await page.get_by_role("link", name="Draw a room").click()
    await press(page, "Make the room")
    await press(page, "Save")
    dialog = page.get_by_role("dialog", name="Save the room")
    await dialog.get_by_label("Name of the hall").fill("Drawn Hall")
    await check_accessible(page)
    await dialog.get_by_role("button", name="Keep as a hall").click()
    await dialog.get_by_role("link", name="To its venue").click()
    await page.get_by_role("link", name="Drawn Hall").click()
    await expect(page.get_by_role("heading", name="The room")).to_be_visible()
    await check_accessible(page)
    await page.get_by_role("link", name="Change in the editor").click()
    await expect(page.get_by_role("heading", name="Drawn Hall")).to_be_visible()
    await press(page, "Save")
    await dialog.get_by_role("button", name="Change the hall").click()
    await expect(dialog.get_by_text("Drawn Hall is a hall of")).to_be_visible()
    halls = office.call("GET", f"/v1/programme/halls?venue={venue['id']}")
    assert len(cast("list[Json]", halls["items"])) == 1


@pytest.mark.parametrize(
    "path", ["", "/new", "/venues", "/venues/new", "event", "date", "new-date"]
)
async def test_pages_fit_a_phone(open_page: OpenPage, office: Office, path: str) -> None:
    date = a_date(office)
    named = {
        "event": event_of(date),
        "date": f"{PATH}/dates/{date['id']}",
        "new-date": f"{event_of(date)}/new-date",
    }
    page = await open_page(phone=True)
    await log_in(page, office, named.get(path, PATH + path))
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    await page.wait_for_load_state("networkidle")
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    await check_accessible(page)


async def test_the_first_steps_know_what_is_done(open_page: OpenPage, office: Office) -> None:
    a_date(office)
    page = await open_page()
    await log_in(page, office, "/console/start")
    steps = page.get_by_role("listitem").filter(has=page.get_by_role("heading", level=2))
    # The demo has events, and a cinema.
    await expect(steps).to_have_count(15)
    for name in ("A venue with a hall", "Your first event", "Your first film", "Publish"):
        await expect(steps.filter(has_text=name).first).to_contain_text("(Done)")
    for name in ("Your account", "Logo and colour", "Languages"):
        await expect(steps.filter(has_text=name).first).to_contain_text("(Advised)")
    await check_accessible(page)
