"""What an operator does: block a seat that the shop then shows as gone, read a booking's story,
cancel with the refund said first, let somebody in, call off, take lists away as files, make keys.
"""

import csv
import io
import json
import re
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import buy, fresh_show, items, log_in

SEATS = 32  # of a fresh show
# How long a crowd may take, as the server has it.
CROWD_MS_MAX = 300_000
CHOOSE = "(map, units) => map.select(units)"


async def choose(page: Page, *units: str) -> None:
    """Chooses seats on the map, as clicks on them do."""
    seats = page.locator("bespeak-seatmap")
    await seats.wait_for()
    await seats.evaluate(CHOOSE, list(units))


async def test_a_blocked_seat_is_gone_elsewhere_and_comes_back(
    open_page: OpenPage, office: Office
) -> None:
    show = fresh_show(office)
    page = await open_page()
    await log_in(page, office, f"/console/shows/{show}")
    watching = await open_page()
    await log_in(watching, office, f"/console/shows/{show}")
    blocked = watching.get_by_role("definition").nth(2)
    await expect(blocked).to_have_text("0")

    await choose(page, "A1", "A2")
    await page.get_by_role("button", name="Block 2 seats").click()
    dialog = page.get_by_role("dialog", name="Block 2 places?")
    await check_accessible(page)
    await expect(dialog.get_by_role("button", name="Block", exact=True)).to_be_disabled()
    await dialog.get_by_role("button", name="Broken seat").click()
    await dialog.get_by_role("button", name="Block", exact=True).click()
    await expect(page.get_by_text("2 places are blocked")).to_be_visible()
    await expect(blocked).to_have_text("2")  # live, in another window

    taken = office.call("GET", f"/v1/resources/{show}/availability", key="pk")["taken"]
    assert taken == {unit: {"state": "blocked"} for unit in ("A1", "A2")}
    held = office.send(
        "POST",
        "/v1/holds",
        {"owner": "late", "lines": [{"resource_id": show, "unit": "A1"}]},
        key="sk",
    )
    assert held.status_code == 409

    await choose(page, "A1")
    await page.get_by_role("button", name="Put 1 seat back on sale").click()
    await page.get_by_role("dialog").get_by_role("button", name="Put 1 seat back").click()
    await expect(blocked).to_have_text("1")
    await page.get_by_role("button", name="Lift").click()
    await page.get_by_role("dialog").get_by_role("button", name="Lift").click()
    await expect(blocked).to_have_text("0")
    await expect(page.get_by_text("Nothing is blocked.")).to_be_visible()


async def test_the_shop_shows_a_blocked_seat_live(open_page: OpenPage, office: Office) -> None:
    show = fresh_show(office)
    shop = await open_page(f"/shows/{show}")
    seats = shop.locator("bespeak-seatmap")
    await expect(seats).to_have_js_property("unitsFree", SEATS)
    page = await open_page()
    await log_in(page, office, f"/console/shows/{show}")
    await choose(page, "A1")
    await page.get_by_role("button", name="Block 1 seat").click()
    await page.get_by_label("Reason, for the record").fill("for the reviewer")
    await page.get_by_role("dialog").get_by_role("button", name="Block", exact=True).click()
    await expect(seats).to_have_js_property("unitsFree", SEATS - 1)
    blocks = items(office.call("GET", f"/v1/resources/{show}/blocks"))
    assert [one["reason"] for one in blocks] == ["for the reviewer"]
    office.call("DELETE", f"/v1/resources/{show}/blocks/{blocks[0]['id']}")
    await expect(seats).to_have_js_property("unitsFree", SEATS)


async def test_a_booking_is_found_and_tells_its_story(page: Page, office: Office) -> None:
    show = fresh_show(office)
    booking = buy(office, show, ["B1", "B2"])
    owner = str(office.call("GET", f"/v1/bookings/{booking}")["owner"])
    await log_in(page, office, "/console/bookings")
    await page.get_by_role("searchbox").fill(f"{owner}@example.com")
    await page.get_by_role("link", name=f"Ann {owner}").click()
    story = page.get_by_role("listitem")
    for happened in ("Places held", "Payment started", "Paid", "Booked"):
        await expect(story.filter(has_text=happened).first).to_be_visible()
    # Who did it: the shop's server, by the name of its key.
    await expect(story.filter(has_text=re.compile("Booked.*by .demo"))).to_be_visible()
    await expect(page.get_by_text("€22.00").first).to_be_visible()
    await expect(page.get_by_text(f"{owner}@example.com")).to_be_visible()


