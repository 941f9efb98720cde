"""From the command `bespeak demo` on an empty folder to its first page and to all of its shows, and
what it weighs idle after that.

The database is part of it all: it is made, started and counted. The demo's stays are left out: how
many of them there are is an option.
"""

import asyncio
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks import services
from benchmarks.bespeak_server import OWN
from benchmarks.results import Bench, Figure, Sample, alone, median

IDLE_SECONDS = 75.0  # connections that are idle are closed after a minute


async def run(bench: Bench) -> list[Figure]:
    """Each round starts from nothing."""
    rounds = [await one_start() for _ in range(bench.rounds)]
    first, loaded, weight = (
        median([Sample(value) for value in column]) for column in zip(*rounds, strict=True)
    )
    return [
        alone("start", "s to the first page", first),
        alone("start-loaded", "s to all shows", loaded),
        alone("start-idle-memory", "MB (PSS)", weight),
    ]


async def one_start() -> tuple[float, float, float]:
    """Seconds to the first page and until all is loaded, then the proportional memory of all its
    processes."""
    data_dir = Path(tempfile.mkdtemp(prefix="bespeak-bench-start-"))
    port = services.free_port()
    command = OWN.command(
        *("demo", "--port", str(port), "--data", str(data_dir), "--json", "--listings", "0")
    )
    try:
        started = time.perf_counter()
        async with services.process(command, output=subprocess.PIPE) as child:
            await services.first_answer(port, "/", child)
            first = time.perf_counter() - started
            assert child.stdout is not None
            if not await asyncio.to_thread(child.stdout.readline):
                raise services.ServiceError("the demo was not loaded")
            loaded = time.perf_counter() - started
            await asyncio.sleep(IDLE_SECONDS)
            return first, loaded, services.proportional_mb(services.tree(child.pid, data_dir))
    finally:
        shutil.rmtree(data_dir, ignore_errors=True)
