"""The daily reconciliation: done once, taken over, put off; and what the doctor says of it."""

import json
from datetime import timedelta

import pytest

import bespeak
from bespeak import Resource
from bespeak.cli import checks
from bespeak.cli.checks import Finding
from bespeak.payments.reconciliation.daily import SETTLE_SECONDS, Reconciler
from bespeak.payments.reconciliation.report import day_of, last_runs, note_report, reconcile
from tests.harness.clock import START, Clock
from tests.harness.database import Connection
from tests.harness.paying import PAID, bank, paid_show, pay, paying, paying_engine
from tests.harness.settling import until
from tests.harness.shows import MakeShow

DAY = day_of(START.date())

engine = paying_engine


@pytest.fixture
async def show(engine: bespeak.Engine, clock: Clock, make_show: MakeShow) -> Resource:
    return await paid_show(make_show)


async def doctor_says(connection: Connection) -> Finding:
    """What the doctor finds about reconciling."""
    found = {one.check: one for one in await checks.all_of(connection)}
    return found["reconciliation"]


async def test_the_day_is_compared_once_by_whoever_looks(
    engine: bespeak.Engine, database_url: str, show: Resource, clock: Clock, connection: Connection
) -> None:
    await until(engine, await pay(engine, show, "A1", "tok_success"), "captured")
    assert [run.provider for run in await last_runs(connection)] == ["any"]
    clock.shared_with(engine)
    await clock.set(DAY[1] + timedelta(seconds=SETTLE_SECONDS - 1))
    await Reconciler(engine, engine.payments.providers).look()
    (before,) = await last_runs(connection)
    assert before.until == DAY[0]  # the day before: this one has not settled yet
    await clock.advance(1)
    async with paying(database_url) as other:
        clock.shared_with(other)
        for each in (engine, other):
            await Reconciler(each, each.payments.providers).look()
    (run,) = await last_runs(connection)
    assert (run.since, run.until) == DAY
    assert run.bad_differences is None
    row = await connection.fetchrow("select * from bespeak.reconciliation where since = $1", DAY[0])
    assert row is not None
    assert (row["state"], row["tries"], row["ours"], row["theirs"]) == ("done", 1, 1, 1)
    assert (await doctor_says(connection)).verdict == "ok"
    await clock.advance(5 * 86_400)
    assert (await doctor_says(connection)).verdict == "warning"


async def test_a_provider_that_is_away_is_asked_again_later(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    await until(engine, await pay(engine, show, "A1", "tok_success"), "captured")
    clock.shared_with(engine)
    await clock.set(DAY[1] + timedelta(seconds=SETTLE_SECONDS))
    reconciler = Reconciler(engine, engine.payments.providers)
    bank(engine).is_away = True
    await reconciler.look()
    assert (await doctor_says(connection)).verdict == "warning"
    bank(engine).is_away = False
    await clock.advance(120)
    await reconciler.look()
    (run,) = await last_runs(connection)
    assert run.ended_at is None
    assert run.failure is not None
    await clock.advance(1000)
    await reconciler.look()
    (run,) = await last_runs(connection)
    assert run.ended_at is not None
    assert run.failure is None


async def test_a_run_whose_process_died_is_taken_over(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    clock.shared_with(engine)
    await clock.set(DAY[1] + timedelta(seconds=SETTLE_SECONDS))
    await connection.execute(
        "insert into bespeak.reconciliation (provider, since, until, state, due_at, begun_at)"
        " values ('sandbox', $1, $2, 'running', bespeak.now() + interval '600 s', bespeak.now())",
        *DAY,
    )
    reconciler = Reconciler(engine, engine.payments.providers)
    await reconciler.look()
    state = "select state from bespeak.reconciliation"
    assert await connection.fetchval(state) == "running"
    await clock.advance(601)
    await reconciler.look()
    assert await connection.fetchval(state) == "done"


async def test_the_doctor_tells_of_differences_until_they_are_gone(
    engine: bespeak.Engine, show: Resource, clock: Clock, connection: Connection
) -> None:
    assert (await doctor_says(connection)).verdict == "ok"
    await until(engine, await pay(engine, show, "A1", "tok_success"), "captured")
    clock.shared_with(engine)
    await connection.execute("update bespeak.sandbox_payment set state = 'voided'")
    await clock.set(DAY[1] + timedelta(seconds=SETTLE_SECONDS))
    await Reconciler(engine, engine.payments.providers).look()
    finding = await doctor_says(connection)
    assert finding.verdict == "failed"
    assert "2030-01-01T00:00Z" in finding.remedy
    kept = await connection.fetchval("select report::text from bespeak.reconciliation")
    assert [one["problem"] for one in json.loads(kept)] == ["state_differs"]
    await connection.execute("update bespeak.sandbox_payment set state = 'captured'")
    again = await reconcile(engine.database, PAID, bank(engine), *DAY)
    await note_report(engine.database, PAID, again)
    assert (await doctor_says(connection)).verdict == "ok"
