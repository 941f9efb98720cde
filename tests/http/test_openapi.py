"""The OpenAPI document: valid, complete, and true to the table that it is made from."""

import re
from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

import jsonschema_rs
import msgspec
import pytest
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

from bespeak.errors import by_code
from bespeak.http.api import sandbox, waiting_pages
from bespeak.http.endpoints import ENDPOINTS
from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.keys import KeyKind
from bespeak.http.server.openapi import internal_document, openapi, public_document
from bespeak.http.server.openapi_examples import EXAMPLES, PROBLEMS
from bespeak.http.server.problem_members import members_of
from bespeak.http.server.problems import Problem
from bespeak.http.server.scopes import ANY_SCOPE
from bespeak.http.server.tags import UNTAGGED
from bespeak.inventory.shapes.registry import installed_shapes
from tests.http.api import Api
from tests.http.conftest import OpenApi

PAGES = [*sandbox.PAGES, *waiting_pages.PAGES]
# Whose owner is in the body or in the query.
NAMES_OWNER = {
    ("GET", "/v1/bookings"),
    ("GET", "/v1/holds"),
    ("POST", "/v1/holds"),
    ("PUT", "/v1/waiting-rooms/{waiting_room_id}/turn-mail"),
    ("POST", "/v1/waiting-rooms/{waiting_room_id}/passes"),
    ("POST", "/v1/waiting-rooms/{waiting_room_id}/queue-tokens"),
    ("POST", "/v1/waitlists/{waitlist_id}/entries"),
    ("GET", "/v1/waitlist-entries"),
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


async def test_the_server_serves_it_as_openapi_3_1_with_its_pages(api: Api) -> None:
    # It takes three seconds to import, which each worker would spend to collect this.
    from openapi_spec_validator import OpenAPIV31SpecValidator

    served = {}
    for name in ("openapi", "openapi-internal"):
        answer = await api.ask("GET", f"/v1/{name}.json", key=None)
        assert answer.headers["content-type"] == "application/json"
        served[name] = answer.json()
        assert served[name]["openapi"] == "3.1.0"
        OpenAPIV31SpecValidator(served[name]).validate()
    public, internal = (of_calls(one) for one in served.values())
    pages = {("GET", path) for path in ("/start", "/v1/openapi-internal.json")}
    pages |= {(page.method, page.path) for page in PAGES}
    of_tags = {
        is_internal: {(e.method, e.path) for e in ENDPOINTS if e.tag.is_internal is is_internal}
        for is_internal in (False, True)
    }
    assert set(public) == of_tags[False] | {("GET", "/v1/openapi.json")}
    assert set(internal) == of_tags[True] | pages
    for page in PAGES:
        if page.takes_raw:
            told = at(internal[page.method, page.path], "requestBody", "content")
            assert set(told) == {"application/x-www-form-urlencoded"}
    for call, operation_of in of_calls(document()).items():
        assert (public | internal)[call] == operation_of


def of_calls(whole: Json) -> dict[tuple[str, str], Json]:
    return {
        (method.upper(), path): at({"o": one}, "o")
        for path, operations in at(whole, "paths").items()
        for method, one in at({"o": operations}, "o").items()
    }


def test_the_public_document_has_no_word_of_the_pages() -> None:
    public, internal = public_document(ENDPOINTS), internal_document(ENDPOINTS)
    names = [set(at(one, "components", "schemas")) for one in (public, internal)]
    assert {"Overview", "ConsoleSessionView", "DemoRush"} <= names[1] - names[0]
    assert {"HoldView", "WebhookEndpoint", "EventPage"} <= names[0] - names[1]
    tags = {tag["name"] for tag in of_list(public, "tags")}
    assert "Holds" in tags and "Console" not in tags


async def test_it_names_the_server_that_it_is_of(open_api: OpenApi) -> None:
    known = await open_api(public_url="https://tickets.example.com/")
    answer = await known.ask("GET", "/v1/openapi.json", key=None)
    assert answer.json()["servers"][0]["url"] == "https://tickets.example.com"


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


def test_every_call_is_in_a_group_that_is_told() -> None:
    groups = {one["name"]: one["description"] for one in of_list(document(), "tags")}
    assert all(groups.values())
    assert {endpoint.tag.name for endpoint in ENDPOINTS} == set(groups)
    for endpoint in ENDPOINTS:
        assert operation(endpoint)["tags"] == [endpoint.tag.name]
        assert endpoint.tag is not UNTAGGED


def test_operations_are_named_as_methods_are() -> None:
    for endpoint in ENDPOINTS:
        name = str(operation(endpoint)["operationId"])
        assert re.fullmatch(r"[a-z]+(_[a-z]+)+", name), name
        if endpoint.method == "GET" and not endpoint.tag.is_internal:
            verb = endpoint.handler.__name__.partition("_")[0]
            assert verb in ("get", "list", "check", "export", "audit", "stream"), name


def test_states_and_reasons_are_lists_of_words() -> None:
    schemas = at(document(), "components", "schemas")
    for struct, field, words in (
        ("HoldView", "state", "HoldState"),
        ("BookingView", "state", "BookingState"),
        ("Payment", "state", "PaymentState"),
        ("Conflict", "state", "ConflictState"),
        ("TakenUnit", "state", "TakenState"),
    ):
        told = at(schemas, struct, "properties", field)
        assert told == {"$ref": f"#/components/schemas/{words}"}
        assert at(schemas, words)["enum"]
    assert at(schemas, "Resource", "properties", "state")["enum"] == ["closed", "open"]
    reasons = at(schemas, "UnavailableReason")["enum"]
    assert isinstance(reasons, list) and {"closed", "held", "sold_out"} <= set(reasons)


def test_a_plan_and_an_availability_are_told_apart_by_their_type() -> None:
    schemas = at(document(), "components", "schemas")
    for name in ("Plan", "Availability"):
        mapping = at(schemas, name, "discriminator", "mapping")
        assert set(mapping) == {shape.name for shape in installed_shapes()}
    assert at(schemas, "NewResource", "properties", "plan") == {"$ref": "#/components/schemas/Plan"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_what_its_call_takes_and_answers(name: str) -> None:
    (endpoint,) = (one for one in ENDPOINTS if one.operation_id == name)
    for shown, kind in (
        (EXAMPLES[name].body, endpoint.body),
        (EXAMPLES[name].answer, endpoint.answer),
    ):
        if shown is None:
            continue
        assert kind is not None
        assert msgspec.json.decode(msgspec.json.encode(shown), type=kind) is not None
        schema = {**document(), "$ref": f"#/components/schemas/{name_of(kind)}"}
        jsonschema_rs.validator_for(schema).validate(shown)
    if (query := EXAMPLES[name].query) is not None:
        assert endpoint.query is not None
        msgspec.convert(query, type=endpoint.query)
        told = operation(endpoint)["parameters"]
        assert isinstance(told, list)
        assert {one["name"]: one["example"] for one in told if "example" in one} == query


def name_of(kind: object) -> str:
    return kind.__name__ if isinstance(kind, type) else "Availability"


@pytest.mark.parametrize("code", PROBLEMS)
def test_an_example_of_a_problem_is_one(code: str) -> None:
    schema = {**document(), "$ref": f"#/components/schemas/{by_code()[code].__name__}Problem"}
    jsonschema_rs.validator_for(schema).validate(PROBLEMS[code])


def of_list(value: Json, name: str) -> list[dict[str, str]]:
    found = value[name]
    assert isinstance(found, list)
    return found


def test_every_error_is_told_by_its_code_at_its_status() -> None:
    for endpoint in ENDPOINTS:
        responses = at(operation(endpoint), "responses")
        for error in endpoint.all_errors():
            response = at(responses, str(error.status))
            assert f"`{error.code}`" in str(response["description"])
            schema = at(response, "content", "application/problem+json", "schema")
            assert f"#/components/schemas/{error.__name__}Problem" in problems(schema)
        statuses = {error.status for error in endpoint.all_errors()}
        statuses |= {endpoint.status} | {status for status, _ in endpoint.other_statuses}
        statuses |= {202} if endpoint.accepted is not None else set()
        assert {int(status) for status in responses} == statuses


def problems(schema: Json) -> list[str]:
    """The references of a schema to problems, which the code tells apart if they are several."""
    if "$ref" in schema:
        return [str(schema["$ref"])]
    found = at(schema, "discriminator")
    assert found["propertyName"] == "code"
    mapping = at(found, "mapping")
    options = schema["oneOf"]
    assert isinstance(options, list)
    assert [one["$ref"] for one in options] == list(mapping.values())
    return [str(one) for one in mapping.values()]


def test_every_problem_is_told_with_its_members() -> None:
    schemas = at(document(), "components", "schemas")
    for error in {error for endpoint in ENDPOINTS for error in endpoint.all_errors()}:
        schema = at(schemas, f"{error.__name__}Problem")
        assert at(schema, "properties", "code")["const"] == error.code
        assert at(schema, "properties", "status")["const"] == error.status
        assert at(schema, "properties", "retryable")["const"] is error.retryable
        known = {*Problem.__struct_fields__, *members_of(error).__struct_encode_fields__}
        assert set(at(schema, "properties")) == known
    assert "conflicts" in at(schemas, "UnitTakenProblem", "properties")
    assert "retry_after_seconds" in at(schemas, "RateLimitedProblem", "properties")


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
        if file != "health" and "verticals" not in file:
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
    schemes = set(at(document(), "components", "securitySchemes"))
    for endpoint in ENDPOINTS:
        told = operation(endpoint)
        if not endpoint.kinds:
            assert told["security"] == []
            continue
        expected: list[Json] = [{kind.value: []} for kind in KeyKind if kind in endpoint.kinds]
        if KeyKind.PUBLISHABLE in endpoint.kinds:
            expected.append({"publishable": [], "shopper": []})
        if endpoint.needs_shopper:
            expected.remove({"publishable": []})
        if endpoint.booking_link_opens:
            expected.append({"publishable": [], "booking_link": []})
        if endpoint.waitlist_link_opens:
            expected.append({"publishable": [], "waitlist_link": []})
        if endpoint.link_opens:
            expected.append({"calendar_link": []})
        in_turn = sorted(scope.value for scope in endpoint.scopes)
        if endpoint.scopes == ANY_SCOPE:
            expected.append({"restricted": []})
        elif endpoint.needs_all_scopes:
            expected.append({"restricted": in_turn})
        else:
            expected += [{"restricted": [scope]} for scope in in_turn]
        if endpoint.key_in_query:
            expected.append({"publishable_in_query": []})
        security = told["security"]
        assert isinstance(security, list)
        assert sorted(map(str, security)) == sorted(map(str, expected)), endpoint.path
        assert {name for way in security for name in way} <= schemes
