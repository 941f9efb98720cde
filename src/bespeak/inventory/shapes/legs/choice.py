"""Choosing seats of a run for a line that leaves them open, and what to offer instead of what is
gone: other seats, another class, a place without a number, or a change of seats on the way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET

from bespeak.errors import InvalidRequest, SoldOut
from bespeak.inventory.arrays import np
from bespeak.inventory.plans import Chooser, SaleContext
from bespeak.inventory.shapes.legs.run import Journey, Run, refuse_choice_of_seat
from bespeak.inventory.shapes.legs.seats import RunSeats, SeatsView, best_fit, nearest, parts_of
from bespeak.inventory.snapshot import Snapshot
from bespeak.lines import CHOICE_MAX, Line
from bespeak.refusals import Offer

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Counts, Flags

_NEAREST_MAX = 20


class Group(NamedTuple):
    """How many travel together from where to where, in which class (None: any)."""

    journey: Journey
    quantity: int
    category: str | None


class _Tier(NamedTuple):
    """Classes with one price and the same quotas: whatever is taken of one is as good as of
    another. `names` tells the quotas."""

    price: int
    names: tuple[str, ...]
    classes: list[int]


class LegsChooser(Chooser):
    def __init__(self, run: Run, seats: RunSeats) -> None:
        self._run = run
        self._seats = seats

    def choose(
        self, line: Line, snapshot: Snapshot, sale: SaleContext, *, partial: bool
    ) -> list[Line]:
        """Seats for the whole journey, in the class of `best` or else where they cost the least;
        of equal ones those that leave the best gaps, a group next to each other if possible.

        Raises SoldOut, NotOnSale, InvalidRequest.
        """
        group = self._open_group(line)
        self._check_class(line, group, sale)
        seats = self._seats_for(group, snapshot, sale)
        if len(seats) < (1 if partial else group.quantity):
            raise SoldOut(
                f"seats for the whole journey: {len(seats)} of {group.quantity}",
                resource_id=line.resource_id,
                available=len(seats),
            )
        return [
            self._run.line(line.resource_id, self._seats.units[seat], group.journey, None)
            for seat in seats
        ]

    def offers(self, line: Line, snapshot: Snapshot, sale: SaleContext, count: int) -> list[Offer]:
        """Other seats of the class, the other classes, places without a number, and seats with a
        change on the way. Raises InvalidRequest, UnknownUnit."""
        return self.group_offers([line], snapshot, sale, count)

    def group_offers(
        self, lines: Sequence[Line], snapshot: Snapshot, sale: SaleContext, count: int
    ) -> list[Offer]:
        """As `offers`; for several seats, which have one journey, as many instead. Seats of several
        journeys are replaced one by one. Raises InvalidRequest, UnknownUnit."""
        groups = [self._group_of(line) for line in lines]
        if any(self._run.is_closed(group.journey, sale) for group in groups):
            return []
        if len({group.journey for group in groups}) > 1:
            return self._one_by_one(lines, groups, snapshot, sale)[:count]
        everyone = groups[0]._replace(quantity=sum(group.quantity for group in groups))
        return list(islice(self._instead(lines, everyone, snapshot, sale), count))

    def _seats_for(self, group: Group, snapshot: Snapshot, sale: SaleContext) -> list[int]:
        """The seats for a group, as many as there are: all of one price where that is
        possible, the lowest price first. Seats of equal price and parts are those that leave the
        best gaps."""
        view = self._seats.view(snapshot, sale.now.timestamp())
        free, leftover = view.free(group.journey), view.leftover(group.journey)
        tiers = self._tiers(group, sale)
        best: tuple[int, int, int, list[int]] | None = None
        for tier in tiers:
            if best is not None and tier.price > best[0]:
                break
            eligible = free & self._seats.of_classes(tier.classes)
            if self._count(tier, group.journey, eligible, snapshot) >= group.quantity:
                seats = best_fit(eligible, leftover, group.quantity)
                kept = int(leftover[seats].sum())
                found = (tier.price, parts_of(seats), kept, seats)
                best = found if best is None else min(best, found)
        if best is not None:
            return best[3]
        mixed = self._mixed(tiers, group, free, leftover, snapshot)
        if len(mixed) < group.quantity:
            # Where quotas overlap, seats that draw from fewer of them leave more for the others.
            tiers = sorted(tiers, key=lambda tier: len(tier.names))
            mixed = max(mixed, self._mixed(tiers, group, free, leftover, snapshot), key=len)
        return mixed

    def _instead(
        self, lines: Sequence[Line], group: Group, snapshot: Snapshot, sale: SaleContext
    ) -> Iterator[Offer]:
        """What could be held instead of these lines, best first. The seats and the pool that they
        name are left out."""
        first = lines[0]
        own = [self._seats.index[line.unit] for line in lines if line.unit in self._seats.index]
        view = self._seats.view(snapshot, sale.now.timestamp())
        view.taken[own] = True
        pool = first.unit if first.unit in self._run.pools else None
        changing = []
        for category in self._classes(group, pool, sale):
            left = self._run.left_of(category, group.journey, snapshot)
            if left < group.quantity:
                continue
            mine = self._seats.of_classes([self._seats.classes.index(category)])
            eligible = view.free(group.journey) & mine
            if int(eligible.sum()) >= group.quantity:
                count = _NEAREST_MAX if category == group.category else 1
                for seats in self._seated(eligible, view, group, own, count):
                    yield [self._line(first, seat, group.journey) for seat in seats]
            else:
                changing.append(mine)
        yield from self._pools(first, group, pool, snapshot, sale)
        for mine in changing:
            offer = self._changing(first, group, view, mine)
            if offer is not None:
                yield offer

    def _tiers(self, group: Group, sale: SaleContext) -> list[_Tier]:
        """The classes that are on sale for the group, the lowest price first."""
        found: dict[tuple[int, tuple[str, ...]], list[int]] = {}
        for number, name in enumerate(self._seats.classes):
            price = self._run.price(name, group.journey, sale)
            if price is not None and group.category in {None, name}:
                quotas = self._run.quotas_of(name, group.journey)
                key = (price, tuple(quota.name for quota in quotas))
                found.setdefault(key, []).append(number)
        tiers = [_Tier(*key, classes) for key, classes in found.items()]
        return sorted(tiers, key=lambda tier: tier.price)

    def _count(self, tier: _Tier, journey: Journey, eligible: Flags, snapshot: Snapshot) -> int:
        """How many seats of a tier can be held."""
        allowed = self._run.left_of(self._seats.classes[tier.classes[0]], journey, snapshot)
        return min(int(eligible.sum()), allowed)

    def _mixed(
        self,
        tiers: Sequence[_Tier],
        group: Group,
        free: Flags,
        leftover: Counts,
        snapshot: Snapshot,
    ) -> list[int]:
        """Seats of one tier after the other, as many as there are. What one class draws of a quota,
        the next cannot."""
        drawn = Snapshot({}, dict(snapshot.pools))
        chosen: list[int] = []
        for tier in tiers:
            eligible = free & self._seats.of_classes(tier.classes)
            wanted = group.quantity - len(chosen)
            count = min(wanted, self._count(tier, group.journey, eligible, drawn))
            if count > 0:
                chosen += best_fit(eligible, leftover, count)
                category = self._seats.classes[tier.classes[0]]
                for need in self._run.quota_needs(category, group.journey):
                    drawn.draw(need.unit, count)
        return sorted(chosen)

    def _classes(self, group: Group, pool: str | None, sale: SaleContext) -> list[str]:
        """The classes that are on sale, the group's own first, then the nearest in price."""
        prices = {}
        for name in self._seats.classes:
            price = self._run.price(name, group.journey, sale)
            if price is not None:
                prices[name] = price
        base = self._base(group, pool, sale)
        return sorted(prices, key=lambda name: (name != group.category, abs(prices[name] - base)))

    def _base(self, group: Group, pool: str | None, sale: SaleContext) -> int:
        """The price that others are compared with; for those who want any class, nothing."""
        price = None
        if pool is not None:
            price = self._run.pool_price(pool, group.journey, sale)
        elif group.category is not None:
            price = self._run.price(group.category, group.journey, sale)
        return price or 0

    def _seated(
        self, eligible: Flags, view: SeatsView, group: Group, own: Sequence[int], count: int
    ) -> Iterator[list[int]]:
        """Seats of one class that has enough: for one who named a seat at most `count`, the nearest
        first; for the others those that leave the best gaps."""
        if len(own) == 1:
            yield from ([seat] for seat in nearest(eligible, own[0], count))
        else:
            yield best_fit(eligible, view.leftover(group.journey), group.quantity)

    def _pools(
        self, first: Line, group: Group, own: str | None, snapshot: Snapshot, sale: SaleContext
    ) -> Iterator[Offer]:
        """Places without a number, the nearest in price first; of the same pool what is left."""
        base = self._base(group, own, sale)
        far: dict[str, int] = {}
        for unit in self._run.pools:
            price = self._run.pool_price(unit, group.journey, sale)
            if price is not None:
                far[unit] = abs(price - base)
        for unit in sorted(far, key=lambda unit: (unit == own, far[unit])):
            left = self._run.pool_level(unit, group.journey, snapshot).available
            quantity = group.quantity if unit != own else min(left, group.quantity - 1)
            if 0 < quantity <= left:
                yield [self._run.line(first.resource_id, unit, group.journey, quantity)]

    def _changing(self, first: Line, group: Group, view: SeatsView, mine: Flags) -> Offer | None:
        """Seats of one class that has too few: those that are free all the way, and for the rest of
        the group a change of seats at one stop, as late as possible."""
        start, stop = group.journey
        free = view.free(group.journey) & mine
        others = mine & ~free
        rest = group.quantity - int(free.sum())
        forward, backward = view.free_from(group.journey), view.free_until(group.journey)
        for change in range(stop - 1, start, -1):
            parts = []
            for journey, reaches in (
                (Journey(start, change), forward >= change - start),
                (Journey(change, stop), backward >= stop - change),
            ):
                eligible = others & reaches
                if int(eligible.sum()) < rest:
                    break
                seats = best_fit(eligible, view.leftover(journey), rest)
                parts += [self._line(first, seat, journey) for seat in seats]
            if len(parts) == 2 * rest:
                whole = [int(seat) for seat in np.flatnonzero(free)]
                return [self._line(first, seat, group.journey) for seat in whole] + parts
        return None

    def _line(self, first: Line, seat: int, journey: Journey) -> Line:
        return self._run.line(first.resource_id, self._seats.units[seat], journey, None)

    def _check_class(self, line: Line, group: Group, sale: SaleContext) -> None:
        """Raises InvalidRequest for a class that the run does not have, NotOnSale."""
        classes = self._seats.classes
        if not classes:
            raise InvalidRequest("the run has no seats: name a pool", field="lines.unit")
        if group.category is not None:
            if group.category not in classes:
                raise InvalidRequest(
                    f"the run has no class {group.category[:60]!r}", field="lines.best.category"
                )
            classes = [group.category]
        prices = [self._run.price(name, group.journey, sale) for name in classes]
        price = next((one for one in prices if one is not None), None)
        self._run.check_sale(line, price, group.journey, sale)

    def _group_of(self, line: Line) -> Group:
        """How many a line that was refused is for, and of which class. Raises UnknownUnit,
        InvalidRequest."""
        if line.unit is None:
            group = self._open_group(line)
            if group.category is not None and group.category not in self._seats.classes:
                raise InvalidRequest("no such class", field="lines.best.category")
            return group
        category = self._seats.categories.get(line.unit)
        if category is None:
            self._run.check_pool(line, self._seats.classes)
        return Group(self._run.journey_of(line), line.quantity or 1, category)

    def _open_group(self, line: Line) -> Group:
        """Who travels, by a line that names no unit. Raises InvalidRequest."""
        refuse_choice_of_seat(line)
        journey = self._run.journey_of(line)
        best = line.best
        if best is UNSET:
            quantity = line.quantity or 1
            if quantity > CHOICE_MAX:
                raise InvalidRequest(
                    f"at most {CHOICE_MAX} seats at once", field="lines.quantity", limit=CHOICE_MAX
                )
            return Group(journey, quantity, None)
        if line.quantity is not None:
            raise InvalidRequest("`best` says how many", field="lines.quantity")
        if best.strategy != "best" or best.accessible:
            raise InvalidRequest("the seats of a run are chosen by class only", field="lines.best")
        return Group(journey, best.quantity, best.category)

    def _one_by_one(
        self, lines: Sequence[Line], groups: Sequence[Group], snapshot: Snapshot, sale: SaleContext
    ) -> list[Offer]:
        """One offer of another seat for each line, none twice; nothing unless each has one."""
        used = list(lines)
        offer: Offer = []
        for line, group in zip(lines, groups, strict=True):
            others = [one for one in used if one is not line]
            found = next(self._instead([line, *others], group, snapshot, sale), None)
            if found is None:
                return []
            offer += found
            used += found
        return [offer] if self._fits(offer, snapshot) else []

    def _fits(self, offer: Offer, snapshot: Snapshot) -> bool:
        """Whether the pools and quotas have enough for all lines of an offer together."""
        drawn: Counter[tuple[str, int]] = Counter()
        for line in offer:
            journey, unit = self._run.journey_of(line), line.unit or ""
            category = self._seats.categories.get(unit)
            if category is None:
                needs = self._run.pool_needs(unit, line.quantity or 1, journey)
            else:
                needs = self._run.quota_needs(category, journey)
            for need in needs:
                drawn[need.unit, need.capacity or 0] += need.quantity or 0
        return all(
            quantity <= capacity - snapshot.drawn(unit)
            for (unit, capacity), quantity in drawn.items()
        )
