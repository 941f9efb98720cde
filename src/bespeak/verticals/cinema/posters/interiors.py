"""Scenes of things that were made: cities, rails, doors, orbits, tiles, flowers, sound."""

from __future__ import annotations

import math

from bespeak.verticals.cinema.posters.canvas import HEIGHT, WIDTH, Canvas, around, at


def city(canvas: Canvas) -> None:
    """A skyline in three depths with lit windows, and a moon."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky()
    canvas.stars(40, 220, inks.paper)
    x = dice.uniform(110, 290)
    canvas.glow(x, 176, 200, inks.glow, 0.5)
    canvas.circle(x, 176, 66, inks.accent)
    for place, fill in enumerate((inks.far, inks.mid, inks.dark)):
        left = dice.uniform(-40, -10)
        while left < WIDTH:
            width = dice.uniform(34, 66) + 10 * place
            top = 210 + 78 * place + dice.uniform(0, 96)
            _tower(canvas, left, top, width, fill, lit=place == 2)
            left += width + dice.choice((0, 0, 4))


def _tower(canvas: Canvas, x: float, y: float, width: float, fill: str, *, lit: bool) -> None:
    inks, dice = canvas.inks, canvas.dice
    canvas.rect(x, y, width, HEIGHT - y, fill)
    roof = dice.randrange(4)
    if roof == 0:
        canvas.shape([(x, y), (x + width, y), (x + width / 2, y - width * 0.5)], fill)
    elif roof == 1:
        canvas.rect(x + width * 0.2, y - 16, width * 0.6, 18, fill)
        canvas.line((x + width / 2, y - 16), (x + width / 2, y - 48), fill, 2.4)
    elif roof == 2:
        canvas.circle(x + width / 2, y + 2, width * 0.36, fill)
    if not lit:
        return
    columns = max(2, int(width // 15))
    for row in range(9):
        for column in range(columns):
            if dice.random() < 0.42:
                left = x + (column + 0.5) * width / columns - 3.4
                canvas.rect(
                    left, y + 14 + 22 * row, 6.8, 10, inks.accent, dice.choice((1, 0.8, 0.5))
                )


def rails(canvas: Canvas) -> None:
    """Rails that run to a low sun, wires above them, and a tram that comes."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky()
    x, y = 200 + dice.uniform(-26, 26), 318.0
    canvas.glow(x, y, 280, inks.glow, 0.7)
    for step in range(7):
        canvas.ring(x, y, 78 + 26 * step, inks.accent, 3.4, 0.8 - 0.11 * step)
    canvas.circle(x, y, 66, inks.accent)
    canvas.rect(0, y, WIDTH, 300, inks.near)
    for place in range(14):
        near = 1.36**place * 4.2
        if y + near > HEIGHT:
            break
        half = 12 + near * 0.62
        canvas.rect(
            x - half - near * 0.2, y + near, 2 * half + near * 0.4, 1.2 + near * 0.09, inks.mid
        )
    for side in (-1, 1):
        foot = [(x + side * 196, 640.0), (x + side * 166, 640.0)]
        canvas.shape([(x + side * 5, y), (x + side * 8, y), *foot], inks.paper, 0.9)
        canvas.line((x, y - 60), (x + side * 300, -40), inks.ink, 1.4)
    _tram(canvas, x, y)
    for left in (-10, 352):
        canvas.rect(left, 150, 58, 480, inks.dark)
        canvas.shape([(left - 10, 150), (left + 68, 150), (left + 29, 118)], inks.ink)


def _tram(canvas: Canvas, x: float, y: float) -> None:
    inks = canvas.inks
    canvas.line((x, y - 66), (x - 9, y - 46), inks.ink, 2)
    canvas.rect(x - 24, y - 48, 48, 60, inks.ink)
    canvas.rect(x - 19, y - 38, 38, 22, inks.glow)
    canvas.circle(x - 14, y - 2, 4.4, inks.glow)
    canvas.circle(x + 14, y - 2, 4.4, inks.glow)


