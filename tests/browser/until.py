"""Waiting for what Playwright's `expect` has no words for: a place in the window, a value that a
script reads, an answer of the API. Nothing is read once after an action and then believed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tests.browser.conftest import PATIENCE_MS

_PAUSE_SECONDS = 0.05


async def until(
    holds: Callable[[], Awaitable[bool]], what: str, seconds: float = PATIENCE_MS / 1000
) -> None:
    """Looks again and again until something holds; says what did not, when it never does."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while not await holds():
        assert loop.time() < deadline, f"it never came: {what}"
        await asyncio.sleep(_PAUSE_SECONDS)


async def until_equal(read: Callable[[], Awaitable[object]], wanted: object) -> None:
    """Reads again and again until it is what is wanted; fails with what was read last."""
    found: list[object] = []

    async def holds() -> bool:
        found[:] = [await read()]
        return found[0] == wanted

    try:
        await until(holds, "")
    except AssertionError:
        raise AssertionError(f"wanted {wanted!r}, found {found}") from None
