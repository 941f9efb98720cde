"""The catalogue of cinemas in other languages: resolved for shops, whole for who manages it, and in
the resources of its shows."""

import msgspec

from bespeak import ids
from bespeak.inventory.resources import Resource
from bespeak.pricing.rules import Fee, Pricing
from bespeak.translations import Translation
from bespeak.verticals.cinema import catalogue_changes, shows
from bespeak.verticals.cinema.files import import_file
from bespeak.verticals.cinema.names import FILM, id_of
from tests.harness.catalogues import CINEMAS, CITIES, FILMS, SCREENS, show
from tests.http.api import Api, Json, Request, document

ROOT = "/v1/cinema"


def german(**words: str) -> tuple[Translation, ...]:
    return (Translation("de", words),)


async def stocked(api: Api) -> str:
    """The small catalogue with German words, and a show of it; its id."""
    connection = api.connection
    city, cinema, screen = CITIES[0], CINEMAS[0], SCREENS[0]
    film = next(one for one in FILMS if one.ref == "snow")
    async with connection.transaction():
        words = {city.name: "Die Stadt"}
        await catalogue_changes.put_city(
            connection, msgspec.structs.replace(city, translations=german(**words))
        )
        words = {cinema.name: "Das Kino", "Fee": "Gebühr"}
        pricing = Pricing(fees=(Fee("Fee", amount=10),))
        await catalogue_changes.put_cinema(
            connection,
            msgspec.structs.replace(cinema, pricing=pricing, translations=german(**words)),
        )
        await catalogue_changes.put_screen(
            connection,
            msgspec.structs.replace(screen, translations=german(**{screen.name: "Der Saal"})),
        )
        words = {film.title: "Schnee", **{genre: f"{genre}-de" for genre in film.genres}}
        words |= {"Hindi": "Hindi-de", "2D": "2D-de", film.synopsis or "-": "Worum es geht"}
        await catalogue_changes.put_film(
            connection, msgspec.structs.replace(film, translations=german(**words))
        )
        new = msgspec.structs.replace(
            show("snow", str(screen.ref), "2030-03-01T20:00"), language="Hindi"
        )
        made = await shows.put_show(api.service.engine, connection, new)
    return made.id


async def reading(api: Api, path: str, language: str | None, key: str = "pk") -> Json:
    headers = {} if language is None else {"Accept-Language": language}
    return document(await api.send(Request("GET", ROOT + path, None, key, headers)), 200)


async def test_a_show_is_read_in_a_language_and_whole(api: Api) -> None:
    show_id = await stocked(api)
    told = await reading(api, f"/shows/{show_id}", "de-AT,en;q=0.8")
    plain = await reading(api, f"/shows/{show_id}", "en")
    assert [told["language"], told["format"]] == ["Hindi-de", "2D-de"]
    assert [plain["language"], plain["format"]] == ["Hindi", "2D"]
    text = msgspec.json.encode(told).decode()
    for word in ("Schnee", "Das Kino", "Die Stadt", "Der Saal"):
        assert f'"{word}"' in text
        assert word not in msgspec.json.encode(plain).decode()
    film_id = id_of(FILM, "snow")
    film = await reading(api, f"/films/{film_id}", "de")
    assert film["title"] == "Schnee" and "translations" not in film
    whole = await reading(api, f"/films/{film_id}", "de", "ak")
    assert whole["title"] != "Schnee" and whole["translations"]
    asked = await reading(api, f"/films/{film_id}?lang=de", None, "ak")
    assert asked == film


async def test_a_filter_is_named_as_a_query_names_it(api: Api) -> None:
    await stocked(api)
    page = await reading(api, "/films", "de")
    facets = page["facets"]
    assert isinstance(facets, dict)
    assert facets["languages"] == ["Hindi"] and facets["words"]["Hindi"] == "Hindi-de"
    found = await reading(api, "/films?language=Hindi&lang=de", None)
    assert isinstance(found["items"], list) and len(found["items"]) == 1


async def test_the_resource_of_a_show_has_the_words(api: Api) -> None:
    show_id = await stocked(api)
    resource = msgspec.convert(
        await api.get(f"/v1/resources/{show_id}", **{"Accept-Language": "de"}), Resource
    )
    assert resource.id == show_id and ids.parse_resource(show_id)
    assert resource.name.startswith("Schnee, Das Kino Der Saal, ")
    assert "1. März 2030" in resource.name
    assert resource.words["Fee"] == "Gebühr"
    location = str(resource.attributes["location"])
    assert (
        resource.words[location].startswith("Das Kino") and "Die Stadt" in resource.words[location]
    )


async def test_translations_are_changed_and_kept(api: Api) -> None:
    await stocked(api)
    path = f"{ROOT}/films/{id_of(FILM, 'snow')}"
    before = document(await api.send(Request("GET", path, None, "ak")), 200)
    kept = document(await api.send(Request("PATCH", path, {"rating": "16+"}, "ak")), 200)
    assert kept["translations"] == before["translations"]
    words = [{"language": "ar", "words": {"x": "س"}}]
    new = document(await api.send(Request("PATCH", path, {"translations": words}, "ak")), 200)
    assert new["translations"] == words
    twice = await api.send(Request("PATCH", path, {"translations": words * 2}, "ak"))
    assert twice.status_code == 422 and twice.json()["field"] == "translations"


async def test_a_sheet_is_read_in_its_languages(api: Api) -> None:
    engine = api.service.engine
    rooms = "city,country,time_zone,currency,cinema,screen,seats,city:de,cinema:de,screen:ar\n"
    await import_file(
        engine, rooms + "Pune,IN,Asia/Kolkata,INR,Lotus,One,40,Puna,Lotos,واحد\n", "csv", False
    )
    films = "title;minutes;released;genres;ref;title:de;genres:de;title:pt-BR\n"
    await import_file(
        engine, films + "Kites;90;2026-01-01;Drama;k;Drachen;Schauspiel;Pipas\n", "csv", False
    )
    film = f"/films/{id_of(FILM, 'k')}"
    german = await reading(api, film, "de-AT")
    assert (german["title"], german["genres"]) == ("Drachen", ["Schauspiel"])
    assert (await reading(api, film, "pt-br"))["title"] == "Pipas"
    assert (await reading(api, film, "pt"))["title"] == "Kites"
    whole = await reading(api, film, None, "ak")
    assert whole["translations"] == [
        {"language": "de", "words": {"Drama": "Schauspiel", "Kites": "Drachen"}},
        {"language": "pt-BR", "words": {"Kites": "Pipas"}},
    ]
    cities = await reading(api, "/cities", "de")
    assert '"name":"Puna"' in msgspec.json.encode(cities).decode()
