"""Signals that end the server."""

import threading
from types import SimpleNamespace

from bespeak.http import workers


def test_a_second_signal_does_not_wait_for_the_first() -> None:
    """As `make` and a terminal send them: the second comes while the first is being handled."""
    server = workers._Server.__new__(workers._Server)
    server.interrupt_signal = False
    lock, came = threading.Lock(), []

    def note() -> None:
        came.append("signal")
        assert lock.acquire(blocking=False), "it would wait for ever"
        with_second = len(came) < 2
        if with_second:
            server.signal_handler_interrupt()
        lock.release()

    server.main_loop_interrupt = SimpleNamespace(set=note)  # type: ignore[assignment]
    server.signal_handler_interrupt()
    assert (server.interrupt_signal, came) == (True, ["signal"])
