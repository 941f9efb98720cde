"""A practice for tests: two doctors and a nurse, who give services of different lengths."""

from datetime import UTC, datetime, timedelta
from typing import cast

from tests.http.api import Api, Json, document

ROOT = "/v1/appointments"
TEAMS = f"{ROOT}/teams"
MONDAY_TO_FRIDAY = ["mon", "tue", "wed", "thu", "fri"]
PRACTICE: Json = {
    "name": "Practice",
    "summary": "Doctors by the park.",
    "description": "Ring twice.",
    "address": "Parkweg 1",
    "city": "Köln",
    "country": "DE",
    "time_zone": "Europe/Berlin",
    "currency": "EUR",
    "payment": "at_venue",
    "providers": [
        {"name": "dr-rao", "title": "Dr. Rao"},
        {"name": "dr-lim", "title": "Dr. Lim"},
        {"name": "nurse", "weekly": [{"days": ["tue"], "from": "08:00", "to": "10:00"}]},
    ],
    "weekly": [{"days": MONDAY_TO_FRIDAY, "from": "09:00", "to": "12:00"}],
    "services": [
        {"name": "Check-up", "description": "With a letter.", "minutes": 60, "price": 9000},
        {"name": "Talk", "minutes": 20, "price": 3000, "providers": ["dr-rao", "dr-lim"]},
        {"name": "Blood test", "minutes": 10, "buffer_after_minutes": 5, "providers": ["nurse"]},
    ],
    "notice_minutes": 0,
    "horizon_days": 100,
    "published": True,
}


def items(page: Json, name: str = "items") -> list[Json]:
    """The things that a page lists."""
    return cast("list[Json]", page[name])


def weekday(ordinal: int) -> str:
    """A Monday some weeks from now, or a day after it."""
    today = datetime.now(UTC).date()
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=3)
    return (monday + timedelta(days=ordinal)).isoformat()


async def made_team(api: Api, **fields: object) -> Json:
    """A team that was made."""
    return document(await api.ask("POST", TEAMS, PRACTICE | fields, key="ak"), 201)


async def changed(api: Api, team: Json, **fields: object) -> Json:
    """The team after a change."""
    path = f"{TEAMS}/{team['id']}"
    return document(await api.ask("PATCH", path, fields, key="ak"), 200)


async def held(api: Api, team: Json, service: str, start: str, **line: object) -> Json:
    """A hold of a time."""
    asked = {"resource_id": team["id"], "rate": service, "from": start, **line}
    body = {"owner": "asha", "lines": [asked]}
    return document(await api.ask("POST", "/v1/holds", body), 201)


async def booked(api: Api, team: Json, service: str, start: str, **line: object) -> Json:
    """A booking of a time."""
    hold = await held(api, team, service, start, **line)
    contact = {"name": "Asha Rao", "email": "asha@example.com"}
    body = {"hold_id": hold["id"], "contact": contact}
    return document(await api.ask("POST", "/v1/bookings", body), 201)


async def blocked(api: Api, team: Json, **line: object) -> Json:
    """A block of a provider's time."""
    path = f"/v1/resources/{team['id']}/blocks"
    body = {"lines": [line], "reason": "training"}
    return document(await api.ask("POST", path, body, key="ak"), 201)
