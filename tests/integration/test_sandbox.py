"""The sandbox's tokens, its outbox and its books: each special outcome as a bank would make it,
with the same truth told by every later look, also after the process that asked is gone."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import aiohttp.web
import msgspec
import pytest

from bespeak import Settings, ids
from bespeak.errors import InvalidId, InvalidRequest, InvalidSetting
from bespeak.money import Money
from bespeak.payments.providers.provider import (
    Callback,
    Charge,
    ProviderRefused,
    ProviderUnavailable,
    RefundState,
    Standing,
    StandingState,
)
from bespeak.payments.providers.sandbox import Sandbox
from bespeak.payments.providers.sandbox.callbacks import SIGNATURE_HEADER
from bespeak.payments.providers.sandbox.courier import CALLBACK_PATH, CallbackSender, SandboxCourier
from bespeak.payments.providers.sandbox.outcomes import Outcome, wish_of
from tests.conformance.provider_doors import (
    charge_of,
    new_order,
    new_payment_id,
    new_refund_id,
    open_sandbox,
)
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, snapshot
from tests.http.api import until
from tests.http.outage import Wire, give_up_soon


@pytest.fixture
async def sandbox(database_url: str) -> AsyncIterator[Sandbox]:
    """A bank of the test's own."""
    async with open_sandbox(database_url) as made:
        yield made


@pytest.fixture
async def wire(database_url: str) -> AsyncIterator[Wire]:
    """A connection to the test's database that can be cut."""
    made = Wire(database_url)
    await made.mend()
    try:
        yield made
    finally:
        await made.cut()


class Shop:
    """Takes callbacks in place of the API, and verifies each; `status` is what it answers."""

    def __init__(self, sandbox: Sandbox, clock: Clock) -> None:
        self.status = 200
        self.taken: list[Callback] = []
        self.refused = 0
        self.waiting: asyncio.Task[Standing] | None = None
        self.was_answered: list[bool] = []  # the waiting call, when each callback came
        self.courier = SandboxCourier(sandbox.database.pool, self._post, sandbox.secret)
        self._sandbox = sandbox
        self._clock = clock

    async def _post(self, body: bytes, headers: dict[str, str]) -> int:
        if self.status == 0:
            raise ConnectionError("nobody is there")
        told = self._sandbox.read_callback(headers, body, self._clock.now)
        if self.waiting is not None:
            self.was_answered.append(self.waiting.done())
        if self.status == 200:
            self.taken.append(told)
        else:
            self.refused += 1
        return self.status

    @property
    def kinds(self) -> list[str]:
        """What came, in order."""
        return [told.kind for told in self.taken]

    async def look(self, times: int = 1) -> list[str]:
        """The courier looks; what has come so far."""
        for _ in range(times):
            await self.courier.look()
        return self.kinds


@pytest.fixture
async def shop(sandbox: Sandbox, clock: Clock) -> Shop:
    """A shop that takes every callback, and a clock that stands still."""
    return Shop(sandbox, clock)


async def authorized(sandbox: Sandbox, token: str) -> Standing:
    standing = await sandbox.authorize(new_order(token))
    assert standing.state is StandingState.AUTHORIZED
    return standing


async def state(sandbox: Sandbox, standing: Standing) -> StandingState:
    found = await sandbox.lookup(charge_of(standing))
    assert found is not None
    return found.state


UNKNOWN = (
    "", "tok_", "tok_nothing", "success", "TOK_SUCCESS", "tok_success_2", "tok_success ",
    "tok_slow_", "tok_slow_61", "tok_slow_100", "tok_slow_-1", "tok_slow_2_2", "tok_slow_٣",
    "tok_unheard", "tok_u_", "tok_u_nobody", "tok_u_\x00", "tok_\x00", "tok_u_é", "tok_\ud800",
    "é" * 5000, "'; drop table bespeak.sandbox_payment",
)  # fmt: skip


