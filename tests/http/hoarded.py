"""The box office that the play of a hoarder is played at: the API in this process, with a clock
that is moved. The test and the benchmark use it.
"""

from typing import Any

import msgspec

from benchmarks.hoarding import SEATS, Json
from bespeak import PoolPlan, Resource, SeatsPlan
from bespeak.http.server.asgi import AsgiScope
from tests.harness.clock import Clock
from tests.http.api import Api

HALL = SeatsPlan(pools=(PoolPlan("floor", SEATS),))
HOLD_SECONDS, HOLD_SECONDS_MAX = 420, 840


class HoardedOffice:
    """The box office in this process, as the play wants it."""

    def __init__(self, api: Api, clock: Clock, show: Resource) -> None:
        self._api = api
        self._clock = clock
        self._show = show

    async def hold(self, address: str, owner: str, quantity: int, answer: str) -> tuple[int, Json]:
        line = {"resource_id": self._show.id, "unit": "floor", "quantity": quantity}
        return await self._send("/v1/holds", {"lines": [line]}, address, owner, answer)

    async def confirm(self, address: str, owner: str, hold_id: str) -> int:
        return (await self._send("/v1/bookings", {"hold_id": hold_id}, address, owner))[0]

    async def advance(self, seconds: float) -> None:
        await self._clock.advance(seconds)
        await self._api.service.budgets.sharing.look()

    async def _send(
        self, path: str, body: object, address: str, owner: str, answer: str = ""
    ) -> tuple[int, Json]:
        headers = {
            b"host": "bespeak.test",
            b"authorization": f"Bearer {self._api.keys['pk']}",
            b"content-type": "application/json",
            b"bespeak-shopper": self._api.token(owner),
            b"x-forwarded-for": address,
        }
        if answer:
            headers[b"bespeak-challenge"] = answer
        return await self._ask(
            path, body, [(name, text.encode()) for name, text in headers.items()]
        )

    async def _ask(
        self, path: str, body: object, headers: list[tuple[bytes, bytes]]
    ) -> tuple[int, Json]:
        """Asks the application itself: a course is 17,000 requests, of which a client that knows
        all of HTTP takes the larger part."""
        scope: AsgiScope = {
            "type": "http",
            "method": "POST",
            "scheme": "http",
            "path": path,
            "query_string": b"",
            "headers": headers,
            "client": ("127.0.0.1", 1),
        }
        said: list[dict[str, Any]] = []  # any: messages of ASGI

        async def receive() -> Json:
            return {"type": "http.request", "body": msgspec.json.encode(body)}

        async def send(message: dict[str, object]) -> None:
            said.append(message)

        await self._api.app(scope, receive, send)
        start, *parts = said
        answered = b"".join(part.get("body", b"") for part in parts)
        return start["status"], msgspec.json.decode(answered)
