"""How a process comes to its gazetteer: made once for a machine, kept in a folder or in the cache,
or where neither can be, nowhere; and what happens where that fails, and is tried again.
"""

import asyncio
import errno
import os
import sys
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
_MODULE = gazetteer_keeper._MODULE


@pytest.fixture(autouse=True)
def _sample(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(gazetteer_keeper, "_MODULE", "tests.harness.gazetteer_sample")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def _cache(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "bespeak" / "gazetteer"


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


@pytest.mark.parametrize("is_named", [True, False])
async def test_it_is_made_once_for_all_processes_of_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_named: bool
) -> None:
    folder = tmp_path / "search" if is_named else None
    async with keeping(folder) as keeper:
        await come(keeper)
    (kept,) = _files(folder or _cache(tmp_path))
    assert kept.stat().st_mode & 0o077 == 0
    monkeypatch.setattr(gazetteer_keeper, "_write", _never)
    async with keeping(folder) as keeper:
        assert len(await come(keeper)) == len(TOWNS)


@pytest.mark.parametrize("is_named", [True, False])
async def test_of_processes_that_start_together_one_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_named: bool
) -> None:
    made = _counted(monkeypatch)
    monkeypatch.setattr(gazetteer_keeper, "_LOOK_SECONDS", 0.0)
    folder = tmp_path / "search" if is_named else None
    async with keeping(folder) as one, keeping(folder) as other:
        await until(lambda: one.now() and other.now())
    assert len(made) == 1


def _counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often the file is made from now on."""
    made: list[int] = []
    write = gazetteer_keeper._write

    async def counted(descriptor: int) -> None:
        made.append(descriptor)
        await write(descriptor)

    monkeypatch.setattr(gazetteer_keeper, "_write", counted)
    return made


async def test_what_was_made_since_one_looked_is_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with keeping(tmp_path) as keeper:
        await come(keeper)
    monkeypatch.setattr(gazetteer_keeper, "_write", _never)
    mapped, looked = gazetteer_keeper._mapped, list[Path]()

    def not_yet(path: Path) -> Gazetteer:
        looked.append(path)
        if len(looked) == 1:
            raise FileNotFoundError(path)
        return mapped(path)

    monkeypatch.setattr(gazetteer_keeper, "_mapped", not_yet)
    async with keeping(tmp_path) as keeper:
        await come(keeper)
    assert len(looked) == 2


@pytest.mark.parametrize("is_home", [True, False])
async def test_where_the_cache_cannot_be_each_process_has_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_home: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cache").write_text("no folder")
    if not is_home:
        monkeypatch.setattr("platformdirs.user_cache_path", lambda _: Path("~"))
    made = _counted(monkeypatch)
    async with keeping(None) as one, keeping(None) as other:
        assert len(await come(one)) == len(await come(other)) == len(TOWNS)
    assert len(made) == 2
    assert os.listdir(tmp_path) == ["cache"], "no folder called ~"


async def test_a_file_in_a_cache_that_is_only_read_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with keeping(None) as keeper:
        await come(keeper)

    def read_only(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "read-only file system")

    monkeypatch.setattr(Path, "mkdir", read_only)
    monkeypatch.setattr(gazetteer_keeper, "_write", _never)
    async with keeping(None) as keeper:
        assert len(await come(keeper)) == len(TOWNS)


async def test_who_dies_while_it_makes_the_file_leaves_it_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gazetteer_keeper, "_LOOK_SECONDS", 0.0)
    paths = os.pathsep.join(filter(None, sys.path))
    environment = {**os.environ, "GAZETTEER_ENDS": "never", "PYTHONPATH": paths}
    worker = psutil.Popen([sys.executable, "-c", _WORKER], env=environment)
    makers: list[psutil.Process] = []
    try:
        async with keeping(None) as keeper:
            await until(worker.children)
            makers = worker.children()
            made = _counted(monkeypatch)
            for _ in range(20):
                assert keeper.now() is None, "the other makes it"
                await asyncio.sleep(0.01)
            assert made == []
            worker.kill()
            assert len(await come(keeper)) == len(TOWNS)
    finally:
        worker.kill()
        worker.wait()
        for maker in makers:
            maker.kill()
    (_,) = _files(_cache(tmp_path))


_WORKER = """
import asyncio
from bespeak.verticals.stays.search import gazetteer_keeper

async def work():
    gazetteer_keeper._MODULE = "tests.harness.gazetteer_sample"
    keeper = gazetteer_keeper.GazetteerKeeper(None, is_wanted=True)
    keeper.now()
    await asyncio.sleep(600)

asyncio.run(work())
"""


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
        assert _files(tmp_path if is_kept else _cache(tmp_path)) == []
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
    monkeypatch.setattr(gazetteer_keeper, "_MODULE", _MODULE)
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
