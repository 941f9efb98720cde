"""A very cheap closed-loop HTTP/1.1 client: N keep-alive connections, one request in flight each.

The cases call it; it shares the cores with what it measures, so it spends about 20 us a request:
a raw protocol, requests as ready-made bytes, no header dictionaries. It waits out `Retry-After`
like a well-behaved client and counts those refusals apart.
"""

import array
import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

from benchmarks.wire import RETRY_SECONDS_DEFAULT, content_length, retry_seconds

# Called with the connection's number; gives the next request, or None when it has no more.
Source = Callable[[int], bytes | None]
# Called with the connection's number, the status and the body of each final answer.
Sink = Callable[[int, int, bytes], None]

CONNECT_AT_ONCE = 100
CONNECT_SECONDS_MAX = 15.0
WAIT_STATUSES = frozenset({429, 503})


@dataclass(frozen=True)
class Target:
    """Where the requests go."""

    host: str
    port: int


@dataclass(frozen=True)
class Load:
    """How much: ends after `seconds` (after the warm-up), or when the source has run dry."""

    connections: int
    seconds: float | None = None
    warm_up_seconds: float = 0.0


@dataclass
class Outcome:
    """What came back within the measured window. Latencies are those of final answers, in ms."""

    seconds: float = 0.0
    statuses: Counter[int] = field(default_factory=Counter)
    waited: int = 0
    errors: int = 0
    unconnected: int = 0
    unanswered: int = 0
    cpu_us: float = 0.0
    latencies_ms: list[float] = field(default_factory=list)

    def per_second(self, status: int) -> float:
        """Answers of that status per second of the window."""
        return self.statuses[status] / self.seconds if self.seconds else 0.0

    def percentile_ms(self, percent: float) -> float:
        """The latency that `percent` of the final answers did not exceed; 0 without answers."""
        if not self.latencies_ms:
            return 0.0
        index = min(len(self.latencies_ms) - 1, int(len(self.latencies_ms) * percent / 100))
        return self.latencies_ms[index]


async def run_load(target: Target, load: Load, source: Source, sink: Sink | None = None) -> Outcome:
    """Open all connections, then start them together, and count until the load's end.

    Raises what a callback raises.
    """
    return await _Crowd(target, load, source, sink).run()


