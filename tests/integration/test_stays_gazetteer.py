"""How a process comes to its gazetteer: made once, kept in a folder or nowhere; and what happens
where that fails, and is tried again.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from bespeak.verticals.stays.search import gazetteer_keeper
from bespeak.verticals.stays.search.gazetteer import Gazetteer
from bespeak.verticals.stays.search.gazetteer_keeper import GazetteerKeeper
from tests.harness.gazetteer_sample import TOWNS

_SECONDS_MAX = 300.0


@pytest.fixture(autouse=True)
def _sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gazetteer_keeper, "_MODULE", "tests.harness.gazetteer_sample")


@asynccontextmanager
async def keeping(folder: Path | None, *, is_wanted: bool = True) -> AsyncIterator[GazetteerKeeper]:
    keeper = GazetteerKeeper(folder, is_wanted=is_wanted)
    try:
        yield keeper
    finally:
        await keeper.close()


async def until(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + _SECONDS_MAX
    while not is_so():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


async def come(keeper: GazetteerKeeper) -> Gazetteer:
    await until(keeper.now)
    found = keeper.now()
    assert found is not None
    return found


def _files(folder: Path) -> list[Path]:
    return [one for one in folder.iterdir() if one.name != "gazetteer.lock"]


def _never(*_: object) -> None:
    raise AssertionError("a file is made that is there")


async def test_nobody_waits_for_it_and_it_comes() -> None:
    async with keeping(None) as keeper:
        assert keeper.now() is None
        towns = await come(keeper)
        assert len(towns) == len(TOWNS)
        assert keeper.now() is towns, "it stays"


@pytest.mark.parametrize("is_installed", [False, True])
async def test_where_it_is_not_installed_or_not_wanted_nothing_begins(
    monkeypatch: pytest.MonkeyPatch, *, is_installed: bool
) -> None:
    monkeypatch.setattr(gazetteer_keeper, "_write", _never)
    if not is_installed:
        monkeypatch.setattr(gazetteer_keeper, "data_mark", lambda: None)
    async with keeping(None, is_wanted=not is_installed) as keeper:
        before = asyncio.all_tasks()
        assert keeper.now() is None
        assert asyncio.all_tasks() == before


async def test_it_is_made_once_for_all_processes_of_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "search"
    async with keeping(folder) as keeper:
        await come(keeper)
    (kept,) = _files(folder)
    assert kept.stat().st_mode & 0o077 == 0
    monkeypatch.setattr(gazetteer_keeper, "_write", _never)
    async with keeping(folder) as keeper:
        assert len(await come(keeper)) == len(TOWNS)


async def test_of_processes_that_start_together_one_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    write = gazetteer_keeper._write

    async def counted(descriptor: int) -> None:
        made.append(descriptor)
        await write(descriptor)

    monkeypatch.setattr(gazetteer_keeper, "_write", counted)
    monkeypatch.setattr(gazetteer_keeper, "_LOOK_SECONDS", 0.0)
    async with keeping(tmp_path) as one, keeping(tmp_path) as other:
        await until(lambda: one.now() and other.now())
    assert len(made) == 1


async def test_a_damaged_file_and_one_of_another_version_are_made_anew(tmp_path: Path) -> None:
    async with keeping(tmp_path) as keeper:
        await come(keeper)
    (kept,) = _files(tmp_path)
    kept.rename(tmp_path / "gazetteer-0.1-1.arrays")
    async with keeping(tmp_path) as keeper:
        await come(keeper)
    assert _files(tmp_path) == [kept]
    content = bytearray(kept.read_bytes())
    content[5000] ^= 1
    kept.write_bytes(content)
    async with keeping(tmp_path) as keeper:
        assert [one.name for one in (await come(keeper)).called("wedel", 9)] == ["Wedel"]
    assert _files(tmp_path) == [kept]
    assert kept.read_bytes() != content


async def test_what_a_killed_process_left_writing_does_no_harm(tmp_path: Path) -> None:
    with (tmp_path / "gazetteer.new").open("wb") as left:
        left.write(b"half of it")
        async with keeping(tmp_path) as keeper:
            await come(keeper)
        left.write(b"and the other half")
    (kept,) = _files(tmp_path)
    before = kept.stat().st_mtime_ns
    async with keeping(tmp_path) as keeper:
        assert len(await come(keeper)) == len(TOWNS)
    assert kept.stat().st_mtime_ns == before, "it is as good as new"


@pytest.mark.parametrize("is_kept", [False, True])
async def test_what_fails_is_tried_again_later_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_kept: bool
) -> None:
    monkeypatch.setattr(gazetteer_keeper, "_AGAIN_SECONDS", 3600.0)
    monkeypatch.setenv("GAZETTEER_ENDS", "failed")
    async with keeping(tmp_path if is_kept else None) as keeper:
        assert keeper.now() is None
        await until(lambda: keeper._again_at)
        assert _files(tmp_path) == []
        monkeypatch.setenv("GAZETTEER_ENDS", "")
        for _ in range(3):
            assert keeper.now() is None, "not before its time"
            await asyncio.sleep(0)
        monkeypatch.setattr(keeper, "_again_at", 0.0)
        assert len(await come(keeper)) == len(TOWNS)


@pytest.mark.parametrize("is_too_long", [False, True])
async def test_its_process_does_not_stay_when_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_too_long: bool
) -> None:
    monkeypatch.setenv("GAZETTEER_ENDS", "never")
    if is_too_long:
        monkeypatch.setattr(gazetteer_keeper, "_MAKE_SECONDS_MAX", 0.2)

    def making() -> list[psutil.Process]:
        mine = psutil.Process(os.getpid()).children()
        return [one for one in mine if any("gazetteer" in part for part in one.cmdline())]

    async with keeping(tmp_path) as keeper:
        keeper.now()
        if is_too_long:
            await until(lambda: keeper._again_at)
        else:
            await until(making)
    assert making() == []
    assert _files(tmp_path) == []


async def test_the_data_of_the_package_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    async with keeping(None) as keeper:
        earth = await come(keeper)
    assert len(earth) > 200_000
    for text, name, country in (
        ("hallstatt", "Hallstatt", "AT"),
        ("wien", "Wien", "AT"),
        ("мюнхен", "Мюнхен", "DE"),
        ("القاهرة", "القاهرة", "EG"),
        ("st peter ording", "Sankt Peter-Ording", "DE"),
    ):
        first = earth.called(text, 1)[0]
        assert (first.name, first.country) == (name, country)
