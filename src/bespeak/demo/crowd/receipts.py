"""What the buyers paid, by what they were told, and what the server says that it took: for every
booking of the rush the money is read again, so that one which nobody paid for shows.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from bespeak.demo.crowd.client import CrowdClient
from bespeak.money import Money

_PATIENCE_SECONDS = 30.0
_PAUSE_SECONDS = 0.1
_ON_ITS_WAY = ("pending", "authorized")


class PaidBy(msgspec.Struct):
    """What the crowd reads of a payment."""

    state: str = ""
    amount: Money | None = None
    refunding: int = 0


class BookedHold(msgspec.Struct):
    """What the crowd reads of a booking."""

    id: str = ""
    amount: Money | None = None
    payment: PaidBy | None = None


@dataclass(frozen=True)
class Takings:
    """The money of a rush in minor units: what the buyers were told that they pay, what was taken
    of it, and how many bookings have other money behind them than their buyer was told."""

    paid: int
    captured: int
    unpaid: int


class Receipts:
    """What the buyers owe for what they booked: by booking, in minor units."""

    def __init__(self) -> None:
        self._owed: dict[str, int] = {}

    def keep(self, booking_id: str, amount: int) -> None:
        """A hold of this price became this booking."""
        self._owed[booking_id] = amount

    def drop(self, booking_id: str) -> None:
        """This booking was cancelled: its money goes back by the terms of the show."""
        self._owed.pop(booking_id, None)

    async def compare(self, client: CrowdClient, connections: int) -> Takings:
        """Reads every booking again, so many at a time. Money that is reserved and not taken yet is
        waited for, within bounds. Raises ServerAway, and MsgspecError for what is no booking."""
        costly = [(booking_id, owed) for booking_id, owed in self._owed.items() if owed]
        taken: dict[str, int] = {}
        numbers = iter(costly)
        async with asyncio.TaskGroup() as group:
            for _ in range(min(connections, len(costly))):
                group.create_task(_read_all(client, numbers, taken))
        return Takings(
            paid=sum(self._owed.values()),
            captured=sum(taken.values()),
            unpaid=sum(taken.get(booking_id) != owed for booking_id, owed in costly),
        )


async def _read_all(
    client: CrowdClient, bookings: Iterator[tuple[str, int]], taken: dict[str, int]
) -> None:
    for booking_id, _ in bookings:
        taken[booking_id] = await _taken(client, booking_id)


async def _taken(client: CrowdClient, booking_id: str) -> int:
    """How much of a booking's money the server has for good."""
    give_up_at = time.monotonic() + _PATIENCE_SECONDS
    while True:
        answer = await client.get(f"/v1/bookings/{booking_id}")
        payment = msgspec.json.decode(answer.body, type=BookedHold).payment
        if payment is None or payment.amount is None:
            return 0
        if payment.state == "captured":
            return payment.amount.amount - payment.refunding
        if payment.state not in _ON_ITS_WAY or time.monotonic() > give_up_at:
            return 0
        await asyncio.sleep(_PAUSE_SECONDS)
