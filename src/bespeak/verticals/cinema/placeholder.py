"""The poster of a film that has no picture: its title in lines on its two hues, as one SVG of 400
by 600 without a script, a style or an address in it.
"""

from __future__ import annotations

import textwrap
import unicodedata
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bespeak.verticals.cinema.film_rows import PosterSubject

WIDTH, HEIGHT, EDGE = 400, 600, 32
# The size of the letters, and how many of them are set in a line at most.
_SIZES = ((52, 11), (42, 14), (32, 18), (24, 24), (18, 32))
_TITLE_HEIGHT_MAX = 210  # below the circles
_FAMILY = "Georgia,'Noto Serif','Times New Roman',serif"


@lru_cache(maxsize=256)
def placeholder(subject: PosterSubject) -> str:
    """The same for the same film."""
    first, second = subject.hues
    title = _printable(subject.title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img"><title>{escape(title)}</title>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="hsl({first} 45% 20%)"/>'
        f'<circle cx="{WIDTH}" cy="60" r="210" fill="hsl({second} 50% 45%)"/>'
        f'<circle cx="{WIDTH}" cy="60" r="130" fill="hsl({second} 60% 62%)"/>'
        f'<rect x="{EDGE}" y="524" width="34" height="4" fill="hsl({second} 60% 62%)"/>'
        f"{_title(title)}{_line(_credit(subject), 560, 14)}</svg>"
    )


def _title(title: str) -> str:
    """The title in the largest letters in which there is room for it."""
    for size, letters in _SIZES:
        lines = textwrap.wrap(title, letters, break_on_hyphens=False) or [""]
        if (
            len(lines) * size <= _TITLE_HEIGHT_MAX
            and max(map(len, title.split()), default=0) <= letters
        ):
            break
    lines = lines[: _TITLE_HEIGHT_MAX // size]
    top = 500 - (len(lines) - 1) * size * 1.1
    return "".join(_line(line, top + place * size * 1.1, size) for place, line in enumerate(lines))


def _line(text: str, y: float, size: int) -> str:
    """One line from its edge on, pressed together where it would be too wide."""
    room = WIDTH - 2 * EDGE
    width = sum(1.0 if _is_wide(letter) else 0.6 for letter in text) * size
    pressed = f' textLength="{room}" lengthAdjust="spacingAndGlyphs"' if width > room else ""
    from_right = is_from_right(text)
    x, direction = (WIDTH - EDGE, ' direction="rtl"') if from_right else (EDGE, "")
    return (
        f'<text x="{x}" y="{y:.1f}" font-family="{_FAMILY}" font-size="{size}" fill="#fff"'
        f"{direction}{pressed}>{escape(text)}</text>"
    )


def _credit(subject: PosterSubject) -> str:
    director = _printable(subject.director)[:48]
    return f"{director} · {subject.year}" if director else str(subject.year)


def is_from_right(text: str) -> bool:
    """Whether the first letter that has a direction runs from right to left."""
    directions = (unicodedata.bidirectional(letter) for letter in text)
    return next((one for one in directions if one in ("L", "R", "AL")), "L") != "L"


def _is_wide(letter: str) -> bool:
    return letter.isupper() or letter in "mw@%—" or unicodedata.east_asian_width(letter) in "WF"


def _printable(text: str) -> str:
    """The text without what XML cannot hold and nobody can see."""
    kept = (
        letter if unicodedata.category(letter)[0] != "C" or letter in "\u200c\u200d" else " "
        for letter in text
    )
    return " ".join("".join(kept).split())
