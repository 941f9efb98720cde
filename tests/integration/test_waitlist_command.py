"""`bespeak waitlist`: an operator sees who waits and what would serve them, and opens and closes a
list, which the audit log tells of.
"""

from __future__ import annotations

import asyncio
import json
from typing import cast

import pytest

import bespeak
from bespeak import Resource
from bespeak.cli import main
from bespeak.waitlists.errors import WaitlistClosed
from tests.harness.database import Connection
from tests.harness.waitlists import join, listed, match

Output = pytest.CaptureFixture[str]
LOGGED = "select actor, action, subject, outcome, code from bespeak.audit_entry order by entry_id"
NO_LIST = f"wtl_{'0' * 26}"


async def run(verb: str, *arguments: str, url: str) -> int:
    """The status of a command; it has an event loop of its own, in a thread."""

    def ended() -> int:
        with pytest.raises(SystemExit) as ending:
            main(("waitlist", verb, *arguments, "--database-url", url))
        assert isinstance(ending.value.code, int)
        return ending.value.code

    return await asyncio.to_thread(ended)


async def test_lists_and_entries_are_shown(
    engine: bespeak.Engine, show: Resource, database_url: str, capsys: Output
) -> None:
    waitlist = await listed(engine, show)
    entries = [await join(engine, waitlist, owner) for owner in ("asha", "bela", "zoe")]
    await match(engine)
    await engine.waitlists.withdraw(entries[1].id)
    assert await run("list", "--json", url=database_url) == 0
    (told,) = json.loads(capsys.readouterr().out)
    assert (told["id"], told["state"], told["offered"]) == (waitlist.id, "open", 2)
    assert await run("list", "--workspace", "acme", "--json", url=database_url) == 0
    assert json.loads(capsys.readouterr().out) == []

    asked = (waitlist.id, "--json", "--limit", "2")
    assert await run("entries", *asked, url=database_url) == 0
    page = json.loads(capsys.readouterr().out)
    assert [one["id"] for one in page["items"]] == [entries[0].id, entries[1].id]
    assert await run("entries", *asked, "--after", page["next"], url=database_url) == 0
    last = json.loads(capsys.readouterr().out)
    assert ([one["id"] for one in last["items"]], last["next"]) == ([entries[2].id], None)
    asked = (waitlist.id, "--json", "--state", "withdrawn")
    assert await run("entries", *asked, url=database_url) == 0
    assert [one["owner"] for one in json.loads(capsys.readouterr().out)["items"]] == ["bela"]

    # And for a person, with where to read on.
    assert await run("list", url=database_url) == 0
    assert "strict" in capsys.readouterr().out
    assert await run("entries", waitlist.id, "--limit", "1", url=database_url) == 0
    shown = capsys.readouterr()
    assert "asha" in shown.out
    assert "--after 1" in shown.err


async def test_the_outlook_says_what_would_serve_whom(
    engine: bespeak.Engine, show: Resource, database_url: str, capsys: Output
) -> None:
    lines = [bespeak.Line(show.id, "A1")]
    booking = await engine.confirm_hold(
        (await engine.place_hold(owner="first", lines=lines)).id, owner="first"
    )
    waitlist = await listed(engine, show)
    await join(engine, waitlist, "asha", 20)  # more than are next to each other
    asked = (waitlist.id, "--of", "bookings")
    assert await run("outlook", *asked, "--json", url=database_url) == 0
    (freed,) = json.loads(capsys.readouterr().out)["sources"]
    served = cast("list[dict[str, object]]", freed["serves"])
    assert (freed["id"], [one["place"] for one in served]) == (booking.id, [1])
    assert await run("outlook", *asked, url=database_url) == 0
    assert "all of them" in capsys.readouterr().out
    assert await run("outlook", waitlist.id, url=database_url) == 0
    assert "all of them" not in capsys.readouterr().out


async def test_a_list_is_closed_and_opened_and_the_audit_log_says_so(
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    database_url: str,
    capsys: Output,
) -> None:
    waitlist = await listed(engine, show)
    for _ in range(2):  # repeated, it is as it is
        assert await run("close", waitlist.id, url=database_url) == 0
        assert f"{waitlist.id} is closed; 0 wait" in capsys.readouterr().err
    with pytest.raises(WaitlistClosed):
        await join(engine, waitlist, "asha")
    assert await run("open", waitlist.id, url=database_url) == 0
    await join(engine, waitlist, "asha")
    await engine.waitlists.end(waitlist.id)
    assert await run("open", waitlist.id, url=database_url) == 1
    assert "waitlist_closed" in capsys.readouterr().err
    done = ("cli", "update_waitlist", waitlist.id, "done", None)
    refused = ("cli", "update_waitlist", waitlist.id, "refused", "waitlist_closed")
    assert [tuple(row) for row in await connection.fetch(LOGGED)] == [done] * 4 + [refused]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("entries", NO_LIST), "waitlist_not_found"),
        (("entries", NO_LIST, "--limit", "0"), "limit"),
        (("entries", NO_LIST, "--after", "x"), "invalid_cursor"),
        (("outlook", NO_LIST), "waitlist_not_found"),
        (("close", NO_LIST), "waitlist_not_found"),
        (("open", "res_00000001"), "invalid_id"),
    ],
)
async def test_what_makes_no_sense_is_refused_and_not_logged(
    database_url: str,
    connection: Connection,
    capsys: Output,
    arguments: tuple[str, ...],
    told: str,
) -> None:
    verb, *others = arguments
    assert await run(verb, *others, url=database_url) == 1
    assert told in capsys.readouterr().err
    assert await connection.fetch(LOGGED) == []
