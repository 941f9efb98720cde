"""The cache: lifetimes, the bound, and one load at a time for each key."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bespeak.cache import Cache

Loader = Callable[[], Awaitable[int]]


class Source:
    """Counts its loads; each waits for `gate` and answers the count, or raises `error`."""

    def __init__(self) -> None:
        self.loads = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.error: Exception | None = None

    async def load(self) -> int:
        self.loads += 1
        mine = self.loads
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return mine


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("bespeak.cache.time.monotonic", lambda: now[0])
    return now


async def waiting(cache: Cache[str, int], source: Source, count: int) -> list[asyncio.Task[int]]:
    """So many who wait for one load, which has begun."""
    source.gate.clear()
    tasks = [asyncio.create_task(cache.get("a", source.load)) for _ in range(count)]
    for _ in range(3):
        await asyncio.sleep(0)
    return tasks


async def test_concurrent_askers_share_one_load_and_its_value_is_kept(now: list[float]) -> None:
    cache, source = Cache[str, int](seconds=5.0, size_max=10), Source()
    tasks = await waiting(cache, source, 20)
    source.gate.set()
    assert await asyncio.gather(*tasks) == [1] * 20
    now[0] += 4.9
    assert await cache.get("a", source.load) == 1
    assert cache.peek("a") == 1
    now[0] += 0.2
    assert cache.peek("a") is None
    assert await asyncio.gather(*(cache.get("a", source.load) for _ in range(2))) == [2, 2]


async def test_a_lifetime_counts_from_the_begin_of_the_load(now: list[float]) -> None:
    cache, source = Cache[str, int](seconds=5.0, size_max=10), Source()
    tasks = await waiting(cache, source, 1)
    now[0] += 4.0
    source.gate.set()
    await asyncio.gather(*tasks)
    assert cache.age("a") == 4.0
    now[0] += 1.1
    assert await cache.get("a", source.load) == 2


async def test_an_asker_may_want_it_younger(now: list[float]) -> None:
    cache, source = Cache[str, int](seconds=5.0, size_max=10), Source()
    await cache.get("a", source.load)
    now[0] += 2.0
    assert await cache.get("a", source.load) == 1
    assert await cache.get("a", source.load, seconds=1.0) == 2


async def test_without_a_lifetime_a_value_is_good_for_ever(now: list[float]) -> None:
    cache, source = Cache[str, int](size_max=10), Source()
    await cache.get("a", source.load)
    now[0] += 1e9
    assert await cache.get("a", source.load) == 1


async def test_the_oldest_make_room(now: list[float]) -> None:
    cache = Cache[str, int](seconds=5.0, size_max=2)
    for index, key in enumerate("abc"):
        cache.put(key, index)
    assert (cache.peek("a"), cache.peek("b"), cache.peek("c"), len(cache)) == (None, 1, 2, 2)
    cache.put("b", 3)  # younger than c now
    cache.put("d", 4)
    assert (cache.peek("c"), cache.peek("b")) == (None, 3)


async def test_values_may_weigh_more_than_one() -> None:
    cache = Cache[str, str](size_max=5, size_of=len)
    cache.put("a", "xxx")
    cache.put("b", "xx")
    assert len(cache) == 2
    cache.put("b", "xxx")
    assert (cache.peek("a"), cache.peek("b")) == (None, "xxx")
    cache.put("c", "x" * 9)  # too heavy, and still kept until the next comes
    assert (cache.peek("b"), cache.peek("c")) == (None, "x" * 9)
    cache.forget("c")
    cache.put("a", "xxxx")
    cache.put("b", "x")
    assert len(cache) == 2


async def test_what_is_forgotten_during_a_load_is_not_kept() -> None:
    cache, source = Cache[str, int](seconds=5.0, size_max=10), Source()
    before = await waiting(cache, source, 2)
    cache.forget("a")
    after = await waiting(cache, source, 2)
    source.gate.set()
    assert await asyncio.gather(*before, *after) == [1, 1, 2, 2]
    assert cache.peek("a") == 2
    assert source.loads == 2


async def test_a_load_that_ends_late_does_not_replace_what_was_put() -> None:
    cache, source = Cache[str, int](seconds=5.0, size_max=10), Source()
    tasks = await waiting(cache, source, 1)
    cache.put("a", 7)
    source.gate.set()
    assert await asyncio.gather(*tasks) == [1]
    assert cache.peek("a") == 7


async def test_an_error_reaches_all_who_wait_and_is_not_kept() -> None:
    cache, source = Cache[str, int](seconds=5.0, size_max=10), Source()
    tasks = await waiting(cache, source, 3)
    source.error = RuntimeError("away")
    source.gate.set()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert answers == [source.error] * 3
    source.error = None
    assert await cache.get("a", source.load) == 2


async def test_who_is_cancelled_does_not_cancel_the_load_of_others() -> None:
    cache, source = Cache[str, int](seconds=5.0, size_max=10), Source()
    first, second = await waiting(cache, source, 2)
    first.cancel()
    await asyncio.sleep(0)
    source.gate.set()
    assert await second == 1
    assert first.cancelled()


async def test_a_load_that_nobody_waits_for_any_more_is_kept_and_its_error_is_silent(
    caplog: pytest.LogCaptureFixture,
) -> None:
    cache, source = Cache[str, int](seconds=5.0, size_max=10), Source()
    (only,) = await waiting(cache, source, 1)
    only.cancel()
    source.gate.set()
    await asyncio.sleep(0.001)
    assert cache.peek("a") == 1
    cache.forget("a")
    (only,) = await waiting(cache, source, 1)
    only.cancel()
    source.error = RuntimeError("away")
    source.gate.set()
    await asyncio.sleep(0.001)
    assert cache.peek("a") is None
    assert not caplog.records


async def test_none_is_a_value_like_others() -> None:
    loads = 0

    async def load() -> None:
        nonlocal loads
        loads += 1

    cache = Cache[str, None](seconds=5.0, size_max=10)
    await cache.get("a", load)
    await cache.get("a", load)
    assert loads == 1
