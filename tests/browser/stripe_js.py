"""What a buyer's browser meets of Stripe: its script, the frames that it puts into the page, the
few calls that it makes, and the page of a bank. The script is the tests' own; its tokens are known
to the tests' own Stripe of the account whose publishable key the page has.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs

import httpx
from playwright.async_api import BrowserContext, Page, Route

from tests.conformance.stripe_door import event, signature
from tests.services.stripe_server import StripeServer

GOOD, DECLINED, ASKED, REFUSED, UNTAKEN, FORGOTTEN = (
    "4242424242424242", "4000000000000002", "4000002500003155", "4000000000000101",
    "4000000000000119", "4000000000000127",
)  # fmt: skip
_METHODS: Final = {
    GOOD: "pm_card_visa",
    DECLINED: "pm_card_chargeDeclined",
    ASKED: "pm_card_authenticationRequired",
}
_SCRIPT: Final = Path(__file__).with_suffix(".js")
_FIELDS: Final = """<!doctype html><html><head><meta charset="utf-8"><title>Card</title></head>
<body style="margin:0;background:transparent"><label for="n"></label>
<input id="n" inputmode="numeric" style="display:block;width:90%;padding:8px;margin-top:4px">
<p role="alert" style="margin:4px 0"></p><script>
const field = document.querySelector("input"), wrong = document.querySelector("p");
field.addEventListener("input", () => parent.postMessage({ number: field.value }, "*"));
addEventListener("message", ({ data }) => {
  if (data.focus) field.focus();
  if ("wrong" in data) wrong.textContent = data.wrong;
  if (!data.label) return;
  document.querySelector("label").textContent = data.label;
  document.documentElement.lang = data.language;
  document.documentElement.dir = data.language === "ar" ? "rtl" : "ltr";
  const { colorText, colorBackground, colorDanger, fontFamily } = data.variables;
  document.body.style.color = colorText;
  document.body.style.fontFamily = fontFamily;
  Object.assign(field.style, { background: colorBackground, color: colorText });
  wrong.style.color = colorDanger;
});
parent.postMessage({ isReady: true }, "*");
</script></body></html>"""
_UNKNOWN_KEY: Final = """<!doctype html><html lang="en"><head><title>Card</title></head><body>
<script>
const refused = { type: "invalid_request_error", message: "Invalid API Key provided: pk_test_*" };
parent.postMessage({ refused }, "*");
</script></body></html>"""
_ASKS: Final = """<!doctype html><html lang="en"><head><title>Bank</title></head><body>
<button>Approve</button><button>Decline</button><script>
for (const one of document.querySelectorAll("button"))
  one.onclick = () => parent.postMessage({ approve: one.textContent === "Approve" }, "*");
</script></body></html>"""
_BANK: Final = """<!doctype html><html lang="en"><head><title>Bank</title></head><body>
<a href="?approve=true">Approve</a><a href="?approve=false">Decline</a></body></html>"""
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Account:
    """An account with the tests' Stripe, and what calls back for it."""

    publishable_key: str
    server: StripeServer
    webhook_secret: str

    def captured(self) -> list[int]:
        """What was taken there, each payment once."""
        intents = self.server.intents.values()
        return [int(one["amount_received"]) for one in intents if one["status"] == "succeeded"]


