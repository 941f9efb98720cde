"""Checkout answers: what the owner of a hold answered to the questions of its resources. They are
written down before the hold is confirmed or paid for, so that a shopper has no booking without what
is required; and can be corrected as long as the booking stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeAlias
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak import ids
from bespeak.cache import Cache
from bespeak.errors import BookingCancelled, VersionMismatch
from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA
from bespeak.inventory.questions import CheckoutQuestion, QuestionId
from bespeak.inventory.workspaces import DEFAULT
from bespeak.lines import QUANTITY_MAX, Line, ResourceId
from bespeak.postgres.json_text import json_text
from bespeak.postgres.queries import load
from bespeak.postgres.versions import NOTHING
from bespeak.reservations.errors import AnswerInvalid, AnswersRequired
from bespeak.reservations.holds import Booking, held_lines
from bespeak.reservations.lines import BookedLine

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record

_QUERIES = load("bespeak.reservations", "checkout_answers.sql")
ANSWERS_MAX = 1000
_SHOWN_MAX = 20
_KNOWN_SECONDS = 2.0
_WORKSPACES_MAX = 1000

_Text = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=500,
        pattern=NAME_PATTERN,
        extra_json_schema={**NAME_SCHEMA, "examples": ["No nuts, please"]},
    ),
]


class CheckoutAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was answered to a question of a resource. `ticket` says for which ticket of the booking,
    from 1, as its tickets are numbered; null where the question is asked once."""

    resource_id: ResourceId
    question: QuestionId
    ticket: Annotated[int, Meta(ge=1, le=1000 * QUANTITY_MAX)] | None = None
    answer: _Text


Answers: TypeAlias = Annotated[list[CheckoutAnswer], Meta(max_length=ANSWERS_MAX)]
_ANSWERS: msgspec.json.Decoder[list[CheckoutAnswer]] = msgspec.json.Decoder(list[CheckoutAnswer])
_QUESTIONS: msgspec.json.Decoder[dict[int, tuple[CheckoutQuestion, ...]]] = msgspec.json.Decoder(
    dict[int, tuple[CheckoutQuestion, ...]]
)


class KeptAnswers(NamedTuple):
    """What was answered of a hold or booking, when, and the version of that."""

    answers: list[CheckoutAnswer]
    answered_at: datetime
    version: int


class LineTickets(NamedTuple):
    """A line as far as questions go: of which resource, how many tickets it has, and how many of
    these still stand."""

    resource_id: str
    tickets: int
    standing: int

    @staticmethod
    def of(line: Line | BookedLine) -> LineTickets:
        tickets = line.quantity or 1
        gone = line.cancelled_quantity if isinstance(line, BookedLine) else 0
        return LineTickets(line.resource_id, tickets, tickets - gone)


class Checkout(NamedTuple):
    """What is asked of a hold or booking: its lines in their order, by which its tickets are
    numbered, and the questions by resource."""

    lines: Sequence[LineTickets]
    questions: Mapping[str, Sequence[CheckoutQuestion]]

    def check(self, answers: Sequence[CheckoutAnswer]) -> None:
        """Raises AnswerInvalid."""
        asked = {
            (resource_id, question.id): question
            for resource_id, questions in self.questions.items()
            for question in questions
        }
        seen: set[tuple[str, str, int | None]] = set()
        for one in answers:
            question = asked.get((one.resource_id, one.question))
            key = (one.resource_id, one.question, one.ticket)
            fault = "twice" if key in seen else self._fault(question, one)
            if fault is not None:
                raise AnswerInvalid(
                    f"answers: {one.question!r} of {one.resource_id}: {_FAULTS[fault]}",
                    field="answers",
                    reason=fault,
                    resource_id=one.resource_id,
                    question=one.question,
                    ticket=one.ticket,
                )
            seen.add(key)

    def check_complete(self, answers: Sequence[CheckoutAnswer]) -> None:
        """Raises AnswersRequired, with the first of what is missing."""
        given = {(one.resource_id, one.question, one.ticket) for one in answers}
        missing = list(islice((key for key in self._required() if key not in given), _SHOWN_MAX))
        if missing:
            raise AnswersRequired(
                questions=[
                    {"resource_id": resource_id, "question": question, "ticket": ticket}
                    for resource_id, question, ticket in missing
                ]
            )

    def _fault(self, question: CheckoutQuestion | None, one: CheckoutAnswer) -> str | None:
        if question is None:
            return "unknown_question"
        if question.per == "booking" and one.ticket is not None:
            return "not_of_a_ticket"
        if question.per == "ticket" and not self._has(one.resource_id, one.ticket):
            return "no_such_ticket"
        if question.choices and one.answer not in question.choices:
            return "not_a_choice"
        return None if one.answer.strip() else "blank"

    def _has(self, resource_id: str, ticket: int | None) -> bool:
        last = 0
        for line in self.lines:
            first, last = last + 1, last + line.tickets
            if ticket is not None and first <= ticket <= last:
                return line.resource_id == resource_id
        return False

    def _required(self) -> Iterator[tuple[str, str, int | None]]:
        """What has to be answered. Tickets may be very many: who reads this stops early."""
        for resource_id, questions in self.questions.items():
            for question in questions:
                if not question.required:
                    continue
                if question.per == "booking":
                    yield resource_id, question.id, None
                else:
                    for ticket, _ in standing_tickets(self.lines, resource_id):
                        yield resource_id, question.id, ticket


