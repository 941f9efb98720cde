"""The merchant's first day: an empty server as `bespeak serve` starts it, and the way of a person
through its console, from the link that it prints to a ticket that is let in. The tutorial takes its
pictures on the same way.
"""

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias, cast

from playwright.async_api import Page, expect

from tests.browser.office import UNLIMITED, Json, Office

Keep: TypeAlias = Callable[[Page, str], Awaitable[None]]
"""Takes a picture of a page, by a name."""

SHOP = "Name, currency and time zone"
PASSWORD = "correct horse battery"
_LINK = re.compile(r"https?://\S+/console/set-up#\S+")
_START_SECONDS_MAX = 120
_STOP_SECONDS_MAX = 20


@contextmanager
def empty_server(folder: Path, **settings: str) -> Iterator[str]:
    """A server in which nobody has done anything yet, as who follows the README starts it; the link
    that it prints for the first owner. `settings` are environment variables."""
    environment = {name: value for name, value in os.environ.items() if "BESPEAK" not in name}
    environment |= UNLIMITED | settings
    server = subprocess.Popen(
        [sys.executable, "-m", "bespeak", "serve", "--port", "0", "--data", str(folder / "data")],
        stderr=subprocess.PIPE,
        env=environment,
    )
    try:
        yield _first_link(server)
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.communicate(timeout=_STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            server.kill()
            server.communicate()


@contextmanager
def empty_office(folder: Path, workspace: str | None = None, **settings: str) -> Iterator[Office]:
    """The same as a box office for calls of the API, with an admin key that is all its keys: of the
    only workspace, or of another one."""
    with empty_server(folder, **settings) as link:
        within = () if workspace is None else ("--workspace", workspace)
        if workspace is not None:
            _command(folder, "workspaces", "create", workspace)
        key = str(_command(folder, "keys", "create", "ak", "tests", *within)["key"])
        keys = dict.fromkeys(("ak", "sk"), key)
        told: Json = {"url": link.partition("/console")[0], "keys": keys}
        office = Office({**told, "resources": [], "premiere": {}}, folder)
        try:
            yield office
        finally:
            office.close()


def _command(folder: Path, *words: str) -> Json:
    """What a command says of the server's data."""
    given = ["--json", "--data", str(folder / "data")]
    asked = [sys.executable, "-m", "bespeak", *words, *given]
    made = subprocess.run(asked, check=True, capture_output=True)
    return cast("Json", json.loads(made.stdout))


def _first_link(server: "subprocess.Popen[bytes]") -> str:
    assert server.stderr is not None
    deadline, told = time.monotonic() + _START_SECONDS_MAX, ""
    while time.monotonic() < deadline and server.poll() is None:
        ready, _, _ = select.select([server.stderr], [], [], 0.5)
        if ready:
            told += os.read(server.stderr.fileno(), 65536).decode()
            if (found := _LINK.search(told)) is not None:
                return found.group()
    raise AssertionError(f"no link for the first owner:\n{told}")


async def press(page: Page, name: str) -> None:
    await page.get_by_role("button", name=name, exact=True).click()


async def next_step(page: Page, name: str) -> None:
    """Goes to the first steps, and on from there by one of them."""
    await page.goto("/console/start")
    await page.get_by_role("link", name=f"Go there: {name}").click()


async def become_owner(page: Page, link: str) -> None:
    await page.goto(link)
    await page.get_by_text("Use a password instead").click()
    await page.get_by_label("Password").fill(PASSWORD)
    await press(page, "Set a password")
    await expect(page.get_by_role("heading", name="Today", level=1)).to_be_visible()


async def say_who_sells(page: Page) -> None:
    """Name, currency, time zone and the page of the imprint."""
    await page.get_by_label("Name of the shop").fill("Lantern Hall")
    await page.get_by_label("Country", exact=True).select_option("DE")
    await page.get_by_label("Currency").fill("EUR")
    await page.get_by_label("Time zone").fill("Europe/Berlin")
    imprint = page.get_by_role("group", name="Imprint: where is it?")
    await imprint.get_by_label("On a page of ours").check()
    await page.get_by_label("Address of: Imprint").fill("https://lantern.example/imprint")
    await press(page, "Save")
    await expect(page.get_by_text("Saved. The shop shows it within seconds.").first).to_be_visible()


async def make_venue_and_hall(page: Page) -> None:
    """A venue with a hall of five rows, two of them in front."""
    await page.get_by_label("Name", exact=True).fill("Lantern Hall")
    await page.get_by_label("Address").fill("Am Ufer 3, 10999 Berlin")
    await page.get_by_label("City").fill("Berlin")
    await press(page, "Make the venue")
    await page.get_by_role("link", name="Make the first hall").click()
    await page.get_by_label("Name of the hall").fill("Great Hall")
    await page.get_by_label("Rows", exact=True).fill("5")
    await page.get_by_label("Seats in each row").fill("8")
    await page.get_by_label("Rows of the first category").fill("2")
    await press(page, "Make the hall")
    await expect(page.get_by_role("link", name="Great Hall")).to_contain_text("40 places")


async def make_event(page: Page, title: str) -> None:
    await page.get_by_label("Title", exact=True).fill(title)
    await page.get_by_label("Length in minutes").fill("90")
    await press(page, "Make the event")
    await expect(page.get_by_role("heading", name=title)).to_be_visible()


async def fill_date(page: Page, day: str) -> None:
    """The first date: two prices, and what a cancellation gives back; in the currency of the
    shop."""
    await page.get_by_label("Hall", exact=True).select_option("Great Hall (40 places)")
    await page.get_by_label("Begins", exact=True).fill(f"{day}T20:00")
    await page.get_by_label("Front (EUR)").fill("24.50")
    await page.get_by_label("Back (EUR)").fill("12.50")
    await page.get_by_label("How it is paid").select_option("at_venue")
    await page.get_by_label("Full refund until some days before").check()


async def publish(page: Page) -> None:
    await expect(page.get_by_text("Nothing essential is missing.")).to_be_visible()
    await press(page, "Publish")
    await page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    await expect(page.get_by_text("Guests see this date.")).to_be_visible()


async def sell_for_cash(page: Page, unit: str) -> None:
    """Sells a seat of the date whose page is open; ends on the page of the booking."""
    await page.get_by_role("link", name="Sales and map").click()
    seats = page.locator("bespeak-seatmap")
    await seats.wait_for()
    await expect(seats).to_have_js_property("unitsFree", 40)
    await seats.evaluate("(map, unit) => map.select([unit])", unit)
    await press(page, "Sell 1 place")
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Cash").check()
    await press(page, "Money taken, book it")
    await page.wait_for_url("**/console/bookings/bkg_*")
    # The address comes first; the program of the page may still be on its way.
    await expect(page.get_by_role("heading", name="Tickets")).to_be_visible()


async def code_of_ticket(page: Page) -> str:
    """What stands in the QR code of the ticket that was just printed."""
    booking = page.url.rpartition("/")[2]
    answer = await page.request.get(f"/v1/bookings/{booking}/tickets")
    tickets = cast("list[Json]", (await answer.json())["items"])
    return str(tickets[0]["code"])


async def let_in(page: Page, title: str, code: str) -> None:
    """Scans a ticket at the door, as a hand scanner does: it types, and presses Enter."""
    await page.goto("/console/scanner")
    await page.get_by_label("Search").fill(title)
    await page.get_by_role("link", name=title).click()
    field = page.get_by_label("Code of a ticket")
    await field.fill(code)
    await field.press("Enter")
    await expect(page.get_by_role("alert")).to_contain_text("Come in")


async def first_day(page: Page, shop: Page, link: str, day: str, keep: Keep) -> None:
    """All of it, and what guests see of it. `day` is that of the first date; `keep` is called where
    there is something to be seen."""
    title = "Four Hands"
    await become_owner(page, link)
    await page.goto("/console/start")
    await expect(page.get_by_role("link", name=f"Go there: {SHOP}")).to_be_visible()
    await keep(page, "first-steps")
    await next_step(page, SHOP)
    await say_who_sells(page)
    await next_step(page, "A venue with a hall")
    await make_venue_and_hall(page)
    await next_step(page, "Your first event")
    await make_event(page, title)
    await next_step(page, "Its first date")
    await fill_date(page, day)
    await keep(page, "first-date")
    await press(page, "Make the date")
    await publish(page)
    await shop.goto("/")
    await expect(shop.get_by_role("link", name=title)).to_be_visible()
    await expect(shop.get_by_role("link", name="Imprint")).to_be_visible()
    await keep(shop, "first-shop")
    await sell_for_cash(page, "A4")
    await keep(page, "first-sale")
    code = await code_of_ticket(page)
    await let_in(page, title, code)
    await keep(page, "first-scan")
    await page.goto("/console/start")
    await expect(page.get_by_role("link", name="Go there")).to_have_count(0)
