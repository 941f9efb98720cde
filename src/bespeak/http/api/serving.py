"""Which number of a resource with numbered tickets is being served."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.http.server import tags
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import OF_RESOURCE, SERVERS, endpoint_table
from bespeak.http.server.scopes import CHECK_IN

ENDPOINTS, endpoint = endpoint_table(tags.RESOURCES)


class Serving(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The number that is being served."""

    number: Annotated[int, Meta(ge=0, le=999_999_999)]


@endpoint(
    "PUT",
    "/v1/resources/{resource_id}/serving",
    "Say which number is served",
    kinds=SERVERS,
    errors=OF_RESOURCE,
    scopes=CHECK_IN,
)
async def set_serving(call: Call[None, Serving]) -> Serving:
    """Says which number is being served."""
    await call.engine.set_serving(call.path["resource_id"], call.body.number)
    return call.body
