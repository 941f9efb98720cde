"""Work that a loop in another thread wants done in the caller's own, which waits for the loop: what
belongs to the caller, as its connection, is touched by its thread alone.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue
from typing import TypeAlias, TypeVar

Value = TypeVar("Value")
_Job: TypeAlias = Callable[[], None]


class CallersThread:
    """A thread that waits for one answer, and works meanwhile."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_gone = False

    async def run(self, work: Callable[[], Value]) -> Value:
        """Asked in the loop: what the work answers or raises. Raises ConnectionError where the
        caller was interrupted and waits no more."""
        done: Future[Value] = Future()
        with self._lock:
            if self._is_gone:
                raise ConnectionError("the caller waits no more")
            self._jobs.put(partial(_do, work, done))
        return await asyncio.wrap_future(done)

    def wait(self, answer: Future[Value]) -> Value:
        """Asked in the caller's thread: the answer, or what it raises. Interrupted, by Ctrl-C or a
        worker's time limit, it cancels what it waited for."""
        answer.add_done_callback(lambda _: self._jobs.put(None))
        try:
            while (job := self._jobs.get()) is not None:
                job()
            return answer.result()
        except BaseException:
            with self._lock:
                self._is_gone = True
            answer.cancel()
            raise


def _do(work: Callable[[], Value], done: Future[Value]) -> None:
    if not done.set_running_or_notify_cancel():
        return
    try:
        done.set_result(work())
    except Exception as error:
        done.set_exception(error)
    except BaseException:  # the thread's own: the loop goes on, and the caller is told
        done.set_exception(ConnectionError("the caller was interrupted"))
        raise
