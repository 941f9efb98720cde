"""What the catalogue answers: cities, films, shows, cinemas and screens as a page of the box office
shows them. Times are by the clocks of the city, with its time zone beside them. An answer in a
language has its texts translated; without one it has them as they were typed, with `translations`.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translations

ShowState = Literal["on_sale", "not_yet", "sold_out", "closed", "called_off"]
Hues = tuple[int, int]


class City(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A city, with how many cinemas it has and how many shows are to come."""

    id: str
    name: str
    country: str
    time_zone: str
    currency: str
    cinemas: int
    shows: int
    translations: Translations = ()


class Cities(msgspec.Struct, frozen=True):
    """All cities, by name."""

    items: list[City]
    next: str | None = None


class NextShow(msgspec.Struct, frozen=True, kw_only=True):
    """The next show of a film that matches what was asked."""

    id: str
    starts_at: datetime
    time_zone: str
    city_id: str


class Film(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A film. Languages, formats, the next show and the number of shows are of those that are still
    to come and match what was asked; `poster` changes its address when the picture changes."""

    id: str
    title: str
    original_title: str | None
    tagline: str
    synopsis: str
    minutes: int
    rating: str
    genres: list[str]
    languages: list[str]
    formats: list[str]
    released: date
    director: str
    cast: list[str]
    poster: str
    hues: Hues
    next_show: NextShow | None
    shows: int
    translations: Translations = ()


class Facets(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is left to choose of each filter while the others stay as they are: as a query names it.
    In an answer in a language `words` say what these are called, by the films of the page."""

    languages: list[str]
    formats: list[str]
    genres: list[str]
    dates: list[date]
    words: dict[str, str] = {}


class Films(msgspec.Struct, frozen=True):
    """A page of films; `next` is the cursor of the one after, null at the end."""

    items: list[Film]
    next: str | None
    facets: Facets


class FilmOfShow(msgspec.Struct, frozen=True, kw_only=True):
    """What a show tells of its film."""

    id: str
    title: str
    minutes: int
    rating: str
    poster: str
    hues: Hues


class CityOfCinema(msgspec.Struct, frozen=True):
    """What a cinema tells of its city."""

    id: str
    name: str


class CinemaOfShow(msgspec.Struct, frozen=True, kw_only=True):
    """What a show tells of its cinema."""

    id: str
    name: str
    address: str
    city: CityOfCinema


class ScreenOfShow(msgspec.Struct, frozen=True, kw_only=True):
    """What a show tells of its screen."""

    id: str
    name: str
    features: list[str]


class Show(msgspec.Struct, frozen=True, kw_only=True):
    """A show; its id is that of the resource. `price_from` is the lowest price in minor units,
    without fees and demand; seats that are held or blocked are not free."""

    id: str
    film: FilmOfShow
    cinema: CinemaOfShow
    screen: ScreenOfShow
    starts_at: datetime
    ends_at: datetime
    time_zone: str
    language: str
    subtitles: str | None
    format: str
    accessible: bool
    price_from: int
    currency: str
    units_total: int
    units_free: int
    state: ShowState
    published: bool


class Shows(msgspec.Struct, frozen=True):
    """A page of shows, by time."""

    items: list[Show]
    next: str | None


class Cinema(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A cinema, with how many screens it has. Its pricing, by which shows are sold that do not have
    their own, is told where one cinema is asked for; its codes only to who sells."""

    id: str
    name: str
    address: str
    city: CityOfCinema
    time_zone: str
    screens: int
    pricing: Pricing | None = None
    translations: Translations = ()


class Cinemas(msgspec.Struct, frozen=True):
    """A page of cinemas, by name."""

    items: list[Cinema]
    next: str | None


class Screen(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A screen, with how many seats and places to stand it has. Its plan is told where one screen
    is asked for."""

    id: str
    cinema: CityOfCinema
    name: str
    features: list[str]
    cleaning_minutes: int
    seats: int
    accessible: bool
    plan: SeatsPlan | None = None
    translations: Translations = ()


class Screens(msgspec.Struct, frozen=True):
    """A page of screens, by name."""

    items: list[Screen]
    next: str | None


PageLimit = Annotated[int, Meta(ge=1, le=200)]
