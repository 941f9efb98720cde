"""A file of arrays: what is damaged is found before it is used, at once, or in a large array when
the part is taken.
"""

import os
import random
import subprocess
import sys
import tempfile
from contextlib import suppress
from typing import BinaryIO

import numpy as np
import pytest

from bespeak.verticals.stays.search import array_file
from bespeak.verticals.stays.search.array_file import ArrayWriter, MappedArrays, UnusableFile

_LATE = "many"


def _written(file: BinaryIO, chance: random.Random) -> bytes:
    """A file with two arrays around many bytes, which are answered."""
    many = chance.randbytes(30_000)
    writer = ArrayWriter(file)
    writer.put("first", [np.arange(3000)], 5)
    writer.put_bytes(_LATE, [many[:9], many[9:]])
    writer.put("last", [np.arange(700)])
    writer.finish(b"head")
    return many


def _is_there(descriptor: int, many: bytes) -> bool:
    """Whether all is as it was written. Raises UnusableFile for what is damaged outside of the
    bytes; none of those are ever others."""
    mapped = MappedArrays(descriptor, _LATE)
    like = np.zeros(0, dtype=np.int64)
    assert mapped.array("first", like).tolist() == [*range(3000), 0, 0, 0, 0, 0]
    assert mapped.array("last", like).tolist() == [*range(700)]
    parts, found = mapped.bytes(_LATE), 0
    for at in range(0, len(many), 500):
        with suppress(UnusableFile):
            assert parts[at : at + 500] == many[at : at + 500]
            found += 1
    return found == len(many) // 500


@pytest.mark.parametrize("least", [0, 1 << 30])
def test_each_byte_that_differs_is_found(monkeypatch: pytest.MonkeyPatch, least: int) -> None:
    monkeypatch.setattr(array_file, "_LATE_MIN", least)
    monkeypatch.setattr(array_file, "_BLOCK", 2 * 4096)
    chance, late = random.Random(least), 0
    with tempfile.TemporaryFile() as file:
        many = _written(file, chance)
        assert _is_there(file.fileno(), many)
        file.seek(0)
        whole = file.read()
        for _ in range(300):
            at, by = chance.randrange(len(whole)), 1 + chance.randrange(255)
            file.seek(at)
            file.write(bytes([whole[at] ^ by]))
            file.flush()
            try:
                assert not _is_there(file.fileno(), many), at
                late += 1
            except UnusableFile:
                pass
            file.seek(at)
            file.write(whole[at : at + 1])
            file.flush()
        assert _is_there(file.fileno(), many)
    assert bool(late) == (least == 0)


def test_a_part_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_file, "_LATE_MIN", 0)
    with tempfile.TemporaryFile() as file:
        many = _written(file, random.Random(1))
        parts, looked = MappedArrays(file.fileno(), _LATE).bytes(_LATE), list[int]()
        sums_of = array_file._sums_of

        def noted(view: memoryview) -> bytes:
            looked.append(len(view))
            return sums_of(view)

        monkeypatch.setattr(array_file, "_sums_of", noted)
        for _ in range(3):
            assert parts[7:20_000] == many[7:20_000]
    assert len(looked) == 1


_CUT_OFF = """
import os, tempfile
from bespeak.verticals.stays.search import array_file
array_file._LATE_MIN = 0
with tempfile.TemporaryFile() as file:
    writer = array_file.ArrayWriter(file)
    writer.put_bytes("many", [os.urandom(400_000)])
    writer.finish(b"head")
    parts = array_file.MappedArrays(file.fileno(), "many").bytes("many")
    file.truncate(8192)
try:
    parts[200_000:200_010]
except array_file.UnusableFile as error:
    print(error)
"""


def test_what_the_disk_does_not_give_is_told_and_does_not_end_the_process() -> None:
    """A page of a map that cannot be read would be a signal."""
    done = subprocess.run([sys.executable, "-c", _CUT_OFF], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"it is cut off\n")


def test_what_the_disk_refuses_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_file, "_LATE_MIN", 0)

    def refused(*_: object) -> int:
        raise OSError(5, "Input/output error")

    with tempfile.TemporaryFile() as file:
        many = _written(file, random.Random(1))
        parts = MappedArrays(file.fileno(), _LATE).bytes(_LATE)
    with monkeypatch.context() as patched:
        patched.setattr(os, "preadv", refused)
        with pytest.raises(UnusableFile):
            parts[7:20]
    assert parts[7:20] == many[7:20], "though the file was closed"
