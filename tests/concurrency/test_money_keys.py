"""One payment key at one instant, for two holds: the key commits with its effect, so one of them
begins and the other hears that the key is used.
"""

import asyncio
from typing import TYPE_CHECKING

import pytest

import bespeak
from bespeak import Hold, ids
from bespeak.errors import IdempotencyKeyReused
from bespeak.inventory.fingerprints import fingerprint
from bespeak.payments.ledger import BEGIN, PaymentRequestRow
from bespeak.payments.payment import Paid
from tests.concurrency.waiting import until_somebody_waits
from tests.harness.database import Connection, problems
from tests.harness.paying import assert_money_agrees, paid_show, paying_engine, take_seats
from tests.harness.shows import MakeShow

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record

engine = paying_engine


async def begin(connection: Connection, hold: Hold, key: str) -> "list[Record]":
    """What another process writes when it begins to pay for a hold."""
    number = ids.parse(ids.HOLD, hold.id)
    home = ids.home_of(number)
    row = PaymentRequestRow(
        payment_id=ids.IdMaker().new(home), home=home, hold_id=number, owner="asha",
        provider="sandbox", token="tok_success", return_url=None, contact=None,
        idempotency_key=key,
        fingerprint=fingerprint((str(number), "tok_success", "sandbox", "", "")),
        lease_seconds=30,
    )  # fmt: skip
    return await connection.fetch(BEGIN.text, home, [row])


@pytest.mark.parametrize("commit", [True, False])
async def test_one_key_for_two_holds_at_once(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    commit: bool,
) -> None:
    show = await paid_show(make_show)
    first, second = [await take_seats(engine, show, unit) for unit in ("A1", "A2")]
    transaction = one.transaction()
    await transaction.start()
    await begin(one, first, "k")
    paying_second = asyncio.create_task(
        engine.payments.pay(second.id, token="tok_success", owner="asha", idempotency_key="k")
    )
    await until_somebody_waits(connection, one)
    await (transaction.commit() if commit else transaction.rollback())
    (answer,) = await asyncio.gather(paying_second, return_exceptions=True)
    held = await engine.get_hold(second.id)
    if commit:
        assert isinstance(answer, IdempotencyKeyReused), answer
        assert answer.status == 422 and answer.data["fields"] == ["hold_id"]
        assert (held.state, held.expires_at) == ("held", second.expires_at), "it is not pinned"
        assert await connection.fetchval("select count(*) from bespeak.payment") == 1
    else:
        assert isinstance(answer, Paid) and answer.booking is not None
    assert await problems(connection) == []
    await assert_money_agrees(connection)


async def test_control_without_the_index_one_key_begins_two_payments(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    show = await paid_show(make_show)
    first, second = [await take_seats(engine, show, unit) for unit in ("A1", "A2")]
    await connection.execute(
        """
        drop index bespeak.payment_once;
        create unique index payment_once
            on bespeak.payment (resource_id, owner, idempotency_key, payment_id)
            where idempotency_key is not null
        """
    )
    functions: str = await connection.fetchval(
        "select pg_get_functiondef('bespeak.write_payments'::regproc)"
    )
    own = "(resource_id, owner, idempotency_key)"
    assert own in functions
    await connection.execute(
        functions.replace(own, "(resource_id, owner, idempotency_key, payment_id)")
    )
    async with one.transaction():
        await begin(one, first, "k")
        async with two.transaction():
            await begin(two, second, "k")
    assert await connection.fetchval("select count(*) from bespeak.payment") == 2
