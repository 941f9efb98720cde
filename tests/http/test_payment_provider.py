"""The payment provider that is set at the console: its keys sealed and told to nobody, tried with
what is wrong in a word, and set by nobody but whoever may say where the money goes.
"""

import asyncio
from collections.abc import AsyncIterator, MutableMapping
from typing import cast

import msgspec
import pytest
import pytest_asyncio
from stripe import AIOHTTPClient

from bespeak.payments.accounts.account import SetPaymentProvider
from bespeak.payments.providers.stripe import account
from tests.harness import database
from tests.http.api import SETTINGS, Api, Json, document, opened, problem
from tests.http.operating import LoggedIn, operator
from tests.http.workspaces import ACME, found_acme
from tests.services.stripe_accounts import StripeAccounts

AT = "/v1/payment-provider"
KEY, ROLLED, OTHER, LIVE = (
    "sk_test_51Lantern7xQ2", "rk_test_51Lantern9yR3", "sk_test_51Otter4vW8", "sk_live_51Lantern5",
)  # fmt: skip
WEBHOOK = "whsec_never-told-again"
PUBLISHABLE = "pk_test_51Lantern8uT1"
ACCOUNT, OTHER_ACCOUNT = "acct_1Lantern", "acct_2Otter"
BODY: Json = {"secret_key": KEY, "webhook_secret": WEBHOOK}
CALLS = [("GET", AT), ("PUT", AT), ("DELETE", AT), ("POST", f"{AT}/test")]
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stripe() -> AsyncIterator[StripeAccounts]:
    made = StripeAccounts()
    await made.start()
    yield made
    await made.stop()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def office(server: str, stripe: StripeAccounts) -> AsyncIterator[Api]:
    settings = msgspec.structs.replace(SETTINGS, stripe_api_base=stripe.url)
    async with (
        database.fresh_database(server) as url,
        database.session(url) as session,
        opened(settings, url, session) as made,
    ):
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def api(office: Api, stripe: StripeAccounts) -> Api:
    stripe.keys.clear()
    stripe.status = None
    for key, account_id in [(KEY, ACCOUNT), (ROLLED, ACCOUNT), (LIVE, ACCOUNT)]:
        await stripe.make_key(key, account_id)
    await stripe.make_key(OTHER, OTHER_ACCOUNT)
    await office.connection.execute("delete from bespeak.provider_account")
    office.service.engine.payments.accounts.forget()
    return office


async def found(api: Api) -> Json:
    return document(await api.ask("GET", AT, key="ak"), 200)


async def put(api: Api, **body: object) -> Json:
    return document(await api.ask("PUT", AT, body, key="ak"), 200)


async def trial(api: Api, key: str | None = None) -> Json:
    body: Json = {} if key is None else {"secret_key": key}
    return document(await api.ask("POST", f"{AT}/test", body, key="ak"), 200)


async def test_the_keys_are_told_to_nobody(
    api: Api, logged: list[MutableMapping[str, object]]
) -> None:
    before = await found(api)
    assert (before["decided_by"], before["account"]) == ("nobody", None)
    assert before["providers"] == ["desk"]
    assert str(before["callback_url"]).endswith("/v1/payments/stripe/callback")
    answer = await api.ask("PUT", AT, BODY, key="ak")
    made = document(answer, 200)
    shown = cast("Json", made["account"])
    assert made["decided_by"] == "console" and made["earlier"] == []
    assert (shown["account_id"], shown["mode"], shown["key_ends_with"]) == (ACCOUNT, "test", "7xQ2")
    assert shown["account_name"] == f"Lantern {ACCOUNT}" and shown["must_set_keys"] is False
    assert shown["publishable_key"] is None
    told = answer.text + (await api.ask("GET", AT, key="ak")).text
    told += (await api.ask("POST", f"{AT}/test", {}, key="ak")).text
    told += (await api.ask("GET", "/v1/audit-log?limit=100", key="ak")).text
    kept = str(await api.connection.fetch("select t::text from bespeak.provider_account t"))
    seal = await api.service.engine.payments.accounts.seal()
    (row,) = await api.service.engine.payments.accounts.kept()
    keys = seal.opened(row)
    shown_parts = "".join(map(repr, [logged, msgspec.convert(BODY, SetPaymentProvider), keys]))
    assert "set_payment_provider" in told and "try_payment_provider" in told
    for secret in (KEY, WEBHOOK):
        assert secret not in told + kept + shown_parts
        assert secret.encode().hex() not in kept
    assert keys == (KEY, WEBHOOK)