def doors(canvas: Canvas) -> None:
    """A door in a door in a door, and somebody in the last."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky(inks.dark, inks.near)
    shades = (inks.near, inks.mid, inks.far, inks.sky_low, inks.accent, inks.glow)
    drift = dice.uniform(-10, 10)
    for place, fill in enumerate(shades):
        half = 172 - 27 * place
        top = 34 + 52 * place
        base = 600 - 24 * place
        x = 200 + drift * place
        canvas.path(
            f"M{x - half:.1f},{base}V{top + half:.1f}a{half:.1f},{half:.1f} 0 0 1 {2 * half:.1f},0"
            f"V{base}Z",
            fill,
        )
    x = 200 + drift * 5
    canvas.shape([(x - 34, 480), (x + 34, 480), (x + 120, 640), (x - 120, 640)], inks.glow, 0.35)
    canvas.circle(x, 400, 8.5, inks.ink)
    canvas.shape([(x - 9, 411), (x + 9, 411), (x + 15, 478), (x - 15, 478)], inks.ink)
    canvas.shape([(x - 13, 478), (x + 13, 478), (x + 64, 560), (x + 14, 560)], inks.ink, 0.35)


def orbits(canvas: Canvas) -> None:
    """A planet with rings, moons on their orbits, and stars."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky(inks.dark, inks.mid)
    canvas.stars(90, 560, inks.paper)
    x, y = dice.uniform(170, 230), 246.0
    turn = dice.uniform(-28, -12)
    canvas.glow(x, y, 240, inks.accent, 0.35)
    for step in range(4):
        canvas.add(
            f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{150 + 34 * step}" ry="{46 + 13 * step}" '
            f'fill="none" stroke="{inks.paper}" stroke-width="1" opacity="{0.6 - 0.11 * step:.2f}" '
            f'transform="rotate({turn:.1f} {x:.1f} {y:.1f})"/>'
        )
    fill = canvas.gradient(inks.accent, inks.shade)
    canvas.circle(x, y, 96, fill)
    for step in range(5):
        half = math.sqrt(max(0.0, 96**2 - (step * 32 - 64) ** 2))
        band = f"q{half:.1f},{16 + 2 * step} {2 * half:.1f},0"
        start = f"M{x - half:.1f},{y - 64 + step * 32}"
        canvas.path(start + band, stroke=inks.glow, width=5, opacity=0.22)
    ring = f"M{x - 150:.1f},{y:.1f}a150,46 0 0 0 300,0"
    canvas.add(
        f'<path d="{ring}" fill="none" stroke="{inks.paper}" stroke-width="9" '
        f'transform="rotate({turn:.1f} {x:.1f} {y:.1f})"/>'
    )
    for step in range(3):
        moon = around(x, y, 150 + 46 * step, dice.uniform(20, 330))
        canvas.circle(*moon, 15 - 3.5 * step, inks.glow)
    canvas.ground([(-20, 500), (110, 470), (250, 492), (420, 456)], inks.dark)
    canvas.circle(96, 462, 5, inks.paper)
    canvas.path("M96,468v14", stroke=inks.paper, width=5)


