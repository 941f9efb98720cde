"""The merchant's first day, done as its tutorial says: from an empty server to a ticket sold and
scanned, with the console only; and that of a cinema, from its city to a show that guests see."""

from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path

from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.first_day import (
    become_owner,
    empty_office,
    empty_server,
    first_day,
    next_step,
    press,
)
from tests.browser.office import await_everywhere
from tests.browser.operating import log_in
from tests.browser.screens import PHONE, fits, resize

DAYS_AHEAD = 30


async def test_from_an_empty_server_to_a_ticket_that_is_let_in(
    open_page: OpenPage, tmp_path: Path
) -> None:
    day = (datetime.now(UTC) + timedelta(days=DAYS_AHEAD)).date().isoformat()

    async def keep(page: Page, _name: str) -> None:
        await check_accessible(page)

    with empty_server(tmp_path) as link:
        server = link.partition("/console")[0]
        page, shop = await open_page(base_url=server), await open_page(base_url=server)
        await first_day(page, shop, link, day, keep)
        await _play_with_the_sample(page, shop)
        for one in (page, shop):  # before their server goes
            await one.context.close()


async def test_a_cinema_is_led_from_its_city_to_a_show_that_guests_see(
    open_page: OpenPage, tmp_path: Path
) -> None:
    money = {"BESPEAK_PAYMENT_PROVIDERS": "sandbox,desk", "BESPEAK_ALLOW_PRETEND_MONEY": "true"}
    day = (datetime.now(UTC) + timedelta(days=DAYS_AHEAD)).date().isoformat()
    with empty_server(tmp_path, **money) as link:
        page = await open_page(base_url=link.partition("/console")[0])
        await become_owner(page, link)
        await _make_screen(page)
        await _make_show(page, day)
        steps = page.get_by_role("listitem").filter(has=page.get_by_role("heading", level=2))
        await next_step(page, "Publish")
        await press(page, "Publish 1 draft")
        await expect(page.get_by_text("1 show is published")).to_be_visible()
        await page.goto("/console/start")
        for done in ("A cinema with a screen", "Your first film", "Its first shows", "Publish"):
            await expect(steps.filter(has_text=done)).to_contain_text("(Done)")
        await expect(steps).to_have_count(12)
        await resize(page, PHONE)
        await fits(page, PHONE)
        await check_accessible(page)
        await page.context.close()


async def test_a_workspace_that_shows_no_films_has_its_steps(
    open_page: OpenPage, tmp_path: Path
) -> None:
    with empty_office(tmp_path, workspace="acme") as office:

        def is_known() -> bool:
            return office.ask_anew("/v1/cinema/cities").status_code == HTTPStatus.NOT_FOUND

        await_everywhere(is_known, "the second workspace")
        page = await open_page(base_url=office.url)
        await log_in(page, office, "/console/start")
        await expect(page.get_by_role("link", name="Appointments", exact=True)).to_have_count(2)
        await expect(page.get_by_role("link", name="Go there: A venue with a hall")).to_be_visible()
        await expect(page.get_by_role("link", name="A cinema", exact=True)).to_have_count(0)
        await page.context.close()


async def _make_screen(page: Page) -> None:
    """What shows films begins instead of events, and each step says what is next of a cinema."""
    await page.goto("/console/start")
    begin = page.get_by_role("link", name="A cinema", exact=True)
    await expect(begin).to_be_visible()
    await check_accessible(page)
    await begin.click()
    await page.get_by_role("link", name="New city").first.click()
    await page.get_by_label("Name", exact=True).fill("Berlin")
    await page.get_by_label("Country").select_option("DE")
    await page.get_by_label("Time zone").fill("Europe/Berlin")
    await page.get_by_label("Currency").fill("EUR")
    await press(page, "Add the city")
    await expect(page.get_by_role("heading", level=1, name="New cinema")).to_be_visible()
    await page.goto("/console/start")
    await expect(page.get_by_text("The city is there.")).to_be_visible()
    await expect(page.get_by_role("heading", name="A venue with a hall")).to_have_count(0)
    await next_step(page, "A cinema with a screen")
    await page.get_by_label("Name", exact=True).fill("Lantern")
    await press(page, "Add the cinema")
    await expect(page.get_by_role("heading", level=1, name="Lantern")).to_be_visible()
    await next_step(page, "A cinema with a screen")
    await page.get_by_label("Name", exact=True).fill("Screen 1")
    await page.get_by_label("Front (EUR)").fill("9")
    await page.get_by_label("Standard (EUR)").fill("12")
    await press(page, "Add the screen")
    await expect(page.get_by_role("link", name="Screen 1")).to_be_visible()


async def _make_show(page: Page, day: str) -> None:
    await next_step(page, "Your first film")
    await page.get_by_label("Title", exact=True).fill("Iron Monsoon")
    await page.get_by_label("Length in minutes").fill("154")
    await page.get_by_label("Released on").fill(day)
    await press(page, "Add the film")
    await expect(page.get_by_role("heading", level=1, name="Iron Monsoon")).to_be_visible()
    await next_step(page, "Its first shows")
    await page.get_by_label("Screen", exact=True).select_option(index=1)
    await page.get_by_label("Date", exact=True).fill(day)
    await page.get_by_label("Time 1").fill("19:30")
    await page.get_by_label("Language", exact=True).fill("Hindi")
    await press(page, "Make 1 show")
    await expect(page.get_by_text("1 show is there")).to_be_visible()


async def _play_with_the_sample(page: Page, shop: Page) -> None:
    """Sample data comes by a click, is sold beside what is one's own, and goes by a click."""
    await page.goto("/console/start")
    await page.get_by_role("button", name="Add sample data").click()
    await expect(page.get_by_text("The sample is in your shop.")).to_be_visible()
    await check_accessible(page)
    await shop.goto("/events")
    cards = shop.get_by_role("heading", level=3)
    await expect(shop.get_by_role("link", name="Sample: An evening of piano")).to_be_visible()
    with_sample = await cards.count()
    await page.get_by_role("button", name="Remove sample data").click()
    dialog = page.get_by_role("dialog", name="Remove the sample?")
    await dialog.get_by_role("button", name="Remove sample data").click()
    await expect(page.get_by_role("button", name="Add sample data")).to_be_visible()
    await shop.reload()
    await expect(cards).to_have_count(with_sample - 3)
    await expect(shop.get_by_role("link", name="Sample: An evening of piano")).to_have_count(0)
