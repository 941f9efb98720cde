"""Numbers of invoices under a rush: none twice and none missing, whoever asks at the same time, and
whoever rolls back.
"""

import asyncio

import pytest

import bespeak
from bespeak import ids
from bespeak.invoices.audit import invoice_problems
from bespeak.invoices.billing import BillingDetails
from bespeak.invoices.errors import InvoiceIssued
from bespeak.invoices.service import Invoices
from tests.concurrency.waiting import meet
from tests.harness.database import Connection
from tests.harness.paying import paid_show, pay, paying_engine
from tests.harness.settling import until
from tests.harness.shows import MakeShow

engine = paying_engine

ISSUE = """
    select outcome, (invoice).place from bespeak.issue_invoice(
        p.resource_id, p.hold_id, p.payment_id, null, 'default', 'A-', 'UTC', p.captured,
        p.captured_currency, '{}', 10)
"""
KEEP = 'select bespeak.keep_billing($1, $2, \'{"company": "Other"}\')'


async def paid(engine: bespeak.Engine, make_show: MakeShow, count: int) -> list[str]:
    """Payments that took their money."""
    show = await paid_show(make_show)
    found = [await pay(engine, show, f"A{seat}", "tok_success") for seat in range(1, count + 1)]
    for one in found:
        await until(engine, one, "captured")
    return found


async def issue(connection: Connection, payment: str) -> tuple[str, int]:
    row = await connection.fetchrow(
        f"select i.* from bespeak.payment p, lateral ({ISSUE}) i where p.payment_id = $1",
        ids.parse(ids.PAYMENT, payment),
    )
    assert row is not None
    return row["outcome"], row["place"]


@pytest.mark.parametrize("commit", [True, False])
@pytest.mark.parametrize("is_first", [True, False])
async def test_two_who_issue_at_once(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
    commit: bool,
    is_first: bool,
) -> None:
    """Also for the first number of a series, which has no row to lock yet. Who rolls back, or dies,
    leaves no gap."""
    first, second, third = await paid(engine, make_show, 3)
    if not is_first:
        await issue(connection, third)
    before = 0 if is_first else 1
    answer = await meet(connection, one, issue(one, first), two, issue(two, second), commit=commit)
    assert answer == ("issued", before + (2 if commit else 1))
    assert await invoice_problems(connection) == []


@pytest.mark.parametrize("commit", [True, False])
async def test_one_payment_is_invoiced_once(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
    commit: bool,
) -> None:
    (payment,) = await paid(engine, make_show, 1)
    answer = await meet(
        connection, one, issue(one, payment), two, issue(two, payment), commit=commit
    )
    assert answer == ("replayed" if commit else "issued", 1)
    assert await connection.fetchval("select count(*) from bespeak.invoice") == 1
    assert await invoice_problems(connection) == []


async def test_control_the_highest_number_and_one_is_given_twice(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
) -> None:
    """The ordinary mistake: both see the same highest number."""
    first, _ = await paid(engine, make_show, 2)
    naive = "select coalesce(max(place), 0) + 1 from bespeak.invoice"
    async with one.transaction(), two.transaction():
        mine, theirs = await one.fetchval(naive), await two.fetchval(naive)
        await issue(one, first)
    assert mine == theirs


async def test_control_a_number_of_a_sequence_is_lost_with_its_taker(
    connection: Connection, one: Connection
) -> None:
    await connection.execute("create sequence naive")
    transaction = one.transaction()
    await transaction.start()
    assert await one.fetchval("select nextval('naive')") == 1
    await transaction.rollback()
    assert await one.fetchval("select nextval('naive')") == 2


async def test_a_crowd_has_every_number_once(
    engine: bespeak.Engine, make_show: MakeShow, connection: Connection
) -> None:
    """All bookings at once, each by three who ask."""
    payments = await paid(engine, make_show, 5)
    invoices = Invoices(engine)
    bookings = [(await engine.payments.payment(payment)).booking for payment in payments] * 3
    found = await asyncio.gather(
        *(invoices.issue(booking.id) for booking in bookings if booking is not None)
    )
    numbers = {one.number for (one,) in found}
    assert sorted(number[-6:] for number in numbers) == [f"{place:06}" for place in range(1, 6)]
    assert len(found) == 15
    assert await invoice_problems(connection) == []


@pytest.mark.parametrize("is_kept_first", [True, False])
async def test_what_a_buyer_was_told_is_kept_stands_on_the_invoice(
    engine: bespeak.Engine,
    make_show: MakeShow,
    connection: Connection,
    one: Connection,
    two: Connection,
    is_kept_first: bool,
) -> None:
    (payment,) = await paid(engine, make_show, 1)
    booking = (await engine.payments.payment(payment)).booking
    assert booking is not None
    number = ids.parse(ids.BOOKING, booking.id)
    home = ids.home_of(number)
    if is_kept_first:
        await meet(connection, one, one.fetchval(KEEP, home, number), two, issue(two, payment))
        buyer = await connection.fetchval("select buyer ->> 'company' from bespeak.invoice_buyer")
        assert buyer == "Other"
    else:
        answer = await meet(
            connection, one, issue(one, payment), two, two.fetchval(KEEP, home, number)
        )
        assert answer == "issued"
        with pytest.raises(InvoiceIssued):
            await Invoices(engine).keep_billing(booking.id, BillingDetails(company="Other"))
