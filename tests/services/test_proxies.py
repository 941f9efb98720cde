"""The proxy files of the docs, started with Debian's nginx and Caddy in front of a server and
attacked: what is honest is answered meanwhile, and memory stays flat.
"""

import asyncio
import os
import re
import resource
import socket
import ssl
import subprocess
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
import pytest

from tests.http.running import Server, running
from tests.services.conftest import ROOT, free_port

_FILES = ROOT / "docs/guides/proxy"
_IDLE = 10_000
# Caddy keeps a goroutine with its buffers for each connection, until it ends ten seconds later.
_MEGABYTES_MORE_MAX = {"nginx": 64, "caddy": 256}


@dataclass
class Proxy:
    """nginx or Caddy in front of a server."""

    name: str
    port: int
    process: subprocess.Popen[bytes]
    server: Server
    tls: ssl.SSLContext

    @property
    def client(self) -> httpx.AsyncClient:
        url = f"https://tickets.example.org:{self.port}"
        wire = httpx.AsyncHTTPTransport(verify=self.tls, local_address="127.0.0.1")
        return httpx.AsyncClient(base_url=url, transport=_ToLoopback(wire), timeout=20)

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection with TLS, as an attacker opens it: from an address of its own."""
        return await asyncio.open_connection(
            "127.0.0.1", self.port, ssl=self.tls, server_hostname="tickets.example.org",
            local_addr=("127.0.0.2", 0),
        )  # fmt: skip

    def megabytes(self) -> float:
        """What both keep in memory, in all their processes, without what they share."""
        roots = [psutil.Process(self.process.pid), psutil.Process(self.server.process.pid)]
        every = [one for root in roots for one in (root, *root.children(recursive=True))]
        return sum(one.memory_full_info().uss for one in every) / 1_048_576


class _ToLoopback(httpx.AsyncBaseTransport):
    """Finds the name of the docs at this machine."""

    def __init__(self, inner: httpx.AsyncHTTPTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions = {**request.extensions, "sni_hostname": request.url.host}
        request.url = request.url.copy_with(host="127.0.0.1")
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        await self._inner.aclose()


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def proxy(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Proxy]:
    name: str = request.param
    folder = tmp_path_factory.mktemp(name)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    data = folder / "data"
    with running(data, "serve", "--data", str(data), "--workers", "1") as server:
        pem, port = _certificate(folder), free_port()
        upstream = server.url.rpartition(":")[2]
        command = (_nginx if name == "nginx" else _caddy)(folder, port, upstream)
        with subprocess.Popen(command, env={**os.environ, "HOME": str(folder)}) as process:
            try:
                tls = ssl.create_default_context(cafile=str(pem))
                wait_for_port(port)
                yield Proxy(name, port, process, server, tls)
            finally:
                process.terminate()
                process.wait(20)


def _certificate(folder: Path) -> Path:
    """A certificate for the name of the docs, which signs itself."""
    subject = ["-subj", "/CN=tickets.example.org"]
    names = ["-addext", "subjectAltName=DNS:tickets.example.org"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    subprocess.run([*command, *subject, *names, *files], check=True, capture_output=True)
    return folder / "cert.pem"


def _nginx(folder: Path, port: int, upstream: str) -> list[str]:
    """How nginx starts with the file of the docs."""
    text = _changed(
        "nginx.conf",
        (r"listen 80;", f"listen 127.0.0.1:{free_port()};"),
        (r"listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        (r"server 127\.0\.0\.1:8000;", f"server 127.0.0.1:{upstream};"),
        (r"/etc/ssl/tickets\.example\.org\.pem", str(folder / "cert.pem")),
        (r"/etc/ssl/private/tickets\.example\.org\.key", str(folder / "key.pem")),
    )
    places = f"pid {folder}/nginx.pid;\nerror_log stderr crit;\n"
    if os.geteuid() == 0:
        places += "user root;\n"  # its own account may not enter the folder of the test
    (folder / "nginx.conf").write_text(places + text)
    command = ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    return [*command, "-g", "daemon off;"]


def _caddy(folder: Path, port: int, upstream: str) -> list[str]:
    """How Caddy starts with the file of the docs. It would ask an authority for its certificate, so
    that is given to it."""
    site = f"https://tickets.example.org:{port} {{\n\tbind 127.0.0.1\n"
    text = _changed(
        "Caddyfile",
        (r"(?m)^\{\n", "{\n\tadmin off\n\tauto_https disable_redirects\n"),
        (r"(?m)^tickets\.example\.org \{\n", f"{site}\ttls {folder}/cert.pem {folder}/key.pem\n"),
        (r"127\.0\.0\.1:8000", f"127.0.0.1:{upstream}"),
    )
    (folder / "Caddyfile").write_text(text)
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def _changed(name: str, *changes: tuple[str, str]) -> str:
    """A file of the docs; only its ports and the paths of its certificate are others."""
    text = (_FILES / name).read_text()
    for pattern, value in changes:
        text, count = re.subn(pattern, value.replace("\\", r"\\"), text)
        assert count == 1, pattern
    return text


def wait_for_port(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise AssertionError("the proxy does not listen")


async def honest(proxy: Proxy) -> None:
    """A buyer who knows nothing of all this."""
    async with proxy.client as client:
        key = {"Authorization": f"Bearer {proxy.server.keys['sk']}"}
        for path in ("/readyz", "/v1/resources"):
            answer = await client.get(path, headers=key)
            assert answer.status_code == 200, answer.text
        refused = await client.post("/v1/holds", headers=key, json={"owner": "asha", "lines": []})
        assert refused.status_code == 422


@asynccontextmanager
async def flat(proxy: Proxy) -> AsyncIterator[None]:
    """Within it memory does not grow by more than a little, and buyers are answered."""
    await honest(proxy)
    before = proxy.megabytes()
    yield
    await honest(proxy)
    assert proxy.megabytes() - before < _MEGABYTES_MORE_MAX[proxy.name]


async def read_all(reader: asyncio.StreamReader) -> bytes:
    """What comes until the connection ends, in order or not."""
    found = b""
    with suppress(OSError):
        while part := await reader.read(65_536):
            found += part
    return found


async def test_large_headers_are_refused(proxy: Proxy) -> None:
    async with flat(proxy):
        for _ in range(100):
            reader, writer = await proxy.open()
            writer.write(b"GET /healthz HTTP/1.1\r\nhost: tickets.example.org\r\nx-a: ")
            with suppress(OSError):
                writer.write(b"a" * 400_000 + b"\r\n\r\n")
                await writer.drain()
            assert b" 200 " not in (await read_all(reader))[:20]
            writer.close()


async def test_slow_headers_end(proxy: Proxy) -> None:
    async def drip() -> None:
        reader, writer = await proxy.open()
        writer.write(b"GET /healthz HTTP/1.1\r\n")
        with suppress(OSError):
            async with asyncio.timeout(40):
                while not reader.at_eof():
                    writer.write(b"x-a: 1\r\n")
                    await writer.drain()
                    with suppress(TimeoutError):
                        async with asyncio.timeout(0.5):
                            await reader.read(1000)
        assert reader.at_eof() or writer.is_closing() or reader.exception() is not None
        writer.close()

    async with flat(proxy):
        dripping = [asyncio.create_task(drip()) for _ in range(200)]
        await asyncio.sleep(0)
        for _ in range(5):
            await honest(proxy)
        await asyncio.gather(*dripping)


async def test_slow_bodies_never_reach_the_server(proxy: Proxy) -> None:
    head = (
        b"POST /v1/holds HTTP/1.1\r\nhost: tickets.example.org\r\ncontent-length: 1000\r\n"
        b"content-type: application/json\r\nauthorization: Bearer "
        + proxy.server.keys["sk"].encode()
        + b"\r\n\r\n{"
    )
    async with flat(proxy):
        slow = [await proxy.open() for _ in range(300)]
        for _, writer in slow:
            writer.write(head)
        await asyncio.gather(*(writer.drain() for _, writer in slow))
        for _ in range(5):
            await honest(proxy)
        ends = await asyncio.gather(*(read_all(reader) for reader, _ in slow))
        told = Counter(end[9:12] for end in ends)
        if proxy.name == "nginx":
            assert told[b"429"] >= 100, "those beyond what one address may have are told so"
        # All others end: by the proxy, or by the server, which has a time for bodies too.
        assert set(told) <= {b"429", b"408", b"502", b""}, told
        for _, writer in slow:
            writer.close()


async def test_ten_thousand_idle_connections_keep_nobody_out(proxy: Proxy) -> None:
    async with flat(proxy):
        opened: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        for number in range(_IDLE):
            source = f"127.0.{1 + number // 5000}.2"
            opened.append(
                await asyncio.open_connection("127.0.0.1", proxy.port, local_addr=(source, 0))
            )
            if number % 2000 == 0:
                await honest(proxy)
        await honest(proxy)
        for _, writer in opened:
            writer.close()


async def test_metrics_are_not_for_the_world(proxy: Proxy) -> None:
    async with proxy.client as client:
        key = {"Authorization": f"Bearer {proxy.server.keys['ak']}"}
        assert (await client.get("/metrics", headers=key)).status_code == 404
