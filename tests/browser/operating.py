"""The console as an operator's hands know it, and what they find there: shows and bookings."""

import time
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

from playwright.async_api import Locator, Page, expect

from bespeak.merchants.merchants import KNOWN_SECONDS
from tests.browser.office import Json, Office

Lines = Sequence[str]


# What the page keeps of an open session, once: a logout in the test is one. A page within the page
# that may keep nothing is none of the console.
_WAS_OPEN = """
    if (window === window.top && sessionStorage.getItem("tests.logged-in") === null) {
        sessionStorage.setItem("tests.logged-in", "yes");
        localStorage.setItem("bespeak.console.open", "yes");
    }
"""


async def log_in(page: Page, office: Office, path: str = "/console") -> None:
    """Goes to a page of the console as one who has logged in with the admin key before."""
    answer = await page.context.request.post(
        "/v1/console/session", data={"key": office.keys["ak"]}, headers={"Origin": office.url}
    )
    assert answer.ok, await answer.text()
    await page.add_init_script(_WAS_OPEN)
    await page.goto(path)
    await _see_console(page)


async def log_in_by_form(page: Page, office: Office, path: str = "/console") -> None:
    """Goes to a page of the console and logs in on the way, as one who comes for the first time."""
    await page.goto(path)
    await enter_key(page, office.keys["ak"])
    await _see_console(page)


async def _see_console(page: Page) -> None:
    await expect(page.get_by_role("heading", level=1)).not_to_have_text("Welcome back")


async def enter_key(page: Page, key: str) -> None:
    """Pastes a key into the login and sends it."""
    await choose_key(page)
    await page.get_by_label("Admin key").fill(key)
    await page.get_by_role("button", name="Log in", exact=True).click()


async def choose_key(page: Page) -> None:
    """Chooses to log in with a key, where that is not chosen yet."""
    await expect(page.get_by_role("button", name="Log in", exact=True)).to_be_visible()
    if await page.get_by_label("Admin key").count() == 0:
        await page.get_by_role("button", name="Use an admin key instead").click()


async def idle(button: Locator) -> None:
    """Waits until what a button was pressed for is done. A busy one is not disabled: it ignores
    clicks."""
    await expect(button).not_to_have_attribute("aria-busy", "true")


def fresh_show(office: Office, rows: int = 4, **given: object) -> str:
    """The id of a show of its own: a small house, paid, with terms."""
    made = office.call(
        "POST",
        "/v1/resources",
        {
            "name": f"The Lantern {uuid.uuid4().hex[:8]}",
            "kind": "show",
            "payment": "required",
            "price": {"amount": 1000, "currency": "EUR"},
            "starts_at": (datetime.now(UTC) + timedelta(days=30)).isoformat(),
            "time_zone": "Europe/Berlin",
            "plan": {
                "type": "seats",
                "sections": [
                    {
                        "name": "Stalls",
                        "rows": [{"name": "ABCDEFGH"[row], "seats": 8} for row in range(rows)],
                    }
                ],
            },
            "pricing": {
                "fees": [{"name": "Booking fee", "amount": 100}],
                "cancellation": {"free_until_seconds": 86_400, "tiers": []},
            },
            **given,
        },
        idempotency_key=uuid.uuid4().hex,
    )
    return str(made["id"])


def change_merchant(office: Office, **profile: object) -> None:
    """Changes who sells, and waits until all processes of the office know: each may show for so
    long what it knew before."""
    office.call("PATCH", "/v1/merchant", profile)
    time.sleep(KNOWN_SECONDS)


def buy(office: Office, show: str, units: Lines, owner: str | None = None) -> str:
    """Buys seats of a show for somebody; the id of the booking."""
    owner = owner or f"buyer-{uuid.uuid4().hex[:10]}"
    lines = [{"resource_id": show, "unit": unit} for unit in units]
    hold = office.call("POST", "/v1/holds", {"owner": owner, "lines": lines}, key="sk")
    booking = office.call(
        "POST",
        "/v1/bookings",
        {
            "hold_id": hold["id"],
            "payment_token": "tok_success",
            "contact": {"email": f"{owner}@example.com", "name": f"Ann {owner}"},
        },
        key="sk",
        idempotency_key=uuid.uuid4().hex,
    )
    return str(booking["id"])


def items(answer: Json) -> list[Json]:
    """The items of a list."""
    return cast("list[Json]", answer["items"])
