"""What stays answer: properties and listings as the pages of a shop and the console show them, the
calendar of a listing, and what a search found. An answer in a language has its texts translated;
without one it has them as they were typed, with `translations`.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

import msgspec

from bespeak.inventory.payment_rules import PaymentRule
from bespeak.inventory.plans import Reason
from bespeak.inventory.questions import Questions
from bespeak.inventory.shapes.nights.availability import CalendarNight
from bespeak.inventory.shapes.nights.plan import NightsPlan
from bespeak.inventory.shapes.nights.rates import Meals
from bespeak.lines import Line
from bespeak.money import Money
from bespeak.pricing.quotes import Quote
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translations
from bespeak.verticals.stays.forms import Beds, RatedElsewhere
from bespeak.verticals.stays.words import Amenity, PlaceSource, PropertyKind

_Date = date  # the name of a field too


class StayPicture(msgspec.Struct, frozen=True):
    """A picture of a property or a listing: where it is, how large (in pixels), and what is to be
    seen in it. With `size=card` its address has a smaller one, at most 640 pixels wide."""

    id: str
    path: str
    width: int
    height: int
    description: str


class Property(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A property, with how many listings it has that the caller may see. `rating` is what guests
    think of it on average (1 to 10), here and elsewhere, and `ratings` how many of them."""

    id: str
    ref: str | None
    name: str
    kind: PropertyKind
    stars: int | None
    address: str
    city: str
    country: str | None
    lat: float
    lon: float
    time_zone: str
    check_in_time: str
    check_out_time: str
    summary: str
    description: str
    house_rules: str
    amenities: list[Amenity]
    languages: list[str]
    website: str | None
    listings: int
    rating: float | None
    ratings: int
    rated_elsewhere: RatedElsewhere | None = None
    pictures: list[StayPicture] = []
    translations: Translations = ()
    replayed: bool = False


class Properties(msgspec.Struct, frozen=True):
    """A page of properties, by name."""

    items: list[Property]
    next: str | None


class Calendar(msgspec.Struct, frozen=True, kw_only=True):
    """The nights of a listing from `from` until before `to`. One can arrive from `first_arrival`
    on, and depart on `last_departure` at the latest."""

    from_: date = msgspec.field(name="from")
    to: date
    first_arrival: date
    last_departure: date
    rooms: int
    nights: list[CalendarNight]


class Listing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A listing; its id is that of the resource, by which it is held. `price` is that of a night
    and room where no rule says another. `calendar` is told where one listing is asked for; `plan`
    and `version`, which rises with every change, to those who sell."""

    id: str
    ref: str | None
    property: Property
    name: str
    guests: int
    rooms: int
    beds: list[Beds]
    square_metres: int | None
    amenities: list[Amenity]
    summary: str
    description: str
    price: Money
    payment: PaymentRule
    pricing: Pricing | None
    owner_limit: int | None
    hold_seconds: int
    hold_seconds_max: int
    state: str
    published: bool
    pictures: list[StayPicture] = []
    questions: Questions = ()
    plan: NightsPlan | None = None
    version: int | None = None
    calendar: Calendar | None = None
    translations: Translations = ()
    replayed: bool = False


class StayReason(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A rule that a stay breaks: at which date, and how many `nights` or `days` ahead it asks for;
    with a `rate`, it is one of that rate."""

    reason: Reason
    date: _Date
    nights: int | None = None
    days: int | None = None
    rate: str | None = None


class StayRate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A rate of a stay. `rate` is what a line says (null: the usual one, which has no name), and
    `name` what guests read. Where it is `sold`, it costs `price` in all, as the `quote` says part
    by part, and `price_per_night` a room and night on average; otherwise `reasons` say why not."""

    rate: str | None
    name: str | None
    meals: Meals
    sold: bool
    price: Money | None = None
    price_per_night: Money | None = None
    quote: Quote | None = None
    reasons: list[StayReason] = []


class StayRates(msgspec.Struct, frozen=True):
    """The rates of a stay: the usual one, then those to choose from."""

    items: list[StayRate]
    next: str | None = None


class PartyRoom(msgspec.Struct, frozen=True):
    """So many rooms of a listing, by the name that guests read."""

    name: str
    rooms: int


class PartyRooms(msgspec.Struct, frozen=True, kw_only=True):
    """Rooms of a property for a party: the `lines` that a hold of them has, and what each is of
    (`rooms`, in the same order); the `price` in all, and the `quote` that says it part by part.
    Empty and null where the party cannot be placed."""

    rooms: list[PartyRoom]
    lines: list[Line]
    price: Money | None
    quote: Quote | None


class Listings(msgspec.Struct, frozen=True):
    """A page of listings, by name."""

    items: list[Listing]
    next: str | None


class FoundProperty(msgspec.Struct, frozen=True, kw_only=True):
    """What a search tells of a property. `rating` is what guests think of it on average (1 to 10),
    and `ratings` how many of them."""

    id: str
    name: str
    kind: PropertyKind
    stars: int | None
    city: str
    country: str | None
    lat: float
    lon: float
    rating: float | None
    ratings: int


class FoundListing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A listing that can be had as it was asked for: `rooms` of it for the `nights` from `start` to
    `end` cost `price`, with all fees and taxes, at the cheapest `rate` (absent: the usual one), and
    `price_per_night` is what one room costs in one of them on average. `free` is how many rooms are
    free through all of the stay. Without dates, `price` is absent, and `price_per_night` is what a
    night costs where no rule says another, without fees and taxes that are added. `picture` is the
    first of the listing, or of its property where it has none."""

    id: str
    name: str
    property: FoundProperty
    distance_metres: int
    guests: int
    beds: list[Beds]
    amenities: list[Amenity]
    summary: str
    rooms: int
    price_per_night: Money
    price: Money | None = None
    start: date | None = None
    end: date | None = None
    nights: int | None = None
    free: int | None = None
    rate: str | None = None
    picture: StayPicture | None = None


