"""The box office that the play of a hoarder is played at: the API in this process, with a clock
that is moved. The test and the benchmark use it.
"""

import msgspec

from benchmarks.hoarding import SEATS, Json
from bespeak import PoolPlan, Resource, SeatsPlan
from tests.harness.clock import Clock
from tests.http.api import Api, Request

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
        headers = {"Bespeak-Shopper": self._api.token(owner), "X-Forwarded-For": address}
        if answer:
            headers["Bespeak-Challenge"] = answer
        answered = await self._api.send(Request("POST", path, body, "pk", headers))
        return answered.status_code, msgspec.json.decode(answered.content)
