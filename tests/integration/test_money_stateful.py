"""A random hour with faults, after which money and inventory agree to the last cent: by our own
audit, by the bank's books, and seat by seat. The header of the run has the seed that repeats it.
"""

import random
from datetime import timedelta

import pytest

from bespeak.payments.reconciliation.report import day_of, reconcile
from tests.harness.clock import START, Clock
from tests.harness.database import Connection, problems
from tests.harness.hour import Hour
from tests.harness.paying import PAID, assert_money_agrees, bank, money_problems, paid_show
from tests.harness.shows import MakeShow

STEPS = 150
ROUNDS = 3

# What the bank has of each payment and did not give back, and what we have for it.
KEPT = """
select b.payment_id, b.amount - b.refunded as kept, p.state, p.refunding, p.refunded, p.late,
    k.state as booking
from bespeak.sandbox_payment b
left join bespeak.payment p on p.payment_id = b.payment_id
left join bespeak.booking k on k.resource_id = p.resource_id and k.booking_id = p.hold_id
where b.state = 'captured' and b.refunded < b.amount
"""


@pytest.mark.parametrize("round_number", range(ROUNDS))
async def test_a_random_hour_with_faults_ends_well(
    database_url: str,
    dice: random.Random,
    clock: Clock,
    make_show: MakeShow,
    connection: Connection,
    round_number: int,
) -> None:
    hour = Hour(database_url, dice, clock, connection)
    for policy in ("same_units", "equal_offer", "refund"):
        hour.shows.append(
            await paid_show(
                make_show,
                hold_seconds=60,
                hold_seconds_max=300,
                payment_seconds=120,
                late_payment=policy,
            )
        )
    await hour.open()
    try:
        for step in range(STEPS):
            await hour.happen()
            assert not await unfinished(connection), f"after step {step}"
        await hour.engines[0].call_off(hour.shows[0].id, reason="rain")
        await hour.end()
        await ended_well(hour, connection)
        assert hour.deaths > 0
    finally:
        await hour.close()


async def unfinished(connection: Connection) -> list[str]:
    """In the middle of it nothing disagrees either: what is not done is written down as to do.
    Only time, which jumps here, may have made something late."""
    late = ("step_stuck", "refund_stuck", "refund_failed", "step_failing")
    return [one for one in await money_problems(connection) if one.split()[0] not in late]


async def ended_well(hour: Hour, connection: Connection) -> None:
    # A refund that the bank refuses for good is for people: it is told, and it is all that is.
    await assert_money_agrees(connection, "refund_failed")
    assert await problems(connection) == []
    engine = hour.engines[0]
    for days in range(-1, 3):
        since, until = day_of((START + timedelta(days=days)).date())
        report = await reconcile(engine.database, PAID, bank(engine), since, until)
        assert report.differences == []
        assert report.unsettled == 0
    for row in await connection.fetch(KEPT):
        assert row["state"] in ("captured", "refunded"), row
        assert row["booking"] is not None or row["late"] == "refund", row
        # What is kept is what was not to be given back, or what the bank would not give back.
        refused = await connection.fetchval(
            "select coalesce(sum(amount), 0) from bespeak.refund"
            " where payment_id = $1 and state = 'failed'",
            row["payment_id"],
        )
        assert row["refunding"] - row["refunded"] == refused, row
    booked = await connection.fetch(
        "select p.state, p.late from bespeak.booking b left join bespeak.payment p"
        " on p.resource_id = b.resource_id and p.hold_id = b.booking_id"
        " and p.state in ('captured', 'refunded') and p.late is distinct from 'refund'"
        " where b.state = 'confirmed'"
    )
    assert all(row["state"] is not None for row in booked)
