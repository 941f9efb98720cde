"""What may be asked of stays, as the queries of its calls."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA
from bespeak.inventory.resources import Currency
from bespeak.translations import LanguageName
from bespeak.verticals.fields import Cursor, PageLimit, Search
from bespeak.verticals.stays.forms import Guests, Latitude, Longitude, PropertyId

RADIUS_METRES, RADIUS_METRES_MAX = 10_000, 100_000
BOX_DEGREES_MAX = 20
CORNERS_MIN, CORNERS_MAX = 3, 100
ZOOM_MAX = 22
FLEXIBLE_DAYS_MAX = 7
WINDOW_DAYS_MAX = 62
PRICE_MAX = 1_000_000_000_000
STAY_ROOMS_MAX = 50
BOARD_DAYS_MAX, FIGURES_DAYS_MAX = 62, 366
StaysOrder = Literal["distance", "price", "rating", "recommended"]
_Date = date  # the name of a field too
_Chosen = Annotated[str, Meta(max_length=400)]
_Box = Annotated[
    str,
    Meta(
        max_length=120,
        description="west,south,east,north, in degrees",
        examples=["9.7,53.4,10.3,53.7"],
    ),
]
_Polygon = Annotated[
    str,
    Meta(
        max_length=5000,
        description="lon,lat;lon,lat;... in degrees, from 3 to 100 points",
        examples=["9.9,53.5;10.1,53.5;10,53.6"],
    ),
]
_Weekdays = Annotated[
    str,
    Meta(max_length=60, description="days of the week, with commas", examples=["fri,sat"]),
]
_Ages = Annotated[
    str,
    Meta(max_length=200, description="ages from 0 to 17, with commas", examples=["4,9"]),
]
_TEXT_SCHEMA: dict[str, object] = {**NAME_SCHEMA, "examples": ["haus ham"]}
_Text = Annotated[str, Meta(max_length=60, pattern=NAME_PATTERN, extra_json_schema=_TEXT_SCHEMA)]


class StayPictureQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """In which size: whole (up to 1600 pixels wide), or for a card (up to 640)."""

    size: Literal["whole", "card"] = "whole"


class PropertyQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which properties: all, or those with all these words in name, town or reference."""

    search: Search = ""
    after: Cursor | None = None
    limit: PageLimit = 50
    lang: LanguageName | None = None


class PropertyTextsQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """In which language the texts are."""

    lang: LanguageName | None = None


class ListingsQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which listings: all, or those of a property."""

    property: PropertyId | None = None
    after: Cursor | None = None
    limit: PageLimit = 50
    lang: LanguageName | None = None


class ListingQuestion(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}
):
    """Which nights of the listing's calendar: `days` of them from a date on (today, where none is
    said), for so many `rooms`."""

    from_: date | None = None
    days: Annotated[int, Meta(ge=1, le=365)] = 30
    rooms: Annotated[int, Meta(ge=1, le=STAY_ROOMS_MAX)] = 1
    lang: LanguageName | None = None


class RatesQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of which stay: from `start` to `end`, the day of departure, for so many `guests` in so many
    `rooms`; `ages` are those of the children among them, with commas."""

    start: date | None = None
    end: date | None = None
    guests: Guests = 1
    ages: _Ages = ""
    rooms: Annotated[int, Meta(ge=1, le=STAY_ROOMS_MAX)] = 1
    lang: LanguageName | None = None


class PartyQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """For which stay and party: from `start` to `end`, the day of departure, for so many `guests`;
    `ages` are those of the children among them, with commas."""

    start: date | None = None
    end: date | None = None
    guests: Guests = 1
    ages: _Ages = ""
    lang: LanguageName | None = None


class StaysQuestion(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}
):
    """Where, when, for how many, at what price. Where is a circle (`lat`, `lon` and `radius`), a
    `box` or a `polygon`, only one of them. The stay is from `start` to `end`, the day of departure,
    and `flexible` lets it begin so many days earlier or later; or it is any of so many `nights`
    between two days, `from` and `to`, which begins on one of these weekdays (`arrive`). Without
    dates everything there is found, free or not. `text` has words that begin words of a name or a
    town. `guests` in all stay in `rooms` of one listing; `ages` are those of the children among
    them, with commas. `price_max` is the most that one room may cost a night on average, with all
    fees and taxes, in minor units of `currency`. `kinds`, `amenities` and
    `amenities_any` are lists with commas: any of the kinds, all of `amenities`, and at least one of
    `amenities_any`. `rating_min` is what guests think of it at least, on average."""

    lat: Latitude | None = None
    lon: Longitude | None = None
    radius: Annotated[int, Meta(ge=100, le=RADIUS_METRES_MAX)] | None = None
    box: _Box | None = None
    polygon: _Polygon | None = None
    start: date | None = None
    end: date | None = None
    flexible: Annotated[int, Meta(ge=0, le=FLEXIBLE_DAYS_MAX)] = 0
    from_: date | None = None
    to: date | None = None
    nights: Annotated[int, Meta(ge=1, le=WINDOW_DAYS_MAX)] | None = None
    arrive: _Weekdays = ""
    text: _Text = ""
    guests: Guests = 1
    ages: _Ages = ""
    rooms: Annotated[int, Meta(ge=1, le=STAY_ROOMS_MAX)] = 1
    price_max: Annotated[int, Meta(ge=0, le=PRICE_MAX)] | None = None
    currency: Currency | None = None
    kinds: _Chosen = ""
    amenities: _Chosen = ""
    amenities_any: _Chosen = ""
    rating_min: Annotated[float, Meta(ge=1, le=10)] | None = None
    lang: LanguageName | None = None


class SearchQuestion(StaysQuestion, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of what is wanted, in an order."""

    sort: StaysOrder = "distance"
    after: Cursor | None = None
    limit: Annotated[int, Meta(ge=1, le=50)] = 20


class MapQuestion(StaysQuestion, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that is wanted, put together as a map of this `zoom` has room for: 0 has the whole world
    in 256 pixels, each further one has twice as many."""

    zoom: Annotated[int, Meta(ge=0, le=ZOOM_MAX)] = 10


class PlacesQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Towns that are called like this in some language, or all."""

    search: Search = ""
    limit: Annotated[int, Meta(ge=1, le=50)] = 10
    lang: LanguageName | None = None


class BoardQuestion(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}
):
    """Which nights of a board: `days` of them from a date on (today, where none is said); a page of
    `limit` listings."""

    from_: date | None = None
    days: Annotated[int, Meta(ge=1, le=BOARD_DAYS_MAX)] = 14
    after: Cursor | None = None
    limit: PageLimit = 50
    lang: LanguageName | None = None


class ArrivalsQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which day (today, where none is said), and which page."""

    date: _Date | None = None
    after: Cursor | None = None
    limit: PageLimit = 50
    lang: LanguageName | None = None


class FiguresQuestion(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}
):
    """Which nights: `days` of them from a date on (today, where none is said)."""

    from_: date | None = None
    days: Annotated[int, Meta(ge=1, le=FIGURES_DAYS_MAX)] = 30
