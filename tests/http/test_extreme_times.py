"""Dates near the first and the last year, at every field that takes one: taken or refused, never a
fault. To the database the first and the last date of Python are infinity, and a time zone or a
length may lead beyond either.
"""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, pairwise, product
from typing import cast

import httpx
import msgspec
import pytest
import pytest_asyncio

from bespeak import Resource
from bespeak.http.endpoints import ALL_ENDPOINTS
from bespeak.http.server.openapi import openapi
from bespeak.inventory import resources
from tests.harness.catalogues import CINEMAS, CITIES, FILMS, SCREENS, SMALL
from tests.harness.database import problems
from tests.harness.icalendar_files import calendar, event
from tests.harness.shapes import SHAPES, THEATRE, Shape
from tests.harness.shows import new_show
from tests.http import programmes, stays, teams
from tests.http.api import Api, Json, document
from tests.http.refused_shapes import shown_line

pytestmark = pytest.mark.asyncio(loop_scope="module")

DATES = (
    "0001-01-01",
    "0001-01-02",
    "1899-12-31",
    "1900-01-01",
    "9900-12-31",
    "9996-12-31",
    "9998-12-31",
    "9999-12-30",
    "9999-12-31",
)
TIMES = (
    *(f"{date}T00:00:00Z" for date in DATES),
    "0001-01-01T00:00:00+23:59",
    "1900-01-01T00:00:00+14:00",
    "9998-12-31T23:59:59.999999Z",
    "9998-12-31T23:59:59-12:00",
    "9999-12-31T23:59:59.999999-23:59",
)
ZONES = ("UTC", "Pacific/Kiritimati", "Etc/GMT+12")
WINDOW = {"from": "09:00", "to": "12:00"}
# Bodies that have a place for every date that a resource may have.
NIGHTS = {"type": "nights", "count": 2, "rules": [{"price": 1}]}
SPECIAL = {"closed": True}
HOURS = {"weekly": [WINDOW], "exceptions": [SPECIAL], "holidays": []}
PROVIDERS = [{"name": "dr-rao", "exceptions": [SPECIAL]}]
SLOTS = {"type": "times", "slot_minutes": 30, "providers": PROVIDERS, **HOURS}
COURT = {"type": "moments", "things": ["court"], **HOURS}
STOPS: Json = {"type": "legs", "stops": [{"code": "A"}, {"code": "B"}], "pools": []}
CODE = {"code": "FAN", "capacity": 5, "basis_points": 100}
PRICED: Json = {"pricing": {"codes": [CODE]}}


@dataclass(frozen=True)
class Place:
    """Where a request has a date or a time, or a range of them: `body.rules[].from`, `query.to`."""

    endpoint: str
    names: tuple[str, ...]
    body: Json = field(default_factory=dict)
    values: tuple[str, ...] = DATES
    query: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.endpoint} {' '.join(self.names)}"


def _plans(endpoint: str, new: Json) -> list[Place]:
    """The places of a resource's body."""
    special = [("plan.exceptions[].date",), ("plan.exceptions[].from", "plan.exceptions[].to")]
    own = [tuple(name.replace("plan.", "plan.providers[].") for name in one) for one in special]
    of_plans: list[tuple[Json, list[tuple[str, ...]], tuple[str, ...]]] = [
        (NIGHTS, [("plan.rules[].from", "plan.rules[].to")], DATES),
        (SLOTS, [*special, *own, ("plan.holidays[]",)], DATES),
        (COURT, [*special, ("plan.holidays[]",)], DATES),
        (STOPS, [("plan.stops[].arrives",), ("plan.stops[].departs",)], TIMES),
    ]
    return [
        Place(endpoint, _in_body(names), {**new, "plan": plan}, values)
        for plan, all_names, values in of_plans
        for names in all_names
    ]


def _in_body(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"body.{name}" for name in names)


_NEAR = {"lat": "53.5", "lon": "10"}
_CODES = _in_body(("pricing.codes[].valid_from", "pricing.codes[].valid_until"))
_SEATS = msgspec.to_builtins(SMALL)
_FILM = {"title": "F", "minutes": 90, "released": "2026-01-01"}
_SHOW: Json = {"film": "snow", "screen": "alka-1", "starts_at": "2030-05-05T20:00", "language": "x"}
_CINEMA: Json = {"city": "pune", "name": "C"}
_RANGE = ("query.from", "query.to")
_WITH_CODE = {"cinemas": _CINEMA, "shows": _SHOW}
_EVENING: Json = {
    "production": "{production_id}",
    "hall": "{hall_id}",
    "starts_at": "2031-05-05T20:00",
    "currency": "EUR",
    **PRICED,
}
_NIGHTS = _in_body(("plan.rules[].from", "plan.rules[].to"))
_ROOM: Json = stays.DOUBLE | {"property": "{property_id}", "ref": None}

