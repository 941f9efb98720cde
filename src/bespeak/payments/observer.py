"""What payments tell whoever counts: how they and their refunds end, what waits, and how long the
providers take to answer. The metrics override it, so that payments know nothing of metrics.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from bespeak.payments.providers.provider import (
    Callback,
    Charge,
    Order,
    PaymentForm,
    PaymentProvider,
    ProviderRefused,
    Standing,
)
from bespeak.states import PaymentState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Record

STEPS = ("authorize", "await", "capture", "void", "offer", "check")
"""The steps that a payment may wait for."""
_BEFORE_MONEY = (PaymentState.PENDING, PaymentState.FAILED)
# Why a payment came to nothing without anybody having declined it.
_NOT_DECLINED = ("abandoned", "authorization_gone")


class PaymentObserver:
    """Hears what payments do; does nothing with it unless it is told to."""

    def payment(self, provider: str, outcome: str) -> None:
        """A payment was `begun`, `captured`, `declined`, `voided`, `failed`, or came late:
        `late_same_units`, `late_equal_offer`, `late_refund`."""

    def refund(self, provider: str, outcome: str) -> None:
        """A refund was `refunded`, or `failed`."""

    def asked(self, provider: str, verb: str, outcome: str, seconds: float) -> None:
        """A provider was asked, and after so many seconds had `answered`, `refused`, or was
        `unavailable`."""

    def waiting(self, payments: Mapping[str, int], refunds: int) -> None:
        """So many payments wait for each step, and so many refunds to be made."""


def outcomes_of(payment: Record, before: PaymentState, now: datetime) -> Iterator[str]:
    """What became of a payment in the transaction that wrote its row at this time, where the writer
    knew it in the state `before`. Of writers at once, one changed the row; the others find older
    times in it, and nothing became of it again."""
    if before in _BEFORE_MONEY and payment["late"] is not None and payment["authorized_at"] == now:
        yield f"late_{payment['late']}"
    if payment["captured_at"] == now and before is not PaymentState.CAPTURED:
        yield "captured"
    if payment["ended_at"] == now and before != payment["state"]:
        if payment["state"] == PaymentState.VOIDED:
            yield "voided"
        elif payment["state"] == PaymentState.FAILED:
            yield "failed" if payment["failure"] in _NOT_DECLINED else "declined"


class ObservedProvider(PaymentProvider):
    """A provider whose answers are timed."""

    def __init__(self, provider: PaymentProvider, observer: PaymentObserver) -> None:
        self.name = provider.name
        self.for_staff = provider.for_staff
        self._provider = provider
        self._observer = observer

    async def authorize(self, order: Order) -> Standing:
        """Reserves the money."""
        with self._timed("authorize"):
            return await self._provider.authorize(order)

    async def capture(self, charge: Charge) -> Standing:
        """Takes the money."""
        with self._timed("capture"):
            return await self._provider.capture(charge)

    async def void(self, charge: Charge) -> Standing:
        """Gives the reservation up."""
        with self._timed("void"):
            return await self._provider.void(charge)

    async def refund(self, charge: Charge, refund_id: str, amount: int) -> Standing:
        """Gives money back."""
        with self._timed("refund"):
            return await self._provider.refund(charge, refund_id, amount)

    async def lookup(self, charge: Charge) -> Standing | None:
        """Tells how a payment stands."""
        with self._timed("lookup"):
            return await self._provider.lookup(charge)

    def charges(self, since: datetime, until: datetime) -> AsyncIterator[Standing]:
        """All payments of a time; not timed, for its reader sets the pace."""
        return self._provider.charges(since, until)

    def read_callback(self, headers: Mapping[str, str], body: bytes, now: datetime) -> Callback:
        """Verifies and reads a callback, which asks nobody."""
        return self._provider.read_callback(headers, body, now)

    def form(self) -> PaymentForm | None:
        """Tells the form for buyers, which asks nobody."""
        return self._provider.form()

    async def close(self) -> None:
        """Lets connections go."""
        await self._provider.close()

    @contextmanager
    def _timed(self, verb: str) -> Iterator[None]:
        started = time.perf_counter()
        outcome = "unavailable"  # also where the one who asked did not wait for it
        try:
            yield
            outcome = "answered"
        except ProviderRefused:
            outcome = "refused"
            raise
        finally:
            self._observer.asked(self.name, verb, outcome, time.perf_counter() - started)
