"""What asks for the work that is due reads what is due, and not all that waits for later.
PostgreSQL itself tells how each was run, with plans for its arguments and with generic ones.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bespeak.postgres.queries import load
from tests.harness.database import Connection
from tests.harness.plans import reported, rows_read

WAITING = 3000  # of each kind, for later; three of each are due
DUE = 3
# Three that are due, or lie behind us, and many that are not.
MOMENTS = f"""
    create temporary view moment as
    select n, case when n <= {DUE} then bespeak.now() - interval '1 hour'
        else bespeak.now() + n * interval '1 minute' end as at
    from generate_series(1, {WAITING + DUE}) as n;
    create temporary view past as
    select n, case when n <= {DUE} then bespeak.now() - interval '1 hour'
        else bespeak.now() - interval '500 days' - n * interval '1 minute' end as at
    from generate_series(1, {WAITING + DUE}) as n;
"""
FILLED = """
    insert into bespeak.resource (resource_id, name, kind, plan) values (1, 'Show', 'show', '{}');
    insert into bespeak.hold (resource_id, hold_id, owner, state, resources, units, quantities,
        created_at, expires_at, extends_until)
    select 1, gen_random_uuid(), 'o' || n, 'held', '{1}', array['s' || n], '{null}', at, at, at
    from moment;
    insert into bespeak.payment (resource_id, payment_id, hold_id, owner, provider, state, step,
        due_at, amount, currency, window_ends_at, created_at)
    select 1, gen_random_uuid(), gen_random_uuid(), 'o', 'sandbox', 'pending', 'await', at, 1,
        'EUR', at, at from moment;
    insert into bespeak.refund (resource_id, refund_id, payment_id, hold_id, amount, currency,
        cause, state, due_at, created_at)
    select 1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, 'EUR', 'cancelled',
        'pending', at, at from moment;
    insert into bespeak.mail (mail_id, kind, hold_id, horizon, position, at, due_at, created_at)
    select gen_random_uuid(), 'refunded', gen_random_uuid(), '3', n, at, at, at from moment;
    insert into bespeak.webhook_endpoint (endpoint_id, url, description, secret, created_at,
        updated_at) values ('we_1', 'https://shop.example', '', 's', now(), now());
    insert into bespeak.webhook_delivery (endpoint_id, position, resource_id, horizon, kind, due_at,
        created_at)
    select 'we_1', n, 1, '3', 'held', at, at from moment;
    insert into bespeak.sandbox_payment (payment_id, reference, owner, token, outcome, state,
        amount, currency, description, due_at, created_at)
    select gen_random_uuid(), 'r' || n, 'o', 't', 'ok', 'pending', 1, 'EUR', '', at, at from moment;
    insert into bespeak.sandbox_refund (refund_id, payment_id, amount, state, due_at, created_at)
    select gen_random_uuid(), gen_random_uuid(), 1, 'pending', at, at from moment;
    insert into bespeak.sandbox_callback (callback_id, payment_id, kind, amount, currency, due_at,
        created_at)
    select 'c' || n, gen_random_uuid(), 'payment.failed', 1, 'EUR', at, at from moment;
    insert into bespeak.booking (resource_id, booking_id, owner, state, amount, currency,
        confirmed_at)
    select 1, gen_random_uuid(), 'o', 'confirmed', 1, 'EUR', at from past;
    insert into bespeak.minute_count (minute, what, currency, count, units, amount)
    select at, 'held', n::text, 1, 1, 1 from moment;
    insert into bespeak.refusal_count (minute, code, count) select at, n::text, 1 from moment;