class _Crowd:
    """All connections of one run, and what they have counted so far."""

    def __init__(self, target: Target, load: Load, source: Source, sink: Sink | None) -> None:
        self.target = target
        self.load = load
        self.source = source
        self.sink = sink
        self.loop = asyncio.get_running_loop()
        self.outcome = Outcome()
        self.latencies = array.array("d")
        self.measuring = False
        self.running = False
        self.active = 0
        self.done = asyncio.Event()
        self.failure: Exception | None = None
        self.connections: list[_Connection] = []
        self.reconnects: set[asyncio.Task[None]] = set()

    async def run(self) -> Outcome:
        for first in range(0, self.load.connections, CONNECT_AT_ONCE):
            numbers = range(first, min(first + CONNECT_AT_ONCE, self.load.connections))
            await asyncio.gather(*(self.connect(number) for number in numbers))
        self.running = True
        self.active = len(self.connections)
        if not self.connections:
            raise ConnectionError(f"nothing listens on {self.target.host}:{self.target.port}")
        for connection in list(self.connections):
            if self.running:
                connection.send_next()
        if self.load.warm_up_seconds:
            await self.wait(self.load.warm_up_seconds)
        self.measuring = True
        started, cpu = time.perf_counter(), time.process_time()
        await self.wait(self.load.seconds)
        self.outcome.seconds = time.perf_counter() - started
        cpu = time.process_time() - cpu
        self.running = self.measuring = False
        await self.close()
        if self.failure is not None:
            raise self.failure
        answers = sum(self.outcome.statuses.values()) + self.outcome.waited
        self.outcome.cpu_us = cpu * 1e6 / max(answers, 1)
        self.outcome.latencies_ms = sorted(seconds * 1e3 for seconds in self.latencies)
        return self.outcome

    async def wait(self, seconds: float | None) -> None:
        try:
            await asyncio.wait_for(self.done.wait(), seconds)
        except TimeoutError:
            return

    async def connect(self, number: int) -> None:
        """One connection; one that the server does not take in time is counted, not retried."""
        try:
            async with asyncio.timeout(CONNECT_SECONDS_MAX):
                await self.loop.create_connection(
                    lambda: _Connection(self, number), self.target.host, self.target.port
                )
        except (OSError, TimeoutError):
            self.outcome.unconnected += 1
            if self.running:
                self.finished()

    def finished(self) -> None:
        """A connection has nothing more to ask; the last one ends the run."""
        self.active -= 1
        if self.active <= 0:
            self.done.set()

    def fail(self, error: Exception) -> None:
        """A callback found something wrong: stop, and let `run` raise it. The event loop would only
        log it and drop the connection, and the figure would be that of a spoiled run."""
        self.failure = self.failure or error
        self.running = False
        self.done.set()

    def lost(self, connection: "_Connection") -> None:
        """The server hung up: an error, and the client comes back after a moment."""
        self.connections.remove(connection)
        if self.running and not connection.finished:
            self.outcome.errors += 1
            task = self.loop.create_task(self.reconnect(connection.number))
            self.reconnects.add(task)
            task.add_done_callback(self.reconnects.discard)

    async def reconnect(self, number: int) -> None:
        await asyncio.sleep(RETRY_SECONDS_DEFAULT)
        await self.connect(number)

    async def close(self) -> None:
        for task in list(self.reconnects):
            task.cancel()
        for connection in list(self.connections):
            self.outcome.unanswered += not connection.answered
            connection.abort()
        await asyncio.sleep(0.05)


class _Connection(asyncio.Protocol):
    """One client: sends, waits for the whole answer, sends the next."""

    __slots__ = ("answered", "crowd", "finished", "number", "partial", "request", "sent_at", "wire")

    def __init__(self, crowd: _Crowd, number: int) -> None:
        self.crowd = crowd
        self.number = number
        self.partial = b""
        self.request = b""
        self.sent_at = 0.0
        self.answered = False
        self.finished = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are not subclasses of asyncio's.
        self.wire = cast(asyncio.Transport, transport)
        self.crowd.connections.append(self)
        if self.crowd.running:
            self.send_next()

    def connection_lost(self, exc: Exception | None) -> None:
        self.crowd.lost(self)

    def abort(self) -> None:
        self.wire.abort()

    def send_next(self) -> None:
        try:
            request = self.crowd.source(self.number)
        except Exception as error:
            self.crowd.fail(error)
            return
        if request is None:
            self.finished = True
            self.crowd.finished()
            return
        self.request = request
        self.sent_at = time.perf_counter()
        self.wire.write(request)

    def send_again(self) -> None:
        if self.crowd.running and not self.wire.is_closing():
            self.sent_at = time.perf_counter()
            self.wire.write(self.request)

    def data_received(self, data: bytes) -> None:
        if self.partial:
            data = self.partial + data
        head = data.find(b"\r\n\r\n")
        if head < 0 or len(data) < (end := head + 4 + content_length(data, head)):
            self.partial = data
            return
        self.partial = b""
        self.answered = True
        crowd = self.crowd
        if not crowd.running:
            return
        status = int(data[9:12])
        if status in WAIT_STATUSES:
            crowd.outcome.waited += crowd.measuring
            crowd.loop.call_later(retry_seconds(data, head), self.send_again)
            return
        if crowd.measuring:
            crowd.outcome.statuses[status] += 1
            crowd.latencies.append(time.perf_counter() - self.sent_at)
        if crowd.sink is not None:
            try:
                crowd.sink(self.number, status, data[head + 4 : end])
            except Exception as error:
                crowd.fail(error)
                return
        self.send_next()
