"""The auditor of the money finds what is planted, each kind; so its silence is a proof."""

import asyncio
import re
from contextlib import suppress

import pytest

import bespeak
from bespeak import Resource
from bespeak.errors import BespeakError
from bespeak.payments.audit import PROBLEMS, money_problems
from bespeak.payments.recovery import Recovery
from bespeak.reservations.sweeper import Sweeper
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.paying import assert_money_agrees, paid_show, paying_engine, take_seats
from tests.harness.refunding import refund_all
from tests.harness.shows import MakeShow

REFUND = """
    insert into bespeak.refund (resource_id, refund_id, payment_id, hold_id, amount, currency,
        cause, state, due_at, created_at, ended_at)
    select p.resource_id, bespeak.new_id(p.resource_id), p.payment_id, p.hold_id, p.amount,
        p.currency, 'late', '{state}', {due_at}, bespeak.now(), {ended_at}
    from bespeak.payment p;
    update bespeak.payment set refunding = amount;
"""
DUE = REFUND.format(state="pending", due_at="bespeak.now()", ended_at="null")
FAILED = REFUND.format(state="failed", due_at="null", ended_at="bespeak.now()")
DONE = REFUND.format(state="refunded", due_at="null", ended_at="bespeak.now()") + (
    "update bespeak.payment set refunded = amount, state = 'refunded';"
)

# What to do to one booking that was paid for (captured) so that each problem is there.
PLANTED = {
    "payment_without_hold": ["delete from bespeak.hold; delete from bespeak.booking"],
    "payment_differs": [
        "update bespeak.payment set owner = 'bela'",
        "update bespeak.payment set amount = amount + 1",
        "update bespeak.payment set currency = 'USD'",
    ],
    "payment_without_booking": [
        "delete from bespeak.booking",
        "delete from bespeak.booking; update bespeak.payment set late = 'same_units'",
        "delete from bespeak.booking; update bespeak.payment set state = 'authorized',"
        " step = 'capture', due_at = bespeak.now()",
    ],
    "paid_twice": [
        """
        drop index bespeak.payment_live;
        insert into bespeak.payment (resource_id, payment_id, hold_id, owner, provider, state,
            amount, currency, captured, captured_currency, window_ends_at, created_at, captured_at)
        select resource_id, bespeak.new_id(resource_id), hold_id, owner, provider, state, amount,
            currency, captured, captured_currency, window_ends_at, created_at, captured_at
        from bespeak.payment
        """
    ],
    "step_wrong": [
        "update bespeak.payment set state = 'authorized'",
        "update bespeak.payment set state = 'pending'",
        "update bespeak.payment set step = 'capture', due_at = bespeak.now()",
        "update bespeak.payment set state = 'authorized', step = 'await', due_at = bespeak.now()",
        "update bespeak.payment set state = 'voided', step = 'void', due_at = bespeak.now()",
        "update bespeak.payment set state = 'failed', step = 'capture', due_at = bespeak.now()",
        "update bespeak.payment set state = 'refunded', step = 'check', due_at = bespeak.now()",
    ],
    "step_stuck": [
        "update bespeak.payment set state = 'authorized', step = 'capture',"
        " due_at = bespeak.now() - interval '301 seconds'",
    ],
    "step_failing": [
        "update bespeak.payment set state = 'authorized', step = 'capture', tries = 12,"
        " due_at = bespeak.now()",
        "update bespeak.payment set state = 'pending', step = 'await', due_at = bespeak.now(),"
        " window_ends_at = bespeak.now() - interval '25 hours'",
    ],
    "late_money_kept": ["update bespeak.payment set late = 'refund'"],
    "captured_differs": [
        "update bespeak.payment set captured = captured - 1",
        "update bespeak.payment set captured_currency = 'USD'",
    ],
    "mismatch_kept": [
        "update bespeak.payment set late = 'refund', failure = 'amount_mismatch',"
        " captured_at = bespeak.now() - interval '301 seconds'"
    ],
    "refunds_miscounted": [
        "update bespeak.payment set refunding = 1",
        DUE + "update bespeak.payment set refunding = 0",
        DUE + "update bespeak.refund set amount = amount - 1",
        DUE + "update bespeak.payment set refunded = 1",
        DONE + "update bespeak.payment set refunded = amount - 1",
    ],
    "refund_state_wrong": [
        DONE + "update bespeak.payment set state = 'captured'",
        "update bespeak.payment set state = 'refunded'",
        DONE + "update bespeak.payment set state = 'voided'",
    ],
    "cancelled_but_paid": [
        "update bespeak.booking set state = 'cancelled', cancelled_at = bespeak.now(),"
        " reason = 'payment_failed'"
    ],
    "booking_unpaid": [
        "delete from bespeak.payment",
        "update bespeak.payment set state = 'failed'",
        "update bespeak.payment set state = 'voided'",
        "update bespeak.payment set late = 'refund'",
        "update bespeak.payment set state = 'failed';"
        " update bespeak.resource set updated_at = updated_at + interval '9 days'",
    ],
    "refund_without_payment": [DUE + "delete from bespeak.payment"],
    "refund_differs": [DUE + "update bespeak.refund set currency = 'USD'"],
    "refund_of_nothing": [DUE + "update bespeak.payment set state = 'voided'"],
    "refund_stuck": [
        DUE + "update bespeak.refund set due_at = bespeak.now() - interval '301 seconds'"
    ],
    "refund_failed": [FAILED],
}
# What looks much like one of them and is not.
ALLOWED = [
    DONE,
    DUE,
    "update bespeak.payment set state = 'authorized', step = 'capture', due_at = bespeak.now()",
    "update bespeak.payment set state = 'authorized', step = 'capture',"
    " due_at = bespeak.now() - interval '299 seconds'",
    "update bespeak.payment set state = 'authorized', step = 'void', late = 'refund',"
    " due_at = bespeak.now(); delete from bespeak.booking;",
    "update bespeak.payment set state = 'authorized', step = 'offer', due_at = bespeak.now();"
    " delete from bespeak.booking;",
    "update bespeak.booking set state = 'cancelled', cancelled_at = bespeak.now(), reason = 'ill'",
    # It came to want payment after this was booked.
    "delete from bespeak.payment;"
    " update bespeak.resource set updated_at = updated_at + interval '9 days'",
    "delete from bespeak.payment; update bespeak.resource set payment = 'none'",
    "delete from bespeak.payment; update bespeak.booking set amount = 0",
]

