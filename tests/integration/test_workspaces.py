"""Workspaces in the library: resources are made in one, and no hold is of two."""

import asyncpg
import pytest

import bespeak
from bespeak import Line
from bespeak.errors import InvalidRequest, ResourceNotFound
from bespeak.inventory import workspaces
from bespeak.inventory.errors import WorkspaceExists
from tests.harness.database import Connection
from tests.harness.shows import new_show


async def test_resources_are_made_and_listed_in_a_workspace(
    engine: bespeak.Engine, connection: Connection
) -> None:
    await workspaces.create(connection, "acme")
    ours = await engine.create_resource(new_show(), workspace="acme")
    (more,) = await engine.create_resources([new_show()], workspace="acme")
    theirs = await engine.create_resource(new_show())
    (others,) = await engine.create_resources([new_show()])
    assert (ours.workspace, more.workspace, theirs.workspace) == ("acme", "acme", "default")
    listed = await engine.list_resources(workspace="acme")
    assert {one.id for one in listed.items} == {ours.id, more.id}
    listed = await engine.list_resources(workspace="default")
    assert {one.id for one in listed.items} == {theirs.id, others.id}
    assert len((await engine.list_resources()).items) == 4
    assert (await engine.get_resource(more.id)).workspace == "acme"


async def test_a_workspace_that_is_not_there_is_refused(engine: bespeak.Engine) -> None:
    for name in ("acme", "", "no\0ne"):
        with pytest.raises(InvalidRequest, match="workspace"):
            await engine.create_resource(new_show(), workspace=name)
        with pytest.raises(InvalidRequest, match="workspace"):
            await engine.create_resources([new_show()], workspace=name)
    assert not (await engine.list_resources()).items


async def test_a_hold_over_two_workspaces_is_refused(
    engine: bespeak.Engine, connection: Connection
) -> None:
    await workspaces.create(connection, "acme")
    ours = await engine.create_resource(new_show(), workspace="acme")
    theirs = await engine.create_resource(new_show())
    lines = [Line(ours.id, "A1"), Line(theirs.id, "A1")]
    for mixed in (lines, lines[::-1]):
        with pytest.raises(ResourceNotFound) as refusal:
            await engine.place_hold(owner="asha", lines=mixed)
        assert refusal.value.data["resource_id"] == mixed[1].resource_id
        # As is the SQL form of it, for programs in other languages.
        with pytest.raises(asyncpg.PostgresError, match="resource_not_found"):
            await connection.fetch(
                "select * from bespeak.place_hold('asha', $1, array['A1', 'A1'])",
                [one.resource_id for one in mixed],
            )
    both = await engine.create_resource(new_show(), workspace="acme")
    held = await engine.place_hold(owner="asha", lines=[Line(ours.id, "A1"), Line(both.id, "A1")])
    assert held.state == "held"


async def test_a_workspace_is_made_once(connection: Connection) -> None:
    await workspaces.create(connection, "acme")
    with pytest.raises(WorkspaceExists):
        await workspaces.create(connection, "acme")
    assert [one.name for one in await workspaces.list_all(connection)] == ["default", "acme"]
