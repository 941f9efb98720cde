"""Answers that are dear and need not be of this very second: kept for a while, and asked for once
at a time, however many operators look.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

_Value = TypeVar("_Value")


class TimedCache(Generic[_Value]):
    """One answer, good for so many seconds."""

    def __init__(self, ask: Callable[[], Awaitable[_Value]], good_seconds: float) -> None:
        self._ask = ask
        self._good_seconds = good_seconds
        self._answer: tuple[float, _Value] | None = None
        self._gate = asyncio.Lock()

    async def get(self) -> _Value:
        """The answer; raises what asking for it raises."""
        async with self._gate:
            if self._answer is None or self._answer[0] < time.monotonic():
                self._answer = (time.monotonic() + self._good_seconds, await self._ask())
            return self._answer[1]
