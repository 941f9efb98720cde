"""What takes long beside the following of the feed never undoes what that has mended, and costs
nothing while nothing can come of it.
"""

import asyncio
import os
import random
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

import bespeak
from bespeak.errors import DatabaseUnavailable
from bespeak.feed.numberer import numbering
from bespeak.verticals.stays.errors import SearchNotReady
from bespeak.verticals.stays.search import array_file, following
from bespeak.verticals.stays.search import index as index_of
from bespeak.verticals.stays.search.array_file import UnusableFile
from bespeak.verticals.stays.search.following import StaysSearcher
from bespeak.verticals.stays.search.index import StaysIndex
from bespeak.verticals.stays.search.snapshot import Restored, SnapshotFile, sorted_anew
from tests.integration.test_stays_snapshots import (
    _MARK,
    _hold,
    _once_told,
    _read_from_tables,
    _stays,
    _told,
    _written,
)


async def test_a_copy_of_what_was_doubted_meanwhile_is_not_taken(
    engine: bespeak.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_of, "_LOOSE_MIN", 0)
    monkeypatch.setattr(following, "_SORT_AGAIN_SECONDS", 0.0)
    sources, goes_on = list[StaysIndex](), asyncio.Event()

    async def sort_later(index: StaysIndex, first_night: int) -> StaysIndex:
        sources.append(index)
        if len(sources) > 1:
            raise OSError(28, "No space left on device")
        copy = await sorted_anew(index, first_night)
        await goes_on.wait()
        return copy

    async def broken(*_: object) -> None:
        del searcher._read_on
        raise ValueError("a fault of ours")

    monkeypatch.setattr(following, "sorted_anew", sort_later)
    await _stays(engine, random.Random(1))
    searcher = StaysSearcher(engine.database)
    try:
        before = await searcher.ready()
        while not sources:  # noqa: ASYNC110 (another task)
            await asyncio.sleep(0.02)
        searcher._read_on = broken  # type: ignore[assignment, method-assign]
        while searcher.index is before:  # noqa: ASYNC110 (another task reads the tables)
            await asyncio.sleep(0.02)
        rebuilt = searcher.index
        goes_on.set()
        while len(sources) == 1:
            assert searcher.index is rebuilt
            await asyncio.sleep(0.02)
        assert sources[1] is rebuilt is searcher.index
    finally:
        await searcher.close()


async def test_damage_in_what_is_copied_is_not_blamed_on_what_came_after_it(
    engine: bespeak.Engine,
) -> None:
    await _stays(engine, random.Random(1))
    searcher = StaysSearcher(engine.database)
    damaged = await searcher.ready()
    await searcher.close()  # from now on it does only what it is told to
    await searcher._follow()
    rebuilt = StaysIndex(damaged.first_night)

    async def write_if_due(*_: object) -> None:
        searcher.index = rebuilt
        raise UnusableFile("it is damaged")

    searcher._snapshot_times = SimpleNamespace(write_if_due=write_if_due)  # type: ignore[assignment]
    with pytest.raises(SearchNotReady):
        await searcher._tend()
    assert searcher._doubted is damaged


