"""Where buyers pay, set at the console of a server that was just started: tried, wrong, saved, in
the live mode, and taken away.
"""

import os
from pathlib import Path

from playwright.async_api import expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.first_day import empty_server, press
from tests.browser.screens import PHONE, resize
from tests.browser.test_console_pages import TOO_WIDE
from tests.services.stripe_accounts import StripeAccounts

KEY, LIVE = "sk_test_51Lantern7xQ2", "sk_live_51Lantern5vW8"
_AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
    "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


async def test_a_merchant_sets_where_buyers_pay(open_page: OpenPage, tmp_path: Path) -> None:
    stripe = StripeAccounts()
    await stripe.start()
    for key in (KEY, LIVE):
        await stripe.make_key(key, "acct_1Lantern")
    with empty_server(tmp_path, BESPEAK_STRIPE_API_BASE=stripe.url) as link:
        link = link.replace("127.0.0.1", "localhost")  # passkeys are for names
        page = await open_page(base_url=link.partition("/console")[0])
        devices = await page.context.new_cdp_session(page)
        await devices.send("WebAuthn.enable", {"enableUI": False})
        await devices.send("WebAuthn.addVirtualAuthenticator", {"options": _AUTHENTICATOR})
        await page.goto(link)
        await press(page, "Add a passkey")
        await expect(page.get_by_role("heading", name="Today", level=1)).to_be_visible()
        await page.get_by_role("link", name="Payments", exact=True).first.click()
        await expect(page.get_by_text("nobody can pay online yet")).to_be_visible()
        await expect(page.get_by_label("Address for Stripe")).to_contain_text(
            "/v1/payments/stripe/callback"
        )
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
        await expect(page.get_by_text("Saved. Buyers pay there within seconds.")).to_be_visible()
        await expect(page.get_by_text("…7xQ2")).to_be_visible()
        await expect(key).to_have_value("")
        await expect(secret).to_have_value("")
        kept = "() => JSON.stringify([{...localStorage}, {...sessionStorage}])"
        told = await page.evaluate(kept) + await page.content()
        assert KEY not in told and "whsec_lantern" not in told
        await check_accessible(page)
        await _picture(page, "set")
        await press(page, "Try the key")
        await expect(works).to_be_visible()
        # Live after test: the account before stays for what was paid there.
        await key.fill(LIVE)
        await secret.fill("whsec_live")
        await press(page, "Try what was typed")
        await expect(page.get_by_text("another account or mode")).to_be_visible()
        await press(page, "Save")
        await expect(page.get_by_role("heading", name="Earlier accounts")).to_be_visible()
        await expect(page.get_by_text("live, real money")).to_be_visible()
        await page.get_by_label("Language").first.select_option("ar")
        await resize(page, PHONE)
        await expect(page.get_by_role("heading", level=1)).to_have_text("المدفوعات")
        assert await page.evaluate(TOO_WIDE) <= 0
        await check_accessible(page)
        await _picture(page, "arabic")
        await page.get_by_label("اللغة").first.select_option("en")
        await press(page, "Take the account away")
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("button", name="Take the account away").click()
        await expect(page.get_by_text("nobody can pay online yet")).to_be_visible()
        await page.context.close()
    await stripe.stop()


async def _picture(page: object, name: str) -> None:
    folder = os.environ.get("ST_PICTURES")
    if folder:
        await page.screenshot(path=f"{folder}/{name}.png", full_page=True)  # type: ignore[attr-defined]
