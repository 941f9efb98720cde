"""Buyers who think better of it after they have bought: once it is sold out and somebody waits for
it, they cancel, one after the other, for as long as anybody waits.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from bespeak.demo.crowd.client import CrowdClient, ServerReply
from bespeak.demo.crowd.crowd_record import CrowdRecord
from bespeak.demo.crowd.receipts import Receipts
from bespeak.demo.crowd.seats import Lines

_WAITER_SECONDS = 120.0  # for so long somebody is waited for
_MOMENT_SECONDS = 1.5


class SeenWaitlist(msgspec.Struct):
    """What the crowd reads of a waitlist."""

    waiting: int


class SeenWaitlists(msgspec.Struct):
    """The waitlists of what is sold."""

    items: list[SeenWaitlist]


@dataclass(frozen=True)
class SoldBooking:
    """A booking of the crowd's, whose buyer may cancel."""

    id: str
    owner: str
    lines: Lines


class CrowdCancelling:
    """The bookings of a rush, of which a `share` may be cancelled. `refused` hears what cannot
    be."""

    def __init__(
        self,
        client: CrowdClient,
        resource_id: str,
        share: float,
        refused: Callable[[ServerReply], object],
    ) -> None:
        self._client = client
        self._share = share
        self._path = f"/v1/resources/{resource_id}/waitlists"
        self._refused = refused
        self._sold: list[SoldBooking] = []

    def keep(self, sold: SoldBooking) -> None:
        """This one was bought."""
        self._sold.append(sold)

    async def run(self, record: CrowdRecord, receipts: Receipts) -> int:
        """Cancels while somebody waits; how many did. Raises ServerAway and MsgspecError."""
        cancelled = 0
        give_up_at = time.monotonic() + _WAITER_SECONDS
        left = math.ceil(self._share * len(self._sold))
        while left and time.monotonic() < give_up_at:
            if not await self._somebody_waits():
                if cancelled:
                    break  # whoever waited has been offered something
                await asyncio.sleep(_MOMENT_SECONDS)
                continue
            await asyncio.sleep(_MOMENT_SECONDS)
            sold = self._sold.pop()
            left -= 1
            answer = await self._client.delete(
                f"/v1/bookings/{sold.id}?reason=changed+plans", f"{sold.owner}-cancel"
            )
            if answer.status != 200:
                self._refused(answer)
                continue
            cancelled += 1
            record.cancel(sold.owner, sold.lines)
            receipts.drop(sold.id)
        return cancelled

    async def _somebody_waits(self) -> bool:
        answer = await self._client.get(self._path)
        if answer.status != 200:
            self._refused(answer)
            return False
        found = msgspec.json.decode(answer.body, type=SeenWaitlists)
        return any(one.waiting for one in found.items)
