"""Buying by card in the shop's own pages: Stripe's form, its declines and challenges, its absence,
and an account that changes between the page and the payment. The script is the tests' own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Final, NamedTuple, cast

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.first_day import empty_office
from tests.browser.office import Json, Office
from tests.browser.shop import booked, choose, go_on, hold, make_show
from tests.browser.stripe_js import (
    ASKED,
    DECLINED,
    FORGOTTEN,
    GOOD,
    REFUSED,
    UNTAKEN,
    Account,
    StripeJs,
    type_card,
)
from tests.browser.test_console_pages import TOO_WIDE
from tests.browser.three_languages import LISTENS, ThreeLanguages
from tests.browser.until import until
from tests.services.stripe_accounts import StripeAccounts

KEYS: Final = ("sk_test_51Lantern7xQ2", "sk_test_52Otter4vW8")
PUBLISHABLE: Final = ("pk_test_51Lantern8uT1", "pk_test_52Otter3kM6")
CONNECTIONS = 24  # at once, so that each of two workers has some
STRIPES_OWN: Final = ("Secure payment input frame",)
TOLD = "window.stripeTold"
# A page that is loaded anew has been told nothing yet.
MOUNTED = f"{TOLD}?.mounted ?? []"


class Seller(NamedTuple):
    """A shop with an account at Stripe, and another account that it may change to."""

    office: Office
    accounts: tuple[Account, ...]

    async def pays_at(self, number: int) -> None:
        """From now on buyers pay at this account."""
        body: Json = {
            "secret_key": KEYS[number],
            "webhook_secret": self.accounts[number].webhook_secret,
            "publishable_key": PUBLISHABLE[number],
        }
        await self.set_account(body, PUBLISHABLE[number])

    async def _all_tell(self, publishable: str | None) -> bool:
        """Whether every worker knows it: each reads anew what is set, some seconds later."""
        async with httpx.AsyncClient(base_url=self.office.url) as client:
            asked = (client.post("/v1/box-office/session") for _ in range(CONNECTIONS))
            answers = await asyncio.gather(*asked)
        forms = [one.json()["payment_form"] for one in answers]
        return {form and form["publishable_key"] for form in forms} == {publishable}

    async def set_account(self, body: Json, publishable: str | None) -> None:
        """Sets it, and waits until all know of it. In a thread, because Stripe is in this one."""
        await asyncio.to_thread(self.office.call, "PUT", "/v1/payment-provider", body)
        await until(lambda: self._all_tell(publishable), "all workers know of the account")

    async def pays_nowhere(self) -> None:
        """From now on buyers pay at no account."""
        await asyncio.to_thread(self.office.call, "DELETE", "/v1/payment-provider")
        await until(lambda: self._all_tell(None), "all workers know that there is no account")

    def captured(self) -> list[list[int]]:
        """What was taken, at each account."""
        return [one.captured() for one in self.accounts]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shop(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Seller]:
    folder = tmp_path_factory.mktemp("cards")
    stripe = StripeAccounts()
    async with AsyncExitStack() as stack:
        await stripe.start()
        stack.push_async_callback(stripe.stop)
        office = stack.enter_context(empty_office(folder, BESPEAK_STRIPE_API_BASE=stripe.url))
        accounts = [
            Account(
                publishable, await stripe.make_key(key, f"acct_{key[-5:]}"), f"whsec_{key[-5:]}"
            )
            for key, publishable in zip(KEYS, PUBLISHABLE, strict=True)
        ]
        yield Seller(office, tuple(accounts))


@pytest_asyncio.fixture(loop_scope="session")
async def seller(shop: Seller) -> Seller:
    """The shop, where nothing was taken yet and buyers pay at the first account."""
    for account in shop.accounts:
        account.server.intents.clear()
        account.server.wants_script = False
    await shop.pays_at(0)
    return shop


async def visitor(open_page: OpenPage, seller: Seller, **options: object) -> tuple[Page, StripeJs]:
    """A page of the shop that nothing was opened in yet, and the Stripe that it meets."""
    page = await open_page(base_url=seller.office.url, **options)
    stripe = StripeJs(seller.office.url, *seller.accounts)
    await stripe.install(page.context)
    return page, stripe


async def buyer(open_page: OpenPage, seller: Seller, **options: object) -> tuple[Page, StripeJs]:
    """A page at the checkout with two seats held, and the Stripe that it meets."""
    page, stripe = await visitor(open_page, seller, **options)
    await hold(page, make_show(seller.office), "A1", "A2")
    return page, stripe


async def ready(page: Page) -> None:
    await expect(page.locator("[data-status=ready]")).to_be_visible()


async def pay(page: Page, number: str) -> None:
    await ready(page)
    await type_card(page, number)
    await page.get_by_role("button", name="Pay €25.00").click()


async def until_taken(seller: Seller, *wanted: list[int]) -> None:
    async def are() -> bool:
        return seller.captured() == list(wanted)

    await until(are, f"{wanted} is taken")


async def buy(page: Page, seller: Seller, *taken: list[int]) -> None:
    """Pays with a good card, and sees what was taken at each account."""
    await pay(page, GOOD)
    await booked(page)
    await until_taken(seller, *taken)


async def test_a_card_pays_once_though_the_button_is_pressed_twice(
    open_page: OpenPage, seller: Seller
) -> None:
    page, stripe = await buyer(open_page, seller)
    await ready(page)
    await check_accessible(page)
    assert await page.evaluate(f"{TOLD}.mounted") == [
        {"key": PUBLISHABLE[0], "locale": "en-GB", "amount": 2500}
    ]
    await page.get_by_label("Email").fill("asha@example.org")
    await page.get_by_label("Name").fill("Asha")
    await type_card(page, GOOD)
    await page.get_by_role("button", name="Pay €25.00").dblclick()
    booking = await booked(page)
    await until_taken(seller, [2500], [])
    (token,) = stripe.tokens
    assert (token["email"], token["name"]) == ("asha@example.org", "Asha")
    assert token["return_url"].startswith(f"{seller.office.url}/checkout/hold_")
    found = seller.office.call("GET", f"/v1/bookings/{booking['id']}")
    assert cast("Json", found["amount"])["amount"] == 2500


async def test_a_declined_card_and_then_another(open_page: OpenPage, seller: Seller) -> None:
    page, stripe = await buyer(open_page, seller)
    await pay(page, DECLINED)
    said = page.get_by_role("alert").filter(has_text="The bank declined this card.")
    await expect(said).to_be_focused()
    await check_accessible(page)
    await buy(page, seller, [2500], [])
    assert len(stripe.tokens) == 2
    assert len({one["return_url"] for one in stripe.tokens}) == 1


async def test_what_stripes_form_says_is_the_buyers_to_read(
    open_page: OpenPage, seller: Seller
) -> None:
    """Half a number, said beside it; and a card that Stripe does not take."""
    page, stripe = await buyer(open_page, seller)
    frame = page.frame_locator("iframe[title='Secure payment input frame']")
    await pay(page, "4242")
    await expect(frame.get_by_text("Your card number is incomplete.")).to_be_visible()
    await expect(frame.get_by_label("Card number")).to_be_focused()
    assert stripe.tokens == []
    await pay(page, REFUSED)
    await expect(page.get_by_text("Your card is not supported.")).to_be_visible()
    await check_accessible(page)
    await buy(page, seller, [2500], [])


async def test_what_is_not_the_cards_fault_is_not_told_as_the_banks_no(
    open_page: OpenPage, seller: Seller
) -> None:
    """Stripe's words for programmers are not shown; a token that is gone is typed anew."""
    page, _ = await buyer(open_page, seller)
    await pay(page, UNTAKEN)
    await expect(page.get_by_text("Stripe could not take your card just now.")).to_be_visible()
    await expect(page.get_by_text("confirmation token")).to_have_count(0)
    await pay(page, FORGOTTEN)
    await expect(page.get_by_text("Please enter your card once more.")).to_be_visible()
    await expect(page.get_by_text("The bank declined this card.")).to_have_count(0)
    await buy(page, seller, [2500], [])


