"""A week of shows in the cinemas of the demo, drawn with seeded dice: the same seed and day give
the same programme. Each show is a resource of its own, in the time zone of its city, on sale
until it begins.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bespeak.inventory.resources import NewResource
from bespeak.verticals.cinema.films import FILMS, Film
from bespeak.verticals.cinema.rooms import CLASSIC, GRAND, LONG, STUDIO, WIDE, Room

KIND = "show"
HOLD_SECONDS = 420
OWNER_LIMIT = 8
DAYS = 7
_BREAK_MINUTES = 25  # advertisements before, cleaning after
_STEP_MINUTES = 5
_LAST_START = time(22, 30)
_EVENING = time(18, 0)


@dataclass(frozen=True)
class City:
    """A city and the IANA name of its time zone."""

    name: str
    time_zone: str


@dataclass(frozen=True)
class Cinema:
    """A cinema: its rooms in the order of their screen numbers."""

    name: str
    city: City
    rooms: tuple[Room, ...]


@dataclass(frozen=True)
class Slot:
    """A film in a screen at a time."""

    cinema: Cinema
    screen: int
    film: Film
    starts_at: datetime


PUNE = City("Pune", "Asia/Kolkata")
CINEMAS = (
    Cinema("Alka Talkies", PUNE, (GRAND, CLASSIC, WIDE, LONG, STUDIO)),
    Cinema("Riverside Picture House", PUNE, (CLASSIC, WIDE, STUDIO, LONG)),
)


def programme(first_day: date, seed: int = 1) -> list[NewResource]:
    """All shows of the week that begins on `first_day`. An evening show of the first day in a
    room of 300 seats comes first, the others by time."""
    slots = [
        slot
        for cinema in CINEMAS
        for screen in range(1, len(cinema.rooms) + 1)
        for day in range(DAYS)
        for slot in _day(cinema, screen, first_day + timedelta(days=day), seed)
    ]
    slots.sort(key=lambda slot: (slot.starts_at, slot.cinema.name, slot.screen))
    featured = next(slot for slot in slots if _is_featured(slot))
    slots.remove(featured)
    return [_show(slot) for slot in [featured, *slots]]


def tomorrow(now: datetime, city: City = PUNE) -> date:
    """The day after `now` (which has its zone) in the city."""
    return now.astimezone(ZoneInfo(city.time_zone)).date() + timedelta(days=1)


def _day(cinema: Cinema, screen: int, day: date, seed: int) -> Iterator[Slot]:
    """One screen's day: film after film from about ten in the morning to the last start."""
    dice = random.Random(f"{seed} {cinema.name} {screen} {day.isoformat()}")
    zone = ZoneInfo(cinema.city.time_zone)
    films = dice.sample(FILMS, 3)
    # Screens do not begin together, so that the foyer is not flooded.
    starts_at = datetime.combine(day, time(10), zone) + timedelta(minutes=10 * dice.randrange(7))
    while starts_at.date() == day and starts_at.time() <= _LAST_START:
        film = dice.choice(films)
        yield Slot(cinema, screen, film, starts_at)
        minutes = film.minutes + _BREAK_MINUTES
        starts_at += timedelta(minutes=minutes + -minutes % _STEP_MINUTES)


def _is_featured(slot: Slot) -> bool:
    return slot.cinema.rooms[slot.screen - 1] is CLASSIC and slot.starts_at.time() >= _EVENING


def _show(slot: Slot) -> NewResource:
    film, cinema = slot.film, slot.cinema
    return NewResource(
        name=f"{film.title}, {cinema.name} {slot.screen}, {slot.starts_at:%a %d %b %H:%M}",
        kind=KIND,
        plan=cinema.rooms[slot.screen - 1].plan,
        time_zone=cinema.city.time_zone,
        closes_at=slot.starts_at,
        hold_seconds=HOLD_SECONDS,
        owner_limit=OWNER_LIMIT,
        attributes={
            "city": cinema.city.name,
            "cinema": cinema.name,
            "screen": slot.screen,
            "film": film.title,
            "language": film.language,
            "format": film.format,
            "starts_at": slot.starts_at.isoformat(),
        },
    )
