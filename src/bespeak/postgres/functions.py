"""Functions and views: files of `sql/`, each made anew when its text has changed.

They hold no data. So where `create or replace` does not do (other arguments, another result, one
that is gone, a migration beneath them) all of them are dropped and made again, in one transaction.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from importlib.metadata import version
from typing import TYPE_CHECKING

import asyncpg

from bespeak.postgres.errors import DatabaseTooNew
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.postgres", "migrate.sql")
_MADE = re.compile(r"^create or replace ((?:function|view) bespeak\.\w+)", re.MULTILINE)
_NAMED_MAX = 5  # as many changed files are named; of more, their number is told

# What a statement raises that has to wait until another was run.
_NEEDS_ANOTHER = (
    asyncpg.UndefinedObjectError,
    asyncpg.UndefinedTableError,
    asyncpg.UndefinedFunctionError,
    asyncpg.DependentObjectsStillExistError,
)
# What `create or replace` raises for other arguments, another result or other columns.
_NOT_REPLACEABLE = (asyncpg.InvalidFunctionDefinitionError, asyncpg.InvalidTableDefinitionError)


@dataclass(frozen=True)
class FunctionFile:
    """A file of functions and views by its path below `sql/`, such as `holds/place.sql`."""

    path: str
    text: str

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def makes(self) -> list[str]:
        """What it makes, as `drop` takes it: `function bespeak.place_holds`."""
        return _MADE.findall(self.text)


@dataclass(frozen=True)
class Functions:
    """The files of functions in which a database differs from this program."""

    paths: tuple[str, ...]

    @property
    def title(self) -> str:
        """How it is told to people: the files by name, if they are few."""
        if len(self.paths) > _NAMED_MAX:
            return f"functions ({len(self.paths)} files)"
        return f"functions {', '.join(self.paths)}"


@cache
def function_files() -> dict[str, FunctionFile]:
    """The files of this program by their paths."""
    root = resources.files("bespeak.postgres").joinpath("sql")
    found = (
        FunctionFile(f"{area.name}/{file.name}", file.read_text(encoding="utf-8"))
        for area in root.iterdir()
        if area.is_dir()
        for file in area.iterdir()
        if file.name.endswith(".sql")
    )
    return {file.path: file for file in sorted(found, key=lambda file: file.path)}


async def differing(connection: Connection) -> Functions | None:
    """The files that the database lacks, has in another form, or has too many.

    Raises DatabaseTooNew when a newer program applied one of them.
    """
    ours = {path: file.checksum for path, file in function_files().items()}
    applied = {}
    if await connection.fetchval(_QUERIES["has_function_files"]):
        applied = {row["path"]: row for row in await connection.fetch(_QUERIES["function_files"])}
    theirs = {path: row["checksum"] for path, row in applied.items()}
    paths = sorted(path for path, _ in ours.items() ^ theirs.items())
    for path in paths:
        if path in applied and _release(applied[path]["program"]) > _release(_program()):
            raise DatabaseTooNew(
                f"{path} of the database is of version {applied[path]['program']}, this program "
                f"is {_program()}; use the program that made it, or a newer one",
                functions=[path],
            )
    return Functions(tuple(dict.fromkeys(paths))) if paths else None


async def drop_functions(connection: Connection) -> None:
    """Drops whatever function files have made. The caller makes all of it again."""
    rows = await connection.fetch(_QUERIES["function_files"])
    await _run(connection, [f"drop {made}" for row in rows for made in row["makes"]])
    await connection.execute(_QUERIES["forget_function_files"])


async def apply_functions(connection: Connection, changed: Functions) -> None:
    """Brings functions and views to those of this program, in the caller's transaction."""
    files = function_files()
    await connection.execute(_QUERIES["bodies_unchecked"])
    if not await _replace(connection, changed):
        await drop_functions(connection)
        await _make(connection, list(files.values()))
    await connection.execute(_QUERIES["check_bodies"])


async def _replace(connection: Connection, changed: Functions) -> bool:
    """Replaces what has changed in place, if that can be done; whether it could."""
    files = function_files()
    wanted = {made for file in files.values() for made in file.makes}
    rows = await connection.fetch(_QUERIES["function_files"])
    is_gone = not wanted.issuperset(made for row in rows for made in row["makes"])
    if is_gone or not files.keys() >= {row["path"] for row in rows}:
        return False
    try:
        async with connection.transaction():
            await _make(connection, [files[path] for path in changed.paths])
            if await connection.fetchval(_QUERIES["overloaded"]):
                raise asyncpg.InvalidFunctionDefinitionError
    except _NOT_REPLACEABLE:
        return False
    return True


async def _make(connection: Connection, files: Sequence[FunctionFile]) -> None:
    await _run(connection, [file.text for file in files])
    for file in files:
        row = (file.path, file.checksum, file.makes, _program())
        await connection.execute(_QUERIES["record_function_file"], *row)


async def _run(connection: Connection, statements: list[str]) -> None:
    """Runs statements of which some need others, in any order that works."""
    while statements:
        waiting: list[str] = []
        for statement in statements:
            try:
                async with connection.transaction():
                    await connection.execute(statement)
            except _NEEDS_ANOTHER:
                if len(waiting) + 1 == len(statements):
                    raise  # all of them wait, each for what is not there
                waiting.append(statement)
        statements = waiting


@cache
def _program() -> str:
    return version("bespeak")


def _release(program: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", program)[:3]]
