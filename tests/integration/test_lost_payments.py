"""Payments that the provider has and our record lost: found, booked again or given back, once. The
provider keeps its books in a database of its own, as it does in life, and the record forgets.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from msgspec import structs

import bespeak
from bespeak import Line, Resource
from bespeak.inventory.resources import Price
from bespeak.payments.providers.provider import Charge, Ordered, PaymentProvider, Standing
from bespeak.payments.providers.provider import StandingState as State
from bespeak.payments.providers.stripe.metadata import metadata_of, ordered_of
from bespeak.payments.reconciliation.lost import LostPayment, Remedy, _row, lost_payments, recover
from bespeak.payments.reconciliation.report import reconcile
from bespeak.payments.recovery import Recovery
from bespeak.payments.refunds.refunder import Refunder
from bespeak.states import PaymentState
from tests.conformance.provider_doors import new_refund_id, open_sandbox
from tests.conformance.stripe_door import open_stripe_door
from tests.harness import database
from tests.harness.database import Connection, problems
from tests.harness.paying import PRICE, assert_money_agrees, paid_show, paying, take_seats
from tests.harness.shapes import FESTIVAL
from tests.harness.shows import MakeShow
from tests.integration.test_reconcile_command import command

if TYPE_CHECKING:
    from tests.harness.shapes import MakeShape


@pytest.fixture(params=["sandbox", "stripe"])
async def office(
    request: pytest.FixtureRequest, database_url: str, server: str
) -> AsyncIterator[tuple[bespeak.Engine, str]]:
    """An engine whose provider keeps its books elsewhere, and a token that pays."""
    async with paying(database_url) as engine, _elsewhere(request.param, server) as (bank, token):
        engine.payments.providers = {"sandbox": bank}
        bank.name = "sandbox"
        yield engine, token


@asynccontextmanager
async def _elsewhere(name: str, server: str) -> AsyncIterator[tuple[PaymentProvider, str]]:
    if name == "stripe":
        async with open_stripe_door() as door:
            yield door.stripe, door.success
    else:
        async with database.fresh_database(server) as url, open_sandbox(url) as bank:
            yield bank, "tok_success"


class Lost:
    """Paid bookings that the record lost."""

    def __init__(self, engine: bespeak.Engine, token: str, connection: Connection) -> None:
        self.engine = engine
        self.token = token
        self.connection = connection

    @property
    def bank(self) -> PaymentProvider:
        return self.engine.payments.providers["sandbox"]

    async def pay(self, show: Resource, *units: str, owner: str = "asha") -> str:
        """Pays for seats, up to the capture; the payment's id."""
        hold = await take_seats(self.engine, show, *units, owner=owner)
        return await self.pay_for(hold.id)

    async def pay_for(self, hold_id: str, *, captured: bool = True) -> str:
        paid = await self.engine.payments.pay(hold_id, token=self.token)
        assert paid.payment is not None and paid.booking is not None
        await asyncio.gather(*self.engine.payments._at_work.values())
        return paid.payment.id

    async def lose(self, *, but_holds: bool = False) -> None:
        """The record forgets every sale, as a standby that had not got it."""
        holds = [] if but_holds else ["hold", "hold_key", "claim", "draw", "pool"]
        for table in ("booking", "payment", "refund", "event", *holds):
            await self.connection.execute(f"delete from bespeak.{table}")

    async def found(self) -> list[LostPayment]:
        now = datetime.now(UTC)
        span = (now - timedelta(hours=1), now + timedelta(hours=1))
        return [one async for one in lost_payments(self.engine.database, self.bank, *span)]

    async def standing(self, lost: LostPayment) -> Standing:
        charge = Charge(payment_id=lost.payment_id, amount=lost.amount, reference=lost.reference)
        standing = await self.bank.lookup(charge)
        assert standing is not None
        return standing

    async def assert_clean(self) -> None:
        """Money and inventory agree, with each other and with the provider, and nothing is lost."""
        await Refunder(self.engine.payments, self.engine.refunds).look()
        assert await problems(self.connection) == []
        await assert_money_agrees(self.connection)
        now = datetime.now(UTC)
        report = await reconcile(
            self.engine.database, self.engine.settings, self.bank,
            now - timedelta(hours=1), now + timedelta(hours=1),
        )  # fmt: skip
        assert report.differences == []
        assert await self.found() == []


@pytest.fixture
def lost(office: tuple[bespeak.Engine, str], connection: Connection) -> Lost:
    return Lost(*office, connection)


async def test_what_is_in_the_record_is_not_lost(lost: Lost, make_show: MakeShow) -> None:
    show = await paid_show(make_show)
    await lost.pay(show, "A1")
    assert await lost.found() == []


