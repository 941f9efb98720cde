"""An engine belongs to the event loop and the process that opened it: its connections are read by
that loop, so that whoever waits for them elsewhere would wait for ever.
"""

from __future__ import annotations

import asyncio
import os

from bespeak.postgres.errors import ForkedEngine, WrongEventLoop


class OwnLoop:
    """The event loop in which it was made."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._process = os.getpid()

    def check(self) -> asyncio.AbstractEventLoop:
        """The running loop. Raises WrongEventLoop, ForkedEngine."""
        running = asyncio.get_running_loop()
        if running is not self._loop:  # as it is in a forked child, which has no loop but its own
            raise ForkedEngine if os.getpid() != self._process else WrongEventLoop
        return running
