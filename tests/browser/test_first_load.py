"""What a first visit brings before it sees anything: few files, few bytes, and no faces of our own.
The figures are counted and read off the built files, so that no busy machine changes them.
"""

from __future__ import annotations

import re
from typing import cast

import pytest
from playwright.async_api import Page, Request, expect

from bespeak.http.server.site import FOLDER as SITE
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office

# Scripts and styles; each beside the program takes a share of a slow line from it.
FILES_MAX = 16
PACKED_BYTES_MAX = 160_000
# What a page looks at every few seconds it may ask for again before a slow machine has shown all.
NEVER_AGAIN = "window.setInterval = () => 0"


@pytest.mark.parametrize("path", ["/", "/events", "/stays", "/console"])
async def test_a_first_visit_brings_few_files(open_page: OpenPage, path: str) -> None:
    page = await open_page(phone=True)
    asked: list[str] = []

    def note(request: Request) -> None:
        if request.resource_type in ("script", "stylesheet"):
            asked.append(request.url.rsplit("/", 1)[1].split("?")[0])

    page.on("request", note)
    await page.goto(path)
    await settled(page)
    await page.wait_for_load_state("networkidle")
    sizes = {name: packed_bytes(name) for name in asked}
    assert len(sizes) <= FILES_MAX, " ".join(sizes)
    assert sum(sizes.values()) <= PACKED_BYTES_MAX, sizes


def packed_bytes(name: str) -> int:
    file = SITE / "assets" / name
    beside = file.with_name(f"{name}.br")
    return (beside if beside.is_file() else file).stat().st_size


async def test_what_is_asked_for_ahead_is_not_asked_for_twice(
    open_page: OpenPage, office: Office
) -> None:
    items = cast("list[Json]", office.call("GET", "/v1/cinema/films?limit=1")["items"])
    for path in ("/", "/events", f"/films/{items[0]['id']}"):
        page = await open_page(phone=True)
        await page.add_init_script(NEVER_AGAIN)
        calls = await calls_of(page, path)
        assert calls
        assert len(calls) == len(set(calls)), calls


async def test_the_session_is_asked_for_while_the_program_is_on_its_way(page: Page) -> None:
    await page.route(
        "**/assets/*.js",
        lambda route: route.fulfill(status=200, content_type="text/javascript", body=""),
    )
    async with page.expect_response("**/v1/box-office/session") as answered:
        await page.goto("/")
    assert (await answered.value).status == 200


async def calls_of(page: Page, path: str) -> list[str]:
    """What a page asks the API until it is there."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if "/v1/" in request.url and not request.url.endswith("/stream"):
            asked.append(f"{request.method} {request.url}")

    page.on("request", note)
    await page.goto(path)
    await settled(page)
    await page.wait_for_load_state("networkidle")
    return asked


async def settled(page: Page) -> None:
    await page.get_by_role("heading", level=1).wait_for(state="attached")
    await expect(page.locator(".skeleton")).to_have_count(0)


async def test_our_own_faces_come_with_the_next_page(page: Page) -> None:
    await page.goto("/")
    await settled(page)
    root = page.locator("html")
    # They are here, and what is being read stays as it is.
    await expect(root).to_have_attribute("data-faces", "ready")
    await page.get_by_role("link", name="My bookings").click()
    await expect(root).to_have_attribute("data-faces", "own")
    await page.reload()
    await expect(root).to_have_attribute("data-faces", "own")
    await expect(page.locator("body")).to_have_css("font-family", re.compile(r"^\"?Inter"))
