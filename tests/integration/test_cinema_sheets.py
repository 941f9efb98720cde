"""Sheets of a cinema with columns of translations: what they change, and what they leave alone."""

from datetime import UTC, datetime

import msgspec
import pytest

import bespeak
from bespeak.pricing.rules import Fee, Pricing
from bespeak.translations import Translation
from bespeak.verticals.cinema import catalogue_changes
from bespeak.verticals.cinema.files import import_file
from bespeak.verticals.cinema.film_sheets import export_films
from bespeak.verticals.cinema.names import CINEMA, CITY, FILM, SCREEN, id_of
from bespeak.verticals.vertical import ImportReport
from tests.harness.catalogues import FILMS as FILMS_OF_TESTS
from tests.harness.clock import Clock

ROOMS = """city,country,time_zone,currency,cinema,address,screen,seats,features{0}
Pune,IN,Asia/Kolkata,INR,Lotus,14 Chowk,Screen 1,40,Ramp; Bar{1}
Pune,IN,Asia/Kolkata,INR,Lotus,14 Chowk,Screen 2,60,{2}
"""
FILMS = "title,minutes,released,genres{0}\nKites,104,2099-05-01,Family; Drama{1}\n"
SHOWS = "film,screen,date,time,language,price front,price standard,price premium{0}\n" + (
    "Kites,Screen 1,2099-05-09,16:30,Marathi,180,240,310{1}\n"
)
CITY_ID = id_of(CITY, "pune")
CINEMA_ID = id_of(CINEMA, f"{CITY_ID}/lotus")
SCREEN_1, SCREEN_2 = (id_of(SCREEN, f"{CINEMA_ID}/screen {number}") for number in (1, 2))
FILM_ID = id_of(FILM, "kites")


@pytest.fixture
async def cinema(engine: bespeak.Engine, clock: Clock) -> bespeak.Engine:
    await clock.set(datetime(2098, 1, 1, tzinfo=UTC))
    for sheet in (ROOMS.format("", "", ""), FILMS.format("", ""), SHOWS.format("", "")):
        assert (await taken(engine, sheet)).applied
    return engine


async def taken(engine: bespeak.Engine, sheet: str) -> ImportReport:
    report = await import_file(engine, sheet, "csv", False)
    assert report.problems == []
    return report


async def faults(engine: bespeak.Engine, sheet: str) -> list[tuple[str, str]]:
    report = await import_file(engine, sheet, "csv", False)
    assert not report.applied
    return [(one.where, one.code) for one in report.problems]


async def film_words(engine: bespeak.Engine) -> dict[str, dict[str, str]]:
    async with engine.database.borrow() as connection:
        film = await catalogue_changes.said_film(connection, FILM_ID)
    return words_of(film.translations)


def words_of(translations: tuple[Translation, ...]) -> dict[str, dict[str, str]]:
    return {one.language: one.words for one in translations}


async def test_a_film_is_called_what_its_columns_say(cinema: bespeak.Engine) -> None:
    sheet = FILMS.format(",title:de,genres:de,title:ar", ",Drachen,Familie; Drama,طائرات")
    assert (await taken(cinema, sheet)).updated["films"] == 1
    told = {
        "de": {"Kites": "Drachen", "Family": "Familie", "Drama": "Drama"},
        "ar": {"Kites": "طائرات"},
    }
    assert await film_words(cinema) == told
    assert (await taken(cinema, sheet)).unchanged["films"] == 1
    # A sheet without such columns leaves them, and one with some speaks of these alone.
    assert (await taken(cinema, FILMS.format("", ""))).unchanged["films"] == 1
    assert await film_words(cinema) == told
    assert (await taken(cinema, FILMS.format(",title:ar", ","))).updated["films"] == 1
    assert await film_words(cinema) == {"de": told["de"]}


async def test_words_that_no_sheet_can_say_stay(cinema: bespeak.Engine) -> None:
    async with cinema.database.borrow() as connection:
        film = await catalogue_changes.said_film(connection, FILM_ID)
        words = (Translation("de", {"Marathi": "Marathi-de", "2D": "Flach"}),)
        film = msgspec.structs.replace(film, translations=words)
        await catalogue_changes.put_film(connection, film, update=True)
    await taken(cinema, FILMS.format(",title:DE", ",Drachen"))
    assert await film_words(cinema) == {
        "de": {"Marathi": "Marathi-de", "2D": "Flach", "Kites": "Drachen"}
    }


