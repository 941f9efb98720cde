"""The problems in the OpenAPI document: a schema for each code, which says what else it has, and
for each status of a call those that it may be, told apart by their `code`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bespeak.errors import BespeakError
from bespeak.http.server.openapi_examples import PROBLEMS
from bespeak.http.server.openapi_names import OURS, Json, owned_by, reference
from bespeak.http.server.openapi_schemas import Schemas
from bespeak.http.server.problem_members import members_of
from bespeak.http.server.problems import Problem


def add_problems(schemas: Schemas, errors: Iterable[type[BespeakError]]) -> None:
    """Adds the schema of each of these errors to the components."""
    base = schemas.components[schemas.name(Problem)]
    for error in errors:
        more = schemas.fields_of(members_of(error))
        schemas.components[problem_name(error)] = {
            "title": problem_name(error),
            "description": error.__doc__ or error.title,
            "type": "object",
            "properties": {**_properties(base), **_fixed(error), **more.properties},
            "required": [*Problem.__struct_fields__, *more.required],
        }
        if error.code in PROBLEMS:
            schemas.components[problem_name(error)]["examples"] = [PROBLEMS[error.code]]
    base["additionalProperties"] = True


def problem_name(error: type[BespeakError]) -> str:
    """The name of the schema of an error's problems; with the package before it that an error of
    others is of."""
    package = error.__module__.partition(".")[0]
    owner = "" if package == OURS else owned_by(package)
    return f"{owner}{error.__name__}Problem"


def problem_of(errors: Sequence[type[BespeakError]]) -> Json:
    """The schema of an answer that is a problem of one of these errors."""
    references = {error.code: reference(problem_name(error)) for error in errors}
    if len(errors) == 1:
        return references[errors[0].code]
    return {
        "oneOf": list(references.values()),
        "discriminator": {
            "propertyName": "code",
            "mapping": {code: found["$ref"] for code, found in references.items()},
        },
    }


def _fixed(error: type[BespeakError]) -> Json:
    """What is the same in all problems of an error."""
    return {
        "code": {"type": "string", "const": error.code},
        "status": {"type": "integer", "const": error.status},
        "retryable": {"type": "boolean", "const": error.retryable},
    }


def _properties(schema: Json) -> Json:
    found = schema["properties"]
    if not isinstance(found, dict):
        raise TypeError("the properties of a schema are an object")
    return found
