"""The contract as a table: each endpoint with its method, path, handler, who may call it and which
errors it has, declared above the handler. What it takes and answers stands in the handler's
annotations. Routes and OpenAPI both come from it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import UnionType
from typing import (
    Concatenate,
    Never,
    ParamSpec,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import Meta

from bespeak.errors import (
    BespeakError,
    BookingNotFound,
    CurrenciesDiffer,
    DatabaseUnavailable,
    DuplicateLine,
    HoldNotFound,
    IdempotencyKeyReused,
    InternalError,
    InvalidId,
    InvalidRequest,
    NotOnSale,
    NotOwner,
    NotTogether,
    OrphanSeat,
    Overloaded,
    ResourceNotFound,
    ShuttingDown,
    SoldOut,
    UnknownCode,
    UnknownUnit,
)
from bespeak.http.server.answers import JsonAnswer
from bespeak.http.server.budgets.guesses import GUESSED
from bespeak.http.server.call import Call
from bespeak.http.server.errors import (
    BodyTooLarge,
    BodyTooSlow,
    BudgetSpent,
    ConsoleSessionInvalid,
    CsrfTokenInvalid,
    DeadlinePassed,
    InvalidJson,
    KeyBound,
    KeyExpired,
    KeyKindWrong,
    KeyMissing,
    KeyUnknown,
    MissingScope,
    NotInWorkspace,
    OriginNotAllowed,
    RateLimited,
    ShopperTokenInvalid,
    UnsupportedMediaType,
)
from bespeak.http.server.keys import PRESETS, KeyKind
from bespeak.http.server.operators.errors import StepUpRequired
from bespeak.http.server.scopes import KeyScope
from bespeak.http.server.subjects import About, by_path
from bespeak.http.server.tags import UNTAGGED, Tag
from bespeak.http.server.workspaces import Reach, names_ids
from bespeak.postgres.errors import DatabaseReadOnly
from bespeak.ticketing.errors import BookingLinkInvalid
from bespeak.waitlists.errors import WaitlistLinkInvalid

Errors: TypeAlias = tuple[type[BespeakError], ...]
# It takes a Call of its own query and body, and answers a struct or an Answer.
Handler: TypeAlias = Callable[[Call[Never, Never]], Awaitable[object]]
StructType: TypeAlias = type[msgspec.Struct]
_Handler = TypeVar("_Handler", bound=Handler)
_Options = ParamSpec("_Options")

ANYONE: frozenset[KeyKind] = frozenset()
BROWSERS = frozenset(PRESETS)
SERVERS = frozenset((KeyKind.SECRET, KeyKind.ADMIN))
OPERATORS = frozenset((KeyKind.ADMIN,))

_DIGITS = "[0-9a-hjkmnp-tv-z]"
RESOURCE_PATTERN = f"^res_{_DIGITS}{{8}}$"
NOT_MODIFIED = (304, "Nothing changed since the version of If-None-Match")


def long_id_pattern(prefix: str) -> str:
    """The pattern of a hold's, booking's or block's id, for the document."""
    return f"^{prefix}_[0-7]{_DIGITS}{{25}}$"


def documented(pattern: str) -> Meta:
    """A pattern for the document alone; the code judges by itself, with an error of its own."""
    return Meta(extra_json_schema={"pattern": pattern})


OF_HOLD: Errors = (InvalidId, HoldNotFound, NotOwner)
OF_BOOKING: Errors = (InvalidId, BookingNotFound, NotOwner)
OF_RESOURCE: Errors = (InvalidId, ResourceNotFound)
# What lines may be refused for before anything is held.
OF_LINES: Errors = (
    *OF_RESOURCE,
    CurrenciesDiffer,
    DuplicateLine,
    NotOnSale,
    NotTogether,
    OrphanSeat,
    SoldOut,
    UnknownCode,
    UnknownUnit,
)
_KEYED: Errors = (
    ConsoleSessionInvalid,
    DatabaseReadOnly,
    DatabaseUnavailable,
    KeyBound,
    KeyExpired,
    KeyMissing,
    KeyUnknown,
    MissingScope,
    OriginNotAllowed,
    RateLimited,
)
_BODY: Errors = (InvalidRequest, InvalidJson, UnsupportedMediaType, BodyTooLarge, BodyTooSlow)
_ALWAYS: Errors = (DeadlinePassed, Overloaded, ShuttingDown, InternalError)


