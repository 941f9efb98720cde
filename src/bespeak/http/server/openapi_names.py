"""What the components of the OpenAPI document are called. Those of the API keep their names: what a
vertical brings along has the vertical's before one that is ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

Json: TypeAlias = dict[str, object]
REFERENCE = "#/components/schemas/{name}"
_PREFIX = REFERENCE.format(name="")
OURS = "bespeak"
_VERTICALS = "verticals"


def reference(name: str) -> Json:
    """What stands in place of a schema that is a component."""
    return {"$ref": REFERENCE.format(name=name)}


def short_names(components: Iterable[str]) -> dict[str, str]:
    """The names of those that are given with their module, since several structs share theirs."""
    taken = {name for name in components if "." not in name}
    found: dict[str, str] = {}
    # Ours first, whatever else is installed.
    for qualified in sorted((name for name in components if "." in name), key=_is_of_others):
        short = _short(qualified)
        found[qualified] = qualified.replace(".", "_") if short in taken else short
        taken.add(found[qualified])
    return found


def _is_of_others(qualified: str) -> tuple[bool, str]:
    package, *rest = qualified.split(".")
    return package != OURS or rest[:1] == [_VERTICALS], qualified


def _short(qualified: str) -> str:
    package, *rest = qualified.split(".")
    if not _is_of_others(qualified)[0]:
        return rest[-1]
    owner = rest[1] if package == OURS else package
    return owned_by(owner) + rest[-1]


def owned_by(package: str) -> str:
    """How names begin that are a package's own."""
    return package.title().replace("_", "")


def with_names(schema: object, names: Mapping[str, str]) -> object:
    """The schema with references to these names in place of those before."""
    if isinstance(schema, dict):
        return {key: with_names(part, names) for key, part in schema.items()}
    if isinstance(schema, list):
        return [with_names(part, names) for part in schema]
    if isinstance(schema, str) and schema.startswith(_PREFIX):
        name = schema.removeprefix(_PREFIX)
        return _PREFIX + names.get(name, name)
    return schema


class NamedParts:
    """Gives names to parts of schemas: to these unions, and to each list of words that has one. So
    they are types of their own."""

    def __init__(self, unions: Mapping[str, Json]) -> None:
        self._unions = {name: union for name, union in unions.items() if "anyOf" in union}
        self.found: dict[str, Json] = {}

    def put_into(self, schema: object) -> object:
        """The schema with references in place of what has a name."""
        if isinstance(schema, list):
            return [self.put_into(part) for part in schema]
        if not isinstance(schema, dict):
            return schema
        for name, union in self._unions.items():
            if schema.get("anyOf") == union["anyOf"]:
                told_apart = {"discriminator": union["discriminator"]}
                self.found[name] = {"title": name, "oneOf": union["anyOf"], **told_apart}
                return reference(name)
        title = schema.get("title")
        if isinstance(title, str) and "enum" in schema:
            self.found[title] = {part: schema[part] for part in ("title", "type", "enum")}
            return reference(title)
        return {key: self.put_into(part) for key, part in schema.items()}
