"""What the browser's tests may ask for: a box office, and pages of a Chromium that looks at it.

A page fails its test when the browser complained on its console; refusals of the API, which the
browser reports as failed loads, are part of the game.
"""

import os
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeAlias
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright, expect

from tests.browser.office import Office, running_office
from tests.browser.screens import PHONE

OpenPage: TypeAlias = Callable[..., Awaitable[Page]]

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A camera that shows what a test writes into a file, and is allowed without a question.
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    # What is painted is put together by the browser, not by a process of its own: a tenth less.
    "--in-process-gpu",
    # A page lives for seconds: to compile its code better costs more than it saves.
    "--js-flags=--no-opt --no-maglev",
)
DESKTOP = {"width": 1280, "height": 860}
# Machines that test are busy: what is awaited is that it comes, not how fast.
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)
# By whose clocks the tests count days, and how long before its end none begins on a day.
_ZONES = ("UTC", "Europe/Berlin", "Asia/Kolkata")
_DAY_ENDS_SECONDS = 120
# Without windows it needs a third less processor time than the whole browser.
_CHROMIUMS = ("chromium-headless-shell", "chromium")
# Refusals, and a network that a test has taken away.
_REFUSALS = ("status of 4", "status of 503", "ERR_INTERNET_DISCONNECTED")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One event loop for all of them, because the browser lives on it."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(autouse=True)
def one_day() -> None:
    """A test begins and ends on one day, or waits for the next: what it has sold today is in
    yesterday's report after midnight, and its first night is over."""
    for zone in _ZONES:
        now = datetime.now(ZoneInfo(zone))
        left = (now + timedelta(seconds=_DAY_ENDS_SECONDS)).replace(hour=0, minute=0, second=0)
        if left.date() != now.date():
            time.sleep((left - now).total_seconds() + 1)


@pytest.fixture(scope="session")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """A box office with the demo's data, for all tests of this process: each test takes a show, or
    seats, of its own."""
    with running_office(tmp_path_factory.mktemp("office")) as made:
        yield made


def chromium_path() -> str:
    """Where the browser is."""
    named = os.environ.get("BESPEAK_CHROMIUM")
    paths = [named] if named else [shutil.which(one) for one in _CHROMIUMS]
    path = next((one for one in paths if one is not None), None)
    assert path, "no chromium: run scripts/install-chromium"
    return path


@pytest.fixture(scope="session")
def camera_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the browser's camera shows, when a page opens it."""
    return tmp_path_factory.mktemp("camera") / "picture.y4m"


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium(camera_file: Path) -> AsyncIterator[Browser]:
    """The browser. A machine without one fails the run: scripts/install-chromium sees to it."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium_path(),
            args=[*FLAGS, f"--use-file-for-fake-video-capture={camera_file}"],
        )
        try:
            yield browser
        finally:
            await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(
    chromium: Browser, office: Office, request: pytest.FixtureRequest
) -> AsyncIterator[OpenPage]:
    """Opens a page as a visitor of their own (cookies, storage), at `path`. Options are those of
    Playwright's `new_context`, and `phone=True`. The visitor wants no motion, which draws a page
    sixty times a second; a file of tests that has MOTION wants it."""
    complaints: list[str] = []
    contexts = []
    motion = "no-preference" if hasattr(request.module, "MOTION") else "reduce"

    async def open_one(path: str | None = None, *, phone: bool = False, **options: object) -> Page:
        given: dict[str, object] = {"viewport": DESKTOP, "locale": "en-GB", "base_url": office.url}
        given["reduced_motion"] = motion
        if phone:
            given |= {"viewport": PHONE, "has_touch": True, "is_mobile": True}
        context = await chromium.new_context(**(given | options))  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = await context.new_page()
        page.on("console", lambda message: _note(message, complaints))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        if path is not None:
            await page.goto(path)
        return page

    yield open_one
    for context in contexts:
        await context.close()
    assert complaints == []


@pytest_asyncio.fixture(loop_scope="session")
async def page(open_page: OpenPage) -> Page:
    """A page at desktop width that has not gone anywhere yet."""
    return await open_page()


def _note(message: ConsoleMessage, complaints: list[str]) -> None:
    if message.type != "error":
        return
    if "Failed to load resource" in message.text and any(w in message.text for w in _REFUSALS):
        return
    if "/v1/outbox/" in str(message.location.get("url")) or "/v1/outbox/" in message.text:
        return  # a hostile mail, of which nothing is run
    complaints.append(f"{message.text} ({message.location.get('url')})")
