"""Invitation codes, from both sides: the operator makes a batch, takes it home as a file, revokes;
visitors enter a code at the page of the waiting room, or come by a link that has it.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import fresh_show, log_in
from tests.browser.test_waiting_rooms import TOO_WIDE, make_room, press, stage

QUEUES = [{"name": "all", "share": 50}, {"name": "club", "share": 50, "invited": True}]
CLUB = [{"name": "club", "share": 100, "invited": True}]
LABEL = "Invitation code"
WITH_CODE = "Join with this code"


def room_with_codes(
    office: Office, *, queues: list[dict[str, object]] = QUEUES, persons: int = 1
) -> tuple[str, list[str]]:
    """A room with a queue by invitation, and three codes for it."""
    room = make_room(office, fresh_show(office), queues=queues)
    path = f"/v1/waiting-rooms/{room}/invite-batches"
    wanted = {"queue": "club", "name": "Fan club", "codes": 3, "persons": persons}
    office.call("POST", path, wanted)
    items = office.call("GET", f"{path}/1/codes")["items"]
    assert isinstance(items, list)
    return room, [str(one["code"]) for one in items]


async def make_batch(page: Page, *, codes: str) -> None:
    """Makes a batch at the console."""
    await page.get_by_role("button", name="New codes").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_label("Queue")).to_have_value("club")
    make = dialog.get_by_role("button", name="Make them")
    await expect(make).to_be_disabled()
    await dialog.get_by_label("Name").fill("Fan club")
    await dialog.get_by_label("How many").fill(codes)
    await check_accessible(page)
    await make.click()
    await expect(dialog).to_have_count(0)


@pytest.mark.parametrize("phone", [False, True])
async def test_an_operator_makes_hands_out_and_revokes_codes(
    open_page: OpenPage, office: Office, tmp_path: Path, *, phone: bool
) -> None:
    room = make_room(office, fresh_show(office), queues=QUEUES)
    page = await open_page(phone=phone)
    await log_in(page, office, f"/console/waiting-rooms/{room}")
    await expect(page.get_by_text("No codes yet")).to_be_visible()
    await make_batch(page, codes="12")
    await expect(page.get_by_text("12 codes were made.")).to_be_visible()
    async with page.expect_download() as downloading:
        await page.get_by_role("link", name="Fan club: codes as CSV").click()
    file = tmp_path / "codes.csv"
    await (await downloading.value).save_as(file)
    with file.open(encoding="utf-8-sig", newline="") as lines:
        codes = [row["code"] for row in csv.DictReader(lines)]
    assert len(set(codes)) == 12

    joined = {"owner": "ada", "code": codes[0]}
    office.call("POST", f"/v1/waiting-rooms/{room}/queue-tokens", joined)
    await page.get_by_label("Look up a code").fill(codes[0].lower())
    await page.get_by_role("button", name="Look up", exact=True).click()
    await expect(page.get_by_text("Code number 1; joined by it: 1 / 1.")).to_be_visible()
    await press(page, "Revoke this code")
    found = page.get_by_role("status").filter(has_text="Code number 1")
    await expect(found).to_contain_text("Revoked")
    await check_accessible(page)
    await page.get_by_label("Look up a code").fill("04003K")
    await page.get_by_role("button", name="Look up", exact=True).click()
    await expect(page.get_by_text("a letter is wrong or missing")).to_be_visible()

    await page.get_by_role("button", name="Revoke", exact=True).click()
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("The one person who has joined stays.")
    await dialog.get_by_role("button", name="Revoke", exact=True).click()
    await expect(page.get_by_text("The codes were revoked.")).to_be_visible()
    batch = office.call("GET", f"/v1/waiting-rooms/{room}/invite-batches/1")
    assert batch["used"] == 1 and batch["revoked_at"] is not None
    await check_accessible(page)
    assert await page.evaluate(TOO_WIDE) <= 0


@pytest.mark.parametrize("phone", [False, True])
async def test_a_visitor_enters_a_code(open_page: OpenPage, office: Office, *, phone: bool) -> None:
    room, (code, *_) = room_with_codes(office)
    page = await open_page(f"/waiting/{room}", phone=phone)
    await stage(page, "There is a queue for these tickets")
    await page.get_by_text("I have an invitation code").click()
    field = page.get_by_label(LABEL)
    await field.press_sequentially("04003K 7M9P2Q")
    await expect(field).to_be_focused()
    await page.get_by_role("button", name=WITH_CODE).click()
    await expect(page.get_by_role("alert")).to_have_text(
        "Check the code: a letter is wrong or missing."
    )
    await expect(field).to_have_attribute("aria-invalid", "true")
    await check_accessible(page)
    await field.fill("")
    # Key by key: the field stays where it is, and has the focus.
    await field.press_sequentially(code.lower().replace("-", " "))
    await expect(field).to_be_focused()
    await field.press("Enter")
    await stage(page, "You are in")
    await expect(page.get_by_label(LABEL)).to_be_hidden()
    assert office.call("GET", f"/v1/waiting-rooms/{room}/invite-batches/1")["used"] == 1
    await check_accessible(page)
    assert await page.evaluate(TOO_WIDE) <= 0
    # Another person is told that it was used, and joins without one.
    other = await open_page(f"/waiting/{room}?code={code}", phone=phone)
    await expect(other.get_by_label(LABEL)).to_have_value(code)
    await other.get_by_role("button", name=WITH_CODE).click()
    await expect(other.get_by_text("This code has been used.")).to_be_visible()
    await other.get_by_role("button", name="Join without a code").click()
    await stage(other, "You are in")


@pytest.mark.parametrize("mark", ["?", "#"])
async def test_a_link_brings_the_code_and_nothing_is_joined_by_it(
    open_page: OpenPage, office: Office, mark: str
) -> None:
    room, (code, *_) = room_with_codes(office, queues=CLUB)
    page = await open_page(f"/waiting/{room}{mark}code={code}")
    await expect(page.get_by_label(LABEL)).to_have_value(code)
    # Nobody copies it with the address.
    await expect(page).to_have_url(f"{office.url}/waiting/{room}")
    await expect(page.get_by_text("Your link has brought an invitation code.")).to_be_visible()
    await expect(page.get_by_role("button", name="Join", exact=False)).to_have_count(1)
    batch = f"/v1/waiting-rooms/{room}/invite-batches/1"
    assert office.call("GET", batch)["used"] == 0
    await check_accessible(page)
    await page.get_by_role("button", name=WITH_CODE).click()
    await stage(page, "You are in")
    assert office.call("GET", batch)["used"] == 1


async def test_who_stands_in_another_queue_enters_a_code_later(
    open_page: OpenPage, office: Office
) -> None:
    room, (code, *_) = room_with_codes(office)
    page = await open_page(f"/waiting/{room}")
    await page.get_by_role("button", name="Join the queue").click()
    await stage(page, "You are in")
    await page.get_by_text("I have an invitation code").click()
    await expect(page.get_by_text("in place of the present one")).to_be_visible()
    await page.get_by_label(LABEL).fill(code)
    await page.get_by_role("button", name=WITH_CODE).click()
    await expect(page.get_by_label(LABEL)).to_be_hidden()
    await stage(page, "You are in")
    assert office.call("GET", f"/v1/waiting-rooms/{room}/invite-batches/1")["used"] == 1
