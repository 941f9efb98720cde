"""The mails at the console: a merchant writes in one, sees how it looks, and tries it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import cast

import pytest
from playwright.async_api import expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import idle, log_in
from tests.browser.screens import PHONE, fits, resize
from tests.browser.until import until_equal

PATH = "/console/mails"
CHANGED = "Somebody else has changed the same"


@pytest.fixture(autouse=True)
def ours(office: Office) -> Iterator[None]:
    """The office is everybody's: afterwards all texts are ours."""
    yield
    office.call("PUT", "/v1/mail-reminders", {"hours": []})
    for one in texts(office):
        office.call("DELETE", f"/v1/mail-texts/{one['kind']}/{one['language']}")


def texts(office: Office) -> list[dict[str, object]]:
    """Those of the merchant's own."""
    items = cast("list[dict[str, object]]", office.call("GET", "/v1/mail-texts")["items"])
    return [one for one in items if one["text"] is not None]


async def test_a_merchant_writes_a_mail_sees_it_and_tries_it(
    open_page: OpenPage, office: Office
) -> None:
    page = await open_page()
    await log_in(page, office, PATH)
    frame = page.frame_locator("iframe.mails-frame")
    await expect(frame.get_by_text("This is what you have booked.")).to_be_visible()
    await page.get_by_label("Subject").fill("See you at {title}")
    introduction = page.get_by_label("Introduction")
    await introduction.fill("Dear ")
    await page.get_by_role("button", name="Name", exact=True).click()
    await expect(introduction).to_have_value("Dear {name}")
    await expect(introduction).to_be_focused()
    await page.get_by_label("Closing").fill("<b>Yours</b>\n\nLantern Hall")
    await expect(frame.get_by_text("Dear Alex Smith")).to_be_visible()
    await expect(frame.get_by_text("<b>Yours</b>")).to_be_visible()
    await expect(page.get_by_text("See you at A Midsummer Night's Dream")).to_be_visible()
    # The styles that the mail has, though the page's policy lets no style attribute count.
    await expect(frame.locator("footer")).to_have_css("border-top-style", "solid")
    await check_accessible(page)
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("Saved. Mails have it within seconds.").first).to_be_visible()
    (own,) = texts(office)
    assert (own["kind"], own["language"]) == ("booking_confirmed", "en")
    await page.get_by_label("Your e-mail address").fill("me@lantern.example")
    await page.get_by_role("button", name="Send me a test").click()
    await expect(page.get_by_text("A test was sent to me@lantern.example").first).to_be_visible()
    await page.get_by_role("button", name="Back to our texts").click()
    await expect(page.get_by_label("Subject")).to_have_value("")
    assert texts(office) == []


async def test_a_placeholder_that_there_is_not_is_said_at_its_field(
    open_page: OpenPage, office: Office
) -> None:
    page = await open_page()
    await log_in(page, office, PATH)
    await page.get_by_label("Mail", exact=True).select_option("refunded")
    await page.get_by_label("Closing").fill("{link}")
    await expect(page.get_by_text("The preview waits")).to_be_visible()
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("There is no such placeholder: {link}")).to_be_visible()
    await check_accessible(page)
    assert texts(office) == []


@pytest.mark.parametrize(("language", "title"), [("ar", "الرسائل"), ("de", "E-Mails")])
async def test_on_a_phone_in_other_languages(
    open_page: OpenPage, office: Office, language: str, title: str
) -> None:
    page = await open_page()
    await log_in(page, office, PATH)
    await page.get_by_label("Language").first.select_option(language)
    await resize(page, PHONE)
    await expect(page.get_by_role("heading", level=1)).to_have_text(title)
    await expect(page.locator("iframe.mails-frame")).to_be_visible()
    await fits(page, PHONE)
    await check_accessible(page)


async def test_reminders_are_set(open_page: OpenPage, office: Office) -> None:
    page = await open_page()
    await log_in(page, office, PATH)
    await page.get_by_label("Hours before the begin, 1").fill("2")
    await page.get_by_label("Hours before the begin, 3").fill("48")
    await page.get_by_role("button", name="Save the reminders").click()
    await expect(page.get_by_text("Saved. Buyers are reminded then.").first).to_be_visible()
    assert office.call("GET", "/v1/mail-reminders")["hours"] == [48, 2]
    await expect(page.get_by_label("Hours before the begin, 1")).to_have_value("48")
    await check_accessible(page)


