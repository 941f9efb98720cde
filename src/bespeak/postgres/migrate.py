"""Numbered migrations, each a .sql file, each applied once, in order, in one transaction under an
advisory lock: ours, then our functions, then those of the verticals that the caller names, which
are recorded apart. A database that is newer than this program is left alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, TypeAlias

from bespeak.postgres.errors import DatabaseNotMigrated, DatabaseTooNew
from bespeak.postgres.functions import (
    Functions,
    apply_functions,
    differing,
    drop_functions,
    function_files,
)
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.postgres", "migrate.sql")


@dataclass(frozen=True)
class Migration:
    """One file of a folder of migrations: ours, or those of the vertical that it names."""

    number: int
    name: str
    text: str
    vertical: str | None = None

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of the file, to notice one that was changed after it was applied."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def title(self) -> str:
        """How it is told to people: `0003 place`, or `gym 0001 walls` of a vertical."""
        own = f"{self.number:04} {self.name}"
        return own if self.vertical is None else f"{self.vertical} {own}"


Step: TypeAlias = Migration | Functions


@dataclass(frozen=True)
class Source:
    """The migrations of a vertical: its name, and the folder that has the files."""

    vertical: str
    folder: Traversable


def migrations(sources: Sequence[Source] = ()) -> list[Migration]:
    """All migrations of this program, in order, and then those of the verticals."""
    found = list(_own())
    for source in sources:
        found += _read(source.folder, source.vertical)
    return found


@cache
def _own() -> tuple[Migration, ...]:
    """Those of the package, which does not change while it runs: every connection asks for them."""
    return tuple(_read(resources.files("bespeak.postgres").joinpath("migrations"), None))


def _read(folder: Traversable, vertical: str | None) -> list[Migration]:
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".sql")),
        key=lambda file: file.name,
    )
    return [
        Migration(int(file.name[:4]), file.name[5:-4], file.read_text(encoding="utf-8"), vertical)
        for file in files
    ]


async def applied(connection: Connection) -> dict[str | None, dict[int, str]]:
    """Number and checksum of every migration that the database has, of ours (None) and of each
    vertical, by its name."""
    found: dict[str | None, dict[int, str]] = {}
    if await connection.fetchval(_QUERIES["has_migrations"]):
        for row in await connection.fetch(_QUERIES["applied"]):
            found.setdefault(row["vertical"], {})[row["number"]] = row["checksum"]
    return found


async def missing(connection: Connection, sources: Sequence[Source] = ()) -> list[Step]:
    """What the database lacks, in the order in which it would be applied. Raises DatabaseTooNew."""
    done = await applied(connection)
    found: list[Step] = []
    found += _missing_of(migrations(), done.get(None, {}), None)
    # While a migration runs there are no functions: what it does cannot depend on their version.
    functions = await differing(connection)
    if found:
        functions = Functions(tuple(function_files()))
    if functions is not None:
        found.append(functions)
    for source in sources:
        known = _read(source.folder, source.vertical)
        found += _missing_of(known, done.get(source.vertical, {}), source.vertical)
    return found


def _missing_of(
    known: list[Migration], done: dict[int, str], vertical: str | None
) -> list[Migration]:
    _check(known, done, vertical)
    return [migration for migration in known if migration.number not in done]


async def migrate(connection: Connection, sources: Sequence[Source] = ()) -> list[Step]:
    """Applies what is missing, of ours and of the verticals, and answers what it applied.

    Raises DatabaseTooNew when the database has migrations that this program does not know, or
    has one in another form, or has functions of a newer program; nothing is changed then.
    """
    async with connection.transaction():
        await connection.execute(_QUERIES["lock"])
        await connection.execute(_QUERIES["prepare"])
        lacking = await missing(connection, sources)
        if any(isinstance(step, Migration) and step.vertical is None for step in lacking):
            await drop_functions(connection)
        for step in lacking:
            if isinstance(step, Functions):
                await apply_functions(connection, step)
            else:
                await _apply(connection, step)
    return lacking


async def _apply(connection: Connection, migration: Migration) -> None:
    await connection.execute(migration.text)
    of_file = (migration.number, migration.name, migration.checksum)
    if migration.vertical is None:
        await connection.execute(_QUERIES["record"], *of_file)
    else:
        record = _QUERIES["record_of_vertical"]
        await connection.execute(record, migration.vertical, *of_file)


async def require_migrated(connection: Connection, sources: Sequence[Source] = ()) -> None:
    """Raises DatabaseNotMigrated or DatabaseTooNew unless the schema is the one of this program and
    of these verticals."""
    lacking = await missing(connection, sources)
    if not lacking:
        return
    first = lacking[0]
    if isinstance(first, Functions):
        raise DatabaseNotMigrated(
            f"the database has other {first.title}; run `bespeak migrate`",
            functions=list(first.paths),
        )
    numbers = [
        step.number
        for step in lacking
        if isinstance(step, Migration) and step.vertical == first.vertical
    ]
    of_whom = "" if first.vertical is None else f" of {first.vertical}"
    raise DatabaseNotMigrated(
        f"the database lacks migrations {numbers}{of_whom}; run `bespeak migrate`",
        missing=numbers,
        vertical=first.vertical,
    )


def _check(known: list[Migration], done: dict[int, str], vertical: str | None) -> None:
    checksums = {migration.number: migration.checksum for migration in known}
    of_whom = "" if vertical is None else f" of {vertical}"
    unknown = sorted(set(done) - set(checksums))
    if unknown:
        raise DatabaseTooNew(
            f"the database has migration {unknown[-1]}{of_whom}, this program knows up to "
            f"{max(checksums, default=0)}; use the program that made it, or a newer one",
            unknown=unknown,
        )
    changed = sorted(number for number in done if done[number] != checksums[number])
    if changed:
        raise DatabaseTooNew(
            f"migration {changed[0]}{of_whom} of the database is not the one of this program",
            changed=changed,
        )