engine = paying_engine


async def captured(connection: Connection, count: int) -> None:
    """Waits until so many payments are captured."""
    async with asyncio.timeout(20):
        while (  # noqa: ASYNC110
            await connection.fetchval(
                "select count(*) from bespeak.payment where state = 'captured'"
            )
            < count
        ):
            await asyncio.sleep(0.02)


@pytest.fixture
async def stage(
    engine: bespeak.Engine, clock: Clock, make_show: MakeShow, connection: Connection
) -> Resource:
    """A show with one booking that is paid for."""
    show = await paid_show(make_show)
    hold = await take_seats(engine, show, "A1", "A2")
    await engine.payments.pay(hold.id, token="tok_success")
    await captured(connection, 1)
    await assert_money_agrees(connection)
    return show


@pytest.mark.parametrize(
    ("problem", "change"),
    [(problem, change) for problem, changes in PLANTED.items() for change in changes],
)
async def test_each_kind_is_found(
    stage: Resource, connection: Connection, problem: str, change: str
) -> None:
    await connection.execute(change)
    found = await money_problems(connection)
    assert problem in {one.problem for one in found}
    for one in found:
        assert one.resource_id == stage.id
        assert one.meaning == PROBLEMS[one.problem]


@pytest.mark.parametrize("change", ALLOWED)
async def test_what_may_be_is_not_reported(
    stage: Resource, connection: Connection, change: str
) -> None:
    await connection.execute(change)
    await assert_money_agrees(connection)


async def test_every_problem_has_a_sentence_and_is_planted(connection: Connection) -> None:
    source: str = await connection.fetchval(
        "select string_agg(prosrc, '') from pg_proc where pronamespace = 'bespeak'::regnamespace"
        " and proname in ('payment_problems', 'unpaid_bookings', 'refund_problems')"
    )
    named = set(re.findall(r"then '([a-z_]+)' end", source))
    named |= set(re.findall(r"select '([a-z_]+)',", source))
    assert named == set(PROBLEMS) == set(PLANTED)


async def test_the_grace_is_the_callers(stage: Resource, connection: Connection) -> None:
    await connection.execute(PLANTED["step_stuck"][0])
    assert await money_problems(connection, 3600) == []


TOKENS = (
    "tok_success", "tok_declined", "tok_insufficient_funds", "tok_expired_card", "tok_challenge",
    "tok_pending", "tok_timeout_before", "tok_timeout_after", "tok_capture_fails", "tok_unheard_of",
    "tok_refund_fails_once", "tok_wrong_amount", "tok_duplicate_callback", "tok_out_of_order",
    "tok_partial_capture", "tok_other_amount",
)  # fmt: skip


async def test_a_history_of_all_outcomes_has_none(
    engine: bespeak.Engine, clock: Clock, make_show: MakeShow, connection: Connection
) -> None:
    shows = [
        await paid_show(make_show, hold_seconds=60, hold_seconds_max=120, late_payment=policy)
        for policy in ("same_units", "equal_offer", "refund")
    ]
    recovery, sweeper = Recovery(engine.payments), Sweeper(engine.database.pool)
    for show in shows:
        for number, token in enumerate(TOKENS, 1):
            hold = await take_seats(engine, show, f"A{number}")
            with suppress(BespeakError):  # declined, as it should be
                await engine.payments.pay(hold.id, token=token)
            await assert_money_agrees(connection)
    await clock.advance(130)
    lost = TOKENS.index("tok_timeout_after") + 1
    for show in shows[1:]:
        await take_seats(engine, show, f"A{lost}", owner="bela")  # late money finds it taken
    for _ in range(12):
        await recovery.look()
        await refund_all(engine)
        await sweeper.sweep()
        await assert_money_agrees(connection)
        await clock.advance(600)
    states = {row[0] for row in await connection.fetch("select state from bespeak.payment")}
    assert states == {"captured", "failed", "voided", "refunded"}
    fates = {row[0] for row in await connection.fetch("select late from bespeak.payment")}
    assert fates == {None, "same_units", "equal_offer", "refund"}
