"""The audit of a waiting room: it has all that the order follows from, and a check finds what was
turned.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

import bespeak
from bespeak.admission.audit import audit_lines, audit_page, check_audit
from bespeak.admission.errors import NotYourTurn, WaitingRoomNotFound
from bespeak.admission.place_keys import late_key, seed_hash, show_key
from bespeak.cli.options import DatabaseChoice
from bespeak.cli.queue import audit, check
from bespeak.errors import InvalidCursor, InvalidRequest
from bespeak.list_cursors import show_cursor
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.waiting import Hall

Line = dict[str, object]


@pytest.fixture
def hall(engine: bespeak.Engine, connection: Connection, clock: Clock) -> Hall:
    return Hall(engine, connection, clock)


async def sale(hall: Hall, show: str) -> None:
    """A sale to which some come early and some late, and of whom some come in."""
    worker = await hall.open(show, a_minute=60)
    tokens = {f"early {n}": worker.join(f"early {n}") for n in range(20)}
    await worker.look()
    await hall.go_on(60)
    await worker.look()
    tokens |= {f"late {n}": worker.join(f"late {n}") for n in range(5)}
    await worker.look()
    await hall.go_on(2, times=14)
    inside = 0
    for owner, token in tokens.items():
        with suppress(NotYourTurn):
            await worker.come_in(token, owner)
            inside += 1
    assert inside > 3


async def lines_of(connection: Connection, room: str) -> list[bytes]:
    return [line async for line in audit_lines(connection, room)]


async def test_an_audit_agrees_with_itself(
    hall: Hall, show: bespeak.Resource, connection: Connection
) -> None:
    await sale(hall, show.id)
    lines = await lines_of(connection, hall.room.id)
    let_in = await connection.fetchval("select count(*) from bespeak.waiting_pass")
    found = check_audit(lines)
    assert found.is_good
    assert (found.passes, found.is_promised_seed) == (let_in, True)
    assert 0 < found.drawn < let_in, "some came by the draw, and some after it"
    assert b"early" not in b"".join(line for line in lines if b'"line":"pass"' in line), "no owner"


@pytest.mark.parametrize("limit", [1, 3, 1000])
async def test_in_pages_it_says_the_same(
    hall: Hall, show: bespeak.Resource, connection: Connection, limit: int
) -> None:
    await sale(hall, show.id)
    whole = [msgspec.json.decode(line) for line in await lines_of(connection, hall.room.id)]
    found, after = [], None
    while True:
        page = await audit_page(connection, hall.room.id, None, after, limit)
        assert len(page.items) <= limit
        found += msgspec.to_builtins(page.items)
        after = page.next
        if after is None:
            break
        assert len(page.items) == limit
    assert {line["line"] for line in found} == {"room", "change", "front", "pass"}
    assert found == whole


async def test_what_comes_after_the_first_page_is_in_none(
    hall: Hall, show: bespeak.Resource, connection: Connection
) -> None:
    """So a front that is not in it called nobody whose pass is."""
    await sale(hall, show.id)
    whole = await lines_of(connection, hall.room.id)
    first = await audit_page(connection, hall.room.id, None, None, 2)
    await hall.go_on(1)
    await hall.change(message="Soon.")
    worker = await hall.worker()
    token = worker.join("later")
    await worker.look()
    await hall.go_on(2, times=3)
    await worker.look()
    await worker.come_in(token, "later")
    rest = await audit_page(connection, hall.room.id, None, first.next, 1000)
    lines = [*map(msgspec.json.encode, first.items), *map(msgspec.json.encode, rest.items)]
    assert lines == [line.rstrip() for line in whole]
    assert check_audit(lines).is_good


@pytest.mark.parametrize(
    "key",
    [
        ("2030-01-01T00:00:00", 0, 0, ""),
        ("9999-01-01T00:00:00Z", 0, 0, ""),
        ("2030-01-01T00:00:00Z", 3, 0, ""),
        ("2030-01-01T00:00:00Z", 0, -1, ""),
        ("2030-01-01T00:00:00Z", 1, 1 << 60, ""),
        ("2030-01-01T00:00:00Z", 2, 0, "AAAA" * 20),
        ("2030-01-01T00:00:00Z", 0, 0),
    ],
    ids=str,
)
async def test_a_cursor_that_no_page_gave_is_refused(
    hall: Hall, show: bespeak.Resource, connection: Connection, key: tuple[object, ...]
) -> None:
    await hall.open(show.id)
    with pytest.raises(InvalidCursor):
        await audit_page(connection, hall.room.id, None, show_cursor(*key), 10)


async def test_a_made_up_cursor_reads_on_somewhere(
    hall: Hall, show: bespeak.Resource, connection: Connection
) -> None:
    """Whatever numbers it has, PostgreSQL can hold them."""
    await sale(hall, show.id)
    for part in range(3):
        cursor = show_cursor("2030-01-01T00:00:00Z", part, 1 << 53, b"\xff" * 32)
        page = await audit_page(connection, hall.room.id, None, cursor, 10)
        assert page.next is None


async def test_it_says_who_changed_what(
    engine: bespeak.Engine, hall: Hall, show: bespeak.Resource, connection: Connection, clock: Clock
) -> None:
    with engine.acting_as("boss"):
        await hall.open(show.id, after=600)
    with engine.acting_as("till-3"):
        await hall.change(a_minute=60, message="Soon.")
        with pytest.raises(InvalidRequest):
            await hall.change(state="paused")
    with engine.acting_as("system"):
        await hall.go_on(600)
    found = [msgspec.json.decode(line) for line in await lines_of(connection, hall.room.id)]
    changes = [line for line in found if line["line"] == "change"]
    assert [line["actor"] for line in changes] == ["boss", "till-3", "system"]
    assert changes[0]["changed"]["name"] == "Premiere"
    assert changes[1]["changed"] == {"a_minute": 60, "message": "Soon."}
    assert changes[2]["changed"] == {"state": "open"}


async def test_before_the_opening_it_keeps_the_secret(
    hall: Hall, show: bespeak.Resource, connection: Connection
) -> None:
    await hall.open(show.id)
    (room, *_) = await lines_of(connection, hall.room.id)
    told = msgspec.json.decode(room)
    assert told["seed"] is None and told["seed_hash"] == hall.room.seed_hash
    assert not check_audit([room]).is_good, "nothing can be checked yet"


async def test_an_opening_that_was_taken_back_leaves_no_fronts(
    hall: Hall, show: bespeak.Resource, connection: Connection, clock: Clock
) -> None:
    worker = await hall.open(show.id)
    for number in range(9):
        worker.join(f"guest {number}")
    await worker.look()
    await hall.go_on(60)
    await hall.go_on(2, times=3)
    await hall.change(state="scheduled", opens_at=clock.now + timedelta(hours=1))
    lines = await lines_of(connection, hall.room.id)
    assert not any(b'"line":"front"' in line for line in lines)


def turned(lines: list[bytes], kind: str, turn: Callable[[Line], Line]) -> list[bytes]:
    """The lines with the last one of a kind turned."""
    at = max(n for n, line in enumerate(lines) if msgspec.json.decode(line)["line"] == kind)
    return [
        *lines[:at],
        msgspec.json.encode(turn(msgspec.json.decode(lines[at]))),
        *lines[at + 1 :],
    ]


async def test_what_was_turned_is_found(
    hall: Hall, show: bespeak.Resource, connection: Connection
) -> None:
    await sale(hall, show.id)
    lines = await lines_of(connection, hall.room.id)

    def by(kind: str, **fields: object) -> list[bytes]:
        return turned(lines, kind, lambda line: line | fields)

    assert not check_audit(by("room", seed="00" * 32)).is_promised_seed
    promised = hall.room.seed_hash
    assert check_audit(lines, promised.upper()).is_promised_seed
    another = by("room", seed="00" * 32, seed_hash=seed_hash(bytes(32)))
    assert check_audit(another).is_promised_seed, "by the word of the file alone"
    assert not check_audit(another, promised).is_promised_seed
    assert check_audit(by("room", public_value="mine")).wrong_draws > 0
    assert check_audit(by("pass", place_key="0" * 16)).wrong_draws == 1
    too_early = show_key(late_key(1_800_000_000_000_000))
    assert check_audit(by("pass", place_key=too_early)).wrong_draws == 1
    assert check_audit(by("pass", given_at="2000-01-01T00:00:00Z")).early_turns == 1
    assert check_audit(by("pass", place_key="7" + "f" * 15)).early_turns == 1
    assert check_audit(by("front", front="0" * 16)).fronts_back == 1
    with pytest.raises(InvalidRequest):
        check_audit(by("pass", given_at="2030-01-01T12:01:06"))  # by which clock?


@pytest.mark.parametrize(
    "lines",
    [[], [b"{}"], [b"not json"], [b'{"line":"front","queue":"a","at":"2030-01-01T00:00:00Z"}']],
)
def test_what_is_no_audit_is_refused(lines: list[bytes]) -> None:
    with pytest.raises(InvalidRequest):
        check_audit(lines)


async def test_the_command_writes_what_the_other_command_checks(
    hall: Hall,
    show: bespeak.Resource,
    database_url: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    await sale(hall, show.id)
    file = str(tmp_path / "premiere.jsonl")
    choice = DatabaseChoice(database_url=database_url)
    assert await asyncio.to_thread(audit, hall.room.id, output=file, database=choice) == 0
    assert check(file) == 0
    assert "The seed fits the hash in the file" in capsys.readouterr().out
    assert check(file, seed_hash=hall.room.seed_hash) == 0
    assert "The seed is the one whose hash was told." in capsys.readouterr().out
    assert check(file, seed_hash="00" * 32) == 1
    with pytest.raises(WaitingRoomNotFound):
        await asyncio.to_thread(audit, "wrm_000000000000", output=file, database=choice)
    assert check(file) == 0, "it is the file that it was"


async def test_of_no_room_there_is_none(connection: Connection) -> None:
    with pytest.raises(WaitingRoomNotFound):
        await lines_of(connection, "wrm_000000000000")
