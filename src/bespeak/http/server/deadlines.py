"""The deadlines of the requests that a worker answers. Each request notes when it is due; a look
once a second cancels those that are over. So a request costs two entries in a dictionary, not a
timer, and a deadline is kept to the second.
"""

from __future__ import annotations

import asyncio
import time
from typing import TypeAlias

from bespeak.http.server.errors import BodyTooSlow, DeadlinePassed

# A seat map or a calendar is up to 32 times as large as another body.
_DOCUMENT_FACTOR = 4

_Task: TypeAlias = asyncio.Task[object]


class Deadlines:
    """When each request under way is to be answered. `request_seconds` is for all of it,
    `body_seconds` for reading its body."""

    def __init__(self, request_seconds: float, body_seconds: float) -> None:
        self._request_seconds = request_seconds
        self._body_seconds = body_seconds
        self._due: dict[_Task, float] = {}
        self._cancelled: set[_Task] = set()

    def begin(self) -> _Task:
        """A request begins: the task that answers it."""
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a request is answered by a task")
        self._due[task] = time.monotonic() + self._request_seconds
        return task

    def end(self, task: _Task) -> None:
        self._due.pop(task, None)
        self._was_cancelled_here(task)

    def begin_body(self, task: _Task, *, is_document: bool) -> float:
        """The body is read from now on; answers when the request as a whole is due."""
        whole = self._due[task]
        seconds = self._body_seconds * (_DOCUMENT_FACTOR if is_document else 1)
        self._due[task] = min(whole, time.monotonic() + seconds)
        return whole

    def end_body(self, task: _Task, whole: float) -> None:
        self._due[task] = whole

    def body_error(self, task: _Task) -> BodyTooSlow | None:
        """What to answer to a request that was cancelled while its body was read; None where
        somebody else cancelled it."""
        return BodyTooSlow() if self._was_cancelled_here(task) else None

    def error(self, task: _Task) -> DeadlinePassed | None:
        """What to answer to a request that was cancelled; None where somebody else did it."""
        return DeadlinePassed(retry_after_seconds=1) if self._was_cancelled_here(task) else None

    def look(self) -> None:
        """Cancels what is overdue."""
        now = time.monotonic()
        for task in [task for task, due in self._due.items() if due < now]:
            # Once: what it does to answer must not be cancelled again.
            del self._due[task]
            self._cancelled.add(task)
            task.cancel()

    def _was_cancelled_here(self, task: _Task) -> bool:
        """Whether a look cancelled the task, which is thereby over."""
        if task not in self._cancelled:
            return False
        self._cancelled.discard(task)
        task.uncancel()
        return True
