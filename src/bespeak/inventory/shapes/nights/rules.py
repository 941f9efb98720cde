"""The rules of nights: half-open stays from check-in to check-out, in exact rooms or in rooms of a
counted type. A night that is free has no row anywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from bespeak.inventory.plans import (
    CompiledPlan,
    LineClaims,
    Need,
    SaleContext,
    ShownClaim,
    When,
)
from bespeak.inventory.price_parts import PriceParts
from bespeak.inventory.shapes.nights.availability import NightsReader
from bespeak.inventory.shapes.nights.choice import NightsChooser
from bespeak.inventory.shapes.nights.counted_rooms import CountedRooms
from bespeak.inventory.shapes.nights.exact_rooms import ExactRooms
from bespeak.inventory.shapes.nights.night_rules import NightRules, parse_date, range_of
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.inventory.shapes.nights.room_inventory import RoomInventory, check_claims, shown_line
from bespeak.inventory.shapes.nights.stay_prices import StayPrices
from bespeak.inventory.snapshot import Snapshot
from bespeak.inventory.timeline.instants import date_of, shown_day
from bespeak.lines import Line, UnitsByDay
from bespeak.pricing.demand import Level, Scope


class CompiledNights(CompiledPlan):
    reader: NightsReader
    chooser: NightsChooser
    demand_scopes = frozenset(("all",))
    range_kind = "dates"

    def __init__(self, plan: NightsPlan) -> None:
        self.plan = plan
        self._rules = NightRules(plan)
        self.check_in = self._rules.check_in
        self._prices = StayPrices(plan, self._rules)
        self._rooms: RoomInventory = (
            CountedRooms(self._rules)
            if plan.rooms is None
            else ExactRooms(plan.rooms, plan.buffer_nights)
        )
        self.reader = NightsReader(self._rules, self._rooms)
        self.chooser = NightsChooser(self._rules, self._rooms)

    def line_claims(self, line: Line, sale: SaleContext) -> LineClaims:
        """A claim for each night: of the room, its cleaning too; or so many rooms of the type."""
        stay = self._rooms.stay(line)
        needs = self._rooms.needs(stay)
        sale_day = self._rules.sale_day(sale)
        self._rules.check_sale(line, stay.arrival, stay.departure, sale_day)
        price = self._prices.plain(line, stay, sale)
        if price is None:
            asked = self._prices.asked(line, stay)
            self._prices.check_sale(line, asked, sale_day)
            price = self._prices.price(asked, sale, sale_day)
        shown = shown_line(line, stay)
        return LineClaims(shown, needs, price.amount, stay.quantity, has_parts=not price.is_plain)

    def price_parts(self, line: Line, sale: SaleContext) -> PriceParts:
        """Its nights, the discount on them, and its guests."""
        asked = self._prices.asked(line, self._rooms.stay(line))
        return self._prices.parts(
            asked, self._prices.price(asked, sale, self._rules.sale_day(sale))
        )

    def is_open(self, line: Line) -> bool:
        """Any of several exact rooms, or more than one. The only room of a plan needs no name."""
        return self._rooms.is_open(line)

    def block_needs(self, line: Line, sale: SaleContext) -> list[Need]:
        """The nights from `from` until before `to`, whatever the rules and the clock say: of the
        room, or of all rooms; so many of a type, or all. Nothing is cleaned after a block."""
        return self._rooms.block_needs(line, *range_of(line))

    def has(self, unit: str) -> bool:
        return self._rooms.has(unit)

    def is_exact(self, unit: str) -> bool:
        """A room by its name. The nights to clean it move with the stay."""
        return self.plan.rooms is not None and unit in self.plan.rooms

    def parted_units(self, parts: UnitsByDay, end: str, had: Sequence[str]) -> list[str] | None:
        """Each room with the nights in it, and those to clean it when the guest has left it: as
        many as when it was booked. Others came by what the plan said then."""
        if self.plan.rooms is None:
            return None
        starts = [parse_date(first, "moves.nights_from") for _, first in parts]
        departure = parse_date(end, "moves.nights_to")
        # The last of its claims is that of the last night to clean, wherever it is until then.
        last = max(parse_date(unit.rpartition("@")[2], "moves") for unit in had)
        cleaning = max(0, last + 1 - departure)
        found: dict[str, None] = {}
        for (room, _), start, stop in zip(parts, starts, [*starts[1:], departure], strict=True):
            days = self._rooms.units(start, stop + cleaning, room)
            found |= dict.fromkeys(days)
        check_claims(len(found))
        return list(found)

    def rate_names(self) -> Collection[str]:
        return self._prices.rates

    def level(self, scope: Scope, snapshot: Snapshot, sale: SaleContext) -> Level:
        """How many rooms are taken in one night."""
        units, now = self._rooms.units(scope.at, scope.at + 1), sale.now.timestamp()
        taken = sum(
            snapshot.drawn(unit) or (snapshot.taken(unit, now) is not None) for unit in units
        )
        return Level(taken, self._rules.night(scope.at).capacity)

    def shown_claim(self, unit: str, zone: ZoneInfo) -> ShownClaim:
        """A night: of a room, or of any."""
        room, _, text = unit.rpartition("@")
        night = date.fromisoformat(text)
        return ShownClaim(room or None, text, str(night + timedelta(days=1)), night.toordinal())

    def when(self, start: str, end: str | None, zone: ZoneInfo) -> tuple[When, When]:
        ends = [
            shown_day(date_of(text, "lines")) for text in (start, start if end is None else end)
        ]
        arrival, departure = map(date.fromisoformat, ends)
        return arrival, max(departure, arrival + timedelta(days=1))
