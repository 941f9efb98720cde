"""In which form buyers pay in the shop's pages: the session tells it, the policy of the page lets
it in, and what a page of before sends begins nothing.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import cast

import httpx
import msgspec
import pytest

from bespeak.inventory import resources
from bespeak.inventory.resources import Price
from bespeak.payments.accounts.account import KeptAccount, SetPaymentProvider, kept_accounts
from bespeak.payments.accounts.setting import end_account, set_account
from bespeak.payments.settlement import Settlement
from bespeak.settings import Settings
from tests.harness.database import Connection
from tests.harness.shows import new_show
from tests.http.api import SETTINGS, Api, Json, document, opened, problem
from tests.http.conftest import OpenApi
from tests.http.outage import Wire
from tests.http.refused_payments import paying
from tests.services.stripe_accounts import StripeAccounts

SESSION = "/v1/box-office/session"
KEY, OTHER = "sk_test_51Lantern", "sk_test_51Otter"
PUBLISHABLE, OTHER_PUBLISHABLE = "pk_test_51Lantern", "pk_test_51Otter"
SHOP = "https://shop.example/checkout"
POLICY, OPENER = "content-security-policy", "cross-origin-opener-policy"
KEYS: dict[str, object] = {"stripe_secret_key": KEY, "stripe_webhook_secret": "whsec_lantern"}


@pytest.fixture
async def stripe() -> AsyncIterator[StripeAccounts]:
    made = StripeAccounts()
    await made.start()
    await made.make_key(KEY, "acct_1Lantern")
    await made.make_key(OTHER, "acct_2Otter")
    yield made
    await made.stop()


@pytest.fixture
def settings(stripe: StripeAccounts) -> Settings:
    return msgspec.structs.replace(SETTINGS, stripe_api_base=stripe.url)


@pytest.fixture
async def api(settings: Settings, database_url: str, connection: Connection) -> AsyncIterator[Api]:
    async with opened(settings, database_url, connection) as made:
        yield made


async def set_keys(api: Api, key: str, publishable: str | None) -> None:
    wanted = SetPaymentProvider(
        secret_key=key, webhook_secret="whsec_of_its_own", publishable_key=publishable
    )
    await set_account(api.service.engine.payments.accounts, wanted)


def form_of(provider: str, publishable: str) -> Json:
    return {"provider": provider, "kind": "stripe", "publishable_key": publishable}


async def session(api: Api) -> Json:
    return document(await api.ask("POST", SESSION, {}, key=None), 200)


async def page(api: Api, path: str = "/") -> httpx.Headers:
    return (await api.ask("GET", path, key=None, Accept="text/html")).headers


async def test_the_policy_of_the_shop_follows_the_account(api: Api) -> None:
    before = await page(api)
    assert "stripe" not in before[POLICY] and before[OPENER] == "same-origin"
    await set_keys(api, KEY, None)
    assert (await page(api))[POLICY] == before[POLICY], "no form without a publishable key"
    await set_keys(api, KEY, PUBLISHABLE)
    for path in ("/", "/checkout/hold_1", "/waiting/wr_1a"):
        headers = await page(api, path)
        assert "https://js.stripe.com" in headers[POLICY]
        assert headers[OPENER] == "same-origin-allow-popups"
    for path in ("/console", "/docs", "/embed"):
        headers = await page(api, path)
        assert "stripe" not in headers[POLICY] and headers[OPENER] == "same-origin"
    await end_account(api.service.engine.payments.accounts)
    after = await page(api)
    assert [after[name] for name in (POLICY, OPENER, "permissions-policy")] == [
        before[name] for name in (POLICY, OPENER, "permissions-policy")
    ]


async def test_the_environment_has_its_form_too(open_api: OpenApi) -> None:
    settled: dict[str, object] = {**KEYS, "payment_providers": "desk,stripe"}
    without = await open_api(**settled)
    assert (await session(without))["payment_form"] is None
    assert "stripe" not in (await page(without))[POLICY]
    api = await open_api(**settled, stripe_publishable_key=PUBLISHABLE)
    assert (await session(api))["payment_form"] == form_of("stripe", PUBLISHABLE)
    assert "https://js.stripe.com" in (await page(api))[POLICY]
    both = {**settled, "payment_providers": "sandbox,stripe", "allow_pretend_money": True}
    mixed = await open_api(**both, stripe_publishable_key=PUBLISHABLE)
    form = cast("Json", (await session(mixed))["payment_form"])
    assert form["kind"] == "sandbox" and "stripe" not in (await page(mixed))[POLICY]


async def test_the_environment_wins_over_an_account_of_the_console(
    api: Api, open_api: OpenApi, stripe: StripeAccounts
) -> None:
    await set_keys(api, OTHER, OTHER_PUBLISHABLE)
    named = await open_api(
        **KEYS, payment_providers="stripe", stripe_publishable_key=PUBLISHABLE,
        stripe_api_base=stripe.url,
    )  # fmt: skip
    assert (await session(named))["payment_form"] == form_of("stripe", PUBLISHABLE)
    rests = await open_api(payment_providers="", stripe_api_base=stripe.url)
    assert (await session(rests))["payment_form"] is None


async def test_a_page_of_before_begins_nothing_at_another_account(
    api: Api, stripe: StripeAccounts, connection: Connection
) -> None:
    """A buyer fills in the form, and meanwhile the account is changed, or taken away."""
    await set_keys(api, KEY, PUBLISHABLE)
    form = cast("Json", (await session(api))["payment_form"])
    assert form == form_of("stripe-1", PUBLISHABLE)
    play = await resources.create(
        connection, new_show(payment="required", price=Price(1500, "EUR"))
    )
    hold = await api.hold(play, "A1")
    first, second = stripe.keys[KEY][1], stripe.keys[OTHER][1]
    first.tokens["ctoken_1"] = second.tokens["ctoken_2"] = "pm_card_visa"
    request = paying(hold, "ctoken_1", "order-1", provider=form["provider"], return_url=SHOP)
    await set_keys(api, OTHER, OTHER_PUBLISHABLE)
    problem(await api.send(request), "provider_unknown", providers=["stripe"])
    await end_account(api.service.engine.payments.accounts)
    problem(await api.send(request), "provider_unknown", providers=[])
    assert (first.intents, second.intents) == ({}, {})
    assert await connection.fetchval("select count(*) from bespeak.payment") == 0
    # The page asks for another session and shows the form of now, for the same hold.
    await set_keys(api, OTHER, None)
    form = cast("Json", (await session(api))["payment_form"])
    assert form == form_of("stripe-2", OTHER_PUBLISHABLE)
    again = paying(hold, "ctoken_2", "order-2", provider=form["provider"], return_url=SHOP)
    booked = document(await api.send(again), 201)
    assert cast("Json", booked["payment"])["provider"] == "stripe-2"
    assert (len(first.intents), len(second.intents)) == (0, 1)


async def test_a_form_of_another_account_than_the_secret_key_declines(
    api: Api, stripe: StripeAccounts, connection: Connection
) -> None:
    """Nobody can tell by the keys; Stripe does not know the token, and the hold can be paid."""
    await set_keys(api, KEY, OTHER_PUBLISHABLE)
    play = await resources.create(
        connection, new_show(payment="required", price=Price(1500, "EUR"))
    )
    hold = await api.hold(play, "A1")
    stripe.keys[OTHER][1].tokens["ctoken_2"] = "pm_card_visa"
    declined = await api.send(paying(hold, "ctoken_2", provider="stripe-1", return_url=SHOP))
    problem(declined, "payment_declined", failure="resource_missing")
    await set_keys(api, KEY, PUBLISHABLE)
    stripe.keys[KEY][1].tokens["ctoken_1"] = "pm_card_visa"
    good = paying(hold, "ctoken_1", provider="stripe-1", return_url=SHOP)
    document(await api.send(good), 201)


async def test_another_process_tells_the_form_within_seconds(
    api: Api, open_api: OpenApi, stripe: StripeAccounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await open_api(stripe_api_base=stripe.url)
    assert (await session(other))["payment_form"] is None
    await set_keys(api, KEY, PUBLISHABLE)
    for _ in range(3):
        assert "stripe" not in (await page(other))[POLICY], "it is in memory"
    soon = time.monotonic() + 2.1
    monkeypatch.setattr("bespeak.cache.time.monotonic", lambda: soon)
    assert "https://js.stripe.com" in (await page(other))[POLICY]
    assert (await session(other))["payment_form"] == form_of("stripe-1", PUBLISHABLE)


async def test_while_the_database_is_away_the_form_is_that_of_before(
    settings: Settings, wire: Wire, connection: Connection
) -> None:
    async with opened(settings, wire.url, connection) as api:
        await set_keys(api, KEY, PUBLISHABLE)
        form = (await session(api))["payment_form"]
        assert form == form_of("stripe-1", PUBLISHABLE)
        await wire.cut()
        api.service.engine.payments.accounts.forget()
        assert (await session(api))["payment_form"] == form
        assert "https://js.stripe.com" in (await page(api))[POLICY]
        await wire.mend()


async def test_no_page_waits_for_accounts_that_cannot_be_read(api: Api) -> None:
    await set_keys(api, KEY, PUBLISHABLE)
    form = (await session(api))["payment_form"]
    async with api.connection.transaction():
        await api.connection.execute("lock table bespeak.provider_account")
        api.service.engine.payments.accounts.forget()
        assert "https://js.stripe.com" in (await page(api))[POLICY]
        assert (await session(api))["payment_form"] == form


async def test_pages_that_do_not_wait_leave_the_reading_to_who_does(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One read for all, which none of those who give up ends; a purchase waits for it."""
    await set_keys(api, KEY, PUBLISHABLE)
    assert (await session(api))["payment_form"] == form_of("stripe-1", PUBLISHABLE)
    accounts = api.service.engine.payments.accounts
    ask = Settlement.takes_payments
    reads = asks = 0

    async def counted(connection: Connection) -> list[KeptAccount]:
        nonlocal reads
        reads += 1
        return await kept_accounts(connection)

    async def asked(payments: Settlement) -> bool:
        nonlocal asks
        asks += 1
        return await ask(payments)

    monkeypatch.setattr("bespeak.payments.accounts.known.kept_accounts", counted)
    monkeypatch.setattr(Settlement, "takes_payments", asked)
    async with api.connection.transaction():
        await api.connection.execute("lock table bespeak.provider_account")
        accounts.forget()
        purchase = asyncio.create_task(accounts.kept())
        gone = [asyncio.create_task(page(api)) for _ in range(5)]
        pages = [asyncio.create_task(page(api)) for _ in range(20)]
        async with asyncio.timeout(10):
            while asks < len(gone) + len(pages):  # noqa: ASYNC110
                await asyncio.sleep(0)
        for browser in gone:
            browser.cancel()
        assert all("https://js.stripe.com" in one[POLICY] for one in await asyncio.gather(*pages))
        assert not purchase.done()
    (kept,) = await purchase
    assert (kept.publishable_key, reads) == (PUBLISHABLE, 1)
    await set_keys(api, KEY, OTHER_PUBLISHABLE)
    assert (await session(api))["payment_form"] == form_of("stripe-1", OTHER_PUBLISHABLE)