async def test_reminders_of_somebody_else_are_not_taken_back(
    open_page: OpenPage, office: Office
) -> None:
    page = await open_page()
    await log_in(page, office, PATH)
    await page.get_by_label("Hours before the begin, 1").fill("2")
    office.call("PUT", "/v1/mail-reminders", {"hours": [72]})
    await page.get_by_role("button", name="Save the reminders").click()
    await expect(page.get_by_text(CHANGED)).to_be_visible()
    assert office.call("GET", "/v1/mail-reminders")["hours"] == [72]
    await page.get_by_role("button", name="Load theirs").click()
    await expect(page.get_by_label("Hours before the begin, 1")).to_have_value("72")
    await expect(page.get_by_text(CHANGED)).to_have_count(0)


async def test_texts_of_somebody_else_are_not_taken_back(
    open_page: OpenPage, office: Office
) -> None:
    """What they changed of another field stays beside ours; where both changed the same, that is
    told: saved again ours stands, or theirs are loaded."""
    at = "/v1/mail-texts/booking_confirmed/en"
    page = await open_page()
    await log_in(page, office, PATH)
    save = page.get_by_role("button", name="Save", exact=True)
    subject, closing = page.get_by_label("Subject"), page.get_by_label("Closing")
    await subject.fill("Mine")
    office.call("PUT", at, {"closing": "Theirs"})
    await save.click()
    await expect(page.get_by_text("Saved. Mails have it within seconds.").first).to_be_visible()
    await expect(closing).to_have_value("Theirs")
    await subject.fill("Mine again")
    office.call("PUT", at, {"subject": "Theirs", "closing": "Theirs"})
    await save.click()
    await expect(page.get_by_text(CHANGED)).to_be_visible()
    await check_accessible(page)
    assert (await said(office))["subject"] == "Theirs"
    await save.click()
    await expect(page.get_by_text(CHANGED)).to_have_count(0)
    ours = {"subject": "Mine again", "introduction": "", "closing": "Theirs"}
    await until_equal(partial(said, office), ours)
    await idle(save)
    await closing.fill("Mine")
    office.call("PUT", at, {"closing": "Theirs anew"})
    await save.click()
    await page.get_by_role("button", name="Load theirs").click()
    await expect(closing).to_have_value("Theirs anew")
    await expect(subject).to_have_value("")
    assert (await said(office))["closing"] == "Theirs anew"


async def said(office: Office) -> dict[str, object]:
    (own,) = texts(office)
    return cast("dict[str, object]", own["text"])


NOTICES = {
    "waitlist_joined": "You wait for A Midsummer Night's Dream, for 2.",
    "waitlist_offered": "we hold it for you until",
    "waitlist_over": "The waitlist has ended.",
    "turn_near": "When you are called you have 2 minutes to come in",
}


@pytest.mark.parametrize(("kind", "ours"), NOTICES.items())
async def test_a_merchant_writes_to_who_waits(
    open_page: OpenPage, office: Office, kind: str, ours: str
) -> None:
    page = await open_page()
    await log_in(page, office, PATH)
    await page.get_by_label("Mail", exact=True).select_option(kind)
    frame = page.frame_locator("iframe.mails-frame")
    await expect(frame.get_by_text(ours)).to_be_visible()
    await expect(page.get_by_role("button", name="Booking code")).to_have_count(0)
    await page.get_by_label("Subject").fill("News of {title}")
    await page.get_by_label("Introduction").fill("Good that you <i>wait</i>.")
    await page.get_by_label("Closing").fill("Lantern Hall")
    await expect(frame.get_by_text("Good that you <i>wait</i>.")).to_be_visible()
    await expect(frame.get_by_text(ours)).to_be_visible()
    await expect(page.get_by_text("News of A Midsummer Night's Dream")).to_be_visible()
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("Saved. Mails have it within seconds.").first).to_be_visible()
    assert [one["kind"] for one in texts(office)] == [kind]
    await page.get_by_label("Your e-mail address").fill("me@lantern.example")
    await page.get_by_role("button", name="Send me a test").click()
    await expect(page.get_by_text("A test was sent to me@lantern.example").first).to_be_visible()
    await check_accessible(page)
    await resize(page, PHONE)
    await expect(frame.get_by_text(ours)).to_be_visible()
    await fits(page, PHONE)
    await page.get_by_role("button", name="Back to our texts").click()
    await expect(page.get_by_label("Subject")).to_have_value("")
    await expect(frame.get_by_text("Good that you")).to_have_count(0)
    assert texts(office) == []