_SPECIAL_DAYS = (("exceptions[].date",), ("exceptions[].from", "exceptions[].to"))


def _teams(endpoint: str, new: Json) -> list[Place]:
    """The places of a team's body."""
    given = {"providers": PROVIDERS, "services": [{"name": "Check-up", "minutes": 60}]}
    body = {**new, **given, "exceptions": [SPECIAL], "holidays": []}
    own = [tuple(f"providers[].{name}" for name in names) for names in _SPECIAL_DAYS]
    return [
        *(
            Place(endpoint, _in_body(names), body)
            for names in (*_SPECIAL_DAYS, *own, ("holidays[]",))
        ),
        Place(endpoint, _CODES, {**new, **PRICED}, TIMES),
    ]


def _of_listings(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.replace("body.", "body.listings[].") for name in names)


PLACES = [
    Place(
        "POST /v1/holds",
        ("body.start_date", "body.end_date"),
        {"owner": "a", "room_id": "{nights}"},
    ),
    Place(
        "POST /v1/holds/batch",
        ("body.holds[].start_date", "body.holds[].end_date"),
        {"holds": [{"owner": "a", "room_id": "{nights}"}]},
    ),
    *(
        Place(f"GET {path}", _RANGE, values=TIMES)
        for path in (
            *("/v1/audit-log", "/v1/bookings", "/v1/desk/takings"),
            *("/v1/overview", "/v1/overview/resources", "/v1/invoices"),
        )
    ),
    Place("POST /v1/invoices", ("body.from", "body.to"), values=TIMES),
    Place("GET /v1/reports/days/{date}", ("path.date",)),
    Place("GET /v1/reports/days/{date}/document.pdf", ("path.date",)),
    Place("GET /v1/reports/period", ("query.first", "query.last")),
    Place("GET /v1/reports/period/document.pdf", ("query.first", "query.last")),
    Place("POST /v1/keys", ("body.expires_at",), {"kind": "secret", "name": "k"}, TIMES),
    *_plans("POST /v1/resources", {"name": "R"}),
    Place("POST /v1/resources", _CODES, {"name": "R", "plan": _SEATS, **PRICED}, TIMES),
    *_plans("PATCH /v1/resources/{spare}", {}),
    Place("PATCH /v1/resources/{resource_id}", _CODES, PRICED, TIMES),
    Place("POST /v1/check-ins", ("body.scanned_at",), {"code": "x"}, TIMES),
    Place(
        "POST /v1/check-ins/batch", ("body.scans[].scanned_at",), {"scans": [{"code": "x"}]}, TIMES
    ),
    Place("POST /v1/webhook-endpoints/{endpoint_id}/replay", ("body.since",), {}, TIMES),
    Place("GET /v1/appointments/teams/{team_id}/agenda", ("query.date",)),
    Place("GET /v1/appointments/teams/{team_id}/free-days", _RANGE, query={"service": "Check-up"}),
    *_teams("POST /v1/appointments/teams", teams.PRACTICE),
    *_teams("PATCH /v1/appointments/teams/{team_id}", {}),
    Place("GET /v1/cinema/films", ("query.date",)),
    Place("GET /v1/cinema/shows", ("query.date",)),
    Place("POST /v1/cinema/films", ("body.released",), _FILM),
    Place("PATCH /v1/cinema/films/{film_id}", ("body.released",)),
    Place("POST /v1/cinema/import", ("body.films[].released",), {"films": [_FILM]}),
    Place("POST /v1/cinema/shows", _CODES, {**_SHOW, **PRICED}, TIMES),
    Place("POST /v1/cinema/cinemas", _CODES, {**_CINEMA, **PRICED}, TIMES),
    Place("PATCH /v1/cinema/cinemas/{cinema_id}", _CODES, PRICED, TIMES),
    Place("GET /v1/programme/productions", _RANGE),
    Place("GET /v1/programme/performances", _RANGE),
    Place("POST /v1/programme/performances", _CODES, _EVENING, TIMES),
    Place("PATCH /v1/programme/performances/{performance_id}", _CODES, PRICED, TIMES),
    Place(
        "POST /v1/programme/performances/{performance_id}/copies",
        ("body.weekly.until",),
        {"weekly": {"days": ["fri"]}},
    ),
    Place("GET /v1/listings/{listing_id}", ("query.from",)),
    Place("GET /v1/listings/{listing_id}/rates", ("query.start", "query.end")),
    Place("GET /v1/stays/properties/{property_id}/party-rooms", ("query.start", "query.end")),
    Place("GET /v1/stays/properties/{property_id}/board", ("query.from",)),
    Place("GET /v1/stays/properties/{property_id}/arrivals", ("query.date",)),
    Place("GET /v1/stays/properties/{property_id}/figures", ("query.from",)),
    Place("GET /v1/search", ("query.start", "query.end"), query=_NEAR),
    Place("GET /v1/search", ("query.from", "query.to"), query=_NEAR | {"nights": "2"}),
    Place("GET /v1/stays/map", ("query.start", "query.end"), query=_NEAR),
    Place("GET /v1/stays/map", ("query.from", "query.to"), query=_NEAR | {"nights": "2"}),
    Place("GET /v1/listings/{listing_id}/suggested-prices", ("query.from",)),
    Place("DELETE /v1/listings/{listing_id}/suggested-prices", ("query.from", "query.to")),
    Place("GET /v1/listings/{listing_id}/pick-up", ("query.date",)),
    Place(
        "POST /v1/listings/{listing_id}/suggested-prices",
        ("body.nights[].date",),
        {"nights": [{"now": 12_000, "price": 12_000}]},
    ),
    Place("POST /v1/listings", _NIGHTS, {**_ROOM, "plan": NIGHTS}),
    Place("POST /v1/listings", _CODES, {**_ROOM, **PRICED}, TIMES),
    Place("PATCH /v1/listings/{listing_id}", _NIGHTS, {"plan": NIGHTS}),
    Place("PATCH /v1/listings/{listing_id}", _CODES, PRICED, TIMES),
    Place(
        "POST /v1/stays/import",
        _of_listings(_NIGHTS),
        {"listings": [{"ref": "harbour-double", "plan": NIGHTS}]},
    ),
    Place(
        "POST /v1/stays/import",
        _of_listings(_CODES),
        {"listings": [{"ref": "harbour-double", **PRICED}]},
        TIMES,
    ),
    *(
        Place(
            "POST /v1/cinema/import",
            tuple(name.replace("body.", f"body.{kind}[].") for name in _CODES),
            {kind: [{**one, **PRICED}]},
            TIMES,
        )
        for kind, one in _WITH_CODE.items()
    ),
]


