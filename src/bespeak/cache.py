"""A cache in the memory of one process: values by key, each with a lifetime, with a bound on how
many there are, and one load at a time for each key (single flight).

cache: Cache[str, ApiKey | None] = Cache(seconds=5.0, size_max=10_000) key = await cache.get(text,
partial(self._look_up, text)) # loads it, or joins a load cache.peek(text) # what is kept, without a
load; None: nothing cache.put(text, key) # keeps a value that is known otherwise cache.forget(text)
# the next `get` loads it anew, also when a load is running now

All who ask for a key while it is loaded get the same value or the same error. An error is not kept.
A caller that is cancelled leaves the load running for the others.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, NamedTuple, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class _Entry(NamedTuple, Generic[Value]):
    value: Value
    loaded_at: float
    size: int


class Cache(Generic[Key, Value]):
    """Values by key, good for `seconds` from the begin of their load. The oldest make room when
    all weigh more than `size_max`; one weighs 1, or what `size_of` says."""

    def __init__(
        self,
        *,
        seconds: float = math.inf,
        size_max: int,
        size_of: Callable[[Value], int] = lambda _: 1,
    ) -> None:
        self._seconds = seconds
        self._size_max = size_max
        self._size_of = size_of
        self._size = 0
        self._entries: OrderedDict[Key, _Entry[Value]] = OrderedDict()
        self._loads: dict[Key, asyncio.Task[Value]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    async def get(
        self, key: Key, load: Callable[[], Awaitable[Value]], *, seconds: float | None = None
    ) -> Value:
        """The value, loaded if none is kept that is at most `seconds` old (None: the cache's own
        lifetime). Raises what `load` raises."""
        entry = self._entries.get(key)
        if entry is not None and self._is_good(entry, seconds):
            return entry.value
        task = self._loads.get(key)
        if task is None:
            task = self._loads[key] = asyncio.create_task(self._load(key, load))
            task.add_done_callback(_retrieve)
        return await asyncio.shield(task)

    def peek(self, key: Key) -> Value | None:
        """The value that is kept and good, if there is one."""
        entry = self._entries.get(key)
        return entry.value if entry is not None and self._is_good(entry, None) else None

    def last(self, key: Key) -> Value | None:
        """The value that is kept, however old."""
        entry = self._entries.get(key)
        return None if entry is None else entry.value

    def age(self, key: Key) -> float | None:
        """For how many seconds a value has been kept, good or not; None: there is none."""
        entry = self._entries.get(key)
        return None if entry is None else time.monotonic() - entry.loaded_at

    def put(self, key: Key, value: Value) -> None:
        """Keeps a value; a load that is running for the key is not kept."""
        self._loads.pop(key, None)
        self._keep(key, value, time.monotonic())

    def forget(self, key: Key) -> None:
        """Lets a value go. What a running load brings goes to those who wait, and is not kept."""
        self._loads.pop(key, None)
        self._drop(key)

    def forget_all(self) -> None:
        """Lets all values go, and keeps nothing of what is being loaded."""
        self._loads.clear()
        self._entries.clear()
        self._size = 0

    def _is_good(self, entry: _Entry[Value], seconds: float | None) -> bool:
        lifetime = self._seconds if seconds is None else seconds
        return lifetime == math.inf or time.monotonic() - entry.loaded_at <= lifetime

    async def _load(self, key: Key, load: Callable[[], Awaitable[Value]]) -> Value:
        task, began_at = asyncio.current_task(), time.monotonic()
        try:
            value = await load()
            if self._loads.get(key) is task:
                self._keep(key, value, began_at)
            return value
        finally:
            if self._loads.get(key) is task:
                del self._loads[key]

    def _keep(self, key: Key, value: Value, loaded_at: float) -> None:
        self._drop(key)
        entry = _Entry(value, loaded_at, self._size_of(value))
        self._entries[key] = entry
        self._size += entry.size
        while self._size > self._size_max and len(self._entries) > 1:
            _, oldest = self._entries.popitem(last=False)
            self._size -= oldest.size

    def _drop(self, key: Key) -> None:
        before = self._entries.pop(key, None)
        if before is not None:
            self._size -= before.size


def _retrieve(task: asyncio.Task[Value]) -> None:
    """Marks the error of a load as seen: all who waited may have been cancelled."""
    if not task.cancelled():
        task.exception()
