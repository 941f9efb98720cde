"""The turn in a waiting room as who looks elsewhere meanwhile learns of it: by sound and title, and
in another tab of the same browser, which has the same place.
"""

import asyncio
import re
from functools import partial

from playwright.async_api import Page, expect

from bespeak.admission.board import LOOK_SECONDS
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import fresh_show
from tests.browser.test_waiting_rooms import led_from, make_room, stage
from tests.browser.until import until_equal

NOTES = 3
# How many notes the page has played.
LISTENS = """
  window.notes = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) {
    window.notes += 1;
    return start.apply(this, when);
  };
"""
TURN = re.compile("^It is your turn!")


async def notes(page: Page) -> int:
    return int(await page.evaluate("window.notes"))


async def counted(office: Office, room: str, what: str) -> object:
    """How many joined a room, or are inside. Workers write down within a second who joined."""
    return office.call("GET", f"/v1/waiting-rooms/{room}")[what]


async def test_the_turn_is_heard_and_every_tab_tells_it(
    open_page: OpenPage, office: Office
) -> None:
    show = fresh_show(office)
    room = make_room(office, show)
    first = await open_page()
    await first.context.add_init_script(LISTENS)
    await led_from(first, show, room)
    await first.get_by_role("button", name="Play a sound when it is my turn").click()
    await expect(first.get_by_role("button", name="A sound will tell you")).to_be_visible()
    await until_equal(partial(notes, first), NOTES)  # as it will sound

    second = await first.context.new_page()
    await second.goto(f"/waiting/{room}")
    await stage(second, "You are in")
    await until_equal(partial(counted, office, room, "joined"), 1)
    both_in_at = asyncio.get_running_loop().time()

    office.call("PATCH", f"/v1/waiting-rooms/{room}", {"state": "open"})
    for page, heard in ((first, 2 * NOTES), (second, 0)):
        await stage(page, "It is your turn!")
        await expect(page).to_have_title(TURN)
        await until_equal(partial(notes, page), heard)

    # In by one tab, it is the turn of no other: both have the pass, which is one.
    await second.get_by_role("button", name="Go to the tickets").click()
    await second.wait_for_url("**/shows/**")
    await expect(first.get_by_role("link", name="Go to the tickets")).to_be_visible()
    await first.reload()
    await expect(first.get_by_role("link", name="Go to the tickets")).to_be_visible()
    await until_equal(partial(counted, office, room, "inside"), 1)
    # A second person would be written down by now.
    await asyncio.sleep(both_in_at + 2 * LOOK_SECONDS - asyncio.get_running_loop().time())
    assert await counted(office, room, "joined") == 1, "another tab is no other person"
    assert await counted(office, room, "inside") == 1