@pytest.mark.parametrize(
    ("token", "failure"),
    [
        ("tok_declined", "declined"),
        ("tok_insufficient_funds", "insufficient_funds"),
        ("tok_expired_card", "expired_card"),
        *((token, "token_unknown") for token in UNKNOWN),
    ],
)
async def test_what_is_declined(sandbox: Sandbox, shop: Shop, token: str, failure: str) -> None:
    standing = await sandbox.authorize(new_order(token))
    assert (standing.state, standing.failure) == (StandingState.FAILED, failure)
    assert await sandbox.lookup(charge_of(standing)) == standing
    assert await shop.look() == [], "the reply said it all"


async def test_every_outcome_has_a_token(sandbox: Sandbox) -> None:
    assert {outcome for outcome in Outcome if wish_of(outcome.value) is None} == set()
    for outcome in set(Outcome) - {Outcome.SLOW, Outcome.CALLBACK_FIRST}:  # which take their time
        with contextlib.suppress(ProviderUnavailable):
            standing = await sandbox.authorize(new_order(f"tok_{outcome}"))
            assert standing.failure != "token_unknown"


async def test_an_order_of_another_amount_is_another_order(sandbox: Sandbox) -> None:
    order = new_order("tok_success")
    standing = await sandbox.authorize(order)
    for amount in (Money(2501, "EUR"), Money(2500, "USD")):
        with pytest.raises(ProviderRefused) as refusal:
            await sandbox.authorize(msgspec.structs.replace(order, amount=amount))
        assert refusal.value.data["failure"] == "order_mismatch"
    assert await sandbox.lookup(charge_of(standing)) == standing


@pytest.mark.parametrize("amount", [0, -1, 2**53 + 1, 2**80])
async def test_amounts_that_nobody_pays(sandbox: Sandbox, amount: int) -> None:
    order = new_order("tok_success", amount)
    with pytest.raises(ProviderRefused):
        await sandbox.authorize(order)
    standing = await sandbox.authorize(new_order("tok_success"))
    await sandbox.capture(charge_of(standing))
    with pytest.raises(ProviderRefused):
        await sandbox.refund(charge_of(standing), new_refund_id(), amount)


async def test_ids_of_another_kind_are_invalid(sandbox: Sandbox) -> None:
    standing = await sandbox.authorize(new_order("tok_success"))
    wrong = msgspec.structs.replace(charge_of(standing), payment_id=new_refund_id())
    for asked in (
        sandbox.authorize(new_order("tok_success", payment_id="pay_x")),
        sandbox.capture(wrong),
        sandbox.void(wrong),
        sandbox.lookup(wrong),
        sandbox.refund(wrong, new_refund_id(), 1),
        sandbox.refund(charge_of(standing), new_payment_id(), 1),
    ):
        with pytest.raises(InvalidId):
            await asked


@pytest.mark.parametrize("approve", [True, False])
async def test_a_challenge_is_decided_once(sandbox: Sandbox, shop: Shop, approve: bool) -> None:
    standing = await sandbox.authorize(new_order("tok_challenge"))
    assert standing.action_url == f"https://tickets.example/sandbox/payments/{standing.reference}"
    assert standing.reference is not None and len(standing.reference) > 30
    await sandbox.decide(standing.payment_id, approve=approve)
    await sandbox.decide(standing.payment_id, approve=not approve)
    wanted = StandingState.AUTHORIZED if approve else StandingState.FAILED
    assert await state(sandbox, standing) is wanted
    assert await shop.look(2) == [f"payment.{wanted}"]
    assert shop.taken[0].payment_id == standing.payment_id
    assert shop.taken[0].amount == standing.amount


async def test_a_challenge_that_was_given_up_is_not_decided(sandbox: Sandbox, shop: Shop) -> None:
    standing = await sandbox.authorize(new_order("tok_challenge"))
    await sandbox.void(charge_of(standing))
    await sandbox.decide(standing.payment_id, approve=True)
    assert await state(sandbox, standing) is StandingState.VOIDED
    assert await shop.look() == []


