"""The availability of nights is a calendar: for each date how many rooms are free and at what
price, whether one can arrive and for how long. It agrees with holding: by the same rules and the
same snapshot, a length that it shows can be held, and one that it does not show cannot.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

import msgspec

from bespeak.errors import InvalidRequest
from bespeak.inventory.line_checks import check_query
from bespeak.inventory.plans import (
    Availability,
    AvailabilityQuery,
    AvailabilityReader,
    SaleContext,
    TakenUnit,
    UnavailableReason,
)
from bespeak.inventory.shapes.nights.night_rules import (
    NightRules,
    SaleDay,
    parse_date,
    ranges_of,
    show_date,
)
from bespeak.inventory.shapes.nights.room_inventory import NoRoom, RoomInventory, RoomsView, Stay
from bespeak.inventory.snapshot import Snapshot

_DAYS_DEFAULT = 31
_DAYS_MAX = 400
_READ_MAX = 20_000

_ranges = lru_cache(maxsize=4096)(ranges_of)


class CalendarNight(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One date. `free` is how many rooms are on sale and free that night, `price` that of one room
    in minor units; `taken` says which exact rooms are not free, and why.

    `arrive` says whether a stay can begin here: then it has `min_nights` to `max_nights` nights. If
    not every length between can be had, `lengths` has those that can, as ranges with both ends.
    Otherwise `reason` says why not, and `until` when that ends at the latest, where it is known.
    """

    date: str
    free: int
    price: int
    arrive: bool
    closed: bool = False
    min_nights: int | None = None
    max_nights: int | None = None
    lengths: tuple[tuple[int, int], ...] = ()
    reason: UnavailableReason | None = None
    until: datetime | None = None
    taken: dict[str, TakenUnit] = {}


class NightsAvailability(Availability, frozen=True, kw_only=True, tag="nights"):
    """The dates from `from` until before `to`, for `quantity` rooms, or for the room `unit`. One
    can arrive from `first_arrival` on, and depart on `last_departure` at the latest. `version`
    changes with every event."""

    from_: str = msgspec.field(name="from")
    to: str
    first_arrival: str
    last_departure: str
    quantity: int
    nights: list[CalendarNight]
    unit: str | None = None


class _Asked(NamedTuple):
    """A query that was read: its dates as ordinals, how far stays from them reach, and for what."""

    start: int
    stop: int
    reach: int
    quantity: int
    room: str | None


class NightsReader(AvailabilityReader):
    def __init__(self, rules: NightRules, rooms: RoomInventory) -> None:
        self._rules = rules
        self._rooms = rooms

    def units(self, query: AvailabilityQuery, sale: SaleContext) -> list[str] | None:
        """The nights of the range, and those after it that a stay from it could reach."""
        asked = self._read(query, self._rules.sale_day(sale), sale.resource_id)
        if (asked.reach - asked.start) * self._rooms.width(asked.room) > _READ_MAX:
            return None
        return list(self._rooms.units(asked.start, asked.reach, asked.room))

    def answer(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> NightsAvailability:
        sale_day = self._rules.sale_day(sale)
        asked = self._read(query, sale_day, sale.resource_id)
        start, stop, reach, quantity, room = asked
        view = RoomsView(snapshot, sale.now.timestamp())
        free_nights = self._rooms.free_nights(
            start, stop, reach, Stay(start, stop, quantity, room), view
        )
        nights = []
        for index, day in enumerate(range(start, stop)):
            night = self._rules.night(day)
            on_sale = not night.closed and sale_day.first <= day < sale_day.end
            allowed = self._rules.lengths(day, sale_day)
            lengths = allowed & ((2 << free_nights.longest[index]) - 2)
            shown = _ranges(lengths)
            refusal = _ARRIVAL if lengths else self._refusal(day, allowed, asked, sale_day, view)
            nights.append(
                CalendarNight(
                    date=show_date(day),
                    free=free_nights.free[index] if on_sale else 0,
                    price=sale.priced(night.price, at=day),
                    arrive=bool(lengths),
                    closed=night.closed,
                    min_nights=shown[0][0] if shown else None,
                    max_nights=shown[-1][1] if shown else None,
                    lengths=shown if len(shown) > 1 else (),
                    reason=refusal.reason or None,
                    until=refusal.until,
                    taken=free_nights.taken[index],
                )
            )
        return NightsAvailability(
            resource_id=sale.resource_id,
            version=snapshot.version,
            from_=show_date(start),
            to=show_date(stop),
            first_arrival=show_date(sale_day.first),
            last_departure=show_date(sale_day.end),
            quantity=quantity,
            unit=room,
            nights=nights,
        )

    def _refusal(
        self, day: int, allowed: int, asked: _Asked, sale_day: SaleDay, view: RoomsView
    ) -> NoRoom:
        """Why nobody can arrive here: the first rule that the shortest stay breaks, or what is in
        the way of the shortest that the rules allow."""
        if allowed:
            shortest = (allowed & -allowed).bit_length() - 1
            stay = Stay(day, day + shortest, asked.quantity, asked.room)
            return self._rooms.why_not(stay, view)
        broken = self._rules.broken(day, self._rules.night(day).min_nights, sale_day)
        return NoRoom(str(broken[0]["reason"]))

    def _read(self, query: AvailabilityQuery, sale_day: SaleDay, resource_id: str) -> _Asked:
        """Raises InvalidRequest, UnknownUnit."""
        start = sale_day.today if query.from_ is None else parse_date(query.from_, "from")
        stop = start + _DAYS_DEFAULT if query.to is None else parse_date(query.to, "to")
        if start >= stop:
            raise InvalidRequest("`to` is not after `from`", field="to")
        if stop - start > _DAYS_MAX:
            raise InvalidRequest(f"a calendar has at most {_DAYS_MAX} dates", field="to")
        check_query(query)
        if query.unit is not None:
            self._rooms.check_room(query.unit, resource_id, "unit")
            if query.quantity > 1:
                raise InvalidRequest("a room is one: leave the quantity out", field="quantity")
        reach = stop
        for day in range(max(start, sale_day.first), min(stop, sale_day.end)):
            longest = self._rules.lengths(day, sale_day).bit_length() - 1
            reach = max(reach, day + longest + self._rules.plan.buffer_nights)
        return _Asked(start, stop, reach, query.quantity, query.unit)


_ARRIVAL = NoRoom("")
