"""What tests of waiting rooms ask of the API."""

from __future__ import annotations

from datetime import timedelta

from bespeak import Resource
from bespeak.admission.steering import Steering
from tests.http.api import Api, Json, document, line

ALL = "/v1/waiting-rooms"


async def room_for(api: Api, *shows: Resource, opens_in: float = -60, **fields: object) -> Json:
    """A waiting room, of which the worker knows."""
    opens_at = api.service.engine.clock.now() + timedelta(seconds=opens_in)
    body = {
        "name": "Premiere",
        "resources": [show.id for show in shows],
        "opens_at": opens_at.isoformat(),
        "pace": "rate",
        "early_order": "first_come",
        **fields,
    }
    made = document(await api.ask("POST", ALL, body, key="ak"), 201)
    await api.service.waiting_rooms.board.look()
    return made


async def steer(api: Api) -> None:
    """Lets people in: everything that is due, and the worker hears of it."""
    engine = api.service.engine
    await api.service.waiting_rooms.board.look()
    await Steering(engine.database, engine.ready_resources).look()
    await api.service.waiting_rooms.board.look()


async def join(api: Api, room: Json, owner: str = "asha", **fields: object) -> str:
    """Joins the queue as a shopper; the token."""
    path = f"{ALL}/{room['id']}/queue-tokens"
    answer = await api.ask("POST", path, fields, key="pk", bespeak_shopper=api.token(owner))
    return str(document(answer, 201)["queue_token"])


async def come_in(api: Api, room: Json, token: str, owner: str = "asha") -> str:
    """Comes in; the pass."""
    path = f"{ALL}/{room['id']}/passes"
    body = {"queue_token": token}
    answer = await api.ask("POST", path, body, key="pk", bespeak_shopper=api.token(owner))
    return str(document(answer, 201)["pass"])


def holding(show: Resource, *units: str) -> Json:
    """The body of a hold by a shopper."""
    return {"lines": [line(show, unit) for unit in units]}
