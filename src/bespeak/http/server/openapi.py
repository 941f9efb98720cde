"""The OpenAPI 3.1 document, made from the table of endpoints and the structs that they decode and
encode, so that it cannot say anything else than the code does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import UnionType
from typing import TypeAlias

import msgspec

from bespeak import ids
from bespeak.errors import BespeakError, NotOwner
from bespeak.http.server.endpoint import RESOURCE_PATTERN, Endpoint, long_id_pattern
from bespeak.http.server.keys import KeyKind
from bespeak.http.server.problems import Problem

Json: TypeAlias = dict[str, object]
Described: TypeAlias = type | UnionType
_REF = "#/components/schemas/{name}"
_VERSION = "1"
_PATH_SCHEMAS: dict[str, Json] = {
    "resource_id": {"type": "string", "pattern": RESOURCE_PATTERN},
    "hold_id": {"type": "string", "pattern": long_id_pattern(ids.HOLD)},
    "booking_id": {"type": "string", "pattern": long_id_pattern(ids.BOOKING)},
    "block_id": {"type": "string", "pattern": long_id_pattern(ids.BLOCK)},
    "payment_id": {"type": "string", "pattern": long_id_pattern(ids.PAYMENT)},
    "refund_id": {"type": "string", "pattern": long_id_pattern(ids.REFUND)},
    "erasure_id": {"type": "string", "pattern": long_id_pattern(ids.ERASURE)},
    "provider": {"type": "string", "maxLength": 40},
    "endpoint_id": {"type": "string", "pattern": "^whe_[0-9a-hjkmnp-tv-z]{16}$"},
    "index": {"type": "integer", "minimum": 1, "maximum": 2_000_000_000},
    "key_id": {"type": "string", "pattern": "^key_[0-9a-hjkmnp-tv-z]{16}$"},
    "reference": {"type": "string", "maxLength": 100},
}
_WAITING = (429, 503)
_ACCEPTED = "202"
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


def openapi(endpoints: Sequence[Endpoint]) -> Json:
    types: set[Described] = {Problem}
    for endpoint in endpoints:
        types |= {
            one
            for one in (endpoint.body, endpoint.answer, endpoint.query, endpoint.accepted)
            if isinstance(one, type | UnionType)
        }
    ordered = sorted(types, key=lambda one: getattr(one, "__name__", str(one)))
    made, components = msgspec.json.schema_components(ordered, ref_template=_REF)
    for schema in components.values():
        _mend(schema)
    schemas = dict(zip(ordered, made, strict=True))
    components["Problem"]["additionalProperties"] = True
    for schema in components.values():
        properties = schema.get("properties")
        if isinstance(properties, dict):
            properties.pop("replayed", None)  # told by the header Idempotent-Replayed instead
    paths: dict[str, Json] = {}
    for endpoint in endpoints:
        operation = _operation(endpoint, schemas, components)
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Bespeak",
            "version": _VERSION,
            "summary": "Hold, pay, confirm, and never sell the same thing twice.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "pk_ for browsers, sk_ for servers, ak_ for the operator",
                },
                "shopper": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "Bespeak-Shopper",
                    "description": "With a pk_ key: a shopper token, minted with an sk_ key",
                },
            },
        },
    }


def _mend(schema: object) -> None:
    """Puts a schema in the words of JSON Schema: `$` is the very end of a pattern there, and a
    default that stands for absence, out of the bounds, is none. Where one of several schemas is
    meant, it is named beside them."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            schema.pop("anyOf", None)
            schema.pop("discriminator", None)
        default, minimum = schema.get("default"), schema.get("minimum")
        if isinstance(default, int) and isinstance(minimum, int) and default < minimum:
            del schema["default"]
        pattern = schema.get("pattern")
        if isinstance(pattern, str):
            schema["pattern"] = pattern.removesuffix("\\Z") + "$" * pattern.endswith("\\Z")
        for part in schema.values():
            _mend(part)
    elif isinstance(schema, list):
        for part in schema:
            _mend(part)


def _operation(
    endpoint: Endpoint, schemas: dict[Described, Json], components: dict[str, Json]
) -> Json:
    operation: Json = {
        "operationId": endpoint.handler.__name__,
        "summary": endpoint.summary,
        "description": (endpoint.handler.__doc__ or "").strip(),
        "parameters": _parameters(endpoint, components),
        "responses": _responses(endpoint, schemas),
    }
    if endpoint.tag is not None:
        operation["tags"] = [endpoint.tag]
    if endpoint.kinds:
        operation["security"] = [{"key": []}]
        if KeyKind.PUBLISHABLE in endpoint.kinds:
            operation["security"] = [{"key": []}, {"key": [], "shopper": []}]
        elif endpoint.link_opens:
            operation["security"] = [{"key": []}, {}]
        operation["x-key-kinds"] = [kind.value for kind in KeyKind if kind in endpoint.kinds]
    else:
        operation["security"] = []
    if endpoint.body is not None:
        operation["requestBody"] = {
            "required": endpoint.body_required,
            "content": {"application/json": {"schema": schemas[endpoint.body]}},
        }
    if endpoint.takes_raw:
        operation["requestBody"] = {
            "required": True,
            "description": "Taken as it came, byte by byte",
            "content": {endpoint.raw_type: {"schema": {}}},
        }
    return operation


def _parameters(endpoint: Endpoint, components: dict[str, Json]) -> list[Json]:
    found: list[Json] = [
        {"name": name, "in": "path", "required": True, "schema": _path_schema(endpoint, name)}
        for name in re.findall(r"{(\w+)}", endpoint.path)
    ]
    if endpoint.query is not None:
        properties = components[endpoint.query.__name__]["properties"]
        if not isinstance(properties, dict):
            raise TypeError("a query struct has properties")
        found += [
            {"name": name, "in": "query", "required": False, "schema": _without_null(schema)}
            for name, schema in properties.items()
        ]
    if endpoint.repeatable:
        found.append(_header("Idempotency-Key", "The same key and content: the same answer"))
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


def _header(name: str, description: str) -> Json:
    schema: Json = {"type": "string", "minLength": 1, "maxLength": 200}
    if name == "Idempotency-Key":
        schema["pattern"] = _HEADER_PATTERN
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": description,
        "schema": schema,
    }


def _without_null(schema: Json) -> Json:
    options = schema.get("anyOf")
    if not isinstance(options, list):
        return schema
    kept = [option for option in options if option != {"type": "null"}]
    return kept[0] if len(kept) == 1 else {"anyOf": kept}


def _responses(endpoint: Endpoint, schemas: dict[Described, Json]) -> Json:
    content: Json = {"text/plain": {"schema": {"type": "string"}}}
    if isinstance(endpoint.answer, type | UnionType):
        content = {"application/json": {"schema": schemas[endpoint.answer]}}
    elif isinstance(endpoint.answer, str):
        content = {endpoint.answer: {"schema": {}}}
    if endpoint.also is not None:
        content[endpoint.also] = {"schema": {}}
    good: Json = {"description": endpoint.summary, "content": content}
    if endpoint.repeatable:
        good["headers"] = _REPLAYED
    responses: Json = {str(endpoint.status): good}
    if endpoint.accepted is not None:
        responses[_ACCEPTED] = {
            "description": "Accepted: it is under way",
            "content": {"application/json": {"schema": schemas[endpoint.accepted]}},
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
            "content": {"application/problem+json": {"schema": schemas[Problem]}},
            **({"headers": _RETRY_AFTER} if status in _WAITING else {}),
        }
    return responses
