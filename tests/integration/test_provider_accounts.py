"""Accounts with Stripe that are set while the engine runs: where a payment begins, and that it
ends, is refunded and compared at the account that has its money, whatever was set since and whoever
died.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

import bespeak
from bespeak import Hold
from bespeak.cli.providers import with_providers
from bespeak.errors import InvalidSetting
from bespeak.payments.accounts.account import QUERIES, SetPaymentProvider
from bespeak.payments.accounts.keeper import AccountKeeper
from bespeak.payments.accounts.known import ProviderAccounts
from bespeak.payments.accounts.setting import end_account, set_account
from bespeak.payments.callbacks import Received, receive
from bespeak.payments.errors import (
    PaymentProviderFixed,
    PaymentProviderInUse,
    PaymentProviderInvalid,
    ProviderUnknown,
)
from bespeak.payments.forms import payment_form
from bespeak.payments.payment import Paid
from bespeak.payments.providers.provider import CallbackInvalid, ProviderUnavailable
from bespeak.payments.reconciliation.lost import lost_payments
from bespeak.payments.reconciliation.report import reconcile
from bespeak.payments.recovery import Recovery
from tests.conformance.stripe_door import event, signature
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.paying import PAID, PRICE, paid_show, take_seats
from tests.harness.refunding import refund_all
from tests.harness.settling import drain, until
from tests.harness.shows import MakeShow
from tests.services.stripe_accounts import StripeAccounts
from tests.services.stripe_server import StripeServer

pytestmark = pytest.mark.usefixtures("money_agrees")

SHOP = "https://shop.example/thanks"
KEY, ROLLED, OTHER, LIVE = "sk_test_one", "rk_test_one2", "sk_test_two1", "sk_live_one1"
WEBHOOK, WEBHOOK_2 = "whsec_first", "whsec_second"
ONE, TWO = "acct_1Lantern", "acct_2Otter"
SECRET = "a signing secret of the tests, long enough"


@pytest.fixture
async def stripe() -> AsyncIterator[StripeAccounts]:
    made = StripeAccounts()
    await made.start()
    await made.make_key(KEY, ONE)
    yield made
    await made.stop()


def settings_of(stripe: StripeAccounts, **changed: object) -> bespeak.Settings:
    told = {"payment_providers": "desk", "allow_pretend_money": False, **changed}
    return msgspec.structs.replace(PAID, stripe_api_base=stripe.url, **told)


@pytest.fixture
async def engine(database_url: str, stripe: StripeAccounts) -> AsyncIterator[bespeak.Engine]:
    async with bespeak.connect(database_url, settings=settings_of(stripe), sweep=False) as made:
        yield made


@pytest.fixture
async def other_process(database_url: str, stripe: StripeAccounts) -> AsyncIterator[bespeak.Engine]:
    async with bespeak.connect(database_url, settings=settings_of(stripe), sweep=False) as made:
        yield made


async def set_keys(
    engine: bespeak.Engine, key: str | None, webhook: str | None = None, name: str | None = None
) -> None:
    wanted = SetPaymentProvider(secret_key=key, webhook_secret=webhook, name=name)
    await set_account(engine.payments.accounts, wanted)


async def pay(
    engine: bespeak.Engine, hold: Hold, provider: str | None = None, key: str | None = None
) -> Paid:
    return await engine.payments.pay(
        hold.id, token="pm_card_visa", return_url=SHOP, provider=provider, idempotency_key=key
    )


async def bought(engine: bespeak.Engine, hold: Hold) -> Paid:
    paid = await pay(engine, hold)
    assert paid.payment is not None and paid.booking is not None
    await until(engine, paid.payment.id, "captured")
    return paid


def taken(server: StripeServer) -> list[str]:
    return [str(one["status"]) for one in server.intents.values()]


async def test_it_is_set_and_another_process_takes_money_by_it(
    engine: bespeak.Engine, other_process: bespeak.Engine, stripe: StripeAccounts,
    make_show: MakeShow, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    with pytest.raises(ProviderUnknown):
        await pay(other_process, hold)
    await set_keys(engine, KEY, WEBHOOK)
    soon = time.monotonic() + 2.1
    with monkeypatch.context() as patched:
        patched.setattr("bespeak.cache.time.monotonic", lambda: soon)
        assert await other_process.payments.takes_payments()
    paid = await bought(other_process, hold)
    assert paid.payment is not None and paid.payment.provider == "stripe-1"
    assert taken(stripe.keys[KEY][1]) == ["succeeded"]


async def test_another_key_of_the_account_takes_its_place(
    engine: bespeak.Engine, other_process: bespeak.Engine, stripe: StripeAccounts,
    make_show: MakeShow,
) -> None:  # fmt: skip
    await set_keys(engine, KEY, WEBHOOK)
    await other_process.payments.accounts.kept(seconds=0)
    show = await paid_show(make_show)
    paid = await bought(engine, await take_seats(engine, show, "A1"))
    server = await stripe.make_key(ROLLED, ONE)
    await set_keys(engine, ROLLED)
    (account,) = await engine.payments.accounts.kept()
    assert (account.name, account.key_ends_with) == ("stripe-1", ROLLED[-4:])
    stripe.revoke(KEY)
    # The signing secret stayed, and what was paid by the old key goes back by the new one.
    assert paid.booking is not None
    assert await told(engine, server, WEBHOOK) == Received("settled")
    await engine.cancel_booking(paid.booking.id, reason="ill")
    await refund_all(engine)
    assert [one["amount"] for one in server.refunds.values()] == [PRICE]
    # A process that has not read it yet is refused by Stripe, and nothing is lost.
    hold = await take_seats(other_process, show, "A2")
    await other_process.payments.accounts.kept(seconds=0)
    await bought(other_process, hold)


async def told(engine: bespeak.Engine, server: StripeServer, secret: str) -> Received:
    intent = next(iter(server.intents.values()))
    body = event("payment_intent.succeeded", intent, f"evt_{secret}")
    signed = {"stripe-signature": signature(secret, body, datetime.now(UTC))}
    return await receive(engine.payments, "stripe", signed, body)


async def test_a_process_with_a_revoked_key_waits_for_the_new_one(
    engine: bespeak.Engine, other_process: bespeak.Engine, stripe: StripeAccounts,
    make_show: MakeShow, clock: Clock,
) -> None:  # fmt: skip
    await set_keys(engine, KEY, WEBHOOK)
    await other_process.payments.accounts.kept(seconds=0)
    server = await stripe.make_key(ROLLED, ONE)
    await set_keys(engine, ROLLED)
    stripe.revoke(KEY)
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    paid = await pay(other_process, hold)  # by the key that it still knows
    assert paid.booking is None and server.intents == {}
    await drain(engine, clock)
    assert paid.payment is not None
    assert (await engine.payments.payment(paid.payment.id)).booking is not None
    assert taken(server) == ["succeeded"]


@pytest.mark.parametrize("to", [OTHER, LIVE])
async def test_what_was_paid_at_one_account_ends_there(
    engine: bespeak.Engine, stripe: StripeAccounts, make_show: MakeShow, to: str
) -> None:
    """Another account, or the other mode of the same one: neither knows the payments before."""
    await set_keys(engine, KEY, WEBHOOK)
    show = await paid_show(make_show)
    before = await bought(engine, await take_seats(engine, show, "A1"))
    first, second = stripe.keys[KEY][1], await stripe.make_key(to, TWO if to == OTHER else ONE)
    assert first is not second
    with pytest.raises(PaymentProviderInvalid) as refusal:
        await set_keys(engine, to)
    assert refusal.value.data["field"] == "webhook_secret"
    await set_keys(engine, to, WEBHOOK_2)
    after = await bought(engine, await take_seats(engine, show, "A2"))
    assert before.payment is not None and after.payment is not None
    assert (before.payment.provider, after.payment.provider) == ("stripe-1", "stripe-2")
    # Both sign at one address; the one that is no longer set takes no payment.
    assert await told(engine, first, WEBHOOK) == Received("settled")
    assert await told(engine, second, WEBHOOK_2) == Received("settled")
    with pytest.raises(CallbackInvalid):
        await told(engine, second, "whsec_of_nobody")
    hold = await take_seats(engine, show, "A3")
    with pytest.raises(ProviderUnknown) as unknown:
        await pay(engine, hold, "stripe-1")
    assert unknown.value.data["providers"] == ["stripe"]
    for paid in (before, after):
        assert paid.booking is not None
        await engine.cancel_booking(paid.booking.id, reason="ill")
    await refund_all(engine)
    assert [len(first.refunds), len(second.refunds)] == [1, 1]
    assert [len(first.intents), len(second.intents)] == [1, 1]
    # And back: it is the same account as before, not a third.
    await set_keys(engine, KEY)
    again = await bought(engine, hold)
    assert again.payment is not None and again.payment.provider == "stripe-1"


async def test_each_account_is_compared_with_its_own_payments(
    engine: bespeak.Engine, stripe: StripeAccounts, make_show: MakeShow, connection: Connection
) -> None:
    await set_keys(engine, KEY, WEBHOOK)
    show = await paid_show(make_show)
    await bought(engine, await take_seats(engine, show, "A1"))
    await stripe.make_key(OTHER, TWO)
    await set_keys(engine, OTHER, WEBHOOK_2)
    await bought(engine, await take_seats(engine, show, "A2"))
    await take_over_time(connection)
    since = datetime.now(UTC) - timedelta(hours=2)
    until_ = since + timedelta(hours=4)
    for name in ("stripe-1", "stripe-2"):
        provider = engine.payments.providers[name]
        report = await reconcile(engine.database, engine.settings, provider, since, until_)
        assert (report.ours, report.theirs, report.differences) == (1, 1, [])
    # The same account by another name, as where the environment names it later: nothing is lost.
    named = settings_of(stripe, payment_providers="stripe", stripe_secret_key=KEY,
        stripe_webhook_secret=WEBHOOK)  # fmt: skip
    assert engine.settings.database_url is not None
    async with bespeak.connect(engine.settings.database_url, settings=named, sweep=False) as env:
        provider = env.payments.providers["stripe"]
        assert [one async for one in lost_payments(env.database, provider, since, until_)] == []


async def take_over_time(connection: Connection) -> None:
    """The tests' database has a time of its own; Stripe's is ours."""
    await connection.execute(
        "update bespeak.payment set created_at = now(), captured_at = now() where true"
    )


@pytest.mark.parametrize("dies_at", ["authorize", "capture"])
async def test_who_dies_before_the_account_is_changed(
    engine: bespeak.Engine, stripe: StripeAccounts, make_show: MakeShow, clock: Clock,
    database_url: str, monkeypatch: pytest.MonkeyPatch, dies_at: str,
) -> None:  # fmt: skip
    """A process writes down that it will ask, or has even asked, and dies; another account is set;
    the recovery of another process ends the payment where it began."""
    await set_keys(engine, KEY, WEBHOOK)
    first, second = stripe.keys[KEY][1], await stripe.make_key(OTHER, TWO)
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    dying = settings_of(stripe)
    async with bespeak.connect(database_url, settings=dying, sweep=False) as dies:
        provider = dies.payments.providers["stripe-1"]

        async def death(*_: object) -> None:
            raise ProviderUnavailable("the process died")

        monkeypatch.setattr(provider, dies_at, death)
        paid = await pay(dies, hold)
    assert paid.payment is not None
    await set_keys(engine, OTHER, WEBHOOK_2)
    await drain(engine, clock)
    assert (await engine.payments.payment(paid.payment.id)).booking is not None
    assert (taken(first), taken(second)) == (["succeeded"], [])


async def test_a_repeat_after_a_change_is_the_same_payment(
    engine: bespeak.Engine, stripe: StripeAccounts, make_show: MakeShow
) -> None:
    """The answer was lost, the account was changed, and the shop asks again under its key."""
    await set_keys(engine, KEY, WEBHOOK)
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    paid = await pay(engine, hold, key="once")
    await stripe.make_key(OTHER, TWO)
    await set_keys(engine, OTHER, WEBHOOK_2)
    again = await pay(engine, hold, key="once")
    assert again.replayed and again.booking is not None and paid.booking is not None
    assert again.booking.id == paid.booking.id
    assert stripe.keys[OTHER][1].intents == {}
    assert again.payment is not None
    await until(engine, again.payment.id, "captured")


async def test_what_was_taken_away_takes_no_more_and_gives_back(
    engine: bespeak.Engine, stripe: StripeAccounts, make_show: MakeShow, clock: Clock
) -> None:
    await set_keys(engine, KEY, WEBHOOK)
    show = await paid_show(make_show)
    paid = await bought(engine, await take_seats(engine, show, "A1"))
    await end_account(engine.payments.accounts)
    hold = await take_seats(engine, show, "A2")
    for provider in (None, "stripe", "stripe-1"):
        with pytest.raises(ProviderUnknown):
            await pay(engine, hold, provider)
    assert not await engine.payments.takes_payments()
    # However long ago: a payment of it is on record.
    await clock.advance(3 * 86_400)
    await AccountKeeper(engine.database, engine.payments.accounts).forget()
    assert paid.booking is not None
    await engine.cancel_booking(paid.booking.id, reason="ill")
    await refund_all(engine)
    assert len(stripe.keys[KEY][1].refunds) == 1


async def test_keys_that_nothing_needs_are_forgotten_after_a_day(
    engine: bespeak.Engine, stripe: StripeAccounts, clock: Clock, connection: Connection
) -> None:
    await set_keys(engine, KEY, WEBHOOK)
    keeper = AccountKeeper(engine.database, engine.payments.accounts)
    await clock.advance(3 * 86_400)
    await keeper.forget()
    assert len(await engine.payments.accounts.kept(seconds=0)) == 1  # buyers pay there
    await end_account(engine.payments.accounts)
    await keeper.forget()
    assert len(await engine.payments.accounts.kept(seconds=0)) == 1
    await clock.advance(86_401)
    await keeper.look()
    assert await engine.payments.accounts.kept(seconds=0) == []
    assert "stripe-1" not in engine.payments.providers
    # Its name is never given again.
    await set_keys(engine, KEY, WEBHOOK)
    (account,) = await engine.payments.accounts.kept()
    assert account.name == "stripe-2"


async def test_two_who_set_it_at_once(
    engine: bespeak.Engine, other_process: bespeak.Engine, stripe: StripeAccounts,
    connection: Connection,
) -> None:  # fmt: skip
    await stripe.make_key(OTHER, TWO)
    for _ in range(5):
        await asyncio.gather(
            set_keys(engine, KEY, WEBHOOK), set_keys(other_process, OTHER, WEBHOOK_2)
        )
        rows = await connection.fetch(
            "select account_id, ended_at is null as is_current from bespeak.provider_account"
        )
        assert {row["account_id"] for row in rows} == {ONE, TWO}
        assert [row["is_current"] for row in rows].count(True) == 1


async def test_a_signing_secret_goes_to_the_account_that_was_meant(
    engine: bespeak.Engine, stripe: StripeAccounts
) -> None:
    """Somebody looks at one account, somebody else sets another, and only then it is sent."""
    await set_keys(engine, KEY, WEBHOOK)
    await stripe.make_key(OTHER, TWO)
    await set_keys(engine, OTHER, WEBHOOK_2)
    with pytest.raises(PaymentProviderInvalid) as refusal:
        await set_keys(engine, None, "whsec_third", "stripe-1")
    assert refusal.value.data["field"] == "name"
    await set_keys(engine, None, "whsec_third", "stripe-2")
    seal = await engine.payments.accounts.seal()
    current, ended = await engine.payments.accounts.kept()
    assert seal.opened(current) == (OTHER, "whsec_third")
    assert seal.opened(ended) == (KEY, WEBHOOK)
    # What is sealed for one is nothing for another, nor for the other purpose.
    for mixed in (
        msgspec.structs.replace(current, secret_key=ended.secret_key),
        msgspec.structs.replace(current, is_live=True),
        msgspec.structs.replace(current, webhook_secret=current.secret_key),
    ):
        assert seal.opened(mixed) is None


async def test_a_publishable_key_goes_to_the_account_that_was_meant(
    engine: bespeak.Engine, other_process: bespeak.Engine, stripe: StripeAccounts
) -> None:
    """The form would be opened for one account, and the money asked for at another."""
    await set_keys(engine, KEY, WEBHOOK)
    await stripe.make_key(OTHER, TWO)
    await set_keys(other_process, OTHER, WEBHOOK_2)
    alone = SetPaymentProvider(publishable_key="pk_test_one", name="stripe-1")
    with pytest.raises(PaymentProviderInvalid) as refusal:
        await set_account(engine.payments.accounts, alone)
    assert refusal.value.data["field"] == "name"
    # With its key it is meant for the account of before, where nobody pays now.
    whole = msgspec.structs.replace(alone, secret_key=KEY)
    await set_account(engine.payments.accounts, whole)
    kept = await engine.payments.accounts.kept()
    assert [(one.name, one.publishable_key) for one in kept] == [
        ("stripe-2", None), ("stripe-1", "pk_test_one"),
    ]  # fmt: skip
    assert await payment_form(engine.payments) is None


async def test_payments_of_the_environment_keep_it(
    engine: bespeak.Engine, stripe: StripeAccounts, make_show: MakeShow, database_url: str
) -> None:
    named = settings_of(stripe, payment_providers="stripe", stripe_secret_key=KEY,
        stripe_webhook_secret=WEBHOOK)  # fmt: skip
    show = await paid_show(make_show)
    async with bespeak.connect(database_url, settings=named, sweep=False) as of_environment:
        await bought(of_environment, await take_seats(of_environment, show, "A1"))
    with pytest.raises(PaymentProviderInUse) as refusal:
        await set_keys(engine, KEY, WEBHOOK)
    assert refusal.value.data["payments"] == 1


async def test_the_environment_wins_and_what_began_before_ends(
    engine: bespeak.Engine, stripe: StripeAccounts, make_show: MakeShow, database_url: str
) -> None:
    await set_keys(engine, KEY, WEBHOOK)
    show = await paid_show(make_show)
    paid = await bought(engine, await take_seats(engine, show, "A1"))
    await stripe.make_key(OTHER, TWO)
    named = settings_of(stripe, payment_providers="stripe", stripe_secret_key=OTHER,
        stripe_webhook_secret=WEBHOOK_2)  # fmt: skip
    async with bespeak.connect(database_url, settings=named, sweep=False) as of_environment:
        assert of_environment.payments.accounts.fixed_by == "environment"
        after = await bought(of_environment, await take_seats(of_environment, show, "A2"))
        assert after.payment is not None and after.payment.provider == "stripe"
        assert paid.booking is not None
        await of_environment.cancel_booking(paid.booking.id, reason="ill")
        await refund_all(of_environment)
    assert [len(stripe.keys[one][1].refunds) for one in (KEY, OTHER)] == [1, 0]


async def test_a_copied_database_moves_no_money(
    engine: bespeak.Engine, stripe: StripeAccounts, database_url: str
) -> None:
    await set_keys(engine, KEY, WEBHOOK)
    asked = dict(stripe.asked)
    copies = [
        settings_of(stripe, payment_providers="sandbox", allow_pretend_money=True),
        settings_of(stripe, payment_providers="sandbox,desk", demo=True),
        settings_of(stripe, payment_providers=""),
    ]
    for settings in copies:
        async with bespeak.connect(database_url, settings=settings, sweep=False) as copy:
            assert "stripe-1" not in copy.payments.providers
            await Recovery(copy.payments).look()
            accounts = copy.payments.accounts
            assert accounts.fixed_by == ("demo" if settings.demo else "environment")
    assert stripe.asked == asked


async def test_after_another_signing_secret_payments_wait(
    engine: bespeak.Engine, stripe: StripeAccounts, make_show: MakeShow, clock: Clock,
    database_url: str,
) -> None:  # fmt: skip
    await set_keys(engine, KEY, WEBHOOK)
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    stripe.status = 500  # Stripe is away: the payment is under way
    paid = await pay(engine, hold)
    stripe.status = None
    assert paid.payment is not None and paid.booking is None
    changed = settings_of(stripe, signing_secret=SECRET)
    async with bespeak.connect(database_url, settings=changed, sweep=False) as lost:
        assert lost.payments.accounts.is_closed("stripe-1")
        assert await lost.payments.takes_payments()
        with pytest.raises(ProviderUnavailable, match="set again"):
            await lost.payments.provider("stripe-1")
        await clock.advance(3)
        await Recovery(lost.payments).look()
        assert (await lost.payments.payment(paid.payment.id)).booking is None
        with pytest.raises(PaymentProviderInvalid) as refusal:
            await set_keys(lost, KEY)
        assert refusal.value.data["field"] == "webhook_secret"
        await set_keys(lost, KEY, WEBHOOK)
        await drain(lost, clock)
        assert (await lost.payments.payment(paid.payment.id)).booking is not None
    assert taken(stripe.keys[KEY][1]) == ["succeeded"]


async def test_accounts_are_read_once_in_two_seconds(
    engine: bespeak.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts: ProviderAccounts = engine.payments.accounts
    accounts.forget()
    reads = 0
    read = accounts._read

    async def counted() -> object:
        nonlocal reads
        reads += 1
        return await read()

    monkeypatch.setattr(accounts, "_read", counted)
    await asyncio.gather(*(accounts.kept() for _ in range(100)))
    assert reads == 1


async def test_the_commands_compare_one_account(
    engine: bespeak.Engine, stripe: StripeAccounts, database_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    await set_keys(engine, KEY, WEBHOOK)
    monkeypatch.setenv("BESPEAK_STRIPE_API_BASE", stripe.url)
    async with with_providers(database_url, "stripe-1") as found:
        assert list(found.payments.providers) == ["stripe-1"]
    async with with_providers(database_url, None) as found:
        assert set(found.payments.providers) == {"desk", "stripe-1"}
    async with with_providers(database_url, "desk") as found:
        assert list(found.payments.providers) == ["desk"]
    with pytest.raises(InvalidSetting):
        async with with_providers(database_url, "stripe-9"):
            pass


async def test_a_payment_begins_while_the_accounts_are_read_anew(
    engine: bespeak.Engine, stripe: StripeAccounts, make_show: MakeShow,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Somebody sets the keys again in the very process, between a read and what goes by it."""
    await set_keys(engine, KEY, WEBHOOK)
    hold = await take_seats(engine, await paid_show(make_show), "A1")
    accounts = engine.payments.accounts
    read = accounts._read
    forgotten = 0

    async def interrupted() -> object:
        nonlocal forgotten
        found = await read()
        forgotten += 1
        accounts.forget()
        return found

    monkeypatch.setattr(accounts, "_read", interrupted)
    paid = await bought(engine, hold)
    assert forgotten and paid.payment is not None and paid.payment.provider == "stripe-1"


