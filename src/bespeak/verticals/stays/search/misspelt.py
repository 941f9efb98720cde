"""Words of travellers that are misspelt: one slip of the keys in a word of five letters, two from
nine on. They are looked for among the distinct words of the names there, which are few beside the
listings; what cannot be near by its letters is not compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SLIP_LETTERS_MIN, SLIPS_LETTERS_MIN = 5, 9
"""Of fewer letters too many words are one slip away, or two."""
COMPARED_MAX = 1500
"""So many words are compared letter by letter in one search, some hundredths of a second: who types
what is a slip from more of them is told of those that were looked at."""


def slips_of(word: str) -> int:
    """How many slips a word may have."""
    return 0 if len(word) < SLIP_LETTERS_MIN else 1 if len(word) < SLIPS_LETTERS_MIN else 2


def named_nearly(names: Iterable[bytes], words: Sequence[str]) -> list[bool]:
    """Of which folded names all words begin a word, but for slips of the keys."""
    names = list(names)
    known = dict.fromkeys(b" ".join(names).split())
    told = [(part, text, letter_bits(text)) for part in known for text in (part.decode(),)]
    left = COMPARED_MAX
    meant: list[frozenset[bytes]] = []
    for word in dict.fromkeys(words):
        typed, slips = word.strip(), slips_of(word.strip())
        letters = letter_bits(typed)
        found = [part for part, text, _ in told if text.startswith(typed)]
        near = [
            (part, text)
            for part, text, has in told
            if slips and len(text) >= len(typed) - slips and (letters & ~has).bit_count() <= slips
        ]
        found += [part for part, text in near[:left] if nearly_begins(text, typed, slips)]
        left -= min(left, len(near))
        meant.append(frozenset(found))
    if not all(meant):
        return [False] * len(names)
    parts = map(bytes.split, names)
    return [all(not some.isdisjoint(of_name) for some in meant) for of_name in parts]


def nearly_begins(word: str, typed: str, slips: int) -> bool:
    """Whether a word begins like what was typed, but for so many slips at most: a letter that is
    missing, too many or another one, or two beside each other that are interchanged."""
    word = word[: len(typed) + slips]
    before: list[int] = []
    row = list(range(len(word) + 1))
    for place, letter in enumerate(typed, 1):
        earlier, before, row = before, row, [place]
        for at, meant in enumerate(word, 1):
            cost = min(before[at] + 1, row[at - 1] + 1, before[at - 1] + (letter != meant))
            is_turned = place > 1 < at and letter == word[at - 2] and typed[place - 2] == meant
            row.append(min(cost, earlier[at - 2] + 1) if is_turned else cost)
        if min(row) > slips and (not before or min(before) > slips):
            return False
    return min(row) <= slips


def letter_bits(word: str) -> int:
    """The letters of a word as bits; different letters may share one. A slip takes at most one
    letter of what was typed away."""
    letters = 0
    for letter in set(word):
        letters |= 1 << (ord(letter) & 63)
    return letters
