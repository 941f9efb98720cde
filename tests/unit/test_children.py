"""Processes that are kept running: replaced when they end, at a growing pause, and when silent."""

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


class Kept:
    """A child that is looked after for as long as a test waits."""

    def __init__(self, job: Callable[[Heartbeat], None], silent_seconds_max: float) -> None:
        self.heartbeat = Heartbeat("api-1")
        self.starts: list[float] = []
        self._job = job
        self.child = Child(self.heartbeat, self._spawn, silent_seconds_max)

    def _spawn(self) -> multiprocessing.context.ForkProcess:
        self.starts.append(time.monotonic())
        return _FORK.Process(target=self._job, args=(self.heartbeat,))

    def until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 10
        while not condition():
            assert time.monotonic() < deadline
            self.child.look()
            time.sleep(0.01)


@pytest.fixture
def keep() -> Iterator[Callable[..., Kept]]:
    made: list[Kept] = []

    def keep_one(job: Callable[[Heartbeat], None], silent_seconds_max: float = 60) -> Kept:
        made.append(Kept(job, silent_seconds_max))
        return made[-1]

    yield keep_one
    for each in made:
        each.child.stop(1)


def test_one_that_ends_is_started_again_and_again_at_a_growing_pause(
    keep: Callable[..., Kept],
) -> None:
    kept = keep(end)
    kept.until(lambda: len(kept.starts) == 6)
    pauses = [later - before for before, later in zip(kept.starts, kept.starts[1:], strict=False)]
    assert pauses[0] < 0.5
    assert max(pauses) < 2
    assert sum(pauses) > 2


def test_one_that_is_silent_is_ended_and_started_again(keep: Callable[..., Kept]) -> None:
    kept = keep(sleep, 0.5)
    kept.until(lambda: len(kept.starts) == 2)
    assert 0.5 <= kept.starts[1] - kept.starts[0] < 5


def test_one_that_beats_is_let_alone(keep: Callable[..., Kept]) -> None:
    kept = keep(beat_for_long, 0.5)
    began = time.monotonic()
    kept.until(lambda: time.monotonic() - began > 1.5)
    assert len(kept.starts) == 1


def beat_for_long(heartbeat: Heartbeat) -> None:
    for _ in range(600):
        heartbeat.beat()
        time.sleep(0.1)


def test_who_was_stopped_itself_takes_nobody_for_silent(keep: Callable[..., Kept]) -> None:
    """As a terminal's Ctrl-Z stops supervisor and workers alike."""
    kept = keep(sleep, 2.2)
    kept.until(lambda: kept.heartbeat.at > 0)
    time.sleep(2.5)
    began = time.monotonic()
    kept.until(lambda: time.monotonic() - began > 1)
    assert len(kept.starts) == 1


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
