"""The reference of the API at /docs: it finds calls, fields and codes, its addresses can be shared,
and what it gives to copy runs against the server that it is of.
"""

import os
import subprocess
import sys

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office

PAGES = (
    "/docs",
    "/docs/calls/placeHold",
    "/docs/calls/createResource",
    "/docs/errors",
    "/docs/errors/unit_taken",
    "/docs/objects/Plan",
    "/docs/nowhere",
)
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
EXAMPLE_SHOW = "res_kbq6mf4p"
EXAMPLE_HOLD = "hold_01m7y6w4dch6q8wthwjv3wd2xy"


@pytest.mark.parametrize("look", ["desktop", "phone"])
async def test_pages_are_accessible_and_as_wide_as_the_window(
    open_page: OpenPage, look: str
) -> None:
    scheme = "dark" if look == "phone" else "light"
    page = await open_page(phone=look == "phone", color_scheme=scheme)
    for path in PAGES:
        await page.goto(path)
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await check_accessible(page)
        assert await page.evaluate(TOO_WIDE) <= 0, path


async def test_it_reads_from_the_right_in_arabic(open_page: OpenPage) -> None:
    page = await open_page("/docs/calls/placeHold", locale="ar")
    await expect(page.locator("html")).to_have_attribute("dir", "rtl")
    await expect(page.get_by_role("heading", name="محتوى الطلب")).to_be_visible()
    await check_accessible(page)
    assert await page.evaluate(TOO_WIDE) <= 0


async def test_the_contents_are_beside_the_text_or_behind_a_button(open_page: OpenPage) -> None:
    for phone in (False, True):
        page = await open_page("/docs", phone=phone)
        button = page.get_by_role("button", name="Contents")
        contents = page.get_by_role("navigation", name="Contents")
        await expect(button).to_be_visible(visible=phone)
        if phone:
            await button.click()
        await contents.get_by_text("Holds", exact=True).click()
        await contents.get_by_role("link", name="Place a hold").click()
        await expect(page).to_have_url("/docs/calls/placeHold")


def found(page: Page) -> Locator:
    return page.get_by_role("listbox", name="What was found")


async def test_the_search_works_by_keyboard_alone(page: Page) -> None:
    await page.goto("/docs")
    search = page.get_by_role("combobox", name="Search calls")
    await expect(search).to_be_visible()
    await page.keyboard.press("/")
    await expect(search).to_be_focused()
    await page.keyboard.type("place hold")
    await expect(found(page).get_by_role("option", selected=True)).to_contain_text("Place a hold")
    await check_accessible(page)
    await page.keyboard.press("Enter")
    await expect(page).to_have_url("/docs/calls/placeHold")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Place a hold")
    await expect(page).to_have_title("Place a hold · The API of Bespeak")

    await page.keyboard.press("/")
    await page.keyboard.type("unit_tak")
    await expect(found(page).get_by_role("option").first).to_contain_text("unit_taken")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url("/docs/errors/unit_taken")
    await expect(page.get_by_text("a retry may help")).to_be_visible()
    await page.go_back()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Place a hold")


async def test_a_field_is_found_and_shown_where_it_stands(page: Page) -> None:
    await page.goto("/docs")
    search = page.get_by_role("combobox", name="Search calls")
    await search.fill("payment_token")
    await found(page).get_by_role("option").first.click()
    await expect(page).to_have_url("/docs/calls/confirmHold#field-payment_token")
    await expect(page.locator("#field-payment_token")).to_be_in_viewport()


async def test_addresses_can_be_shared(page: Page) -> None:
    await page.goto("/docs#unit_taken")  # the `type` of a problem
    await expect(page).to_have_url("/docs/errors/unit_taken")
    await page.get_by_role("link", name="Place a hold").click()
    await expect(page).to_have_url("/docs/calls/placeHold")
    await page.goto("/docs/calls/place_hold")
    await expect(page).to_have_url("/docs/calls/placeHold")
    await page.goto("/docs/calls/none")
    await expect(page.get_by_role("heading", level=1)).to_have_text("There is no such page")


async def test_a_union_shows_its_forms(page: Page) -> None:
    await page.goto("/docs/calls/createResource")
    plan = page.locator("#field-plan")
    await plan.get_by_role("button", name="forms to choose from").click()
    await plan.get_by_role("button", name="type: nights").click()
    fields = plan.get_by_role("list", name="NightsPlan")
    await expect(fields.get_by_text("check_in_time", exact=True)).to_be_visible()
    await expect(fields.get_by_text("The window moves by itself")).to_be_visible()


