"""The crash matrix of money: every step of the settlement, and everything that can happen at it.
Whatever happens, those who come after finish it or unwind it: money and inventory agree, the bank
has charged once or not at all, and the end is one that the table allows.
"""

from collections.abc import AsyncIterator

import pytest

import bespeak
from bespeak import Hold
from bespeak.payments.ledger import Ledger
from bespeak.payments.providers.provider import PaymentProvider
from bespeak.payments.providers.sandbox.callbacks import SIGNATURE_HEADER
from bespeak.payments.recovery import Recovery
from bespeak.payments.refunds.record import Refunds
from bespeak.payments.refunds.refunder import Refunder
from bespeak.reservations.sweeper import Sweeper
from tests.harness.clock import Clock
from tests.harness.crashing import Facts, Fault, Step, die, suffer
from tests.harness.database import Connection, problems
from tests.harness.paying import (
    PRICE,
    assert_money_agrees,
    money_problems,
    paid_show,
    paying,
    take_seats,
)
from tests.harness.settling import until
from tests.harness.shows import MakeShow
from tests.harness.telling import bank_of, callback

_SETTLE = "bespeak.settle_payments("

STEPS = {
    "begin": Step("ledger", "begin", "bought", marker="bespeak.begin_payments("),
    "authorize": Step("provider", "authorize", "bought"),
    "settle authorized": Step("ledger", "settle", "bought", "authorized", _SETTLE),
    "capture": Step("provider", "capture", "bought"),
    "settle captured": Step("ledger", "settle", "bought", "captured", _SETTLE),
    "settle mismatch": Step("ledger", "settle", "partial", "captured", _SETTLE),
    "refund mismatch": Step("provider", "refund", "returning"),
    "settle failed": Step("ledger", "settle", "declined", "failed", _SETTLE),
    "claim": Step("ledger", "due", "left", marker="bespeak.due_payments("),
    "send again": Step("provider", "authorize", "left"),
    "look up": Step("provider", "lookup", "late"),
    "settle late": Step("ledger", "settle", "late", "authorized", _SETTLE),
    "settle lost": Step("ledger", "settle", "lost", "authorized", _SETTLE),
    "void": Step("provider", "void", "lost"),
    "settle voided": Step("ledger", "settle", "lost", "voided", _SETTLE),
    "void abandoned": Step("provider", "void", "abandoned"),
    "settle abandoned": Step("ledger", "settle", "abandoned", "voided", _SETTLE),
    "settle offered": Step("ledger", "settle", "offered", "authorized", _SETTLE),
    "place offer": Step("engine", "place_hold", "offered", marker="bespeak.place_holds("),
    "rebook": Step("ledger", "rebook", "offered", marker="bespeak.rebook_payment("),
    "look up told": Step("provider", "lookup", "told"),
    "cancel": Step("engine", "cancel_booking", "booked", marker="bespeak.cancel_bookings("),
    "claim refund": Step("refunds", "due", "cancelled", marker="bespeak.due_refunds("),
    "refund": Step("provider", "refund", "cancelled"),
    "settle refund": Step("refunds", "settle", "cancelled", marker="bespeak.settle_refunds("),
    "note callback": Step("ledger", "note_callback", "told", marker="bespeak.payment_callback "),
}

# What asks nobody and writes nothing down, and so is no step.
READS = {
    # of the ledger
    "paid", "payments_of", "provider_of", "callback_outcome", "next_due_seconds", "measure",
    "get", "of_booking", "of_payment", "failed", "at_desk", "work",  # of the refunds
    "charges", "read_callback", "close",  # of a provider
    "retry",  # writes, but it is a person who asks for it, and nothing follows
    "adopt",  # of a command; died around it, see tests/integration/test_lost_payments.py
}  # fmt: skip

NOTHING = "nothing happened"
BOOKED = "booked and captured"
SAME = "booked late, the same units"
OTHER = "booked late, an equal offer"
VOIDED = "given back, nothing booked"
FAILED = "failed, nothing booked"
REFUNDED = "cancelled and refunded"
MISMATCHED = "another amount taken, cancelled, and that amount refunded"

