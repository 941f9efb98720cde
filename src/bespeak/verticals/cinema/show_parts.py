"""What shows are made of: a screen and a film, each with all that a show needs to know of it."""

from __future__ import annotations

from dataclasses import dataclass

from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.pricing.rules import Pricing
from bespeak.translations import Translation


@dataclass(frozen=True)
class ScreenOfShows:
    """A screen with all that a show in it needs to know."""

    screen_id: str
    number: int
    name: str
    cleaning_minutes: int
    plan: SeatsPlan
    cinema_id: str
    cinema_name: str
    address: str
    pricing: Pricing | None
    city_id: str
    city_name: str
    time_zone: str
    currency: str
    translations: tuple[Translation, ...] = ()


@dataclass(frozen=True)
class FilmOfShows:
    """A film with all that a show of it needs to know."""

    film_id: str
    title: str
    minutes: int
    rating: str = ""
    translations: tuple[Translation, ...] = ()
