"""Nights: half-open stays from check-in to check-out, in exact rooms or in rooms of a counted type.
One rule answers what a stay claims and costs, why it is not sold, which room to give, what else to
offer, and the calendar; a night that is free has no row anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from bespeak.errors import InvalidRequest, NotOnSale, SoldOut
from bespeak.inventory.plans import (
    AvailabilityQuery,
    CompiledPlan,
    LineClaims,
    Need,
    Offer,
    Reason,
    SaleContext,
    ShownClaim,
    refuse_choice,
)
from bespeak.inventory.lines import Line, span
from bespeak.inventory.snapshot import Snapshot
from bespeak.inventory.shapes.nights.availability import Calendar, NightsAvailability
from bespeak.inventory.shapes.nights.counted_rooms import RoomType
from bespeak.inventory.shapes.nights.plan import STAY_MAX, NightsPlan
from bespeak.inventory.shapes.nights.exact_rooms import ExactRooms
from bespeak.inventory.shapes.nights.night_rules import NightRules, SaleDay, parse_date, show_date
from bespeak.inventory.shapes.nights.room_inventory import SHIFT_MAX, RoomStock, SeenRooms, Stay
from bespeak.pricing.demand import Level, Scope

_WATCHED_MAX = 20_000
# The database can say more; a price beyond this is a mistake in the plan.
_AMOUNT_MAX = 10**18


class CompiledNights(CompiledPlan):
    """A plan of nights made ready."""

    demand_scopes = frozenset(("all",))

    def __init__(self, plan: NightsPlan) -> None:
        self.plan = plan
        self._rules = NightRules(plan)
        self._rooms: RoomStock = (
            RoomType(self._rules)
            if plan.rooms is None
            else ExactRooms(plan.rooms, plan.buffer_nights)
        )
        self._calendar = Calendar(self._rules, self._rooms, plan.buffer_nights)

    def line_claims(self, line: Line, sale: SaleContext) -> LineClaims:
        """A claim for each night: of the room, and of its cleaning; or so many rooms of the type.

        Raises UnknownUnit, NotOnSale with every rule that the stay breaks, InvalidRequest.
        """
        stay = self._stay(line)
        needs = self._rooms.needs(stay)
        self._check_sale(line, stay, self._rules.sale_day(sale))
        amount = self._price(stay, sale) * stay.quantity
        if amount > _AMOUNT_MAX:
            raise InvalidRequest("the price of this line is beyond all bounds", field="lines")
        return LineClaims(_shown(line, stay), needs, amount, stay.quantity)

    def is_open(self, line: Line) -> bool:
        """Any of several exact rooms, or more than one. The only room of a plan needs no name."""
        return self._rooms.is_open(line)

    def watched(self, line: Line, sale: SaleContext) -> list[str] | None:
        """The nights of the stay and some before and after, of all rooms: gaps and nearest dates
        are looked for among them. Raises UnknownUnit, InvalidRequest."""
        low, high = self._bounds(self._stay(line), self._rules.sale_day(sale))
        if (high - low) * self._rooms.width() > _WATCHED_MAX:
            return None
        return list(self._rooms.units(low, high))

    def choose(
        self, line: Line, snapshot: Snapshot, sale: SaleContext, *, partial: bool
    ) -> list[Line]:
        """The rooms that are free for the whole stay with the smallest free gap around it; of a
        type, with `partial`, as many as are left.

        Raises SoldOut, NotOnSale, InvalidRequest, UnknownUnit.
        """
        stay = self._stay(line)
        sale_day = self._rules.sale_day(sale)
        self._check_sale(line, stay, sale_day)
        if stay.room is not None or not (partial or self._rooms.is_open(line)):
            return [line]
        seen = SeenRooms(snapshot, sale.now.timestamp())
        found = self._rooms.find(stay, seen, self._bounds(stay, sale_day))
        available = sum(one.quantity for one in found)
        if available < (1 if partial else stay.quantity):
            raise SoldOut(
                f"free for the whole stay: {available} of {stay.quantity}",
                resource_id=line.resource_id,
                available=available,
            )
        return [_shown(line, one) for one in found]

    def offers(self, line: Line, snapshot: Snapshot, sale: SaleContext, count: int) -> list[Offer]:
        """Other rooms for the same dates, then the nearest dates, then the same arrival for fewer
        nights (or for more, where the rules ask for that). A stay that is too short or too long for
        the rules is offered the length nearest to it with the same arrival first. Never the stay
        itself. Raises UnknownUnit, InvalidRequest."""
        stay = self._stay(line)
        seen = SeenRooms(snapshot, sale.now.timestamp())
        found: list[Offer] = []
        for stays in self._instead(stay, seen, sale):
            if len(found) >= count:
                break
            found.append([_shown(line, one) for one in stays])
        return found

    def block_needs(self, line: Line, sale: SaleContext) -> list[Need]:
        """The nights from `from` until before `to`, whatever the rules and the clock say: of the
        room, or of all rooms; so many of a type, or all. Nothing is cleaned after a block.

        Raises UnknownUnit, InvalidRequest.
        """
        return self._rooms.block_needs(line, *_range(line))

    def has(self, unit: str) -> bool:
        """Whether it is a night; where rooms are exact, of a room of the plan."""
        return self._rooms.has(unit)

    def level(self, scope: Scope, snapshot: Snapshot, sale: SaleContext) -> Level:
        """How many rooms are taken in one night."""
        units, now = self._rooms.units(scope.at, scope.at + 1), sale.now.timestamp()
        taken = sum(
            snapshot.drawn(unit) or (snapshot.taken(unit, now) is not None) for unit in units
        )
        return Level(taken, self._rules.night(scope.at).capacity)

    def told(self, unit: str, zone: ZoneInfo) -> ShownClaim:
        """A night: of a room, or of any."""
        room, _, text = unit.rpartition("@")
        night = date.fromisoformat(text)
        return ShownClaim(room or None, text, str(night + timedelta(days=1)), night.toordinal())

    def availability_units(self, query: AvailabilityQuery, sale: SaleContext) -> list[str] | None:
        """The nights of the range, and those after it that a stay from it could reach.
        Raises InvalidRequest, UnknownUnit."""
        return self._calendar.units(query, sale)

    def availability(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> NightsAvailability:
        """The calendar. Raises InvalidRequest, UnknownUnit."""
        return self._calendar.answer(query, snapshot, sale)

    def _price(self, stay: Stay, sale: SaleContext) -> int:
        """The price of one room for the whole stay."""
        if sale.demand is None:
            return self._rules.price(stay.arrival, stay.departure - stay.arrival, sale.price)
        days = range(stay.arrival, stay.departure)
        return sum(sale.priced(self._rules.night(day).price, at=day) for day in days)

    def _stay(self, line: Line) -> Stay:
        """What a line asks for. Raises UnknownUnit, InvalidRequest."""
        arrival, departure = _range(line)
        if departure - arrival > STAY_MAX:
            raise InvalidRequest(f"a stay has at most {STAY_MAX} nights", field="lines.to")
        return self._rooms.read(line, arrival, departure)

    def _check_sale(self, line: Line, stay: Stay, sale_day: SaleDay) -> None:
        nights = stay.departure - stay.arrival
        if not self._rules.sells(stay.arrival, nights, sale_day):
            raise NotOnSale(
                reasons=self._rules.broken(stay.arrival, nights, sale_day),
                resource_id=line.resource_id,
            )

    def _bounds(self, stay: Stay, sale_day: SaleDay) -> tuple[int, int]:
        """The nights that choices and offers look at: none before the first arrival, for nobody can
        have them any more."""
        margin = self._rooms.margin(stay.departure - stay.arrival)
        reach = max((stay.arrival + n for n in self._fitting(stay, sale_day)), default=0)
        high = max(stay.departure + margin, reach) + self.plan.buffer_nights
        return min(max(stay.arrival - margin, sale_day.first), high), high

    def _instead(self, stay: Stay, seen: SeenRooms, sale: SaleContext) -> Iterator[list[Stay]]:
        """What could be held instead, nearest first."""
        sale_day = self._rules.sale_day(sale)
        bounds = self._bounds(stay, sale_day)
        nights = stay.departure - stay.arrival
        is_sold = self._rules.sells(stay.arrival, nights, sale_day)
        if is_sold:
            yield from self._rooms.others(stay, seen, bounds)
        offered = {nights}
        for fitting in self._fitting(stay, sale_day):
            found = self._find(stay._replace(departure=stay.arrival + fitting), seen, bounds)
            if found:
                offered.add(fitting)
                yield found
                break
        near = min(SHIFT_MAX, self._rooms.margin(nights))
        other_dates = [
            stay._replace(arrival=stay.arrival + days, departure=stay.departure + days)
            for distance in range(1, near + 1)
            for days in self._cheaper_first(stay, distance, sale.price)
        ]
        # A longer stay is worth a word only where this one is too short for the rules.
        most = nights + (0 if is_sold else near)
        lengths = list(range(max(1, nights - near), min(STAY_MAX, most) + 1))
        lengths.sort(key=lambda n: (abs(n - nights), n))
        other_lengths = [
            stay._replace(departure=stay.arrival + n) for n in lengths if n not in offered
        ]
        for other in (*other_dates, *other_lengths):
            if self._rules.sells(other.arrival, other.departure - other.arrival, sale_day):
                found = self._find(other, seen, bounds)
                if found:
                    yield found

    def _fitting(self, stay: Stay, sale_day: SaleDay) -> list[int]:
        """The lengths to offer first with the same arrival: where the stay is too short for the
        rules the next longer one, where it is too long the shorter ones, the longest first."""
        nights = stay.departure - stay.arrival
        allowed = self._rules.lengths(stay.arrival, sale_day)
        if not allowed or allowed >> nights & 1:
            return []
        broken = self._rules.broken(stay.arrival, nights, sale_day)
        reasons = {note["reason"] for note in broken}
        found = []
        longer = allowed >> nights
        if Reason.MIN_STAY in reasons and longer:
            found.append(nights + (longer & -longer).bit_length() - 1)
        if Reason.MAX_STAY in reasons:
            found += [n for n in range(nights - 1, 0, -1) if allowed >> n & 1]
        return found

    def _find(self, stay: Stay, seen: SeenRooms, bounds: tuple[int, int]) -> list[Stay]:
        """The stay without a choice, in its own room if that is free, else in another; nothing, if
        there are not enough rooms."""
        found = self._rooms.find(stay, seen, bounds)
        if not found and stay.room is not None:
            found = self._rooms.find(stay._replace(room=None), seen, bounds)
        return found if sum(one.quantity for one in found) >= stay.quantity else []

    def _cheaper_first(self, stay: Stay, distance: int, base: int) -> list[int]:
        """So many days later and earlier: the cheaper one first, else the later one."""
        nights = stay.departure - stay.arrival
        return sorted(
            (distance, -distance),
            key=lambda days: self._rules.price(stay.arrival + days, nights, base),
        )


def _range(line: Line) -> tuple[int, int]:
    """The ordinals of a line's dates. Raises InvalidRequest."""
    refuse_choice(line)
    start, stop = span(line)
    arrival, departure = parse_date(start, "lines.from"), parse_date(stop, "lines.to")
    if arrival >= departure:
        raise InvalidRequest("`to` is not after `from`", field="lines.to")
    return arrival, departure


def _shown(line: Line, stay: Stay) -> Line:
    """The line of a stay as it is shown: an exact room by its name, rooms of a type by how many."""
    quantity = stay.quantity if stay.room is None else None
    shown = Line(
        line.resource_id,
        stay.room,
        quantity,
        from_=show_date(stay.arrival),
        to=show_date(stay.departure),
    )
    return line if shown == line else shown
