"""What a driver asks a server about the types of our functions, asked once for all copies of the
template: it is the dearest question of a connection, and a test opens six on a database of its own.
Copies have the numbers of their template, and no number is given twice on a server.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, TypeAlias, cast

import asyncpg
from asyncpg.connection import Connection

Answer: TypeAlias = Sequence[asyncpg.Record]


class _Statement(NamedTuple):
    """Stands for the statement with which the server was asked. One without a name would have
    replaced what the connection is about to run."""

    name: str


class _Ask(Protocol):
    async def __call__(
        self, connection: object, numbers: Iterable[int], timeout: float | None, /
    ) -> tuple[Answer, object]: ...


_ask = cast("_Ask", Connection._introspect_types)  # type: ignore[attr-defined]
_copies: set[str] = set()
_known: dict[tuple[object, frozenset[int]], Answer] = {}


def know_types_of(database: str) -> None:
    """Has the types of this database, a copy of the template, known from what another was asked."""
    _copies.add(database)


async def _introspect_types(
    connection: object, numbers: Iterable[int], timeout: float | None
) -> tuple[Answer, object]:
    if connection._params.database not in _copies:  # type: ignore[attr-defined]
        return await _ask(connection, numbers, timeout)
    key = (connection._addr, frozenset(numbers))  # type: ignore[attr-defined]
    if key not in _known:
        answer, _ = await _ask(connection, numbers, timeout)
        _known[key] = answer
    return _known[key], _Statement("known")


Connection._introspect_types = _introspect_types  # type: ignore[attr-defined]
