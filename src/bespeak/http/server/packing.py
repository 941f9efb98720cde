"""Long texts are packed on their way, for whoever takes gzip: on a slow phone an answer that fits
into the first packets of a connection is there a way to the server and back sooner.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Mapping

from bespeak.http.server.answers import Answer, PackableAnswer
from bespeak.http.server.asgi import Headers

# A packet takes what is shorter than that, packed or not.
PACKED_BYTES_MIN = 1_400
# In a thread what takes milliseconds, which others need not wait for.
_AT_ONCE_BYTES_MAX = 128 << 10
_LEVEL = 3
_TEXTS = (b"application/json", b"image/svg", b"text/")
_REFUSALS = ("q=0", "q=0.0", "q=0.00", "q=0.000")
VARY: Headers = ((b"vary", b"accept-encoding"),)


def codings_taken(headers: Mapping[bytes, str]) -> set[str]:
    """The codings that a client names and does not refuse."""
    taken: set[str] = set()
    for part in headers.get(b"accept-encoding", "").lower().split(","):
        name, _, quality = part.partition(";")
        if quality.replace(" ", "") not in _REFUSALS:
            taken.add(name.strip())
    return taken


def is_text(content_type: bytes) -> bool:
    """Whether it is worth packing; an answer that may be has VARY among its headers."""
    return content_type.startswith(_TEXTS)


async def packed(answer: Answer, headers: Mapping[bytes, str]) -> Answer:
    """An answer as it is sent to who asked with these headers."""
    if not isinstance(answer, PackableAnswer) or "gzip" not in codings_taken(headers):
        return answer
    body = answer.ready
    if body is None:
        whole = answer.body
        if len(whole) < PACKED_BYTES_MIN or not is_text(answer.content_type):
            return answer
        if len(whole) <= _AT_ONCE_BYTES_MAX:
            body = gzip.compress(whole, _LEVEL, mtime=0)
        else:
            body = await asyncio.to_thread(gzip.compress, whole, _LEVEL, mtime=0)
    told = (*answer.headers, (b"content-encoding", b"gzip"))
    return Answer(answer.status, body, headers=told, content_type=answer.content_type)
