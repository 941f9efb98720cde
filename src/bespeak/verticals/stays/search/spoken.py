"""What travellers type, against what houses and listings are called: each word must begin a word of
it, whatever the case and the accents. Words that are misspelt are `misspelt`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from bespeak.translations import Translation
from bespeak.verticals.searching import searchable

# A translation may be as long as a description; nobody looks for a name that long.
_LETTERS_MAX = 200
_NO_WORD = re.compile(r"[\W_]+")
SAINTS = frozenset(("st", "ste", "saint", "sainte", "sankt"))
"""The same word, as one writes it in this town or that."""


@lru_cache(maxsize=4096)
def folded(*texts: str) -> str:
    """The words of the texts, each once and behind a space: ` haus am hafen`. A saint is there in
    all the ways in which one is written. Listings of a house are read one after the other and share
    what it is called."""
    words = dict.fromkeys(words_of(*texts))
    if not SAINTS.isdisjoint(words):
        words |= dict.fromkeys(sorted(SAINTS))
    return "".join(f" {word}" for word in words)


def words_of(*texts: str) -> list[str]:
    """The words of the texts, without case, accents and signs."""
    return _NO_WORD.sub(" ", searchable(*texts)).split()


def names_of(text: str, translations: Sequence[Translation]) -> Iterator[str]:
    """What a text is called: as it was typed, and in each language."""
    yield text
    for one in translations:
        if text in one.words:
            yield one.words[text][:_LETTERS_MAX]


def beginnings(text: str) -> tuple[str, ...]:
    """What folded names must have, each of them, to have words that begin like those of a text."""
    return tuple(f" {word}" for word in dict.fromkeys(words_of(text)))
