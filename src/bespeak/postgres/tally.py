"""Counts that a process keeps in memory and adds to the database once in a while, in one statement,
so that what happens a thousand times a second costs a row now and then. What a killed process had
counted since is lost, and nothing else.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

import structlog

from bespeak.postgres.pool import FAULTS, is_away

Key = TypeVar("Key", bound=Hashable)
_log = structlog.get_logger()


class Tally(Generic[Key]):
    """The counts that the database does not have yet, and how they get there: `write` adds them."""

    def __init__(
        self, write: Callable[[Counter[Key]], Awaitable[object]], seconds: float, fault: str
    ) -> None:
        self.counts: Counter[Key] = Counter()
        self._write = write
        self._seconds = seconds
        self._fault = fault
        self._writing = asyncio.Lock()

    async def flush(self) -> None:
        """Adds what was counted to the database, which has all of it then. Raises what asyncpg
        raises, and then keeps it."""
        async with self._writing:  # what another has taken is not there before it was written
            counts, self.counts = self.counts, Counter()
            if not counts:
                return
            try:
                await self._write(counts)
            except FAULTS:
                self.counts.update(counts)
                raise

    async def run(self) -> None:
        """Flushes once in so many seconds, and once more when it is cancelled."""
        try:
            while True:
                await asyncio.sleep(self._seconds)
                await self._flush_gently()
        finally:
            await self._flush_gently()

    async def _flush_gently(self) -> None:
        try:
            await self.flush()
        except FAULTS as error:
            if not is_away(error):
                _log.error(self._fault, error=str(error))
