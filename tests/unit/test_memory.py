"""The known-taken memory: it may refuse wrongly for a moment, and forgets; it never grants."""

import time

import pytest

from bespeak import UnitState
from bespeak.reservations.memory import TakenMemory

A1, A2 = (1, "A1"), (1, "A2")


def test_it_knows_what_it_was_told_until_it_lapses() -> None:
    memory = TakenMemory(60, 100)
    memory.remember([A1], UnitState.HELD, 1000.0, "asha")
    found = memory.find(A1, "bela", 999.9)
    assert found is not None
    assert (found.state, found.until) == (UnitState.HELD, 1000.0)
    assert memory.find(A2, "bela", 0) is None
    assert memory.find(A1, "bela", 1000.0) is None
    assert len(memory) == 0


def test_an_owners_own_hold_is_not_in_the_owners_way() -> None:
    memory = TakenMemory(60, 100)
    memory.remember([A1], UnitState.HELD, 1000.0, "asha")
    assert memory.find(A1, "asha", 0) is None
    assert memory.find(A1, "bela", 0) is not None


def test_it_trusts_itself_for_its_time_only(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = TakenMemory(1, 100)
    now = 50.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    memory.remember([A1], UnitState.BOOKED, None, "asha")
    now = 50.99
    assert memory.find(A1, "bela", 0) is not None
    now = 51.0
    assert memory.find(A1, "bela", 0) is None


def test_it_forgets_what_is_freed() -> None:
    memory = TakenMemory(60, 100)
    memory.remember([A1, A2], UnitState.BOOKED, None, None)
    memory.forget([A1, (9, "never known")])
    assert memory.find(A1, "bela", 0) is None
    assert memory.find(A2, "bela", 0) is not None


@pytest.mark.parametrize("size_max", [0, 1, 10, 100])
def test_it_is_bounded_and_forgets_the_oldest(size_max: int) -> None:
    memory = TakenMemory(60, size_max)
    for number in range(1000):
        memory.remember([(1, f"A{number}")], UnitState.BOOKED, None, None)
        assert len(memory) <= size_max
    if size_max:
        assert memory.find((1, "A999"), "bela", 0) is not None
        assert memory.find((1, "A0"), "bela", 0) is None


def test_with_no_trust_it_knows_nothing() -> None:
    memory = TakenMemory(0, 100)
    memory.remember([A1], UnitState.BOOKED, None, None)
    assert memory.find(A1, "bela", 0) is None
