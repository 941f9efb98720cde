"""Background work: it is kept looking through faults, and it ends when it is told to."""

import asyncio

import pytest

from bespeak.background import IdlePause, keep, kept
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


class Resting:
    """Work that says how long it rests, and ends its runner when it has said it all."""

    name = "resting"

    def __init__(self, *pauses: float) -> None:
        self._pauses = list(pauses)

    async def look(self) -> float:
        if not self._pauses:
            raise asyncio.CancelledError
        return self._pauses.pop(0)


async def test_work_rests_for_as_long_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    with pytest.raises(asyncio.CancelledError):
        await keep(Resting(10.0, 0.2, 0.0))
    assert slept == [10.0, 0.2, 0.01], "and never without a pause"


def test_where_nothing_happens_the_pause_becomes_longer_until_something_does() -> None:
    pause = IdlePause(0.1, 0.3)
    first = [pause.next() for _ in range(50)]
    assert (set(first), pause.next(), pause.next()) == ({0.1}, 0.3, 0.3)
    pause.note_found()
    assert pause.next() == 0.1
