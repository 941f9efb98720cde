"""How a rush tells the program that started it how far it is: a JSON line each moment on standard
output. It never outlives that program, whose end closes this one's standard input.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from bespeak.demo.crowd.verdict import Rush

_EACH_SECONDS = 0.25
# Whatever hangs, ends: a crowd that nobody watches must not go on for ever.
_SECONDS_MAX = 900


class QueueReport(msgspec.Struct, frozen=True):
    """How many have joined the queue, and how many were let in."""

    joined: int
    let_in: int


class RushReport(msgspec.Struct, frozen=True, kw_only=True):
    """How far a rush is. `double_sold` is by the buyers' own books; the verdict counts again."""

    arrived: int
    granted: int
    refused: int
    confirmed: int
    released: int
    expired: int
    declined: int
    cancelled: int
    empty_handed: int
    errors: int
    double_sold: int
    queue: QueueReport | None
    seconds: float


class Abandoned(Exception):
    """The program that started the rush is gone."""


async def reported(rush: Rush, connections: int, tell: Callable[[RushReport], None]) -> None:
    """Runs the crowd and tells how far it is. Raises Abandoned when nobody listens any more."""
    signal.alarm(_SECONDS_MAX)
    started = time.monotonic()
    running = asyncio.create_task(rush.crowd.run(connections))
    listening = asyncio.create_task(_closed())
    try:
        while not running.done():
            tell(_report(rush, time.monotonic() - started))
            await asyncio.wait(
                {running, listening},
                timeout=_EACH_SECONDS,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if listening.done():
                raise Abandoned
        running.result()
        tell(_report(rush, time.monotonic() - started))
    finally:
        for task in (running, listening):
            task.cancel()
        await asyncio.gather(running, listening, return_exceptions=True)


def _report(rush: Rush, seconds: float) -> RushReport:
    crowd = rush.crowd
    double_sold = len(crowd.record.double_sold)
    queue = None if crowd.queue is None else crowd.queue.tally
    return RushReport(
        **crowd.tally.counts(),
        double_sold=double_sold,
        queue=None if queue is None else QueueReport(queue.joined, queue.let_in),
        seconds=round(seconds, 2),
    )


async def _closed() -> None:
    """Waits until nobody has the other end of standard input any more."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    with suppress(OSError):
        while await reader.read(1024):
            pass
