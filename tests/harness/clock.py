"""A clock that the test moves, for every session of a test's database at once, the engine's too.

It needs no table and no reconnecting: it replaces the body of `bespeak.now()`, the one clock, by a
constant, in that database alone. A session's own `set bespeak.now` still comes first.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import bespeak

if TYPE_CHECKING:
    from tests.harness.database import Connection

START = datetime(2030, 1, 1, 12, 0, tzinfo=UTC)


class Clock:
    """The time of one test's database; it stands still until it is moved."""

    def __init__(self, connection: Connection) -> None:
        self.now = START
        self._goes = False
        self._connection = connection
        self._engines: list[bespeak.Engine] = []

    def shared_with(self, engine: bespeak.Engine) -> None:
        """An engine that is to notice a move at once, not with the database's next answer."""
        self._engines.append(engine)
        engine.clock.observe(self.now)

    async def set(self, moment: datetime) -> None:
        """Sets the time."""
        self.now = moment
        await self._connection.execute(
            f"""
            create or replace function bespeak.now() returns timestamptz
            language sql volatile parallel safe as $$
                select coalesce(nullif(current_setting('bespeak.now', true), '')::timestamptz,
                    timestamptz '{moment.isoformat()}'{await self._since()})
            $$
            """
        )
        for engine in self._engines:
            engine.clock.observe(moment)

    async def go(self) -> None:
        """From now on time goes by as well as being moved, so that nothing is done at one instant
        that was done one after the other."""
        self._goes = True
        await self.set(self.now)

    async def _since(self) -> str:
        if not self._goes:
            return ""
        real = await self._connection.fetchval("select clock_timestamp()")
        return f" + (clock_timestamp() - timestamptz '{real.isoformat()}')"

    async def advance(self, seconds: float) -> None:
        """Moves the time."""
        await self.set(self.now + timedelta(seconds=seconds))
