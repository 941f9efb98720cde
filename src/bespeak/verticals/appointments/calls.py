"""The calls of appointments: reading for everybody with a key, the agenda for who sells, writing
for the operator.
"""

from __future__ import annotations

from functools import partial
from typing import TypeVar

import msgspec

from bespeak.verticals.appointments import agenda, catalogue, free_days, views
from bespeak.verticals.appointments.catalogue import TeamsReader
from bespeak.verticals.appointments.forms import NewTeam, TeamChange
from bespeak.verticals.appointments.queries import (
    AgendaQuestion,
    FreeDaysQuestion,
    TeamQuestion,
    TeamsQuestion,
)
from bespeak.verticals.appointments.teams import change_team
from bespeak.verticals.appointments.teams import create_team as put_team
from bespeak.verticals.changes import writing
from bespeak.verticals.vertical import VerticalRequest

_Query = TypeVar("_Query")
_Body = TypeVar("_Body")


def _reader(request: VerticalRequest[_Query, _Body]) -> TeamsReader:
    return TeamsReader(request.workspace, request.published_only, request.sells, request.language)


async def list_teams(request: VerticalRequest[TeamsQuestion, None]) -> views.Teams:
    """A page of teams, by name, without their hours."""
    return await request.engine.reads.run(
        partial(catalogue.teams, reader=_reader(request), asked=request.query)
    )


async def get_team(request: VerticalRequest[TeamQuestion, None]) -> views.Team:
    """Reads a team. Its id is that of its resource: free times are in the availability of that, at
    the service's name as `rate`."""
    return await request.engine.reads.run(
        partial(catalogue.team, reader=_reader(request), team_id=request.path["team_id"])
    )


async def list_free_days(request: VerticalRequest[FreeDaysQuestion, None]) -> views.FreeDays:
    """Tells for each of the dates how many beginnings of a service are free, as a hold would find
    them, and the first beginning that is free at all."""
    team_id = request.path["team_id"]
    found = await request.engine.reads.run(
        partial(catalogue.team_row, reader=_reader(request), team_id=team_id)
    )
    return await free_days.free_days(request.engine, found, request.query)


async def get_agenda(request: VerticalRequest[AgendaQuestion, None]) -> views.Agenda:
    """The agenda of a date: who has the time of which provider, and what is blocked."""
    asked = partial(agenda.agenda, team_id=request.path["team_id"], asked=request.query)
    return await request.engine.reads.run(partial(asked, reader=_reader(request)))


async def create_team(request: VerticalRequest[None, NewTeam]) -> views.Team:
    """Adds a team, with its resource. It is a draft unless it is `published`."""
    async with writing(request.engine) as connection:
        team_id, replayed = await put_team(
            request.engine, connection, request.workspace, request.body, request.idempotency_key
        )
        found = await catalogue.team(connection, _reader(request), team_id)
    return msgspec.structs.replace(found, replayed=replayed)


async def update_team(request: VerticalRequest[None, TeamChange]) -> views.Team:
    """Changes a team and its resource. To call it off, call off its resource."""
    team_id = request.path["team_id"]
    async with writing(request.engine) as connection:
        await change_team(request.engine, connection, request.workspace, team_id, request.body)
        return await catalogue.team(connection, _reader(request), team_id)
