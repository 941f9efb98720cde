"""What goes on behind a payment, seen to its end: the recovery, the bank, the feed."""

import asyncio
from collections.abc import Awaitable, Callable

import bespeak
from bespeak.payments.providers.sandbox import Sandbox
from bespeak.payments.recovery import Recovery
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.telling import payment_of


async def until(engine: bespeak.Engine, payment_id: str, state: str) -> None:
    """Waits for what goes on in the background."""
    async with asyncio.timeout(20):
        while (await payment_of(engine, payment_id)).state != state:  # noqa: ASYNC110
            await asyncio.sleep(0.002)


async def drain(engine: bespeak.Engine, clock: Clock) -> None:
    """The recovery does what is due, whenever that is, until nothing is."""
    clock.shared_with(engine)
    for _ in range(60):
        await Recovery(engine.payments).look()
        seconds = await engine.payments.ledger.next_due_seconds()
        if seconds is None:
            return
        await clock.advance(max(seconds, 0) + 0.001)
    raise AssertionError("there is always something due")


async def kinds(connection: Connection) -> list[str]:
    """What happened to holds and bookings, in order."""
    rows = await connection.fetch(
        "select kind from bespeak.event where hold_id is not null order by position"
    )
    return [row["kind"] for row in rows]


async def due_in(connection: Connection) -> float:
    """In how many seconds the only step is due."""
    seconds: float = await connection.fetchval(
        "select extract(epoch from due_at - bespeak.now())::float8 from bespeak.payment"
    )
    return seconds


class Between:
    """Stands between an engine and its bank, and does something after a verb's real call."""

    def __init__(self, bank: Sandbox, verb: str, then: Callable[..., Awaitable[object]]) -> None:
        real = getattr(bank, verb)

        async def instead(*args: object) -> object:
            return await then(await real(*args))

        self._undo = (bank, verb, real)
        setattr(bank, verb, instead)

    def leave(self) -> None:
        """The bank is reached directly again."""
        setattr(*self._undo)
