"""Availability as it is sent: encoded, compressed where that is worth it, and cached for some
milliseconds, so that a crowd of viewers costs one statement.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from functools import partial
from typing import NamedTuple

import msgspec

from bespeak.cache import Cache
from bespeak.engine import Engine
from bespeak.http.server.packing import PACKED_BYTES_MIN
from bespeak.inventory.plans import AvailabilityQuery
from bespeak.postgres.lsn import Lsn

_COUNT_MAX = 1000
_BYTES_MAX = 64 << 20
_PACKED_LEVEL = 1


class EncodedAvailability(NamedTuple):
    """The JSON, the same compressed or None, its entity tag (quoted), and up to where it sees the
    database's log."""

    body: bytes
    packed: bytes | None
    etag: str
    seen: Lsn


def _size(one: EncodedAvailability) -> int:
    """Its bytes; a small one counts so much that there are no more than `_COUNT_MAX`."""
    return max(len(one.body) + len(one.packed or b""), _BYTES_MAX // _COUNT_MAX)


class Availabilities:
    """What guests see and what others see are kept apart: of what is not published guests see
    nothing."""

    def __init__(self, seconds: float) -> None:
        self._cache: Cache[tuple[str, AvailabilityQuery, bool], EncodedAvailability] = Cache(
            seconds=seconds, size_max=_BYTES_MAX, size_of=_size
        )

    async def get(
        self, engine: Engine, resource_id: str, query: AvailabilityQuery
    ) -> EncodedAvailability:
        """The availability of a resource, as this engine has it. Raises ResourceNotFound,
        InvalidId, InvalidRequest."""
        key = (resource_id, query, engine.published_only)
        found = await self._cache.get(key, partial(self._load, engine, resource_id, query))
        if found.seen < engine.reads.must_see:
            # Whoever wrote a moment ago does not get what was loaded for others before.
            found = await self._load(engine, resource_id, query)
            self._cache.put(key, found)
        return found

    async def _load(
        self, engine: Engine, resource_id: str, query: AvailabilityQuery
    ) -> EncodedAvailability:
        seen = engine.reads.reached
        body = msgspec.json.encode(await engine.availability(resource_id, query))
        packed = None
        if len(body) >= PACKED_BYTES_MIN:
            # In a thread: a map of 20,000 seats takes milliseconds, which others need not wait for.
            packed = await asyncio.to_thread(gzip.compress, body, _PACKED_LEVEL, mtime=0)
        etag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
        return EncodedAvailability(body, packed, etag, seen)
