"""Numbered migrations, each a .sql file, each applied once, in order, in one transaction under an
advisory lock. A database that knows a migration which this program does not is left alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from bespeak.errors import DatabaseNotMigrated, DatabaseTooNew
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.postgres", "migrate.sql")


@dataclass(frozen=True)
class Migration:
    """One file of the folder `migrations`."""

    number: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the file, to notice one that was changed after it was applied."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def migrations() -> list[Migration]:
    """All migrations of this program, in order."""
    folder = resources.files("bespeak.postgres").joinpath("migrations")
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".sql")),
        key=lambda file: file.name,
    )
    return [
        Migration(int(file.name[:4]), file.name[5:-4], file.read_text(encoding="utf-8"))
        for file in files
    ]


async def applied(connection: Connection) -> dict[int, str]:
    """Number and checksum of every migration that the database has."""
    if not await connection.fetchval(_QUERIES["has_migrations"]):
        return {}
    return {row["number"]: row["checksum"] for row in await connection.fetch(_QUERIES["applied"])}


async def migrate(connection: Connection) -> list[Migration]:
    """Applies what is missing and answers what it applied.

    Raises DatabaseTooNew when the database has migrations that this program does not know, or
    has one in another form; nothing is changed then.
    """
    known = migrations()
    async with connection.transaction():
        await connection.execute(_QUERIES["lock"])
        await connection.execute(_QUERIES["prepare"])
        done = await applied(connection)
        _check(known, done)
        missing = [migration for migration in known if migration.number not in done]
        for migration in missing:
            await connection.execute(migration.text)
            await connection.execute(
                _QUERIES["record"], migration.number, migration.name, migration.checksum
            )
    return missing


async def require_migrated(connection: Connection) -> None:
    """Raises DatabaseNotMigrated or DatabaseTooNew unless the schema is the one of this program."""
    known = migrations()
    done = await applied(connection)
    _check(known, done)
    missing = [migration.number for migration in known if migration.number not in done]
    if missing:
        raise DatabaseNotMigrated(
            f"the database lacks migrations {missing}; run `bespeak migrate`", missing=missing
        )


def _check(known: list[Migration], done: dict[int, str]) -> None:
    checksums = {migration.number: migration.checksum for migration in known}
    unknown = sorted(set(done) - set(checksums))
    if unknown:
        raise DatabaseTooNew(
            f"the database has migration {unknown[-1]}, this program knows up to "
            f"{max(checksums)}; use the program that made it, or a newer one",
            unknown=unknown,
        )
    changed = sorted(number for number in done if done[number] != checksums[number])
    if changed:
        raise DatabaseTooNew(
            f"migration {changed[0]} of the database is not the one of this program",
            changed=changed,
        )
