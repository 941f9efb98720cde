"""The daily reconciliation: compares each day with every provider, once the day is over and what
was under way at its end has settled. Any number of processes may look; one does it, and another
takes over should it die.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta

import structlog

from bespeak.background import PAUSE_SECONDS_MAX
from bespeak.errors import BespeakError
from bespeak.payments.providers.provider import PaymentProvider
from bespeak.payments.reconciliation.report import QUERIES, day_of, note_report, reconcile
from bespeak.reservations.verbs import Reservations

SETTLE_SECONDS = 3600
"""How long after its end a day is compared: a challenge at midnight is over by then."""
_LEASE_SECONDS = 600
_AGAIN_SECONDS = 900
_LOOK_SECONDS = 60
_log = structlog.get_logger()


class Reconciler:
    """Compares yesterday with the providers."""

    name = "reconciliation"

    def __init__(self, engine: Reservations, providers: Mapping[str, PaymentProvider]) -> None:
        self._engine = engine
        self._providers = providers
        self._next: datetime | None = None

    async def look(self) -> float:
        """Compares what is due; answers the seconds until the next look."""
        now = self._engine.clock.now()
        if self._next is None or now >= self._next:
            # What another process claimed may come free again, so it is asked for once in a while.
            self._next = now + timedelta(seconds=_LOOK_SECONDS)
            day = (now - timedelta(seconds=SETTLE_SECONDS)).date() - timedelta(days=1)
            for provider in list(self._providers.values()):
                await self._compare(provider, day)
        return PAUSE_SECONDS_MAX

    async def _compare(self, provider: PaymentProvider, day: date) -> None:
        since, until = day_of(day)
        if not await self._write("claim", provider, day, _LEASE_SECONDS):
            return

        async def go_on(ours: int, theirs: int) -> None:
            await self._write("go_on", provider, day, _LEASE_SECONDS, ours, theirs)

        engine = self._engine
        try:
            report = await reconcile(
                engine.database, engine.settings, provider, since, until, progress=go_on
            )
        except BespeakError as error:
            await self._write("put_off", provider, day, _AGAIN_SECONDS, error.detail)
            _log.warning("reconciling waits", provider=provider.name, error=str(error))
            return
        await note_report(engine.database, engine.settings, report)
        if report.differences_total:  # a day that agrees is in the table, and not worth a line
            _log.error(
                "money and provider disagree",
                provider=provider.name,
                day=str(day),
                payments=report.ours,
                differences=report.differences_total,
            )

    async def _write(self, query: str, provider: PaymentProvider, day: date, *more: object) -> bool:
        """Writes to the day's row; whether it answered one."""
        async with self._engine.database.borrow() as connection:
            row = await connection.fetchrow(QUERIES[query], provider.name, *day_of(day), *more)
        return row is not None
