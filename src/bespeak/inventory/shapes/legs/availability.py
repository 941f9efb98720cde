"""What is free of a run for a journey: seats by class, places without a number, quotas; and for the
whole run a table of every pair of stops. It agrees with holding, by the same fares and quotas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from bespeak.errors import UnknownUnit
from bespeak.inventory.arrays import np
from bespeak.inventory.line_checks import check_query
from bespeak.inventory.plans import (
    SOLD_OUT,
    Availability,
    AvailabilityQuery,
    AvailabilityReader,
    PoolLevel,
    Reason,
    SaleContext,
    TakenUnit,
    UnavailableReason,
    taken_unit,
)
from bespeak.inventory.shapes.legs.plan import QUOTA_PREFIX
from bespeak.inventory.shapes.legs.run import Journey, Run
from bespeak.inventory.shapes.legs.seats import RunSeats, SeatsView
from bespeak.inventory.snapshot import Snapshot
from bespeak.lines import QUANTITY_MAX

if TYPE_CHECKING:
    from bespeak.inventory.arrays import Counts, Flags

MATRIX_STOPS_MAX = 40
_NAMED_MAX = 2000


class ClassLevel(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A class for a journey: how many seats it has, how many are free all the way, how many of
    these its quotas let one hold, and the price of one in minor units (absent: it is not sold).
    `reason` says why as many as were asked for cannot be held."""

    seats: int
    free: int
    available: int
    price: int | None = None
    reason: UnavailableReason | None = None


