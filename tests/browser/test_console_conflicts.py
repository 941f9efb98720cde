"""Two at one form of the console: who saves later is told that somebody else has changed the same,
and saves again or loads theirs. So it is of the mail server, of the keys of the payment provider
and of a booking's answers; and of what one takes away while somebody else changes it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import cast

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.first_day import empty_office
from tests.browser.office import Json, Office
from tests.browser.operating import buy, fresh_show, log_in
from tests.browser.screens import PHONE, fits, resize
from tests.services.stripe_accounts import StripeAccounts

KEY, ROLLED, THEIRS = "sk_test_51Lantern7xQ2", "rk_test_51Lantern9yR3", "rk_test_51Lantern5vW8"
KEYS: Json = {"secret_key": KEY, "webhook_secret": "whsec_lantern"}
SERVER: Json = {
    "host": "mail.lantern.example",
    "port": 587,
    "encryption": "starttls",
    "sender": "Box office <box@lantern.example>",
}
CHANGED = "Somebody else has changed the same since you opened this."
TAKE_AWAY = "Do it again to take theirs away"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def office(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Office]:
    """An office of this file, whose mail server and payment provider are set by nobody else."""
    stripe = StripeAccounts()
    await stripe.start()
    for key in (KEY, ROLLED, THEIRS):
        await stripe.make_key(key, "acct_1Lantern")
    folder = tmp_path_factory.mktemp("conflicts")
    with empty_office(folder, BESPEAK_STRIPE_API_BASE=stripe.url) as made:
        yield made
    await stripe.stop()


async def call(office: Office, method: str, path: str, body: Json | None = None) -> Json:
    """As the other of the two. In a thread, because Stripe is in this one."""
    return await asyncio.to_thread(office.call, method, path, body)


async def press(within: Page | Locator, name: str) -> None:
    await within.get_by_role("button", name=name, exact=True).click()


async def is_told(page: Page) -> Locator:
    """The note, with the button that loads theirs."""
    note = page.get_by_role("alert").filter(has_text=CHANGED)
    await expect(note).to_be_visible()
    await check_accessible(page)
    return note


async def test_the_mail_server_that_another_has_set_is_not_lost(
    open_page: OpenPage, office: Office
) -> None:
    path, save = "/v1/mail-server", "Save the mail server"
    await call(office, "PUT", path, SERVER)
    page = await open_page()
    await log_in(page, office, "/console/mails")
    host = page.get_by_label("Server", exact=True)
    await host.fill("mine.lantern.example")
    sender = "Theirs <theirs@lantern.example>"
    theirs = {**SERVER, "host": "theirs.lantern.example", "sender": sender}
    await call(office, "PUT", path, theirs)
    await press(page, save)
    await is_told(page)
    assert (await call(office, "GET", path))["host"] == "theirs.lantern.example"
    await press(page, save)
    await expect(page.get_by_text("Saved. Mails leave by it").first).to_be_visible()
    saved = await call(office, "GET", path)
    assert (saved["host"], saved["sender"]) == ("mine.lantern.example", sender)

    # Not beside what the page reads after its save, which would be theirs.
    await page.reload()
    await expect(host).to_have_value("mine.lantern.example")
    await call(office, "PUT", path, SERVER)
    await host.fill("again.lantern.example")
    await press(page, save)
    note = await is_told(page)
    await resize(page, PHONE)
    await fits(page, PHONE)
    await press(note, "Load theirs")
    await expect(host).to_have_value(str(SERVER["host"]))
    assert (await call(office, "GET", path))["host"] == SERVER["host"]


async def test_a_mail_server_is_taken_away_as_it_was_seen(
    open_page: OpenPage, office: Office
) -> None:
    path, remove = "/v1/mail-server", "Remove the mail server"
    await call(office, "PUT", path, SERVER)
    page = await open_page()
    await log_in(page, office, "/console/mails")
    await press(page, remove)
    dialog = page.get_by_role("dialog", name=remove)
    await call(office, "PUT", path, {**SERVER, "host": "theirs.lantern.example"})
    await press(dialog, remove)
    note = await is_told(page)
    await expect(note).to_contain_text(TAKE_AWAY)
    await press(note, "Load theirs")
    await expect(dialog).to_be_hidden()
    host = page.get_by_label("Server", exact=True)
    await expect(host).to_have_value("theirs.lantern.example")

    await press(page, remove)
    await call(office, "PUT", path, SERVER)
    await press(dialog, remove)
    await is_told(page)
    await press(dialog, remove)
    await expect(page.get_by_text("Mails are written into a folder again").first).to_be_visible()
    assert (await call(office, "GET", path))["host"] is None


async def test_texts_of_a_mail_are_taken_away_as_they_were_seen(
    open_page: OpenPage, office: Office
) -> None:
    path, reset = "/v1/mail-texts/booking_confirmed/en", "Back to our texts"
    await call(office, "PUT", path, {"closing": "Mine"})
    page = await open_page()
    await log_in(page, office, "/console/mails")
    closing = page.get_by_label("Closing")
    await expect(closing).to_have_value("Mine")
    await call(office, "PUT", path, {"closing": "Theirs"})
    await press(page, reset)
    note = await is_told(page)
    await expect(note).to_contain_text(TAKE_AWAY)
    assert await _text(office) == "Theirs"
    await press(note, "Load theirs")
    await expect(closing).to_have_value("Theirs")

    await call(office, "PUT", path, {"closing": "Theirs again"})
    await closing.fill("Typed")
    await press(page, reset)
    await is_told(page)
    await press(page, "Save")
    await expect(await is_told(page)).to_contain_text("Save again")
    assert await _text(office) == "Theirs again"
    await press(page, reset)
    await expect(page.get_by_text("These are our texts again")).to_be_visible()
    await expect(closing).to_have_value("")
    assert await _text(office) is None


async def _text(office: Office) -> object:
    """The closing of the mail of a booking in English."""
    listed = cast("list[Json]", (await call(office, "GET", "/v1/mail-texts"))["items"])
    named = ("booking_confirmed", "en")
    (text,) = (one["text"] for one in listed if (one["kind"], one["language"]) == named)
    return cast("Json", text)["closing"] if text else None


async def test_keys_of_the_payment_provider_that_another_has_set_are_not_lost(
    open_page: OpenPage, office: Office
) -> None:
    path = "/v1/payment-provider"
    await call(office, "PUT", path, KEYS)
    page = await open_page()
    await log_in(page, office, "/console/payment-provider")
    key = page.get_by_label("Secret key")
    await key.fill(ROLLED)
    await call(office, "PUT", path, {"secret_key": THEIRS})
    await press(page, "Save")
    note = await is_told(page)
    assert await _key_ends_with(office) == THEIRS[-4:]
    await press(note, "Load theirs")
    await expect(page.get_by_text(f"…{THEIRS[-4:]}")).to_be_visible()
    await expect(key).to_have_value("")

    await key.fill(ROLLED)
    await call(office, "PUT", path, {"secret_key": KEY})
    await press(page, "Save")
    await is_told(page)
    await expect(key).to_have_value(ROLLED)
    await press(page, "Save")
    await expect(page.get_by_text(f"…{ROLLED[-4:]}")).to_be_visible()
    assert await _key_ends_with(office) == ROLLED[-4:]


async def _key_ends_with(office: Office) -> object:
    return cast("Json", (await call(office, "GET", "/v1/payment-provider"))["account"])[
        "key_ends_with"
    ]


async def test_answers_that_another_has_corrected_are_not_lost(
    open_page: OpenPage, office: Office
) -> None:
    asked = [{"id": one, "text": f"{one.title()}?"} for one in ("diet", "seat")]
    await call(office, "PUT", "/v1/payment-provider", KEYS)
    show = fresh_show(office, questions=asked, payment="at_venue")
    booking = buy(office, show, ["A1"])
    path = f"/v1/bookings/{booking}/answers"

    def said(**answers: str) -> Json:
        return {
            "answers": [
                {"resource_id": show, "question": question, "answer": answer}
                for question, answer in answers.items()
            ]
        }

    async def answers() -> Json:
        listed = cast("list[Json]", (await call(office, "GET", path))["answers"])
        return {str(one["question"]): one["answer"] for one in listed}

    page = await open_page()
    await log_in(page, office, f"/console/bookings/{booking}")
    await press(page, "Change answers")
    diet = page.get_by_label("Diet?")
    await diet.fill("Vegan")
    await call(office, "PUT", path, said(diet="None", seat="Aisle"))
    await press(page, "Save answers")
    await is_told(page)
    assert await answers() == {"diet": "None", "seat": "Aisle"}
    await press(page, "Save answers")
    await expect(page.get_by_text("The answers are saved.")).to_be_visible()
    assert await answers() == {"diet": "Vegan", "seat": "Aisle"}

    await press(page, "Change answers")
    await diet.fill("Halal")
    await call(office, "PUT", path, said(diet="Kosher"))
    await press(page, "Save answers")
    note = await is_told(page)
    await press(note, "Load theirs")
    await expect(diet).to_have_value("Kosher")
    assert await answers() == {"diet": "Kosher"}


async def test_an_account_is_taken_away_as_it_was_seen(open_page: OpenPage, office: Office) -> None:
    path, remove = "/v1/payment-provider", "Take the account away"
    await call(office, "PUT", path, KEYS)
    page = await open_page()
    await log_in(page, office, "/console/payment-provider")
    await press(page, remove)
    dialog = page.get_by_role("dialog", name=remove)
    await call(office, "PUT", path, {"secret_key": THEIRS})
    await press(dialog, remove)
    await expect(await is_told(page)).to_contain_text(TAKE_AWAY)
    assert await _key_ends_with(office) == THEIRS[-4:]
    await press(dialog, remove)
    await expect(page.get_by_text("Nobody can pay there any more").first).to_be_visible()
    assert (await call(office, "GET", path))["account"] is None
