"""Choosing rooms for a stay, and what to offer instead of one that cannot be had: another room, the
nearest dates, another length.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from bespeak.errors import SoldOut
from bespeak.inventory.plans import Chooser, Reason, SaleContext
from bespeak.inventory.shapes.nights.night_rules import NightRules, SaleDay
from bespeak.inventory.shapes.nights.room_inventory import (
    SHIFT_MAX,
    RoomInventory,
    RoomsView,
    Stay,
    shown_lines,
)
from bespeak.inventory.shapes.nights.stay_limits import STAY_MAX
from bespeak.inventory.snapshot import Snapshot
from bespeak.lines import Line
from bespeak.refusals import Offer

_WATCHED_MAX = 20_000


class NightsChooser(Chooser):
    def __init__(self, rules: NightRules, rooms: RoomInventory) -> None:
        self._rules = rules
        self._rooms = rooms

    def watched(self, line: Line, sale: SaleContext) -> list[str] | None:
        """The nights of the stay and some before and after, of all rooms: gaps and nearest dates
        are looked for among them. Raises UnknownUnit, InvalidRequest."""
        low, high = self._bounds(self._rooms.stay(line), self._rules.sale_day(sale))
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
        stay = self._rooms.stay(line)
        sale_day = self._rules.sale_day(sale)
        self._rules.check_sale(line, stay.arrival, stay.departure, sale_day)
        if stay.room is not None or not (partial or self._rooms.is_open(line)):
            return [line]
        view = RoomsView(snapshot, sale.now.timestamp())
        found = self._rooms.find(stay, view, self._bounds(stay, sale_day))
        available = sum(one.quantity for one in found)
        if available < (1 if partial else stay.quantity):
            raise SoldOut(
                f"free for the whole stay: {available} of {stay.quantity}",
                resource_id=line.resource_id,
                available=available,
            )
        return shown_lines(line, found)

    def offers(self, line: Line, snapshot: Snapshot, sale: SaleContext, count: int) -> list[Offer]:
        """Other rooms for the same dates, then the nearest dates, then the same arrival for fewer
        nights (or for more, where the rules ask for that). A stay that is too short or too long for
        the rules is offered the length nearest to it with the same arrival first. Never the stay
        itself. Raises UnknownUnit, InvalidRequest."""
        stay = self._rooms.stay(line)
        view = RoomsView(snapshot, sale.now.timestamp())
        found = islice(self._instead(stay, view, sale), count)
        return [shown_lines(line, stays) for stays in found]

    def _bounds(self, stay: Stay, sale_day: SaleDay) -> tuple[int, int]:
        """The nights that choices and offers look at: none before the first arrival, for nobody can
        have them any more."""
        margin = self._rooms.margin(stay.departure - stay.arrival)
        reach = max((stay.arrival + n for n in self._fitting(stay, sale_day)), default=0)
        high = max(stay.departure + margin, reach) + self._rules.plan.buffer_nights
        return min(max(stay.arrival - margin, sale_day.first), high), high

    def _instead(self, stay: Stay, view: RoomsView, sale: SaleContext) -> Iterator[list[Stay]]:
        """What could be held instead, nearest first."""
        sale_day = self._rules.sale_day(sale)
        bounds = self._bounds(stay, sale_day)
        nights = stay.departure - stay.arrival
        is_sold = self._rules.sells(stay.arrival, nights, sale_day)
        if is_sold:
            yield from self._rooms.others(stay, view, bounds)
        offered = {nights}
        for fitting in self._fitting(stay, sale_day):
            found = self._find(stay._replace(departure=stay.arrival + fitting), view, bounds)
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
                found = self._find(other, view, bounds)
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

    def _find(self, stay: Stay, view: RoomsView, bounds: tuple[int, int]) -> list[Stay]:
        """The stay without a choice, in its own room if that is free, else in another; nothing, if
        there are not enough rooms."""
        found = self._rooms.find(stay, view, bounds)
        if not found and stay.room is not None:
            found = self._rooms.find(stay._replace(room=None), view, bounds)
        return found if sum(one.quantity for one in found) >= stay.quantity else []

    def _cheaper_first(self, stay: Stay, distance: int, base: int) -> list[int]:
        """So many days later and earlier: the cheaper one first, else the later one."""
        start, stop = stay.arrival, stay.departure
        return sorted(
            (distance, -distance),
            key=lambda days: sum(self._rules.prices(start + days, stop + days, base)),
        )
