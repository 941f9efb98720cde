"""Checkout answers: what the buyer of a booking answered, read and corrected; and those of all who
booked a resource, as a list and as a file for spreadsheets with a row for each ticket.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.errors import BookingCancelled, InvalidCursor, VersionMismatch
from bespeak.http.api.answer_lists import AnswerPage, AnswerSearch
from bespeak.http.server import tags
from bespeak.http.server.answers import Answer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import (
    OF_BOOKING,
    OF_RESOURCE,
    SERVERS,
    documented,
    endpoint_table,
)
from bespeak.http.server.scopes import READ, SELL
from bespeak.http.server.spreadsheets import CSV
from bespeak.postgres.versions import NOTHING, SeenVersion
from bespeak.reservations.checkout_answers import Answers, CheckoutAnswer, KeptAnswers
from bespeak.reservations.errors import AnswerInvalid, AnswersRequired

ENDPOINTS, endpoint = endpoint_table(tags.BOOKINGS)


class CorrectAnswers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All answers of a booking, in place of those before. `version`, if given, must be the present
    one (0: nothing was answered)."""

    answers: Answers
    version: SeenVersion | UnsetType = UNSET


class BookingAnswers(msgspec.Struct, frozen=True):
    """What was answered of a booking, and when; null where nothing was. `version` is another after
    each change; 0: nothing was answered."""

    answers: list[CheckoutAnswer]
    answered_at: datetime | None
    version: int


class AnswerQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the answers, in which form."""

    after: Annotated[str, documented("^[0-9a-f]{1,14}-[0-9a-f]{32}$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 50
    format: Literal["json", "csv"] = "json"


@endpoint(
    "GET",
    "/v1/bookings/{booking_id}/answers",
    "What a buyer answered",
    needs_shopper=True,
    booking_link_opens=True,
    errors=OF_BOOKING,
    scopes=READ | SELL,
)
async def get_answers(call: Call[None, None]) -> BookingAnswers:
    """What the buyer of a booking answered to the questions of its resources."""
    booking = await call.engine.get_booking(call.path["booking_id"], owner=call.acting_owner())
    kept = await call.service.checkout_answers.of_booking(booking)
    return _NONE if kept is None else _view(kept)


@endpoint(
    "PUT",
    "/v1/bookings/{booking_id}/answers",
    "Correct the answers of a booking",
    needs_shopper=True,
    booking_link_opens=True,
    errors=(*OF_BOOKING, BookingCancelled, AnswersRequired, AnswerInvalid, VersionMismatch),
    scopes=SELL,
)
async def set_answers(call: Call[None, CorrectAnswers]) -> BookingAnswers:
    """Puts these answers in place of those before, as long as the booking stands."""
    booking = await call.engine.get_booking(call.path["booking_id"], owner=call.acting_owner())
    wanted, is_shopper = call.body, call.caller.shopper is not None
    return _view(
        await call.service.checkout_answers.correct(
            booking, wanted.answers, is_shopper=is_shopper, seen=wanted.version
        )
    )


@endpoint(
    "GET",
    "/v1/resources/{resource_id}/answers",
    "What all who booked answered",
    kinds=SERVERS,
    also=CSV,
    errors=(*OF_RESOURCE, InvalidCursor),
    scopes=READ,
)
async def list_answers(call: Call[AnswerQuery, None]) -> AnswerPage | Answer:
    """Lists what was answered by those who booked a resource, the latest first; cancelled bookings
    are left out. As `csv` there is a row for each ticket, and a column for each question; one
    answer has some 10,000 rows, and the header Bespeak-Next reads on."""
    resource = await call.engine.get_resource(call.path["resource_id"])
    search = AnswerSearch(resource, call.query.after)
    if call.query.format == "json":
        return await search.page(call.engine.reads, call.query.limit)
    return await search.csv(call.engine.reads)


_NONE = BookingAnswers([], None, NOTHING)


def _view(kept: KeptAnswers) -> BookingAnswers:
    return BookingAnswers(kept.answers, kept.answered_at, kept.version)
