"""What a vertical is: a kind of business on top of the engine, in a folder of its own, with its
calls of the API, its tables, its demo and its import. Everything else finds it by this description
and never by its name.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Generic, Literal, Never, TypeAlias, TypeVar

import msgspec

from bespeak.background import BackgroundWork
from bespeak.errors import BespeakError, NotOwner
from bespeak.inventory.resources import Resource
from bespeak.inventory.workspaces import DEFAULT
from bespeak.reservations.acting import owner_to_act_as, owner_to_place_for

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection

Who: TypeAlias = Literal["anyone", "browsers", "servers", "operators"]
FileFormat: TypeAlias = Literal["json", "csv"]
KeyKindName: TypeAlias = Literal["publishable", "secret", "admin", "restricted"]
ScopeName: TypeAlias = Literal[
    "read", "sell", "check_in", "refund", "personal_data", "manage", "admin"
]
Query_co = TypeVar("Query_co", covariant=True)
Body_co = TypeVar("Body_co", covariant=True)


SEAM = 1
"""The version of this seam. It changes when a vertical that was right would be so no more."""


ROOT_NOUNS = frozenset(("bookings", "listings", "search"))
"""What stands directly below `/v1`: the calls of stays, as others know them, and what a vertical
adds to a booking."""


@dataclass(frozen=True)
class VerticalCaller:
    """Who calls: the kind of its key, None where `anyone` may; the owner that a shopper token says
    (a browser key without one speaks for nobody); the owner that a server asserts in
    `Bespeak-Owner`, for what exists already."""

    kind: KeyKindName | None = None
    shopper: str | None = None
    asserted_owner: str | None = None


@dataclass(frozen=True)
class VerticalRequest(Generic[Query_co, Body_co]):
    """What a handler gets: the engine to work with (a guest's finds published resources only, as
    the handler's own statements must: `published_only`), the names in the path, the query and the
    body, decoded as the structs of the handler's annotation. `language` is that in which texts of
    merchants are answered (a BCP 47 tag): as `lang` in the query says, if the handler's has one,
    else as Accept-Language does; None: whole, with all translations. The idempotency key is that of
    the request, to be given to the verb that it is for. `workspace` is that of the key, by which a
    call with `workspaces` lists and makes things."""

    engine: Engine
    path: Mapping[str, str]
    query: Query_co
    body: Body_co
    caller: VerticalCaller = VerticalCaller()
    idempotency_key: str | None = None
    language: str | None = None
    workspace: str = DEFAULT

    @property
    def published_only(self) -> bool:
        """Whether a guest asks, who sees what is published."""
        return self.engine.published_only

    @property
    def sells(self) -> bool:
        """Whether a server or an operator asks, who may also see what guests must not, as codes."""
        return self.caller.kind not in (None, "publishable") and not self.published_only

    def connection(self) -> AbstractAsyncContextManager[Connection]:
        """A connection of the pool, for the vertical's own tables; verbs take it too. Raises
        DatabaseUnavailable."""
        return self.engine.database.borrow()

    def placing_owner(self, named: str | None = None) -> str:
        """For whom a hold is placed: the shopper, or the owner that a server names in its body.
        Raises NotOwner, InvalidRequest."""
        self._check_speaks()
        return owner_to_place_for(self.caller.shopper, named)

    def acting_owner(self) -> str | None:
        """Whose hold or booking this call may touch: the shopper's own; for a server the owner that
        it asserts, or anyone's (None). Raises NotOwner."""
        self._check_speaks()
        return owner_to_act_as(self.caller.shopper, self.caller.asserted_owner)

    def _check_speaks(self) -> None:
        """A browser's key is no secret: without a token, whoever has it speaks for nobody, also
        where its call forgot to ask for one. Raises NotOwner."""
        if self.caller.shopper is None and self.caller.kind in (None, "publishable"):
            raise NotOwner("a browser needs a shopper token to act for somebody")


@dataclass(frozen=True)
class Document:
    """An answer that is no JSON: its bytes and media type, an entity tag (without quotes), and for
    how many seconds whoever keeps it need not ask again."""

    body: bytes
    media_type: str
    etag: str
    max_age: int = 0


# It takes a request with its own query and body: `VerticalRequest[ShowQuestion, None]`.
VerticalHandler: TypeAlias = Callable[
    [VerticalRequest[Never, Never]], Awaitable[msgspec.Struct | Document]
]


@dataclass(frozen=True)
class VerticalCall:
    """One call of the API of a vertical, at a path below `/v1/{name of the vertical}`. What it
    takes and answers stands in the handler's annotations; `media_type` is that of a Document. A
    name in braces in the path may have a `pattern` (a regular expression), for the document; the
    handler judges by itself. `takes_document` says that the body may be as large as a seat map;
    `repeatable` that a request may be repeated with its idempotency key (an answer whose `replayed`
    is true is marked as a repeat); `needs_shopper` that a browser must bring a shopper token;
    `booking_link_opens` that the link of a guest's mail will do, too, for the `booking_id` of the
    path.

    A restricted key needs the `scope`; where none is said, that is `manage` for what only operators
    may, any for what browsers may read without a token, else `read` of a GET and `sell`. A key that
    is bound to resources is let in where `resource` says which name in the path is a resource's;
    one that is bound to a place of the vertical where `place` says which name is the place's.

    A call `from_memory` asks the database for nothing: it answers from what its process keeps, also
    while the database is away, and parts the workspaces by itself.

    A call `at_root` stands directly below `/v1`; only the nouns of ROOT_NOUNS may.

    Keys of any workspace but the default are let in where `resource` says so, and where
    `workspaces` says that the handler keeps all that it lists, names and makes within
    `request.workspace`."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    handler: VerticalHandler
    summary: str
    who: Who = "browsers"
    status: int = 200
    errors: tuple[type[BespeakError], ...] = ()
    media_type: str | None = None
    takes_document: bool = False
    patterns: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = False
    needs_shopper: bool = False
    booking_link_opens: bool = False
    scope: ScopeName | None = None
    resource: str | None = None
    place: str | None = None
    workspaces: bool = False
    at_root: bool = False
    from_memory: bool = False


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

    where: str
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
class Exporter:
    """How a vertical writes files that its importer takes: `kinds` of them, each as text by
    `run`."""

    kinds: tuple[str, ...]
    run: Callable[[Engine, str], Awaitable[str]]


@dataclass(frozen=True)
class Places:
    """Where a key may be bound to instead of single resources, as a hotel. `exists` says
    whether there is such a place, `resources_in` which of these resources are in it now."""

    exists: Callable[[Connection, str], Awaitable[bool]]
    resources_in: Callable[[Connection, str, Sequence[str]], Awaitable[set[str]]]


@dataclass(frozen=True)
class OwnerRecords:
    """What a vertical keeps of owners in tables of its own. `export` answers it, by name;
    `erase` is called at the end of an erasure, in its last transaction, with the pseudonym that
    takes the owner's place: it may be called again, and must find nothing then."""

    export: Callable[[Connection, str], Awaitable[Mapping[str, object]]]
    erase: Callable[[Connection, str, str], Awaitable[None]]


@dataclass(frozen=True)
class Vertical:
    """A vertical: its `name` is in its paths, its schema and its command; `migrations` is a folder
    of numbered .sql files, applied after the engine's; `load_demo` loads what a visitor sees
    while the server serves already, and tells of its progress. Called again, also after it was
    killed, it loads only what is missing; `make_premiere` makes what the demo sells through a
    waiting room, in the caller's transaction. One that keeps anything of owners has
    `owner_records`; one whose resources are in places that a key may be bound to has `places`.
    One with calls `from_memory` has `recall`, which brings into memory what they answer and says
    whether that is of now; it raises Unavailable while there is nothing. `works` is its
    background work.
    `seam` is the version of this seam that it was written for."""

    name: str
    title: str
    calls: Sequence[VerticalCall] = ()
    migrations: Traversable | None = None
    load_demo: Callable[[Engine, datetime | None, Progress], Awaitable[DemoLoad | None]] | None = (
        None
    )
    make_premiere: Callable[[Engine, Connection, datetime], Awaitable[Resource]] | None = None
    importer: Importer | None = None
    exporter: Exporter | None = None
    owner_records: OwnerRecords | None = None
    places: Places | None = None
    recall: Callable[[Engine], Awaitable[bool]] | None = None
    works: Callable[[Engine], Sequence[BackgroundWork]] | None = None
    seam: int = SEAM
