"""What an operator types to find a booking, as PostgreSQL writes such a search: the words of a name
or an e-mail address, each by its beginning, or a telephone number in whatever way it was given.
"""

from __future__ import annotations

import re

# What PostgreSQL takes for one word, as far as names and e-mail addresses go. No quote is in it.
_WORD = re.compile(r"[\w.@+-]+")
_WORDS_MAX = 8
_CALLED = re.compile(r"[\d ()./+-]+")
_DIGITS_MIN = 3
# How many digits the code of a country has at most, and a number without it at least.
_COUNTRY_MAX, _NUMBER_MIN = 3, 6


def search_of(text: str) -> str | None:
    """The search for a text; None where nothing is in it by which anything could be found."""
    words = [word.strip(".-+_") for word in _WORD.findall(text.lower())]
    named = " & ".join(_beginning(word) for word in words[:_WORDS_MAX] if word)
    called = " | ".join(f"'{number}':*" for number in _numbers(text))
    return f"({named}) | {called}" if named and called else named or None


def _beginning(word: str) -> str:
    """A word by its beginning. Part of a number may be kept with the country's code in front, where
    no zero stands."""
    rest = _digits(word).lstrip("0") if word.isdecimal() else ""
    if len(rest) < _DIGITS_MIN or rest == word:
        return f"'{word}':*"
    return f"('{word}':* | '{rest}':*)"


def _numbers(text: str) -> list[str]:
    """The numbers that a text may be, as a whole; none where it is no telephone number. One with
    the code of a country may be kept without it, and nobody knows how long the code is."""
    if _CALLED.fullmatch(text) is None:
        return []
    said = text.strip().replace("(0)", "")
    digits = _digits(said)
    rest = digits.lstrip("0")
    if len(rest) < _DIGITS_MIN:
        return []
    if not said.startswith("+") and not digits.startswith("00"):
        return [rest]
    without = (rest[length:] for length in range(1, _COUNTRY_MAX + 1))
    return [rest, *(one for one in without if len(one) >= _NUMBER_MIN)]


def _digits(text: str) -> str:
    """Its digits as they are kept, also of who types Arabic ones."""
    return "".join(str(int(letter)) for letter in text if letter.isdecimal())