async def test_cancelling_says_the_refund_first_and_then_gives_it(
    page: Page, office: Office
) -> None:
    show = fresh_show(office)
    booking = buy(office, show, ["C1", "C2"])
    await log_in(page, office, f"/console/bookings/{booking}")
    await page.get_by_role("button", name="Cancel and refund").click()
    dialog = page.get_by_role("dialog", name="Cancel this booking?")
    await expect(
        dialog.get_by_role("radio", name=re.compile("By the terms: €20.00"))
    ).to_be_checked()
    await expect(dialog.get_by_text("Full amount: €22.00")).to_be_visible()
    await check_accessible(page)
    await dialog.get_by_role("checkbox", name="C2").uncheck()
    await dialog.get_by_role("button", name="Cancel, give back €10.00").click()
    await expect(page.get_by_text("€10.00 will be refunded")).to_be_visible()
    await expect(page.get_by_text("Refunded").first).to_be_visible()
    now = office.call("GET", f"/v1/bookings/{booking}")
    assert [line["cancelled_quantity"] for line in now["lines"]] == [1, 0]  # type: ignore[attr-defined]

    await page.get_by_role("button", name="Cancel and refund").click()
    await dialog.get_by_role("radio", name=re.compile("Full amount")).check()
    await dialog.get_by_role("button", name="Cancel, give back €11.00").click()
    await expect(page.get_by_text("€11.00 will be refunded")).to_be_visible()
    now = office.call("GET", f"/v1/bookings/{booking}")
    assert now["state"] == "cancelled"
    amounts = [refund["amount"]["amount"] for refund in now["refunds"]]  # type: ignore[attr-defined]
    assert sum(amounts) == 2100


async def test_a_ticket_lets_somebody_in_once(page: Page, office: Office) -> None:
    show = fresh_show(office)
    booking = buy(office, show, ["D1"])
    await log_in(page, office, f"/console/bookings/{booking}")
    await page.get_by_role("button", name="Check in").click()
    await page.get_by_role("dialog").get_by_role("button", name="Check in").click()
    await expect(page.get_by_text(re.compile("is checked in$"))).to_be_visible()
    await expect(page.get_by_role("button", name="Check in")).to_have_count(0)
    inside = office.call("GET", f"/v1/resources/{show}/check-ins")
    assert inside["count"] == 1


async def test_a_show_is_closed_opened_and_called_off(page: Page, office: Office) -> None:
    show = fresh_show(office)
    buy(office, show, ["A1", "A2"])
    buy(office, show, ["A3"])
    await log_in(page, office, f"/console/shows/{show}")
    for verb, state in (("Close the sale", "closed"), ("Open the sale", "open")):
        await page.get_by_role("button", name=verb).click()
        await page.get_by_role("dialog").get_by_role("button", name=verb).click()
        await expect(page.get_by_role("dialog")).to_be_hidden()
        assert office.call("GET", f"/v1/resources/{show}")["state"] == state
    for verb, published in (("Hide from guests", False), ("Publish", True)):
        await page.get_by_role("button", name=verb).click()
        await page.get_by_role("dialog").get_by_role("button", name=verb).click()
        await expect(page.get_by_role("dialog")).to_be_hidden()
        assert office.call("GET", f"/v1/resources/{show}")["published"] is published
        await expect(page.get_by_text("Not published")).to_have_count(0 if published else 1)
    await page.get_by_role("button", name="Call off").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Sold places that are cancelled: 3.")
    await expect(dialog).to_contain_text("€33.00")
    await check_accessible(page)
    await dialog.get_by_label("Reason").fill("A storm")
    await dialog.get_by_role("button", name="Call off").click()
    await page.get_by_role("button", name="Progress of calling off").click()
    await expect(page.get_by_role("dialog").get_by_text("2 / 2")).to_be_visible()
    await expect(page.get_by_role("dialog").get_by_text("2 · €33.00")).to_be_visible()
    await expect(page.get_by_role("button", name="Open the sale")).to_have_count(0)


async def test_lists_are_taken_away_as_files(page: Page, office: Office, tmp_path: Path) -> None:
    show = fresh_show(office)
    buy(office, show, ["B5"])
    await log_in(page, office, f"/console/bookings?resource={show}")
    await expect(page.get_by_role("link", name=re.compile("^Ann buyer"))).to_have_count(1)
    async with page.expect_download() as downloading:
        await page.get_by_role("link", name="CSV").click()
    file = tmp_path / "bookings.csv"
    await (await downloading.value).save_as(file)
    rows = list(csv.DictReader(io.StringIO(file.read_text("utf-8-sig"))))
    assert [row["resource id"] for row in rows] == [show]
    assert rows[0]["units"] == "B5"


async def test_keys_are_made_shown_once_and_revoked(page: Page, office: Office) -> None:
    name = f"till {uuid.uuid4().hex[:8]}"
    await log_in(page, office, "/console/keys")
    await page.get_by_role("button", name="Create a key").click()
    dialog = page.get_by_role("dialog", name="Create a key")
    await dialog.get_by_label("Name").fill(name)
    await dialog.get_by_role("radio", name=re.compile("Secret")).check()
    await dialog.get_by_role("button", name="Create a key").click()
    shown = page.get_by_role("dialog", name="The new key")
    text = await shown.get_by_label("The new key").last.inner_text()
    assert text.startswith("sk_")
    await check_accessible(page)
    await shown.get_by_role("button", name="I have stored it").click()
    await expect(page.get_by_text(text)).to_have_count(0)
    assert text not in await page.content()
    await page.get_by_role("button", name=f"Revoke {name}").click()
    await page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    await expect(page.get_by_text(f"“{name}” is revoked")).to_be_visible()
    known = {str(key["name"]): key for key in items(office.call("GET", "/v1/keys"))}
    assert known[name]["revoked_at"] is not None