@pytest.mark.parametrize(
    ("token", "seconds", "wanted"),
    [
        ("tok_pending", 2, StandingState.AUTHORIZED),
        ("tok_pending_30", 30, StandingState.AUTHORIZED),
        ("tok_pending_declined", 2, StandingState.FAILED),
        ("tok_pending_declined_9", 9, StandingState.FAILED),
    ],
)
async def test_a_pending_payment_is_decided_later(
    sandbox: Sandbox, shop: Shop, clock: Clock, token: str, seconds: int, wanted: StandingState
) -> None:
    order = new_order(token)
    standing = await sandbox.authorize(order)
    assert standing.state is StandingState.PENDING
    await clock.advance(seconds - 0.5)
    assert await shop.look() == []
    assert await sandbox.authorize(order) == standing, "asking again decides nothing"
    await clock.advance(0.5)
    assert await shop.look(2) == [f"payment.{wanted}"]
    assert await state(sandbox, standing) is wanted


async def test_a_pending_payment_that_was_voided_stays_so(
    sandbox: Sandbox, shop: Shop, clock: Clock
) -> None:
    standing = await sandbox.authorize(new_order("tok_pending"))
    await sandbox.void(charge_of(standing))
    await clock.advance(60)
    assert await shop.look() == []
    assert await state(sandbox, standing) is StandingState.VOIDED


async def test_a_slow_answer_comes_late_and_says_it_all(sandbox: Sandbox, shop: Shop) -> None:
    order = new_order("tok_slow_1")
    asked = asyncio.create_task(sandbox.authorize(order))
    charge = Charge(payment_id=order.payment_id, amount=order.amount)

    async def is_there() -> bool:
        found = await sandbox.lookup(charge)
        return found is not None and found.state is StandingState.PENDING

    await until(is_there)
    assert not asked.done()
    standing = await asked
    assert standing.state is StandingState.AUTHORIZED
    assert await sandbox.lookup(charge_of(standing)) == standing
    assert await shop.look() == [], "no callback beside the reply"


async def test_a_slow_answer_to_nobody_is_told(
    sandbox: Sandbox, shop: Shop, clock: Clock, connection: Connection
) -> None:
    """Who asked was killed while the bank was at it; the bank decides all the same, and tells."""
    asked = asyncio.create_task(sandbox.authorize(new_order("tok_slow_30")))
    await until(lambda: connection.fetchval("select count(*) from bespeak.sandbox_payment"))
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    await clock.advance(34)
    assert await shop.look() == []
    await clock.advance(1)
    assert await shop.look(2) == ["payment.authorized"]


async def test_lost_on_the_way_to_the_bank(sandbox: Sandbox, shop: Shop) -> None:
    order = new_order("tok_timeout_before")
    for _ in range(2):
        with pytest.raises(ProviderUnavailable):
            await sandbox.authorize(order)
    charge = Charge(payment_id=order.payment_id, amount=order.amount)
    assert await sandbox.lookup(charge) is None
    with pytest.raises(ProviderRefused):
        await sandbox.void(charge)
    assert await shop.look() == []


async def test_lost_at_the_bank_once(sandbox: Sandbox, shop: Shop) -> None:
    order = new_order("tok_timeout_before_once")
    with pytest.raises(ProviderUnavailable):
        await sandbox.authorize(order)
    charge = Charge(payment_id=order.payment_id, amount=order.amount)
    assert await sandbox.lookup(charge) is None
    for asked in (sandbox.capture(charge), sandbox.void(charge)):
        with pytest.raises(ProviderRefused) as refusal:
            await asked
        assert refusal.value.data["failure"] == "payment_unknown"
    ever = (datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC))
    assert [one async for one in sandbox.charges(*ever)] == []
    assert (await sandbox.authorize(order)).state is StandingState.AUTHORIZED
    assert await shop.look() == []


async def test_lost_on_the_way_back(sandbox: Sandbox, shop: Shop, clock: Clock) -> None:
    order = new_order("tok_timeout_after")
    with pytest.raises(ProviderUnavailable):
        await sandbox.authorize(order)
    again = await sandbox.authorize(order)
    assert again.state is StandingState.AUTHORIZED
    assert await sandbox.lookup(charge_of(again)) == again
    assert await shop.look() == []
    await clock.advance(1)
    assert await shop.look(2) == ["payment.authorized"]


async def test_a_callback_that_comes_twice(sandbox: Sandbox, shop: Shop) -> None:
    await authorized(sandbox, "tok_duplicate_callback")
    assert await shop.look(3) == ["payment.authorized"] * 2
    assert shop.taken[0] == shop.taken[1], "with one id"


