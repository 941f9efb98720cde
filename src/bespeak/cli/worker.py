"""`bespeak worker`: the background worker alone. Any number may run; one leads, the others wait to
take over. `bespeak serve` runs one by itself.
"""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bespeak.cli.options import DatabaseChoice

_LOOK_SECONDS = 0.5
_Hidden = Parameter(show=False)


def worker(
    *,
    database: DatabaseChoice | None = None,
    supervisor: Annotated[int | None, _Hidden] = None,
    guard: Annotated[Path | None, _Hidden] = None,
) -> int:
    """Run the background worker alone.

    It lets holds expire within a second of their time and tells the feed. Nothing depends on it
    for correctness: a lapsed seat is free to the next taker without it. Run as many as you like,
    on any machine that reaches the database: one works, the next takes over when it dies.
    `bespeak serve` starts one by itself, so you need this only to have a spare.

    For example:

        BESPEAK_DATABASE_URL=postgresql://bespeak@db.example/bespeak bespeak worker

    Parameters
    ----------
    supervisor
        The process that started this one; the worker ends when that does.
    guard
        The folder of an embedded server to stop when the supervisor is gone.
    """
    from bespeak.cli.databases import opened, stop_abandoned
    from bespeak.http.server.logs import configure
    from bespeak.settings import Settings

    configure(Settings.read().log_level)
    with opened(database or DatabaseChoice()) as url:
        folder = guard or (database or DatabaseChoice()).folder()
        orphaned = asyncio.run(_work(url, folder, supervisor))
    if orphaned and guard is not None:
        stop_abandoned(guard)
    return 0


async def _work(url: str, folder: Path, supervisor: int | None) -> bool:
    """Works until told to stop (False) or until the supervisor is gone (True)."""
    from bespeak.cli.supervision.leader import Leader

    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    leading = asyncio.create_task(Leader(url, folder).run())
    try:
        while not leading.done():
            try:
                async with asyncio.timeout(_LOOK_SECONDS):
                    await stopping.wait()
                return False
            except TimeoutError:
                if supervisor is not None and os.getppid() != supervisor:
                    return True
        leading.result()  # it only ends with a fault, which is raised here
        return False
    finally:
        leading.cancel()
        await asyncio.gather(leading, return_exceptions=True)
