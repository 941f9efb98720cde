"""Where buyers pay, set at the console of a server that was just started: tried, wrong, saved, in
the live mode, and taken away.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.first_day import empty_server, press
from tests.browser.screens import PHONE, fits, resize
from tests.services.stripe_accounts import StripeAccounts

KEY, LIVE = "sk_test_51Lantern7xQ2", "sk_live_51Lantern5vW8"
ROLLED, PUBLISHABLE = "rk_test_51Lantern9yR3", "pk_test_51Lantern8uT1"
_AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
    "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


@pytest_asyncio.fixture(loop_scope="session")
async def stripe() -> AsyncIterator[StripeAccounts]:
    made = StripeAccounts()
    await made.start()
    for key in (KEY, LIVE, ROLLED):
        await made.make_key(key, "acct_1Lantern")
    yield made
    await made.stop()


async def test_a_merchant_sets_where_buyers_pay(
    open_page: OpenPage, tmp_path: Path, stripe: StripeAccounts
) -> None:
    with empty_server(tmp_path, BESPEAK_STRIPE_API_BASE=stripe.url) as told:
        link = told.replace("127.0.0.1", "localhost")  # passkeys are for names
        page = await open_page(base_url=link.partition("/console")[0])
        await become_owner_by_passkey(page, link)
        await page.get_by_role("link", name="Payments", exact=True).first.click()
        await try_and_save(page)
        await go_live(page)
        await on_a_phone_in_arabic(page)
        await take_away(page)
        await page.context.close()  # before its server goes


async def become_owner_by_passkey(page: Page, link: str) -> None:
    devices = await page.context.new_cdp_session(page)
    await devices.send("WebAuthn.enable", {"enableUI": False})
    await devices.send("WebAuthn.addVirtualAuthenticator", {"options": _AUTHENTICATOR})
    await page.goto(link)
    await press(page, "Add a passkey")
    await expect(page.get_by_role("heading", name="Today", level=1)).to_be_visible()


async def try_and_save(page: Page) -> None:
    await expect(page.get_by_text("nobody can pay online yet")).to_be_visible()
    address = page.get_by_label("Address for Stripe")
    await expect(address).to_contain_text("/v1/payments/stripe/callback")
    key, secret = page.get_by_label("Secret key"), page.get_by_label("Signing secret")
    await key.fill("sk_test_nobodys")
    await press(page, "Try what was typed")
    await expect(page.get_by_text("Stripe does not know this key")).to_be_visible()
    await check_accessible(page)
    await key.fill(KEY)
    await press(page, "Try what was typed")
    works = page.get_by_text("The key works: Lantern acct_1Lantern, test, no real money.")
    await expect(works).to_be_visible()
    await press(page, "Save")
    await expect(page.get_by_text("Type the signing secret of the webhook")).to_be_visible()
    await expect(key).to_have_value(KEY)
    await secret.fill("whsec_lantern")
    await press(page, "Save")
    await expect(page.get_by_text("Saved. Buyers pay there within seconds.").first).to_be_visible()
    await expect(page.get_by_text("…7xQ2")).to_be_visible()
    await expect(key).to_have_value("")
    await expect(secret).to_have_value("")
    kept = "() => JSON.stringify([{...localStorage}, {...sessionStorage}])"
    told = await page.evaluate(kept) + await page.content()
    assert KEY not in told and "whsec_lantern" not in told
    await check_accessible(page)
    await press(page, "Try the key")
    await expect(works).to_be_visible()


async def take_cards_in_the_shop(page: Page) -> None:
    """The publishable key is added to the account, without its secrets."""
    without = page.get_by_text("The shop's own pages take no cards yet")
    await expect(without).to_be_visible()
    publishable = page.get_by_label("Publishable key")
    await publishable.fill("pk_live_51Lantern")
    await press(page, "Save")
    await expect(
        page.get_by_text("This is not the publishable key of this account")
    ).to_be_visible()
    await check_accessible(page)
    await publishable.fill(PUBLISHABLE)
    await press(page, "Save")
    await expect(page.get_by_text("Buyers pay by card in the shop's own pages")).to_be_visible()
    await expect(without).to_have_count(0)
    await expect(page.get_by_role("code").filter(has_text=PUBLISHABLE)).to_be_visible()
    await expect(publishable).to_have_value(PUBLISHABLE)


async def go_live(page: Page) -> None:
    """The account before stays, for what was paid there."""
    await page.get_by_label("Secret key").fill(LIVE)
    await page.get_by_label("Signing secret").fill("whsec_live")
    await press(page, "Try what was typed")
    await expect(page.get_by_text("another account or mode")).to_be_visible()
    await press(page, "Save")
    await expect(page.get_by_role("heading", name="Earlier accounts")).to_be_visible()
    await expect(page.get_by_text("live, real money")).to_be_visible()
    # What stood there was of the account before.
    await expect(page.get_by_text("The shop's own pages take no cards yet")).to_be_visible()


async def renew_the_one_before(page: Page) -> None:
    """A key that was rolled; buyers go on paying where they do."""
    earlier = page.get_by_role("region", name="acct_1Lantern")
    await earlier.get_by_text("Another key for").click()
    key, replace = earlier.get_by_label("Secret key"), "Replace the key"
    await key.fill("sk_test_nobodys")
    await press(page, replace)
    await expect(earlier.get_by_text("This is no key that Stripe takes")).to_be_visible()
    await check_accessible(page)
    await key.fill(ROLLED)
    await press(page, replace)
    await expect(earlier.get_by_text("…9yR3")).to_be_visible()
    await expect(page.get_by_text("live, real money")).to_be_visible()


async def on_a_phone_in_arabic(page: Page) -> None:
    await page.get_by_label("Language").first.select_option("ar")
    await resize(page, PHONE)
    await expect(page.get_by_role("heading", level=1)).to_have_text("المدفوعات")
    await fits(page, PHONE)
    await check_accessible(page)


async def take_away(page: Page) -> None:
    await press(page, "إزالة الحساب")
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="إزالة الحساب", exact=True).click()
    await expect(page.get_by_text("لم يُضبط حساب")).to_be_visible()
