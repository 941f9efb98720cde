"""Places to stay for the shop's browser tests, in a town of their own."""

from __future__ import annotations

import itertools
from datetime import date, datetime, timedelta
from typing import cast
from zoneinfo import ZoneInfo

from tests.browser.office import Json, Office, await_everywhere

ZONE = "Europe/Berlin"
LAT, LON = 54.52, 13.67
# Towns are counted by themselves: each is a degree nearer to the South Pole.
_towns = itertools.count(1)
_houses = itertools.count(1)


def day_on(days: int) -> str:
    """A day so many days from now, by the clocks of the town."""
    return str(today() + timedelta(days=days))


def today() -> date:
    return datetime.now(ZoneInfo(ZONE)).date()


def make_town() -> str:
    """The name of a town that no other test searches in."""
    return f"Sassnitz {next(_towns)}"


def make_property(office: Office, town: str, **given: object) -> str:
    """A property; its id."""
    number = int(town.rsplit(maxsplit=1)[-1])
    body = {
        "name": f"Kliff {next(_houses)}",
        "kind": "hotel",
        # A degree apart from the other towns, so that no circle has two of them.
        "lat": LAT - number,
        "lon": LON,
        "time_zone": ZONE,
        "city": town,
        "country": "DE",
        "address": "Hafenstraße 7",
        "amenities": ["wifi", "parking"],
        "languages": ["de", "en"],
        **given,
    }
    return str(office.call("POST", "/v1/stays/properties", body)["id"])


def make_listing(office: Office, house: str, name: str, **given: object) -> str:
    """A listing that is on sale; its id."""
    body = {
        "property": house,
        "name": name,
        "guests": 2,
        "price": 8000,
        "currency": "EUR",
        "payment": "required",
        "beds": [{"kind": "double"}],
        "plan": {"type": "nights", "count": 2},
        "published": True,
        **given,
    }
    return str(office.call("POST", "/v1/listings", body)["id"])


def await_found(office: Office, town: str, count: int, query: str = "") -> None:
    """Waits until the search of every worker finds so many in a town: each has an index of its
    own."""
    path = f"/v1/search?lat={LAT - int(town.rsplit(maxsplit=1)[-1])}&lon={LON}{query}"
    await_everywhere(lambda: _found(office, path) == count, f"{count} are found in {town}")


def _found(office: Office, path: str) -> int | None:
    answer = office.ask_anew(path, key="pk")
    return cast("int", cast("Json", answer.json())["found"]) if answer.is_success else None
