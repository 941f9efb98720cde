"""The snapshot of the search: what is read from the file is what was written, a process that starts
from it ends with what the tables say, and a file that is not whole is as none.
"""

import asyncio
import os
import random
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
import structlog.testing

import bespeak
from bespeak import Line, Settings
from bespeak.errors import DatabaseUnavailable
from bespeak.feed.numberer import numbering
from bespeak.feed.reader import Event
from bespeak.ids import parse_resource
from bespeak.inventory.shapes.nights.plan import NightRule, NightsPlan
from bespeak.postgres.pool import Connection
from bespeak.translations import Translation
from bespeak.verticals.pictures import DrawnPicture
from bespeak.verticals.stays.errors import SearchNotReady
from bespeak.verticals.stays.forms import (
    Beds,
    NewListing,
    NewProperty,
    RatedElsewhere,
    ShownPicture,
)
from bespeak.verticals.stays.listings import create_listing
from bespeak.verticals.stays.pictures import keep_picture
from bespeak.verticals.stays.properties import create_property
from bespeak.verticals.stays.search import array_file, following, snapshot
from bespeak.verticals.stays.search import index as index_of
from bespeak.verticals.stays.search.array_file import ArrayWriter, UnusableFile
from bespeak.verticals.stays.search.following import StaysSearcher
from bespeak.verticals.stays.search.index import StaysIndex
from bespeak.verticals.stays.search.listing import IndexedListing
from bespeak.verticals.stays.search.listing_rows import RowsCut
from bespeak.verticals.stays.search.packing import write_rows
from bespeak.verticals.stays.search.snapshot import SnapshotFile

_TODAY = datetime.now(UTC).date()
_URL = "postgresql://somebody:secret@db.example/one"
_MARK = Settings(database_url=_URL).database_mark
_PICTURE = DrawnPicture("0" * 32, b"whole", b"card", 96, 64)
_HOUSE = NewProperty(
    name="Haus am Hafen",
    kind="hotel",
    lat=53.5,
    lon=10,
    time_zone="Europe/Berlin",
    city="Hamburg",
    country="DE",
    amenities=("wifi", "sauna"),
    rated_elsewhere=RatedElsewhere(8.7, 1204, "Guest survey"),
    pictures=(ShownPicture(_PICTURE.digest, "Der Hafen"),),
    translations=(Translation("en", {"Haus am Hafen": "House at the Harbour"}),),
)


def _day(number: int) -> str:
    return (_TODAY + timedelta(days=number)).isoformat()


async def _stays(engine: bespeak.Engine, chance: random.Random, count: int = 4) -> list[str]:
    """Listings of a house: types of rooms, and exact rooms."""
    made = []
    rule = NightRule(days=("fri", "sat"), price=9000, min_nights=2)
    async with engine.database.borrow() as connection, connection.transaction():
        await keep_picture(connection, _PICTURE)
        house, _ = await create_property(connection, "default", _HOUSE, None)
        for number in range(count):
            rooms = tuple(f"room {room}" for room in range(chance.randint(1, 3)))
            plan = (
                NightsPlan(rooms=rooms, rules=(rule,))
                if number % 2
                else NightsPlan(count=3, rules=(rule,))
            )
            new = NewListing(
                property=house,
                name=f"Room {number}",
                guests=2,
                price=5000,
                currency="EUR",
                plan=plan,
                beds=(Beds("double"), Beds("cot", 2)),
                payment="at_venue",
                published=True,
            )
            made.append((await create_listing(engine, connection, "default", new, None))[0])
    return made


async def _hold(engine: bespeak.Engine, listing_id: str, chance: random.Random) -> None:
    start = 2 * chance.randrange(40)
    line = Line(listing_id, from_=_day(start + 2), to=_day(start + 4))
    with suppress(bespeak.BespeakError):  # taken already, or no stay that is sold
        await engine.place_hold(owner="somebody", lines=[line])


def _told(index: StaysIndex) -> list[dict[str, object]]:
    """All that an index knows, listing by listing; nights in which nothing is taken are not told
    apart from those of which nothing was ever said."""
    return [_one_told(one) for one in sorted(index.listings(), key=lambda one: one.number)]


def _one_told(one: IndexedListing) -> dict[str, object]:
    said = {each.name: getattr(one, each.name) for each in fields(one) if each.name != "_rules"}
    return said | {"taken": {room: bits for room, bits in one.taken.items() if bits}}


