"""The search of bookings: a browser's own, or for the operator all, searched by whose they are, of
what and when, as JSON or as a file for spreadsheets.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

from bespeak import ids
from bespeak.errors import InvalidCursor, InvalidId
from bespeak.http.api.booking_words import search_of
from bespeak.http.server.answers import Answer
from bespeak.http.server.endpoint import RESOURCE_PATTERN, documented
from bespeak.http.server.periods import END, Moment, period
from bespeak.http.server.spreadsheets import Cell, csv_answer, decimal, local
from bespeak.inventory.workspaces import DEFAULT
from bespeak.money import Money
from bespeak.payments.payment import Payment, payment_of
from bespeak.payments.refunds.record import Refund, refund_of
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load
from bespeak.pricing.quotes import Quote
from bespeak.reservations.booking_code import BookingCode
from bespeak.reservations.contact import Contact
from bespeak.reservations.holds import Booking, booking_of
from bespeak.reservations.lines import BookedLine
from bespeak.reservations.request import OWNER_LENGTH_MAX, check_text
from bespeak.states import BookingState
from bespeak.translations import Translation, words_in

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record
    from bespeak.postgres.reads import Reads

_QUERIES = load("bespeak.http.api", "booking_lists.sql")
_CURSOR = re.compile(r"([0-9a-f]{1,14})-([0-9a-f]{32})")  # up to the year 4253
ROWS_MAX = 10_000
CHUNK = 500
_FEW = 5000
_LAST = UUID(int=(1 << 128) - 1)
_MICROSECONDS = 1_000_000
_CONTACT: msgspec.json.Decoder[Contact] = msgspec.json.Decoder(Contact)
_TRANSLATIONS: msgspec.json.Decoder[tuple[Translation, ...]] = msgspec.json.Decoder(
    tuple[Translation, ...]
)
_ATTRIBUTES: msgspec.json.Decoder[dict[str, str | int | float | bool | None]] = (
    msgspec.json.Decoder(dict[str, str | int | float | bool | None])
)
_HEAD = (
    *(
        "booking",
        "code",
        "state",
        "confirmed at",
        "owner",
        "name",
        "e-mail",
        "phone",
        "resource",
        "resource id",
    ),
    *("starts at", "units", "quantity", "cancelled", "amount", "currency", "payment", "refunded"),
)


class BookingQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which bookings: whose, of what, in which state, with which words (of the contact's name and
    e-mail address, each by its beginning; or its telephone number, or a part of it; or the owner,
    the id of a booking or hold, or a booking's code), confirmed when; which page of them, in which
    form."""

    owner: Annotated[str, Meta(min_length=1, max_length=OWNER_LENGTH_MAX)] | None = None
    resource_id: Annotated[str, documented(RESOURCE_PATTERN)] | None = None
    state: Literal["confirmed", "cancelled"] | None = None
    q: Annotated[str, Meta(max_length=200)] | None = None
    from_: Moment | None = msgspec.field(default=None, name="from")
    to: Moment | None = None
    after: Annotated[str, documented("^[0-9a-f]{1,14}-[0-9a-f]{32}$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 50
    format: Literal["json", "csv"] = "json"


class BookingView(msgspec.Struct, frozen=True, kw_only=True):
    """A booking. Each line says how much of it was given back; `payment` is what paid for it, and
    `refunds` what of that goes or went back, as they stand at this moment. `code` is a short name
    of it, to be read out; it opens nothing."""

    id: str
    hold_id: str
    code: str
    state: BookingState
    owner: str
    lines: list[BookedLine]
    amount: Money
    confirmed_at: datetime
    cancelled_at: datetime | None
    reason: str | None
    payment: Payment | None
    refunds: list[Refund]
    quote: Quote | None


class BookedResource(msgspec.Struct, frozen=True):
    """What a booking is of, as far as a list shows it: its home."""

    id: str
    name: str
    kind: str
    starts_at: datetime | None
    time_zone: str
    attributes: dict[str, str | int | float | bool | None]


class ListedBooking(msgspec.Struct, frozen=True):
    """A booking with what it is of and who is written to about it."""

    booking: BookingView
    resource: BookedResource
    contact: Contact | None


class BookingPage(msgspec.Struct, frozen=True):
    """A page of bookings, the latest first; `next` is the cursor of the one after, null at the
    end."""

    items: list[ListedBooking]
    next: str | None


class BookingKey(NamedTuple):
    """By what a booking is found and sorted."""

    home: int
    number: UUID
    confirmed_at: datetime

    @property
    def cursor(self) -> str:
        since = self.confirmed_at - _EPOCH
        micros = (since.days * 86_400 + since.seconds) * _MICROSECONDS + since.microseconds
        return f"{micros:x}-{self.number.hex}"


_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


class BookingSearch(NamedTuple):
    """A query, checked and in the database's terms."""

    owner: str | None
    resource: int | None
    words: str | None
    exact: UUID | None
    code: BookingCode | None
    text: str | None
    state: str | None
    since: datetime
    until: datetime
    after: tuple[datetime, UUID]
    workspace: str | None

    @staticmethod
    def of(query: BookingQuery, owner: str | None, workspace: str | None) -> BookingSearch:
        """Raises InvalidRequest, InvalidId, InvalidCursor."""
        if owner is not None:
            check_text(owner, "owner", OWNER_LENGTH_MAX)
        text = (query.q or "").strip() or None
        exact = code = None
        if text is not None:
            check_text(text, "q", OWNER_LENGTH_MAX)
            exact = _named(text)
            code = BookingCode.read(text)
        resource = query.resource_id
        since, until = period(query.from_, query.to)
        return BookingSearch(
            owner=owner,
            resource=None if resource is None else ids.parse_resource(resource),
            words=None if text is None else search_of(text),
            exact=exact,
            code=code,
            text=text,
            state=query.state,
            since=since,
            until=until,
            after=_after(query.after),
            workspace=workspace,
        )

    async def page(self, reads: Reads, limit: int, language: str | None = None) -> BookingPage:
        """A page of what is found; names of resources are in the language that is said."""

        async def read(used: Connection) -> BookingPage:
            keys = await self.keys(used, limit + 1)
            items: list[ListedBooking] = []
            for start in range(0, min(limit, len(keys)), CHUNK):
                part = keys[start : min(start + CHUNK, limit)]
                items += await listed_bookings(used, part, language)
            return BookingPage(items, keys[limit - 1].cursor if len(keys) > limit else None)

        return await reads.run(read)

    async def csv(self, reads: Reads) -> Answer:
        """As much as one file takes."""
        page = await self.page(reads, ROWS_MAX)
        # In a thread: ten thousand rows take a moment that others need not wait for.
        return await asyncio.to_thread(
            lambda: csv_answer("bookings.csv", _HEAD, map(_row, page.items), next_=page.next)
        )

    async def keys(self, connection: Connection, limit: int) -> list[BookingKey]:
        """What is found, so many at most, the latest first."""
        if self.text is not None and self.words is None and self.exact is None:
            return []  # nothing in it by which anything could be found
        if self.code is not None and (coded := await self._coded(connection, self.code, limit)):
            return [BookingKey(*row) for row in coded]  # else it is a word that looks like a code
        return [BookingKey(*row) for row in await self._found(connection, limit)]

    async def _found(self, connection: Connection, limit: int) -> list[Record]:
        shared = (*self.after, self.since, self.until, self.state, limit)
        if self.exact is not None:
            return await connection.fetch(_QUERIES["bookings_exact"], *self._exact_arguments())
        if self.owner is not None:
            return await connection.fetch(
                _QUERIES["bookings_of_owner"],
                *(*shared, self.owner, self.resource, self.words, self.workspace),
            )
        if self.resource is not None:
            return await connection.fetch(
                _QUERIES["bookings_of_resource"],
                *(*shared, self.resource, self.words, self.text, self.workspace),
            )
        if self.words is not None:
            return await connection.fetch(
                _QUERIES["bookings_by_words"],
                *(*shared, self.words, self.text, _FEW, self.workspace),
            )
        return await connection.fetch(_QUERIES["bookings_latest"], *shared, self.workspace)

    async def _coded(self, connection: Connection, code: BookingCode, limit: int) -> list[Record]:
        """The bookings with a code: nearly always the only one."""
        moments = list(code.moments(datetime.now(UTC)))
        shared = (*self.after, self.since, self.until, self.state, limit)
        mine = (moments, code.tail, self.owner, self.resource, self.workspace)
        return await connection.fetch(_QUERIES["bookings_coded"], *shared, *mine)

    def _exact_arguments(self) -> tuple[object, ...]:
        number = self.exact or _LAST
        return (
            *(*self.after, self.since, self.until, self.state),
            *(ids.home_of(number), number, self.owner, self.resource, self.workspace),
        )


async def bookings_of_email(
    reads: Reads, email: str, after: str | None, limit: int, language: str | None
) -> BookingPage:
    """A page of the bookings of guests with this address, the latest first: those of the workspace
    whose box office it is. Raises InvalidCursor."""
    before = _after(after)

    async def read(used: Connection) -> BookingPage:
        asked = (*before, email, limit + 1, DEFAULT)
        rows = await used.fetch(_QUERIES["bookings_of_email"], *asked)
        keys = [BookingKey(*row) for row in rows]
        items = await listed_bookings(used, keys[:limit], language)
        return BookingPage(items, keys[limit - 1].cursor if len(keys) > limit else None)

    return await reads.run(read)


def booking_view(booking: Booking, payment: Payment | None, refunds: list[Refund]) -> BookingView:
    """A booking as it is answered."""
    fields = msgspec.structs.asdict(booking)
    del fields["replayed"]
    return BookingView(**fields, payment=payment, refunds=refunds)


def _named(text: str) -> UUID | None:
    """The booking that a text names by its id, or by that of its hold."""
    for prefix in (ids.BOOKING, ids.HOLD):
        if text.startswith(f"{prefix}_"):
            try:
                return ids.parse(prefix, text)
            except InvalidId:
                return None
    return None


def _after(cursor: str | None) -> tuple[datetime, UUID]:
    if cursor is None:
        return END, _LAST
    match = _CURSOR.fullmatch(cursor)
    if match is None:
        raise InvalidCursor(after=cursor[:60])
    return _EPOCH + timedelta(microseconds=int(match[1], 16)), UUID(match[2])


async def listed_bookings(
    connection: Connection, keys: Sequence[BookingKey], language: str | None = None
) -> list[ListedBooking]:
    """The bookings of these keys, in their order, with what their resources are called in a
    language (None: as they were named)."""
    homes, numbers = [one.home for one in keys], [one.number for one in keys]
    rows = await connection.fetch(_QUERIES["bookings_named"], homes, numbers)
    refunds: dict[str, list[Refund]] = {}
    if any(row["payment"] is not None and row["payment"]["refunding"] for row in rows):
        for row in await connection.fetch(_QUERIES["refunds_named"], homes, numbers):
            refund = refund_of(row["refund"])
            refunds.setdefault(refund.booking_id, []).append(refund)
    return [_listed_booking(row, refunds, language) for row in rows]


def _listed_booking(
    row: Record, refunds: Mapping[str, list[Refund]], language: str | None
) -> ListedBooking:
    booking = booking_of(row["hold"], row["booking"])
    payment = None if row["payment"] is None else payment_of(row["payment"])
    resource = BookedResource(
        ids.show_resource(row["resource_id"]),
        _name_in(language, row),
        row["kind"],
        row["starts_at"],
        row["time_zone"],
        _ATTRIBUTES.decode(row["attributes"]),
    )
    contact = None if row["contact"] is None else _CONTACT.decode(row["contact"])
    view = booking_view(booking, payment, refunds.get(booking.id, []))
    return ListedBooking(view, resource, contact)


def _name_in(language: str | None, row: Record) -> str:
    name: str = row["name"]
    if language is None:
        return name
    translations = _TRANSLATIONS.decode(json_text(row["translations"]))
    return words_in(language, translations).get(name, name)


def _row(one: ListedBooking) -> list[Cell]:
    booking, resource, contact = one.booking, one.resource, one.contact
    payment = booking.payment
    currency = booking.amount.currency
    return [
        booking.id,
        booking.code,
        booking.state,
        local(booking.confirmed_at, "UTC"),
        booking.owner,
        None if contact is None else contact.name,
        None if contact is None else contact.email,
        None if contact is None else contact.phone,
        resource.name,
        resource.id,
        local(resource.starts_at, resource.time_zone),
        ", ".join(dict.fromkeys(line.unit or "any" for line in booking.lines)),
        sum(line.quantity or 1 for line in booking.lines),
        sum(line.cancelled_quantity for line in booking.lines),
        decimal(booking.amount.amount, currency),
        currency,
        None if payment is None else payment.state,
        None if payment is None else decimal(payment.refunded, currency),
    ]