# How each may end. Where a process dies before anything was written down, nothing happened; all
# else is brought to the end that it would have come to.
ENDS: dict[str, dict[Fault, set[str]]] = {
    name: dict.fromkeys(step.faults, ends)
    for name, step, ends in (
        ("begin", STEPS["begin"], {BOOKED}),
        ("authorize", STEPS["authorize"], {BOOKED}),
        ("settle authorized", STEPS["settle authorized"], {BOOKED}),
        ("capture", STEPS["capture"], {BOOKED}),
        ("settle captured", STEPS["settle captured"], {BOOKED}),
        ("settle mismatch", STEPS["settle mismatch"], {MISMATCHED}),
        ("refund mismatch", STEPS["refund mismatch"], {MISMATCHED}),
        ("settle failed", STEPS["settle failed"], {FAILED}),
        ("claim", STEPS["claim"], {BOOKED}),
        ("send again", STEPS["send again"], {BOOKED}),
        ("look up", STEPS["look up"], {SAME}),
        ("settle late", STEPS["settle late"], {SAME}),
        ("settle lost", STEPS["settle lost"], {VOIDED}),
        ("void", STEPS["void"], {VOIDED}),
        ("settle voided", STEPS["settle voided"], {VOIDED}),
        ("void abandoned", STEPS["void abandoned"], {FAILED}),
        ("settle abandoned", STEPS["settle abandoned"], {FAILED}),
        ("settle offered", STEPS["settle offered"], {OTHER}),
        ("place offer", STEPS["place offer"], {OTHER}),
        ("rebook", STEPS["rebook"], {OTHER}),
        ("cancel", STEPS["cancel"], {REFUNDED}),
        ("claim refund", STEPS["claim refund"], {REFUNDED}),
        ("refund", STEPS["refund"], {REFUNDED}),
        ("settle refund", STEPS["settle refund"], {REFUNDED}),
        ("look up told", STEPS["look up told"], {BOOKED}),
        ("note callback", STEPS["note callback"], {BOOKED}),
    )
}
ENDS["begin"][Fault.KILLED_BEFORE] = {NOTHING}
ENDS["cancel"][Fault.KILLED_BEFORE] = {BOOKED}

MATRIX = [(name, fault, ends) for name, row in ENDS.items() for fault, ends in row.items()]


PAID_WITH = {
    "bought": "tok_success",
    "declined": "tok_declined",
    "partial": "tok_partial_capture",
}


class ChannelState:
    """A story up to the act in which the blow falls."""

    def __init__(self, engine: bespeak.Engine, make_show: MakeShow, clock: Clock) -> None:
        self.engine = engine
        self.clock = clock
        self._make_show = make_show

    async def prepare(self, story: str) -> tuple[str, Facts]:
        """What comes before; the act, and what it has to know."""
        policy = "equal_offer" if story == "offered" else "same_units"
        show = await paid_show(
            self._make_show, hold_seconds=600, hold_seconds_max=1200, late_payment=policy
        )
        hold = await take_seats(self.engine, show, "A1")
        if story in PAID_WITH:
            return "pay", {"hold": hold.id, "token": PAID_WITH[story]}
        if story == "returning":
            paid = await self.engine.payments.pay(hold.id, token="tok_partial_capture")
            assert paid.payment is not None
            await until(self.engine, paid.payment.id, "captured")
            return "refund", {}
        if story in ("booked", "cancelled"):
            return await self._book(hold, is_cancelled=story == "cancelled")
        challenged = story in ("told", "abandoned")
        token = "tok_challenge" if challenged else "tok_timeout_after"
        paid = await self.engine.payments.pay(hold.id, token=token)
        assert paid.payment is not None
        if story == "told":
            await bank_of(self.engine).decide(paid.payment.id, approve=True)
            told = callback(self.engine, paid.payment.id, amount=PRICE)
            return "be told", {
                "header": SIGNATURE_HEADER,
                "signature": told.headers[SIGNATURE_HEADER],
                "body": told.body.decode(),
            }
        await self.clock.advance(5 if story == "left" else 1300)
        if story in ("lost", "offered"):
            await take_seats(self.engine, show, "A1", owner="ben")
        return "recover", {}

    async def _book(self, hold: Hold, *, is_cancelled: bool) -> tuple[str, Facts]:
        paid = await self.engine.payments.pay(hold.id, token="tok_success")
        assert paid.booking is not None
        await self.heal()
        if not is_cancelled:
            return "cancel", {"booking": paid.booking.id}
        await self.engine.cancel_booking(paid.booking.id, reason="ill", refund="full")
        return "refund", {}

    async def heal(self) -> None:
        """Those who come after do what is due, whenever it is, until nothing is."""
        recovery = Recovery(self.engine.payments)
        refunder = Refunder(self.engine.payments, self.engine.refunds)
        for _ in range(60):
            await recovery.look()
            await refunder.look()
            waits = (
                await self.engine.payments.ledger.next_due_seconds(),
                await self.engine.refunds.next_due_seconds(),
            )
            left = [seconds for seconds in waits if seconds is not None]
            if not left:
                break
            await self.clock.advance(max(min(left), 0) + 0.001)
        else:
            raise AssertionError("there is always something due")
        await self.clock.advance(2000)
        await Sweeper(self.engine.database.pool).sweep()