async def test_callbacks_out_of_order(sandbox: Sandbox, shop: Shop, clock: Clock) -> None:
    standing = await authorized(sandbox, "tok_out_of_order")
    assert await shop.look() == []
    for _ in range(2):
        await sandbox.capture(charge_of(standing))
    assert await shop.look(2) == ["payment.captured"]
    await clock.advance(1)
    assert await shop.look(2) == ["payment.captured", "payment.authorized"]
    assert await state(sandbox, standing) is StandingState.CAPTURED


async def test_the_callback_comes_before_the_reply(sandbox: Sandbox, shop: Shop) -> None:
    order = new_order("tok_callback_first")
    shop.waiting = asyncio.create_task(sandbox.authorize(order))

    async def is_told() -> bool:
        return bool(await shop.look())

    await until(is_told)
    standing = await shop.waiting
    assert shop.was_answered == [False]
    assert (standing.state, shop.kinds) == (StandingState.AUTHORIZED, ["payment.authorized"])
    assert await sandbox.authorize(order) == standing, "a repeat waits for nobody"


async def test_the_bank_gives_a_reservation_up(sandbox: Sandbox, shop: Shop) -> None:
    standing = await authorized(sandbox, "tok_capture_fails")
    for _ in range(2):
        with pytest.raises(ProviderRefused) as refusal:
            await sandbox.capture(charge_of(standing))
        assert refusal.value.data["failure"] == "authorization_voided"
    assert await state(sandbox, standing) is StandingState.VOIDED
    assert await shop.look(2) == ["payment.voided"]
    assert (await sandbox.void(charge_of(standing))).state is StandingState.VOIDED


@pytest.mark.parametrize(
    ("token", "told"),
    [("tok_wrong_amount", Money(2501, "EUR")), ("tok_wrong_currency", Money(2500, "USD"))],
)
async def test_a_callback_that_is_wrong(
    sandbox: Sandbox, shop: Shop, token: str, told: Money
) -> None:
    standing = await authorized(sandbox, token)
    assert await shop.look() == ["payment.authorized"]
    assert shop.taken[0].amount == told
    assert standing.amount == Money(2500, "EUR"), "the standing is right"


async def captured(sandbox: Sandbox, token: str) -> Standing:
    return await sandbox.capture(charge_of(await authorized(sandbox, token)))


async def test_a_refund_that_is_lost_once(sandbox: Sandbox) -> None:
    charge = charge_of(await captured(sandbox, "tok_refund_fails_once"))
    refund = new_refund_id()
    with pytest.raises(ProviderUnavailable):
        await sandbox.refund(charge, refund, 2500)
    found = await sandbox.lookup(charge)
    assert found is not None and (found.refunded, found.refunds) == (0, ())
    for _ in range(2):
        standing = await sandbox.refund(charge, refund, 2500)
        assert (standing.refunded, len(standing.refunds)) == (2500, 1)
    assert standing.refunds[0].state is RefundState.REFUNDED


async def test_a_refund_that_fails(sandbox: Sandbox) -> None:
    charge = charge_of(await captured(sandbox, "tok_refund_fails"))
    refund = new_refund_id()
    for _ in range(2):
        standing = await sandbox.refund(charge, refund, 1000)
        assert (standing.state, standing.refunded) == (StandingState.CAPTURED, 0)
        (failed,) = standing.refunds
        assert (failed.refund_id, failed.state) == (refund, RefundState.FAILED)
        assert (failed.amount, failed.failure) == (1000, "refund_declined")


async def test_a_refund_that_takes_its_time(sandbox: Sandbox, shop: Shop, clock: Clock) -> None:
    charge = charge_of(await captured(sandbox, "tok_refund_pending"))
    refund = new_refund_id()
    standing = await sandbox.refund(charge, refund, 2000)
    assert (standing.refunded, standing.refunds[0].state) == (0, RefundState.PENDING)
    with pytest.raises(ProviderRefused):
        await sandbox.refund(charge, new_refund_id(), 501)  # what is promised is not promised twice
    assert await shop.look() == []
    await sandbox.refund(charge, new_refund_id(), 500)
    await clock.advance(2)
    assert await shop.look(2) == ["refund.refunded"] * 2
    assert sorted(told.amount.amount for told in shop.taken if told.amount) == [500, 2000]
    again = await sandbox.refund(charge, refund, 2000)
    assert again.refunded == 2500
    assert {one.state for one in again.refunds} == {RefundState.REFUNDED}


