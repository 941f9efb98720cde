"""A team and its resource, changed at a time by two calls: neither undoes what the other said."""

import asyncio

import pytest

import bespeak
from bespeak.inventory.resources import Resource, ResourceChange
from bespeak.inventory.timeline.hours import WeeklyHours
from bespeak.inventory.workspaces import DEFAULT
from bespeak.verticals.appointments.forms import NewProvider, NewService, NewTeam, TeamChange
from bespeak.verticals.appointments.teams import change_team, create_team
from tests.harness.database import Connection

TEAM = NewTeam(
    name="T",
    time_zone="Europe/Berlin",
    currency="EUR",
    weekly=(WeeklyHours("09:00", "12:00"),),
    providers=(NewProvider(name="ann"),),
    services=(NewService(name="s", minutes=30),),
)


async def test_a_change_of_the_resource_meanwhile_is_not_undone(
    engine: bespeak.Engine, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connection.transaction():
        team_id, _ = await create_team(engine, connection, DEFAULT, TEAM, None)
    other: list[asyncio.Task[Resource]] = []
    read = type(engine).get_resource

    async def read_then_another_changes_it(
        self: bespeak.Engine, resource_id: str, *, connection: Connection
    ) -> Resource:
        found = await read(self, resource_id, connection=connection)
        limited = ResourceChange(owner_limit=3)
        other.append(asyncio.create_task(engine.update_resource(resource_id, limited)))
        await asyncio.wait(other, timeout=0.3)
        return found

    monkeypatch.setattr(type(engine), "get_resource", read_then_another_changes_it)
    async with connection.transaction():
        await change_team(engine, connection, DEFAULT, team_id, TeamChange(summary="Anew."))
    assert (await other[0]).owner_limit == 3
    monkeypatch.undo()
    assert (await engine.get_resource(team_id)).owner_limit == 3
