"""The data of a person: all that is known of an owner. The owner is in the query, as wherever
something of one is listed.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidCursor, InvalidRequest
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import SERVERS, documented, endpoint_table
from bespeak.http.server.scopes import PERSONAL_DATA
from bespeak.http.server.workspaces import Reach
from bespeak.personal_data.export import CURSOR, EXPORTED_MAX, PersonalData
from bespeak.reservations.request import OWNER_LENGTH_MAX

_NOT_KEPT = ((b"cache-control", b"no-store"),)
ENDPOINTS, endpoint = endpoint_table(tags.PERSONAL_DATA)


class ExportQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose data (which is to be said), and which page of them."""

    owner: Annotated[str, Meta(min_length=1, max_length=OWNER_LENGTH_MAX)] | None = None
    after: Annotated[str, documented(f"^({CURSOR})$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=EXPORTED_MAX)] = 50


@endpoint(
    "GET",
    "/v1/personal-data",
    "Export what is known of an owner",
    kinds=SERVERS,
    errors=(InvalidCursor,),
    scopes=PERSONAL_DATA,
    reach=Reach.INSTALLATION,
    audited=True,
)
async def export_personal_data(call: Call[ExportQuery, None]) -> JsonAnswer[PersonalData]:
    """All that is known of an owner, page by page: bookings first, then holds that became none. A
    page may be empty though there is a next one."""
    query = call.query
    if query.owner is None:
        raise InvalidRequest("say whose data: owner", field="owner")
    page = await call.service.owner_export.page(query.owner, query.after, query.limit)
    return JsonAnswer(200, page, headers=_NOT_KEPT)
