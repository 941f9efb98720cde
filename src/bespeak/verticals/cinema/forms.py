"""What an operator says of a catalogue: new cities, cinemas, screens, films and shows, and changes
of them; the same forms over HTTP and in files. A `ref` is what a thing is called by those who keep
it elsewhere; without one, it is made of its names. Its `translations` say what its texts are called
in other languages: of a film also the languages and formats of its shows.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA, Name, PriceAmount
from bespeak.inventory.payment_rules import PaymentRule
from bespeak.inventory.resources import (
    Currency,
    HoldSeconds,
    HoldSecondsMax,
    OwnerLimit,
)
from bespeak.inventory.shapes.registry import AnyPlan
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translations
from bespeak.verticals.cinema import defaults
from bespeak.verticals.cinema.names import Ref

_TEXT_PATTERN = r"^[^\x00]*\Z"
_TEXT_SCHEMA: dict[str, object] = {
    "pattern": r"^[^\x00]*$",
    "description": "text without the character NUL",
    "examples": ["A ship, a storm, and a cook who knows the way."],
}

Country = Annotated[
    str,
    Meta(
        pattern=r"^[A-Z]{2}\Z",
        extra_json_schema={"pattern": "^[A-Z]{2}$"},
        description="a country by its two capital letters (ISO 3166)",
        examples=["IN"],
    ),
]
TimeZone = Annotated[str, Meta(min_length=1, max_length=60)]
Title = Annotated[
    str, Meta(min_length=1, max_length=200, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)
]
Line = Annotated[str, Meta(max_length=300, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)]
Text = Annotated[str, Meta(max_length=4000, pattern=_TEXT_PATTERN, extra_json_schema=_TEXT_SCHEMA)]
Word = Annotated[
    str, Meta(min_length=1, max_length=40, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)
]
Features = Annotated[tuple[Word, ...], Meta(max_length=20)]
Genres = Annotated[tuple[Word, ...], Meta(max_length=10)]
Players = Annotated[tuple[Name, ...], Meta(max_length=30)]
Minutes = Annotated[int, Meta(ge=1, le=1000)]
Cleaning = Annotated[int, Meta(ge=0, le=240)]
Rating = Annotated[str, Meta(max_length=20, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)]
Hue = Annotated[int, Meta(ge=0, le=359)]
Prices = Annotated[dict[Name, PriceAmount], Meta(max_length=100)]
# Decoded among all plans, because a struct with a tag that is alone in its place is taken without
# its tag too. The document says which one is meant.
RoomPlan = Annotated[AnyPlan, Meta(extra_json_schema={"$ref": "#/components/schemas/SeatsPlan"})]
Moment = Annotated[str, Meta(min_length=10, max_length=40)]


class NewCity(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A city: its country (ISO 3166-1, two letters), its time zone (IANA), and the currency in
    which its cinemas sell (ISO 4217)."""

    name: Name
    country: Country
    time_zone: TimeZone
    currency: Currency
    ref: Ref | UnsetType = UNSET
    translations: Translations = ()


class CityChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a city is to change."""

    name: Name | UnsetType = UNSET
    country: Country | UnsetType = UNSET
    translations: Translations | UnsetType = UNSET


class NewCinema(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cinema of a city (its id or reference). Its shows are sold by its `pricing`, where they do
    not have their own."""

    city: Ref
    name: Name
    address: Line = ""
    pricing: Pricing | None = None
    ref: Ref | UnsetType = UNSET
    translations: Translations = ()


class CinemaChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a cinema is to change; its pricing is that of shows which are made from now on."""

    name: Name | UnsetType = UNSET
    address: Line | UnsetType = UNSET
    pricing: Pricing | UnsetType | None = UNSET
    translations: Translations | UnsetType = UNSET


class NewScreen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A screen of a cinema (its id or reference), with its seats. The minutes of cleaning follow
    each of its shows."""

    cinema: Ref
    name: Name
    plan: RoomPlan
    features: Features = ()
    cleaning_minutes: Cleaning = defaults.CLEANING_MINUTES
    ref: Ref | UnsetType = UNSET
    translations: Translations = ()


class ScreenChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a screen is to change. A new plan is that of the shows which are made from now on."""

    name: Name | UnsetType = UNSET
    plan: RoomPlan | UnsetType = UNSET
    features: Features | UnsetType = UNSET
    cleaning_minutes: Cleaning | UnsetType = UNSET
    translations: Translations | UnsetType = UNSET


class NewFilm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A film. Without a picture, its poster is its title on two hues (degrees of the colour
    circle)."""

    title: Title
    minutes: Minutes
    original_title: Title | None = None
    tagline: Line = ""
    synopsis: Text = ""
    rating: Rating = ""
    genres: Genres = ()
    director: Line = ""
    cast: Players = ()
    released: date
    hues: tuple[Hue, Hue] | None = None
    ref: Ref | UnsetType = UNSET
    translations: Translations = ()


class FilmChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a film is to change."""

    title: Title | UnsetType = UNSET
    minutes: Minutes | UnsetType = UNSET
    original_title: Title | UnsetType | None = UNSET
    tagline: Line | UnsetType = UNSET
    synopsis: Text | UnsetType = UNSET
    rating: Rating | UnsetType = UNSET
    genres: Genres | UnsetType = UNSET
    director: Line | UnsetType = UNSET
    cast: Players | UnsetType = UNSET
    released: date | UnsetType = UNSET
    hues: tuple[Hue, Hue] | UnsetType = UNSET
    translations: Translations | UnsetType = UNSET


class NewShow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A film in a screen (their ids or references) at a time: RFC 3339, or without an offset by the
    clocks of the city. `prices` are by category, in minor units of the city's currency; a category
    that is not named has the price of the screen's plan. Guests see it while it is `published`."""

    film: Ref
    screen: Ref
    starts_at: Moment
    language: Word
    subtitles: Word | None = None
    format: Word = defaults.FORMAT
    prices: Prices = {}
    payment: PaymentRule = "required"
    pricing: Pricing | None = None
    hold_seconds: HoldSeconds = defaults.HOLD_SECONDS
    hold_seconds_max: HoldSecondsMax = defaults.HOLD_SECONDS_MAX
    owner_limit: OwnerLimit | None = defaults.OWNER_LIMIT
    published: bool = True
    ref: Ref | UnsetType = UNSET
    translations: Translations = ()


class ShowChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a show is to change, with its resource."""

    starts_at: Moment | UnsetType = UNSET
    language: Word | UnsetType = UNSET
    subtitles: Word | UnsetType | None = UNSET
    format: Word | UnsetType = UNSET
    prices: Prices | UnsetType = UNSET
    state: Literal["open", "closed"] | UnsetType = UNSET
    published: bool | UnsetType = UNSET
    translations: Translations | UnsetType = UNSET


Cities = Annotated[tuple[NewCity, ...], Meta(max_length=10_000)]
Cinemas = Annotated[tuple[NewCinema, ...], Meta(max_length=10_000)]
Screens = Annotated[tuple[NewScreen, ...], Meta(max_length=20_000)]
Films = Annotated[tuple[NewFilm, ...], Meta(max_length=20_000)]
Shows = Annotated[tuple[NewShow, ...], Meta(max_length=50_000)]


class Catalogue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A catalogue, or a part of one, as a file has it."""

    cities: Cities = ()
    cinemas: Cinemas = ()
    screens: Screens = ()
    films: Films = ()
    shows: Shows = ()