@dataclass(frozen=True)
class HandlerForm:
    """What a handler takes and answers, as its annotations say: `Call[Query, Body]`, of which each
    may be None and a body `Body | None`; `bytes` is the body as it came. `answer` is None where it
    is no JSON."""

    query: StructType | None
    body: StructType | None
    body_required: bool
    takes_raw: bool
    answer: object

    @staticmethod
    def of(handler: Callable[..., Awaitable[object]]) -> HandlerForm:
        """Raises TypeError for a handler that is not annotated so."""
        hints = get_type_hints(handler)
        answer = hints.pop("return", None)
        parts = [get_args(hint) for hint in hints.values()]
        if len(parts) != 1 or len(parts[0]) != 2:
            raise TypeError(f"{handler.__name__} takes one Call[Query, Body]")
        query, body = parts[0]
        bodies = [part for part in get_args(body) or (body,) if part is not type(None)]
        takes_raw = body is bytes
        return HandlerForm(
            query=None if query is type(None) else query,
            body=None if takes_raw or not bodies else bodies[0],
            body_required=len(bodies) == len(get_args(body) or (body,)),
            takes_raw=takes_raw,
            answer=_struct(answer),
        )


def _struct(answer: object) -> object:
    """The struct of a return annotation: `X`, `JsonAnswer[X]`, or `X | Answer`."""
    options = get_args(answer) if get_origin(answer) in (Union, UnionType) else (answer,)
    for option in options:
        (inner,) = get_args(option) if get_origin(option) is JsonAnswer else (option,)
        if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            return inner
    return None


