"""Scenes out of doors: hills, seas, dunes, forests, skies."""

from __future__ import annotations

from bespeak.verticals.cinema.posters.canvas import WIDTH, Canvas, Point, around, at, smooth


def hills(canvas: Canvas) -> None:
    """Ridges one behind the other, and a large sun."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky()
    x, y = dice.uniform(120, 280), dice.uniform(190, 250)
    canvas.glow(x, y, 230, inks.glow, 0.6)
    canvas.circle(x, y, dice.uniform(62, 92), inks.accent)
    for place, fill in enumerate((inks.far, inks.mid, inks.near, inks.dark)):
        low = 300 + 62 * place
        jag = 62 - 8 * place
        canvas.ground(_ridge(canvas, low, jag, 6 + place), fill)
    for _ in range(dice.randrange(4, 8)):
        _bird(canvas, dice.uniform(60, 340), dice.uniform(110, 300), dice.uniform(5, 10))


def _ridge(canvas: Canvas, low: float, jag: float, count: int) -> list[Point]:
    step = (WIDTH + 80) / count
    return [
        (-40 + step * place, low + canvas.dice.uniform(-jag, jag) * (1 if place % 2 else 0.6))
        for place in range(count + 1)
    ]


def _bird(canvas: Canvas, x: float, y: float, size: float) -> None:
    path = f"M{x - size:.1f},{y:.1f}q{size / 2:.1f},{-size / 2:.1f} {size:.1f},{size / 5:.1f}"
    path += f"q{size / 2:.1f},{-size * 0.7:.1f} {size:.1f},{-size / 5:.1f}"
    canvas.path(path, stroke=canvas.inks.ink, width=1.6)


def sea(canvas: Canvas) -> None:
    """Bands of waves below a low sun, and a lighthouse or a boat."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky()
    x = dice.uniform(110, 290)
    canvas.glow(x, 300, 260, inks.glow, 0.65)
    canvas.circle(x, 292, 86, inks.accent)
    for row in range(4):
        canvas.rect(0, 232 + 34 * row, WIDTH, 5 + 4 * row, inks.sky_low, 0.55)
    if dice.random() < 0.55:
        _lighthouse(canvas, 318 if x < 200 else 74)
    for place in range(9):
        fill = (inks.far, inks.mid, inks.near)[min(2, place // 3)]
        _wave(canvas, 334 + place * 30, 11 + 2.2 * place, fill, 0.92)
    boat_x = dice.uniform(110, 290)
    _paper_boat(canvas, boat_x, 410, 34)


def _wave(canvas: Canvas, y: float, high: float, fill: str, opacity: float) -> None:
    shift = canvas.dice.uniform(-60, 0)
    length = 58 + high * 1.6
    path = f"M{shift - length:.1f},{y:.1f}"
    x = shift - length
    while x < WIDTH + length:
        path += f"q{length / 4:.1f},{-high:.1f} {length / 2:.1f},0t{length / 2:.1f},0"
        x += length
    canvas.path(f"{path}V640H-200Z", fill, opacity=opacity)


def _lighthouse(canvas: Canvas, x: float) -> None:
    inks = canvas.inks
    side = -1 if x > 200 else 1
    canvas.shape([(x, 196), (x + side * 420, 120), (x + side * 420, 236)], inks.glow, 0.35)
    canvas.shape([(x - 13, 210), (x + 13, 210), (x + 22, 372), (x - 22, 372)], inks.paper)
    canvas.shape([(x - 15, 252), (x + 15, 252), (x + 17, 282), (x - 17, 282)], inks.shade)
    canvas.shape([(x - 18, 316), (x + 18, 316), (x + 20, 346), (x - 20, 346)], inks.shade)
    canvas.rect(x - 16, 206, 32, 6, inks.ink)
    canvas.rect(x - 9, 186, 18, 20, inks.glow)
    canvas.shape([(x - 14, 186), (x + 14, 186), (x, 166)], inks.shade)


def _paper_boat(canvas: Canvas, x: float, y: float, size: float) -> None:
    inks = canvas.inks
    canvas.shape([(x, y - size), (x - size * 0.62, y + 2), (x, y + 2)], inks.paper)
    canvas.shape([(x, y - size), (x + size * 0.62, y + 2), (x, y + 2)], inks.glow)
    hull = [(x - size * 1.25, y - 6), (x + size * 1.25, y - 6)]
    canvas.shape([*hull, (x + size * 0.7, y + size * 0.5), (x - size * 0.7, y + size * 0.5)],
                 inks.paper)  # fmt: skip
    canvas.shape([hull[1], (x + size * 0.7, y + size * 0.5), (x, y + size * 0.5), (x, y - 6)],
                 inks.sky_low, 0.55)  # fmt: skip


def fleet(canvas: Canvas) -> None:
    """Paper boats on water that comes from above."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky(inks.mid, inks.sky_top)
    for place in range(11):
        y = 30 + 52 * place
        shift = dice.uniform(-30, 0)
        canvas.path(
            f"M{shift:.1f},{y}" + "q20,-13 40,0t40,0" * 6, stroke=inks.far, width=2.4, opacity=0.7
        )
    spots = [
        (84, 120, 24),
        (292, 92, 18),
        (214, 214, 34),
        (92, 316, 30),
        (312, 352, 46),
        (176, 440, 38),
    ]
    for x, y, size in spots:
        canvas.path(
            f"M{x - size * 1.5:.1f},{y + size * 0.62:.1f}h{size * 3:.1f}",
            stroke=inks.dark, width=3, opacity=0.35,
        )  # fmt: skip
        _paper_boat(canvas, x + dice.uniform(-14, 14), y + dice.uniform(-8, 8), size)
    canvas.circle(330, 190, 26, inks.accent)


def dunes(canvas: Canvas) -> None:
    """Dunes with a light and a dark side, and those who cross them."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky()
    x = dice.choice((112, 292))
    canvas.glow(x, 150, 190, inks.glow, 0.55)
    canvas.circle(x, 150, 44, inks.accent)
    canvas.stars(36, 260, inks.paper)
    for step in range(5):
        _walker(canvas, WIDTH - x - 60 + 30 * step, 352 + 3 * step)
    _dunes(canvas)


def signal(canvas: Canvas) -> None:
    """A mast in the dunes, and the rings of what it sends."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky()
    x = dice.choice((112, 292))
    canvas.glow(x, 150, 190, inks.glow, 0.55)
    canvas.circle(x, 150, 36, inks.accent)
    _mast(canvas, WIDTH - x)
    _dunes(canvas)


def _dunes(canvas: Canvas) -> None:
    inks, dice = canvas.inks, canvas.dice
    for place, (light, dark) in enumerate(
        (
            (inks.sky_low, inks.far),
            (inks.far, inks.mid),
            (inks.mid, inks.near),
            (inks.near, inks.dark),
        )
    ):
        _dune(canvas, 340 + 54 * place, dice.uniform(80, 320), light, dark)


def _mast(canvas: Canvas, x: float) -> None:
    inks, top = canvas.inks, 176.0
    for step in range(5):
        canvas.ring(x, top, 26 + 24 * step, inks.accent, 2.2, 0.75 - 0.13 * step)
    canvas.path(f"M{x - 16},380L{x},{top}L{x + 16},380", stroke=inks.ink, width=2.6)
    for y, half in ((230, 4), (274, 8), (318, 11)):
        canvas.line((x - half, y), (x + half, y), inks.ink, 2)


def _walker(canvas: Canvas, x: float, y: float) -> None:
    inks = canvas.inks
    canvas.circle(x, y - 44, 5, inks.ink)
    canvas.shape([(x - 5, y - 37), (x + 5, y - 37), (x + 9, y), (x - 9, y)], inks.ink)
    canvas.line((x + 11, y - 46), (x + 9, y), inks.ink, 1.6)


def _dune(canvas: Canvas, y: float, peak: float, light: str, dark: str) -> None:
    left = [(-60, y + 58), (peak - 90, y + 22), (peak, y - 26)]
    right = [(peak, y - 26), (peak + 70, y + 20), (WIDTH + 60, y + 52)]
    canvas.path(f"M{at(left[0])}{smooth(left)}{smooth(right)}V660H-60Z", light)
    ridge = [(peak, y - 26), (peak - 34, y + 40), (peak + 30, y + 110), (peak - 20, y + 220)]
    canvas.path(f"M{at(right[0])}{smooth(right)}V660H{peak:.0f}L{at(ridge[3])}"
                + smooth(ridge[::-1]) + "Z", dark)  # fmt: skip


def forest(canvas: Canvas) -> None:
    """Firs that stand in mist, and one lit window."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky()
    canvas.stars(46, 250, inks.paper)
    canvas.circle(dice.uniform(110, 290), 150, 52, inks.glow)
    for place, fill in enumerate((inks.far, inks.mid, inks.near, inks.dark)):
        base = 350 + 66 * place
        high = 120 + 46 * place
        gap = 28 + 12 * place
        x = dice.uniform(-30, 0)
        while x < WIDTH + 30:
            _fir(canvas, x, base, high * dice.uniform(0.7, 1.1), fill)
            x += gap * dice.uniform(0.7, 1.3)
        canvas.rect(0, base - 4, WIDTH, 300, fill)
        canvas.rect(0, base - 50, WIDTH, 60, inks.sky_low, 0.16)
        if place == 2:
            _house(canvas, dice.uniform(120, 280), base + 8)


def _fir(canvas: Canvas, x: float, base: float, high: float, fill: str) -> None:
    half = high * 0.2
    points: list[Point] = [(x, base - high)]
    for place in (1, 2, 3):
        points += [(x + half * place / 3, base - high * (1 - place / 3.2)),
                   (x + half * place / 5, base - high * (1 - place / 3.2))]  # fmt: skip
    mirrored = [(2 * x - px, py) for px, py in reversed(points)]
    canvas.shape([*points, (x + half * 0.3, base), (x - half * 0.3, base), *mirrored], fill)


def _house(canvas: Canvas, x: float, base: float) -> None:
    inks = canvas.inks
    canvas.glow(x, base - 16, 70, inks.accent, 0.6)
    canvas.rect(x - 24, base - 30, 48, 40, inks.dark)
    canvas.shape([(x - 32, base - 30), (x + 32, base - 30), (x, base - 58)], inks.ink)
    canvas.rect(x - 12, base - 22, 10, 14, inks.accent)
    canvas.rect(x + 4, base - 22, 10, 14, inks.accent)


def kites(canvas: Canvas) -> None:
    """Kites over roofs, each on its string."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky()
    canvas.circle(318, 110, 50, inks.glow, 0.9)
    hand = (dice.uniform(150, 250), 470.0)
    spots = [(112, 130, 46), (250, 84, 30), (306, 236, 40), (64, 286, 26), (196, 236, 62)]
    fills = (inks.accent, inks.paper, inks.shade, inks.near, inks.accent)
    for (spot_x, spot_y, size), fill in zip(spots, fills, strict=True):
        place = (spot_x + dice.uniform(-16, 16), spot_y + dice.uniform(-14, 14))
        bend = ((place[0] + hand[0]) / 2 + dice.uniform(-40, 40), (place[1] + hand[1]) / 2 + 50)
        canvas.path(f"M{at(place)}Q{at(bend)} {at(hand)}", stroke=inks.ink, width=1, opacity=0.6)
        _kite(canvas, place, size, dice.uniform(-26, 26), fill)
    x = -20.0
    while x < WIDTH:
        width = dice.uniform(46, 92)
        top = dice.uniform(430, 486)
        canvas.rect(x, top, width - 3, 200, canvas.dice.choice((inks.near, inks.mid, inks.dark)))
        canvas.shape([(x, top), (x + width - 3, top), (x + width / 2, top - 22)], inks.dark)
        x += width
    canvas.circle(hand[0], 430, 7, inks.ink)
    canvas.path(f"M{hand[0]:.0f},436v34", stroke=inks.ink, width=9)


def _kite(canvas: Canvas, place: Point, size: float, turn: float, fill: str) -> None:
    x, y = place
    corners = [
        around(x, y, size * r, turn + d) for r, d in ((1, -90), (0.72, 0), (1.15, 90), (0.72, 180))
    ]
    canvas.shape(corners, fill)
    canvas.shape([corners[0], corners[1], (x, y)], canvas.inks.ink, 0.16)
    canvas.shape([corners[2], corners[3], (x, y)], canvas.inks.ink, 0.1)
    tail = corners[2]
    canvas.path(
        f"M{at(tail)}q{size * 0.3:.1f},{size * 0.3:.1f} 0,{size * 0.6:.1f}t0,{size * 0.6:.1f}",
        stroke=fill, width=2.4,
    )  # fmt: skip
