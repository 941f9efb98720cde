"""The schemas of the OpenAPI document: the structs that calls take and answer, as msgspec tells
them, and then in words that validators and generators of clients all understand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import UnionType
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec import NODEFAULT
from msgspec.inspect import Field, Metadata, StructType, Type, multi_type_info

from bespeak.http.server.openapi_names import REFERENCE, Json, NamedParts, short_names, with_names

Described: TypeAlias = type | UnionType


class Fields(NamedTuple):
    """The schemas of a struct's fields by name, and the names of those that must be there."""

    properties: dict[str, Json]
    required: list[str]


class Schemas:
    """The components of a document, and where in them each type is found."""

    def __init__(
        self,
        taken: Iterable[Described],
        answered: Iterable[Described],
        dissolved: Iterable[type[msgspec.Struct]],
        unions: Mapping[str, Described],
    ) -> None:
        """Of the types that calls take, and of those that they answer. Of those that are dissolved
        only the fields are asked for: they are no components. The unions are components of these
        names wherever they are met."""
        taken, dissolved = set(taken), set(dissolved)
        ordered = sorted({*taken, *answered, *dissolved, *unions.values()}, key=_by_name)
        made, components = msgspec.json.schema_components(ordered, ref_template=REFERENCE)
        self._names = short_names(components)
        _mend(components)
        _mend(made)
        schemas: dict[Described, Json] = {
            described: {key: with_names(part, self._names) for key, part in schema.items()}
            for described, schema in zip(ordered, made, strict=True)
        }
        parts = NamedParts({name: schemas[union] for name, union in unions.items()})
        self._of = {described: parts.put_into(schema) for described, schema in schemas.items()}
        self.components: dict[str, Json] = {
            self._names.get(name, name): {
                key: parts.put_into(with_names(part, self._names)) for key, part in schema.items()
            }
            for name, schema in components.items()
        }
        self.components |= parts.found
        self._dissolved = {struct: self.components.pop(self.name(struct)) for struct in dissolved}
        self._require_what_is_always_there(ordered, taken)
        for schema in self.components.values():
            _properties(schema).pop("replayed", None)  # a header tells it: Idempotent-Replayed
            _tell_defaults(schema)

    def of(self, described: Described) -> object:
        """The schema of a type: a reference, or a union of some."""
        return self._of[described]

    def name(self, struct: type) -> str:
        """The name under which a struct is a component."""
        qualified = f"{struct.__module__}.{struct.__qualname__}"
        return self._names.get(qualified, struct.__name__)

    def fields_of(self, dissolved: type[msgspec.Struct]) -> Fields:
        """The fields of a struct that is no component. What is not there is left out, not null."""
        schema = self._dissolved[dissolved]
        properties = {name: _without_null(part) for name, part in _properties(schema).items()}
        return Fields(properties, [name for name in properties if name in _required(schema)])

    def _require_what_is_always_there(
        self, ordered: list[Described], taken: set[Described]
    ) -> None:
        """A field with a default may be left out of what is sent; but it is in every answer, unless
        its struct leaves out defaults."""
        sent = {self.name(one.cls) for one in _structs(multi_type_info(taken))}
        for struct in _structs(multi_type_info(ordered)):
            name = self.name(struct.cls)
            schema = self.components.get(name)
            if schema is None or name in sent or struct.cls.__struct_config__.omit_defaults:
                continue
            tag = [struct.tag_field] if struct.tag_field is not None else []
            always = [one.encode_name for one in struct.fields if _is_always_there(one)]
            schema["required"] = [*tag, *(name for name in always if name != "replayed")]


def _by_name(described: Described) -> tuple[str, str]:
    return getattr(described, "__name__", str(described)), getattr(described, "__module__", "")


def _is_always_there(field: Field) -> bool:
    """In a struct that does not leave out defaults: all but what may be UNSET."""
    has_default = field.default is not NODEFAULT or field.default_factory is not NODEFAULT
    return field.required or has_default


def _properties(schema: Json) -> dict[str, Json]:
    found = schema.get("properties", {})
    if not isinstance(found, dict):
        raise TypeError("the properties of a schema are an object")
    return found


def _required(schema: Json) -> list[str]:
    found = schema.get("required", [])
    return found if isinstance(found, list) else []


def _structs(found: Iterable[Type], seen: set[type] | None = None) -> Iterator[StructType]:
    """Every struct at or below these types, once."""
    seen = set() if seen is None else seen
    for one in found:
        if isinstance(one, StructType):
            if one.cls in seen:
                continue
            seen.add(one.cls)
            yield one
            yield from _structs([field.type for field in one.fields], seen)
        else:
            yield from _structs(_parts(one), seen)


def _parts(found: Type) -> list[Type]:
    """The types that a union, a list, a tuple or a dictionary is made of."""
    if isinstance(found, Metadata):
        return [found.type]
    several = [getattr(found, name, ()) for name in ("types", "item_types")]
    single = [getattr(found, name, None) for name in ("item_type", "key_type", "value_type")]
    return [*(one for some in several for one in some), *(one for one in single if one is not None)]


def _mend(schema: object) -> None:
    """Puts a schema, and all in it, in words that are understood the same everywhere."""
    if isinstance(schema, dict):
        _name_one(schema)
        _close_tuple(schema)
        _end_pattern(schema)
        for part in schema.values():
            _mend(part)
    elif isinstance(schema, list):
        for part in schema:
            _mend(part)


def _name_one(schema: Json) -> None:
    """Where one of several schemas is meant, it is named beside them."""
    if "$ref" in schema:
        schema.pop("anyOf", None)
        schema.pop("discriminator", None)


def _close_tuple(schema: Json) -> None:
    """`maxItems` says already that a tuple has no more; some refuse the `false` beside it."""
    if schema.get("items") is False:
        del schema["items"]


def _end_pattern(schema: Json) -> None:
    """In JSON Schema `$` is the very end of a pattern."""
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        schema["pattern"] = pattern.removesuffix("\\Z") + "$" * pattern.endswith("\\Z")


def _tell_defaults(schema: Json) -> None:
    """The defaults of what may be left out, in words: some take it that a field with a default is
    always there, also in what is sent."""
    for name, part in _properties(schema).items():
        default = _default(part)
        part.pop("default", None)
        if default is None or "$ref" in part or name in _required(schema):
            continue
        said = f"Default: {msgspec.json.encode(default).decode()}"
        before = part.get("description")
        part["description"] = said if before is None else f"{before} {said}"


def _default(schema: Json) -> object:
    """The default of a field. One that stands for absence, null or out of the bounds, is none."""
    default, minimum = schema.get("default"), schema.get("minimum")
    is_absence = isinstance(default, int) and isinstance(minimum, int) and default < minimum
    return None if is_absence else default


def _without_null(schema: Json) -> Json:
    options = schema.get("anyOf")
    found = {name: value for name, value in schema.items() if name != "default"}
    if isinstance(options, list):
        kept = [option for option in options if option != {"type": "null"}]
        found = kept[0] if len(kept) == 1 else {**found, "anyOf": kept}
    default = _default(schema)
    return found if default is None else {**found, "default": default}
