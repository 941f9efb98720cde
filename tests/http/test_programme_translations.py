"""A programme in other languages: resolved for shops, whole for who manages it, and in the
resources of its performances, for mails and tickets.
"""

from typing import cast

from tests.http.api import Api, Json, Request, document
from tests.http.programmes import PLAN, PRODUCTION, ROOT, VENUE, made, performance_of


def words(language: str, **said: str) -> list[Json]:
    return [{"language": language, "words": said}]


async def evening(api: Api) -> Json:
    """A published performance whose every text has German words."""
    venue = await made(
        api,
        "/venues",
        VENUE
        | {
            "accessibility": "Two steps.",
            "translations": words(
                "de", **{"Alte Münze": "Haus Münze", "Two steps.": "Zwei Stufen."}
            ),
        },
    )
    place = await made(
        api,
        "/halls",
        {
            "venue": venue["id"],
            "name": "Hall",
            "plan": PLAN,
            "translations": words("de", Hall="Saal"),
        },
    )
    said = {
        "Four Hands": "Vier Hände",
        "One piano.": "Ein Klavier.",
        "Two pianists.": "Zwei am Klavier.",
        "Thursdays": "Donnerstags",
    }
    production = await made(
        api,
        "/productions",
        PRODUCTION
        | {
            "summary": "One piano.",
            "description": "Two pianists.",
            "translations": words("de", **said),
        },
    )
    return await made(
        api,
        "/performances",
        performance_of(
            production,
            place,
            published=True,
            note="With supper",
            pricing={"fees": [{"name": "Booking fee", "amount": 100}]},
            translations=words("de", **{"With supper": "Mit Essen", "Booking fee": "Gebühr"}),
        ),
    )


async def read(api: Api, path: str, language: str, key: str = "pk") -> Json:
    headers = {"Accept-Language": language}
    return document(await api.send(Request("GET", ROOT + path, None, key, headers)), 200)


async def test_a_guest_reads_everything_in_a_language(api: Api) -> None:
    made_one = await evening(api)
    told = await read(api, f"/performances/{made_one['id']}", "de-AT")
    assert told["note"] == "Mit Essen" and "translations" not in told
    assert cast(Json, told["production"])["title"] == "Vier Hände"
    assert cast(Json, told["hall"])["name"] == "Saal"
    venue = cast(Json, told["venue"])
    assert [venue["name"], venue["accessibility"]] == ["Haus Münze", "Zwei Stufen."]
    first = cast(list[Json], told["categories"])[0]
    assert [first["code"], first["name"]] == ["stalls", "Parkett"]
    production = cast(Json, told["production"])["id"]
    shown = await read(api, f"/productions/{production}", "de")
    assert [shown[name] for name in ("title", "series", "summary", "description")] == [
        "Vier Hände",
        "Donnerstags",
        "Ein Klavier.",
        "Zwei am Klavier.",
    ]
    (place,) = cast(list[Json], shown["venues"])
    assert place["name"] == "Haus Münze"
    assert cast(Json, shown["next_performance"])["venue"] == place


async def test_who_manages_it_reads_it_whole(api: Api) -> None:
    made_one = await evening(api)
    whole = await read(api, f"/performances/{made_one['id']}", "de", "ak")
    assert whole["note"] == "With supper"
    (german,) = cast(list[Json], whole["translations"])
    assert cast(Json, german["words"])["With supper"] == "Mit Essen"
    same = await read(api, f"/performances/{made_one['id']}?lang=de", "en", "ak")
    assert same["note"] == "Mit Essen"


async def test_the_resource_has_the_words_for_tickets_and_mails(api: Api) -> None:
    made_one = await evening(api)
    headers = {"Accept-Language": "de"}
    path = f"/v1/resources/{made_one['id']}"
    told = document(await api.send(Request("GET", path, None, "pk", headers)), 200)
    assert told["name"] == "Vier Hände"
    said = cast(Json, told["words"])
    assert said["Booking fee"] == "Gebühr"
    location = cast(Json, told["attributes"])["location"]
    assert said[str(location)] == "Haus Münze, Saal, Am Krögel 2, Berlin"


async def test_another_language_reads_it_as_it_was_typed(api: Api) -> None:
    made_one = await evening(api)
    told = await read(api, f"/performances/{made_one['id']}", "ar")
    assert told["note"] == "With supper"
    assert cast(Json, told["production"])["title"] == "Four Hands"