async def test_a_lost_payment_is_found_with_all_that_was_bought(
    lost: Lost, make_show: MakeShow
) -> None:
    show = await paid_show(make_show)
    payment_id = await lost.pay(show, "A1", "A2", owner="bela")
    await lost.lose()
    (found,) = await lost.found()
    assert (found.payment_id, found.remedy, found.state) == (
        payment_id, Remedy.REBOOK, State.CAPTURED,
    )  # fmt: skip
    assert found.ordered is not None
    assert found.ordered.owner == "bela"
    assert found.ordered.lines == (Line(show.id, "A1"), Line(show.id, "A2"))


async def test_what_is_free_is_booked_again_with_the_money(lost: Lost, make_show: MakeShow) -> None:
    show = await paid_show(make_show)
    payment_id = await lost.pay(show, "A1")
    await lost.lose()
    (found,) = await lost.found()
    done = await recover(lost.engine.payments, found, refund=False)
    assert (done.outcome, done.payment_id) == ("rebooked", payment_id)
    assert done.booking_id is not None
    booking = await lost.engine.get_booking(done.booking_id, owner="asha")
    assert [line.unit for line in booking.lines] == ["A1"]
    paid = await lost.engine.payments.payment(payment_id)
    assert paid.payment is not None
    assert (paid.payment.state, paid.payment.late) == (PaymentState.CAPTURED, "same_units")
    await lost.assert_clean()


async def test_what_is_taken_by_now_goes_back(lost: Lost, make_show: MakeShow) -> None:
    show = await paid_show(make_show)
    await lost.pay(show, "A1")
    await lost.lose()
    other = await lost.pay(show, "A1", owner="bela")
    (found,) = await lost.found()
    done = await recover(lost.engine.payments, found, refund=False)
    assert (done.outcome, done.booking_id) == ("returned", None)
    await lost.assert_clean()
    assert (await lost.standing(found)).refunded == PRICE
    kept = await lost.engine.payments.payment(other)
    assert kept.payment is not None and kept.payment.state is PaymentState.CAPTURED


async def test_all_goes_back_where_that_is_wanted(lost: Lost, make_show: MakeShow) -> None:
    show = await paid_show(make_show)
    await lost.pay(show, "A1")
    await lost.lose()
    (found,) = await lost.found()
    assert (await recover(lost.engine.payments, found, refund=True)).outcome == "returned"
    await lost.assert_clean()
    assert (await lost.standing(found)).refunded == PRICE


async def test_another_price_by_now_pays_for_nothing(lost: Lost, make_show: MakeShow) -> None:
    show = await paid_show(make_show)
    await lost.pay(show, "A1")
    await lost.lose()
    change = bespeak.ResourceChange(price=Price(PRICE + 100, "EUR"))
    await lost.engine.update_resource(show.id, change)
    (found,) = await lost.found()
    assert (await recover(lost.engine.payments, found, refund=False)).outcome == "returned"
    await lost.assert_clean()


async def test_a_hold_that_is_still_held_is_settled_as_if_nothing_was_lost(
    lost: Lost, make_show: MakeShow
) -> None:
    """The standby had got the hold, and not what came after."""
    show = await paid_show(make_show)
    hold = await take_seats(lost.engine, show, "A1")
    rows = await lost.connection.fetch("select * from bespeak.claim")
    await lost.pay_for(hold.id)
    await lost.lose(but_holds=True)
    await lost.connection.execute("update bespeak.hold set state = 'held', ended_at = null;")
    await lost.connection.execute("update bespeak.claim set expires_at = $1", rows[0]["expires_at"])
    (found,) = await lost.found()
    done = await recover(lost.engine.payments, found, refund=False)
    assert (done.outcome, done.booking_id) == ("rebooked", hold.id.replace("hold_", "bkg_"))
    await asyncio.gather(*lost.engine.payments._at_work.values())
    await lost.assert_clean()


async def test_it_is_recovered_once_however_many_try(lost: Lost, make_show: MakeShow) -> None:
    show = await paid_show(make_show)
    await lost.pay(show, "A1")
    await lost.lose()
    (found,) = await lost.found()
    done = await asyncio.gather(
        *(recover(lost.engine.payments, found, refund=refund) for refund in (False, True, False))
    )
    assert sorted(one.outcome == "known" for one in done) == [False, True, True]
    assert (await recover(lost.engine.payments, found, refund=True)).outcome == "known"
    await lost.assert_clean()