async def test_a_refund_id_is_for_one_refund(sandbox: Sandbox) -> None:
    one = charge_of(await captured(sandbox, "tok_success"))
    other = charge_of(await captured(sandbox, "tok_success"))
    refund = new_refund_id()
    await sandbox.refund(one, refund, 100)
    for charge, amount in ((other, 100), (one, 200)):
        with pytest.raises(ProviderRefused) as refusal:
            await sandbox.refund(charge, refund, amount)
        assert refusal.value.data["failure"] == "refund_mismatch"
    for charge, refunded in ((one, 100), (other, 0)):
        found = await sandbox.lookup(charge)
        assert found is not None and found.refunded == refunded


async def test_a_personal_token_is_one_buyers(sandbox: Sandbox) -> None:
    token = await sandbox.make_token("asha", "success")
    assert token.startswith("tok_u_")
    stolen = await sandbox.authorize(new_order(token, owner="bela"))
    assert (stolen.state, stolen.failure) == (StandingState.FAILED, "token_not_yours")
    order = new_order(token)
    first = await sandbox.authorize(order)
    assert first.state is StandingState.AUTHORIZED, "whoever tried to steal it used nothing up"
    assert await sandbox.authorize(order) == first
    used = await sandbox.authorize(new_order(token))
    assert (used.state, used.failure) == (StandingState.FAILED, "token_used")


async def test_a_personal_token_pays_once_however_many_try(sandbox: Sandbox) -> None:
    token = await sandbox.make_token("asha", "success")
    tried = await asyncio.gather(*(sandbox.authorize(new_order(token)) for _ in range(8)))
    states = [standing.state for standing in tried]
    assert states.count(StandingState.AUTHORIZED) == 1
    assert {one.failure for one in tried} == {None, "token_used"}


async def test_a_personal_token_has_an_outcome(sandbox: Sandbox) -> None:
    for outcome, wanted in (("expired_card", "expired_card"), ("challenge", None)):
        token = await sandbox.make_token("asha", outcome)
        assert (await sandbox.authorize(new_order(token))).failure == wanted
    for outcome in ("", "none", "tok_success", "success_2", "slow_61", "x" * 10_000, "\x00"):
        with pytest.raises(InvalidRequest) as refusal:
            await sandbox.make_token("asha", outcome)
        assert refusal.value.data["field"] == "outcome"


async def test_a_callback_is_sent_until_it_is_taken(
    sandbox: Sandbox, shop: Shop, clock: Clock
) -> None:
    """Twice as late each time, at most an hour; and no more after three days."""
    standing = await sandbox.authorize(new_order("tok_challenge"))
    await sandbox.decide(standing.payment_id, approve=True)
    shop.status = 409
    for wait in (1, 2, 4, 8):
        await shop.look(2)
        await clock.advance(wait - 0.1)
        await shop.look()
        await clock.advance(0.1)
    assert shop.refused == 4
    shop.status = 0
    await shop.look()
    await clock.advance(16)
    shop.status = 200
    assert await shop.look(2) == ["payment.authorized"]
    await clock.advance(7200)
    assert len(await shop.look()) == 1


async def test_a_callback_that_nobody_takes_is_given_up(
    sandbox: Sandbox, shop: Shop, clock: Clock
) -> None:
    standing = await sandbox.authorize(new_order("tok_challenge"))
    await sandbox.decide(standing.payment_id, approve=True)
    shop.status = 500
    while clock.now < START + timedelta(days=4):
        await shop.look()
        await clock.advance(3600)
    tried = shop.refused
    assert 72 <= tried <= 85
    shop.status = 200
    assert await shop.look() == []