LISTED = (
    *("/v1/cinema/films", "/v1/cinema/films?limit=1", "/v1/cinema/shows"),
    *("/v1/programme/productions?state=all", "/v1/programme/performances?limit=1"),
    *("/v1/stays/properties", "/v1/listings?limit=5", "/v1/appointments/teams"),
)


async def test_no_place_is_forgotten() -> None:
    made = msgspec.json.decode(msgspec.json.encode(openapi(ALL_ENDPOINTS)))
    found = {
        f"{method.upper()} {path} {place}"
        for path, operations in made["paths"].items()
        for method, operation in operations.items()
        for place in _places(operation, made["components"]["schemas"])
    }
    tried = {f"{one.endpoint} {name}" for one in PLACES for name in one.names}
    assert found == {one.replace("{spare}", "{resource_id}") for one in tried}


def _places(operation: Json, schemas: Mapping[str, Json]) -> Iterator[str]:
    for parameter in cast("list[Json]", operation["parameters"]):
        yield from _dates(
            cast("Json", parameter["schema"]), f"{parameter['in']}.{parameter['name']}", schemas
        )
    content = cast(
        "dict[str, Json]", cast("Json", operation.get("requestBody", {})).get("content", {})
    )
    for media in content.values():
        yield from _dates(cast("Json", media["schema"]), "body", schemas)


