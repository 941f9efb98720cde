"""A receiver of webhooks on a port of this machine, which answers as the test wants and keeps what
came, its signature verified with the library that integrators use.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec
from aiohttp import web
from standardwebhooks import Webhook

Answer: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Received:
    """One request that came."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def type(self) -> str:
        return str(self.json["type"])

    @property
    def json(self) -> dict[str, object]:
        return msgspec.json.decode(self.body, type=dict[str, object])

    @property
    def event(self) -> dict[str, object]:
        data = self.json["data"]
        assert isinstance(data, dict)
        return data

    def is_signed_with(self, secret: str) -> bool:
        """Whether the library takes it for genuine."""
        try:
            Webhook(secret).verify(self.body, self.headers)
        except Exception:  # of whatever kind: it did not take it
            return False
        return True


async def well(_request: web.Request) -> web.Response:
    return web.Response(text="thanks")


def status(code: int, text: str = "", **headers: str) -> Answer:
    """Answers with this status."""

    async def answer(_request: web.Request) -> web.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return web.Response(status=code, text=text, headers=named)

    return answer


@dataclass
class Receiver:
    """What came, by path; `answers` says what a path answers (all is well, unless said)."""

    url: str = ""
    came: list[Received] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    def at(self, path: str) -> list[Received]:
        return [one for one in self.came if one.path == path]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.came.append(Received(request.path, headers, await request.read()))
        self.arrived.set()
        return await self.answers.get(request.path, well)(request)

    async def until(self, count: int, path: str | None = None) -> list[Received]:
        """Waits until so many have come (of a path)."""
        async with asyncio.timeout(20):
            while len(found := self.came if path is None else self.at(path)) < count:
                self.arrived.clear()
                await self.arrived.wait()
        return found


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    """A receiver that listens."""
    receiver = Receiver()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", receiver.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    receiver.url = f"http://127.0.0.1:{port}"
    try:
        yield receiver
    finally:
        await runner.cleanup()
