"""The cities, cinemas, screens and films of the demo, from the lists beside this module, in the
form in which any catalogue is imported.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache
from importlib import resources
from typing import TypeVar

import msgspec

from bespeak.pricing.rules import Cancellation, Fee, Pricing, RefundTier, Tax
from bespeak.translations import Translation, merged
from bespeak.verticals.cinema.defaults import CLEANING_MINUTES
from bespeak.verticals.cinema.demo.rooms import KINDS, ROOMS, DemoRoom
from bespeak.verticals.cinema.forms import Catalogue, NewCinema, NewCity, NewFilm, NewScreen
from bespeak.verticals.cinema.show_plan import with_prices

PREFIX = "demo:"
_HOUR = 3600
_FEE = "Booking fee"
_OF_CITY = ("name", "country", "time_zone", "currency", "ref")
_RELEASE_DAYS = 3
_Form = TypeVar("_Form")


class DemoCinema(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cinema: the shapes of its screens, in the order of their numbers."""

    name: str
    address: str
    screens: tuple[str, ...]


class DemoCity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A city: what a usual seat costs there, to what a price is rounded (both in minor units), its
    tax (in basis points), the languages that people go and see, the first most, and in which they
    read what they do not understand."""

    name: str
    country: str
    time_zone: str
    currency: str
    base_price: int
    price_step: int
    tax: tuple[str, int]
    languages: tuple[str, ...]
    subtitles: str
    cinemas: tuple[DemoCinema, ...]

    @property
    def ref(self) -> str:
        return f"{PREFIX}{self.name.lower()}"


class DemoFilm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A film, its language, and the formats in which it was made. Those that draw the largest
    crowds come first in the list."""

    title: str
    language: str
    minutes: int
    genres: tuple[str, ...]
    rating: str
    director: str
    cast: tuple[str, ...]
    tagline: str
    synopsis: str
    formats: tuple[str, ...]
    hues: tuple[int, int]
    original_title: str | None

    @property
    def ref(self) -> str:
        return f"{PREFIX}{self.title.lower()}"


@cache
def cities() -> tuple[DemoCity, ...]:
    return _read("places.json", tuple[DemoCity, ...])


@cache
def films() -> tuple[DemoFilm, ...]:
    return _read("films.json", tuple[DemoFilm, ...])


def poster(film: DemoFilm) -> str:
    """The picture of a film, as SVG; its file is named after the title."""
    name = "-".join(re.findall(r"[a-z0-9]+", film.title.lower().replace("'", "")))
    file = resources.files(__package__).joinpath("posters", f"{name}.svg")
    return file.read_text(encoding="utf-8").strip()


def cinema_ref(city: DemoCity, cinema: DemoCinema) -> str:
    return f"{city.ref}/{cinema.name.lower()}"


def screen_ref(city: DemoCity, cinema: DemoCinema, number: int) -> str:
    """How a screen is found again; numbers begin at 1."""
    return f"{cinema_ref(city, cinema)}/{number}"


def price(city: DemoCity, kind: str, factor: float = 1.0) -> int:
    """What a kind of seat costs in a city, in minor units, rounded to what is usual there."""
    exact = city.base_price * KINDS[kind].factor * factor
    return max(city.price_step, round(exact / city.price_step) * city.price_step)


def prices(city: DemoCity, room: DemoRoom, factor: float = 1.0) -> dict[str, int]:
    return {category.name: price(city, category.name, factor) for category in room.plan.categories}


def catalogue(today: date) -> Catalogue:
    """All of it but the shows; the films came out in the months before `today`."""
    return Catalogue(
        cities=tuple(
            NewCity(
                **{field: getattr(city, field) for field in _OF_CITY},
                translations=in_other_languages(city.name),
            )
            for city in cities()
        ),
        cinemas=tuple(
            NewCinema(
                city=city.ref,
                name=cinema.name,
                address=cinema.address,
                pricing=_pricing(city),
                ref=cinema_ref(city, cinema),
                translations=in_other_languages(_FEE, city.tax[0]),
            )
            for city in cities()
            for cinema in city.cinemas
        ),
        screens=tuple(
            _screen(city, cinema, number, ROOMS[shape])
            for city in cities()
            for cinema in city.cinemas
            for number, shape in enumerate(cinema.screens, start=1)
        ),
        films=tuple(_film(film, place, today) for place, film in enumerate(films())),
    )


def _pricing(city: DemoCity) -> Pricing:
    """A booking fee for each seat, the tax in all of it, and a policy for who cannot come."""
    name, basis_points = city.tax
    fee = max(city.price_step, round(city.base_price / 15 / city.price_step) * city.price_step)
    return Pricing(
        fees=(Fee(_FEE, amount=fee),),
        taxes=(Tax(name, basis_points, included=True),),
        cancellation=Cancellation(
            free_until_seconds=24 * _HOUR, tiers=(RefundTier(2 * _HOUR, 5000),)
        ),
    )


def _screen(city: DemoCity, cinema: DemoCinema, number: int, room: DemoRoom) -> NewScreen:
    named = room.name not in ("Long", "Wide", "Arc", "Classic", "Studio")
    kind = room.name if named else "Screen"
    return NewScreen(
        cinema=cinema_ref(city, cinema),
        name=f"{kind} {number}",
        plan=msgspec.structs.replace(
            with_prices(room.plan, prices(city, room)), translations=_of_room(room)
        ),
        features=room.features,
        cleaning_minutes=CLEANING_MINUTES,
        ref=screen_ref(city, cinema, number),
        translations=merged(
            in_other_languages(*room.features),
            tuple(
                Translation(one.language, {f"{kind} {number}": said.replace("#", str(number))})
                for one in in_other_languages(f"{kind} #")
                for said in one.words.values()
            ),
        ),
    )


@cache
def _of_room(room: DemoRoom) -> tuple[Translation, ...]:
    """What a room's own plan says in other languages."""
    plan = room.plan
    names = [part.name for part in plan.sections] + [part.name for part in plan.categories]
    label = plan.stage.label if plan.stage is not None else None
    return in_other_languages(*names, label or "")


def in_other_languages(*texts: str) -> tuple[Translation, ...]:
    """What these texts are called, of those that the list beside this module has."""
    found = (
        (language, {text: words[text] for text in texts if text in words})
        for language, words in _words().items()
    )
    return tuple(Translation(language, words) for language, words in found if words)


def _film(film: DemoFilm, place: int, today: date) -> NewFilm:
    said = msgspec.structs.asdict(film)
    del said["language"], said["formats"]  # those of its shows
    released = today - timedelta(days=1 + _RELEASE_DAYS * place)
    shown = (film.language, *film.formats, *{city.subtitles for city in cities()})
    texts = (film.title, film.tagline, film.synopsis, film.rating, *film.genres, *sorted(shown))
    return NewFilm(**said, released=released, ref=film.ref, translations=in_other_languages(*texts))


@cache
def _words() -> dict[str, dict[str, str]]:
    return _read("words.json", dict[str, dict[str, str]])


def _read(name: str, form: type[_Form]) -> _Form:
    text = resources.files(__package__).joinpath(name).read_bytes()
    return msgspec.json.decode(text, type=form)
