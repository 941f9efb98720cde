"""The OpenAPI 3.1 document, made from the table of endpoints and the structs that they decode and
encode, so that it cannot say anything else than the code does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from types import UnionType
from typing import get_args

from bespeak import ids, locales
from bespeak.admission.errors import PassRequired
from bespeak.admission.told import PASS_LENGTH_MAX
from bespeak.errors import BespeakError, NotOwner
from bespeak.http.server.endpoint import RESOURCE_PATTERN, Endpoint, long_id_pattern
from bespeak.http.server.openapi_examples import EXAMPLES, NONE
from bespeak.http.server.openapi_names import Json
from bespeak.http.server.openapi_problems import add_problems, problem_name, problem_of
from bespeak.http.server.openapi_schemas import Described, Schemas
from bespeak.http.server.openapi_security import security_of, security_schemes
from bespeak.http.server.problem_members import members_of
from bespeak.http.server.problems import Problem
from bespeak.inventory.shapes import registry
from bespeak.notifications.mail.texts import MailKind

_VERSION = "1"
_PUBLIC = (
    "JSON over HTTP. A key in `Authorization`; an `Idempotency-Key` makes a call repeatable; what "
    "is refused is a problem document with a stable `code`."
)
_INTERNAL = "For the pages of this server: these calls may change with them, in any version."
_PATH_SCHEMAS: dict[str, Json] = {
    "resource_id": {"type": "string", "pattern": RESOURCE_PATTERN},
    "hold_id": {"type": "string", "pattern": long_id_pattern(ids.HOLD)},
    "booking_id": {"type": "string", "pattern": long_id_pattern(ids.BOOKING)},
    "block_id": {"type": "string", "pattern": long_id_pattern(ids.BLOCK)},
    "payment_id": {"type": "string", "pattern": long_id_pattern(ids.PAYMENT)},
    "refund_id": {"type": "string", "pattern": long_id_pattern(ids.REFUND)},
    "invoice_id": {"type": "string", "pattern": long_id_pattern(ids.INVOICE)},
    "waitlist_id": {"type": "string", "pattern": long_id_pattern(ids.WAITLIST)},
    "entry_id": {"type": "string", "pattern": long_id_pattern(ids.WAITLIST_ENTRY)},
    "mailing_id": {"type": "string", "pattern": long_id_pattern(ids.MAILING)},
    "erasure_id": {"type": "string", "pattern": long_id_pattern(ids.ERASURE)},
    "waiting_room_id": {"type": "string", "pattern": "^wrm_[0-9a-hjkmnp-tv-z]{12}$"},
    "provider": {"type": "string", "maxLength": 40},
    "endpoint_id": {"type": "string", "pattern": "^whe_[0-9a-hjkmnp-tv-z]{16}$"},
    "date": {"type": "string", "format": "date"},
    "batch": {"type": "integer", "minimum": 1, "maximum": 200},
    "serial": {"type": "integer", "minimum": 1, "maximum": 100_000},
    "index": {"type": "integer", "minimum": 1, "maximum": 2_000_000_000},
    "key_id": {"type": "string", "pattern": "^key_[0-9a-hjkmnp-tv-z]{16}$"},
    "link_id": {"type": "string", "pattern": "^cal_[0-9a-hjkmnp-tv-z]{16}$"},
    "operator_id": {"type": "string", "pattern": "^opr_[0-9a-hjkmnp-tv-z]{16}$"},
    "mail_id": {"type": "string", "format": "uuid"},
    "passkey_id": {"type": "string", "pattern": "^psk_[0-9a-hjkmnp-tv-z]{16}$"},
    "digest": {"type": "string", "pattern": "^[0-9a-f]{32}(\\.png)?$"},
    "kind": {"enum": list(get_args(MailKind))},
    "language": {"enum": list(locales.LANGUAGES)},
    "session_id": {"type": "string", "pattern": "^ses_[0-9a-hjkmnp-tv-z]{16}$"},
    "reference": {"type": "string", "maxLength": 100},
}
_WAITING = (429, 503)
_ACCEPTED = "202"
_NO_CONTENT = 204
_RETRY_AFTER: Json = {
    "Retry-After": {
        "description": "Seconds until the same request is worth repeating",
        "required": True,
        "schema": {"type": "integer", "minimum": 1},
    }
}
_REPLAYED: Json = {
    "Idempotent-Replayed": {
        "description": "This answers a repeated request; nothing was done again",
        "schema": {"type": "string", "enum": ["true"]},
    }
}
# Printable, and neither beginning nor ending in a space, which servers on the way take off.
_HEADER_PATTERN = "^[!-~]([ -~]*[!-~])?$"


def public_document(endpoints: Sequence[Endpoint], server: str = "/") -> Json:
    """The document of those of the calls that programs may rely on, at a server with this URL."""
    return openapi([one for one in endpoints if not one.tag.is_internal], server=server)


def internal_document(endpoints: Sequence[Endpoint], server: str = "/") -> Json:
    """The document of the others, which are for the pages of this server."""
    internal = [one for one in endpoints if one.tag.is_internal]
    return openapi(internal, title="Bespeak, internal", told=_INTERNAL, server=server)


def openapi(
    endpoints: Sequence[Endpoint],
    *,
    title: str = "Bespeak",
    told: str = _PUBLIC,
    server: str = "/",
) -> Json:
    """A document of these calls."""
    errors = {error for endpoint in endpoints for error in endpoint.all_errors()}
    queries = {endpoint.query for endpoint in endpoints if endpoint.query is not None}
    schemas = Schemas(
        taken=_described(endpoint.body for endpoint in endpoints),
        answered=_described(
            [Problem, *(one for row in endpoints for one in (row.answer, row.accepted))]
        ),
        dissolved={*queries, *(members_of(error) for error in errors)},
        unions={"Plan": registry.AnyPlan, "Availability": registry.AnyAvailability},
    )
    add_problems(schemas, sorted(errors, key=problem_name))
    paths: dict[str, Json] = {}
    for endpoint in endpoints:
        operation = _operation(endpoint, schemas)
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation
    tags = {endpoint.tag.name: endpoint.tag.description for endpoint in endpoints}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": title,
            "version": _VERSION,
            "summary": "Hold, pay, confirm, and never sell the same thing twice.",
            "description": told,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": server, "description": "This installation"}],
        "tags": [{"name": name, "description": text} for name, text in tags.items()],
        "paths": paths,
        "components": {"schemas": schemas.components, "securitySchemes": security_schemes()},
    }


def _described(types: Iterable[object]) -> set[Described]:
    """Those that are structs or unions of some, and no media types."""
    return {one for one in types if isinstance(one, type | UnionType)}


def _operation(endpoint: Endpoint, schemas: Schemas) -> Json:
    example = EXAMPLES.get(endpoint.operation_id, NONE)
    operation: Json = {
        "operationId": endpoint.operation_id,
        "tags": [endpoint.tag.name],
        "summary": endpoint.summary,
        "description": (endpoint.handler.__doc__ or "").strip(),
        "parameters": _parameters(endpoint, schemas),
        "responses": _responses(endpoint, schemas),
        "security": security_of(endpoint),
    }
    if endpoint.body is not None:
        operation["requestBody"] = {
            "required": endpoint.body_required,
            "content": {"application/json": _media(schemas.of(endpoint.body), example.body)},
        }
    if endpoint.takes_raw:
        operation["requestBody"] = {
            "required": True,
            "description": "Taken as it came, byte by byte",
            "content": {endpoint.raw_type: {"schema": {}}},
        }
    return operation


def _media(schema: object, example: Json | None) -> Json:
    return {"schema": schema} if example is None else {"schema": schema, "example": example}


def _parameters(endpoint: Endpoint, schemas: Schemas) -> list[Json]:
    found: list[Json] = [
        {"name": name, "in": "path", "required": True, "schema": _path_schema(endpoint, name)}
        for name in re.findall(r"{(\w+)}", endpoint.path)
    ]
    if endpoint.query is not None:
        shown = EXAMPLES.get(endpoint.operation_id, NONE).query or {}
        fields = schemas.fields_of(endpoint.query)
        found += [
            {"name": name, "in": "query", "required": name in fields.required, "schema": schema}
            | ({"example": shown[name]} if name in shown else {})
            for name, schema in fields.properties.items()
        ]
    if endpoint.repeatable:
        found.append(_header("Idempotency-Key", "The same key and content: the same answer"))
    if PassRequired in endpoint.errors:
        told = "The pass of a waiting room, for what is behind one"
        found.append(_header("Bespeak-Pass", told, PASS_LENGTH_MAX))
    structs = [struct for struct in (endpoint.body, endpoint.query) if struct is not None]
    names_owner = any("owner" in struct.__struct_fields__ for struct in structs)
    if NotOwner in endpoint.errors and not names_owner:
        found.append(_header("Bespeak-Owner", "With sk_: assert that it is this owner's"))
    return found


def _path_schema(endpoint: Endpoint, name: str) -> Json:
    pattern = endpoint.patterns.get(name)
    if pattern is not None:
        return {"type": "string", "pattern": pattern}
    return _PATH_SCHEMAS[name]


def _header(name: str, description: str, length_max: int = 200) -> Json:
    schema: Json = {"type": "string", "minLength": 1, "maxLength": length_max}
    if name == "Idempotency-Key":
        schema["pattern"] = _HEADER_PATTERN
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": description,
        "schema": schema,
    }


def _responses(endpoint: Endpoint, schemas: Schemas) -> Json:
    content: Json = {"text/plain": {"schema": {"type": "string"}}}
    if isinstance(endpoint.answer, type | UnionType):
        example = EXAMPLES.get(endpoint.operation_id, NONE)
        content = {"application/json": _media(schemas.of(endpoint.answer), example.answer)}
    elif isinstance(endpoint.answer, str):
        content = {endpoint.answer: {"schema": {}}}
    if endpoint.also is not None:
        content[endpoint.also] = {"schema": {}}
    good: Json = {"description": endpoint.summary}
    if endpoint.status != _NO_CONTENT:
        good["content"] = content
    if endpoint.repeatable:
        good["headers"] = _REPLAYED
    responses: Json = {str(endpoint.status): good}
    if endpoint.accepted is not None:
        responses[_ACCEPTED] = {
            "description": "Accepted: it is under way",
            "content": {"application/json": {"schema": schemas.of(endpoint.accepted)}},
        }
    for status, description in endpoint.other_statuses:
        responses[str(status)] = {"description": description}
    by_status: dict[int, list[type[BespeakError]]] = {}
    for error in endpoint.all_errors():
        by_status.setdefault(error.status, []).append(error)
    for status, errors in by_status.items():
        lines = [f"`{error.code}`: {error.title}" for error in errors]
        responses[str(status)] = {
            "description": "; ".join(lines),
            "content": {"application/problem+json": {"schema": problem_of(errors)}},
            **({"headers": _RETRY_AFTER} if status in _WAITING else {}),
        }
    return responses
