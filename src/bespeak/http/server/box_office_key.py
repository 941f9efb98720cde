"""The pk_ key with which the shop's own pages work, as this process knows it."""

from __future__ import annotations

from bespeak.cache import Cache
from bespeak.http.server.errors import BoxOfficeClosed, KeyUnknown
from bespeak.http.server.keys import KeyRing, box_office_key
from bespeak.postgres.pool import Database

# After a renewal that keeps the old key, a process gives that out for so long at most.
_CACHE_SECONDS = 10.0


class BoxOfficeKey:
    def __init__(self, database: Database, ring: KeyRing) -> None:
        self._database = database
        self._ring = ring
        self._cache: Cache[None, str] = Cache(seconds=_CACHE_SECONDS, size_max=1)

    async def text(self) -> str:
        """Raises BoxOfficeClosed where the key was revoked and no other was made."""
        cached = self._cache.peek(None)
        if cached is not None and await self._is_good(cached):
            return cached
        async with self._database.borrow() as connection:
            text = await box_office_key(connection)
        if text != cached:
            self._ring.forget(text)
        if not await self._is_good(text):
            raise BoxOfficeClosed("the box office's key was revoked", because="key")
        self._cache.put(None, text)
        return text

    async def _is_good(self, text: str) -> bool:
        try:
            await self._ring.find(text)
        except KeyUnknown:
            return False
        return True
