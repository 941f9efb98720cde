"""What a vertical is: a kind of business on top of the engine, in a folder of its own, with its
calls of the API, its tables, its demo and its import. Everything else finds it by this description
and never by its name.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

import msgspec

from bespeak.errors import BespeakError
from bespeak.inventory.resources import Resource

if TYPE_CHECKING:
    from bespeak.engine import Engine

Who: TypeAlias = Literal["anyone", "browsers", "servers", "operators"]
FileFormat: TypeAlias = Literal["json", "csv"]
_Struct = TypeVar("_Struct", bound=msgspec.Struct)


@dataclass(frozen=True)
class VerticalRequest:
    """What a call is asked: the engine to work with, the names in the path, the query and the body
    as the structs that the call declares."""

    engine: Engine
    path: Mapping[str, str] = field(default_factory=dict)
    query: msgspec.Struct | None = None
    body: msgspec.Struct | None = None

    def query_as(self, form: type[_Struct]) -> _Struct:
        """The query as the struct that the call declares. Raises TypeError for another."""
        return _as(self.query, form)

    def body_as(self, form: type[_Struct]) -> _Struct:
        """The body as the struct that the call declares. Raises TypeError for another."""
        return _as(self.body, form)


@dataclass(frozen=True)
class Document:
    """An answer that is no JSON: its bytes and media type, an entity tag (without quotes), and for
    how many seconds whoever keeps it need not ask again."""

    body: bytes
    media_type: str
    etag: str
    max_age: int = 0


@dataclass(frozen=True)
class VerticalCall:
    """One call of the API of a vertical, at a path below `/v1/{name of the vertical}`. A name in
    braces in the path may have a `pattern` (a regular expression), for the document; the handler
    judges by itself. `answer` is the struct that it answers, or the media type of a Document;
    `takes_document` says that the body may be as large as a seat map."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    handler: Callable[[VerticalRequest], Awaitable[msgspec.Struct | Document]]
    summary: str
    answer: type[msgspec.Struct] | str
    who: Who = "browsers"
    query: type[msgspec.Struct] | None = None
    body: type[msgspec.Struct] | None = None
    errors: tuple[type[BespeakError], ...] = ()
    status: int = 200
    takes_document: bool = False
    patterns: Mapping[str, str] = field(default_factory=dict)


Progress: TypeAlias = Callable[[int, int], None]
"""Told how many things of how many are loaded."""


@dataclass(frozen=True)
class DemoLoad:
    """What the demo of a vertical loaded or found: the resources to try first, the best first, and
    how many there are in all, in words (`2,481 shows`)."""

    featured: Sequence[Resource]
    told: str = ""


class ImportProblem(msgspec.Struct, frozen=True):
    """What is wrong with a part of a file: where (`shows.csv line 7, column film`, or
    `shows[6].film` of JSON), a stable code, and the words."""

    place: str
    code: str
    detail: str


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """What an import did, by kind of thing; with problems it did nothing at all."""

    applied: bool
    created: dict[str, int]
    updated: dict[str, int]
    unchanged: dict[str, int]
    problems: list[ImportProblem]


@dataclass(frozen=True)
class Importer:
    """How a vertical takes a file: its text, in one of the formats. `run` applies all of it or
    nothing, and with `check` only says what it would do."""

    formats: tuple[FileFormat, ...]
    run: Callable[[Engine, str, FileFormat, bool], Awaitable[ImportReport]]


@dataclass(frozen=True)
class Vertical:
    """A vertical: its `name` is in its paths, its schema and its command; `migrations` is a folder
    of numbered .sql files, applied after the engine's; `load_demo` loads what a visitor sees
    while the server serves already, and tells of its progress. Called again, also after it was
    killed, it loads only what is missing."""

    name: str
    title: str
    calls: Sequence[VerticalCall] = ()
    migrations: Traversable | None = None
    load_demo: Callable[[Engine, datetime | None, Progress], Awaitable[DemoLoad | None]] | None = (
        None
    )
    importer: Importer | None = None


def _as(value: msgspec.Struct | None, form: type[_Struct]) -> _Struct:
    if not isinstance(value, form):
        raise TypeError(f"the call declares {form.__name__}")
    return value
