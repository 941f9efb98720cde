"""Small numbers for things that many listings have in common, so that columns can name them. A
thing is known by its bytes; a number is given again once nobody has its thing any more. 0 is
nothing, and nobody's.
"""

from __future__ import annotations

from typing import NamedTuple


class KeptCodes(NamedTuple):
    """The things by their numbers (None: free), and how many have each."""

    keys: list[bytes | None]
    counts: list[int]


class SharedCodes:
    """Things by their bytes and by their numbers, with how many have each."""

    def __init__(self, kept: KeptCodes | None = None) -> None:
        self.keys, self.counts = kept or KeptCodes([None], [0])
        self._codes = {key: code for code, key in enumerate(self.keys) if key is not None}
        self._free = [code for code, key in enumerate(self.keys) if code and key is None]

    def join(self, key: bytes) -> tuple[int, bool]:
        """The number of the thing, which one more has now; and whether it is new."""
        code = self._codes.get(key)
        if code is not None:
            self.counts[code] += 1
            return code, False
        if self._free:
            code = self._free.pop()
            self.keys[code], self.counts[code] = key, 1
        else:
            code = len(self.keys)
            self.keys.append(key)
            self.counts.append(1)
        self._codes[key] = code
        return code, True

    def leave(self, code: int) -> bool:
        """One less has the thing with this number; whether nobody has it any more."""
        self.counts[code] -= 1
        if self.counts[code]:
            return False
        del self._codes[self[code]]
        self.keys[code] = None
        self._free.append(code)
        return True

    def kept(self) -> KeptCodes:
        """All of it, as it is now."""
        return KeptCodes(list(self.keys), list(self.counts))

    def __getitem__(self, code: int) -> bytes:
        key = self.keys[code]
        if key is None:
            raise LookupError(code)
        return key
