"""What all who booked a resource answered at its checkout: a page of bookings, or a file for
spreadsheets that has a row for each ticket, as a list of guests is wanted at the door.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bespeak import ids
from bespeak.http.api.booking_lists import (
    CHUNK,
    ROWS_MAX,
    BookingKey,
    BookingQuery,
    BookingSearch,
    BookingView,
    listed_bookings,
)
from bespeak.http.server.answers import Answer
from bespeak.http.server.spreadsheets import Cell, csv_answer, local
from bespeak.inventory.resources import Resource
from bespeak.reservations.checkout_answers import (
    ANSWERS_MAX,
    CheckoutAnswer,
    LineTickets,
    answers_of,
    standing_tickets,
)
from bespeak.reservations.contact import Contact

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection
    from bespeak.postgres.reads import Reads

_HEAD = ("booking", "code", "confirmed at", "name", "e-mail", "phone", "ticket", "unit")


class AnsweredBooking(msgspec.Struct, frozen=True, kw_only=True):
    """A booking with what its buyer answered of the resource, and when; null where nothing was."""

    booking_id: str
    code: str
    confirmed_at: datetime
    contact: Contact | None
    answers: list[CheckoutAnswer]
    answered_at: datetime | None


class AnswerPage(msgspec.Struct, frozen=True):
    """A page of bookings with their answers, the latest first; `next` is the cursor of the one
    after, null at the end."""

    items: list[AnsweredBooking]
    next: str | None


class _Found(NamedTuple):
    key: BookingKey
    booking: BookingView
    answered: AnsweredBooking


class AnswerSearch:
    """What was answered of a resource, after a cursor. Raises InvalidCursor."""

    def __init__(self, resource: Resource, after: str | None) -> None:
        self._resource = resource
        query = BookingQuery(resource_id=resource.id, state="confirmed", after=after)
        self._search = BookingSearch.of(query, None, None)

    async def page(self, reads: Reads, limit: int) -> AnswerPage:
        async def read(used: Connection) -> AnswerPage:
            keys = await self._search.keys(used, limit + 1)
            found: list[_Found] = []
            for start in range(0, min(limit, len(keys)), CHUNK):
                found += await self._found(used, keys[start : min(start + CHUNK, limit)])
            following = keys[limit - 1].cursor if len(keys) > limit else None
            return AnswerPage([one.answered for one in found], following)

        return await reads.run(read)

    async def csv(self, reads: Reads) -> Answer:
        """As many whole bookings as one file takes."""

        async def read(used: Connection) -> tuple[list[_Found], str | None]:
            keys = await self._search.keys(used, ROWS_MAX + 1)
            found: list[_Found] = []
            rows = 0
            for start in range(0, len(keys), CHUNK):
                for one in await self._found(used, keys[start : start + CHUNK]):
                    if rows >= ROWS_MAX:
                        return found, found[-1].key.cursor
                    found.append(one)
                    rows += sum(1 for _ in self._tickets(one.booking))
            return found, None

        found, following = await reads.run(read)
        # In a thread: ten thousand rows take a moment that others need not wait for.
        return await asyncio.to_thread(
            lambda: csv_answer("answers.csv", self._head(), self._rows(found), next_=following)
        )

    async def _found(self, connection: Connection, keys: list[BookingKey]) -> list[_Found]:
        listed = await listed_bookings(connection, keys)
        kept = await answers_of(connection, [key.number for key in keys])
        by_id = {ids.show(ids.BOOKING, key.number): key for key in keys}
        found = []
        for one in listed:
            key = by_id[one.booking.id]
            answered = kept.get(key.number)
            mine = [] if answered is None else answered.answers
            found.append(
                _Found(
                    key,
                    one.booking,
                    AnsweredBooking(
                        booking_id=one.booking.id,
                        code=one.booking.code,
                        confirmed_at=one.booking.confirmed_at,
                        contact=one.contact,
                        answers=[each for each in mine if each.resource_id == self._resource.id],
                        answered_at=None if answered is None else answered.answered_at,
                    ),
                )
            )
        return found

    def _head(self) -> list[str]:
        return [*_HEAD, *(question.text for question in self._resource.questions)]

    def _rows(self, found: list[_Found]) -> Iterator[list[Cell]]:
        for one in found:
            contact = one.answered.contact
            said = {(each.question, each.ticket): each.answer for each in one.answered.answers}
            for ticket, unit in self._tickets(one.booking):
                yield [
                    one.booking.id,
                    one.booking.code,
                    local(one.booking.confirmed_at, self._resource.time_zone),
                    None if contact is None else contact.name,
                    None if contact is None else contact.email,
                    None if contact is None else contact.phone,
                    ticket,
                    unit,
                    *(
                        said.get((question.id, ticket if question.per == "ticket" else None))
                        for question in self._resource.questions
                    ),
                ]

    def _tickets(self, booking: BookingView) -> Iterator[tuple[int, str | None]]:
        """The tickets for the resource that stand, as far as one can answer for them."""
        lines = [LineTickets.of(line) for line in booking.lines]
        found = standing_tickets(lines, self._resource.id)
        return ((ticket, booking.lines[place].unit) for ticket, place in islice(found, ANSWERS_MAX))
