"""From the command `bespeak demo` on an empty folder to its first answer, and what it weighs idle.

The database is part of both: it is made, started and counted.
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

IDLE_SECONDS = 5.0


async def run(bench: Bench) -> list[Figure]:
    """Each round starts from nothing."""
    rounds = [await one_start() for _ in range(bench.rounds)]
    return [
        alone("start", "s", median([Sample(seconds) for seconds, _ in rounds])),
        alone("start-idle-memory", "MB (PSS)", median([Sample(mb) for _, mb in rounds])),
    ]


async def one_start() -> tuple[float, float]:
    """Seconds to the first 200, then the proportional memory of all its processes."""
    data_dir = Path(tempfile.mkdtemp(prefix="bespeak-bench-start-"))
    port = services.free_port()
    command = OWN.command("demo", "--port", str(port), "--data", str(data_dir), "--json")
    try:
        started = time.perf_counter()
        async with services.process(command, output=subprocess.PIPE) as child:
            await services.first_answer(port, "/healthz", child)
            seconds = time.perf_counter() - started
            await asyncio.sleep(IDLE_SECONDS)
            return seconds, services.proportional_mb(services.tree(child.pid, data_dir))
    finally:
        shutil.rmtree(data_dir, ignore_errors=True)
