"""The recovery: finishes or unwinds whatever a crash, a lost reply or an absent provider left
behind. It claims the payments whose next step is due and has the settlement go on with each, by
asking the provider. It is also what waits for slow payments and retries what a provider refused to
answer.
"""

from __future__ import annotations

import asyncio
import time

import structlog

from bespeak.background import PAUSE_SECONDS_MAX
from bespeak.errors import BespeakError
from bespeak.payments.payment import DuePayment
from bespeak.payments.settlement import Settlement

_BATCH = 64
_MEASURE_SECONDS = 5
_log = structlog.get_logger()


class Recovery:
    """Takes the due steps of payments, many at once."""

    name = "payments"

    def __init__(self, settlement: Settlement) -> None:
        self._settlement = settlement
        self._measure_at = 0.0

    async def look(self) -> float:
        """Takes all steps that are due now; answers the seconds until there may be more."""
        ledger = self._settlement.ledger
        if time.monotonic() >= self._measure_at:
            self._measure_at = time.monotonic() + _MEASURE_SECONDS
            await ledger.measure()
        while True:
            works = await ledger.due(_BATCH)
            await asyncio.gather(*(self._advance(work) for work in works))
            if len(works) < _BATCH:
                break
        seconds = await ledger.next_due_seconds()
        return PAUSE_SECONDS_MAX if seconds is None else min(seconds, PAUSE_SECONDS_MAX)

    async def _advance(self, work: DuePayment) -> None:
        try:
            await self._settlement.advance(work)
        except BespeakError as error:
            # One payment that cannot go on must not hold up the others; it is due again later.
            _log.warning("a payment waits", payment=work.id, step=work.step, error=str(error))