async def test_no_other_host_is_asked(open_page: OpenPage, office: Office) -> None:
    asked: list[str] = []
    page = await open_page()
    page.on("request", lambda request: asked.append(request.url))
    await page.goto("/docs/calls/placeHold")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert asked and all(url.startswith(office.url) for url in asked)


async def copied(page: Page, call: str, language: str, own: dict[str, str]) -> str:
    """What the button copies, with these ids in the places of those of the example."""
    await page.goto(f"/docs/calls/{call}")
    await page.get_by_role("tab", name=language, exact=True).click()
    for instead, value in own.items():
        await page.get_by_label(instead).fill(value)
    await page.get_by_role("button", name=f"Copy: The call in {language}").click()
    await expect(page.get_by_role("button", name="Copied")).to_be_visible()
    return str(await page.evaluate("navigator.clipboard.readText()"))


def keys(office: Office) -> dict[str, str]:
    return {**os.environ, "SK": office.keys["sk"], "AK": office.keys["ak"]}


def status_of(command: str, office: Office) -> tuple[int, str]:
    """The status that a copied command of curl is answered with, and the answer."""
    done = subprocess.run(
        ["bash", "-c", command + " -w '\\n%{http_code}'"],
        env=keys(office),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    body, _, status = done.stdout.rpartition("\n")
    return int(status), body


def run_python(program: str, office: Office) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=keys(office),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, f"{program}\n{done.stderr}"
    return done.stdout


CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}


def seats(office: Office) -> str:
    """A show that has the seats and the place of the examples, and costs nothing."""
    plan = {"type": "seats", "sections": [{"name": "Stalls", "rows": [{"name": "F", "seats": 12}]}]}
    new = {"name": "An example", "plan": plan, "payment": "none"}
    return str(office.call("POST", "/v1/resources", new)["id"])


async def test_a_copied_curl_does_what_it_says(open_page: OpenPage, office: Office) -> None:
    page = await open_page(**CLIPBOARD)
    show = seats(office)
    own = {EXAMPLE_SHOW: show}
    status, body = status_of(await copied(page, "placeHold", "curl", own), office)
    assert status == 201, body
    lines = [{"resource_id": show, "unit": unit} for unit in ("F3", "F4")]
    hold = str(office.call("POST", "/v1/holds", {"owner": "asha", "lines": lines})["id"])
    for call, expected in (
        ("askQuote", 200),
        ("getResource", 200),
        ("getAvailability", 200),
        ("listResources", 200),
        ("listBookings", 200),
        ("listEvents", 200),
        ("createResource", 201),
        ("mintShopperToken", 201),
        ("placeBlock", 201),
        ("getReadiness", 200),
        ("exportPersonalData", 200),
        ("checkHealth", 200),
    ):
        needed = own if call in ("getResource", "getAvailability", "placeBlock") else {}
        status, body = status_of(await copied(page, call, "curl", needed), office)
        assert status == expected, f"{call}: {body}"
    for call in ("getHold", "extendHold", "releaseHold"):
        command = await copied(page, call, "curl", {EXAMPLE_HOLD: hold})
        status, body = status_of(command, office)
        assert status == 200, f"{call}: {body}"


async def test_a_copied_program_in_python_runs(open_page: OpenPage, office: Office) -> None:
    page = await open_page(**CLIPBOARD)
    show = seats(office)
    own = {EXAMPLE_SHOW: show}
    held = run_python(await copied(page, "placeHold", "Python", own), office)
    assert held.startswith("Hold(") and show in held
    lines = [{"resource_id": show, "unit": unit} for unit in ("F3", "F4")]
    hold = str(office.call("POST", "/v1/holds", {"owner": "asha", "lines": lines})["id"])
    for call in ("extendHold", "getHold"):
        assert "Hold(" in run_python(
            await copied(page, call, "Python", {EXAMPLE_HOLD: hold}), office
        )
    assert "Booking(" in run_python(await copied(page, "confirmHold", "Python", {}), office)
    for call, told in (
        ("askQuote", "Quote("),  # a verb with lines
        ("createResource", "Resource("),  # a struct, made of the example
        ("placeBlock", "Block("),
        ("listResources", "ResourcePage("),
        ("listBookings", "'items'"),  # no verb: `call`, with a query
        ("exportPersonalData", "'items'"),
        ("exportCalendar", "text/calendar"),  # no JSON: httpx
        ("checkHealth", "'ok'"),  # no key
    ):
        program = await copied(page, call, "Python", {})
        assert told in run_python(program, office), call
