"""Changing a stay, or an appointment: a hold for other nights or times in place of a booking of the
same owner's. What both have stays the booking's until the hold is confirmed, which cancels the
booking in the same transaction; so the hold takes only what the booking has not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

import msgspec
from msgspec import UNSET

from bespeak import ids
from bespeak.errors import (
    BookingCancelled,
    BookingNotFound,
    InvalidRequest,
    NotOwner,
)
from bespeak.inventory.resources import ReadyResource
from bespeak.inventory.starts import starts_of
from bespeak.postgres.queries import load
from bespeak.pricing.refunds import all_back_for, tier_at
from bespeak.pricing.rounding import ALL
from bespeak.reservations.caller_rows import fetch_caller_row
from bespeak.reservations.errors import BookingNotExchangeable
from bespeak.reservations.holds import Booking, booking_of
from bespeak.reservations.judgement import JudgedRequest, at_most
from bespeak.reservations.lines import BookedLine, encode_shown
from bespeak.reservations.ready_resources import ResourceCache
from bespeak.reservations.request import MARK, HoldRequest, HoldRequestRow
from bespeak.states import BookingState

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Record

_QUERIES = load("bespeak.reservations", "stay_changes.sql")
_VERBS = load("bespeak.reservations", "verbs.sql")
_FIELD = "instead_of_booking"


class _Kept(NamedTuple):
    """A claim that both have, with how many of it (None: an exclusive unit)."""

    resource: int
    unit: str
    quantity: int | None


class ChangedStay(NamedTuple):
    """The booking that a hold is in place of, as it is now."""

    row: Record
    booking: Booking
    home: int
    begins_at: datetime | None
    seconds_left: int | None
    """For how long its terms would still give all of it back; None: for ever. A hold in place of
    it lasts no longer, so that no deadline is stretched by holding."""

    @property
    def number(self) -> UUID:
        """The booking's, as the database has it."""
        number: UUID = self.row["booking"]["booking_id"]
        return number

    @property
    def mark(self) -> str:
        """The pool of one that every hold in place of it draws from."""
        return f"{MARK}{self.number}"

    def without_own(
        self, judged: JudgedRequest, new_id: Callable[[int], UUID]
    ) -> tuple[JudgedRequest, bytes]:
        """The hold with only what the booking has not; and what is noted of it. Raises
        InvalidRequest for what is not held from a date to another."""
        row, shown = judged.row, judged.shown
        is_open = any(line.from_ is UNSET for line in judged.lines)
        if shown is None or row.shown is None or None in row.units or is_open:
            raise InvalidRequest(
                "only what has a `from` takes the place of a booking", field=_FIELD
            )
        had, kept, taken = self._had(), [], []
        for place, unit in enumerate(row.units):
            resource, quantity = row.resources[place], row.quantities[place]
            key = (resource, unit, quantity is None)
            count = quantity or 1
            both = min(count, had.get(key, 0))
            if both:
                had[key] -= both
                kept.append(_Kept(resource, unit or "", None if quantity is None else both))
            if both < count:
                taken.append((place, None if quantity is None else count - both))
        mark = self.mark
        first_limit = len(row.units) - row.limit_lines
        marks = self._marked(row.resources, [row.resources[at] for at, _ in taken])
        lines = [msgspec.structs.replace(line, claims=[]) for line in shown.lines]
        resources = [*(row.resources[at] for at, _ in taken), *marks]
        is_home = resources[0] == ids.home_of(row.hold_id)
        own = row._replace(
            hold_id=row.hold_id if is_home else new_id(resources[0]),
            resources=resources,
            units=[*(row.units[at] for at, _ in taken), *(mark for _ in marks)],
            quantities=[*(count for _, count in taken), *(1 for _ in marks)],
            capacities=[*(row.capacities[at] for at, _ in taken), *(1 for _ in marks)],
            limit_lines=len(marks) + sum(at >= first_limit for at, _ in taken),
            shown=encode_shown(msgspec.structs.replace(shown, lines=lines)),
            hold_seconds=at_most(self.seconds_left, row.hold_seconds),
            cap_seconds=at_most(self.seconds_left, row.cap_seconds),
        )
        units = [judged.units[at] for at, _ in taken if at < first_limit]
        return msgspec.structs.replace(judged, row=own, units=units), self._note(row, kept, mark)

    def _marked(self, wanted: Sequence[int], taken: Sequence[int]) -> list[int]:
        """The resources with the mark of this change: the booking's home, where all changes of it
        meet, and each that is wanted of which nothing is taken that the booking has not. So the
        hold is one of all that are wanted, by whose rules it is confirmed: what must be paid of
        them, and what is asked. The home comes first where it is wanted, and stays the home."""
        kept = [one for one in dict.fromkeys(wanted) if one not in taken and one != self.home]
        return [self.home, *kept] if self.home in wanted else [*kept, self.home]

    def _had(self) -> dict[tuple[int, str | None, bool], int]:
        """What is left of the booking's claims: how many of each."""
        hold, gone = self.row["hold"], self.row["booking"]["cancelled"]
        had: dict[tuple[int, str | None, bool], int] = {}
        for place, unit in enumerate(hold["units"]):
            quantity = hold["quantities"][place]
            left = (quantity or 1) - (gone[place] if gone is not None else 0)
            if left > 0 and not unit.startswith(MARK):
                key = (hold["resources"][place], unit, quantity is None)
                had[key] = had.get(key, 0) + left
        return had

    def _note(self, row: HoldRequestRow, kept: Sequence[_Kept], mark: str) -> bytes:
        return msgspec.json.encode(
            {
                "instead_of": self.number,
                "begins_at": self.begins_at,
                "known_units": self.row["hold"]["units"],
                "known_cancelled": self.row["booking"]["cancelled"],
                "kept": [one._asdict() for one in kept],
                "mark": {"resource": self.home, "unit": mark},
                "then": {
                    "resources": row.resources,
                    "units": row.units,
                    "quantities": row.quantities,
                    "limit_lines": row.limit_lines,
                    "shown": msgspec.Raw((row.shown or "null").encode()),
                },
            }
        )


