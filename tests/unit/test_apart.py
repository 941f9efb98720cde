"""Requests that met a lock: in groups, then alone, then again for as long as they may wait."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable, Iterable
from typing import cast

import pytest

from bespeak.errors import BespeakError, DatabaseUnavailable
from bespeak.reservations import apart
from bespeak.reservations.apart import Apart


class Entry:
    """A request that needs one thing."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.queued_at = time.monotonic()

    def things(self) -> Iterable[Hashable]:
        return (self.name,)


class Connection:
    """One whose end takes a moment, in which the test may do something."""

    def __init__(self, stage: "Stage") -> None:
        self._stage = stage

    async def close(self) -> None:
        self._stage.closing.set()
        await self._stage.may_close.wait()


class Stage:
    """Writes what is not locked; notes what was written, and in which groups."""

    def __init__(self, *locked: str, wait_seconds: float = 5.0) -> None:
        self.locked = set(locked)
        self.groups: list[list[str]] = []
        self.written: list[str] = []
        self.failed: dict[str, BespeakError] = {}
        self.closing = asyncio.Event()
        self.may_close = asyncio.Event()
        self.may_close.set()
        write = cast("Callable[..., Awaitable[None]]", self._write)
        self.apart: Apart[Entry] = Apart(write, self._fail, wait_seconds)

    async def _write(self, connection: object, batch: list[Entry]) -> Connection:
        await asyncio.sleep(0)
        names = [entry.name for entry in batch]
        self.groups.append(names)
        if self.locked.intersection(names):
            self.apart.locked(batch)
        else:
            self.written += names
        return Connection(self)

    def _fail(self, batch: list[Entry], error: BespeakError) -> None:
        self.failed.update((entry.name, error) for entry in batch)


async def until(stage: Stage, written: int) -> None:
    """Waits until so many were written or failed."""
    async with asyncio.timeout(20):
        while len(stage.written) + len(stage.failed) < written:  # noqa: ASYNC110
            await asyncio.sleep(0.001)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "_PAUSE_SECONDS", 0.01)


async def test_only_who_needs_it_waits_for_it() -> None:
    stage = Stage("b3")
    stage.apart.locked([Entry(f"{letter}{n}") for letter in "abcd" for n in range(16)])
    await until(stage, 63)
    assert "b3" not in stage.written
    assert [len(group) for group in stage.groups if len(group) > 1] == [16] * 4
    assert stage.apart.knows(Entry("b3"))
    assert not stage.apart.knows(Entry("b4"))
    stage.locked.clear()
    await until(stage, 64)
    await stage.apart.close()


async def test_who_has_waited_long_enough_is_told() -> None:
    stage = Stage("a", wait_seconds=0.05)
    stage.apart.locked([Entry("a")])
    await until(stage, 1)
    assert isinstance(stage.failed["a"], DatabaseUnavailable)


async def test_what_was_locked_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "_KNOWN_SECONDS", 0.0)
    stage = Stage("a", wait_seconds=0.0)
    stage.apart.locked([Entry("a")])
    assert stage.apart.known
    await asyncio.sleep(0.001)
    assert not stage.apart.knows(Entry("a"))
    assert not stage.apart.known


async def test_what_comes_while_all_workers_end_is_written() -> None:
    stage = Stage()
    stage.may_close.clear()
    stage.apart.locked([Entry(str(n)) for n in range(8)])
    await until(stage, 8)
    await stage.closing.wait()
    await asyncio.sleep(0.01)
    stage.apart.add(Entry("late"))
    stage.may_close.set()
    await until(stage, 9)
