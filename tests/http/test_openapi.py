"""The OpenAPI document: valid, complete, and true to the table that it is made from."""

import re
from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

import msgspec
from msgspec.inspect import (
    DictType,
    ListType,
    Metadata,
    StructType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)
from openapi_spec_validator import OpenAPIV31SpecValidator

from bespeak.http.api.sandbox import PAGES
from bespeak.http.endpoints import ENDPOINTS
from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.keys import KeyKind
from bespeak.http.server.openapi import openapi
from bespeak.http.server.problems import Problem
from tests.http.api import Api

# Whose owner is in the body or in the query.
NAMES_OWNER = {
    ("GET", "/v1/bookings"),
    ("GET", "/v1/holds"),
    ("POST", "/v1/holds"),
    ("POST", "/sandbox/tokens"),
}

Json: TypeAlias = dict[str, object]


@cache
def document() -> Json:
    """The document as a client gets it."""
    decoded = msgspec.json.decode(msgspec.json.encode(openapi(ENDPOINTS)), type=dict[str, object])
    assert isinstance(decoded, dict)
    return decoded


def at(value: object, *path: str) -> Json:
    """What stands at a path of a document."""
    for name in path:
        assert isinstance(value, dict), path
        value = value[name]
    assert isinstance(value, dict), path
    return value


def operation(endpoint: Endpoint) -> Json:
    return at(document(), "paths", endpoint.path, endpoint.method.lower())


def test_it_is_openapi_3_1() -> None:
    assert document()["openapi"] == "3.1.0"
    OpenAPIV31SpecValidator(document()).validate()


async def test_the_server_serves_it_with_its_pages(api: Api) -> None:
    answer = await api.ask("GET", "/openapi.json", key=None)
    assert answer.headers["content-type"] == "application/json"
    served = answer.json()
    OpenAPIV31SpecValidator(served).validate()
    pages = {"/start", "/docs", "/openapi.json"} | {one.path for one in PAGES}
    assert set(served["paths"]) == {one.path for one in ENDPOINTS} | pages
    for page in PAGES:
        if page.takes_raw:
            told = at(served["paths"], page.path, page.method.lower(), "requestBody")
            assert set(at(told, "content")) == {"application/x-www-form-urlencoded"}
    for path, operations in at(document(), "paths").items():
        assert served["paths"][path] == operations


def test_a_tag_that_it_requires_is_required() -> None:
    """A struct with a tag is decoded without it, against the document, unless it stands among
    others from which the tag tells it."""
    bodies = [type_info(endpoint.body) for endpoint in ENDPOINTS if endpoint.body is not None]
    assert {tagged.cls.__name__ for body in bodies for tagged in alone(body)} == set()


def alone(
    found: Type, *, among_others: bool = False, within: frozenset[type] = frozenset()
) -> Iterator[StructType]:
    """The structs with a tag below a type that are the only ones in their place."""
    if isinstance(found, Metadata):
        yield from alone(found.type, among_others=among_others, within=within)
    elif isinstance(found, UnionType):
        several = sum(isinstance(one, StructType) for one in found.types) > 1
        for one in found.types:
            yield from alone(one, among_others=several, within=within)
    elif isinstance(found, StructType) and found.cls not in within:
        if found.tag is not None and not among_others:
            yield found
        for field in found.fields:
            yield from alone(field.type, within=within | {found.cls})
    elif isinstance(found, ListType | VarTupleType):
        yield from alone(found.item_type, within=within)
    elif isinstance(found, DictType):
        yield from alone(found.value_type, within=within)


def test_every_endpoint_is_in_it_and_nothing_else() -> None:
    told = {
        (method.upper(), path)
        for path, operations in at(document(), "paths").items()
        for method in at({"o": operations}, "o")
    }
    assert told == {(one.method, one.path) for one in ENDPOINTS}
    names = [str(operation(one)["operationId"]) for one in ENDPOINTS]
    assert len(set(names)) == len(names)
    assert all(operation(one)["summary"] and operation(one)["description"] for one in ENDPOINTS)


def test_every_error_is_told_by_its_code_at_its_status() -> None:
    for endpoint in ENDPOINTS:
        responses = at(operation(endpoint), "responses")
        for error in endpoint.all_errors():
            response = at(responses, str(error.status))
            assert f"`{error.code}`" in str(response["description"])
            schema = at(response, "content", "application/problem+json", "schema")
            assert schema == {"$ref": "#/components/schemas/Problem"}
        statuses = {error.status for error in endpoint.all_errors()}
        statuses |= {endpoint.status} | {status for status, _ in endpoint.other_statuses}
        statuses |= {202} if endpoint.accepted is not None else set()
        assert {int(status) for status in responses} == statuses