async def changed_of(
    connection: Connection, request: HoldRequest, numbers: Sequence[int], resources: ResourceCache
) -> ChangedStay:
    """The booking that a request would give back, read and judged. Raises InvalidId,
    InvalidRequest, BookingNotFound, NotOwner, BookingCancelled, BookingNotExchangeable."""
    booking_id = request.instead_of or ""
    number = ids.parse(ids.BOOKING, booking_id)
    # As JSON: the connection may be the caller's own, which may know no composites.
    row = await fetch_caller_row(
        connection, _VERBS["get_booking_as_json"], ids.home_of(number), number
    )
    if row is None:
        raise BookingNotFound(booking_id=booking_id)
    home = ids.home_of(number)
    homes = set(row["hold"]["resources"])
    found = await resources.get_many([*homes, *numbers], connection)
    spaces = {one.resource.workspace for one in found.values()}
    if not homes <= found.keys() or len(spaces) > 1:
        raise BookingNotFound(booking_id=booking_id)
    if row["booking"]["owner"] != request.owner:
        raise NotOwner
    booking = booking_of(row["hold"], row["booking"])
    if booking.state is BookingState.CANCELLED:
        raise BookingCancelled
    begins = [_begins(line, found) for line in booking.lines if not is_gone(line)]
    begins_at = min((one for one in begins if one is not None), default=None)
    over = await connection.fetchrow(
        _QUERIES["booking_over"], home, row["booking"]["booking_id"], begins_at
    )
    if over is None:
        raise BookingNotFound(booking_id=booking_id)
    if over["problem"] is not None:
        raise BookingNotExchangeable(reason=over["problem"])
    seconds_left = _seconds_left(booking, found, over["now"])
    if not _gives_all_back(booking, found, over["now"]) or seconds_left == 0:
        raise BookingNotExchangeable(reason="terms")
    return ChangedStay(row, booking, home, begins_at, seconds_left)


async def note_change(connection: Connection, answer: Record, hold: UUID, note: bytes) -> None:
    """Notes of a hold, if this transaction has placed it just now, what it is in place of."""
    if answer["outcome"] == "held":
        home = ids.home_of(hold)
        await connection.execute(_QUERIES["note_stay_change"], home, hold, note.decode())


async def name_other(
    connection: Connection, instead: ChangedStay, refusal: BookingNotExchangeable
) -> None:
    """Has the refusal name the hold that is in place of the booking already, which is the same
    owner's, and when it ends: who lost the reply that told of it, and its key, finds it so."""
    other = await connection.fetchrow(_QUERIES["under_way"], instead.home, instead.mark)
    if other is not None:
        refusal.data["hold_id"] = ids.show(ids.HOLD, other["hold_id"])
        refusal.data["expires_at"] = other["expires_at"]


def _begins(line: BookedLine, resources: Mapping[int, ReadyResource]) -> datetime | None:
    ready = resources[ids.parse_resource(line.resource_id)]
    return starts_of(ready, line.from_, line.to)


def _gives_all_back(
    booking: Booking, resources: Mapping[int, ReadyResource], now: datetime
) -> bool:
    """Whether all that is left would be given back in full, with its fees, by the frozen terms, if
    it were cancelled now. So nobody gets by a change what they would not get by cancelling and
    booking anew: not nights that cannot be returned, not a later deadline, and not the fees."""
    quote = booking.quote
    if quote is None:
        return True
    fees = quote.fees or [0] * len(quote.amounts)
    return all(
        tier_at(own, _begins(line, resources), now)[0] == ALL
        and (own is None or own.fees_back or not (fee or quote.order_fees))
        for own, fee, line in zip(quote.terms_of(), fees, booking.lines, strict=False)
        if not is_gone(line)
    )


def _seconds_left(
    booking: Booking, resources: Mapping[int, ReadyResource], now: datetime
) -> int | None:
    """For how long that stays so, by the terms alone; None: for ever."""
    if booking.quote is None:
        return None
    found = [
        all_back_for(own, _begins(line, resources), now)
        for own, line in zip(booking.quote.terms_of(), booking.lines, strict=False)
        if not is_gone(line)
    ]
    left = [int(one) for one in found if one is not None]
    return min(left, default=None)


def is_gone(line: BookedLine) -> bool:
    """Whether all of a line was given back."""
    return line.cancelled_quantity >= (line.quantity or 1)
