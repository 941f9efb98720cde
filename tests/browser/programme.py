"""A programme for the shop's browser tests: a hall with seats and one without, and what is on."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from tests.browser.office import Json, Office

ROOT = "/v1/programme"
ZONE = "Europe/Berlin"
SEATED: Json = {
    "type": "seats",
    "stage": {"kind": "stage", "label": "Stage", "width": 10},
    "sections": [
        {
            "name": "Stalls",
            "category": "stalls",
            "rows": [{"name": name, "seats": 12} for name in "ABCDE"],
        },
        {"name": "Circle", "category": "circle", "rows": [{"name": "F", "seats": 14}]},
    ],
    "translations": [
        {
            "language": "de",
            "words": {
                "Stage": "Bühne",
                "Stalls": "Parkett",
                "stalls": "Parkett",
                "Circle": "Rang",
                "circle": "Rang",
            },
        },
        {
            "language": "ar",
            "words": {
                "Stage": "المسرح",
                "Stalls": "الصالة",
                "stalls": "الصالة",
                "Circle": "الشرفة",
                "circle": "الشرفة",
            },
        },
    ],
}
STANDING: Json = {
    "type": "seats",
    "pools": [{"unit": "Floor", "capacity": 100}, {"unit": "Gallery", "capacity": 8}],
    "translations": [
        {"language": "de", "words": {"Floor": "Saal", "Gallery": "Galerie"}},
        {"language": "ar", "words": {"Floor": "القاعة", "Gallery": "الشرفة"}},
    ],
}
PRICES: dict[str, Json] = {
    "seated": {"stalls": 4500, "circle": 2900},
    "standing": {"Floor": 2400, "Gallery": 3100},
}


class Programme(NamedTuple):
    """What was made: ids by name."""

    venue: str
    halls: dict[str, str]


def today() -> date:
    """Today by the clocks of the venue."""
    return datetime.now(ZoneInfo(ZONE)).date()


def days_on(days: int, time: str = "20:00") -> str:
    """A time by the clocks of the venue, so many days from now."""
    return f"{today() + timedelta(days=days)}T{time}"


def make_programme(office: Office, **venue: object) -> Programme:
    """A venue with a hall of seats and a hall of standing areas."""
    place = office.call(
        "POST",
        ROOT + "/venues",
        {
            "name": "Kesselhaus",
            "address": "Am Krögel 2",
            "city": "Berlin",
            "country": "DE",
            "time_zone": ZONE,
            **venue,
        },
    )
    halls = {}
    for name, plan in (("seated", SEATED), ("standing", STANDING)):
        made = office.call(
            "POST",
            ROOT + "/halls",
            {
                "venue": place["id"],
                "name": {"seated": "Zx1", "standing": "Zx2"}[name],
                "plan": plan,
            },
        )
        halls[name] = str(made["id"])
    return Programme(str(place["id"]), halls)


def make_event(office: Office, title: str, **given: object) -> str:
    """A production; its id."""
    body = {"title": title, "kind": "concert", "minutes": 90, **given}
    return str(office.call("POST", ROOT + "/productions", body)["id"])


def make_date(
    office: Office, where: Programme, event: str, hall: str, starts_at: str, **given: object
) -> str:
    """A performance that is on sale; its id."""
    body = {
        "production": event,
        "hall": where.halls[hall],
        "starts_at": starts_at,
        "currency": "EUR",
        "prices": PRICES[hall],
        "payment": "required",
        "published": True,
        **given,
    }
    return str(office.call("POST", ROOT + "/performances", body)["id"])