async def test_a_callback_finds_its_payment_by_two_names_of_one_account(
    engine: bespeak.Engine, stripe: StripeAccounts, make_show: MakeShow, database_url: str
) -> None:
    """The environment names the account that the console had: one endpoint, one signing secret."""
    await set_keys(engine, KEY, WEBHOOK)
    await bought(engine, await take_seats(engine, await paid_show(make_show), "A1"))
    named = settings_of(stripe, payment_providers="stripe", stripe_secret_key=KEY,
        stripe_webhook_secret=WEBHOOK)  # fmt: skip
    async with bespeak.connect(database_url, settings=named, sweep=False) as of_environment:
        assert list(of_environment.payments.providers) == ["stripe", "stripe-1"]
        server = stripe.keys[KEY][1]
        assert await told(of_environment, server, WEBHOOK) == Received("settled")
        assert await told(of_environment, server, WEBHOOK) == Received("settled", repeated=True)


async def test_a_repeat_after_the_account_was_taken_away_is_answered(
    engine: bespeak.Engine, stripe: StripeAccounts, make_show: MakeShow
) -> None:
    """The answer was lost: the buyer is not told that nobody can pay, having paid."""
    await set_keys(engine, KEY, WEBHOOK)
    show = await paid_show(make_show)
    hold, free = [await take_seats(engine, show, seat) for seat in ("A1", "A2")]
    paid = await pay(engine, hold, key="once")
    await end_account(engine.payments.accounts)
    for provider in (None, "stripe"):
        again = await pay(engine, hold, provider, key="once")
        assert again.replayed and again.booking is not None and paid.booking is not None
        assert again.booking.id == paid.booking.id
    # Nothing else begins there: not under another key, nor for another hold under that one.
    for other, key in ((hold, "twice"), (free, "once"), (free, None)):
        with pytest.raises(ProviderUnknown):
            await pay(engine, other, key=key)
    assert again.payment is not None
    await until(engine, again.payment.id, "captured")
    assert len(stripe.keys[KEY][1].intents) == 1


