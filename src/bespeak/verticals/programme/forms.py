"""What an operator says of a programme: new venues, halls, productions and performances, and
changes of them. Their `translations` say what their texts are called in other languages.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA, Name, PriceAmount, Weekday
from bespeak.inventory.payment_rules import PaymentRule
from bespeak.inventory.questions import Questions
from bespeak.inventory.resources import Currency, HoldSeconds, HoldSecondsMax, OwnerLimit
from bespeak.inventory.shapes.registry import AnyPlan
from bespeak.merchants.profile import Country, TimeZone, Url
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translations
from bespeak.verticals.fields import City, Description, Line, Lines
from bespeak.verticals.programme.names import HALL, PRODUCTION, VENUE, id_pattern
from bespeak.verticals.programme.views import ProductionKind

HOLD_SECONDS, HOLD_SECONDS_MAX = 600, 1800
"""How long places are kept while a guest chooses and pays, and at most with extensions."""
OWNER_LIMIT = 10
"""Places of one guest in one performance, holds and bookings together."""
COPIES_MAX = 200

VenueId = Annotated[str, Meta(extra_json_schema={"pattern": id_pattern(VENUE)}, max_length=60)]
HallId = Annotated[str, Meta(extra_json_schema={"pattern": id_pattern(HALL)}, max_length=60)]
ProductionId = Annotated[
    str, Meta(extra_json_schema={"pattern": id_pattern(PRODUCTION)}, max_length=60)
]
Title = Annotated[
    str, Meta(min_length=1, max_length=200, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)
]
Performers = Annotated[tuple[Name, ...], Meta(max_length=50)]
Minutes = Annotated[int, Meta(ge=1, le=1440)]
Age = Annotated[int, Meta(ge=0, le=99)]
Prices = Annotated[dict[Name, PriceAmount], Meta(max_length=200)]
# Decoded among all plans, because a struct with a tag that is alone in its place is taken without
# its tag too. The document says which one is meant.
HallPlan = Annotated[AnyPlan, Meta(extra_json_schema={"$ref": "#/components/schemas/SeatsPlan"})]
Moment = Annotated[str, Meta(min_length=10, max_length=40)]
ClockTime = Annotated[str, Meta(min_length=5, max_length=8)]


class NewVenue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A venue: its address, its country (ISO 3166-1, two letters) and its time zone (IANA)."""

    name: Name
    time_zone: TimeZone
    address: Line = ""
    city: City = ""
    country: Country | None = None
    website: Url | None = None
    accessibility: Lines = ""
    translations: Translations = ()


class VenueChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a venue is to change. Its time zone changes only while it has no performances."""

    name: Name | UnsetType = UNSET
    time_zone: TimeZone | UnsetType = UNSET
    address: Line | UnsetType = UNSET
    city: City | UnsetType = UNSET
    country: Country | UnsetType | None = UNSET
    website: Url | UnsetType | None = UNSET
    accessibility: Lines | UnsetType = UNSET
    archived: bool | UnsetType = UNSET
    translations: Translations | UnsetType = UNSET


class NewHall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A hall of a venue, with its seats and standing areas. What it costs is said by
    performance."""

    venue: VenueId
    name: Name
    plan: HallPlan
    translations: Translations = ()


class HallChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a hall is to change. A new plan is that of the performances which are made from now
    on."""

    name: Name | UnsetType = UNSET
    plan: HallPlan | UnsetType = UNSET
    archived: bool | UnsetType = UNSET
    translations: Translations | UnsetType = UNSET


class NewProduction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is put on: a concert, a play, a talk."""

    title: Title
    kind: ProductionKind = "other"
    series: Name | None = None
    performers: Performers = ()
    summary: Line = ""
    description: Description = ""
    minutes: Minutes | None = None
    age_from: Age | None = None
    website: Url | None = None
    picture_text: Line | None = None
    translations: Translations = ()


class ProductionChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a production is to change."""

    title: Title | UnsetType = UNSET
    kind: ProductionKind | UnsetType = UNSET
    series: Name | UnsetType | None = UNSET
    performers: Performers | UnsetType = UNSET
    summary: Line | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    minutes: Minutes | UnsetType | None = UNSET
    age_from: Age | UnsetType | None = UNSET
    website: Url | UnsetType | None = UNSET
    picture_text: Line | UnsetType | None = UNSET
    archived: bool | UnsetType = UNSET
    translations: Translations | UnsetType = UNSET


class AddSample(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which sample: a `house` with a few events."""

    sample: Literal["house"]


class NewPerformance(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A production in a hall at a time: RFC 3339, or without an offset by the clocks of the venue,
    as all times here. `minutes` are the production's where it says them, `currency` is that of the
    merchant's profile. `prices` are by category, in minor units: of all categories, or of none
    where it is free. Sale ends when it begins, unless `closes_at` says otherwise."""

    production: ProductionId
    hall: HallId
    starts_at: Moment
    minutes: Minutes | None = None
    doors_at: Moment | None = None
    opens_at: Moment | None = None
    closes_at: Moment | None = None
    currency: Currency | None = None
    prices: Prices = {}
    payment: PaymentRule | UnsetType = UNSET
    pricing: Pricing | None = None
    owner_limit: OwnerLimit | None = OWNER_LIMIT
    hold_seconds: HoldSeconds = HOLD_SECONDS
    hold_seconds_max: HoldSecondsMax = HOLD_SECONDS_MAX
    published: bool = False
    note: Line = ""
    translations: Translations = ()
    questions: Questions = ()


class PerformanceChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a performance is to change, with its resource. Where guests hold or have booked
    places, another `starts_at` wants `moves_sold`. `prices` names those that change; they are for
    new holds."""

    starts_at: Moment | UnsetType = UNSET
    minutes: Minutes | UnsetType = UNSET
    doors_at: Moment | UnsetType | None = UNSET
    opens_at: Moment | UnsetType | None = UNSET
    closes_at: Moment | UnsetType | None = UNSET
    prices: Prices | UnsetType = UNSET
    payment: PaymentRule | UnsetType = UNSET
    pricing: Pricing | UnsetType | None = UNSET
    owner_limit: OwnerLimit | UnsetType | None = UNSET
    hold_seconds: HoldSeconds | UnsetType = UNSET
    hold_seconds_max: HoldSecondsMax | UnsetType = UNSET
    published: bool | UnsetType = UNSET
    state: Literal["open", "closed"] | UnsetType = UNSET
    note: Line | UnsetType = UNSET
    translations: Translations | UnsetType = UNSET
    questions: Questions | UnsetType = UNSET
    moves_sold: bool = False


class Weekly(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """On these days of each week after the performance, the last on `until` at the latest: at the
    time of day of the performance (by the clocks of the venue), or at another `time` (`19:30`)."""

    days: Annotated[tuple[Weekday, ...], Meta(min_length=1, max_length=7)]
    until: date
    time: ClockTime | None = None


class NewCopies(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """At which times a performance is given again: listed, or weekly. Not both."""

    starts_at: Annotated[tuple[Moment, ...], Meta(max_length=COPIES_MAX)] = ()
    weekly: Weekly | None = None
    published: bool | None = None
