"""`bespeak workspaces` and `bespeak keys create --workspace`, as operators have them."""

import asyncio
import json

import pytest

from bespeak.cli import main
from tests.harness.database import Connection


async def run(*arguments: str) -> int:
    """The status of a command; it has an event loop of its own, in a thread."""

    def ended() -> int:
        with pytest.raises(SystemExit) as ending:
            main(arguments)
        code = ending.value.code
        assert isinstance(code, int)
        return code

    return await asyncio.to_thread(ended)


async def test_a_workspace_is_made_and_has_keys_of_its_own(
    database_url: str, connection: Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ("--database-url", database_url)
    assert await run("workspaces", "create", "acme", *at) == 0
    assert capsys.readouterr().out == "acme\n"
    assert await run("keys", "create", "sk", "shop", "--workspace", "acme", *at) == 0
    assert capsys.readouterr().out.startswith("sk_")
    assert await run("workspaces", "list", "--json", *at) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert (first["name"], first["keys"]) == ("default", 0)
    assert (second["name"], second["resources"], second["keys"]) == ("acme", 0, 1)
    assert await run("workspaces", "list", *at) == 0
    assert "acme" in capsys.readouterr().out
    told = await connection.fetch("select action, subject from bespeak.audit_entry order by 1")
    assert ("workspace_made", "acme") in [tuple(row) for row in told]


async def test_nobody_of_another_workspace_is_bound_to_a_cinema(
    database_url: str, connection: Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    """Catalogues are the default workspace's; a key of another one was refused, an operator not."""
    at = ("--database-url", database_url)
    assert await run("workspaces", "create", "acme", *at) == 0
    await connection.execute(
        "insert into cinema.city values ('cty_b', 'b', 'Berlin', 'DE', 'Europe/Berlin', 'EUR', '');"
        "insert into cinema.cinema values ('cin_m', 'm', 'cty_b', 'Mitte', '', null, '')"
    )
    place = ("--place", "cinema/cin_m")
    assert await run("operators", "invite", "bela", "--role", "door", *place, *at) == 0
    capsys.readouterr()
    invite = ("operators", "invite", "carl", "--role", "door")
    key = ("keys", "create", "rk", "gate", "--scope", "check_in")
    for command in (invite, key):
        assert await run(*command, "--workspace", "acme", *place, *at) == 1
        assert "invalid_request (place)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("workspaces", "create", "default"), "workspace_exists"),
        (("workspaces", "create", "Acme"), "invalid_request (workspace)"),
        (("workspaces", "create", "a" * 41), "invalid_request (workspace)"),
        (("keys", "create", "sk", "shop", "--workspace", "none"), "invalid_request (workspace)"),
        (
            ("keys", "create", "rk", "x", "--scope", "read", "--workspace", "no\0ne"),
            "invalid_request (workspace)",
        ),
    ],
)
async def test_what_cannot_be_is_refused(
    arguments: tuple[str, ...], told: str, database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await run(*arguments, "--database-url", database_url) == 1
    assert told in capsys.readouterr().err
