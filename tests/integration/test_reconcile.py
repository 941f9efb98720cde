"""Reconciling finds each kind of difference that is planted, and calls nothing else one."""

from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta

import msgspec
import pytest

import bespeak
from bespeak import Resource
from bespeak.payments.providers.provider import Charge, PaymentProvider, Standing, StandingState
from bespeak.payments.providers.sandbox.bank import Sandbox
from bespeak.payments.reconciliation.differences import DIFFERENCES
from bespeak.payments.reconciliation.report import (
    DIFFERENCES_MAX,
    ReconciliationReport,
    day_of,
    reconcile,
)
from bespeak.payments.refunds.refunder import Refunder
from tests.harness.clock import START, Clock
from tests.harness.database import Connection
from tests.harness.paying import PAID, PRICE, bank, paid_show, pay, paying_engine
from tests.harness.settling import until
from tests.harness.shows import MakeShow

DAY = day_of(START.date())
OURS, THEIRS = "bespeak.payment", "bespeak.sandbox_payment"
REFUNDS, THEIR_REFUNDS = "bespeak.refund", "bespeak.sandbox_refund"

# What to do to a captured payment, or to one that was refunded, so that each difference is there.
CAPTURED = {
    "unknown_to_us": [f"delete from {OURS}", f"update {OURS} set provider = 'stripe'"],
    "unknown_to_provider": [f"delete from {THEIRS}"],
    "charged_twice": [f"update {OURS} set reference = 'another'"],
    "state_differs": [
        f"update {THEIRS} set state = 'authorized'",
        f"update {THEIRS} set state = 'voided'",
        f"update {OURS} set state = 'failed'",
        f"update {OURS} set state = 'voided'",
    ],
    "amount_differs": [
        f"update {THEIRS} set amount = amount + 1",
        f"update {THEIRS} set captured = captured - 1",
        f"update {OURS} set captured = captured - 1",
        f"update {THEIRS} set currency = 'USD'",
        f"update {OURS} set amount = amount + 1",
    ],
    "booking_missing": ["delete from bespeak.booking"],
    "refund_unknown": [
        f"insert into {THEIR_REFUNDS} (refund_id, payment_id, amount, state, created_at)"
        f" select gen_random_uuid(), payment_id, 100, 'refunded', created_at from {THEIRS};"
        f" update {THEIRS} set has_refunds = true, refunding = 100, refunded = 100"
    ],
    "refunded_differs": [
        f"update {THEIRS} set refunding = 100, refunded = 100",
        f"update {OURS} set refunding = 100, refunded = 100",
    ],
}
REFUNDED = {
    "refund_missing": [
        f"delete from {THEIR_REFUNDS}",
        f"delete from {THEIR_REFUNDS}; update {THEIRS} set refunding = 0, refunded = 0",
    ],
    "refund_differs": [
        f"update {THEIR_REFUNDS} set state = 'failed'",
        f"update {THEIR_REFUNDS} set amount = amount - 1",
        f"update {REFUNDS} set state = 'failed'",
        f"update {REFUNDS} set amount = amount - 1",
    ],
    "refund_unknown": [f"delete from {REFUNDS}"],
    "refunded_differs": [f"update {THEIRS} set refunded = 0"],
}
PLANTED = [
    (is_refunded, problem, change)
    for is_refunded, planted in ((False, CAPTURED), (True, REFUNDED))
    for problem, changes in planted.items()
    for change in changes
]
ALLOWED = [
    # It still moves.
    f"update {OURS} set state = 'authorized', step = 'capture', due_at = bespeak.now()",
    f"update {OURS} set step = 'offer', due_at = bespeak.now(); delete from {THEIRS}",
    # It came to nothing on both sides.
    f"update {OURS} set state = 'failed'; update {THEIRS} set state = 'failed'",
    f"update {OURS} set state = 'voided'; update {THEIRS} set state = 'voided'",
    f"update {OURS} set state = 'failed'; delete from {THEIRS}",
    # A refund that failed on both sides.
    f"insert into {THEIR_REFUNDS} (refund_id, payment_id, amount, state, created_at)"
    f" select gen_random_uuid(), payment_id, 100, 'failed', created_at from {THEIRS};"
    f" update {THEIRS} set has_refunds = true",
]

engine = paying_engine


