"""The data of a person: all that is known of an owner, and its erasure. The owner is in a query or
a body, never in a path: paths are what logs keep.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak import ids
from bespeak.errors import InvalidCursor, InvalidId
from bespeak.http.server.answers import JsonAnswer, once
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import SERVERS, documented, endpoint_table
from bespeak.personal_data.erasures import ERASURES_MAX, Erasure, ErasurePage
from bespeak.personal_data.errors import (
    BookingsUpcoming,
    ErasureNotFound,
    MoneyMoving,
    OwnerUnknown,
)
from bespeak.personal_data.export import CURSOR, EXPORTED_MAX, PersonalData
from bespeak.reservations.request import OWNER_LENGTH_MAX

_NOT_KEPT = ((b"cache-control", b"no-store"),)
_OWNER = Meta(min_length=1, max_length=OWNER_LENGTH_MAX)
_ERASURE_PATTERN = f"^{ids.ERASURE}_[0-7][0-9a-hjkmnp-tv-z]{{25}}$"
ENDPOINTS, endpoint = endpoint_table()


class ExportQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose data, and which page of them."""

    owner: Annotated[str, _OWNER]
    after: Annotated[str, documented(f"^({CURSOR})$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=EXPORTED_MAX)] = 50


class EraseOwner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Erase the data of an owner; with `including_upcoming` also of bookings that are not over,
    which then stand without a contact."""

    owner: Annotated[str, _OWNER]
    including_upcoming: bool = False


class ErasureQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the erasures."""

    after: Annotated[str, documented(_ERASURE_PATTERN)] | None = None
    limit: Annotated[int, Meta(ge=1, le=ERASURES_MAX)] = 100


@endpoint(
    "GET",
    "/v1/personal-data",
    "Export what is known of an owner",
    kinds=SERVERS,
    errors=(InvalidCursor,),
)
async def export_owner(call: Call[ExportQuery, None]) -> JsonAnswer[PersonalData]:
    """All that is known of an owner, page by page: bookings first, then holds that became none. A
    page may be empty though there is a next one."""
    query = call.query
    page = await call.service.owner_export.page(query.owner, query.after, query.limit)
    return JsonAnswer(200, page, headers=_NOT_KEPT)


@endpoint(
    "POST",
    "/v1/erasures",
    "Erase the data of an owner",
    status=202,
    kinds=SERVERS,
    repeatable=True,
    errors=(OwnerUnknown, MoneyMoving, BookingsUpcoming),
)
async def erase_owner(call: Call[None, EraseOwner]) -> JsonAnswer[Erasure]:
    """Begins to erase an owner, in the background."""
    begun = await call.service.erasures.begin(
        call.body.owner,
        including_upcoming=call.body.including_upcoming,
        asked_by=call.caller.key_id or "",
        key=call.idempotency_key,
    )
    return once(202, begun)


@endpoint("GET", "/v1/erasures", "List erasures", kinds=SERVERS, errors=(InvalidCursor,))
async def list_erasures(call: Call[ErasureQuery, None]) -> ErasurePage:
    """Lists the erasures, the earliest first. Whose they were, none says."""
    return await call.service.erasures.page(call.query.after, call.query.limit)


@endpoint(
    "GET",
    "/v1/erasures/{erasure_id}",
    "See how far an erasure has come",
    kinds=SERVERS,
    errors=(InvalidId, ErasureNotFound),
)
async def get_erasure(call: Call[None, None]) -> Erasure:
    """Tells how far an erasure has come."""
    return await call.service.erasures.get(call.path["erasure_id"])