@pytest.fixture
async def scene(
    database_url: str, make_show: MakeShow, clock: Clock
) -> AsyncIterator[ChannelState]:
    async with paying(database_url) as engine:
        clock.shared_with(engine)
        yield ChannelState(engine, make_show, clock)


_END = """
select p.state, p.late, b.state as booking, s.state as bank, s.amount, p.amount as wanted,
    p.refunded, s.refunded as bank_refunded
from bespeak.payment p
left join bespeak.booking b on b.resource_id = p.resource_id and b.booking_id = p.hold_id
left join bespeak.sandbox_payment s on s.payment_id = p.payment_id
"""


async def end_of(connection: Connection) -> str:
    """How it ended, by our record and the bank's books alike."""
    rows = await connection.fetch(_END)
    charges = await connection.fetchval("select count(*) from bespeak.sandbox_payment")
    if not rows:
        assert charges == 0
        return NOTHING
    (row,) = rows
    assert charges == 1
    assert row["amount"] == row["wanted"] == PRICE
    assert row["refunded"] == row["bank_refunded"]
    return {
        ("captured", None, "confirmed", "captured"): BOOKED,
        ("captured", "same_units", "confirmed", "captured"): SAME,
        ("captured", "equal_offer", "confirmed", "captured"): OTHER,
        ("voided", "refund", None, "voided"): VOIDED,
        ("refunded", None, "cancelled", "captured"): REFUNDED,
        ("refunded", "refund", "cancelled", "captured"): MISMATCHED,
        ("failed", None, None, "failed"): FAILED,
        ("failed", None, None, "voided"): FAILED,
    }.get(tuple(row)[:4], str(tuple(row)))


@pytest.mark.parametrize(
    ("name", "fault", "ends"), MATRIX, ids=[f"{name}: {fault}" for name, fault, _ in MATRIX]
)
async def test_money_and_inventory_agree_after(
    name: str,
    fault: Fault,
    ends: set[str],
    scene: ChannelState,
    database_url: str,
    connection: Connection,
) -> None:
    step = STEPS[name]
    act, facts = await scene.prepare(step.story)
    if fault in (Fault.KILLED_BEFORE, Fault.KILLED_AFTER):
        assert await die(database_url, act, facts, step, fault) == -9
    else:
        assert await suffer(database_url, act, facts, step, fault) == 1
    await scene.heal()
    assert await end_of(connection) in ends
    assert await problems(connection) == []
    await assert_money_agrees(connection)


def test_every_step_has_its_row_and_every_fault_its_place() -> None:
    records = [*vars(Ledger), *vars(Refunds)]
    writing = {name for name in records if not name.startswith("_")} - READS
    asking = set(PaymentProvider.__abstractmethods__) - READS
    assert {step.method for step in STEPS.values() if step.on in ("ledger", "refunds")} == writing
    assert {step.method for step in STEPS.values() if step.on == "provider"} == asking
    assert {name: set(row) for name, row in ENDS.items()} == {
        name: set(step.faults) for name, step in STEPS.items()
    }


async def test_without_those_who_come_after_it_would_stay_undone(
    scene: ChannelState, database_url: str, connection: Connection
) -> None:
    """The control: a crash leaves something to be finished."""
    act, facts = await scene.prepare("bought")
    assert await die(database_url, act, facts, STEPS["capture"], Fault.KILLED_BEFORE) == -9
    await scene.clock.advance(3600)
    (row,) = await connection.fetch(_END)
    assert (row["state"], row["booking"], row["bank"]) == ("authorized", "confirmed", "authorized")
    assert [one.split()[0] for one in await money_problems(connection)] == ["step_stuck"]
    await scene.heal()
    assert await end_of(connection) == BOOKED