async def compared(
    engine: bespeak.Engine,
    since: datetime = DAY[0],
    until: datetime = DAY[1],
    provider: PaymentProvider | None = None,
) -> ReconciliationReport:
    return await reconcile(engine.database, PAID, provider or bank(engine), since, until)


async def give_all_back(engine: bespeak.Engine, payment_id: str) -> None:
    paid = await engine.payments.payment(payment_id)
    assert paid.booking is not None
    await engine.cancel_booking(paid.booking.id, reason="ill", refund="full")
    await Refunder(engine.payments, engine.refunds).look()
    await until(engine, payment_id, "refunded")


@pytest.fixture
async def show(engine: bespeak.Engine, clock: Clock, make_show: MakeShow) -> Resource:
    return await paid_show(make_show)


@pytest.mark.parametrize(("is_refunded", "problem", "change"), PLANTED)
async def test_each_difference_is_found(
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    is_refunded: bool,
    problem: str,
    change: str,
) -> None:
    payment_id = await pay(engine, show, "A1", "tok_success")
    await until(engine, payment_id, "captured")
    if is_refunded:
        await give_all_back(engine, payment_id)
    clean = await compared(engine)
    assert (clean.ours, clean.theirs, clean.unsettled) == (1, 1, 0)
    assert clean.differences == []
    await connection.execute(change)
    found = await compared(engine)
    assert problem in {one.problem for one in found.differences}
    assert found.differences_total == len(found.differences)
    for one in found.differences:
        assert one.payment_id == payment_id
        assert one.meaning == DIFFERENCES[one.problem]
        assert one.ours != one.theirs or one.problem in ("charged_twice", "booking_missing")


def test_every_difference_is_planted() -> None:
    # Twice the same refund no bank of ours can have: its own test tells of that.
    assert set(CAPTURED) | set(REFUNDED) | {"refund_twice"} == set(DIFFERENCES)


@pytest.mark.parametrize("change", ALLOWED)
async def test_what_may_differ_is_not_called_a_difference(
    engine: bespeak.Engine, show: Resource, connection: Connection, change: str
) -> None:
    await until(engine, await pay(engine, show, "A1", "tok_success"), "captured")
    await connection.execute(change)
    found = await compared(engine)
    assert found.differences == []
    assert found.unsettled == ("step" in change)


class Altered(Sandbox):
    """The bank, telling something else than it knows."""

    def __init__(
        self,
        behind: Sandbox,
        alter: Callable[[Standing], list[Standing]],
        *,
        looks_altered: bool = True,
    ) -> None:
        super().__init__("", behind.database, behind.secret, behind.public_url, PAID)
        self._alter = alter
        self._looks_altered = looks_altered

    async def lookup(self, charge: Charge) -> Standing | None:
        found = await super().lookup(charge)
        return self._alter(found)[0] if found is not None and self._looks_altered else found

    async def charges(self, since: datetime, until: datetime) -> AsyncIterator[Standing]:
        async for one in super().charges(since, until):
            for told in self._alter(one):
                yield told


async def test_a_refund_that_was_given_twice_is_told(
    engine: bespeak.Engine, show: Resource
) -> None:
    payment_id = await pay(engine, show, "A1", "tok_success")
    await until(engine, payment_id, "captured")
    await give_all_back(engine, payment_id)
    provider = Altered(
        bank(engine), lambda one: [msgspec.structs.replace(one, refunds=one.refunds * 2)]
    )
    found = await compared(engine, provider=provider)
    (one,) = found.differences
    assert one.problem == "refund_twice"
    assert one.refund_id is not None
    assert one.theirs is not None
    assert one.theirs.amount == PRICE


async def test_a_second_charge_is_told_and_a_dead_one_is_not(
    engine: bespeak.Engine, show: Resource
) -> None:
    await until(engine, await pay(engine, show, "A1", "tok_success"), "captured")
    second = Altered(
        bank(engine), lambda one: [one, msgspec.structs.replace(one, reference="second")]
    )
    found = await compared(engine, provider=second)
    assert [(one.problem, one.reference) for one in found.differences] == [
        ("charged_twice", "second")
    ]
    dead = Altered(
        bank(engine),
        lambda one: [
            one,
            msgspec.structs.replace(one, reference="dead", state=StandingState.VOIDED, captured=0),
        ],
    )
    assert (await compared(engine, provider=dead)).differences == []


