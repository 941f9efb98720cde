"""The servers that run on this machine, by URL, with their keys: a file that only its user can
read, so that `bespeak rush` needs no key for a server beside it. Entries go when servers stop;
those of servers that were killed go when the file is next written.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import psutil

from bespeak.cli.options import state_file


class RunningServer(msgspec.Struct, frozen=True):
    """A server that said that it is ready. `suggested` are resources for a rush."""

    url: str
    pid: int
    keys: dict[str, str]
    suggested: list[str] = []


def remember(server: RunningServer, file: Path | None = None) -> None:
    """Notes a server, in the place of one that had its URL."""
    with _changing(file or state_file()) as servers:
        servers[server.url] = server


def forget(server: RunningServer, file: Path | None = None) -> None:
    """Removes a server's note, unless another took its place."""
    with _changing(file or state_file()) as servers:
        if servers.get(server.url) == server:
            del servers[server.url]


def find(url: str | None = None, file: Path | None = None) -> RunningServer | None:
    """The server with this URL; without one, the only server that runs here."""
    servers = _read(file or state_file())
    if url is not None:
        return servers.get(url.rstrip("/").replace("//localhost:", "//127.0.0.1:"))
    alive = [server for server in servers.values() if psutil.pid_exists(server.pid)]
    return alive[0] if len(alive) == 1 else None


def _read(file: Path) -> dict[str, RunningServer]:
    try:
        found = msgspec.json.decode(file.read_bytes(), type=list[RunningServer])
    except (OSError, msgspec.MsgspecError):
        return {}  # no file, or one of another version: it is only a note
    return {server.url: server for server in found}


@contextmanager
def _changing(file: Path) -> Iterator[dict[str, RunningServer]]:
    """The notes under a lock, so that servers that start together do not lose each other's."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        servers = {
            url: server for url, server in _read(file).items() if psutil.pid_exists(server.pid)
        }
        yield servers
        write_private(file, msgspec.json.encode(list(servers.values())))


def write_private(file: Path, content: bytes) -> None:
    """Writes a file in one step that only its user can read, from its first byte on."""
    draft = file.with_suffix(f".{os.getpid()}.new")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(content)
    draft.replace(file)
