"""Background work: it is kept looking through faults, and it ends when it is told to."""

import asyncio

from bespeak.background import kept
from bespeak.errors import DatabaseUnavailable


class Stubborn:
    """Work that fails when it is first cancelled, as a transaction does whose connection died."""

    name = "stubborn"
    has_failed = False

    async def look(self) -> float:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            if self.has_failed:
                raise
            self.has_failed = True
            raise DatabaseUnavailable from None
        return 0


async def test_a_fault_in_place_of_the_cancellation_ends_the_work_too() -> None:
    async with asyncio.timeout(20):
        async with kept([Stubborn()]):
            await asyncio.sleep(0.01)