async def test_a_repeat_changes_nothing(api: Api) -> None:
    """The answer was lost, and it is set and taken away once more."""
    first = cast("Json", (await put(api, **BODY))["account"])
    again = await put(api, **BODY)
    assert cast("Json", again["account"])["name"] == first["name"] and again["earlier"] == []
    ends = [document(await api.ask("DELETE", AT, key="ak"), 200) for _ in range(2)]
    assert ends[0] == ends[1] and ends[0]["decided_by"] == "nobody"
    (earlier,) = cast("list[Json]", ends[0]["earlier"])
    assert earlier["name"] == first["name"] and earlier["ended_at"] is not None
    # Set again, it is the same account, and its signing secret is still there.
    back = await put(api, secret_key=ROLLED)
    shown = cast("Json", back["account"])
    assert (shown["name"], shown["key_ends_with"]) == (first["name"], ROLLED[-4:])


async def test_keys_are_set_for_the_version_of_their_account(api: Api) -> None:
    first = cast("Json", (await put(api, **BODY, version=0))["account"])
    stale = await api.ask("PUT", AT, {**BODY, "version": 0}, key="ak")
    problem(stale, "version_mismatch", version=first["version"])
    rolled = await put(api, secret_key=ROLLED, version=first["version"])
    now = cast("Json", rolled["account"])["version"]
    assert now != first["version"]
    await put(api, secret_key=OTHER, webhook_secret=WEBHOOK, version=now)
    # Of the account that is named, whether or not buyers pay there.
    renewal: Json = {"secret_key": KEY, "name": first["name"]}
    stale = await api.ask("PUT", AT, {**renewal, "version": first["version"]}, key="ak")
    problem(stale, "version_mismatch", version=now)
    (earlier,) = cast("list[Json]", (await put(api, **renewal, version=now))["earlier"])
    assert earlier["name"] == first["name"] and earlier["version"] != now


async def test_another_account_stands_beside_the_first(api: Api) -> None:
    await put(api, **BODY)
    refused = await api.ask("PUT", AT, {"secret_key": LIVE}, key="ak")
    problem(refused, "payment_provider_invalid", field="webhook_secret")
    live = await put(api, secret_key=LIVE, webhook_secret="whsec_live")
    (earlier,) = cast("list[Json]", live["earlier"])
    assert (cast("Json", live["account"])["mode"], earlier["mode"]) == ("live", "test")
    assert earlier["under_way"] == 0


async def shown_key(api: Api, **body: object) -> object:
    return cast("Json", (await put(api, **body))["account"])["publishable_key"]


async def test_the_publishable_key_stays_with_its_account(api: Api) -> None:
    assert await shown_key(api, **BODY, publishable_key=PUBLISHABLE) == PUBLISHABLE
    # It stays, as the signing secret does, where none is given.
    assert await shown_key(api, secret_key=ROLLED) == PUBLISHABLE
    assert await shown_key(api, secret_key=ROLLED, publishable_key=None) == PUBLISHABLE
    name = cast("Json", (await found(api))["account"])["name"]
    assert await shown_key(api, webhook_secret="whsec_other", name=name) == PUBLISHABLE
    assert await shown_key(api, publishable_key="pk_test_other", name=name) == "pk_test_other"
    # Alone it leaves the keys as they are.
    (kept,) = await api.service.engine.payments.accounts.kept(seconds=0.0)
    seal = await api.service.engine.payments.accounts.seal()
    assert seal.opened(kept) == (ROLLED, "whsec_other") and kept.key_ends_with == ROLLED[-4:]
    both: Json = {"publishable_key": PUBLISHABLE, "webhook_secret": WEBHOOK, "name": name}
    assert await shown_key(api, **both) == PUBLISHABLE
    # Another account begins without one, and the first has its own when it is set again.
    assert await shown_key(api, secret_key=OTHER, webhook_secret=WEBHOOK) is None
    assert await shown_key(api, secret_key=KEY) == PUBLISHABLE
    assert await shown_key(api, publishable_key="", name=name) is None
    assert await shown_key(api, secret_key=KEY) is None


