"""The audit of a waiting room, for its operators: all that its order follows from, in pages."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.admission.audit import RoomAuditPage, audit_page
from bespeak.admission.errors import WaitingRoomNotFound
from bespeak.errors import InvalidCursor
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OPERATORS, endpoint_table
from bespeak.http.server.scopes import MANAGE
from bespeak.http.server.workspaces import Reach

ENDPOINTS, endpoint = endpoint_table(tags.WAITING_ROOMS)
_NOT_KEPT = (b"cache-control", b"no-store")


class RoomAuditQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which lines of an audit: those after a cursor, so many at most."""

    after: Annotated[str, Meta(max_length=200)] | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100


@endpoint(
    "GET",
    "/v1/waiting-rooms/{waiting_room_id}/audit",
    "Audit a waiting room",
    kinds=OPERATORS,
    errors=(InvalidCursor, WaitingRoomNotFound),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def get_waiting_room_audit(call: Call[RoomAuditQuery, None]) -> JsonAnswer[RoomAuditPage]:
    """All that the order of a room follows from: the room, its changes, its fronts, and who was let
    in, as digests. All pages are as of the first."""
    query = call.query
    async with call.engine.database.borrow() as connection:
        page = await audit_page(
            connection, call.path["waiting_room_id"], call.workspace, query.after, query.limit
        )
    return JsonAnswer(200, page, headers=(_NOT_KEPT,))
