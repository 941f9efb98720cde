"""Previews: what guests will see of a draft, for whoever has a link to it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak import ids
from bespeak.errors import ResourceNotFound
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import BROWSERS, OF_RESOURCE, OPERATORS, endpoint_table
from bespeak.http.server.errors import PreviewLinkInvalid
from bespeak.http.server.scopes import ANY_SCOPE, MANAGE
from bespeak.http.server.workspaces import Reach
from bespeak.inventory.resources import Resource
from bespeak.signed_tokens import TOKEN_LENGTH_MAX

ENDPOINTS, endpoint = endpoint_table(tags.RESOURCES)


class PreviewLink(msgspec.Struct, frozen=True):
    """A path of this server that shows the resource to whoever has it, until `expires_at`."""

    path: str
    token: str
    expires_at: datetime


class SeePreview(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The token of a link, which stands behind the `#` of its path."""

    token: Annotated[str, Meta(min_length=1, max_length=TOKEN_LENGTH_MAX)]


class Preview(msgspec.Struct, frozen=True):
    """What guests will see. Nothing of it can be held."""

    resource: Resource


@endpoint(
    "POST",
    "/v1/resources/{resource_id}/preview-links",
    "Make a link to the preview of a resource",
    status=201,
    kinds=OPERATORS,
    errors=OF_RESOURCE,
    scopes=MANAGE,
    audited=True,
)
async def make_preview_link(call: Call[None, None]) -> JsonAnswer[PreviewLink]:
    """A link that shows this resource, published or not, for seven days. It sells nothing."""
    found = await call.engine.get_resource(call.path["resource_id"])
    token, ends = call.service.preview_links.make(found.id)
    return JsonAnswer(201, PreviewLink(f"/preview#{token}", token, ends))


@endpoint(
    "POST",
    "/v1/previews",
    "See the preview of a resource",
    kinds=BROWSERS,
    errors=(ResourceNotFound, PreviewLinkInvalid),
    scopes=ANY_SCOPE,
    reach=Reach.WORKSPACE,
)
async def see_preview(call: Call[None, SeePreview]) -> Preview:
    """What guests will see of the resource of a link."""
    resource_id = call.service.preview_links.resource_of(call.body.token)
    if await call.others([ids.parse_resource(resource_id)]):
        raise PreviewLinkInvalid
    # Of the trusted engine: the link says that its holder may see what is not published.
    found = await call.service.engine.get_resource(resource_id)
    pricing = None if found.pricing is None else found.pricing.without_secrets()
    return Preview(
        msgspec.structs.replace(found, plan=found.plan.without_secrets(), pricing=pricing)
    )