async def test_what_is_no_publishable_key_is_told_to_nobody(
    api: Api, logged: list[MutableMapping[str, object]]
) -> None:
    """Who types the secret where the other belongs is told so, and nobody else hears of it."""
    secret, restricted = "sk_test_51MixedUp", "rk_live_51MixedUp"
    refused = [
        (secret, "has a secret"), (restricted, "has a secret"), ("whsec_51MixedUp", "has a secret"),
        ("pk_live_51MixedUp", "must begin with pk_test_"), ("pk_51MixedUp", "begins with pk_test_"),
        ("pk_test_51Mixed-Up", "begins with pk_test_"), ("51MixedUp", "begins with pk_test_"),
    ]  # fmt: skip
    await put(api, **BODY, publishable_key=PUBLISHABLE)
    name = cast("Json", (await found(api))["account"])["name"]
    told = ""
    for key, reason in refused:
        for others in (BODY, {"name": name}):
            answer = await api.ask("PUT", AT, {**others, "publishable_key": key}, key="ak")
            refusal = problem(answer, "payment_provider_invalid", field="publishable_key")
            assert str(refusal["detail"]).startswith("publishable_key") and reason in answer.text
            told += answer.text
    for key in ("x" * 301, "pk_test_a\r\nb"):
        answer = await api.ask("PUT", AT, {**BODY, "publishable_key": key}, key="ak")
        problem(answer, "invalid_request", field="publishable_key")
    answer = await api.ask("PUT", AT, {"publishable_key": PUBLISHABLE}, key="ak")
    problem(answer, "payment_provider_invalid", field="name")
    assert cast("Json", (await found(api))["account"])["publishable_key"] == PUBLISHABLE
    told += (await api.ask("GET", "/v1/audit-log?limit=100", key="ak")).text
    told += str(await api.connection.fetch("select t::text from bespeak.provider_account t"))
    assert "MixedUp" not in told + "".join(map(repr, logged))


async def session_form(api: Api) -> object:
    opened_ = await api.ask("POST", "/v1/box-office/session", {}, key=None)
    return document(opened_, 200)["payment_form"]


async def test_the_shop_learns_in_which_form_buyers_pay(api: Api) -> None:
    assert await session_form(api) is None
    account = cast("Json", (await put(api, **BODY))["account"])
    assert await session_form(api) is None  # pages of the merchant's own can pay, the shop's cannot
    form = {"provider": account["name"], "kind": "stripe", "publishable_key": PUBLISHABLE}
    await put(api, publishable_key=PUBLISHABLE, name=account["name"])
    assert await session_form(api) == form
    # Keys that cannot be opened take no money.
    await api.connection.execute("update bespeak.provider_account set secret_key = '\\x00'")
    api.service.engine.payments.accounts.forget()
    assert await session_form(api) is None
    await put(api, **BODY)
    assert await session_form(api) == form
    await api.ask("DELETE", AT, key="ak")
    assert await session_form(api) is None


