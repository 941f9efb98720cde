"""The fonts lie in the user's cache, once; where that cannot be, in a folder of the process."""

import os
import subprocess
import sys
from pathlib import Path

_PRINT = "from bespeak.ticketing import typesetting; print(typesetting._font_folder())"
_FONTS = ["FiraGO_Bold.ttf", "FiraGO_Regular.ttf"]


def _folder(**environment: str) -> Path:
    """The folder of a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", _PRINT],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return Path(done.stdout.strip())


def test_processes_share_the_fonts(tmp_path: Path) -> None:
    folder = _folder(XDG_CACHE_HOME=str(tmp_path))
    assert folder.parent == tmp_path / "bespeak"
    assert sorted(file.name for file in folder.iterdir()) == _FONTS
    written = [(folder / name).stat().st_mtime_ns for name in _FONTS]
    assert _folder(XDG_CACHE_HOME=str(tmp_path)) == folder
    assert [(folder / name).stat().st_mtime_ns for name in _FONTS] == written


def test_what_cannot_be_a_folder_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file, where a folder would be")
    folder = _folder(XDG_CACHE_HOME=str(tmp_path / "file"), TMPDIR=str(tmp_path))
    assert folder.parent == tmp_path
    assert sorted(file.name for file in folder.iterdir()) == _FONTS


def test_a_half_written_font_is_none(tmp_path: Path) -> None:
    folder = _folder(XDG_CACHE_HOME=str(tmp_path))
    whole = (folder / _FONTS[0]).read_bytes()
    (folder / _FONTS[0]).unlink()
    (folder / f".{_FONTS[0]}.1").write_bytes(whole[:100])  # whoever wrote it was killed
    assert _folder(XDG_CACHE_HOME=str(tmp_path)) == folder
    assert (folder / _FONTS[0]).read_bytes() == whole
