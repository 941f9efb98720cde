"""What idempotency keys have placed: looked up for requests that are refused before the database
heard of them, because they may be repeats. A crowd that is refused is looked up together: all who
come while a statement is under way are answered by the next one.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeAlias

from bespeak.postgres.queries import load
from bespeak.reservations.holds import Hold, hold_of
from bespeak.reservations.outcomes import key_reused
from bespeak.reservations.request import HoldRequest

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection, Database, Record

_QUERIES = load("bespeak.reservations", "verbs.sql")
_TOGETHER_MAX = 500

_OwnerKey: TypeAlias = tuple[str, str]
_Answers: TypeAlias = "dict[_OwnerKey, asyncio.Future[Record | None]]"


class PlacedKeys:
    """The look-ups of one process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._asked: _Answers = {}
        self._work: asyncio.Task[None] | None = None

    async def find(self, request: HoldRequest, connection: Connection | None) -> Hold | None:
        """The hold that the request's key placed, if it did. Raises IdempotencyKeyReused,
        DatabaseUnavailable."""
        if request.idempotency_key is None:
            return None
        asked = (request.owner, request.idempotency_key)
        if connection is None:
            row = await self._find_together(asked)
        else:
            row = (await _read(connection, [asked])).get(asked)
        if row is None:
            return None
        if row["fingerprint"] != request.fingerprint():
            raise key_reused(request, row)
        return hold_of(row, replayed=True)

    async def _find_together(self, asked: _OwnerKey) -> Record | None:
        answer = self._asked.get(asked)
        if answer is None:
            answer = asyncio.get_running_loop().create_future()
            answer.add_done_callback(_retrieve)
            self._asked[asked] = answer
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._answer_all())
        return await asyncio.shield(answer)

    async def _answer_all(self) -> None:
        # Nothing is awaited between the last look and the end: who comes then starts the next task.
        while self._asked:
            answers: _Answers = {}
            try:
                async with self._database.borrow() as connection:
                    answers = self._take()
                    found = await _read(connection, list(answers))
            except Exception as error:
                for answer in (answers or self._take()).values():
                    answer.set_exception(error)
            else:
                for key, answer in answers.items():
                    answer.set_result(found.get(key))

    def _take(self) -> _Answers:
        """Those who are answered next. Who asks from now on sees what is placed until then, too."""
        keys = list(self._asked)[:_TOGETHER_MAX]
        return {key: self._asked.pop(key) for key in keys}


async def _read(connection: Connection, keys: list[_OwnerKey]) -> dict[_OwnerKey, Record]:
    owners, names = [owner for owner, _ in keys], [name for _, name in keys]
    rows = await connection.fetch(_QUERIES["find_placed"], owners, names)
    return {(row["asked_owner"], row["asked_key"]): row for row in rows}


def _retrieve(answer: asyncio.Future[Record | None]) -> None:
    """Marks an error as seen: all who waited may have been cancelled."""
    if not answer.cancelled():
        answer.exception()