def tiles(canvas: Canvas) -> None:
    """A wall of tiles: quarters, halves and dots, by the compass and the ruler."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky(inks.paper, inks.paper)
    fills = (inks.accent, inks.near, inks.mid, inks.far, inks.shade, inks.sky_low, inks.ink)
    side = 80
    for row in range(6):
        for column in range(5):
            x, y = column * side, row * side
            first, second = dice.sample(fills, 2)
            canvas.rect(x, y, side + 0.5, side + 0.5, first)
            _tile(canvas, x, y, side, second, dice.randrange(6))
    canvas.rect(0, 480, WIDTH, 120, inks.ink)


def _tile(canvas: Canvas, x: float, y: float, side: float, fill: str, kind: int) -> None:
    half = side / 2
    corner = canvas.dice.choice(((x, y), (x + side, y), (x, y + side), (x + side, y + side)))
    if kind <= 2:
        far = (x if corner[0] > x else x + side, y if corner[1] > y else y + side)
        sweep = 1 if (corner[0] > x) == (corner[1] > y) else 0
        canvas.path(f"M{at(corner)}L{far[0]:.1f},{corner[1]:.1f}A{side},{side} 0 0 {sweep} "
                    f"{corner[0]:.1f},{far[1]:.1f}Z", fill)  # fmt: skip
    elif kind == 3:
        canvas.path(f"M{x:.1f},{y + half:.1f}a{half},{half} 0 0 1 {side},0Z", fill)
        canvas.path(f"M{x:.1f},{y + side:.1f}a{half},{half} 0 0 1 {side},0Z", fill)
    elif kind == 4:
        canvas.circle(x + half, y + half, side * 0.3, fill)
    else:
        canvas.shape([(x, y + side), (x + side, y + side), (x + side, y)], fill)


def flower(canvas: Canvas) -> None:
    """A flower that fills the sky, petal over petal."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky(inks.dark, inks.near)
    x, y = 200.0, 262.0
    canvas.glow(x, y, 280, inks.accent, 0.4)
    canvas.path(f"M{x},{y}C210,420 176,520 206,640", stroke=inks.mid, width=9)
    canvas.path("M196,470q70,-64 128,-30q-40,66 -128,30Z", inks.mid)
    canvas.path("M200,520q-76,-58 -132,-20q46,62 132,20Z", inks.far)
    count = dice.choice((8, 9, 10, 12))
    for ring, (reach, fill) in enumerate(
        ((182, inks.shade), (148, inks.accent), (108, inks.glow), (66, inks.accent))
    ):
        for petal in range(count):
            turn = 360 / count * (petal + ring / 2)
            tip = around(x, y, reach, turn)
            one = around(x, y, reach * 0.72, turn - 200 / count)
            two = around(x, y, reach * 0.72, turn + 200 / count)
            canvas.path(f"M{x},{y}Q{at(one)} {at(tip)}Q{at(two)} {x},{y}Z", fill, opacity=0.9)
    canvas.circle(x, y, 25, inks.ink)
    for dot in range(14):
        canvas.circle(*around(x, y, 15, dot * 360 / 14), 2.1, inks.accent)


def sound(canvas: Canvas) -> None:
    """Strings that ring: lines that swing around a dark disc."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky(inks.sky_low, inks.accent)
    canvas.circle(200, 250, 150, inks.dark)
    canvas.circle(200, 250, 150, canvas.gradient(inks.near, inks.dark))
    for step in range(9):
        canvas.ring(200, 250, 48 + 11 * step, inks.far, 0.9, 0.5)
    canvas.circle(200, 250, 36, inks.accent)
    canvas.circle(200, 250, 5, inks.paper)
    beat = dice.uniform(2.2, 4.2)
    for string in range(13):
        y = 96 + 26 * string
        swing = 22 * math.exp(-(((string - 6) / 3.4) ** 2))
        points = [
            (x, y + swing * math.sin(beat * math.pi * x / WIDTH + string * 0.55))
            for x in range(0, WIDTH + 21, 10)
        ]
        path = "M" + "L".join(at(point) for point in points)
        canvas.path(path, stroke=inks.paper, width=1.7, opacity=0.9)


def rain(canvas: Canvas) -> None:
    """Rain on an umbrella, and its reflection."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky()
    for _ in range(120):
        x, y, long = dice.uniform(-40, 440), dice.uniform(-20, 520), dice.uniform(14, 40)
        canvas.line((x, y), (x - long * 0.22, y + long), inks.paper, 1.3, dice.uniform(0.25, 0.8))
    canvas.rect(0, 440, WIDTH, 200, inks.dark)
    canvas.glow(200, 300, 200, inks.glow, 0.5)
    for scale, opacity in ((1, 1.0), (-0.55, 0.28)):
        canvas.add(f'<g transform="translate(200 442) scale(1 {scale})" opacity="{opacity}">')
        canvas.path("M-118,-150a118,112 0 0 1 236,0q-20,-20 -39,0q-20,-20 -39,0q-20,-20 -40,0"
                    "q-20,-20 -39,0q-20,-20 -39,0q-20,-20 -40,0Z", inks.accent)  # fmt: skip
        canvas.path("M-118,-150a118,112 0 0 1 118,-112v96"
                    "q-20,-4 -39,16q-20,-20 -39,0q-20,-20 -40,0Z",
                    inks.shade, opacity=0.55)  # fmt: skip
        canvas.path("M0,-262v-12M0,-166v92", stroke=inks.ink, width=3.4)
        canvas.circle(14, -112, 13, inks.ink)
        canvas.shape([(0, -96), (28, -96), (38, -6), (-10, -6)], inks.ink)
        canvas.add("</g>")
