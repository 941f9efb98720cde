"""The typesetter is a process of its own: what is asked of it, and its end. Its fonts lie in the
user's cache, once; where that cannot be, in a folder that goes with it.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from bespeak.ticketing import typesetting
from bespeak.ticketing.papers import Paper, write_paper
from bespeak.ticketing.typesetting import TypesettingFailed, typeset

_PRINT = """
from bespeak.ticketing import typesetter
folder = typesetter._font_folder()
print(folder, *sorted(file.name for file in folder.iterdir()))
"""
_IDLE = """
from bespeak.ticketing import typesetter
typesetter.IDLE_SECONDS_MAX = 0.01
typesetter.work()
"""
_ASK_AND_STAY = """
import sys
from bespeak.ticketing import typesetting
from bespeak.ticketing.papers import Paper, write_paper
made = write_paper(Paper(title="t", seller=[], facts=[], tables=[]), "en")
heavy = {"typst", "pymupdf_fonts", "platformdirs"} & set(sys.modules)
print(made[:4].decode(), sorted(heavy), typesetting._typesetter._process.pid, flush=True)
sys.stdin.read()
"""
_FONTS = ["FiraGO_Bold.ttf", "FiraGO_Regular.ttf"]
PAPER = Paper(title="Invoice", seller=["A"], facts=[("Number", "1")], tables=[])
END_SECONDS_MAX = 30


@pytest.fixture(autouse=True)
def _ended() -> Iterator[None]:
    yield
    process = typesetting._typesetter._process
    if process is not None:
        typesetting._typesetter._drop(process)


def _folder(**environment: str) -> Path:
    """The folder of a process of its own, which had all fonts in it."""
    done = subprocess.run(
        [sys.executable, "-c", _PRINT],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    folder, *fonts = done.stdout.split()
    assert fonts == _FONTS
    return Path(folder)


def _process() -> psutil.Process:
    started = typesetting._typesetter._process
    assert started is not None
    return psutil.Process(started.pid)


def test_processes_share_the_fonts(tmp_path: Path) -> None:
    folder = _folder(XDG_CACHE_HOME=str(tmp_path))
    assert folder.parent == tmp_path / "bespeak"
    written = [(folder / name).stat().st_mtime_ns for name in _FONTS]
    assert _folder(XDG_CACHE_HOME=str(tmp_path)) == folder
    assert [(folder / name).stat().st_mtime_ns for name in _FONTS] == written


def test_what_cannot_be_a_folder_is_no_hindrance_and_leaves_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file, where a folder would be")
    folder = _folder(XDG_CACHE_HOME=str(tmp_path / "file"), TMPDIR=str(tmp_path))
    assert folder.parent == tmp_path
    assert not folder.exists()


def test_a_half_written_font_is_none(tmp_path: Path) -> None:
    folder = _folder(XDG_CACHE_HOME=str(tmp_path))
    whole = (folder / _FONTS[0]).read_bytes()
    (folder / _FONTS[0]).unlink()
    half = folder / f".{_FONTS[0]}.1"
    half.write_bytes(whole[:100])  # whoever wrote it was killed
    done = subprocess.run(
        [sys.executable, "-c", _PRINT],
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
        check=True,
        capture_output=True,
    )
    assert str(folder) in done.stdout.decode()
    assert (folder / _FONTS[0]).read_bytes() == whole


def test_one_process_sets_what_comes_in_a_row() -> None:
    first = write_paper(PAPER, "en")
    process = _process()
    assert first.startswith(b"%PDF")
    assert write_paper(PAPER, "en") == first
    assert _process() == process


def test_threads_take_turns() -> None:
    made: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: made.append(write_paper(PAPER, "en"))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 4
    assert set(made) == {write_paper(PAPER, "en")}


def test_one_that_was_killed_is_replaced() -> None:
    first = write_paper(PAPER, "en")
    killed = _process()
    killed.send_signal(signal.SIGKILL)
    killed.wait(END_SECONDS_MAX)
    assert write_paper(PAPER, "en") == first
    assert _process().pid != killed.pid


def test_what_cannot_be_set_is_told_and_the_next_is_set() -> None:
    with pytest.raises(TypesettingFailed, match="dictionary does not contain key"):
        typeset("bespeak.ticketing", "papers.typ", {})
    process = _process()
    assert write_paper(PAPER, "en").startswith(b"%PDF")
    assert _process() == process


def test_one_that_ends_over_and_over_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typesetting, "get_executable", lambda: "/bin/false")
    with pytest.raises(TypesettingFailed, match="in the midst"):
        write_paper(PAPER, "en")


def test_one_that_does_not_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """As no fault of a connection: who sends mails would take the database for away."""
    for nowhere in ("/nowhere/python", None):
        monkeypatch.setattr(typesetting, "get_executable", lambda path=nowhere: path)
        with pytest.raises(TypesettingFailed, match="does not start"):
            write_paper(PAPER, "en")
    monkeypatch.undo()
    assert write_paper(PAPER, "en").startswith(b"%PDF")


def test_one_that_is_stuck_is_ended_and_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = write_paper(PAPER, "en")
    stuck = _process()
    stuck.suspend()
    monkeypatch.setattr(typesetting, "_SECONDS_MAX", 0.2)
    with pytest.raises(TypesettingFailed, match="longer than"):
        write_paper(PAPER, "en")
    stuck.wait(END_SECONDS_MAX)
    monkeypatch.undo()
    assert write_paper(PAPER, "en") == first


def test_who_is_interrupted_leaves_no_answer_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    other = write_paper(Paper(title="Receipt", seller=[], facts=[], tables=[]), "en")

    def interrupted(_pipe: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(typesetting, "read_message", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_paper(PAPER, "en")
    monkeypatch.undo()
    assert write_paper(Paper(title="Receipt", seller=[], facts=[], tables=[]), "en") == other


def test_it_knows_no_secrets_and_finds_what_its_asker_finds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BESPEAK_SIGNING_SECRET", "s" * 32)
    monkeypatch.setenv("PGPASSWORD", "p")
    monkeypatch.syspath_prepend("/somewhere/of/its/own")
    write_paper(PAPER, "en")
    environment = _process().environ()
    assert [name for name in environment if name.startswith(("BESPEAK_", "PG"))] == []
    assert environment["PYTHONPATH"].startswith("/somewhere/of/its/own:")


def test_it_ends_when_nothing_comes() -> None:
    idle = subprocess.Popen([sys.executable, "-c", _IDLE], stdin=subprocess.PIPE)
    assert idle.wait(END_SECONDS_MAX) == 0
    assert idle.stdin is not None
    idle.stdin.close()


def test_who_asks_has_no_typesetter_in_memory_and_takes_it_along() -> None:
    asking = subprocess.Popen(
        [sys.executable, "-c", _ASK_AND_STAY],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert asking.stdout is not None
    begin, loaded, number = asking.stdout.readline().split()
    assert (begin, loaded) == ("%PDF", "[]")
    process = psutil.Process(int(number))
    asking.kill()
    asking.communicate()
    process.wait(END_SECONDS_MAX)


def test_a_forked_process_has_one_of_its_own() -> None:
    first = write_paper(PAPER, "en")
    process = _process()
    child = os.fork()
    if child == 0:  # which must not go on with the tests, whatever happens
        try:
            alike = write_paper(PAPER, "en") == first and _process() != process
            os._exit(0 if alike else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert write_paper(PAPER, "en") == first
    assert _process() == process
