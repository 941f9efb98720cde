"""`bespeak queue` steers a waiting room as the API does, and the audits say so."""

from __future__ import annotations

import asyncio
import json

import pytest

import bespeak
from bespeak.cli import main
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.waiting import Hall

Output = pytest.CaptureFixture[str]
ENTRIES = "select actor, action, outcome, subject from bespeak.audit_entry order by entry_id"
CHANGES = "select actor, changed from bespeak.waiting_room_change order by change_id"
ROOM = """
    select state, draining, challenge, pace, a_minute, inside_max, message
    from bespeak.waiting_room
"""


@pytest.fixture
async def room(
    engine: bespeak.Engine, connection: Connection, clock: Clock, show: bespeak.Resource
) -> str:
    hall = Hall(engine, connection, clock)
    await hall.open(show.id)
    return hall.room.id


async def run(verb: str, *arguments: str, url: str) -> int:
    """The status of a command; it has an event loop of its own, in a thread."""

    def ended() -> int:
        with pytest.raises(SystemExit) as ending:
            main(("queue", verb, *arguments, "--database-url", url))
        assert isinstance(ending.value.code, int)
        return ending.value.code

    return await asyncio.to_thread(ended)


async def test_a_room_is_steered_through_its_life(
    room: str, connection: Connection, database_url: str
) -> None:
    async def done(verb: str, *arguments: str) -> dict[str, object]:
        assert await run(verb, room, *arguments, url=database_url) == 0
        row = await connection.fetchrow(ROOM)
        assert row is not None
        return dict(row)

    assert (await done("open"))["state"] == "open"
    assert (await done("pause"))["state"] == "paused"
    assert (await done("resume"))["state"] == "open"
    assert (await done("drain"))["draining"] is True
    assert (await done("drain", "--undo"))["draining"] is False
    paced = await done("pace", "--by", "stock", "--a-minute", "30", "--inside-max", "7")
    assert (paced["pace"], paced["a_minute"], paced["inside_max"]) == ("stock", 30, 7)
    assert (await done("challenge", "always"))["challenge"] == "always"
    assert (await done("message", "Doors open at seven."))["message"] == "Doors open at seven."
    assert (await done("message"))["message"] is None
    assert (await done("end"))["state"] == "ended"
    entries = await connection.fetch(ENTRIES)
    assert [tuple(one) for one in entries] == [("cli", "change_waiting_room", "done", room)] * 10
    changes = await connection.fetch(CHANGES)
    assert {row["actor"] for row in changes[-10:]} == {"cli"}
    assert json.loads(changes[-7]["changed"])["draining"] is True


async def test_what_cannot_be_done_changes_nothing(
    room: str, connection: Connection, database_url: str
) -> None:
    before = await connection.fetchrow(ROOM)
    for arguments in (
        ("resume", room),  # it has not been opened, and is not by this
        ("pause", room),
        ("pace", room),
        ("pace", room, "--a-minute", "0"),
        ("challenge", room, "rarely"),
        ("message", room, ""),
        ("message", room, "x" * 501),
        ("drain", "wrm_000000000000"),
        ("list", "--limit", "0"),
    ):
        assert await run(*arguments, url=database_url) != 0, arguments
    assert await connection.fetchrow(ROOM) == before
    entries = await connection.fetch(ENTRIES)
    assert [one["outcome"] for one in entries] == ["done", "refused"], "to pause, which it tried"


async def test_rooms_are_listed_and_shown(room: str, database_url: str, capsys: Output) -> None:
    assert await run("list", "--json", url=database_url) == 0
    (listed,) = json.loads(capsys.readouterr().out)["items"]
    assert listed["id"] == room
    assert await run("show", room, "--json", url=database_url) == 0
    assert json.loads(capsys.readouterr().out) == listed
    assert await run("drain", room, url=database_url) == 0
    assert "scheduled, draining" in capsys.readouterr().err
    for verb in (("list",), ("show", room)):
        assert await run(*verb, url=database_url) == 0
        assert room in capsys.readouterr().out
