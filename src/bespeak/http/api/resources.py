"""Resources: created, changed, listed, read and audited."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidCursor, PlanChanged, ResourceInUse, VersionMismatch
from bespeak.http.server import tags
from bespeak.http.server.answers import JsonAnswer, once
from bespeak.http.server.call import Call, Caller
from bespeak.http.server.endpoint import (
    OF_RESOURCE,
    OPERATORS,
    RESOURCE_PATTERN,
    SERVERS,
    documented,
    endpoint_table,
)
from bespeak.http.server.languages import LanguageTag, answered_in, language_headers
from bespeak.http.server.scopes import ANY_SCOPE, MANAGE, READ, KeyScope
from bespeak.http.server.workspaces import Reach
from bespeak.inventory import readiness
from bespeak.inventory.audit import Audit
from bespeak.inventory.errors import PaymentRuleNeeded, ResourceCalledOff, ResourceNotReady
from bespeak.inventory.readiness import Readiness
from bespeak.inventory.resources import (
    Kind,
    NewResource,
    Resource,
    ResourceChange,
    ResourcePage,
    in_language,
)

ENDPOINTS, endpoint = endpoint_table(tags.RESOURCES)


class ResourceQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the resources, of which kind."""

    after: Annotated[str, documented(RESOURCE_PATTERN)] | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100
    kind: Kind | None = None
    lang: LanguageTag | None = None


class LanguageQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """In which language the texts are."""

    lang: LanguageTag | None = None


@endpoint(
    "POST",
    "/v1/resources",
    "Create a resource",
    status=201,
    kinds=OPERATORS,
    takes_document=True,
    repeatable=True,
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def create_resource(call: Call[None, NewResource]) -> JsonAnswer[Resource]:
    """Creates a resource with its plan."""
    made = await call.engine.create_resource(
        call.body, idempotency_key=call.idempotency_key, workspace=call.workspace
    )
    location = (b"location", f"/v1/resources/{made.id}".encode())
    return once(201, made, headers=(location,))


@endpoint(
    "GET",
    "/v1/resources",
    "List resources",
    errors=(InvalidCursor,),
    scopes=ANY_SCOPE,
    reach=Reach.WORKSPACE,
)
async def list_resources(call: Call[ResourceQuery, None]) -> JsonAnswer[ResourcePage]:
    """A page of resources."""
    query = call.query
    page = await call.engine.list_resources(
        after=query.after, limit=query.limit, kind=query.kind, workspace=call.workspace
    )
    language = answered_in(call.caller, call.headers, query.lang)
    items = [_shown_to(call.caller, resource, language) for resource in page.items]
    headers = language_headers(language, is_translated=any(one.words for one in items))
    return JsonAnswer(200, ResourcePage(items, page.next), headers=headers)


@endpoint(
    "GET",
    "/v1/resources/{resource_id}",
    "Read a resource",
    errors=OF_RESOURCE,
    scopes=ANY_SCOPE,
)
async def get_resource(call: Call[LanguageQuery, None]) -> JsonAnswer[Resource]:
    """Reads a resource."""
    language = answered_in(call.caller, call.headers, call.query.lang)
    resource = await call.engine.get_resource(call.path["resource_id"])
    shown = _shown_to(call.caller, resource, language)
    headers = language_headers(language, is_translated=bool(shown.words))
    return JsonAnswer(200, shown, headers=headers)


def _shown_to(caller: Caller, whole: Resource, language: str | None) -> Resource:
    """In the language that was asked for. Codes are for those who sell by them and who make
    them."""
    resource = in_language(whole, language)
    if KeyScope.SELL in caller.scopes or KeyScope.MANAGE in caller.scopes:
        return resource
    pricing = resource.pricing
    return msgspec.structs.replace(
        resource,
        plan=resource.plan.without_secrets(),
        pricing=None if pricing is None else pricing.without_secrets(),
    )


@endpoint(
    "PATCH",
    "/v1/resources/{resource_id}",
    "Change a resource",
    kinds=OPERATORS,
    takes_document=True,
    errors=(
        *OF_RESOURCE,
        VersionMismatch,
        ResourceInUse,
        ResourceCalledOff,
        PlanChanged,
        PaymentRuleNeeded,
        ResourceNotReady,
    ),
    scopes=MANAGE,
    audited=True,
)
async def update_resource(call: Call[None, ResourceChange]) -> Resource:
    """Changes fields of a resource."""
    return await call.engine.update_resource(call.path["resource_id"], call.body)


@endpoint(
    "GET",
    "/v1/resources/{resource_id}/readiness",
    "See what is missing before guests can buy",
    kinds=SERVERS,
    errors=OF_RESOURCE,
    scopes=READ | MANAGE,
)
async def get_readiness(call: Call[None, None]) -> Readiness:
    """What is missing before guests can buy of a resource."""
    engine = call.engine
    resource = await engine.get_resource(call.path["resource_id"])
    return await engine.reads.run(
        lambda used: readiness.read(used, resource, takes_payments=engine.settings.takes_payments)
    )


@endpoint(
    "GET",
    "/v1/resources/{resource_id}/audit",
    "Recount a resource",
    kinds=SERVERS,
    errors=OF_RESOURCE,
    scopes=READ | MANAGE,
)
async def audit_resource(call: Call[None, None]) -> Audit:
    """Recounts a resource from its holds and bookings: double_sold must be 0."""
    return await call.engine.audit(call.path["resource_id"])
