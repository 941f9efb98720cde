"""A week of shows in the cinemas of the demo, drawn with seeded dice: the same seed and day give
the same programme, whenever it is asked for. The large rooms play what draws crowds, mornings
belong to families, matinees cost less, and evenings at the weekend more.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bespeak.verticals.cinema.demo.places import (
    PREFIX,
    DemoCinema,
    DemoCity,
    DemoFilm,
    cities,
    films,
    prices,
    screen_ref,
)
from bespeak.verticals.cinema.demo.rooms import ROOMS, DemoRoom
from bespeak.verticals.cinema.forms import NewShow

DAYS = 8
"""What is left of today, and seven days more."""

SEED = 1
FEATURED = ("Alka Talkies", 2)
"""The cinema and screen that nothing is sold of beforehand: a room of 300 seats."""

_ADVERTISEMENTS = 10
_CLEANING = 15
_STEP_MINUTES = 5
_LAST_START = time(22, 30)
_MATINEE_ENDS = 17
_EVENING = 18
_SATURDAY = 5
_FORMAT_FACTORS = {"2D": 1.0, "3D": 1.15, "Grand": 1.3, "Dome": 1.35}
_FAMILY = {"Family", "Animation"}
_LATE = {"Horror", "Thriller"}


@dataclass(frozen=True)
class Slot:
    """A film in a screen at a time, and how much it draws: 0 to 1."""

    city: DemoCity
    cinema: DemoCinema
    screen: int
    room: DemoRoom
    film: DemoFilm
    format: str
    starts_at: datetime
    appeal: float

    @property
    def is_featured(self) -> bool:
        return (self.cinema.name, self.screen) == FEATURED

    @property
    def factor(self) -> float:
        """What it costs, as a share of the usual price."""
        factor = _FORMAT_FACTORS[self.format]
        if self.starts_at.hour < _MATINEE_ENDS:
            return factor * 0.75
        if self.starts_at.hour >= _EVENING and self.starts_at.weekday() in (
            _SATURDAY - 1,
            _SATURDAY,
        ):
            return factor * 1.15
        return factor

    def new_show(self) -> NewShow:
        """The show as any import would say it."""
        is_local = self.film.language == self.city.languages[0]
        return NewShow(
            film=self.film.ref,
            screen=screen_ref(self.city, self.cinema, self.screen),
            starts_at=self.starts_at.isoformat(),
            language=self.film.language,
            subtitles=None if is_local else self.city.subtitles,
            format=self.format,
            prices=prices(self.city, self.room, self.factor),
            ref=f"{PREFIX}{self.city.name.lower()}/{self.cinema.name.lower()}/{self.screen}"
            f"/{self.starts_at.replace(tzinfo=None).isoformat(timespec='minutes')}",
        )


def programme(now: datetime, days: int = DAYS, seed: int = SEED) -> list[Slot]:
    """All shows from `now` (which has its zone) on: the rest of each city's today and the days
    after it, by time."""
    slots = [
        slot
        for city in cities()
        for cinema in city.cinemas
        for screen in range(1, len(cinema.screens) + 1)
        for day in range(days)
        for slot in _day(
            city,
            cinema,
            screen,
            now.astimezone(ZoneInfo(city.time_zone)).date() + timedelta(days=day),
            seed,
        )
        if slot.starts_at > now
    ]
    return sorted(slots, key=lambda slot: (slot.starts_at, slot.cinema.name, slot.screen))


def _day(city: DemoCity, cinema: DemoCinema, screen: int, day: date, seed: int) -> Iterator[Slot]:
    """One screen's day: film after film from about ten in the morning to the last start."""
    dice = random.Random(f"{seed} {cinema.name} {screen} {day.isoformat()}")
    room = ROOMS[cinema.screens[screen - 1]]
    zone = ZoneInfo(city.time_zone)
    known = _of_city(city, room)
    # Screens do not begin together, so that the foyer is not flooded.
    clock = datetime.combine(day, time(10)) + timedelta(minutes=10 * dice.randrange(7))
    before: DemoFilm | None = None
    while clock.date() == day and clock.time() <= _LAST_START:
        film, draw = _choose(dice, known, clock.hour, before)
        starts_at = clock.replace(tzinfo=zone)
        shown = _format(dice, film, room)
        appeal = min(1.0, draw * (0.45 if clock.hour < _MATINEE_ENDS else 1.0))
        yield Slot(city, cinema, screen, room, film, shown, starts_at, appeal)
        minutes = film.minutes + _ADVERTISEMENTS + _CLEANING
        clock += timedelta(minutes=minutes + -minutes % _STEP_MINUTES)
        if shown_by_itself(starts_at, clock, zone):
            clock += timedelta(hours=1)
        before = film


def shown_by_itself(starts_at: datetime, after: datetime, zone: ZoneInfo) -> bool:
    """Whether the clocks go back before the next show would begin: it waits an hour."""
    gap = after.replace(tzinfo=zone).astimezone(UTC) - starts_at.astimezone(UTC)
    return gap < after - starts_at.replace(tzinfo=None)


def _of_city(city: DemoCity, room: DemoRoom) -> list[tuple[DemoFilm, float]]:
    """The films that are shown in such a room of a city, and how much each draws there."""
    found: list[tuple[DemoFilm, float]] = []
    size = room.seats
    for place, film in enumerate(films()):
        if film.language not in city.languages:
            continue
        popular = 1.0 - 0.8 * place / len(films())
        local = 1.3 - 0.2 * min(3, city.languages.index(film.language))
        # The crowd goes to the large rooms; the small ones are for those who look for something.
        draw = popular * local if size >= 150 else 0.35 + 0.4 * local * (1.1 - popular)
        if size >= 300:
            draw = draw**2
        found.append((film, min(1.0, draw)))
    return found


def _choose(
    dice: random.Random, known: list[tuple[DemoFilm, float]], hour: int, before: DemoFilm | None
) -> tuple[DemoFilm, float]:
    """A film for this hour of the day, and not the one that has just been shown."""
    weights = []
    for film, draw in known:
        genres = set(film.genres)
        fit = 1.0
        if genres & _FAMILY:
            fit = 2.5 if hour < 15 else 0.5 if hour < 19 else 0.05
        elif genres & _LATE:
            fit = 0.3 if hour < 15 else 1.0 if hour < 20 else 1.8
        weights.append(0.0 if film is before else draw * draw * fit + 0.01)
    return dice.choices(known, weights)[0]


def _format(dice: random.Random, film: DemoFilm, room: DemoRoom) -> str:
    """The best that film and room both have; 3D now and then."""
    both = [name for name in film.formats if name in room.formats]
    for best in ("Dome", "Grand"):
        if best in both:
            return best
    return "3D" if "3D" in both and dice.random() < 0.55 else "2D"
