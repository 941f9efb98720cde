"""The clock of those who give out places: the database's, whatever the machines say."""

from datetime import UTC, datetime, timedelta

import pytest

from bespeak.admission.queue_clock import QueueClock

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
NOON_US = int(NOON.timestamp() * 1_000_000)


class Machine:
    """The monotonic clock of a machine, which begins anywhere."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = 0.0
        monkeypatch.setattr("bespeak.admission.queue_clock.time.monotonic", lambda: self.seconds)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_before_the_database_was_asked_there_is_no_time() -> None:
    with pytest.raises(ValueError, match="has not said"):
        QueueClock().now_us()


def test_two_machines_agree_however_far_their_clocks_are_apart(machine: Machine) -> None:
    one, other = QueueClock(), QueueClock()
    one.observe(1000.0, 1000.01, NOON)
    other.observe(5_000_000.0, 5_000_000.02, NOON)
    machine.seconds = 1010.0
    ten_later = one.now_us()
    machine.seconds = 5_000_010.0
    assert abs(ten_later - other.now_us()) <= 15_000, "half of the ways"


def test_a_slow_answer_does_not_spoil_what_a_quick_one_said(machine: Machine) -> None:
    clock = QueueClock()
    clock.observe(10.0, 10.002, NOON)
    clock.observe(20.0, 21.0, NOON + timedelta(seconds=10.9))
    machine.seconds = 30.0
    assert abs(clock.now_us() - NOON_US - 20_000_000) <= 1_000


def test_an_old_one_gives_way_to_a_slower_one(machine: Machine) -> None:
    clock = QueueClock()
    clock.observe(10.0, 10.002, NOON)
    clock.observe(1000.0, 1000.1, NOON + timedelta(seconds=990.3))
    machine.seconds = 1000.05
    assert abs(clock.now_us() - NOON_US - 990_300_000) <= 1_000


def test_the_clock_of_another_server_is_the_one_now(machine: Machine) -> None:
    clock = QueueClock()
    clock.observe(10.0, 10.002, NOON)
    clock.observe(20.0, 20.05, NOON + timedelta(seconds=15))
    machine.seconds = 20.025
    assert abs(clock.now_us() - NOON_US - 15_000_000) <= 1_000


def test_it_never_goes_back(machine: Machine) -> None:
    clock = QueueClock()
    clock.observe(10.0, 10.002, NOON)
    machine.seconds = 20.0
    before = clock.now_us()
    clock.observe(20.0, 20.05, NOON + timedelta(seconds=5))
    assert clock.now_us() == before + 1
    assert clock.now_us() == before + 2
