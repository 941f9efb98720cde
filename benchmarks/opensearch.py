"""An OpenSearch node for the searches that are compared with it: of the jars that
`scripts/install-opensearch` fetches, started by a page of Java, asked over one connection.
"""

import asyncio
import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import msgspec
import psutil

from benchmarks.services import ROOT, ServiceError, first_answer, free_port, process
from benchmarks.wire import Requests, content_length

_PROGRAM = Path(__file__).parent / "comparators" / "OpenSearchNode.java"
_HEAP = "2g"
_HEAD_END = b"\r\n\r\n"


class OpenSearchConnection:
    """A connection to a node; one question after the other."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, node: psutil.Process
    ) -> None:
        self._reader, self._writer, self._node = reader, writer, node

    def processor_seconds(self) -> float:
        """How long processors have worked for the node."""
        times = self._node.cpu_times()
        return float(times.user + times.system)

    async def ask(self, method: str, path: str, body: bytes = b"") -> bytes:
        """The body of the answer. Raises ServiceError for one that is not 200."""
        return await self.send(Requests(method, path).make(body))

    async def send(self, request: bytes) -> bytes:
        """The same, of a request that was made ready."""
        self._writer.write(request)
        head = await self._reader.readuntil(_HEAD_END)
        body = await self._reader.readexactly(content_length(head, len(head)))
        if not head.startswith(b"HTTP/1.1 200"):
            raise ServiceError(f"OpenSearch answers {head[:60]!r} {body[:500]!r}")
        return body

    async def bulk(self, index: str, documents: Mapping[int, object]) -> None:
        """Puts documents by their ids. Raises ServiceError."""
        lines = []
        for number, document in documents.items():
            lines.append(msgspec.json.encode({"index": {"_id": str(number)}}))
            lines.append(msgspec.json.encode(document))
        answer = msgspec.json.decode(
            await self.ask("POST", f"/{index}/_bulk", b"\n".join(lines) + b"\n")
        )
        if answer["errors"]:
            raise ServiceError(f"OpenSearch takes not all: {str(answer['items'][0])[:500]}")


@contextlib.asynccontextmanager
async def opensearch_node() -> AsyncIterator[OpenSearchConnection]:
    """A connection to a node that is up, with a heap of 2 GB, which is gone at the end."""
    subprocess.run([ROOT / "scripts" / "install-opensearch"], check=False)  # noqa: ASYNC221 - before
    places = [one for one in ROOT.glob(".venv/opensearch/*") if one.name != "fetching"]
    if len(places) != 1:
        raise ServiceError("there is no OpenSearch: `scripts/install-opensearch` says why")
    home, port = Path(tempfile.mkdtemp(prefix="bespeak-bench-")), free_port()
    try:
        (home / "config").mkdir()
        command = ["java", f"-Xms{_HEAP}", f"-Xmx{_HEAP}", "-Dlog4j2.level=error"]
        command += ["-cp", f"{places[0]}/*", str(_PROGRAM), str(home), str(port)]
        async with process(command) as child:
            await first_answer(port, "/", child)
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
            try:
                yield OpenSearchConnection(reader, writer, psutil.Process(child.pid))
            finally:
                writer.close()
    finally:
        shutil.rmtree(home, ignore_errors=True)