async def test_who_presses_while_the_form_is_loading_is_told_and_brought_to_it(
    open_page: OpenPage, seller: Seller
) -> None:
    page, stripe = await visitor(open_page, seller)
    stripe.may_load.clear()
    await hold(page, make_show(seller.office), "A1", "A2")
    await page.get_by_role("button", name="Pay €25.00").click()
    loading = page.get_by_role("status").filter(has_text="The form for your card is loading")
    await expect(loading).to_be_focused()
    await check_accessible(page)
    stripe.may_load.set()
    frame = page.frame_locator("iframe[title='Secure payment input frame']")
    await expect(frame.get_by_label("Card number")).to_be_focused()
    await pay(page, GOOD)
    await booked(page)


async def test_who_goes_away_before_it_is_sent_pays_nothing(
    open_page: OpenPage, seller: Seller
) -> None:
    page, stripe = await buyer(open_page, seller)
    checkout = page.url
    stripe.may_make.clear()
    await pay(page, GOOD)

    async def is_asked() -> bool:
        return len(stripe.tokens) == 1

    async def is_made() -> bool:
        return len(cast("list[Json]", await page.evaluate(f"{TOLD}.tokens"))) == 1

    await until(is_asked, "a token is asked for")
    await page.go_back()
    await expect(page.get_by_role("heading", name="Checkout")).to_have_count(0)
    stripe.may_make.set()
    await until(is_made, "the token is made")
    await page.goto(checkout)
    await buy(page, seller, [2500], [])
    assert len(stripe.tokens) == 2


