"""The canvas of a poster: shapes as SVG, with numbers of one decimal, and the seeded dice."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from bespeak.verticals.cinema.posters.inks import Inks

WIDTH = 400
HEIGHT = 600

Point: TypeAlias = tuple[float, float]


class Canvas:
    """What a scene paints on. Nothing that people wrote comes here: only numbers and colours."""

    def __init__(self, inks: Inks, dice: random.Random) -> None:
        self.inks = inks
        self.dice = dice
        self.parts: list[str] = []
        self._gradients = 0

    def add(self, part: str) -> None:
        """Adds an element."""
        self.parts.append(part)

    def sky(self, top: str | None = None, low: str | None = None) -> None:
        """The whole canvas from one colour to another, downwards."""
        fill = self.gradient(top or self.inks.sky_top, low or self.inks.sky_low)
        self.add(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{fill}"/>')

    def gradient(self, first: str, last: str, *, sideways: bool = False) -> str:
        """A gradient to fill with."""
        self._gradients += 1
        name = f"g{self._gradients}"
        end = 'x2="1" y2="0"' if sideways else 'x2="0" y2="1"'
        self.add(
            f'<defs><linearGradient id="{name}" x1="0" y1="0" {end}>'
            f'<stop stop-color="{first}"/><stop offset="1" stop-color="{last}"/>'
            "</linearGradient></defs>"
        )
        return f"url(#{name})"

    def glow(self, x: float, y: float, radius: float, color: str, strength: float = 0.7) -> None:
        """A light that fades."""
        self._gradients += 1
        name = f"g{self._gradients}"
        self.add(
            f'<defs><radialGradient id="{name}"><stop stop-color="{color}" '
            f'stop-opacity="{strength}"/><stop offset="1" stop-color="{color}" stop-opacity="0"/>'
            f'</radialGradient></defs><circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" '
            f'fill="url(#{name})"/>'
        )

    def circle(self, x: float, y: float, radius: float, fill: str, opacity: float = 1.0) -> None:
        """A disc."""
        self.add(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}"{_faint(opacity)}/>'
        )

    def ring(
        self, x: float, y: float, radius: float, stroke: str, width: float, o: float = 1
    ) -> None:
        """A circle that is not filled."""
        self.add(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="none" stroke="{stroke}" '
            f'stroke-width="{width:.1f}"{_faint(o)}/>'
        )

    def rect(
        self, x: float, y: float, width: float, height: float, fill: str, opacity: float = 1.0
    ) -> None:
        """A rectangle."""
        self.add(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'fill="{fill}"{_faint(opacity)}/>'
        )

    def shape(self, points: Iterable[Point], fill: str, opacity: float = 1.0) -> None:
        """A closed polygon."""
        told = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.add(f'<polygon points="{told}" fill="{fill}"{_faint(opacity)}/>')

    def path(self, d: str, fill: str = "none", *, stroke: str = "", width: float = 0.0,
             opacity: float = 1.0) -> None:  # fmt: skip
        """A path, filled or drawn."""
        line = f' stroke="{stroke}" stroke-width="{width:.1f}" stroke-linecap="round"'
        self.add(f'<path d="{d}" fill="{fill}"{line if stroke else ""}{_faint(opacity)}/>')

    def line(self, a: Point, b: Point, stroke: str, width: float = 1.5, opacity: float = 1) -> None:
        """A straight line."""
        self.path(f"M{at(a)}L{at(b)}", stroke=stroke, width=width, opacity=opacity)

    def stars(self, count: int, low: float, color: str) -> None:
        """Small lights above a height."""
        for _ in range(count):
            x, y = self.dice.uniform(8, WIDTH - 8), low * self.dice.random() ** 1.3
            self.circle(x, y + 6, self.dice.choice((0.8, 0.8, 1.1, 1.6)), color, 0.85)

    def ground(self, tops: Sequence[Point], fill: str, opacity: float = 1.0) -> None:
        """Everything below a smooth line through these points."""
        path = f"M{at(tops[0])}{smooth(tops)}L{WIDTH + 20},{HEIGHT + 20}L-20,{HEIGHT + 20}Z"
        self.path(path, fill, opacity=opacity)


def at(point: Point) -> str:
    """A point as paths write it."""
    return f"{point[0]:.1f},{point[1]:.1f}"


def smooth(points: Sequence[Point]) -> str:
    """The rest of a path that goes through these points without a corner."""
    parts = []
    for place in range(len(points) - 1):
        before = points[max(0, place - 1)]
        start, end = points[place], points[place + 1]
        after = points[min(len(points) - 1, place + 2)]
        one = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
        two = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
        parts.append(f"C{at(one)} {at(two)} {at(end)}")
    return "".join(parts)


def around(x: float, y: float, radius: float, degrees: float) -> Point:
    """The point of a circle, from the right and clockwise."""
    turn = math.radians(degrees)
    return x + radius * math.cos(turn), y + radius * math.sin(turn)


def _faint(opacity: float) -> str:
    return "" if opacity >= 1 else f' opacity="{opacity:.2f}"'
