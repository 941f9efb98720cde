"""What an operator says of stays: new properties and listings, and changes of them. Their
`translations` say what their texts are called in other languages.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA, Name, PriceAmount
from bespeak.inventory.payment_rules import PaymentRule
from bespeak.inventory.questions import Questions
from bespeak.inventory.resources import Currency, HoldSeconds, HoldSecondsMax, OwnerLimit
from bespeak.inventory.shapes.nights.plan import CheckInTime
from bespeak.inventory.shapes.registry import AnyPlan
from bespeak.merchants.profile import Country, TimeZone, Url
from bespeak.pricing.rules import Pricing
from bespeak.translations import LanguageName, Translations
from bespeak.verticals.fields import City, Description, Line, Lines
from bespeak.verticals.stays.names import PICTURE_PATTERN, PROPERTY_PATTERN
from bespeak.verticals.stays.words import Amenity, BedKind, PropertyKind

PICTURES_MAX = 20
RATINGS_MAX = 10_000_000
HOLD_SECONDS, HOLD_SECONDS_MAX = 900, 1800
"""How long a room is kept while a guest pays, and at most with extensions."""

Reference = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=60,
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z",
        extra_json_schema={
            "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$",
            "description": "letters, digits, dots, dashes and underscores",
            "examples": ["harbour-hotel"],
        },
    ),
]
PropertyId = Annotated[str, Meta(extra_json_schema={"pattern": PROPERTY_PATTERN}, max_length=60)]
PictureId = Annotated[
    str,
    Meta(
        pattern=PICTURE_PATTERN,
        description="the id of a picture that was sent",
        examples=["5f0c6dbb1d8e4c0f9a3b7e2d4c6a8b10"],
    ),
]
Latitude = Annotated[float, Meta(ge=-90, le=90)]
Longitude = Annotated[float, Meta(ge=-180, le=180)]
Stars = Annotated[int, Meta(ge=1, le=5)]
Guests = Annotated[int, Meta(ge=1, le=50)]
Amenities = Annotated[tuple[Amenity, ...], Meta(max_length=40)]
Languages = Annotated[tuple[LanguageName, ...], Meta(max_length=20)]
# Decoded among all plans, because a struct with a tag that is alone in its place is taken without
# its tag too. The document says which one is meant.
ListingPlan = Annotated[
    AnyPlan, Meta(extra_json_schema={"$ref": "#/components/schemas/NightsPlan"})
]


class Beds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many beds of a kind."""

    kind: BedKind
    count: Annotated[int, Meta(ge=1, le=50)] = 1


class ShownPicture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture that was sent, and what is to be seen in it, for who does not see it."""

    id: PictureId
    description: Line = ""


class RatedElsewhere(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What guests think of a property on another platform: their `rating` on average (1 to 10, one
    decimal), how many `ratings`, and where they stand (`source`), which guests read."""

    rating: Annotated[float, Meta(ge=1, le=10)]
    ratings: Annotated[int, Meta(ge=1, le=RATINGS_MAX)]
    source: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=100,
            pattern=NAME_PATTERN,
            extra_json_schema={**NAME_SCHEMA, "examples": ["Guest survey 2026"]},
        ),
    ]


Pictures = Annotated[tuple[ShownPicture, ...], Meta(max_length=PICTURES_MAX)]


class NewProperty(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A house where one stays: what it is, where it is (degrees, WGS 84), by which clock
    (IANA), and from when until when its rooms are entered and left. `ref` is your own name of it,
    one in a workspace."""

    name: Name
    kind: PropertyKind
    lat: Latitude
    lon: Longitude
    time_zone: TimeZone
    ref: Reference | None = None
    stars: Stars | None = None
    address: Line = ""
    city: City = ""
    country: Country | None = None
    check_in_time: CheckInTime = "15:00"
    check_out_time: CheckInTime = "11:00"
    summary: Line = ""
    description: Description = ""
    house_rules: Lines = ""
    amenities: Amenities = ()
    languages: Languages = ()
    website: Url | None = None
    rated_elsewhere: RatedElsewhere | None = None
    pictures: Pictures = ()
    translations: Translations = ()


class PropertyChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a property is to change; its listings are told. Its time zone changes only while it
    has no listing."""

    name: Name | UnsetType = UNSET
    kind: PropertyKind | UnsetType = UNSET
    lat: Latitude | UnsetType = UNSET
    lon: Longitude | UnsetType = UNSET
    time_zone: TimeZone | UnsetType = UNSET
    ref: Reference | UnsetType | None = UNSET
    stars: Stars | UnsetType | None = UNSET
    address: Line | UnsetType = UNSET
    city: City | UnsetType = UNSET
    country: Country | UnsetType | None = UNSET
    check_in_time: CheckInTime | UnsetType = UNSET
    check_out_time: CheckInTime | UnsetType = UNSET
    summary: Line | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    house_rules: Lines | UnsetType = UNSET
    amenities: Amenities | UnsetType = UNSET
    languages: Languages | UnsetType = UNSET
    website: Url | UnsetType | None = UNSET
    rated_elsewhere: RatedElsewhere | UnsetType | None = UNSET
    pictures: Pictures | UnsetType = UNSET
    translations: Translations | UnsetType = UNSET


class NewListing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one books at a property: a type of room of which there are several, exact rooms, or all
    of a house, as its `plan` of nights says; for so many `guests` a room. `price` is that of a
    night and room where the plan says no other, in minor units of `currency`, which is that of the
    merchant's profile unless it is said. The plan's check-in time is the property's."""

    property: PropertyId
    name: Name
    guests: Guests
    plan: ListingPlan
    ref: Reference | None = None
    price: PriceAmount = 0
    currency: Currency | None = None
    beds: Annotated[tuple[Beds, ...], Meta(max_length=20)] = ()
    square_metres: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    amenities: Amenities = ()
    summary: Line = ""
    description: Description = ""
    pictures: Pictures = ()
    payment: PaymentRule | UnsetType = UNSET
    pricing: Pricing | None = None
    owner_limit: OwnerLimit | None = None
    hold_seconds: HoldSeconds = HOLD_SECONDS
    hold_seconds_max: HoldSecondsMax = HOLD_SECONDS_MAX
    published: bool = False
    translations: Translations = ()
    questions: Questions = ()


class ListingFields(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a listing can change, with its resource."""

    name: Name | UnsetType = UNSET
    guests: Guests | UnsetType = UNSET
    plan: ListingPlan | UnsetType = UNSET
    ref: Reference | UnsetType | None = UNSET
    price: PriceAmount | UnsetType = UNSET
    beds: Annotated[tuple[Beds, ...], Meta(max_length=20)] | UnsetType = UNSET
    square_metres: Annotated[int, Meta(ge=1, le=10_000)] | UnsetType | None = UNSET
    amenities: Amenities | UnsetType = UNSET
    summary: Line | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    pictures: Pictures | UnsetType = UNSET
    payment: PaymentRule | UnsetType = UNSET
    pricing: Pricing | UnsetType | None = UNSET
    owner_limit: OwnerLimit | UnsetType | None = UNSET
    hold_seconds: HoldSeconds | UnsetType = UNSET
    hold_seconds_max: HoldSecondsMax | UnsetType = UNSET
    published: bool | UnsetType = UNSET
    translations: Translations | UnsetType = UNSET
    questions: Questions | UnsetType = UNSET


class ListingChange(ListingFields, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a listing is to change, with its resource. Prices and rules are for new holds.
    `version`, if given, must be the present one."""

    version: int | UnsetType = UNSET