@dataclass(frozen=True)
class Endpoint:
    """One row of the contract."""

    handler: Handler
    method: str
    path: str
    summary: str
    status: int = 200
    # Which of the presets may call it: pk_, sk_, ak_.
    kinds: frozenset[KeyKind] = BROWSERS
    # Of any other key, one of these scopes is needed; or all of them.
    scopes: frozenset[KeyScope] = frozenset()
    needs_all_scopes: bool = False
    # What a call of a key that is bound to some resources is about: by its path and query, which is
    # judged before the body is read, or else by its body.
    about: About = by_path
    body_about: About | None = None
    # How it stays within the workspace of its key. A call that names no id in its path says so, or
    # it is closed to all workspaces but the default.
    reach: Reach | None = None
    # Whoever asks for it with a key that is no browser's has an entry in the audit log.
    audited: bool = False
    # An operator must have proved within the last minutes who they are.
    needs_proof: bool = False
    # The media type of an answer that is not JSON; or the struct that the handler encodes itself.
    answers: object = None
    # Which other media type it answers if the query asks for it.
    also: str | None = None
    # What a 202 answers, where the work is not done yet.
    accepted: StructType | None = None
    errors: Errors = ()
    other_statuses: tuple[tuple[int, str], ...] = ()
    # It may be repeated with the same Idempotency-Key.
    repeatable: bool = False
    # The key is that of its elements: only an element answers that its key was of another request.
    repeats_elements: bool = False
    # A pk_ key must bring a shopper token.
    needs_shopper: bool = False
    # The body may be as large as a seat map or a calendar.
    takes_document: bool = False
    # The media type of a body that is taken as it came (`bytes`).
    raw_type: str = "application/json"
    # Instead of a key the query may have the `token` of a calendar link.
    link_opens: bool = False
    # Instead of a shopper token a pk_ key may bring the link of the booking that the path names, or
    # of the one that is changed by the hold or the payment which the path or the body names.
    booking_link_opens: bool = False
    # Instead of a shopper token a pk_ key may bring the link of an entry of a waitlist: where the
    # path names that entry, a hold that it was offered or a payment for one, or the body the hold.
    waitlist_link_opens: bool = False
    # A browser key may be in the query, as `key`.
    key_in_query: bool = False
    # It answers from the memory of its process, also while the database is away.
    from_memory: bool = False
    # Requests of other sites' pages are refused.
    own_pages_only: bool = False
    # The name under which it is a method of clients; a handler's own where it is empty.
    operation: str = ""
    tag: Tag = UNTAGGED
    # The patterns of the names in the path.
    patterns: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def opens_stream(self) -> bool:
        """Whether its answer is a live stream, which has a limit of its own."""
        return self.answers == "text/event-stream"

    @cached_property
    def is_of_installation(self) -> bool:
        """Whether it is closed to keys of any workspace but the default."""
        if self.reach is not None:
            return self.reach is Reach.INSTALLATION
        return bool(self.kinds) and not names_ids(self.path)

    @property
    def can_be_guessed(self) -> bool:
        """Whether a guest can try there what is not theirs: `budget_spent` from so many on."""
        is_open = not self.kinds or KeyKind.PUBLISHABLE in self.kinds
        return is_open and bool(set(GUESSED) & set(self.errors))

    @property
    def operation_id(self) -> str:
        return self.operation or self.handler.__name__

    @cached_property
    def form(self) -> HandlerForm:
        return HandlerForm.of(self.handler)

    @property
    def query(self) -> StructType | None:
        return self.form.query

    @property
    def body(self) -> StructType | None:
        return self.form.body

    @property
    def body_required(self) -> bool:
        return self.form.body_required

    @property
    def takes_raw(self) -> bool:
        return self.form.takes_raw

    @property
    def answer(self) -> object:
        """A struct or a union of structs, a media type, or None: plain text."""
        return self.answers or self.form.answer

    def all_errors(self) -> list[type[BespeakError]]:
        """Its own errors and those that every call of its sort has, by status and code."""
        found = set(self.errors) | set(_ALWAYS)
        if self.kinds:
            found |= set(_KEYED)
            if self.method != "GET":
                found.add(CsrfTokenInvalid)
        if self.kinds and self.kinds != BROWSERS:
            found.add(KeyKindWrong)
        if self.is_of_installation:
            found.add(NotInWorkspace)
        if KeyKind.PUBLISHABLE in self.kinds:
            found.add(ShopperTokenInvalid)
        found |= self._link_errors()
        if self.needs_proof:
            found.add(StepUpRequired)
        if self.can_be_guessed:
            found.add(BudgetSpent)
        if self.body is not None:
            found |= set(_BODY)
        if self.takes_raw:
            found |= {BodyTooLarge, BodyTooSlow}
            found.add(InvalidJson)  # of a body that breaks off
        if self.query is not None:
            found.add(InvalidRequest)
        if self.repeatable:
            found.add(InvalidRequest)  # of a key that is none
            if not self.repeats_elements:
                found.add(IdempotencyKeyReused)
        return sorted(found, key=lambda error: (error.status, error.code))

    def _link_errors(self) -> set[type[BespeakError]]:
        """Those of mails' links, where one may stand for a shopper token."""
        booking = {BookingLinkInvalid} if self.booking_link_opens else set()
        return booking | ({WaitlistLinkInvalid} if self.waitlist_link_opens else set())


def _tables(
    make: Callable[Concatenate[Handler, _Options], Endpoint],
) -> Callable[[Tag], tuple[list[Endpoint], Callable[_Options, Callable[[_Handler], _Handler]]]]:
    def table(
        tag: Tag,
    ) -> tuple[list[Endpoint], Callable[_Options, Callable[[_Handler], _Handler]]]:
        rows: list[Endpoint] = []

        def endpoint(
            *fields: _Options.args, **options: _Options.kwargs
        ) -> Callable[[_Handler], _Handler]:
            def declare(handler: _Handler) -> _Handler:
                row = make(handler, *fields, **options)
                rows.append(replace(row, tag=tag) if row.tag is UNTAGGED else row)
                return handler

            return declare

        return rows, endpoint

    return table


endpoint_table = _tables(Endpoint)
"""The table of a module, whose calls have this tag, and the decorator that adds an Endpoint of
these fields to it."""