class StripeJs:
    """Stripe, for the pages of a context. `blocked`: its script is not to be had; `knows_key`: it
    takes the shop's key; `tokens` are the forms of the tokens that were made. Script and tokens
    come while `may_load` and `may_make` are set."""

    def __init__(self, office_url: str, *accounts: Account) -> None:
        self.blocked = False
        self.knows_key = True
        self.asked = 0
        self.may_load, self.may_make = asyncio.Event(), asyncio.Event()
        self.may_load.set()
        self.may_make.set()
        self.tokens: list[dict[str, str]] = []
        self._callback = f"{office_url}/v1/payments/stripe/callback"
        self._accounts = {one.publishable_key: one for one in accounts}

    async def install(self, context: BrowserContext) -> None:
        await context.route("https://js.stripe.com/**", self._script)
        await context.route("https://hooks.stripe.com/**", lambda route: _page(route, _ASKS))
        await context.route("https://hooks.stripe.example/**", self._bank)
        await context.route("https://api.stripe.com/**", self._api)

    async def _script(self, route: Route) -> None:
        self.asked += 1
        await self.may_load.wait()
        if self.blocked:
            await route.abort("internetdisconnected")
        elif route.request.url.endswith("/stripe.js"):
            await route.fulfill(body=_SCRIPT.read_text(), content_type="text/javascript")
        else:
            await _page(route, _FIELDS if self.knows_key else _UNKNOWN_KEY)

    async def _api(self, route: Route) -> None:
        given = parse_qs(route.request.post_data or "", keep_blank_values=True)
        form = {name: values[0] for name, values in given.items()}
        account = self._accounts[form["key"]]
        if route.request.url.endswith("/decide"):
            reference = form["client_secret"].partition("_secret_")[0]
            await self._decide(account, reference, approve=form["approve"] == "true")
            told = _intent_told(account.server.intents[reference]["status"])
        else:
            told = self._token(account, form)
            await self.may_make.wait()
        headers = {"access-control-allow-origin": "*"}
        await route.fulfill(body=json.dumps(told), content_type="application/json", headers=headers)

    def _token(self, account: Account, form: dict[str, str]) -> dict[str, object]:
        self.tokens.append(form)
        if form["number"] == UNTAKEN:
            # As for a key that is none: words for who writes programs.
            told = "No such confirmation token for acct_1Lantern"
            return {"error": {"type": "invalid_request_error", "message": told}}
        if form["number"] == FORGOTTEN:
            return {"id": "ctoken_of_long_ago", "object": "confirmation_token"}
        method = _METHODS.get(form["number"])
        if method is None:
            return {"error": {"type": "card_error", "message": "Your card is not supported."}}
        token = f"ctoken_{next(_numbers)}"
        account.server.tokens[token] = method
        return {"id": token, "object": "confirmation_token"}

    async def _bank(self, route: Route) -> None:
        address, _, answer = route.request.url.partition("?")
        if not answer:
            await _page(route, _BANK)
            return
        reference = address.rsplit("/", 1)[1]
        (account,) = [one for one in self._accounts.values() if reference in one.server.intents]
        await self._decide(account, reference, approve=answer == "approve=true")
        payment = account.server.intents[reference]["metadata"]["bespeak_payment_id"]
        (back,) = {
            str(form["return_url"])
            for _, _, form in account.server.requests
            if form.get("metadata", {}).get("bespeak_payment_id") == payment
        }
        await route.fulfill(status=302, headers={"location": back})

    async def _decide(self, account: Account, reference: str, *, approve: bool) -> None:
        """The buyer says it to their bank, and Stripe calls back."""
        account.server.decide(reference, approve=approve)
        intent = account.server.intents[reference]
        kind = "amount_capturable_updated" if approve else "payment_failed"
        body = event(f"payment_intent.{kind}", intent, f"evt_{next(_numbers)}")
        signed = signature(account.webhook_secret, body, datetime.now(UTC))
        async with httpx.AsyncClient() as client:
            answer = await client.post(
                self._callback, content=body, headers={"stripe-signature": signed}
            )
        assert answer.is_success, answer.text


def _intent_told(status: str) -> dict[str, object]:
    if status == "requires_capture":
        return {"paymentIntent": {"status": status}}
    return {"error": {"type": "invalid_request_error", "message": "You did not approve it."}}


async def _page(route: Route, body: str) -> None:
    await route.fulfill(body=body, content_type="text/html")


async def type_card(page: Page, number: str) -> None:
    """Types the number of a card into Stripe's frame, in whatever language it is."""
    await (
        page.frame_locator("iframe[title='Secure payment input frame']")
        .locator("input")
        .fill(number)
    )