async def test_an_account_of_before_is_not_set_over_the_environment_s_payments(
    engine: bespeak.Engine, stripe: StripeAccounts, make_show: MakeShow, database_url: str
) -> None:
    await set_keys(engine, KEY, WEBHOOK)
    await end_account(engine.payments.accounts)
    named = settings_of(stripe, payment_providers="stripe", stripe_secret_key=KEY,
        stripe_webhook_secret=WEBHOOK)  # fmt: skip
    async with bespeak.connect(database_url, settings=named, sweep=False) as of_environment:
        show = await paid_show(make_show)
        await bought(of_environment, await take_seats(of_environment, show, "A1"))
    with pytest.raises(PaymentProviderInUse):
        await set_keys(engine, KEY, WEBHOOK)
    assert not await engine.payments.takes_payments()


@pytest.mark.parametrize("decided_by", ["console", "environment"])
async def test_keys_of_an_earlier_account_are_renewed_and_buyers_pay_elsewhere(
    engine: bespeak.Engine, stripe: StripeAccounts, make_show: MakeShow, database_url: str,
    decided_by: str,
) -> None:  # fmt: skip
    """Its key was rolled, and what was paid there must still be given back."""
    await set_keys(engine, KEY, WEBHOOK)
    first, _ = await stripe.make_key(ROLLED, ONE), await stripe.make_key(OTHER, TWO)
    paid = await bought(engine, await take_seats(engine, await paid_show(make_show), "A1"))
    stripe.revoke(KEY)
    named = settings_of(stripe, payment_providers="stripe", stripe_secret_key=OTHER,
        stripe_webhook_secret=WEBHOOK_2)  # fmt: skip
    settings = named if decided_by == "environment" else settings_of(stripe)
    async with bespeak.connect(database_url, settings=settings, sweep=False) as process:
        if decided_by == "console":
            await set_keys(process, OTHER, WEBHOOK_2)
        for key, name in ((OTHER, "stripe-1"), (ROLLED, "stripe-9")):
            with pytest.raises(PaymentProviderInvalid) as refusal:
                await set_keys(process, key, name=name)
            assert refusal.value.data["field"] == "name"
        await set_keys(process, ROLLED, name="stripe-1")
        await process.payments.accounts.kept()
        assert process.payments.accounts.current == (
            "stripe-2" if decided_by == "console" else None
        )
        assert paid.booking is not None
        await process.cancel_booking(paid.booking.id, reason="ill")
        await refund_all(process)
    assert len(first.refunds) == 1


