"""A poster as one SVG of 400 by 600: a scene that suits the title, in the film's two hues, and the
title, the director and the year in type. It has no script, no style and no address in it.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from bespeak.verticals.cinema.names import searchable
from bespeak.verticals.cinema.posters import interiors, landscapes, wonders
from bespeak.verticals.cinema.posters.canvas import HEIGHT, WIDTH, Canvas
from bespeak.verticals.cinema.posters.inks import Inks, Light, inks_of
from bespeak.verticals.cinema.posters.words import (
    FACES,
    Face,
    is_from_right,
    printable,
    set_title,
    tspan,
)

if TYPE_CHECKING:
    from bespeak.verticals.cinema.catalogue import PosterSubject

ChannelState = Callable[[Canvas], None]

SCENES: dict[str, tuple[ChannelState, Light]] = {
    "hills": (landscapes.hills, "dusk"),
    "sea": (landscapes.sea, "dusk"),
    "fleet": (landscapes.fleet, "day"),
    "dunes": (landscapes.dunes, "dusk"),
    "signal": (landscapes.signal, "dusk"),
    "forest": (landscapes.forest, "night"),
    "kites": (landscapes.kites, "day"),
    "city": (interiors.city, "night"),
    "rails": (interiors.rails, "dusk"),
    "doors": (interiors.doors, "dusk"),
    "orbits": (interiors.orbits, "night"),
    "tiles": (interiors.tiles, "day"),
    "flower": (interiors.flower, "night"),
    "sound": (interiors.sound, "dusk"),
    "rain": (interiors.rain, "dusk"),
    "whale": (wonders.whale, "night"),
    "honeycomb": (wonders.honeycomb, "day"),
    "bottle": (wonders.bottle, "day"),
    "drums": (wonders.drums, "night"),
    "curtain": (wonders.curtain, "night"),
}

# A word of the title may say what is to be seen; the first that does, decides.
_WORDS = {
    "hills": "hill mountain winter snow leopard valley cardamom sky ridge tiger tigers",
    "sea": "sea tide lighthouse harbour ferry ocean coast island sailor port beach helsinki",
    "fleet": "boat boats river canal otters otter paper fish",
    "dunes": "dust salt sand dune cartographer camel",
    "signal": "desert frequency radio signal broadcast",
    "forest": "forest wood woods hollow wolf night observatory ghost dark",
    "kites": "kite kites feather feathers wind bird birds balloon",
    "city": "city avenue street bazaar tower neon midnight protocol saffron iron",
    "rails": "train tram railway station engine car road journey getaway",
    "doors": "door house secret alibi atlas room key sleepwalker",
    "orbits": "orbit moon planet star stars space galaxy mars",
    "tiles": "mill sugar clock clockmaker game machine wall pattern strangers azulejo",
    "flower": "flower garden jasmine rose harvest mango tree summer orchid",
    "sound": "violin violinist shadow song fado music singer band waltz",
    "rain": "rain monsoon storm umbrella cloud platform",
    "whale": "whale whales pomelo dream aquarium",
    "honeycomb": "bee bees beekeeper honey hive gold",
    "bottle": "perfumer bottle letter letters wine tea",
    "curtain": "understudy revenge stage theatre opera play mask actor",
    "drums": "drum drums dance festival parade",
}
_SCENE_OF = {word: scene for scene, words in _WORDS.items() for word in words.split()}


@lru_cache(maxsize=256)
def draw(subject: PosterSubject) -> str:
    """The poster of a film."""
    seed = hashlib.blake2b(subject.title.encode(), digest_size=8).hexdigest()
    dice = random.Random(seed)
    scene, light = SCENES[scene_of(subject.title)]
    inks = inks_of(subject.hues, light)
    canvas = Canvas(inks, dice)
    scene(canvas)
    face = dice.choice(FACES)
    framed = dice.random() < 0.4
    words = _framed(subject, inks, face) if framed else _full(subject, inks, face)
    picture = "".join(canvas.parts)
    if framed:
        # The scene in a mount of paper, a little smaller, so that nothing of it is lost.
        picture = (
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{inks.paper}"/>'
            f'<svg x="24" y="24" width="352" height="402" viewBox="0 40 400 457" '
            f'preserveAspectRatio="xMidYMid slice">{picture}</svg>'
        )
    name = tspan(printable(subject.title))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img"><title>{name}</title>{picture}{words}</svg>'
    )


def scene_of(title: str) -> str:
    """What is to be seen: what a word of the title says, or else what its letters happen to be."""
    letters = "".join(one if one.isalnum() else " " for one in searchable(title))
    for word in letters.split():
        if word in _SCENE_OF:
            return _SCENE_OF[word]
    names = sorted(SCENES)
    return names[hashlib.blake2b(title.encode(), digest_size=2).digest()[0] % len(names)]


def _full(subject: PosterSubject, inks: Inks, face: Face) -> str:
    """Words over the foot of a scene that fills the poster."""
    setting = set_title(subject.title, face, WIDTH - 64, 150)
    top = HEIGHT - 70 - setting.height
    veil = (
        '<defs><linearGradient id="veil" x1="0" y1="0" x2="0" y2="1">'
        f'<stop stop-color="{inks.dark}" stop-opacity="0"/>'
        f'<stop offset=".45" stop-color="{inks.dark}" stop-opacity=".82"/>'
        f'<stop offset="1" stop-color="{inks.dark}" stop-opacity=".96"/></linearGradient></defs>'
        f'<rect y="{top - 96:.1f}" width="{WIDTH}" height="{HEIGHT - top + 96:.1f}" '
        'fill="url(#veil)"/>'
    )
    title = _lines(subject.title, setting.lines, setting.size, face, top, inks.paper)
    return veil + title + _credit(subject, inks.accent, inks.paper, HEIGHT - 34)


def _framed(subject: PosterSubject, inks: Inks, face: Face) -> str:
    """Words on the paper below a framed scene."""
    setting = set_title(subject.title, face, WIDTH - 52, 104)
    top = 426 + (HEIGHT - 426 - 46 - setting.height) / 2
    title = _lines(subject.title, setting.lines, setting.size, face, top, inks.ink, 26)
    return title + _credit(subject, inks.shade, inks.ink, HEIGHT - 26, 26)


def _lines(
    title: str, lines: list[str], size: int, face: Face, top: float, fill: str, edge: float = 32
) -> str:
    from_right = is_from_right(title)
    x = WIDTH - edge if from_right else edge
    turned = ' direction="rtl"' if from_right else ""
    italic = ' font-style="italic"' if face.italic else ""
    return "".join(
        f'<text x="{x:.0f}" y="{top + (place + 0.82) * size * 1.08:.1f}" '
        f'font-family="{face.family}" font-size="{size}" font-weight="{face.weight}"{italic} '
        f'letter-spacing="{face.spacing * size:.1f}" fill="{fill}"{turned}>{tspan(line)}</text>'
        for place, line in enumerate(lines)
    )


def _credit(subject: PosterSubject, rule: str, fill: str, y: float, edge: float = 32) -> str:
    """Director and year, with a short rule above them."""
    director = printable(subject.director)[:48]
    size = 13 if len(director) <= 30 else 10
    said = f"{director} · {subject.year}" if director else str(subject.year)
    return (
        f'<rect x="{edge:.0f}" y="{y - 22:.1f}" width="34" height="3" fill="{rule}"/>'
        f'<text x="{edge:.0f}" y="{y:.1f}" font-family="\'Helvetica Neue\',Helvetica,Arial,'
        f'\'Noto Sans\',sans-serif" font-size="{size}" letter-spacing="1.2" fill="{fill}" '
        f'opacity=".86">{tspan(said)}</text>'
    )
