"""The runner of background work. Each piece of work is an object that looks for what is due, does
it, and says when to look next; the runner keeps it looking, through any absence of the database.
Any number may run at once: what is due is claimed row by row.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Protocol

import structlog

from bespeak.actors import SYSTEM, act_as
from bespeak.errors import BespeakError, Unavailable
from bespeak.postgres.pool import COLLIDED, FAULTS, end_if_cancelled, is_away

PAUSE_SECONDS_MAX = 0.5
"""The longest pause of work for which something may fall due at any time: it waits no longer."""
_PAUSE_SECONDS_MIN = 0.01
_QUIET_AFTER_LOOKS = 50
_log = structlog.get_logger()


class BackgroundWork(Protocol):
    """A piece of background work."""

    @property
    def name(self) -> str:
        """How the log calls it."""
        ...

    async def look(self) -> float:
        """Does what is due; answers the seconds until the next look. Nobody wakes it meanwhile."""
        ...


class IdlePause:
    """How long work pauses, in seconds, that has found nothing. Where nothing has happened for many
    looks, the next thing waits a little longer, and a server that is left alone asks less often."""

    def __init__(self, seconds: float, quiet_seconds: float) -> None:
        self._seconds = seconds
        self._quiet_seconds = quiet_seconds
        self._looks = 0

    def note_found(self) -> None:
        """Notes that there was something."""
        self._looks = 0

    def next(self) -> float:
        """The pause after a look that found nothing."""
        self._looks += 1
        return self._quiet_seconds if self._looks > _QUIET_AFTER_LOOKS else self._seconds


async def keep(work: BackgroundWork) -> None:
    """Keeps a piece of work looking, until cancelled."""
    act_as(SYSTEM)  # in this task alone
    while True:
        try:
            pause = await work.look()
        except COLLIDED:
            pause = _PAUSE_SECONDS_MIN
        except Unavailable:
            pause = PAUSE_SECONDS_MAX
        except FAULTS as error:
            if not is_away(error):
                _log.error("background work failed", work=work.name, error=str(error))
            pause = PAUSE_SECONDS_MAX
        except BespeakError as error:
            _log.error("background work failed", work=work.name, error=str(error))
            pause = PAUSE_SECONDS_MAX
        end_if_cancelled()
        await asyncio.sleep(max(pause, _PAUSE_SECONDS_MIN))


@asynccontextmanager
async def kept(works: Sequence[BackgroundWork]) -> AsyncIterator[None]:
    """Keeps all of it looking within the block. What fails for a reason that nobody thought of is
    told, and ends the block's other work no more than its own."""
    tasks = [asyncio.create_task(keep(work), name=work.name) for work in works]
    for task in tasks:
        task.add_done_callback(_tell)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _tell(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        _log.error("background work ended", work=task.get_name(), error=repr(task.exception()))
