"""The crowd of the demo, which a visitor starts with a button: `bespeak rush` in a process of
its own, so that its load is not this worker's. One at a time, over all workers and servers of a
database; it ends with the worker that started it, and a rush whose worker was killed is over some
seconds later.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

import msgspec
import structlog

from bespeak import ids
from bespeak.demo.errors import RushRunning
from bespeak.demo.premieres import DemoPremiere, read_premiere
from bespeak.errors import BespeakError
from bespeak.postgres.pool import FAULTS
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bespeak.postgres.pool import Connection, Database

_QUERIES = load("bespeak.demo", "rushes.sql")
_KEY_NAME = "demo rush"
_SILENT_SECONDS = 5.0
_BEAT_SECONDS = 1.0
_SECONDS_MAX = 600.0  # from the opening on, if there is one that the crowd waits for
_EARLY_SECONDS_MAX = 86_400.0
"""How long a crowd waits for an opening, which may be put off: meanwhile there is no other."""
_END_SECONDS = 2.0
_QUEUEING = ("--impatient", "0.03", "--cancel", "0.2")
_LINE_BYTES_MAX = 1 << 20
_TOLD_MAX = 500
_AWAY: tuple[type[Exception], ...] = (BespeakError, *FAULTS)
_log = structlog.get_logger()


class DemoRush(msgspec.Struct, frozen=True, kw_only=True):
    """The demo's rush: the one that runs, or the last one. `error` says why there is no verdict:
    `interrupted` with the server, or `failed`. Those who queue in a waiting room have `joined` and
    were `let_in`; `premiere` is what there is to queue for."""

    id: str | None
    state: Literal["idle", "running", "done"]
    resource_id: str | None
    waiting_room_id: str | None
    buyers: int
    arrived: int
    joined: int
    let_in: int
    granted: int
    refused: int
    confirmed: int
    released: int
    declined: int
    cancelled: int
    double_sold: int
    seconds: float
    started_at: datetime | None
    error: Literal["interrupted", "failed"] | None
    premiere: DemoPremiere | None = None


@dataclass(frozen=True)
class RushOrder:
    """Who comes: how many, to what, so many a second, to the server at this URL; by which waiting
    room, if it is behind one."""

    url: str
    resource_id: str
    buyers: int
    pace: float
    waiting_room_id: str | None = None

    @property
    def arguments(self) -> tuple[str, ...]:
        """The order as the crowd's process takes it."""
        queueing = ("--waiting-room", *_QUEUEING) if self.waiting_room_id else ()
        return (
            *("--url", self.url, "--resource", self.resource_id),
            *("--buyers", str(self.buyers), "--pace", f"{self.pace:.3f}", *queueing),
        )


class _ToldQueue(msgspec.Struct):
    joined: int = 0
    let_in: int = 0


class _Told(msgspec.Struct):
    """What a line of the crowd's process tells. Its last line is the verdict, which alone knows
    whether all is sold."""

    arrived: int
    granted: int
    refused: int
    confirmed: int
    released: int
    declined: int
    double_sold: int
    cancelled: int = 0
    queue: _ToldQueue | None = None
    sold_out: bool | None = None

    @property
    def counts(self) -> tuple[int, ...]:
        queue = self.queue or _ToldQueue()
        sold = (self.arrived, self.granted, self.refused, self.confirmed, self.released)
        return (
            *sold,
            *(self.declined, self.double_sold, self.cancelled, queue.joined, queue.let_in),
        )


class _Patience:
    """For how long a crowd is waited for: so many seconds from the opening of the sale that it
    came for. That may be put off, but not for ever."""

    def __init__(self, timeout: asyncio.Timeout, seconds: float, early_seconds: float) -> None:
        self._timeout = timeout
        self._seconds = seconds
        self._latest = asyncio.get_running_loop().time() + early_seconds + seconds

    def begin(self) -> None:
        """Begins from now: the sale has not opened yet."""
        until = asyncio.get_running_loop().time() + self._seconds
        self._timeout.reschedule(min(until, self._latest))


class CrowdKey(Protocol):
    """The key that a crowd was given, by which it is forgotten afterwards."""

    @property
    def id(self) -> str: ...


# Makes a key of a kind, under a name; the API does, which stands above.
CreateKey: TypeAlias = "Callable[[Connection, str, str], Awaitable[tuple[str, CrowdKey]]]"

_LINE = msgspec.json.Decoder(_Told)