class StayFacet(msgspec.Struct, frozen=True):
    """A value that one can filter by, and how many of what was found have it."""

    value: str
    count: int


class StayFacets(msgspec.Struct, frozen=True):
    """What is left to choose of each filter, among all that was found. Of `ratings` the value is
    the least: `8` counts those that are rated 8.0 or better."""

    kinds: list[StayFacet]
    amenities: list[StayFacet]
    ratings: list[StayFacet]


class NearlyFound(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing of a question changed, and how many are found then. It says the values that are to
    be asked instead: other dates, a night less, more rooms, a wider circle, a higher price, a lower
    rating, or no amenities or kinds."""

    kind: Literal[
        "other_dates",
        "shorter",
        "more_rooms",
        "further",
        "dearer",
        "lower_rating",
        "fewer_wishes",
    ]
    found: int
    start: date | None = None
    end: date | None = None
    nights: int | None = None
    rooms: int | None = None
    radius: int | None = None
    price_max: int | None = None
    rating_min: float | None = None
    amenities: list[Amenity] | None = None
    amenities_any: list[Amenity] | None = None
    kinds: list[PropertyKind] | None = None


class SearchAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A page of what was found. `found` is how many there are in all; with `more`, how many of
    those that were looked at, nearest to the middle: there are too many. `nearly` is on the first
    page where dates were asked and little was found: what would find more. `as_of` the time for
    which it holds, and `stale` says that it is some seconds old, because the database does not
    answer, or nobody numbers its events. `currency` is that of `price_max` and of the orders that
    look at prices."""

    items: list[FoundListing]
    next: str | None
    found: int
    more: bool
    facets: StayFacets
    nearly: list[NearlyFound]
    currency: str | None
    as_of: datetime
    stale: bool


class StayMarker(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What lies together on a map: `count` listings around the middle of them, and what the
    cheapest costs a night, of those in the currency that most of them have. `start` and `end` are
    the stay of the cheapest. A single listing has its `id`, `name`, `property` and first `picture`;
    several of one property have those of the cheapest of them."""

    lat: float
    lon: float
    count: int
    price_per_night: Money
    start: date | None = None
    end: date | None = None
    id: str | None = None
    name: str | None = None
    property: FoundProperty | None = None
    picture: StayPicture | None = None


class StaysMap(msgspec.Struct, frozen=True, kw_only=True):
    """What was found, as markers of a map, from north to south; `zoom` is that at which they were
    put together, less than was asked for where that has more markers than an answer. `more` is as
    that of a page."""

    items: list[StayMarker]
    next: str | None = None
    found: int
    more: bool
    zoom: int
    currency: str | None
    as_of: datetime
    stale: bool


class StayPlace(msgspec.Struct, frozen=True):
    """A town with listings: its middle, and how many there are. Or, of the `gazetteer`, a town that
    has listings near it: where it is, and how many are within `radius` metres."""

    name: str
    country: str | None
    lat: float
    lon: float
    listings: int
    source: PlaceSource = "listings"
    radius: int | None = None


class StayPlaces(msgspec.Struct, frozen=True):
    """Towns with listings, those that are called most like what was asked for first; then towns
    that have listings near them."""

    items: list[StayPlace]
    next: str | None = None


def stay_picture(digest: str, width: int, height: int, description: str) -> StayPicture:
    """A picture with its address, which no other picture has."""
    return StayPicture(digest, f"/v1/stays/pictures/{digest}", width, height, description)
