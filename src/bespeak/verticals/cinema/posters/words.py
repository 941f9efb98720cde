"""The words on a poster: the title in lines that fit, and nothing of it taken for markup."""

from __future__ import annotations

import unicodedata
from html import escape
from typing import NamedTuple

_NARROW = frozenset("iljtfrI.,:;'\u2019!|() -")
_WIDE = frozenset("mwMW@%&—")
_SIZES = (54, 48, 43, 38, 34, 30, 26, 22, 19, 16, 13)
_LINES_MAX = {54: 2, 48: 3, 43: 3, 38: 3, 34: 4, 30: 4, 26: 5, 22: 5, 19: 6, 16: 8, 13: 10}


class Face(NamedTuple):
    """A way to set type: the family, the weight, whether in capitals, the space between letters
    (in shares of the size), and how wide its letters are."""

    family: str
    weight: int
    capitals: bool
    spacing: float
    width: float
    italic: bool = False


FACES = (
    Face("Georgia,'Noto Serif','Times New Roman',serif", 700, False, 0.0, 1.02),
    Face("'Avenir Next',Futura,'Century Gothic','Noto Sans',sans-serif", 700, True, 0.05, 1.0),
    Face("'Helvetica Neue',Helvetica,Arial,'Noto Sans',sans-serif", 800, False, -0.01, 1.04),
    Face("Didot,'Bodoni MT','Playfair Display',Georgia,'Noto Serif',serif", 400, True, 0.09, 1.03),
    Face("Georgia,'Noto Serif','Times New Roman',serif", 400, False, 0.0, 1.0, italic=True),
)


class Setting(NamedTuple):
    """A title as it is set: its lines and the size of its letters."""

    lines: list[str]
    size: int

    @property
    def height(self) -> float:
        """How high it stands."""
        return len(self.lines) * self.size * 1.08


def printable(text: str) -> str:
    """The text without what XML cannot hold and nobody can see."""
    kept = (letter if unicodedata.category(letter)[0] != "C" or letter in "\u200c\u200d" else " "
            for letter in text)  # fmt: skip
    return " ".join("".join(kept).split())


def is_from_right(text: str) -> bool:
    """Whether the first letter that has a direction runs from right to left."""
    for letter in text:
        direction = unicodedata.bidirectional(letter)
        if direction in ("R", "AL"):
            return True
        if direction == "L":
            return False
    return False


def set_title(title: str, face: Face, width: float, height: float) -> Setting:
    """The title in the largest size in which it fits, in lines of like length."""
    text = printable(title).upper() if face.capitals else printable(title)
    for size in _SIZES:
        lines = _broken(text, width / (size * face.width), face)
        setting = Setting(lines, size)
        if len(lines) <= _LINES_MAX[size] and setting.height <= height and _whole(text, lines):
            return setting
    return Setting(_broken(text, width / (_SIZES[-1] * face.width), face)[:10], _SIZES[-1])


def tspan(text: str) -> str:
    """Text as an element may have it."""
    return escape(text, quote=True)


def measure(text: str, face: Face) -> float:
    """How wide a text is, in shares of its size; rather too wide than too narrow."""
    return sum(_letter(letter) + face.spacing for letter in text)


def _letter(letter: str) -> float:
    if letter in _NARROW:
        return 0.34
    if letter in _WIDE:
        return 0.92
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.08
    if unicodedata.combining(letter):
        return 0.0
    if letter.isupper():
        return 0.72
    return 0.58


def _whole(text: str, lines: list[str]) -> bool:
    """Whether no word had to be broken."""
    return " ".join(lines) == text


def _broken(text: str, width: float, face: Face) -> list[str]:
    """Lines no wider than this; as even as the fewest lines allow."""
    count = len(_greedy(text, width, face))
    low, high = width * 0.4, width
    for _ in range(7):  # the narrowest measure that needs no more lines
        middle = (low + high) / 2
        fits = len(_greedy(text, middle, face)) <= count
        low, high = (low, middle) if fits else (middle, high)
    return _greedy(text, high, face)


def _greedy(text: str, width: float, face: Face) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if measure(joined, face) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        *pieces, line = _pieces(word, width, face)
        lines += pieces
    return [*lines, line] if line else lines or [""]


def _pieces(word: str, width: float, face: Face) -> list[str]:
    """A word in pieces no wider than this; most are one piece."""
    pieces = [""]
    for letter in word:
        if pieces[-1] and measure(pieces[-1] + letter, face) > width:
            pieces.append("")
        pieces[-1] += letter
    return pieces