async def test_rooms_are_called_so_also_where_they_are_there(cinema: bespeak.Engine) -> None:
    columns = ",city:de,cinema:de,address:de,screen:de,features:de"
    place = ",Puna,Lotos,Platz 14"
    sheet = ROOMS.format(columns, f"{place},Saal 1,Rampe; Bar", f"{place},,")
    report = await taken(cinema, sheet)
    assert report.updated == {"cities": 1, "cinemas": 1, "screens": 1, "films": 0, "shows": 0}
    async with cinema.database.borrow() as connection:
        city = await catalogue_changes.said_city(connection, CITY_ID)
        house = await catalogue_changes.said_cinema(connection, CINEMA_ID)
        first = await catalogue_changes.said_screen(connection, SCREEN_1)
        second = await catalogue_changes.said_screen(connection, SCREEN_2)
    assert words_of(city.translations) == {"de": {"Pune": "Puna"}}
    assert words_of(house.translations) == {"de": {"Lotus": "Lotos", "14 Chowk": "Platz 14"}}
    assert words_of(first.translations) == {
        "de": {"Screen 1": "Saal 1", "Ramp": "Rampe", "Bar": "Bar"}
    }
    assert (first.features, second.translations) == (("Ramp", "Bar"), ())
    again = await taken(cinema, sheet)
    assert (again.updated["screens"], again.unchanged["cities"]) == (0, 1)
    assert (await taken(cinema, ROOMS.format("", "", ""))).unchanged["cinemas"] == 1


async def test_a_show_is_called_so_and_keeps_it(cinema: bespeak.Engine) -> None:
    sheet = SHOWS.format(",language:de", ",Marathisch")
    assert (await taken(cinema, sheet)).updated["shows"] == 1
    assert (await taken(cinema, sheet)).unchanged["shows"] == 1
    assert (await taken(cinema, SHOWS.format("", ""))).unchanged["shows"] == 1
    resources = await cinema.list_resources()
    words = words_of(resources.items[0].translations)
    assert words["de"]["Marathi"] == "Marathisch"
    assert (await taken(cinema, SHOWS.format(",language:de", ","))).updated["shows"] == 1


async def test_faults_are_told_with_line_and_column(cinema: bespeak.Engine) -> None:
    invalid = "invalid_request"
    assert await faults(cinema, FILMS.format(",genres:de", ",Familie")) == [
        ("line 2, column genres:de", invalid)
    ]
    assert await faults(cinema, ROOMS.format(",features:de", ",a; b; c", ",x")) == [
        ("line 2, column features:de", invalid),
        ("line 3, column features:de", invalid),
    ]
    assert await faults(cinema, ROOMS.format(",city:de", ",Puna", ",Poona")) == [
        ("line 3, column city", invalid)
    ]
    assert await faults(cinema, SHOWS.format(",subtitles:de", ",Englisch")) == [
        ("line 2, column subtitles:de", invalid)
    ]


async def test_an_hour_that_never_comes_is_told_at_its_time(engine: bespeak.Engine) -> None:
    rooms = "city,country,time_zone,currency,cinema,screen,seats\n"
    await taken(engine, rooms + "Berlin,DE,Europe/Berlin,EUR,Alka,1,40\n")
    await taken(engine, FILMS.format("", ""))
    sheet = "film,screen,date,time,language\nKites,1,2027-03-28,02:30,Hindi\n"
    assert await faults(engine, sheet) == [("line 2, column time", "invalid_request")]


async def test_films_that_are_exported_and_imported_are_the_same(cinema: bespeak.Engine) -> None:
    await taken(cinema, FILMS.format(",title:de,genres:de,title:pt-BR", ",Drachen,; Drama!,Pipas"))
    odd = msgspec.structs.replace(FILMS_OF_TESTS[0], hues=(10, 20), genres=("Drama, old",))
    async with cinema.database.borrow() as connection:
        await catalogue_changes.put_film(connection, odd)
        before = await connection.fetch("select * from cinema.film order by film_id")
    sheet = await export_films(cinema)
    assert (await taken(cinema, sheet)).unchanged["films"] == 2
    assert await export_films(cinema) == sheet
    async with cinema.database.borrow() as connection:
        after = await connection.fetch("select * from cinema.film order by film_id")
    assert [dict(row) for row in after] == [dict(row) for row in before]
    assert await film_words(cinema) == {
        "de": {"Kites": "Drachen", "Drama": "Drama!"},
        "pt-BR": {"Kites": "Pipas"},
    }


async def test_a_cinema_keeps_its_pricing(cinema: bespeak.Engine) -> None:
    pricing = Pricing(fees=(Fee("Fee", amount=10),))
    async with cinema.database.borrow() as connection:
        house = await catalogue_changes.said_cinema(connection, CINEMA_ID)
        house = msgspec.structs.replace(house, pricing=pricing)
        await catalogue_changes.put_cinema(connection, house, update=True)
    await taken(cinema, ROOMS.format(",cinema:de", ",Lotos", ",Lotos"))
    async with cinema.database.borrow() as connection:
        assert (await catalogue_changes.said_cinema(connection, CINEMA_ID)).pricing == pricing
