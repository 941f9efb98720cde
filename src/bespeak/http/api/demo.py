"""The calls with which a visitor of the demo starts a rush on a show and watches what becomes
of it. They are there only where the setting `demo` is on: nobody's real sale is for trying.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak import ids
from bespeak.demo.errors import RushRunning
from bespeak.demo.rushes import DemoRush, RushOrder
from bespeak.errors import InvalidId, InvalidRequest, ResourceNotFound
from bespeak.http.server import tags
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import RESOURCE_PATTERN, endpoint_table
from bespeak.http.server.errors import DemoOnly
from bespeak.http.server.scopes import ANY_SCOPE
from bespeak.http.server.workspaces import Reach
from bespeak.inventory.shapes.seats.availability import SeatsAvailability
from bespeak.payments.providers.sandbox import Sandbox

_PARTY = 2
# More come than find a seat: some come too late, some let go again.
_TOO_MANY = 1.4
_PACE_MIN, _PACE_MAX = 2.0, 250.0
_BUYERS_MAX = 2000

ENDPOINTS, endpoint = endpoint_table(tags.DEMO)


class NewDemoRush(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a crowd: to which resource, and how many come at most. They come at a pace at which
    it is sold out in about so many `seconds`, and then no more come. Where the resource is behind a
    waiting room all of them join its queue within so many `seconds`."""

    resource_id: Annotated[
        str, Meta(max_length=60, extra_json_schema={"pattern": RESOURCE_PATTERN})
    ]
    buyers: Annotated[int, Meta(ge=1, le=_BUYERS_MAX)] = _BUYERS_MAX
    seconds: Annotated[int, Meta(ge=2, le=120)] = 12


@endpoint(
    "POST",
    "/v1/demo/rush",
    "Start a rush on a show of the demo",
    status=202,
    errors=(DemoOnly, RushRunning, InvalidId, ResourceNotFound),
    scopes=ANY_SCOPE,
    reach=Reach.INSTALLATION,
)
async def begin_demo_rush(call: Call[None, NewDemoRush]) -> DemoRush:
    """Starts a rush of simulated buyers on a show of the demo."""
    _check_demo(call)
    engine, body = call.engine, call.body
    await call.service.limits.count_rush(call.client_address.prefix)
    resource = await engine.get_resource(body.resource_id)
    if resource.payment == "required" and Sandbox.name not in engine.payments.providers:
        raise InvalidRequest(
            "the crowd has play money only: set the sandbox up", field="resource_id"
        )
    seen = await engine.availability(resource.id)
    if not isinstance(seen, SeatsAvailability):
        raise InvalidRequest("a crowd wants a seat map", field="resource_id")
    room = call.service.waiting_rooms.board.behind.get(ids.parse_resource(resource.id))
    # All who are to come queue; to a seat map, only as many come as it takes.
    coming = _TOO_MANY * seen.units_free / _PARTY if room is None else body.buyers
    pace = min(max(coming / body.seconds, _PACE_MIN), _PACE_MAX)
    crowd = RushOrder(
        *(engine.settings.public_url, resource.id, body.buyers, pace),
        waiting_room_id=None if room is None else room.room_id,
    )
    return await call.service.demo_rushes.begin(crowd)


@endpoint(
    "GET",
    "/v1/demo/rush",
    "Ask how the demo's rush stands",
    errors=(DemoOnly,),
    scopes=ANY_SCOPE,
    reach=Reach.INSTALLATION,
)
async def get_demo_rush(call: Call[None, None]) -> DemoRush:
    """How the demo's rush stands: the one that runs, or the last one."""
    _check_demo(call)
    return await call.service.demo_rushes.now()


def _check_demo(call: Call[object, object]) -> None:
    if not call.engine.settings.demo:
        raise DemoOnly