def _dates(schema: Json, place: str, schemas: Mapping[str, Json]) -> Iterator[str]:
    """Where the document has a date or a time below a schema; none of ours contains itself."""
    if "$ref" in schema:
        yield from _dates(schemas[str(schema["$ref"]).rpartition("/")[2]], place, schemas)
    if schema.get("format") in ("date", "date-time"):
        yield place
    for name, part in cast("dict[str, Json]", schema.get("properties", {})).items():
        yield from _dates(part, f"{place}.{name}", schemas)
    if isinstance(schema.get("items"), dict):
        yield from _dates(cast("Json", schema["items"]), f"{place}[]", schemas)
    for part in cast("list[Json]", schema.get("anyOf", schema.get("oneOf", []))):
        yield from _dates(part, place, schemas)


def filled(body: Json, name: str, value: str) -> Json:
    """The body with a value at a place."""
    made = copy.deepcopy(body)
    within: object = made
    *path, last = name.removeprefix("body.").split(".")
    for step in path:
        within = cast("Json", within)[step.removesuffix("[]")]
        if step.endswith("[]"):
            within = cast("list[object]", within)[0]
    if last.endswith("[]"):
        cast("Json", within)[last.removesuffix("[]")] = [value]
    else:
        cast("Json", within)[last] = value
    return made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def ids(module_api: Api) -> dict[str, str]:
    """Things that the requests name."""
    connection = module_api.connection
    catalogue = {"cities": CITIES, "cinemas": CINEMAS, "screens": SCREENS, "films": FILMS}
    document(await module_api.ask("POST", "/v1/cinema/import", catalogue, key="ak"), 200)
    films = await module_api.get("/v1/cinema/films")
    cinemas = await module_api.get("/v1/cinema/cinemas")
    hook = {"url": "https://shop.example/hook"}
    answer = await module_api.ask("POST", "/v1/webhook-endpoints", hook, key="ak")
    endpoint = cast("Json", document(answer, 201)["endpoint"])
    evening = await programmes.performance(module_api)
    team = await teams.made_team(module_api)
    house = await stays.made_property(module_api)
    room = await stays.made_listing(module_api, house)
    nights = next(shape for shape in SHAPES if shape.name == "cottage")
    return {
        "{resource_id}": (await resources.create(connection, new_show())).id,
        "{spare}": (await resources.create(connection, new_show())).id,
        "{nights}": (await resources.create(connection, nights.new())).id,
        "{endpoint_id}": str(endpoint["id"]),
        "{team_id}": str(team["id"]),
        "{film_id}": str(cast("list[Json]", films["items"])[0]["id"]),
        "{performance_id}": str(evening["id"]),
        "{production_id}": str(cast("Json", evening["production"])["id"]),
        "{hall_id}": str(cast("Json", evening["hall"])["id"]),
        "{property_id}": str(house["id"]),
        "{listing_id}": str(room["id"]),
        "{cinema_id}": str(cast("list[Json]", cinemas["items"])[0]["id"]),
    }


def good(answer: httpx.Response) -> httpx.Response:
    """The answer, which is no fault."""
    assert answer.status_code < 500, (answer.request.url, answer.request.content, answer.text)
    return answer


@pytest.mark.parametrize("place", PLACES, ids=str)
async def test_it_is_taken_or_refused(place: Place, module_api: Api, ids: dict[str, str]) -> None:
    method, path = place.endpoint.split()
    for name, number in ids.items():
        path = path.replace(name, number)
    made = []
    ranges = (*pairwise(place.values), (place.values[0], place.values[-1]))
    for values in ranges if len(place.names) == 2 else zip(place.values, strict=True):
        body, query, dated = place.body, dict(place.query), path
        for name, value in zip(place.names, values, strict=True):
            if name.startswith("query."):
                query[name.removeprefix("query.")] = value
            elif name.startswith("path."):
                dated = path.replace(f"{{{name.removeprefix('path.')}}}", value)
            else:
                body = filled(body, name, value)
        body = {
            name: ids.get(part, part) if isinstance(part, str) else part
            for name, part in body.items()
        }
        url = str(httpx.URL(dated, params=query))
        answer = good(await module_api.ask(method, url, body or None, key="ak"))
        if answer.status_code == 201 and path == "/v1/resources":
            made.append(answer.json()["id"])
    for resource_id in made[:3] + made[-3:]:
        await look(module_api, resource_id)
    for listed in LISTED:
        await every_page(module_api, listed)
    assert await problems(module_api.connection) == []


async def look(api: Api, resource_id: str) -> None:
    """Asks all that is shown of a resource."""
    path = f"/v1/resources/{resource_id}"
    for below in ("", "/availability", "/calendar.ics", "/audit"):
        good(await api.ask("GET", path + below, key="ak"))
    for since in (*DATES, *TIMES):
        for params in ({"from": since}, {"to": since}, {"from": since, "to": since}):
            url = httpx.URL(f"{path}/availability", params=params)
            good(await api.ask("GET", str(url)))


