"""A listing as the search knows it: what it is, by which rules it is sold, and which nights of it
are taken. Whether a stay can be had is judged by the very rules of its plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from typing import NamedTuple, Protocol
from zoneinfo import ZoneInfo

import msgspec

from bespeak.inventory.shapes.nights.night_rules import NightRules, date_of
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.pricing.rounding import ALL
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translation
from bespeak.verticals.stays.forms import Beds
from bespeak.verticals.stays.search.cells import EarthPoint
from bespeak.verticals.stays.words import Amenity, PropertyKind

PLANS_MAX = 100_000
"""Of how many plans what they have worked out is kept."""
# Nights are bits from here on: what is before is over, and nobody stays in the far future.
FIRST_NIGHT = date(2020, 1, 1).toordinal()
_NIGHTS_MAX = 30_000
_shared_rules = lru_cache(maxsize=PLANS_MAX)(NightRules)


@lru_cache(maxsize=PLANS_MAX)
def rules_of(plan: NightsPlan) -> NightRules:
    """The rules of a plan's dates. Listings share them, and what they have worked out, with all
    whose plans differ in nothing but rates, discounts and guests."""
    return _shared_rules(
        msgspec.structs.replace(
            plan,
            guests_max=None,
            cots=0,
            guests_included=None,
            guest_price=0,
            children=(),
            rates=(),
            discounts=(),
        )
    )


class FirstPicture(NamedTuple):
    """What is shown of a listing first: its own first picture, or its property's."""

    digest: str
    width: int
    height: int
    description: str


class HouseOfListing(msgspec.Struct, frozen=True, array_like=True):
    """What the search knows of a property; `called` is its name and town, folded.
    `rating` is what guests think of it, in tenths (0: nobody has said), `ratings` how many."""

    property_id: str
    name: str
    kind: PropertyKind
    stars: int | None
    city: str
    country: str | None
    point: EarthPoint
    amenities: frozenset[Amenity]
    called: str
    rating: int = 0
    ratings: int = 0


