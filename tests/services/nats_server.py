"""A NATS server with JetStream of the tests' own, on a free port of the loopback, which can be
killed and started again on its files; and a reader of what is in its streams.
"""

import signal
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import msgspec
import nats
import psutil
from nats.js import JetStreamContext
from nats.js.api import StreamConfig

from tests.services.certificates import Certificates
from tests.services.conftest import ROOT, free_port
from tests.services.relaying import Received

_SETTINGS = """
listen: 127.0.0.1:{port}
max_payload: 65536
no_auth_user: anybody
authorization {{ users: [
    {{ user: "anybody" }}
    {{ user: "asha", password: "p@ss word" }}
] }}
tls {{ cert_file: "{certificate}", key_file: "{key}" }}
allow_non_tls: true
jetstream {{ store_dir: "{folder}" }}
"""


class NatsServer:
    """A NATS server in a folder."""

    def __init__(self, folder: Path) -> None:
        programs = list(ROOT.glob(".venv/nats/*/nats-server"))
        assert len(programs) == 1, "the NATS server is missing: run scripts/install-nats"
        self.port = free_port()
        settings = folder / "server.conf"
        self.certificates = Certificates(folder)
        settings.write_text(
            _SETTINGS.format(
                port=self.port,
                folder=folder / "store",
                certificate=self.certificates.certificate,
                key=self.certificates.key,
            )
        )
        self._command = [str(programs[0]), "--config", str(settings)]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts it, and waits until it is ready."""
        self._process = subprocess.Popen(self._command, stderr=subprocess.PIPE)
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if b"Server is ready" in line:
                return
        raise AssertionError("the NATS server did not start")

    def kill(self) -> None:
        """kill -9."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stderr is not None
            self._process.stderr.close()
            self._process = None

    @contextmanager
    def silent(self) -> Iterator[None]:
        """It stands still within the block."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        while psutil.Process(self._process.pid).status() != psutil.STATUS_STOPPED:
            time.sleep(0.001)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    @asynccontextmanager
    async def jetstream(self) -> AsyncIterator[JetStreamContext]:
        client = await nats.connect(f"nats://{self.address}")
        try:
            yield client.jetstream()
        finally:
            await client.close()

    async def make_stream(self, name: str, max_msg_size: int = -1) -> str:
        """A stream that takes the subject of its name."""
        async with self.jetstream() as jetstream:
            await jetstream.add_stream(
                StreamConfig(name, subjects=[name], max_msg_size=max_msg_size)
            )
        return name

    async def received(self, stream: str) -> list[Received]:
        """All that is in a stream."""
        async with self.jetstream() as jetstream:
            count = (await jetstream.stream_info(stream)).state.messages
            reader = await jetstream.subscribe(stream, ordered_consumer=True)
            found = []
            for _ in range(count):
                message = await reader.next_msg(timeout=20)
                about = msgspec.json.decode(message.data, type=_About)
                found.append(Received(message.headers or {}, about.resource_id, message.data))
        return found


class _About(msgspec.Struct):
    resource_id: str
