"""What is told of a value that does not decode, in words: what is expected instead, with an
example; the field that it is about; the name that was perhaps meant. The words of a pattern stand
beside it, as the description and the examples of its `Meta`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

import msgspec
from msgspec import inspect

_PLACE = re.compile(r"^(?P<said>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<name>.*)`", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(?P<name>.*)`", re.DOTALL)
_PATTERN = "Expected `str` matching regex "
_STEP = re.compile(r"\.?(?P<name>[^.\[\]]+)|\[(?P<index>[^\]]*)\]")
_SHOWN_MAX = 60
_FORMLESS = "has a form that is not allowed here"


class Explained(NamedTuple):
    """What is wrong, in words; and the path of the field, empty where it is the whole value."""

    detail: str
    field: str


def explain(error: Exception, expected: object) -> Explained:
    """What msgspec says of a value that is not of the `expected` type."""
    found = _PLACE.match(str(error))
    said, path = (found["said"], found["path"] or "") if found else (str(error), "")
    path = path.removeprefix(".")
    if unknown := _UNKNOWN.fullmatch(said):
        name = unknown["name"]
        known = {field.encode_name for one in _at(expected, path) for field in _fields(one)}
        # Of a long one nothing is near, and to find that out takes long.
        near = get_close_matches(name, sorted(known), 1) if len(name) <= _SHOWN_MAX else []
        hint = f"; did you mean `{near[0]}`?" if near else ""
        return Explained(f"there is no field `{name[:_SHOWN_MAX]}`{hint}", _below(path, name))
    if missing := _MISSING.fullmatch(said):
        name = missing["name"]
        return Explained(f"the field `{name}` is missing{_place(path)}", path or name)
    if said.startswith(_PATTERN):
        said = _words(_at(expected, path))
    return Explained(f"{said}{_place(path)}", path)


def patterns_of(expected: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Every pattern within a type, with what its `Meta` says of it."""
    seen: set[type] = set()
    waiting: list[inspect.Type] = [_type_info(expected)]
    while waiting:
        one = waiting.pop()
        about = one.extra_json_schema or {} if isinstance(one, inspect.Metadata) else {}
        bare = _bare(one)
        if isinstance(bare, inspect.StrType) and bare.pattern is not None:
            yield bare.pattern, about
        if isinstance(bare, inspect.StructType):
            if bare.cls in seen:
                continue
            seen.add(bare.cls)
        waiting += _parts(bare)


def _words(leaves: Iterable[inspect.Type]) -> str:
    for leaf in leaves:
        about = leaf.extra_json_schema if isinstance(leaf, inspect.Metadata) else None
        if about and "description" in about:
            examples = about.get("examples")
            example = f", as `{examples[0]}`" if isinstance(examples, list) and examples else ""
            return f"expected {about['description']}{example}"
    return _FORMLESS


def _place(path: str) -> str:
    return f" - at `$.{path}`" if path else ""


def _below(path: str, name: str) -> str:
    name = name[:_SHOWN_MAX]
    return f"{path}.{name}" if path else name


def _at(expected: object, path: str) -> list[inspect.Type]:
    """What may stand at a path, as msgspec writes it: `lines[0].unit`."""
    found = _choices([_type_info(expected)])
    for step in _STEP.finditer(path):
        name = step["name"]
        if name is None:
            below = [part for one in found for part in _items(_bare(one))]
        else:
            below = [
                field.type for one in found for field in _fields(one) if field.encode_name == name
            ]
        found = _choices(below)
    return found


def _choices(types: Iterable[inspect.Type]) -> list[inspect.Type]:
    """The same with each union taken apart."""
    found: list[inspect.Type] = []
    for one in types:
        bare = _bare(one)
        found += _choices(bare.types) if isinstance(bare, inspect.UnionType) else [one]
    return found


def _bare(one: inspect.Type) -> inspect.Type:
    while isinstance(one, inspect.Metadata):
        one = one.type
    return one


def _fields(one: inspect.Type) -> tuple[inspect.Field, ...]:
    bare = _bare(one)
    return bare.fields if isinstance(bare, inspect.StructType) else ()


def _items(bare: inspect.Type) -> list[inspect.Type]:
    """What stands between brackets in a path: the parts of a list, the values of a dictionary."""
    if isinstance(bare, inspect.CollectionType):
        return [bare.item_type]
    if isinstance(bare, inspect.TupleType):
        return list(bare.item_types)
    return [bare.value_type] if isinstance(bare, inspect.DictType) else []


def _parts(bare: inspect.Type) -> list[inspect.Type]:
    if isinstance(bare, inspect.UnionType):
        return list(bare.types)
    if isinstance(bare, inspect.DictType):
        return [bare.key_type, bare.value_type]
    return [*(field.type for field in _fields(bare)), *_items(bare)]


@lru_cache(maxsize=512)
def _type_info(expected: object) -> inspect.Type:
    return msgspec.inspect.type_info(expected)
