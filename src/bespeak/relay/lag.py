"""How far relays are behind, as metrics show it. The background work looks, not the relays, so that
one that has died is seen to fall behind.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from bespeak.background import PAUSE_SECONDS_MAX
from bespeak.relay.track import PREFIX, QUERIES

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Pool

_LOOK_SECONDS = 5.0


class Lag(NamedTuple):
    """A relay that has so many events still to send, the oldest of them so many seconds old."""

    name: str
    events: int
    seconds: float


async def lags_of(connection: Pool | Connection) -> list[Lag]:
    """How far each relay is behind. Raises what asyncpg raises."""
    rows = await connection.fetch(QUERIES["lags"], PREFIX)
    return [Lag(row["name"], row["events"], row["seconds"]) for row in rows]


class RelayObserver:
    """Hears how far relays are behind; does nothing with it unless it is told to."""

    def behind(self, name: str, events: int, seconds: float) -> None:
        """A relay has so many events still to send, the oldest of them so many seconds old."""


class RelayLag:
    """Looks how far relays are behind, for as long as `look` is called."""

    name = "relay lag"

    def __init__(self, pool: Pool, observer: RelayObserver | None = None) -> None:
        self._pool = pool
        self._observer = observer or RelayObserver()
        self._known: set[str] = set()
        self._rest_until = 0.0

    async def look(self) -> float:
        """Tells of all relays; answers seconds until the next look is worth it. Raises what asyncpg
        raises."""
        now = asyncio.get_running_loop().time()
        if now >= self._rest_until:
            self._rest_until = now + _LOOK_SECONDS
            lags = await lags_of(self._pool)
            for name in self._known - {lag.name for lag in lags}:
                self._observer.behind(name, 0, 0.0)  # it was forgotten
            for lag in lags:
                self._known.add(lag.name)
                self._observer.behind(*lag)
        return PAUSE_SECONDS_MAX