async def test_a_payment_that_began_on_both_sides_of_the_border_is_found(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    """Ours a moment before midnight, theirs a moment after: no difference on either day."""
    await until(engine, await pay(engine, show, "A1", "tok_success"), "captured")
    midnight = DAY[1]
    later, earlier = midnight + timedelta(seconds=1), midnight - timedelta(seconds=1)
    for ours, theirs in ((earlier, later), (later, earlier)):
        await connection.execute(f"update {OURS} set created_at = $1", ours)
        await connection.execute(f"update {THEIRS} set created_at = $1", theirs)
        for day in (START.date(), (START + timedelta(days=1)).date()):
            assert (await compared(engine, *day_of(day))).differences == []
        both = await compared(engine, DAY[0], DAY[1] + timedelta(days=1))
        assert (both.ours, both.theirs, both.differences) == (1, 1, [])


async def test_a_difference_at_the_border_is_told_once(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    await until(engine, await pay(engine, show, "A1", "tok_success"), "captured")
    hour = START.replace(minute=0)
    for ours, theirs in ((-1, 1), (1, -1)):
        await connection.execute(
            f"update {OURS} set created_at = $1", hour + timedelta(seconds=ours)
        )
        await connection.execute(
            f"update {THEIRS} set state = 'voided', created_at = $1",
            hour + timedelta(seconds=theirs),
        )
        found = await compared(engine)
        assert [one.problem for one in found.differences] == ["state_differs"]


async def test_all_outcomes_agree(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    tokens = (
        "tok_success", "tok_declined", "tok_challenge", "tok_pending", "tok_timeout_before",
        "tok_timeout_after", "tok_capture_fails", "tok_refund_fails",
    )  # fmt: skip
    for number, token in enumerate(tokens, 1):
        await pay(engine, show, f"A{number}", token)
    found = await compared(engine)
    assert found.differences == []
    assert found.ours == len(tokens)
    assert found.theirs == len(tokens) - 1  # one never reached the bank
    assert found.unsettled > 0


# Copies of a payment on both sides, spread over two hours, for holds that do not exist.
COPIED = """
    insert into bespeak.payment (resource_id, payment_id, hold_id, owner, provider, state, amount,
        currency, captured, captured_currency, window_ends_at, created_at, captured_at)
    select resource_id, numbered(payment_id, n), numbered(hold_id, n), owner, provider, state,
        amount, currency, captured, captured_currency, window_ends_at,
        created_at + make_interval(secs => n % 7000), captured_at
    from bespeak.payment, generate_series(1, {count}) n;
    insert into bespeak.sandbox_payment (payment_id, reference, owner, token, outcome, state,
        amount, currency, captured, description, created_at)
    select numbered(payment_id, n), 'r' || n, owner, token, outcome, state, amount, currency,
        captured, description, created_at + make_interval(secs => n % 7000)
    from bespeak.sandbox_payment, generate_series(1, {count}) n
"""
NUMBERED = """
    create function numbered(uuid, integer) returns uuid language sql as $$
        select overlay($1::text placing lpad(to_hex($2), 8, '0') from 29)::uuid
    $$
"""


async def test_many_pages_are_compared_and_the_report_is_bounded(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    await until(engine, await pay(engine, show, "A1", "tok_success"), "captured")
    count = DIFFERENCES_MAX + 200
    await connection.execute(NUMBERED)
    await connection.execute(COPIED.format(count=count))
    found = await compared(engine)
    assert (found.ours, found.theirs) == (count + 1, count + 1)
    assert found.differences_total == count  # not one of them is booked
    assert {one.problem for one in found.differences} == {"booking_missing"}
    assert len(found.differences) == DIFFERENCES_MAX


async def test_what_moves_meanwhile_is_asked_for_again(
    engine: bespeak.Engine, show: Resource, connection: Connection
) -> None:
    """The list is older than our record: the second look tells that they agree."""
    payment_id = await pay(engine, show, "A1", "tok_success")
    await until(engine, payment_id, "captured")

    stale = Altered(
        bank(engine),
        lambda one: [msgspec.structs.replace(one, state=StandingState.AUTHORIZED, captured=0)],
        looks_altered=False,
    )
    assert (await compared(engine, provider=stale)).differences == []
