"""The colours of a poster: made from two hues in a space in which equal steps look equal (OKLCH),
so that any two hues make a palette that holds together, by day, at dusk or at night.
"""

from __future__ import annotations

import colorsys
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

Light: TypeAlias = Literal["day", "dusk", "night"]
_Rgb = tuple[float, float, float]


@dataclass(frozen=True)
class Inks:
    """What a scene is painted with: a sky from top to bottom, four depths of ground from far to
    near, an accent with its shade, a light, and paper and ink for the words."""

    sky_top: str
    sky_low: str
    far: str
    mid: str
    near: str
    dark: str
    accent: str
    shade: str
    glow: str
    paper: str
    ink: str


_LEVELS: dict[Light, tuple[float, ...]] = {
    # sky_top, sky_low, far, mid, near, dark: how light each is.
    "day": (0.80, 0.93, 0.74, 0.60, 0.44, 0.27),
    "dusk": (0.36, 0.80, 0.52, 0.41, 0.30, 0.20),
    "night": (0.16, 0.40, 0.44, 0.33, 0.24, 0.14),
}


def inks_of(hues: tuple[int, int], light: Light) -> Inks:
    """The palette of two hues (degrees of the colour circle)."""
    base, other = (_ok_hue(hue) for hue in hues)
    top, low, far, mid, near, dark = _LEVELS[light]
    low_hue = base if light == "night" else other
    return Inks(
        sky_top=paint(base, 0.09, top),
        sky_low=paint(low_hue, 0.10 if light != "day" else 0.06, low),
        far=paint(base, 0.075, far),
        mid=paint(base, 0.085, mid),
        near=paint(base, 0.08, near),
        dark=paint(base, 0.055, dark),
        accent=paint(other, 0.17, 0.70 if light == "day" else 0.76),
        shade=paint(other, 0.15, 0.52),
        glow=paint(other, 0.07, 0.94),
        paper=paint(other, 0.018, 0.965),
        ink=paint(base, 0.05, 0.22),
    )


def paint(hue: float, chroma: float, light: float) -> str:
    """A colour as `#rrggbb`: as colourful as asked, or as the screen can be."""
    while True:
        rgb = _to_rgb(hue, chroma, light)
        if chroma <= 0 or all(-0.001 <= part <= 1.001 for part in rgb):
            return "#" + "".join(f"{round(255 * _encoded(part)):02x}" for part in rgb)
        chroma -= 0.008


def _to_rgb(hue: float, chroma: float, light: float) -> _Rgb:
    """Linear red, green and blue of a colour in OKLCH."""
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )


@lru_cache(maxsize=360)
def _ok_hue(hue: int) -> float:
    """The hue of OKLCH that people call the same as this hue of the usual colour circle."""
    red, green, blue = (_decoded(part) for part in colorsys.hls_to_rgb(hue / 360, 0.5, 1.0))
    long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    middle = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    a = 1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short
    return math.degrees(math.atan2(b, a)) % 360


def _decoded(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _encoded(part: float) -> float:
    part = min(1.0, max(0.0, part))
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055
