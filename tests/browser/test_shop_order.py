"""An order where the law has words for it: what is told before it, the button, and the terms."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import cast

from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.operating import change_merchant, log_in
from tests.browser.shop import booked, hold, make_show
from tests.browser.test_shop_settings import nobody as nobody  # noqa: PLC0414

TERMS = {"texts": {"en": "## Scope\n\nWe sell tickets."}, "edition": "2026-11"}
PRICING = {
    "fees": [{"name": "Booking fee", "amount": 100}],
    "cancellation": {
        "free_until_seconds": 7 * 86_400,
        "tiers": [{"before_seconds": 86_400, "basis_points": 5000}],
    },
}


def coming_show(office: Office, **given: object) -> str:
    starts = datetime.now(UTC).replace(microsecond=0) + timedelta(days=30)
    return make_show(office, starts_at=starts.isoformat(), pricing=PRICING, **given)


def say(office: Office, **profile: object) -> None:
    """Says something of the merchant."""
    change_merchant(office, name="Lantern Hall", **profile)


async def choose_card(page: Page) -> None:
    await page.get_by_role("radio", name="Pays at once").check(force=True)


async def test_a_german_order_names_the_obligation_and_takes_consent(
    open_page: OpenPage, office: Office
) -> None:
    say(office, country="DE", terms=TERMS, privacy={"url": "https://lantern.example/privacy"})
    page = await open_page(locale="de-DE")
    show = coming_show(office)
    await page.goto(f"/shows/{show}?seats=A1")
    terms = page.get_by_role("region", name="Wenn Sie stornieren")
    await expect(terms).to_contain_text("volle Erstattung")
    await expect(terms).to_contain_text("50 % zurück")
    await expect(terms).to_contain_text("keine Erstattung")
    await page.get_by_role("button", name="Weiter").click()
    await page.wait_for_url("**/checkout/**")
    order = page.get_by_role("region", name="Ihre Bestellung")
    await expect(order).to_contain_text("Lantern Hall")
    await expect(order).to_contain_text("13,50")
    await expect(order).to_contain_text("12,50")  # the fee is kept
    await expect(order).to_contain_text("Widerrufsrecht")
    box = page.get_by_role("checkbox", name="Ich stimme den AGB zu.")
    await expect(box).not_to_be_checked()
    await check_accessible(page)
    button = page.get_by_role("button", name="Zahlungspflichtig bestellen")
    await page.locator("input[type=radio]").first.check(force=True)
    await button.click()
    await expect(page.get_by_text("Stimmen Sie den AGB zu, um zu bestellen.")).to_be_visible()
    await box.check()
    await button.click()
    await page.wait_for_url("**/bookings/bkg_*")
    booking_id = page.url.rsplit("/", 1)[1].split("?")[0]
    (consent,) = cast(
        "list[Json]", office.call("GET", f"/v1/bookings/{booking_id}/consents")["items"]
    )
    assert consent["edition"] == "2026-11"
    await expect(page.get_by_role("region", name="Wenn Sie stornieren")).to_contain_text("12,50")

    console = await open_page()
    await log_in(console, office, f"/console/bookings/{booking_id}")
    await expect(console.get_by_text("Accepted terms")).to_be_visible()
    await expect(console.get_by_role("link", name="version 2026-11")).to_be_visible()


async def test_elsewhere_a_sentence_is_enough_and_the_button_says_pay(
    open_page: OpenPage, office: Office
) -> None:
    say(office, country="US", terms=TERMS)
    page = await open_page()
    await hold(page, coming_show(office), "A1")
    await expect(page.get_by_text("By ordering you accept the terms.")).to_be_visible()
    await expect(page.get_by_role("checkbox", name="accept")).to_have_count(0)
    await choose_card(page)
    await page.get_by_role("button", name="Pay €").click()
    booking = await booked(page)
    assert office.call("GET", f"/v1/bookings/{booking['id']}/consents")["items"]


async def test_what_is_free_has_no_obligation_to_pay(open_page: OpenPage, office: Office) -> None:
    say(office, country="DE", terms=TERMS)
    page = await open_page()
    free = {"amount": 0, "currency": "EUR"}
    await hold(page, make_show(office, payment="none", price=free), "A1")
    await page.get_by_role("checkbox", name="I accept the terms.").check()
    await page.get_by_role("button", name="Book").click()
    await booked(page)


async def test_terms_that_changed_meanwhile_are_accepted_anew(
    open_page: OpenPage, office: Office
) -> None:
    say(office, country="DE", terms=TERMS)
    page = await open_page()
    await hold(page, coming_show(office), "A1")
    box = page.get_by_role("checkbox", name="I accept the terms.")
    await box.check()
    await choose_card(page)
    say(office, terms={"texts": {"en": "We sell more."}, "edition": "2026-12"})
    button = page.get_by_role("button", name="Order with obligation to pay")
    await button.click()
    await expect(page.get_by_text("The terms have to be accepted first.")).to_be_visible()
    await expect(box).not_to_be_checked()
    await box.check()
    await button.click()
    booking = await booked(page)
    path = f"/v1/bookings/{booking['id']}/consents"
    (consent,) = cast("list[Json]", office.call("GET", path)["items"])
    assert consent["edition"] == "2026-12"


async def test_no_refunds_are_said_as_clearly(open_page: OpenPage, office: Office) -> None:
    show = make_show(office, pricing={"cancellation": {"refundable": False}})
    page = await open_page()
    await page.goto(f"/shows/{show}")
    terms = page.get_by_role("region", name="If you cancel")
    await expect(terms).to_contain_text("At any time")
    await expect(terms).to_contain_text("no refund")
