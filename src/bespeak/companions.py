"""What verticals keep beside an engine for as long as it is open: an index that follows the feed,
for example. It is made when it is first asked for, and closed with the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar


class EngineCompanion(Protocol):
    """Something that ends with its engine."""

    async def close(self) -> None: ...


_Companion = TypeVar("_Companion", bound=EngineCompanion)


class Companions:
    """The companions of a process's engines, one of a class."""

    def __init__(self) -> None:
        self._kept: dict[type[EngineCompanion], EngineCompanion] = {}

    def get(self, kind: type[_Companion], make: Callable[[], _Companion]) -> _Companion:
        """The one of this class, made now if there is none yet."""
        found = self._kept.get(kind)
        if not isinstance(found, kind):
            found = self._kept[kind] = make()
        return found

    async def close(self) -> None:
        """Ends them all."""
        for one in self._kept.values():
            await one.close()
        self._kept.clear()
