"""Loads the teams of the demo: those that are not there, and some appointments of the coming days,
by keys of the date, so that each start adds what is missing and nothing twice.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from bespeak import ids
from bespeak.errors import BespeakError
from bespeak.inventory.payment_rules import PaymentRule
from bespeak.inventory.resources import Resource
from bespeak.inventory.workspaces import DEFAULT
from bespeak.lines import Line
from bespeak.postgres.queries import load
from bespeak.reservations.contact import Contact
from bespeak.verticals.appointments.forms import NewService, NewTeam
from bespeak.verticals.appointments.teams import create_team
from bespeak.verticals.vertical import DemoLoad, Progress

if TYPE_CHECKING:
    from bespeak.engine import Engine
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.verticals.appointments.demo", "load.sql")
_DAYS, _OF_DAY = 6, 7
_GUESTS = (
    *("Asha Rao", "Ben Carter", "Chiara Conti", "Dilan Kaya", "Emma Vogt", "Farid Nasser"),
    *("Greta Holm", "Hugo Marin", "Ines Duarte", "Jonas Weber", "Kofi Mensah", "Leila Amari"),
)
_HOURS = range(8, 19)


class _Wish(NamedTuple):
    """An appointment that somebody wants, whether or not it is there."""

    key: str
    guest: str
    line: Line


async def load_demo(
    engine: Engine, now: datetime | None = None, tell: Progress = lambda _done, _all: None
) -> DemoLoad:
    """The teams of the demo, with appointments of the coming days."""
    text = resources.files(__package__ or "").joinpath("teams.json").read_bytes()
    said = msgspec.json.decode(text, type=dict[str, NewTeam])
    payment: PaymentRule = "required" if engine.settings.takes_payments else "at_venue"
    found: dict[str, Resource] = {}
    for name, team in said.items():
        new = team if isinstance(team.payment, str) else _paid(team, payment)
        async with engine.database.borrow() as connection, connection.transaction():
            found[name] = await _team(engine, connection, new)
    practice = found["practice"]
    today = (now or engine.clock.now()).astimezone(ZoneInfo(practice.time_zone)).date()
    wishes = list(_wishes(today, said["practice"], practice.id))
    await asyncio.gather(*(_book(engine, wish) for wish in wishes))
    tell(len(found), len(found))
    providers = sum(len(team.providers) for team in said.values())
    # What a visitor tries first is a show: these are found by themselves.
    return DemoLoad((), f"{len(found)} teams with {providers} doctors and courts")


async def _team(engine: Engine, connection: Connection, new: NewTeam) -> Resource:
    """A team, as it was made by whichever version of the demo, and changed since."""
    number = await connection.fetchval(_QUERIES["team_named"], DEFAULT, new.name)
    if number is None:
        team_id, _ = await create_team(engine, connection, DEFAULT, new, None)
    else:
        team_id = ids.show_resource(number)
    return await engine.get_resource(team_id, connection=connection)


def _paid(team: NewTeam, payment: PaymentRule) -> NewTeam:
    return msgspec.structs.replace(team, payment=payment)


def _wishes(today: date, team: NewTeam, team_id: str) -> Iterator[_Wish]:
    """What guests want of these days: the same whenever it is asked on a day. Only of a team that
    is paid at the venue: nobody invents payments."""
    for number in range(_DAYS):
        day = today + timedelta(days=number)
        dice = random.Random(f"appointments {day}")
        for place, guest in enumerate(dice.sample(_GUESTS, _OF_DAY)):
            service: NewService = dice.choice(team.services)
            start = f"{day}T{dice.choice(_HOURS):02}:{dice.choice((0, 15, 30, 45)):02}"
            line = Line(team_id, from_=start, rate=service.name)
            yield _Wish(f"demo/{day}/{place}", guest, line)


async def _book(engine: Engine, wish: _Wish) -> None:
    """Books what is free; what is not is nobody's."""
    owner = f"demo-{wish.guest.split()[0].lower()}"
    try:
        hold = await engine.place_hold(
            owner=owner, lines=[wish.line], idempotency_key=wish.key, alternatives=0
        )
        contact = Contact(f"{owner}@example.com", wish.guest)
        await engine.confirm_hold(hold.id, idempotency_key=f"{wish.key}/book", contact=contact)
    except BespeakError:
        return
