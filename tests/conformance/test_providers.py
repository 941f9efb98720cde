"""What every payment provider keeps: one payment for one order, once for one refund, the truth on
every look, and no ear for forged callbacks. A provider plugs in with a door; see `TestSandbox`."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from bespeak.payments.providers.desk import Desk
from bespeak.payments.providers.provider import (
    CallbackInvalid,
    CallbackUnreadable,
    Charge,
    ProviderRefused,
    ProviderUnavailable,
    RefundState,
    Standing,
    StandingState,
)
from bespeak.postgres.pool import Database, open_pool
from tests.conformance.provider_doors import (
    BooksDoor,
    DeskDoor,
    ProviderDoor,
    SandboxDoor,
    charge_of,
    new_order,
    new_refund_id,
    old_payment_id,
    open_sandbox,
    random_secret,
)

NOW = datetime(2030, 1, 1, 12, 0, tzinfo=UTC)
EVER = (datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC))


async def paid(door: BooksDoor, amount: int = 2500) -> Standing:
    """A payment that is captured."""
    standing = await door.provider.authorize(new_order(door.success, amount))
    return await door.provider.capture(charge_of(standing))


async def seen(door: BooksDoor, standing: Standing) -> Standing:
    """How a payment stands for whoever looks."""
    found = await door.provider.lookup(charge_of(standing))
    assert found is not None
    return found


class BooksSuite:
    """What every provider keeps of payments. A class that inherits it has a fixture `door`."""

    @pytest.mark.parametrize(
        ("amount", "currency"),
        [(2500, "EUR"), (101, "USD"), (999_999, "GBP"), (500, "JPY"), (12_340, "KWD")],
    )
    async def test_an_order_is_authorized_as_it_is(
        self, door: BooksDoor, amount: int, currency: str
    ) -> None:
        order = new_order(door.success, amount, currency)
        standing = await door.provider.authorize(order)
        assert standing.state is StandingState.AUTHORIZED
        assert (standing.payment_id, standing.amount) == (order.payment_id, order.amount)
        assert (standing.captured, standing.refunded, standing.refunds) == (0, 0, ())
        assert standing.reference and standing.failure is None and standing.created_at is not None
        assert await seen(door, standing) == standing
        captured = await door.provider.capture(charge_of(standing))
        assert (captured.amount, captured.captured) == (order.amount, amount)

    async def test_the_same_order_twice_is_one_payment(self, door: BooksDoor) -> None:
        order = new_order(door.success)
        first = await door.provider.authorize(order)
        again = await asyncio.gather(*(door.provider.authorize(order) for _ in range(3)))
        assert {one.reference for one in again} == {first.reference}
        other = await door.provider.authorize(new_order(door.success))
        assert other.reference != first.reference
        made = [one.payment_id async for one in door.provider.charges(*EVER)]
        assert sorted(made) == sorted([order.payment_id, other.payment_id])

    async def test_a_repeated_order_tells_what_became_of_it(self, door: BooksDoor) -> None:
        order = new_order(door.success)
        standing = await door.provider.authorize(order)
        await door.provider.capture(charge_of(standing))
        assert (await door.provider.authorize(order)).state is StandingState.CAPTURED

    async def test_a_decline_is_a_standing(self, door: BooksDoor) -> None:
        order = new_order(door.declined)
        standing = await door.provider.authorize(order)
        assert standing.state is StandingState.FAILED
        assert standing.failure and standing.captured == 0
        again = await door.provider.authorize(order)
        assert (again.state, again.reference) == (StandingState.FAILED, standing.reference)
        with pytest.raises(ProviderRefused):
            await door.provider.capture(charge_of(standing))
        assert (await seen(door, standing)).state is StandingState.FAILED

    @pytest.mark.parametrize("by_reference", [True, False])
    async def test_captured_twice_is_taken_once(self, door: BooksDoor, by_reference: bool) -> None:
        standing = await door.provider.authorize(new_order(door.success))
        charge = charge_of(standing, by_reference=by_reference)
        for _ in range(2):
            captured = await door.provider.capture(charge)
            assert captured.state is StandingState.CAPTURED
            assert (captured.captured, captured.reference) == (2500, standing.reference)
        both = await asyncio.gather(*(door.provider.capture(charge) for _ in range(2)))
        assert [one.captured for one in both] == [2500, 2500]

    @pytest.mark.parametrize("by_reference", [True, False])
    async def test_a_voided_reservation_stays_so(self, door: BooksDoor, by_reference: bool) -> None:
        standing = await door.provider.authorize(new_order(door.success))
        charge = charge_of(standing, by_reference=by_reference)
        for _ in range(2):
            voided = await door.provider.void(charge)
            assert (voided.state, voided.captured) == (StandingState.VOIDED, 0)
        with pytest.raises(ProviderRefused) as refusal:
            await door.provider.capture(charge)
        assert refusal.value.data["failure"]
        assert (await seen(door, standing)).state is StandingState.VOIDED

    async def test_what_is_captured_is_not_voided(self, door: BooksDoor) -> None:
        standing = await paid(door)
        with pytest.raises(ProviderRefused):
            await door.provider.void(charge_of(standing))
        assert await seen(door, standing) == standing

    async def test_captured_and_voided_at_once_is_one_of_them(self, door: BooksDoor) -> None:
        for _ in range(5):
            standing = await door.provider.authorize(new_order(door.success))
            charge = charge_of(standing)
            done = await asyncio.gather(
                door.provider.capture(charge), door.provider.void(charge), return_exceptions=True
            )
            (refusal,) = [one for one in done if not isinstance(one, Standing)]
            (kept,) = [one for one in done if isinstance(one, Standing)]
            assert isinstance(refusal, ProviderRefused)
            assert (await seen(door, standing)).state is kept.state

    async def test_what_was_not_taken_does_not_go_back(self, door: BooksDoor) -> None:
        standing = await door.provider.authorize(new_order(door.success))
        with pytest.raises(ProviderRefused):
            await door.provider.refund(charge_of(standing), new_refund_id(), 1)
        assert await seen(door, standing) == standing

    async def test_it_is_found_by_reference_and_by_id(self, door: BooksDoor) -> None:
        standing = await door.provider.authorize(new_order(door.success))
        await door.provider.authorize(new_order(door.success))
        for by_reference in (True, False):
            charge = charge_of(standing, by_reference=by_reference)
            assert await door.provider.lookup(charge) == standing

    async def test_what_never_came_is_unknown(self, door: BooksDoor) -> None:
        standing = await door.provider.authorize(new_order(door.success))
        # Of one that is newer it may be too early to tell.
        unknown = Charge(payment_id=old_payment_id(1), amount=standing.amount)
        assert await door.provider.lookup(unknown) is None
        for asked in (
            door.provider.capture(unknown),
            door.provider.void(unknown),
            door.provider.refund(unknown, new_refund_id(), 1),
        ):
            with pytest.raises(ProviderRefused):
                await asked
        assert await door.provider.lookup(unknown) is None

    async def test_all_payments_of_a_time_are_listed(self, door: BooksDoor) -> None:
        """Half-open, whole standings, each once."""
        made = [await door.provider.authorize(new_order(door.success)) for _ in range(3)]
        made.append(await door.provider.authorize(new_order(door.declined)))
        taken = await door.provider.capture(charge_of(made[0]))
        listed = {one.payment_id: one async for one in door.provider.charges(*EVER)}
        assert listed == {one.payment_id: one for one in [taken, *made[1:]]}
        for one in made:
            moment = one.created_at
            assert moment is not None
            after = [found.payment_id async for found in door.provider.charges(moment, EVER[1])]
            before = [found.payment_id async for found in door.provider.charges(EVER[0], moment)]
            assert one.payment_id in after and one.payment_id not in before
            assert sorted(after + before) == sorted(listed)
        assert [one async for one in door.provider.charges(EVER[1], EVER[1])] == []


class ProviderSuite(BooksSuite):
    """The whole suite, for a provider that is elsewhere: buyers act there, it calls back, and may
    be away. A class that inherits it has a fixture `door`."""

    @pytest.mark.parametrize("approve", [True, False])
    async def test_a_challenge_waits_for_the_buyer(self, door: ProviderDoor, approve: bool) -> None:
        standing = await door.provider.authorize(new_order(door.challenge))
        assert standing.state is StandingState.CHALLENGE
        assert standing.action_url is not None and standing.action_url.startswith("http")
        with pytest.raises(ProviderRefused):
            await door.provider.capture(charge_of(standing))
        assert (await seen(door, standing)).state is StandingState.CHALLENGE
        await door.decide(standing, approve=approve)
        decided = await seen(door, standing)
        wanted = StandingState.AUTHORIZED if approve else StandingState.FAILED
        assert (decided.state, decided.action_url) == (wanted, None)
        assert approve or decided.failure

    async def test_a_challenge_can_be_given_up(self, door: ProviderDoor) -> None:
        standing = await door.provider.authorize(new_order(door.challenge))
        voided = await door.provider.void(charge_of(standing))
        assert voided.state is StandingState.VOIDED
        assert (await seen(door, standing)).state is StandingState.VOIDED

    async def test_money_goes_back_in_parts_each_once(self, door: ProviderDoor) -> None:
        charge = charge_of(await paid(door))
        one, two = new_refund_id(), new_refund_id()
        for _ in range(2):
            standing = await door.provider.refund(charge, one, 1000)
            assert (standing.state, standing.refunded) == (StandingState.CAPTURED, 1000)
        standing = await door.provider.refund(charge, two, 1500)
        assert (standing.captured, standing.refunded) == (2500, 2500)
        again = await asyncio.gather(*(door.provider.refund(charge, one, 1000) for _ in range(3)))
        assert [found.refunded for found in again] == [2500] * 3
        found = {refund.refund_id: refund for refund in standing.refunds}
        assert {key: refund.amount for key, refund in found.items()} == {one: 1000, two: 1500}
        assert {refund.state for refund in found.values()} == {RefundState.REFUNDED}
        looked = await door.provider.lookup(charge)
        assert looked is not None and looked.refunded == 2500
        assert set(looked.refunds) == set(standing.refunds)

    async def test_no_more_goes_back_than_was_taken(self, door: ProviderDoor) -> None:
        charge = charge_of(await paid(door))
        with pytest.raises(ProviderRefused):
            await door.provider.refund(charge, new_refund_id(), 2501)
        await door.provider.refund(charge, new_refund_id(), 2000)
        with pytest.raises(ProviderRefused) as refusal:
            await door.provider.refund(charge, new_refund_id(), 501)
        assert refusal.value.data["failure"]
        standing = await door.provider.lookup(charge)
        assert standing is not None and standing.refunded == 2000

    async def test_who_does_not_answer_is_unavailable(self, door: ProviderDoor) -> None:
        standing = await door.provider.authorize(new_order(door.success))
        charge = charge_of(standing)
        await door.cut()
        for asked in (
            door.provider.authorize(new_order(door.success)),
            door.provider.capture(charge),
            door.provider.void(charge),
            door.provider.refund(charge, new_refund_id(), 1),
            door.provider.lookup(charge),
            anext(aiter(door.provider.charges(*EVER))),
        ):
            with pytest.raises(ProviderUnavailable):
                await asked

    async def test_a_good_callback_is_read(self, door: ProviderDoor) -> None:
        standing = await door.provider.authorize(new_order(door.success))
        body = door.callback(standing, "evt_1")
        for age in (-250, 0, 250):
            sent_at = NOW - timedelta(seconds=age)
            told = door.provider.read_callback(door.signed(body, sent_at), body, NOW)
            assert (told.callback_id, told.payment_id) == ("evt_1", standing.payment_id)
            assert told.amount in (None, standing.amount)
            assert told.reference == standing.reference
            assert told.kind

    async def test_a_forged_callback_is_refused(self, door: ProviderDoor) -> None:
        standing = await door.provider.authorize(new_order(door.success))
        body = door.callback(standing, "evt_1")
        good = door.signed(body, NOW)
        (name,) = good
        altered = body.replace(b"evt_1", b"evt_2")
        assert altered != body
        old = NOW - timedelta(seconds=301)
        future = NOW + timedelta(hours=1)
        cases: list[tuple[dict[str, str], bytes]] = [
            ({}, body),
            (door.signed(body, NOW, random_secret()), body),
            (good, altered),
            (good, body + b" "),
            (good, b""),
            (door.signed(body, old), body),
            (door.signed(body, future), body),
            # The good signature of another time, and what is no signature at all.
            ({name: good[name].replace(str(int(NOW.timestamp())), "1")}, body),
            *(({name: text}, body) for text in NONSENSE),
        ]
        for headers, sent in cases:
            with pytest.raises(CallbackInvalid):
                door.provider.read_callback(headers, sent, NOW)

    async def test_a_signed_callback_that_makes_no_sense(self, door: ProviderDoor) -> None:
        garbage = [b"", b"{", b"[]", b"null", b"\xff\xfe", b'"text"', b"{}", b"[" * 10_000]
        for body in [*garbage, *door.foreign_callbacks()]:
            with pytest.raises(CallbackUnreadable):
                door.provider.read_callback(door.signed(body, NOW), body, NOW)


NONSENSE = (
    "", "t=,v1=", "v1=00", "t=1893499200", "t=1893499200,v1=", "t=x,v1=00", "t=-1,v1=00",
    "t=1893499200,t=1893499200,v1=00", "t=٣,v1=00", "t=" + "9" * 400 + ",v1=00",
    "t=1893499200,v1=é", "x" * 100_000, ",,,,", "====",
)  # fmt: skip


class TestSandbox(ProviderSuite):
    """The sandbox, on a database of the test's own."""

    @pytest.fixture
    async def door(self, database_url: str) -> AsyncIterator[ProviderDoor]:
        async with open_sandbox(database_url) as sandbox:
            yield SandboxDoor(sandbox)


