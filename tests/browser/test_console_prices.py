"""Suggested prices in the console: from the bounds over the reasons to prices that are applied and
taken back.
"""

from __future__ import annotations

import uuid

import asyncpg
import pytest
from playwright.async_api import Page, expect

from bespeak.cli.databases import opened
from bespeak.cli.options import DatabaseChoice
from bespeak.ids import parse_resource
from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import log_in
from tests.browser.stays import day_on, make_listing, make_property, make_town

_NIGHTS = 28
_SHIFT = _NIGHTS + 1
# A stay that is to come becomes one that is past: no call of the API books the past.
_MOVED = (
    "update bespeak.resource set created_at = created_at - interval '200 days'"
    " where resource_id = $1",
    "update bespeak.booking set confirmed_at = confirmed_at - interval '100 days'"
    " where resource_id = $1",
    "update bespeak.draw set unit = to_char(unit::date - 29, 'YYYY-MM-DD') where resource_id = $1",
    "update bespeak.pool set unit = to_char(unit::date - 29, 'YYYY-MM-DD') where resource_id = $1",
)
_SHOWN = """
update bespeak.hold set shown = replace(replace(shown::text, $2, $3), $4, $5)::jsonb
where resource_id = $1
"""


async def listing_with_history(office: Office) -> str:
    """Eight of ten rooms were booked in each of the last four weeks' nights, long before; and two
    of the nights to come are full."""
    house = make_property(office, make_town())
    name = f"Double {uuid.uuid4().hex[:6]}"
    plan = {"type": "nights", "count": 10}
    listing = make_listing(office, house, name, plan=plan, payment="at_venue")
    _book(office, listing, day_on(1), day_on(1 + _NIGHTS), 8)
    await _become_past(office, listing)
    _book(office, listing, day_on(3), day_on(4), 10)
    return listing


def _book(office: Office, listing: str, start: str, end: str, rooms: int) -> None:
    line = {"resource_id": listing, "from": start, "to": end, "quantity": rooms}
    hold = office.call("POST", "/v1/holds", {"owner": "asha", "lines": [line]}, key="sk")
    office.call("POST", "/v1/bookings", {"hold_id": hold["id"]}, key="sk")


async def _become_past(office: Office, listing: str) -> None:
    dates = (day_on(1), day_on(1 - _SHIFT), day_on(1 + _NIGHTS), day_on(1 + _NIGHTS - _SHIFT))
    with opened(DatabaseChoice(data=office.outbox.parent)) as url:
        connection = await asyncpg.connect(url)
        try:
            for statement in _MOVED:
                await connection.execute(statement, parse_resource(listing))
            await connection.execute(_SHOWN, parse_resource(listing), *dates)
        finally:
            await connection.close()


async def save_bounds(page: Page) -> None:
    await page.get_by_label("Lowest price (EUR)").fill("90")
    await page.get_by_label("Highest price (EUR)").fill("60")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("An amount, not below the lowest price.")).to_be_visible()
    await page.get_by_label("Lowest price (EUR)").fill("60")
    await page.get_by_label("Highest price (EUR)").fill("160")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("Save the bounds first")).to_have_count(0)


@pytest.mark.parametrize("phone", [False, True])
async def test_prices_are_bounded_applied_and_taken_back(
    open_page: OpenPage, office: Office, phone: bool
) -> None:
    listing = await listing_with_history(office)
    page = await open_page(phone=phone)
    await log_in(page, office, f"/console/stays/listings/{listing}")
    await page.get_by_role("link", name="Suggested prices").click()
    await expect(page.get_by_text("Save the bounds first")).to_be_visible()
    await save_bounds(page)
    await expect(page.get_by_text("Sold out", exact=True)).to_be_visible()
    await expect(page.get_by_text("Too little history").last).to_be_visible()
    await expect(page.get_by_text("Behind others").first).to_be_visible()
    await check_accessible(page)
    await page.get_by_role("button", name="Pick-up of").nth(5).click()
    await expect(
        page.get_by_role("img", name="Rooms booked, by day until the night")
    ).to_be_visible()
    await check_accessible(page)
    await page.keyboard.press("Escape")
    await page.get_by_role("checkbox", name="with another price").check()
    await page.get_by_role("button", name="Apply to").click()
    await page.get_by_role("button", name="Apply", exact=True).click()
    await expect(page.get_by_text("suggested", exact=True).first).to_be_visible()
    suggested = office.call("GET", f"/v1/listings/{listing}/suggested-prices?days=12")
    assert any(night["applied"] for night in suggested["items"])  # type: ignore[attr-defined]
    await page.get_by_role("button", name="Take all back").click()
    await page.get_by_role("dialog").get_by_role("button", name="Take all back").click()
    await expect(page.get_by_text("suggested", exact=True)).to_have_count(0)
    assert "rules" not in office.call("GET", f"/v1/listings/{listing}")["plan"]  # type: ignore[operator]


async def test_a_rule_of_somebody_else_is_not_taken_back(
    open_page: OpenPage, office: Office
) -> None:
    house = make_property(office, make_town())
    plan = {"type": "nights", "count": 2}
    listing = make_listing(office, house, "Double", plan=plan, payment="at_venue")
    path = f"/v1/listings/{listing}/suggested-prices"
    page = await open_page()
    await log_in(page, office, f"/console/stays/listings/{listing}/prices")
    least, most = page.get_by_label("Lowest price (EUR)"), page.get_by_label("Highest price (EUR)")
    save = page.get_by_role("button", name="Save", exact=True)
    changed = page.get_by_text("Somebody else has changed the same")

    def rule() -> object:
        return office.call("GET", f"{path}?days=1")["rule"]

    await least.fill("60")
    await most.fill("160")
    theirs = {"least": 5_000, "most": 30_000, "multiple": 500}
    office.call("PUT", f"{path}/rule", theirs)
    await save.click()
    await expect(changed).to_be_visible()
    await check_accessible(page)
    assert rule().items() >= theirs.items()  # type: ignore[attr-defined]
    await page.get_by_role("button", name="Load theirs").click()
    await expect(least).to_have_value("50.00")
    # Of another field theirs stays beside ours.
    await most.fill("160")
    office.call("PUT", f"{path}/rule", {**theirs, "least": 4_000})
    await save.click()
    await expect(least).to_have_value("40.00")
    await expect(changed).to_have_count(0)
    assert rule().items() >= {"least": 4_000, "most": 16_000, "multiple": 500}.items()  # type: ignore[attr-defined]
