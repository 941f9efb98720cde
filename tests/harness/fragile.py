"""A wire to PostgreSQL that breaks at one statement: before the database gets it, or after it has
done it and before its answer is through, which whoever asked cannot tell apart.
"""

import asyncio
import re

from tests.http.outage import Ends, Wire, copy

_PARSE = re.compile(rb"P.{4}(__asyncpg_stmt_[0-9a-f]+__)\x00([^\x00]*)\x00", re.DOTALL)
_BIND = re.compile(rb"B.{4}[^\x00]*\x00([^\x00]*)\x00", re.DOTALL)


class FragileWire(Wire):
    """Breaks once, when it is armed, at the next statement whose text has the marker in it."""

    def __init__(self, database_url: str) -> None:
        super().__init__(database_url)
        self._marker = b""
        self._after = False
        self.broken = 0

    def arm(self, marker: str, *, after: bool) -> None:
        """Break at the next such statement, or after it."""
        self._marker, self._after = marker.encode(), after

    def snap(self) -> None:
        """All connections break; new ones work."""
        self.broken += 1
        for writer in list(self._writers):
            writer.transport.abort()

    async def _join(self, here: Ends, there: Ends) -> None:
        talk = _Talk(self)
        await asyncio.gather(
            copy(here[0], there[1], talk.asked), copy(there[0], here[1], talk.answered)
        )

    def breaks_at(self, text: bytes) -> bool:
        """Whether it is armed for this statement; it is so once."""
        if not self._marker or self._marker not in text:
            return False
        self._marker = b""
        self.broken += 1
        return True

    @property
    def lets_it_happen(self) -> bool:
        """Whether the statement gets through, and only its answer is lost."""
        return self._after


class _Talk:
    """What is said over one connection."""

    def __init__(self, wire: FragileWire) -> None:
        self._wire = wire
        self._texts: dict[bytes, bytes] = {}
        self._is_lost = False

    def asked(self, data: bytes) -> bool:
        self._texts.update(_PARSE.findall(data))
        bound = _BIND.match(data)
        if bound is not None and self._wire.breaks_at(self._texts.get(bound[1], b"")):
            self._is_lost = self._wire.lets_it_happen
            return self._is_lost
        return True

    def answered(self, data: bytes) -> bool:
        # Nothing of a lost answer gets through; that it came says that the statement is done.
        return not self._is_lost