_FAULTS = {
    "unknown_question": "that is not asked",
    "not_of_a_ticket": "it is asked once, so leave out `ticket`",
    "no_such_ticket": "it is asked for each ticket, so `ticket` says for which of the booking's",
    "not_a_choice": "that is none of its choices",
    "blank": "leave out what is not answered",
    "twice": "it is answered twice",
}


class CheckoutAnswers:
    """Keeps answers, for one process. Whether anything is asked in a workspace is known for two
    seconds, so that shops without questions pay nothing for them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._asking: Cache[str, bool] = Cache(seconds=_KNOWN_SECONDS, size_max=_WORKSPACES_MAX)

    async def accept(
        self,
        hold_id: str,
        owner: str | None,
        workspace: str | None,
        answers: Sequence[CheckoutAnswer] | None,
    ) -> None:
        """Keeps the answers of a hold that is about to be confirmed; None: those that it has. What
        is required has to be answered by a shopper, the `owner`; a server (None) answers for
        itself. Raises AnswersRequired, AnswerInvalid, InvalidId, DatabaseUnavailable."""
        if answers is None and (owner is None or not await self._is_asking(workspace)):
            return
        number = ids.parse(ids.HOLD, hold_id)
        place = (ids.home_of(number), number)
        async with self._database.borrow() as connection:
            row = await connection.fetchrow(_QUERIES["held"], *place, owner)
            if row is None:
                return
            checkout = _checkout_of(row)
            given = _decoded(row["answers"]) if answers is None else answers
            if answers is not None:
                checkout.check(answers)
            if owner is not None:
                checkout.check_complete(given)
            if answers is not None:
                await connection.execute(_QUERIES["keep_held"], *place, _encoded(answers))

    async def correct(
        self,
        booking: Booking,
        answers: Sequence[CheckoutAnswer],
        *,
        is_shopper: bool,
        seen: int | UnsetType = UNSET,
    ) -> KeptAnswers:
        """Keeps the answers of a booking in place of those that were `seen`. Raises
        AnswersRequired, AnswerInvalid, BookingCancelled, VersionMismatch, DatabaseUnavailable."""
        number = ids.parse(ids.BOOKING, booking.id)
        numbers = {ids.parse_resource(line.resource_id) for line in booking.lines}
        async with self._database.borrow() as connection:
            asking = await connection.fetchval(_QUERIES["asking"], sorted(numbers))
            checkout = Checkout(
                [LineTickets.of(line) for line in booking.lines], _questions(asking)
            )
            checkout.check(answers)
            if is_shopper:
                checkout.check_complete(answers)
            kept = await connection.fetchrow(
                _QUERIES["keep_booked"],
                *(ids.home_of(number), number, _encoded(answers), booking.owner),
                None if isinstance(seen, UnsetType) else seen,
            )
            if kept is None:
                before = (await answers_of(connection, [number])).get(number)
                present = NOTHING if before is None else before.version
                if seen not in (UNSET, present):
                    raise VersionMismatch(version=present)
                raise BookingCancelled
        return KeptAnswers(list(answers), kept["answered_at"], kept["version"])

    async def of_booking(self, booking: Booking) -> KeptAnswers | None:
        """What was answered of a booking. Raises DatabaseUnavailable."""
        number = ids.parse(ids.BOOKING, booking.id)
        async with self._database.borrow() as connection:
            return (await answers_of(connection, [number])).get(number)

    async def _is_asking(self, workspace: str | None) -> bool:
        within = workspace or DEFAULT

        async def look() -> bool:
            async with self._database.borrow() as connection:
                return bool(await connection.fetchval(_QUERIES["is_asking"], within))

        return await self._asking.get(within, look)


def standing_tickets(lines: Sequence[LineTickets], resource_id: str) -> Iterator[tuple[int, int]]:
    """The tickets for a resource, each with the place of its line from 0; of a line of which some
    was given back, the first ones."""
    last = 0
    for place, line in enumerate(lines):
        first, last = last + 1, last + line.tickets
        if line.resource_id == resource_id:
            for ticket in range(first, first + line.standing):
                yield ticket, place


async def answers_of(connection: Connection, holds: Sequence[UUID]) -> dict[UUID, KeptAnswers]:
    """What was answered of holds, or of the bookings that they became."""
    rows = await connection.fetch(_QUERIES["of_holds"], holds)
    return {
        row["hold_id"]: KeptAnswers(_decoded(row["answers"]), row["answered_at"], row["version"])
        for row in rows
    }


def _checkout_of(row: Record) -> Checkout:
    lines = [LineTickets.of(line) for line in held_lines(row["hold"])]
    return Checkout(lines, _questions(row["asking"]))


def _questions(stored: object) -> dict[str, tuple[CheckoutQuestion, ...]]:
    if stored is None:
        return {}
    by_number = _QUESTIONS.decode(json_text(stored))
    return {ids.show_resource(number): questions for number, questions in by_number.items()}


def _decoded(stored: object) -> list[CheckoutAnswer]:
    return [] if stored is None else _ANSWERS.decode(json_text(stored))


def _encoded(answers: Sequence[CheckoutAnswer]) -> str:
    return msgspec.json.encode(answers).decode()
