"""Texts as a search compares them: without case and accents."""

from __future__ import annotations

import re
import unicodedata

_WORDS_MAX = 10
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "\u0131": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)


def searchable(*texts: str) -> str:
    """Texts as the search compares them: no case, no accents, single spaces."""
    lower = " ".join(texts).casefold()
    if lower.isascii():  # as most are: there is nothing to take off
        return " ".join(lower.split())
    joined = unicodedata.normalize("NFKD", lower).translate(_LETTERS)
    bare = "".join(letter for letter in joined if unicodedata.category(letter) != "Mn")
    return " ".join(bare.split())


def search_patterns(text: str) -> list[str]:
    """What the searched text must be like, each of them, to have all words of the question."""
    escaped = re.sub(r"([\\%_])", r"\\\1", searchable(text))
    return [f"%{word}%" for word in escaped.split()[:_WORDS_MAX]]
