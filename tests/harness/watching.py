"""Viewers of live streams: one that reads server-sent events off a server, and what any viewer
knows of a room by what it was told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx
import msgspec

import bespeak
from bespeak import Resource
from bespeak.feed.live_news import LiveChange, LiveNews, LiveSnapshot
from tests.harness.shows import look

PATIENCE_SECONDS = 20
Json = dict[str, object]


@dataclass
class Told:
    """One message as it came."""

    event: str
    id: str
    data: Json


@dataclass
class Known:
    """A room as a viewer knows it."""

    taken: dict[str, str] = field(default_factory=dict)
    pools: dict[str, int] = field(default_factory=dict)
    free: int | None = None
    cursor: str | None = None
    snapshots: int = 0
    stale: int = 0

    def learn(self, event: str, data: Json, cursor: str) -> None:
        """Takes in a message."""
        self.cursor = cursor
        if event == "stale":
            self.stale += 1
            return
        if event == "snapshot":
            self.snapshots += 1
            self.taken, self.pools = {}, {}
            units = data["taken"]
        else:
            units = data["units"]
        pools = data["pools"]
        assert isinstance(units, dict)
        assert isinstance(pools, dict)
        for unit, state in units.items():
            if state == "free":
                self.taken.pop(unit, None)
            else:
                self.taken[unit] = state
        self.pools |= {pool: level["available"] for pool, level in pools.items()}
        free = data["units_free"]
        assert isinstance(free, int)
        self.free = free

    def hear(self, news: LiveNews) -> None:
        """Takes in a message that was told within the process."""
        kinds = {LiveSnapshot: "snapshot", LiveChange: "change"}
        self.learn(kinds.get(type(news), "stale"), msgspec.to_builtins(news), news.cursor)


async def truth(engine: bespeak.Engine, show: Resource) -> Known:
    """A room as its availability says that it is."""
    seen = await look(engine, show)
    return Known(
        {unit: one.state for unit, one in seen.taken.items()},
        {pool: level.available for pool, level in seen.pools.items()},
        seen.units_free,
    )


def same(one: Known, other: Known) -> bool:
    """Whether both know the same of the room."""
    return (one.taken, one.pools, one.free) == (other.taken, other.pools, other.free)


class Stream:
    """An open stream of a server."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.aiter_lines()

    async def next(self) -> Told:
        """The next message; AssertionError when the stream ends before."""
        found: dict[str, str] = {}
        async with asyncio.timeout(PATIENCE_SECONDS):
            async for line in self._lines:
                if not line and "data" in found:
                    data = msgspec.json.decode(found["data"])
                    return Told(found.get("event", "message"), found.get("id", ""), data)
                name, _, value = line.partition(":")
                if name:
                    found[name] = value.strip()
        raise AssertionError("the stream ended")

    async def until(self, known: Known, want: Known) -> None:
        """Learns until it knows what there is to know."""
        while not same(known, want):
            told = await self.next()
            known.learn(told.event, told.data, told.id)


@asynccontextmanager
async def streaming(
    client: httpx.AsyncClient,
    show: Resource,
    *,
    bearer: str | None = None,
    last: str | None = None,
    **query: str,
) -> AsyncIterator[Stream]:
    """A stream of a server, from a cursor on if there is one."""
    headers: dict[str, str] = {}
    if bearer is not None:
        headers["Authorization"] = f"Bearer {bearer}"
    if last is not None:
        headers["Last-Event-ID"] = last
    async with client.stream(
        "GET", f"/v1/resources/{show.id}/stream", headers=headers, params=query
    ) as response:
        assert response.status_code == 200, await response.aread()
        assert response.headers["content-type"] == "text/event-stream"
        yield Stream(response)