async def test_a_courier_that_died_is_followed_by_another(
    sandbox: Sandbox, shop: Shop, clock: Clock
) -> None:
    standing = await sandbox.authorize(new_order("tok_challenge"))
    await sandbox.decide(standing.payment_id, approve=True)
    taken = asyncio.Event()

    async def hang(_body: bytes, _headers: dict[str, str]) -> int:
        taken.set()
        await asyncio.Event().wait()
        return 200

    dying = asyncio.create_task(SandboxCourier(sandbox.database.pool, hang, sandbox.secret).look())
    await taken.wait()
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    assert await shop.look() == [], "it is leased to the other"
    await clock.advance(60)
    assert await shop.look() == ["payment.authorized"]


async def test_two_couriers_share_the_work(sandbox: Sandbox, shop: Shop) -> None:
    for _ in range(20):
        standing = await sandbox.authorize(new_order("tok_challenge"))
        await sandbox.decide(standing.payment_id, approve=True)
    other = SandboxCourier(sandbox.database.pool, shop._post, sandbox.secret)
    await asyncio.gather(*(courier.look() for courier in (shop.courier, other) * 3))
    assert len({told.callback_id for told in shop.taken}) == len(shop.taken) == 20


async def test_a_courier_says_when_to_look_again(
    sandbox: Sandbox, shop: Shop, clock: Clock
) -> None:
    assert await shop.courier.look() == 0.5
    await sandbox.authorize(new_order("tok_pending_1"))
    await clock.advance(0.75)
    assert await shop.courier.look() == pytest.approx(0.25)


async def test_callbacks_go_over_the_wire(sandbox: Sandbox) -> None:
    """The sender against a real server: what it posts is what was signed."""
    got: list[Callback] = []

    async def take(request: aiohttp.web.Request) -> aiohttp.web.Response:
        body, headers = await request.read(), {k.lower(): v for k, v in request.headers.items()}
        assert SIGNATURE_HEADER in headers and request.path == CALLBACK_PATH
        got.append(sandbox.read_callback(headers, body, datetime.now(UTC)))
        if len(got) == 1:
            raise aiohttp.web.HTTPFound("/elsewhere")
        return aiohttp.web.Response(status=204)

    app = aiohttp.web.Application()
    app.router.add_post(CALLBACK_PATH, take)
    runner = aiohttp.web.AppRunner(app)
    await runner.setup()
    site = aiohttp.web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    sender = CallbackSender(f"http://{host}:{port}/")
    courier = SandboxCourier(sandbox.database.pool, sender, sandbox.secret)
    try:
        standing = await sandbox.authorize(new_order("tok_duplicate_callback"))

        async def is_done() -> bool:
            await courier.look()
            return len(got) == 3

        await until(is_done)  # the first was redirected, which is no answer
        assert {told.payment_id for told in got} == {standing.payment_id}
        await runner.cleanup()
        with pytest.raises(OSError):
            await sender(b"{}", {})
    finally:
        await sender.close()
        await runner.cleanup()


async def test_many_at_once_and_twice(sandbox: Sandbox) -> None:
    """Orders, captures and refunds that cross: each once, in batches or alone."""
    orders = [new_order("tok_success") for _ in range(60)]
    made = await asyncio.gather(*(sandbox.authorize(one) for one in orders * 2))
    assert [one.payment_id for one in made] == [one.payment_id for one in orders * 2]
    assert len({one.reference for one in made}) == 60
    charges = [charge_of(one) for one in made]
    taken = await asyncio.gather(*(sandbox.capture(one) for one in charges))
    assert {one.captured for one in taken} == {2500}
    refunds = [new_refund_id() for _ in range(60)] * 2
    back = await asyncio.gather(
        *(sandbox.refund(*pair, 2500) for pair in zip(charges, refunds, strict=True))
    )
    assert {(one.refunded, len(one.refunds)) for one in back} == {(2500, 1)}


async def test_two_processes_are_one_bank(sandbox: Sandbox, database_url: str) -> None:
    async with open_sandbox(database_url) as other:
        orders = [new_order("tok_success") for _ in range(40)]
        made = await asyncio.gather(
            *(bank.authorize(one) for one in orders for bank in (sandbox, other)),
        )
        assert len({one.reference for one in made}) == 40
        taken = await asyncio.gather(
            *(bank.capture(charge_of(one)) for one in made for bank in (other, sandbox))
        )
        assert {one.state for one in taken} == {StandingState.CAPTURED}


