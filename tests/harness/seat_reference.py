"""What may be chosen of a small room, by looking at everything: the reference for what chooses by
arrays.
"""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from bespeak.inventory.plans import SaleContext
from bespeak.inventory.shapes.seats.plan import Row, SeatsPlan, Section, Table
from bespeak.inventory.shapes.seats.rows import seat_rows
from bespeak.inventory.shapes.seats.rules import CompiledSeats
from bespeak.inventory.snapshot import Snapshot
from bespeak.lines import Best, Line
from tests.harness.seatmaps import NOW

HERE = "res_00000001"
SALE = SaleContext(datetime.fromtimestamp(NOW, UTC), ZoneInfo("UTC"), HERE, 700)


def room(*rows: Row, **fields: object) -> CompiledSeats:
    """A room of one section."""
    return CompiledSeats(SeatsPlan((Section("S", rows),), **fields))  # type: ignore[arg-type]


def neighbours(plan: SeatsPlan) -> dict[str, set[str]]:
    """Which seats of rows are beside which, from the plan."""
    found: dict[str, set[str]] = {}
    for row in seat_rows(plan):
        before = None
        for spot in row.spots:
            found[spot.unit] = set()
            if before is not None and not spot.breaks and isinstance(row.part, Row):
                found[spot.unit].add(before)
                found[before].add(spot.unit)
            before = spot.unit
    return found


def orphans_of(compiled: CompiledSeats, free: set[str], chosen: set[str]) -> set[str]:
    """The definition: free, no free seat beside it afterwards, one before, and an ordinary seat."""
    ordinary = {
        spot.unit for row in seat_rows(compiled.plan) for spot in row.spots if spot.access == 0
    }
    return {
        seat
        for seat, beside in neighbours(compiled.plan).items()
        if seat in ordinary & free - chosen and beside & free and not beside & free - chosen
    }


def blocks(compiled: CompiledSeats, size: int) -> list[set[str]]:
    """Every block of adjacent seats of this size, in rows and around tables."""
    found = []
    for row in seat_rows(compiled.plan):
        units = [spot.unit for spot in row.spots]
        if isinstance(row.part, Table):
            turns = [units[start:] + units[:start] for start in range(len(units))]
            found += [set(turn[:size]) for turn in turns if size <= len(units)]
            continue
        for start in range(len(units) - size + 1):
            if not any(spot.breaks for spot in row.spots[start + 1 : start + size]):
                found.append(set(units[start : start + size]))
    return found


def choose(
    compiled: CompiledSeats, best: Best, picture: Snapshot, *, partial: bool = False
) -> list[str]:
    """The units that are chosen."""
    lines = compiled.choose(Line(HERE, best=best), picture, SALE, partial=partial)
    assert all(line.is_plain and line.quantity is None for line in lines)
    units = [line.unit or "" for line in lines]
    assert len(set(units)) == len(units)
    for line in lines:
        compiled.line_claims(line, SALE)
    return units


class Reference:
    """What may be chosen, by looking at everything."""

    def __init__(self, compiled: CompiledSeats, picture: Snapshot, best: Best) -> None:
        self.compiled, self.best = compiled, best
        self.orphans = compiled.plan.orphans
        self.free = {unit for unit in compiled.seating.units if not picture.taken(unit, NOW)}
        spots = [spot for row in seat_rows(compiled.plan) for spot in row.spots]
        self.accessible = {spot.unit for spot in spots if spot.access == 1}
        self.companion_of = {s.unit: s.companion_of for s in spots if s.companion_of is not None}
        ordinary = {spot.unit for spot in spots if spot.access == 0}
        inside = {
            unit
            for unit in self.free
            if best.category is None or compiled.categories[unit] == best.category
        }
        enough = len(inside & ordinary) >= best.quantity
        self.eligible = inside & ordinary if enough and not best.accessible else inside
        costs = compiled.chooser.search._ranking.strategy(best.strategy).costs.tolist()
        self.costs = dict(zip(compiled.seating.units, costs, strict=True))

    def score(self, units: set[str]) -> tuple[int, int, int, int]:
        """The lower the better: few accessible places, those with their companions, few companions
        of others, then the strategy."""
        cost = sum(self.costs[unit] for unit in units)
        if not self.best.accessible:
            return 0, 0, 0, cost
        escorts = units & self.companion_of.keys()
        own = sum(self.companion_of[unit] in units for unit in escorts)
        return len(units & self.accessible), -own, len(escorts) - own, cost

    def together(self, size: int, *, spare: bool) -> list[set[str]]:
        """Every block that may be chosen."""
        return [
            block
            for block in blocks(self.compiled, size)
            if block <= self.eligible
            and (not self.best.accessible or block & self.accessible)
            and not (spare and orphans_of(self.compiled, self.free, block))
        ]

    def preferred(self, size: int) -> list[set[str]]:
        """The blocks that are considered: without orphans, or by a lenient rule with them."""
        if self.orphans == "off":
            return self.together(size, spare=False)
        clean = self.together(size, spare=True)
        return clean if clean or self.orphans == "strict" else self.together(size, spare=False)
