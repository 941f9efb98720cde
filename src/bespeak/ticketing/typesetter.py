"""The typesetter, a process of its own: PDFs by Typst. It reads jobs from its standard input and
writes what it made to its standard output, or what hindered it. It ends with its standard input, or
when nothing came for a minute.

FiraGO comes along, and has Latin, Greek, Cyrillic, Arabic, Hebrew, Devanagari, Thai, Georgian and
Armenian; the fonts of the machine that it runs on come after it. A character that no font has is
printed as an empty box.
"""

from __future__ import annotations

import hashlib
import os
import select
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec
import platformdirs
import typst
from pymupdf_fonts import FiraGO_Bold, FiraGO_Regular  # type: ignore[import-untyped]

from bespeak.ticketing.typesetter_messages import Job, read_message, write_message

IDLE_SECONDS_MAX = 60.0


def work() -> None:
    """Sets what is asked for, one after the other, until nothing is."""
    jobs, made = os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a library prints is no answer
    while select.select([jobs], [], [], IDLE_SECONDS_MAX)[0]:
        job = read_message(jobs)
        if job is None:
            return
        try:
            answer = _set(msgspec.msgpack.decode(job, type=Job))
        except Exception as error:  # of whatever kind: whoever asked is told
            answer = f"{type(error).__name__}: {error}".encode()
        with suppress(OSError):  # whoever asked is gone, which the next read tells
            write_message(made, answer)


def _set(job: Job) -> bytes:
    made = _compiler().compile(
        _template(job.package, job.template), format="pdf", sys_inputs=job.inputs, timestamp=0
    )
    if not isinstance(made, bytes):
        raise TypeError("a PDF is one file")
    return made


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
    Where that cannot be, in a folder of this process, which goes with it."""
    contents: dict[str, bytes] = {
        f"{font.__name__.rpartition('.')[2]}.ttf": font.fontbuffer
        for font in (FiraGO_Regular, FiraGO_Bold)
    }
    digest = hashlib.sha256(b"".join(contents.values())).hexdigest()[:16]
    cache = platformdirs.user_cache_path("bespeak")
    with suppress(OSError):  # of a disk that is only read
        if cache.is_absolute():  # a user without a home has `~`
            return _filled(cache / f"fonts-{digest}", contents)
    return _filled(Path(_own_folder().name), contents)


@cache
def _own_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="bespeak-fonts-")


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


if __name__ == "__main__":
    work()
    sys.exit(0)
