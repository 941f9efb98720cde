"""A script with a thousand identities tries to keep a show of 300 places from its buyers."""

import msgspec
import pytest

from benchmarks.hoarding import SEATS, Course, Json, play
from bespeak import PoolPlan, Resource, SeatsPlan
from bespeak.http.server.budgets import challenge
from tests.harness.clock import Clock
from tests.harness.database import session
from tests.harness.shows import MakeShow
from tests.http.api import Api, Request
from tests.http.conftest import OpenApi


class Stage:
    """The box office of a test, as the play wants it."""

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


@pytest.mark.parametrize("budgets", ["off", "on"])
async def test_a_hoarder_behind_ten_addresses_keeps_nobody_from_buying(
    open_api: OpenApi,
    make_show: MakeShow,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    budgets: str,
) -> None:
    """With the budgets off, as the control, it keeps nearly all of it."""
    monkeypatch.setattr(challenge, "_BITS", 1)  # what the work takes is not what is tried here
    api = await open_api(budgets=budgets, trusted_proxies="127.0.0.1")
    show = await make_show(
        plan=SeatsPlan(pools=(PoolPlan("floor", SEATS),)), hold_seconds=420, hold_seconds_max=840
    )
    async with session(database_url) as own:
        clock = Clock(own)
        await clock.set(clock.now)
        clock.shared_with(api.service.engine)
        course: Course = await play(Stage(api, clock, show), 10)
    if budgets == "off":
        assert course.bought <= SEATS // 10, course
        assert min(course.hoarded) >= SEATS * 9 // 10, course
    else:
        assert course.bought >= SEATS * 95 // 100, course