async def every_page(api: Api, path: str) -> None:
    """Reads a list to its end."""
    after: object = None
    while True:
        url = httpx.URL(path).copy_merge_params({} if after is None else {"after": str(after)})
        after = good(await api.ask("GET", str(url))).json().get("next")
        if after is None:
            return


@pytest.mark.parametrize("shape", SHAPES, ids=str)
async def test_lines_of_every_shape(shape: Shape, module_api: Api) -> None:
    resource = await resources.create(module_api.connection, shape.new())
    line = {name: value for name, value in shown_line(shape.one).items() if value}
    moments = (*DATES, *TIMES)
    for since, until in chain(pairwise(moments), product(moments, ("PT72H", None))):
        one: Json = {**line, "resource_id": resource.id, "from": since, "to": until}
        if until is None:
            del one["to"]
        good(await module_api.ask("POST", "/v1/holds", {"owner": "a", "lines": [one]}))
        good(await module_api.ask("POST", "/v1/quotes", {"lines": [one]}))
        del one["resource_id"]
        body = {"lines": [one], "reason": "r"}
        good(await module_api.ask("POST", f"/v1/resources/{resource.id}/blocks", body, key="ak"))
    await look(module_api, resource.id)


SOLD: Json = {
    "name": "R",
    "plan": msgspec.to_builtins(THEATRE.plan),
    "payment": "none",
    "price": {"amount": 700, "currency": "EUR"},
    "pricing": {
        "cancellation": {
            "tiers": [{"before_seconds": -31_622_400, "basis_points": 100}],
        }
    },
}


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("name", ["opens_at", "closes_at", "starts_at", "ends_at"])
async def test_times_of_a_resource(name: str, zone: str, module_api: Api) -> None:
    spare = await resources.create(module_api.connection, new_show(time_zone=zone))
    for moment in (*TIMES, "0001-01-01T00:00:00", "9999-12-31T23:59:59"):
        start = {"starts_at": "2030-01-01T00:00:00Z", name: moment}
        body = {**SOLD, **start, "time_zone": zone}
        answer = good(await module_api.ask("POST", "/v1/resources", body, key="ak"))
        path = f"/v1/resources/{spare.id}"
        good(await module_api.ask("PATCH", path, {name: moment}, key="ak"))
        if answer.status_code == 201:
            await sell(module_api, msgspec.convert(answer.json(), Resource, strict=False).id)
    for listed in ("/v1/resources", "/v1/overview/resources?limit=2"):
        await every_page(module_api, listed)


async def sell(api: Api, resource_id: str) -> None:
    """Sells something of it and gives it back, with all that is shown on the way."""
    await look(api, resource_id)
    lines = [{"resource_id": resource_id, "unit": "A1"}]
    good(await api.ask("POST", "/v1/quotes", {"lines": lines}))
    hold = good(await api.ask("POST", "/v1/holds", {"owner": "a", "lines": lines}))
    if hold.status_code != 201:
        return
    booked = document(await api.ask("POST", "/v1/bookings", {"hold_id": hold.json()["id"]}), 201)
    path = f"/v1/bookings/{booked['id']}"
    for below in ("", "/tickets", "/tickets.pdf", "/calendar.ics", "/timeline"):
        good(await api.ask("GET", path + below))
    document(await api.ask("POST", f"{path}/refund-quote", {}), 200)
    document(await api.ask("DELETE", path), 200)


@pytest.mark.parametrize("written", [";VALUE=DATE:{}", ":{}T000000Z", ":{}T235959"])
async def test_a_calendar(written: str, module_api: Api) -> None:
    nights = next(shape for shape in SHAPES if shape.name == "cottage")
    resource = await resources.create(module_api.connection, nights.new())
    for since, until in (*pairwise(DATES), (DATES[0], DATES[-1])):
        first, past = (written.format(date.replace("-", "")) for date in (since, until))
        for more in ((), ("RRULE:FREQ=YEARLY;COUNT=3",), ("RRULE:FREQ=DAILY",)):
            text = calendar(event("u", first, past, *more)).decode()
            body = {"name": "airbnb", "calendar": text}
            path = f"/v1/resources/{resource.id}/calendar"
            good(await module_api.ask("PUT", path, body, key="ak"))
