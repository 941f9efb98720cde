"""The tickets of a booking: one for each unit that it has, numbered through from 1 line by line,
with the signed code that lets one in and how it stands. They are worked out from the booking; only
that one was used is a row of its own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from bespeak import ids
from bespeak.errors import InvalidRequest
from bespeak.inventory.resources import ReadyResource
from bespeak.reservations.holds import Booking
from bespeak.reservations.lines import BookedLine, LaterUnit
from bespeak.ticketing.codes import TicketCode, sign
from bespeak.ticketing.keys import TicketKeys
from bespeak.ticketing.occasions import Occasion, occasion_of
from bespeak.ticketing.wording import Wording, wording_for

_AFTER_MAX = 2_000_000_000


class TicketState(StrEnum):
    """How a ticket stands. `valid` lets one in; the others are final."""

    VALID = "valid"
    CHECKED_IN = "checked_in"
    CANCELLED = "cancelled"


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """What lets one in. `index` says which ticket of the booking it is, from 1; `line` the place of
    its line, from 0. A stay of which some nights were moved begins in its `unit`; `later` has those
    in which it is then. `starts_at` and `ends_at` are null where nobody says when, and for stays,
    whose `from` and `to` are dates. A cancelled ticket has no `code`."""

    index: int
    line: int
    resource_id: str
    resource_name: str
    unit: str | None
    from_: str | UnsetType = msgspec.field(default=UNSET, name="from")
    to: str | UnsetType = UNSET
    later: tuple[LaterUnit, ...] | UnsetType = UNSET
    label: str
    starts_at: datetime | None
    ends_at: datetime | None
    state: TicketState
    code: str | None
    checked_in_at: datetime | None = None
    gate: str | None = None


class TicketPage(msgspec.Struct, frozen=True):
    """Some tickets of a booking, and how many it has in all; `next` is the index after which to go
    on, null at the end."""

    items: list[Ticket]
    count: int
    next: int | None


class Use(NamedTuple):
    """That a ticket was used: when, and at which gate."""

    checked_in_at: datetime
    gate: str | None


class Place(NamedTuple):
    """Where a ticket stands in its booking: the place of its line, the line's first ticket, and
    whether it was given back, if nobody has used it."""

    line: int
    first: int
    is_cancelled: bool


def count_of(booking: Booking) -> int:
    """How many tickets a booking has, cancelled ones too."""
    return sum(line.quantity or 1 for line in booking.lines)


def places_of(
    booking: Booking, uses: Mapping[int, Use], after: int, limit: int
) -> dict[int, Place]:
    """Where the tickets after this one stand, so many at most, by their indexes.

    Of a line of which some was given back, the last tickets that nobody has used are cancelled; the
    check-in in SQL counts the same way.
    """
    found: dict[int, Place] = {}
    used = sorted(uses)
    last = 0
    for number, line in enumerate(booking.lines):
        first, last = last + 1, last + (line.quantity or 1)
        for index in range(max(first, after + 1), min(last, after + limit) + 1):
            used_later = bisect_right(used, last) - bisect_right(used, index)
            unused_later = last - index - used_later
            found[index] = Place(number, first, unused_later < line.cancelled_quantity)
    return found


class Maker(NamedTuple):
    """What tickets are made of: the booking, its resources by their ids, which were used, the keys
    that sign, and the words of who reads them."""

    booking: Booking
    ready_resources: Mapping[str, ReadyResource]
    uses: Mapping[int, Use]
    keys: TicketKeys
    wording: Wording = wording_for()

    def page(self, after: int, limit: int) -> TicketPage:
        places = places_of(self.booking, self.uses, after, limit)
        items = [self.ticket(index, place) for index, place in places.items()]
        count = count_of(self.booking)
        return TicketPage(items, count, after + limit if after + limit < count else None)

    def ticket(self, index: int, place: Place) -> Ticket:
        line = self.booking.lines[place.line]
        ready = self.ready_resources[line.resource_id]
        occasion = occasion_of(ready, line)
        used = self.uses.get(index)
        state = TicketState.VALID
        if used is not None:
            state = TicketState.CHECKED_IN
        elif place.is_cancelled:
            state = TicketState.CANCELLED
        return Ticket(
            index=index,
            line=place.line,
            resource_id=line.resource_id,
            resource_name=self.wording.named(ready, ready.resource.name),
            unit=line.unit,
            from_=line.from_,
            to=line.to,
            later=line.later,
            label=self.wording.label_of(ready, line, index - place.first + 1),
            starts_at=occasion.starts_at,
            ends_at=occasion.ends_at,
            state=state,
            code=None if state is TicketState.CANCELLED else self._code(index, line, occasion),
            checked_in_at=None if used is None else used.checked_in_at,
            gate=None if used is None else used.gate,
        )

    def _code(self, index: int, line: BookedLine, occasion: Occasion) -> str:
        code = TicketCode(
            ids.parse(ids.BOOKING, self.booking.id),
            index,
            ids.parse_resource(line.resource_id),
            line.unit,
            occasion.in_code,
        )
        return sign(code, self.keys)


def check_page(after: int, limit: int, limit_max: int) -> None:
    """Raises InvalidRequest for a page that makes no sense."""
    if type(after) is not int or not 0 <= after <= _AFTER_MAX:
        raise InvalidRequest(f"after is 0 to {_AFTER_MAX}", field="after")
    if type(limit) is not int or not 1 <= limit <= limit_max:
        raise InvalidRequest(f"limit is 1 to {limit_max}", field="limit")