async def _once_told(searcher: StaysSearcher, wanted: list[dict[str, object]]) -> None:
    for _ in range(200):
        if _told(searcher.index) == wanted:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it never comes to what the tables say")


async def _read_from_tables(engine: bespeak.Engine) -> list[dict[str, object]]:
    searcher = StaysSearcher(engine.database)
    try:
        return _told(await searcher.ready())
    finally:
        await searcher.close()


async def _written(engine: bespeak.Engine, file: SnapshotFile) -> None:
    """A process that writes a snapshot and ends."""
    searcher = StaysSearcher(engine.database, file)
    try:
        await searcher.ready()
        while not file.written_at:  # noqa: ASYNC110 (another task writes it)
            await asyncio.sleep(0.02)
    finally:
        await searcher.close()


async def test_who_has_much_of_its_own_takes_the_newer_snapshot(
    engine: bespeak.Engine, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whatever is not from a snapshot is much.
    monkeypatch.setattr(index_of, "_LOOSE_MIN", 0)
    chance, file = random.Random(3), SnapshotFile(tmp_path, _MARK)
    listings = await _stays(engine, chance)
    async with numbering(database_url):
        searcher = StaysSearcher(engine.database, file)
        try:
            built = await searcher.ready()
            while searcher.index is built or searcher.index.is_loose:  # noqa: ASYNC110 (a task)
                await asyncio.sleep(0.02)
            opened = file.path.open("rb")
            kept = opened.read()
            for _ in range(20):
                await _hold(engine, chance.choice(listings), chance)
            await _stays(engine, chance, 2)
            await _once_told(searcher, await _read_from_tables(engine))
            while searcher.index.is_loose:  # noqa: ASYNC110 (no newer one: by itself)
                await asyncio.sleep(0.02)
            assert _told(searcher.index) == await _read_from_tables(engine)
        finally:
            await searcher.close()
    with opened:  # what a process writes to what it mapped is its own
        opened.seek(0)
        assert opened.read() == kept


def _away(*_: object) -> object:
    raise DatabaseUnavailable(retry_after_seconds=1)


async def test_a_newer_snapshot_is_taken_wholly_or_not_at_all(
    engine: bespeak.Engine, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, file = random.Random(4), SnapshotFile(tmp_path, _MARK)
    listings = await _stays(engine, chance)
    async with numbering(database_url):
        await _written(engine, file)
        searcher = StaysSearcher(engine.database, file)
        await searcher.ready()
        await searcher.close()  # from now on it does only what it is told to
        known, cursor, told = searcher.index, searcher.cursor, _told(searcher.index)
        file.path.unlink()
        await _written(engine, file)
        follower = StaysSearcher(engine.database)
        try:
            await follower.ready()
            for _ in range(20):
                await _hold(engine, chance.choice(listings), chance)
            after = await _read_from_tables(engine)
            await _once_told(follower, after)  # and so the feed has it, too
        finally:
            await follower.close()
        read, failed = searcher._read_units, []

        async def read_and_lost(
            connection: Connection, index: StaysIndex, events: Sequence[Event]
        ) -> None:
            await read(connection, index, events)
            failed.append(_told(index))
            raise DatabaseUnavailable(retry_after_seconds=1)

        with monkeypatch.context() as patched:
            patched.setattr(searcher, "_read_units", read_and_lost)
            with pytest.raises(DatabaseUnavailable):
                await searcher._take_newer()
        assert failed == [after], "the newer one was at its end, but for the cursor"
        assert (searcher.index, searcher.cursor) == (known, cursor)
        assert _told(searcher.index) == told != after
        assert await searcher._take_newer(), "once the database is there, the same file is taken"
        assert _told(searcher.index) == after
        assert not await searcher._take_newer()


@pytest.mark.parametrize("has_file", [False, True])
async def test_the_feed_is_read_while_the_index_is_sorted_or_written(
    engine: bespeak.Engine,
    database_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    has_file: bool,
) -> None:
    """However long that takes: what is booked meanwhile is seen, and seen in what was made."""
    monkeypatch.setattr(index_of, "_LOOSE_MIN", 0)
    chance, began, goes_on = random.Random(5), threading.Event(), threading.Event()

    def write_later(writer: ArrayWriter, rows: RowsCut, first_night: int) -> None:
        began.set()
        assert goes_on.wait(60)
        write_rows(writer, rows, first_night)

    monkeypatch.setattr(snapshot, "write_rows", write_later)
    listings = await _stays(engine, chance)
    async with numbering(database_url):
        file = SnapshotFile(tmp_path, _MARK) if has_file else None
        searcher = StaysSearcher(engine.database, file)
        try:
            before = await searcher.ready()
            assert await asyncio.to_thread(began.wait, 30)
            for _ in range(20):
                await _hold(engine, chance.choice(listings), chance)
            await _stays(engine, chance, 2)
            after = await _read_from_tables(engine)
            await _once_told(searcher, after)
            assert searcher.index is before, "what is made is not there yet"
            assert not searcher.is_stale
            goes_on.set()
            while searcher.index is before:  # noqa: ASYNC110 (another task takes over)
                await asyncio.sleep(0.02)
            assert _told(searcher.index) == after
            await _hold(engine, chance.choice(listings), chance)
            await _once_told(searcher, await _read_from_tables(engine))
        finally:
            goes_on.set()
            await searcher.close()


async def test_damage_that_is_found_late_is_shown_to_nobody(
    engine: bespeak.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a large file the records are looked through when they are used. What is damaged there is
    no answer; then all is read from the tables."""
    monkeypatch.setattr(array_file, "_LATE_MIN", 0)
    monkeypatch.setattr(array_file, "_BLOCK", array_file._PAGE)
    file = SnapshotFile(tmp_path, _MARK)
    await _stays(engine, random.Random(1), 30)
    await _written(engine, file)
    restored = await file.read(following._first_night())
    assert restored is not None
    expected = _told(restored.index)
    whole = bytearray(file.path.read_bytes())
    at = whole.index(b"Room", 2 * array_file._PAGE)  # a name, in the second page of the records
    file.path.write_bytes(whole[:at] + b"Zoom" + whole[at + 4 :])
    with structlog.testing.capture_logs() as logs:
        searcher = StaysSearcher(engine.database, file)
        try:
            await searcher.ready()
            damaged = searcher.index
            with pytest.raises(SearchNotReady), searcher.answering() as index:
                _told(index)
            with pytest.raises(UnusableFile):
                _told(damaged)
            while searcher.index is damaged:  # noqa: ASYNC110 (another task reads the tables)
                await asyncio.sleep(0.02)
            with searcher.answering() as index:
                assert _told(index) == expected
        finally:
            await searcher.close()
    assert {"search snapshot not usable"} == {entry["event"] for entry in logs}


@pytest.mark.parametrize("seed", range(3))
async def test_who_starts_from_a_snapshot_ends_with_what_the_tables_say(
    engine: bespeak.Engine, database_url: str, tmp_path: Path, seed: int
) -> None:
    chance, file = random.Random(seed), SnapshotFile(tmp_path, _MARK)
    listings = await _stays(engine, chance)
    async with numbering(database_url):
        for _ in range(20):
            await _hold(engine, chance.choice(listings), chance)
        before = await _read_from_tables(engine)
        await _written(engine, file)
        restored = await file.read(following._first_night())
        assert restored is not None
        assert _told(restored.index) == before
        houses = [one.house for one in restored.index.listings()]
        assert {(house.rating, house.ratings) for house in houses} == {(87, 1204)}
        assert all(
            one.picture == (*_PICTURE[:1], 96, 64, "Der Hafen") for one in restored.index.listings()
        )
        for _ in range(20):
            await _hold(engine, chance.choice(listings), chance)
        await _stays(engine, chance, 2)
        after = await _read_from_tables(engine)
        searcher = StaysSearcher(engine.database, file)
        try:
            await searcher.ready()
            await _once_told(searcher, after)
        finally:
            await searcher.close()
    assert len(after) == 6
    assert before != after[:4]


async def test_a_process_that_starts_without_the_database_answers_from_the_snapshot(
    engine: bespeak.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SnapshotFile(tmp_path, _MARK)
    (listing_id,) = await _stays(engine, random.Random(1), 1)
    await _written(engine, file)
    monkeypatch.setattr(following, "_PATIENCE_SECONDS", 0.1)
    monkeypatch.setattr(following, "_STALE", timedelta(0))
    searcher = StaysSearcher(SimpleNamespace(borrow=_away), file)  # type: ignore[arg-type]
    try:
        index = await searcher.ready()
        assert [one.number for one in index.listings()] == [parse_resource(listing_id)]
        assert searcher.is_stale
        # And once the database is there, what it says.
        await _stays(engine, random.Random(2), 1)
        monkeypatch.setattr(searcher, "_database", engine.database)
        searcher.cursor = None
        await _once_told(searcher, await _read_from_tables(engine))
    finally:
        await searcher.close()


async def test_a_snapshot_of_yesterday_is_no_answer(
    engine: bespeak.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SnapshotFile(tmp_path, _MARK)
    await _stays(engine, random.Random(1), 1)
    await _written(engine, file)
    monkeypatch.setattr(following, "_SNAPSHOT_AGE_MAX", timedelta(0))
    monkeypatch.setattr(following, "_PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(following, "_READY_SECONDS", 0.3)
    searcher = StaysSearcher(SimpleNamespace(borrow=_away), file)  # type: ignore[arg-type]
    try:
        with pytest.raises(SearchNotReady):
            await searcher.ready()
    finally:
        await searcher.close()


async def test_a_file_that_is_not_whole_is_as_none(engine: bespeak.Engine, tmp_path: Path) -> None:
    file = SnapshotFile(tmp_path, _MARK)
    first = following._first_night()
    assert await file.read(first) is None
    await _stays(engine, random.Random(1))
    await _written(engine, file)
    whole = file.path.read_bytes()
    chance = random.Random(7)
    broken = [whole[:at] for at in {0, 5, 14, 15, 20, len(whole) - 1}]
    for _ in range(50):
        at = chance.randrange(len(whole))
        broken.append(whole[:at] + bytes([whole[at] ^ 1 + chance.randrange(255)]) + whole[at + 1 :])
    with structlog.testing.capture_logs() as logs:
        for content in broken:
            file.path.write_bytes(content)
            assert await file.read(first) is None
    assert len(logs) == len(broken)
    file.path.write_bytes(whole)
    assert await file.read(first) is not None


async def test_a_damaged_snapshot_costs_nothing_but_the_reading_of_the_tables(
    engine: bespeak.Engine, tmp_path: Path
) -> None:
    file = SnapshotFile(tmp_path, _MARK)
    await _stays(engine, random.Random(1))
    file.path.write_bytes(b"no snapshot")
    searcher = StaysSearcher(engine.database, file)
    try:
        assert _told(await searcher.ready()) == await _read_from_tables(engine)
    finally:
        await searcher.close()


async def test_the_file_is_its_users_alone_and_a_databases_own(
    engine: bespeak.Engine, tmp_path: Path
) -> None:
    folder = tmp_path / "search"
    file = SnapshotFile(folder, _MARK)
    await _stays(engine, random.Random(1), 1)
    await _written(engine, file)
    assert (folder.stat().st_mode & 0o777, file.path.stat().st_mode & 0o777) == (0o700, 0o600)
    assert b"somebody" not in file.path.read_bytes()  # no guest and no owner
    other = SnapshotFile(folder, Settings(database_url=_URL.replace("/one", "/two")).database_mark)
    assert await other.read(0) is None
    # The password is no part of which database it is.
    assert Settings(database_url=_URL.replace("secret", "changed")).database_mark == _MARK


async def test_what_a_killed_process_left_is_taken_away(
    engine: bespeak.Engine, tmp_path: Path
) -> None:
    file = SnapshotFile(tmp_path, _MARK)
    left, fresh = tmp_path / "stays-0.1.new", tmp_path / "stays-0.2.new"
    for draft in (left, fresh):
        draft.write_bytes(b"half")
    os.utime(left, (1, 1))
    await _stays(engine, random.Random(1), 1)
    await _written(engine, file)
    assert (left.exists(), fresh.exists()) == (False, True)


async def test_a_folder_that_cannot_be_written_is_told_of_and_harms_no_search(
    engine: bespeak.Engine, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    await _stays(engine, random.Random(1), 1)
    with structlog.testing.capture_logs() as logs:
        searcher = StaysSearcher(engine.database, SnapshotFile(blocked, _MARK))
        try:
            assert len(await searcher.ready()) == 1
            while not logs:  # noqa: ASYNC110 (another task tells it)
                await asyncio.sleep(0.02)
        finally:
            await searcher.close()
    assert {entry["event"] for entry in logs} <= {
        "search snapshot not read",
        "search snapshot not written",
    }
