"""Bookings that were paid for, and what becomes of their money, for the tests of refunds."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

import bespeak
from bespeak import Booking, Line, Resource
from bespeak.payments.providers.provider import ProviderUnavailable
from bespeak.payments.recovery import Recovery
from bespeak.payments.refunds.call_off import CallOffWorker
from bespeak.payments.refunds.refunder import Refunder
from bespeak.pricing.rules import Cancellation, Fee, Pricing, RefundTier
from tests.harness.clock import START
from tests.harness.paying import bank, paid_show
from tests.harness.shows import MakeShow, take

STARTS = START + timedelta(days=30)
DAY = 86_400
# All of it until a week before, half until a day before, then nothing; the fee is kept.
TIERS = Cancellation(
    free_until_seconds=7 * DAY, tiers=(RefundTier(before_seconds=DAY, basis_points=5000),)
)
FEE = Fee("Booking fee", per="unit", amount=100)


async def tiered_show(make_show: MakeShow, **fields: object) -> Resource:
    """A show of 15.00 a seat and 1.00 of fees, that begins in thirty days and gives money back by
    the time."""
    pricing = Pricing(fees=(FEE,), cancellation=TIERS)
    return await paid_show(make_show, **{"starts_at": STARTS, "pricing": pricing, **fields})


async def paid_booking(
    engine: bespeak.Engine,
    lines: list[Line],
    owner: str = "asha",
    token: str = "tok_success",  # noqa: S107 (a token of the sandbox)
    *,
    captured: bool = True,
) -> Booking:
    """A booking with its money, which is taken already unless that is not waited for."""
    hold = await take(engine, lines, owner)
    paid = await engine.payments.pay(hold.id, token=token, owner=owner)
    assert paid.booking is not None
    if captured:
        await settled(engine, paid.booking, "captured")
    return paid.booking


async def settled(engine: bespeak.Engine, booking: Booking, state: str) -> None:
    """Waits until the payment of a booking is in this state."""
    async with asyncio.timeout(20):
        while True:
            payment = await engine.payments.payment_of(booking)
            assert payment is not None
            if payment.state == state:
                return
            await asyncio.sleep(0.01)


@contextmanager
def capture_away(engine: bespeak.Engine) -> Iterator[None]:
    """Meanwhile the bank takes no money that it has authorized."""

    async def away(_charge: object) -> None:
        raise ProviderUnavailable

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(bank(engine), "capture", away)
        yield


async def refund_all(engine: bespeak.Engine) -> None:
    """Does all refunds that are due, once each."""
    await Refunder(engine.payments, engine.refunds).look()


async def recover(engine: bespeak.Engine) -> None:
    """Takes all steps of payments that are due."""
    await Recovery(engine.payments).look()


def canceller(engine: bespeak.Engine, batch: int = 500) -> CallOffWorker:
    """Who goes through what is called off."""
    return CallOffWorker(engine.database, engine.ready_resources, engine.settings, batch)