async def test_in_a_demo_no_key_is_renewed(
    engine: bespeak.Engine, stripe: StripeAccounts, database_url: str
) -> None:
    await set_keys(engine, KEY, WEBHOOK)
    for changed in ({"demo": True}, {"payment_providers": "sandbox", "allow_pretend_money": True}):
        settings = settings_of(stripe, **changed)
        async with bespeak.connect(database_url, settings=settings, sweep=False) as copy:
            asked = dict(stripe.asked)
            with pytest.raises(PaymentProviderFixed):
                await set_keys(copy, KEY, name="stripe-1")
            assert stripe.asked == asked


async def test_whether_an_account_is_needed_is_asked_by_an_index(connection: Connection) -> None:
    """The payments are millions, and none is asked for more than it says."""
    await connection.execute("set enable_seqscan = off")
    asked = [
        (QUERIES["needing"], ["'stripe'", "1000"]),
        (QUERIES["forget"], []),
        (QUERIES["under_way"], ["'stripe-1'", "1000"]),
    ]
    for query, values in asked:
        text = str(query)
        for number, value in enumerate(values, start=1):
            text = text.replace(f"${number}", value)
        plan = "\n".join(row[0] for row in await connection.fetch(f"explain {text}"))
        assert "Seq Scan on payment" not in plan, plan
        assert "payment_of_provider" in plan or "payment_due" in plan
