"""Stays for tests: a property with listings of each kind."""

from datetime import UTC, datetime, timedelta

from tests.http.api import Api, Json, document

PROPERTIES = "/v1/stays/properties"
LISTINGS = "/v1/listings"
SEARCH = "/v1/search"
MAP = "/v1/stays/map"
IMPORT = "/v1/stays/import"
HOUSE: Json = {
    "ref": "harbour",
    "name": "Haus am Hafen",
    "kind": "hotel",
    "stars": 3,
    "lat": 53.5453,
    "lon": 9.9690,
    "time_zone": "Europe/Berlin",
    "address": "Hafenstraße 1",
    "city": "Hamburg",
    "country": "DE",
    "check_in_time": "14:00",
    "check_out_time": "10:30",
    "summary": "Between fish market and park.",
    "description": "Twelve rooms.\n\nA terrace.",
    "house_rules": "No smoking.",
    "amenities": ["wifi", "breakfast"],
    "languages": ["de", "en"],
    "website": "https://hafen.example/",
    "translations": [{"language": "en", "words": {"Haus am Hafen": "House at the Harbour"}}],
}
DOUBLE: Json = {
    "ref": "harbour-double",
    "name": "Doppelzimmer",
    "guests": 2,
    "plan": {"type": "nights", "count": 8},
    "price": 12000,
    "currency": "EUR",
    "payment": "at_venue",
    "beds": [{"kind": "double", "count": 1}],
    "square_metres": 18,
    "amenities": ["heating"],
    "summary": "To the yard.",
    "translations": [{"language": "en", "words": {"Doppelzimmer": "Double room"}}],
    "published": True,
}


def soon(days: int) -> str:
    """A date so many days from now, far enough that no cutoff is near."""
    return (datetime.now(UTC).date() + timedelta(days=30 + days)).isoformat()


async def made_property(api: Api, key: str = "ak", **fields: object) -> Json:
    """A property."""
    return document(await api.ask("POST", PROPERTIES, HOUSE | fields, key=key), 201)


async def made_listing(api: Api, house: Json, key: str = "ak", **fields: object) -> Json:
    """A listing of a property."""
    body = DOUBLE | {"property": house["id"]} | fields
    return document(await api.ask("POST", LISTINGS, body, key=key), 201)


def bare(number: int) -> Json:
    """What makes another property or listing than the others."""
    return {"ref": f"number-{number}", "name": f"Number {number}"}
