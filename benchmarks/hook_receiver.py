"""A receiver of webhooks that costs next to nothing: `python -m benchmarks.hook_receiver PORT`.

POST keeps how long ago the event of the message happened; GET answers what came since the last GET.
"""

import asyncio
import json
import sys
import time
from datetime import datetime
from typing import cast

import uvloop

from benchmarks.wire import content_length

_OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
_STAMP = b'"timestamp":"'

lags_ms: list[float] = []
ids: set[bytes] = set()


class Hook(asyncio.Protocol):
    """One connection."""

    def __init__(self) -> None:
        self.partial = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.wire = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        data = self.partial + data
        while (head := data.find(b"\r\n\r\n")) >= 0:
            if data.startswith(b"GET"):
                self.wire.write(report())
                data = data[head + 4 :]
                continue
            end = head + 4 + content_length(data, head)
            if len(data) < end:
                break
            note(data[:head], data[head + 4 : end])
            self.wire.write(_OK)
            data = data[end:]
        self.partial = data


def note(head: bytes, body: bytes) -> None:
    start = body.index(_STAMP) + len(_STAMP)
    happened = datetime.fromisoformat(body[start : body.index(b'"', start)].decode())
    lags_ms.append((time.time() - happened.timestamp()) * 1e3)
    at = head.lower().index(b"webhook-id: ") + 12
    ids.add(head[at : head.index(b"\r", at)])


def report() -> bytes:
    body = json.dumps({"lags_ms": lags_ms, "different": len(ids)}).encode()
    lags_ms.clear()
    ids.clear()
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


async def serve(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Hook, "127.0.0.1", port)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve(int(sys.argv[1])))
