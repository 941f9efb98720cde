"""`bespeak queue codes`: an operator makes invitation codes, writes them out again, looks one up
and revokes; what it writes is what the servers read.
"""

from __future__ import annotations

import asyncio
import csv
import json
from pathlib import Path

import pytest

import bespeak
from bespeak.admission.audit import audit_lines
from bespeak.admission.forms import NewQueue
from bespeak.admission.invite_codes import InviteCode, InviteCodes
from bespeak.admission.invites import use_code
from bespeak.cli import main
from bespeak.postgres.secrets import signing_secret
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.waiting import Hall

Output = pytest.CaptureFixture[str]
MAKE = ("--queue", "club", "--name", "Fans")
ENTRIES = "select action, subject from bespeak.audit_entry order by entry_id"


@pytest.fixture
async def room(
    engine: bespeak.Engine, connection: Connection, clock: Clock, show: bespeak.Resource
) -> str:
    hall = Hall(engine, connection, clock)
    await hall.open(show.id, queues=(NewQueue(name="all"), NewQueue(name="club", invited=True)))
    return hall.room.id


async def run(verb: str, *arguments: str, url: str) -> int:
    """The status of a command; it has an event loop of its own, in a thread."""

    def ended() -> int:
        with pytest.raises(SystemExit) as ending:
            main(("queue", "codes", verb, *arguments, "--database-url", url))
        assert isinstance(ending.value.code, int)
        return ending.value.code

    return await asyncio.to_thread(ended)


def codes_in(file: Path) -> list[str]:
    with file.open(newline="") as lines:
        return [row["code"] for row in csv.DictReader(lines)]


async def test_codes_are_made_written_again_looked_up_and_revoked(
    room: str, connection: Connection, database_url: str, tmp_path: Path, capsys: Output
) -> None:
    first, again = tmp_path / "first.csv", tmp_path / "again.csv"
    asked = (room, *MAKE, "--codes", "3", "--output", str(first))
    assert await run("make", *asked, url=database_url) == 0
    assert "batch 1" in capsys.readouterr().err
    codes = codes_in(first)
    assert len(set(codes)) == 3
    # The servers read them, and no others.
    server = InviteCodes(await signing_secret(connection, None))
    read = [server.read(room, code) for code in codes]
    assert read == [InviteCode(1, serial) for serial in (1, 2, 3)]
    assert await run("write", room, "1", "--output", str(again), url=database_url) == 0
    assert again.read_bytes() == first.read_bytes()

    await use_code(connection, room, read[0], b"ada".ljust(16), 10)
    assert await run("show", room, codes[0].lower(), "--json", url=database_url) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["serial"], told["used"], told["queue"]) == (1, 1, "club")
    assert await run("show", room, codes[0], url=database_url) == 0
    assert "1 of 1 persons" in capsys.readouterr().out

    assert await run("revoke", room, "--code", codes[1], url=database_url) == 0
    assert await run("revoke", room, "1", url=database_url) == 0
    assert "1 joined before" in capsys.readouterr().err
    assert await run("list", room, "--json", url=database_url) == 0
    (batch,) = json.loads(capsys.readouterr().out)
    assert (batch["codes"], batch["used"], batch["revoked_at"] is None) == (3, 1, False)
    assert await run("list", room, url=database_url) == 0
    assert "Fans" in capsys.readouterr().out
    entries = [tuple(row) for row in await connection.fetch(ENTRIES)]
    assert entries == [("invite_codes_made", room), *[("invite_codes_revoked", room)] * 2]
    lines = [json.loads(line) async for line in audit_lines(connection, room)]
    changes = [(one["actor"], one["changed"]) for one in lines if one["line"] == "change"][1:]
    said = {"queue": "club", "name": "Fans", "codes": 3, "persons": 1, "until": None}
    assert changes == [
        ("cli", {"invite_batch_made": {"batch": 1, **said}}),
        ("cli", {"invite_code_revoked": {"batch": 1, "serial": 2}}),
        ("cli", {"invite_batch_revoked": 1}),
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("make", *MAKE, "--codes", "0"), "codes"),
        (("make", *MAKE, "--codes", "100001"), "codes"),
        (("make", *MAKE, "--codes", "1", "--until", "2030-01-01T00:00:00"), "until"),
        (("make", "--queue", "nobody", "--name", "Fans", "--codes", "1"), "queue"),
        (("write", "1"), "batch"),
        (("show", "AAAAAA-AAAAAA-AAAAAB"), "invite_code_mistyped"),
        (("show", "000000-000000-000000"), "invite_code_unknown"),
        (("revoke",), "BATCH"),
        (("revoke", "1", "--code", "000000-000000-000000"), "BATCH"),
        (("revoke", "7"), "batch"),
    ],
)
async def test_what_makes_no_sense_is_refused_and_changes_nothing(
    room: str,
    connection: Connection,
    database_url: str,
    capsys: Output,
    arguments: tuple[str, ...],
    told: str,
) -> None:
    verb, *others = arguments
    assert await run(verb, room, *others, url=database_url) == 1
    assert told in capsys.readouterr().err
    assert await connection.fetchval("select count(*) from bespeak.waiting_invite_batch") == 0
    assert await connection.fetch(ENTRIES) == []
    changes = await connection.fetchval("select count(*) from bespeak.waiting_room_change")
    assert changes == 1, "the making of the room"


async def test_another_room_is_not_there(database_url: str, capsys: Output) -> None:
    assert await run("list", "wrm_00000000000a", url=database_url) == 1
    assert "waiting_room_not_found" in capsys.readouterr().err
