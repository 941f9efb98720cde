"""A small catalogue for tests: two cities, three cinemas, four screens, three films."""

from datetime import date

from bespeak.inventory.shapes.seats.plan import (
    Category,
    Companion,
    Row,
    SeatsPlan,
    Section,
    Stage,
)
from bespeak.verticals.cinema.forms import (
    Catalogue,
    NewCinema,
    NewCity,
    NewFilm,
    NewScreen,
    NewShow,
)

SMALL = SeatsPlan(
    sections=(
        Section("Stalls", (Row("A", 10), Row("B", 10)), "standard"),
        Section("Back", (Row("C", 8),), "premium"),
    ),
    categories=(Category("standard", 900), Category("premium", 1300)),
    stage=Stage("screen", label="Screen"),
)
ACCESSIBLE = SeatsPlan(
    sections=(Section("Stalls", (Row("A", 6, accessible=(1,), companions=(Companion(2, 1),)),)),),
    categories=(Category("standard", 900),),
)
CITIES = (
    NewCity(name="Pune", country="IN", time_zone="Asia/Kolkata", currency="INR", ref="pune"),
    NewCity(name="Berlin", country="DE", time_zone="Europe/Berlin", currency="EUR", ref="berlin"),
)
CINEMAS = (
    NewCinema(city="pune", name="Alka", address="1 Lotus Road", ref="alka"),
    NewCinema(city="berlin", name="Kranich", ref="kranich"),
    NewCinema(city="berlin", name="Linde", ref="linde"),
)
SCREENS = (
    NewScreen(cinema="alka", name="1", plan=SMALL, ref="alka-1"),
    NewScreen(cinema="alka", name="2", plan=ACCESSIBLE, features=("Ramp",), ref="alka-2"),
    NewScreen(cinema="kranich", name="1", plan=SMALL, ref="kranich-1"),
    NewScreen(cinema="linde", name="1", plan=SMALL, ref="linde-1", cleaning_minutes=30),
)
FILMS = (
    NewFilm(
        title="The Śnieg of São Tomé",
        minutes=100,
        released=date(2026, 11, 1),
        genres=("Drama", "Comedy"),
        director="Łucja Ångström",
        cast=("Zoë Müller", "Ana Dias"),
        ref="snow",
    ),
    NewFilm(
        title="<script>alert(1)</script>",
        minutes=90,
        released=date(2026, 10, 1),
        genres=("Thriller",),
        ref="script",
    ),
    NewFilm(title="قطار", minutes=60, released=date(2026, 10, 1), genres=("Drama",), ref="train"),
)
CATALOGUE = Catalogue(cities=CITIES, cinemas=CINEMAS, screens=SCREENS, films=FILMS)


def show(
    film: str, screen: str, starts_at: str, language: str = "English", **fields: object
) -> NewShow:
    """A show as an import would say it; without an offset by the clocks of the city."""
    given = {"film": film, "screen": screen, "starts_at": starts_at, "language": language, **fields}
    return NewShow(**given)  # type: ignore[arg-type]
