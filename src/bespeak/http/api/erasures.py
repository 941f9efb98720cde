"""Erasures of the data of owners: begun with the owner in the body, and told of without a name."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak import ids
from bespeak.errors import InvalidCursor, InvalidId
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer, once
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import SERVERS, documented, endpoint_table, long_id_pattern
from bespeak.http.server.scopes import PERSONAL_DATA
from bespeak.http.server.workspaces import Reach
from bespeak.personal_data.erasures import ERASURES_MAX, Erasure, ErasurePage
from bespeak.personal_data.errors import (
    BookingsUpcoming,
    ErasureNotFound,
    MoneyMoving,
    OwnerUnknown,
)
from bespeak.reservations.request import OWNER_LENGTH_MAX

ENDPOINTS, endpoint = endpoint_table(tags.PERSONAL_DATA)


class EraseOwner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Erase the data of an owner; with `including_upcoming` also of bookings that are not over,
    which then stand without a contact."""

    owner: Annotated[str, Meta(min_length=1, max_length=OWNER_LENGTH_MAX)]
    including_upcoming: bool = False


class ErasureQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the erasures."""

    after: Annotated[str, documented(long_id_pattern(ids.ERASURE))] | None = None
    limit: Annotated[int, Meta(ge=1, le=ERASURES_MAX)] = 100


@endpoint(
    "POST",
    "/v1/erasures",
    "Erase the data of an owner",
    status=202,
    kinds=SERVERS,
    repeatable=True,
    errors=(OwnerUnknown, MoneyMoving, BookingsUpcoming),
    scopes=PERSONAL_DATA,
    reach=Reach.INSTALLATION,
    audited=True,
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


@endpoint(
    "GET",
    "/v1/erasures",
    "List erasures",
    kinds=SERVERS,
    errors=(InvalidCursor,),
    scopes=PERSONAL_DATA,
    reach=Reach.INSTALLATION,
)
async def list_erasures(call: Call[ErasureQuery, None]) -> ErasurePage:
    """Lists the erasures, the earliest first. Whose they were, none says."""
    return await call.service.erasures.page(call.query.after, call.query.limit)


@endpoint(
    "GET",
    "/v1/erasures/{erasure_id}",
    "See how far an erasure has come",
    kinds=SERVERS,
    errors=(InvalidId, ErasureNotFound),
    scopes=PERSONAL_DATA,
    reach=Reach.INSTALLATION,
)
async def get_erasure(call: Call[None, None]) -> Erasure:
    """Tells how far an erasure has come."""
    return await call.service.erasures.get(call.path["erasure_id"])
