"""What towns are called, against what travellers type of it: the whole name, its beginning, the
beginnings of its words, and where nothing is so, a name that is misspelt. Accents, hyphens and the
ways to write a saint make no difference.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, islice
from typing import NamedTuple

from bespeak.verticals.stays.search import misspelt
from bespeak.verticals.stays.search.spoken import SAINTS, words_of

# Who has no such keys types it so: Toelz, Aarhus.
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_NAMES_KEPT = 20_000


class TownNames(NamedTuple):
    """All spellings of a town's names, folded: each on a line of its own, and each word behind a
    space. `letters` are those of all of them, as bits."""

    spoken: str
    letters: int

    def starts(self) -> Iterator[str]:
        """The names from each of their words on."""
        for name in self.spoken.split("\n"):
            if name:
                yield name.lstrip()
                yield from inner_starts(name)


class NameBook:
    """The names of many towns as one text, in which what is typed is looked for: so a question
    costs what it finds, and hardly how many towns there are. Towns are their places in the list."""

    def __init__(self, towns: Sequence[TownNames]) -> None:
        self.towns = towns
        self._text = "".join(town.spoken for town in towns)
        self._ends = list(accumulate(len(town.spoken) for town in towns))

    def called(self, text: str, limit: int) -> list[int]:
        """The towns that are called like a text, at most so many: whose whole name it is first,
        then those that begin so, then those of which words do, else in the order of the list."""
        texts = written(words_of(text))
        if not any(texts):
            return list(range(min(limit, len(self.towns))))
        found: dict[int, None] = {}
        for look in (self._whole, self._begun, self._by_words):
            some = {place for one in texts for place in islice(look(one), limit)}
            found |= dict.fromkeys(sorted(some))
            if len(found) >= limit:
                break
        return list(found)[:limit]

    def nearly_called(self, text: str, limit: int) -> list[int]:
        """The towns of which a name, or words at its end, begins like a text but for slips of the
        keys. No more are compared than one question is worth."""
        found: set[int] = set()
        left = misspelt.COMPARED_MAX
        for typed in written(words_of(text)):
            slips = misspelt.slips_of(typed.replace(" ", ""))
            letters = misspelt.letter_bits(typed.replace(" ", ""))
            for place, names in enumerate(self.towns if slips else ()):
                if (letters & ~names.letters).bit_count() > slips or place in found:
                    continue
                starts = list(names.starts())[:left]
                left -= len(starts)
                if any(misspelt.nearly_begins(one, typed, slips) for one in starts):
                    found.add(place)
        return sorted(found)[:limit]

    def _whole(self, text: str) -> Iterator[int]:
        return self._with(f"\n {text}\n")

    def _begun(self, text: str) -> Iterator[int]:
        return self._with(f"\n {text}")

    def _by_words(self, text: str) -> Iterator[int]:
        """Those with words that begin like all words of the text, in any order."""
        words = sorted((f" {word}" for word in text.split()), key=len, reverse=True)
        for place in self._with(words[0]):
            if all(word in self.towns[place].spoken for word in words):
                yield place

    def _with(self, part: str) -> Iterator[int]:
        """The towns in whose lines this stands."""
        at = self._text.find(part)
        while at >= 0:
            place = bisect_right(self._ends, at)
            yield place
            at = self._text.find(part, self._ends[place])


@lru_cache(maxsize=_NAMES_KEPT)
def town_names(*names: str) -> TownNames:
    """A town by what it is called, in all languages. It is asked when its listings change, which
    its names rarely do, and by those who see all listings and who see the published ones."""
    lines = dict.fromkeys(line for name in names for line in spellings(name))
    spoken = "".join(f"\n {line}" for line in lines) + "\n"
    return TownNames(spoken, misspelt.letter_bits("".join(lines)))


def spellings(name: str) -> list[str]:
    """The ways in which a name is typed, folded."""
    letters = unicodedata.normalize("NFC", name.casefold())
    both = dict.fromkeys((letters, letters.translate(_SPELLED_OUT)))
    lines = dict.fromkeys(line for one in both for line in written(words_of(one)))
    return [line for line in lines if line]


def inner_starts(line: str) -> Iterator[str]:
    """A folded name from each of its words on but for the first."""
    words = line.split()
    return (" ".join(words[first:]) for first in range(1, len(words)))


def written(words: Sequence[str]) -> tuple[str, ...]:
    """Words as one text: as they are, and with saints written alike."""
    alike = " ".join("st" if word in SAINTS else word for word in words)
    return tuple(dict.fromkeys((" ".join(words), alike)))