@pytest.mark.parametrize("answer", ["Approve", "Decline"])
async def test_a_bank_with_a_page_of_its_own(
    open_page: OpenPage, seller: Seller, answer: str
) -> None:
    page, _ = await buyer(open_page, seller)
    await pay(page, ASKED)
    await page.wait_for_url("https://hooks.stripe.example/**")
    await page.get_by_role("link", name=answer).click()
    if answer == "Decline":
        await expect(page.get_by_text("You did not approve the payment")).to_be_visible()
        await pay(page, GOOD)
    await booked(page)
    await until_taken(seller, [2500], [])


@pytest.mark.parametrize("answer", ["Approve", "Decline"])
async def test_a_bank_that_asks_in_our_page(
    open_page: OpenPage, seller: Seller, answer: str
) -> None:
    seller.accounts[0].server.wants_script = True
    page, _ = await buyer(open_page, seller)
    seen: list[str] = []
    page.on("framenavigated", lambda frame: seen.append(frame.url))
    await pay(page, ASKED)
    await expect(page.get_by_role("heading", name="Your bank asks you")).to_be_visible()
    bank = page.frame_locator("iframe[title='3D Secure']")
    await bank.get_by_role("button", name=answer).click()
    if answer == "Decline":
        await expect(page.get_by_text("You did not approve the payment")).to_be_visible()
        await pay(page, GOOD)
    await booked(page)
    await until_taken(seller, [2500], [])
    assert not [url for url in seen if "stripe_action" in url]


async def test_a_reload_while_the_bank_asks_in_our_page(
    open_page: OpenPage, seller: Seller
) -> None:
    """The account at which it began knows of it, though buyers pay at another one by now."""
    seller.accounts[0].server.wants_script = True
    page, _ = await buyer(open_page, seller)
    await pay(page, ASKED)
    await expect(page.get_by_role("heading", name="Your bank asks you")).to_be_visible()
    await seller.pays_at(1)
    await page.reload()
    await expect(page.get_by_role("heading", name="Your bank waits for you")).to_be_visible()
    await check_accessible(page)
    await page.get_by_role("button", name="Go to your bank").click()
    bank = page.frame_locator("iframe[title='3D Secure']")
    await bank.get_by_role("button", name="Approve").click()
    await booked(page)
    await until_taken(seller, [2500], [])


