"""What the programme answers: venues, halls, productions and performances as the pages of a shop
and the console show them. Times are by the clocks of the venue, with its time zone beside them. An
answer in a language has its texts translated; without one it has them as they were typed, with
`translations`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from bespeak.inventory.payment_rules import PaymentRule
from bespeak.inventory.questions import Questions
from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.money import Money
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translations

PerformanceState = Literal["on_sale", "not_yet", "sold_out", "closed", "called_off"]
ProductionState = Literal["on_sale", "not_yet", "sold_out", "closed", "called_off", "none"]
ProductionKind = Literal[
    "concert", "theatre", "talk", "comedy", "dance", "party", "sport", "family", "other"
]


class Venue(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A venue, with how many halls it has that are not archived."""

    id: str
    name: str
    address: str
    city: str
    country: str | None
    time_zone: str
    website: str | None
    accessibility: str
    halls: int
    archived: bool
    translations: Translations = ()
    replayed: bool = False


class Venues(msgspec.Struct, frozen=True):
    """A page of venues, by name."""

    items: list[Venue]
    next: str | None


class VenueOfHall(msgspec.Struct, frozen=True):
    """What a hall tells of its venue."""

    id: str
    name: str


class HallCategory(msgspec.Struct, frozen=True):
    """A category of a hall: its code, which is its name as it was typed, and its name in the
    language of the answer."""

    code: str
    name: str


class Hall(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A hall of a venue. Its plan is told where one hall is asked for."""

    id: str
    venue: VenueOfHall
    name: str
    categories: list[HallCategory]
    capacity: int
    archived: bool
    plan: SeatsPlan | None = None
    translations: Translations = ()
    replayed: bool = False


class Halls(msgspec.Struct, frozen=True):
    """A page of halls, by name."""

    items: list[Hall]
    next: str | None


class VenueOfProduction(msgspec.Struct, frozen=True):
    """Where performances of a production are."""

    id: str
    name: str
    city: str


class NextPerformance(msgspec.Struct, frozen=True):
    """The next performance of a production that matches what was asked."""

    id: str
    starts_at: datetime
    time_zone: str
    venue: VenueOfProduction


class Production(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A production. The next performance, their number, venues, the lowest price, what is free and
    the state are of the performances that are still to come, that match what was asked, and that
    the caller may see; `picture` changes its address when the picture changes. `units_total` and
    `sold` (held or booked by guests) are of the same performances, but for those that are called
    off, and for those who sell only."""

    id: str
    title: str
    kind: ProductionKind
    series: str | None
    performers: list[str]
    summary: str
    description: str
    minutes: int | None
    age_from: int | None
    website: str | None
    picture: str | None
    picture_text: str | None
    next_performance: NextPerformance | None
    performances: int
    price_from: Money | None
    units_free: int
    state: ProductionState
    venues: list[VenueOfProduction]
    archived: bool
    units_total: int | None = None
    sold: int | None = None
    translations: Translations = ()
    replayed: bool = False


class Productions(msgspec.Struct, frozen=True):
    """A page of productions: those first whose next performance is soonest."""

    items: list[Production]
    next: str | None


class Removed(msgspec.Struct, frozen=True):
    """What is gone."""

    id: str


class ProductionOfPerformance(msgspec.Struct, frozen=True, kw_only=True):
    """What a performance tells of its production."""

    id: str
    title: str
    kind: ProductionKind
    picture: str | None


class VenueOfPerformance(msgspec.Struct, frozen=True, kw_only=True):
    """What a performance tells of its venue."""

    id: str
    name: str
    address: str
    city: str
    country: str | None
    accessibility: str


class HallOfPerformance(msgspec.Struct, frozen=True):
    """What a performance tells of its hall."""

    id: str
    name: str


class PricedCategory(msgspec.Struct, frozen=True, kw_only=True):
    """A category with its price in minor units; null: it has none."""

    code: str
    name: str
    price: int | None


class Performance(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A performance; its id is that of the resource. `price_from` is the lowest price in minor
    units, without fees and demand; places that are held or blocked are not free. `sold` is how many
    guests hold or have booked, for those who sell only."""

    id: str
    production: ProductionOfPerformance
    venue: VenueOfPerformance
    hall: HallOfPerformance
    starts_at: datetime
    ends_at: datetime
    doors_at: datetime | None
    time_zone: str
    opens_at: datetime | None
    closes_at: datetime | None
    price_from: int
    currency: str
    categories: list[PricedCategory]
    units_total: int
    units_free: int
    state: PerformanceState
    published: bool
    payment: PaymentRule
    pricing: Pricing | None
    owner_limit: int | None
    hold_seconds: int
    hold_seconds_max: int
    note: str
    sold: int | None = None
    translations: Translations = ()
    questions: Questions = ()
    replayed: bool = False


class Performances(msgspec.Struct, frozen=True):
    """A page of performances, by time."""

    items: list[Performance]
    next: str | None


class Copies(msgspec.Struct, frozen=True):
    """The performances at the times that were asked for, by time, and how many of them were made
    now; the others were there."""

    items: list[Performance]
    made: int
    next: str | None = None