class PlacesLevel(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Places without a number for a journey: how many there are on each leg, how many can be held
    all the way, the price of one (absent: they are not sold), and as above the reason."""

    capacity: int
    available: int
    price: int | None = None
    reason: UnavailableReason | None = None


class LegsAvailability(Availability, frozen=True, kw_only=True, tag="legs"):
    """A journey from the stop `from` to the stop `to`. In `taken` stand the seats that are not free
    all the way; of what holds a seat on several legs, that which lasts longest is told.

    `matrix` has for each class a row for each stop where one can board, with how many seats can be
    held from there to each later stop; of the whole run, with at most 40 stops. `version` changes
    with every event.
    """

    stops: list[str]
    from_: str = msgspec.field(name="from")
    to: str
    classes: dict[str, ClassLevel]
    taken: dict[str, TakenUnit]
    pools: dict[str, PlacesLevel]
    quotas: dict[str, PoolLevel]
    matrix: dict[str, list[list[int]]] | None = None


class _Asked(NamedTuple):
    """A query that was read: the journey, and which classes, seats (None: all of these classes),
    pools and how many it is about."""

    journey: Journey
    classes: list[str]
    seat: str | None
    pools: list[str]
    quantity: int


class LegsReader(AvailabilityReader):
    def __init__(self, run: Run, seats: RunSeats) -> None:
        self._run = run
        self._seats = seats

    def units(self, query: AvailabilityQuery, sale: SaleContext) -> list[str] | None:
        asked = self._asked(query, sale)
        suffixes = self._run.suffixes[asked.journey.start : asked.journey.stop]
        names = [asked.seat] if asked.seat is not None else self._names(asked.classes)
        names += asked.pools
        names += [
            QUOTA_PREFIX + quota.name
            for quota in self._run.quotas_on(asked.journey)
            if not quota.categories.isdisjoint(asked.classes)
        ]
        if len(names) * len(suffixes) > _NAMED_MAX:
            return None
        return [name + suffix for name in names for suffix in suffixes]

    def answer(
        self, query: AvailabilityQuery, snapshot: Snapshot, sale: SaleContext
    ) -> LegsAvailability:
        asked = self._asked(query, sale)
        journey = asked.journey
        view = self._seats.view(snapshot, sale.now.timestamp())
        is_whole = journey == self._run.whole and len(self._run.codes) <= MATRIX_STOPS_MAX
        return LegsAvailability(
            resource_id=sale.resource_id,
            version=snapshot.version,
            stops=self._run.codes,
            from_=self._run.codes[journey.start],
            to=self._run.codes[journey.stop],
            classes={
                name: self._class(name, asked, view, snapshot, sale) for name in asked.classes
            },
            taken=self._taken(asked, view, snapshot),
            pools={unit: self._pool(unit, asked, snapshot, sale) for unit in asked.pools},
            quotas={
                quota.name: self._run.quota_level(quota, journey, snapshot)
                for quota in self._run.quotas_on(journey)
                if not quota.categories.isdisjoint(asked.classes)
            },
            matrix=self._matrix(asked, view, snapshot, sale)
            if is_whole and asked.classes
            else None,
        )

    def _asked(self, query: AvailabilityQuery, sale: SaleContext) -> _Asked:
        check_query(query)
        codes = self._run.codes
        journey = self._run.journey(query.from_ or codes[0], query.to or codes[-1], prefix="")
        unit, quantity = query.unit, query.quantity
        if unit is None:
            classes = list(self._seats.classes)
            return _Asked(journey, classes, None, list(self._run.pools), quantity)
        if unit in self._seats.index:
            return _Asked(journey, [self._seats.categories[unit]], unit, [], quantity)
        classes = [unit] if unit in self._seats.classes else []
        pools = [unit] if unit in self._run.pools else []
        if not classes and not pools:
            raise UnknownUnit(resource_id=sale.resource_id, unit=unit)
        return _Asked(journey, classes, None, pools, quantity)

    def _names(self, classes: list[str]) -> list[str]:
        """The seats of these classes."""
        mask = self._seats.of_classes([self._seats.classes.index(name) for name in classes])
        return [self._seats.units[seat] for seat in np.flatnonzero(mask)]

    def _class(
        self, name: str, asked: _Asked, view: SeatsView, snapshot: Snapshot, sale: SaleContext
    ) -> ClassLevel:
        mask = self._mask(asked._replace(classes=[name]))
        free = int((view.free(asked.journey) & mask).sum())
        price = self._run.price(name, asked.journey, sale)
        reason = self._reason(asked.journey, price, sale)
        allowed = self._run.left_of(name, asked.journey, snapshot) if reason is None else 0
        available = min(free, allowed)
        return ClassLevel(
            seats=int(mask.sum()),
            free=free,
            available=available,
            price=price,
            reason=SOLD_OUT if reason is None and available < asked.quantity else reason,
        )

    def _pool(self, unit: str, asked: _Asked, snapshot: Snapshot, sale: SaleContext) -> PlacesLevel:
        price = self._run.pool_price(unit, asked.journey, sale)
        reason = self._reason(asked.journey, price, sale)
        level = self._run.pool_level(unit, asked.journey, snapshot)
        available = level.available if reason is None else 0
        return PlacesLevel(
            capacity=level.capacity,
            available=available,
            price=price,
            reason=SOLD_OUT if reason is None and available < asked.quantity else reason,
        )

    def _reason(self, journey: Journey, price: int | None, sale: SaleContext) -> str | None:
        """The first rule that does not sell this."""
        if self._run.is_closed(journey, sale):
            return Reason.CUTOFF.value
        return Reason.NOT_OFFERED.value if price is None else None

    def _taken(self, asked: _Asked, view: SeatsView, snapshot: Snapshot) -> dict[str, TakenUnit]:
        """The seats that are not free for the journey, in the plan's order, and why."""
        shown = {}
        mask = self._mask(asked) & ~view.free(asked.journey)
        for seat in np.flatnonzero(mask).tolist():
            unit = self._seats.units[seat]
            leg = view.last_leg(seat, asked.journey)
            shown[unit] = taken_unit(snapshot.units[unit + self._run.suffixes[leg]])
        return shown

    def _mask(self, asked: _Asked) -> Flags:
        """Which seats are asked for."""
        mask = self._seats.of_classes([self._seats.classes.index(name) for name in asked.classes])
        if asked.seat is not None:
            mask[:] = False
            mask[self._seats.index[asked.seat]] = True
        return mask

    def _matrix(
        self, asked: _Asked, view: SeatsView, snapshot: Snapshot, sale: SaleContext
    ) -> dict[str, list[list[int]]]:
        """For each class and pair of stops how many seats can be held."""
        legs = self._run.legs
        stretches = view.stretches()
        closed = {leg for leg in range(legs) if self._run.is_closed(Journey(leg, leg + 1), sale)}
        found = {}
        for name in asked.classes:
            mask = self._mask(asked._replace(classes=[name]))
            # How many seats of the class are free for so many legs or more, from each leg on.
            steps = np.arange(legs) * (legs + 1)
            counts = np.bincount(
                (stretches[mask] + steps).ravel(), minlength=legs * (legs + 1)
            ).reshape(legs, legs + 1)
            reaching = counts[:, ::-1].cumsum(axis=1)[:, ::-1]
            allowed = self._allowed(name, snapshot)
            rows = []
            for start in range(legs):
                limits = np.minimum.accumulate(allowed[start:])
                row = np.minimum(reaching[start, 1 : legs - start + 1], limits).tolist()
                for step in range(legs - start):
                    journey = Journey(start, start + step + 1)
                    if start in closed or self._run.price(name, journey, sale) is None:
                        row[step] = 0
                rows.append(row)
            found[name] = rows
        return found

    def _allowed(self, category: str, snapshot: Snapshot) -> Counts:
        """How many seats of a class the quotas still allow on each leg."""
        allowed = np.full(self._run.legs, QUANTITY_MAX, np.int64)
        for quota in self._run.quotas_of(category, self._run.whole):
            start, stop = quota.legs
            left = self._run.quota_left(quota, self._run.whole, snapshot)
            allowed[start:stop] = np.minimum(allowed[start:stop], left)
        return allowed