async def test_every_page_of_payments_is_read(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """Also where many were made at one instant."""
    from bespeak.payments.providers.sandbox import bank

    monkeypatch.setattr(bank, "_PAGE_ROWS", 3)
    made = [await sandbox.authorize(new_order("tok_success")) for _ in range(7)]
    await clock.advance(1)
    made += [await sandbox.authorize(new_order("tok_success")) for _ in range(2)]
    listed = [one async for one in sandbox.charges(START, START + timedelta(seconds=2))]
    assert sorted(one.payment_id for one in listed) == sorted(one.payment_id for one in made)
    first = [one async for one in sandbox.charges(START, START + timedelta(seconds=1))]
    assert len(first) == 7


async def test_the_bank_writes_its_own_books_only(
    sandbox: Sandbox, shop: Shop, connection: Connection
) -> None:
    before = await snapshot(connection)
    for token in ("tok_success", "tok_challenge", "tok_duplicate_callback"):
        standing = await sandbox.authorize(new_order(token))
        await sandbox.decide(standing.payment_id, approve=True)
        await sandbox.capture(charge_of(standing))
        await sandbox.refund(charge_of(standing), new_refund_id(), 5)
    await sandbox.make_token("asha", "success")
    await shop.look(2)
    after = await snapshot(connection)
    changed = {table for table in after if after[table] != before[table]}
    assert changed == {name for name in after if name.startswith("sandbox_")}


async def test_without_its_database_the_bank_is_away(wire: Wire) -> None:
    """A bank whose books cannot be reached does not know, and says so; nothing is lost."""
    async with open_sandbox(wire.url) as sandbox:
        standing = await sandbox.authorize(new_order("tok_success"))
        charge = charge_of(standing)
        await wire.cut()
        give_up_soon(sandbox._committer)
        for asked in (
            sandbox.authorize(new_order("tok_success")),
            sandbox.authorize(new_order("tok_u_any")),
            sandbox.capture(charge),
            sandbox.void(charge),
            sandbox.refund(charge, new_refund_id(), 1),
            sandbox.lookup(charge),
            sandbox.make_token("asha", "success"),
            sandbox.find("sbx"),
            sandbox.decide(standing.payment_id, approve=True),
        ):
            with pytest.raises(ProviderUnavailable):
                await asked
        await wire.mend()
        assert await sandbox.lookup(charge) == standing
        assert (await sandbox.capture(charge)).captured == 2500


async def test_who_gets_a_page(sandbox: Sandbox) -> None:
    order = new_order("tok_challenge", description="Seats\nF7 \x00 & <b>F8</b>")
    standing = await sandbox.authorize(order)
    assert await sandbox.find(standing.reference or "") == (
        standing, "Seats F7   & <b>F8</b>", order.return_url,
    )  # fmt: skip
    for unknown in ("", "sbx", "x" * 5000, "\x00", "é", "'", standing.payment_id):
        assert await sandbox.find(unknown) is None


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://shop.example/after?x=1#y", True),
        ("http://localhost:3000", True),
        ("http://[::1]:3000/", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("//shop.example", False),
        ("/after", False),
        ("https://", False),
        ("https://shop.example;script-src", False),
        ("https://a@b.example/", False),
        ("https://shop.example/\r\nset-cookie: x", False),
        ("https://shop.example/ä", False),
        ("https://shop.example/" + "x" * 2000, False),
        ("", False),
    ],
)
async def test_only_the_web_is_returned_to(sandbox: Sandbox, url: str, kept: bool) -> None:
    standing = await sandbox.authorize(new_order("tok_challenge", return_url=url))
    found = await sandbox.find(standing.reference or "")
    assert found is not None and found[2] == (url if kept else None)


@pytest.mark.parametrize("url", ["", "tickets.example", "ftp://x", "https://", "https://a b"])
def test_a_public_url_that_cannot_be(url: str) -> None:
    with pytest.raises(InvalidSetting) as refusal:
        Settings.read({"BESPEAK_PUBLIC_URL": url})
    assert refusal.value.data["variable"] == "BESPEAK_PUBLIC_URL"


def test_ids_are_ours() -> None:
    assert ids.parse(ids.PAYMENT, new_payment_id()).version == 8
