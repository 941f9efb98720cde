"""Thousands of viewers of one show, in a process of their own: sockets and an epoll, no more.

`python -m benchmarks.viewing stream|ask PORT PATH KEY VIEWERS`. Those of a `stream` listen; those
that `ask` do so once a second each, with the tag of what they have. It says `ready` when all have a
picture. At `go` it forgets what came; at `stop` it writes what came since, a JSON line: the texts
that were told, and for each viewer which of them it had, and when. It ends with its standard input.
"""

import array
import contextlib
import json
import re
import resource
import select
import socket
import sys
import time

CONNECT_AT_ONCE = 200
RECEIVED_AT_ONCE = 65_536
_END = b"\n\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)")
_TAG = re.compile(rb"\r\netag: ([^\r]+)")


class Crowd:
    """The viewers. What is told to many is the same text, and so is kept once."""

    def __init__(self, port: int, viewers: int) -> None:
        self._epoll = select.epoll()
        self._sockets: dict[int, socket.socket] = {}
        self._partial: dict[int, bytes] = {}
        self.texts: dict[bytes, int] = {}
        self.told: dict[int, array.array[float]] = {}
        self.lost = 0
        for number in range(viewers):
            made = socket.create_connection(("127.0.0.1", port), timeout=30)
            self._sockets[made.fileno()] = made
            self._epoll.register(made.fileno(), select.EPOLLIN)
            self.begin(made)
            made.setblocking(False)
            if number % CONNECT_AT_ONCE == CONNECT_AT_ONCE - 1:
                self.receive(0.01)
        self.forget()

    def begin(self, made: socket.socket) -> None:
        """What a viewer does first."""

    def take(self, fileno: int, data: bytes, now: float) -> bytes:
        """Takes in whole messages; what is left of the last one."""
        raise NotImplementedError

    def pause(self) -> float:
        """Does what is due; how long there is nothing to do."""
        return 0.5

    def watch(self, fileno: int) -> None:
        """Looks at another file as well, such as the standard input."""
        self._epoll.register(fileno, select.EPOLLIN)

    def forget(self) -> None:
        """Forgets what was told, but not the last text of each."""
        last = {fileno: moments[-2:] for fileno, moments in self.told.items()}
        self.told = {fileno: last.get(fileno, array.array("d")) for fileno in self._sockets}

    def note(self, fileno: int, text: bytes, now: float) -> None:
        """A viewer has a text."""
        number = self.texts.setdefault(text, len(self.texts))
        self.told.setdefault(fileno, array.array("d")).extend((now, number))

    def receive(self, seconds: float) -> list[int]:
        """Takes what has come; the files that are none of the viewers'."""
        others = []
        for fileno, _ in self._epoll.poll(seconds):
            sock = self._sockets.get(fileno)
            if sock is None:
                others.append(fileno)
                continue
            data = b""
            with contextlib.suppress(ConnectionError):
                data = sock.recv(RECEIVED_AT_ONCE)
            if not data:
                self.lost += 1
                self._epoll.unregister(fileno)
                del self._sockets[fileno]
                continue
            now = time.perf_counter()
            left = self.take(fileno, self._partial.pop(fileno, b"") + data, now)
            if left:
                self._partial[fileno] = left
        return others


class Listening(Crowd):
    """Viewers of a stream."""

    def __init__(self, port: int, path: str, key: str, viewers: int) -> None:
        self._head = (
            f"GET {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {key}\r\n\r\n"
        ).encode()
        super().__init__(port, viewers)

    def begin(self, made: socket.socket) -> None:
        made.sendall(self._head)

    def take(self, fileno: int, data: bytes, now: float) -> bytes:
        if data in self.texts:
            self.note(fileno, data, now)
            return b""
        *whole, left = data.split(_END)
        for part in whole:
            if b"\ndata: " in part:
                self.note(fileno, part + _END, now)
        return left


class Asking(Crowd):
    """Viewers that ask once a second, each at its moment of the second."""

    def __init__(self, port: int, path: str, key: str, viewers: int) -> None:
        self._line = (
            f"GET {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {key}\r\n".encode()
        )
        self._tags: dict[int, bytes] = {}
        self._turn: list[int] = []
        self._asked = 0
        self._began = time.perf_counter()
        super().__init__(port, viewers)
        self._turn = list(self._sockets)
        self._began = time.perf_counter()

    def begin(self, made: socket.socket) -> None:
        self._ask(made)

    def _ask(self, sock: socket.socket) -> None:
        tag = self._tags.get(sock.fileno())
        seen = b"If-None-Match: %b\r\n" % tag if tag else b""
        with contextlib.suppress(OSError):
            sock.send(self._line + seen + b"\r\n")

    def pause(self) -> float:
        each = 1.0 / len(self._turn)
        while self._began + self._asked * each <= time.perf_counter():
            sock = self._sockets.get(self._turn[self._asked % len(self._turn)])
            self._asked += 1
            if sock is not None and sock.fileno() not in self._partial:
                self._ask(sock)
        return each

    def take(self, fileno: int, data: bytes, now: float) -> bytes:
        head = data.find(b"\r\n\r\n")
        if head < 0:
            return data
        length = _LENGTH.search(data, 0, head)
        end = head + 4 + (int(length[1]) if length else 0)
        if len(data) < end:
            return data
        if data.startswith(b"HTTP/1.1 200"):
            tag = _TAG.search(data, 0, head)
            self._tags[fileno] = tag[1] if tag else b""
            self.note(fileno, data[head + 4 : end], now)
        return data[end:]


def main() -> None:
    """Views until the standard input ends."""
    how, port, path, key, viewers = sys.argv[1:6]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    kind = Listening if how == "stream" else Asking
    crowd = kind(int(port), path, key, int(viewers))
    while len([1 for moments in crowd.told.values() if moments]) < int(viewers) and not crowd.lost:
        crowd.receive(min(0.1, crowd.pause()))
    print("ready", flush=True)
    crowd.watch(sys.stdin.fileno())
    while True:
        if sys.stdin.fileno() not in crowd.receive(crowd.pause()):
            continue
        word = sys.stdin.readline().strip()
        if word == "go":
            crowd.forget()
        elif word == "stop":
            texts = [text.decode() for text in crowd.texts]
            told = [list(moments) for moments in crowd.told.values()]
            print(json.dumps({"lost": crowd.lost, "texts": texts, "told": told}), flush=True)
        else:
            return


if __name__ == "__main__":
    main()