async def test_a_trial_says_what_is_wrong(
    api: Api, stripe: StripeAccounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = await trial(api, KEY)
    assert good == {
        "fault": None, "mode": "test", "account_id": ACCOUNT,
        "account_name": f"Lantern {ACCOUNT}", "can_charge": True, "is_other_account": False,
    }  # fmt: skip
    assert (await found(api))["decided_by"] == "nobody"
    await put(api, **BODY)
    assert (await trial(api))["fault"] is None
    told = [(await trial(api, key))["is_other_account"] for key in (KEY, ROLLED, OTHER, LIVE)]
    assert told == [False, False, True, True]
    assert (await trial(api, "sk_test_nobodys"))["fault"] == "wrong_key"
    stripe.restricted.add(ROLLED)
    assert (await trial(api, ROLLED))["fault"] == "no_rights"
    stripe.status = 500
    assert (await trial(api))["fault"] == "away"
    stripe.status = None
    server = stripe.keys[KEY][1]
    server.faults.append(403)
    assert (await trial(api))["fault"] == "no_rights"  # it may not read payments

    async def slow(*_: object, **__: object) -> None:
        await asyncio.sleep(60)

    with monkeypatch.context() as patched:
        patched.setattr(AIOHTTPClient, "request_async", slow)
        patched.setattr(account, "SECONDS_MAX", 0.1)
        assert (await trial(api))["fault"] == "timeout"
    engine = api.service.engine
    accounts = engine.payments.accounts
    nowhere = msgspec.structs.replace(accounts.settings, stripe_api_base="http://127.0.0.1:1")
    monkeypatch.setattr(accounts, "settings", nowhere)
    assert (await trial(api, KEY))["fault"] == "unreachable"
    refused = await api.ask("PUT", AT, BODY, key="ak")
    problem(refused, "provider_unavailable")
    stripe.restricted.discard(ROLLED)


async def test_what_is_no_key_is_named_and_not_shown(api: Api, stripe: StripeAccounts) -> None:
    refused: list[tuple[Json, str]] = [
        ({}, "secret_key"),
        ({**BODY, "secret_key": "pk_test_51Lantern"}, "secret_key"),
        ({**BODY, "secret_key": "whsec_51Lantern"}, "secret_key"),
        ({**BODY, "secret_key": "sk_51Lantern"}, "secret_key"),
        ({**BODY, "secret_key": "sk_test_\u00e4"}, "secret_key"),
        ({**BODY, "webhook_secret": "sk_test_51Lantern"}, "webhook_secret"),
        ({"webhook_secret": WEBHOOK, "name": "stripe-1"}, "secret_key"),
        ({**BODY, "secret_key": "sk_test_nobodys"}, "secret_key"),
        ({"secret_key": KEY}, "webhook_secret"),
    ]
    for body, field in refused:
        answer = await api.ask("PUT", AT, body, key="ak")
        problem(answer, "payment_provider_invalid", field=field)
        assert "51Lantern" not in answer.text and "nobodys" not in answer.text
    bounded: list[tuple[Json, str]] = [
        ({"secret_key": ""}, "secret_key"),
        ({"secret_key": "x" * 301}, "secret_key"),
        ({"secret_key": "sk_test_a\r\nb"}, "secret_key"),
        ({"webhook_secret": "x" * 301}, "webhook_secret"),
        ({"name": "x" * 41}, "name"),
    ]
    for change, field in bounded:
        answer = await api.ask("PUT", AT, {**BODY, **change}, key="ak")
        problem(answer, "invalid_request", field=field)
    stripe.restricted.add(KEY)
    answer = await api.ask("PUT", AT, BODY, key="ak")
    stripe.restricted.discard(KEY)
    problem(answer, "payment_provider_invalid", field="secret_key")
    assert (await found(api))["decided_by"] == "nobody"


async def test_the_pages_learn_that_buyers_can_pay(api: Api) -> None:
    opened_ = await api.ask("POST", "/v1/console/session", {"key": api.keys["ak"]}, key=None)
    assert document(opened_, 200)["takes_payments"] is False
    await put(api, **BODY)
    opened_ = await api.ask("POST", "/v1/console/session", {"key": api.keys["ak"]}, key=None)
    assert document(opened_, 200)["takes_payments"] is True


async def test_who_may(api: Api) -> None:
    manager = await api.restricted("manage")
    for method, path in CALLS:
        problem(await api.ask(method, path, key=manager), "missing_scope")
        problem(await api.ask(method, path, key="sk"), "key_kind_wrong")
    await found_acme(api)
    for method, path in CALLS:
        problem(await api.ask(method, path, key=f"{ACME} ak"), "not_in_workspace")
    asha: LoggedIn = await operator(api)
    document(await asha.ask("GET", AT), 200)
    for method, path in CALLS[1:]:
        problem(await asha.ask(method, path, BODY if method == "PUT" else {}), "step_up_required")