class DemoRushes:
    """Begins the rushes of this worker, and tells of those of all workers."""

    def __init__(
        self,
        database: Database,
        create_key: CreateKey,
        *,
        command: tuple[str, ...] = (sys.executable, "-m", "bespeak", "rush"),
        silent_seconds: float = _SILENT_SECONDS,
        beat_seconds: float = _BEAT_SECONDS,
        seconds_max: float = _SECONDS_MAX,
        early_seconds_max: float = _EARLY_SECONDS_MAX,
    ) -> None:
        self._database = database
        self._create_key = create_key
        self._command = command
        self._silent_seconds = silent_seconds
        self._beat_seconds = beat_seconds
        self._seconds_max = seconds_max
        self._early_seconds_max = early_seconds_max
        self._running: set[asyncio.Task[None]] = set()

    async def begin(self, crowd: RushOrder) -> DemoRush:
        """Starts a rush. Raises RushRunning."""
        rush_id = secrets.token_hex(8)
        async with (
            self._database.borrow() as connection,
            connection.transaction(),
        ):
            key = await self._take_the_place(connection, rush_id, crowd)
            shown = await self._read(connection)
        task = asyncio.create_task(self._run(rush_id, crowd, *key))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return shown

    async def now(self) -> DemoRush:
        """The rush that runs, on whichever worker, or the last one."""
        async with self._database.borrow() as connection:
            return await self._read(connection)

    async def close(self) -> None:
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _take_the_place(
        self, connection: Connection, rush_id: str, crowd: RushOrder
    ) -> tuple[str, str]:
        """The text and the id of a key for the crowd, once there is no other crowd."""
        (last,) = await connection.fetch(_QUERIES["lock"], self._silent_seconds)
        if last["is_running"]:
            raise RushRunning
        if last["key_id"] is not None:  # of a crowd whose worker was killed
            await connection.execute(_QUERIES["forget_key"], last["key_id"])
        text, key = await self._create_key(connection, "secret", _KEY_NAME)
        await connection.execute(
            _QUERIES["begin"],
            *(rush_id, ids.parse_resource(crowd.resource_id), crowd.buyers, key.id),
            crowd.waiting_room_id,
        )
        return text, key.id

    async def _read(self, connection: Connection) -> DemoRush:
        (row,) = await connection.fetch(_QUERIES["read"], self._silent_seconds)
        number, seconds = row["resource_id"], round(row["seconds"] or 0.0, 2)
        resource_id = None if number is None else ids.show_resource(number)
        premiere = await read_premiere(connection)
        shown = {"resource_id": resource_id, "seconds": seconds, "premiere": premiere}
        return DemoRush(**{**row, **shown})

    async def _run(self, rush_id: str, crowd: RushOrder, key: str, key_id: str) -> None:
        """Runs the crowd's process to its end, or ends it with this task."""
        error: str | None = "interrupted"
        process: Process | None = None
        try:
            process = await self._start(crowd, key)
            async with asyncio.timeout(self._seconds_max) as timeout:
                patience = _Patience(timeout, self._seconds_max, self._early_seconds_max)
                error = await self._listen(rush_id, process, patience)
        except TimeoutError:
            error = "failed"
            _log.warning("the demo's rush took too long", rush=rush_id)
        except (OSError, ValueError, msgspec.MsgspecError) as fault:
            error = "failed"
            _log.warning("the demo's rush failed", rush=rush_id, error=str(fault))
        finally:
            # In a task of its own, which nobody cancels: before Python 3.11.3 a task that is
            # cancelled waits for no timeout any more, and the process would be left.
            await asyncio.shield(self._finish(process, rush_id, key_id, error))

    async def _start(self, crowd: RushOrder, key: str) -> Process:
        # The key by the environment: everyone may read arguments. Nothing of ours goes along with
        # it, for the crowd knows no more than any client.
        ours = ("BESPEAK_", "PROMETHEUS_")
        inherited = {name: text for name, text in os.environ.items() if not name.startswith(ours)}
        return await asyncio.create_subprocess_exec(
            *self._command,
            *crowd.arguments,
            *("--seed", str(secrets.randbelow(1_000_000)), "--json", "--report"),
            env={**inherited, "BESPEAK_KEY": key},
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            limit=_LINE_BYTES_MAX,
            start_new_session=True,
        )

    async def _listen(self, rush_id: str, process: Process, patience: _Patience) -> str | None:
        """Writes down what the crowd tells, until it has told all; the error, if it is one."""
        if process.stdout is None or process.stderr is None:
            raise OSError("the crowd's process has no output")
        said = None
        while line := await self._line(rush_id, process.stdout, patience):
            said = _LINE.decode(line)
            if not await self._write("report", rush_id, patience, *said.counts):
                return None  # another has its place: what this one comes to is nobody's business
        faults = (await process.stderr.read()).decode(errors="replace").strip()
        status = await process.wait()
        if said is not None and said.sold_out is not None:
            return None
        _log.warning(
            "the demo's rush failed", rush=rush_id, status=status, error=faults[-_TOLD_MAX:]
        )
        return "failed"

    async def _line(self, rush_id: str, output: asyncio.StreamReader, patience: _Patience) -> bytes:
        """The next line of the crowd; empty at its end. It takes its time to start and to count
        again at the end, and meanwhile the others are told that its worker is there."""
        while True:
            try:
                async with asyncio.timeout(self._beat_seconds):
                    return await output.readline()
            except TimeoutError:
                await self._write("beat", rush_id, patience)

    async def _write(self, statement: str, rush_id: str, patience: _Patience, *values: int) -> bool:
        """Writes something down of a rush; whether it is still this one. A database that is away
        is no reason to end it: the next word comes in a moment."""
        try:
            async with self._database.borrow() as connection:
                is_early = await connection.fetchval(_QUERIES[statement], rush_id, *values)
        except _AWAY as fault:
            _log.warning("the demo's rush cannot report", rush=rush_id, error=str(fault))
            return True
        if is_early:
            patience.begin()
        return is_early is not None

    async def _finish(
        self, process: Process | None, rush_id: str, key_id: str, error: str | None
    ) -> None:
        """Ends the process, and writes that down. Where that fails, silence tells the same."""
        if process is not None:
            await _end(process)
        try:
            async with (
                self._database.borrow() as connection,
                connection.transaction(),
            ):
                await connection.execute(_QUERIES["forget_key"], key_id)
                await connection.execute(_QUERIES["finish"], rush_id, error)
        except _AWAY as fault:
            _log.warning("the end of the demo's rush is not noted", rush=rush_id, error=str(fault))


async def _end(process: Process) -> None:
    """Ends a process, unless it has ended: by asking, and if that is not heard by force."""
    if process.returncode is not None:
        return
    if process.stdin is not None:
        process.stdin.close()
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(_END_SECONDS):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