async def test_who_is_sent_to_the_checkout_to_be_asked_leaves_no_secret_in_the_address(
    open_page: OpenPage, seller: Seller
) -> None:
    seller.accounts[0].server.wants_script = True
    page, _ = await buyer(open_page, seller)
    await pay(page, ASKED)
    await expect(page.get_by_role("heading", name="Your bank asks you")).to_be_visible()
    (intent,) = seller.accounts[0].server.intents.values()
    payment, secret = intent["metadata"]["bespeak_payment_id"], intent["client_secret"]
    checkout = page.url
    await page.goto("/")
    await page.evaluate("sessionStorage.clear()")
    await page.goto(f"{checkout}?payment_id={payment}#stripe_action={secret}")
    await expect(page.get_by_role("heading", name="Your bank asks you")).to_be_visible()
    await expect(page).to_have_url(checkout)
    bank = page.frame_locator("iframe[title='3D Secure']")
    await bank.get_by_role("button", name="Approve").click()
    await booked(page)
    await until_taken(seller, [2500], [])


async def test_a_secret_leaves_the_address_also_where_the_hold_cannot_be_read(
    open_page: OpenPage, seller: Seller
) -> None:
    page, _ = await visitor(open_page, seller)
    nobodys = "/checkout/hold_00000000000000000000000000"
    await page.goto(f"{nobodys}#stripe_action=pi_1_secret_2")
    await expect(page.get_by_role("heading", name="There are no such seats")).to_be_visible()
    await expect(page).to_have_url(f"{seller.office.url}{nobodys}")


async def test_a_key_that_stripe_does_not_know_is_said_and_tried_again(
    open_page: OpenPage, seller: Seller
) -> None:
    page, stripe = await visitor(open_page, seller)
    stripe.knows_key = False
    await hold(page, make_show(seller.office), "A1", "A2")
    said = page.get_by_role("alert").filter(has_text="publishable key is wrong")
    await expect(said).to_contain_text("Nothing was charged.")
    await expect(page.get_by_text("could not be loaded")).to_have_count(0)
    await check_accessible(page)
    stripe.knows_key = True
    await said.get_by_role("button", name="Try again").click()
    await buy(page, seller, [2500], [])


async def test_a_script_that_is_blocked_is_said_and_asked_for_again(
    open_page: OpenPage, seller: Seller
) -> None:
    page, stripe = await visitor(open_page, seller)
    stripe.blocked = True
    await page.goto("/")
    await expect(page.get_by_role("heading", level=1)).to_be_attached()
    assert stripe.asked == 0  # nobody pays here
    await hold(page, make_show(seller.office), "A1", "A2")
    await expect(page.get_by_text("could not be loaded")).to_be_visible()
    await check_accessible(page)
    again = page.get_by_role("button", name="Try again")
    await page.get_by_role("button", name="Pay €25.00").click()
    await expect(again).to_be_focused()
    stripe.blocked = False
    await again.click()
    await buy(page, seller, [2500], [])


async def test_an_account_that_changes_between_the_page_and_the_payment(
    open_page: OpenPage, seller: Seller
) -> None:
    page, stripe = await buyer(open_page, seller)
    await ready(page)
    await seller.pays_at(1)
    await pay(page, GOOD)
    await expect(page.get_by_text("changed where its buyers pay")).to_be_visible()
    await check_accessible(page)
    await until_mounted(page, PUBLISHABLE[1])
    await ready(page)
    assert seller.captured() == [[], []]
    await buy(page, seller, [], [2500])
    assert [one["key"] for one in stripe.tokens] == list(PUBLISHABLE)


async def test_an_account_that_is_taken_away_before_the_payment(
    open_page: OpenPage, seller: Seller
) -> None:
    page, _ = await buyer(open_page, seller)
    await ready(page)
    await seller.pays_nowhere()
    await pay(page, GOOD)
    said = page.get_by_role("alert").filter(has_text="Nothing was charged.")
    await expect(said).to_contain_text("takes no payments here any more")
    await expect(said).to_be_focused()
    await check_accessible(page)
    await expect(page.get_by_role("button", name="Pay €25.00")).to_be_disabled()
    assert seller.captured() == [[], []]


async def test_a_session_from_before_stripe_was_set_is_asked_for_anew(
    chromium: Browser, seller: Seller
) -> None:
    """The page's policy is from before as well, which the browser says on its console."""
    await seller.pays_nowhere()
    context = await chromium.new_context(base_url=seller.office.url, locale="en-GB")
    try:
        await StripeJs(seller.office.url, *seller.accounts).install(context)
        page = await context.new_page()
        await choose(page, make_show(seller.office), "A1", "A2")
        await seller.pays_at(0)
        await go_on(page)
        await buy(page, seller, [2500], [])
    finally:
        await context.close()


