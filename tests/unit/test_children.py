"""Processes that are kept running: replaced when they end, at a growing pause, and when silent. The
supervisor has a clock of the test's, so that no test waits, and none depends on how quick it is.
"""

import multiprocessing
import time
from collections.abc import Callable, Iterator

import pytest

from bespeak.http.server.children import Child
from bespeak.http.server.heartbeats import Heartbeat, Heartbeats

_FORK = multiprocessing.get_context("fork")


def sleep(heartbeat: Heartbeat) -> None:
    heartbeat.beat()
    time.sleep(60)


def end(heartbeat: Heartbeat) -> None:
    heartbeat.beat()


class Supervisor:
    """The clock of the supervisor, which moves when the test says so; the children keep their own,
    and beat by the true one."""

    def __init__(self) -> None:
        self.now = time.monotonic()

    def monotonic(self) -> float:
        return self.now


class Kept:
    """A child that is looked after, by the supervisor's clock."""

    def __init__(
        self, job: Callable[[Heartbeat], None], clock: Supervisor, silent_seconds_max: float
    ) -> None:
        self.heartbeat = Heartbeat("api-1")
        self.starts: list[float] = []
        self.clock = clock
        self._job = job
        self.child = Child(self.heartbeat, self._spawn, silent_seconds_max)

    def _spawn(self) -> multiprocessing.context.ForkProcess:
        self.starts.append(self.clock.now)
        return _FORK.Process(target=self._job, args=(self.heartbeat,))

    def until(self, condition: Callable[[], bool]) -> None:
        """Looks on while the supervisor's clock stands still."""
        deadline = time.monotonic() + 20
        while not condition():
            assert time.monotonic() < deadline
            self.child.look()
            time.sleep(0.002)

    def until_heard(self) -> None:
        """Looks on until the child has beaten, by its own clock, which may be ahead by then."""
        self.until(lambda: self.heartbeat.at > 0)
        self.clock.now = max(self.clock.now, self.heartbeat.at)
        self.child.look()

    def is_let_alone(self) -> bool:
        """Whether it is the first still, and was not told to end."""
        return len(self.starts) == 1 and self.child._because == "ended"

    def until_ended(self) -> None:
        self.until(lambda: self.child.process is None)

    def pass_seconds(self, seconds: float, step: float = 0.1) -> None:
        """Moves the supervisor's clock on, with a look at each step."""
        end = self.clock.now + seconds
        while self.clock.now < end - step / 2:
            self.clock.now += step
            self.child.look()


@pytest.fixture
def keep(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Kept]]:
    clock = Supervisor()
    monkeypatch.setattr("bespeak.http.server.children.time", clock)
    made: list[Kept] = []

    def keep_one(job: Callable[[Heartbeat], None], silent_seconds_max: float = 60) -> Kept:
        made.append(Kept(job, clock, silent_seconds_max))
        return made[-1]

    yield keep_one
    for each in made:
        each.child.stop(1)


def test_one_that_ends_is_started_again_and_again_at_a_growing_pause(
    keep: Callable[..., Kept],
) -> None:
    kept = keep(end)
    pauses = []
    kept.child.look()
    for count in range(2, 9):
        kept.until_ended()
        ended = kept.clock.now
        while len(kept.starts) < count:
            kept.child.look()
            kept.clock.now += 0.01
        pauses.append(round(kept.starts[-1] - ended, 1))
    assert pauses == [0.0, 0.1, 0.3, 1.0, 1.0, 1.0, 1.0]


def test_one_that_ends_after_long_is_started_again_at_once(keep: Callable[..., Kept]) -> None:
    kept = keep(sleep)
    kept.child.look()
    for count in (2, 3, 4):
        assert kept.child.process is not None
        kept.child.process.kill()
        kept.until_ended()
        kept.child.look()
        assert len(kept.starts) == count
        kept.pass_seconds(11)


def test_one_that_is_silent_is_ended_and_started_again(keep: Callable[..., Kept]) -> None:
    kept = keep(sleep, 5)
    kept.child.look()
    kept.until_heard()
    kept.pass_seconds(4.5)
    assert kept.is_let_alone()
    kept.pass_seconds(1)
    kept.until(lambda: len(kept.starts) == 2)


def test_one_that_beats_is_let_alone(keep: Callable[..., Kept]) -> None:
    kept = keep(sleep, 5)
    kept.child.look()
    kept.until_heard()
    for _ in range(10):
        kept.pass_seconds(4)
        kept.heartbeat._at.value = kept.clock.now
    assert kept.is_let_alone()


def test_who_was_stopped_itself_takes_nobody_for_silent(keep: Callable[..., Kept]) -> None:
    """As a terminal's Ctrl-Z stops supervisor and workers alike."""
    kept = keep(sleep, 5)
    kept.child.look()
    kept.until_heard()
    kept.pass_seconds(60, step=60)
    kept.pass_seconds(4.5)
    assert kept.is_let_alone()
    kept.pass_seconds(1)
    kept.until(lambda: len(kept.starts) == 2)


def test_who_has_not_been_heard_is_missing(keep: Callable[..., Kept]) -> None:
    kept = keep(sleep)
    own = Heartbeat("api-2")
    own.beat()
    seen = Heartbeats(own, (own, kept.heartbeat))
    assert seen.missing() == ["api-1"]
    kept.until(lambda: seen.missing() == [])
    assert kept.child.process is not None
    kept.child.process.kill()
    kept.until(lambda: kept.heartbeat.at == 0.0)
    assert seen.missing() == ["api-1"]