async def test_a_newer_file_that_is_damaged_costs_not_what_is_there(
    engine: bespeak.Engine, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(array_file, "_LATE_MIN", 0)
    monkeypatch.setattr(array_file, "_BLOCK", array_file._PAGE)
    chance, file = random.Random(1), SnapshotFile(tmp_path, _MARK)
    listings = await _stays(engine, chance, 30)
    async with numbering(database_url):
        follower, searcher = StaysSearcher(engine.database), StaysSearcher(engine.database)
        try:
            known = await searcher.ready()
            await searcher.close()  # from now on it does only what it is told to
            await follower.ready()
            await _hold(engine, listings[0], chance)
            await _once_told(follower, await _read_from_tables(engine))  # the feed has it
            await _written(engine, file)
            for listing_id in listings[1:]:
                await _hold(engine, listing_id, chance)
            await _once_told(follower, await _read_from_tables(engine))
        finally:
            await follower.close()
        whole = file.path.read_bytes()
        late = 3 * array_file._PAGE  # until there are records alone
        assert whole.rindex(b"Room") > late
        file.path.write_bytes(whole[:late].replace(b"Room", b"Zoom") + whole[late:])
        assert await file.read(following._first_night()) is not None
        searcher._snapshots = file
        assert not await searcher._take_newer()
        assert (searcher.index, searcher._doubted) == (known, None)


class _Away:
    """A database that is away, and how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def borrow(self) -> object:
        self.asked += 1
        raise DatabaseUnavailable(retry_after_seconds=1)

    async def was_asked(self, times: int) -> None:
        """Waits until it was asked so often again."""
        until = self.asked + times
        while self.asked < until:  # noqa: ASYNC110 (other tasks ask)
            await asyncio.sleep(0.01)


async def test_while_the_database_is_away_no_file_is_read_over_and_over(
    engine: bespeak.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_of, "_MARKED_MAX", -1)  # a newer one is always wanted
    monkeypatch.setattr(following, "_AGAIN_SECONDS", 0.01)
    file, away, reads = SnapshotFile(tmp_path, _MARK), _Away(), 0
    read = file.read

    async def counted(first_night: int) -> Restored | None:
        nonlocal reads
        reads += 1
        return await read(first_night)

    await _stays(engine, random.Random(1))
    await _written(engine, file)
    searcher = StaysSearcher(engine.database, file)
    try:
        await searcher.ready()
        monkeypatch.setattr(searcher, "_database", away)
        await away.was_asked(5)
        monkeypatch.setattr(file, "read", counted)
        os.utime(file.path)
        await away.was_asked(50)
        assert reads == 0
        monkeypatch.setattr(searcher, "_database", engine.database)
        while not reads:  # noqa: ASYNC110 (another task)
            await asyncio.sleep(0.01)
    finally:
        await searcher.close()


async def test_who_knows_only_what_a_file_says_does_not_write_it_again(
    engine: bespeak.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "_AGAIN_SECONDS", 0.01)
    file, away = SnapshotFile(tmp_path, _MARK), _Away()
    await _stays(engine, random.Random(1))
    await _written(engine, file)
    then = time.time() - 120
    os.utime(file.path, (then, then))
    written_at = file.written_at
    searcher = StaysSearcher(away, file)  # type: ignore[arg-type]
    try:
        await searcher.ready()
        await away.was_asked(100)
        assert file.written_at == written_at
        monkeypatch.setattr(searcher, "_database", engine.database)
        while file.written_at == written_at:  # noqa: ASYNC110 (another task)
            await asyncio.sleep(0.01)
    finally:
        await searcher.close()


async def test_what_nobody_has_numbered_makes_the_search_old(
    engine: bespeak.Engine, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database answers, and its feed stands still: what was sold since is not known."""
    monkeypatch.setattr(following, "_STALE", timedelta(seconds=1))
    chance, listings = random.Random(1), await _stays(engine, random.Random(1))
    searcher = StaysSearcher(engine.database)
    try:
        async with numbering(database_url):
            await searcher.ready()
            await _once_told(searcher, await _read_from_tables(engine))
        known, before = _told(searcher.index), searcher.as_of
        await asyncio.sleep(0.2)
        sold_before = datetime.now(UTC)
        await _hold(engine, listings[0], chance)
        sold_after = datetime.now(UTC)
        # A look says no more than what was so when it was asked, until which a busy machine waits.
        soon = sold_before - timedelta(seconds=0.01)
        async with asyncio.timeout(30):
            while not searcher.is_stale or searcher.as_of < soon:  # noqa: ASYNC110 (time goes on)
                await asyncio.sleep(0.05)
        assert searcher._is_heard
        assert _told(searcher.index) == known
        assert before < soon <= searcher.as_of <= sold_after
        # One that reads all of it from the tables knows more, for that time.
        fresh = StaysSearcher(engine.database)
        await fresh.ready()
        built_at = fresh.as_of
        await asyncio.sleep(0.5)
        assert (fresh.as_of, _told(fresh.index) == known) == (built_at, False)
        await fresh.close()
        async with numbering(database_url):
            await _once_told(searcher, await _read_from_tables(engine))
            while searcher.is_stale:  # noqa: ASYNC110 (another task)
                await asyncio.sleep(0.02)
    finally:
        await searcher.close()


async def test_a_file_of_before_does_not_make_up_for_a_feed_that_stands_still(
    engine: bespeak.Engine, tmp_path: Path
) -> None:
    """What was read from the tables knew more than the file that is taken in its place."""
    chance, file = random.Random(1), SnapshotFile(tmp_path, _MARK)
    listings = await _stays(engine, chance)
    await _written(engine, file)
    await _hold(engine, listings[0], chance)
    sold_after = datetime.now(UTC)
    searcher = StaysSearcher(engine.database)
    await searcher.ready()
    await searcher.close()  # from now on it does only what it is told to
    known = _told(searcher.index)
    assert sold_after < searcher.as_of
    searcher._snapshots = file
    assert await searcher._take_newer()
    assert _told(searcher.index) != known
    assert searcher.as_of <= sold_after
    await searcher.look()
    assert searcher.as_of <= sold_after
