"""Names in other languages over HTTP: whole for who manages them, in one language for shops."""

import msgspec
import pytest

from bespeak.inventory.resources import Resource, ResourcePage
from bespeak.inventory.shapes.seats.plan import SeatsPlan
from bespeak.ticketing.tickets import TicketPage
from tests.http.api import Api, Json, Request, document, problem

GERMAN: Json = {"language": "de", "words": {"Stalls": "Parkett", "Gold": "Gold-Plätze"}}
PLAN: Json = {
    "type": "seats",
    "sections": [{"name": "Stalls", "rows": [{"name": "A", "seats": 4}], "category": "Gold"}],
    "pools": [{"unit": "floor", "capacity": 10}],
    "categories": [{"name": "Gold", "price": 900}, {"name": "standard", "price": 500}],
    "translations": [
        GERMAN,
        {"language": "ar", "words": {"Stalls": "الصالة"}},
    ],
}
WORDS: list[Json] = [
    {"language": "de", "words": {"Swan Lake": "Schwanensee", "Booking fee": "Gebühr"}},
    {"language": "de-AT", "words": {"Gold": "Goldene Plätze"}},
    {"language": "ar", "words": {"Swan Lake": "بحيرة البجع", "floor": "وقوف"}},
]
NEW: Json = {
    "payment": "none",
    "name": "Swan Lake",
    "plan": PLAN,
    "starts_at": "2030-02-01T19:00:00Z",
    "pricing": {"fees": [{"name": "Booking fee", "amount": 100}]},
    "translations": WORDS,
}


async def made(api: Api) -> Json:
    return document(await api.send(Request("POST", "/v1/resources", NEW, "ak")), 201)


def reading(resource: Json, key: str, language: str | None = None, query: str = "") -> Request:
    headers = {} if language is None else {"Accept-Language": language}
    return Request("GET", f"/v1/resources/{resource['id']}{query}", None, key, headers)


async def test_who_manages_reads_the_whole(api: Api) -> None:
    """A browser sends Accept-Language by itself: a console must not lose what it is to change."""
    resource = await made(api)
    assert resource["translations"] == WORDS and "words" not in resource
    found = document(await api.send(reading(resource, "ak", "de")), 200)
    assert (found["name"], found["translations"], found["plan"]) == ("Swan Lake", WORDS, PLAN)
    shown = document(await api.send(reading(resource, "ak", None, "?lang=de")), 200)
    assert shown["name"] == "Schwanensee" and "translations" not in shown


@pytest.mark.parametrize(
    ("language", "name", "words"),
    [
        (
            "de",
            "Schwanensee",
            {
                "Stalls": "Parkett",
                "Gold": "Gold-Plätze",
                "Swan Lake": "Schwanensee",
                "Booking fee": "Gebühr",
            },
        ),
        (
            "de-AT,en;q=0.5",
            "Schwanensee",
            {
                "Stalls": "Parkett",
                "Gold": "Goldene Plätze",
                "Swan Lake": "Schwanensee",
                "Booking fee": "Gebühr",
            },
        ),
        (
            "ar-EG",
            "بحيرة البجع",
            {"Stalls": "الصالة", "Swan Lake": "بحيرة البجع", "floor": "وقوف"},
        ),
        ("en-GB,de;q=0.9", "Swan Lake", {}),
        ("fr", "Swan Lake", {}),
    ],
)
async def test_a_shop_reads_one_language(
    api: Api, language: str, name: str, words: dict[str, str]
) -> None:
    resource = await made(api)
    answer = await api.send(reading(resource, "pk", language))
    found = document(answer, 200)
    assert (found["name"], found.get("words", {})) == (name, words)
    assert "translations" not in found
    # What a name is known by stays: it is what a request names.
    resource_shown = msgspec.convert(found, Resource)
    assert isinstance(resource_shown.plan, SeatsPlan)
    assert [one.name for one in resource_shown.plan.categories] == ["Gold", "standard"]
    assert resource_shown.pricing is not None
    assert resource_shown.pricing.fees[0].name == "Booking fee"
    assert "accept-language" in answer.headers["vary"].lower()
    asked = language.split(",", maxsplit=1)[0]
    # Which language the typed texts are in, nobody said.
    assert answer.headers.get("content-language") == (asked if words else None)
    listing = Request("GET", f"/v1/resources?lang={asked}", key="pk")
    page = msgspec.convert(document(await api.send(listing), 200), ResourcePage)
    assert [one.name for one in page.items if one.id == resource["id"]] == [name]


async def test_caches_do_not_mix_languages(api: Api) -> None:
    """The whole also varies: a cache that keeps it must not give it to a shop."""
    resource = await made(api)
    answer = await api.send(reading(resource, "pk"))
    assert "accept-language" in answer.headers["vary"].lower()
    assert "content-language" not in answer.headers
    assert document(answer, 200)["translations"] == WORDS


async def test_translations_change_and_leave_what_is_sold(api: Api) -> None:
    resource = await made(api)
    path = f"/v1/resources/{resource['id']}"
    new = [{"language": "de", "words": {"Swan Lake": "Der Schwanensee"}}]
    changed = document(await api.send(Request("PATCH", path, {"translations": new}, "ak")), 200)
    assert changed["translations"] == new and changed["plan"] == PLAN
    kept = document(await api.send(Request("PATCH", path, {"kind": "ballet"}, "ak")), 200)
    assert kept["translations"] == new
    gone = document(await api.send(Request("PATCH", path, {"translations": []}, "ak")), 200)
    assert "translations" not in gone


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("translations", [{"language": "de", "words": {}}, {"language": "DE", "words": {}}]),
        ("plan", {**PLAN, "translations": [GERMAN, GERMAN]}),
    ],
)
async def test_what_makes_no_sense_names_the_field(api: Api, field: str, wrong: object) -> None:
    answer = await api.send(Request("POST", "/v1/resources", {**NEW, field: wrong}, "ak"))
    problem(answer, "invalid_request", field=field)


async def test_tickets_have_the_names(api: Api) -> None:
    resource = msgspec.convert(await made(api), Resource)
    booking = await api.booking(resource, "A1", "floor 1")
    path = f"/v1/bookings/{booking['id']}"
    german = labels(await api.get(f"{path}/tickets?lang=de-AT"))
    assert german == [("Schwanensee", "Parkett, A1"), ("Schwanensee", "floor")]
    arabic = labels(await api.get(f"{path}/tickets?lang=ar"))
    assert [label for _, label in arabic] == ["الصالة، A1", "وقوف"]
    calendar = await api.ask("GET", f"{path}/calendar.ics?lang=de")
    assert "SUMMARY:Schwanensee" in calendar.text


def labels(page: Json) -> list[tuple[str, str]]:
    tickets = msgspec.convert(page, TicketPage).items
    return [(one.resource_name, one.label) for one in tickets]
