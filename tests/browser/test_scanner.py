"""The scanner at a door: a key that opens nothing else, tickets by camera and by hand scanner, and
an evening on which the network goes away.
"""

import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
import segno
from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import buy, enter_key, fresh_show, items
from tests.browser.until import until_equal

SIZE = 640  # of the camera's picture, in pixels each way


def door_key(office: Office) -> str:
    asked = {"kind": "restricted", "name": "north door", "scopes": ["check_in"]}
    return str(office.call("POST", "/v1/keys", asked)["key"])


def codes_of(office: Office, show: str, *units: str) -> list[str]:
    booking = buy(office, show, units)
    tickets = items(office.call("GET", f"/v1/bookings/{booking}/tickets", key="sk"))
    return [str(ticket["code"]) for ticket in tickets]


def inside(office: Office, show: str) -> object:
    return office.call("GET", f"/v1/resources/{show}/check-ins", key="sk")["count"]


def write_picture(file: Path, code: str) -> None:
    """A film of one picture: a ticket's QR code, as a camera sees it, in YUV4MPEG2."""
    rows = [bytes(row) for row in segno.make(code, error="m", micro=False).matrix_iter(border=4)]
    scale = SIZE // len(rows)
    side = scale * len(rows)
    white = b"\xeb"
    luma = bytearray()
    for row in rows:
        wide = b"".join((b"\x10" if dark else white) * scale for dark in row)
        luma += (wide + white * (SIZE - side)) * scale
    luma += white * (SIZE * (SIZE - side))
    frame = b"FRAME\n" + bytes(luma) + b"\x80" * (SIZE * SIZE // 2)
    head = f"YUV4MPEG2 W{SIZE} H{SIZE} F10:1 Ip A1:1 C420jpeg\n".encode()
    file.write_bytes(head + frame * 10)


async def at_the_gate(page: Page, office: Office, show: str, gate: str) -> None:
    """Logs in with a key for a door, chooses a show, and names the gate."""
    name = str(office.call("GET", f"/v1/resources/{show}", key="sk")["name"])
    await page.goto("/console")
    await enter_key(page, door_key(office))
    await page.get_by_label("Search").fill(name)
    await page.get_by_role("link", name=name).click()
    await expect(page.get_by_role("heading", name=name)).to_be_visible()
    await expect(page.get_by_text("0 in", exact=True)).to_be_visible()
    await page.get_by_label("Name of this gate").fill(gate)


async def scan(page: Page, code: str) -> None:
    """What a hand scanner does: it types, and presses Enter."""
    field = page.get_by_label("Code of a ticket")
    await field.fill(code)
    await field.press("Enter")
    await expect(field).to_have_value("")


@pytest_asyncio.fixture(loop_scope="session")
async def phone(open_page: OpenPage) -> AsyncIterator[Page]:
    yield await open_page(phone=True)


async def test_a_doors_key_opens_the_scanner_and_nothing_else(phone: Page, office: Office) -> None:
    show = fresh_show(office)
    await phone.goto("/console/bookings")
    await enter_key(phone, door_key(office))
    await expect(phone.get_by_role("heading", name="What do you scan tickets for?")).to_be_visible()
    await expect(phone.get_by_role("navigation")).to_have_count(0)
    await check_accessible(phone)
    await phone.goto(f"/console/scanner/{show}")
    await expect(phone.get_by_text("Ready to scan")).to_be_visible()
    await check_accessible(phone)


async def test_a_hand_scanner_lets_in_once(page: Page, office: Office) -> None:
    show, other = fresh_show(office), fresh_show(office)
    (code,) = codes_of(office, show, "A1")
    (elsewhere,) = codes_of(office, other, "A1")
    await at_the_gate(page, office, show, "North")
    verdict = page.get_by_role("alert")
    await scan(page, code)
    await expect(verdict).to_contain_text("Come in")
    await expect(verdict).to_contain_text("A1")
    await expect(page.get_by_text("1 in", exact=True)).to_be_visible()
    await check_accessible(page)
    await scan(page, code)
    await expect(verdict).to_contain_text("Used already")
    await expect(verdict).to_contain_text("at the gate North")
    await check_accessible(page)
    await scan(page, elsewhere)
    await expect(verdict).to_contain_text("For something else")
    await scan(page, f"{code[:-6]}AAAAAA")
    await expect(verdict).to_contain_text("Not one of our tickets")
    await expect(page.get_by_role("region", name="Before").get_by_role("listitem")).to_have_count(3)
    assert inside(office, show) == 1


async def test_the_camera_reads_a_ticket(phone: Page, office: Office, camera_file: Path) -> None:
    show = fresh_show(office)
    (code,) = codes_of(office, show, "B2")
    write_picture(camera_file, code)
    await at_the_gate(phone, office, show, f"gate {uuid.uuid4().hex[:4]}")
    await phone.get_by_role("button", name="Start the camera").click()
    await expect(phone.get_by_role("alert")).to_contain_text("Come in")
    assert inside(office, show) == 1
    # It is still in view, and counts once.
    await phone.wait_for_timeout(500)
    await expect(phone.get_by_role("alert")).to_contain_text("Come in")
    await phone.get_by_role("button", name="Stop the camera").click()
    await expect(phone.locator("video")).to_have_count(0)


async def test_without_network_the_gate_goes_on_also_over_a_reload_and_tells_later(
    phone: Page, office: Office
) -> None:
    page, verdict = phone, phone.get_by_role("alert")
    show = fresh_show(office)
    first, second, third, fourth = codes_of(office, show, "A1", "A2", "A3", "A4")
    await at_the_gate(page, office, show, "Meadow")
    await expect(page.get_by_text("also loads without a network")).to_be_visible()
    await scan(page, first)
    await expect(verdict).to_contain_text("Come in")
    await page.context.set_offline(True)
    # Another gate has let the second in, which this one does not hear of any more.
    scanned = {"code": second, "gate": "South", "resource_id": show}
    office.call("POST", "/v1/check-ins", scanned, key="sk")
    await scan(page, second)
    await expect(verdict).to_contain_text("Judged without the server")
    await expect(page.get_by_text("No network.")).to_be_visible()
    await page.reload()
    await expect(page.get_by_text("1 scan waits")).to_be_visible()
    for used in (first, second):
        await scan(page, used)
        await expect(verdict).to_contain_text("Used already")
    await scan(page, f"{third[:-6]}AAAAAA")
    await expect(verdict).to_contain_text("Not one of our tickets")
    await open_again(page, str(office.call("GET", f"/v1/resources/{show}", key="sk")["name"]))
    await scan(page, third)
    await expect(verdict).to_contain_text("Judged without the server")
    await expect(page.get_by_text("2 scans wait")).to_be_visible()
    await expect(page.get_by_text("No network.")).to_be_visible()
    await expect(page.get_by_text("as of")).to_be_visible()
    await check_accessible(page)
    assert inside(office, show) == 2
    await page.context.set_offline(False)
    await expect(page.get_by_text("scans wait")).to_have_count(0)
    await expect(page.get_by_text("No network.")).to_have_count(0)
    await expect(verdict).to_contain_text("which refuses it now")
    await expect(verdict).to_contain_text("at the gate South")
    assert inside(office, show) == 3
    await scan(page, fourth)
    await expect(page.get_by_text("4 in", exact=True)).to_be_visible()
    await log_out_for_good(page)


async def open_again(page: Page, name: str) -> None:
    """The phone threw the tab away: from the list of entrances back to the gate, offline."""
    await page.goto("/console/scanner")
    await expect(page.get_by_text("This device can scan for these entrances")).to_be_visible()
    await check_accessible(page)
    await page.get_by_role("link", name=name).click()
    await expect(page.get_by_role("heading", name=name)).to_be_visible()


async def log_out_for_good(page: Page) -> None:
    """After a logout nothing of four tickets is left, and without a network there is the login."""
    gate = page.url
    await is_kept(page, gates=1, tickets=4, right=True)
    await page.get_by_role("link", name="Entrances").click()
    await page.get_by_role("button", name="Log out").click()
    await expect(page.get_by_role("button", name="Log in", exact=True)).to_be_visible()
    await is_kept(page, gates=0, tickets=0, right=False)
    await page.context.set_offline(True)
    await page.goto(gate)
    await expect(page.get_by_role("button", name="Log in", exact=True)).to_be_visible()


async def is_kept(page: Page, **wanted: object) -> None:
    """Waits until the device keeps so much: it writes behind what the page shows."""
    await until_equal(lambda: kept(page), wanted)


async def kept(page: Page) -> object:
    """How much this device keeps for the time without a network."""
    return await page.evaluate(
        """() => new Promise((done, failed) => {
            const asked = indexedDB.open("bespeak-gates");
            asked.onerror = () => failed(asked.error);
            asked.onsuccess = () => {
                const stores = asked.result.transaction(["gates", "tickets"]);
                const [gates, tickets] = ["gates", "tickets"]
                    .map((name) => stores.objectStore(name).count());
                stores.oncomplete = () => {
                    asked.result.close();
                    const right = localStorage.getItem("bespeak.console.offline") !== null;
                    done({ gates: gates.result, tickets: tickets.result, right });
                };
            };
        })"""
    )
