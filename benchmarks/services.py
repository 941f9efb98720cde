"""Starts and stops the processes of a run: Granian with a comparator, Redis, Bespeak itself.

Each is a context manager that stops what it started, whatever happens in between, and answers
with a clear error when a program is missing.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent
WORKERS = 2
STOP_SECONDS_MAX = 6.0
START_SECONDS_MAX = 60.0


class ServiceError(Exception):
    """A program is missing, or did not start in time."""


def free_port() -> int:
    """A TCP port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.asynccontextmanager
async def process(
    command: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    output: int | None = None,
) -> AsyncIterator["subprocess.Popen[bytes]"]:
    """A child in its own group; asked to stop at the end, killed if it does not."""
    child = subprocess.Popen(  # noqa: ASYNC220 - before anything is measured
        command,
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=output if output is not None else subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield child
    finally:
        await asyncio.to_thread(_stop, child)


def _stop(child: "subprocess.Popen[bytes]") -> None:
    if child.poll() is None:
        child.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(STOP_SECONDS_MAX)
    # Workers that outlived their parent are in its group.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    if child.stdout is not None:
        child.stdout.close()


async def first_answer(port: int, path: str, child: "subprocess.Popen[bytes]") -> None:
    """Return at the first 200 on `path`; raise if the process ends or takes too long."""
    request = f"GET {path} HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n".encode()
    deadline = time.perf_counter() + START_SECONDS_MAX
    while time.perf_counter() < deadline:
        if child.poll() is not None:
            raise ServiceError(f"{child.args!r} ended with status {child.returncode}")
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(request)
                if (await reader.readline()).startswith(b"HTTP/1.1 200"):
                    return
            finally:
                writer.close()
        await asyncio.sleep(0.02)
    raise ServiceError(f"{child.args!r} gave no 200 on {path} within {START_SECONDS_MAX} s")


@contextlib.asynccontextmanager
async def granian(app: str, environment: Mapping[str, str]) -> AsyncIterator[int]:
    """Serve an ASGI app with two workers on uvloop; gives the port."""
    port = free_port()
    command = [
        sys.executable, "-m", "granian", "--interface", "asgi", "--loop", "uvloop", "--http", "1",
        "--no-ws", "--workers", str(WORKERS), "--host", "127.0.0.1", "--port", str(port),
        "--backlog", "16384", "--log-level", "error", app,
    ]  # fmt: skip
    async with process(command, environment=environment) as child:
        await first_answer(port, "/healthz", child)
        yield port


@contextlib.asynccontextmanager
async def redis() -> AsyncIterator[str]:
    """A Redis without persistence; gives its URL."""
    port = free_port()
    command = [
        program("redis-server", "redis-server"), "--port", str(port), "--bind", "127.0.0.1",
        "--save", "", "--appendonly", "no",
    ]  # fmt: skip
    async with process(command) as child:
        for _ in range(250):
            if child.poll() is not None:
                raise ServiceError("redis-server ended at once")
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.1):
                break
            await asyncio.sleep(0.02)
        yield f"redis://127.0.0.1:{port}/0"


def program(name: str, package: str) -> str:
    """The path of an installed program; installed first from the system's packages where that is
    allowed. Raises ServiceError."""
    if shutil.which(name) is None:
        subprocess.run([ROOT / "scripts" / "install-package", name, package], check=False)
    found = shutil.which(name)
    if found is None:
        raise ServiceError(f"{name} is not installed, and this case needs it")
    return found


def tree(pid: int, data_dir: Path | None = None) -> list[psutil.Process]:
    """A process and its descendants, and the database that it detached, found by its pid file."""
    roots = [pid]
    if data_dir is not None:
        roots += [int(f.read_text().split()[0]) for f in data_dir.rglob("postmaster.pid")]
    found: dict[int, psutil.Process] = {}
    for root in roots:
        with contextlib.suppress(psutil.NoSuchProcess):
            top = psutil.Process(root)
            found.update({p.pid: p for p in [top, *top.children(recursive=True)]})
    return list(found.values())


def resident_mb(processes: Sequence[psutil.Process]) -> float:
    """Sum of resident sets; shared pages count in each process."""
    total = 0
    for one in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            total += one.memory_info().rss
    return total / 1e6


def proportional_mb(processes: Sequence[psutil.Process]) -> float:
    """Sum of proportional sets (PSS): shared pages count once over all who share them."""
    total = 0
    for one in processes:
        with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            total += one.memory_full_info().pss
    return total / 1e6