async def test_a_webhook_endpoint_is_added_and_deleted(page: Page, office: Office) -> None:
    await log_in(page, office, "/console/work")
    await page.get_by_role("button", name="Add an endpoint").click()
    dialog = page.get_by_role("dialog", name="A new endpoint")
    await dialog.get_by_label("Address").fill("http://127.0.0.1:1/hook")
    await dialog.get_by_role("button", name="Add an endpoint").click()
    await expect(dialog.get_by_role("alert")).to_be_visible()  # no plain http
    await dialog.get_by_label("Address").fill("https://hooks.example.com/bespeak")
    await dialog.get_by_label("Name").fill("the till")
    await dialog.get_by_role("button", name="Add an endpoint").click()
    secret = page.get_by_role("dialog", name="The signing secret")
    await expect(secret).to_contain_text("whsec_")
    await secret.get_by_role("button", name="I have stored it").click()
    (made,) = items(office.call("GET", "/v1/webhook-endpoints"))
    await page.get_by_role("link", name="the till").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("the till")
    await check_accessible(page)
    await page.get_by_role("button", name="Delete").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Work")
    assert office.send("GET", f"/v1/webhook-endpoints/{made['id']}").status_code == 404


async def test_an_import_says_what_is_wrong_and_where(page: Page, office: Office) -> None:
    await log_in(page, office, "/console/import")
    chooser = page.get_by_label(re.compile("Choose a file"))
    await chooser.set_input_files(
        {"name": "broken.json", "mimeType": "application/json", "buffer": b'{\n "films": [}\n'}
    )
    await expect(page.get_by_text("Line 2, column 12")).to_be_visible()
    await check_accessible(page)
    await page.get_by_role("button", name="Choose another file").click()
    film = {
        "title": f"A Quiet Test {uuid.uuid4().hex[:6]}",
        "minutes": 95,
        "released": "2026-01-02",
    }
    wrong = json.dumps({"films": [film, {**film, "minutes": "long"}]}, indent=1)
    await chooser.set_input_files(
        {"name": "wrong.json", "mimeType": "application/json", "buffer": wrong.encode()}
    )
    await expect(page.get_by_text("films[1].minutes", exact=True)).to_be_visible()
    await page.get_by_role("button", name="Choose another file").click()
    good = json.dumps({"films": [film]}).encode()
    await chooser.set_input_files(
        {"name": "good.json", "mimeType": "application/json", "buffer": good}
    )
    await page.get_by_role("button", name="Import it").click()
    await expect(page.get_by_text("The import is done.")).to_be_visible()
    await check_accessible(page)


async def test_no_crowd_is_sent_to_a_show_whose_sale_ends_before_it_comes(
    page: Page, office: Office
) -> None:
    soon, later = (datetime.now(UTC) + timedelta(seconds=one) for one in (90, 150))
    rows = [{"name": f"{row}-", "seats": 50} for row in range(30)]
    plan = {"type": "seats", "sections": [{"name": "Stalls", "rows": rows}]}
    show = fresh_show(office, plan=plan, closes_at=soon.isoformat(), starts_at=later.isoformat())
    await log_in(page, office)
    shows = page.get_by_label("Show", exact=True)
    await expect(shows.get_by_role("option").first).to_be_attached()
    assert show not in await shows.evaluate("(list) => [...list.options].map((one) => one.value)")


async def test_a_crowd_finds_a_show_though_many_have_begun(page: Page, office: Office) -> None:
    begun = (datetime.now(UTC) - timedelta(minutes=1)).isoformat()
    for _ in range(31):  # one more than the console asks for
        fresh_show(office, rows=1, starts_at=begun, closes_at=begun)
    await log_in(page, office)
    shows = page.get_by_label("Show", exact=True)
    await expect(shows.get_by_role("option").first).to_be_attached()


async def test_a_crowd_is_let_loose_and_no_seat_is_sold_twice(page: Page, office: Office) -> None:
    await log_in(page, office)
    await page.get_by_role("button", name=re.compile("Send 1,000 buyers")).click()
    await expect(page.get_by_text(re.compile("^Running for"))).to_be_visible()
    await expect(page.get_by_text(re.compile("Finished after"))).to_be_visible(timeout=CROWD_MS_MAX)
    rush = office.call("GET", "/v1/demo/rush", key="pk")
    assert rush["error"] is None
    assert rush["double_sold"] == 0
    assert isinstance(rush["confirmed"], int)
    assert rush["confirmed"] > 0, rush
    await check_accessible(page)