@pytest.mark.parametrize("refund", [False, True])
async def test_who_dies_right_after_adopting_leaves_the_rest_to_the_background_worker(
    lost: Lost, make_show: MakeShow, refund: bool
) -> None:
    show = await paid_show(make_show)
    payment_id = await lost.pay(show, "A1")
    await lost.lose()
    (found,) = await lost.found()
    with lost.engine.acting_as("till-3"):
        await lost.engine.payments.ledger.adopt(_row(found, refund=refund))
    begun = await lost.connection.fetch("select actor from bespeak.event where kind like '%_begun'")
    assert {row["actor"] for row in begun} == {"till-3"}
    assert await lost.found() == []
    await lost.connection.execute("update bespeak.payment set due_at = now() where step <> ''")
    await Recovery(lost.engine.payments).look()
    await lost.assert_clean()
    paid = await lost.engine.payments.payment(payment_id)
    assert paid.payment is not None
    assert (paid.payment.late, paid.booking is None) == (
        "refund" if refund else "same_units", refund,
    )  # fmt: skip


async def test_what_somebody_wrote_at_the_provider_is_left_to_people(
    lost: Lost, make_show: MakeShow
) -> None:
    show = await paid_show(make_show)
    await lost.pay(show, "A1")
    await lost.lose()
    (found,) = await lost.found()
    await _refund_some(lost, found)
    (found,) = await lost.found()
    assert found.remedy is Remedy.BY_HAND
    with pytest.raises(ValueError, match="by hand"):
        await recover(lost.engine.payments, found, refund=True)


async def _refund_some(lost: Lost, found: LostPayment) -> None:
    charge = Charge(payment_id=found.payment_id, amount=found.amount, reference=found.reference)
    await lost.bank.refund(charge, new_refund_id(), 100)


async def test_the_command_lists_what_is_lost_and_does_what_it_is_told(
    database_url: str, make_show: MakeShow, connection: Connection
) -> None:
    """Here the bank keeps its books in the same database, which only half forgets."""
    async with paying(database_url) as engine:
        lost = Lost(engine, "tok_success", connection)
        show = await paid_show(make_show)
        payment_id = await lost.pay(show, "A1")
        await lost.lose()
    listed = command(database_url, "reconcile", "--rebook", "--provider", "sandbox")
    assert listed.returncode == 1, listed.stderr
    assert payment_id in listed.stdout
    assert "add --apply to do it" in listed.stdout
    assert await connection.fetchval("select count(*) from bespeak.payment") == 0
    done = command(
        database_url, "reconcile", "--rebook", "--apply", "--provider", "sandbox", "--json"
    )
    assert done.returncode == 0, done.stderr
    (one,) = json.loads(done.stdout)
    assert (one["lost"]["payment_id"], one["recovered"]["outcome"]) == (payment_id, "rebooked")
    again = command(database_url, "reconcile", "--refund", "--apply", "--provider", "sandbox")
    assert (again.returncode, again.stdout.strip()) == (0, "no payment is lost")
    assert await problems(connection) == []
    await assert_money_agrees(connection)


@pytest.mark.parametrize(
    ("wishes", "said"),
    [
        (("--apply",), "--apply goes with --rebook or --refund"),
        (("--rebook", "--refund", "--apply"), "either --rebook or --refund"),
    ],
)
def test_wishes_that_make_no_sense_are_refused(
    database_url: str, wishes: tuple[str, ...], said: str
) -> None:
    answer = command(database_url, "reconcile", *wishes, "--provider", "sandbox")
    assert answer.returncode == 1
    assert said in answer.stderr


@pytest.mark.parametrize("number", [1, 300])
def test_stripe_keeps_all_lines_or_none(number: int) -> None:
    """Some of them would pass for all."""
    lines = tuple(Line("res_00000000", f"Stalls row {n} seat {n}", n) for n in range(1, number + 1))
    ordered = Ordered("hold_x", "asha", lines)
    kept = metadata_of(ordered)
    assert len(kept) <= 47
    assert all(len(name) <= 40 and len(text) <= 500 for name, text in kept.items())
    assert ordered_of(kept) == (ordered if number == 1 else Ordered("hold_x", "asha"))
    assert ordered_of({**kept, "bespeak_lines_0": "[{"}) == Ordered("hold_x", "asha")
    assert ordered_of({"bespeak_hold_id": "hold_x"}) is None


async def test_a_product_is_booked_again_too(lost: Lost, make_shape: "MakeShape") -> None:
    """What is held is not simply its claims."""
    festival = await make_shape(FESTIVAL, payment="required")
    line = structs.replace(FESTIVAL.one, resource_id=festival.id)
    hold = await lost.engine.place_hold(owner="asha", lines=[line])
    await lost.pay_for(hold.id)
    await lost.lose()
    (found,) = await lost.found()
    done = await recover(lost.engine.payments, found, refund=False)
    assert done.outcome == "rebooked"
    booking = await lost.engine.get_booking(str(done.booking_id))
    assert [one.unit for one in booking.lines] == [one.unit for one in hold.lines]
    await lost.assert_clean()
