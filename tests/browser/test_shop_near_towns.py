"""Who types a town in which nothing is let is led to what is near it."""

import re
from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office, await_everywhere, running_office
from tests.browser.stays import make_listing, make_property

# Of a slow machine: the file of the earth's towns is made in that time.
_SECONDS_MAX = 240
BERLIN = {"timezone_id": "Europe/Berlin"}


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    with running_office(tmp_path_factory.mktemp("earth"), BESPEAK_GAZETTEER="true") as made:
        yield made


def _await_near(office: Office, town: str) -> None:
    """Waits until every worker knows what is near a town."""
    path = f"/v1/stays/places?search={town}"

    def is_near() -> bool:
        return bool(office.ask_anew(path, key="pk").json()["items"])

    await_everywhere(is_near, f"something near {town}", _SECONDS_MAX)


@pytest.mark.parametrize("phone", [False, True])
async def test_a_town_without_listings_leads_to_those_near_it(
    open_page: OpenPage, office: Office, *, phone: bool
) -> None:
    # By the lake, two kilometres from it.
    house = make_property(office, "Obertraun 1", lat=47.5547, lon=13.6753, country="AT")
    make_listing(office, house, "Room by the lake")
    _await_near(office, "hallstatt")
    page = await open_page("/stays", phone=phone, **BERLIN)
    where = page.get_by_role("combobox", name="Where")
    await where.fill("hallst")
    near = page.get_by_role("option", name="Near Hallstatt")
    await expect(near).to_contain_text("within 25 km · GeoNames")
    await check_accessible(page)
    await near.click()
    await expect(where).to_have_value("Hallstatt")
    await page.wait_for_url("**radius=25000**")
    await expect(page.get_by_role("link", name="Room by the lake").first).to_be_visible()
    # A town with listings is looked at as far as ever.
    await where.fill("obertraun")
    await page.get_by_role("option", name="Obertraun").first.click()
    await page.wait_for_url("**place=Obertraun**")
    await expect(page.get_by_role("link", name="Room by the lake").first).to_be_visible()
    await expect(page).not_to_have_url(re.compile("radius"))
    # Typed whole and sent, without a look at what is suggested.
    await where.fill("Hallstatt")
    await where.press("Enter")
    await page.wait_for_url("**place=Hallstatt**")
    await expect(page.get_by_role("link", name="Room by the lake").first).to_be_visible()
