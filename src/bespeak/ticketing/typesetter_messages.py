"""How the typesetter's process and who started it speak: a length of four bytes, and so many."""

from __future__ import annotations

from typing import IO

import msgspec

_LENGTH_BYTES = 4


class Job(msgspec.Struct, frozen=True):
    """A document to set: a template of a package, and its texts."""

    package: str
    template: str
    inputs: dict[str, str]


def write_message(pipe: IO[bytes], content: bytes) -> None:
    """Writes all of it. Raises OSError where nobody reads."""
    rest = memoryview(len(content).to_bytes(_LENGTH_BYTES) + content)
    while rest:
        rest = rest[pipe.write(rest) :]


def read_message(pipe: IO[bytes]) -> bytes | None:
    """The next message; None where the other side is gone."""
    length = _read(pipe, _LENGTH_BYTES)
    return None if length is None else _read(pipe, int.from_bytes(length))


def _read(pipe: IO[bytes], length: int) -> bytes | None:
    parts = []
    while length:
        part = pipe.read(length)
        if not part:
            return None
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
