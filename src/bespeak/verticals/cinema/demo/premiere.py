"""The premiere of the demo: a film, a small hall that nothing else is shown in, and evenings on
which it is shown there. Its waiting room is the demo's business, which stands above.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import msgspec

from bespeak.postgres.queries import load
from bespeak.verticals.cinema import shows
from bespeak.verticals.cinema.catalogue_changes import put_film, put_screen
from bespeak.verticals.cinema.demo.places import (
    DemoCity,
    cinema_ref,
    cities,
    in_other_languages,
    prices,
)
from bespeak.verticals.cinema.demo.programme import FEATURED
from bespeak.verticals.cinema.demo.rooms import CELLAR
from bespeak.verticals.cinema.forms import NewFilm, NewScreen, NewShow
from bespeak.verticals.cinema.names import FILM, SCREEN, id_of
from bespeak.verticals.cinema.show_plan import schedule, with_prices

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.inventory.resources import Resource
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.cinema.demo", "premiere.sql")
# Not that of the week's programme, which is told apart by its prefix.
_REF = "premiere:the last comet"
_HALL = "Premiere hall"
_BEGINS = time(20)
_LANGUAGE = "English"


async def make_premiere(engine: Engine, connection: Connection, now: datetime) -> Resource:
    """A show of the film on the next evening on which the hall is free, in the transaction of the
    caller: nothing of it is sold, and two seats are what one may buy."""
    city = _city()
    await put_screen(connection, _hall(city), update=True)
    await put_film(connection, _film(now), update=True)
    await shows.take_screens(connection, [id_of(SCREEN, _REF)])
    new = NewShow(
        film=_REF,
        screen=_REF,
        starts_at=(await _evening(connection, city, now)).isoformat(),
        language=_LANGUAGE,
        prices=prices(city, CELLAR, 1.5),
    )
    rooms = await shows.rooms(connection, [id_of(SCREEN, _REF)])
    titles = await shows.titles(connection, [id_of(FILM, _REF)])
    planned = schedule(new, shows.named_room(rooms, new), shows.named_title(titles, new))
    (made,) = await shows.create_shows(engine, connection, [planned])
    return made


async def _evening(connection: Connection, city: DemoCity, now: datetime) -> datetime:
    """Tomorrow, or the evening after the last one that the hall has a show on."""
    zone = ZoneInfo(city.time_zone)
    last = await connection.fetchval(_QUERIES["last_evening"], id_of(SCREEN, _REF), now)
    after = max(now, last or now).astimezone(zone).date()
    return datetime.combine(after + timedelta(days=1), _BEGINS, zone)


def _city() -> DemoCity:
    """The city of the screen that visitors try first."""
    name, _ = FEATURED
    return next(city for city in cities() if any(cinema.name == name for cinema in city.cinemas))


def _hall(city: DemoCity) -> NewScreen:
    name, _ = FEATURED
    cinema = next(cinema for cinema in city.cinemas if cinema.name == name)
    label = "" if CELLAR.plan.stage is None else CELLAR.plan.stage.label or ""
    words = in_other_languages("Stalls", "standard", label)
    plan = with_prices(CELLAR.plan, prices(city, CELLAR))
    return NewScreen(
        cinema=cinema_ref(city, cinema),
        name=_HALL,
        plan=msgspec.structs.replace(plan, translations=words),
        ref=_REF,
        translations=in_other_languages(_HALL),
    )


def _film(now: datetime) -> NewFilm:
    film = NewFilm(
        title="The Last Comet",
        minutes=128,
        tagline="It passes once. Be there.",
        synopsis="An observatory is to close on the night on which the comet comes by. Three who "
        "have not spoken for years meet at its telescope.",
        rating="12+",
        genres=("Science fiction", "Drama"),
        director="Imogen Tarrow",
        cast=("Thea Lindqvane", "Rufus Adeyinka"),
        released=now.date(),
        hues=(232, 36),
        ref=_REF,
    )
    texts = (film.title, film.tagline, film.synopsis, film.rating, *film.genres, _LANGUAGE, "2D")
    return msgspec.structs.replace(film, translations=in_other_languages(*texts))
