"""Small numbers for things that many listings have in common, so that columns can name them. A
number is given again once nobody has its thing any more.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

_Thing = TypeVar("_Thing")


class SharedCodes(Generic[_Thing]):
    """Things by their keys and by their numbers, with how many have each."""

    def __init__(self) -> None:
        self.things: list[_Thing | None] = []
        self._counts: list[int] = []
        self._codes: dict[Hashable, int] = {}
        self._free: list[int] = []

    def join(self, key: Hashable, make: Callable[[], _Thing]) -> tuple[int, bool]:
        """The number of the thing with this key, which one more has now; and whether it is new."""
        code = self._codes.get(key)
        if code is not None:
            self._counts[code] += 1
            return code, False
        code = self._codes[key] = self._free.pop() if self._free else len(self.things)
        if code == len(self.things):
            self.things.append(None)
            self._counts.append(0)
        self.things[code], self._counts[code] = make(), 1
        return code, True

    def leave(self, key: Hashable) -> bool:
        """One less has the thing with this key; whether nobody has it any more."""
        code = self._codes[key]
        self._counts[code] -= 1
        if self._counts[code]:
            return False
        del self._codes[key]
        self.things[code] = None
        self._free.append(code)
        return True

    def __getitem__(self, code: int) -> _Thing:
        thing = self.things[code]
        if thing is None:
            raise LookupError(code)
        return thing