def test_every_struct_is_told_field_by_field() -> None:
    schemas = at(document(), "components", "schemas")
    structs = {one.body for one in ENDPOINTS} | {one.answer for one in ENDPOINTS} | {Problem}
    structs |= {one.accepted for one in ENDPOINTS}
    for struct in structs:
        if not isinstance(struct, type):
            continue
        assert issubclass(struct, msgspec.Struct)
        told = set(at(schemas, struct.__name__, "properties"))
        tag = struct.__struct_config__.tag_field
        tags = set() if tag is None else {tag}
        # A repeat is told by the header Idempotent-Replayed.
        assert told == (set(struct.__struct_encode_fields__) | tags) - {"replayed"}
    for endpoint in ENDPOINTS:
        if endpoint.body is not None:
            body = at(operation(endpoint), "requestBody")
            assert body["required"] is endpoint.body_required
            schema = at(body, "content", "application/json", "schema")
            assert schema == {"$ref": f"#/components/schemas/{endpoint.body.__name__}"}
            assert at(schemas, endpoint.body.__name__)["additionalProperties"] is False
        if endpoint.accepted is not None:
            accepted = at(operation(endpoint), "responses", "202")
            schema = at(accepted, "content", "application/json", "schema")
            assert schema == {"$ref": f"#/components/schemas/{endpoint.accepted.__name__}"}
        if endpoint.takes_raw:
            raw = at(operation(endpoint), "requestBody")
            assert raw["required"] is True and raw["description"]
            assert at(raw, "content") == {endpoint.raw_type: {"schema": {}}}
        if endpoint.also is not None:
            good = at(operation(endpoint), "responses", str(endpoint.status))
            assert endpoint.also in at(good, "content")
        if isinstance(endpoint.answer, type):
            good = at(operation(endpoint), "responses", str(endpoint.status))
            schema = at(good, "content", "application/json", "schema")
            assert schema == {"$ref": f"#/components/schemas/{endpoint.answer.__name__}"}


def test_every_list_is_items_and_next() -> None:
    for endpoint in ENDPOINTS:
        struct = endpoint.answer
        if not isinstance(struct, type) or not issubclass(struct, msgspec.Struct):
            continue
        fields = struct.__struct_fields__
        assert ("items" in fields) == ("next" in fields), endpoint.path
        if endpoint.handler.__name__.startswith("list_"):
            assert "items" in fields, endpoint.path


def test_an_endpoint_stands_in_the_file_of_its_noun() -> None:
    for endpoint in ENDPOINTS:
        file = endpoint.handler.__module__.removeprefix("bespeak.http.api.")
        words = re.findall(r"\w+", endpoint.path.replace("-", "_"))
        is_found = any(word.startswith(file.removesuffix("s")) for word in words)
        if endpoint.tag is None and file != "health":
            assert is_found, f"{endpoint.method} {endpoint.path} stands in {file}.py"


def parameters(endpoint: Endpoint, place: str) -> dict[str, Json]:
    found = operation(endpoint)["parameters"]
    assert isinstance(found, list)
    return {one["name"]: one for one in found if one["in"] == place}


def test_every_parameter_is_told() -> None:
    for endpoint in ENDPOINTS:
        in_path = parameters(endpoint, "path")
        assert set(in_path) == set(re.findall(r"{(\w+)}", endpoint.path))
        assert all(one["required"] is True for one in in_path.values())
        query = set(endpoint.query.__struct_encode_fields__) if endpoint.query else set()
        assert set(parameters(endpoint, "query")) == query
        headers = set(parameters(endpoint, "header"))
        assert ("Idempotency-Key" in headers) is endpoint.repeatable
        owned = any(error.code == "not_owner" for error in endpoint.errors)
        named_in_header = owned and (endpoint.method, endpoint.path) not in NAMES_OWNER
        assert ("Bespeak-Owner" in headers) is named_in_header, endpoint.path


def test_who_may_call_is_told() -> None:
    for endpoint in ENDPOINTS:
        told = operation(endpoint)
        if not endpoint.kinds:
            assert told["security"] == [] and "x-key-kinds" not in told
            continue
        kinds = [kind.value for kind in KeyKind if kind in endpoint.kinds]
        assert told["x-key-kinds"] == kinds
        expected: list[Json] = [{"key": []}]
        if KeyKind.PUBLISHABLE in endpoint.kinds:
            expected.append({"key": [], "shopper": []})
        if endpoint.link_opens:
            expected.append({})
        assert told["security"] == expected, endpoint.path
