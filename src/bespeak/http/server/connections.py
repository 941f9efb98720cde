"""The connections of a worker, by who is at their other end. Granian keeps them where Python does
not see them, so they are found among the open files of the process: those that an address has
beyond its number are ended, and those whose request was too slow and that are still there.
"""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TypeAlias

Peer: TypeAlias = tuple[str, int]
_FILES = "/proc/self/fd"
_IS_LINUX = sys.platform == "linux"
_OWN = ("127.0.0.1", "::1", "::ffff:127.0.0.1")
# With ten thousand streams a look takes a tenth of a second: it may have this part of the time.
_DUTY = 0.03


class Connections:
    """Looked at once a second. `most_per_address` is for each address but this machine's own and
    those of trusted proxies, behind which many are; 0: no limit."""

    def __init__(self, most_per_address: int, is_trusted: Callable[[str], bool]) -> None:
        self._most = most_per_address
        self._is_trusted = is_trusted
        self._slow: set[Peer] = set()
        self._ports: frozenset[int] = frozenset()
        self._look_at = 0.0

    def end_soon(self, peer: Peer | None) -> None:
        """Ends a connection at the next look: by then its answer has left."""
        if peer is not None:
            self._slow.add((peer[0], int(peer[1])))  # Granian has the port as text

    async def look(self) -> int:
        """Ends what is too much; answers how many connections that were."""
        if not _IS_LINUX:  # elsewhere a system does not tell, and no server for the public runs
            self._slow.clear()
            return 0
        began = time.monotonic()
        if began < self._look_at:
            return 0
        # The usual case costs one list of numbers: fewer files than one address may have.
        if not self._slow and (not self._most or len(os.listdir(_FILES)) <= self._most):
            return 0
        slow, self._slow = self._slow, set()
        ended = await asyncio.to_thread(self._end, slow)
        now = time.monotonic()
        self._look_at = now + (now - began) / _DUTY
        return ended

    def _end(self, slow: set[Peer]) -> int:
        ended = 0
        counts: dict[str, int] = {}
        self._ports = self._ports or _listening()
        for connection, peer in _accepted(self._ports):
            with connection:
                counts[peer[0]] = counts.get(peer[0], 0) + 1
                is_too_many = 0 < self._most < counts[peer[0]] and not self._is_free(peer[0])
                if is_too_many or peer in slow:
                    with suppress(OSError):
                        connection.shutdown(socket.SHUT_RDWR)
                        ended += 1
        return ended

    def _is_free(self, address: str) -> bool:
        return address in _OWN or self._is_trusted(address)


def _listening() -> frozenset[int]:
    """The ports at which this process listens, which stay the same."""
    ports: set[int] = set()
    for handle in _sockets():
        with handle, suppress(OSError):
            if handle.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                ports.add(handle.getsockname()[1])
    return frozenset(ports)


def _accepted(ports: frozenset[int]) -> Iterator[tuple[socket.socket, Peer]]:
    """The connections that came in, the oldest first as far as the numbers of files tell."""
    for handle in _sockets():
        try:
            own, peer = handle.getsockname(), handle.getpeername()
        except OSError:  # it listens, or is over
            handle.close()
            continue
        if own[1] in ports:
            yield handle, (peer[0], peer[1])
        else:
            handle.close()


def _sockets() -> Iterator[socket.socket]:
    """The TCP sockets of this process. Each is a second handle of its own: what closes meanwhile is
    no other file by the time it is ended."""
    for number in sorted(int(name) for name in os.listdir(_FILES)):
        try:
            if not stat.S_ISSOCK(os.fstat(number).st_mode):
                continue
            handle = socket.socket(fileno=os.dup(number))
        except OSError:  # closed meanwhile
            continue
        if handle.family in (socket.AF_INET, socket.AF_INET6):
            yield handle
        else:
            handle.close()
