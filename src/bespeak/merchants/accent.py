"""The accent colour of a shop: one colour that the merchant chooses, and the colours of both themes
that are made of it. Every text in it, or on it, can be read: a contrast of 4.5 to 1 (WCAG 2.2,
success criterion 1.4.3), on each ground that the pages have.
"""

from __future__ import annotations

import colorsys
import re
from typing import NamedTuple

import msgspec

from bespeak.merchants.errors import ColourIllegible

_CONTRAST_MIN = 4.5
_HEX = re.compile(r"#[0-9a-f]{6}")
# The grounds of the pages, as `web/src/design/tokens.css` has them; a test compares.
LIGHT_GROUNDS = ("#faf7f2", "#ffffff", "#f3eee6")
DARK_GROUNDS = ("#13111d", "#1c1a29", "#262336")
_WHITE = "#ffffff"
_NIGHT = "#13111d"
_SOFT_SHARE = {"light": 0.1, "dark": 0.16}
_STEPS = 200


class _Colour(NamedTuple):
    red: float
    green: float
    blue: float

    @staticmethod
    def of(text: str) -> _Colour:
        return _Colour(*(int(text[start : start + 2], 16) / 255 for start in (1, 3, 5)))

    def text(self) -> str:
        return "#" + "".join(f"{round(part * 255):02x}" for part in self)

    def luminance(self) -> float:
        """The relative luminance, as WCAG defines it."""
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in self
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def mixed(self, other: _Colour, share: float) -> _Colour:
        """So much of this colour, the rest of another."""
        pairs = zip(self, other, strict=True)
        return _Colour(*(one * share + two * (1 - share) for one, two in pairs))

    def with_lightness(self, lightness: float) -> _Colour:
        hue, _, saturation = colorsys.rgb_to_hls(*self)
        return _Colour(*colorsys.hls_to_rgb(hue, lightness, saturation))


class ThemeAccent(msgspec.Struct, frozen=True):
    """The accent in one theme, as `#rrggbb`: itself, a stronger one for what is pointed at, the ink
    on it, and a soft ground that it is read on."""

    accent: str
    strong: str
    ink: str
    soft: str


class Accent(msgspec.Struct, frozen=True):
    """The accent in both themes."""

    light: ThemeAccent
    dark: ThemeAccent


def contrast(one: str, two: str) -> float:
    """The contrast of two colours, 1 to 21."""
    darker, lighter = sorted((_Colour.of(one).luminance(), _Colour.of(two).luminance()))
    return (lighter + 0.05) / (darker + 0.05)


def check_colour(text: str) -> None:
    """Raises ColourIllegible, with the nearest colour that works, for one that cannot be read on
    the light pages. `text` is `#rrggbb`, in small letters."""
    if _HEX.fullmatch(text) is None:
        raise ValueError("a colour is `#rrggbb`")
    if not _is_legible(_light(_Colour.of(text)), LIGHT_GROUNDS):
        nearest = _nearest(text)
        raise ColourIllegible(
            f"{text} is too light to be read on the pages; {nearest} can be read",
            field="accent",
            nearest=nearest,
        )


def accent_of(text: str) -> Accent:
    """The colours of both themes, of a colour that `check_colour` takes."""
    colour = _Colour.of(text)
    return Accent(_light(colour), _for_dark(colour))


def _light(colour: _Colour) -> ThemeAccent:
    soft = colour.mixed(_Colour.of(_WHITE), _SOFT_SHARE["light"])
    strong = colour.mixed(_Colour(0, 0, 0), 0.78)
    return ThemeAccent(colour.text(), strong.text(), _WHITE, soft.text())


def _dark(colour: _Colour) -> ThemeAccent:
    soft = colour.mixed(_Colour.of(DARK_GROUNDS[1]), _SOFT_SHARE["dark"])
    strong = colour.mixed(_Colour(1, 1, 1), 0.7)
    return ThemeAccent(colour.text(), strong.text(), _NIGHT, soft.text())


def _is_legible(theme: ThemeAccent, grounds: tuple[str, ...]) -> bool:
    on_grounds = all(
        contrast(ink, ground) >= _CONTRAST_MIN
        for ink in (theme.accent, theme.strong)
        for ground in (*grounds, theme.soft)
    )
    return on_grounds and contrast(theme.ink, theme.accent) >= _CONTRAST_MIN


def _nearest(text: str) -> str:
    """The lightest colour of the same hue that can be read on the light pages."""
    colour = _Colour.of(text)
    start = colorsys.rgb_to_hls(*colour)[1]
    for step in range(_STEPS + 1):
        darker = colour.with_lightness(start * (1 - step / _STEPS))
        # Judged as it will be written, so that rounding makes no difference.
        if _is_legible(_light(_Colour.of(darker.text())), LIGHT_GROUNDS):
            return darker.text()
    raise AssertionError("black can be read on every light ground")


def _for_dark(colour: _Colour) -> ThemeAccent:
    """The darkest colour of the same hue that can be read on the dark pages."""
    start = colorsys.rgb_to_hls(*colour)[1]
    for step in range(_STEPS + 1):
        lighter = colour.with_lightness(start + (1 - start) * step / _STEPS)
        theme = _dark(_Colour.of(lighter.text()))
        if _is_legible(theme, DARK_GROUNDS):
            return theme
    raise AssertionError("white can be read on every dark ground")
