"""What `bespeak import` and `bespeak export` share: files, their formats, an engine."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Literal, TypeVar

from cyclopts import Parameter

from bespeak.errors import InvalidRequest

if TYPE_CHECKING:
    from bespeak.cli.options import DatabaseChoice
    from bespeak.engine import Engine

Format = Literal["json", "csv"]
# A lone hyphen is standard input, not an option.
File = Annotated[str, Parameter(allow_leading_hyphen=True)]
FormatOption = Annotated[Format | None, Parameter(name="--format")]
STANDARD = "-"
_BYTES_MAX = 64_000_000
_Value = TypeVar("_Value")


def work_on(database: DatabaseChoice | None, work: Callable[[Engine], Awaitable[_Value]]) -> _Value:
    """Does the work with an engine on the chosen database."""
    from bespeak import connect
    from bespeak.cli.databases import connected, opened
    from bespeak.postgres.migrate import require_migrated
    from bespeak.verticals.installed import migration_sources

    async def run(url: str) -> _Value:
        async with connected(url) as connection:
            await require_migrated(connection, migration_sources())
        async with connect(url, sweep=False) as engine:
            return await work(engine)

    with opened(database) as url:
        return asyncio.run(run(url))


def read_bytes(file: str) -> bytes:
    """What is in a file, or comes by standard input. Raises InvalidRequest."""
    try:
        if file == STANDARD:
            content = sys.stdin.buffer.read(_BYTES_MAX + 1)
        else:
            with Path(file).expanduser().open("rb") as opened_file:
                content = opened_file.read(_BYTES_MAX + 1)
    except OSError as error:
        raise InvalidRequest(f"{file}: {error.strerror or error}", field="FILE") from error
    if len(content) > _BYTES_MAX:
        raise InvalidRequest(f"{file}: more than {_BYTES_MAX:,} bytes", field="FILE")
    return content


def read_text(file: str) -> str:
    """The same as text. Raises InvalidRequest."""
    try:
        return read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidRequest(f"{file}: not in UTF-8: {error}", field="FILE") from error


def format_of(file: str, text: str, asked: Format | None) -> Format:
    """The format: as asked, or by the name of the file, or by how it begins."""
    if asked is not None:
        return asked
    match Path(file).suffix.lower():
        case ".json":
            return "json"
        case ".csv":
            return "csv"
    return "json" if text.lstrip().startswith("{") else "csv"


def write_out(content: bytes, output: str | None) -> None:
    """Writes to a file, or to standard output. Raises InvalidRequest."""
    with written_to(output) as file:
        file.write(content)


@contextmanager
def written_to(output: str | None) -> Iterator[BinaryIO]:
    """A file to write to, or standard output. Raises InvalidRequest."""
    if output is None or output == STANDARD:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        with Path(output).expanduser().open("wb") as file:
            yield file
    except OSError as error:
        raise InvalidRequest(f"{output}: {error.strerror or error}", field="--output") from error
