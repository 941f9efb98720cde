"""`bespeak operators`: the first owner of an installation, by the command and its link."""

import asyncio
import json
import os
import subprocess
import sys

import pytest

from bespeak.http.server.operators.accounts import NewOperator, invite, list_operators
from bespeak.http.server.operators.errors import OperatorLinkInvalid
from bespeak.http.server.operators.first_owner import first_link
from bespeak.http.server.operators.links import look_at_link
from bespeak.http.server.operators.roles import OperatorRole
from bespeak.postgres.migrate import migrate
from bespeak.verticals.installed import migration_sources
from tests.harness.database import session
from tests.http.api import Api, document, problem
from tests.http.operating import LOGINS, SESSION, set_up


async def run(api: Api, *words: str) -> "subprocess.CompletedProcess[str]":
    """The command, on the test's database."""
    command = [sys.executable, "-m", "bespeak", "operators", *words]
    environment = {**os.environ, "BESPEAK_DATABASE_URL": api.database_url}
    return await asyncio.to_thread(
        subprocess.run,
        command,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


async def test_the_first_owner_comes_in_by_the_command(api: Api) -> None:
    made = await run(api, "invite", "Asha@example.com", "--role", "owner", "--name", "Asha Rao")
    link = made.stdout.strip()
    assert link.startswith("http://localhost:8000/console/set-up#opl_"), made.stderr
    assert "Asha Rao" in made.stderr
    asha = await set_up(api, link.partition("#")[2])
    shown = await run(api, "list", "--json")
    (listed,) = json.loads(shown.stdout)
    assert (listed["login"], listed["state"], listed["has_password"]) == (
        "asha@example.com",
        "active",
        True,
    )
    last = await run(api, "disable", "asha@example.com")
    assert (last.returncode, last.stderr.partition(":")[2].split(":")[0].strip()) == (
        1,
        "last_owner",
    )
    again = json.loads((await run(api, "reset", "asha@example.com", "--json")).stdout)
    problem(await asha.ask("GET", SESSION), "console_session_invalid")
    body = {"link": again["link"].partition("#")[2]}
    seen = document(await api.ask("POST", f"{LOGINS}/link", body, key=None), 200)
    assert seen["purpose"] == "reset"


async def test_a_first_start_has_a_link_for_the_first_owner(empty_database_url: str) -> None:
    async with session(empty_database_url) as connection:
        await migrate(connection, migration_sources())
        first = await first_link(connection)
        second = await first_link(connection)
        assert first is not None
        assert second is not None
        assert first != second, "each start makes another"
        with pytest.raises(OperatorLinkInvalid):
            await look_at_link(connection, first)
        opened = await look_at_link(connection, second)
        assert (opened.operator.login, opened.operator.role) == ("owner", "owner")
        await invite(connection, NewOperator(login="asha", name="Asha", role=OperatorRole.OWNER))
        assert await first_link(connection) is None, "somebody else was invited"
        await look_at_link(connection, second)


async def test_two_servers_that_start_at_once_make_one_owner(empty_database_url: str) -> None:
    async with session(empty_database_url) as one, session(empty_database_url) as other:
        await migrate(one, migration_sources())
        made = await asyncio.gather(first_link(one), first_link(other))
        assert all(link is not None for link in made)
        assert [each.login for each in await list_operators(one)] == ["owner"]


async def test_where_somebody_can_log_in_no_start_makes_a_link(api: Api) -> None:
    async with session(api.database_url) as connection:
        assert await first_link(connection) is None  # the test has an admin key
        assert await list_operators(connection) == []
