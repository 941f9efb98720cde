"""Dear answers: asked for once at a time, kept for a while, and a fault is no answer."""

import asyncio

import pytest

from bespeak.overview.timed_cache import TimedCache


async def test_many_who_ask_at_once_cost_one_question(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("bespeak.overview.timed_cache.time.monotonic", lambda: now[0])
    asked = 0

    async def ask() -> int:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)
        return asked

    kept = TimedCache(ask, 5.0)
    assert await asyncio.gather(*(kept.get() for _ in range(20))) == [1] * 20
    now[0] += 4.9
    assert await kept.get() == 1
    now[0] += 0.2
    assert await asyncio.gather(*(kept.get() for _ in range(2))) == [2, 2]


async def test_a_fault_is_not_kept() -> None:
    faults = [RuntimeError("away"), None]

    async def ask() -> str:
        fault = faults.pop(0)
        if fault is not None:
            raise fault
        return "here"

    kept = TimedCache(ask, 60.0)
    with pytest.raises(RuntimeError):
        await kept.get()
    assert await kept.get() == "here"
