"""The load of `wrk`, a client in C from Debian, for cases whose requests need no answer of another.
It takes a part of the processor that our own client takes, which shares the cores with what is
measured. The requests are the same bytes, made before the measurement begins.

A refusal is an error here: nobody waits for `Retry-After`, nor looks at what was answered.
"""

import asyncio
import json
import resource
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import services
from benchmarks.load import Load, Source, Target
from benchmarks.results import Sample

_FIRST = 20_000
_MORE = 1.5  # times what the warm-up needed, so that a quicker measurement has enough
_SCRIPT = """
local file = io.open("{requests}", "rb")
local mine, at = {{}}, 0
for line in file:lines() do mine[#mine + 1] = file:read(tonumber(line)) end
file:close()
request = function()
    at = at + 1
    if at > #mine then at = 1; ran_out = true end
    return mine[at]
end
local threads = {{}}
setup = function(thread) threads[#threads + 1] = thread end
done = function(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '\\n{{"answers": %d, "microseconds": %d, "refused": %d, "lost": %d, "ran_out": %s,'
            .. ' "p50_us": %d, "p99_us": %d}}\\n',
        summary.requests, summary.duration, errors.status,
        errors.connect + errors.read + errors.write + errors.timeout,
        tostring(threads[1]:get("ran_out") == true), latency:percentile(50),
        latency:percentile(99)))
end
"""


@dataclass(frozen=True)
class Answered:
    """What came back: answers of 2xx, in how many seconds, and what the load itself cost."""

    answers: int
    seconds: float
    p50_ms: float
    p99_ms: float
    load_us: float
    ran_out: bool
    """Whether requests were put again, since there were too few of them."""

    def sample(self) -> Sample:
        """Answers a second, with their latencies."""
        return Sample(self.answers / self.seconds, self.p50_ms, self.p99_ms)


class WrkLoad:
    """Loads a server with requests of a source, each of which is put once."""

    def __init__(self, target: Target, source: Source) -> None:
        self._target = target
        self._source = source
        self._ready: list[bytes] = []

    async def measure(self, load: Load) -> Answered:
        """A warm-up, which tells how many requests it takes, and the measurement. Raises
        RuntimeError where anything was refused or lost, or the source has not so many requests."""
        seconds = load.seconds or 5.0
        warm_up = max(1.0, load.warm_up_seconds)
        first = await self._warmed_up(load.connections, warm_up)
        wanted = first.answers / first.seconds * seconds * _MORE
        made = await self._put(load.connections, seconds, wanted)
        if made.ran_out:
            raise RuntimeError(f"a measurement that is none: {made}")
        return made

    async def _warmed_up(self, connections: int, seconds: float) -> Answered:
        """A warm-up that had requests enough, however quick the machine is."""
        wanted = _FIRST * seconds
        while (made := await self._put(connections, seconds, wanted)).ran_out:
            wanted *= 2
        return made

    async def _put(self, connections: int, seconds: float, wanted: float) -> Answered:
        while len(self._ready) < wanted:
            request = self._source(0)
            if request is None:
                raise RuntimeError("the source has no more requests: make it larger")
            self._ready.append(request)
        made = await _run(self._target, connections, seconds, self._ready)
        # Those that were on their way at the end were not counted.
        del self._ready[: made.answers + 2 * connections]
        return made


async def _run(
    target: Target, connections: int, seconds: float, requests: Sequence[bytes]
) -> Answered:
    wrk = await asyncio.to_thread(services.program, "wrk", "wrk")
    # One and the same request may be put again and again, others may not.
    is_one = len(set(requests[:2])) == 1
    with tempfile.TemporaryDirectory() as folder:
        script = _write_script(Path(folder), requests[:1] if is_one else requests)
        whole = f"{max(1, round(seconds))}s"
        arguments = ("-t1", f"-c{connections}", f"-d{whole}", "-s", str(script))
        cpu = _children_seconds()
        process = await asyncio.create_subprocess_exec(
            *(wrk, *arguments, f"http://{target.host}:{target.port}"),
            stdout=asyncio.subprocess.PIPE,
        )
        told, _ = await process.communicate()
        cpu = _children_seconds() - cpu
    if process.returncode != 0:
        raise RuntimeError(f"wrk ended with {process.returncode}: {told.decode()[-500:]}")
    found = json.loads(told.splitlines()[-1])
    if found["refused"] or found["lost"]:
        raise RuntimeError(f"a measurement that is none: {found}")
    return Answered(
        found["answers"],
        found["microseconds"] / 1e6,
        found["p50_us"] / 1e3,
        found["p99_us"] / 1e3,
        cpu * 1e6 / max(1, found["answers"]),
        found["ran_out"] and not is_one,
    )


def _write_script(folder: Path, requests: Sequence[bytes]) -> Path:
    """The script that `wrk` runs, and beside it the requests that it reads."""
    file, script = folder / "requests", folder / "load.lua"
    file.write_bytes(b"".join(b"%d\n%b" % (len(one), one) for one in requests))
    script.write_text(_SCRIPT.format(requests=file))
    return script


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
