"""Cancelling bookings that were paid: what is to be given back is computed by the frozen terms and
written down in the transaction that cancels. Where the booking has changed in between, it is
computed anew, so that no two cancellations ever promise the same money.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from bespeak import ids
from bespeak.errors import BookingCancelled, BookingNotFound, InvalidRequest, NotOwner
from bespeak.inventory.lines import check_line
from bespeak.inventory.resources import ReadyResource
from bespeak.lines import Line
from bespeak.payments.errors import RefundTooGreat
from bespeak.payments.refunds.owed import (
    RefundQuote,
    asked_of,
    check_left,
    due_of,
    gone_of,
    left_of,
    quote_of,
    steps_of,
)
from bespeak.postgres.queries import load
from bespeak.reservations.caller_rows import fetch_caller_row
from bespeak.reservations.changes import BookingChanged, Changer, GivenBack
from bespeak.reservations.holds import Booking, booking_of
from bespeak.reservations.ready_resources import ResourceCache
from bespeak.settings import Settings
from bespeak.states import BookingState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record

_QUERIES = load("bespeak.payments.refunds", "refunds.sql")

RefundTerms: TypeAlias = Literal["policy", "full", "none"]


class Cancelling:
    """Cancels bookings with the refund that is due, for one process."""

    def __init__(
        self,
        database: Database,
        ready_resources: ResourceCache,
        changer: Changer,
        settings: Settings,
    ) -> None:
        self._database = database
        self._ready_resources = ready_resources
        self._changer = changer
        self._settings = settings

    async def cancel(
        self,
        booking_id: str,
        *,
        reason: str,
        lines: Sequence[Line] | None,
        refund: RefundTerms,
        owner: str | None,
        key: str | None,
        connection: Connection | None,
        refunds_max: int | None = None,
    ) -> Booking:
        """Cancels a booking or some lines of it, and writes down what is given back. Raises
        RefundTooGreat where all refunds of the booking would then come to more than
        `refunds_max`: judged with what is written down, as each turn is."""
        if refund not in get_args(RefundTerms):
            raise InvalidRequest("refund is policy, full or none", field="refund")
        terms = None if refund == "policy" else refund
        # Every turn but the last means that another cancellation of this booking went through, of
        # which there are only so many.
        while True:
            given = None
            if refund != "none":
                given = await self._given_back(
                    booking_id, lines, connection, in_full=refund == "full", most=refunds_max
                )
            try:
                return await self._changer.cancel(
                    booking_id, reason, lines, owner, key, connection, given, terms
                )
            except BookingChanged:
                continue

    async def quote(
        self, booking_id: str, *, lines: Sequence[Line] | None, owner: str | None
    ) -> RefundQuote:
        """What cancelling would give back now, by the policy. Raises BookingNotFound, NotOwner,
        BookingCancelled, NotInBooking, InvalidRequest."""
        if lines is not None and not 1 <= len(lines) <= self._settings.lines_max:
            raise InvalidRequest("lines to cancel: at least one, or none at all", field="lines")
        for line in lines or ():
            check_line(line)
        row = await self._read(booking_id, None)
        if row is None:
            raise BookingNotFound(booking_id=booking_id)
        if owner is not None and row["booking"]["owner"] != owner:
            raise NotOwner
        booking = booking_of(row["hold"], row["booking"])
        if booking.state is BookingState.CANCELLED:
            raise BookingCancelled
        parts = left_of(booking) if lines is None else asked_of(row, booking, lines)
        check_left(booking, parts)
        ready_resources = await self._ready(row, None)
        due = due_of(row, booking, parts, ready_resources)
        return quote_of(booking, parts, due, steps_of(row, booking, parts, ready_resources))

    async def _given_back(
        self,
        booking_id: str,
        lines: Sequence[Line] | None,
        connection: Connection | None,
        *,
        in_full: bool,
        most: int | None,
    ) -> GivenBack | None:
        row = await self._read(booking_id, connection)
        if row is None or row["payment"] is None:
            return None  # no money, or the database says why not
        booking = booking_of(row["hold"], row["booking"])
        parts = left_of(booking) if lines is None else asked_of(row, booking, lines)
        ready_resources = await self._ready(row, connection)
        due = due_of(row, booking, parts, ready_resources, in_full=in_full)
        comes_to = row["payment"]["refunding"] + due.amount
        # What is gone already is a repeat, or refused: no money moves.
        if most is not None and comes_to > most and due.amount > 0 and not gone_of(parts):
            raise RefundTooGreat(booking_id=booking_id, comes_to=comes_to)
        units = list(row["hold"]["units"])
        return GivenBack(due.amount, row["booking"]["cancelled"], units=units)

    async def _ready(
        self, row: Record, connection: Connection | None
    ) -> Mapping[int, ReadyResource]:
        """The resources of a booking's lines, as they were when the row was read, or later."""
        versions = dict(zip(row["numbers"], row["versions"], strict=True))
        return await self._ready_resources.at_least(versions, connection)

    async def _read(self, booking_id: str, connection: Connection | None) -> Record | None:
        number = ids.parse(ids.BOOKING, booking_id)
        home = ids.home_of(number)
        if connection is not None:
            query = _QUERIES["booking_paid_as_json"]
            return await fetch_caller_row(connection, query, home, number)
        async with self._database.borrow() as used:
            return await used.fetchrow(_QUERIES["booking_paid"], home, number)