@dataclass(slots=True)
class IndexedListing:
    """A listing. Of exact rooms `taken` has for each room the nights that are taken, a bit a
    night; of a counted type `drawn` has how many rooms are, by night, and `full` the nights in
    which all are. `called` is its name, folded; `charges` are the fees and taxes that come on top
    of its nights."""

    number: int
    workspace: str
    house: HouseOfListing
    name: str
    summary: str
    guests: int
    cots: int
    beds: list[Beds]
    amenities: frozenset[Amenity]
    plan: NightsPlan
    price: int
    currency: str
    zone: ZoneInfo
    published: bool
    is_open: bool
    opens_at: datetime | None
    closes_at: datetime | None
    translations: tuple[Translation, ...]
    called: str
    charges: Pricing | None = None
    picture: FirstPicture | None = None
    taken: dict[str, int] = field(default_factory=dict)
    drawn: dict[int, int] = field(default_factory=dict)
    full: int = 0
    _rules: NightRules | None = None

    def bits_from(self, first: int) -> int:
        """The nights in which no room of it is free, a bit a night from this day on."""
        return blocked(self.plan, self.taken, self.full) >> first - FIRST_NIGHT

    @property
    def is_plain(self) -> bool:
        """Whether those nights say all: that a room is free for a stay which has none of them. Of
        several rooms each may be taken on another night, and cleaning may reach into what comes
        after the stay."""
        return is_plain(self.plan)

    @property
    def least_price(self) -> int:
        """What no night of it costs less than, on average over a stay."""
        plan = self.plan
        prices = [rule.price for rule in plan.rules if rule.price is not None]
        usual = min([self.usual_price, *prices])
        at_rates = (usual * (ALL + rate.basis_points) // ALL + rate.amount for rate in plan.rates)
        least = min([usual, *at_rates])
        if plan.discounts:  # which are rounded, too
            least = least * (ALL - max(one.basis_points for one in plan.discounts)) // ALL - 1
        return max(0, least)

    @property
    def rules(self) -> NightRules:
        if self._rules is None:
            self._rules = rules_of(self.plan)  # which looks at all of the plan
        return self._rules

    def mark(self, unit: str, *, is_taken: bool, drawn: int) -> None:
        """Notes how a unit stands: a night of a room, or of the type."""
        room, _, text = unit.rpartition("@")
        day = night_of(text)
        if day is None:
            return
        if self.plan.rooms is None:
            self._mark_drawn(day, drawn)
            return
        bits = self.taken.get(room, 0)
        self.taken[room] = bits | 1 << day if is_taken else bits & ~(1 << day)

    def _mark_drawn(self, day: int, drawn: int) -> None:
        night = day + FIRST_NIGHT
        if drawn > 0:
            self.drawn[night] = drawn
        else:
            self.drawn.pop(night, None)
        is_full = drawn >= self.rules.night(night).capacity
        self.full = self.full | 1 << day if is_full else self.full & ~(1 << day)

    def mark_all(self, claimed: Iterable[str], pools: Iterable[tuple[str, int]]) -> None:
        """Notes all that is taken, of a listing of which nothing was noted yet."""
        nights: dict[str, list[int]] = {}
        for unit in claimed:
            room, _, text = unit.rpartition("@")
            day = night_of(text)
            if day is not None:
                nights.setdefault(room, []).append(day)
        self.taken |= {room: _bits_of(days) for room, days in nights.items()}
        if self.plan.rooms is None:
            self._mark_all_drawn(pools)

    def _mark_all_drawn(self, pools: Iterable[tuple[str, int]]) -> None:
        night, full = self.rules.night, []
        for unit, drawn in pools:
            day = night_of(unit.rpartition("@")[2])
            if day is None:
                continue
            if drawn > 0:
                self.drawn[day + FIRST_NIGHT] = drawn
            if drawn >= night(day + FIRST_NIGHT).capacity:
                full.append(day)
        self.full = _bits_of(full)

    def is_on_sale(self, now: datetime) -> bool:
        return is_on_sale(self, now)

    def is_called(self, words: Iterable[str]) -> bool:
        """Whether each of these begins a word of its names, or of its house's and town's."""
        house = self.house.called
        return all(word in self.called or word in house for word in words)

    def free_rooms(self, arrival: int, nights: int) -> int:
        """How many rooms are free through all of a stay, and the cleaning after it."""
        return free_rooms(self.plan, self.taken, self.drawn, range(arrival, arrival + nights))

    @property
    def usual_price(self) -> int:
        """What a night costs where no rule says another price."""
        return self.price if self.plan.price is None else self.plan.price


class _Timed(Protocol):
    """What is open, and from when until when."""

    @property
    def is_open(self) -> bool: ...
    @property
    def opens_at(self) -> datetime | None: ...
    @property
    def closes_at(self) -> datetime | None: ...


def is_on_sale(one: _Timed, now: datetime) -> bool:
    """Whether it is sold now."""
    return (
        one.is_open
        and (one.opens_at is None or one.opens_at <= now)
        and (one.closes_at is None or one.closes_at > now)
    )


def is_plain(plan: NightsPlan) -> bool:
    """Whether the nights in which no room is free say all of a stay without them."""
    rooms = plan.rooms
    return rooms is None or (len(rooms) == 1 and plan.buffer_nights == 0)


def blocked(plan: NightsPlan, taken: Mapping[str, int], full: int) -> int:
    """The nights in which no room of a plan is free, a bit a night."""
    if plan.rooms is None:
        return full
    nights = -1
    for room in plan.rooms:
        nights &= taken.get(room, 0)
    return nights


def free_rooms(
    plan: NightsPlan, taken: Mapping[str, int], drawn: Mapping[int, int], days: range
) -> int:
    """How many rooms of a plan are free in all nights of a stay, and the cleaning after it."""
    if plan.rooms is None:
        night = rules_of(plan).night
        return max(0, min(night(day).capacity - drawn.get(day, 0) for day in days))
    wanted = ((1 << len(days) + plan.buffer_nights) - 1) << days.start - FIRST_NIGHT
    return sum(1 for room in plan.rooms if not taken.get(room, 0) & wanted)


def _bits_of(days: Sequence[int]) -> int:
    """Days as bits. They are near each other, and far from the first."""
    first, bits = min(days, default=0), 0
    for day in days:
        bits |= 1 << day - first
    return bits << first


@lru_cache(maxsize=4096)
def night_of(text: str) -> int | None:
    """The bit of a date, None where it is none, or over, or too far away."""
    day = date_of(text)
    return None if day is None or not 0 <= day - FIRST_NIGHT < _NIGHTS_MAX else day - FIRST_NIGHT