"""

VERBS = load("bespeak.reservations", "verbs.sql")
HOLDS = load("bespeak.reservations", "live_holds.sql")
PAYMENTS = load("bespeak.payments", "payments.sql")
REFUNDS = load("bespeak.payments.refunds", "refunds.sql")
MAILS = load("bespeak.notifications.mail", "mails.sql")
WEBHOOKS = load("bespeak.notifications.webhooks", "webhooks.sql")
SANDBOX = load("bespeak.payments.providers.sandbox", "sandbox.sql")
FIGURES = load("bespeak.overview", "figures.sql")
TALLY = load("bespeak.overview", "tally.sql")

# What asks, by its name: the statement, its arguments, and the table that it asks.
ASKED: dict[str, tuple[str, tuple[object, ...], str]] = {
    "sweeper": (VERBS["expire_holds"], (1000,), "hold"),
    "payments": (PAYMENTS["due_payments"], (100, 30), "payment"),
    "next payment": (PAYMENTS["next_due"], (), "payment"),
    "refunds": (REFUNDS["due_refunds"], (100, 30), "refund"),
    "next refund": (REFUNDS["next_due"], (), "refund"),
    "mails": (MAILS["claim"], (100, 30), "mail"),
    "webhooks": (WEBHOOKS["claim"], (["we_1"], [100], 30), "webhook_delivery"),
    "sandbox": (SANDBOX["do_due"], (100,), "sandbox_payment"),
    "sandbox refunds": (SANDBOX["do_due"], (100,), "sandbox_refund"),
    "sandbox callbacks": (SANDBOX["claim_callbacks"], (10, 30.0), "sandbox_callback"),
    "next of the sandbox": (SANDBOX["next_due"], (), "sandbox_callback"),
    "lately sold": (FIGURES["times_by_kind"], (30, 1000, None), "booking"),
    "lapsed holds": (FIGURES["waiting_work"], (None,), "hold"),
    "minute counts": (TALLY["tidy"], (0,), "minute_count"),
    "refusal counts": (TALLY["tidy"], (0,), "refusal_count"),
}


@pytest.mark.parametrize("cached", ["auto", "force_generic_plan"])
async def test_what_is_due_is_read_by_its_index(connection: Connection, cached: str) -> None:
    await connection.execute(MOMENTS + FILLED)
    # Small tables are read whole where nothing forbids it; what is asked is whether an index helps.
    await connection.execute(f"analyze; set enable_seqscan = off; set plan_cache_mode = {cached}")
    for name, (statement, arguments, table) in ASKED.items():
        async with undone(connection), reported(connection) as nodes:
            await connection.fetch(statement, *arguments)
        found = [node for node in nodes if node.get("Relation Name") == table]
        assert any(node["Actual Loops"] for node in found), f"{name} looked at it"
        assert max(rows_read(node) for node in found) <= 10 * DUE, name


async def test_a_bound_that_is_asked_of_each_row_is_no_bound(connection: Connection) -> None:
    """The control: the clock itself as the bound, and all that waits is read."""
    await connection.execute(MOMENTS + FILLED)
    await connection.execute("analyze; set enable_seqscan = off")
    async with reported(connection) as nodes:
        await connection.fetch(
            "select from bespeak.payment where step is not null and due_at <= bespeak.now()"
        )
    assert max(rows_read(node) for node in nodes) > WAITING


async def test_what_is_still_held_is_read_without_what_has_lapsed(connection: Connection) -> None:
    await connection.execute(MOMENTS + FILLED)
    await connection.execute("update bespeak.hold set expires_at = created_at - interval '1 year'")
    await connection.execute("analyze bespeak.hold; set enable_seqscan = off")
    for statement, arguments in (
        (HOLDS["live_holds"], (None, 10, None)),
        (FIGURES["held_now"], (None,)),
    ):
        async with reported(connection) as nodes:
            await connection.fetch(statement, *arguments)
        found = [node for node in nodes if node.get("Relation Name") == "hold"]
        assert found and max(rows_read(node) for node in found) <= DUE


SWEPT = """
    insert into bespeak.hold (resource_id, hold_id, owner, state, resources, units, quantities,
        created_at, expires_at, extends_until)
    select 1, bespeak.new_id(1), 'o', 'held', '{1}', array['s' || n], '{null}', at, at, at
    from past limit 300;
    insert into bespeak.refund (resource_id, refund_id, payment_id, hold_id, amount, currency,
        cause, state, due_at, created_at)
    select 1, bespeak.new_id(1), gen_random_uuid(), gen_random_uuid(), 1, 'EUR', 'cancelled',
        'pending', at, at from past limit 300
"""


async def test_what_ends_is_found_by_its_key_whatever_is_known_of_the_table(
    connection: Connection,
) -> None:
    """A table of many that ended, analyzed when nothing was held or pending: then an index of what
    is looks as good as empty, and each of a batch was sought in the whole of it."""
    await connection.execute(MOMENTS + FILLED)
    await connection.execute(
        "update bespeak.hold set state = 'released', ended_at = expires_at;"
        "update bespeak.refund set state = 'refunded', ended_at = due_at, due_at = null"
    )
    await connection.execute("vacuum analyze")
    await connection.execute(SWEPT)
    refunds = await connection.fetch(
        "select (refund_id, 1, 'refunded', null, null)::bespeak.refund_report as report"
        " from bespeak.refund where state = 'pending'"
    )
    for statement, arguments in (
        (VERBS["expire_holds"], (1000,)),
        (REFUNDS["settle_refunds"], (1, [tuple(row["report"]) for row in refunds])),
    ):
        async with reported(connection) as nodes:
            await connection.fetch(statement, *arguments)
        lost = [float(str(node.get("Rows Removed by Join Filter", 0))) for node in nodes]
        assert max(lost) < WAITING, statement


@asynccontextmanager
async def undone(connection: Connection) -> AsyncIterator[None]:
    transaction = connection.transaction()
    await transaction.start()
    yield
    await transaction.rollback()
