"""Every named statement is one that the server understands: its words, the tables and functions it
names, and the types of its parameters. What a statement does is told by the tests of its module.
"""

from collections.abc import Iterator
from pathlib import Path

import bespeak
from bespeak.postgres.queries import load
from tests.harness.database import Connection

_SOURCE = Path(bespeak.__file__).parent
# Functions and migrations are run as they are when a database is made.
_FILES = [
    path.relative_to(_SOURCE)
    for path in sorted(_SOURCE.rglob("*.sql"))
    if "-- name: " in path.read_text()
]


def _statements() -> Iterator[tuple[str, str]]:
    for path in _FILES:
        package = ".".join(("bespeak", *path.parent.parts))
        for name, text in load(package, path.name).items():
            # The others have no plan; each start and each migration runs them as they are.
            if text.startswith(("select", "with", "insert", "update", "delete")):
                yield f"{path} {name}", text


async def test_the_server_understands_every_statement(connection: Connection) -> None:
    faults = []
    statements = list(_statements())
    for name, text in statements:
        try:
            await connection.prepare(text)
        except Exception as error:  # whatever it is, with all the others
            faults.append((name, str(error)))
    assert not faults, "\n".join(map(str, faults))
    assert len(statements) > 5 * len(_FILES) > 400