class TestDesk(BooksSuite):
    """The desk, whose books are our own. Nobody acts elsewhere, nothing calls back."""

    @pytest.fixture
    async def door(self, database_url: str) -> AsyncIterator[BooksDoor]:
        pool = await open_pool(database_url, 4)
        try:
            yield DeskDoor(Desk(Database(pool, 5)))
        finally:
            await pool.close()

    async def test_money_is_to_be_handed_over_until_somebody_did(self, door: BooksDoor) -> None:
        desk = door.provider
        assert isinstance(desk, Desk)
        charge = charge_of(await paid(door))
        one, two = new_refund_id(), new_refund_id()
        for _ in range(2):
            standing = await desk.refund(charge, one, 1000)
            assert (standing.refunded, standing.refunds[0].state) == (0, RefundState.PENDING)
        await desk.refund(charge, two, 1500)
        for _ in range(2):
            await desk.hand_over(one, "key_1")
        looked = await desk.lookup(charge)
        assert looked is not None and looked.refunded == 1000
        assert {refund.refund_id: refund.state for refund in looked.refunds} == {
            one: RefundState.REFUNDED,
            two: RefundState.PENDING,
        }
        assert [found async for found in desk.charges(*EVER)] == [looked]

    async def test_of_two_at_once_no_more_is_promised_than_was_taken(self, door: BooksDoor) -> None:
        charge = charge_of(await paid(door))
        ordered = [door.provider.refund(charge, new_refund_id(), 1500) for _ in range(4)]
        done = await asyncio.gather(*ordered, return_exceptions=True)
        assert sum(isinstance(one, Standing) for one in done) == 1
        assert sum(isinstance(one, ProviderRefused) for one in done) == 3
        with pytest.raises(ProviderRefused) as refusal:
            await door.provider.refund(charge, new_refund_id(), 1001)
        assert refusal.value.data["failure"] == "refund_beyond_captured"

    async def test_it_has_no_ear_for_callbacks(self, door: BooksDoor) -> None:
        with pytest.raises(CallbackInvalid):
            door.provider.read_callback({}, b"{}", NOW)