async def test_a_page_from_before_stripe_was_set_is_loaded_anew(
    chromium: Browser, seller: Seller
) -> None:
    """Its policy bars Stripe's script, which the browser says on its console."""
    loads = 0

    async def as_before(route: Route) -> None:
        nonlocal loads
        if route.request.resource_type != "document":
            await route.continue_()
            return
        loads += 1
        answer = await route.fetch()
        headers = dict(answer.headers)
        if loads == 1:
            policy = headers["content-security-policy"]
            assert "https://js.stripe.com" in policy
            headers["content-security-policy"] = policy.replace("https://js.stripe.com", "")
        await route.fulfill(response=answer, headers=headers)

    context = await chromium.new_context(base_url=seller.office.url, locale="en-GB")
    try:
        await StripeJs(seller.office.url, *seller.accounts).install(context)
        page = await context.new_page()
        await page.route(f"{seller.office.url}/shows/**", as_before)
        await page.route(f"{seller.office.url}/checkout/**", as_before)
        await hold(page, make_show(seller.office), "A1", "A2")
        await buy(page, seller, [2500], [])
        assert loads == 2
    finally:
        await context.close()


async def until_mounted(page: Page, key: str) -> None:
    async def is_it() -> bool:
        mounted = cast("list[Json]", await page.evaluate(MOUNTED))
        return bool(mounted) and mounted[-1]["key"] == key

    await until(is_it, f"a form of {key}")


async def test_without_a_publishable_key_the_pages_take_no_cards(
    open_page: OpenPage, seller: Seller
) -> None:
    body: Json = {"publishable_key": "", "name": current(seller)}
    await seller.set_account(body, None)
    page, stripe = await buyer(open_page, seller)
    await expect(page.get_by_text("Payments are not set up on this page.")).to_be_visible()
    assert stripe.asked == 0


def current(seller: Seller) -> str:
    view = seller.office.call("GET", "/v1/payment-provider")
    return str(cast("Json", view["account"])["name"])


async def test_what_was_typed_stays_when_the_theme_or_the_session_is_another(
    open_page: OpenPage, seller: Seller
) -> None:
    page, _ = await buyer(open_page, seller)
    await ready(page)
    await type_card(page, GOOD)
    field = page.frame_locator("iframe[title='Secure payment input frame']").locator("input")
    light = await field.evaluate("(one) => getComputedStyle(one).backgroundColor")
    await page.get_by_role("button", name="Switch to dark").click()
    await expect(field).not_to_have_css("background-color", str(light))
    await expect(field).to_have_value(GOOD)
    await check_accessible(page)
    assert len(cast("list[Json]", await page.evaluate(f"{TOLD}.mounted"))) == 1
    await page.get_by_role("button", name="Pay €25.00").click()
    await booked(page)


async def test_on_a_phone_in_three_languages(open_page: OpenPage, seller: Seller) -> None:
    page, stripe = await buyer(open_page, seller, phone=True)
    await ready(page)
    assert await page.evaluate(TOO_WIDE) <= 0
    await check_accessible(page)
    state = await page.context.storage_state()
    window = await open_page(base_url=seller.office.url, storage_state=state, phone=True)
    await window.add_init_script(LISTENS)
    await stripe.install(window.context)
    languages = ThreeLanguages(window, {"Name"})
    languages.listen()

    async def then(window: Page, language: str) -> None:
        async def is_in_language() -> bool:
            mounted = await window.evaluate(MOUNTED)
            return bool(mounted) and str(mounted[-1]["locale"]).startswith(language)

        await until(is_in_language, f"a form in {language}")
        await ready(window)
        assert await window.evaluate(TOO_WIDE) <= 0
        await check_accessible(window)

    await languages.look(f"/checkout/{page.url.rsplit('/', 1)[1]}", STRIPES_OWN, then=then)
    assert languages.untranslated == []
