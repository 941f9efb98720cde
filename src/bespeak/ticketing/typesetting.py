"""The typesetter: PDFs by Typst, from a template and texts. FiraGO comes along, and has Latin,
Greek, Cyrillic, Arabic, Hebrew, Devanagari, Thai, Georgian and Armenian; the fonts of the machine
that it runs on come after it. A character that no font has is printed as an empty box.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import resources
from pathlib import Path

import platformdirs
import typst
from pymupdf_fonts import FiraGO_Bold, FiraGO_Regular  # type: ignore[import-untyped]

_UNBROKEN = re.compile(r"\S{25,}")
_UNBROKEN_MAX = 24
_BREAK = "\N{ZERO WIDTH SPACE}"
# What turns the direction of all that follows, so that one text could be read as another.
_TURNS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
_lock = threading.Lock()


def typeset(package: str, template: str, inputs: Mapping[str, str]) -> bytes:
    """The template of a package as a PDF, with these inputs. It is tagged, so that it can be read
    aloud. The same inputs make the same bytes, on one machine."""
    with _lock:  # a compiler is for one document at a time
        made = _compiler().compile(
            _template(package, template), format="pdf", sys_inputs=dict(inputs), timestamp=0
        )
    if not isinstance(made, bytes):
        raise TypeError("a PDF is one file")
    return made


def printable(text: str) -> str:
    """The text without what turns its direction, and with places to break where there are none."""
    return _UNBROKEN.sub(_broken, text.translate(_TURNS))


def apart(text: str) -> str:
    """The text with a direction of its own: a number or a name among words of another script."""
    return f"\N{FIRST STRONG ISOLATE}{printable(text)}\N{POP DIRECTIONAL ISOLATE}"


def _broken(found: re.Match[str]) -> str:
    run = found.group()
    starts = range(0, len(run), _UNBROKEN_MAX)
    return _BREAK.join(run[start : start + _UNBROKEN_MAX] for start in starts)


@cache
def _template(package: str, name: str) -> bytes:
    return resources.files(package).joinpath(name).read_bytes()


@cache
def _compiler() -> typst.Compiler:
    return typst.Compiler(font_paths=_fonts(), ignore_system_fonts=True)


@cache
def _fonts() -> typst.Fonts:
    return typst.Fonts(
        include_system_fonts=True,
        include_embedded_fonts=False,
        font_paths=[str(_font_folder())],
    )


def _font_folder() -> Path:
    """Where the fonts lie, which Typst takes from files: in the user's cache, for all processes.
    A worker that is ended removes nothing, so a folder of its own would stay behind."""
    contents: dict[str, bytes] = {
        f"{font.__name__.rpartition('.')[2]}.ttf": font.fontbuffer
        for font in (FiraGO_Regular, FiraGO_Bold)
    }
    digest = hashlib.sha256(b"".join(contents.values())).hexdigest()[:16]
    cache = platformdirs.user_cache_path("bespeak")
    with suppress(OSError):  # of a disk that is only read
        if cache.is_absolute():  # a user without a home has `~`
            return _filled(cache / f"fonts-{digest}", contents)
    return _filled(Path(tempfile.mkdtemp(prefix="bespeak-fonts-")), contents)


def _filled(folder: Path, contents: Mapping[str, bytes]) -> Path:
    """The folder with these files. Each comes in whole: others may read it at this moment."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        file = folder / name
        if not file.exists():
            written = folder / f".{name}.{os.getpid()}"
            written.write_bytes(content)
            written.replace(file)
    return folder
