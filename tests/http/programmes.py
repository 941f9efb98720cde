"""A programme for tests: a venue with a hall of seats and a floor, and productions in it."""

from base64 import b64encode
from io import BytesIO

from PIL import Image

from tests.http.api import Api, Json, document

ROOT = "/v1/programme"
VENUE: Json = {
    "name": "Alte Münze",
    "address": "Am Krögel 2",
    "city": "Berlin",
    "country": "DE",
    "time_zone": "Europe/Berlin",
}
PLAN: Json = {
    "type": "seats",
    "sections": [
        {"name": "Stalls", "category": "stalls", "rows": [{"name": "A", "seats": 10}]},
        {"name": "Circle", "category": "circle", "rows": [{"name": "C", "seats": 5}]},
    ],
    "pools": [{"unit": "Floor", "capacity": 100}],
    "translations": [{"language": "de", "words": {"stalls": "Parkett"}}],
}
PRICES: Json = {"stalls": 4000, "circle": 2500, "Floor": 1500}
PRODUCTION: Json = {
    "title": "Four Hands",
    "kind": "concert",
    "series": "Thursdays",
    "performers": ["Łucja Ångström", "Zoë Müller"],
    "minutes": 90,
    "translations": [{"language": "de", "words": {"Four Hands": "Vier Hände"}}],
}
STARTS_AT = "2030-03-07T20:00"


async def made(api: Api, path: str, body: Json, key: str = "ak") -> Json:
    """What a call made."""
    return document(await api.ask("POST", ROOT + path, body, key=key), 201)


async def hall(api: Api, key: str = "ak") -> Json:
    """A hall in a venue of its own."""
    venue = await made(api, "/venues", VENUE, key)
    return await made(api, "/halls", {"venue": venue["id"], "name": "Saal", "plan": PLAN}, key)


def performance_of(production: Json, place: Json, **fields: object) -> Json:
    """A good performance, as a body."""
    base: Json = {
        "production": production["id"],
        "hall": place["id"],
        "starts_at": STARTS_AT,
        "currency": "EUR",
        "prices": PRICES,
        "payment": "at_venue",
    }
    return base | fields


async def performance(api: Api, key: str = "ak", **fields: object) -> Json:
    """A performance with all that it needs."""
    place = await hall(api, key)
    production = await made(api, "/productions", PRODUCTION, key)
    return await made(api, "/performances", performance_of(production, place, **fields), key)


def drawn(width: int = 4, height: int = 3, form: str = "PNG", **options: object) -> str:
    """A picture, in Base64."""
    written = BytesIO()
    Image.new("RGB", (width, height), "#0b6e4f").save(written, form, **options)
    return b64encode(written.getvalue()).decode()
